"""The parts of the path benchmark yield what they promise, on maps that take no time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from headway.bench import (
    path_any_angle,
    path_bulk,
    path_exactness,
    path_floods,
    path_growth,
    path_peers,
    path_queries,
    path_replanning,
)
from headway.bench.cpp_library import TwinMissing
from headway.bench.headline import Figure
from headway.bench.path_maps import made_map
from headway.plan.jump_points import jump_point_search
from headway.plan.path import Path as Route
from headway.world.grid import Grid
from headway.world.movingai import write_movingai_map
from headway.world.worlds import rooms


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one real map, with queries and a replay."""
    grid = rooms(4, 5, size=7)
    made = made_map("rooms", grid, 30)
    folder = tmp_path / "movingai"
    (folder / "dynamic").mkdir(parents=True)
    write_movingai_map(grid, folder / "rooms.map")
    lines = ["version 1"]
    for (row, column), (to_row, to_column) in made.spread(30):
        length = jump_point_search(grid, (row, column), (to_row, to_column)).length
        ends = f"{column} {row} {to_column} {to_row}"
        lines.append(f"0 rooms {grid.columns} {grid.rows} {ends} {length:.8f}")
    (folder / "rooms.map.scen").write_text("\n".join(lines))
    patch = "type patch\npatches 1\npatch 0\nheight 1\nwidth 1\nmap\n@\n"
    (folder / "dynamic" / "open.patch").write_text(patch)
    commands = ["version 2", "height 5", "width 5", "cost 1 octile", "patch open.patch", "commands"]
    commands += ["Q 0 0 0 2 0 2", "P 0 0 1 0", "Q 0 0 0 2 0 4"]
    (folder / "dynamic" / "open.scen").write_text("\n".join(commands))
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    return folder


def found(measure: Callable[..., Iterator[Figure]]) -> dict[str, Figure]:
    return {figure.name: figure for figure in measure(True, lambda text: None)}


def number(figure: Figure) -> float:
    """The value; that of a figure that was skipped is none."""
    return math.nan if "skipped" in figure.values else figure.values["value"]


@pytest.mark.usefixtures("data")
def test_no_answer_is_wrong() -> None:
    figures = found(path_exactness.figures)
    assert set(figures) == {
        f"{name}, 1 maps" for name in ("jps", "A*", "D* Lite", "field descent", "batch")
    }
    assert all(figure.met for figure in figures.values())
    assert figures["jps, 1 maps"].measured == "0 wrong of 30"
    assert figures["D* Lite, 1 maps"].measured == "0 wrong of 5"


@pytest.mark.usefixtures("data")
def test_a_wrong_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def detour(grid: Grid, start, goal) -> Route:
        path = jump_point_search(grid, start, goal)
        path.length += 0.1
        return path

    monkeypatch.setattr(path_exactness, "SINGLE", {"detour": (detour, 30, 30)})
    figure = found(path_exactness.figures)["detour, 1 maps"]
    assert figure.met is False
    assert figure.measured == "30 wrong of 30"


def test_wrong_answers_of_a_batch_are_found(data: Path) -> None:
    ((_, grid, queries),) = path_exactness.real_maps()
    assert path_exactness.wrong_in_batch(grid, queries) == 0
    queries.length[3] += 1.0
    assert path_exactness.wrong_in_batch(grid, queries) == 1


@pytest.mark.usefixtures("data")
def test_the_replay_is_right_and_timed() -> None:
    figures = found(path_exactness.replay_figures)
    right = [figure for name, figure in figures.items() if name.endswith("replay of open")]
    assert [figure.measured for figure in right] == ["0 wrong of 2"] * 2
    assert figures["replay of open, mean query"].values["bound"] == 45.0
    assert figures["replay of open, mean of 1 patches"].values["bound"] == 5.0


def test_without_data_what_needs_it_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    for measure in (path_exactness.figures, path_exactness.replay_figures):
        (figure,) = found(measure).values()
        assert "HEADWAY_DATA" in figure.values["skipped"]


@pytest.mark.usefixtures("data")
def test_queries_are_measured_against_peers() -> None:
    figures = found(path_queries.figures)
    bounds = {name: figure.values.get("bound") for name, figure in figures.items()}
    for peer, bound in (("nano-astar", 40.0), ("w9-pathfinding", 55.0), ("pyastar2d", 20.0)):
        name = f"jps against {peer}, mean over maps"
        assert bounds[name] in (bound, None)
        assert not number(figures[name]) <= 0.0
    (choice,) = (name for name in figures if name.startswith("automatic choice"))
    assert bounds[choice] == 1.15
    assert figures["rooms, median query"].values["jps_s"] > 0.0


