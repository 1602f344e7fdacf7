from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from headway.follow.progress import ahead, next_waypoint, step_progress
from headway.world.route import Route


def ring(radius: float = 50.0, count: int = 72) -> Route:
    angle = np.arange(count) * 2 * math.pi / count
    return Route.through(radius * np.column_stack((np.cos(angle), np.sin(angle))))


def eight(wide: float = 120.0, tall: float = 60.0, count: int = 80) -> Route:
    angle = (np.arange(count) + 0.5) * 2 * math.pi / count
    return Route.through(np.column_stack((wide * np.sin(angle), tall * np.sin(2 * angle))))


STRAIGHT = Route.through([(0, 0), (40, 0), (80, 0), (120, 0)], closed=False)


def beside(route: Route, s: float, offset: float) -> tuple[float, float]:
    """The point at an offset to the left of the route."""
    x, y = route.position(s)
    yaw = route.yaw(s)
    return float(x - offset * math.sin(yaw)), float(y + offset * math.cos(yaw))


# ---------------------------------------------------------------------------------------------
# Stepped


def stepped(route: Route, x: float, y: float, s: float, share: float) -> float:
    """The rule of games, written out: only ever forward, by a share of the whole distance."""
    point, along = route.position(s), route.direction(s)
    delta = point - (x, y)
    if delta @ along < 0:
        s += share * math.sqrt(delta @ delta)
    return s % route.length if route.closed else min(s, route.length)


@given(
    st.sampled_from([ring(), eight(), STRAIGHT]),
    st.floats(0, 0.999),
    st.floats(-30, 30),
    st.floats(-30, 30),
    st.sampled_from([0.5, 1.0]),
)
def test_stepped_progress_is_the_rule_of_games(route, fraction, dx, dy, share):
    s = fraction * route.length
    x, y = (float(v) for v in route.position(s) + np.array((dx, dy)))
    along = route.direction(s)
    assume(abs(along @ (dx, dy)) > 1e-6)
    found, offset = step_progress(*route.curve, x, y, s, share)
    assert found == pytest.approx(stepped(route, x, y, s, share), abs=1e-9)
    assert offset == pytest.approx(along[0] * dy - along[1] * dx, abs=1e-9)


def test_stepped_progress_takes_half_the_distance_ahead():
    assert step_progress(*STRAIGHT.curve, 16.0, 0.0, 10.0, 0.5)[0] == pytest.approx(13.0)
    assert step_progress(*STRAIGHT.curve, 16.0, 0.0, 10.0, 1.0)[0] == pytest.approx(16.0)


def test_stepped_progress_counts_the_distance_to_the_side_too():
    # 3 m on and 4 m beside: half of 5 m
    assert step_progress(*STRAIGHT.curve, 13.0, 4.0, 10.0, 0.5)[0] == pytest.approx(12.5)


def test_stepped_progress_never_goes_back():
    assert step_progress(*STRAIGHT.curve, 4.0, 0.0, 10.0, 0.5)[0] == 10.0


def test_stepped_progress_wraps_on_a_closed_route_and_stops_on_an_open_one():
    route = ring()
    s = route.length - 1.0
    assert step_progress(*route.curve, *beside(route, 3.0, 0.0), s, 1.0)[0] == pytest.approx(
        3.0, abs=0.02
    )
    assert step_progress(*STRAIGHT.curve, 150.0, 0.0, 118.0, 1.0)[0] == 120.0


# ---------------------------------------------------------------------------------------------
# Point to point


def aim(route: Route, x: float, y: float, waypoint: int, radius: float = 4.0) -> int:
    return next_waypoint(*route.curve, route.waypoint_s, x, y, waypoint, radius)


def test_a_waypoint_is_reached_within_its_radius():
    assert aim(STRAIGHT, 35.9, 0.0, 1) == 1
    assert aim(STRAIGHT, 36.1, 0.0, 1) == 2
    assert aim(STRAIGHT, 40.0, -3.9, 1) == 2


def test_a_waypoint_is_passed_beyond_the_line_across_it():
    assert aim(STRAIGHT, 39.0, 8.0, 1) == 1  # not yet beyond, and too far aside
    assert aim(STRAIGHT, 41.0, 8.0, 1) == 2
    assert aim(STRAIGHT, 41.0, 12.5, 1) == 1  # further off than three radii: it counts no more


def test_waypoints_follow_round_a_closed_route_and_end_on_an_open_one():
    route = ring(count=12)
    assert aim(route, *(float(v) for v in route.waypoints[11]), 11) == 0
    assert aim(STRAIGHT, 120.0, 0.0, 3) == 3
    assert aim(STRAIGHT, 121.0, 0.0, 3) == 3


def test_following_the_waypoints_of_a_ring_visits_each_in_turn():
    route, waypoint, visited = ring(count=12), 0, []
    for s in np.arange(0.0, route.length - 5.0, 1.0):
        new = aim(route, *beside(route, float(s), 2.0), waypoint)
        if new != waypoint:
            visited.append(waypoint)
            assert new == (waypoint + 1) % 12
            waypoint = new
    assert visited == list(range(12))


# ---------------------------------------------------------------------------------------------
# Ahead


@given(st.floats(0, 100), st.floats(-150, 350))
def test_ahead_goes_around_or_stops(s, distance):
    assert ahead(s, distance, 100.0, True) == pytest.approx((s + distance) % 100.0)
    assert ahead(s, distance, 100.0, False) == min(max(s + distance, 0.0), 100.0)
