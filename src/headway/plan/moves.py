"""The eight steps from a cell of a grid to its neighbours, as searches number and remember them.

In searches the indices of arrays are unsigned numbers: signed ones would each be looked at first,
for counting from the end, which costs a fifth of the time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel

DOWN = np.array([0, 0, 1, -1, 1, 1, -1, -1, 0])
RIGHT = np.array([1, -1, 0, 0, 1, -1, 1, -1, 0])
"""How many rows down and columns to the right a step leads, in each of eight directions.

Straight steps come first. The ninth, `NOWHERE`, is how a search came to where it starts.
"""
DIAGONALS = 4
"""The first diagonal direction."""
NOWHERE = 8
WAY = 15
"""These bits of what a search remembers of a cell are the direction of the step to it."""
WAITING = 16
"""Added to a direction while the cell waits in a queue."""


@kernel(allocates=False, forceinline=True)
def way_to(came: NDArray, cell: int) -> int:
    """The direction of the step by which a search came to a cell."""
    return int(np.int64(came[np.uint64(cell)])) & WAY


@kernel(allocates=False, forceinline=True)
def step(way: int) -> tuple[int, int]:
    """How many rows down and columns to the right a step leads."""
    return DOWN[np.uint64(way)], RIGHT[np.uint64(way)]


@kernel(allocates=False, forceinline=True)
def around(stride: int, cell: int) -> tuple:
    """The indices of the eight cells around one, in the order of directions."""
    below, above = cell + stride, cell - stride
    return (
        np.uint64(cell + 1), np.uint64(cell - 1), np.uint64(below), np.uint64(above),
        np.uint64(below + 1), np.uint64(below - 1), np.uint64(above + 1), np.uint64(above - 1),
    )  # fmt: skip


@kernel(allocates=False, forceinline=True)
def neighbourhood(free: NDArray, stride: int, cell: int) -> int:
    """Which of the eight cells around one are free: bit ``way`` is set if that one is."""
    e, w, s, n, se, sw, ne, nw = around(stride, cell)
    near = free[e] | free[w] << 1 | free[s] << 2 | free[n] << 3
    far = free[se] | free[sw] << 1 | free[ne] << 2 | free[nw] << 3
    return int(np.int64(near | far << 4))


@kernel(example=lambda: (np.full(9, NOWHERE, np.uint8), 3, 4))
def walk_back(came: NDArray, stride: int, cell: int) -> tuple[NDArray, int]:
    """Follow the steps of a search from a cell back to where the search started.

    Parameters
    ----------
    came : (P,) ndarray of uint8
        By which step the search came to each cell of the padded grid; only the bits of `WAY` count.
    stride : int
        Of the grid.
    cell : int
        A cell that the search came to, numbered as in ``came``.

    Returns
    -------
    (K, 2) ndarray of int64
        Row and column of the cell, of the one before, and so on.
    int
        How many of the steps are diagonal.

    Examples
    --------
    >>> came = np.zeros(25, np.uint8)
    >>> came[[6, 12, 13]] = [NOWHERE, 4, 0]
    >>> cells, diagonal = walk_back(came, 5, 13)
    >>> cells.tolist(), diagonal
    ([[1, 2], [1, 1], [0, 0]], 1)
    """
    count, diagonal = 1, 0
    place = cell
    while came[place] & WAY != NOWHERE:
        way = came[place] & WAY
        place -= DOWN[way] * stride + RIGHT[way]
        diagonal += way >= DIAGONALS
        count += 1
    cells = np.empty((count, 2), np.int64)
    place = cell
    for i in range(count):
        way = came[place] & WAY
        cells[i, 0] = place // stride - 1
        cells[i, 1] = place % stride - 1
        place -= DOWN[way] * stride + RIGHT[way]
    return cells, diagonal
