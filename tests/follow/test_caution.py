from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.follow.caution import (
    cautious_speed,
    speed_for_direction,
    speed_for_distance,
    spin_angle,
)
from headway.world.route import Route

MAX, FACTOR, ANGLE, DISTANCE = 60.0, 0.05, math.radians(50), 100.0


def circle(radius: float) -> Route:
    angle = np.arange(360) * 2 * math.pi / 360
    return Route.through(radius * np.column_stack((np.cos(angle), np.sin(angle))))


def corner_after(straight: float, radius: float = 15.0, exit_length: float = 200.0) -> Route:
    """A straight, a left-hander of a quarter turn, and a straight."""
    arc = np.linspace(0.0, math.pi / 2, 19)[1:]
    bend = np.column_stack((straight + radius * np.sin(arc), radius * (1 - np.cos(arc))))
    entry = np.column_stack((np.arange(0.0, straight + 1.0, 5.0), np.zeros(int(straight / 5) + 1)))
    leave = bend[-1] + np.column_stack((np.zeros(20), np.linspace(0, exit_length, 21)[1:]))
    return Route.through(np.concatenate((entry, bend, leave)), closed=False)


def by_direction(route, s, direction, look_ahead, braking=0.0, reach=0.0, spin=0.0):
    return speed_for_direction(
        *route.curve, float(s), float(direction), float(look_ahead), float(braking), float(reach),
        float(spin), MAX, FACTOR, ANGLE,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------
# The formulas


@given(st.floats(-1, 2), st.floats(1, 100), st.floats(0, 1))
def test_full_caution_leaves_a_share_of_the_speed(caution, max_speed, factor):
    clamped = np.clip(caution, 0, 1)
    wanted = max_speed * (1 - clamped * (1 - factor))
    assert cautious_speed(caution, max_speed, factor) == pytest.approx(wanted)


@pytest.mark.parametrize(("caution", "speed"), [(0.0, 60.0), (0.5, 31.5), (1.0, 3.0), (7.0, 3.0)])
def test_caution_by_hand(caution, speed):
    assert cautious_speed(caution, 60.0, 0.05) == pytest.approx(speed)


@given(st.floats(-math.pi, math.pi), st.floats(1, 40), st.floats(0, 600))
def test_speed_for_a_direction_on_a_circle(direction, look_ahead, s):
    """On a circle of radius R the route at s points to s/R + a quarter turn."""
    radius = 100.0
    route = circle(radius)
    there = (s + look_ahead) / radius + math.pi / 2
    turn = abs((there - direction + math.pi) % (2 * math.pi) - math.pi)
    wanted = MAX * (1 - min(turn / ANGLE, 1) * (1 - FACTOR))
    assert by_direction(route, s, direction, look_ahead) == pytest.approx(wanted, abs=0.2)


def test_direction_beyond_the_end_of_an_open_route_is_that_of_its_end():
    route = corner_after(100.0)
    assert by_direction(route, route.length - 1, math.pi / 2, 50.0) == pytest.approx(MAX)


@given(st.floats(0, 300), st.floats(0, 2))
def test_speed_for_a_distance(distance, spin):
    caution = max(np.clip((DISTANCE - distance) / DISTANCE, 0, 1), np.clip(spin / ANGLE, 0, 1))
    wanted = MAX * (1 - caution * (1 - FACTOR))
    assert speed_for_distance(distance, spin, MAX, FACTOR, ANGLE, DISTANCE) == pytest.approx(wanted)


@pytest.mark.parametrize(("distance", "speed"), [(0, 3.0), (50, 31.5), (100, 60.0), (250, 60.0)])
def test_speed_for_a_distance_by_hand(distance, speed):
    found = speed_for_distance(float(distance), 0.0, MAX, FACTOR, ANGLE, DISTANCE)
    assert found == pytest.approx(speed)


# ---------------------------------------------------------------------------------------------
# Spin


def test_a_spin_slows_like_a_turn_of_what_it_turns_in_the_given_time():
    route = circle(1000.0)
    direction = math.pi / 2
    for rate in (0.5, 1.0, 1.5):
        spin = spin_angle(rate, 0.0, math.radians(30))
        wanted = MAX * (1 - min(spin / ANGLE, 1) * (1 - FACTOR))
        assert spin == pytest.approx((rate - 0.1) * math.radians(30))
        assert by_direction(route, 0.0, direction, 0.0, spin=spin) == pytest.approx(wanted)


@given(st.floats(-3, 3), st.floats(-2, 2))
def test_turning_as_the_route_turns_is_no_spin(rate, asked):
    assert spin_angle(asked, asked, 0.5) == 0.0
    assert spin_angle(rate, asked, 0.5) == spin_angle(-rate, -asked, 0.5) >= 0.0


def test_the_larger_of_turn_and_spin_counts():
    route = circle(1000.0)
    turned, spun = 0.3, 0.5
    only_turn = by_direction(route, 0.0, math.pi / 2 + turned, 0.0)
    only_spin = by_direction(route, 0.0, math.pi / 2, 0.0, spin=spun)
    both = by_direction(route, 0.0, math.pi / 2 + turned, 0.0, spin=spun)
    assert both == pytest.approx(min(only_turn, only_spin))
    assert both == pytest.approx(MAX * (1 - spun / ANGLE * (1 - FACTOR)))


# ---------------------------------------------------------------------------------------------
# Looking as far as the brakes need


def speed_at_the_corner(reach_braking_distance: bool, decelerate: float = 11.0) -> float:
    """Drive at 60 m/s to a right-angled corner 150 m ahead, braking whenever it is asked for."""
    route, s, v, dt = corner_after(150.0), 0.0, 60.0, 0.02
    while s < 150.0:
        reach = v * v / (2 * 0.9 * decelerate) if reach_braking_distance else 0.0
        wanted = by_direction(route, s, 0.0, 10.0 + 0.2 * v, 0.9 * decelerate, reach)
        v = max(min(v, wanted), v - decelerate * dt)
        s += v * dt
    return v


def test_a_corner_is_braked_for_from_the_braking_distance():
    # with 11 m/s² it takes 163 m to stop from 60 m/s; 15 m of radius is taken at 12 m/s
    assert speed_at_the_corner(True) < 20.0


def test_with_the_short_look_ahead_alone_the_corner_comes_too_soon():
    assert speed_at_the_corner(False) > 40.0


def test_a_reach_that_ends_before_the_look_ahead_changes_nothing():
    route = corner_after(150.0)
    plain = by_direction(route, 120.0, 0.0, 35.0)
    assert by_direction(route, 120.0, 0.0, 35.0, braking=8.0, reach=34.0) == plain


@given(st.floats(0, 250), st.floats(0, 40), st.floats(0.1, 12), st.floats(0, 400))
def test_looking_further_never_makes_faster_and_never_slower_than_braking_needs(
    s, look_ahead, braking, reach
):
    route = corner_after(150.0)
    near = by_direction(route, s, 0.0, look_ahead)
    far = by_direction(route, s, 0.0, look_ahead, braking, reach)
    assert far <= near
    # densely: no point within reach may be met faster than full caution there allows
    extra = np.linspace(0.0, max(reach - look_ahead, 0.0), 2000)
    yaw = np.array(route.yaw(np.minimum(s + look_ahead + extra, route.length)))
    turn = np.abs((yaw + math.pi) % (2 * math.pi) - math.pi)
    there = MAX * (1 - np.clip(turn / ANGLE, 0, 1) * (1 - FACTOR))
    dense = np.sqrt(there**2 + 2 * braking * extra).min()
    assert far >= dense - 1e-6
