"""Lazy Theta*: A* on cells whose paths may point any way, nearly the shortest.

Each cell that A* reaches is assumed to be seen from the parent of the cell it was reached from, so
that the path goes there straight. Whether it is seen is looked at only when the cell's turn comes;
if not, the best neighbour that was expanded before becomes its parent. The path is then pulled
straight. Source: A. Nash, S. Koenig and C. Tovey, "Lazy Theta*: Any-angle path planning and path
length analysis in 3D", AAAI 2010.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.any_angle import (
    any_angle_path,
    cells_of,
    check_unit_cost,
    trace_back,
)
from headway.plan.endpoints import Cell, flat_index, settled_early, unreachable
from headway.plan.line_of_sight import sees
from headway.plan.open_list import TOUCHED, WAITING, clear, offer, open_list, take
from headway.plan.path import SQRT2, Path
from headway.plan.scratch import borrow, give_back
from headway.plan.straighten import straighten
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid


@kernel(allocates=False)
def _may_step(free: NDArray, cell: int, down: int, right: int) -> bool:
    """Whether an agent may step to a neighbour; ``down`` is a row's worth of cells, or 0."""
    beside = free[np.uint64(cell + down)] & free[np.uint64(cell + right)]
    return free[np.uint64(cell + down + right)] & beside != 0


@kernel(allocates=False)
def _length(down: int, right: int) -> float:
    return math.sqrt(float(down * down + right * right))


@kernel(allocates=False)
def _choose_parent(
    free: NDArray, stride: int, cell: int, cost: NDArray, via: NDArray, place: NDArray
) -> None:
    """Reach a cell that its parent does not see from the best neighbour expanded before."""
    cost[cell] = math.inf
    for down in (-stride, 0, stride):
        for right in (-1, 0, 1):
            near = cell + down + right
            if place[near] < 0 and _may_step(free, cell, down, right):
                step = SQRT2 if down != 0 and right != 0 else 1.0
                if cost[near] + step < cost[cell]:
                    cost[cell] = cost[near] + step
                    via[cell] = near


def _example() -> tuple:
    grid = Grid(np.ones((2, 2)))
    return grid.padded_free, grid.bits, 2, 2, 5, 10, *_work_arrays(grid)


@kernel(allocates=False, example=_example)
def _search(
    free: NDArray, bits: NDArray, rows: int, columns: int, start: int, goal: int, cost: NDArray,
    key: NDArray, via: NDArray, heap: NDArray, place: NDArray, touched: NDArray, counts: NDArray,
) -> tuple[bool, int]:  # fmt: skip
    """Search; tell whether the goal was reached, and how many cells were expanded."""
    stride = columns + 2
    goal_row, goal_column = goal // stride, goal % stride
    waiting = (cost, key, via, heap, place, touched, counts)
    offer(start, 0.0, 0.0, start, *waiting)
    expanded = 0
    while counts[WAITING] > 0:
        cell = take(key, heap, place, counts)
        row, column = cell // stride, cell % stride
        parent = via[np.uint64(cell)]
        if not sees(bits, rows, columns, parent // stride, parent % stride, row, column):
            _choose_parent(free, stride, cell, cost, via, place)
            parent = via[np.uint64(cell)]
        if cell == goal:
            return True, expanded
        expanded += 1
        spent = cost[np.uint64(parent)]
        parent_row, parent_column = parent // stride, parent % stride
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                near = cell + down * stride + right
                reached = cost[np.uint64(near)]
                if (reached < math.inf and place[np.uint64(near)] < 0) or not free[np.uint64(near)]:
                    continue  # expanded already, or blocked
                if _may_step(free, cell, down * stride, right):
                    price = spent + _length(row + down - parent_row, column + right - parent_column)
                    if price < reached:
                        rest = _length(row + down - goal_row, column + right - goal_column)
                        offer(near, price, rest, parent, *waiting)
    return False, expanded


def _work_arrays(grid: Grid) -> tuple[NDArray, ...]:
    return open_list(len(grid.padded_free))


def lazy_theta_star(grid: Grid, start: Cell, goal: Cell, trace: bool = False) -> Path:
    """Find a path that may go any way and turn by any angle, and is nearly the shortest.

    Parameters
    ----------
    grid : Grid
        Without terrain cost.
    start, goal : sequence of two ints
        Row and column.
    trace : bool
        Whether to list the cells that the search gave a cost, in ``searched``.

    Returns
    -------
    Path
        Its cells are those where it turns, and both ends. Each straight piece is `visible`.

    Raises
    ------
    InputError
        If start or goal is not a pair of whole numbers, or the grid has terrain cost.

    Examples
    --------
    >>> lazy_theta_star(Grid(np.ones((5, 5))), (0, 0), (3, 4)).length
    5.0
    """
    check_unit_cost(grid, "lazy_theta_star")
    settled = settled_early(grid, start, goal, CornerRule.NEVER_CUT, "lazy_theta")
    if settled is not None:
        return settled
    a, b = flat_index(grid, "start", start), flat_index(grid, "goal", goal)
    waiting = borrow(grid, "lazy_theta", _work_arrays)
    arguments = grid.padded_free, grid.bits, grid.rows, grid.columns, a, b
    found, expanded = _search(*arguments, *waiting)
    _, _, via, _, _, touched, counts = waiting
    searched = cells_of(touched[: counts[TOUCHED]], grid.stride) if trace else None
    cells = cells_of(trace_back(via, a, b), grid.stride) if found else None
    clear(*waiting)
    give_back(grid, "lazy_theta", waiting)
    if cells is None:
        return unreachable(start, goal, "lazy_theta", expanded)
    return straighten(grid, any_angle_path(grid, cells, expanded, "lazy_theta", searched))
