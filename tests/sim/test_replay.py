"""A recorded race runs again bit for bit, and a changed recording is found out."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from headway.errors import InputError
from headway.sim.description import describe, race_from
from headway.sim.race import Race
from headway.sim.recording import read_recording
from headway.sim.replay import replay
from headway.sim.run import COLUMNS, run
from headway.world.circuits import circuit
from headway.world.state import VX


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("recording") / "race.hwy"
    race = Race(circuit("street"), cars=4, laps=1, vehicle=["gt", "road"], seed=3)
    return race, run(race, record=path), path


def test_replay_goes_the_same_way(recorded):
    _, result, path = recorded
    outcome = replay(path)
    assert outcome.same
    assert outcome.difference == ""
    assert outcome.hashes > 50
    assert outcome.recording.summary["state_hash"] == result.state_hash


def test_recording_holds_the_race(recorded):
    _, result, path = recorded
    recording = read_recording(path)
    assert recording.complete
    np.testing.assert_array_equal(recording.frames[:, :, :7], result.trace.state)
    distance = recording.frames[:, :, COLUMNS.index("distance")]
    np.testing.assert_array_equal(distance, result.trace.distance)
    assert len([event for event in recording.events if event.name == "lap"]) == 4


def test_description_survives_json(recorded):
    race, result, _ = recorded
    again = race_from(json.loads(json.dumps(describe(race))))
    assert run(again).state_hash == result.state_hash


def test_first_divergence_is_named(recorded):
    _, _, path = recorded
    recording = read_recording(path)
    frames = recording.frames.copy()
    frames[30, 2, VX] = np.nextafter(frames[30, 2, VX], np.inf)
    frames[40, 0, VX] += 1.0
    outcome = replay(replace(recording, frames=frames))
    assert not outcome.same
    assert outcome.diverged_at == recording.ticks[30]
    assert outcome.difference.startswith("car 3: vx was")


def test_wrong_hash_is_found(recorded):
    _, _, path = recorded
    recording = read_recording(path)
    tick = sorted(recording.hashes)[5]
    outcome = replay(replace(recording, hashes=recording.hashes | {tick: "0" * 16}))
    assert outcome.diverged_at == tick


def test_other_seed_diverges(recorded):
    _, _, path = recorded
    recording = read_recording(path)
    outcome = replay(replace(recording, header=recording.header | {"seed": 4}))
    assert not outcome.same
    assert outcome.diverged_at < 100


@pytest.mark.parametrize(
    "change",
    [{"kind": "flock"}, {"drivers": None}, {"track": {}}, {"laps": 0}, {"vehicles": [{"x": 1}]}],
)
def test_headers_that_cannot_be_run_are_refused(recorded, change):
    recording = read_recording(recorded[2])
    with pytest.raises(InputError):
        replay(replace(recording, header=recording.header | change))


def test_a_recording_that_goes_on_for_ever_is_not_followed(recorded):
    recording = read_recording(recorded[2])
    outcome = replay(replace(recording, hashes=recording.hashes | {10**12: "0" * 16}))
    assert not outcome.same
    assert "goes on to tick 1000000000000" in outcome.difference


@pytest.mark.parametrize(
    "change",
    [{"points": "x"}, {"points": [[0, 0], [1]]}, {"closed": 5}, {"smooth": "x"}, {"name": None}],
)
def test_a_track_that_cannot_be_is_refused(recorded, change):
    recording = read_recording(recorded[2])
    track = recording.header["track"] | change
    with pytest.raises(InputError):
        replay(replace(recording, header=recording.header | {"track": track}))
