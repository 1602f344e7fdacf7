"""Which agents are near which: all pairs within a radius, found by sorting agents into cells.

Cells are squares as wide as the radius, so that partners lie in the nine cells around. They are
kept in a table of fixed size by a hash of their column and row, so that the cost does not depend
on how far agents are spread; agents of other cells met under the same hash are told apart.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError

FARTHEST = 1e15
"""Cells beyond are out of reach of exact integers; agents there have no neighbours."""


@kernel
def _bucket(column: int, row: int, mask: int) -> int:
    return (column * 73856093 ^ row * 19349663) & mask


@kernel
def _fill_cells(
    x: NDArray, y: NDArray, active: NDArray, width: float, columns: NDArray, rows: NDArray,
    start: NDArray, order: NDArray,
) -> None:  # fmt: skip
    """Sort agents by bucket, in order of index within each (counting sort)."""
    size = len(start) - 1
    for i in range(len(x)):
        columns[i] = rows[i] = 0
        if active[i]:
            columns[i] = math.floor(x[i] / width)
            rows[i] = math.floor(y[i] / width)
            start[_bucket(columns[i], rows[i], size - 1)] += 1
    total = 0
    for bucket in range(size):
        total += start[bucket]
        start[bucket] = total
    start[size] = total
    for i in range(len(x) - 1, -1, -1):
        if active[i]:
            bucket = _bucket(columns[i], rows[i], size - 1)
            start[bucket] -= 1
            order[start[bucket]] = i


@kernel
def _insert_sorted(pairs: NDArray, first: int, count: int, i: int, j: int) -> None:
    """Add the pair (i, j) behind ``first``, keeping j rising."""
    place = count
    while place > first and pairs[place - 1, 1] > j:
        pairs[place, 0] = i
        pairs[place, 1] = pairs[place - 1, 1]
        place -= 1
    pairs[place, 0] = i
    pairs[place, 1] = j


def _example() -> tuple:
    return np.zeros(2), np.zeros(2), np.ones(2, np.bool_), 1.0, np.empty((4, 2), np.int64)


@kernel(example=_example)
def find_pairs(x: NDArray, y: NDArray, active: NDArray, radius: float, pairs: NDArray) -> int:
    """Find the pairs within a radius into ``pairs``; return how many there are.

    Unchecked; the arrays are those of :func:`pairs_within`. If there are more pairs than rows,
    only some are written: call again with as many rows as were returned.
    """
    n = len(x)
    size = 16
    while size < 2 * n:
        size *= 2
    near = np.empty(n, np.bool_)
    for i in range(n):
        near[i] = active[i] and abs(x[i]) < FARTHEST * radius and abs(y[i]) < FARTHEST * radius
    columns = np.empty(n, np.int64)
    rows = np.empty(n, np.int64)
    start = np.zeros(size + 1, np.int64)
    order = np.empty(n, np.int64)
    _fill_cells(x, y, near, radius, columns, rows, start, order)
    count = 0
    for i in range(n):
        if not near[i]:
            continue
        first = count
        for place in range(9):
            column = columns[i] + place // 3 - 1
            row = rows[i] + place % 3 - 1
            bucket = _bucket(column, row, size - 1)
            for k in range(start[bucket], start[bucket + 1]):
                j = order[k]
                if j <= i or columns[j] != column or rows[j] != row:
                    continue
                if (x[j] - x[i]) ** 2 + (y[j] - y[i]) ** 2 <= radius * radius:
                    if count < len(pairs):
                        _insert_sorted(pairs, first, count, i, j)
                    count += 1
    return count


def pairs_within(
    positions: ArrayLike, radius: float, active: ArrayLike | None = None
) -> NDArray[np.int64]:
    """All pairs of agents whose distance is at most a radius.

    Parameters
    ----------
    positions : (N, 2) array_like
        m, world frame.
    radius : float
        m, positive.
    active : (N,) array_like of bool, optional
        Agents that count; all if left out.

    Returns
    -------
    (K, 2) ndarray of int
        Indices (i, j) with i < j, sorted by i and then by j.

    Raises
    ------
    InputError
        If positions are not finite or not (N, 2), or the radius is not positive.

    Examples
    --------
    >>> pairs_within([(0.0, 0.0), (3.0, 0.0), (0.0, 1.0)], 1.5).tolist()
    [[0, 2]]
    >>> pairs_within(np.empty((0, 2)), 1.0).shape
    (0, 2)
    """
    try:
        xy = np.asarray(positions, dtype=np.float64)
        mask = np.array(np.ones(len(xy)) if active is None else active, dtype=np.bool_)
    except (TypeError, ValueError) as error:
        raise InputError(f"positions or active cannot be read as arrays ({error}).") from error
    if xy.ndim != 2 or xy.shape[1] != 2 or not np.isfinite(xy).all():
        raise InputError(f"positions has shape {xy.shape}; give finite (N, 2) coordinates.")
    if not 0 < radius < math.inf:
        raise InputError(f"radius is {radius}; give a finite one above zero.")
    if mask.shape != (len(xy),):
        raise InputError(f"active has shape {mask.shape}; give one value per agent.")
    x, y = np.ascontiguousarray(xy[:, 0]), np.ascontiguousarray(xy[:, 1])
    pairs = np.empty((4 * len(xy) + 16, 2), np.int64)
    count = find_pairs(x, y, mask, float(radius), pairs)
    if count > len(pairs):
        pairs = np.empty((count, 2), np.int64)
        find_pairs(x, y, mask, float(radius), pairs)
    return pairs[:count].copy()
