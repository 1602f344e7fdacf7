from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from point_body import recorded

from headway.errors import InputError
from headway.geometry.intercept import intercept_time
from headway.steer.arrive import arrive, stopping_speed
from headway.steer.force import force_for

GRID = np.array(list(product((1.0, 5.0, 20.0), (2.0, 5.0, 20.0), (30.0, 150.0))))
STEPS = (1 / 60, 0.02, 0.1)


def least_time(distance: np.ndarray, acceleration: np.ndarray, fastest: np.ndarray) -> np.ndarray:
    """From rest to rest: full acceleration, coasting at the speed limit, full braking."""
    top = np.minimum(fastest, np.sqrt(acceleration * distance))
    return 2.0 * top / acceleration + (distance - top * top / acceleration) / top


@pytest.mark.parametrize("dt", STEPS)
def test_it_never_overshoots_and_is_as_fast_as_can_be(dt: float) -> None:
    fastest, acceleration, distance = GRID.T
    best = least_time(distance, acceleration, fastest)
    goal = np.column_stack((0.6 * distance, 0.8 * distance))
    steps = math.ceil(1.02 * best.max() / dt) + 2
    places, velocities = recorded(
        lambda p, v, _: arrive(p, v, goal, fastest, acceleration, dt),
        np.zeros_like(goal), np.zeros_like(goal), acceleration, dt, steps,
    )  # fmt: skip
    along = places @ np.array((0.6, 0.8))
    assert (along <= distance + 1e-9).all()
    assert (np.diff(along, axis=0) >= -1e-9).all(), "it comes nearer at each step"
    speed = np.linalg.norm(velocities, axis=2)
    assert (speed <= fastest * (1.0 + 1e-12)).all()
    there = (np.abs(along - distance) < 1e-6) & (speed < 1e-6)
    assert there[-1].all()
    taken = np.argmax(there, axis=0) * dt  # without the step that only stops and goes nowhere
    assert (taken <= 1.02 * best).all()


@pytest.mark.parametrize("dt", [1 / 60, 0.02, 0.05])
@pytest.mark.parametrize("response", [0.05, 0.1, 0.3])
def test_a_body_that_responds_late_does_not_overshoot_either(dt: float, response: float) -> None:
    fastest, acceleration, distance = GRID.T
    goal = np.column_stack((distance, np.zeros(len(GRID))))
    position, velocity = np.zeros_like(goal), np.zeros_like(goal)
    time = 1.1 * least_time(distance, acceleration, fastest).max() + 20.0 * response
    for _ in range(math.ceil(time / dt)):
        change = arrive(position, velocity, goal, fastest, acceleration, dt, response=response)
        velocity = velocity + force_for(change, 1.0, acceleration, max(response, dt)) * dt
        position = position + velocity * dt
        assert (position[:, 0] <= distance + 1e-9).all()
    np.testing.assert_allclose(position, goal, atol=1e-3)


def brute_stopping_speed(distance: float, deceleration: float, dt: float) -> float:
    """The highest speed that stops within the distance, by bisection over whole brakings."""

    def covers(speed: float) -> float:
        total = 0.0
        while speed > 0.0:
            total += speed * dt
            speed -= deceleration * dt
        return total

    low, high = 0.0, math.sqrt(2.0 * deceleration * distance) + distance / dt
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if covers(middle) <= distance else (low, middle)
    return low


@given(distance=st.floats(1e-4, 50.0), deceleration=st.floats(0.5, 20.0), dt=st.floats(0.01, 0.2))
@settings(max_examples=60)
def test_the_stopping_speed_is_that_of_braking_in_whole_steps(
    distance: float, deceleration: float, dt: float
) -> None:
    expected = brute_stopping_speed(distance, deceleration, dt)
    assert stopping_speed(distance, deceleration, dt) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("dt", [1e-9, 1e-6])
def test_in_the_limit_of_short_steps_it_is_the_continuous_law(dt: float) -> None:
    assert stopping_speed(8.0, 4.0, dt) == pytest.approx(8.0, rel=1e-5)


def test_who_cannot_brake_does_not_go() -> None:
    assert arrive((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), 5.0, 0.0, 0.1).tolist() == [0.0, 0.0]
    assert arrive((0.0, 0.0), (1.0, 1.0), (1.0, 0.0), 5.0, 0.0, 0.1).tolist() == [-1.0, -1.0]


@given(seed=st.integers(0, 2**32 - 1), d=st.sampled_from((2, 3)), dt=st.sampled_from(STEPS))
@settings(max_examples=25)
def test_from_any_start_it_settles(seed: int, d: int, dt: float) -> None:
    draw = np.random.default_rng(seed)
    n = 20
    fastest, acceleration = draw.uniform(1.0, 20.0, (2, n))
    goal = draw.normal(0.0, 20.0, (n, d))
    way = draw.normal(size=(n, d))
    velocity = (
        way / np.linalg.norm(way, axis=1)[:, None] * (fastest * draw.uniform(0, 1, n))[:, None]
    )
    time = 1.3 * (
        least_time(np.linalg.norm(goal, axis=1) + 1e-9, acceleration, fastest)
        + 2.0 * np.linalg.norm(velocity, axis=1) / acceleration
    )
    places, velocities = recorded(
        lambda p, v, _: arrive(p, v, goal, fastest, acceleration, dt),
        np.zeros((n, d)), velocity, acceleration, dt, math.ceil(time.max() / dt) + 5,
    )  # fmt: skip
    np.testing.assert_allclose(places[-1], goal, atol=1e-6)
    np.testing.assert_allclose(velocities[-1], 0.0, atol=1e-6)


