"""Roadmaps cover the map, connect what cells connect, and shorten routes as they become denser."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import label
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from headway.errors import InputError
from headway.plan.graph_search import shortest_paths
from headway.plan.roadmap import roadmap
from headway.world.grid import Grid
from headway.world.visibility import corner_points, visible, visible_pairs
from headway.world.waypoint_graph import WaypointGraph


def parts_of(graph):
    count = len(graph.points)
    joined = coo_array((np.ones(len(graph.edges)), graph.edges.T), shape=(count, count))
    return connected_components(joined, directed=False)[1]


@settings(max_examples=40)
@given(
    st.integers(0, 2**32),
    st.sampled_from([0.4, 0.65, 0.95]),
    st.sampled_from([0.3, 1.0, 2.5, 7.0, 100.0]),
)
def test_every_cell_sees_a_waypoint_and_connections_are_those_of_cells(seed, density, spacing):
    random = np.random.default_rng(seed)
    grid = Grid(random.random((14, 17)) < density, cell_size=0.5, origin=(3.0, -4.0))
    graph = roadmap(grid, spacing, seed % 1000)
    cells = np.argwhere(grid.free)
    where = grid.cells_at(graph.points)
    assert grid.free[tuple(where.T)].all()
    assert graph.points.tolist() == grid.centres(where).tolist()
    assert len(np.unique(where, axis=0)) == len(where)

    distance = np.linalg.norm(grid.centres(cells)[:, None] - graph.points[None], axis=-1)
    cell, waypoint = np.nonzero(distance <= spacing + 1e-9)
    seen = visible(grid, grid.centres(cells)[cell], graph.points[waypoint])
    assert len(np.unique(cell[seen])) == len(cells)

    regions, _ = label(grid.free)
    pairs = {*zip(regions[tuple(where.T)].tolist(), parts_of(graph).tolist(), strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def test_the_denser_the_shorter():
    random = np.random.default_rng(1)
    free = random.random((64, 64)) > 0.02
    free[20:22, 5:50] = free[40:42, 15:] = False
    grid = Grid(free)
    regions, _ = label(free)
    cells = np.argwhere(regions == np.bincount(regions[free]).argmax())
    ends = grid.centres(cells[random.integers(0, len(cells), 40)])
    places = np.concatenate((ends, corner_points(grid)))
    exact = WaypointGraph(places, visible_pairs(grid, places))
    queries = np.arange(20), np.arange(20, 40)
    shortest = np.array([path.length for path in shortest_paths(exact, *queries)])

    ratios = []
    for spacing in (24.0, 12.0, 6.0, 3.0, 1.5):
        lengths = [
            [path.length for path in shortest_paths(roadmap(grid, spacing, seed, ends), *queries)]
            for seed in range(4)
        ]
        assert (np.array(lengths) > shortest * 0.999).all()
        ratios.append(float((np.mean(lengths, axis=0) / shortest).mean()))
    assert all(after < before * 1.02 for before, after in pairwise(ratios))
    assert ratios[0] > 1.2
    assert ratios[-1] < 1.05


def test_places_to_go_through_come_first():
    grid = Grid(np.ones((9, 9)))
    places = [(4.2, 4.9), (4.9, 4.2), (0.5, 8.5)]
    graph = roadmap(grid, 50.0, through=places)
    assert graph.points[:3].tolist() == [[4.5, 4.5], [4.5, 4.5], [0.5, 8.5]]
    assert len(set(parts_of(roadmap(grid, 3.0, through=places[1:])))) == 1


def test_the_same_seed_gives_the_same_roadmap():
    grid = Grid(np.random.default_rng(0).random((30, 30)) < 0.8)
    first, again, other = (roadmap(grid, 4.0, seed) for seed in (5, 5, 6))
    assert first.points.tolist() == again.points.tolist()
    assert first.edges.tolist() == again.edges.tolist()
    assert first.points.tolist() != other.points.tolist()


def test_a_map_without_free_cells_has_no_waypoints():
    assert len(roadmap(Grid(np.zeros((3, 3))), 1.0).points) == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((0.0,), "spacing"),
        ((np.nan,), "spacing"),
        ((1.0, 0, [(0.5, 0.5), (1.5, 0.5)]), r"through\[1\]"),
        ((1.0, 0, [(0.5, 9.5)]), r"through\[0\]"),
        ((1.0, 0, [0.5]), "points"),
    ],
)
def test_misuse_is_refused_by_name(arguments, word):
    with pytest.raises(InputError, match=word):
        roadmap(Grid([[1, 0]]), *arguments)


@pytest.mark.parametrize("spacing", ["a", None, 0.0, -1.0, np.inf])
def test_a_spacing_that_is_none_is_refused(spacing) -> None:
    with pytest.raises(InputError, match="spacing"):
        roadmap(Grid([[1, 1]]), spacing)
