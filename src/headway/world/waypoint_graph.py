"""Waypoints joined by edges, for places too complex for cells: stairs, bridges, houses with floors.

The edges are kept once more as arcs, sorted by the waypoint they leave (compressed sparse rows),
which is what searches read.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.world.waypoints import checked_waypoints, finite_numbers

MOST_WAYPOINTS = 2**30
"""More are refused: searches number waypoints in 32 bits."""


class WaypointGraph:
    """Waypoints and the ways between them, some of which may be closed for a time.

    Parameters
    ----------
    points : (N, 2) or (N, 3) array_like
        The waypoints, m, in the frame of the world.
    edges : (M, 2) array_like of int
        The two waypoints that each edge joins. Two waypoints may be joined more than once.
    cost : (M,) array_like, optional
        What each edge costs, above zero; its length in metres if left out.
    directed : bool
        Whether edges lead only from their first waypoint to their second.

    Raises
    ------
    InputError
        If an argument cannot be used; the message names it and the remedy.

    Attributes
    ----------
    points : (N, 2) or (N, 3) ndarray
        m, read-only.
    edges : (M, 2) ndarray of int64
        Read-only.
    cost : (M,) ndarray
        Of each edge when open, read-only.
    length : (M,) ndarray
        m, read-only.
    version : int
        How often edges were closed or opened.
    arc_start : (N + 1,) ndarray of int64
        The arcs that leave waypoint i are those from ``arc_start[i]`` to ``arc_start[i + 1]``,
        in order of their targets.
    arc_source, arc_target, arc_edge : (A,) ndarray of int64
        Where each arc comes from, where it leads, and its edge.
    arc_cost : (A,) ndarray
        Infinite while its edge is closed.

    Notes
    -----
    Several threads may search a graph at the same time, but none may while an edge is being closed
    or opened.

    Examples
    --------
    A bridge, with its ramps, and a door beside it:

    >>> points = [(0, 0, 0), (10, 0, 5), (20, 0, 5), (30, 0, 0)]
    >>> graph = WaypointGraph(points, [(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> graph.length.round(1).tolist()
    [11.2, 10.0, 11.2, 30.0]
    >>> graph.close([3])
    >>> graph.closed.tolist(), graph.version
    ([False, False, False, True], 1)
    """

    def __init__(
        self,
        points: ArrayLike,
        edges: ArrayLike,
        cost: ArrayLike | None = None,
        *,
        directed: bool = False,
    ):
        self.points = checked_waypoints(np.empty((0, 2)) if np.size(points) == 0 else points)
        if len(self.points) > MOST_WAYPOINTS:
            raise InputError(f"points holds more than {MOST_WAYPOINTS:,} waypoints.")
        self.edges = _checked_edges(edges, len(self.points))
        step = self.points[self.edges[:, 1]] - self.points[self.edges[:, 0]]
        self.length = np.sqrt((step * step).sum(axis=1))
        self.cost = _checked_cost(cost, self.length)
        self.directed = bool(directed)
        self.version = 0
        self._closed = np.zeros(len(self.edges), np.bool_)
        self._sort_arcs()
        for array in (self.points, self.edges, self.length, self.cost):
            array.flags.writeable = False
        self.spare: list[Any] = []
        """Work arrays of searches that are not in use."""

    def _sort_arcs(self) -> None:
        """Make the arcs, one or two of each edge, in order of source, target and edge."""
        ends, ids = self.edges, np.arange(len(self.edges))
        if not self.directed:
            ends, ids = np.concatenate((ends, ends[:, ::-1])), np.concatenate((ids, ids))
        order = np.lexsort((ids, ends[:, 1], ends[:, 0]))
        self.arc_source = np.ascontiguousarray(ends[order, 0])
        self.arc_target = np.ascontiguousarray(ends[order, 1])
        self.arc_edge = ids[order]
        self.arc_cost = self.cost[self.arc_edge]
        self.arc_start = np.searchsorted(self.arc_source, np.arange(len(self.points) + 1))
        self._arcs_by_edge = np.argsort(self.arc_edge, kind="stable")

    def __repr__(self) -> str:
        kind = "one-way edges" if self.directed else "edges"
        return f"<WaypointGraph of {len(self.points)} waypoints and {len(self.edges)} {kind}>"

    @cached_property
    def xyz(self) -> NDArray[np.float64]:
        """(N, 3): the waypoints, m, with height 0 if they were given without."""
        return np.ascontiguousarray(np.pad(self.points, ((0, 0), (0, 3 - self.points.shape[1]))))

    @cached_property
    def rate(self) -> float:
        """What a metre as the crow flies costs at least, whatever is closed; 0 without edges."""
        long = self.length > 0.0
        return (
            float((self.cost[long] / self.length[long]).min(initial=math.inf))
            if long.any()
            else 0.0
        )

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import KDTree  # noqa: PLC0415

        return KDTree(self.points)

    @property
    def closed(self) -> NDArray[np.bool_]:
        """(M,), a copy: which edges are closed."""
        return self._closed.copy()

    def close(self, edges: ArrayLike) -> None:
        """Close edges, as a door or a blocked stair does.

        Parameters
        ----------
        edges : (K,) array_like of int
            Their numbers; those that are closed already stay so.

        Raises
        ------
        InputError
            If there is no such edge.
        """
        self._switch(edges, closed=True)

    def open(self, edges: ArrayLike) -> None:
        """Open edges again, at the cost they had.

        Parameters
        ----------
        edges : (K,) array_like of int
            Their numbers; those that are open already stay so.

        Raises
        ------
        InputError
            If there is no such edge.
        """
        self._switch(edges, closed=False)

    def _switch(self, edges: ArrayLike, closed: bool) -> None:
        ids = checked_numbers("edges", edges, len(self.edges), "edge")
        ids = np.unique(ids[self._closed[ids] != closed])
        if len(ids) == 0:
            return
        self._closed[ids] = closed
        cost = math.inf if closed else self.cost[ids]
        per_edge = 1 if self.directed else 2
        arcs = self._arcs_by_edge.reshape(-1, per_edge)[ids]
        self.arc_cost[arcs] = np.broadcast_to(np.expand_dims(cost, -1), arcs.shape)
        self.version += 1

    def edges_at(self, waypoints: ArrayLike) -> NDArray[np.int64]:
        """Find the edges that touch waypoints, to close the waypoints themselves.

        Parameters
        ----------
        waypoints : (K,) array_like of int
            Their numbers.

        Returns
        -------
        (E,) ndarray of int64
            Numbers of edges, rising.

        Raises
        ------
        InputError
            If there is no such waypoint.

        Examples
        --------
        >>> graph = WaypointGraph([(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 2)])
        >>> graph.edges_at([0]).tolist()
        [0]
        """
        ids = checked_numbers("waypoints", waypoints, len(self.points), "waypoint")
        touched = np.zeros(len(self.points), np.bool_)
        touched[ids] = True
        return np.flatnonzero(touched[self.edges].any(axis=1))

    def without(self, waypoints: ArrayLike = (), edges: ArrayLike = ()) -> WaypointGraph:
        """Make the graph without some waypoints, their edges, and some other edges.

        Parameters
        ----------
        waypoints : (K,) array_like of int
            Waypoints to leave out. Those behind them move up and get smaller numbers.
        edges : (E,) array_like of int
            Edges to leave out.

        Returns
        -------
        WaypointGraph
            What was closed here is closed there.

        Raises
        ------
        InputError
            If there is no such waypoint or edge.

        Examples
        --------
        >>> graph = WaypointGraph([(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 2)])
        >>> graph.without(waypoints=[0]).edges.tolist()
        [[0, 1]]
        """
        gone = checked_numbers("waypoints", waypoints, len(self.points), "waypoint")
        kept = np.ones(len(self.points), np.bool_)
        kept[gone] = False
        lasting: NDArray[np.bool_] = np.all(kept[self.edges], axis=1)
        lasting[checked_numbers("edges", edges, len(self.edges), "edge")] = False
        number = np.cumsum(kept) - 1
        rest = WaypointGraph(
            self.points[kept], number[self.edges[lasting]], self.cost[lasting],
            directed=self.directed,
        )  # fmt: skip
        rest.close(np.flatnonzero(self._closed[lasting]))
        rest.version = 0
        return rest

    def nearest(self, points: ArrayLike, max_distance: float | None = None) -> NDArray[np.int64]:
        """Find the nearest waypoint to each of some places.

        Parameters
        ----------
        points : (K, 2) or (K, 3) array_like
            m, with as many coordinates as the waypoints.
        max_distance : float, optional
            m; no waypoint farther away is taken.

        Returns
        -------
        (K,) ndarray of int64
            Numbers of waypoints; -1 where there is none near enough.

        Raises
        ------
        InputError
            If the points or the distance cannot be used.

        Examples
        --------
        >>> graph = WaypointGraph([(0, 0), (4, 0)], [(0, 1)])
        >>> graph.nearest([(1, 1), (3, 0), (50, 0)], max_distance=10.0).tolist()
        [0, 1, -1]
        """
        size = self.points.shape[1]
        places = finite_numbers("points", points)
        if places.ndim != 2 or places.shape[1] != size:
            raise InputError(f"points has shape {places.shape}: (K, {size}) is needed.")
        farthest = math.inf if max_distance is None else max_distance
        if not farthest >= 0.0:
            raise InputError(f"max_distance is {max_distance}: give metres, not below zero.")
        if len(self.points) == 0:
            return np.full(len(places), -1)
        distance, found = self._tree.query(places)
        return np.where(distance <= farthest, found, -1).astype(np.int64)


def checked_numbers(name: str, values: ArrayLike, count: int, kind: str) -> NDArray[np.int64]:
    """Numbers of things that exist, as a fresh (K,) array.

    Parameters
    ----------
    name : str
        What to call the argument in an error.
    values : (K,) array_like of int
    count : int
        How many of those things there are.
    kind : str
        What they are, in the singular.

    Raises
    ------
    InputError
        If they are not whole numbers from 0 to ``count`` - 1.

    Examples
    --------
    >>> checked_numbers("edges", [2, 0], 3, "edge").tolist()
    [2, 0]
    """
    array = _whole_numbers(name, values).ravel()
    wrong = np.flatnonzero((array < 0) | (array >= count))
    if len(wrong):
        raise InputError(
            f"{name}[{wrong[0]}] is {array[wrong[0]]}: there are {count} of the kind {kind}, "
            "numbered from 0."
        )
    return array


def _whole_numbers(name: str, values: ArrayLike) -> NDArray[np.int64]:
    try:
        array = np.asarray(values)
        if array.size == 0:
            return np.empty(0, np.int64)
        if array.dtype.kind not in "iu":
            raise TypeError(f"it holds {array.dtype}")
        return np.array(array, dtype=np.int64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} cannot be read as whole numbers ({error}).") from error


def _checked_edges(edges: ArrayLike, count: int) -> NDArray[np.int64]:
    array = _whole_numbers("edges", edges)
    pairs = array.reshape(0, 2) if array.size == 0 else array
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InputError(f"edges has shape {pairs.shape}: give pairs of waypoints, (M, 2).")
    wrong = np.flatnonzero(((pairs < 0) | (pairs >= count)).any(axis=1))
    if len(wrong):
        raise InputError(
            f"edges[{wrong[0]}] joins {pairs[wrong[0]].tolist()}: there are {count} waypoints, "
            "numbered from 0."
        )
    loops = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(loops):
        raise InputError(f"edges[{loops[0]}] leads back to its own waypoint: leave it out.")
    return pairs


def _checked_cost(cost: ArrayLike | None, length: NDArray) -> NDArray[np.float64]:
    if cost is None:
        same = np.flatnonzero(length == 0.0)
        if len(same):
            raise InputError(
                f"edges[{same[0]}] joins waypoints at one place: merge them, or give a cost."
            )
        return length.copy()
    prices = finite_numbers("cost", cost, length.shape)
    wrong = np.flatnonzero(~((prices >= 1e-9) & (prices <= 1e15)))
    if len(wrong):
        raise InputError(
            f"cost[{wrong[0]}] is {prices[wrong[0]]:g}: give 1e-9 to 1e15, and close edges "
            "that may not be used."
        )
    return prices
