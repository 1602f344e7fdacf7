"""Seek and flee: the two behaviours that all others are made of."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.noise import uniform
from headway.geometry.rows import (
    each_number,
    each_vector,
    infinity_allowed,
    positions,
    refuse,
)
from headway.geometry.vectors import (
    BLOCK,
    TINY,
    Vector,
    length,
    minus,
    number_of,
    store,
    times,
    unit,
    vector_of,
)

ESCAPE_STREAM = 401
"""Of the chance that decides where to go from a threat at one's own position."""

UNDECIDED = {2: np.zeros(2 * BLOCK), 3: np.zeros(3 * BLOCK)}
"""No direction, in two and three dimensions: agents take one by chance."""

WRONG, LOST = 1, 2
"""What may be found of an agent: numbers not to compute with, and no direction to flee in."""


@kernel(forceinline=True)
def seek_one(position: Vector, velocity: Vector, target: Vector, max_speed: float) -> Vector:
    """Seek, for one agent within a kernel."""
    return minus(times(unit(minus(target, position)), max_speed), velocity)


@kernel(forceinline=True)
def _seek_in(
    position: NDArray, velocity: NDArray, target: NDArray, max_speed: NDArray, d: int, out: NDArray
) -> int:
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            t, speed = vector_of(target, i, start, d), number_of(max_speed, i, start)
            steering = seek_one(p, v, t, speed)
            wrong |= int(not (store(out, i, d, steering) and speed >= 0.0))
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (np.zeros(3), np.zeros(3), np.zeros(3), np.ones(1), 3, np.empty(3)),
)
def _seek(
    position: NDArray, velocity: NDArray, target: NDArray, max_speed: NDArray, d: int, out: NDArray
) -> int:
    given = position, velocity, target, max_speed
    return _seek_in(*given, 3, out) if d == 3 else _seek_in(*given, 2, out)


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
    v, t = each_vector("velocity", velocity, shape), each_vector("target", target, shape)
    speed = each_number("max_speed", max_speed, shape)
    out = np.empty(shape)
    if _seek(p, v, t, speed, shape[-1], out.ravel()):
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
    escape: Vector,
) -> Vector:  # fmt: skip
    """Flee, for one agent within a kernel; beyond reach there is nothing to flee from."""
    away = minus(position, threat)
    distance = length(away)
    if distance > reach:
        nothing = 0.0 * (distance + length(velocity))  # what is not finite must show
        return nothing, nothing, nothing
    way = unit(escape if distance <= TINY else away)
    return minus(times(way, max_speed), velocity)


@kernel(forceinline=True)
def lost(position: Vector, threat: Vector) -> bool:
    """Whether a threat is at one's own position, so that no direction leads away from it."""
    return length(minus(position, threat)) <= TINY


@kernel(forceinline=True)
def way_out(position: Vector, threat: Vector, escape: Vector, agent: int, d: int) -> Vector:
    """The direction to take from a threat at one's own position."""
    by_chance = lost(position, threat) and length(escape) <= TINY
    return chance_direction(agent, d) if by_chance else escape


@kernel(forceinline=True)
def _flee_in(
    position: NDArray, velocity: NDArray, threat: NDArray, max_speed: NDArray,
    panic_distance: NDArray, escape: NDArray, astray: bool, d: int, out: NDArray,
) -> int:  # fmt: skip
    found, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            t, speed = vector_of(threat, i, start, d), number_of(max_speed, i, start)
            reach, way = number_of(panic_distance, i, start), (0.0, 0.0, 0.0)
            if astray:
                way = way_out(p, t, vector_of(escape, i, start, d), i, d)
            steering = flee_one(p, v, t, speed, reach, way)
            fine = store(out, i, d, steering) and speed >= 0.0 and reach >= 0.0
            found |= int(not fine) * WRONG | int(lost(p, t)) * LOST
    return found


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 3, *[np.ones(1)] * 2, np.zeros(3), 3, np.empty(3)),
)
def _flee(
    position: NDArray, velocity: NDArray, threat: NDArray, max_speed: NDArray,
    panic_distance: NDArray, escape: NDArray, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, velocity, threat, max_speed, panic_distance, escape
    found = _flee_in(*given, False, 3, out) if d == 3 else _flee_in(*given, False, 2, out)
    if found & LOST:  # rarely, so that it may take longer
        found |= _flee_in(*given, True, d, out)
    return found & WRONG


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
    v, t = each_vector("velocity", velocity, shape), each_vector("threat", threat, shape)
    speed = each_number("max_speed", max_speed, shape)
    reach = each_number("panic_distance", panic_distance, shape)
    way = UNDECIDED[d] if escape is None else each_vector("escape", escape, shape)
    if escape is not None and not np.isfinite(way).all():
        refuse(escape=escape)
    out = np.empty(shape)
    if _flee(p, v, t, speed, reach, way, d, out.ravel()):
        refuse(
            position=position, velocity=velocity, threat=threat, max_speed_=max_speed,
            panic_distance_=infinity_allowed(panic_distance),
            escape=way if escape is None else escape,
        )  # fmt: skip
    return out
