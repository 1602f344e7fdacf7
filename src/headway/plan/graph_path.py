"""A way along the edges of a waypoint graph: what searches of such graphs answer."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError
from headway.plan.path import FOUND, Status
from headway.world.waypoint_graph import WaypointGraph


@dataclass(slots=True)
class GraphPath:
    """A way along the edges of a waypoint graph, or why there is none.

    Parameters
    ----------
    status : Status
        How the search ended; it equals a string such as ``"found"``.
    reason : str
        The same in a sentence.
    waypoints : (K,) ndarray of int64
        From start to goal; empty if there is no path.
    edges : (K - 1,) ndarray of int64
        Those between them.
    points : (K, 2) or (K, 3) ndarray
        The waypoints' places, m.
    length : float
        m; infinite if there is no path.
    cost : float
        Sum of the edges' costs; infinite if there is no path.
    expanded : int
        How many waypoints the search looked from.
    algorithm : str
        Which search found it.
    """

    status: Status
    reason: str
    waypoints: NDArray[np.int64]
    edges: NDArray[np.int64]
    points: NDArray[np.float64]
    length: float
    cost: float
    expanded: int
    algorithm: str

    @property
    def found(self) -> bool:
        """Whether it leads to the goal."""
        return self.status in (Status.FOUND, Status.ALREADY_THERE)


def waypoint_number(graph: WaypointGraph, name: str, waypoint: int) -> int:
    """Check the number of a waypoint.

    Parameters
    ----------
    graph : WaypointGraph
    name : str
        What to call it in an error.
    waypoint : int

    Returns
    -------
    int

    Raises
    ------
    InputError
        If there is no such waypoint.

    Examples
    --------
    >>> waypoint_number(WaypointGraph([(0, 0)], []), "start", 0)
    0
    """
    try:
        number = index(waypoint)
    except TypeError:
        number = -1
    if not 0 <= number < len(graph.points):
        count = len(graph.points)
        raise InputError(
            f"{name} is {waypoint!r}: give the number of one of {count} waypoints, counted from 0."
        )
    return number


def path_along(
    graph: WaypointGraph, goal: int, arcs: NDArray[np.int64], expanded: int, algorithm: str
) -> GraphPath:
    """Make the path of a search from the arcs that it follows.

    Parameters
    ----------
    graph : WaypointGraph
    goal : int
        The waypoint at which it ends; without arcs it also starts there.
    arcs : (K - 1,) ndarray of int64
        In order from start to goal.
    expanded : int
    algorithm : str

    Returns
    -------
    GraphPath

    Examples
    --------
    >>> graph = WaypointGraph([(0, 0), (3, 4)], [(0, 1)])
    >>> path_along(graph, 1, np.array([0]), 2, "astar").length
    5.0
    """
    status, reason = Status.FOUND, FOUND
    if len(arcs) == 0:
        status, reason = Status.ALREADY_THERE, "start and goal are the same waypoint"
    waypoints, edges = np.append(graph.arc_source[arcs], goal), graph.arc_edge[arcs]
    length, cost = float(graph.length[edges].sum()), float(graph.cost[edges].sum())
    points = graph.points[waypoints]
    return GraphPath(status, reason, waypoints, edges, points, length, cost, expanded, algorithm)


def no_way(graph: WaypointGraph, start: int, goal: int, expanded: int, algorithm: str) -> GraphPath:
    """Say that no open edges lead from one waypoint to another.

    Parameters
    ----------
    graph : WaypointGraph
    start, goal : int
        Numbers of waypoints.
    expanded : int
    algorithm : str

    Returns
    -------
    GraphPath

    Examples
    --------
    >>> no_way(WaypointGraph([(0, 0), (3, 4)], []), 0, 1, 1, "astar").reason
    'no open edges lead from waypoint 0 to waypoint 1'
    """
    reason = f"no open edges lead from waypoint {start} to waypoint {goal}"
    none, points = np.empty(0, np.int64), graph.points[:0]
    return GraphPath(
        Status.UNREACHABLE, reason, none, none, points, np.inf, np.inf, expanded, algorithm
    )
