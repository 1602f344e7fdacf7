from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.geometry.arc_length import PIECES, arc_length_knots, chord_knots
from headway.geometry.curves import curve_point, curve_points, evaluate, project
from headway.geometry.splines import catmull_rom_centripetal, catmull_rom_uniform, polyline


def smooth_curve(points, closed):
    coefficients = catmull_rom_centripetal(points, closed)
    return coefficients, arc_length_knots(coefficients), False, closed


def game_curve(points, closed):
    return catmull_rom_uniform(points, closed), chord_knots(points, closed), True, closed


def straight_curve(points, closed):
    return polyline(points, closed), chord_knots(points, closed), True, closed


kinds = st.sampled_from([smooth_curve, game_curve, straight_curve])


def planar(points) -> np.ndarray:
    points = np.array(points, dtype=float)
    return np.column_stack((points, np.zeros(len(points))))


def ring(count: int, radius: float) -> np.ndarray:
    angle = np.arange(count) * 2 * math.pi / count
    return planar(radius * np.column_stack((np.cos(angle), np.sin(angle))))


@st.composite
def circuits(draw):
    """Closed waypoints: wavy rings, figures of eight, and what no one would draw on purpose."""
    shape = draw(st.sampled_from(["ring", "eight", "anything"]))
    if shape == "anything":
        places = st.tuples(st.integers(-60, 60), st.integers(-60, 60))
        return planar(draw(st.lists(places, min_size=3, max_size=14, unique=True)))
    count = draw(st.integers(16, 90))
    angle = np.arange(count) * 2 * math.pi / count
    if shape == "eight":
        wide, tall = draw(st.floats(50, 300)), draw(st.floats(30, 150))
        return planar(np.column_stack((wide * np.sin(angle), tall * np.sin(2 * angle))))
    radius = draw(st.floats(50, 400)) * np.ones(count)
    for k in (2, 3, 5):
        radius = radius * (1 + draw(st.floats(0, 0.15)) * np.cos(k * angle + draw(st.floats(0, 6))))
    return planar(radius[:, None] * np.column_stack((np.cos(angle), np.sin(angle))))


def dense(curve, first: float = 0.0, last: float | None = None, count: int = 20_000) -> np.ndarray:
    """Points (count, 2) evenly along a stretch."""
    last = curve[1][-1] if last is None else last
    return curve_points(*curve, np.linspace(first, last, count, endpoint=not curve[3]))[:, :2]


def test_a_fine_ring_is_a_circle():
    curve = smooth_curve(ring(360, 100.0), True)
    s = np.linspace(0.0, curve[1][-1], 999)
    frames = curve_points(*curve, s)
    angle = s / 100.0
    assert curve[1][-1] == pytest.approx(200 * math.pi, rel=1e-6)
    assert np.allclose(frames[:, 0], 100 * np.cos(angle), atol=1e-3)
    assert np.allclose(frames[:, 1], 100 * np.sin(angle), atol=1e-3)
    assert np.allclose(frames[:, 3], -np.sin(angle), atol=1e-3)
    assert np.allclose(frames[:, 4], np.cos(angle), atol=1e-3)
    assert np.allclose(frames[:, 6], 0.01, rtol=0.02)


def test_curvature_is_positive_to_the_left():
    left, right = ring(36, 50.0), ring(36, 50.0)[::-1].copy()
    assert curve_point(*smooth_curve(left, True), 10.0)[5] == pytest.approx(0.02, rel=0.02)
    assert curve_point(*smooth_curve(right, True), 10.0)[5] == pytest.approx(-0.02, rel=0.02)


@given(circuits(), kinds, st.floats(-2, 2))
def test_derivatives_agree_with_differences(points, kind, lap):
    curve = kind(points, True)
    segment, u = int(abs(lap) * 100) % len(points), abs(lap) % 1
    step = 1e-4
    here = np.array(evaluate(curve[0], segment, u))
    ahead, behind = (np.array(evaluate(curve[0], segment, u + h)) for h in (step, -step))
    assert np.allclose((ahead[:3] - behind[:3]) / (2 * step), here[3:6], rtol=1e-4, atol=1e-4)
    assert np.allclose((ahead[3:5] - behind[3:5]) / (2 * step), here[6:], rtol=1e-4, atol=1e-4)


