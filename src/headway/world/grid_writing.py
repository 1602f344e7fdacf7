"""Writing into the storage of a grid: cells, their bits, their costs and the log of changes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.world.grid_bits import bit_planes, refresh_stops, write_blocked


@kernel
def _log(log: NDArray, count: NDArray, cell: int) -> None:
    log[count[0] & (len(log) - 1)] = cell
    count[0] += 1


def _example(*last: Any) -> tuple[Any, ...]:
    cells = np.zeros(16, np.uint8)
    arrays = cells, np.ones(1), bit_planes(2, 2), np.zeros(4, np.int64), np.zeros(1, np.int64)
    return (*arrays, 2, 2, *last)


@kernel(example=lambda: _example(1, 1, np.zeros((1, 1), np.uint8), np.empty((0, 0))))
def write_patch(
    free: NDArray, cost: NDArray, bits: NDArray, log: NDArray, count: NDArray, rows: int,
    columns: int, top: int, left: int, patch: NDArray, prices: NDArray,
) -> int:  # fmt: skip
    """Write a rectangle of cells; (top, left) counts the border. Returns how many opened."""
    opened = 0
    changed = 0
    for i in range(patch.shape[0]):
        cell = (top + i) * (columns + 2) + left
        for j in range(patch.shape[1]):
            repriced = len(prices) > 0 and cost[cell + j] != prices[i, j]
            if repriced:
                cost[cell + j] = prices[i, j]
            if free[cell + j] != patch[i, j]:
                free[cell + j] = patch[i, j]
                opened += 1 if patch[i, j] else 0
                changed += 1
                write_blocked(bits, rows, columns, top + i, left + j, 1 - patch[i, j])
                repriced = True
            if repriced:
                _log(log, count, cell + j)
    if changed:
        bottom, right = top + patch.shape[0] - 1, left + patch.shape[1] - 1
        refresh_stops(bits, rows, columns, top, left, bottom, right)
    return opened


@kernel(example=lambda: _example(np.zeros((1, 2), np.int64), 0, math.nan))
def write_cells(
    free: NDArray, cost: NDArray, bits: NDArray, log: NDArray, count: NDArray, rows: int,
    columns: int, cells: NDArray, value: int, price: float,
) -> int:  # fmt: skip
    """Write some cells; a price of NaN leaves costs alone. Returns how many opened."""
    opened = 0
    for i in range(len(cells)):
        row, column = cells[i, 0] + 1, cells[i, 1] + 1
        cell = row * (columns + 2) + column
        changed = price == price and cost[cell] != price  # noqa: PLR0124 - NaN equals nothing
        if changed:
            cost[cell] = price
        if free[cell] != value:
            free[cell] = value
            opened += value
            write_blocked(bits, rows, columns, row, column, 1 - value)
            refresh_stops(bits, rows, columns, row, column, row, column)
            changed = True
        if changed:
            _log(log, count, cell)
    return opened
