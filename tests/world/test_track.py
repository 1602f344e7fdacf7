from __future__ import annotations

import math

import numpy as np
import pytest

from headway.errors import InputError
from headway.world.route import Route
from headway.world.track import Track

TURN = np.arange(120) * 2 * math.pi / 120
RING = 100.0 * np.column_stack((np.cos(TURN), np.sin(TURN)))


def rounded_rectangle(wide: float, tall: float, radius: float, step: float) -> np.ndarray:
    """Centre line of straights and quarter circles, anticlockwise from the middle of the bottom."""
    across, up = wide - 2 * radius, tall - 2 * radius
    place, yaw, points = 0j, 0.0, []
    for straight in (across / 2, up, across, up, across / 2):
        forward = complex(math.cos(yaw), math.sin(yaw))
        for part in np.arange(round(straight / step)) / round(straight / step):
            points.append(place + part * straight * forward)
        place += straight * forward
        if len(points) * step > wide + 2 * tall + across / 2:
            break
        centre = place + 1j * radius * forward
        count = round(radius * math.pi / 2 / step)
        for part in np.arange(count) / count:
            points.append(centre - 1j * radius * forward * np.exp(0.5j * math.pi * part))
        place, yaw = centre + radius * forward, yaw + math.pi / 2
    return np.column_stack((np.real(points), np.imag(points)))


@pytest.fixture
def rectangle() -> Track:
    points = rounded_rectangle(400.0, 200.0, 40.0, 4.0)
    left = 4.0 + np.sin(np.arange(len(points)) / 9)
    return Track.from_arrays(points, left, 6.0, name="Rectangle", wall_distance=3.0)


def distances(track: Track, other: Track) -> np.ndarray:
    """How far the centre line of one track lies from that of another."""
    return np.abs(other.route.project(track.route.position(track.route.sample(1.0))).offset)


def test_edges_lie_a_width_to_either_side(rectangle):
    left, right = rectangle.edges(3.0)
    s = rectangle.route.sample(3.0)
    widths = rectangle.route.width(s)
    for edge, expected in ((left, widths[:, 0]), (right, -widths[:, 1])):
        found = rectangle.route.project(edge, hint=s, window=10.0)
        assert np.allclose(found.offset, expected, atol=1e-6)
        assert np.allclose(found.s, s, atol=1e-5)


def test_edges_of_a_hill_keep_the_height_of_its_centre():
    points = np.column_stack((RING, 20 * np.sin(TURN)))
    left, right = Track.from_arrays(points, 3.0, 4.0).edges()
    assert left.shape[1] == 3
    assert np.array_equal(left[:, 2], right[:, 2])
    assert np.allclose(np.hypot(*(left - right).T), 7.0)


def test_corners_of_a_rounded_rectangle(rectangle):
    corners = rectangle.corners()
    assert len(corners) == 4
    for corner, s in zip(corners, (160, 343, 726, 909), strict=True):
        assert corner.s_start == pytest.approx(s, abs=12)
        assert corner.s_end - corner.s_start == pytest.approx(20 * math.pi, abs=20)
        assert corner.turn == pytest.approx(math.pi / 2, abs=0.03)
        assert corner.radius == pytest.approx(40.0, rel=0.05)


def test_corners_go_the_other_way_in_reverse(rectangle):
    there, back = rectangle.corners(), rectangle.reversed().corners()
    assert [c.turn for c in back] == pytest.approx([-c.turn for c in there[::-1]], abs=1e-3)


def test_a_corner_on_the_start_line_is_one_corner(rectangle):
    corners = rectangle.rotated(190.0).corners()
    assert len(corners) == 4
    assert corners[-1].s_end > rectangle.length > corners[-1].s_start


def test_a_ring_is_one_long_corner_and_a_straight_has_none():
    assert [c.turn for c in Track.from_arrays(RING, 5, 5).corners()] == pytest.approx([2 * math.pi])
    straight = Track.from_arrays([(0, 0), (50, 0), (100, 0)], 5, 5, closed=False)
    assert straight.corners() == []


