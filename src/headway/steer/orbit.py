"""Orbit: go round something at a given distance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import seconds
from headway.geometry.rows import each_number, each_vector, positions, refuse
from headway.geometry.vectors import (
    BLOCK,
    TINY,
    Vector,
    cross,
    dot,
    length,
    limited,
    minus,
    number_of,
    plus,
    store,
    times,
    unit,
    vector_of,
)
from headway.steer.arrive import AT_REST, stopping_speed
from headway.steer.offset_pursuit import UPWARD
from headway.steer.seek import chance_direction

HOLD = 0.5
"""Part of the acceleration that holds the circle; the rest corrects the distance to it."""


@kernel(forceinline=True)
def across_axis(v: Vector, axis: Vector) -> Vector:
    """What of a vector is square to a unit axis."""
    return minus(v, times(axis, dot(v, axis)))


@kernel(forceinline=True)
def orbit_one(
    position: Vector, velocity: Vector, centre: Vector, centre_velocity: Vector, axis: Vector,
    radius: float, max_speed: float, acceleration: float, dt: float, agent: int,
) -> Vector:  # fmt: skip
    """Orbit, for one agent within a kernel; the axis has unit length.

    The velocity wanted leads to the point where the agent shall be after the step: turned about
    the axis, nearer to the circle and to its plane.
    """
    arm = minus(position, centre)
    flat = across_axis(arm, axis)
    size = length(flat)
    if size > TINY:
        outward = times(flat, 1.0 / size)
    else:
        outward = unit(across_axis(velocity, axis))
        if length(outward) < 0.5:
            outward = unit(across_axis(chance_direction(agent, 3), axis))
    onward = cross(axis, outward)
    miss, height = radius - size, dot(arm, axis)
    error = math.hypot(miss, height)
    correct = min(max_speed, stopping_speed(error, (1.0 - HOLD) * acceleration, dt))
    part = correct * dt / error if error > TINY else 0.0
    after = size + part * miss
    widest = max(after, radius)
    round_speed = min(max_speed - correct, math.sqrt(HOLD * acceleration * widest))
    angle = round_speed * dt / widest if widest > TINY else 0.0
    radial = after * math.cos(angle) - size
    step = plus(times(outward, radial), times(onward, after * math.sin(angle)))
    step = minus(step, times(axis, part * height))
    wanted = plus(centre_velocity, times(step, 1.0 / dt))
    return minus(limited(wanted, max_speed), velocity)


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 4, np.ones(3), *[np.ones(1)] * 4, 0.02, 3, np.empty(3)),
)
def _orbit(
    position: NDArray, velocity: NDArray, centre: NDArray, centre_velocity: NDArray,
    axis: NDArray, radius: NDArray, max_speed: NDArray, acceleration: NDArray,
    direction: NDArray, dt: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            c, w = vector_of(centre, i, start, d), vector_of(centre_velocity, i, start, d)
            size, speed = number_of(radius, i, start), number_of(max_speed, i, start)
            hardest, sense = number_of(acceleration, i, start), number_of(direction, i, start)
            up = unit(vector_of(axis, i, start, d)) if d == 3 else (0.0, 0.0, 1.0)
            up = (0.0, 0.0, 1.0) if length(up) == 0.0 else up
            up = times(up, math.copysign(1.0, sense))
            steering = orbit_one(p, v, c, w, up, size, speed, hardest, dt, i)
            in_range = size >= 0.0 and speed >= 0.0 and hardest >= 0.0 and math.isfinite(sense)
            wrong |= int(not (store(out, i, d, steering) and in_range))
    return wrong


def orbit(
    position: ArrayLike,
    velocity: ArrayLike,
    centre: ArrayLike,
    radius: ArrayLike,
    max_speed: ArrayLike,
    max_acceleration: ArrayLike,
    dt: float,
    *,
    direction: ArrayLike = 1.0,
    axis: ArrayLike | None = None,
    centre_velocity: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Go round a centre on a circle, and get onto it from inside and outside.

    The agent goes no faster than its acceleration can hold the circle with half to spare, so that
    it never circles farther out than it should.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    centre : (d,) or (N, d) ndarray
        m, world frame.
    radius : float or (N,) ndarray
        m, zero or more, of the circle.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    max_acceleration : float or (N,) ndarray
        m/s², zero or more: of a point mass max_force/mass.
    dt : float
        s, of one step, above zero.
    direction : float or (N,) ndarray
        1 for counter-clockwise as seen from the tip of the axis, −1 for clockwise.
    axis : (3,) or (N, 3) ndarray, optional
        In 3D, what the plane of the circle is square to, of any length; by default +z.
    centre_velocity : (d,) or (N, d) ndarray, optional
        m/s, world frame, of a centre that moves.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> east, rest = (2.0, 0.0), (0.0, 0.0)
    >>> change = orbit(east, rest, (0.0, 0.0), 2.0, 1.0, 9.0, 0.001)
    >>> change.round(3).tolist()
    [-0.0, 1.0]
    """
    dt = seconds("dt", dt)
    p, shape = positions("position", position)
    d = shape[-1]
    v, c = each_vector("velocity", velocity, shape), each_vector("centre", centre, shape)
    up = UPWARD[d] if axis is None else each_vector("axis", axis, shape)
    w = AT_REST[d]
    if centre_velocity is not None:
        w = each_vector("centre_velocity", centre_velocity, shape)
    size, sense = each_number("radius", radius, shape), each_number("direction", direction, shape)
    speed = each_number("max_speed", max_speed, shape)
    hardest = each_number("max_acceleration", max_acceleration, shape)
    out = np.empty(shape)
    flat = out.ravel()
    if _orbit(p, v, c, w, up, size, speed, hardest, sense, dt, d, flat):
        refuse(
            position=position, velocity=velocity, centre=centre, radius_=radius,
            max_speed_=max_speed, max_acceleration_=max_acceleration, direction=direction,
            axis=up if axis is None else axis,
            centre_velocity=w if centre_velocity is None else centre_velocity,
        )  # fmt: skip
    return out
