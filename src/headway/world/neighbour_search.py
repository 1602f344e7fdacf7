"""The search behind `headway.world.neighbour_lists`, in kernels.

Agents are sorted by cell. For all agents of a row of cells the candidates, who are those in the
rows around, are laid out side by side once; each agent then chooses from those of three columns.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import Vector, dot, store, vector
from headway.world.cells import candidates_of_row, cell_table, places_for_candidates, sort_by_cell

COINCIDENT = 1e-12
"""m²; agents whose squared distance is less are in one spot: there is no direction between them."""
ALL_AROUND = -2.0
"""A cosine below that of any angle, whatever the rounding."""
FEW = 64
"""So many numbers are sorted faster by comparing each with each."""


@kernel(forceinline=True)
def in_cone(ahead: float, squared: float, cosine: float) -> bool:
    """Whether the angle to another agent is less than a limit, from the cosine of the limit.

    No root is needed: of numbers times their own size the order is that of the numbers. Agents in
    one spot see each other.

    Parameters
    ----------
    ahead : float
        m: the offset to the other along the unit vector forward.
    squared : float
        m²: the squared distance.
    cosine : float
        From −1 to 1, or `ALL_AROUND`.
    """
    return squared < COINCIDENT or ahead * abs(ahead) > cosine * abs(cosine) * squared


@kernel(example=lambda: (np.zeros(3), 3, 1.0, np.empty(3), np.empty(6, np.int64)))
def cells_for(flat: NDArray, d: int, radius: float, low: NDArray, table: NDArray) -> float:
    """Lay out cells so wide that no rounding puts neighbours two cells apart; returns the width.

    It is 0 if positions are not finite, or too far apart to tell cells apart.

    Parameters
    ----------
    flat : (N*d,) ndarray
        m, world frame: positions.
    d : int
        2 or 3.
    radius : float
        m.
    low : (3,) ndarray
        Out, as in `headway.world.cells.cell_table`.
    table : (6,) ndarray of int64
        Out, as there.
    """
    reach = 0.0
    for k in range(len(flat)):
        reach = max(reach, abs(flat[np.uint64(k)]))
    width = radius * (1.0 + 1e-9) + reach * 2.0**-48
    return width if cell_table(flat, d, width, low, table) else 0.0


@kernel
def _lay_out(place: NDArray, count: int, rows: NDArray, near: NDArray) -> None:
    """Lay out the positions of candidates side by side: first all x, then all y, then all z."""
    n = len(place)
    for k in range(count):
        at, to = np.uint64(3 * place[np.uint64(k)]), np.uint64(k)
        near[to] = rows[at]
        near[to + np.uint64(n)] = rows[at + np.uint64(1)]
        near[to + np.uint64(2 * n)] = rows[at + np.uint64(2)]


@kernel
def _choose(
    me: int, p: Vector, look: Vector, cosine: float, radius: float, first: int, end: int,
    near: NDArray, place: NDArray, order: NDArray, squared: NDArray, chosen: NDArray,
) -> int:  # fmt: skip
    """Choose the candidates near enough and in view; returns how many.

    There are two loops so that the first, which has no branch, works on several at a time. They
    leave behind the indices of the agents and their squared distances.
    """
    n = np.uint64(len(place))
    for k in range(end - first):
        at = np.uint64(first + k)
        x, y, z = near[at] - p[0], near[at + n] - p[1], near[at + n + n] - p[2]
        distance2 = x * x + y * y + z * z
        seen = in_cone(dot((x, y, z), look), distance2, cosine)
        squared[np.uint64(k)] = distance2 if seen else math.inf
    taken = 0
    for k in range(end - first):
        to, distance2, other = np.uint64(taken), squared[np.uint64(k)], place[np.uint64(first + k)]
        chosen[to] = order[np.uint64(other)]
        squared[to] = distance2
        taken += 1 if distance2 <= radius * radius and other != me else 0
    return taken


@kernel
def _sort_by_index(chosen: NDArray, count: int, spare: NDArray) -> None:
    """Put each number where it belongs, by counting those below it; many, by Shell's sort.

    For a few dozen, counting is three times as fast, because the processor need not guess.
    """
    if count <= FEW:
        for k in range(count):
            value, rank = chosen[np.uint64(k)], 0
            for other in range(count):
                rank += 1 if chosen[np.uint64(other)] < value else 0
            spare[np.uint64(rank)] = value
        chosen[:count] = spare[:count]
        return
    gap = 1
    while gap < count // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            value, to = chosen[k], k
            while to >= gap and chosen[to - gap] > value:
                chosen[to] = chosen[to - gap]
                to -= gap
            chosen[to] = value
        gap //= 3


@kernel
def _keep_nearest(chosen: NDArray, squared: NDArray, count: int, most: int) -> int:
    """Move the nearest to the front, nearest first; of two as near, that of the lower index."""
    kept = 0
    for k in range(count):
        value, distance2, to = chosen[k], squared[k], kept
        while to > 0 and (
            squared[to - 1] > distance2 or (squared[to - 1] == distance2 and chosen[to - 1] > value)
        ):
            if to < most:
                chosen[to], squared[to] = chosen[to - 1], squared[to - 1]
            to -= 1
        if to < most:
            chosen[to], squared[to] = value, distance2
        kept = min(kept + 1, most)
    return kept


@kernel
def _append(found: NDArray, used: int, chosen: NDArray, count: int) -> NDArray:
    """Write numbers behind those found so far; returns the array, or a longer one in its place."""
    longer = found
    if used + count > len(found):
        longer = np.empty(2 * len(found) + count, np.int64)
        longer[:used] = found[:used]
    for k in range(count):
        longer[np.uint64(used + k)] = chosen[np.uint64(k)]
    return longer


@kernel
def _by_agent(found: NDArray, order: NDArray, start: NDArray) -> NDArray:
    """From lists in the order of cells, and counts in ``start``, to lists in that of agents."""
    total = 0
    for i in range(len(start)):
        count = start[np.uint64(i)]
        start[np.uint64(i)] = total
        total += count
    index = np.empty(total, np.int64)
    taken = 0
    for k in range(len(order)):
        i = np.uint64(order[np.uint64(k)])
        for to in range(start[i], start[i + np.uint64(1)]):
            index[np.uint64(to)] = found[np.uint64(taken)]
            taken += 1
    return index


@kernel(
    example=lambda: (
        np.zeros(3), 3, 1.0, 1.0, np.zeros(3), np.array([1, 1, 1, 0, 0, 0]), 0, np.zeros(3), -2.0,
        np.zeros(2, np.int64),
    )
)  # fmt: skip
def find_lists(
    flat: NDArray, d: int, radius: float, width: float, low: NDArray, table: NDArray, most: int,
    forward: NDArray, cosine: float, start: NDArray,
) -> NDArray:  # fmt: skip
    """Find the neighbours of all agents; returns the lists, one behind the other.

    Parameters
    ----------
    flat : (N*d,) ndarray
        m, world frame: positions.
    d : int
        2 or 3.
    radius : float
        m.
    width : float
        m, of a cell, as `cells_for` returned it.
    low : (3,) ndarray
        As `cells_for` found it.
    table : (6,) ndarray of int64
        As `cells_for` found it.
    most : int
        So many in a list at most, nearest first; 0 for all, by index.
    forward : (N*d,) or (d,) ndarray
        Unit vectors, world frame.
    cosine : float
        As in `in_cone`.
    start : (N + 1,) ndarray of int64
        Out: where each list starts, and where the last one ends.
    """
    n = len(start) - 1
    columns, lines = table[0], table[1] * table[2]
    begin, order = np.empty(columns * lines + 1, np.int64), np.empty(n, np.int64)
    sort_by_cell(flat, d, width, low, table, begin, order)
    rows = np.empty(3 * n)
    for k in range(n):
        store(rows, k, 3, vector(flat, order[np.uint64(k)], d))
    column, place = np.empty(columns + 3, np.int64), places_for_candidates(n)
    near, squared = np.empty(3 * len(place)), np.empty(2 * n)
    chosen, spare = np.empty(2 * n + 1, np.int64), np.empty(FEW, np.int64)
    found = np.empty(16 * n + 16, np.int64)
    used = 0
    start[:] = 0
    for line in range(lines):
        cell = line * columns
        if begin[np.uint64(cell)] == begin[np.uint64(cell + columns)]:
            continue
        candidates_of_row(line % table[1], line // table[1], table, begin, column, place)
        _lay_out(place, int(column[columns + 2]), rows, near)
        for x in range(columns):
            first, end = column[np.uint64(x)], column[np.uint64(x + 3)]
            for me in range(begin[np.uint64(cell + x)], begin[np.uint64(cell + x + 1)]):
                i = order[np.uint64(me)]
                p, look = vector(rows, me, 3), vector(forward, i, d)
                taken = _choose(
                    me, p, look, cosine, radius, first, end, near, place, order, squared, chosen
                )  # fmt: skip
                if most > 0:
                    taken = _keep_nearest(chosen, squared, taken, most)
                else:
                    _sort_by_index(chosen, taken, spare)
                found = _append(found, used, chosen, taken)
                used += taken
                start[np.uint64(i)] = taken
    return _by_agent(found, order, start)
