from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.decide.aim import find_progress, lateral_target
from headway.decide.driver_row import driver_row
from headway.decide.memory import ASIDE, EVADE_OFFSET, EVADE_UNTIL, MEMORY_WIDTH, OFFSET, PROGRESS_S
from headway.decide.route_driver import RouteDriver
from headway.move.car import CARS
from headway.world.route import Route
from headway.world.state import STATE_WIDTH, VX, X, Y


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


def project_from(route: Route, x: float, y: float, s: float, speed: float = 20.0):
    """Progress and offset of a car that was last at s, by the projected rule."""
    car, memory = np.zeros(STATE_WIDTH), np.zeros(MEMORY_WIDTH)
    car[[X, Y, VX]] = x, y, speed
    memory[PROGRESS_S] = s
    row = driver_row(RouteDriver(), CARS["road"])
    find_progress(*route.curve, route.waypoint_s, car, row, memory)
    return memory[PROGRESS_S], memory[OFFSET]


def around(route: Route, a: float, b: float) -> float:
    """The way from a to b along a closed route, in plus or minus half its length."""
    return (b - a + route.length / 2) % route.length - route.length / 2


# ---------------------------------------------------------------------------------------------
# Progress


@given(st.floats(0, 1), st.floats(-9, 9), st.floats(-4, 4))
def test_projected_progress_is_where_the_follower_is(fraction, behind, offset):
    route = ring()
    s = fraction * route.length
    found, side = project_from(route, *beside(route, s, offset), (s + behind) % route.length)
    assert around(route, s, found) == pytest.approx(0.0, abs=0.01)
    assert side == pytest.approx(offset, abs=1e-3)


def test_projected_progress_goes_round_and_round_a_closed_route():
    route, s, total = ring(), 0.0, 0.0
    for k in range(1, 1001):
        x, y = beside(route, (0.9 * k) % route.length, 2.0)
        found, _ = project_from(route, x, y, s)
        assert 0.0 <= found < route.length
        total += around(route, s, found)
        s = found
    assert total == pytest.approx(900.0, abs=0.05)


def test_projected_progress_goes_back_with_the_follower():
    assert project_from(STRAIGHT, 30.0, 1.0, 35.0)[0] == pytest.approx(30.0)


@pytest.mark.parametrize(("x", "end"), [(-7.0, 0.0), (127.0, 120.0)])
def test_projected_progress_stays_on_an_open_route(x, end):
    s, offset = project_from(STRAIGHT, x, 1.5, end)
    assert s == end
    assert offset == pytest.approx(1.5)


@pytest.mark.parametrize("offset", [-3.0, 0.0, 3.0])
def test_projected_progress_never_jumps_where_an_eight_crosses_itself(offset):
    route = eight()
    places = np.arange(0.0, 2 * route.length, 0.5)
    s = 0.0
    for place in places:
        found, side = project_from(route, *beside(route, place % route.length, offset), s)
        assert abs(around(route, place % route.length, found)) < 0.2
        assert side == pytest.approx(offset, abs=0.1)
        s = found


# ---------------------------------------------------------------------------------------------
# How far aside


def aim_aside(
    driver: RouteDriver,
    room=(6.0, 6.0),
    low=-math.inf,
    high=math.inf,
    offset=0.0,
    evade=None,
    time=4.0,
    aside=0.0,
) -> float:
    """Offset aimed at on a straight road of constant room to the left and right of the line."""
    table = np.tile(np.array(room, dtype=float), (100, 1))
    memory = np.zeros(MEMORY_WIDTH)
    memory[OFFSET], memory[ASIDE] = offset, aside
    if evade is not None:
        memory[EVADE_UNTIL], memory[EVADE_OFFSET] = evade
    row = driver_row(driver, CARS["road"])
    bounds = np.array([math.inf, low, high])
    return lateral_target(
        float(time), 0, 0, 50.0, 10.0, 200.0, True, table, 2.0, 0.02, bounds, row, memory
    )


QUICK = RouteDriver(lateral_wander=0.0, lateral_speed=1e3)


def test_with_nothing_to_heed_the_line_is_aimed_at():
    assert aim_aside(QUICK) == 0.0


def test_what_traffic_leaves_is_measured_from_where_the_car_is():
    assert aim_aside(QUICK, low=2.0, offset=1.0) == pytest.approx(3.0)
    assert aim_aside(QUICK, high=-2.0, offset=1.0) == pytest.approx(-1.0)
    assert aim_aside(QUICK, low=-1.0, high=1.0, offset=0.5) == 0.0


def test_between_two_that_leave_no_room_the_middle_is_aimed_at():
    assert aim_aside(QUICK, low=1.0, high=-2.0, offset=1.0) == pytest.approx(0.5)


def test_the_road_has_the_last_word():
    half_width = CARS["road"].width / 2
    for low, high in ((9.0, math.inf), (-math.inf, -9.0)):
        aside = aim_aside(QUICK, room=(4.0, 3.0), low=low, high=high)
        assert -3.0 + half_width <= aside <= 4.0 - half_width
        assert abs(aside) > 1.5


def test_evasion_goes_before_wander_until_its_time_is_over():
    wanders = RouteDriver(lateral_wander=0.3, lateral_speed=1e3)
    assert aim_aside(wanders, evade=(4.5, -1.5)) == pytest.approx(-1.5)
    assert abs(aim_aside(wanders, evade=(3.9, -1.5))) <= 0.3


def test_the_aim_moves_aside_at_the_drivers_pace():
    slow = RouteDriver(lateral_wander=0.0, lateral_speed=2.0)
    assert aim_aside(slow, low=3.0) == pytest.approx(2.0 * 0.02)
    assert aim_aside(slow, high=-3.0, aside=1.0) == pytest.approx(1.0 - 2.0 * 0.02)
