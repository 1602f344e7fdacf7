"""What a cell sees of the rows around it, and the cells there at which a shortest path may turn.

A *cone* is what a root, a cell where a path turns, sees of one row between two rays. A ray is a
pair of whole numbers, so many rows on and so many columns aside from the root, so that no
comparison is ever rounded. The search that these kernels are the parts of is `headway.plan.anya`.

The names left and right are those of columns that count down and up; ahead is away from the root.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.any_angle import straight_distance
from headway.plan.open_list import offer

ROOT, SIDE, ROWS, LEFT_ROWS, LEFT, RIGHT_ROWS, RIGHT = range(7)
"""What a cone is made of: its root; whether it lies where rows count up (1) or down (-1) and how
many rows from the root; and its left and right ray, as rows on and columns aside from the root."""
MADE, SPARE, EXPANDED, FULL = range(4)
"""What is counted: cones made; the first of those that may be used again (-1: none); what was
expanded; and whether there was no room for a cone."""
FAR = 2**31
COST, KEY, VIA = range(3)
"""The first arrays of an `open_list`, in which cones are numbered after all cells."""


@kernel(allocates=False)
def _floor(dividend: int, divisor: int) -> int:
    """Round a quotient down; a divisor of 0 stands for a ray along the row."""
    return dividend // divisor if divisor > 0 else dividend * FAR


@kernel(allocates=False)
def _both_free(free: NDArray, a: int, b: int) -> bool:
    """Whether two cells are free; for unsigned indices Numba has no sign to look at first."""
    return free[np.uint64(a)] & free[np.uint64(b)] != 0


@kernel(allocates=False)
def _length(rows: int, aside: int) -> float:
    return math.sqrt(float(rows * rows + aside * aside))


@kernel(allocates=False)
def _reach(
    root: int, ahead: int, rows: int, aside: int, goal_rows: int, goal_aside: int, waiting: tuple
) -> None:
    """Note that a root sees a cell where a path may turn, if that is a shorter way there.

    ``ahead`` is how far it is from one row of cells to the next on this side, in cells.
    """
    cell = root + rows * ahead + aside
    cost = waiting[COST][root] + _length(rows, aside)
    if cost < waiting[COST][cell] * (1.0 - 1e-15):  # no news if only the rounding differs
        offer(cell, cost, _length(goal_rows - rows, goal_aside - aside), root, *waiting)


@kernel(allocates=False)
def _least_length(rows: int, left: float, right: float, goal_rows: int, goal_aside: int) -> float:
    """How far it is at least from a root through a stretch of a row and on to the goal.

    A goal on this side of the row is as far as its mirror image behind it. Rows and columns are
    relative to the root.
    """
    goal_rows = max(goal_rows, 2 * rows - goal_rows)
    x = min(max(float(goal_aside * rows) / goal_rows, left), right)
    on, aside = float(goal_rows - rows), goal_aside - x
    return math.sqrt(rows * rows + x * x) + math.sqrt(on * on + aside * aside)


@kernel(allocates=False)
def _add_cone(
    key: float, root: int, side: int, rows: int, left_rows: int, left: int, right_rows: int,
    right: int, cones: NDArray, tally: NDArray, waiting: tuple,
) -> None:  # fmt: skip
    cone = tally[SPARE]
    if cone >= 0:
        tally[SPARE] = cones[cone, ROOT]
    elif tally[MADE] < len(cones):
        cone = tally[MADE]
        tally[MADE] += 1
    else:
        tally[FULL] = 1
        return
    cones[cone, ROOT] = root
    cones[cone, SIDE] = side
    cones[cone, ROWS] = rows
    cones[cone, LEFT_ROWS] = left_rows
    cones[cone, LEFT] = left
    cones[cone, RIGHT_ROWS] = right_rows
    cones[cone, RIGHT] = right
    offer(len(waiting[COST]) - len(cones) + cone, key, 0.0, root, *waiting)


@kernel(allocates=False)
def _turn_at_gap(
    free: NDArray, ahead: int, a: int, b: int, starts: bool, ends: bool, goal_rows: int,
    goal_aside: int, root: int, rows: int, left_rows: int, left: int, right_rows: int, right: int,
    waiting: tuple,
) -> None:  # fmt: skip
    """Reach the corners of a gap, as seen on this side of it, where a path may turn inwards."""
    if rows == 0:  # a lane as wide as a cell: to its end, or to the next cell with a choice
        rows = 1
        cell = root + a + ahead
        while (goal_rows != rows or goal_aside != a) and (
            free[cell + ahead] and not (free[cell - 1] | free[cell + 1])
        ):
            cell += ahead
            rows += 1
        _reach(root, ahead, rows, a, goal_rows, goal_aside, waiting)
    elif starts and (a > 0 or a == b) and a * left_rows >= left * rows:
        _reach(root, ahead, rows, a, goal_rows, goal_aside, waiting)
    elif ends and b < 0 and b * right_rows <= right * rows:
        _reach(root, ahead, rows, b, goal_rows, goal_aside, waiting)


@kernel(allocates=False)
def _pass_gap(
    free: NDArray, ahead: int, a: int, b: int, goal: int, goal_rows: int, goal_aside: int,
    root: int, side: int, rows: int, left_rows: int, left: int, right_rows: int, right: int,
    cones: NDArray, tally: NDArray, waiting: tuple,
) -> None:  # fmt: skip
    """Look at the next row through free squares from column ``a`` to ``b`` (of the root)."""
    here = root + rows * ahead
    there = here + ahead
    starts = not _both_free(free, here + a - 1, there + a - 1)
    ends = not _both_free(free, here + b + 1, there + b + 1)
    if rows > 0 or a == b:
        _turn_at_gap(
            free, ahead, a, b, starts, ends, goal_rows, goal_aside, root, rows, left_rows, left,
            right_rows, right, waiting,
        )  # fmt: skip
        if a == b:
            return
    n = rows if a > 0 else rows + 1
    if a * left_rows > left * n:
        left_rows, left = n, a
    n = rows if b < 0 else rows + 1
    if b * right_rows < right * n:
        right_rows, right = n, b
    if left * right_rows > right * left_rows:
        return
    rows += 1
    if starts and a <= 0 and a * left_rows >= left * rows and free[there + a - 1]:
        _reach(root, ahead, rows, a, goal_rows, goal_aside, waiting)
    if ends and b >= 0 and b * right_rows <= right * rows and free[there + b + 1]:
        _reach(root, ahead, rows, b, goal_rows, goal_aside, waiting)
    if (
        goal_rows == rows
        and left * rows <= goal_aside * left_rows
        and goal_aside * right_rows <= right * rows
    ):
        _reach(root, ahead, rows, goal_aside, goal_rows, goal_aside, waiting)
    if left * right_rows < right * left_rows:
        x, end = float(left * rows) / left_rows, float(right * rows) / right_rows
        key = waiting[COST][root] + _least_length(rows, x, end, goal_rows, goal_aside)
        if key < waiting[COST][goal]:
            _add_cone(
                key, root, side, rows, left_rows, left, right_rows, right, cones, tally, waiting
            )


@kernel(allocates=False)
def expand(
    free: NDArray, stride: int, goal: int, cone: int, cones: NDArray, tally: NDArray,
    waiting: tuple,
) -> None:  # fmt: skip
    """Find the gaps between blocked squares through which a cone reaches the next row."""
    root, side, rows = cones[cone, ROOT], cones[cone, SIDE], cones[cone, ROWS]
    left_rows, left = cones[cone, LEFT_ROWS], cones[cone, LEFT]
    right_rows, right = cones[cone, RIGHT_ROWS], cones[cone, RIGHT]
    cones[cone, ROOT] = tally[SPARE]
    tally[SPARE] = cone
    goal_rows = side * (goal // stride - root // stride)
    goal_aside = goal % stride - root % stride
    ahead = side * stride
    here = root + rows * ahead
    there = here + ahead
    first = _floor(left * rows, left_rows)
    last = -_floor(-right * rows, right_rows)
    leftmost = min(first, _floor(left * (rows + 1), left_rows))
    rightmost = max(last, -_floor(-right * (rows + 1), right_rows))
    b = first
    while b <= last:
        if _both_free(free, here + b, there + b):
            a = b
            while a > leftmost and _both_free(free, here + a - 1, there + a - 1):
                a -= 1
            while b < rightmost and _both_free(free, here + b + 1, there + b + 1):
                b += 1
            if b * left_rows >= left * rows and a * right_rows <= right * rows:
                _pass_gap(
                    free, ahead, a, b, goal, goal_rows, goal_aside, root, side, rows, left_rows,
                    left, right_rows, right, cones, tally, waiting,
                )  # fmt: skip
        b += 1


@kernel(allocates=False)
def _walk(free: NDArray, stride: int, goal: int, root: int, step: int, waiting: tuple) -> None:
    """Go along the row of a root; a path may turn where the wall beside it has ended."""
    goal_rows, goal_aside = goal // stride - root // stride, goal % stride - root % stride
    cell = root + step
    while free[cell]:
        if (
            cell == goal
            or (free[cell + stride] and not free[cell + stride - step])
            or (free[cell - stride] and not free[cell - stride - step])
        ):
            _reach(root, stride, 0, cell - root, goal_rows, goal_aside, waiting)
        cell += step


@kernel(allocates=False)
def _is_square(free: NDArray, cell: int, ahead: int, step: int) -> bool:
    """Whether the square of the lattice between two directions from a free cell is free."""
    return _both_free(free, cell + step, cell + ahead) and free[cell + ahead + step] != 0


@kernel(allocates=False)
def look_out(
    free: NDArray, stride: int, goal: int, root: int, cones: NDArray, tally: NDArray,
    waiting: tuple,
) -> None:  # fmt: skip
    """Look from a root wherever a path from its parent would turn around a blocked square."""
    parent = waiting[VIA][root]
    key = waiting[COST][root] + straight_distance(root, goal, stride)
    aside = root % stride - parent % stride
    walk_left = walk_right = parent == root  # the start looks everywhere
    for side in (1, -1):
        ahead = side * stride
        rows = side * (root // stride - parent // stride)
        wall_left = not _is_square(free, root, ahead, -1)
        wall_right = not _is_square(free, root, ahead, 1)
        left_rows, left, right_rows, right = rows, aside, rows, aside
        turn_left = turn_right = parent == root
        if rows > 0:
            turn_left = aside <= 0 and not _is_square(free, root, -ahead, -1)
            turn_right = aside >= 0 and not _is_square(free, root, -ahead, 1)
            walk_left |= turn_left
            walk_right |= turn_right
        if turn_left or (rows == 0 and aside < 0 and wall_right):
            left_rows, left = 0, -1
        elif aside > 0 and rows >= 0 and wall_left:
            left_rows, left = 1, 0
        if turn_right or (rows == 0 and aside > 0 and wall_left):
            right_rows, right = 0, 1
        elif aside < 0 and rows >= 0 and wall_right:
            right_rows, right = 1, 0
        straight_on = rows > 0 and aside == 0 and wall_left and wall_right
        turns = left * right_rows < right * left_rows or straight_on or turn_left or turn_right
        if turns and free[root + ahead]:
            _add_cone(key, root, side, 0, left_rows, left, right_rows, right, cones, tally, waiting)
    if walk_left:
        _walk(free, stride, goal, root, -1, waiting)
    if walk_right:
        _walk(free, stride, goal, root, 1, waiting)
