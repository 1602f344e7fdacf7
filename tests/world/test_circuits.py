"""The bundled circuits are what their descriptions promise."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial import cKDTree

from headway.errors import FileError, InputError
from headway.world.circuit_files import write_track
from headway.world.circuits import CIRCUITS, FOLDER, circuit, find_track

LENGTHS = {
    "oval": (1200, 1600),
    "club": (1900, 2200),
    "grandprix": (4700, 5300),
    "street": (2500, 3300),
    "eight": (1700, 1950),
    "hillclimb": (2800, 3300),
}
STRAIGHT = 1 / 1500  # 1/m; a curvature that nobody steers for


@pytest.fixture(params=CIRCUITS)
def track(request):
    return circuit(request.param)


def samples(track, step=1.0):
    s = track.route.sample(step)
    return s, track.route.position(s), track.route.curvature(s)


def longest_run(mask: np.ndarray) -> int:
    return max((len(list(run)) for value, run in itertools.groupby(mask) if value), default=0)


def test_every_circuit_has_a_file_and_a_description():
    assert {path.stem for path in FOLDER.iterdir()} == set(CIRCUITS) == set(LENGTHS)
    for text in CIRCUITS.values():
        assert text.endswith(".")
        assert len(text) <= 90


@pytest.mark.parametrize("name", CIRCUITS)
def test_length_and_width(name):
    track = circuit(name)
    least, most = LENGTHS[name]
    assert least < track.length < most
    assert track.closed == (name != "hillclimb")
    total = track.route.widths.sum(axis=1)
    assert 9 <= total.min() <= total.max() <= 14


def test_no_faults_and_no_tight_or_kinked_bends(track):
    assert track.problems() == []
    s, _, curvature = samples(track, 0.5)
    tightest = 1 / np.abs(curvature).max()
    assert tightest >= 12
    assert tightest > track.route.widths.max() + 2
    # A Catmull-Rom curve has a jump in curvature at each waypoint; they must stay small.
    assert np.abs(np.diff(curvature)).max() < 0.03
    # Between waypoints and over them the yaw turns no faster than on the tightest bend.
    turn = np.diff(np.unwrap(track.route.yaw(s)))
    assert np.abs(turn).max() < 0.5 * (s[1] - s[0])


@pytest.mark.parametrize("name", [name for name in CIRCUITS if name != "hillclimb"])
def test_the_grid_stands_on_a_straight(name):
    track = circuit(name)
    _, _, curvature = samples(track)
    before = int(np.argmax(np.abs(curvature[::-1]) > STRAIGHT))
    after = int(np.argmax(np.abs(curvature) > STRAIGHT))
    assert before >= (170 if name in ("oval", "club") else 200)
    assert after >= 45


def test_stretches_keep_apart_except_at_the_bridge(track):
    s, position, _ = samples(track, 2.0)
    edge = track.route.widths.max()
    for i, j in cKDTree(position[:, :2]).query_pairs(2 * edge + 12):
        along = abs(s[i] - s[j])
        along = min(along, track.length - along) if track.closed else along
        if along > 90 and track.name != "Eight":
            pytest.fail(f"{s[i]:.0f} m and {s[j]:.0f} m are too close to one another")
        if along > 90 and np.hypot(*(position[i] - position[j])[:2]) < 2 * edge:
            assert abs(position[i, 2] - position[j, 2]) > 4.5  # the edges of bridge and road


def test_racing_directions():
    turns = {}
    for name in CIRCUITS:
        _, _, curvature = samples(circuit(name))
        turns[name] = round(float(np.sum(curvature)) / (2 * np.pi))
    assert turns["oval"] == turns["street"] == 1
    assert turns["club"] == turns["grandprix"] == -1
    assert turns["eight"] == 0


def test_oval_turns_left_only():
    assert all(corner.turn > 0 for corner in circuit("oval").corners())


def test_club_is_technical():
    corners = circuit("club").corners()
    assert len(corners) >= 10
    assert min(corner.radius for corner in corners) < 25


def test_grandprix_has_a_straight_a_hairpin_and_a_chicane():
    track = circuit("grandprix")
    _, _, curvature = samples(track)
    straight = np.abs(np.concatenate([curvature, curvature])) < STRAIGHT
    assert longest_run(straight) >= 800
    corners = track.corners()
    assert any(abs(corner.turn) > 2.0 and corner.radius < 30 for corner in corners)
    assert any(
        one.turn * two.turn < 0
        and two.s_end - one.s_start < 150
        and max(one.radius, two.radius) < 50
        for one, two in itertools.pairwise(corners)
    )


def test_street_has_right_angles_and_walls():
    track = circuit("street")
    assert 0.5 <= track.wall_distance <= 1
    right_angles = [c for c in track.corners() if abs(abs(c.turn) - np.pi / 2) < 0.15]
    assert len(right_angles) >= 8


def test_eight_crosses_itself_on_a_bridge():
    track = circuit("eight")
    s, position, _ = samples(track, 0.5)
    pairs = np.array(list(cKDTree(position[:, :2]).query_pairs(1.0)))
    apart = np.abs(s[pairs[:, 0]] - s[pairs[:, 1]])
    crossing = pairs[np.minimum(apart, track.length - apart) > 100]
    assert len(crossing)
    clearance = np.abs(position[crossing[:, 0], 2] - position[crossing[:, 1], 2])
    assert clearance.min() >= 5
    slope = np.diff(position[:, 2]) / np.hypot(*np.diff(position[:, :2], axis=0).T)
    assert np.abs(slope).max() <= 0.08


def test_hillclimb_climbs_with_room_at_both_ends():
    track = circuit("hillclimb")
    _, position, curvature = samples(track)
    assert 180 < position[-1, 2] - position[0, 2] < 220
    assert np.diff(position[:, 2]).max() < 0.12
    for end in (slice(0, 150), slice(-150, None)):
        assert np.abs(curvature[end]).max() < STRAIGHT
    assert sum(abs(corner.turn) > 2.5 for corner in track.corners()) >= 3


def test_tracks_are_found_by_name_or_path(tmp_path, monkeypatch):
    assert find_track("Club").name == circuit("club").name
    monkeypatch.chdir(tmp_path)
    write_track(circuit("oval"), "club")
    assert find_track("club").name == "Club"
    assert find_track("./club").name == "Oval"
    assert find_track(tmp_path / "club").name == "Oval"
    write_track(circuit("oval"), "mine")
    assert find_track("mine").name == "Oval"


def test_what_cannot_be_found_is_said_with_a_remedy():
    with pytest.raises(InputError, match="did you mean 'grandprix'"):
        find_track("grand-prix")
    with pytest.raises(InputError, match="choose one of oval, club"):
        find_track("xyz")
    with pytest.raises(InputError, match="no bundled circuit 'clubb'; did you mean 'club'"):
        circuit("clubb")
    for path in ("none/such", "none.csv"):
        with pytest.raises(FileError, match="no such file"):
            find_track(path)
