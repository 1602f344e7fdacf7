"""Distances on a map of unit cost, from some cells to all others.

Sources: E. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1,
1959; E. Dinitz, "Economical algorithms for finding shortest paths in a network", 1978, for buckets
no wider than the cheapest step, within which order does not matter; N. Sturtevant and S. Rabin,
"Canonical orderings on grids", IJCAI 2016.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.bits import trailing_zeros
from headway.plan.canonical_moves import MOVES
from headway.plan.moves import DIAGONALS, NOWHERE, neighbourhood, step, way_to
from headway.plan.path import DIAGONAL, STRAIGHT
from headway.world.grid import Grid

SHIFT = 30
"""A bucket holds costs that agree but for so many bits, less than a straight step.

So no cell of a bucket can better another one of it, and a step leads into one of the next two.
"""
PILES = 4
UNREACHED = 2**62
UNKNOWN = 255
"""Stands in place of a direction for cells from which no goal was reached."""


class Scratch(NamedTuple):
    """The work arrays of `flood`, in the order of its arguments."""

    cost: NDArray[np.int64]
    piles: NDArray[np.int64]
    """(4, n): the cells of each bucket in use; none is ever twice in one."""
    counts: NDArray[np.int64]
    """How many those are."""


def make_scratch(grid: Grid) -> Scratch:
    """Make the work arrays of floods on a grid.

    Parameters
    ----------
    grid : Grid

    Returns
    -------
    Scratch

    Examples
    --------
    >>> len(make_scratch(Grid([[1, 1]])).cost)
    12
    """
    cells = len(grid.padded_free)
    piles = np.empty((PILES, cells), np.int64)
    return Scratch(np.empty(cells, np.int64), piles, np.zeros(PILES, np.int64))


def _example() -> tuple[Any, ...]:
    grid = Grid(np.ones((3, 3)))
    came, distance = np.zeros(25, np.uint8), np.zeros((3, 3))
    return (
        grid.padded_free, 0, *make_scratch(grid), came, np.array([6]), UNREACHED, 1.0, distance
    )  # fmt: skip


@kernel(example=_example, allocates=False)
def flood(
    free: NDArray, rule: int, cost: NDArray, piles: NDArray, counts: NDArray, came: NDArray,
    sources: NDArray, limit: int, size: float, distance: NDArray,
) -> None:  # fmt: skip
    """Find the distance of every cell from the nearest source, on a grid of unit cost."""
    stride = distance.shape[1] + 2
    cost.fill(UNREACHED)
    came.fill(UNKNOWN)
    for source in sources:
        if cost[source] > 0:
            cost[source] = 0
            came[source] = NOWHERE
            piles[0, counts[0]] = source
            counts[0] += 1
    bucket, waiting = 0, counts[0]
    while waiting > 0:
        pile = np.uint64(bucket & (PILES - 1))
        for i in range(counts[pile]):
            cell = piles[pile, np.uint64(i)]
            g = cost[np.uint64(cell)]
            if g >> SHIFT != bucket:  # reached at a lower cost since
                continue
            way = way_to(came, cell)
            left = MOVES[np.uint64((rule * 9 + way) << 8 | neighbourhood(free, stride, cell))]
            while left:
                way = trailing_zeros(np.uint64(left))
                left &= left - 1
                down, right = step(way)
                near = np.uint64(cell + down * stride + right)
                reached = g + (STRAIGHT if way < DIAGONALS else DIAGONAL)
                before = cost[near]
                if reached < before and reached <= limit:
                    cost[near] = reached
                    came[near] = way
                    if before >> SHIFT != reached >> SHIFT:
                        place = np.uint64((reached >> SHIFT) & (PILES - 1))
                        piles[place, np.uint64(counts[place])] = near
                        counts[place] += 1
                        waiting += 1
        waiting -= counts[pile]
        counts[pile] = 0
        bucket += 1
    for row in range(distance.shape[0]):
        first = (row + 1) * stride + 1
        for column in range(distance.shape[1]):
            g = cost[first + column]
            distance[row, column] = g / STRAIGHT * size if g < UNREACHED else math.inf
