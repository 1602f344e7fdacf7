"""Rigid bodies in space: uneven mass, forces off the centre, and tumbling that keeps its energy.

A state is a row of 13 numbers: position and velocity of the centre of mass in the world frame,
attitude as a unit quaternion (w, x, y, z) that turns body axes to world axes, and angular velocity
in the body frame. A body in the plane is one with z = 0 that turns about z alone.

Rotation is integrated in angular momentum by the implicit midpoint rule, whose step is a Cayley
rotation: the momentum in the world and the energy of a free body stay what they are, however long
it tumbles. Suzuki's composition of five such steps, forwards and back, makes the method fourth
order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.rows import numbers, refuse, vectors
from headway.geometry.vectors import (
    Vector,
    cross,
    dot,
    length,
    minus,
    number,
    plus,
    times,
    vector,
)

Floats = NDArray[np.float64]
Quaternion: TypeAlias = tuple[float, float, float, float]
Matrix: TypeAlias = tuple[Vector, Vector, Vector]
"""By rows."""

POSITION, VELOCITY, ATTITUDE, RATES = slice(0, 3), slice(3, 6), slice(6, 10), slice(10, 13)
"""Columns of a state: m, m/s, unit quaternion, rad/s in the body frame."""
BODY_WIDTH = 13

OUTER = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
"""Share of the four outer of five steps that Suzuki's composition makes of one."""
MOST_TURN = 0.25
"""rad: a step that turns a body further is split."""
MOST_PARTS = 256


@kernel(forceinline=True)
def rotated(q: Quaternion, v: Vector) -> Vector:
    """A vector of the body frame in the world frame."""
    axis = q[1], q[2], q[3]
    twice = times(cross(axis, v), 2.0)
    return plus(plus(v, times(twice, q[0])), cross(axis, twice))


@kernel(forceinline=True)
def unrotated(q: Quaternion, v: Vector) -> Vector:
    """A vector of the world frame in the body frame."""
    return rotated((q[0], -q[1], -q[2], -q[3]), v)


@kernel(forceinline=True)
def turned_by(q: Quaternion, half: Vector) -> Quaternion:
    """An attitude after the Cayley rotation by a vector, about tan of half the angle long."""
    x, y, z = half
    w, i, j, k = (
        q[0] - q[1] * x - q[2] * y - q[3] * z,
        q[1] + q[0] * x + q[2] * z - q[3] * y,
        q[2] + q[0] * y + q[3] * x - q[1] * z,
        q[3] + q[0] * z + q[1] * y - q[2] * x,
    )
    size = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
    return w * size, i * size, j * size, k * size


