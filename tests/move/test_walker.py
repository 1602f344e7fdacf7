"""The walker: its limits, and that it reaches what lies within its turning circle."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headway.errors import InputError
from headway.move.hover import Hover
from headway.move.walker import Walker, step_walkers

WALKER = Walker()
RUNNER = Walker(max_speed=6.0, turn_rate=2.0, running_turn_rate=1.0)
DT = 0.02
ORIGIN, AHEAD = np.zeros(2), np.array([1.0, 0.0])


def walk(wanted, seconds, walker=WALKER, body=(ORIGIN, ORIGIN, AHEAD)):
    """All states on the way; `wanted` may be a function of the position."""
    trace = [body]
    for _ in range(round(seconds / DT)):
        goal = wanted(trace[-1][0]) if callable(wanted) else wanted
        trace.append(step_walkers(*trace[-1], goal, walker, DT))
    return [np.array(each) for each in zip(*trace, strict=True)]


def test_it_speeds_up_and_brakes_at_its_own_rates():
    _, v, _ = walk((9.0, 0.0), 1.0)
    np.testing.assert_allclose(v[:, 0], np.minimum(2.0 * DT * np.arange(51), 1.5), atol=1e-12)
    _, v, _ = walk((0.0, 0.0), 1.0, body=(ORIGIN, np.array([1.5, 0.0]), AHEAD))
    np.testing.assert_allclose(v[:, 0], np.maximum(1.5 - 4.0 * DT * np.arange(51), 0), atol=1e-12)


def test_it_turns_on_the_spot_fast_and_slower_while_it_runs():
    side = replace(WALKER, max_side_speed=0.0)
    p, _, f = walk((-1.0, 1e-6), 0.4, side)
    turned = np.arctan2(f[:, 1], f[:, 0])
    np.testing.assert_allclose(np.diff(turned), math.pi * DT, rtol=1e-9)
    assert np.abs(p).max() == 0.0
    running = (ORIGIN, np.array([6.0, 0.0]), AHEAD)
    _, _, f = step_walkers(*running, (0.0, 6.0), RUNNER, DT)
    assert math.atan2(f[1], f[0]) == pytest.approx(1.0 * DT)


def test_a_target_abeam_within_the_turning_circle_is_reached():
    radius = RUNNER.max_speed / RUNNER.running_turn_rate
    start = (ORIGIN, np.array([6.0, 0.0]), AHEAD)
    for angle in np.radians([30, 60, 90, 120, 150, 180]):
        target = 0.5 * radius * np.array([math.cos(angle), math.sin(angle)])

        def seek(p, target=target):
            way = target - p
            return 6.0 * way / max(np.linalg.norm(way), 1e-12)

        p, _, _ = walk(seek, 6.0, RUNNER, start)
        assert np.linalg.norm(p - target, axis=1).min() < 0.1
    # one that never slows down would circle the target abeam for ever
    target, p, yaw, nearest = np.array([0.0, 0.5 * radius]), ORIGIN, 0.0, math.inf
    for _ in range(1000):
        way = target - p
        error = math.remainder(math.atan2(way[1], way[0]) - yaw, math.tau)
        yaw += min(max(error, -RUNNER.running_turn_rate * DT), RUNNER.running_turn_rate * DT)
        p = p + 6.0 * DT * np.array([math.cos(yaw), math.sin(yaw)])
        nearest = min(nearest, np.linalg.norm(target - p))
    assert nearest > 1.0


def test_it_steps_aside_and_back_no_faster_than_it_can():
    crab = replace(WALKER, max_backward_speed=0.3, turn_rate=1e-9, running_turn_rate=1e-9)
    _, v, _ = walk((-5.0, 5.0), 2.0, crab)
    np.testing.assert_allclose(v[-1], (-0.3, 0.4), atol=1e-6)


@given(arrays(float, (6, 2), elements=st.floats(-1e3, 1e3)), st.floats(0.001, 0.5))
def test_limits_hold_whatever_is_wanted(wanted, dt):
    rng = np.random.default_rng(0)
    f = rng.normal(size=(6, 2))
    f /= np.linalg.norm(f, axis=1, keepdims=True)
    v = f * rng.uniform(0.0, 1.5, (6, 1))
    _, after, facing = step_walkers(np.zeros((6, 2)), v, f, wanted, WALKER, dt)
    assert np.isfinite(after).all()
    assert (np.linalg.norm(after, axis=1) <= 1.5 + 1e-12).all()
    left = np.stack((-facing[:, 1], facing[:, 0]), axis=1)
    assert (np.abs((after * left).sum(axis=1)) <= 0.4 + 1e-12).all()
    turn = np.arccos(np.clip((f * facing).sum(axis=1), -1, 1))
    assert (turn <= WALKER.turn_rate * dt + 1e-7).all()
    gained = (after * facing).sum(axis=1) - (v * f).sum(axis=1)
    assert (gained <= 2.0 * dt + 1e-12).all()
    assert (gained >= -4.0 * dt - 0.1).all()


def test_batch_is_single_and_turning_the_world_turns_the_walk():
    rng = np.random.default_rng(1)
    p, v, f, w = rng.normal(size=(4, 8, 2))
    kinds = [WALKER, RUNNER] * 4
    together = step_walkers(p, v, f, w, kinds, DT)
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    turned = step_walkers(p @ turn.T + 3.0, v @ turn.T, f @ turn.T, w @ turn.T, kinds, DT)
    np.testing.assert_allclose(turned[0], together[0] @ turn.T + 3.0, atol=1e-12)
    for i in range(8):
        one = step_walkers(p[i], v[i], f[i], w[i], kinds[i], DT)
        for a, b in zip(one, together, strict=True):
            np.testing.assert_array_equal(a, b[i])
    assert step_walkers(p[:0], v[:0], f[:0], w[:0], WALKER, DT)[0].shape == (0, 2)


def test_in_space_it_walks_in_the_plane():
    p, v, f = step_walkers((0, 0, 5.0), (1.0, 0, 0), (1.0, 0, 0), (1.0, 1.0, 9.0), WALKER, DT)
    assert p[2] == 5.0
    assert v[2] == f[2] == 0.0


def test_misuse_is_named():
    with pytest.raises(InputError, match="braking"):
        Walker(braking=-1.0)
    with pytest.raises(InputError, match="forward"):
        step_walkers(ORIGIN, ORIGIN, ORIGIN, AHEAD, replace(WALKER), DT)
    with pytest.raises(InputError, match="wanted"):
        step_walkers(ORIGIN, ORIGIN, AHEAD, (math.nan, 0.0), WALKER, DT)
    with pytest.raises(InputError, match="dt"):
        step_walkers(ORIGIN, ORIGIN, AHEAD, AHEAD, WALKER, 0.0)


def test_parameters_may_be_whole_numbers_but_not_those_of_another_body():
    whole = Walker(
        max_speed=2, max_side_speed=1, max_backward_speed=1, acceleration=2, braking=4,
        turn_rate=3, running_turn_rate=1,
    )  # fmt: skip
    usual = Walker(
        max_speed=2.0, max_side_speed=1.0, max_backward_speed=1.0, acceleration=2.0, braking=4.0,
        turn_rate=3.0, running_turn_rate=1.0,
    )  # fmt: skip
    body = (0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 1.0)
    for got, wanted in zip(
        step_walkers(*body, whole, 0.02), step_walkers(*body, usual, 0.02), strict=True
    ):
        np.testing.assert_array_equal(got, wanted)
    for wrong in (Hover(), [Hover()], [whole, whole], None):
        with pytest.raises(InputError, match="walker: give one Walker for all, or one for each"):
            step_walkers(*body, wrong, 0.02)


@pytest.mark.parametrize("name", [field.name for field in fields(Walker)])
@pytest.mark.parametrize(
    "value", [None, "x", [1.0, 2.0], math.nan, -1.0, math.inf, pytest.param(10**400, id="huge")]
)
def test_a_parameter_that_is_no_number_is_named(name, value):
    with pytest.raises(InputError, match=f"walker: {name} (is|has|cannot)"):
        Walker(**{name: value})


@pytest.mark.parametrize("walker", ["x", None, 1.0, [1.0], [None]])
def test_what_is_no_walker_is_refused(walker):
    with pytest.raises(InputError, match="walker: give one Walker"):
        step_walkers(ORIGIN, ORIGIN, AHEAD, AHEAD, walker, DT)


def test_parameters_are_kept_as_floats():
    assert all(
        type(getattr(Walker(max_speed=np.int64(2)), f.name)) is float for f in fields(Walker)
    )


def test_aside_it_gains_speed_by_acceleration_and_loses_it_by_braking():
    stiff = replace(WALKER, turn_rate=1e-9, running_turn_rate=1e-9)
    side = np.array([0.0, 0.4])
    _, gained, _ = step_walkers(ORIGIN, ORIGIN, AHEAD, side, stiff, DT)
    _, lost, _ = step_walkers(ORIGIN, side, AHEAD, ORIGIN, stiff, DT)
    np.testing.assert_allclose(gained[1], stiff.acceleration * DT, rtol=1e-6)
    np.testing.assert_allclose(lost[1], 0.4 - stiff.braking * DT, rtol=1e-6)
