"""Driving by force, velocity and target, on the single-track car."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest

from headway.decide.drive_by_force import (
    drive_by_force,
    drive_by_velocity,
    drive_to,
    start_memory,
)
from headway.decide.drive_manoeuvre import BACKING, SINCE, Manner
from headway.errors import InputError
from headway.move.car import CARS
from headway.move.single_track import step_cars
from headway.world.state import BRAKE, GEAR, STEERING, THROTTLE, VX, VY, YAW_RATE

DT = 0.02
DRY = (1.0, 0.0, 0.0, 0.0)
ROAD = CARS["road"].vector()
ALL_ROUND = np.radians(np.arange(0, 360, 30))


def drive(choose, states, car, seconds):
    """Drive all cars; returns the states and controls of each step."""
    n = len(states)
    memory, cars, trace = start_memory(n), np.repeat(car[None], n, axis=0), []
    for _ in range(round(seconds / DT)):
        controls, memory = choose(states, memory)
        assert ((controls[:, [THROTTLE, BRAKE]] >= 0) & (controls[:, [THROTTLE, BRAKE]] <= 1)).all()
        assert (np.abs(controls[:, STEERING]) <= 1.0).all()
        assert (np.abs(controls[:, GEAR]) == 1.0).all()
        states = step_cars(states, controls, np.tile(DRY, (n, 1)), cars, DT)
        trace.append((states, controls))
    return [np.array(each) for each in zip(*trace, strict=True)]


def standing(n, speed=0.0):
    states = np.zeros((n, 7))
    states[:, VX] = speed
    return states


@pytest.mark.parametrize("name", ["road", "formula", "f1tenth", "commonroad2", "commonroad4"])
@pytest.mark.parametrize("wheelbases", [1.5, 5.0, 15.0])
@pytest.mark.parametrize("speed", [0.0, 4.0])
def test_a_target_ahead_aside_or_behind_is_reached(name, wheelbases, speed):
    car = CARS[name]
    targets = np.column_stack((np.cos(ALL_ROUND), np.sin(ALL_ROUND)))
    targets *= wheelbases * car.wheelbase
    tolerance = 0.2 * car.wheelbase
    scale = math.sqrt(car.wheelbase / 2.65)  # of speeds, for models and trucks
    manner = Manner(backing_below=3.0 * scale, backing_speed=2.5 * scale)
    states, controls = drive(
        lambda s, m: drive_to(
            s, targets, car.vector(), m, DT,
            speed=15.0 * scale, tolerance=tolerance, manner=manner,
        ),
        standing(12, speed * scale), car.vector(), 32.0,
    )  # fmt: skip
    away = np.hypot(*(states[-1, :, :2] - targets).T)
    assert away.max() < 1.2 * tolerance
    assert np.abs(states[-1, :, VX]).max() < 0.05
    changes = (np.diff(controls[:, :, GEAR], axis=0) != 0).sum(axis=0)
    assert changes.max() <= 4


@pytest.mark.parametrize("knows", [True, False])
def test_what_lies_within_the_turning_circle_is_not_circled(knows):
    car = CARS["road"]
    wheel, pace = car.max_wheel_angle, 2.5
    bend = math.tan(wheel) / car.wheelbase
    circling = np.array([[0, 0, 0, pace, pace * bend * car.rear_axle, pace * bend, wheel]])
    target = np.array([0.3 - car.rear_axle, 0.9 / bend])  # close to the centre of the circle

    def seek(s, m):
        way = target - s[:, :2]
        far = np.linalg.norm(way, axis=1)
        known = {"distance": far} if knows else {}
        return drive_by_velocity(s, 3.0 * way / far[:, None], ROAD, m, DT, **known)

    states, controls = drive(seek, circling, ROAD, 12.0)
    assert np.linalg.norm(states[:, 0, :2] - target, axis=1).min() < 0.3
    # the distance tells at once; else it shows once the target has come to lie behind
    begins = np.argmax(controls[:, 0, GEAR] < 0) * DT
    assert begins < (0.1 if knows else 5.0)


def test_a_fast_car_slows_down_before_it_turns_about_and_dwells():
    def back(s, m):
        return drive_by_velocity(s, np.tile((-10.0, 0.0), (len(s), 1)), ROAD, m, DT)

    states, controls = drive(back, standing(1, 20.0), ROAD, 15.0)
    backing = controls[:, 0, GEAR] < 0
    first = int(np.argmax(backing))
    assert states[first - 1, 0, VX] < 3.0
    assert states[first, 0, VX] < 20.0
    edges = np.flatnonzero(np.diff(backing))
    assert len(edges) == 2
    assert (np.diff(edges) * DT >= 0.5 - 1e-9).all()
    heading = math.remainder(states[-1, 0, 2] - math.pi, math.tau)
    assert abs(heading) < 0.02
    assert states[-1, 0, VX] == pytest.approx(10.0, abs=0.3)


def test_the_wanted_velocity_is_reached_and_held():
    wanted = np.array([(15.0, 0.0), (12.0, 9.0), (0.0, -10.0), (0.0, 0.0)])
    states, _ = drive(
        lambda s, m: drive_by_velocity(s, wanted, ROAD, m, DT), standing(4, 8.0), ROAD, 20.0
    )
    c, s = np.cos(states[-1, :, 2]), np.sin(states[-1, :, 2])
    vx, vy = states[-1, :, VX], states[-1, :, VY]
    world = np.column_stack((c * vx - s * vy, s * vx + c * vy))
    np.testing.assert_allclose(world, wanted, atol=0.3)


@pytest.mark.parametrize("name", ["road", "gt"])
def test_turning_stays_within_the_grip_share(name):
    car = CARS[name]
    states, _ = drive(
        lambda s, m: drive_by_velocity(s, [(0.0, 30.0)], car.vector(), m, DT),
        standing(1, 25.0), car.vector(), 10.0,
    )  # fmt: skip
    sideways = np.abs(states[:, 0, VX] * states[:, 0, YAW_RATE])
    assert sideways.max() < 9.81 * car.front_friction * 0.95
    slip = np.arctan2(states[:, 0, VY], np.maximum(states[:, 0, VX], 2.0))
    assert np.abs(slip).max() < 0.35


def test_a_force_speeds_up_brakes_and_turns():
    pushes = np.array([(4000.0, 0.0), (-8000.0, 0.0), (0.0, 4000.0), (0.0, -4000.0)])
    controls, _ = drive_by_force(standing(4, 10.0), pushes, ROAD, start_memory(4), DT)
    assert controls[0, THROTTLE] > 0.3
    assert controls[1, BRAKE] > 0.2
    assert controls[2, STEERING] == -controls[3, STEERING] > 0.05
    np.testing.assert_array_equal(controls[:, GEAR], 1.0)
    states, _ = drive(
        lambda s, m: drive_by_force(s, pushes[:2], ROAD, m, DT), standing(2, 10.0), ROAD, 1.0
    )
    assert states[-1, 0, VX] > 11.0
    assert states[-1, 1, VX] < 6.0


def test_batch_is_single_and_the_memory_is_not_changed():
    rng = np.random.default_rng(0)
    states, wanted = rng.normal(size=(2, 9, 7))
    cars = np.array([CARS[name].vector() for name in sorted(CARS)])
    memory = start_memory(9)
    memory[::2, BACKING] = 1.0
    memory[:, SINCE] = rng.uniform(0, 1, 9)
    before, far = memory.copy(), rng.uniform(0, 9, 9)
    controls, after = drive_by_velocity(states, wanted[:, :2], cars, memory, DT, distance=far)
    np.testing.assert_array_equal(memory, before)
    for i in range(9):
        one = drive_by_velocity(
            states[[i]], wanted[[i], :2], cars[i], memory[[i]], DT, distance=far[i]
        )
        np.testing.assert_array_equal(one[0][0], controls[i])
        np.testing.assert_array_equal(one[1][0], after[i])
    near = np.repeat(far, 2)[::2]
    again, _ = drive_by_velocity(states, wanted[:, :2], cars, memory, DT, distance=near)
    np.testing.assert_array_equal(again, controls)
    none = drive_to(np.zeros((0, 7)), (1.0, 1.0), ROAD, start_memory(0), DT)
    assert none[0].shape == (0, 4)


def test_at_the_target_it_stands():
    controls, _ = drive_to(standing(1), (0.0, 0.0), ROAD, start_memory(1), DT)
    assert controls[0, THROTTLE] == 0.0
    assert controls[0, BRAKE] > 0.0


def test_misuse_is_named():
    good = (standing(2), np.ones((2, 2)), ROAD, start_memory(2), DT)
    with pytest.raises(InputError, match="wanted"):
        drive_by_velocity(good[0], np.ones((3, 2)), *good[2:])
    with pytest.raises(InputError, match="states of car 1"):
        drive_by_velocity(np.where(np.arange(14).reshape(2, 7) == 9, np.nan, 0.0), *good[1:])
    with pytest.raises(InputError, match="cars"):
        drive_by_velocity(*good[:2], np.zeros((2, 3)), *good[3:])
    with pytest.raises(InputError, match="distance"):
        drive_by_velocity(*good, distance=-1.0)
    with pytest.raises(InputError, match="memory"):
        drive_to(*good[:3], start_memory(1), DT)
    with pytest.raises(InputError, match="tolerance"):
        drive_to(*good, tolerance=0.0)
    with pytest.raises(InputError, match="response"):
        drive_by_force(*good, response=0.0)
    with pytest.raises(InputError, match="dwell"):
        Manner(dwell=-1.0)


@pytest.mark.parametrize("name", [field.name for field in fields(Manner)])
@pytest.mark.parametrize(
    "value", [None, "x", [1.0, 2.0], math.nan, -1.0, math.inf, pytest.param(10**400, id="huge")]
)
def test_a_parameter_that_is_no_number_is_named(name, value):
    with pytest.raises(InputError, match=f"manner: {name} (is|has|cannot)"):
        Manner(**{name: value})


@pytest.mark.parametrize(
    "change",
    [
        {"speed": None},
        {"speed": "x"},
        {"tolerance": [1.0]},
        {"tolerance": math.inf},
        {"dt": None},
        {"manner": 3},
        {"cars": "x"},
        {"target": [(1.0,), (1.0, 2.0)]},
        {"states": None},
    ],
)
def test_options_that_cannot_be_used_are_named(change):
    good = {"states": np.zeros((1, 7)), "target": (9.0, 0.0), "cars": ROAD, "dt": DT}
    with pytest.raises(InputError, match=next(iter(change))):
        drive_to(**({"memory": start_memory(1)} | good | change))


@pytest.mark.parametrize("count", [None, "x", -1, 1.5])
def test_the_memory_is_for_a_number_of_cars(count):
    with pytest.raises(InputError, match="count"):
        start_memory(count)


def test_the_manner_may_be_another_in_each_call():
    states, wanted = np.array([[0, 0, 0, 9.0, 0, 0, 0]]), [(0.0, 0.0)]
    for braking in (1.0, 5.0, 1.0):
        controls, _ = drive_by_velocity(
            states, wanted, ROAD, start_memory(1), DT, manner=Manner(braking=braking)
        )
        assert (controls[0, BRAKE] > 0.3) == (braking == 5.0)


@pytest.mark.parametrize(("speed", "speeds_up"), [(3.0, False), (math.inf, True)])
def test_it_goes_to_a_target_no_faster_than_it_is_told(speed, speeds_up):
    states = [[0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0]]
    controls, _ = drive_to(states, (300.0, 0.0), ROAD, start_memory(1), DT, speed=speed)
    assert (controls[0, THROTTLE] > 0.0) == speeds_up
    assert (controls[0, BRAKE] > 0.0) != speeds_up


def test_a_force_adds_to_the_velocity_that_a_sliding_car_has():
    yaw, ahead, left = 0.7, 5.0, 1.5
    states = [[0.0, 0.0, yaw, ahead, left, 0.0, 0.0]]
    across = np.array([-math.sin(yaw), math.cos(yaw)])
    velocity = ahead * np.array([math.cos(yaw), math.sin(yaw)]) + left * across
    force = np.array([[900.0, -400.0]])
    wanted = velocity + force * 0.5 / CARS["road"].mass
    got, _ = drive_by_force(states, force, ROAD, start_memory(1), DT, response=0.5)
    expected, _ = drive_by_velocity(states, wanted, ROAD, start_memory(1), DT)
    np.testing.assert_allclose(got, expected, rtol=1e-12)
