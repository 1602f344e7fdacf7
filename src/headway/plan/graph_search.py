"""Shortest paths on waypoint graphs: A*, Dijkstra's algorithm and whole trees of distances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.plan.graph_path import GraphPath, no_way, path_along, waypoint_number
from headway.plan.open_list import WAITING, clear, offer, open_list, take
from headway.world.waypoint_graph import WaypointGraph, checked_numbers

ALGORITHMS = ("astar", "dijkstra")


@dataclass(frozen=True, slots=True)
class DistanceTree:
    """The shortest paths from one waypoint to all others, at the time when it was made.

    Parameters
    ----------
    graph : WaypointGraph
    start : int
        The waypoint.
    cost : (N,) ndarray
        Of the path to each waypoint; infinite where none leads.
    via : (N,) ndarray of int64
        The arc by which each path arrives; -1 where none does.
    expanded : int
        How many waypoints the search looked from.
    """

    graph: WaypointGraph
    start: int
    cost: NDArray[np.float64]
    via: NDArray[np.int64] = field(repr=False)
    expanded: int

    def path_to(self, goal: int) -> GraphPath:
        """Read the path to a waypoint from the tree.

        Parameters
        ----------
        goal : int

        Returns
        -------
        GraphPath

        Raises
        ------
        InputError
            If there is no such waypoint.
        """
        end = waypoint_number(self.graph, "goal", goal)
        if self.cost[end] == np.inf:
            return no_way(self.graph, self.start, end, self.expanded, "dijkstra")
        arcs = np.empty(len(self.cost), np.int64)
        count = _trace(self.graph.arc_source, self.via, self.start, end, arcs)
        return path_along(self.graph, end, arcs[:count], self.expanded, "dijkstra")


def _graph_example() -> tuple[Any, ...]:
    graph = WaypointGraph([(0.0, 0.0), (1.0, 0.0)], [(0, 1)])
    return graph.arc_start, graph.arc_target, graph.arc_cost, graph.xyz


@kernel(allocates=False, example=lambda: (*_graph_example(), 0.0, 0, 1, *open_list(2)))
def _search(
    arc_start: NDArray, arc_target: NDArray, arc_cost: NDArray, xyz: NDArray, rate: float,
    start: int, goal: int, cost: NDArray, key: NDArray, via: NDArray, heap: NDArray,
    place: NDArray, touched: NDArray, counts: NDArray,
) -> int:  # fmt: skip
    """Search from start until the goal is expanded, or all is if it is -1; return how much was.

    An edge costs at least ``rate`` times its length, so the straight line at that rate is an
    estimate that is never too high (Hart, Nilsson and Raphael 1968); with 0 it is Dijkstra's.
    """
    x, y, z = xyz[goal, 0], xyz[goal, 1], xyz[goal, 2]
    offer(start, 0.0, 0.0, -1, cost, key, via, heap, place, touched, counts)
    expanded = 0
    while counts[WAITING] > 0:
        node = take(key, heap, place, counts)
        expanded += 1
        if node == goal:
            break
        for arc in range(arc_start[node], arc_start[node + 1]):
            target = arc_target[arc]
            price = cost[node] + arc_cost[arc]
            if price < cost[target]:
                rest = 0.0
                if rate > 0.0:
                    dx, dy, dz = xyz[target, 0] - x, xyz[target, 1] - y, xyz[target, 2] - z
                    rest = rate * np.sqrt(dx * dx + dy * dy + dz * dz)
                offer(target, price, rest, arc, cost, key, via, heap, place, touched, counts)
    return expanded


@kernel(
    allocates=False,
    example=lambda: (np.zeros(1, np.int64), np.zeros(2, np.int64), 0, 1, np.empty(2, np.int64)),
)
def _trace(arc_source: NDArray, via: NDArray, start: int, goal: int, arcs: NDArray) -> int:
    """Write the arcs from start to goal in order; return how many they are."""
    count = 0
    node = goal
    while node != start:
        arcs[count] = via[node]
        node = arc_source[via[node]]
        count += 1
    for i in range(count // 2):
        arcs[i], arcs[count - 1 - i] = arcs[count - 1 - i], arcs[i]
    return count


def shortest_path(
    graph: WaypointGraph, start: int, goal: int, algorithm: str = "astar"
) -> GraphPath:
    """Find the cheapest way from one waypoint to another along open edges.

    Parameters
    ----------
    graph : WaypointGraph
    start, goal : int
        Numbers of waypoints; `WaypointGraph.nearest` finds them for places.
    algorithm : str
        ``"astar"``, or ``"dijkstra"``, which finds the same cost and looks farther.

    Returns
    -------
    GraphPath

    Raises
    ------
    InputError
        If there is no such waypoint or algorithm.

    Examples
    --------
    >>> graph = WaypointGraph([(0, 0), (1, 1), (2, 0), (5, 5)], [(0, 1), (1, 2), (0, 2)])
    >>> shortest_path(graph, 0, 2).waypoints.tolist()
    [0, 2]
    >>> graph.close([2])
    >>> shortest_path(graph, 0, 2).waypoints.tolist()
    [0, 1, 2]
    >>> shortest_path(graph, 0, 3).reason
    'no open edges lead from waypoint 0 to waypoint 3'
    """
    first, last = waypoint_number(graph, "start", start), waypoint_number(graph, "goal", goal)
    return _answer(graph, [first], [last], algorithm)[0]


def shortest_paths(
    graph: WaypointGraph,
    starts: ArrayLike,
    goals: ArrayLike,
    algorithm: str = "astar",
) -> list[GraphPath]:
    """Answer many queries; see `shortest_path`.

    Parameters
    ----------
    graph : WaypointGraph
    starts, goals : (K,) array_like of int
        Numbers of waypoints.
    algorithm : str

    Returns
    -------
    list of GraphPath
        One for each start and goal.

    Raises
    ------
    InputError
        If there is no such waypoint or algorithm, or the starts and goals are not equally many.

    Examples
    --------
    >>> graph = WaypointGraph([(0, 0), (1, 1), (2, 0)], [(0, 1), (1, 2)])
    >>> [path.waypoints.tolist() for path in shortest_paths(graph, [0, 2], [1, 0])]
    [[0, 1], [2, 1, 0]]
    """
    first = checked_numbers("starts", starts, len(graph.points), "waypoint")
    last = checked_numbers("goals", goals, len(graph.points), "waypoint")
    if len(first) != len(last):
        raise InputError(f"starts are {len(first)} and goals {len(last)}: give as many of each.")
    return _answer(graph, first.tolist(), last.tolist(), algorithm)


def distances_from(graph: WaypointGraph, start: int) -> DistanceTree:
    """Find the shortest paths from one waypoint to all others (Dijkstra's algorithm).

    Parameters
    ----------
    graph : WaypointGraph
    start : int
        The waypoint.

    Returns
    -------
    DistanceTree

    Raises
    ------
    InputError
        If there is no such waypoint.

    Examples
    --------
    >>> graph = WaypointGraph([(0, 0), (1, 0), (3, 0), (9, 9)], [(0, 1), (1, 2)])
    >>> tree = distances_from(graph, 0)
    >>> tree.cost.tolist()
    [0.0, 1.0, 3.0, inf]
    >>> tree.path_to(2).waypoints.tolist()
    [0, 1, 2]
    """
    first = waypoint_number(graph, "start", start)
    arrays = open_list(len(graph.points))
    arcs = graph.arc_start, graph.arc_target, graph.arc_cost
    expanded = _search(*arcs, graph.xyz, 0.0, first, -1, *arrays)
    cost, via = arrays[0], arrays[2]
    via[np.isinf(cost)] = -1
    return DistanceTree(graph, first, cost, via, expanded)


def _answer(
    graph: WaypointGraph, starts: list[int], goals: list[int], algorithm: str
) -> list[GraphPath]:
    if algorithm not in ALGORITHMS:
        raise InputError(f"there is no algorithm {algorithm!r}: choose one of {ALGORITHMS}.")
    rate = graph.rate if algorithm == "astar" else 0.0
    graph_arrays = graph.arc_start, graph.arc_target, graph.arc_cost, graph.xyz
    arrays = graph.spare.pop() if graph.spare else open_list(len(graph.points))
    via, arcs = arrays[2], np.empty(len(graph.points), np.int64)
    paths = []
    for start, goal in zip(starts, goals, strict=True):
        expanded = _search(*graph_arrays, rate, start, goal, *arrays)
        if arrays[0][goal] == np.inf:
            paths.append(no_way(graph, start, goal, expanded, algorithm))
        else:
            count = _trace(graph.arc_source, via, start, goal, arcs)
            paths.append(path_along(graph, goal, arcs[:count], expanded, algorithm))
        clear(*arrays)
    graph.spare.append(arrays)
    return paths
