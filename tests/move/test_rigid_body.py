"""Rigid bodies, against conservation laws, SciPy's integrators and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from headway.errors import InputError
from headway.move.mass_properties import mass_properties
from headway.move.rigid_body import (
    ATTITUDE,
    POSITION,
    RATES,
    VELOCITY,
    body_state,
    nose_of,
    step_bodies,
    yaw_of,
)
from headway.move.thrusters import Thruster, force_and_torque

ORIGIN = (0.0, 0.0, 0.0)
UNEVEN = np.diag((1.0, 2.0, 3.0))


def rotation(state):
    return Rotation.from_quat(state[..., ATTITUDE][..., [1, 2, 3, 0]])


def energy(state, inertia):
    return 0.5 * np.einsum("...i,ij,...j", state[..., RATES], inertia, state[..., RATES])


def momentum(state, inertia):
    return rotation(state).apply(state[..., RATES] @ inertia)


def tumble(state, inertia, seconds, dt):
    states = [state]
    for _ in range(round(seconds / dt)):
        states.append(step_bodies(states[-1], mass=1.0, inertia=inertia, dt=dt))
    return np.array(states)


def truth(state, inertia, torque=ORIGIN, force=ORIGIN, mass=1.0, seconds=10.0):
    """The same motion by SciPy: rates, and attitude as a quaternion."""

    def slope(_, y):
        w, q = y[RATES], y[ATTITUDE] / np.linalg.norm(y[ATTITUDE])
        turn = 0.5 * np.array(
            [
                -q[1] * w[0] - q[2] * w[1] - q[3] * w[2],
                q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
                q[0] * w[1] + q[3] * w[0] - q[1] * w[2],
                q[0] * w[2] + q[1] * w[1] - q[2] * w[0],
            ]
        )
        spin = np.linalg.solve(inertia, np.cross(inertia @ w, w) + torque)
        push = Rotation.from_quat(q[[1, 2, 3, 0]]).apply(force) / mass
        return np.concatenate((y[VELOCITY], push, turn, spin))

    return solve_ivp(slope, (0, seconds), state, method="DOP853", rtol=1e-11, atol=1e-12)


def test_dzhanibekov_keeps_energy_and_momentum_and_flips_when_it_should():
    start = body_state(ORIGIN, rates=(0.01, 2.0, 0.02))
    states = tumble(start, UNEVEN, 10.0, 0.02)
    drift = energy(states, UNEVEN) / energy(start, UNEVEN) - 1.0
    assert np.abs(drift).max() < 1e-12
    kept = momentum(states, UNEVEN) - momentum(start, UNEVEN)
    assert np.linalg.norm(kept, axis=1).max() < 1e-12 * np.linalg.norm(momentum(start, UNEVEN))
    assert states[:, RATES][:, 1].min() < -1.9  # it did turn over
    end = truth(start, UNEVEN).y[:, -1]
    np.testing.assert_allclose(states[-1, RATES], end[RATES], atol=1e-7)
    np.testing.assert_allclose(states[-1, ATTITUDE], end[ATTITUDE], atol=1e-7)


@pytest.mark.parametrize("speed", [0.5, 20.0, 300.0])
def test_any_free_body_keeps_energy_and_momentum(speed):
    rng = np.random.default_rng(5)
    shape = mass_properties(rng.normal(size=(6, 3)), rng.uniform(0.1, 3.0, 6))
    rates = rng.normal(size=(20, 3)) * speed
    start = body_state(np.zeros((20, 3)), attitude=rng.normal(size=(20, 4)), rates=rates)
    end = tumble(start, shape.inertia, 1.0, 0.02)[-1]
    np.testing.assert_allclose(energy(end, shape.inertia), energy(start, shape.inertia), rtol=1e-9)
    np.testing.assert_allclose(
        momentum(end, shape.inertia), momentum(start, shape.inertia),
        rtol=1e-9, atol=1e-9 * speed,
    )  # fmt: skip
    np.testing.assert_allclose(np.linalg.norm(end[:, ATTITUDE], axis=1), 1.0, rtol=1e-12)


def test_thrust_off_the_centre_is_that_of_scipy_and_fourth_order():
    engines = [Thruster((-1.0, 0.1, 0.05), (1.0, 0.0, 0.0), 4.0)]
    shape = mass_properties(
        [(1, 0, 0), (-1, 0.2, 0), (0, 1, 0), (0, -1, 0.3), (0, 0, 0.5)], [2, 2, 0.5, 0.7, 1]
    )
    force, torque = force_and_torque(engines, [1.0], shape.centre)
    start = body_state(ORIGIN, (1.0, 0.0, 0.0), rates=(0.1, -0.2, 0.05))
    end = truth(start, shape.inertia, torque, force, shape.mass, 4.0).y[:, -1]
    errors = []
    for dt in (0.16, 0.08):
        state = start
        for _ in range(round(4.0 / dt)):
            state = step_bodies(state, force, torque, mass=shape.mass, inertia=shape.inertia, dt=dt)
        errors.append(np.abs(state - end).max())
    assert errors[0] < 1e-3
    assert errors[1] < errors[0] / 10.0


def test_in_the_plane_a_body_stays_there():
    start = body_state(ORIGIN, (3.0, 1.0, 0.0), yaw=0.3, rates=(0.0, 0.0, 0.5))
    state = start
    for _ in range(100):
        state = step_bodies(state, (2.0, 1.0, 0.0), (0, 0, 0.7), mass=2.0, inertia=UNEVEN, dt=0.02)
    t, spin = 2.0, 0.7 / 3.0
    assert state[[2, 5, 7, 8, 10, 11]].tolist() == [0.0] * 6
    assert state[12] == pytest.approx(0.5 + spin * t, rel=1e-12)
    assert float(yaw_of(state)) == pytest.approx(0.3 + 0.5 * t + 0.5 * spin * t * t, rel=1e-7)


def test_free_fall_is_a_parabola():
    state = body_state((0.0, 0.0, 10.0), (1.0, 0.0, 2.0), rates=(1.0, 2.0, 3.0))
    for _ in range(50):
        state = step_bodies(state, mass=3.0, inertia=UNEVEN, dt=0.02, gravity=(0, 0, -9.81))
    np.testing.assert_allclose(state[POSITION], (1.0, 0.0, 12.0 - 0.5 * 9.81), atol=1e-12)


def test_batch_is_single():
    rng = np.random.default_rng(4)
    states = body_state(
        rng.normal(size=(5, 3)), rng.normal(size=(5, 3)),
        attitude=rng.normal(size=(5, 4)), rates=rng.normal(size=(5, 3)) * 9,
    )  # fmt: skip
    force, torque = rng.normal(size=(2, 5, 3))
    masses, tensors = rng.uniform(1, 2, 5), UNEVEN * rng.uniform(1, 2, 5)[:, None, None]
    all_ = step_bodies(states, force, torque, mass=masses, inertia=tensors, dt=0.05)
    for i in range(5):
        one = step_bodies(
            states[i], force[i], torque[i], mass=masses[i], inertia=tensors[i], dt=0.05
        )
        np.testing.assert_array_equal(one, all_[i])
    assert step_bodies(states[:0], mass=1.0, inertia=UNEVEN, dt=0.1).shape == (0, 13)


def test_the_nose_is_the_x_axis():
    states = body_state(np.zeros((3, 3)), attitude=np.random.default_rng(0).normal(size=(3, 4)))
    np.testing.assert_allclose(nose_of(states), rotation(states).apply((1, 0, 0)), atol=1e-12)
    assert float(yaw_of(body_state(ORIGIN, yaw=2.5))) == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"state": np.zeros(12)}, "shape"),
        ({"state": np.zeros(13)}, "quaternion"),
        ({"state": body_state(ORIGIN) * np.where(np.arange(13) == 0, np.nan, 1)}, "finite"),
        ({"inertia": np.diag((1.0, 1.0, 0.0))}, "positive definite"),
        ({"inertia": np.eye(2)}, "inertia has shape"),
        ({"mass": 0.0}, "mass"),
        ({"dt": -1.0}, "dt"),
        ({"force": (math.nan, 0.0, 0.0)}, "force"),
    ],
)
def test_misuse_is_named(change, word):
    good = {"state": body_state(ORIGIN), "mass": 1.0, "inertia": UNEVEN, "dt": 0.1}
    with pytest.raises(InputError, match=word):
        step_bodies(**{**good, **change})


def test_an_attitude_of_zero_is_refused():
    with pytest.raises(InputError, match="attitude"):
        body_state(ORIGIN, attitude=(0, 0, 0, 0))


def test_what_cannot_be_read_as_numbers_is_named():
    with pytest.raises(InputError, match="inertia"):
        step_bodies(body_state(ORIGIN), mass=1.0, inertia="round", dt=0.1)


def test_an_inertia_is_symmetric():
    with pytest.raises(InputError, match="inertia is not positive definite"):
        step_bodies(body_state(ORIGIN), mass=1.0, inertia=np.triu(np.ones((3, 3))), dt=0.1)


def test_an_inertia_that_is_changed_in_place_counts():
    inertia, state = UNEVEN.copy(), body_state(ORIGIN)
    first = step_bodies(state, torque=(0, 0, 1.0), mass=1.0, inertia=inertia, dt=0.1)
    inertia *= 2.0
    second = step_bodies(state, torque=(0, 0, 1.0), mass=1.0, inertia=inertia, dt=0.1)
    np.testing.assert_allclose(first[12], 2.0 * second[12])


@pytest.mark.parametrize("position", [0.0, (1.0, 2.0), None, "x", [(1.0, 2.0, 3.0), (1.0,)]])
def test_a_state_needs_a_position_in_space(position):
    with pytest.raises(InputError, match=r"position|laid out"):
        body_state(position)


@pytest.mark.parametrize("read", [yaw_of, nose_of])
@pytest.mark.parametrize("state", [None, "x", (1.0, 2.0)])
def test_the_nose_of_what_is_no_state_is_refused(read, state):
    with pytest.raises(InputError, match="state"):
        read(state)
