from __future__ import annotations

import math

import numpy as np
import pytest

from headway.geometry.arc_length import arc_length_knots, chord_knots
from headway.geometry.curves import curve_points, project
from headway.geometry.projection import project_all, project_all_by_heading
from headway.geometry.splines import catmull_rom_centripetal, polyline


def project_by_heading(*arguments):
    *curve, x, y, yaw, weight = arguments
    found = project_all_by_heading(*curve, np.array([[x, y]]), np.array([yaw]), weight)
    return tuple(found[0])


def figure_eight():
    angle = np.arange(80) * 2 * math.pi / 80
    points = np.column_stack((200 * np.sin(angle), 90 * np.sin(2 * angle), np.zeros(80)))
    coefficients = catmull_rom_centripetal(points, True)
    return coefficients, arc_length_knots(coefficients), False, True


def by_brute_force(curve, x, y, yaw, weight):
    """The rule of projection by heading, on samples a millimetre or so apart."""
    s = np.linspace(0.0, curve[1][-1], 400_000, endpoint=False)
    frames = curve_points(*curve, s)
    distance = np.hypot(frames[:, 0] - x, frames[:, 1] - y)
    dips = (distance <= np.roll(distance, 1)) & (distance <= np.roll(distance, -1))
    agreement = np.maximum(0.0, frames[:, 3] * math.cos(yaw) + frames[:, 4] * math.sin(yaw))
    cost = np.where(dips, distance + weight * (1 - agreement), np.inf)
    return s[cost.argmin()]


@pytest.mark.parametrize("seed", range(12))
def test_the_rule_is_followed_on_a_figure_of_eight(seed):
    curve = figure_eight()
    rng = np.random.default_rng(seed)
    x, y, yaw = rng.uniform(-40, 40), rng.uniform(-40, 40), rng.uniform(-math.pi, math.pi)
    s, offset = project_by_heading(*curve, x, y, yaw, 8.0)
    assert s == pytest.approx(by_brute_force(curve, x, y, yaw, 8.0), abs=0.01)
    assert abs(offset) == pytest.approx(
        math.dist(curve_points(*curve, np.array([s]))[0, :2], (x, y)), abs=1e-9
    )


def test_without_weight_it_is_plain_projection():
    curve = figure_eight()
    rng = np.random.default_rng(7)
    for x, y, yaw in rng.uniform((-220, -100, -3), (220, 100, 3), (200, 3)):
        plain = project(*curve, x, y, 0.0, -1.0)
        assert project_by_heading(*curve, x, y, yaw, 0.0) == pytest.approx(plain, abs=1e-8)


def test_start_and_end_of_an_open_curve_count():
    points = np.array([[0.0, 0, 0], [50, 0, 0], [50, 4, 0], [0, 4, 0]])
    curve = polyline(points, False), chord_knots(points, False), True, False
    assert project_by_heading(*curve, -3.0, 2.1, 0.0, 8.0) == (0.0, 2.1)
    s, offset = project_by_heading(*curve, -3.0, 1.9, math.pi, 8.0)
    assert (s, offset) == pytest.approx((104.0, 2.1))


def test_batches_are_the_single_kernels():
    curve = figure_eight()
    rng = np.random.default_rng(3)
    poses = rng.uniform((-220, -100, -3), (220, 100, 3), (64, 3))
    places, yaws = poses[:, :2].copy(), poses[:, 2].copy()
    hints = rng.uniform(0, curve[1][-1], 64)
    near = project_all(*curve, places, hints, 30.0)
    by_heading = project_all_by_heading(*curve, places, yaws, 8.0)
    for i in range(64):
        assert tuple(near[i]) == project(*curve, *places[i], hints[i], 30.0)
        assert tuple(by_heading[i]) == project_by_heading(*curve, *places[i], yaws[i], 8.0)
    assert np.array_equal(
        project_all(*curve, places[10:20].copy(), hints[10:20].copy(), 30.0), near[10:20]
    )
