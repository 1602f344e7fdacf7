"""The single-track car, against closed-form mechanics and conservation laws."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.move.car import CARS, GRAVITY, car_array
from headway.move.single_track import step_cars, step_cars_into

DT = 0.02
DRY = (1.0, 0.0, 0.0, 0.0)
EVERY_CAR = sorted(CARS)


def drive(car, state, controls, seconds, ground=DRY, dt=DT, substeps=2):
    """All states of one car under constant controls: (ticks + 1, 7)."""
    trace = [np.array([state], dtype=float)]
    for _ in range(round(seconds / dt)):
        trace.append(step_cars(trace[-1], [controls], [ground], car_array([car]), dt, substeps))
    return np.concatenate(trace)


def kinetic_energy(states, car):
    speed2 = states[:, 3] ** 2 + states[:, 4] ** 2
    return 0.5 * (car.mass * speed2 + car.yaw_inertia * states[:, 5] ** 2)


def world_velocity(states):
    c, s = np.cos(states[:, 2]), np.sin(states[:, 2])
    vx, vy = states[:, 3], states[:, 4]
    return np.stack([c * vx - s * vy, s * vx + c * vy], axis=1)


def random_states(car, rng, count):
    """States from rest to top speed, some of them sliding and spinning."""
    wild = rng.choice([0.0, 1.0], count)
    pace = rng.choice([0.0, 0.02, 0.3, 1.0], count)
    states = np.zeros((count, 7))
    states[:, :2] = rng.normal(0, 100, (count, 2))
    states[:, 2] = rng.uniform(-math.pi, math.pi, count)
    states[:, 3] = pace * rng.uniform(-0.2, 1, count) * car.top_speed
    states[:, 4] = pace * wild * rng.normal(0, 0.2, count) * car.top_speed
    states[:, 5] = pace * wild * rng.normal(0, 8 / car.wheelbase, count)
    states[:, 6] = rng.uniform(-1, 1, count) * car.max_wheel_angle
    return states


# --- closed-form mechanics -----------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY_CAR)
def test_slow_circle_is_that_of_the_wheelbase(name):
    car = CARS[name]
    wheel = 0.6 * car.max_wheel_angle
    speed = 0.3 * car.blend_speed
    end = drive(car, [0, 0, 0, speed, 0, 0, wheel], [0, 0, 0.6, 1], 0.5)[-1]
    radius = math.hypot(end[3], end[4]) / end[5]
    assert radius == pytest.approx(
        math.hypot(car.wheelbase / math.tan(wheel), car.rear_axle), rel=1e-3
    )


def test_kinematic_car_follows_its_circle_at_any_speed():
    car = replace(CARS["gt"], model="kinematic", rolling_resistance=1e-9, drag=0.0)
    wheel = 0.2
    lever = car.rear_axle * math.tan(wheel) / car.wheelbase
    yaw_rate = 20 * math.tan(wheel) / car.wheelbase
    start = [0, 0, 0, 20, 20 * lever, yaw_rate, wheel]
    trace = drive(car, start, [0, 0, wheel / car.max_wheel_angle, 1], 10)
    centre = np.array([-car.rear_axle, car.wheelbase / math.tan(wheel)])
    radii = np.linalg.norm(trace[:, :2] - centre, axis=1)
    np.testing.assert_allclose(radii, radii[0], rtol=1e-7)
    np.testing.assert_allclose(trace[:, 3], 20, rtol=1e-6)
    assert np.unwrap(trace[:, 2])[-1] == pytest.approx(10 * yaw_rate, rel=1e-6)


@pytest.mark.parametrize("name", EVERY_CAR)
def test_top_speed_is_where_drive_meets_drag(name):
    car = CARS[name]
    reached = drive(car, [0, 0, 0, 0.9 * car.top_speed, 0, 0, 0], [1, 0, 0, 1], 90)[-1, 3]
    assert reached <= car.top_speed
    assert car.drive_acceleration(reached) < 0.02 or reached > 0.999 * car.top_speed
    assert car.drive_acceleration(0.99 * reached) > 0
    reverse = drive(car, [0, 0, 0, 0, 0, 0, 0], [1, 0, 0, -1], 40)[-1, 3]
    assert -car.reverse_speed <= reverse < -0.99 * car.reverse_speed


@pytest.mark.parametrize("name", EVERY_CAR)
def test_full_throttle_and_full_brake_give_what_the_car_tells_its_driver(name):
    car = CARS[name]
    for speed in np.linspace(0.1, 0.95, 6) * car.top_speed:
        for controls, expected in (
            ([1, 0, 0, 1], car.drive_acceleration(speed)),
            ([0, 1, 0, 1], -car.brake_deceleration(speed)),
        ):
            after = drive(car, [0, 0, 0, speed, 0, 0, 0], controls, 1e-3, dt=1e-3, substeps=1)
            assert (after[-1, 3] - speed) / 1e-3 == pytest.approx(expected, rel=0.01, abs=0.02)


def test_braking_distance():
    car = replace(
        CARS["road"],
        drag=0.0,
        rolling_resistance=1e-9,
        max_brake_force=1e6,
        front_grip_share=1.0,
        rear_grip_share=1.0,
        rear_friction=1.0,
    )
    end = drive(car, [0, 0, 0, 30, 0, 0, 0], [0, 1, 0, 1], 5)[-1]
    assert end[3] == 0
    assert end[0] == pytest.approx(30**2 / (2 * car.front_friction * GRAVITY), rel=0.002)


@pytest.mark.parametrize("name", ["road", "gt", "formula", "reference"])
def test_speed_limit_of_a_constant_radius(name):
    """Speed creeps up on a circle of 60 m until the car runs wide: v = sqrt(a R)."""
    car = CARS[name]
    radius, fastest = 60.0, 0.0
    state = np.array([[0.0, -radius, 0, 10, 0, 10 / radius, 0]])
    for tick in range(4000):
        target = 10 + tick * DT * 0.5
        outward = math.hypot(state[0, 0], state[0, 1]) - radius
        yaw_error = math.atan2(state[0, 0], -state[0, 1]) - state[0, 2]
        yaw_error = math.remainder(yaw_error, math.tau) - state[0, 4] / state[0, 3]
        wheel = car.wheelbase / radius + 0.15 * outward + 1.2 * yaw_error
        throttle = min(max(0.5 * (target - state[0, 3]), 0), 1)
        controls = [[throttle, 0, wheel / car.max_wheel_angle, 1]]
        state = step_cars(state, controls, [DRY], car_array([car]), DT)
        if abs(outward) > 1:
            break
        fastest = max(fastest, state[0, 3])
    limit = math.sqrt(car.corner_acceleration(fastest) * (radius + 1))
    # Drive pushes a car that slips inwards, which adds a little to the tyres of the front axle.
    assert 0.93 * limit < fastest < 1.03 * limit


def test_coasting_down_a_slope():
    car = replace(CARS["road"], drag=0.0)
    slope = 1.2
    ground = (1.0, 0.3, slope * math.cos(0.7), slope * math.sin(0.7))
    end = drive(car, [0, 0, 0.7, 0, 0, 0, 0], [0, 0, 0, 1], 6, ground)[-1]
    gain = slope - 0.3 - car.rolling_resistance
    assert end[3] == pytest.approx(gain * 6, rel=1e-9)
    assert math.hypot(end[0], end[1]) == pytest.approx(0.5 * gain * 36, rel=1e-6)
    assert math.atan2(end[1], end[0]) == pytest.approx(0.7, abs=1e-12)


def test_rolling_to_a_halt_on_grass():
    car = replace(CARS["road"], drag=0.0)
    end = drive(car, [0, 0, 0, 5, 0, 0, 0], [0, 0, 0, 1], 10, (1.0, 2.0, 0.0, 0.0))[-1]
    assert end[3] == 0
    assert end[0] == pytest.approx(25 / (2 * (2.0 + car.rolling_resistance)), rel=0.01)


def test_wheels_turn_no_faster_than_their_rate():
    car = CARS["road"]
    trace = drive(car, [0, 0, 0, 10, 0, 0, 0], [0, 0, 5.0, 1], 2)
    steps = np.diff(trace[:, 6])
    assert steps.max() <= car.steering_rate * DT * (1 + 1e-12)
    assert trace[-1, 6] == car.max_wheel_angle


def test_halving_the_step_converges():
    car = CARS["gt"]
    ends = [
        drive(car, [0, 0, 0, 40, 0, 0, 0], [0.3, 0, 0.08, 1], 2, dt=dt, substeps=1)[-1]
        for dt in (0.02, 0.01, 0.005, 0.00125)
    ]
    errors = [np.abs(end - ends[-1])[:6].max() for end in ends[:-1]]
    assert errors[0] < 0.1
    assert errors[2] < 0.4 * errors[0]


# --- laws that hold in every state ---------------------------------------------------------


@pytest.mark.parametrize("name", EVERY_CAR)
@pytest.mark.parametrize(("dt", "substeps"), [(0.02, 2), (0.02, 1), (0.05, 1)])
def test_brakes_tyres_and_steering_only_take_energy_out(name, dt, substeps):
    car = CARS[name]
    rng = np.random.default_rng(7)
    count = 400
    state = random_states(car, rng, count)
    ground = np.zeros((count, 4))
    ground[:, 0] = rng.choice([1.0, 1.0, 0.5, 0.1], count)
    controls = np.zeros((count, 4))
    rows = car_array([car] * count)
    for tick in range(300):
        if tick % 10 == 0:
            controls[:, 1] = rng.choice([0, 0, 0.3, 1], count)
            controls[:, 2] = rng.uniform(-1, 1, count) * rng.choice([0, 1], count)
            controls[:, 3] = rng.choice([-1, 1], count)
        new = step_cars(state, controls, ground, rows, dt, substeps)
        before, after = kinetic_energy(state, car), kinetic_energy(new, car)
        assert (after <= before * (1 + 1e-9)).all()
        state = new


@pytest.mark.parametrize("name", EVERY_CAR)
def test_friction_circle_is_never_exceeded(name):
    car = CARS[name]
    rng = np.random.default_rng(11)
    count, dt = 4000, 1e-3
    state = random_states(car, rng, count)
    controls = rng.uniform(-1, 1, (count, 4))
    controls[:, :2] = rng.choice([0.0, 0.5, 1.0], (count, 2))
    ground = np.zeros((count, 4))
    ground[:, 0] = rng.choice([1.0, 0.3], count)
    after = step_cars(state, controls, ground, car_array([car] * count), dt, 1)
    change = np.linalg.norm(world_velocity(after) - world_velocity(state), axis=1) / dt
    speed2 = state[:, 3] ** 2
    front = GRAVITY * car.rear_axle / car.wheelbase + car.front_downforce * speed2 / car.mass
    rear = GRAVITY * car.front_axle / car.wheelbase + car.rear_downforce * speed2 / car.mass
    tyres = car.front_friction * front + car.rear_friction * rear
    # Load shifted to the axle of better tyres, by at most the friction of both.
    better = abs(car.rear_friction - car.front_friction)
    tyres = tyres * (1 + better * car.cg_height / car.wheelbase)
    air = car.drag / car.mass * (speed2 + state[:, 4] ** 2)
    # The velocity turns with the body within the step: allow for its second order.
    spin = np.abs(state[:, 5]) * dt * 30
    most = ground[:, 0] * tyres + air + car.rolling_resistance + 0.02 + spin
    fast = kinetic_energy(state, car) > 0.5 * car.mass * (3 * car.blend_speed) ** 2
    assert fast.sum() > 500
    assert (change <= most)[fast].all()
    # Where slip is taken out as by dry friction, the reaction of turned wheels comes on top.
    assert (change <= 1.25 * most + 0.5).all()


anything = st.floats(allow_nan=True, allow_infinity=True)
commands = st.tuples(
    st.one_of(st.sampled_from([0.0, 1.0]), anything),
    st.one_of(st.sampled_from([0.0, 1.0]), anything),
    st.one_of(st.sampled_from([-1.0, 0.0, 1.0]), anything),
    st.sampled_from([1.0, -1.0]),
)


@given(
    name=st.sampled_from(EVERY_CAR),
    start=st.integers(0, 2**32 - 1),
    sequence=st.lists(st.tuples(commands, st.integers(1, 60)), min_size=1, max_size=8),
    grip=st.sampled_from([1.0, 0.3, 0.0]),
    substeps=st.sampled_from([1, 2]),
)
@settings(max_examples=150)
def test_any_controls_leave_a_finite_bounded_state(name, start, sequence, grip, substeps):
    car = CARS[name]
    state = random_states(car, np.random.default_rng(start), 1)
    fastest = max(math.hypot(state[0, 3], state[0, 4]), car.top_speed) * (1 + 1e-9)
    spin = abs(state[0, 5]) * math.sqrt(car.yaw_inertia / car.mass)
    for controls, ticks in sequence:
        for _ in range(ticks):
            state = step_cars(state, [controls], [(grip, 0, 0, 0)], car_array([car]), DT, substeps)
        assert np.isfinite(state).all()
        assert math.hypot(state[0, 3], state[0, 4]) <= math.hypot(fastest, spin) * 1.05
        assert -math.pi < state[0, 2] <= math.pi
        assert abs(state[0, 6]) <= car.max_wheel_angle


@given(
    name=st.sampled_from(EVERY_CAR),
    direction=st.floats(-math.pi, math.pi),
    steepness=st.floats(0, 0.6),
    yaw=st.floats(-3, 3),
    wheel=st.floats(-1, 1),
)
def test_a_braked_car_stands_bit_for_bit(name, direction, steepness, yaw, wheel):
    car = CARS[name]
    pull = steepness * min(car.front_friction, car.rear_friction) * GRAVITY
    ground = (1.0, 0.0, pull * math.cos(direction), pull * math.sin(direction))
    start = [3.7, -1.3, yaw, 0, 0, 0, 0]
    trace = drive(car, start, [0, 1, wheel, 1], 1, ground)
    assert np.array_equal(trace[:, :6], np.broadcast_to(np.float64(start[:6]), (51, 6)))


@pytest.mark.parametrize("direction", [0.0, 0.5, 1.5, 2.5, -1.0])
def test_a_slope_beyond_friction_makes_a_braked_car_slide(direction):
    pull = 3.0
    ground = (0.2, 0.0, pull * math.cos(direction), pull * math.sin(direction))
    end = drive(CARS["road"], [0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 1], 2, ground)[-1]
    moved = end[:2] @ [math.cos(direction), math.sin(direction)]
    assert 0.5 * (pull - 0.25 * GRAVITY) * 4 < moved < 0.5 * pull * 4


@pytest.mark.parametrize("name", EVERY_CAR)
def test_cars_come_to_rest_and_stay(name):
    car = CARS[name]
    rng = np.random.default_rng(3)
    state = random_states(car, rng, 200)
    controls = np.tile([0.0, 1.0, 0.7, 1.0], (200, 1))
    ground = np.tile(DRY, (200, 1))
    rows = car_array([car] * 200)
    for _ in range(1500):
        state = step_cars(state, controls, ground, rows, DT)
    assert (state[:, 3:6] == 0).all()
    assert np.array_equal(step_cars(state, controls, ground, rows, DT), state)


# --- symmetries ----------------------------------------------------------------------------

MIRROR = np.array([1, -1, -1, 1, -1, -1, -1.0])


@pytest.mark.parametrize("name", EVERY_CAR)
def test_mirrored_controls_give_the_mirrored_path_exactly(name):
    car = CARS[name]
    rng = np.random.default_rng(5)
    state = random_states(car, rng, 100)
    mirrored = state * MIRROR
    rows = car_array([car] * 100)
    for _ in range(100):
        controls = rng.uniform([0, 0, -1, -1], 1, (100, 4))
        ground = np.column_stack([np.ones(100), np.zeros(100), rng.normal(0, 1, (100, 2))])
        state = step_cars(state, controls, ground, rows, DT)
        mirrored = step_cars(mirrored, controls * [1, 1, -1, 1], ground * [1, 1, 1, -1], rows, DT)
        assert np.array_equal(mirrored, state * MIRROR)


def test_the_frame_does_not_matter():
    car = CARS["gt"]
    turn, shift = 2.1, np.array([300.0, -70.0])
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.array([[c, -s], [s, c]])
    start = np.array([1.0, 2.0, 0.3, 35.0, 0.4, 0.2, 0.05])
    moved = start.copy()
    moved[:2] = rotation @ start[:2] + shift
    moved[2] += turn
    slope = np.array([0.3, -0.4])
    there = drive(car, start, [0.4, 0, 0.1, 1], 4, (1, 0, *slope))
    here = drive(car, moved, [0.4, 0, 0.1, 1], 4, (1, 0, *(rotation @ slope)))
    np.testing.assert_allclose(here[:, :2], there[:, :2] @ rotation.T + shift, atol=1e-9)
    np.testing.assert_allclose(here[:, 3:], there[:, 3:], atol=1e-9)


def test_rows_do_not_depend_on_each_other():
    rng = np.random.default_rng(9)
    names = rng.choice(EVERY_CAR, 64)
    state = np.concatenate([random_states(CARS[name], rng, 1) for name in names])
    rows = car_array([CARS[name] for name in names])
    controls = rng.uniform([0, 0, -1, -1], 1, (64, 4))
    ground = np.column_stack([rng.uniform(0.2, 1, 64), rng.uniform(0, 2, 64), np.zeros((64, 2))])
    whole = step_cars(state, controls, ground, rows, DT)
    order = rng.permutation(64)
    shuffled = step_cars(state[order], controls[order], ground[order], rows[order], DT)
    assert np.array_equal(shuffled, whole[order])
    for part in np.split(np.arange(64), [1, 4, 20, 33]):
        assert np.array_equal(
            step_cars(state[part], controls[part], ground[part], rows[part], DT), whole[part]
        )


# --- the boundary --------------------------------------------------------------------------


def test_step_is_pure_and_may_write_in_place():
    state = np.array([[0, 0, 0.1, 20, 0, 0, 0.0]])
    before = state.copy()
    arguments = np.array([[0.5, 0, 0.1, 1]]), np.array([DRY]), car_array([CARS["gt"]])
    new = step_cars(state, *arguments, DT)
    assert np.array_equal(state, before)
    step_cars_into(state, *arguments, DT, 2, state)
    assert np.array_equal(state, new)
    assert (
        step_cars(np.empty((0, 7)), np.empty((0, 4)), np.empty((0, 4)), car_array([]), DT).size == 0
    )


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"state": np.zeros((1, 6))}, "state"),
        ({"state": 3.0}, "state"),
        ({"state": [["a"] * 7]}, "state"),
        ({"state": [[math.nan] * 7]}, "finite"),
        ({"controls": np.zeros((2, 4))}, "controls"),
        ({"ground": [[1, 0, math.inf, 0]]}, "ground"),
        ({"cars": np.zeros((1, 3))}, "cars"),
        ({"dt": 0.0}, "dt"),
        ({"dt": math.nan}, "dt"),
        ({"substeps": 0}, "substeps"),
    ],
)
def test_misuse_is_refused_by_name(change, word):
    arguments = {
        "state": np.zeros((1, 7)),
        "controls": np.zeros((1, 4)),
        "ground": np.array([DRY]),
        "cars": car_array([CARS["gt"]]),
        "dt": DT,
        "substeps": 2,
    }
    with pytest.raises(InputError, match=word):
        step_cars(**{**arguments, **change})
