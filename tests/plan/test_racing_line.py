from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from headway.errors import InputError
from headway.plan.racing_line import relaxed_line
from headway.world.circuit_files import read_track
from headway.world.circuits import CIRCUITS, circuit
from headway.world.route import Route
from headway.world.track import Track

MARGIN = 1.6


def wavy_ring(waves, radius: float = 70.0, count: int = 90) -> np.ndarray:
    angle = np.arange(count) * 2 * math.pi / count
    distance = radius * (1 + sum(a * np.cos(k * angle + p) for k, a, p in waves))
    return np.column_stack((distance * np.cos(angle), distance * np.sin(angle)))


def winding_road(count: int = 60) -> np.ndarray:
    x = np.linspace(0.0, 300.0, count)
    return np.column_stack((x, 25.0 * np.sin(x / 35.0) * np.exp(-(((x - 150) / 90) ** 2))))


def small_tracks() -> dict[str, Track]:
    waves = ((2, 0.18, 0.3), (3, 0.12, 1.0), (5, 0.04, 2.0))
    corner = np.concatenate(
        [
            np.column_stack((np.linspace(0, 90, 19), np.zeros(19))),
            np.column_stack((np.full(18, 95.0), np.linspace(5, 90, 18))),
        ]
    )
    return {
        "ring": Track.from_arrays(wavy_ring(waves), 5.0, 6.0),
        "road": Track.from_arrays(winding_road(), 4.0, 4.0, closed=False),
        "corner": Track.from_arrays(corner, 5.0, 5.0, closed=False),
    }


def real_tracks(folder: Path) -> list[Track]:
    return [read_track(path) for path in sorted(folder.glob("tracks/tum*/*.csv"))]


def second_differences(points: np.ndarray, closed: bool) -> np.ndarray:
    if closed:
        return np.roll(points, -1, axis=0) - 2 * points + np.roll(points, 1, axis=0)
    return points[2:] - 2 * points[1:-1] + points[:-2]


def bending(points: np.ndarray, closed: bool) -> float:
    """How much a row of points in the plan is bent: the sum of squared second differences."""
    return float((second_differences(points[:, :2], closed) ** 2).sum())


def places(track: Track, line: Route) -> np.ndarray:
    """Arc length on the track beside each waypoint of the line: they are evenly spaced."""
    return np.linspace(0.0, track.length, len(line.waypoints), endpoint=not line.closed)


