"""Jump point search: the shortest path on a unit-cost grid, from one turning point to the next.

The open list is a circle of buckets. Costs in a bucket differ by a tenth of a step at most, and
the search ends only when no bucket can hold anything cheaper than the way found, so that the
order within a bucket does not matter. What is looked at from a jump point is in `jump_scans`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.bits import trailing_zeros
from headway.plan.endpoints import Cell, settled_early, unreachable
from headway.plan.jump_scans import UNREACHED, all_around, octile, successors
from headway.plan.path import DIAGONAL, STRAIGHT, Path, stepped_path
from headway.plan.scratch import borrow, give_back
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid
from headway.world.grid_bits import ALL, ONE, words_for

SHIFT = 27
"""Costs in one bucket differ in so many low bits."""
RANGE = 2**61
"""Costs are stored on top of a floor that sinks from here, query by query, so that those of
earlier queries count as unreached and nothing has to be cleared."""
NO_ROOM, RANGE_SPENT = -1, -2
COLUMN = 2**30 - 1

# What a search keeps in its array of numbers.
FLOOR, ROOM, EXPANDED = range(3)


@kernel(allocates=False)
def _next_place(occupied: NDArray, place: int) -> int:
    """First occupied bucket from ``place`` on, around the circle; there must be one."""
    word = place >> 6
    found = occupied[word] & (ALL << np.uint64(place & 63))
    while found == 0:
        word = (word + 1) & (len(occupied) - 1)
        found = occupied[word]
    return (word << 6) + trailing_zeros(found)


@kernel(allocates=False)
def _clear(occupied: NDArray, bucket: int, top: int) -> None:
    """Empty the buckets from one to another; both count on around the circle."""
    for word in range(bucket >> 6, min((top >> 6) + 1, (bucket >> 6) + len(occupied))):
        occupied[word & (len(occupied) - 1)] = 0


@kernel(allocates=False)
def _enqueue(
    queue: NDArray, heads: NDArray, occupied: NDArray, entry: int, f: int, state: int, g: int
) -> None:
    """Lay an entry on top of the bucket of its cost."""
    place = (f >> SHIFT) & (len(heads) - 1)
    bit = ONE << np.uint64(place & 63)
    queue[entry, 0], queue[entry, 1] = state, g
    queue[entry, 2] = heads[place] if occupied[place >> 6] & bit else -1
    heads[place] = entry
    occupied[place >> 6] |= bit


@kernel(allocates=False)
def _dequeue(queue: NDArray, heads: NDArray, occupied: NDArray, place: int) -> int:
    """Take the newest entry from a bucket."""
    entry = heads[place]
    heads[place] = queue[entry, 2]
    if heads[place] < 0:
        occupied[place >> 6] &= ~(ONE << np.uint64(place & 63))
    return entry


@kernel(allocates=False)
def _search(
    bits: NDArray, planes: tuple, cost: NDArray, link: NDArray, queue: NDArray, heads: NDArray,
    occupied: NDArray, found: NDArray, numbers: NDArray, goal: tuple, row: int, column: int,
    most: int,
) -> int:  # fmt: skip
    """Find the cost of reaching the goal, or UNREACHED, and the links back from it."""
    floor, mask = numbers[FLOOR], len(heads) - 1
    cell = row * goal[2] + column
    cost[cell] = floor
    bucket = octile(row, column, goal[0], goal[1]) >> SHIFT
    best, g, queued, entries, unused, top = UNREACHED, 0, 0, 0, -1, 0
    numbers[EXPANDED] = 1
    count = all_around(bits, planes, goal, row, column, found)
    while True:
        if entries + count > len(queue) or g > most:
            best = NO_ROOM if g <= most else RANGE_SPENT
            break
        for i in range(count):
            row, column, g = found[i, 0], found[i, 1], found[i, 3]
            successor = row * goal[2] + column
            f = g + octile(row, column, goal[0], goal[1])
            if g + floor >= cost[successor] or f >= best:
                continue
            cost[successor] = g + floor
            link[successor] = cell
            if f == g:
                best = g
                continue
            entry = unused if unused >= 0 else entries
            entries = max(entries, entry + 1)
            unused = queue[entry, 2] if unused >= 0 else -1
            queued += 1
            top = max(top, f >> SHIFT)
            state = row << 32 | column << 2 | found[i, 2]
            _enqueue(queue, heads, occupied, entry, f, state, g)
        bucket += (_next_place(occupied, bucket & mask) - bucket) & mask if queued else 0
        if queued == 0 or bucket << SHIFT >= best:
            break
        entry = _dequeue(queue, heads, occupied, bucket & mask)
        queue[entry, 2], unused = unused, entry
        queued, count = queued - 1, 0
        row, column = queue[entry, 0] >> 32, (queue[entry, 0] >> 2) & COLUMN
        cell = row * goal[2] + column
        g = queue[entry, 1]
        if g + floor == cost[cell] and g + octile(row, column, goal[0], goal[1]) < best:
            numbers[EXPANDED] += 1
            way = queue[entry, 0] & 3
            count = successors(bits, planes, goal, row, column, way, g, best, found)
    _clear(occupied, bucket, top)
    return best


@kernel(allocates=False)
def trace_jumps(link: NDArray, goal: tuple, start: int, cells: NDArray) -> tuple:
    """Write the cells of the path; return how many there are, and its steps of each kind.

    If there are more cells than rows to write them in, none is written.
    """
    stride = goal[2]
    straight, diagonal = 0, 0
    cell = goal[0] * stride + goal[1]
    while cell != start:
        before = link[cell]
        high = abs(cell // stride - before // stride)
        wide = abs(cell % stride - before % stride)
        straight += abs(high - wide)
        diagonal += min(high, wide)
        cell = before
    count = straight + diagonal + 1
    if count > len(cells):
        return count, straight, diagonal
    place = count - 1
    row, column = goal[0], goal[1]
    cell = row * stride + column
    cells[place, 0], cells[place, 1] = row - 1, column - 1
    while cell != start:
        cell = link[cell]
        down, right = cell // stride - row, cell % stride - column
        one_down, one_right = (down > 0) - (down < 0), (right > 0) - (right < 0)
        high, wide = abs(down), abs(right)
        for left in range(max(high, wide), 0, -1):
            # A leg begins with its diagonal part, so that, backwards, it comes last.
            row += one_down if left <= high else 0
            column += one_right if left <= wide else 0
            place -= 1
            cells[place, 0], cells[place, 1] = row - 1, column - 1
    return count, straight, diagonal


COST, LINK, QUEUE, HEADS, OCCUPIED, FOUND, NUMBERS, CELLS = range(8)


def work_arrays(grid: Grid) -> list[Any]:
    """Work arrays of a search; their places are named above."""
    size = len(grid.padded_free)
    longest_jump = 2 * (grid.rows + grid.columns) * STRAIGHT >> SHIFT
    buckets = max(64, 1 << (2 * longest_jump + 1).bit_length())
    return [
        np.full(size, UNREACHED, np.int64),
        np.zeros(size, np.int32),
        np.empty((4 * (grid.rows + grid.columns) + 1024, 3), np.int64),
        np.zeros(buckets, np.int32),
        np.zeros(buckets >> 6, np.uint64),
        np.empty((8 * min(grid.shape) + 8, 4), np.int64),
        np.array([RANGE, RANGE, 0], np.int64),
        np.empty((4 * (grid.rows + grid.columns), 2), np.int64),
    ]


def _example() -> tuple[Any, ...]:
    grid = Grid(np.ones((4, 4)))
    return (grid.bits, *work_arrays(grid), grid.rows, grid.columns, 7, 28, highest_cost(grid))


def highest_cost(grid: Grid) -> int:
    """The highest cost to expect; searches that go beyond it are begun anew with all there is."""
    return 16 * (grid.rows + grid.columns) * DIAGONAL


@kernel(allocates=False, example=_example)
def search_jump_points(
    bits: NDArray, cost: NDArray, link: NDArray, queue: NDArray, heads: NDArray,
    occupied: NDArray, found: NDArray, numbers: NDArray, cells: NDArray, rows: int,
    columns: int, start: int, goal: int, room: int,
) -> tuple:  # fmt: skip
    """Find a shortest path between two free cells, and write it into ``cells``.

    Returns how many cells it has (0 if there is no path, negative if the work arrays do not do),
    and its straight and diagonal steps.
    """
    wide, high = words_for(columns), words_for(rows)
    planes = (wide, high, (rows + 2) * wide, (columns + 2) * high)
    stride = columns + 2
    target = (goal // stride, goal % stride, stride)
    if numbers[FLOOR] < room:
        cost[:] = UNREACHED
        numbers[FLOOR] = RANGE
    numbers[FLOOR] -= room
    numbers[ROOM] = room
    best = _search(
        bits, planes, cost, link, queue, heads, occupied, found, numbers, target,
        start // stride, start % stride, room - 2 * (rows + columns) * DIAGONAL,
    )  # fmt: skip
    if best < 0 or best == UNREACHED:
        return min(best, 0), 0, 0
    return trace_jumps(link, target, start, cells)


ALGORITHM = "jps"


def jump_point_search(
    grid: Grid,
    start: Cell,
    goal: Cell,
    rule: CornerRule | str = CornerRule.NEVER_CUT,
    trace: bool = False,
) -> Path:
    """Find a shortest path that never cuts a corner, on a grid without terrain cost.

    Parameters
    ----------
    grid : Grid
        Of unit cost.
    start, goal : sequence of two ints
        Row and column.
    rule : CornerRule or str
        Never to cut a corner; searches of other rules have this argument too.
    trace : bool
        Whether to list the jump points that were met, in `Path.searched`.

    Returns
    -------
    Path
        ``expanded`` counts the jump points whose successors were looked for.

    Raises
    ------
    InputError
        If the grid has terrain cost, the rule is another, or start or goal is not a pair of whole
        numbers.

    Examples
    --------
    >>> path = jump_point_search(Grid([[1, 1, 1], [1, 0, 1], [1, 1, 1]]), (0, 0), (2, 2))
    >>> path.length, path.cells.tolist()
    (4.0, [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]])
    """
    if grid.weighted:
        raise InputError("jump point search needs a grid without terrain cost: use a_star.")
    if rule is not CornerRule.NEVER_CUT and corner_rule(rule) != CornerRule.NEVER_CUT:
        raise InputError(f"jump point search knows no rule but never_cut: for {rule} use a_star.")
    early = settled_early(grid, start, goal, CornerRule.NEVER_CUT, ALGORITHM)
    if early is not None:
        return early
    first = (int(start[0]) + 1) * grid.stride + int(start[1]) + 1
    last = (int(goal[0]) + 1) * grid.stride + int(goal[1]) + 1
    work = borrow(grid, ALGORITHM, work_arrays)
    try:
        steps = _search_with_room(grid, work, first, last)
        searched = _searched(grid, work) if trace else None
        expanded = int(work[NUMBERS][EXPANDED])
        if steps is None:
            return unreachable(start, goal, ALGORITHM, expanded)
        count, straight, diagonal = steps
        cells = work[CELLS][:count].copy()
    finally:
        give_back(grid, ALGORITHM, work)
    return stepped_path(grid, cells, straight, diagonal, expanded, ALGORITHM, searched=searched)


def _search_with_room(
    grid: Grid, work: list[Any], first: int, last: int
) -> tuple[int, int, int] | None:
    """Search, with larger work arrays where these do not do; None if there is no path."""
    room = highest_cost(grid)
    while True:
        cost, link, queue, heads, occupied, found, numbers, cells = work
        count, straight, diagonal = search_jump_points(
            grid.bits, cost, link, queue, heads, occupied, found, numbers, cells, grid.rows,
            grid.columns, first, last, room,
        )  # fmt: skip
        if count == 0:
            return None
        if count == NO_ROOM:
            work[QUEUE] = np.empty((2 * len(work[QUEUE]), 3), np.int64)
        elif count == RANGE_SPENT:
            room = RANGE
        elif count > len(work[CELLS]):
            work[CELLS] = np.empty((2 * count, 2), np.int64)
        else:
            return count, straight, diagonal


def _searched(grid: Grid, work: list[Any]) -> NDArray[np.int64]:
    """Row and column of the jump points that the last search gave a cost."""
    limit = work[NUMBERS][FLOOR] + work[NUMBERS][ROOM]
    known = np.flatnonzero(work[COST] < limit)
    return np.column_stack((known // grid.stride - 1, known % grid.stride - 1))
