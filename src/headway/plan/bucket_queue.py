"""A priority queue of cells for searches: a circle of buckets, each a pile.

A cell belongs to the bucket of its cost in units of the bucket's width, and buckets are served in
turn. Within one the last to come is the first to go, so cells do not come out in exact order: a
search must look again from a cell whose cost falls, and stop only when no bucket can do better. In
return nothing is ever compared or moved. There are more buckets than a step can raise the
cost by, so that those in use never meet.

Piles are made of chunks of 16 numbers, so that neighbours on a pile are neighbours in memory. The
first number of a chunk tells where the pile goes on below it or, if it is in no pile, which chunk
is in none either. The place 0 stands for nothing.

Source: R. Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications
of the ACM 12(11), 1969.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.bits import trailing_zeros

CHUNK = 16
USED, SPARE = 0, 1
"""The first two numbers kept with a queue: where no chunk has ever been, and a chunk in no pile."""
NONE = -1
ONE, SIX, LOW = np.uint64(1), np.uint64(6), np.uint64(63)


@kernel
def empty(tops: NDArray, waiting: NDArray, numbers: NDArray) -> None:
    """Forget all that waits."""
    tops.fill(0)
    waiting.fill(0)
    numbers[USED] = CHUNK
    numbers[SPARE] = 0


@kernel(allocates=False, forceinline=True)
def put(
    queue: NDArray, tops: NDArray, waiting: NDArray, numbers: NDArray, bucket: int, cell: int
) -> None:
    """Lay a cell on the pile of a bucket; ``queue`` must have room for a new chunk.

    ``tops`` holds the place above each pile, 0 if it is empty, and ``waiting`` a bit for each that
    is not. There are as many as ``tops`` has places: a power of two, 64 or more.
    """
    pile = np.uint64(bucket & (len(tops) - 1))
    top = tops[pile]
    if top & (CHUNK - 1) == 0:
        if top == 0:
            waiting[pile >> SIX] |= ONE << (pile & LOW)
        chunk = numbers[SPARE]
        if chunk:
            numbers[SPARE] = queue[np.uint64(chunk)]
        else:
            chunk = numbers[USED]
            numbers[USED] += CHUNK
        queue[np.uint64(chunk)] = top
        top = chunk + 1
    queue[np.uint64(top)] = cell
    tops[pile] = top + 1


@kernel(allocates=False, forceinline=True)
def take(queue: NDArray, tops: NDArray, waiting: NDArray, numbers: NDArray, bucket: int) -> int:
    """Take the top cell off the pile of a bucket, which is not empty."""
    pile = np.uint64(bucket & (len(tops) - 1))
    place: int = tops[pile] - 1
    cell = queue[np.uint64(place)]
    if place & (CHUNK - 1) == 1:
        chunk = place - 1
        place = queue[np.uint64(chunk)]
        queue[np.uint64(chunk)] = numbers[SPARE]
        numbers[SPARE] = chunk
        if place == 0:
            waiting[pile >> SIX] &= ~(ONE << (pile & LOW))
    tops[pile] = place
    return cell


@kernel(allocates=False, forceinline=True)
def coming(queue: NDArray, tops: NDArray, bucket: int) -> int:
    """The cell on top of the pile of a bucket, or any number if there is none."""
    return queue[np.uint64(max(tops[np.uint64(bucket & (len(tops) - 1))] - 1, 0))]


@kernel(allocates=False, forceinline=True)
def first_bucket(waiting: NDArray, bucket: int) -> int:
    """The first bucket from one on in which anything waits; `NONE` if nothing does."""
    word = (bucket >> 6) & (len(waiting) - 1)
    here = waiting[word] >> np.uint64(bucket & 63)
    if here:
        return bucket + trailing_zeros(here)
    for _ in range(len(waiting)):
        bucket = (bucket | 63) + 1
        word = (word + 1) & (len(waiting) - 1)
        if waiting[word]:
            return bucket + trailing_zeros(waiting[word])
    return NONE
