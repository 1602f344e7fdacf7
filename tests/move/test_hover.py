"""The hovering body: its leans, climbs and turns."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headway.errors import InputError
from headway.move.hover import Hover, step_hover

HOVER = Hover()
DT = 0.02
UP = np.array([0.0, 0.0, HOVER.gravity])
ORIGIN = np.zeros(3)


def fly(wanted, seconds, v=(0.0, 0.0, 0.0), hover=HOVER):
    """All velocities on the way."""
    body = (ORIGIN, np.array(v), 0.0)
    trace = [body[1]]
    for _ in range(round(seconds / DT)):
        body = step_hover(*body, wanted, hover, DT)
        trace.append(body[1])
    return np.array(trace), body[0]


def test_it_holds_its_place():
    body = step_hover((1.0, 2.0, 3.0), ORIGIN, 0.5, ORIGIN, HOVER, DT)
    assert [each.tolist() for each in body] == [[1.0, 2.0, 3.0], [0.0] * 3, 0.5]


def test_it_climbs_and_sinks_at_different_rates():
    v, p = fly((0, 0, 99.0), 2.0)
    np.testing.assert_allclose(v[:, 2], np.minimum(4.0 * DT * np.arange(101), 4.0), atol=1e-12)
    assert p[2] == pytest.approx(0.5 * 4.0 + 4.0, rel=1e-9)
    v, _ = fly((0, 0, -99.0), 2.0)
    np.testing.assert_allclose(v[:, 2], np.maximum(-3.0 * DT * np.arange(101), -2.0), atol=1e-12)
    v, _ = fly((0, 0, 0.0), 2.0, (0, 0, -2.0))  # pulling up out of a descent is climbing
    np.testing.assert_allclose(v[1, 2], -2.0 + 4.0 * DT)
    v, _ = fly((0, 0, 0.0), 2.0, (0, 0, 2.0))
    np.testing.assert_allclose(v[1, 2], 2.0 - 3.0 * DT)


def test_it_leans_to_move_and_more_to_brake():
    v, _ = fly((99.0, 0, 0), 0.5)
    np.testing.assert_allclose(np.diff(v[:, 0]) / DT, 9.81 * math.tan(0.45), rtol=1e-9)
    v, _ = fly((0.0, 0, 0), 0.5, (9.0, 0, 0))
    np.testing.assert_allclose(np.diff(v[:, 0]) / DT, -9.81 * math.tan(0.6), rtol=1e-9)
    v, _ = fly((0.0, 8.0, 99.0), 0.1)  # who climbs harder has more thrust to lean on
    np.testing.assert_allclose(np.diff(v[:, 1]) / DT, (9.81 + 4.0) * math.tan(0.45), rtol=1e-9)


@given(arrays(float, (5, 3), elements=st.floats(-1e3, 1e3)), st.floats(0.001, 0.5))
def test_limits_hold_whatever_is_wanted(wanted, dt):
    v = np.random.default_rng(0).uniform(-1.9, 1.9, (5, 3))
    _, after, _ = step_hover(np.zeros((5, 3)), v, 0.0, wanted, HOVER, dt)
    thrust = (after - v) / dt + UP
    lean = np.arctan2(np.hypot(thrust[:, 0], thrust[:, 1]), thrust[:, 2])
    assert (lean <= 0.6 + 1e-9).all()
    assert (np.hypot(after[:, 0], after[:, 1]) <= 10.0 + 1e-9).all()
    assert (after[:, 2] <= 4.0).all()
    assert (after[:, 2] >= -2.0).all()
    assert (thrust[:, 2] <= UP[2] + 4.0 + 1e-9).all()
    assert (thrust[:, 2] >= UP[2] - 4.0 - 1e-9).all()


def test_yaw_goes_the_short_way_on_its_own():
    yaw, turns = 3.0, []
    for _ in range(30):
        p, v, yaw = step_hover(ORIGIN, ORIGIN, yaw, ORIGIN, HOVER, DT, wanted_yaw=-3.0)
        turns.append(float(yaw))
        assert p.tolist() == v.tolist() == [0.0] * 3
    assert turns[0] == pytest.approx(3.04)
    assert turns[-1] == pytest.approx(-3.0)
    assert all(abs(each) >= 3.0 - 1e-12 for each in turns)


def test_batch_is_single():
    rng = np.random.default_rng(1)
    p, v, w = rng.normal(size=(3, 6, 3)) * 4
    yaw, goal = rng.normal(size=(2, 6))
    kinds = [HOVER, replace(HOVER, max_lean=0.2)] * 3
    together = step_hover(p, v, yaw, w, kinds, DT, wanted_yaw=goal)
    for i in range(6):
        one = step_hover(p[i], v[i], yaw[i], w[i], kinds[i], DT, wanted_yaw=goal[i])
        for a, b in zip(one, together, strict=True):
            np.testing.assert_array_equal(a, b[i])
    assert step_hover(p[:0], v[:0], yaw[:0], w[:0], HOVER, DT)[0].shape == (0, 3)


def test_misuse_is_named():
    with pytest.raises(InputError, match="right angle"):
        Hover(max_lean=1.6)
    with pytest.raises(InputError, match="descent_acceleration"):
        Hover(descent_acceleration=10.0)
    with pytest.raises(InputError, match="climb_speed"):
        Hover(climb_speed=0.0)
    with pytest.raises(InputError, match="position"):
        step_hover((0.0, 0.0), ORIGIN, 0.0, ORIGIN, HOVER, DT)
    with pytest.raises(InputError, match="yaw"):
        step_hover(ORIGIN, ORIGIN, math.nan, ORIGIN, HOVER, DT)
    with pytest.raises(InputError, match="dt"):
        step_hover(ORIGIN, ORIGIN, 0.0, ORIGIN, HOVER, -1.0)


def test_a_ragged_position_is_named():
    with pytest.raises(InputError, match="position"):
        step_hover([(0, 0, 0), (0, 0)], (0, 0, 0), 0.0, (0, 0, 0), Hover(), 0.1)  # type: ignore


@pytest.mark.parametrize("name", [field.name for field in fields(Hover)])
@pytest.mark.parametrize(
    "value", [None, "x", [1.0, 2.0], math.nan, -1.0, math.inf, pytest.param(10**400, id="huge")]
)
def test_a_parameter_that_is_no_number_is_named(name, value):
    with pytest.raises(InputError, match=f"hover: {name} (is|has|cannot)"):
        Hover(**{name: value})