@given(circuits(), kinds, st.floats(-2, 2))
def test_frames_are_finite_with_unit_tangents(points, kind, lap):
    curve = kind(points, True)
    s = lap * curve[1][-1]
    x, y, z, tx, ty, curvature = curve_point(*curve, s)
    assert np.isfinite([x, y, z, tx, ty, curvature]).all()
    assert math.hypot(tx, ty) == pytest.approx(1.0, abs=1e-12)
    row = curve_points(*curve, np.array([s]))[0]
    assert row[[0, 1, 2, 6]].tolist() == [x, y, z, curvature]
    assert row[3:5] == pytest.approx([tx, ty], abs=1e-12)


def test_a_curve_in_space_has_a_tangent_in_space():
    climb = np.array([[0.0, 0, 0], [30, 0, 40], [60, 0, 80]])
    curve = smooth_curve(climb, False)
    assert curve[1][-1] == pytest.approx(100.0)
    assert curve_points(*curve, np.array([25.0]))[0] == pytest.approx([15, 0, 20, 0.6, 0, 0.8, 0])
    assert curve_point(*curve, 25.0)[3:] == pytest.approx((1.0, 0.0, 0.0))


def test_where_a_curve_turns_back_its_tangent_stays_defined():
    there_and_back = planar([(0, 0), (10, 0), (0, 0), (-10, 0)])
    for kind in (smooth_curve, game_curve):
        curve = kind(there_and_back, True)
        frames = curve_points(*curve, curve[1][::PIECES].copy())
        assert np.isfinite(frames).all()
        assert np.hypot(frames[:, 3], frames[:, 4]) == pytest.approx(np.ones(5), abs=1e-12)


@given(circuits(), kinds, st.booleans(), st.floats(-90, 90), st.floats(-90, 90))
def test_projection_onto_a_whole_curve_is_the_closest_point(points, kind, closed, x, y):
    curve = kind(points, closed)
    s, offset = project(*curve, x, y, 0.0, -1.0)
    px, py, _, tx, ty, _ = curve_point(*curve, s)
    found = math.hypot(x - px, y - py)
    assert 0.0 <= s <= curve[1][-1]
    assert found <= np.hypot(*(dense(curve) - (x, y)).T).min() + 1e-6
    if closed or 1e-6 < s < curve[1][-1] - 1e-6:
        assert abs(offset) == pytest.approx(found, abs=1e-6)
    else:
        assert offset == pytest.approx(tx * (y - py) - ty * (x - px), abs=1e-6)


@given(circuits(), kinds, st.booleans(), st.floats(0, 1), st.floats(0, 0.6), st.floats(-90, 90))
def test_projection_within_a_window_is_its_closest_point(points, kind, closed, lap, part, x):
    curve = kind(points, closed)
    length, y = curve[1][-1], 0.7 * x + 5.0
    hint, window = lap * length, part * length
    s, _ = project(*curve, x, y, hint, window)
    away = abs(s - hint)
    away = min(away, length - away) if closed else away
    assert away <= window + 1e-6
    px, py = curve_point(*curve, s)[:2]
    within = dense(curve, hint - window, hint + window)
    assert math.hypot(x - px, y - py) <= np.hypot(*(within - (x, y)).T).min() + 1e-6


@given(circuits(), kinds, st.floats(0, 1), st.floats(0.05, 20))
def test_a_point_on_the_curve_is_found_near_its_own_s(points, kind, lap, window):
    curve = kind(points, True)
    s = lap * curve[1][-1]
    x, y = curve_point(*curve, s)[:2]
    found, offset = project(*curve, x, y, s + 0.5 * window, window)
    assert abs(offset) < 1e-6
    assert math.dist(curve_point(*curve, found)[:2], (x, y)) < 1e-6


