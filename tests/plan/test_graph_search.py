"""Shortest paths on waypoint graphs against SciPy's Dijkstra."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import KDTree

from headway.errors import InputError
from headway.plan.graph_search import distances_from, shortest_path, shortest_paths
from headway.plan.path import Status
from headway.world.waypoint_graph import WaypointGraph


def costs(graph):
    """(N, N) least costs between all waypoints."""
    best = {}
    ends = graph.edges.tolist()
    for (a, b), cost, closed in zip(ends, graph.cost, graph.closed, strict=True):
        for pair in [(a, b)] if graph.directed else [(a, b), (b, a)]:
            if not closed:
                best[pair] = min(cost, best.get(pair, math.inf))
    count = len(graph.points)
    pairs = np.array(list(best)).reshape(-1, 2)
    matrix = coo_array((list(best.values()), pairs.T), shape=(count, count))
    return dijkstra(matrix.tocsr())


@st.composite
def graphs(draw):
    """A random graph whose edges may cost less than their length, and some are closed."""
    count = draw(st.integers(1, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    points = random.uniform(0.0, 10.0, (count, draw(st.sampled_from([2, 3]))))
    edges = random.integers(0, count, (count * draw(st.integers(0, 3)), 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    length = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    low, high = draw(st.sampled_from([(1.0, 1.0), (1.0, 3.0), (0.01, 2.0)]))
    cost = length * random.uniform(low, high, len(edges)) + 1e-6
    graph = WaypointGraph(points, edges, cost, directed=draw(st.booleans()))
    graph.close(np.flatnonzero(random.random(len(edges)) < draw(st.sampled_from([0.0, 0.2]))))
    return graph


def check(graph, path, start, goal, expected):
    if math.isinf(expected):
        assert path.status == Status.UNREACHABLE
        assert (len(path.waypoints), path.length, path.cost) == (0, math.inf, math.inf)
        return
    assert path.found
    assert path.cost == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert (path.waypoints[0], path.waypoints[-1]) == (start, goal)
    assert path.points.tolist() == graph.points[path.waypoints].tolist()
    assert not graph.closed[path.edges].any()
    steps = np.stack((path.waypoints[:-1], path.waypoints[1:]), axis=1)
    given_ends = graph.edges[path.edges]
    forward = (given_ends == steps).all(axis=1)
    backward = (given_ends[:, ::-1] == steps).all(axis=1) & (not graph.directed)
    assert (forward | backward).all()
    assert path.length == pytest.approx(graph.length[path.edges].sum())


@settings(max_examples=80)
@given(graphs())
def test_costs_are_those_of_scipy(graph):
    expected = costs(graph)
    count = len(graph.points)
    queries = [(start, goal) for start in range(min(count, 3)) for goal in range(count)]
    starts, goals = np.array(queries).T
    for algorithm in ("astar", "dijkstra"):
        paths = shortest_paths(graph, starts, goals, algorithm)
        for path, start, goal in zip(paths, starts, goals, strict=True):
            check(graph, path, start, goal, expected[start, goal])
    tree = distances_from(graph, count - 1)
    assert tree.cost == pytest.approx(expected[count - 1], rel=1e-12)
    for goal in range(count):
        check(graph, tree.path_to(goal), count - 1, goal, expected[count - 1, goal])


@settings(max_examples=40)
@given(graphs(), st.integers(0, 2**32))
def test_doors_that_close_and_open_again(graph, seed):
    random = np.random.default_rng(seed)
    for _ in range(5):
        if len(graph.edges):
            some = random.integers(0, len(graph.edges), 3)
            graph.close(some) if random.random() < 0.5 else graph.open(some)
        start, goal = random.integers(0, len(graph.points), 2).tolist()
        check(graph, shortest_path(graph, start, goal), start, goal, costs(graph)[start, goal])


def test_a_large_graph_and_that_astar_looks_less_far():
    random = np.random.default_rng(3)
    points = random.uniform(0.0, 100.0, (3000, 2))
    near = KDTree(points).query_pairs(3.5, output_type="ndarray")
    graph = WaypointGraph(points, near)
    matrix = coo_array((graph.cost, graph.edges.T), shape=(3000, 3000)).tocsr()
    expected = dijkstra(matrix, directed=False, indices=7)
    assert distances_from(graph, 7).cost == pytest.approx(expected, rel=1e-12)
    goals = np.arange(0, 3000, 100)
    looked = {}
    for algorithm in ("astar", "dijkstra"):
        paths = shortest_paths(graph, np.full(30, 7), goals, algorithm)
        assert [path.cost for path in paths] == pytest.approx(expected[goals], rel=1e-12)
        looked[algorithm] = sum(path.expanded for path in paths if path.found)
    assert looked["astar"] < 0.4 * looked["dijkstra"]


def test_statuses_say_why():
    graph = WaypointGraph([(0, 0), (1, 0), (5, 5)], [(0, 1)])
    same = shortest_path(graph, 2, 2)
    assert (same.status, same.waypoints.tolist()) == (Status.ALREADY_THERE, [2])
    assert (same.cost, same.length, same.found) == (0.0, 0.0, True)
    gone = shortest_path(graph, 0, 2, "dijkstra")
    assert gone.status == "unreachable"
    assert gone.reason == "no open edges lead from waypoint 0 to waypoint 2"
    assert not gone.found


def test_the_cheaper_of_parallel_edges_is_taken_while_it_is_open():
    graph = WaypointGraph([(0, 0), (1, 0)], [(0, 1), (1, 0), (0, 1)], [3.0, 1.0, 2.0])
    assert shortest_path(graph, 0, 1).edges.tolist() == [1]
    graph.close([1])
    assert shortest_path(graph, 0, 1).edges.tolist() == [2]


def test_one_way_edges_lead_one_way():
    graph = WaypointGraph([(0, 0), (1, 0)], [(0, 1)], directed=True)
    assert shortest_path(graph, 0, 1).found
    assert shortest_path(graph, 1, 0).status == Status.UNREACHABLE


def test_a_tree_keeps_what_it_found():
    graph = WaypointGraph([(0, 0), (1, 0)], [(0, 1)])
    tree = distances_from(graph, 0)
    graph.close([0])
    assert tree.path_to(1).cost == 1.0
    assert distances_from(graph, 0).path_to(1).status == Status.UNREACHABLE


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda graph: shortest_path(graph, -1, 0), "start is -1"),
        (lambda graph: shortest_path(graph, 0, 2), "goal is 2"),
        (lambda graph: shortest_path(graph, 0.5, 1), "start"),
        (lambda graph: shortest_path(graph, 0, 1, "jps"), "algorithm"),
        (lambda graph: shortest_paths(graph, [0], [0, 1]), "as many"),
        (lambda graph: shortest_paths(graph, [0], [9]), r"goals\[0\]"),
        (lambda graph: distances_from(graph, 2), "start"),
        (lambda graph: distances_from(graph, 0).path_to(None), "goal"),
        (lambda graph: shortest_path(WaypointGraph([], []), 0, 0), "start"),
    ],
)
def test_misuse_is_refused_by_name(call, word):
    with pytest.raises(InputError, match=word):
        call(WaypointGraph([(0, 0), (1, 0)], [(0, 1)]))


def test_a_tree_tells_where_no_path_arrives():
    graph = WaypointGraph([(0, 0), (1, 0), (3, 0), (9, 9)], [(0, 1), (1, 2)])
    tree = distances_from(graph, 0)
    assert (tree.via[[0, 3]] == -1).all()
    assert graph.arc_source[tree.via[1:3]].tolist() == [0, 1]
