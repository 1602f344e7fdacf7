from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_drive import DT, drive_on, on_track

from headway.decide.driver_row import driver_row
from headway.decide.memory import BACKING_UNTIL, MEMORY_WIDTH, STUCK_FOR
from headway.decide.recovery import recover
from headway.decide.route_driver import RouteDriver
from headway.move.car import CARS
from headway.world.state import BRAKE, GEAR, STATE_WIDTH, STEERING, THROTTLE, VX, YAW, X, Y
from headway.world.track import Track

X_AXIS = np.column_stack((np.linspace(0.0, 600.0, 61), np.zeros(61)))
STRAIGHT = Track.from_arrays(X_AXIS, 6.0, 6.0, closed=False)
CALM = RouteDriver(line="centre", max_speed=12.0, lateral_wander=0.0)


def one_tick(
    vx: float,
    angle: float = 0.0,
    wanted: float = 20.0,
    time: float = 0.0,
    memory: np.ndarray | None = None,
    stuck_time: float = 1.5,
) -> tuple[np.ndarray, np.ndarray]:
    """Controls after `recover` saw a driver at full throttle, and the memory."""
    car = np.zeros(STATE_WIDTH)
    car[VX] = vx
    row = driver_row(RouteDriver(stuck_time=stuck_time), CARS["road"])
    memory = np.zeros(MEMORY_WIDTH) if memory is None else memory
    controls = np.array([1.0, 0.0, 0.1, 1.0])
    recover(car, row, float(angle), float(wanted), float(time), DT, memory, controls)
    return controls, memory


# ---------------------------------------------------------------------------------------------
# When it takes over


@pytest.mark.parametrize("vx", [0.0, 0.5, 5.0, 40.0])
def test_a_car_that_is_well_is_left_to_its_driver(vx):
    controls, _ = one_tick(vx)
    assert controls.tolist() == [1.0, 0.0, 0.1, 1.0]


def test_standing_against_ones_will_for_the_drivers_time_is_being_stuck():
    memory, time = np.zeros(MEMORY_WIDTH), 0.0
    while time < 10.0:
        controls, _ = one_tick(0.2, time=time, memory=memory)
        if controls[GEAR] < 0:
            break
        time += DT
    assert time == pytest.approx(1.5, abs=2 * DT)


def test_standing_because_one_wants_to_is_not():
    memory = np.zeros(MEMORY_WIDTH)
    for tick in range(500):
        controls, _ = one_tick(0.0, wanted=0.0, time=tick * DT, memory=memory)
        assert controls[GEAR] == 1.0
    assert memory[STUCK_FOR] == 0.0


def test_getting_going_ends_the_count():
    memory = np.zeros(MEMORY_WIDTH)
    for tick in range(50):
        one_tick(0.2, time=tick * DT, memory=memory)
    assert memory[STUCK_FOR] == pytest.approx(1.0)
    one_tick(4.0, time=1.0, memory=memory)
    assert memory[STUCK_FOR] == 0.0


def test_a_driver_without_a_stuck_time_never_backs_up():
    memory = np.zeros(MEMORY_WIDTH)
    for tick in range(500):
        controls, _ = one_tick(0.0, angle=3.0, time=tick * DT, memory=memory, stuck_time=0.0)
        assert controls.tolist() == [1.0, 0.0, 0.1, 1.0]


@pytest.mark.parametrize(("angle", "backs"), [(100.0, False), (120.0, True), (-120.0, True)])
def test_a_slow_car_that_faces_the_wrong_way_backs_up_at_once(angle, backs):
    controls, _ = one_tick(1.0, angle=math.radians(angle))
    assert (controls[GEAR] < 0) == backs


def test_a_fast_car_sideways_is_left_to_its_driver():
    controls, _ = one_tick(20.0, angle=math.radians(120))
    assert controls[GEAR] == 1.0


def test_a_car_that_rolls_backwards_is_braked():
    controls, _ = one_tick(-5.0)
    assert controls[[THROTTLE, BRAKE, GEAR]].tolist() == [0.0, 1.0, 1.0]


# ---------------------------------------------------------------------------------------------
# Backing up


@given(st.floats(-2.9, 2.9), st.floats(2.0, math.pi) | st.floats(-math.pi, -2.0))
def test_the_wheel_is_turned_away_from_the_target_in_reverse(vx, angle):
    """In reverse, that swings the nose towards it."""
    controls, _ = one_tick(vx, angle=angle)
    assert controls[GEAR] == -1.0
    assert controls[STEERING] == -math.copysign(1.0, angle)
    assert controls[THROTTLE] * controls[BRAKE] == 0.0