def test_slight_and_wide_bends_are_no_corners(rectangle):
    assert rectangle.corners(least_turn=math.radians(95)) == []
    assert rectangle.corners(widest_radius=30.0) == []


def test_scale_does_not_change_corners(rectangle):
    small = rectangle.scaled(0.1)
    assert small.length == pytest.approx(0.1 * rectangle.length)
    assert small.wall_distance == pytest.approx(0.3)
    assert np.allclose(small.route.widths, 0.1 * rectangle.route.widths)
    assert [c.turn for c in small.corners()] == pytest.approx([c.turn for c in rectangle.corners()])


def test_reversed_swaps_the_sides_and_keeps_the_start(rectangle):
    back = rectangle.reversed()
    s = np.linspace(0.0, rectangle.length, 50)
    assert np.allclose(back.route.position(s), rectangle.route.position(-s), atol=1e-9)
    assert np.allclose(back.route.width(s), rectangle.route.width(-s)[:, ::-1], atol=1e-9)
    assert back.sectors == pytest.approx((1 / 3, 2 / 3))
    again = back.reversed()
    assert np.array_equal(again.route.waypoints, rectangle.route.waypoints)
    assert np.array_equal(again.route.widths, rectangle.route.widths)


def test_an_open_track_reversed_starts_at_its_end():
    hill = Track.from_arrays(RING[:40], 3, np.arange(1.0, 41.0), closed=False)
    back = hill.reversed()
    assert back.route.position(0.0).tolist() == RING[39].tolist()
    assert back.route.width(0.0).tolist() == [40.0, 3.0]
    assert not back.closed


@pytest.mark.parametrize("s", [0.0, 0.3, 3.7, 57.0, 601.1, -100.0, 5000.0])
def test_rotated_starts_at_s_on_the_same_road(rectangle, s):
    moved = rectangle.rotated(s)
    assert moved.route.position(0.0) == pytest.approx(rectangle.route.position(s), abs=1e-9)
    assert moved.route.width(0.0) == pytest.approx(rectangle.route.width(s))
    assert moved.length == pytest.approx(rectangle.length, rel=1e-4)
    assert distances(moved, rectangle).max() < 0.01
    gaps = np.hypot(*(np.diff(moved.route.waypoints, axis=0)).T)
    assert gaps.min() > 0.09 * 4.0
    lines = [(f * moved.length + s) % rectangle.length for f in moved.sectors]
    old = [f * rectangle.length for f in rectangle.sectors]
    assert sorted(lines) == pytest.approx(old, abs=0.1)
    sharpest = np.abs(rectangle.route.curvature(rectangle.route.sample(0.5))).max()
    assert np.abs(moved.route.curvature(moved.route.sample(0.5))).max() < 1.3 * sharpest


def test_an_open_track_cannot_be_rotated():
    with pytest.raises(InputError, match="open"):
        Track.from_arrays(RING[:40], 3, 3, closed=False).rotated(5.0)


def test_resampled_is_evenly_spaced_on_the_same_road(rectangle):
    fine = rectangle.resampled(2.0)
    gaps = np.hypot(*(np.roll(fine.route.waypoints, -1, axis=0) - fine.route.waypoints).T)
    assert gaps == pytest.approx(np.full(len(gaps), 2.0), rel=0.01)
    assert distances(fine, rectangle).max() < 0.01
    s = np.linspace(0, rectangle.length, 77)
    assert np.allclose(fine.route.width(s), rectangle.route.width(s), atol=0.05)


def test_copies_keep_name_kind_and_walls(rectangle):
    for track in (rectangle.reversed(), rectangle.rotated(9.0), rectangle.resampled(5.0)):
        assert (track.name, track.closed, track.wall_distance) == ("Rectangle", True, 3.0)
    game = Track("Game", Route.through(RING, True, False, "chord", np.ones((120, 2))))
    assert game.resampled(3.0).route.parametrisation == "chord"
    assert not game.reversed().route.smooth


