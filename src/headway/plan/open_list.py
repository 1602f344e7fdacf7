"""The open list of a best-first search whose costs are real numbers: a heap that knows its places.

Each node is in the heap at most once; when a cheaper way to it is found it moves up. The heap has
four children to a node, which are next to each other in memory and so cost one miss (LaMarca and
Ladner, "The influence of caches on the performance of heaps", ACM JEA 1996). The nodes that a
search touched are listed, so that clearing up costs no more than the search did.

It is another heap than `headway.plan.key_heap`: here keys only ever fall and nodes leave only from
the top, so that neither rising keys nor removal from the middle are provided for, and the heap may
keep the costs of the search too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel

WAITING, TOUCHED = 0, 1
"""Columns of ``counts``: how many nodes are in the heap, and in the list of touched ones."""


def open_list(size: int) -> tuple[NDArray[Any], ...]:
    """Make the arrays of an empty open list.

    Parameters
    ----------
    size : int
        How many nodes there are.

    Returns
    -------
    tuple of ndarrays
        What all functions here take: ``cost`` (size,), infinite for nodes not reached;
        ``via`` (size,) int64, how a node was reached; ``heap`` (size,) int32 and ``key`` (size,),
        the nodes waiting and what they are ordered by; ``place`` (size,) int32, where in the heap
        a node is; ``touched`` (size,) int32; ``counts`` (2,) int64.

    Examples
    --------
    >>> [len(array) for array in open_list(5)]
    [5, 5, 5, 5, 5, 5, 2]
    """
    return (
        np.full(size, np.inf), np.empty(size), np.empty(size, np.int64),
        np.empty(size, np.int32), np.full(size, -1, np.int32), np.empty(size, np.int32),
        np.zeros(2, np.int64),
    )  # fmt: skip


@kernel(allocates=False, forceinline=True)
def _move(key: NDArray, heap: NDArray, place: NDArray, slot: int, other: int) -> None:
    """Move the node in another slot to an empty one."""
    node = heap[np.uint64(other)]
    key[np.uint64(slot)] = key[np.uint64(other)]
    heap[np.uint64(slot)] = node
    place[np.uint64(node)] = slot


@kernel(allocates=False, forceinline=True)
def _fill(key: NDArray, heap: NDArray, place: NDArray, slot: int, node: int, rank: float) -> None:
    """Put a node into an empty slot."""
    key[np.uint64(slot)] = rank
    heap[np.uint64(slot)] = node
    place[np.uint64(node)] = slot


@kernel(allocates=False)
def offer(
    node: int, price: float, estimate: float, origin: int, cost: NDArray, key: NDArray,
    via: NDArray, heap: NDArray, place: NDArray, touched: NDArray, counts: NDArray,
) -> None:  # fmt: skip
    """Note a way to a node that is cheaper than any before.

    Parameters
    ----------
    node : int
    price : float
        What the way costs, less than ``cost[node]``.
    estimate : float
        What the rest of the way to the goal costs at least.
    origin : int
        What to write into ``via``.
    cost, key, via, heap, place, touched : (N,) ndarray
    counts : (2,) ndarray
        See `open_list`.
    """
    at = np.uint64(node)
    slot = int(np.int64(place[at]))
    if slot < 0:
        if cost[at] == np.inf:
            touched[np.uint64(counts[TOUCHED])] = node
            counts[TOUCHED] += 1
        slot = counts[WAITING]
        counts[WAITING] += 1
    cost[at] = price
    via[at] = origin
    rank = price + estimate
    while slot > 0:
        above = (slot - 1) >> 2
        if key[np.uint64(above)] <= rank:
            break
        _move(key, heap, place, slot, above)
        slot = above
    _fill(key, heap, place, slot, node, rank)


@kernel(allocates=False)
def take(key: NDArray, heap: NDArray, place: NDArray, counts: NDArray) -> int:
    """Remove the node with the least key from a heap that is not empty, and return it.

    Parameters
    ----------
    key, heap, place : (N,) ndarray
    counts : (2,) ndarray
        See `open_list`.
    """
    top = int(np.int64(heap[0]))  # int alone keeps 32 bits
    place[np.uint64(top)] = -1
    counts[WAITING] -= 1
    size = counts[WAITING]
    if size == 0:
        return top
    node, rank = int(np.int64(heap[np.uint64(size)])), key[np.uint64(size)]
    slot = 0
    while 4 * slot + 1 < size:
        child = 4 * slot + 1
        least = key[np.uint64(child)]
        for other in range(child + 1, min(child + 4, size)):
            if key[np.uint64(other)] < least:
                child, least = other, key[np.uint64(other)]
        if rank <= least:
            break
        _move(key, heap, place, slot, child)
        slot = child
    _fill(key, heap, place, slot, node, rank)
    return top


@kernel(allocates=False, example=lambda: open_list(1))
def clear(
    cost: NDArray, key: NDArray, via: NDArray, heap: NDArray, place: NDArray, touched: NDArray,
    counts: NDArray,
) -> None:  # fmt: skip
    """Empty an open list after a search.

    Parameters
    ----------
    cost, key, via, heap, place, touched : (N,) ndarray
    counts : (2,) ndarray
        See `open_list`.
    """
    for i in range(counts[TOUCHED]):
        cost[touched[i]] = np.inf
        place[touched[i]] = -1
    counts[:] = 0
