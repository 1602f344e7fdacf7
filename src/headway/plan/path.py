"""What every search gives back: a path, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.world.grid import Grid

STRAIGHT = 1_311_738_121
DIAGONAL = 1_855_077_841
"""Cost of a straight and a diagonal step in exact arithmetic on unit-cost grids.

Their ratio is a continued-fraction convergent of √2, nearer to it than 1e-19. Two sums of up to
1e9 steps are therefore in the same order as the real lengths, and equal only if those are.
"""
SQRT2 = 2.0**0.5


class Status(StrEnum):
    """How a search ended."""

    FOUND = "found"
    ALREADY_THERE = "already there"
    """Start and goal are the same free cell; the path is that cell."""
    PARTIAL = "partial"
    """The goal cannot be reached; the path leads to the reachable cell nearest to it."""
    START_BLOCKED = "start blocked"
    GOAL_BLOCKED = "goal blocked"
    UNREACHABLE = "unreachable"
    OUT_OF_BOUNDS = "out of bounds"
    """Start or goal lie outside the map."""
    OUT_OF_BUDGET = "out of budget"
    """The search was told to stop before it knew."""


@dataclass(slots=True)
class Path:
    """A way from start to goal, or why there is none.

    Parameters
    ----------
    status : Status
        How the search ended; it equals a string such as ``"found"``.
    reason : str
        The same in a sentence.
    cells : (K, 2) ndarray
        Row and column of each cell of the path, from start to goal; of any-angle paths only those
        where it turns. Empty if there is no path.
    points : (K, 2) ndarray
        The centres of these cells: x, y, m, in the frame of the map.
    length : float
        m; infinite if there is no path.
    cost : float
        Terrain cost integrated along the path, in metres on a grid without terrain cost (where it
        is the length); infinite if there is no path.
    expanded : int
        How many cells (or jump points, or intervals) the search looked from.
    algorithm : str
        Which search found it.
    searched : (M, 2) ndarray, optional
        Row and column of the cells that the search gave a cost; only if it was asked for.
    """

    status: Status
    reason: str
    cells: NDArray[np.int64]
    points: NDArray[np.float64]
    length: float
    cost: float
    expanded: int
    algorithm: str
    searched: NDArray[np.int64] | None = None

    @property
    def found(self) -> bool:
        """Whether it leads all the way to the goal."""
        return self.status in (Status.FOUND, Status.ALREADY_THERE)


def no_path(status: Status, reason: str, algorithm: str, expanded: int = 0) -> Path:
    """Say why there is no path.

    Parameters
    ----------
    status : Status
    reason : str
    algorithm : str
    expanded : int

    Returns
    -------
    Path
        Without cells, infinitely long.

    Examples
    --------
    >>> no_path(Status.UNREACHABLE, "a wall lies between", "jps").found
    False
    """
    cells = np.empty((0, 2), np.int64)
    points = np.empty((0, 2))
    return Path(status, reason, cells, points, np.inf, np.inf, expanded, algorithm)


@kernel(example=lambda: (np.zeros((1, 2), np.int64), 1.0, 0.0, 0.0))
def _centres(cells: NDArray, size: float, x: float, y: float) -> NDArray:
    """What `Grid.centres` gives, in a tenth of its time for the cells of one path."""
    points = np.empty((len(cells), 2))
    for i in range(len(cells)):
        points[i, 0] = (cells[i, 1] + 0.5) * size + x
        points[i, 1] = (cells[i, 0] + 0.5) * size + y
    return points


def stepped_path(
    grid: Grid,
    cells: NDArray[np.int64],
    straight: int,
    diagonal: int,
    expanded: int,
    algorithm: str,
    cost: float | None = None,
    searched: NDArray[np.int64] | None = None,
) -> Path:
    """Make the path of a search that goes from cell to neighbouring cell.

    Parameters
    ----------
    grid : Grid
    cells : (K, 2) ndarray
        Row and column of each cell of the path.
    straight, diagonal : int
        How many steps of each kind it has, which gives its length without adding up rounding.
    expanded : int
    algorithm : str
    cost : float, optional
        On a grid with terrain cost, the cost of the path.
    searched : (M, 2) ndarray, optional
        Row and column of the cells that the search gave a cost.

    Returns
    -------
    Path
        Its status is found.

    Examples
    --------
    >>> path = stepped_path(Grid(np.ones((2, 3))), np.array([[0, 0], [1, 1], [1, 2]]), 1, 1, 2, "")
    >>> round(path.length, 6)
    2.414214
    """
    length = (straight + diagonal * SQRT2) * grid.cell_size
    points = _centres(cells, grid.cell_size, *grid.origin)
    return Path(
        Status.FOUND, FOUND, cells, points, length, length if cost is None else cost, expanded,
        algorithm, searched,
    )  # fmt: skip


FOUND = "a path leads to the goal"
