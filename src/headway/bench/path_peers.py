"""Searches of other packages: how each is asked for a path, from what it needs to know of a map."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from headway.world.grid import Grid

Cell = tuple[int, int]
Ask = Callable[[Cell, Cell], object]
"""Start and goal, each row and column, with a path between them; returns its cells."""

SQRT2 = 2.0**0.5


def _package(name: str) -> Any:
    """Import a package or a part of one; what it is warned of is not ours to repair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module(name)


def nano_astar(grid: Grid) -> Ask:
    """A* of nano-astar, which never cuts corners; its map is made beforehand.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    search = _package("nano_astar").astar
    blocked = (~grid.free).astype(np.uint8)
    return lambda start, goal: search(blocked, start, goal)[0]


def w9_pathfinding(grid: Grid) -> Ask:
    """A* of w9-pathfinding where diagonals need both cells beside them free.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    environments = _package("w9_pathfinding.envs")
    movement = _package("w9_pathfinding.diagonal_movement").DiagonalMovement
    world = environments.Grid(
        np.where(grid.free, 1.0, -1.0).tolist(),
        diagonal_movement=movement.only_when_no_obstacle,
        diagonal_movement_cost_multiplier=SQRT2,
    )
    search = _package("w9_pathfinding.pf").AStar(world).find_path
    return lambda start, goal: search(start[::-1], goal[::-1])


def pyastar2d(grid: Grid) -> Ask:
    """A* of pyastar2d: a diagonal costs as much as a straight step, and corners are cut.

    A step costs what the cell does that it enters.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    search = _package("pyastar2d").astar_path
    price = np.ones(grid.shape) if grid.cost is None else grid.cost
    weights = np.where(grid.free, price, np.inf).astype(np.float32)
    return lambda start, goal: search(weights, start, goal, allow_diagonal=True)


def skimage_field(grid: Grid) -> Callable[[Cell], np.ndarray]:
    """Distance fields of scikit-image's ``MCP_Geometric``, which cut corners.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    flood = _package("skimage.graph").MCP_Geometric(np.where(grid.free, 1.0, -1.0))
    return lambda goal: flood.find_costs([goal])[0]


def scipy_field(grid: Grid) -> Callable[[Cell], np.ndarray]:
    """Distance fields of SciPy's ``csgraph.dijkstra`` on a graph that is made beforehand."""
    dijkstra = _package("scipy.sparse.csgraph").dijkstra
    graph = _graph(grid)
    return lambda goal: dijkstra(graph, indices=goal[0] * grid.columns + goal[1])


def _graph(grid: Grid) -> object:
    """The steps between free cells that cut no corner, as a sparse matrix."""
    free = grid.free
    number = np.arange(free.size).reshape(free.shape)
    beside = free[:, :-1] & free[:, 1:]
    below = free[:-1] & free[1:]
    square = beside[:-1] & beside[1:]
    steps = [
        (number[:, :-1][beside], number[:, 1:][beside], 1.0),
        (number[:-1][below], number[1:][below], 1.0),
        (number[:-1, :-1][square], number[1:, 1:][square], SQRT2),
        (number[:-1, 1:][square], number[1:, :-1][square], SQRT2),
    ]
    ends = np.concatenate([(a, b) for a, b, _ in steps], axis=1)
    lengths = np.concatenate([np.full(len(a), length) for a, _, length in steps])
    both = np.concatenate((ends, ends[::-1]), axis=1)
    sparse = _package("scipy.sparse").coo_array
    return sparse((np.tile(lengths, 2), both), shape=(free.size, free.size)).tocsr()
