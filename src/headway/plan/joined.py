"""Paths over a grid and a waypoint graph: off the grid at one waypoint, back at another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.plan.find_path import find_path
from headway.plan.graph_path import GraphPath, path_along, waypoint_number
from headway.plan.joined_search import search, trace
from headway.plan.open_list import clear, open_list
from headway.plan.path import FOUND, SQRT2, Path, Status, stepped_path
from headway.plan.scratch import borrow, give_back
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid
from headway.world.waypoint_graph import WaypointGraph, checked_numbers
from headway.world.waypoints import finite_numbers

ALGORITHM = "joined"
Place = Sequence[float] | NDArray[np.float64] | int
"""x, y in metres on the grid, or the number of a waypoint."""


@dataclass(slots=True)
class Leg:
    """A part of a joined path that stays on the grid, or on the waypoints.

    Parameters
    ----------
    kind : str
        ``"grid"`` or ``"waypoints"``.
    path : Path or GraphPath
        The way from the leg's first cell or waypoint to its last.
    """

    kind: Literal["grid", "waypoints"]
    path: Path | GraphPath


@dataclass(slots=True)
class JoinedPath:
    """A way over a grid and a waypoint graph, or why there is none.

    Parameters
    ----------
    status : Status
        How the search ended; it equals a string such as ``"found"``.
    reason : str
        The same in a sentence.
    legs : list of Leg
        Its parts, in turn on the grid and on waypoints; empty if there is no path.
    points : (K, 3) ndarray
        All centres of cells and waypoints on the way: x, y, z, m.
    length : float
        m, along these points; infinite if there is no path.
    cost : float
        Of the steps on the grid, the links to the centres of the gates' cells, and the edges;
        infinite if there is no path.
    expanded : int
        How many cells and waypoints the search looked from.
    """

    status: Status
    reason: str
    legs: list[Leg]
    points: NDArray[np.float64]
    length: float
    cost: float
    expanded: int

    @property
    def found(self) -> bool:
        """Whether it leads to the goal."""
        return self.status in (Status.FOUND, Status.ALREADY_THERE)


class _Gates(NamedTuple):
    """See `headway.plan.joined_search.search`."""

    waypoints: NDArray[np.int64]
    cells: NDArray[np.int64]
    link: NDArray[np.float64]
    gate_of: NDArray[np.int64]
    places: NDArray[np.float64]


def find_joined_path(
    grid: Grid,
    graph: WaypointGraph,
    start: Place,
    goal: Place,
    gates: ArrayLike | None = None,
    *,
    rule: CornerRule | str = CornerRule.NEVER_CUT,
    height: float = 0.0,
) -> JoinedPath:
    """Find the cheapest way over the cells of a grid and the waypoints of a graph.

    Gates are where one passes from one to the other: each is linked to the centre of its cell, at
    the terrain cost of that cell. A gate whose cell is blocked is shut until it is free again, so
    grid and graph may both change between calls.

    Parameters
    ----------
    grid : Grid
    graph : WaypointGraph
        Its costs are added to those of the grid, so both must be in the same unit.
    start, goal : (2,) array_like, or int
        x, y, m: a place on the grid, taken as the centre of its cell. Or the number of a waypoint.
    gates : (G,) array_like of int, optional
        Waypoints that are gates. If left out all that lie on the map are; with three coordinates
        only those within half a cell of its height.
    rule : CornerRule or str
        Of the steps on the grid.
    height : float
        z of the grid, m; also that of waypoints with two coordinates.

    Returns
    -------
    JoinedPath

    Raises
    ------
    InputError
        If an argument cannot be used; the message names it.

    Examples
    --------
    A river with a bridge:

    >>> grid = Grid([[1, 1, 0, 1, 1]] * 3)
    >>> bridge = WaypointGraph([(1.5, 0.5), (2.5, 0.5), (3.5, 0.5)], [(0, 1), (1, 2)])
    >>> path = find_joined_path(grid, bridge, (0.5, 0.5), (4.5, 0.5))
    >>> [leg.kind for leg in path.legs], path.length
    (['grid', 'waypoints', 'grid'], 4.0)
    >>> bridge.close([1])
    >>> find_joined_path(grid, bridge, (0.5, 0.5), (4.5, 0.5)).status
    <Status.UNREACHABLE: 'unreachable'>
    """
    rule = corner_rule(rule)
    level = float(finite_numbers("height", height, ()))
    doors = _gates(grid, graph, gates, level)
    first, refused = _node(grid, graph, "start", start)
    last, refused_too = _node(grid, graph, "goal", goal)
    refused = refused or refused_too
    if refused:
        return refused
    cells = len(grid.padded_free)
    rate = min(grid.min_cost, graph.rate) if len(graph.edges) else grid.min_cost
    expanded = 0
    if max(first, last) < cells:
        direct = find_path(grid, _cell(grid, first), _cell(grid, last), rule=rule)
        if direct.cost <= _least_detour(grid, doors, rate, first, last):
            return _on_grid(direct, level)
        expanded = direct.expanded
    nodes = cells + len(graph.points)
    arrays = borrow(grid, ALGORITHM, lambda grid: _work_arrays(nodes))
    if len(arrays[0]) < nodes:  # left by a search with fewer waypoints
        arrays = _work_arrays(nodes)
    *lists, way = arrays
    expanded += search(
        grid.padded_free, grid.padded_cost, int(grid.weighted), grid.stride, grid.cell_size,
        int(rule), graph.arc_start, graph.arc_target, graph.arc_cost, *doors,
        rate * grid.cell_size, first, last, *lists,
    )  # fmt: skip
    cost = float(lists[0][last])
    count = trace(lists[2], cells, graph.arc_source, last, way) if cost < np.inf else 0
    steps, via = way[:count].copy(), lists[2][way[:count]]
    clear(*lists)
    give_back(grid, ALGORITHM, arrays)
    if count == 0:
        reason = "neither free cells nor open edges lead from the start to the goal"
        return _none(Status.UNREACHABLE, reason, expanded)
    return _path(grid, graph, steps, via - cells, level, cost, expanded)


def _cell(grid: Grid, node: int) -> tuple[int, int]:
    row, column = divmod(node, grid.stride)
    return row - 1, column - 1


def _least_detour(grid: Grid, gates: _Gates, rate: float, first: int, last: int) -> float:
    """What a way by any gates costs at least: on free ground to the first, then straight on.

    Most queries are settled by it, as the way over the grid alone is often cheaper, and fast to
    find.
    """
    if len(gates.cells) < 2:
        return np.inf
    rows, columns = np.divmod(gates.cells, grid.stride)
    far = []
    for node in (first, last):
        down, right = np.abs(rows - node // grid.stride), np.abs(columns - node % grid.stride)
        octile = np.maximum(down, right) + (SQRT2 - 1.0) * np.minimum(down, right)
        far.append((octile * grid.min_cost, np.hypot(down, right) * rate))
    (start, from_start), (goal, to_goal) = far
    bound = max((start + to_goal).min(), (from_start + goal).min())
    return float(bound) * grid.cell_size * (1.0 - 1e-12)  # less than its rounding


def _on_grid(path: Path, level: float) -> JoinedPath:
    """The joined path that is a path over the grid, or none because there are no gates."""
    if not path.found:
        return _none(path.status, path.reason, path.expanded)
    points = np.pad(path.points, ((0, 0), (0, 1)), constant_values=level)
    return JoinedPath(
        path.status, path.reason, [Leg("grid", path)], points, path.length, path.cost,
        path.expanded,
    )  # fmt: skip


def _work_arrays(nodes: int) -> tuple[NDArray[Any], ...]:
    return (*open_list(nodes), np.empty(nodes, np.int64))


def _path(
    grid: Grid, graph: WaypointGraph, nodes: NDArray, arcs: NDArray, level: float, cost: float,
    expanded: int,
) -> JoinedPath:  # fmt: skip
    """Cut the nodes of a way into legs; ``arcs`` says by which arc a waypoint was reached."""
    cells = len(grid.padded_free)
    legs, points = [], []
    cuts = np.flatnonzero(np.diff(nodes >= cells)) + 1
    for some, by in zip(np.split(nodes, cuts), np.split(arcs, cuts), strict=True):
        if some[0] < cells:
            path = _grid_leg(grid, some)
            legs.append(Leg("grid", path))
        else:
            path = path_along(graph, int(some[-1]) - cells, by[1:], 0, ALGORITHM)
            legs.append(Leg("waypoints", path))
        flat = path.points.shape[1] == 2
        points.append(
            np.pad(path.points, ((0, 0), (0, 1)), constant_values=level) if flat else path.points
        )
    way = np.concatenate(points)
    moves = np.append(True, (way[1:] != way[:-1]).any(axis=1))
    way = way[moves]  # a gate in the middle of its cell is one place, not two
    length = float(np.sqrt((np.diff(way, axis=0) ** 2).sum(axis=1)).sum())
    status, reason = Status.FOUND, FOUND
    if len(nodes) == 1:
        status, reason = Status.ALREADY_THERE, "start and goal are the same place"
    return JoinedPath(status, reason, legs, way, length, cost, expanded)


def _grid_leg(grid: Grid, nodes: NDArray[np.int64]) -> Path:
    cells = np.stack(np.divmod(nodes, grid.stride), axis=1) - 1
    diagonal = (np.diff(cells, axis=0) != 0).all(axis=1)
    count = int(diagonal.sum())
    cost = None
    if grid.weighted:
        price = grid.padded_cost[nodes]
        step = np.where(diagonal, SQRT2, 1.0) * grid.cell_size
        cost = float((step * 0.5 * (price[1:] + price[:-1])).sum())
    return stepped_path(grid, cells, len(nodes) - 1 - count, count, 0, ALGORITHM, cost)


def _gates(grid: Grid, graph: WaypointGraph, gates: ArrayLike | None, level: float) -> _Gates:
    """The gates, kept for the next query: they depend on no change of the grid or the graph."""
    chosen = None
    if gates is not None:
        chosen = np.unique(checked_numbers("gates", gates, len(graph.points), "waypoint"))
    kept = grid.derived.setdefault("gates", WeakKeyDictionary()).setdefault(graph, {})
    key = level, None if chosen is None else chosen.tobytes()
    if key not in kept:
        kept[key] = _find_gates(grid, graph, chosen, level)
    return kept[key]


def _find_gates(grid: Grid, graph: WaypointGraph, chosen: NDArray | None, level: float) -> _Gates:
    where = grid.cells_at(graph.points[:, :2])
    z = graph.points[:, 2] if graph.points.shape[1] == 3 else np.full(len(where), level)
    on_map = grid.contains(where)
    if chosen is None:
        chosen = np.flatnonzero(on_map & (np.abs(z - level) <= 0.5 * grid.cell_size))
    elif not on_map[chosen].all():
        lost = chosen[~on_map[chosen]][0]
        raise InputError(f"gates holds waypoint {lost}, which does not lie on the map.")
    cells = (where[chosen] + 1) @ np.array([grid.stride, 1])
    chosen, cells = (array[np.argsort(cells, kind="stable")] for array in (chosen, cells))
    off = graph.points[chosen, :2] - grid.centres(where[chosen])
    link = np.sqrt((off * off).sum(axis=1) + (z[chosen] - level) ** 2)
    gate_of = np.full(len(where), -1)
    gate_of[chosen] = np.arange(len(chosen))
    places = (graph.points[:, :2] - grid.origin) / grid.cell_size + 0.5
    return _Gates(chosen, cells, link, gate_of, np.ascontiguousarray(places))


def _node(
    grid: Grid, graph: WaypointGraph, name: str, place: Place
) -> tuple[int, JoinedPath | None]:
    """The node of a start or goal, or why it is none."""
    cells = len(grid.padded_free)
    if isinstance(place, int | np.integer):
        return cells + waypoint_number(graph, name, int(place)), None
    point = finite_numbers(name, place)
    if point.shape != (2,):
        raise InputError(f"{name} has shape {point.shape}: give x and y, or a waypoint's number.")
    row, column = grid.cells_at([point])[0].tolist()
    x, y = point.tolist()
    text = f"the {name} (x {x:g} m, y {y:g} m)"
    if not (0 <= row < grid.rows and 0 <= column < grid.columns):
        return -1, _none(Status.OUT_OF_BOUNDS, f"{text} lies off the map")
    if not grid.is_free((row, column)):
        status = Status.START_BLOCKED if name == "start" else Status.GOAL_BLOCKED
        return -1, _none(status, f"{text} lies in the blocked cell ({row}, {column})")
    return (row + 1) * grid.stride + column + 1, None


def _none(status: Status, reason: str, expanded: int = 0) -> JoinedPath:
    return JoinedPath(status, reason, [], np.empty((0, 3)), np.inf, np.inf, expanded)
