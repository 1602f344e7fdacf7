"""The spacecraft: its limits, its axes and closed forms."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest

from headway.errors import InputError
from headway.move.rigid_body import RATES, VELOCITY, body_state
from headway.move.spacecraft import (
    LEFT,
    MAIN,
    PITCH,
    RETRO,
    ROLL,
    UP,
    YAW,
    Spacecraft,
    step_spacecraft,
)

CRAFT = Spacecraft()
REST = body_state((0.0, 0.0, 0.0))
INERTIA = dict(zip((ROLL, PITCH, YAW), CRAFT.inertia, strict=True))


def command(column, value=1.0):
    controls = np.zeros(7)
    controls[column] = value
    return controls


@pytest.mark.parametrize(
    ("column", "value", "push"),
    [
        (MAIN, 1.0, (CRAFT.main_force, 0, 0)),
        (MAIN, -1.0, (0, 0, 0)),
        (MAIN, 9.0, (CRAFT.main_force, 0, 0)),
        (MAIN, math.nan, (0, 0, 0)),
        (RETRO, 0.5, (-0.5 * CRAFT.retro_force, 0, 0)),
        (LEFT, -1.0, (0, -CRAFT.lateral_force, 0)),
        (UP, 5.0, (0, 0, CRAFT.lateral_force)),
    ],
)
def test_each_engine_pushes_its_way_within_its_limit(column, value, push):
    after = step_spacecraft(REST, command(column, value), CRAFT, 0.5)
    np.testing.assert_allclose(after[VELOCITY], np.array(push) / CRAFT.mass * 0.5, atol=1e-12)


@pytest.mark.parametrize("axis", [ROLL, PITCH, YAW])
def test_each_torque_turns_about_its_axis_up_to_the_largest_rate(axis):
    state = REST
    for step in range(1, 300):
        state = step_spacecraft(state, command(axis), CRAFT, 0.02)
        expected = min(CRAFT.max_torque / INERTIA[axis] * 0.02 * step, CRAFT.max_rate)
        wanted = np.zeros(3)
        wanted[axis - ROLL] = expected
        np.testing.assert_allclose(state[RATES], wanted, atol=1e-9)


def test_a_craft_that_tumbles_too_fast_gains_no_rate():
    state = body_state((0, 0, 0), rates=(3.0, 2.0, 1.0))
    for _ in range(200):
        after = step_spacecraft(state, command(YAW), CRAFT, 0.02)
        assert np.linalg.norm(after[RATES]) <= np.linalg.norm(state[RATES]) + 1e-12
        state = after


def test_engines_turn_with_the_craft():
    state = body_state((0, 0, 0), yaw=math.pi / 2)
    after = step_spacecraft(state, command(MAIN), CRAFT, 1.0)
    np.testing.assert_allclose(after[VELOCITY], (0.0, 8.0, 0.0), atol=1e-12)
    falling = step_spacecraft(state, np.zeros(7), CRAFT, 1.0, gravity=(0, 0, -2.0))
    np.testing.assert_allclose(falling[VELOCITY], (0.0, 0.0, -2.0), atol=1e-12)


def test_batch_is_single_and_each_may_be_another_craft():
    rng = np.random.default_rng(0)
    states = body_state(
        rng.normal(size=(3, 3)), attitude=rng.normal(size=(3, 4)), rates=rng.normal(size=(3, 3))
    )
    controls, fleet = rng.normal(size=(3, 7)), [CRAFT, replace(CRAFT, mass=5.0), CRAFT]
    after = step_spacecraft(states, controls, fleet, 0.1)
    for i in range(3):
        one = step_spacecraft(states[i], controls[i], fleet[i], 0.1)
        np.testing.assert_array_equal(one, after[i])
    assert step_spacecraft(states[:0], controls[:0], CRAFT, 0.1).shape == (0, 13)


def test_misuse_is_named():
    with pytest.raises(InputError, match="mass"):
        Spacecraft(mass=0.0)
    with pytest.raises(InputError, match="inertia"):
        Spacecraft(inertia=(1.0, 2.0, -3.0))
    with pytest.raises(InputError, match="retro_force"):
        Spacecraft(retro_force=math.nan)
    with pytest.raises(InputError, match="controls"):
        step_spacecraft(REST, np.zeros(6), CRAFT, 0.1)
    with pytest.raises(InputError, match="one for each"):
        step_spacecraft(REST[None], np.zeros((1, 7)), [CRAFT, CRAFT], 0.1)
    with pytest.raises(InputError, match="dt"):
        step_spacecraft(REST, np.zeros(7), CRAFT, math.inf)


def test_the_limit_of_rates_does_not_slow_down_a_craft_that_spins_already() -> None:
    craft = Spacecraft(inertia=(900.0, 900.0, 900.0), max_rate=1.5)
    spin = body_state((0.0, 0.0, 0.0), rates=(0.0, 0.0, 3.0))
    free, pushed = np.zeros(7), np.zeros(7)
    pushed[6] = 1.0
    for controls in (free, pushed):
        after = step_spacecraft(spin, controls, craft, 0.05)
        np.testing.assert_allclose(after[RATES], (0.0, 0.0, 3.0), rtol=1e-12)


def test_what_cannot_be_read_as_numbers_is_named():
    with pytest.raises(InputError, match="controls"):
        step_spacecraft(REST, "full", CRAFT, 0.1)
    with pytest.raises(InputError, match="gravity"):
        step_spacecraft(REST, np.zeros(7), CRAFT, 0.1, gravity="down")


@pytest.mark.parametrize("name", [field.name for field in fields(Spacecraft)])
@pytest.mark.parametrize(
    "value", [None, "x", [1.0, 2.0], math.nan, -1.0, math.inf, pytest.param(10**400, id="huge")]
)
def test_a_parameter_that_is_no_number_is_named(name, value):
    with pytest.raises(InputError, match=f"spacecraft: {name} (is|has|cannot)"):
        Spacecraft(**{name: value})


@pytest.mark.parametrize(
    "moments", [(1.0, 2.0), (1.0, 2.0, 0.0), (1.0, 2.0, math.inf), [(1.0,) * 3]]
)
def test_three_moments_are_needed(moments):
    with pytest.raises(InputError, match="inertia is"):
        Spacecraft(inertia=moments)


def test_moments_may_come_as_an_array():
    given = Spacecraft(inertia=np.array((800, 2000, 2000)))
    assert given == CRAFT
    np.testing.assert_array_equal(
        step_spacecraft(REST, np.ones(7), given, 0.1), step_spacecraft(REST, np.ones(7), CRAFT, 0.1)
    )


def test_a_vector_that_is_changed_changes_no_craft():
    before = step_spacecraft(REST, np.ones(7), CRAFT, 0.1)
    CRAFT.vector()[:] = 1.0
    np.testing.assert_array_equal(step_spacecraft(REST, np.ones(7), CRAFT, 0.1), before)