def test_crossing_normals_are_told_with_their_places():
    hairpin = rounded_rectangle(200.0, 60.0, 5.0, 1.5)
    assert Track.from_arrays(hairpin, 3.0, 9.0).problems() == []
    told = Track.from_arrays(hairpin, 9.0, 3.0).problems()
    assert len(told) == 4
    assert told[0].startswith("Between 9")
    assert "cross on the left" in told[0]
    assert "the edge 9.00 m away" in told[0]
    mirrored = Track.from_arrays(hairpin[::-1], 3.0, 9.0).problems()
    assert len(mirrored) == 4
    assert "cross on the right" in mirrored[0]


def test_a_vehicle_wider_than_the_track_is_refused_with_the_place():
    left = np.full(120, 3.0)
    left[30] = 0.5
    track = Track.from_arrays(RING, left, 1.0, name="Narrow")
    track.validate()
    track.validate(1.4)
    with pytest.raises(
        InputError, match=r"'Narrow' is 1\.50 m wide at waypoint 30 \(s = 157\.1 m\)"
    ):
        track.validate(2.0)
    for width in (0.0, -1.0, math.nan, "wide"):
        with pytest.raises(InputError, match="vehicle_width"):
            track.validate(width)


BAD = [
    (lambda: Track("Bare", Route.through(RING)), "no widths"),
    (lambda: Track.from_arrays(RING, 5, 5, wall_distance=-1.0), "wall_distance"),
    (lambda: Track.from_arrays(RING, 5, 5, wall_distance=math.nan), "wall_distance"),
    (lambda: Track.from_arrays(RING, 5, 5, wall_distance="far"), "wall_distance"),
    (lambda: Track.from_arrays(RING, [1, 2], 5), "width_left and width_right"),
    (lambda: Track.from_arrays(RING, "wide", 5), "width_left and width_right"),
    (lambda: Track.from_arrays(RING, 5, 0.0), r"widths\[0, 1\] is 0"),
    (lambda: Track.from_arrays(RING, 5, np.full(120, math.nan)), r"widths\[0, 1\] is nan"),
    (lambda: Track.from_arrays([], 5, 5), "shape"),
    (lambda: Track.from_arrays(3.0, 5, 5), "shape"),
    (lambda: Track.from_arrays([(0, 0)], 5, 5), "needs 3"),
    (lambda: Track("A", Route.through(RING, widths=np.ones((120, 2))), sectors=(0.5, 0.4)), "sec"),
    (lambda: Track("A", Route.through(RING, widths=np.ones((120, 2))), sectors=("a",)), "sectors"),
    (lambda: Track.from_arrays(RING, 5, 5).scaled(0.0), "factor"),
    (lambda: Track.from_arrays(RING, 5, 5).scaled(math.inf), "factor"),
    (lambda: Track.from_arrays(RING, 5, 5).rotated(math.nan), "s is nan"),
    (lambda: Track.from_arrays(RING, 5, 5).resampled(0.0), "step"),
    (lambda: Track.from_arrays(RING, 5, 5).corners(widest_radius=0.0), "widest_radius"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_tracks_that_cannot_be_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_real_circuits_are_usable_with_their_faults(data_folder):
    files = sorted((data_folder / "tracks").glob("tum*/*.csv"))
    if not files:
        pytest.skip("no circuits in the data folder")
    for path in files:
        table = np.loadtxt(path, delimiter=",")
        track = Track.from_arrays(table[:, :2], table[:, 3], table[:, 2], name=path.stem)
        track.validate(2.0)
        assert len(track.problems()) < 20
        chords = np.hypot(*(np.roll(table[:, :2], -1, axis=0) - table[:, :2]).T).sum()
        assert chords <= track.length <= 1.01 * chords
        corners = track.corners()
        assert len(corners) >= 2
        # Once round a circuit the yaw changes by a full turn, nearly all of it in corners.
        assert abs(sum(corner.turn for corner in corners)) == pytest.approx(2 * math.pi, abs=2.0)
        s = track.route.sample(7.0)
        yaw = track.route.yaw(s)
        beside = track.route.position(s) + np.column_stack((-np.sin(yaw), np.cos(yaw)))
        found = track.route.project(beside, hint=s + 4.0)
        assert np.allclose(found.offset, 1.0, atol=1e-6)
        assert np.allclose(found.s, s, atol=1e-6)
