"""A*: the shortest path on a grid from cell to neighbouring cell, under any corner rule.

On unit-cost grids costs are whole numbers, the queue is a circle of 64 buckets, and only the steps
of canonical paths are tried (see `headway.plan.canonical_moves`). Sources: P. Hart, N. Nilsson and
B. Raphael, "A formal basis for the heuristic determination of minimum cost paths", IEEE
Transactions on Systems Science and Cybernetics 4(2), 1968; R. Dial, "Algorithm 360: shortest-path
forest with topological ordering", Communications of the ACM 12(11), 1969 (buckets).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.bits import trailing_zeros
from headway.plan.bucket_queue import CHUNK, NONE, USED, coming, empty, first_bucket, put, take
from headway.plan.budget import NO_LIMIT, checked_budget, out_of_budget
from headway.plan.canonical_moves import MOVES
from headway.plan.endpoints import Cell, flat_index, settled_early, unreachable
from headway.plan.moves import DIAGONALS, NOWHERE, WAITING, neighbourhood, step, walk_back, way_to
from headway.plan.path import DIAGONAL, STRAIGHT, Path, stepped_path
from headway.plan.prefetch import prefetch_around
from headway.plan.scratch import borrow, give_back
from headway.plan.weighted_a_star import weighted_a_star
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid

SHIFT = 27
"""A bucket holds estimates that agree but for so many bits: a tenth of a step.

