"""Waypoint graphs: nearest waypoints by comparing all, arcs by building them edge by edge."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.world.waypoint_graph import WaypointGraph


@st.composite
def graphs(draw):
    """A graph with parallel edges, and the edges closed in it."""
    count = draw(st.integers(2, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    points = random.integers(0, 5, (count, draw(st.sampled_from([2, 3]))))
    edges = random.integers(0, count, (draw(st.integers(0, 30)), 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    cost = random.uniform(0.1, 9.0, len(edges))
    graph = WaypointGraph(points, edges, cost, directed=draw(st.booleans()))
    closed = np.flatnonzero(random.random(len(edges)) < draw(st.sampled_from([0.0, 0.3, 1.0])))
    return graph, closed


def arcs_of(graph):
    return sorted(
        zip(
            graph.arc_source.tolist(),
            graph.arc_target.tolist(),
            graph.arc_edge.tolist(),
            graph.arc_cost.tolist(),
            strict=True,
        )
    )


def expected_arcs(graph, closed):
    arcs = []
    for edge, (a, b) in enumerate(graph.edges.tolist()):
        cost = math.inf if edge in closed else float(graph.cost[edge])
        arcs.append((a, b, edge, cost))
        if not graph.directed:
            arcs.append((b, a, edge, cost))
    return sorted(arcs)


@given(graphs())
def test_arcs_are_sorted_and_know_what_is_closed(graph_and_closed):
    graph, closed = graph_and_closed
    assert arcs_of(graph) == expected_arcs(graph, [])
    graph.close(closed)
    assert arcs_of(graph) == expected_arcs(graph, closed)
    assert np.flatnonzero(graph.closed).tolist() == closed.tolist()
    order = list(zip(graph.arc_source, graph.arc_target, graph.arc_edge, strict=True))
    assert order == sorted(order)
    assert all(
        graph.arc_start[s] <= i < graph.arc_start[s + 1] for i, (s, _, _) in enumerate(order)
    )
    graph.open(np.arange(len(graph.edges)))
    assert arcs_of(graph) == expected_arcs(graph, [])


@given(graphs())
def test_leaving_out_waypoints_leaves_out_their_edges(graph_and_closed):
    graph, closed = graph_and_closed
    graph.close(closed)
    rest = graph.without(waypoints=[1], edges=np.arange(0, len(graph.edges), 5))
    kept = [i for i, e in enumerate(graph.edges.tolist()) if 1 not in e and i % 5]
    assert rest.points.tolist() == np.delete(graph.points, 1, axis=0).tolist()
    assert rest.edges.tolist() == [[n - (n > 1) for n in graph.edges[i].tolist()] for i in kept]
    assert rest.cost.tolist() == graph.cost[kept].tolist()
    assert rest.closed.tolist() == graph.closed[kept].tolist()
    assert rest.directed == graph.directed


@given(graphs())
def test_edges_at_waypoints(graph_and_closed):
    graph, _ = graph_and_closed
    expected = [i for i, edge in enumerate(graph.edges.tolist()) if {0, 1} & set(edge)]
    assert graph.edges_at([1, 0]).tolist() == expected


@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.sampled_from([None, 0.0, 0.7, 3.0]))
def test_nearest_is_as_near_as_any(seed, size, farthest):
    random = np.random.default_rng(seed)
    graph = WaypointGraph(random.integers(0, 6, (20, size)), [])
    places = random.integers(0, 12, (30, size)) / 2.0
    distance = np.linalg.norm(places[:, None] - graph.points[None], axis=-1)
    found = graph.nearest(places, farthest)
    least = distance.min(axis=1)
    within = least <= (math.inf if farthest is None else farthest)
    assert ((found >= 0) == within).all()
    assert (distance[np.arange(30), found] == least)[within].all()


def test_version_counts_changes_only():
    graph = WaypointGraph([(0, 0), (3, 4), (9, 9)], [(0, 1), (1, 2)])
    graph.open([0])
    assert graph.version == 0
    graph.close([1, 1])
    graph.close([1])
    assert graph.version == 1
    graph.open([0, 1])
    assert (graph.version, graph.closed.any()) == (2, False)


def test_length_cost_and_rate():
    graph = WaypointGraph([(0, 0, 0), (2, 3, 6), (0, 0, 0)], [(0, 1), (0, 2)], [3.5, 1.0])
    assert graph.length.tolist() == [7.0, 0.0]
    assert graph.rate == 0.5
    assert WaypointGraph([(0, 0)], []).rate == 0.0
    assert WaypointGraph([(1, 2)], []).xyz.tolist() == [[1.0, 2.0, 0.0]]


def test_an_empty_graph_has_nothing_near():
    graph = WaypointGraph([], [])
    assert graph.nearest([(0.0, 0.0)]).tolist() == [-1]
    assert repr(graph) == "<WaypointGraph of 0 waypoints and 0 edges>"


def test_what_is_given_is_copied_and_cannot_be_changed():
    points = np.zeros((2, 2))
    points[1] = 1.0
    graph = WaypointGraph(points, [(0, 1)])
    points[:] = 7.0
    assert graph.points.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    with pytest.raises(ValueError, match="read-only"):
        graph.cost[0] = 2.0


PAIR = [(0.0, 0.0), (1.0, 0.0)]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (([(0.0, math.nan)], []), "points"),
        (([0.0, 1.0], []), "points"),
        (([(1e9, 0.0)], []), "points"),
        ((PAIR, [(0, 2)]), r"edges\[0\]"),
        ((PAIR, [(0, 1), (-1, 0)]), r"edges\[1\]"),
        ((PAIR, [(0.0, 1.0)]), "edges"),
        ((PAIR, [(0, 1, 1)]), "edges"),
        ((PAIR, [0, 1]), "edges"),
        ((PAIR, [(1, 1)]), "its own waypoint"),
        ((PAIR, [(0, 1)], [0.0]), r"cost\[0\]"),
        ((PAIR, [(0, 1)], [-1.0]), r"cost\[0\]"),
        ((PAIR, [(0, 1)], [math.nan]), "cost"),
        ((PAIR, [(0, 1)], [math.inf]), "cost"),
        ((PAIR, [(0, 1)], [1.0, 2.0]), "cost"),
        (([(0.0, 0.0)] * 2, [(0, 1)]), "one place"),
        ((PAIR, [("a", "b")]), "edges"),
        ((PAIR, [(2**70, 0)]), "edges"),
    ],
)
def test_misuse_is_refused_by_name(arguments, word):
    with pytest.raises(InputError, match=word):
        WaypointGraph(*arguments)


@pytest.mark.parametrize(
    ("method", "arguments", "word"),
    [
        ("close", [[1]], r"edges\[0\] is 1"),
        ("open", [[0.5]], "edges"),
        ("edges_at", [[-1]], "waypoints"),
        ("without", [[5]], "waypoints"),
        ("nearest", [[(0.0, 0.0, 0.0)]], "points"),
        ("nearest", [[(0.0, math.nan)]], "points"),
        ("nearest", [[(0.0, 0.0)], -1.0], "max_distance"),
        ("nearest", [[(0.0, 0.0)], math.nan], "max_distance"),
    ],
)
def test_misuse_of_methods_is_refused_by_name(method, arguments, word):
    with pytest.raises(InputError, match=word):
        getattr(WaypointGraph(PAIR, [(0, 1)]), method)(*arguments)


def test_a_graph_without_waypoints_begins_to_count_anew():
    graph = WaypointGraph([(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 2)])
    graph.close([1])
    rest = graph.without(waypoints=[0])
    assert (rest.version, rest.closed.tolist()) == (0, [True])
