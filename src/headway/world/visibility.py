"""Which places on a grid see each other, exactly, and where lines of sight bend round corners.

Blocked cells are closed squares: a line that only touches the corner of one is blocked. To decide
that without rounding, places are first moved to a lattice, so fine that the products of its
coordinates just fit into 63 bits: 2⁻²¹ of a cell on a map of 512 cells a side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.world.grid import Grid
from headway.world.neighbours import pairs_within
from headway.world.waypoints import finite_numbers

COORDINATE_BITS = 31
"""Lattice coordinates stay below 2³¹, and so products of two below 2⁶²."""
CORNER_OFFSET = 2.0**-10
"""How far corner points stand off their corner along each axis, in cells."""


@kernel(allocates=False)
def clear_line(free: NDArray, stride: int, shift: int, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Tell whether a line between two lattice points on the map touches no blocked cell.

    It goes through the rows that the line touches, and in each through the columns that the part
    of the line within that row touches.

    Parameters
    ----------
    free : (P,) ndarray of uint8
        Padded cells.
    stride, shift : int
        Padded cells in a row; a cell is 2**shift lattice steps wide.
    x0, y0, x1, y1 : int
        The ends, in lattice steps from the outer corner of cell (0, 0).

    Returns
    -------
    bool
    """
    if y0 > y1:
        x0, y0, x1, y1 = x1, y1, x0, y0
    dx, dy = x1 - x0, y1 - y0
    width = 1 << shift
    for row in range(((y0 + width - 1) >> shift) - 1, (y1 >> shift) + 1):
        low, high = min(x0, x1), max(x0, x1)
        if dy > 0:
            enter = dx * (max(row << shift, y0) - y0)
            leave = dx * (min((row + 1) << shift, y1) - y0)
            low = x0 - (-min(enter, leave)) // dy  # rounded up, and high down: a cell reaches
            high = x0 + max(enter, leave) // dy  # from one whole number of steps to another
        first = (row + 1) * stride + ((low + width - 1) >> shift)
        last = (row + 1) * stride + (high >> shift) + 1
        for cell in range(first, last + 1):
            if free[cell] == 0:
                return False
    return True


def _example() -> tuple:
    grid = Grid(np.ones((1, 1)))
    points, pairs = np.full((2, 2), 2**29), np.array([[0, 1]])
    return grid.padded_free, grid.stride, 30, points, pairs, np.empty(1, np.bool_)


@kernel(example=_example)
def _look(
    free: NDArray, stride: int, shift: int, points: NDArray, pairs: NDArray, seen: NDArray
) -> None:
    for k in range(len(pairs)):
        a, b = pairs[k]
        seen[k] = clear_line(
            free, stride, shift, points[a, 0], points[a, 1], points[b, 0], points[b, 1]
        )


def visible_pairs(
    grid: Grid, points: ArrayLike, max_distance: float | None = None
) -> NDArray[np.int64]:
    """All pairs of places between which a straight line touches no blocked cell.

    Parameters
    ----------
    grid : Grid
        For an agent with a radius give the grid inflated by that radius.
    points : (N, 2) array_like
        x, y, m, in the frame of the map. Places in a blocked cell, on the edge of one, or off the
        map see nothing.
    max_distance : float, optional
        m; pairs farther apart are left out, and cost nothing. Without it every place is tried with
        every other.

    Returns
    -------
    (M, 2) ndarray of int64
        Indices (i, j) with i < j, sorted by i and then by j.

    Raises
    ------
    InputError
        If the points or the distance cannot be used.

    Examples
    --------
    >>> grid = Grid([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> visible_pairs(grid, [(0.5, 0.5), (2.5, 0.5), (2.5, 2.5)]).tolist()
    [[0, 1], [1, 2]]
    """
    places = _places("points", points)
    if max_distance is None:
        pairs = np.stack(np.triu_indices(len(places), 1), axis=1)
    else:
        pairs = pairs_within(places, max_distance)
    return pairs[_seen(grid, places, pairs)]