def test_the_foot_is_found_to_a_nanometre():
    curve = smooth_curve(ring(90, 300.0), True)
    for s in np.linspace(1.0, 1800.0, 50):
        x, y, _, tx, ty, _ = curve_point(*curve, s)
        found, n = project(*curve, x - 2.5 * ty, y + 2.5 * tx, s - 4.0, 15.0)
        assert found == pytest.approx(s, abs=1e-8)
        assert n == pytest.approx(2.5, abs=1e-9)


def walk(curve, offset: float, step: float) -> float:
    """The largest error in s of a point that walks along a closed curve, its hint one step old."""
    length = curve[1][-1]
    worst, hint = 0.0, 0.0
    for s in np.arange(0.0, 1.5 * length, step):
        x, y, _, tx, ty, _ = curve_point(*curve, s)
        hint, n = project(*curve, x - offset * ty, y + offset * tx, hint, 15.0)
        error = (hint - s + length / 2) % length - length / 2
        worst = max(worst, abs(error), abs(n - offset))
    return worst


def hairpins(gap: float, length: float) -> np.ndarray:
    """A serpentine of straights side by side, closed by a wide return."""
    points = []
    for row in range(4):
        along = np.arange(0.0, length + 1e-9, 5.0)
        along = along if row % 2 == 0 else along[::-1]
        points += [(x, row * gap) for x in along]
        if row < 3:
            bend = np.array([-1, 0, 1]) * math.pi / 4
            side = 1.0 if row % 2 == 0 else -1.0
            centre = (along[-1], (row + 0.5) * gap)
            points += [
                (centre[0] + side * gap / 2 * math.cos(a), centre[1] + gap / 2 * math.sin(a))
                for a in bend
            ]
    return planar([*points, (-40.0, 3 * gap), (-60.0, gap), (-40.0, -10.0), (-15.0, -4.0)])


@pytest.mark.parametrize(("offset", "error"), [(0.0, 1e-6), (-1.2, 1.0), (1.2, 1.0)])
def test_a_walk_between_straights_three_metres_apart_never_jumps(offset, error):
    # Beside the curve, the foot may slip a little where a hairpin is tighter than the offset.
    assert walk(smooth_curve(hairpins(3.0, 100.0), True), offset, 0.7) < error


@given(st.floats(60, 300), st.floats(0.3, 1.0), st.integers(24, 90), st.floats(-4, 4))
def test_a_walk_over_a_crossing_never_jumps(wide, tall, count, offset):
    angle = np.arange(count) * 2 * math.pi / count
    eight = np.column_stack((wide * np.sin(angle), tall * wide * np.sin(2 * angle)))
    assert walk(smooth_curve(planar(eight), True), offset, 1.7) < 1e-6


def test_beyond_the_ends_of_an_open_curve():
    curve = straight_curve(planar([(0, 0), (10, 0), (20, 0)]), False)
    assert project(*curve, -5.0, 2.0, 0.0, -1.0) == (0.0, 2.0)
    assert project(*curve, 25.0, -3.0, 19.0, 5.0) == (20.0, -3.0)


def test_outside_a_corner_of_a_polyline_the_offset_is_the_distance():
    curve = straight_curve(planar([(0, 0), (10, 0), (10, 10)]), False)
    s, offset = project(*curve, 13.0, -4.0, 10.0, 5.0)
    assert (s, offset) == (10.0, -5.0)


@pytest.mark.parametrize("hint", [-1e6, 0.0, 1e6, math.inf, math.nan])
def test_no_hint_makes_a_kernel_hang(hint):
    for closed in (True, False):
        curve = smooth_curve(ring(12, 50.0), closed)
        s, _ = project(*curve, 49.0, 1.0, hint, 5.0)
        assert math.isnan(s) or 0.0 <= s <= curve[1][-1]
