from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from headway.geometry.arc_length import (
    PIECES,
    arc_length_knots,
    chord_knots,
    locate,
    piece_at,
    wrap,
)
from headway.geometry.splines import catmull_rom_centripetal, catmull_rom_uniform, polyline


def speed(coefficients: np.ndarray, segment: int, u: float) -> float:
    c = coefficients[segment]
    return float(np.linalg.norm(c[1] + u * (2 * c[2] + 3 * u * c[3])))


def measured(coefficients: np.ndarray, start: tuple[int, float], end: tuple[int, float]) -> float:
    """Arc length between two places of a curve by adaptive quadrature."""
    total = 0.0
    for segment in range(start[0], end[0] + 1):
        a = start[1] if segment == start[0] else 0.0
        b = end[1] if segment == end[0] else 1.0
        total += quad(
            lambda u, k=segment: speed(coefficients, k, u),
            a,
            b,
            epsabs=1e-12,
            epsrel=1e-11,
            limit=200,
        )[0]
    return total


def wavy(count: int, seed: int, depth: int) -> np.ndarray:
    """Waypoints of a wavy ring with uneven spacing."""
    rng = np.random.default_rng(seed)
    angle = np.sort((np.arange(count) + rng.uniform(-0.4, 0.4, count)) * 2 * math.pi / count)
    radius = 300 + 60 * np.sin(3 * angle + rng.uniform(0, 6)) + 20 * np.cos(8 * angle)
    height = 15 * depth * np.sin(2 * angle)
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle), height))


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("count", [12, 90])
def test_equal_steps_of_s_are_equal_metres(count, depth):
    coefficients = catmull_rom_centripetal(wavy(count, count, depth), True)
    knots = arc_length_knots(coefficients)
    s = np.linspace(0.0, knots[-1], 400, endpoint=False)
    places = [locate(coefficients, knots, False, True, float(x)) for x in s]
    steps = [measured(coefficients, a, b) for a, b in pairwise(places)]
    assert np.abs(np.array(steps) / s[1] - 1.0).max() < 1e-6
    whole = measured(coefficients, (0, 0.0), (count - 1, 1.0))
    assert knots[-1] == pytest.approx(whole, rel=1e-8)


@given(
    st.lists(st.tuples(*[st.integers(0, 40).map(float)] * 2), min_size=3, max_size=8, unique=True),
    st.floats(0, 1),
)
def test_wild_waypoints_are_measured_to_a_millionth_too(points, part):
    points = np.column_stack((np.array(points), np.zeros(len(points))))
    coefficients = catmull_rom_centripetal(points, True)
    knots = arc_length_knots(coefficients)
    s = part * 0.999 * knots[-1]
    place = locate(coefficients, knots, False, True, s)
    assert measured(coefficients, (0, 0.0), place) == pytest.approx(
        s, rel=1e-6, abs=1e-6 * knots[-1]
    )


def test_a_curve_that_turns_back_on_itself_is_walked_through():
    points = np.array([[0.0, 0, 0], [10, 0, 0], [0.0, 0.0, 0.0], [-10, 0, 0]])
    coefficients = catmull_rom_centripetal(points, True)
    knots = arc_length_knots(coefficients)
    s = np.linspace(0.0, knots[-1], 1001)[:-1]
    x = []
    for value in s:
        k, u = locate(coefficients, knots, False, True, float(value))
        x.append(coefficients[k, :, 0] @ u ** np.arange(4))
    assert np.abs(np.diff(x)).max() <= s[1] * (1 + 1e-6)


@pytest.mark.parametrize("closed", [True, False])
def test_chords_are_cumulative_and_evenly_divided(closed):
    points = wavy(20, 1, 1)
    knots = chord_knots(points, closed)
    stops = [*points, points[0]] if closed else points
    total = 0.0
    for k, (a, b) in enumerate(pairwise(stops)):
        assert knots[k * PIECES] == pytest.approx(total, rel=1e-14)
        half = total + 0.5 * math.dist(a, b)
        assert knots[k * PIECES + PIECES // 2] == pytest.approx(half, rel=1e-14)
        total += math.dist(a, b)
    assert knots[-1] == pytest.approx(total, rel=1e-14)


@pytest.mark.parametrize("closed", [True, False])
def test_locate_wraps_or_clamps(closed):
    points = wavy(10, 3, 0)
    coefficients, knots = polyline(points, closed), chord_knots(points, closed)
    length = knots[-1]
    last = len(coefficients) - 1
    assert locate(coefficients, knots, True, closed, 0.0) == (0, 0.0)
    if closed:
        assert locate(coefficients, knots, True, True, length) == (0, 0.0)
        assert locate(coefficients, knots, True, True, -1e-30) == (0, 0.0)
        here = locate(coefficients, knots, True, True, 0.3 * length)
        there = locate(coefficients, knots, True, True, 5.3 * length)
        assert here[0] == there[0]
        assert here[1] == pytest.approx(there[1], abs=1e-9)
    else:
        assert locate(coefficients, knots, True, False, -5.0) == (0, 0.0)
        assert locate(coefficients, knots, True, False, length + 5.0) == (last, 1.0)


@given(st.lists(st.floats(1e-6, 1e3), min_size=1, max_size=60), st.floats(0, 1))
def test_piece_at_is_a_search_of_sorted_knots(gaps, part):
    knots = np.concatenate(([0.0], np.cumsum(gaps)))
    for s in (part * knots[-1], *knots):
        expected = min(np.searchsorted(knots, s, side="right") - 1, len(gaps) - 1)
        assert piece_at(knots, float(s)) == expected


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e6))
def test_wrap_stays_within_the_length(s, length):
    knots = np.array([0.0, length])
    assert 0.0 <= wrap(knots, True, s) < length
    assert wrap(knots, False, s) == min(max(s, 0.0), length)


def test_uniform_by_arc_length_agrees_with_quadrature():
    coefficients = catmull_rom_uniform(wavy(30, 5, 1), False)
    knots = arc_length_knots(coefficients)
    assert knots[-1] == pytest.approx(measured(coefficients, (0, 0.0), (28, 1.0)), rel=1e-8)
