"""Full fields of GT cars on every circuit there is: all finish, nobody gets stuck or lost."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import find_data_folder
from headway.sim.race import Race
from headway.sim.run import run
from headway.sim.state_hash import state_hash
from headway.sim.step import start, step
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


def load(place):
    return read_track(place) if isinstance(place, Path) else circuit(place)


@pytest.mark.parametrize("place", list(tracks()))
def test_full_field_finishes(place):
    track = load(place)
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


@pytest.mark.parametrize("place", list(tracks()))
def test_batches_and_processes_do_not_matter(place):
    """Cars that do not interact drive the same, to the last bit, in any batch and process."""
    program = (
        "import sys; from pathlib import Path; from test_survey import final_rows\n"
        "name = sys.argv[1]; place = Path(name) if name.endswith('.csv') else name\n"
        "print(state_hash(*final_rows(place, [0, 1, 2])))"
    )
    program = "from headway.sim.state_hash import state_hash\n" + program
    command = [sys.executable, "-c", program, str(place)]
    other = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ).stdout.strip()
    whole = final_rows(place, [0, 1, 2])
    assert state_hash(*whole) == other
    for numbers in ([0], [2, 1]):
        part = final_rows(place, numbers)
        for mine, all_rows in zip(part, whole, strict=True):
            np.testing.assert_array_equal(mine, all_rows[numbers])


def final_rows(place, numbers):
    """States and crossings at the end of a lap of cars that do not interact."""
    race = Race(load(place), cars=numbers, laps=1, grid_slots=3, interact=False)
    state = start(race)
    while state.active.any():
        state = step(race, state)
    return state.cars, state.timing, state.crossings
