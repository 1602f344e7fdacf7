from __future__ import annotations

import numpy as np
import pytest
from any_angle_oracle import KINDS, invalid_pieces, small_map, some_queries, visibility_graph

from headway.errors import InputError
from headway.plan.anya import anya
from headway.plan.lazy_theta import lazy_theta_star
from headway.plan.path import Status
from headway.world.grid import Grid


@pytest.mark.parametrize("kind", KINDS)
def test_paths_are_valid_and_nearly_the_shortest(kind):
    ratios = []
    for seed in range(20):
        free = small_map(kind, seed, most=16)
        grid = Grid(free)
        cells, shortest = visibility_graph(free)
        rng = np.random.default_rng(seed)
        for i, j in rng.integers(len(cells), size=(40, 2)):
            path = lazy_theta_star(grid, cells[i], cells[j])
            assert path.found == np.isfinite(shortest[i, j])
            if path.found:
                assert path.cells[[0, -1]].tolist() == [cells[i].tolist(), cells[j].tolist()]
                assert invalid_pieces(free, path.cells) == []
                assert path.length >= shortest[i, j] - 1e-9
                if i != j:
                    ratios.append(path.length / shortest[i, j])
    assert np.mean(ratios) <= 1.005
    assert np.max(ratios) <= 1.13  # no bound is known; this is near the worst of an octile path


def test_real_maps(data_folder):
    ratios = {}
    for name, grid, queries in some_queries(data_folder, 12):
        for start, goal, octile in queries:
            path, best = lazy_theta_star(grid, start, goal), anya(grid, start, goal)
            assert path.length >= best.length - 1e-9, (name, start, goal)
            assert path.length <= octile * (1.0 + 1e-5) + 0.01, (name, start, goal)
            assert invalid_pieces(grid.free, path.cells) == [], (name, start, goal)
            if best.length > 0.0:
                ratios.setdefault(name, []).append(path.length / best.length)
    if not ratios:
        pytest.skip("no MovingAI maps in the data folder")
    assert {name: mean for name in ratios if (mean := np.mean(ratios[name])) > 1.005} == {}


def test_why_there_is_no_path():
    grid = Grid([[1, 1, 0, 1]])
    assert lazy_theta_star(grid, (0, 0), (0, 3)).status == Status.UNREACHABLE
    assert lazy_theta_star(grid, (0, 2), (0, 3)).status == Status.START_BLOCKED
    assert lazy_theta_star(grid, (0, 1), (0, 1)).status == Status.ALREADY_THERE


def test_a_door_that_closes_and_opens_again():
    grid = Grid(np.ones((9, 9)))
    grid.fill((0, 4), (9, 1), free=False)
    assert lazy_theta_star(grid, (4, 0), (4, 8)).status == Status.UNREACHABLE
    grid.set([(8, 4)], free=True)
    assert lazy_theta_star(grid, (4, 0), (4, 8)).length == pytest.approx(12.0)
    grid.set([(8, 4)], free=False)
    assert lazy_theta_star(grid, (4, 0), (4, 8)).status == Status.UNREACHABLE


def test_metres_and_trace():
    grid = Grid(np.ones((4, 5)), cell_size=0.5, origin=(10.0, 20.0))
    path = lazy_theta_star(grid, (0, 0), (3, 4), trace=True)
    assert path.length == path.cost == 2.5
    np.testing.assert_allclose(path.points, [(10.25, 20.25), (12.25, 21.75)])
    assert path.searched is not None
    assert {(0, 0), (3, 4)} <= set(map(tuple, path.searched.tolist()))


def test_terrain_cost_is_refused():
    with pytest.raises(InputError, match="straighten"):
        lazy_theta_star(Grid([[1, 1]], [[1.0, 2.0]]), (0, 0), (0, 1))


def test_it_looks_towards_the_goal():
    path = lazy_theta_star(Grid(np.ones((40, 40))), (20, 5), (20, 34))
    assert path.length == 29.0
    assert path.expanded < 100
