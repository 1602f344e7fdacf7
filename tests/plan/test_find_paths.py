"""Many queries at once get the answers that they get one by one."""

from __future__ import annotations

import numpy as np
import pytest
from made_grids import check_steps, random_grid

from headway.errors import InputError
from headway.plan import find_paths as module
from headway.plan.a_star import a_star
from headway.plan.find_paths import find_paths
from headway.plan.jump_points import QUEUE, jump_point_search, work_arrays
from headway.plan.path import DIAGONAL, Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid


def queries_on(grid: Grid, rng: np.random.Generator, count: int) -> np.ndarray:
    """Starts and goals anywhere, some blocked and some a little off the map."""
    return rng.integers((-1, -1), (grid.rows + 1, grid.columns + 1), (2, count, 2))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("blocked", [0.0, 0.3, 0.45])
def test_a_batch_answers_as_single_queries_do(blocked: float, workers: int) -> None:
    rng = np.random.default_rng(int(100 * blocked))
    grid = random_grid(rng, blocked, 50, 70)
    starts, goals = queries_on(grid, rng, 200)
    paths = find_paths(grid, starts, goals, workers=workers)
    assert len(paths) == len(list(paths)) == 200
    for start, goal, path in zip(starts.tolist(), goals.tolist(), paths, strict=True):
        single = jump_point_search(grid, start, goal)
        assert (path.status, path.reason, path.length) == (
            single.status, single.reason, single.length,
        )  # fmt: skip
        assert path.cells.tobytes() == single.cells.tobytes()
        assert path.points.tobytes() == single.points.tobytes()
        assert path.expanded == single.expanded
    assert {path.status for path in paths} >= {Status.FOUND, Status.OUT_OF_BOUNDS}


@pytest.mark.parametrize("rule", list(CornerRule))
def test_terrain_and_other_rules_are_answered_too(rule: CornerRule) -> None:
    rng = np.random.default_rng(5)
    free = rng.random((20, 20)) > 0.25
    for cost in (None, rng.uniform(1.0, 5.0, (20, 20))):
        grid = Grid(free, cost)
        starts, goals = queries_on(grid, rng, 30)
        paths = find_paths(grid, starts, goals, rule=rule)
        for start, goal, path in zip(starts.tolist(), goals.tolist(), paths, strict=True):
            single = a_star(grid, start, goal, rule)
            assert path.status == single.status
            assert path.cost == pytest.approx(single.cost, rel=1e-12)
            if path.found:
                check_steps(grid, path, rule)


def test_arrays_that_are_too_small_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    grid = random_grid(rng, 0.35, 60, 60)
    starts, goals = queries_on(grid, rng, 150)
    before = find_paths(grid, starts, goals)
    work = work_arrays(grid)
    work[QUEUE] = work[QUEUE][:1].copy()
    grid.spare["jps"] = [work]
    monkeypatch.setattr(module, "CELLS_TO_BEGIN_WITH", 3)
    after = find_paths(grid, starts, goals)
    assert after.cells.tobytes() == before.cells.tobytes()
    assert after.length.tobytes() == before.length.tobytes()


def test_one_goal_stands_for_all_and_none_is_no_query() -> None:
    grid = Grid(np.ones((3, 9)))
    paths = find_paths(grid, [(0, 0), (0, 4), (0, 8)], (0, 8))
    assert paths.length.tolist() == [8.0, 4.0, 0.0]
    assert paths.found.tolist() == [True, True, True]
    assert paths[2].status == Status.ALREADY_THERE
    assert paths[-2].length == 4.0
    empty = find_paths(grid, np.empty((0, 2), int), np.empty((0, 2), int))
    assert len(empty) == 0
    assert empty.cells.shape == (0, 2)
    with pytest.raises(IndexError):
        paths[3]


@pytest.mark.parametrize(
    ("starts", "goals", "said"),
    [
        ([(0.5, 0)], [(0, 0)], "starts must be pairs of whole numbers"),
        ([(0, 0)], [(0, 0, 0)], "goals must be pairs"),
        ([(0, 0)] * 2, [(0, 0)] * 3, "2 starts and 3 goals"),
        ([(0, 0)], np.zeros((2, 4), int), r"goals must be pairs .* shape \(2, 4\)"),
        (np.zeros((3, 2, 2), int), [(0, 0)], r"shape \(3, 2, 2\)"),
        ((0, 0, 1, 1), [(0, 0)], r"shape \(4,\)"),
    ],
)
def test_what_are_no_queries_is_refused(starts: object, goals: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        find_paths(Grid(np.ones((2, 2))), starts, goals)  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [0, -1, 1.5, "two", None])
def test_workers_are_a_whole_number(workers: object) -> None:
    with pytest.raises(InputError, match="workers is"):
        find_paths(Grid([[1, 1]]), [(0, 0)], [(0, 1)], workers=workers)  # type: ignore[arg-type]


def test_ways_longer_than_expected_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    comb = np.ones((41, 41), bool)
    comb[1::4, :-1] = False
    comb[3::4, 1:] = False
    starts, goals = [(0, 0), (40, 0), (0, 0)], [(40, 0), (0, 0), (0, 9)]
    expected = find_paths(Grid(comb), starts, goals)
    monkeypatch.setattr(module, "highest_cost", lambda grid: 200 * DIAGONAL)
    paths = find_paths(Grid(comb), starts, goals)
    assert paths.length.tolist() == expected.length.tolist() == [840.0, 840.0, 9.0]
    assert paths.cells.tobytes() == expected.cells.tobytes()


def test_queries_far_off_the_map_do_not_come_in_again_on_its_other_side() -> None:
    grid = Grid(np.ones((5, 6)))
    paths = find_paths(grid, (0, 0), [(1, 9), (2, -3), (-4, 2), (300, 2)])
    assert [path.status for path in paths] == [Status.OUT_OF_BOUNDS] * 4