A step changes the estimate by at most 2·√2, so that 29 buckets in a row are in use.
"""
BUCKETS = 64
UNREACHED = 2**62
NO_WAY, NO_ROOM, OUT_OF_BUDGET = -1, -2, -3
"""What `search` returns instead of a cost."""
FLOOR, EXPANDED = 2, 3
"""What the two numbers kept with the work arrays are."""
ROOM = 8 * CHUNK
"""How much of the queue the neighbours of a cell may take up."""
NO_DIAGONAL = int(CornerRule.NO_DIAGONAL)


class Scratch(NamedTuple):
    """The work arrays of `search`, in the order of its arguments."""

    cost: NDArray[np.int64]
    """Cost of each cell plus ``numbers[FLOOR]``; lower than that of any earlier query."""
    came: NDArray[np.uint8]
    """The direction of the step to each cell."""
    queue: NDArray[np.int64]
    tops: NDArray[np.int64]
    waiting: NDArray[np.uint64]
    numbers: NDArray[np.int64]


def make_scratch(grid: Grid) -> Scratch:
    """Make the work arrays of searches on a grid.

    Parameters
    ----------
    grid : Grid

    Returns
    -------
    Scratch

    Examples
    --------
    >>> len(make_scratch(Grid([[1, 1]])).cost)
    12
    """
    cells = len(grid.padded_free)
    return Scratch(
        np.full(cells, UNREACHED),
        np.zeros(cells, np.uint8),
        np.empty(2 * cells + 2 * ROOM, np.int64),
        np.zeros(BUCKETS, np.int64),
        np.zeros(1, np.uint64),
        np.array([0, 0, UNREACHED, 0]),
    )


def more_room(scratch: Scratch) -> Scratch:
    """Make the queue of the work arrays twice as long, for a search that ran out of room.

    Parameters
    ----------
    scratch : Scratch

    Returns
    -------
    Scratch

    Examples
    --------
    >>> scratch = make_scratch(Grid([[1, 1]]))
    >>> len(more_room(scratch).queue) >= 2 * len(scratch.queue)
    True
    """
    return scratch._replace(queue=np.empty(2 * len(scratch.queue) + ROOM, np.int64))


@kernel(allocates=False, forceinline=True)
def _estimate(down: int, right: int, bend: int) -> int:
    """Cost of the way to the goal if nothing is in between."""
    down, right = abs(down), abs(right)
    return STRAIGHT * max(down, right) + bend * min(down, right)


@kernel(allocates=False, forceinline=True)
def _next(
    free: NDArray, stride: int, cost: NDArray, came: NDArray, queue: NDArray, tops: NDArray,
    waiting: NDArray, numbers: NDArray, bucket: int, last: int,
) -> tuple[int, int]:  # fmt: skip
    """Take the next cell off the queue, up to the ``last`` bucket; returns it and its bucket.

    Instead of a cell, `NONE` if there is none.
    """
    while True:
        if tops[np.uint64(bucket & (BUCKETS - 1))] == 0:
            bucket = first_bucket(waiting, bucket)
            if bucket == NONE or bucket > last:
                return NONE, bucket
        cell = take(queue, tops, waiting, numbers, bucket)
        after = coming(queue, tops, bucket)
        prefetch_around(free, stride, after)
        prefetch_around(cost, stride, after)
        prefetch_around(came, stride, after)
        if came[np.uint64(cell)] & WAITING:  # not looked from since it was put there
            return cell, bucket


def _example() -> tuple[Any, ...]:
    grid = Grid(np.ones((3, 3)))
    return (grid.padded_free, grid.stride, 0, *make_scratch(grid), 6, 18, NO_LIMIT)


@kernel(example=_example, allocates=False)
def search(
    free: NDArray, stride: int, rule: int, cost: NDArray, came: NDArray, queue: NDArray,
    tops: NDArray, waiting: NDArray, numbers: NDArray, start: int, goal: int, budget: int,
) -> int:  # fmt: skip
    """Find the cost of the cheapest path between two free cells; `walk_back` gives the path.

    Unchecked; start and goal differ. ``rule`` is a `CornerRule`, and no more than ``budget`` cells
    are looked from. Returns the cost, or `NO_WAY`, `OUT_OF_BUDGET` or `NO_ROOM` (see `more_room`).
    """
    floor = _lower_floor(cost, numbers)
    empty(tops, waiting, numbers)
    bend = STRAIGHT if rule == NO_DIAGONAL else DIAGONAL - STRAIGHT
    goal_row, goal_column = goal // stride, goal % stride
    row, column = start // stride, start % stride
    bucket = _estimate(goal_row - row, goal_column - column, bend) >> SHIFT
    cell, way, best = start, NOWHERE, UNREACHED
    cost[start] = floor
    for expanded in range(1, budget + 1):
        numbers[EXPANDED] = expanded
        if numbers[USED] > len(queue) - ROOM:
            return NO_ROOM
        came[np.uint64(cell)] = way
        g, next_cell = cost[np.uint64(cell)] - floor, NONE
        left = MOVES[np.uint64((rule * 9 + way) << 8 | neighbourhood(free, stride, cell))]
        while left:
            way = trailing_zeros(np.uint64(left))
            left &= left - 1
            down, right = step(way)
            near = cell + down * stride + right
            there = np.uint64(near)
            reached = g + (STRAIGHT if way < DIAGONALS else DIAGONAL)
            f = reached + _estimate(goal_row - row - down, goal_column - column - right, bend)
            if reached + floor >= cost[there] or f >= best:
                continue
            cost[there] = reached + floor
            came[there] = way | WAITING
            if near == goal:
                best = f
                continue
            # The last cell of this very bucket would be taken right back, so it is not put there.
            laid = near
            if f >> SHIFT == bucket:
                laid, next_cell = next_cell, near
            if laid != NONE:
                put(queue, tops, waiting, numbers, f >> SHIFT, laid)
                prefetch_around(cost, stride, laid)
        if next_cell != NONE:
            cell, way = next_cell, way_to(came, next_cell)
            down, right = step(way)
            row, column = row + down, column + right
            continue
        cell = NONE
        while cell == NONE:
            cell, bucket = _next(
                free, stride, cost, came, queue, tops, waiting, numbers, bucket, best >> SHIFT
            )
            if cell == NONE:
                return NO_WAY if best == UNREACHED else best
            row, column = cell // stride, cell % stride
            g = cost[np.uint64(cell)] - floor
            f = g + _estimate(goal_row - row, goal_column - column, bend)
            if f >= best:  # too far round
                cell = NONE
        way = way_to(came, cell)
    return OUT_OF_BUDGET


@kernel(allocates=False)
def _lower_floor(cost: NDArray, numbers: NDArray) -> int:
    """What to add to costs, so that those of earlier queries count as too high.

    That saves clearing them before each query.
    """
    most = len(cost) * DIAGONAL
    if numbers[FLOOR] < most:
        cost.fill(UNREACHED)
        numbers[FLOOR] = UNREACHED
    numbers[FLOOR] -= most
    return numbers[FLOOR]


def a_star(
    grid: Grid,
    start: Cell,
    goal: Cell,
    rule: CornerRule | str = "never_cut",
    trace: bool = False,
    budget: int | None = None,
) -> Path:
    """Find a cheapest path from cell to neighbouring cell.

    On a grid with terrain cost this is `headway.plan.weighted_a_star.weighted_a_star`.

    Parameters
    ----------
    grid : Grid
    start, goal : sequence of two ints
        Row and column.
    rule : CornerRule or str
        Which diagonal steps are allowed.
    trace : bool
        Whether to list the cells that were given a cost, as ``searched``.
    budget : int, optional
        From how many cells to look at most; from all if left out.

    Returns
    -------
    Path
        Every cell from start to goal, or the reason why there is no path.

    Raises
    ------
    InputError
        If start or goal is not a pair of whole numbers, there is no such rule, or the budget is
        not a whole number above zero.

    Examples
    --------
    >>> grid = Grid([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> a_star(grid, (0, 0), (2, 2)).length
    4.0
    >>> a_star(grid, (0, 0), (2, 2), rule="one_free").cells.tolist()
    [[0, 0], [1, 0], [2, 1], [2, 2]]
    """
    if grid.weighted:
        return weighted_a_star(grid, start, goal, rule, trace=trace, budget=budget)
    rule = corner_rule(rule)
    limit = checked_budget(budget)
    early = settled_early(grid, start, goal, rule, "astar")
    if early is not None:
        return early
    a, b = flat_index(grid, "start", start), flat_index(grid, "goal", goal)
    scratch = borrow(grid, "astar", make_scratch)
    best = search(grid.padded_free, grid.stride, int(rule), *scratch, a, b, limit)
    while best == NO_ROOM:
        scratch = more_room(scratch)
        best = search(grid.padded_free, grid.stride, int(rule), *scratch, a, b, limit)
    expanded = int(scratch.numbers[EXPANDED])
    if best == OUT_OF_BUDGET:
        path = out_of_budget("astar", expanded)
    elif best == NO_WAY:
        path = unreachable(start, goal, "astar", expanded)
    else:
        cells, diagonal = walk_back(scratch.came, grid.stride, b)
        straight = len(cells) - 1 - diagonal
        path = stepped_path(grid, cells[::-1].copy(), straight, diagonal, expanded, "astar")
    if trace:
        path.searched = _searched(grid, scratch)
    give_back(grid, "astar", scratch)
    return path


def _searched(grid: Grid, scratch: Scratch) -> NDArray[np.int64]:
    """(M, 2): the cells given a cost by the last search."""
    top = scratch.numbers[FLOOR] + len(scratch.cost) * DIAGONAL
    flat = np.flatnonzero(scratch.cost < top)
    return np.column_stack((flat // grid.stride - 1, flat % grid.stride - 1))