def dense(track: Track, line: Route) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Room to the left and right edge of the raw track, and its width there, every 30 cm."""
    s = np.linspace(0.0, line.length, int(line.length / 0.3), endpoint=not line.closed)
    near = np.interp(s, line.waypoint_s, places(track, line))
    found = track.route.project(line.position(s), hint=near, window=25.0)
    left, right = track.route.width(found.s).T
    return left - found.offset, right + found.offset, left + right


def assert_inside(track: Track, margin: float) -> None:
    """The line keeps the margin, or the middle of a road too narrow for it, but for 15 cm.

    Measured widths are ragged from point to point, and the line is smooth between its own points.
    """
    left, right, width = dense(track, relaxed_line(track, margin))
    wanted = np.minimum(margin, 0.5 * width) - 0.15
    assert (left >= wanted).all(), (track.name, "left", float((left - wanted).min()))
    assert (right >= wanted).all(), (track.name, "right", float((right - wanted).min()))


# ---------------------------------------------------------------------------------------------
# Within the road


@pytest.mark.parametrize("name", list(CIRCUITS))
def test_the_line_stays_on_every_bundled_circuit(name):
    assert_inside(circuit(name), MARGIN)


def test_the_line_stays_on_every_real_track(data_folder):
    for track in real_tracks(data_folder):
        assert_inside(track, MARGIN)


@pytest.mark.parametrize("margin", [0.0, 0.5, 3.0, 5.4])
def test_the_margin_is_kept(margin):
    track = small_tracks()["ring"]
    left, right, _ = dense(track, relaxed_line(track, margin))
    assert min(left.min(), right.min()) > margin - 0.02
    if margin < 5.4:
        assert min(left.min(), right.min()) < margin + 0.02  # and the rest of the road is used


def test_a_road_too_narrow_for_the_margin_is_followed_in_its_middle():
    points = wavy_ring(((2, 0.1, 0.0),))
    track = Track.from_arrays(points, 1.0, 3.0)
    left, right, _ = dense(track, relaxed_line(track, margin=2.5))
    assert left == pytest.approx(2.0, abs=0.05)
    assert right == pytest.approx(2.0, abs=0.05)


def test_a_centre_line_that_hugs_one_edge_is_left_for_the_margin():
    points = np.column_stack((np.linspace(0, 200, 41), np.zeros(41)))
    track = Track.from_arrays(points, 0.5, 9.0, closed=False)
    left, _, _ = dense(track, relaxed_line(track, margin=1.5))
    assert left[100:-100].min() > 1.5 - 0.01


def test_the_widths_of_the_line_are_the_room_on_either_side():
    track = small_tracks()["ring"]
    line = relaxed_line(track, 1.5)
    found = track.route.project(line.waypoints, hint=places(track, line))
    assert line.widths[:, 0] == pytest.approx(5.0 - found.offset, abs=1e-3)
    assert line.widths[:, 1] == pytest.approx(6.0 + found.offset, abs=1e-3)


# ---------------------------------------------------------------------------------------------
# As little bent as can be


def every_track(folder: Path | None) -> list[Track]:
    return [circuit(name) for name in CIRCUITS] + (real_tracks(folder) if folder else [])


def test_the_line_is_less_bent_than_the_centre_line(data_folder):
    for track in every_track(data_folder):
        line = relaxed_line(track, MARGIN)
        centre = track.route.position(places(track, line))
        ratio = bending(line.waypoints, track.closed) / bending(centre, track.closed)
        assert ratio < 0.9, (track.name, ratio)


@cache
def least_bent(name: str, margin: float, step: float) -> float:
    """The least bending that the edges allow, by SciPy's bounded least squares."""
    track = small_tracks()[name]
    s = places(track, relaxed_line(track, margin, step))
    centre, yaw, width = track.route.position(s), track.route.yaw(s), track.route.width(s)
    normal = np.column_stack((-np.sin(yaw), np.cos(yaw)))
    count = len(s)
    moved = []
    for axis in range(2):  # second differences of the moves along the normals
        moved.append(second_differences(np.diag(normal[:, axis]), track.closed))
    matrix = np.concatenate(moved)
    target = -np.concatenate(
        [second_differences(centre[:, axis : axis + 1], track.closed).ravel() for axis in range(2)]
    )
    low, high = margin - width[:, 1], width[:, 0] - margin
    free = np.ones(count, bool) if track.closed else (np.arange(count) > 1)
    if not track.closed:
        free &= np.arange(count) < count - 2
    found = lsq_linear(matrix[:, free], target, (low[free], high[free]), method="bvls")
    assert found.status > 0
    return 2 * found.cost


@pytest.mark.parametrize("name", list(small_tracks()))
@pytest.mark.parametrize("margin", [0.5, 2.0])
def test_the_line_bends_within_a_few_percent_of_the_least(name, margin):
    track = small_tracks()[name]
    step = 4.5
    line = relaxed_line(track, margin, step)
    found = bending(line.waypoints, track.closed)
    least = least_bent(name, margin, step)
    assert 0.999 * least <= found <= 1.03 * least


def test_a_finer_line_is_as_good():
    """A line of four times the points lies where the coarse one does."""
    track = small_tracks()["ring"]
    coarse, fine = relaxed_line(track, 1.5, 3.0), relaxed_line(track, 1.5, 0.75)
    found = coarse.project(fine.waypoints)
    assert np.abs(found.offset).max() < 0.3


def test_a_circle_stays_a_circle():
    angle = np.arange(120) * 2 * math.pi / 120
    track = Track.from_arrays(60 * np.column_stack((np.cos(angle), np.sin(angle))), 5.0, 5.0)
    line = relaxed_line(track, 1.5)
    radius = np.hypot(*line.position(np.linspace(0, line.length, 500)).T)
    assert np.ptp(radius) < 0.02
    assert 56.5 - 0.01 < radius.mean() < 63.5 + 0.01


def test_a_straight_stays_straight():
    points = np.column_stack((np.linspace(0, 300, 31), np.linspace(0, 100, 31)))
    track = Track.from_arrays(points, 4.0, 7.0, closed=False)
    line = relaxed_line(track, 1.0)
    found = track.route.project(line.position(np.linspace(0, line.length, 400)))
    assert np.abs(found.offset).max() < 1e-9
    assert line.length == pytest.approx(track.length)


