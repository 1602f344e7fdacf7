"""What paths on a grid must cost, worked out apart from Headway, for its tests to compare with."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra


@numba.njit
def may_step(free: NDArray, rule: int, r: int, c: int, down: int, right: int) -> bool:
    """Whether an agent on a free cell may step; rule as in CornerRule."""
    rows, columns = free.shape
    if not (0 <= r + down < rows and 0 <= c + right < columns):
        return False
    if not free[r + down, c + right]:
        return False
    if down == 0 or right == 0:
        return True
    if rule == 0:
        return free[r + down, c] and free[r, c + right]
    if rule == 1:
        return free[r + down, c] or free[r, c + right]
    return rule == 2


@numba.njit
def costs_from(free: NDArray, cost: NDArray, rule: int, row: int, column: int) -> NDArray:
    """Cost from a free cell to all cells (R, C), by correcting labels until nothing changes."""
    rows, columns = free.shape
    result = np.full((rows, columns), np.inf)
    result[row, column] = 0.0
    waiting = np.zeros((rows, columns), np.bool_)
    line = np.empty(rows * columns + 1, np.int64)
    line[0] = row * columns + column
    first, last = 0, 1
    while first != last:
        r, c = line[first] // columns, line[first] % columns
        first = (first + 1) % len(line)
        waiting[r, c] = False
        for down in range(-1, 2):
            for right in range(-1, 2):
                if (down or right) and may_step(free, rule, r, c, down, right):
                    length = np.sqrt(down * down + right * right)
                    price = length * (cost[r, c] + cost[r + down, c + right]) / 2
                    there = result[r, c] + price
                    if there < result[r + down, c + right]:
                        result[r + down, c + right] = there
                        if not waiting[r + down, c + right]:
                            waiting[r + down, c + right] = True
                            line[last] = (r + down) * columns + c + right
                            last = (last + 1) % len(line)
    return result


@numba.njit
def walked_cost(free: NDArray, cost: NDArray, rule: int, cells: NDArray) -> float:
    """What a path costs, added up step by step; NaN if a step of it may not be taken."""
    total = 0.0
    if len(cells) == 0 or not free[cells[0, 0], cells[0, 1]]:
        return np.nan
    for k in range(len(cells) - 1):
        r, c = cells[k]
        down, right = cells[k + 1, 0] - r, cells[k + 1, 1] - c
        if max(abs(down), abs(right)) != 1 or not may_step(free, rule, r, c, down, right):
            return np.nan
        length = np.sqrt(down * down + right * right)
        total += length * (cost[r, c] + cost[r + down, c + right]) / 2
    return total


def costs_by_scipy(free: NDArray, cost: NDArray, rule: int, row: int, column: int) -> NDArray:
    """The same as `costs_from`, slowly, by SciPy's Dijkstra."""
    columns = free.shape[1]
    edges = []
    for r, c in np.argwhere(free):
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if (down or right) and may_step.py_func(free, rule, r, c, down, right):
                    price = np.hypot(down, right) * (cost[r, c] + cost[r + down, c + right]) / 2
                    edges.append((r * columns + c, (r + down) * columns + c + right, price))
    a, b, price = np.array(edges).reshape(-1, 3).T
    graph = coo_array((price, (a.astype(int), b.astype(int))), shape=(free.size, free.size))
    return dijkstra(graph.tocsr(), indices=row * columns + column).reshape(free.shape)
