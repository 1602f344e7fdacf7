"""Published shortest lengths: MovingAI maps and scenarios, and a world that changes in between."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from conftest import find_data_folder
from headway.bench.scenarios import Find, run_replay, run_scenarios
from headway.plan.dstar_lite import DStarLite
from headway.plan.field import distance_field
from headway.plan.find_path import find_path
from headway.plan.find_paths import Paths, find_paths
from headway.plan.jump_points import jump_point_search
from headway.world.grid import Grid
from headway.world.movingai import Scenarios, read_movingai_map, read_replay, read_scenarios

FOLDER = find_data_folder()
MAPS = sorted(FOLDER.rglob("*.map*")) if FOLDER else []
MAPS = [path for path in MAPS if path.name.endswith((".map", ".map.gz"))]
REPLAYS = [
    path
    for path in (sorted(FOLDER.rglob("*.scen*")) if FOLDER else [])
    if path.with_name(path.name.replace(".scen", ".patch")).exists()
]

pytestmark = pytest.mark.skipif(not MAPS, reason="no real inputs: set HEADWAY_DATA to a folder")


def scenarios_of(path: Path) -> Scenarios:
    beside = [path.with_name(path.name.removesuffix(".gz") + end) for end in (".scen.gz", ".scen")]
    for scenario in beside:
        if scenario.exists():
            return read_scenarios(scenario)
    pytest.skip(f"{path.name} has no scenario file beside it")


def some(queries: Scenarios, count: int) -> Scenarios:
    """So many queries, evenly spaced."""
    chosen = np.unique(np.linspace(0, len(queries) - 1, count).astype(int))
    arrays = {
        name: getattr(queries, name)[chosen] for name in ("bucket", "start", "goal", "length")
    }
    return replace(queries, **arrays)


def wrong_steps(paths: Paths) -> int:
    """How many steps of all paths go where no step may."""
    free, cells = paths.grid.free, paths.cells
    a, b = cells[:-1], cells[1:]
    inside = np.ones(len(a), bool)
    inside[paths.offsets[1:-1] - 1] = False  # from the end of a path to the start of the next
    a, b = a[inside], b[inside]
    fair = (np.abs(a - b).max(axis=1) == 1) & free[tuple(b.T)] & free[tuple(a.T)]
    fair &= free[a[:, 0], b[:, 1]] & free[b[:, 0], a[:, 1]]
    return int(np.sum(~fair))


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.name)
def test_every_published_length_is_met(path: Path) -> None:
    grid, queries = read_movingai_map(path), scenarios_of(path)
    paths = find_paths(grid, queries.start, queries.goal)
    assert paths.found.tolist() == np.isfinite(queries.length).tolist()
    off = np.abs(paths.length - queries.length)
    assert np.sum(off[paths.found] > 0.01 + 1e-5 * queries.length[paths.found]) == 0
    searched = np.diff(paths.offsets) > 0
    assert np.array_equal(paths.cells[paths.offsets[:-1][searched]], queries.start[searched])
    assert np.array_equal(paths.cells[paths.offsets[1:][searched] - 1], queries.goal[searched])
    assert wrong_steps(paths) == 0


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.name)
@pytest.mark.parametrize(
    ("algorithm", "count"), [("jps", 100), ("astar", 100), ("dstar_lite", 4), ("field", 4)]
)
def test_every_search_meets_published_lengths(path: Path, algorithm: str, count: int) -> None:
    grid, queries = read_movingai_map(path), some(scenarios_of(path), count)
    report = run_scenarios(grid, queries, search_by(algorithm))
    assert (report.wrong, report.first_wrong) == (0, None)


def search_by(algorithm: str) -> Find:
    return lambda grid, start, goal: find_path(grid, start, goal, algorithm=algorithm)


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.name)
def test_one_field_answers_for_many_agents(path: Path) -> None:
    grid, queries = read_movingai_map(path), some(scenarios_of(path), 50)
    goal = queries.goal[len(queries) // 2].tolist()
    field = distance_field(grid, [goal])
    for start in queries.start.tolist():
        path_of_agent = field.descend(start)
        single = jump_point_search(grid, start, goal)
        assert path_of_agent.length == pytest.approx(single.length, rel=1e-12)
        assert field.distance[tuple(start)] == pytest.approx(single.length, rel=1e-12)


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.name)
@pytest.mark.parametrize("algorithm", ["auto", "jps", "astar"])
def test_every_query_of_a_changing_world_is_answered_rightly(path: Path, algorithm: str) -> None:
    report = run_replay(read_replay(path), search_by(algorithm))
    assert (report.wrong, report.first_wrong) == (0, None)


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.name)
def test_d_star_lite_repairs_its_way_through_a_changing_world(path: Path) -> None:
    replay = read_replay(path)
    queries = replay.queries
    start, goal = queries.start[len(queries) // 2], queries.goal[len(queries) // 2]
    grid = Grid(np.ones((queries.height, queries.width)))
    search = DStarLite(grid, start.tolist(), goal.tolist())
    for patch in replay.patches[:60]:
        grid.paste(patch.top_left, patch.free)
        path_now = search.replan()
        fresh = jump_point_search(grid, start.tolist(), goal.tolist())
        assert path_now.found == fresh.found
        if fresh.found:
            assert path_now.length == pytest.approx(fresh.length, rel=1e-12)
