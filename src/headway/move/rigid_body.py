"""Rigid bodies in space: uneven mass, forces off the centre, any attitude.

A state is a row of 13 numbers: position and velocity of the centre of mass in the world frame,
attitude as a unit quaternion (w, x, y, z) that turns body axes to world axes, and angular velocity
in the body frame. A body in the plane is one with z = 0 that turns about z alone.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import seconds
from headway.geometry.quaternions import Quaternion
from headway.geometry.rows import numbers, read, refuse, vectors
from headway.geometry.vectors import Vector, number, times, vector
from headway.move.mass_properties import inertia_rows
from headway.move.tumbling import matrix, moved_body

Floats = NDArray[np.float64]

POSITION, VELOCITY, ATTITUDE, RATES = slice(0, 3), slice(3, 6), slice(6, 10), slice(10, 13)
"""Columns of a state: m, m/s, unit quaternion, rad/s in the body frame."""
BODY_WIDTH = 13


@kernel(forceinline=True)
def body_at(state: NDArray, i: int) -> tuple[Vector, Vector, Quaternion, Vector]:
    """Row i of an array of states (N, 13)."""
    r = state[i]
    return (r[0], r[1], r[2]), (r[3], r[4], r[5]), (r[6], r[7], r[8], r[9]), (r[10], r[11], r[12])


@kernel(forceinline=True)
def store_body(state: NDArray, i: int, p: Vector, v: Vector, q: Quaternion, rates: Vector) -> bool:
    """Write row i of an array of states; returns whether all of it is finite."""
    total = 0.0
    for k in range(3):
        state[i, k], state[i, 3 + k], state[i, 10 + k] = p[k], v[k], rates[k]
        total += p[k] + v[k] + rates[k]
    for k in range(4):
        state[i, 6 + k] = q[k]
        total += q[k]
    return total - total == 0.0


@kernel(
    direct=True,
    example=lambda: (
        body_state(np.zeros((1, 3))), np.zeros(3), np.zeros(3), np.zeros(3),
        np.ones(1), np.eye(3).ravel(), np.eye(3).ravel(), 0.02, np.zeros((1, 13)),
    ),
)  # fmt: skip
def _step(
    state: NDArray, force: NDArray, torque: NDArray, fall: NDArray, mass: NDArray,
    inertia: NDArray, inverse: NDArray, dt: float, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(state)):
        push = times(vector(force, i, 3), 1.0 / number(mass, i))
        p, v, q, rates = moved_body(
            body_at(state, i), matrix(inertia, i), matrix(inverse, i),
            push, vector(fall, i, 3), vector(torque, i, 3), dt,
        )  # fmt: skip
        if not (store_body(out, i, p, v, q, rates) and number(mass, i) > 0.0):
            bad = i
    return bad


def step_bodies(
    state: ArrayLike,
    force: ArrayLike = (0.0, 0.0, 0.0),
    torque: ArrayLike = (0.0, 0.0, 0.0),
    *,
    mass: ArrayLike,
    inertia: ArrayLike,
    dt: float,
    gravity: ArrayLike = (0.0, 0.0, 0.0),
) -> Floats:
    """Advance rigid bodies by one step, under forces that turn with them.

    Parameters
    ----------
    state : (13,) or (N, 13) ndarray
        Position, velocity, attitude and rates; see `body_state`.
    force, torque : (3,) or (N, 3) ndarray
        N and N m, body frame, the torque about the centre of mass; see `force_and_torque`.
    mass : float or (N,) ndarray
        kg, above zero.
    inertia : (3, 3) or (N, 3, 3) ndarray
        Tensor about the centre of mass, kg m², body frame, positive definite.
    dt : float
        s.
    gravity : (3,) or (N, 3) ndarray
        Acceleration of free fall, m/s², world frame.

    Returns
    -------
    (13,) or (N, 13) ndarray
        The new state; attitudes are unit quaternions.

    Raises
    ------
    InputError
        If shapes do not fit, a number is not finite, a mass is not positive or an inertia not
        positive definite.

    References
    ----------
    Austin, Krishnaprasad and Wang, "Almost Poisson integration of rigid body systems", Journal of
    Computational Physics 107, 1993. Suzuki, "Fractal decomposition of exponential operators",
    Physics Letters A 146, 1990.

    Examples
    --------
    >>> inertia = np.diag((1.0, 2.0, 3.0))
    >>> state = body_state((0.0, 0.0, 0.0), rates=(0.0, 0.0, 1.0))
    >>> for _ in range(50):
    ...     state = step_bodies(state, mass=1.0, inertia=inertia, dt=0.02)
    >>> round(float(yaw_of(state)), 9)
    1.0
    """
    rows = body_rows(state)
    shape = (len(rows), 3)
    tensors, inverse = inertia_rows(inertia, len(rows))
    dt = seconds("dt", dt)
    f, t = vectors("force", force, shape), vectors("torque", torque, shape)
    g, m = vectors("gravity", gravity, shape), numbers("mass", mass, shape)
    out = np.empty((len(rows), BODY_WIDTH))
    if _step(rows, f, t, g, m, tensors, inverse, dt, out) >= 0:
        _refuse(m, state=state, force=force, torque=torque, gravity=gravity)
    return out.reshape(np.shape(state))


def body_rows(state: ArrayLike) -> Floats:
    """Read states as rows.

    Parameters
    ----------
    state : (13,) or (N, 13) array_like
        See `body_state`.

    Returns
    -------
    (N, 13) ndarray
        Finite numbers, with attitudes that are of unit length but for rounding.

    Raises
    ------
    InputError
        If the shape does not fit, a number is not finite or an attitude is no unit quaternion.
    """
    rows = read("state", state)
    if rows.ndim not in (1, 2) or rows.shape[-1] != BODY_WIDTH:
        raise InputError(f"state has shape {rows.shape}: give (13,) or (N, 13), see body_state.")
    rows = rows.reshape(-1, BODY_WIDTH)
    attitude = rows[:, ATTITUDE]
    unit = np.abs(np.einsum("ij,ij->i", attitude, attitude) - 1.0) < 1e-6
    if not (unit.all() and np.isfinite(rows).all()):
        off = ~(unit & np.isfinite(rows).all(axis=1))
        raise InputError(
            f"state of agent {int(np.argmax(off))} is not finite, or its attitude no unit "
            "quaternion: divide that by its length."
        )
    return rows


def _refuse(mass: Floats, **arguments: ArrayLike) -> NoReturn:
    if not (mass > 0.0).all():
        i = int(np.argmin(mass > 0.0))
        raise InputError(f"mass of agent {i} is {mass[i]}: give kilograms, above zero.")
    refuse(**arguments, mass=mass)


def body_state(
    position: ArrayLike,
    velocity: ArrayLike = 0.0,
    *,
    yaw: ArrayLike = 0.0,
    attitude: ArrayLike | None = None,
    rates: ArrayLike = 0.0,
) -> Floats:
    """Lay out the state of bodies.

    Parameters
    ----------
    position, velocity : (3,) or (N, 3) array_like
        Of the centre of mass, m and m/s, world frame.
    yaw : float or (N,) array_like
        rad about z, for bodies that stand upright.
    attitude : (4,) or (N, 4) array_like, optional
        Quaternion (w, x, y, z) that turns body axes to world axes, of any length; instead of yaw.
    rates : (3,) or (N, 3) array_like
        Angular velocity, rad/s, body frame.

    Returns
    -------
    (13,) or (N, 13) ndarray
        The state.

    Raises
    ------
    InputError
        If shapes do not fit, a number is not finite or an attitude is zero.

    Examples
    --------
    >>> body_state((1.0, 2.0, 0.0), rates=(0.0, 0.0, 0.5)).tolist()
    [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]
    """
    try:
        at = np.asarray(position, np.float64)
        if at.shape[-1:] != (3,):
            raise InputError(f"position has shape {at.shape}: give (3,) or (N, 3).")
        state = np.zeros((*at.shape[:-1], BODY_WIDTH))
        state[..., POSITION], state[..., VELOCITY], state[..., RATES] = at, velocity, rates
        if attitude is None:
            half = 0.5 * np.asarray(yaw, np.float64)
            state[..., 6], state[..., 9] = np.cos(half), np.sin(half)
        else:
            state[..., ATTITUDE] = attitude
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a body cannot be laid out of these arrays ({error}).") from error
    size = np.sqrt((state[..., ATTITUDE] ** 2).sum(axis=-1, keepdims=True))
    if not np.isfinite(state).all() or not (size > 0.0).all():
        raise InputError("a body needs finite numbers, and an attitude that is not zero.")
    state[..., ATTITUDE] /= size
    return state


def _attitude(state: ArrayLike) -> Floats:
    rows = read("state", state)
    if rows.shape[-1:] != (BODY_WIDTH,):
        raise InputError(f"state has shape {rows.shape}: give (13,) or (N, 13), see body_state.")
    return np.moveaxis(rows[..., ATTITUDE], -1, 0)


def yaw_of(state: ArrayLike) -> Floats:
    """Yaw of bodies: the angle of their nose from +x, seen from above.

    Parameters
    ----------
    state : (13,) or (N, 13) ndarray
        See `body_state`.

    Returns
    -------
    () or (N,) ndarray
        rad, in [−π, π].

    Raises
    ------
    InputError
        If the shape does not fit.
    """
    w, x, y, z = _attitude(state)
    return np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def nose_of(state: ArrayLike) -> Floats:
    """Direction of the nose of bodies, their x axis.

    Parameters
    ----------
    state : (13,) or (N, 13) ndarray
        See `body_state`.

    Returns
    -------
    (3,) or (N, 3) ndarray
        Unit vectors, world frame.

    Raises
    ------
    InputError
        If the shape does not fit.
    """
    w, x, y, z = _attitude(state)
    return np.stack(
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)), axis=-1
    )
