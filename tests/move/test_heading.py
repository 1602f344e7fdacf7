"""Turning towards where a body moves, and forces that lean from where it looks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from headway.errors import InputError
from headway.move.heading import slow_turn, turned


def some(d, n=50, seed=0):
    rng = np.random.default_rng(seed)
    look, velocity = rng.normal(size=(2, n, d))
    return look / np.linalg.norm(look, axis=1, keepdims=True), 3.0 * velocity


@pytest.mark.parametrize("d", [2, 3])
def test_turning_is_limited_and_shortest(d):
    look, v = some(d)
    goal = v / np.linalg.norm(v, axis=1, keepdims=True)
    before = np.arccos(np.clip((look * goal).sum(axis=1), -1, 1))
    after = turned(look, v, max_turn_rate=5.0, dt=0.1)
    rest = np.arccos(np.clip((after * goal).sum(axis=1), -1, 1))
    np.testing.assert_allclose(rest, np.maximum(before - 0.5, 0.0), atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), 1.0, rtol=1e-12)


def test_a_slow_body_keeps_looking_and_one_that_backs_up_turns_left():
    assert turned((0.0, 1.0), (5e-5, 0.0)).tolist() == [0.0, 1.0]
    quarter = {"max_turn_rate": math.pi / 2, "dt": 1.0}
    np.testing.assert_allclose(turned((1.0, 0.0), (-1.0, 0.0), **quarter), (0, 1), atol=1e-12)
    np.testing.assert_allclose(turned((0, 0, 1.0), (0, 0, -1.0), **quarter), (-1, 0, 0), atol=1e-12)


def test_slow_turn_is_the_rule_of_opensteer():
    force, look = np.array([-3.0, 4.0]), np.array([1.0, 0.0])
    for speed in (0.0, 1.0, 1.9, 1.99, 2.0, 5.0):
        given_force = slow_turn(force, look, (speed, 0.0), 10.0)
        share = min(speed / 2.0, 1.0)
        most = math.acos(1.0 - 2.0 * share**20) if share < 1.0 else math.pi
        angle = min(math.atan2(4.0, -3.0), most)
        np.testing.assert_allclose(
            given_force, 5.0 * np.array([math.cos(angle), math.sin(angle)]), atol=1e-12
        )


def test_turning_the_world_turns_the_result():
    look, v = some(3)
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    np.testing.assert_allclose(
        turned(look @ turn.T, v @ turn.T, max_turn_rate=9.0),
        turned(look, v, max_turn_rate=9.0) @ turn.T,
        atol=1e-9,
    )
    np.testing.assert_allclose(
        slow_turn(v @ turn.T, look @ turn.T, 0.3 * v @ turn.T, 6.0),
        slow_turn(v, look, 0.3 * v, 6.0) @ turn.T,
        atol=1e-9,
    )


@pytest.mark.parametrize("d", [2, 3])
def test_batch_is_single(d):
    look, v = some(d, 7)
    both = turned(look, v, max_turn_rate=9.0), slow_turn(v, look, 0.3 * v, 6.0)
    for i in range(7):
        np.testing.assert_array_equal(turned(look[i], v[i], max_turn_rate=9.0), both[0][i])
        np.testing.assert_array_equal(slow_turn(v[i], look[i], 0.3 * v[i], 6.0), both[1][i])
    assert turned(look[:0], v[:0]).shape == slow_turn(v[:0], look[:0], v[:0], 1.0).shape == (0, d)


def test_misuse_is_named():
    with pytest.raises(InputError, match="max_turn_rate"):
        turned((1.0, 0.0), (0.0, 1.0), max_turn_rate=-1.0)
    with pytest.raises(InputError, match="dt"):
        turned((1.0, 0.0), (0.0, 1.0), dt=math.inf)
    with pytest.raises(InputError, match="forward"):
        turned((math.nan, 0.0), (0.0, 1.0), max_turn_rate=1.0)
    with pytest.raises(InputError, match="max_speed"):
        slow_turn((1.0, 0.0), (0.0, 1.0), (0.0, 1.0), -1.0)
