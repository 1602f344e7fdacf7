"""The parts yield the figures they promise; how large these are is no business of a test."""

from __future__ import annotations

import math
from itertools import islice
from pathlib import Path

import pytest

from headway.bench import race_speed, start_up, vehicle_steps
from headway.bench.tracks import data_folder, longest_track, reference_lines, track_files


def test_steps_are_measured_against_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vehicle_steps, "BATCHES", (1, 64, 4096))
    monkeypatch.setattr(vehicle_steps, "TWINS", {"C++": ("-O1",)})
    found = {figure.name: figure for figure in vehicle_steps.figures(True, lambda text: None)}
    assert found["batch of 4,096"].values["bound"] == 5.0
    assert found["one car, one step per call, kernel"].values["bound"] == 0.8
    for figure in found.values():
        assert "skipped" in figure.values or figure.values["value"] > 0.0
    assert sum("against" in name for name in found) == 2


def test_a_twin_that_differs_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    if not vehicle_steps_can_build():
        pytest.skip("no C++ compiler found")
    monkeypatch.setattr(vehicle_steps, "largest_difference", lambda twin: math.nan)
    figure = vehicle_steps._against_twin("C++", ("-O1",), 1)
    assert figure.met is False
    assert "differ" in figure.measured


def vehicle_steps_can_build() -> bool:
    try:
        with vehicle_steps.build_twin(("-O0",)):
            return True
    except vehicle_steps.TwinMissing:
        return False


def test_races_of_a_few_cars_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race_speed, "FIELD", 2)
    found = list(race_speed.race_figures(True, lambda text: None))
    assert [figure.met is None for figure in found] == [False, False, True]
    assert all(figure.values["value"] > 0.0 for figure in found)


def test_cost_per_car_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race_speed, "FIELDS", (2, 4))
    monkeypatch.setattr(race_speed, "BEFORE", 5)
    found = list(race_speed.scaling_figures(True, lambda text: None))
    few, many, ratio = (figure.values["value"] for figure in found)
    assert ratio == pytest.approx(many / few)
    assert found[2].values["bound"] == 1.3


def test_processes_are_measured(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    used = start_up.cpu_seconds(("-c", "sum(range(3_000_000))"), tmp_path, tmp_path)
    assert used > start_up.cpu_seconds(start_up.BARE, tmp_path, tmp_path) > 0.0
    with pytest.raises(start_up.CommandFailed, match="ZeroDivisionError"):
        start_up.cpu_seconds(("-c", "1 / 0"), tmp_path, tmp_path)


def test_a_command_that_fails_is_a_missed_target(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    monkeypatch.setattr(start_up, "RACE", ("-m", "headway", "race", "no-such-circuit"))
    (only,) = islice(start_up.figures(True, lambda text: None), 1)
    assert only.met is False
    assert "no-such-circuit" in only.measured


def test_without_a_folder_of_real_tracks_there_are_the_bundled_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    assert data_folder() is None
    assert track_files() == []
    assert reference_lines("anything") == {}
    assert longest_track().name == "Grand Prix"


def test_real_tracks_are_found_wherever_they_lie(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWAY_DATA", str(data_folder))
    files = track_files()
    assert all(file.parent.name != "reference" for file in files)
    assert {file.parent.name for file in track_files("tum*")} <= {"tum", "tum_examples"}
    assert any(reference_lines(file.stem) for file in files)
