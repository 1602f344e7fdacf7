"""Turn to where something is, turn to a heading, and move as someone else does."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.angles import wrap_angle
from headway.geometry.options import seconds, zero_or_more
from headway.geometry.rows import (
    each_number,
    each_vector,
    numbers,
    positions,
    read,
    refuse,
    vectors,
)
from headway.geometry.vectors import (
    BLOCK,
    TINY,
    length,
    limited,
    minus,
    number,
    number_of,
    store,
    vector,
    vector_of,
)
from headway.steer.arrive import stopping_speed


@kernel(forceinline=True)
def turn_one(
    angle: float, yaw_rate: float, max_rate: float, deceleration: float, tolerance: float, dt: float
) -> float:
    """Change of yaw rate to turn by an angle in (−π, π], for one agent within a kernel."""
    if abs(angle) <= tolerance:
        return -yaw_rate
    rate = min(max_rate, stopping_speed(abs(angle), deceleration, dt))
    return math.copysign(rate, angle) - yaw_rate


@kernel(direct=True, allocates=False, example=lambda: (*[np.ones(1)] * 5, 0.0, 0.02, np.empty(1)))
def _align(
    yaw: NDArray, yaw_rate: NDArray, wanted: NDArray, max_rate: NDArray, deceleration: NDArray,
    tolerance: float, dt: float, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out)):
        rate, braking = number(max_rate, i), number(deceleration, i)
        angle = wrap_angle(number(wanted, i) - number(yaw, i))
        change = turn_one(angle, number(yaw_rate, i), rate, braking, tolerance, dt)
        out[np.uint64(i)] = change
        finite = math.isfinite(change + angle)
        if not (finite and rate >= 0.0 and braking >= 0.0):
            bad = i
    return bad


def align(
    yaw: ArrayLike,
    yaw_rate: ArrayLike,
    wanted_yaw: ArrayLike,
    max_rate: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    tolerance: float = 0.0,
) -> float | NDArray[np.float64]:
    """Turn to a heading by the shorter way, as fast as can be and without overshooting.

    The law of `arrive`, for an angle. It holds for bodies that make the change at once as far as
    they can, and then turn at the new rate.

    Parameters
    ----------
    yaw : float or (N,) ndarray
        rad, counter-clockwise from +x; any angle.
    yaw_rate : float or (N,) ndarray
        rad/s.
    wanted_yaw : float or (N,) ndarray
        rad; any angle.
    max_rate : float or (N,) ndarray
        rad/s, zero or more.
    max_deceleration : float or (N,) ndarray
        rad/s², zero or more: how hard turning can be braked.
    dt : float
        s, of one step, above zero.
    tolerance : float
        rad, zero or more. Nearer than this the agent only stops turning.

    Returns
    -------
    float or (N,) ndarray
        Change of yaw rate, rad/s.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> align(3.0, 0.5, -3.0, 1.0, 5.0, 0.1)
    0.5
    >>> align([0.0, 0.0], 0.0, [1.0, -1.0], 1.0, 5.0, 0.1).tolist()
    [1.0, -1.0]
    """
    dt = seconds("dt", dt)
    near = zero_or_more("tolerance", tolerance, "radians")
    yaws = {"yaw": yaw, "yaw_rate": yaw_rate, "wanted_yaw": wanted_yaw}
    size = max((read(name, each).shape for name, each in yaws.items()), key=len)
    if len(size) > 1:
        raise InputError(f"yaw, yaw_rate or wanted_yaw has shape {size}: give numbers or (N,).")
    shape = (*size, 2)  # of the positions that such agents would have
    a, rate = numbers("yaw", yaw, shape), numbers("yaw_rate", yaw_rate, shape)
    b, most = numbers("wanted_yaw", wanted_yaw, shape), numbers("max_rate", max_rate, shape)
    braking = numbers("max_deceleration", max_deceleration, shape)
    out = np.empty(size)
    if _align(a, rate, b, most, braking, near, dt, out.reshape(-1)) >= 0:
        refuse(
            yaw=yaw, yaw_rate=yaw_rate, wanted_yaw=wanted_yaw, max_rate_=max_rate,
            max_deceleration_=max_deceleration,
        )  # fmt: skip
    return out if size else float(out)


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (
        np.zeros(3), *[np.ones(1)] * 2, np.ones(3), *[np.ones(1)] * 2, 0.0, 0.02, 3, np.empty(1)
    ),
)  # fmt: skip
def _face(
    position: NDArray, yaw: NDArray, yaw_rate: NDArray, target: NDArray, max_rate: NDArray,
    deceleration: NDArray, tolerance: float, dt: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out)):
        rate, braking = number(max_rate, i), number(deceleration, i)
        offset = minus(vector(target, i, d), vector(position, i, d))
        heading = number(yaw, i)
        wanted = heading  # kept where the target is straight above, below or here
        if not abs(offset[0]) + abs(offset[1]) <= TINY:
            wanted = math.atan2(offset[1], offset[0])
        angle = wrap_angle(wanted - heading)
        change = turn_one(angle, number(yaw_rate, i), rate, braking, tolerance, dt)
        out[np.uint64(i)] = change
        finite = math.isfinite(change + angle + 0.0 * length(offset))
        if not (finite and rate >= 0.0 and braking >= 0.0):
            bad = i
    return bad


def face(
    position: ArrayLike,
    yaw: ArrayLike,
    yaw_rate: ArrayLike,
    target: ArrayLike,
    max_rate: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    tolerance: float = 0.0,
) -> float | NDArray[np.float64]:
    """Turn to where a target is, as `align` does.

    In 3D it turns about the vertical.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    yaw : float or (N,) ndarray
        rad, counter-clockwise from +x; any angle.
    yaw_rate : float or (N,) ndarray
        rad/s.
    target : (d,) or (N, d) ndarray
        m, world frame. If it is straight above, below or at the agent, that stops turning.
    max_rate : float or (N,) ndarray
        rad/s, zero or more.
    max_deceleration : float or (N,) ndarray
        rad/s², zero or more: how hard turning can be braked.
    dt : float
        s, of one step, above zero.
    tolerance : float
        rad, zero or more. Nearer than this the agent only stops turning.

    Returns
    -------
    float or (N,) ndarray
        Change of yaw rate, rad/s.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> face((0.0, 0.0), 0.0, 0.25, (0.0, 9.0), 1.0, 5.0, 0.1)
    0.75
    """
    dt = seconds("dt", dt)
    near = zero_or_more("tolerance", tolerance, "radians")
    p, shape = positions("position", position)
    t = vectors("target", target, shape)
    a, rate = numbers("yaw", yaw, shape), numbers("yaw_rate", yaw_rate, shape)
    most = numbers("max_rate", max_rate, shape)
    braking = numbers("max_deceleration", max_deceleration, shape)
    out = np.empty(shape[:-1])
    flat = out.reshape(-1)
    if _face(p, a, rate, t, most, braking, near, dt, shape[-1], flat) >= 0:
        refuse(
            position=position, yaw=yaw, yaw_rate=yaw_rate, target=target, max_rate_=max_rate,
            max_deceleration_=max_deceleration,
        )  # fmt: skip
    return out if len(shape) == 2 else float(out)


@kernel(forceinline=True)
def _match_velocity_in(
    velocity: NDArray, wanted: NDArray, max_speed: NDArray, d: int, out: NDArray
) -> int:
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            v, w = vector_of(velocity, i, start, d), vector_of(wanted, i, start, d)
            speed = number_of(max_speed, i, start)
            wrong |= int(not (store(out, i, d, minus(limited(w, speed), v)) and speed >= 0.0))
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (np.zeros(3), np.zeros(3), np.ones(1), 3, np.empty(3)),
)
def _match_velocity(
    velocity: NDArray, wanted: NDArray, max_speed: NDArray, d: int, out: NDArray
) -> int:
    if d == 3:
        return _match_velocity_in(velocity, wanted, max_speed, 3, out)
    return _match_velocity_in(velocity, wanted, max_speed, 2, out)


def match_velocity(
    velocity: ArrayLike, target_velocity: ArrayLike, max_speed: ArrayLike
) -> NDArray[np.float64]:
    """Move as someone else does, as far as one's speed allows.

    Parameters
    ----------
    velocity : (d,) or (N, d) ndarray
        m/s, world frame; d = 2 or 3.
    target_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more.

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
    >>> match_velocity((1.0, 0.0), (0.0, 8.0), 2.0).tolist()
    [-1.0, 2.0]
    """
    v, shape = positions("velocity", velocity)
    w = each_vector("target_velocity", target_velocity, shape)
    out = np.empty(shape)
    speed = each_number("max_speed", max_speed, shape)
    if _match_velocity(v, w, speed, shape[-1], out.ravel()):
        refuse(velocity=velocity, target_velocity=target_velocity, max_speed_=max_speed)
    return out
