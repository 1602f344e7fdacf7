"""The way out for an agent that stands too near to an obstacle for its size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.world.clearance import distance_to_blocked
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid
from headway.world.inflation import Inflation

TIE = 1e-9
NEEDED = (2, 1, 0, 3)
"""By corner rule: how many of the two cells beside a diagonal step must be free."""
"""Cells: ways whose lengths differ by less are equally long."""


def _example_window() -> tuple:
    free = np.zeros((5, 5), np.uint8)
    free[2, 1:4] = 1
    wide = np.zeros((5, 5), np.uint8)
    wide[2, 3] = 1
    return (
        free.ravel(),
        wide.ravel(),
        np.ones(25),
        5,
        11,
        0,
        np.full(25, np.inf),
        np.zeros(25, np.int64),
    )


@kernel(example=_example_window)
def relax_outwards(
    free: NDArray, wide: NDArray, room: NDArray, stride: int, start: int, rule: int,
    distance: NDArray, came: NDArray,
) -> int:  # fmt: skip
    """Find the nearest wide cell along ways on which there is ever more room; -1 if there is none.

    Cells wait in a ring and are looked at again if a shorter way to them turns up, which is as
    quick as sorting them in the small surroundings that this is for.
    """
    around = (-stride, -1, 1, stride, -stride - 1, -stride + 1, stride - 1, stride + 1)
    waiting = np.zeros(len(free), np.bool_)
    ring = np.empty(len(free) + 1, np.int64)
    ring[0] = start
    first, last = 0, 1
    distance[start] = 0.0
    best = -1
    while first != last:
        cell = ring[first]
        first = (first + 1) % len(ring)
        waiting[cell] = False
        if wide[cell]:
            nearer = best < 0 or distance[cell] < distance[best] - TIE
            if nearer or (cell < best and distance[cell] < distance[best] + TIE):
                best = cell
            continue
        for k in range(8):
            to = cell + around[k]
            longer = distance[cell] + (1.0 if k < 4 else math.sqrt(2.0))
            if free[to] == 0 or room[to] < room[cell] or longer >= distance[to] - TIE:
                continue
            if k >= 4:
                one = 1 if free[cell + around[0 if k < 6 else 3]] else 0
                other = 1 if free[cell + around[1 if k % 2 == 0 else 2]] else 0
                if one + other < NEEDED[rule]:
                    continue
            if best >= 0 and longer > distance[best] + TIE:
                continue
            distance[to] = longer
            came[to] = cell
            if not waiting[to]:
                waiting[to] = True
                ring[last] = to
                last = (last + 1) % len(ring)
    return best


def way_out(
    grid: Grid,
    inflated_grid: Grid,
    start: Sequence[int],
    rule: CornerRule | str = CornerRule.NEVER_CUT,
) -> NDArray[np.int64]:
    """Lead an agent that stands too near to an obstacle to where it has room.

    Parameters
    ----------
    grid : Grid
    inflated_grid : Grid
        What `inflated` made of it.
    start : sequence of two ints
        Row and column.
    rule : CornerRule or str
        How it may step past blocked cells of the grid.

    Returns
    -------
    (K, 2) ndarray of int64
        The cells of the shortest way, in steps that the rule allows, from the start to
        the first free cell of the inflated grid, along which the clearance never falls: the agent
        comes no nearer to what it touches already. Only the start if that is free there; empty if
        there is no such way or the start is blocked on the grid itself.

    Raises
    ------
    InputError
        If the second grid was not made from the first by `inflated`.

    Examples
    --------
    >>> from headway.world.inflation import inflated
    >>> grid = Grid([[1, 1, 1, 1, 1]] * 5)
    >>> way_out(grid, inflated(grid, 1.5), (2, 0)).tolist()
    [[2, 0], [2, 1]]
    """
    rule = corner_rule(rule)
    if not grid.is_free(start):
        return np.empty((0, 2), np.int64)
    if inflated_grid.is_free(start):
        return np.array([start], np.int64)
    state = _state_of(grid, inflated_grid)
    half = 2 * state.reach + 8
    while True:
        cells, complete = _way_in_window(grid, state, start, rule, half)
        if complete or half >= max(grid.shape):
            return cells
        half *= 2


def _state_of(grid: Grid, inflated_grid: Grid) -> Inflation:
    for state in list(grid.derived.values()):
        if isinstance(state, Inflation) and state.child is inflated_grid:
            return state
    raise InputError("inflated_grid does not belong to grid: make it with inflated(grid, radius).")


def _way_in_window(
    grid: Grid, state: Inflation, start: Sequence[int], rule: CornerRule, half: int
) -> tuple[NDArray[np.int64], bool]:
    """Find the way out through the cells up to ``half`` rows and columns away.

    Also returns whether no shorter one, or none at all, can lead farther away.
    """
    row, column = start
    top, left = max(0, row - half), max(0, column - half)
    window = slice(top, row + half + 1), slice(left, column + half + 1)
    free = np.pad(grid.free[window], 1).view(np.uint8)
    wide = np.pad(state.child.free[window], 1).view(np.uint8)
    # What lies farther beyond the window than the disc reaches does not matter, nor does it
    # matter whether it counts as blocked.
    margin = state.reach + 1
    above, before = max(0, top - margin), max(0, left - margin)
    around = grid.free[above : row + half + margin + 1, before : column + half + margin + 1]
    room = distance_to_blocked(around, state.border)[top - above :, left - before :]
    rows, columns = free.shape
    room = np.pad(room[: rows - 2, : columns - 2], 1).ravel()
    came = np.zeros(rows * columns, np.int64)
    distance = np.full(rows * columns, np.inf)
    cell = (row - top + 1) * columns + column - left + 1
    arrays = free.ravel(), wide.ravel(), room
    end = relax_outwards(*arrays, columns, cell, int(rule), distance, came)
    reached = np.isfinite(distance).reshape(rows, columns)
    complete = not (reached[[1, -2]].any() or reached[:, [1, -2]].any())
    if end < 0:
        return np.empty((0, 2), np.int64), complete
    way = [end]
    while way[-1] != cell:
        way.append(int(came[way[-1]]))
    rows, columns = np.divmod(np.array(way[::-1], np.int64), columns)
    return np.column_stack((rows + top - 1, columns + left - 1)), complete
