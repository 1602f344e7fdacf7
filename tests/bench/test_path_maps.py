"""Which maps path search is measured on, and with which queries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headway.bench.path_maps import MADE, bench_maps, made_map, maps_folder, real_maps
from headway.plan.jump_points import jump_point_search
from headway.world.movingai import write_movingai_map
from headway.world.worlds import rooms, scattered


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    folder = tmp_path / "movingai" / "some"
    folder.mkdir(parents=True)
    return folder


def test_real_maps_are_found_with_their_queries(data: Path) -> None:
    grid = rooms(2, 2, size=3)
    write_movingai_map(grid, data / "a.map.gz")
    write_movingai_map(grid, data / "alone.map")
    lines = ["version 1", "1 a 9 9 1 1 3 3 2.82842712", "0 a 9 9 1 1 1 1 0", "0 a 9 9 1 1 1 2 1"]
    (data / "a.map.scen").write_text("\n".join(lines))
    assert [name for name, _, _ in real_maps()] == ["a"]
    (found,) = bench_maps()
    assert found.name == "a"
    assert found.spread(10) == [((1, 1), (2, 1)), ((1, 1), (3, 3))]
    assert found.spread(1) == [((1, 1), (2, 1))]


def test_without_real_maps_there_are_made_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    assert maps_folder() is None
    assert next(bench_maps()).name == next(iter(MADE))


def test_all_maps_of_a_data_folder_can_be_read(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (data_folder / "movingai").is_dir():
        pytest.skip("no movingai maps in the data folder")
    monkeypatch.setenv("HEADWAY_DATA", str(data_folder))
    for each in bench_maps():
        assert len(each.starts) > 0
        assert each.grid.free[tuple(each.starts.T)].all()
        assert each.grid.free[tuple(each.goals.T)].all()


def test_made_queries_have_paths_and_go_from_short_to_long() -> None:
    grid = scattered(40, 50, 0.3)
    made = made_map("scattered", grid, 30)
    pairs = list(zip(made.starts, made.goals, strict=True))
    lengths = [jump_point_search(grid, start, goal).length for start, goal in pairs]
    assert len(lengths) == 30
    assert np.isfinite(lengths).all()
    assert lengths == sorted(lengths)
    again = made_map("scattered", grid, 30)
    assert np.array_equal(made.starts, again.starts)