@pytest.mark.usefixtures("data")
def test_a_peer_that_is_missing_or_wrong_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(grid: Grid):
        raise ImportError

    def wrong(grid: Grid):
        return lambda start, goal: [start, (start[0] + 1, start[1])]

    monkeypatch.setattr(path_queries, "PEERS", {"none": (missing, 1.0), "wrong": (wrong, 1.0)})
    figures = found(path_queries.figures)
    assert figures["jps against none, mean over maps"].values["skipped"] == "none is not installed"
    assert figures["jps against wrong, mean over maps"].met is False


@pytest.mark.parametrize("name", ["nano_astar", "w9_pathfinding", "pyastar2d"])
def test_each_peer_gives_the_cells_of_a_path(name: str) -> None:
    pytest.importorskip(name)
    grid = Grid([[1, 1, 1, 1], [1, 0, 0, 1]])
    cells = np.asarray(getattr(path_peers, name)(grid)((1, 0), (0, 3)))
    ends = cells[[0, -1]] if name != "w9_pathfinding" else cells[[0, -1], ::-1]
    assert ends.tolist() == [[1, 0], [0, 3]]
    length = path_queries.length_of(cells)
    assert length == pytest.approx(4.0 if name != "pyastar2d" else 2.0 + 2.0**0.5)


def test_distance_fields_of_scipy_are_ours() -> None:
    grid = rooms(3, 3, size=5)
    assert path_floods._same_distances(grid, path_peers.scipy_field(grid), (1, 1))
    wrong = path_peers.scipy_field(rooms(3, 3, size=5, seed=1))
    assert not path_floods._same_distances(grid, wrong, (1, 1))


@pytest.mark.usefixtures("data")
def test_fields_and_terrain_are_measured_against_peers() -> None:
    figures = {**found(path_floods.field_figures), **found(path_floods.terrain_figures)}
    for name, bound in (
        ("distance field against SciPy csgraph, mean over maps", 5.0),
        ("distance field against scikit-image, mean over maps", 8.0),
        ("weighted A* against pyastar2d by its rules, mean over maps", 5.0),
    ):
        assert figures[name].values.get("bound") in (bound, None)
        assert not number(figures[name]) <= 0.0


@pytest.mark.usefixtures("data")
def test_batches_are_measured() -> None:
    (figure,) = found(path_bulk.batch_figures).values()
    assert figure.values["bound"] == 100.0
    assert figure.values["value"] > 0.0


@pytest.mark.usefixtures("data")
def test_the_twin_is_measured_or_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    label = "jps kernel to the same in C++, mean over maps"
    figures = found(path_bulk.twin_figures)
    assert figures[label].values.get("bound") in (1.10, None)

    def missing():
        raise TwinMissing("no C++ compiler found")

    monkeypatch.setattr(path_bulk, "build_jump_twin", missing)
    assert found(path_bulk.twin_figures)[label].values["skipped"] == "no C++ compiler found"


@pytest.mark.usefixtures("data")
def test_the_planner_is_compared_in_every_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_replanning, "TIMES", 12)
    figures = list(path_replanning.figures(True, lambda text: None))
    assert [figure.values.get("bound") for figure in figures] == [1.1] * 7 + [0.1]
    assert all(figure.values["value"] > 0.0 for figure in figures)


def test_plans_that_differ_are_told() -> None:
    seconds = {"Planner": 1.0, "A*": 2.0}
    tally = path_replanning.Tally(seconds, seconds, plans=5, differ=1)
    figure = path_replanning._figure("a pattern", [tally])
    assert figure.met is False
    assert figure.measured == "1 of 5 plans differ in cost"


@pytest.mark.usefixtures("data")
def test_paths_of_any_angle_are_compared_with_the_shortest() -> None:
    figures = found(path_any_angle.figures)
    excess = {name: f for name, f in figures.items() if "excess" in name}
    assert len(excess) == 3
    assert all(figure.values["least"] >= -1e-9 for figure in excess.values())
    assert sum(figure.values.get("bound") == 0.5 for figure in excess.values()) == 1


def test_growth_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_growth, "SIZES", (32, 64))
    *_, ratio = found(path_growth.growth_figures).values()
    assert ratio.values["bound"] == 1.5
    assert ratio.values["value"] > 0.0


def test_processes_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")

    def in_this_process(arguments: tuple[str, ...], folder: Path, kernels: Path) -> float:
        monkeypatch.chdir(folder)
        exec(arguments[1], {})  # noqa: S102 - the benchmark's own code
        return 0.25

    monkeypatch.setattr(path_growth, "cpu_seconds", in_this_process)
    monkeypatch.setattr(
        path_growth, "MEMORY", path_growth.MEMORY.replace("side = {side}", "side = {side} // 32")
    )
    figures = found(path_growth.process_figures)
    assert figures["process with one query"].values["value"] == 0.25
    (memory,) = (figure for name, figure in figures.items() if "memory" in name)
    assert memory.values["bound"] == 2.0
    assert 0.01 < memory.values["value"] < 20.0