@kernel(forceinline=True)
def through(m: Matrix, v: Vector) -> Vector:
    """Product of a matrix and a vector."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


@kernel(forceinline=True)
def matrix(flat: NDArray, i: int) -> Matrix:
    """Matrix i of a flat array, or its only one."""
    at = 3 * i if len(flat) > 9 else 0
    return vector(flat, at, 3), vector(flat, at + 1, 3), vector(flat, at + 2, 3)


@kernel
def _spun(momentum: Vector, inverse: Matrix, h: float) -> tuple[Vector, Vector]:
    """The momentum, body frame, of a free body after h, and half of how it has turned."""
    after = momentum
    size = 1e-15 * length(momentum)
    half = (0.0, 0.0, 0.0)
    for _ in range(30):
        middle = times(plus(momentum, after), 0.5)
        half = times(through(inverse, middle), 0.5 * h)
        again = plus(momentum, cross(times(middle, 2.0), half))
        change = length(minus(again, after))
        after = again
        if change <= size:
            break
    # the Cayley rotation by what was found keeps the size of the momentum to the last bit
    x = minus(momentum, cross(half, momentum))
    square = dot(half, half)
    turned = minus(plus(x, times(half, dot(half, x))), cross(half, x))
    return times(turned, 1.0 / (1.0 + square)), half


@kernel
def moved_body(
    state: tuple[Vector, Vector, Quaternion, Vector], inertia: Matrix, inverse: Matrix,
    push: Vector, fall: Vector, torque: Vector, dt: float,
) -> tuple[Vector, Vector, Quaternion, Vector]:  # fmt: skip
    """Position, velocity, attitude and rates of one body after a step, within a kernel.

    Acceleration `push` and `torque` are in the body frame and turn with it, acceleration `fall`
    is in the world frame.
    """
    p, v, q, rates = state
    momentum = through(inertia, rates)
    gained = length(through(inverse, times(torque, dt)))
    turns = (length(rates) + gained) * dt / MOST_TURN
    parts = 1 + int(turns) if turns < MOST_PARTS else MOST_PARTS
    for part in range(5 * parts):
        h = dt / parts * (1.0 - 4.0 * OUTER if part % 5 == 2 else OUTER)
        half = 0.5 * h
        v = plus(v, times(plus(rotated(q, push), fall), half))
        momentum = plus(momentum, times(torque, half))
        p = plus(p, times(v, h))
        momentum, turn = _spun(momentum, inverse, h)
        q = turned_by(q, turn)
        v = plus(v, times(plus(rotated(q, push), fall), half))
        momentum = plus(momentum, times(torque, half))
    return p, v, q, through(inverse, momentum)


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
    tensors = _tensors(inertia, len(rows))
    if not 0.0 < dt < math.inf:
        raise InputError(f"dt is {dt}: give seconds, above zero.")
    f, t = vectors("force", force, shape), vectors("torque", torque, shape)
    g, m = vectors("gravity", gravity, shape), numbers("mass", mass, shape)
    out = np.empty((len(rows), BODY_WIDTH))
    inverse = np.ascontiguousarray(np.linalg.inv(tensors))
    if _step(rows, f, t, g, m, tensors.ravel(), inverse.ravel(), float(dt), out) >= 0:
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
    try:
        rows = np.ascontiguousarray(state, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"state cannot be read as numbers ({error}).") from error
    if rows.ndim not in (1, 2) or rows.shape[-1] != BODY_WIDTH:
        raise InputError(f"state has shape {rows.shape}: give (13,) or (N, 13), see body_state.")
    rows = rows.reshape(-1, BODY_WIDTH)
    off = ~(np.abs((rows[:, ATTITUDE] ** 2).sum(axis=1) - 1.0) < 1e-6)
    off |= ~np.isfinite(rows).all(axis=1)
    if off.any():
        raise InputError(
            f"state of agent {int(np.argmax(off))} is not finite, or its attitude no unit "
            "quaternion: divide that by its length."
        )
    return rows


def _tensors(inertia: ArrayLike, count: int) -> Floats:
    """Inertia tensors (K, 3, 3), one for all or one for each, positive definite."""
    tensors = np.ascontiguousarray(inertia, np.float64)
    if tensors.shape not in ((3, 3), (count, 3, 3)):
        raise InputError(f"inertia has shape {tensors.shape}: give (3, 3) or ({count}, 3, 3).")
    tensors = tensors.reshape(-1, 3, 3)
    if not np.isfinite(tensors).all() or not (np.linalg.eigvalsh(tensors) > 0.0).all():
        raise InputError(
            "inertia is not positive definite: give the tensor of a body that is no line or point."
        )
    return tensors


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
        state = np.zeros((*at.shape[:-1], BODY_WIDTH))
        state[..., POSITION], state[..., VELOCITY], state[..., RATES] = at, velocity, rates
        if attitude is None:
            half = 0.5 * np.asarray(yaw, np.float64)
            state[..., 6], state[..., 9] = np.cos(half), np.sin(half)
        else:
            state[..., ATTITUDE] = attitude
    except (TypeError, ValueError) as error:
        raise InputError(f"a body cannot be laid out of these arrays ({error}).") from error
    size = np.sqrt((state[..., ATTITUDE] ** 2).sum(axis=-1, keepdims=True))
    if not np.isfinite(state).all() or not (size > 0.0).all():
        raise InputError("a body needs finite numbers, and an attitude that is not zero.")
    state[..., ATTITUDE] /= size
    return state


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
    """
    w, x, y, z = np.moveaxis(np.asarray(state, np.float64)[..., ATTITUDE], -1, 0)
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
    """
    w, x, y, z = np.moveaxis(np.asarray(state, np.float64)[..., ATTITUDE], -1, 0)
    return np.stack(
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)), axis=-1
    )


@dataclass(frozen=True, slots=True, eq=False)
class MassProperties:
    """What the motion of a rigid body needs to know of how its mass is spread.

    Attributes
    ----------
    mass : float
        kg.
    centre : (3,) ndarray
        Centre of mass, m, in the frame the points were given in.
    inertia : (3, 3) ndarray
        Tensor about the centre of mass, kg m².
    moments : (3,) ndarray
        Principal moments, kg m², rising.
    axes : (3, 3) ndarray
        Principal axes as columns, right-handed.
    """

    mass: float
    centre: Floats
    inertia: Floats
    moments: Floats
    axes: Floats


def mass_properties(points: ArrayLike, masses: ArrayLike) -> MassProperties:
    """Total mass, centre and inertia of a body made of point masses.

    Parameters
    ----------
    points : (K, 2) or (K, 3) array_like
        m; in the plane z = 0.
    masses : (K,) array_like
        kg, zero or more, not all zero.

    Returns
    -------
    MassProperties
        Points on a line have no inertia about it: such a body cannot be stepped.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> dumbbell = mass_properties([(-1.0, 0.0), (2.0, 0.0)], [2.0, 1.0])
    >>> dumbbell.centre.tolist(), dumbbell.inertia.diagonal().tolist()
    ([0.0, 0.0, 0.0], [0.0, 6.0, 6.0])
    """
    places, weights = np.asarray(points, np.float64), np.asarray(masses, np.float64)
    if places.ndim != 2 or places.shape[1] not in (2, 3) or weights.shape != places.shape[:1]:
        raise InputError(
            f"points have shape {places.shape} and masses {weights.shape}: "
            "give (K, 2) or (K, 3) and (K,)."
        )
    if not (np.isfinite(places).all() and np.isfinite(weights).all() and (weights >= 0.0).all()):
        raise InputError("points and masses: give finite numbers, masses of zero or more.")
    total = float(weights.sum())
    if total == 0.0:
        raise InputError("masses are all zero: give at least one point some mass.")
    places = np.pad(places, ((0, 0), (0, 3 - places.shape[1])))
    centre = weights @ places / total
    arms = places - centre
    inertia = np.eye(3) * (weights @ (arms * arms).sum(axis=1)) - (arms.T * weights) @ arms
    moments, axes = np.linalg.eigh(inertia)
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return MassProperties(total, centre, inertia, moments, axes)


@dataclass(frozen=True, slots=True)
class Thruster:
    """An engine fixed to a body.

    Attributes
    ----------
    position : (x, y, z)
        m, in the frame of the body's points.
    direction : (x, y, z)
        Of the force on the body; its length does not matter.
    max_force : float
        N, zero or more.
    """

    position: tuple[float, float, float]
    direction: tuple[float, float, float]
    max_force: float

    def __post_init__(self) -> None:
        numbers = (*self.position, *self.direction, self.max_force)
        if len(numbers) != 7 or not all(math.isfinite(number) for number in numbers):
            raise InputError("thruster: give three numbers each for position and direction.")
        if not any(self.direction) or self.max_force < 0.0:
            raise InputError("thruster: give a direction that is not zero and a force of >= 0.")


def force_and_torque(
    thrusters: list[Thruster], levels: ArrayLike, centre: ArrayLike = (0.0, 0.0, 0.0)
) -> tuple[Floats, Floats]:
    """What thrusters do to a body: their force, and their torque about its centre of mass.

    Parameters
    ----------
    thrusters : list of T Thruster
        The engines.
    levels : (T,) or (N, T) array_like
        Share of each one's largest force; limited to 0..1.
    centre : (3,) array_like
        Centre of mass, m, in the frame the thrusters are given in.

    Returns
    -------
    force, torque : (3,) or (N, 3) ndarray
        N and N m, body frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite.

    Examples
    --------
    An engine half a metre to the right of the centre pushes forward and turns left.

    >>> force, torque = force_and_torque([Thruster((0.0, -0.5, 0.0), (1.0, 0.0, 0.0), 8.0)], [1.0])
    >>> force.tolist(), torque.tolist()
    ([8.0, 0.0, 0.0], [0.0, 0.0, 4.0])
    """
    share, middle = np.asarray(levels, np.float64), np.asarray(centre, np.float64)
    if share.ndim not in (1, 2) or share.shape[-1] != len(thrusters) or middle.shape != (3,):
        raise InputError(
            f"levels have shape {share.shape} and centre {middle.shape}: give one level for each "
            f"of {len(thrusters)} thrusters, and (3,)."
        )
    if not (np.isfinite(share).all() and np.isfinite(middle).all()):
        raise InputError("levels and centre: give finite numbers.")
    places = np.array([each.position for each in thrusters]).reshape(-1, 3)
    pushes = np.array([each.direction for each in thrusters], np.float64).reshape(-1, 3)
    pushes *= np.array([[each.max_force] for each in thrusters]).reshape(-1, 1)
    pushes /= np.array([[math.hypot(*each.direction)] for each in thrusters]).reshape(-1, 1)
    share = np.clip(share, 0.0, 1.0)
    return share @ pushes, share @ np.cross(places - middle, pushes)
