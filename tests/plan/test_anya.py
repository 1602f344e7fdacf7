from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from any_angle_oracle import KINDS, invalid_pieces, small_map, some_queries, visibility_graph
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from headway.errors import InputError
from headway.plan import anya as module
from headway.plan.anya import anya
from headway.plan.path import Status
from headway.world.grid import Grid

MAPS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=8), fill=st.just(True))


def check_all_pairs(free, most):
    """Compare each query, or as many as asked for, with the visibility graph; return how many."""
    grid = Grid(free)
    cells, shortest = visibility_graph(free)
    queries = list(product(range(len(cells)), repeat=2))
    rng = np.random.default_rng(len(queries))
    for k in rng.permutation(len(queries))[:most]:
        i, j = queries[k]
        path = anya(grid, cells[i], cells[j])
        expected = shortest[i, j]
        assert path.found == np.isfinite(expected)
        if path.found:
            assert path.length == pytest.approx(expected, abs=1e-9)
            assert path.cells[0].tolist() == cells[i].tolist()
            assert path.cells[-1].tolist() == cells[j].tolist()
            assert invalid_pieces(free, path.cells) == []
            pieces = np.hypot(*np.diff(path.cells, axis=0).T)
            assert path.length == path.cost == pytest.approx(pieces.sum(), abs=1e-9)
    return min(len(queries), most)


@settings(max_examples=60)
@given(MAPS)
def test_paths_are_the_shortest_of_a_visibility_graph(free):
    check_all_pairs(free, 60)


@pytest.mark.parametrize("kind", KINDS)
def test_paths_are_the_shortest_on_maps_of_every_kind(kind):
    assert sum(check_all_pairs(small_map(kind, seed), 60) for seed in range(30)) > 500


def test_it_squeezes_between_two_corners_that_touch():
    free = np.ones((5, 5), bool)
    free[1, 1] = free[3, 3] = False
    path = anya(Grid(free), (0, 4), (4, 0))
    assert path.cells.tolist() == [[0, 4], [4, 0]]
    free[2, 2] = False
    assert len(anya(Grid(free), (0, 4), (4, 0)).cells) > 2


def test_lanes_as_wide_as_a_cell_are_walked():
    free = np.zeros((7, 7), bool)
    free[0, :] = free[:, 6] = free[6, :] = free[2:, 0] = free[2, 0:4] = True
    path = anya(Grid(free), (0, 0), (2, 3))
    assert path.cells.tolist() == [[0, 0], [0, 6], [6, 6], [6, 0], [2, 0], [2, 3]]


def test_real_maps(data_folder):
    tried = 0
    for name, grid, queries in some_queries(data_folder, 8):
        for start, goal, octile in queries:
            path = anya(grid, start, goal)
            back = anya(grid, goal, start)
            assert path.length <= octile * (1.0 + 1e-5) + 0.01, (name, start, goal)
            assert path.length == pytest.approx(back.length, rel=1e-12)
            assert path.length >= np.hypot(*np.subtract(start, goal)) * (1.0 - 1e-12)
            assert invalid_pieces(grid.free, path.cells) == [], (name, start, goal)
            tried += 1
    if not tried:
        pytest.skip("no MovingAI maps in the data folder")


def test_it_makes_room_for_more_cones():
    rng = np.random.default_rng(5)
    grid = Grid(rng.random((40, 40)) >= 0.2)
    grid.set([(0, 0), (39, 39)], free=True)
    expected = anya(grid, (0, 0), (39, 39))
    grid.spare["anya"] = [module._work_arrays(grid, 1)]
    path = anya(grid, (0, 0), (39, 39))
    assert path.found
    assert path.cells.tolist() == expected.cells.tolist()
    assert path.expanded == expected.expanded
    assert len(grid.spare["anya"][0][0]) > 1


def test_a_query_leaves_nothing_behind_for_the_next():
    rng = np.random.default_rng(2)
    grid = Grid(rng.random((30, 30)) >= 0.25)
    for _ in range(60):
        cells = np.argwhere(grid.free)
        start, goal = cells[rng.integers(len(cells), size=2)]
        used, fresh = anya(grid, start, goal), anya(Grid(grid.free), start, goal)
        assert (used.status, used.length) == (fresh.status, fresh.length)
        assert used.cells.tolist() == fresh.cells.tolist()
        grid.set(rng.integers(30, size=(3, 2)), free=bool(rng.integers(2)))


def test_why_there_is_no_path():
    grid = Grid([[1, 1, 0, 1]])
    assert anya(grid, (0, 0), (0, 3)).status == Status.UNREACHABLE
    assert anya(grid, (0, 2), (0, 3)).status == Status.START_BLOCKED
    assert anya(grid, (0, 0), (0, 2)).status == Status.GOAL_BLOCKED
    assert anya(grid, (0, 0), (9, 9)).status == Status.OUT_OF_BOUNDS
    there = anya(grid, (0, 1), (0, 1))
    assert (there.status, there.length) == (Status.ALREADY_THERE, 0.0)


def test_a_door_that_closes_and_opens_again():
    grid = Grid(np.ones((9, 9)))
    grid.fill((0, 4), (9, 1), free=False)
    assert anya(grid, (4, 0), (4, 8)).status == Status.UNREACHABLE
    grid.set([(8, 4)], free=True)
    assert anya(grid, (4, 0), (4, 8)).length == pytest.approx(12.0)
    grid.set([(8, 4)], free=False)
    assert anya(grid, (4, 0), (4, 8)).status == Status.UNREACHABLE


def test_metres_and_trace():
    grid = Grid(np.ones((4, 5)), cell_size=0.5, origin=(10.0, 20.0))
    path = anya(grid, (0, 0), (3, 4), trace=True)
    assert path.length == path.cost == 2.5
    np.testing.assert_allclose(path.points, [(10.25, 20.25), (12.25, 21.75)])
    assert path.searched is not None
    assert {(0, 0), (3, 4)} <= set(map(tuple, path.searched.tolist()))
    assert anya(grid, (0, 0), (3, 4)).searched is None


def test_terrain_cost_is_refused():
    with pytest.raises(InputError, match="straighten"):
        anya(Grid([[1, 1]], [[1.0, 2.0]]), (0, 0), (0, 1))
