"""Joined paths against SciPy's Dijkstra on the union of grid and graph, built edge by edge."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from headway.errors import InputError
from headway.plan.joined import find_joined_path
from headway.plan.path import Status
from headway.world.grid import Grid
from headway.world.waypoint_graph import WaypointGraph

NEEDED = {"never_cut": 2, "one_free": 1, "always": 0, "no_diagonal": 3}


def joined_edges(grid, graph, gates, rule, height=0.0):
    """{(node, node): cost} of the union; cells are (row, column), waypoints their numbers."""
    edges = {}
    price = np.ones(grid.shape) if grid.cost is None else grid.cost

    def add(a, b, cost):
        edges[a, b] = min(cost, edges.get((a, b), math.inf))

    for r, c in np.argwhere(grid.free):
        for r2, c2 in [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]:
            beside = grid.is_free((r, c2)) + grid.is_free((r2, c))
            diagonal = r != r2 and c != c2
            if grid.is_free((r2, c2)) and not (diagonal and beside < NEEDED[rule]):
                step = math.hypot(r - r2, c - c2) * grid.cell_size
                add((r, c), (r2, c2), step * (price[r, c] + price[r2, c2]) / 2)
    for (a, b), cost, closed in zip(graph.edges.tolist(), graph.cost, graph.closed, strict=True):
        if not closed:
            add(a, b, cost)
            if not graph.directed:
                add(b, a, cost)
    for gate in gates:
        x, y, *z = graph.points[gate]
        ((r, c),) = grid.cells_at([(x, y)])
        if grid.is_free((r, c)):
            centre = grid.centres([(r, c)])[0]
            away = math.dist((x, y, *z), (*centre, *[height][: len(z)])) * price[r, c]
            add(gate, (r, c), away)
            add((r, c), gate, away)
    return edges


def least_cost(edges, start, goal):
    nodes = {node: i for i, node in enumerate({n for pair in edges for n in pair} | {start, goal})}
    ends = np.array([[nodes[a], nodes[b]] for a, b in edges]).reshape(-1, 2)
    cost = np.array(list(edges.values()))
    matrix = coo_array((cost, ends.T), shape=(len(nodes), len(nodes))).tocsr()
    return dijkstra(matrix, indices=nodes[start])[nodes[goal]]


def cost_of_legs(grid, path):
    """The cost of a path by its points and legs, and whether each step is one of the union."""
    total = 0.0
    for leg in path.legs:
        total += leg.path.cost
    for before, after in pairwise(path.legs):
        on_grid, off_grid = (before, after) if before.kind == "grid" else (after, before)
        at_end = on_grid is before
        cell = on_grid.path.cells[-1 if at_end else 0]
        waypoint = off_grid.path.points[0 if at_end else -1]
        assert grid.cells_at([waypoint[:2]])[0].tolist() == cell.tolist()
        price = 1.0 if grid.cost is None else grid.cost[tuple(cell)]
        off = math.hypot(*(waypoint[:2] - grid.centres([cell])[0]))
        rise = waypoint[2] if len(waypoint) == 3 else 0.0
        total += math.hypot(off, rise) * price
    return total


@st.composite
def worlds(draw):
    """A small map, a graph that reaches over its edge, and a query between cells or waypoints."""
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    size, origin = draw(st.sampled_from([(1.0, (0.0, 0.0)), (0.3, (-2.0, 5.0))]))
    free = random.random((rows, columns)) < draw(st.sampled_from([0.4, 0.6, 0.9]))
    cost = random.uniform(0.5, 4.0, free.shape) if draw(st.booleans()) else None
    grid = Grid(free, cost, cell_size=size, origin=origin)
    count, dimensions = draw(st.integers(1, 8)), draw(st.sampled_from([2, 3]))
    points = random.uniform(-0.2, 1.2, (count, dimensions)) * [columns, rows, 1][:dimensions]
    points[:, :2] = points[:, :2] * size + origin
    edges = random.integers(0, count, (draw(st.integers(0, 14)), 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    price = random.uniform(0.05, 3.0, len(edges)) if draw(st.booleans()) else None
    graph = WaypointGraph(points, edges, price, directed=draw(st.booleans()))
    graph.close(np.flatnonzero(random.random(len(edges)) < 0.2))
    ends = []
    for _ in range(2):
        cell = (int(random.integers(rows)), int(random.integers(columns)))
        ends.append(int(random.integers(count)) if draw(st.integers(0, 3)) == 0 else cell)
    return grid, graph, ends


@settings(max_examples=150)
@given(world=worlds(), rule=st.sampled_from(list(NEEDED)), chosen=st.booleans())
def test_cost_is_that_of_dijkstra_on_the_union(world, rule, chosen):
    grid, graph, (start, goal) = world
    on_map = np.flatnonzero(grid.contains(grid.cells_at(graph.points[:, :2])))
    gates = on_map[::2] if chosen else None
    expected_gates = on_map[::2].tolist() if chosen else on_map.tolist()
    if not chosen and graph.points.shape[1] == 3:
        expected_gates = [
            i for i in expected_gates if abs(graph.points[i, 2]) <= grid.cell_size / 2
        ]

    def as_given(end):
        return end if isinstance(end, int) else grid.centres([end])[0] + 0.2 * grid.cell_size

    path = find_joined_path(grid, graph, as_given(start), as_given(goal), gates, rule=rule)
    for end, status in ((start, Status.START_BLOCKED), (goal, Status.GOAL_BLOCKED)):
        if not isinstance(end, int) and not grid.is_free(end):
            assert path.status == status
            return
    edges = joined_edges(grid, graph, expected_gates, rule)
    expected = least_cost(edges, start, goal)
    if math.isinf(expected):
        assert path.status == Status.UNREACHABLE
        assert (path.legs, len(path.points), path.cost) == ([], 0, math.inf)
        return
    assert path.found
    assert path.cost == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert cost_of_legs(grid, path) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    for leg in path.legs:
        if leg.kind == "grid":
            cells = [tuple(cell) for cell in leg.path.cells.tolist()]
            assert all(pair in edges for pair in pairwise(cells))
    walked = np.sqrt((np.diff(path.points, axis=0) ** 2).sum(axis=1))
    assert (walked > 0.0).all()
    assert path.length == pytest.approx(walked.sum(), abs=1e-12)


def river():
    free = np.ones((9, 11), bool)
    free[:, 4:7] = False
    return Grid(free)


def bridge(**kwargs):
    """A bridge whose middle is above the river, and a stair beside its west end that leads up."""
    points = [(3.5, 2.5, 0.0), (5.5, 2.5, 3.0), (7.5, 2.5, 0.0), (3.5, 8.5, 6.0)]
    return WaypointGraph(points, [(0, 1), (1, 2), (0, 3)], **kwargs)


def test_over_a_bridge_and_back_to_the_grid():
    path = find_joined_path(river(), bridge(), (0.5, 2.5), (10.5, 2.5))
    assert [leg.kind for leg in path.legs] == ["grid", "waypoints", "grid"]
    assert path.legs[1].path.waypoints.tolist() == [0, 1, 2]
    assert path.length == pytest.approx(6.0 + 2.0 * math.hypot(2.0, 3.0))
    assert path.points[:, 2].max() == 3.0
    assert path.status == "found"


def test_a_waypoint_on_an_upper_floor_is_no_gate_unless_it_is_named():
    grid, graph = river(), bridge()
    graph.close([0, 1])
    assert find_joined_path(grid, graph, (0.5, 8.5), 3).length > 14.0
    named = find_joined_path(grid, graph, (3.5, 8.5), 3, gates=[0, 3])
    assert named.length == pytest.approx(6.0)


def test_an_agent_on_the_bridge_finds_its_way_off():
    path = find_joined_path(river(), bridge(), 1, (10.5, 2.5))
    assert [leg.kind for leg in path.legs] == ["waypoints", "grid"]
    there = find_joined_path(river(), bridge(), 1, 1)
    assert there.status == Status.ALREADY_THERE
    assert there.points.tolist() == [[5.5, 2.5, 3.0]]


def test_gates_and_edges_that_change_are_noticed_at_once():
    grid, graph = river(), bridge()
    query = (grid, graph, (0.5, 2.5), (10.5, 2.5))
    assert find_joined_path(*query).found
    grid.set([(2, 7)], free=False)
    assert find_joined_path(*query).status == Status.UNREACHABLE
    grid.set([(2, 7)], free=True)
    assert find_joined_path(*query).found
    graph.close([1])
    assert find_joined_path(*query).status == Status.UNREACHABLE
    grid.fill((8, 4), (1, 3), free=True)
    assert [leg.kind for leg in find_joined_path(*query).legs] == ["grid"]


def test_a_graph_without_waypoints_leaves_the_grid():
    path = find_joined_path(Grid(np.ones((3, 4))), WaypointGraph([], []), (0.5, 0.5), (3.5, 2.5))
    assert path.length == pytest.approx(1.0 + 2.0 * math.sqrt(2.0))


def test_failures_say_why():
    grid, graph = river(), bridge()
    off = find_joined_path(grid, graph, (-1.0, 0.5), (10.5, 2.5))
    assert (off.status, off.found) == (Status.OUT_OF_BOUNDS, False)
    assert off.reason == "the start (x -1 m, y 0.5 m) lies off the map"
    blocked = find_joined_path(grid, graph, (0.5, 0.5), (5.5, 2.5))
    assert blocked.status == Status.GOAL_BLOCKED
    assert "(2, 5)" in blocked.reason


@pytest.mark.parametrize(
    ("arguments", "options", "word"),
    [
        (((0.5, 0.5, 0.0), (1.5, 0.5)), {}, "start"),
        (((0.5, 0.5), (math.nan, 0.5)), {}, "goal"),
        (((0.5, 0.5), "here"), {}, "goal"),
        ((9, (0.5, 0.5)), {}, "start"),
        (((0.5, 0.5), -1), {}, "goal"),
        (((0.5, 0.5), (1.5, 0.5), [4]), {}, "gates"),
        (((0.5, 0.5), (1.5, 0.5), [0.5]), {}, "gates"),
        (((0.5, 0.5), (1.5, 0.5)), {"rule": "sometimes"}, "rule"),
        (((0.5, 0.5), (1.5, 0.5)), {"height": math.inf}, "height"),
    ],
)
def test_misuse_is_refused_by_name(arguments, options, word):
    with pytest.raises(InputError, match=word):
        find_joined_path(river(), bridge(), *arguments, **options)


def test_a_gate_off_the_map_is_refused():
    graph = WaypointGraph([(0.5, 0.5), (50.0, 0.5)], [(0, 1)])
    with pytest.raises(InputError, match="waypoint 1"):
        find_joined_path(river(), graph, (0.5, 0.5), (1.5, 0.5), gates=[0, 1])


def lane(cost=1.0):
    """One row of cells, from (0.5, 0.5) to (10.5, 0.5)."""
    return Grid(np.ones((1, 11)), None if cost == 1.0 else np.full((1, 11), cost))


ENDS = (0.5, 0.5), (10.5, 0.5)


def test_cheap_ground_before_the_first_gate_is_counted_as_cheap():
    graph = WaypointGraph([(6.5, 0.5), (9.5, 0.5)], [(0, 1)], [0.1])
    assert find_joined_path(lane(0.5), graph, *ENDS).cost == pytest.approx(3.6)


def test_edges_cheaper_than_their_length_are_worth_a_long_way_round():
    graph = WaypointGraph([(2.5, 0.5), (5.5, 50.5), (8.5, 0.5)], [(0, 1), (1, 2)], [0.1, 0.1])
    assert find_joined_path(lane(), graph, *ENDS).cost == pytest.approx(4.2)


def test_a_graph_with_more_waypoints_gets_more_room():
    grid = lane()
    for count in (2, 4):
        points = [(2.5 + column, 0.5) for column in range(count)]
        graph = WaypointGraph(points, [(0, count - 1)], [0.1])
        path = find_joined_path(grid, graph, *ENDS)
        assert path.cost == pytest.approx(10.0 - (count - 1) + 0.1)
        assert len(grid.spare["joined"][-1][0]) >= len(grid.padded_free) + count


def test_gates_lie_at_the_height_of_the_grid():
    points = [(x, 0.5, z) for z in (0.0, 3.0) for x in (2.5, 8.5)]
    query = lane(), WaypointGraph(points, [(0, 1), (2, 3)], [0.5, 0.25]), *ENDS
    assert find_joined_path(*query).cost == pytest.approx(4.5)
    high = find_joined_path(*query, height=3.0)
    assert high.cost == pytest.approx(4.25)
    assert (high.points[:, 2] == 3.0).all()
    between = find_joined_path(*query, gates=[2, 3], height=2.0)
    assert between.cost == pytest.approx(6.25)
