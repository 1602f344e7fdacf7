"""Lines of sight against exact fractions, and shortest ways round corners against brute force."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.plan.graph_search import shortest_path
from headway.world.grid import Grid
from headway.world.visibility import clear_line, corner_points, visible, visible_pairs
from headway.world.waypoint_graph import WaypointGraph


def touches(a, b, row, column):
    """Whether the line from a to b, in cells, meets a closed square: Liang and Barsky, exactly."""
    first, last = Fraction(0), Fraction(1)
    for start, end, low in ((a[0], b[0], column), (a[1], b[1], row)):
        step = Fraction(end) - Fraction(start)
        if step == 0:
            if not low <= start <= low + 1:
                return False
            continue
        times = sorted((low + side - Fraction(start)) / step for side in (0, 1))
        first, last = max(first, times[0]), min(last, times[1])
    return first <= last


def sees(free, a, b):
    """Whether no blocked cell, nor one of those around the map, meets the line."""
    rows, columns = free.shape
    return not any(
        touches(a, b, r, c)
        for r in range(-1, rows + 1)
        for c in range(-1, columns + 1)
        if not (0 <= r < rows and 0 <= c < columns and free[r, c])
    )


@st.composite
def sights(draw):
    """A map, and places on it in sixteenths of a cell: often on corners, edges and centres."""
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    free = random.random((rows, columns)) < draw(st.sampled_from([0.5, 0.8, 0.95]))
    part = draw(st.sampled_from([1, 2, 4, 16]))
    places = random.integers(0, np.array([columns, rows]) * part + 1, (9, 2)) / part
    return free, places


@settings(max_examples=40)
@given(sights())
def test_visible_pairs_are_those_of_exact_arithmetic(sight):
    free, places = sight
    expected = [
        [i, j] for i, j in combinations(range(len(places)), 2) if sees(free, places[i], places[j])
    ]
    assert visible_pairs(Grid(free), places).tolist() == expected
    scaled = Grid(free, cell_size=0.25, origin=(-8.0, 3.0))
    assert visible_pairs(scaled, places * 0.25 + [-8.0, 3.0]).tolist() == expected


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_lines_between_any_places(seed):
    random = np.random.default_rng(seed)
    free = random.random((12, 9)) < 0.9
    places = random.uniform(0.0, [9.0, 12.0], (10, 2))
    lattice = np.rint(places * 2.0**27) / 2.0**27  # what the places are moved to on 12 rows
    seen = visible(Grid(free), places[:5], places[5:])
    expected = [sees(free, a, b) for a, b in zip(lattice[:5], lattice[5:], strict=True)]
    assert seen.tolist() == expected


def test_a_corner_that_is_only_touched_blocks():
    grid = Grid([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    nudge = 1e-6
    starts = [(0.5, 1.5), (0.5, 1.5 - nudge), (0.0 + nudge, 1.0), (0.0 + nudge, 1.0 - nudge)]
    ends = [(1.5, 0.5), (1.5 - nudge, 0.5), (3.0 - nudge, 1.0), (3.0 - nudge, 1.0 - nudge)]
    assert visible(grid, starts, ends).tolist() == [False, True, False, True]


def test_nobody_looks_between_two_blocks_that_touch():
    grid = Grid([[1, 0], [0, 1]])
    assert visible(grid, [(0.5, 0.5)], [(1.5, 1.5)]).tolist() == [False]


def test_places_off_the_map_and_on_its_edge_see_nothing():
    grid = Grid(np.ones((3, 3)))
    places = [(1.5, 1.5), (1.0, 1.0), (-1.0, 1.0), (3.0, 1.0), (0.0, 0.0), (1e300, -1e300)]
    assert visible_pairs(grid, places).tolist() == [[0, 1]]


@pytest.mark.parametrize("radius", [0.5, 3.0, 50.0])
def test_a_limit_leaves_out_far_pairs_only(radius):
    random = np.random.default_rng(5)
    grid = Grid(random.random((40, 40)) < 0.95, cell_size=0.5)
    places = random.uniform(0.0, 20.0, (150, 2))
    pairs = visible_pairs(grid, places)
    near = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1) <= radius
    assert visible_pairs(grid, places, radius).tolist() == pairs[near].tolist()


def test_long_maps_do_not_overflow():
    free = np.ones((2, 100_000), bool)
    free[1, 99_998] = False
    grid = Grid(free)
    ends = [(99_999.5, 0.5), (99_999.5, 1.5)]
    assert visible(grid, [(0.5, 0.5)] * 2, ends).tolist() == [True, False]


def taut_length(free, start, goal):
    """Shortest way through the free interior, by all corners of blocked cells and exact crossing.

    Ways may run along walls and touch corners, as the limit of ways that stay off them does.
    """
    rows, columns = free.shape

    def crosses(a, b):
        """Whether the line enters the open square of a blocked cell, or leaves the map."""
        steps = sorted({Fraction(0), Fraction(1), *crossings(a, b)})
        for before, after in pairwise(steps):
            x, y = (
                Fraction(p) + (before + after) / 2 * Fraction(q - p)
                for p, q in zip(a, b, strict=True)
            )
            around = [(r, c) for r in cells_beside(y) for c in cells_beside(x)]
            if all(not (0 <= r < rows and 0 <= c < columns and free[r, c]) for r, c in around):
                return True
        return False

    def cells_beside(value):
        return {math.floor(value), math.ceil(value) - 1}

    def crossings(a, b):
        for p, q in zip(a, b, strict=True):
            if p != q:
                for line in range(math.floor(min(p, q)), math.ceil(max(p, q)) + 1):
                    time = (Fraction(line) - Fraction(p)) / (Fraction(q) - Fraction(p))
                    if 0 < time < 1:
                        yield time

    corners = [(float(c), float(r)) for r in range(rows + 1) for c in range(columns + 1)]
    nodes = [start, goal, *corners]
    edges = [
        (i, j) for i, j in combinations(range(len(nodes)), 2) if not crosses(nodes[i], nodes[j])
    ]
    return shortest_path(WaypointGraph(nodes, edges), 0, 1).length


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_corner_points_make_shortest_ways(seed):
    random = np.random.default_rng(seed)
    free = random.random((4, 5)) < 0.7
    start, goal = (0.5, 0.5), (4.5, 3.5)
    free[0, 0] = free[3, 4] = True
    assume(not touching_blocks(free))
    grid = Grid(free)
    places = np.concatenate(([start, goal], corner_points(grid)))
    graph = WaypointGraph(places, visible_pairs(grid, places))
    found = shortest_path(graph, 0, 1).length
    expected = taut_length(free, start, goal)
    assert found == expected or expected <= found <= expected * 1.01


def touching_blocks(free):
    """Whether blocked cells touch by a corner, where only a point without size passes."""
    a, b, c, d = free[:-1, :-1], free[:-1, 1:], free[1:, :-1], free[1:, 1:]
    return bool(((a == d) & (b == c) & (a != b)).any())


def test_corner_points_stand_off_convex_corners_only():
    grid = Grid([[1, 1, 1, 1], [1, 0, 0, 1], [1, 0, 1, 1], [1, 1, 1, 1]], cell_size=2.0)
    points = corner_points(grid, offset=0.5).tolist()
    corners = [(1, 1, -1, -1), (3, 1, 1, -1), (1, 3, -1, 1), (2, 3, 1, 1), (3, 2, 1, 1)]
    expected = [[2.0 * x + 0.5 * dx, 2.0 * y + 0.5 * dy] for x, y, dx, dy in corners]
    assert sorted(points) == sorted(expected)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda grid: visible_pairs(grid, [(0.0, math.nan)]), "points"),
        (lambda grid: visible_pairs(grid, [(0.0, 0.0, 0.0)]), "points"),
        (lambda grid: visible_pairs(grid, [(0.0, 0.0)], 0.0), "radius"),
        (lambda grid: visible(grid, [(0.0, 0.0)], []), "ends"),
        (lambda grid: visible(grid, ["a"], [(0.0, 0.0)]), "starts"),
        (lambda grid: corner_points(grid, 0.5), "offset"),
        (lambda grid: corner_points(grid, math.nan), "offset"),
    ],
)
def test_misuse_is_refused_by_name(call, word):
    with pytest.raises(InputError, match=word):
        call(Grid(np.ones((2, 2))))


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from([1, 2, 3]))
def test_lines_between_points_of_a_coarse_lattice(seed, shift):
    random = np.random.default_rng(seed)
    free = random.random((9, 12)) < 0.9
    grid, steps = Grid(free), 1 << shift
    for ends in random.integers(0, [12 * steps + 1, 9 * steps + 1], (8, 2, 2)):
        (a, b) = ([Fraction(int(at), steps) for at in end] for end in ends)
        found = clear_line(grid.padded_free, grid.stride, shift, *ends.ravel().tolist())
        assert found == sees(free, a, b)
