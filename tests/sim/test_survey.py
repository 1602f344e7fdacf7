"""Full fields of GT cars on every circuit there is: all finish, nobody gets stuck or lost."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from conftest import find_data_folder
from headway.sim.race import Race
from headway.sim.run import run
from headway.world.circuit_files import read_track
from headway.world.circuits import CIRCUITS, circuit

LAPS = 5
METRES_PER_CAR = 30.0


def tracks():
    """Every bundled circuit, and every track file in the folders of the real inputs."""
    folder = find_data_folder()
    files = sorted((folder / "tracks").glob("tum*/*.csv")) if folder else []
    for each in [*CIRCUITS, *files]:
        yield pytest.param(each, id=each.stem if isinstance(each, Path) else each)


@pytest.mark.parametrize("place", list(tracks()))
def test_full_field_finishes(place):
    track = read_track(place) if isinstance(place, Path) else circuit(place)
    cars = min(20, max(int(track.length / METRES_PER_CAR), 1))
    result = run(Race(track, cars=cars, laps=LAPS if track.closed else 1, vehicle="gt"))
    assert [row.status for row in result.standings] == ["finished"] * cars
    assert max(row.longest_halt_s for row in result.standings) <= 10.0
    assert max(row.respawns for row in result.standings) <= 2
    assert np.isfinite(result.trace.state).all()
    assert np.isfinite(result.lap_times).all()
    best = result.fastest_lap
    assert best is not None
    assert not math.isnan(best[2])
