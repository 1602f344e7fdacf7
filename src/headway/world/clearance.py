"""How far obstacles are from each cell, and terrain that costs more near them.

The distance is exact and Euclidean, from the centre of a cell to the nearest point of a blocked
square, be that on an edge or at a corner. (The usual shortcut, the distance to the nearest blocked
*centre* less half a cell, is up to 0.21 cells too long where the obstacle lies diagonally.)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.world.grid import Grid
from headway.world.grid_input import checked_finite

FAR = 2**30
"""Half-cells: as much as there can never be on a map."""


@kernel
def _gaps_along_columns(free: NDArray, border: bool, gaps: NDArray) -> None:
    """Half-cells from each centre to the nearest blocked square above or below; 0 if blocked."""
    rows, columns = gaps.shape
    outside = 0 if border else FAR
    for row in range(rows):
        for column in range(columns):
            before = gaps[row - 1, column] if row > 0 else outside
            gaps[row, column] = min(before + (2 if before > 0 else 1), FAR)
            if free[(row + 1) * (columns + 2) + column + 1] == 0:
                gaps[row, column] = 0
    for row in range(rows - 1, -1, -1):
        for column in range(columns):
            after = gaps[row + 1, column] if row + 1 < rows else outside
            gaps[row, column] = min(gaps[row, column], after + (2 if after > 0 else 1))


@kernel
def _lower_envelope(gaps: NDArray, outside: int, edges: NDArray, begins: NDArray) -> int:
    """Find which edge between columns is nearest where along a row; return how many count.

    Column c has its centre at 2c + 1 and edge e lies at 2e. The nearest blocked square beside edge
    e is ``height(e)`` away up or down, so at x its squared distance is a parabola,
    (x - 2e)² + height²; beyond ``begins[k]`` that of ``edges[0, k]`` is lowest.
    """
    columns = len(gaps)
    top = -1
    for edge in range(columns + 1):
        left = gaps[edge - 1] if edge > 0 else outside
        right = gaps[edge] if edge < columns else outside
        height = min(left, right)
        if height >= FAR:
            continue
        begin = -1
        while top >= 0:
            last = edges[0, top]
            rise = 4 * (edge * edge - last * last) + height * height - edges[1, top] ** 2
            begin = rise // (4 * (edge - last))
            if begin > begins[top]:
                break
            top -= 1
            begin = -1
        top += 1
        edges[0, top] = edge
        edges[1, top] = height
        begins[top] = begin
    return top + 1


@kernel(example=lambda: (np.zeros(9, np.uint8), True, np.zeros((1, 1))))
def distances_into(free: NDArray, border: bool, distances: NDArray) -> None:
    """Write the distances of `distance_to_blocked`; ``free`` is padded as in a grid. Unchecked."""
    rows, columns = distances.shape
    gaps = np.empty((rows, columns), np.int64)
    edges = np.empty((2, columns + 1), np.int64)
    begins = np.empty(columns + 1, np.int64)
    _gaps_along_columns(free, border, gaps)
    for row in range(rows):
        count = _lower_envelope(gaps[row], 0 if border else FAR, edges, begins)
        k = 0
        for column in range(columns):
            x = 2 * column + 1
            while k + 1 < count and begins[k + 1] < x:
                k += 1
            square = gaps[row, column] ** 2
            if count > 0:
                square = min(square, (x - 2 * edges[0, k]) ** 2 + edges[1, k] ** 2)
            distances[row, column] = 0.5 * math.sqrt(square) if square < FAR**2 else math.inf


def distance_to_blocked(free: ArrayLike, border: bool = True) -> NDArray[np.float64]:
    """Measure how far each cell's centre is from the nearest blocked cell.

    Parameters
    ----------
    free : (R, C) array_like of bool
        Which cells are not blocked.
    border : bool
        Whether all that lies outside counts as blocked.

    Returns
    -------
    (R, C) ndarray
        In cells, to the nearest edge or corner; 0 in blocked cells, infinite if there are none.

    References
    ----------
    P. Felzenszwalb and D. Huttenlocher, "Distance transforms of sampled functions", Theory of
    Computing 8, 2012; here with squares instead of points, in integers.

    Examples
    --------
    >>> distance_to_blocked([[1, 1, 0, 1]], border=False).tolist()
    [[1.5, 0.5, 0.0, 0.5]]
    """
    cells = np.asarray(free)
    if cells.ndim != 2 or cells.dtype.kind not in "biuf":
        raise InputError(
            f"free has shape {cells.shape} and holds {cells.dtype}; give (R, C) bools."
        )
    distances = np.empty(cells.shape)
    distances_into(np.pad((cells != 0).view(np.uint8), 1).ravel(), bool(border), distances)
    return distances


def clearance(grid: Grid, border: bool = True) -> NDArray[np.float64]:
    """Measure how much room there is around the centre of each cell.

    Parameters
    ----------
    grid : Grid
    border : bool
        Whether the outside of the map counts as blocked.

    Returns
    -------
    (R, C) ndarray, read-only
        m, from the cell's centre to the nearest blocked cell, that is to say the radius of the
        largest disc that fits there; 0 in blocked cells, infinite if nothing is blocked. Computed
        once for each version of the grid.

    Examples
    --------
    >>> clearance(Grid([[1, 1, 1]] * 3, cell_size=2.0)).tolist()
    [[1.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 1.0]]
    """
    key = f"clearance border={bool(border)}"
    version, room = grid.derived.get(key, (-1, None))
    if room is None or version != grid.version:
        version = grid.version
        room = np.empty(grid.shape)
        distances_into(grid.padded_free, bool(border), room)
        room *= grid.cell_size
        room.flags.writeable = False
        grid.derived[key] = version, room
    return room


def soft_buffer(grid: Grid, distance: float, weight: float, border: bool = True) -> Grid:
    """Make a grid on which it costs more to pass near obstacles.

    Terrain costs grow by a factor that rises in a straight line from 1, where the clearance is
    ``distance``, to ``1 + weight`` at an obstacle. No cell is closed.

    Parameters
    ----------
    grid : Grid
    distance : float
        m, above zero: how near to an obstacle is too near for comfort.
    weight : float
        How much dearer than elsewhere it is to touch one, at least 0.
    border : bool
        Whether the outside of the map is an obstacle.

    Returns
    -------
    Grid
        As the map is now: it does not follow later changes of the other.

    Raises
    ------
    InputError
        If distance or weight cannot be used.

    Examples
    --------
    >>> near_wall = soft_buffer(Grid([[1, 1, 1, 0]]), 2.0, 4.0, border=False)
    >>> near_wall.cost.tolist()
    [[1.0, 2.0, 4.0, 5.0]]
    """
    distance, weight = checked_finite("distance", distance), checked_finite("weight", weight)
    if distance <= 0.0:
        raise InputError(f"distance is {distance}; give metres above zero.")
    if weight < 0.0:
        raise InputError(f"weight is {weight}; give a finite number, at least 0.")
    nearness = np.maximum(0.0, 1.0 - clearance(grid, border) / distance)
    cost = 1.0 + weight * nearness
    if grid.cost is not None:
        cost *= grid.cost
    return Grid(grid.free, cost, cell_size=grid.cell_size, origin=grid.origin)
