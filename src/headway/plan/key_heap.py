"""A priority queue of cells whose keys may rise and fall while they wait: a heap that knows places.

Four children a node, kept in flat arrays: ``keys[i]`` and ``cells[i]`` are entry i, and
``place[cell]`` is where a cell waits, -1 if it does not. So no cell waits twice and no entry is
ever out of date. Of equal keys the one that came last goes first, which lets a search run straight
at its aim over open ground instead of widening into all cells that are as good.

It is another heap than `headway.plan.open_list`, whose keys are real numbers that only ever fall,
and which keeps the costs of a search too: a repair also needs keys to rise and cells to be taken
from the middle, its keys must be compared exactly, and its costs are kept elsewhere, in pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel


@kernel(allocates=False, forceinline=True)
def _move(keys: NDArray, cells: NDArray, place: NDArray, i: int, j: int) -> None:
    """Move entry j to the empty place i."""
    cell = cells[np.uint64(j)]
    keys[np.uint64(i)] = keys[np.uint64(j)]
    cells[np.uint64(i)] = cell
    place[np.uint64(cell)] = i


@kernel(allocates=False, forceinline=True)
def _fill(keys: NDArray, cells: NDArray, place: NDArray, i: int, cell: int, key: int) -> None:
    """Write an entry to the empty place i."""
    keys[np.uint64(i)] = key
    cells[np.uint64(i)] = cell
    place[np.uint64(cell)] = i


@kernel(allocates=False)
def _rise(keys: NDArray, cells: NDArray, place: NDArray, i: int, cell: int, key: int) -> None:
    """Let an entry rise from the empty place i to where it belongs."""
    while i > 0:
        above = (i - 1) >> 2
        if keys[np.uint64(above)] < key:
            break
        _move(keys, cells, place, i, above)
        i = above
    _fill(keys, cells, place, i, cell, key)


@kernel(allocates=False)
def _sink(
    keys: NDArray, cells: NDArray, place: NDArray, size: int, i: int, cell: int, key: int
) -> None:
    """Let an entry sink from the empty place i to where it belongs."""
    while True:
        first = 4 * i + 1
        if first >= size:
            break
        least, lowest = first, keys[np.uint64(first)]
        for child in range(first + 1, min(first + 4, size)):
            if keys[np.uint64(child)] < lowest:
                least, lowest = child, keys[np.uint64(child)]
        if lowest >= key:
            break
        _move(keys, cells, place, i, least)
        i = least
    _fill(keys, cells, place, i, cell, key)


@kernel(allocates=False)
def put(keys: NDArray, cells: NDArray, place: NDArray, size: int, cell: int, key: int) -> int:
    """Let a cell wait with a key, or change the key of one that waits; return the new size."""
    i = int(np.int64(place[np.uint64(cell)]))
    if i < 0:
        _rise(keys, cells, place, size, cell, key)
        return size + 1
    if key < keys[np.uint64(i)]:
        _rise(keys, cells, place, i, cell, key)
    elif key > keys[np.uint64(i)]:
        _sink(keys, cells, place, size, i, cell, key)
    return size


@kernel(allocates=False)
def take(keys: NDArray, cells: NDArray, place: NDArray, size: int, cell: int) -> int:
    """Remove a cell if it waits; return the new size."""
    i = int(np.int64(place[np.uint64(cell)]))
    if i < 0:
        return size
    place[np.uint64(cell)] = -1
    size -= 1
    if i == size:
        return size
    last, key = int(np.int64(cells[np.uint64(size)])), keys[np.uint64(size)]
    if key < keys[np.uint64(i)]:
        _rise(keys, cells, place, i, last, key)
    else:
        _sink(keys, cells, place, size, i, last, key)
    return size