@pytest.mark.parametrize("name", ["road", "corner"])
def test_an_open_road_keeps_its_ends(name):
    track = small_tracks()[name]
    line = relaxed_line(track, 1.0)
    assert not line.closed
    ends = [0.0, track.length]
    assert line.position([0.0, line.length]) == pytest.approx(track.route.position(ends))
    assert line.yaw([0.0, line.length]) == pytest.approx(track.route.yaw(ends), abs=0.02)


# ---------------------------------------------------------------------------------------------
# However the track lies


waves = st.lists(st.tuples(st.integers(2, 5), st.floats(0, 0.08), st.floats(0, 6)), max_size=3)


@settings(max_examples=25)
@given(waves, st.floats(3, 9), st.floats(3, 9), st.floats(0, 2.5))
def test_the_line_of_any_ring_keeps_inside_and_bends_no_more(waves, left, right, margin):
    track = Track.from_arrays(wavy_ring(waves), left, right)
    line = relaxed_line(track, margin)
    room_left, room_right, _ = dense(track, line)
    assert min(room_left.min(), room_right.min()) > margin - 0.05
    centre = track.route.position(places(track, line))
    assert bending(line.waypoints, True) <= bending(centre, True) * (1 + 1e-9)


def test_slope_does_not_change_the_line():
    """On a hillside the line in the plan is that of the flat road, whatever the heights."""
    flat = wavy_ring(((2, 0.18, 0.3), (3, 0.12, 1.0)))
    steep = np.column_stack((flat, 0.12 * flat[:, 0]))
    lines = [
        relaxed_line(Track.from_arrays(points, 6.0, 6.0), 1.5, 2.0) for points in (flat, steep)
    ]
    found = lines[0].project(lines[1].waypoints)
    assert np.abs(found.offset).max() < 0.1
    assert lines[1].waypoints.shape[1] == 3
    height = 0.12 * lines[1].waypoints[:, 0]
    assert np.abs(lines[1].waypoints[:, 2] - height).max() < 1.0  # the road has no camber


def test_left_and_right_are_treated_alike():
    points = wavy_ring(((2, 0.15, 0.3), (3, 0.1, 1.0)))
    line = relaxed_line(Track.from_arrays(points, 4.0, 7.0), 1.5).waypoints
    mirrored = relaxed_line(Track.from_arrays(points * (1, -1), 7.0, 4.0), 1.5).waypoints
    assert mirrored * (1, -1) == pytest.approx(line, abs=1e-6)


def test_a_turned_and_shifted_track_has_a_turned_and_shifted_line():
    points, turn = wavy_ring(((2, 0.15, 0.3), (3, 0.1, 1.0))), 0.7
    matrix = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    line = relaxed_line(Track.from_arrays(points, 4.0, 7.0), 1.5).waypoints
    moved = relaxed_line(Track.from_arrays(points @ matrix + (90, 40), 4.0, 7.0), 1.5).waypoints
    assert moved == pytest.approx(line @ matrix + (90, 40), abs=1e-5)


def test_a_track_driven_the_other_way_has_the_same_line():
    track = Track.from_arrays(wavy_ring(((2, 0.15, 0.3), (3, 0.1, 1.0))), 4.0, 7.0)
    there, back = relaxed_line(track, 1.5), relaxed_line(track.reversed(), 1.5)
    assert np.abs(there.project(back.waypoints).offset).max() < 0.1


def test_a_model_track_has_the_line_of_the_large_one():
    track = Track.from_arrays(wavy_ring(((2, 0.15, 0.3), (3, 0.1, 1.0))), 4.0, 7.0)
    small = relaxed_line(track.scaled(0.25), 1.5 * 0.25, 0.25)
    assert 4 * small.waypoints == pytest.approx(relaxed_line(track, 1.5, 1.0).waypoints, abs=1e-6)


# ---------------------------------------------------------------------------------------------
# Refusals


@pytest.mark.parametrize("margin", [-0.1, math.nan, math.inf])
def test_a_margin_that_cannot_be_is_refused(margin):
    with pytest.raises(InputError, match="margin is"):
        relaxed_line(small_tracks()["ring"], margin)


@pytest.mark.parametrize("step", [0.0, -1.0, math.nan, math.inf])
def test_a_step_that_cannot_be_is_refused(step):
    with pytest.raises(InputError, match="step is"):
        relaxed_line(small_tracks()["ring"], 1.0, step)
