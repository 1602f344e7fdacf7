"""Agents sorted into cells, so that those near an agent are found without looking at all others.

Cells are cubes (squares in the plane) at least as wide as the radius asked for, so that whoever is
within it lies in the 3ᵈ cells around. Agents are sorted by cell by counting, in order of index
within each: cost grows as the number of agents does. The table of cells covers the box around all
agents. Where that would take more than a few cells per agent, cells far apart share an entry, like
houses on one street with equal last digits; whoever tests distances anyway need not know.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import above_zero
from headway.geometry.rows import positions, refuse

CELLS_PER_AGENT = 4
"""As many, at most, has the table: more cost time to clear, fewer hold strangers."""
AT_ONCE = 8
"""Candidates that are listed without looking how many there are."""
FARTHEST = 2.0**52
"""Cells; farther apart, agents cannot be told which cell they are in."""


@kernel
def cell_table(flat: NDArray, d: int, width: float, low: NDArray, table: NDArray) -> bool:
    """Lay a table of cells over all agents; False if they are not finite or too far apart.

    Parameters
    ----------
    flat : (N*d,) ndarray
        m, world frame: positions.
    d : int
        2 or 3.
    width : float
        m, of a cell.
    low : (3,) ndarray
        Out: m, lowest corner of the table.
    table : (6,) ndarray of int64
        Out: cells along x, y, z; then, for each of them, whether cells share entries along it.
    """
    n = len(flat) // d
    table[:] = 0
    table[:3] = 1
    low[:] = 0.0
    if n == 0:
        return True
    for k in range(d):
        least = most = flat[k]
        finite = True
        for i in range(n):
            value = flat[np.uint64(i * d + k)]
            finite = finite and math.isfinite(value)
            least = min(least, value)
            most = max(most, value)
        cells = (most - least) / width
        if not (finite and cells < FARTHEST):
            return False
        low[k] = least
        table[k] = int(cells) + 1
    budget = CELLS_PER_AGENT * n + 64
    while float(table[0]) * float(table[1]) * float(table[2]) > budget:
        k = int(np.argmax(table[:3]))
        table[k] = max(table[k] // 2 | 1, 3)  # odd, so that no even spacing falls together
        table[3 + k] = 1
    return True


@kernel(forceinline=True)
def place_along(value: float, low: float, per_metre: float, cells: int, shared: int) -> int:
    """The cell that a coordinate lies in, along one axis."""
    cell = int((value - low) * per_metre)
    return cell % cells if shared else min(cell, cells - 1)


@kernel
def sort_by_cell(
    flat: NDArray, d: int, width: float, low: NDArray, table: NDArray, start: NDArray,
    order: NDArray,
) -> None:  # fmt: skip
    """Sort agents by cell, and by index within each.

    Parameters
    ----------
    flat : (N*d,) ndarray
        m, world frame: positions.
    d : int
        2 or 3.
    width : float
        m, of a cell.
    low : (3,) ndarray
        m, as `cell_table` found it.
    table : (6,) ndarray of int64
        As `cell_table` found it.
    start : (cells + 1,) ndarray of int64
        Out: agents of cell c are order[start[c]] to order[start[c + 1] − 1]; x changes fastest.
    order : (N,) ndarray of int64
        Out: indices of agents.
    """
    n = len(order)
    cell = np.empty(n, np.int64)
    start[:] = 0
    for i in range(n):
        at = np.uint64(i * d)
        x = place_along(flat[at], low[0], 1.0 / width, table[0], table[3])
        y = place_along(flat[at + np.uint64(1)], low[1], 1.0 / width, table[1], table[4])
        z = 0
        if d == 3:
            z = place_along(flat[at + np.uint64(2)], low[2], 1.0 / width, table[2], table[5])
        c = (z * table[1] + y) * table[0] + x
        cell[np.uint64(i)] = c
        start[np.uint64(c)] += 1
    total = 0
    for c in range(len(start)):
        total += start[np.uint64(c)]
        start[np.uint64(c)] = total
    for i in range(n - 1, -1, -1):
        c = np.uint64(cell[np.uint64(i)])
        start[c] -= 1
        order[np.uint64(start[c])] = i


@kernel(forceinline=True)
def along(middle: int, offset: int, cells: int, shared: int) -> int:
    """The cell beside another one along an axis; −1 if there is none."""
    cell = middle + offset
    if 0 <= cell < cells:
        return cell
    return (cell + cells) % cells if shared else -1


@kernel
def places_for_candidates(n: int) -> NDArray:
    """An array with room for whatever `candidates_of_row` writes where there are n agents."""
    return np.empty(2 * n + AT_ONCE, np.int64)


@kernel
def candidates_of_row(
    y: int, z: int, table: NDArray, start: NDArray, column: NDArray, place: NDArray
) -> None:
    """Find who may be near the agents of a row of cells: all in the rows of cells around it.

    They are listed column by column, so that those around the cell in column x are
    place[column[x]] to place[column[x + 3] − 1].

    Parameters
    ----------
    y, z : int
        The row of cells.
    table : (6,) ndarray of int64
        As `cell_table` found it.
    start : (cells + 1,) ndarray of int64
        As `sort_by_cell` found it.
    column : (columns + 3,) ndarray of int64
        Out: where each column begins in the list, from that before the first to that after the
        last, which are empty unless columns share entries.
    place : (2*N + AT_ONCE,) ndarray of int64
        Out: places in the order of `sort_by_cell`; made by `places_for_candidates`.
    """
    base = np.empty(9, np.int64)
    around = 0
    for dz in range(-1, 2):
        layer = along(z, dz, table[2], table[5])
        for dy in range(-1, 2):
            row = along(y, dy, table[1], table[4])
            if layer >= 0 and row >= 0:
                base[around] = (layer * table[1] + row) * table[0]
                around += 1
    count = 0
    for x in range(-1, table[0] + 1):
        column[np.uint64(x + 1)] = count
        middle = along(x, 0, table[0], table[3])
        if middle < 0:
            continue
        for k in range(around):
            cell = np.uint64(base[np.uint64(k)] + middle)
            first, end = start[cell], start[cell + np.uint64(1)]
            # a few at once, needed or not: where a loop as short as this ends cannot be foreseen
            for q in range(AT_ONCE):
                place[np.uint64(count + q)] = first + q
            for q in range(AT_ONCE, end - first):
                place[np.uint64(count + q)] = first + q
            count += end - first
    column[np.uint64(table[0] + 2)] = count


@kernel(example=lambda: (np.zeros(6), 3, 1.0, np.empty(2, np.int64)))
def _order(flat: NDArray, d: int, width: float, order: NDArray) -> bool:
    low, table = np.empty(3), np.empty(6, np.int64)
    if not cell_table(flat, d, width, low, table):
        return False
    sort_by_cell(
        flat, d, width, low, table, np.empty(table[0] * table[1] * table[2] + 1, np.int64), order
    )
    return True


def in_cell_order(position: ArrayLike, width: float) -> NDArray[np.int64]:
    """The order in which agents near each other stand near each other in memory, too.

    A million agents in any order cost twice as much to look at as in this one. Agents change
    cells slowly: to reorder their arrays every hundred steps is enough.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    width : float
        m, of a cell: the radius within which agents mind each other. Above zero.

    Returns
    -------
    (N,) ndarray of int64
        Indices: take `array[order]` of each array of the agents.

    Raises
    ------
    InputError
        If position is not finite or not (N, d), or the width is not above zero.

    Examples
    --------
    >>> in_cell_order([(0.5, 0.0), (9.5, 0.0), (0.2, 0.0)], 1.0).tolist()
    [0, 2, 1]
    """
    flat, shape = positions("position", position)
    if len(shape) != 2:
        raise InputError(f"position has shape {shape}: give (N, 2) or (N, 3).")
    width = above_zero("width", width, "metres")
    order = np.empty(shape[0], np.int64)
    if not _order(flat, shape[1], width, order):
        refuse(position=position)
    return order
