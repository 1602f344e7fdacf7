"""Waypoints spread over a map by themselves: the denser, the shorter the routes along them.

A random cell becomes a waypoint unless an earlier waypoint within the spacing sees it (dart
throwing, Cook, "Stochastic sampling in computer graphics", ACM TOG 1986, with sight added so that
thin walls do not count). When no cell is left, every free cell sees a waypoint that near. Where
waypoints do not connect cells that touch, both cells become waypoints too (Siméon, Laumond and
Nissoux, "Visibility-based probabilistic roadmaps for motion planning", Advanced Robotics 2000).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.world.grid import Grid
from headway.world.grid_input import checked_finite
from headway.world.visibility import clear_line, visible_pairs
from headway.world.waypoint_graph import WaypointGraph

STREAM = 71
"""Keeps the randomness of roadmaps apart from that of others with the same seed."""


@kernel(example=lambda: (0, np.zeros(1, np.int64), np.zeros(1)))
def _draw(seed: int, cells: NDArray, numbers: NDArray) -> None:
    for i in range(len(cells)):
        numbers[i] = uniform(seed, STREAM, cells[i], 0)


def _example() -> tuple:
    grid = Grid(np.ones((1, 1)))
    arrays = np.array([4]), 0, 1.0, np.full(9, -1), np.empty(1, np.int64)
    return grid.padded_free, grid.stride, *arrays


@kernel(example=_example)
def _spread(
    free: NDArray, stride: int, order: NDArray, certain: int, spacing: float, seen_by: NDArray,
    chosen: NDArray,
) -> int:  # fmt: skip
    """Choose waypoints among cells in the order given, the first few for certain.

    ``spacing`` is in cells. ``seen_by`` becomes the waypoint that sees each cell.
    """
    wide = math.floor(spacing)
    rows = len(free) // stride
    count = 0
    for i in range(len(order)):
        cell = order[i]
        if seen_by[cell] >= 0 and i >= certain:
            continue
        row, column = cell // stride, cell % stride
        for r in range(max(row - wide, 1), min(row + wide, rows - 2) + 1):
            for c in range(max(column - wide, 1), min(column + wide, stride - 2) + 1):
                other = r * stride + c
                if free[other] == 0 or seen_by[other] >= 0:
                    continue
                if (r - row) ** 2 + (c - column) ** 2 > spacing * spacing:
                    continue
                # two lattice steps to a cell, so that centres lie on odd ones
                ends = 2 * column - 1, 2 * row - 1, 2 * c - 1, 2 * r - 1
                if clear_line(free, stride, 1, ends[0], ends[1], ends[2], ends[3]):
                    seen_by[other] = count
        chosen[count] = cell
        count += 1
    return count


def roadmap(
    grid: Grid, spacing: float, seed: int = 0, through: ArrayLike | None = None
) -> WaypointGraph:
    """Cover the free cells of a map with waypoints, and join those that see each other.

    Parameters
    ----------
    grid : Grid
        For an agent with a radius give the grid inflated by that radius.
    spacing : float
        m; every free cell sees a waypoint that near. The smaller, the more waypoints and the
        shorter the routes.
    seed : int
        The same seed gives the same roadmap.
    through : (K, 2) array_like, optional
        x, y, m: places whose cells become the first K waypoints.

    Returns
    -------
    WaypointGraph
        Its waypoints are centres of free cells. Two of them are connected whenever a path of
        straight steps from cell to cell connects them.

    Raises
    ------
    InputError
        If the spacing is not above zero, or a place to go through is not free.

    Notes
    -----
    Waypoints are joined if they see each other and are no farther apart than twice the spacing, or
    than the radius of PRM*, with which routes approach the shortest ones as the waypoints become
    more (Karaman and Frazzoli, "Sampling-based algorithms for optimal motion planning", IJRR 2011).

    Examples
    --------
    >>> grid = Grid(np.ones((20, 20)))
    >>> len(roadmap(grid, 10.0).points) < len(roadmap(grid, 5.0).points)
    True
    """
    if checked_finite("spacing", spacing) <= 0.0:
        raise InputError(f"spacing is {spacing}; give metres above zero.")
    first = _cells_of(grid, np.empty((0, 2)) if through is None else through)
    free = np.flatnonzero(grid.padded_free)
    numbers = np.empty(len(free))
    _draw(int(seed), free, numbers)
    order = np.concatenate((first, free[np.argsort(numbers, kind="stable")]))
    seen_by = np.full(len(grid.padded_free), -1)
    chosen = np.empty(len(order), np.int64)
    near = min(spacing / grid.cell_size, float(max(grid.shape)) * 2.0)
    count = _spread(grid.padded_free, grid.stride, order, len(first), near, seen_by, chosen)
    points = _centres(grid, chosen[:count])
    reach = _reach(grid, spacing, len(free), count)
    edges = visible_pairs(grid, points, reach)
    links = np.setdiff1d(_links(grid, seen_by, edges, count), chosen[:count])
    if len(links):
        points = np.concatenate((points, _centres(grid, links)))
        edges = visible_pairs(grid, points, reach)
    far = (points[edges[:, 0]] != points[edges[:, 1]]).any(axis=1)  # a place may be given twice
    return WaypointGraph(points, edges[far])


def _reach(grid: Grid, spacing: float, free: int, count: int) -> float:
    """How far apart waypoints may be and still be joined, m."""
    area = free * grid.cell_size**2
    optimal = math.sqrt(6.0 / math.pi * area * math.log(count) / count) if count > 1 else 0.0
    return max(optimal, 2.0 * spacing, 1.5 * grid.cell_size)


def _cells_of(grid: Grid, places: ArrayLike) -> NDArray[np.int64]:
    """Padded indices of the cells of places, which must be free."""
    cells = grid.cells_at(places)
    for i, cell in enumerate(cells):
        if not grid.is_free(cell):
            raise InputError(f"through[{i}] does not lie in a free cell; move it to one.")
    return (cells[:, 0] + 1) * grid.stride + cells[:, 1] + 1


def _centres(grid: Grid, padded: NDArray[np.int64]) -> NDArray[np.float64]:
    return grid.centres(np.stack(np.divmod(padded, grid.stride), axis=1) - 1)


def _links(grid: Grid, seen_by: NDArray, edges: NDArray, count: int) -> NDArray[np.int64]:
    """Cells that, as waypoints, connect parts of the roadmap that meet in touching cells."""
    from scipy.sparse import coo_array  # noqa: PLC0415
    from scipy.sparse.csgraph import (  # noqa: PLC0415
        connected_components,
        minimum_spanning_tree,
    )

    joined = coo_array((np.ones(len(edges)), edges.T), shape=(count, count))
    parts, part = connected_components(joined, directed=False)
    part_of_cell = np.append(part, -1)[seen_by]
    cells = np.flatnonzero(grid.padded_free)
    pairs = np.concatenate([np.stack((cells, cells + step), 1) for step in (1, grid.stride)])
    meeting = part_of_cell[pairs]
    pairs = pairs[(meeting[:, 0] != meeting[:, 1]) & (meeting >= 0).all(axis=1)]
    sides = np.sort(part_of_cell[pairs], axis=1)
    _, one_each = np.unique(sides, axis=0, return_index=True)
    weight = one_each + 1.0  # so that each edge of the tree tells which pair it is
    borders = coo_array((weight, sides[one_each].T), shape=(parts, parts))
    tree = minimum_spanning_tree(borders.tocsr())
    return np.unique(pairs[tree.data.astype(np.int64) - 1])
