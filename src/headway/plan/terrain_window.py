"""The queue of searches over terrain: a window of buckets that moves along.

What lies beyond the end of the window is kept apart until the window is used up, and the next one
begins with the cheapest of that. It is as fine as the cheapest step asks for, unless next to
nothing would lie in it: terrain costs may be any factors apart, and still few cells share a bucket.
"""

from __future__ import annotations

import math

from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.bucket_queue import CHUNK, put, take
from headway.plan.moves import WAITING

NO_ROOM = -1.0
FAR = 4
"""Place in the numbers kept with a search of how many cells are listed as beyond the window."""
BEYOND = 32
"""Added to the direction of a cell that is listed so."""
BUCKETS = 4096
FEW = 16
"""How many cells a window should at least begin with."""


@kernel(allocates=False, forceinline=True)
def estimate(down: int, right: int, least: float, bend: float) -> float:
    """Cost of the way to the goal if nothing is in between and nothing is dearer than the least."""
    down, right = abs(down), abs(right)
    return least * (max(down, right) + bend * min(down, right))


@kernel(allocates=False)
def total_through(
    reached: NDArray, stride: int, cell: int, goal: int, least: float, bend: float
) -> float:  # fmt: skip
    """Cost of the best path through a cell, as far as known."""
    down, right = goal // stride - cell // stride, goal % stride - cell % stride
    return reached[cell] + estimate(down, right, least, bend)


@kernel(allocates=False)
def next_window(
    reached: NDArray, came: NDArray, far: NDArray, queue: NDArray, tops: NDArray, waiting: NDArray,
    numbers: NDArray, stride: int, goal: int, least: float, bend: float, per_cost: float,
) -> tuple[float, float]:  # fmt: skip
    """Move on to the cheapest cells beyond the window, which is empty and may become wider.

    Returns where the new one begins, infinite if nothing is left, and its buckets for a cost of 1.
    """
    count, base = 0, math.inf
    for i in range(numbers[FAR]):
        cell = far[i]
        if came[cell] & WAITING:
            far[count] = cell
            count += 1
            base = min(base, total_through(reached, stride, cell, goal, least, bend))
        else:  # looked from since, at a lower cost
            came[cell] ^= BEYOND
    few = min(count, FEW + count // 1024)
    inside = 0
    while inside < few:
        inside = 0
        for i in range(count):
            total = total_through(reached, stride, far[i], goal, least, bend)
            inside += (total - base) * per_cost < BUCKETS
        if inside < few:
            per_cost /= 4.0
    if CHUNK * (min(inside, BUCKETS) + inside // (CHUNK - 1) + 2) > len(queue):
        return NO_ROOM, per_cost
    numbers[FAR] = 0
    for i in range(count):
        cell = far[i]
        place = (total_through(reached, stride, cell, goal, least, bend) - base) * per_cost
        if place < BUCKETS:
            came[cell] ^= BEYOND
            put(queue, tops, waiting, numbers, int(place), cell)
        else:
            far[numbers[FAR]] = cell
            numbers[FAR] += 1
    return base, per_cost


@kernel(allocates=False)
def leave_window(
    came: NDArray, far: NDArray, queue: NDArray, tops: NDArray, waiting: NDArray, numbers: NDArray
) -> None:
    """Count all that waits in the window as beyond it."""
    for bucket in range(BUCKETS):
        while tops[bucket]:
            cell = take(queue, tops, waiting, numbers, bucket)
            if came[cell] & WAITING and not came[cell] & BEYOND:
                came[cell] |= BEYOND
                far[numbers[FAR]] = cell
                numbers[FAR] += 1
