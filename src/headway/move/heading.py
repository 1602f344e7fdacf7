"""Where bodies look: they turn towards where they move, or move near where they look."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import seconds
from headway.geometry.rows import infinity_allowed, numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    Vector,
    dot,
    length,
    minus,
    number,
    plus,
    store,
    times,
    unit,
    vector,
)

Floats = NDArray[np.float64]

SLOWEST = 1e-4
"""Below this speed, m/s, the direction of a velocity is chance."""
SLOW_SHARE = 0.2
"""Below this share of its largest speed a vehicle counts as slow in `slow_turn`."""


@kernel(forceinline=True)
def turned_one(forward: Vector, velocity: Vector, most: float) -> Vector:
    """Turn a direction towards that of a velocity by at most an angle, within a kernel."""
    speed = length(velocity)
    if speed < SLOWEST:
        return forward
    goal = times(velocity, 1.0 / speed)
    if most >= math.pi:
        return goal
    now, cosine = unit(forward), math.cos(most)
    if dot(now, goal) >= cosine or dot(now, now) == 0.0:
        return goal
    side = unit(minus(goal, times(now, dot(now, goal))))
    if dot(side, side) == 0.0:  # straight behind: turn left, or backwards where there is no left
        side = unit((-now[1], now[0], 0.0))
        if dot(side, side) == 0.0:
            side = (-1.0, 0.0, 0.0)
    return unit(plus(times(now, cosine), times(side, math.sin(most))))


@kernel(direct=True, example=lambda: (np.ones(3), np.ones(3), np.ones(1), 3, 0.02, np.zeros(3)))
def _turn(
    forward: NDArray, velocity: NDArray, rate: NDArray, d: int, dt: float, out: NDArray
) -> int:
    bad = -1
    for i in range(len(out) // d):
        most = number(rate, i) * dt
        look = turned_one(vector(forward, i, d), vector(velocity, i, d), most)
        if not (store(out, i, d, look) and most >= 0.0):
            bad = i
    return bad


def turned(
    forward: ArrayLike,
    velocity: ArrayLike,
    *,
    max_turn_rate: ArrayLike = math.inf,
    dt: float = 0.02,
) -> Floats:
    """Turn where agents look towards where they move.

    Parameters
    ----------
    forward : (d,) or (N, d) ndarray
        Unit vectors, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame. Below 0.0001 m/s an agent keeps looking where it does.
    max_turn_rate : float or (N,) ndarray
        rad/s, zero or more; no limit unless given.
    dt : float
        s over which they turn.

    Returns
    -------
    (d,) or (N, d) ndarray
        Unit vectors. An agent that moves straight backwards turns left, about +z.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> turned((1.0, 0.0), (0.0, 3.0)).tolist()
    [0.0, 1.0]
    >>> turned((1.0, 0.0), (0.0, 3.0), max_turn_rate=1.0, dt=0.1).round(3).tolist()
    [0.995, 0.1]
    """
    look, shape = positions("forward", forward)
    v, rate = vectors("velocity", velocity, shape), numbers("max_turn_rate", max_turn_rate, shape)
    dt = seconds("dt", dt)
    out = np.empty(shape)
    if _turn(look, v, rate, shape[-1], dt, out.ravel()) >= 0:
        rates = infinity_allowed(max_turn_rate)
        refuse(forward=forward, velocity=velocity, max_turn_rate_=rates)
    return out


@kernel(forceinline=True)
def slow_turn_one(force: Vector, forward: Vector, speed: float, max_speed: float) -> Vector:
    """Limit how far a force leans from where a slow body looks, within a kernel."""
    share = speed / (SLOW_SHARE * max_speed) if max_speed > 0.0 else 1.0
    size = length(force)
    if share >= 1.0 or size == 0.0:
        return force
    cosine = 1.0 - 2.0 * share**20
    ahead = unit(forward)
    along = dot(force, ahead)
    if along >= cosine * size:
        return force
    aside = unit(minus(force, times(ahead, along)))
    sine = math.sqrt(max(1.0 - cosine * cosine, 0.0))
    return times(plus(times(ahead, cosine), times(aside, sine)), size)


@kernel(
    direct=True,
    example=lambda: (np.ones(3), np.ones(3), np.ones(3), np.ones(1), 3, np.zeros(3)),
)
def _slow_turn(
    force: NDArray, forward: NDArray, velocity: NDArray, max_speed: NDArray, d: int, out: NDArray
) -> int:
    bad = -1
    for i in range(len(out) // d):
        fastest, speed = number(max_speed, i), length(vector(velocity, i, d))
        given = slow_turn_one(vector(force, i, d), vector(forward, i, d), speed, fastest)
        if not (store(out, i, d, given) and fastest >= 0.0):
            bad = i
    return bad


def slow_turn(
    force: ArrayLike, forward: ArrayLike, velocity: ArrayLike, max_speed: ArrayLike
) -> Floats:
    """Keep the force on a slow body near where it looks, as of a vehicle that rolls on wheels.

    Below a fifth of the largest speed the force may lean from the nose by an angle that opens,
    with the 20th power of speed, from nothing at rest to half a turn: OpenSteer's rule, which
    keeps slow vehicles from turning on the spot.

    Parameters
    ----------
    force : (d,) or (N, d) ndarray
        N, world frame; d = 2 or 3.
    forward : (d,) or (N, d) ndarray
        Where they look, world frame.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s.

    Returns
    -------
    (d,) or (N, d) ndarray
        Forces of the same size, N.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> slow_turn((0.0, 2.0), (1.0, 0.0), (0.0, 0.0), 10.0).tolist()
    [2.0, 0.0]
    """
    f, shape = positions("force", force)
    look, v = vectors("forward", forward, shape), vectors("velocity", velocity, shape)
    out = np.empty(shape)
    if _slow_turn(f, look, v, numbers("max_speed", max_speed, shape), shape[-1], out.ravel()) >= 0:
        refuse(force=force, forward=forward, velocity=velocity, max_speed_=max_speed)
    return out
