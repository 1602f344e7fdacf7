"""Paths on grids that are given by the cells where they turn."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.plan.path import FOUND, Path, Status
from headway.world.grid import Grid


@kernel
def straight_distance(a: int, b: int, stride: int) -> float:
    """How far it is between the centres of two cells, given by their indices, in cells."""
    down, right = a // stride - b // stride, a % stride - b % stride
    return math.sqrt(float(down * down + right * right))


def check_unit_cost(grid: Grid, algorithm: str) -> None:
    """Refuse a grid with terrain cost, on which the shortest path need not be the cheapest.

    Parameters
    ----------
    grid : Grid
    algorithm : str
        The search that would ignore the cost.

    Raises
    ------
    InputError
        If the grid has terrain cost.

    Examples
    --------
    >>> check_unit_cost(Grid([[1, 1]]), "anya")
    """
    if grid.weighted:
        raise InputError(
            f"grid has terrain cost, which {algorithm} takes no account of: search with a_star and "
            "straighten its path, or leave out cost."
        )


def cells_of(flat: NDArray, stride: int) -> NDArray[np.int64]:
    """Turn indices in the padded arrays of a grid into cells.

    Parameters
    ----------
    flat : (N,) ndarray of int
    stride : int
        That of the grid.

    Returns
    -------
    (N, 2) ndarray of int64
        Row and column.

    Examples
    --------
    >>> cells_of(np.array([5, 10]), 4).tolist()
    [[0, 0], [1, 1]]
    """
    return np.column_stack(np.divmod(np.asarray(flat, np.int64), stride)) - 1


def without_straight(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Leave out the cells of a path at which it goes straight on.

    Parameters
    ----------
    cells : (K, 2) ndarray of int64
        Row and column, neighbours different.

    Returns
    -------
    (L, 2) ndarray of int64

    Examples
    --------
    >>> without_straight(np.array([(0, 0), (0, 2), (0, 3), (1, 3)])).tolist()
    [[0, 0], [0, 3], [1, 3]]
    """
    steps = np.diff(cells, axis=0)
    before, after = steps[:-1], steps[1:]
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    keep = np.ones(len(cells), bool)
    keep[1:-1] = (cross != 0) | ((before * after).sum(axis=1) < 0)
    return cells[keep]


def any_angle_path(
    grid: Grid, cells: NDArray[np.int64], expanded: int, algorithm: str, trace: NDArray | None
) -> Path:
    """Make the path through cells of a grid without terrain cost.

    Parameters
    ----------
    grid : Grid
    cells : (K, 2) ndarray of int64
        Row and column, neighbours different; between two of them the path is straight.
    expanded : int
    algorithm : str
    trace : (M, 2) ndarray of int64 or None
        Cells that the search gave a cost.

    Returns
    -------
    Path

    Examples
    --------
    >>> path = any_angle_path(Grid(np.ones((4, 5))), np.array([(0, 0), (3, 4)]), 2, "anya", None)
    >>> path.length
    5.0
    """
    cells = without_straight(cells)
    length = float(np.hypot(*np.diff(cells, axis=0).T).sum()) * grid.cell_size
    points = grid.centres(cells)
    return Path(Status.FOUND, FOUND, cells, points, length, length, expanded, algorithm, trace)


def trace_back(via: NDArray, start: int, goal: int) -> NDArray[np.int64]:
    """Follow what led to a goal back to the start.

    Parameters
    ----------
    via : (N,) ndarray of int64
        From where each cell was reached.
    start, goal : int
        Indices into ``via``.

    Returns
    -------
    (K,) ndarray of int64
        From start to goal.

    Examples
    --------
    >>> trace_back(np.array([0, 0, 1]), 0, 2).tolist()
    [0, 1, 2]
    """
    flat = [goal]
    while flat[-1] != start:
        flat.append(int(via[flat[-1]]))
    return np.array(flat[::-1])
