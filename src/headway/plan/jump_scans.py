"""What jump point search looks at from one point: straight scans and diagonal walks over bits.

Scans along rows and columns read 64 cells at a time from the bit planes of the grid; a diagonal
is walked from the cell it starts at, and only what straight scans stop at on the way is a jump
point. Sources: D. Harabor and A. Grastien, "Online graph pruning for pathfinding on grid maps",
AAAI 2011, and "Improving jump point search", ICAPS 2014 (block-based scanning; pruning of diagonal
jump points; the forced neighbours where corners are never cut).

Words are indexed by unsigned numbers: signed ones would each be looked at first, for counting from
the end, which costs a third of the time of a scan.

A jump point is a row of four numbers: row and column, counting the border; the way it was reached;
and its cost. ``goal`` is row, column and the stride of the padded grid; ``planes`` holds the words
per row and per column, and the size of a plane of rows and of one of columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.bits import leading_zeros, trailing_zeros
from headway.plan.path import DIAGONAL, STRAIGHT
from headway.world.grid_bits import ALL, ONE

EAST, WEST, SOUTH, NORTH = 0, 1, 2, 3
UNREACHED = 2**62


@kernel(allocates=False)
def octile(row: int, column: int, goal_row: int, goal_column: int) -> int:
    """Cost of the way to a goal if nothing is in between."""
    high, wide = abs(goal_row - row), abs(goal_column - column)
    return STRAIGHT * max(high, wide) + (DIAGONAL - STRAIGHT) * min(high, wide)


@kernel(allocates=False)
def ahead(bits: NDArray, start: int, place: int) -> int:
    """Place of the first set bit after ``place`` in the line of words from ``start``."""
    word = place >> 6
    found = bits[np.uint64(start + word)] & ((ALL - ONE) << np.uint64(place & 63))
    while found == 0:
        word += 1
        found = bits[np.uint64(start + word)]
    return (word << 6) + trailing_zeros(found)


@kernel(allocates=False)
def behind(bits: NDArray, start: int, place: int) -> int:
    """Place of the last set bit before ``place`` in the line of words from ``start``."""
    word = place >> 6
    found = bits[np.uint64(start + word)] & ((ONE << np.uint64(place & 63)) - ONE)
    while found == 0:
        word -= 1
        found = bits[np.uint64(start + word)]
    return (word << 6) + 63 - leading_zeros(found)


@kernel(allocates=False)
def is_set(bits: NDArray, start: int, place: int) -> bool:
    """Whether one bit of the line of words from ``start`` is set."""
    return (bits[np.uint64(start + (place >> 6))] >> np.uint64(place & 63)) & ONE != 0


@kernel(allocates=False)
def _scan(
    bits: NDArray, blocked: int, stops: int, place: int, forward: bool, goal_place: int
) -> int:
    """Where a straight scan from ``place`` ends; -1 at a dead end.

    ``blocked`` and ``stops`` are the words at which the line begins in the two planes, and
    ``goal_place`` is where the goal lies on this line, -1 if it does not.
    """
    if forward:
        stop = ahead(bits, stops, place)
        if place < goal_place <= stop:
            return goal_place
    else:
        stop = behind(bits, stops, place)
        if stop <= goal_place < place:
            return goal_place
    return -1 if is_set(bits, blocked, stop) else stop


@kernel(allocates=False)
def _scan_row(
    bits: NDArray, planes: tuple, goal: tuple, row: int, column: int, way: int, g: int,
    found: NDArray, count: int,
) -> int:  # fmt: skip
    """Scan east or west from a cell; add the jump point found, and return their number."""
    line = row * planes[0]
    goal_place = goal[1] if row == goal[0] else -1
    stop = _scan(bits, line, line + planes[2] * (1 + way), column, way == EAST, goal_place)
    if stop < 0:
        return count
    found[count, 0], found[count, 1], found[count, 2] = row, stop, way
    found[count, 3] = g + STRAIGHT * abs(stop - column)
    return count + 1


@kernel(allocates=False)
def _scan_column(
    bits: NDArray, planes: tuple, goal: tuple, row: int, column: int, way: int, g: int,
    found: NDArray, count: int,
) -> int:  # fmt: skip
    """Scan south or north from a cell; add the jump point found, and return their number."""
    line = 3 * planes[2] + column * planes[1]
    goal_place = goal[0] if column == goal[1] else -1
    stop = _scan(bits, line, line + planes[3] * (way - 1), row, way == SOUTH, goal_place)
    if stop < 0:
        return count
    found[count, 0], found[count, 1], found[count, 2] = stop, column, way
    found[count, 3] = g + STRAIGHT * abs(stop - row)
    return count + 1


@kernel(allocates=False)
def _walk(
    bits: NDArray, planes: tuple, goal: tuple, row: int, column: int, down: int, right: int,
    g: int, best: int, found: NDArray, count: int,
) -> int:  # fmt: skip
    """Walk diagonally from a cell, scanning both ways that the diagonal is made of at each step."""
    across = EAST if right > 0 else WEST
    along = SOUTH if down > 0 else NORTH
    while True:
        here, there = row * planes[0], (row + down) * planes[0]
        if is_set(bits, here, column + right) or is_set(bits, there, column):
            return count
        if is_set(bits, there, column + right):
            return count
        row += down
        column += right
        g += DIAGONAL
        if g + octile(row, column, goal[0], goal[1]) >= best:
            return count
        if row == goal[0] and column == goal[1]:
            found[count, 0], found[count, 1], found[count, 2] = row, column, across
            found[count, 3] = g
            return count + 1
        count = _scan_row(bits, planes, goal, row, column, across, g, found, count)
        count = _scan_column(bits, planes, goal, row, column, along, g, found, count)


@kernel(allocates=False)
def successors(
    bits: NDArray, planes: tuple, goal: tuple, row: int, column: int, way: int, g: int,
    best: int, found: NDArray,
) -> int:  # fmt: skip
    """Find the jump points after one that was reached going ``way``; return their number."""
    forward = 1 if way in (EAST, SOUTH) else -1
    if way in (EAST, WEST):
        count = _scan_row(bits, planes, goal, row, column, way, g, found, 0)
        for side in (-1, 1):
            line = (row + side) * planes[0]
            if is_set(bits, line, column - forward) and not is_set(bits, line, column):
                turn = SOUTH if side > 0 else NORTH
                count = _scan_column(bits, planes, goal, row, column, turn, g, found, count)
                count = _walk(bits, planes, goal, row, column, side, forward, g, best, found, count)
        return count
    count = _scan_column(bits, planes, goal, row, column, way, g, found, 0)
    for side in (-1, 1):
        line = 3 * planes[2] + (column + side) * planes[1]
        if is_set(bits, line, row - forward) and not is_set(bits, line, row):
            turn = EAST if side > 0 else WEST
            count = _scan_row(bits, planes, goal, row, column, turn, g, found, count)
            count = _walk(bits, planes, goal, row, column, forward, side, g, best, found, count)
    return count


@kernel(allocates=False)
def all_around(
    bits: NDArray, planes: tuple, goal: tuple, row: int, column: int, found: NDArray
) -> int:
    """Find the first jump points, in all eight directions from the start; return their number."""
    count = 0
    for forward in (1, -1):
        way = EAST if forward > 0 else WEST
        count = _scan_row(bits, planes, goal, row, column, way, 0, found, count)
        count = _scan_column(bits, planes, goal, row, column, way + SOUTH, 0, found, count)
        for side in (1, -1):
            count = _walk(
                bits, planes, goal, row, column, side, forward, 0, UNREACHED, found, count
            )
    return count