@given(
    seed=st.integers(0, 2**32 - 1), distance=st.sampled_from((1.0, 30.0, 150.0)),
    dt=st.sampled_from(STEPS),
)  # fmt: skip
@settings(max_examples=25)
def test_a_sideways_start_makes_no_overshoot_that_is_not_needed(
    seed: int, distance: float, dt: float
) -> None:
    draw = np.random.default_rng(seed)
    n = 20
    acceleration = draw.uniform(2.0, 20.0, n)
    # They could stop within half of the distance, or run straight and cannot stop before it.
    speed = np.sqrt(acceleration * distance * draw.uniform(0.0, 1.0, n))
    angle = draw.uniform(-math.pi, math.pi, n)
    straight = np.arange(n) % 4 == 0
    angle[straight], speed[straight] = 0.0, 2.0 * np.sqrt(acceleration[straight] * distance)
    velocity = speed[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    goal = np.array((distance, 0.0))
    places, _ = recorded(
        lambda p, v, _: arrive(p, v, goal, speed, acceleration, dt),
        np.zeros((n, 2)), velocity, acceleration, dt, 600,
    )  # fmt: skip
    needed = np.where(straight, speed**2 / (2.0 * acceleration) - distance, 0.0)
    assert (places[:, :, 0].max(axis=0) - distance <= needed + 1e-9).all()


def test_within_the_tolerance_it_stops() -> None:
    change = arrive((0.0, 0.0), (0.3, 0.4), (0.1, 0.0), 5.0, 2.0, 0.1, tolerance=0.2)
    assert change.tolist() == [-0.3, -0.4]


def test_a_moving_target_is_met_as_soon_as_can_be_and_kept() -> None:
    dt, fastest, acceleration = 0.02, 6.0, 1e4
    start, drift = np.array((20.0, 5.0, -3.0)), np.array((-1.0, 3.0, 0.5))
    places, velocities = recorded(
        lambda p, v, t: arrive(
            p, v, start + drift * t, fastest, acceleration, dt, target_velocity=drift
        ),
        np.zeros(3), np.zeros(3), acceleration, dt, 400,
    )  # fmt: skip
    target = start + drift * dt * np.arange(1, 401)[:, None]
    met = np.argmax(np.linalg.norm(places - target, axis=1) < 1e-6) * dt
    assert met == pytest.approx(intercept_time(start, drift, fastest), abs=2 * dt)
    np.testing.assert_allclose(places[-1], target[-1], atol=1e-9)
    np.testing.assert_allclose(velocities[-1], drift, atol=1e-9)


def test_a_target_that_is_too_fast_is_chased_at_full_speed() -> None:
    change = arrive((0, 0), (0, 0), (9, 0), 2.0, 5.0, 0.1, target_velocity=(5.0, 1.0))
    assert np.linalg.norm(change) == pytest.approx(2.0)
    assert change[1] == pytest.approx(1.0), "it keeps up across the way"
    across = arrive((0, 0), (0, 0), (9, 0), 2.0, 5.0, 0.1, target_velocity=(0.0, 5.0))
    assert np.linalg.norm(across) <= 2.0 * (1.0 + 1e-12)


@pytest.mark.parametrize("drift", [(0.0, 0.0), (0.5, -0.5)])
def test_it_keeps_off(drift: tuple[float, float]) -> None:
    dt, goal = 0.05, np.array((30.0, 0.0))
    places, velocities = recorded(
        lambda p, v, t: arrive(
            p, v, goal + np.array(drift) * t, 4.0, 3.0, dt, target_velocity=drift, keep_off=5.0
        ),
        np.zeros(2), np.zeros(2), 3.0, dt, 500,
    )  # fmt: skip
    target = goal + np.array(drift) * dt * np.arange(1, 501)[:, None]
    gap = np.linalg.norm(places - target, axis=1)
    assert gap.min() >= 5.0 - 1e-9
    assert gap[-1] == pytest.approx(5.0, abs=1e-6)
    np.testing.assert_allclose(velocities[-1], drift, atol=1e-9)


@pytest.mark.parametrize("name", ["keep_off", "tolerance", "response"])
@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_rooms_are_checked(name: str, bad: float) -> None:
    with pytest.raises(InputError, match=name):
        arrive((0, 0), (0, 0), (1, 0), 1.0, 1.0, 0.1, **{name: bad})


def test_shapes_are_checked() -> None:
    with pytest.raises(InputError, match="target_velocity has shape"):
        arrive((0, 0), (0, 0), (1, 0), 1.0, 1.0, 0.1, target_velocity=(0, 0, 0))
    with pytest.raises(InputError, match="max_deceleration has shape"):
        arrive((0, 0), (0, 0), (1, 0), 1.0, (1.0, 2.0), 0.1)


def test_beside_a_target_that_is_too_fast_it_goes_along_at_full_speed() -> None:
    change = arrive(
        (0.0, 0.0), (0.0, 1.0), (0.1, 0.0), 2.0, 5.0, 0.1, target_velocity=(3.0, 4.0), tolerance=0.5
    )
    np.testing.assert_allclose(change, (1.2, 0.6), rtol=1e-12)


@pytest.mark.parametrize("response", [0.1, 0.03])
def test_a_response_no_longer_than_a_step_changes_nothing(response: float) -> None:
    draw = np.random.default_rng(3)
    p, v, goal = draw.normal(0.0, 3.0, (3, 40, 2))
    given = arrive(p, v, goal, 4.0, 3.0, 0.1, response=response)
    np.testing.assert_array_equal(given, arrive(p, v, goal, 4.0, 3.0, 0.1))
