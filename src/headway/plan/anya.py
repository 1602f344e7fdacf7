"""ANYA: the shortest path whose straight pieces may point any way, exactly and without preparation.

The search looks out from *roots*, cells where a shortest path may turn, over *cones*: what a root
sees of one row, between two rays. A cone is kept as its two rays, each a pair of whole numbers (so
many rows on, so many columns aside), so that no comparison is ever rounded. Expanding it finds the
stretches of the next row that can be seen through the squares in between, and the corners of
blocked squares at which a taut path can turn. Those become roots, and when the shortest way to one
is known it looks out in turn, but only where a path from its own parent would be bent around a
corner: anywhere else there is a shorter way.

Source: D. Harabor, A. Grastien, D. Öz and V. Aksakalli, "Optimal any-angle pathfinding in
practice", Journal of Artificial Intelligence Research 56, 2016. Here roots wait in the queue like
cones, so that each looks out once; and the lattice is that of the centres of cells (see
`headway.plan.line_of_sight`), along whose edges a path can go even between blocked squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.any_angle import (
    any_angle_path,
    cells_of,
    check_unit_cost,
    straight_distance,
    trace_back,
)
from headway.plan.cones import EXPANDED, FULL, SPARE, expand, look_out
from headway.plan.endpoints import Cell, flat_index, settled_early, unreachable
from headway.plan.open_list import TOUCHED, WAITING, clear, offer, open_list, take
from headway.plan.path import Path
from headway.plan.scratch import borrow, give_back
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid


def _example() -> tuple:
    grid = Grid(np.ones((2, 2)))
    return grid.padded_free, grid.stride, 5, 10, *_work_arrays(grid)


@kernel(allocates=False, example=_example)
def _search(
    free: NDArray, stride: int, start: int, goal: int, cones: NDArray, tally: NDArray,
    cost: NDArray, key: NDArray, via: NDArray, heap: NDArray, place: NDArray, touched: NDArray,
    counts: NDArray,
) -> bool:  # fmt: skip
    """Find the shortest way; whether there is one (if ``tally[FULL]``, there was no room)."""
    waiting = (cost, key, via, heap, place, touched, counts)
    tally[:] = 0
    tally[SPARE] = -1
    offer(start, 0.0, straight_distance(start, goal, stride), start, *waiting)
    cells = len(cost) - len(cones)
    while counts[WAITING] > 0 and not tally[FULL]:
        node: Any = np.int64(take(key, heap, place, counts))
        if node == goal:
            return True
        tally[EXPANDED] += 1
        if node < cells:
            look_out(free, stride, goal, node, cones, tally, waiting)
        else:
            expand(free, stride, goal, node - cells, cones, tally, waiting)
    return False


def _work_arrays(grid: Grid, cones: int = 4096) -> tuple[NDArray, ...]:
    rays = np.empty((cones, 7), np.int64)
    return rays, np.zeros(4, np.int64), *open_list(len(grid.padded_free) + cones)


def anya(grid: Grid, start: Cell, goal: Cell, trace: bool = False) -> Path:
    """Find the shortest path that may go any way and turn by any angle, exactly.

    Parameters
    ----------
    grid : Grid
        Without terrain cost.
    start, goal : sequence of two ints
        Row and column.
    trace : bool
        Whether to list the cells at which the search looked at turning, in ``searched``.

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
    >>> anya(Grid([[1, 1, 0, 1], [1, 1, 1, 1], [1, 1, 1, 1]]), (0, 0), (0, 3)).cells.tolist()
    [[0, 0], [1, 1], [1, 3], [0, 3]]
    """
    check_unit_cost(grid, "anya")
    settled = settled_early(grid, start, goal, CornerRule.NEVER_CUT, "anya")
    if settled is not None:
        return settled
    a, b = flat_index(grid, "start", start), flat_index(grid, "goal", goal)
    work = borrow(grid, "anya", _work_arrays)
    found = _search(grid.padded_free, grid.stride, a, b, *work)
    while work[1][FULL]:
        work = _work_arrays(grid, 4 * len(work[0]))
        found = _search(grid.padded_free, grid.stride, a, b, *work)
    _, tally, *waiting = work
    _, _, via, _, _, touched, counts = waiting
    reached = touched[: counts[TOUCHED]]
    searched = cells_of(reached[reached < len(grid.padded_free)], grid.stride) if trace else None
    cells = cells_of(trace_back(via, a, b), grid.stride) if found else None
    clear(*waiting)
    give_back(grid, "anya", work)
    if cells is None:
        return unreachable(start, goal, "anya", int(tally[EXPANDED]))
    return any_angle_path(grid, cells, int(tally[EXPANDED]), "anya", searched)