def test_a_car_still_rolling_forward_is_stopped_before_it_reverses():
    controls, _ = one_tick(2.0, angle=3.0)
    assert controls[[THROTTLE, BRAKE]].tolist() == [0.0, 1.0]
    controls, _ = one_tick(0.0, angle=3.0)
    assert controls[THROTTLE] > 0.0
    assert controls[BRAKE] == 0.0


def test_reversing_has_a_speed_limit():
    controls, _ = one_tick(-4.5, angle=3.0)
    assert controls[THROTTLE] == 0.0


def test_backing_up_ends_once_the_nose_points_roughly_to_the_target():
    _, memory = one_tick(0.0, angle=3.0)
    controls, _ = one_tick(-2.0, angle=2.0, time=0.5, memory=memory)
    assert controls[GEAR] == -1.0
    one_tick(-2.0, angle=0.5, time=0.6, memory=memory)
    assert memory[BACKING_UNTIL] <= 0.6
    controls, _ = one_tick(-2.0, angle=0.5, time=0.62, memory=memory)
    assert controls[GEAR] == 1.0


def test_backing_up_ends_after_a_while_anyway():
    _, memory = one_tick(0.0, angle=3.0)
    last = 0.0
    for tick in range(1, 500):
        controls, _ = one_tick(-3.5, angle=0.3, time=tick * DT, memory=memory.copy())
        last = tick * DT if controls[GEAR] < 0 else last
    assert 1.0 < last < 4.0


# ---------------------------------------------------------------------------------------------
# On the road


@pytest.mark.parametrize("vehicle", ["road", "gt", "formula"])
@pytest.mark.parametrize("turn", [180.0, 175.0, -175.0, 120.0, -120.0])
@pytest.mark.parametrize("offset", [0.0, 3.0, -3.0])
def test_a_car_that_faces_the_wrong_way_turns_round(vehicle, turn, offset):
    start = on_track(STRAIGHT, 300.0, offset, turn=math.radians(turn))
    drive = drive_on(STRAIGHT, [CALM], start, 20.0, vehicle)
    x, y, yaw = drive.cars[:, 0, [X, Y, YAW]].T
    right = (np.abs(yaw) < 0.1) & (np.abs(y) < 0.5) & (drive.cars[:, 0, VX] > 10.0)
    assert right[-100:].all()
    assert np.abs(y).max() < 9.0  # near its road, 6 m to either side
    assert x.min() > 270.0


@pytest.mark.parametrize("offset", [0.0, 2.0, -2.0])
def test_a_car_stuck_at_a_wall_backs_off_and_drives_on_once_it_is_gone(offset):
    def wall(tick: int, cars: np.ndarray) -> None:
        if tick * DT < 8.0 and cars[0, X] > 330.0:
            cars[0, X], cars[0, VX] = 330.0, min(cars[0, VX], 0.0)

    start = on_track(STRAIGHT, 310.0, offset)
    drive = drive_on(STRAIGHT, [CALM], start, 20.0, hold=wall)
    x, y = drive.cars[:, 0, [X, Y]].T
    at_wall = int(np.argmax(x >= 330.0 - 1e-9))
    away = x[at_wall : at_wall + 250]  # the next five seconds
    assert away.min() < 328.0
    assert np.argmax(away < 329.9) * DT > 1.0  # not before it was stuck for the driver's time
    assert x[-1] > 360.0
    assert np.abs(y[x > 355.0]).max() < 0.5
    assert drive.room.min() > 0.0


def test_a_car_that_never_gets_free_keeps_trying():
    def wall(tick: int, cars: np.ndarray) -> None:
        if cars[0, X] > 330.0:
            cars[0, X], cars[0, VX] = 330.0, min(cars[0, VX], 0.0)

    drive = drive_on(STRAIGHT, [CALM], on_track(STRAIGHT, 325.0), 40.0, hold=wall)
    backing = drive.controls[:, 0, GEAR] < 0
    begins = int((np.diff(backing.astype(int)) == 1).sum())
    assert 4 <= begins <= 14
    assert np.isfinite(drive.cars).all()


def test_a_car_that_rolls_backwards_is_stopped_and_driven_on():
    drive = drive_on(STRAIGHT, [CALM], on_track(STRAIGHT, 300.0, speed=-8.0), 12.0)
    x = drive.cars[:, 0, X]
    assert x.min() > 300.0 - 8.0**2 / (2 * 5.0)  # the brakes, not the drag, stop it
    assert x[-1] > 330.0
    assert (drive.controls[:, 0, GEAR] > 0).all()
