"""Containment in boxes and balls: nobody gets out, and whoever is out comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariance_checks import (
    check_nobody,
    check_one_as_in_a_crowd,
    check_order_does_not_matter,
    rotation,
)

from headway.errors import InputError
from headway.steer.bounds import contain_in_ball, contain_in_box


def roam(behaviour: Any, d: int, steps: int = 1_500) -> tuple[np.ndarray, np.ndarray]:
    """Where bodies that go on at 1 m/s, and answer at up to 3 m/s², have been, and are."""
    rng = np.random.default_rng(1)
    p, v, dt = rng.uniform(-2.5, 2.5, size=(300, d)), rng.normal(size=(300, d)), 0.02
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    been = []
    for _ in range(steps):
        speed = np.linalg.norm(v, axis=1, keepdims=True)
        push = behaviour(p, v) / 0.1 + 0.5 * (1.0 / np.maximum(speed, 0.05) - 1.0) * v
        push *= np.minimum(1.0, 3.0 / np.maximum(np.linalg.norm(push, axis=1, keepdims=True), 1e-9))
        v = v + push * dt
        p = p + v * dt
        been.append(p)
    return np.array(been), v


@pytest.mark.parametrize("d", [2, 3])
def test_nobody_leaves_a_box(d: int) -> None:
    low, high = np.full(d, -4.0), np.full(d, 3.0)
    been, v = roam(lambda p, v: contain_in_box(p, v, low, high, 1.0), d)
    assert np.all((been >= low) & (been <= high))
    assert np.linalg.norm(v, axis=1).mean() > 0.8


@pytest.mark.parametrize("d", [2, 3])
def test_nobody_leaves_a_ball(d: int) -> None:
    been, v = roam(lambda p, v: contain_in_ball(p, v, np.zeros(d), 5.0, 1.0), d)
    assert np.linalg.norm(been, axis=2).max() <= 5.0
    assert np.linalg.norm(v, axis=1).mean() > 0.8


def test_well_inside_nothing_changes() -> None:
    assert contain_in_box((0.0, 0.0), (1.0, 1.0), (-5.0, -5.0), (5.0, 5.0), 1.0).tolist() == [0, 0]
    assert contain_in_ball((0.0, 0.0), (1.0, 1.0), (0.0, 0.0), 5.0, 1.0).tolist() == [0, 0]


def test_the_normal_is_taken_across_the_velocity() -> None:
    # Towards the right wall at 45 degrees, 1 m ahead of it: turn left, and brake somewhat.
    steering = contain_in_box((4.0, 0.0), (2.0, 2.0), (-5.0, -50.0), (5.0, 50.0), 3.0)
    left = np.array((-1.0, 1.0)) / np.sqrt(2.0)
    assert steering @ left > 0.0
    assert steering @ np.array((1.0, 1.0)) < 0.0


def test_head_on_agents_take_a_side_by_their_name_and_brake() -> None:
    walls = np.array((-5.0, -50.0)), np.array((5.0, 50.0))
    steering = contain_in_box(np.tile((4.5, 0.0), (50, 1)), (2.0, 0.0), *walls, 3.0)
    assert np.all(steering[:, 0] < 0.0)
    assert {*np.sign(steering[:, 1])} == {-1.0, 1.0}


@pytest.mark.parametrize("d", [2, 3])
@given(st.integers(0, 2**32))
def test_outside_the_way_leads_back_by_the_nearest_point(d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    low = rng.normal(size=d)
    high = low + rng.uniform(0.0, 2.0, d)
    p, v = 4.0 * rng.normal(size=(20, d)), rng.normal(size=(20, d))
    foot = np.clip(p, low, high)
    far = np.linalg.norm(foot - p, axis=1)
    steering = contain_in_box(p, v, low, high, 2.0, rounding=0.5)
    wanted = 2.0 * (foot - p) / np.maximum(far, 1e-300)[:, None] - v
    np.testing.assert_allclose(steering[far > 0.5], wanted[far > 0.5], atol=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_invariances(d: int) -> None:
    rng = np.random.default_rng(2)
    p, v = 2.0 * rng.normal(size=(2, 40, d))
    low, high = np.full(d, -2.0), np.full(d, 1.0)

    def box(p, v):
        return contain_in_box(p, v, low, high, 2.0)

    def ball(p, v, centre=low):
        return contain_in_ball(p, v, centre, 3.0, 2.0)

    for behaviour in (box, ball):
        check_one_as_in_a_crowd(behaviour, p, v)
        check_order_does_not_matter(behaviour, p, v)
        check_nobody(behaviour, d)
    shift = 10.0 * rng.normal(size=d)
    moved = contain_in_box(p + shift, v, low + shift, high + shift, 2.0)
    np.testing.assert_allclose(moved, box(p, v), atol=1e-9)
    turn = rotation(d, rng, level=True)
    turned = ball(p @ turn.T, v @ turn.T, low @ turn.T)
    np.testing.assert_allclose(turned, ball(p, v) @ turn.T, atol=1e-9)


@given(*[st.sampled_from((0.0, 1.0, -1.0, 1e-13, 1e8))] * 6)
def test_never_nan(x: float, y: float, z: float, a: float, b: float, c: float) -> None:
    p, v = (x, y, z), (a, b, c)
    assert np.isfinite(contain_in_box(p, v, (-1.0,) * 3, (1.0,) * 3, 2.0)).all()
    assert np.isfinite(contain_in_ball(p, v, (0.0,) * 3, 0.0, 2.0, prediction_time=0.0)).all()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"position": (np.nan, 0.0)}, "position"),
        ({"velocity": (np.nan, 0.0)}, "velocity"),
        ({"lowest": (2.0, 0.0)}, "lowest"),
        ({"lowest": (np.nan, 0.0)}, "lowest"),
        ({"highest": (1.0, 1.0, 1.0)}, "highest"),
        ({"max_speed": -1.0}, "max_speed"),
        ({"prediction_time": -1.0}, "prediction_time"),
        ({"rounding": np.inf}, "rounding"),
    ],
)
def test_what_cannot_be_used_is_named(change: dict[str, Any], named: str) -> None:
    fair: dict[str, Any] = {
        "position": np.zeros(2), "velocity": np.zeros(2), "lowest": -np.ones(2),
        "highest": np.ones(2), "max_speed": 1.0,
    }  # fmt: skip
    with pytest.raises(InputError, match=named):
        contain_in_box(**{**fair, **change})


def test_a_ball_has_a_radius() -> None:
    with pytest.raises(InputError, match="radius"):
        contain_in_ball((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), -1.0, 1.0)


def test_probes_to_the_sides_are_as_far_away_as_the_one_ahead() -> None:
    # At 2 m/s for 1 s the probe to the left ahead is √2 m to the left.
    place, ahead, low = (0.0, 0.0), (2.0, 0.0), (-50.0, -50.0)
    assert contain_in_box(place, ahead, low, (50.0, 1.42), 3.0).tolist() == [0.0, 0.0]
    assert contain_in_box(place, ahead, low, (50.0, 1.41), 3.0)[1] < 0.0


def test_straight_at_a_wall_it_brakes_as_much_as_it_turns() -> None:
    # The probe ahead is outside by half of the reach, those to the sides by less.
    steering = contain_in_box((4.0, 0.0), (2.0, 0.0), (-5.0, -50.0), (5.0, 50.0), 3.0)
    np.testing.assert_allclose(np.abs(steering), (0.5 * 2.0, 0.5 * 3.0), rtol=1e-12)
    assert steering[0] < 0.0
