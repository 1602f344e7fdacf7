from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from headway.decide.driver_row import driver_row
from headway.decide.evasion import give_way
from headway.decide.memory import EVADE_OFFSET, EVADE_SLOWDOWN, EVADE_UNTIL, MEMORY_WIDTH
from headway.decide.route_driver import CLASSIC
from headway.move.car import CARS
from headway.world.state import STATE_WIDTH, YAW, X, Y


def touch(pose, other, time=7.0, driver=CLASSIC) -> np.ndarray:
    """The memory of a driver at a pose (x, y, yaw) that touched a car at (x, y)."""
    car, touched = np.zeros(STATE_WIDTH), np.zeros(STATE_WIDTH)
    car[[X, Y, YAW]] = pose
    touched[[X, Y]] = other
    memory = np.zeros(MEMORY_WIDTH)
    give_way(car, touched, driver_row(driver, CARS["road"]), float(time), memory)
    return memory


@pytest.mark.parametrize(
    ("other", "slowdown", "offset"),
    [
        ((4.0, 1.0), 0.5, -3.0),  # ahead on the left: slow down, veer right
        ((4.0, -1.0), 0.5, 3.0),
        ((-4.0, 1.0), 1.0, -3.0),  # behind: keep the speed
        ((-4.0, -1.0), 1.0, 3.0),
        ((0.1, 2.0), 0.5, -3.0),
        ((-0.1, 2.0), 1.0, -3.0),
    ],
)
def test_by_hand_facing_east(other, slowdown, offset):
    memory = touch((0.0, 0.0, 0.0), other)
    assert memory[EVADE_SLOWDOWN] == slowdown
    assert memory[EVADE_OFFSET] == offset


@pytest.mark.parametrize(
    ("yaw", "other", "slowdown", "offset"),
    [
        (math.pi / 2, (1.0, 4.0), 0.5, 3.0),  # facing north, the other to the north-east
        (math.pi / 2, (-1.0, -4.0), 1.0, -3.0),
        (math.pi, (-4.0, 1.0), 0.5, 3.0),  # facing west, the other to the north-west: on the right
        (-math.pi / 2, (1.0, -4.0), 0.5, -3.0),
    ],
)
def test_by_hand_facing_elsewhere(yaw, other, slowdown, offset):
    memory = touch((0.0, 0.0, yaw), other)
    assert memory[EVADE_SLOWDOWN] == slowdown
    assert memory[EVADE_OFFSET] == offset


coordinates = st.floats(-100, 100)


@given(coordinates, coordinates, st.floats(-math.pi, math.pi), coordinates, coordinates)
def test_side_and_slowdown_follow_from_the_bearing(x, y, yaw, dx, dy):
    bearing = math.atan2(dy, dx) - yaw
    assume(math.hypot(dx, dy) > 0.01)
    assume(min(abs(math.sin(bearing)), abs(math.cos(bearing))) > 1e-6)
    memory = touch((x, y, yaw), (x + dx, y + dy))
    assert (memory[EVADE_OFFSET] < 0) == (math.sin(bearing) > 0)  # away from it
    assert (memory[EVADE_SLOWDOWN] < 1) == (math.cos(bearing) > 0)  # within 90° of forward


def test_it_lasts_for_the_drivers_time_from_the_last_touch():
    assert touch((0, 0, 0), (4, 1), time=7.0)[EVADE_UNTIL] == 8.0
    assert touch((0, 0, 0), (4, 1), time=7.5)[EVADE_UNTIL] == 8.5


def test_nothing_else_is_remembered():
    memory = touch((0, 0, 0), (4, 1))
    rest = np.delete(memory, [EVADE_UNTIL, EVADE_SLOWDOWN, EVADE_OFFSET])
    assert not rest.any()


def test_two_cars_that_touch_side_by_side_part():
    left, right = touch((0.0, 2.0, 0.0), (0.1, 0.0)), touch((0.1, 0.0, 0.0), (0.0, 2.0))
    assert left[EVADE_OFFSET] > 0 > right[EVADE_OFFSET]


def test_cars_in_one_place_do_not_fail():
    memory = touch((1.0, 1.0, 0.3), (1.0, 1.0))
    assert np.isfinite(memory).all()
    assert abs(memory[EVADE_OFFSET]) == 3.0
