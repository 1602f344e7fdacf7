"""The search behind weighted A* and fields over terrain: costs that spread from cell to cell."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.bits import trailing_zeros
from headway.plan.bucket_queue import CHUNK, NONE, USED, coming, empty, first_bucket, put, take
from headway.plan.budget import NO_LIMIT
from headway.plan.moves import DIAGONALS, NOWHERE, WAITING, step, way_to
from headway.plan.path import SQRT2
from headway.plan.prefetch import prefetch_around
from headway.plan.terrain_steps import cheaper, worth_taking
from headway.plan.terrain_window import (
    BEYOND,
    BUCKETS,
    FAR,
    NO_ROOM,
    estimate,
    leave_window,
    next_window,
)
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

OUT_OF_BUDGET = -2.0
"""What `_spread` may return instead of a cost, like `NO_ROOM`."""
EXPANDED, TOUCHED = 2, 3
"""Places in the numbers kept with the work arrays; the rest belong to the queue."""
LOOKED = 64
"""Added to the direction of a cell that was looked from."""
FINENESS = 1.0
"""How many buckets the cheapest straight step spans: with more, most of them are empty."""
ROOM = 8 * CHUNK
"""How much of the queue the neighbours of a cell may take up."""
NO_DIAGONAL = int(CornerRule.NO_DIAGONAL)


class Scratch(NamedTuple):
    """The work arrays of `_spread`, in the order of its arguments."""

    reached: NDArray[np.float64]
    """Cost of each cell, infinite unless touched."""
    came: NDArray[np.uint8]
    """The direction of the step to each cell."""
    touched: NDArray[np.int32]
    """The cells that were given a cost, so that only those need be cleared."""
    far: NDArray[np.int64]
    """The cells beyond the window, each once."""
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
    >>> len(make_scratch(Grid([[1, 1]])).reached)
    12
    """
    cells = len(grid.padded_free)
    return Scratch(
        np.full(cells, math.inf),
        np.zeros(cells, np.uint8),
        np.empty(cells + 1, np.int32),
        np.empty(cells, np.int64),
        np.empty(2 * cells + 2 * ROOM, np.int64),
        np.zeros(BUCKETS, np.int64),
        np.zeros(BUCKETS // 64, np.uint64),
        np.zeros(5, np.int64),
    )


def search(
    grid: Grid, scratch: Scratch, rule: int, leaving: float, diagonal: float,
    starts: NDArray[np.int64], goal: int, most: float, budget: int,
) -> tuple[float, Scratch]:  # fmt: skip
    """Give cells their cost from the nearest start, until that of the goal is known.

    Parameters
    ----------
    grid : Grid
    scratch : Scratch
        Cleared.
    rule : int
        Which diagonal steps are allowed, a `CornerRule`.
    leaving : float
        What part of a step is charged at the cost of the cell it leaves; the rest, of the next.
    diagonal : float
        Length of a diagonal step, in cells, from 1 to 2.
    starts : (K,) ndarray of int64
        Indices in the padded arrays.
    goal : int
        Another such index; 0 to give all cells their cost.
    most : float
        Costs from here on don't count.
    budget : int
        From how many cells to look at most.

    Returns
    -------
    float
        The cost of the goal; ``most`` if it was not reached, or `OUT_OF_BUDGET`.
    Scratch
        What was found out, until it is cleared, perhaps with a longer queue.
    """
    price = grid.padded_cost if grid.weighted else np.ones(len(grid.padded_free))
    least = grid.min_cost if goal else 0.0
    bend = 1.0 if rule == NO_DIAGONAL else diagonal - 1.0
    world = grid.padded_free, price, grid.stride
    terms = rule, leaving, diagonal, least, bend, FINENESS / grid.min_cost
    while True:
        cost = _spread(*world, *terms, *scratch, starts, goal, most, budget)
        if cost != NO_ROOM:
            return cost, scratch
        clear(scratch)
        scratch = scratch._replace(queue=np.empty(2 * len(scratch.queue) + ROOM, np.int64))


def clear(scratch: Scratch) -> None:
    """Make all cells unreached again.

    Parameters
    ----------
    scratch : Scratch
    """
    count = int(scratch.numbers[TOUCHED])
    _clear(scratch.reached, scratch.came, scratch.touched, count)


@kernel(
    example=lambda: (np.zeros(2), np.zeros(2, np.uint8), np.zeros(2, np.int32), 1), allocates=False
)
def _clear(reached: NDArray, came: NDArray, touched: NDArray, count: int) -> None:
    for i in range(count):
        reached[touched[i]] = math.inf
        came[touched[i]] = 0


@kernel(allocates=False, forceinline=True)
def _look_from(
    free: NDArray, price: NDArray, stride: int, rule: int, leaving: float, diagonal: float,
    least: float, bend: float, per_cost: float, reached: NDArray, came: NDArray, touched: NDArray,
    far: NDArray, queue: NDArray, tops: NDArray, waiting: NDArray, numbers: NDArray, goal: int,
    goal_row: int, goal_column: int, base: float, bucket: int, best: float, cell: int,
) -> float:  # fmt: skip
    """Give the neighbours of a cell their cost; returns that of the goal, as far as known."""
    row, column = cell // stride, cell % stride
    here = np.uint64(cell)
    entering, leave, g = 1.0 - leaving, leaving * price[here], reached[here]
    count = numbers[TOUCHED]
    left = worth_taking(free, price, stride, rule, diagonal, cell, way_to(came, cell))
    left &= cheaper(reached, price, stride, cell, leave, entering, diagonal)
    while left:
        way = trailing_zeros(np.uint64(left))
        left &= left - 1
        down, right = step(way)
        near = cell + down * stride + right
        there = np.uint64(near)
        straight = leave + entering * price[there]
        cost = g + (straight if way < DIAGONALS else diagonal * straight)
        total = cost + estimate(goal_row - row - down, goal_column - column - right, least, bend)
        if total >= best:
            continue
        touched[np.uint64(count)] = near
        count += reached[there] == math.inf
        reached[there] = cost
        marks = came[there] & (BEYOND | LOOKED)
        came[there] = way | WAITING | marks
        place = (total - base) * per_cost
        if near == goal:
            best = total
        elif place < BUCKETS:
            put(queue, tops, waiting, numbers, max(bucket, int(place)), near)
        elif not marks & BEYOND:
            came[there] |= BEYOND
            far[numbers[FAR]] = near
            numbers[FAR] += 1
    numbers[TOUCHED] = count
    return best


@kernel(allocates=False)
def _begin(
    reached: NDArray, came: NDArray, touched: NDArray, far: NDArray, tops: NDArray,
    waiting: NDArray, numbers: NDArray, starts: NDArray,
) -> None:  # fmt: skip
    """List the starts as beyond a window that is empty."""
    empty(tops, waiting, numbers)
    count = 0
    for start in starts:
        if reached[start] > 0.0:
            reached[start] = 0.0
            came[start] = NOWHERE | WAITING | BEYOND
            touched[count] = far[count] = start
            count += 1
    numbers[FAR], numbers[EXPANDED], numbers[TOUCHED] = count, 0, count


def _example() -> tuple[Any, ...]:
    grid = Grid(np.ones((3, 3)), np.ones((3, 3)))
    world = grid.padded_free, grid.padded_cost, grid.stride
    terms = 0, 0.5, SQRT2, 1.0, SQRT2 - 1.0, FINENESS
    return (*world, *terms, *make_scratch(grid), np.array([6]), 18, math.inf, NO_LIMIT)


@kernel(example=_example, allocates=False)
def _spread(
    free: NDArray, price: NDArray, stride: int, rule: int, leaving: float, diagonal: float,
    least: float, bend: float, fine: float, reached: NDArray, came: NDArray, touched: NDArray,
    far: NDArray, queue: NDArray, tops: NDArray, waiting: NDArray, numbers: NDArray,
    starts: NDArray, goal: int, most: float, budget: int,
) -> float:  # fmt: skip
    """Give cells their cost; `search` says how.

    No cell costs less than ``least``; 0 looks in all directions alike. ``bend`` is what a cell to
    the side adds to the distance to the goal, and there are ``fine`` buckets to a cost of 1.
    """
    _begin(reached, came, touched, far, tops, waiting, numbers, starts)
    goal_row, goal_column = goal // stride, goal % stride
    best, bucket, base, per_cost, again = most, 0, 0.0, fine, 0
    while True:
        often = 256 + numbers[TOUCHED] // 16
        if again > often:  # so much is looked from again that buckets must be too wide
            leave_window(came, far, queue, tops, waiting, numbers)
            per_cost, again = 16.0 * per_cost, 0
        bucket = first_bucket(waiting, bucket)
        if bucket == NONE:
            base, per_cost = next_window(
                reached, came, far, queue, tops, waiting, numbers, stride, goal, least, bend,
                min(fine, 64.0 * per_cost),
            )  # fmt: skip
            bucket = 0
            if base == NO_ROOM:
                return NO_ROOM
        if base == math.inf or bucket > (best - base) * per_cost + 1.0:
            return best
        while tops[bucket] and again <= often:
            cell = take(queue, tops, waiting, numbers, bucket)
            ahead, here = coming(queue, tops, bucket), np.uint64(cell)
            prefetch_around(reached, stride, ahead)
            prefetch_around(price, stride, ahead)
            if not came[here] & WAITING:  # looked from already
                continue
            if numbers[EXPANDED] == budget:
                return OUT_OF_BUDGET
            if numbers[USED] > len(queue) - ROOM:
                return NO_ROOM
            numbers[EXPANDED] += 1
            again += came[here] & LOOKED != 0
            came[here] = came[here] ^ WAITING | LOOKED
            best = _look_from(
                free, price, stride, rule, leaving, diagonal, least, bend, per_cost, reached, came,
                touched, far, queue, tops, waiting, numbers, goal, goal_row, goal_column, base,
                bucket, best, cell,
            )  # fmt: skip