def visible(grid: Grid, starts: ArrayLike, ends: ArrayLike) -> NDArray[np.bool_]:
    """Tell which straight lines touch no blocked cell.

    Parameters
    ----------
    grid : Grid
    starts, ends : (K, 2) array_like
        x, y, m, in the frame of the map.

    Returns
    -------
    (K,) ndarray of bool
        False for lines that leave the map.

    Raises
    ------
    InputError
        If the points cannot be used or are not equally many.

    Examples
    --------
    >>> visible(Grid([[1, 1], [1, 0]]), [(0.5, 0.5)] * 2, [(1.5, 0.9), (1.5, 1.0)]).tolist()
    [True, False]
    """
    first, second = _places("starts", starts), _places("ends", ends)
    if len(first) != len(second):
        raise InputError(f"starts holds {len(first)} places and ends {len(second)}: give as many.")
    pairs = np.arange(2 * len(first)).reshape(2, -1).T.copy()
    return _seen(grid, np.concatenate((first, second)), pairs)


def corner_points(grid: Grid, offset: float | None = None) -> NDArray[np.float64]:
    """Places just off the convex corners of blocked cells, where shortest ways turn.

    Together with the start, the goal and the edges of `visible_pairs` they are the classic
    visibility graph (Lozano-Pérez and Wesley, "An algorithm for planning collision-free paths
    among polyhedral obstacles", CACM 1979), for small maps.

    Parameters
    ----------
    grid : Grid
    offset : float, optional
        m along each axis, above zero and below half a cell; 2⁻¹⁰ of a cell if left out.

    Returns
    -------
    (N, 2) ndarray
        x, y, m, in the frame of the map.

    Raises
    ------
    InputError
        If the offset is out of range.

    Examples
    --------
    >>> corner_points(Grid([[1, 1], [1, 0]]), offset=0.25).tolist()
    [[0.75, 0.75]]
    """
    size = grid.cell_size
    away = CORNER_OFFSET * size if offset is None else offset
    if not 0.0 < away < 0.5 * size:
        raise InputError(f"offset is {offset}: give metres between 0 and {0.5 * size:g}.")
    blocked = ~grid.free
    around = [blocked[:-1, :-1], blocked[:-1, 1:], blocked[1:, :-1], blocked[1:, 1:]]
    alone = sum(cells.astype(np.int64) for cells in around) == 1
    found = []
    for cells, (down, right) in zip(around, [(1, 1), (1, -1), (-1, 1), (-1, -1)], strict=True):
        corner = np.argwhere(alone & cells) + 1
        found.append(grid.origin + corner[:, ::-1] * size + np.array([right, down]) * away)
    return np.concatenate(found)


def _places(name: str, points: ArrayLike) -> NDArray[np.float64]:
    places = finite_numbers(name, np.empty((0, 2)) if np.size(points) == 0 else points)
    if places.ndim != 2 or places.shape[1] != 2:
        raise InputError(f"{name} has shape {places.shape}: (N, 2) is needed.")
    return places


def _seen(grid: Grid, places: NDArray, pairs: NDArray) -> NDArray[np.bool_]:
    """Which of the pairs of places see each other."""
    shift = COORDINATE_BITS - max(grid.shape).bit_length()
    with np.errstate(over="ignore"):  # whatever overflows lies off the map
        cells = (places - grid.origin) / grid.cell_size
    inside = (cells >= 0.0) & (cells <= (grid.columns, grid.rows))
    on_map: NDArray[np.bool_] = np.all(inside, axis=1)
    lattice = np.rint(np.where(on_map[:, None], cells, 0.0) * 2.0**shift).astype(np.int64)
    seen = np.empty(len(pairs), np.bool_)
    _look(grid.padded_free, grid.stride, shift, lattice, pairs, seen)
    return seen & np.all(on_map[pairs], axis=1)
