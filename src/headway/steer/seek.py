"""Seek and flee: the two behaviours that all others are made of."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.noise import uniform
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    TINY,
    Vector,
    length,
    minus,
    number,
    store,
    times,
    unit,
    vector,
)

ESCAPE_STREAM = 401
"""Of the chance that decides where to go from a threat at one's own position."""

UNDECIDED = {2: np.zeros(2), 3: np.zeros(3)}
"""No direction, in two and three dimensions: agents take one by chance."""


@kernel(forceinline=True)
def seek_one(position: Vector, velocity: Vector, target: Vector, max_speed: float) -> Vector:
    """Seek, for one agent within a kernel."""
    return minus(times(unit(minus(target, position)), max_speed), velocity)


@kernel(
    direct=True,
    example=lambda: (np.zeros(3), np.zeros(3), np.zeros(3), np.ones(1), 3, np.empty(3)),
)
def _seek(
    position: NDArray, velocity: NDArray, target: NDArray, max_speed: NDArray, d: int, out: NDArray
) -> int:
    bad = -1
    for i in range(len(out) // d):
        speed = number(max_speed, i)
        steering = seek_one(
            vector(position, i, d), vector(velocity, i, d), vector(target, i, d), speed
        )
        if not (store(out, i, d, steering) and speed >= 0.0):
            bad = i
    return bad


def seek(
    position: ArrayLike, velocity: ArrayLike, target: ArrayLike, max_speed: ArrayLike
) -> NDArray[np.float64]:
    """Steer towards a target at full speed, and through it.

    The velocity wanted points at the target; what is returned is the change to it from the
    velocity there is: u(target − position)·max_speed − velocity.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    target : (d,) or (N, d) ndarray
        m, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame. At the target itself there is no direction, and the
        change stops the agent.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> seek((0.0, 0.0), (0.0, 1.0), (5.0, 0.0), 2.0).tolist()
    [2.0, -1.0]
    """
    p, shape = positions("position", position)
    v, t = vectors("velocity", velocity, shape), vectors("target", target, shape)
    out = np.empty(shape)
    if _seek(p, v, t, numbers("max_speed", max_speed, shape), shape[-1], out.ravel()) >= 0:
        refuse(position=position, velocity=velocity, target=target, max_speed_=max_speed)
    return out


@kernel(forceinline=True)
def chance_direction(agent: int, d: int) -> Vector:
    """A direction of an agent's own, uniform on the circle or the sphere."""
    angle = 2.0 * math.pi * uniform(0, ESCAPE_STREAM, agent, 0)
    z = 2.0 * uniform(0, ESCAPE_STREAM, agent, 1) - 1.0 if d == 3 else 0.0
    across = math.sqrt(1.0 - z * z)
    return across * math.cos(angle), across * math.sin(angle), z


@kernel(forceinline=True)
def flee_one(
    position: Vector, velocity: Vector, threat: Vector, max_speed: float, reach: float,
    escape: Vector, agent: int, d: int,
) -> Vector:  # fmt: skip
    """Flee, for one agent within a kernel; beyond reach there is nothing to flee from."""
    away = minus(position, threat)
    distance = length(away)
    if distance > reach:
        nothing = 0.0 * (distance + length(velocity))  # what is not finite must show
        return nothing, nothing, nothing
    if distance <= TINY:
        away = chance_direction(agent, d) if length(escape) <= TINY else escape
    return minus(times(unit(away), max_speed), velocity)


@kernel(
    direct=True,
    example=lambda: (*[np.zeros(3)] * 3, *[np.ones(1)] * 2, np.zeros(3), 3, np.empty(3)),
)
def _flee(
    position: NDArray, velocity: NDArray, threat: NDArray, max_speed: NDArray,
    panic_distance: NDArray, escape: NDArray, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // d):
        speed, reach = number(max_speed, i), number(panic_distance, i)
        steering = flee_one(
            vector(position, i, d), vector(velocity, i, d), vector(threat, i, d), speed, reach,
            vector(escape, i, d), i, d,
        )  # fmt: skip
        if not (store(out, i, d, steering) and speed >= 0.0 and reach >= 0.0):
            bad = i
    return bad


def infinity_allowed(value: ArrayLike) -> NDArray[np.float64]:
    """For `refuse`: an argument that may be infinite, with zeros where it is.

    Parameters
    ----------
    value : float or (N,) ndarray
        In any unit.

    Returns
    -------
    () or (N,) ndarray
        The same numbers, but for the infinite ones.

    Examples
    --------
    >>> infinity_allowed([2.0, np.inf]).tolist()
    [2.0, 0.0]
    """
    array = np.asarray(value, np.float64)
    return np.where(array == math.inf, 0.0, array)


def flee(
    position: ArrayLike,
    velocity: ArrayLike,
    threat: ArrayLike,
    max_speed: ArrayLike,
    *,
    panic_distance: ArrayLike = math.inf,
    escape: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Steer straight away from a threat at full speed, if it is near.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    threat : (d,) or (N, d) ndarray
        m, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    panic_distance : float or (N,) ndarray
        m. Threats beyond it are ignored: no change.
    escape : (d,) or (N, d) ndarray, optional
        Direction to take from a threat at the agent's own position. Left out or zero, it is
        drawn for each row, so that agents on one spot part.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999; the panic distance is
    that of Buckland, "Programming game AI by example", 2005.

    Examples
    --------
    >>> flee((0.0, 0.0), (0.0, 1.0), (5.0, 0.0), 2.0).tolist()
    [-2.0, -1.0]
    >>> flee((0.0, 0.0), (0.0, 1.0), (5.0, 0.0), 2.0, panic_distance=4.0).tolist()
    [0.0, 0.0]
    """
    p, shape = positions("position", position)
    d = shape[-1]
    v, t = vectors("velocity", velocity, shape), vectors("threat", threat, shape)
    speed = numbers("max_speed", max_speed, shape)
    reach = numbers("panic_distance", panic_distance, shape)
    way = UNDECIDED[d] if escape is None else vectors("escape", escape, shape)
    out = np.empty(shape)
    if _flee(p, v, t, speed, reach, way, d, out.ravel()) >= 0:
        refuse(
            position=position, velocity=velocity, threat=threat, max_speed_=max_speed,
            panic_distance_=infinity_allowed(panic_distance),
            escape=way if escape is None else escape,
        )  # fmt: skip
    return out
