"""Lap times of lines, against circles and straights worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headway.bench import reference_laps
from headway.bench.reference_laps import figures, ideal_lap, line_curvature
from headway.move.car import car


def circle(radius: float, count: int) -> np.ndarray:
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return radius * np.column_stack((np.cos(angle), np.sin(angle)))


def test_curvature_of_a_circle_is_that_of_its_radius() -> None:
    curvature, step = line_curvature(circle(80.0, 60))
    assert np.allclose(curvature, 1.0 / 80.0, rtol=2e-3)
    assert len(curvature) * step == pytest.approx(2.0 * np.pi * 80.0, rel=1e-5)
    assert np.allclose(line_curvature(circle(80.0, 60)[::-1])[0], -1.0 / 80.0, rtol=2e-3)


def test_unequal_points_change_little() -> None:
    angle = np.sort(np.random.default_rng(3).uniform(0.0, 2.0 * np.pi, 200))
    uneven = 80.0 * np.column_stack((np.cos(angle), np.sin(angle)))
    assert ideal_lap(uneven, car("reference")) == pytest.approx(
        ideal_lap(circle(80.0, 200), car("reference")), rel=0.02
    )


def test_a_lap_of_a_circle_uses_all_the_lateral_grip() -> None:
    speed = np.sqrt(60.0 * 12.0)
    lap = ideal_lap(circle(60.0, 120), car("reference"))
    assert lap == pytest.approx(2.0 * np.pi * 60.0 / speed, rel=1e-3)


def test_a_lap_is_never_faster_than_the_car() -> None:
    wide = circle(2000.0, 400)
    lap = ideal_lap(wide, car("reference"))
    assert lap >= 0.999 * 2.0 * np.pi * 2000.0 / car("reference").top_speed


def test_without_real_tracks_the_part_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    (only,) = figures(True, lambda text: None)
    assert only.met is None
    assert "HEADWAY_DATA" in only.measured


def test_a_lap_is_compared_with_the_best_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracks = tmp_path / "tracks"
    (tracks / "tum_made").mkdir(parents=True)
    (tracks / "reference").mkdir()
    ring = circle(100.0, 130)
    widths = np.full((len(ring), 2), 6.0)
    write(tracks / "tum_made" / "ring.csv", "x_m,y_m,w_tr_right_m,w_tr_left_m", ring, widths)
    write(tracks / "tum_made" / "unmatched.csv", "x_m,y_m,w_tr_right_m,w_tr_left_m", ring, widths)
    write(tracks / "reference" / "ring__wide.csv", "x_m,y_m", circle(104.0, 130))
    write(tracks / "reference" / "ring__tight.csv", "x_m,y_m", circle(96.0, 130))
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    told: list[str] = []
    (only,) = figures(True, told.append)
    assert only.name == "ring"
    assert only.values["best_reference"] == "tight"
    assert only.values["reference_laps_s"]["wide"] > only.values["reference_laps_s"]["tight"]
    assert only.values["value"] == pytest.approx(
        only.values["lap_s"] / only.values["reference_laps_s"]["tight"]
    )
    assert 1.0 <= only.values["value"] <= reference_laps.BOUND
    assert only.met is True
    assert told == ["flying lap of ring"]


def test_a_track_that_cannot_be_read_is_a_missed_target_without_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracks = tmp_path / "tracks"
    (tracks / "tum").mkdir(parents=True)
    (tracks / "reference").mkdir()
    (tracks / "tum" / "broken.csv").write_text("nothing\n")
    write(tracks / "reference" / "broken__tool.csv", "x_m,y_m", circle(96.0, 130))
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    (only,) = figures(True, lambda text: None)
    assert only.met is False
    assert str(tmp_path) not in only.measured


def write(path: Path, heading: str, *columns: np.ndarray) -> None:
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=heading)
