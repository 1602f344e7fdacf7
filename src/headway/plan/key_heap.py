"""A priority queue of cells whose keys may rise and fall while they wait: a heap that knows places.

Four children a node, kept in flat arrays: ``keys[i]`` and ``cells[i]`` are entry i, and
``place[cell]`` is where a cell waits, -1 if it does not. So no cell waits twice and no entry is
ever out of date. Of equal keys the one that came last goes first, which lets a search run straight
at its aim over open ground instead of widening into all cells that are as good.
"""

from __future__ import annotations

from numpy.typing import NDArray

from headway._jit import kernel


@kernel(allocates=False)
def _rise(keys: NDArray, cells: NDArray, place: NDArray, i: int, cell: int, key: int) -> None:
    """Let an entry rise from the empty place i to where it belongs."""
    while i > 0:
        above = (i - 1) >> 2
        if keys[above] < key:
            break
        keys[i] = keys[above]
        cells[i] = cells[above]
        place[cells[i]] = i
        i = above
    keys[i] = key
    cells[i] = cell
    place[cell] = i


@kernel(allocates=False)
def _sink(
    keys: NDArray, cells: NDArray, place: NDArray, size: int, i: int, cell: int, key: int
) -> None:
    """Let an entry sink from the empty place i to where it belongs."""
    while True:
        first = 4 * i + 1
        if first >= size:
            break
        least = first
        for child in range(first + 1, min(first + 4, size)):
            if keys[child] < keys[least]:
                least = child
        if keys[least] >= key:
            break
        keys[i] = keys[least]
        cells[i] = cells[least]
        place[cells[i]] = i
        i = least
    keys[i] = key
    cells[i] = cell
    place[cell] = i


@kernel(allocates=False)
def put(keys: NDArray, cells: NDArray, place: NDArray, size: int, cell: int, key: int) -> int:
    """Let a cell wait with a key, or change the key of one that waits; return the new size."""
    i = place[cell]
    if i < 0:
        _rise(keys, cells, place, size, cell, key)
        return size + 1
    if key < keys[i]:
        _rise(keys, cells, place, i, cell, key)
    elif key > keys[i]:
        _sink(keys, cells, place, size, i, cell, key)
    return size


@kernel(allocates=False)
def take(keys: NDArray, cells: NDArray, place: NDArray, size: int, cell: int) -> int:
    """Remove a cell if it waits; return the new size."""
    i = place[cell]
    if i < 0:
        return size
    place[cell] = -1
    size -= 1
    if i == size:
        return size
    if keys[size] < keys[i]:
        _rise(keys, cells, place, i, int(cells[size]), keys[size])
    else:
        _sink(keys, cells, place, size, i, int(cells[size]), keys[size])
    return size
