"""The survey picks cars that fit, races, and tells honestly who finished."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headway.bench import survey as surveying
from headway.bench.survey import figures, survey
from headway.world.circuits import circuit
from headway.world.track import Track


def ring(radius: float, width: float) -> Track:
    angle = np.linspace(0.0, 2.0 * np.pi, 100, endpoint=False)
    points = radius * np.column_stack((np.cos(angle), np.sin(angle)))
    half = np.full(len(points), 0.5 * width)
    return Track.from_arrays(points, half, half, name="ring")


def test_a_short_circuit_gets_a_car_per_thirty_metres() -> None:
    found = survey(ring(50.0, 14.0), laps=1)
    assert found.values["cars"] == 10
    assert found.name == "ring, 10 gt"
    assert found.values["finished"] == 10
    assert found.met is True


def test_a_narrow_circuit_gets_model_cars() -> None:
    found = survey(ring(5.0, 2.0), laps=1, name="small")
    assert found.name == "small, 10 f1tenth"


def test_a_circuit_that_nobody_fits_is_a_missed_target() -> None:
    found = survey(ring(5.0, 0.2), laps=1)
    assert found.met is False
    assert found.values.keys() == {"failed"}


@pytest.mark.parametrize(
    ("changed", "met"),
    [({}, True), ({"status": "dnf"}, False), ({"longest_halt_s": 10.1}, False)],
)
def test_the_target_is_for_every_car(changed: dict, met: bool, monkeypatch) -> None:
    run = surveying.run

    def spoiled(race):
        result = run(race)
        rows = [*result.standings[:-1], replace(result.standings[-1], **changed)]
        return replace(result, standings=rows)

    monkeypatch.setattr(surveying, "run", spoiled)
    assert survey(ring(50.0, 14.0), laps=1).met is met


def test_bundled_and_real_tracks_are_both_surveyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tracks" / "any").mkdir(parents=True)
    (tmp_path / "tracks" / "any" / "broken.csv").write_text("nothing\n")
    (tmp_path / "tracks" / "any" / "line_raceline.csv").write_text("no track\n")
    monkeypatch.setenv("HEADWAY_DATA", str(tmp_path))
    monkeypatch.setattr(surveying, "bundled_tracks", lambda: [circuit("oval")])
    found = list(figures(True, lambda text: None))
    assert [figure.name for figure in found] == ["Oval, 20 gt", "any/broken.csv"]
    assert [figure.met for figure in found] == [True, False]
    assert str(tmp_path) not in found[1].measured
