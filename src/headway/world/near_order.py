"""An order of places in which those that follow each other are near each other.

Queries of a large surface answered in such an order find what they need in the cache, left there by
the query before. Places are sorted by cells along a Morton curve, which visits all eight parts of a
cube before it leaves it.

References
----------
Morton, G. M. (1966). A computer oriented geodetic data base and a new technique in file sequencing.
IBM.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import Vector, vector

FEW = 128
"""So many places are left as they are."""
MOST_BITS = 6
"""Of the number of a cell along one axis."""
PER_CELL = 4
"""Places in a cell, on average, at least."""
LARGEST = 1e15
"""m. Places beyond, and those that are not finite, go with the first cell."""


@kernel(example=lambda: (np.zeros(3), 3, np.empty(1, np.int64)))
def near_order(flat: NDArray, d: int, order: NDArray) -> None:
    """Sort places, by index within each cell.

    Parameters
    ----------
    flat : (N*d,) ndarray
        m: places, whatever they are.
    d : int
        2 or 3.
    order : (N,) ndarray of int64
        Out: their indices.
    """
    n = len(order)
    for i in range(n):
        order[np.uint64(i)] = i
    if n <= FEW:
        return
    bits = 1
    while bits < MOST_BITS and PER_CELL << 3 * (bits + 1) <= n:
        bits += 1
    low, scale = _cells(flat, d, n, 1 << bits)
    spread = _spread(1 << bits)
    cell, begin = np.empty(n, np.int64), np.zeros((1 << 3 * bits) + 1, np.int64)
    for i in range(n):
        place = vector(flat, i, d)
        key = 0
        if _inside(place):
            for k in range(3):
                along = min(int((place[k] - low[k]) * scale[k]), (1 << bits) - 1)
                key |= spread[np.uint64(along)] << k
        cell[np.uint64(i)] = key
        begin[np.uint64(key + 1)] += 1
    for c in range(1 << 3 * bits):
        begin[np.uint64(c + 1)] += begin[np.uint64(c)]
    for i in range(n):
        c = np.uint64(cell[np.uint64(i)])
        order[np.uint64(begin[c])] = i
        begin[c] += 1


@kernel(forceinline=True)
def _inside(v: Vector) -> bool:
    return abs(v[0]) <= LARGEST and abs(v[1]) <= LARGEST and abs(v[2]) <= LARGEST


@kernel
def _cells(flat: NDArray, d: int, n: int, side: int) -> tuple[Vector, Vector]:
    """The lowest corner of all places, and cells for each metre."""
    low, high = np.full(3, LARGEST), np.full(3, -LARGEST)
    for i in range(n):
        place = vector(flat, i, d)
        if _inside(place):
            for k in range(3):
                low[k], high[k] = min(low[k], place[k]), max(high[k], place[k])
    scale = np.zeros(3)
    for k in range(3):
        if high[k] > low[k]:
            scale[k] = min(side / (high[k] - low[k]), 1e300)
    return (low[0], low[1], low[2]), (scale[0], scale[1], scale[2])


@kernel
def _spread(side: int) -> NDArray:
    """Numbers whose binary digits are three apart."""
    spread = np.zeros(side, np.int64)
    for i in range(1, side):
        spread[i] = (spread[i >> 1] << 3) | (i & 1)
    return spread
