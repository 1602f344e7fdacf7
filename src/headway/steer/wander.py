"""Wander: stroll about with a heading that drifts, at the same pace whatever the time step."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.noise import uniform
from headway.geometry.options import whole, zero_or_more
from headway.geometry.rows import indices, numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    TINY,
    Vector,
    cross,
    dot,
    left_of,
    length,
    minus,
    number,
    plus,
    store,
    times,
    unit,
    vector,
)

WANDER_STREAM = 411  # and the two after it, for the other dimensions
UNIT_VARIANCE = math.sqrt(12.0)  # makes it of a uniform random number in [0, 1)
EVERYONE = np.empty(0, np.int64)


@kernel(forceinline=True)
def _random_step(seed: int, dimension: int, agent: int, tick: int) -> float:
    """A number of mean 0 and variance 1: steps of a random walk need no other law."""
    return UNIT_VARIANCE * (uniform(seed, WANDER_STREAM + dimension, agent, tick) - 0.5)


@kernel(forceinline=True)
def _walk_on_sphere(w: Vector, walk: Vector) -> Vector:
    """Go from w along the great circle in the direction, and by the length, of a walk."""
    tangent = minus(walk, times(w, dot(walk, w)))
    angle = length(tangent)
    return unit(plus(times(w, math.cos(angle)), times(unit(tangent), math.sin(angle))))


@kernel(
    direct=True,
    example=lambda: (
        *(np.ones(2), np.zeros(2), np.zeros(1), np.ones(1)),
        *(0.1, 2.0, 1.0, 0, 0, EVERYONE, np.empty(2), np.empty(1)),
    ),
)
def _wander_in_plane(
    forward: NDArray, velocity: NDArray, memory: NDArray, max_speed: NDArray,
    spread: float, distance: float, radius: float, seed: int, tick: int, agent: NDArray,
    out: NDArray, walked: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(walked)):
        name = agent[np.uint64(i)] if len(agent) > 0 else i
        angle = number(memory, i) + spread * _random_step(seed, 0, name, tick)
        x, y, _ = unit(vector(forward, i, 2))
        ahead, aside = distance + radius * math.cos(angle), radius * math.sin(angle)
        way = unit((ahead * x - aside * y, ahead * y + aside * x, 0.0))
        speed = number(max_speed, i)
        steering = minus(times(way, speed), vector(velocity, i, 2))
        walked[np.uint64(i)] = angle
        if not (store(out, i, 2, steering) and math.isfinite(angle) and speed >= 0.0):
            bad = i
    return bad


@kernel(
    direct=True,
    example=lambda: (
        *(np.ones(3), np.zeros(3), np.ones(3), np.ones(1)),
        *(0.1, 2.0, 1.0, 0, 0, EVERYONE, np.empty(3), np.empty(3)),
    ),
)
def _wander_in_space(
    forward: NDArray, velocity: NDArray, memory: NDArray, max_speed: NDArray,
    spread: float, distance: float, radius: float, seed: int, tick: int, agent: NDArray,
    out: NDArray, walked: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // 3):
        name = agent[np.uint64(i)] if len(agent) > 0 else i
        before = unit(vector(memory, i, 3))
        walk = (
            spread * _random_step(seed, 0, name, tick),
            spread * _random_step(seed, 1, name, tick),
            spread * _random_step(seed, 2, name, tick),
        )
        w = _walk_on_sphere(before if length(before) > TINY else (1.0, 0.0, 0.0), walk)
        ahead = unit(vector(forward, i, 3))
        left = left_of(ahead)
        around = plus(times(ahead, w[0]), times(left, w[1]))
        around = plus(around, times(cross(ahead, left), w[2]))
        way = unit(plus(times(ahead, distance), times(around, radius)))
        speed = number(max_speed, i)
        steering = minus(times(way, speed), vector(velocity, i, 3))
        fine = store(walked, i, 3, w) and math.isfinite(length(vector(memory, i, 3)))
        if not (store(out, i, 3, steering) and fine and speed >= 0.0):
            bad = i
    return bad


def wander_memory(forward: ArrayLike) -> NDArray[np.float64]:
    """Memory to start wandering with: straight ahead.

    Parameters
    ----------
    forward : (d,) or (N, d) ndarray
        Where the agents look; d = 2 or 3. Only its shape matters.

    Returns
    -------
    () or (N,) ndarray, or (3,) or (N, 3) ndarray
        In the plane the angle, rad, from forward to the left; in space a unit vector in the frame
        of the body: x forward, y horizontal to the left, z up.

    Raises
    ------
    InputError
        If the shape is none of agents.

    Examples
    --------
    >>> wander_memory([(1.0, 0.0), (0.0, 1.0)]).tolist()
    [0.0, 0.0]
    >>> wander_memory((0.0, 0.0, 1.0)).tolist()
    [1.0, 0.0, 0.0]
    """
    _, shape = positions("forward", forward)
    if shape[-1] == 2:
        return np.zeros(shape[:-1])
    memory = np.zeros(shape)
    memory[..., 0] = 1.0
    return memory


def wander(
    forward: ArrayLike,
    velocity: ArrayLike,
    memory: ArrayLike,
    max_speed: ArrayLike,
    *,
    dt: float,
    tick: int,
    seed: int = 0,
    agent: ArrayLike | None = None,
    sigma: float = 1.0,
    distance: float = 2.0,
    radius: float = 1.0,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Stroll about: steer for a point that drifts at random on a circle (sphere) ahead.

    The place on the circle does a random walk whose variance grows by sigma² in each second, so
    that the agent strays as far at 30 steps per second as at 120. The walk of an agent hangs on
    (seed, agent, tick) alone, not on who else wanders.

    Parameters
    ----------
    forward : (d,) or (N, d) ndarray
        Where the agents look, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    memory : () or (N,) ndarray, or (3,) or (N, 3) ndarray
        Where on the circle or sphere each target is: from `wander_memory`, or from the last call.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    dt : float
        s, of one step.
    tick : int
        Steps done.
    seed : int
        Of all chance.
    agent : int or (N,) array_like of int, optional
        Names of the agents, for their chance; by default 0 to N − 1.
    sigma : float
        rad/√s, how quickly the target drifts.
    distance, radius : float
        Of the circle: how far ahead it is, and its size. Only their ratio matters: with the radius
        below the distance, the target is never aside by more than asin(radius/distance).

    Returns
    -------
    steering : (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.
    memory : () or (N,) ndarray, or (3,) or (N, 3) ndarray
        For the next call.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> ahead, still = (1.0, 0.0), (0.0, 0.0)
    >>> steering, memory = wander(ahead, still, wander_memory(ahead), 2.0, dt=0.02, tick=0)
    >>> bool(np.isclose(np.linalg.norm(steering), 2.0)), bool(0.0 < abs(memory) < 0.25)
    (True, True)
    """
    f, shape = positions("forward", forward)
    v, speed = vectors("velocity", velocity, shape), numbers("max_speed", max_speed, shape)
    dt, sigma = zero_or_more("dt", dt, "seconds"), zero_or_more("sigma", sigma)
    distance, radius = zero_or_more("distance", distance), zero_or_more("radius", radius)
    plane = shape[-1] == 2
    walk, like = (_wander_in_plane, shape[:-1]) if plane else (_wander_in_space, shape)
    before, out, walked = vectors("memory", memory, like), np.empty(shape), np.empty(like)
    names = EVERYONE if agent is None else indices("agent", agent, shape[:-1]).reshape(-1)
    bad = walk(
        *(f, v, before, speed, sigma * math.sqrt(dt), distance, radius),
        *(whole("seed", seed), whole("tick", tick), names, out.ravel(), walked.ravel()),
    )
    if bad >= 0:
        refuse(forward=forward, velocity=velocity, memory=memory, max_speed_=max_speed)
    return out, walked
