"""Interpose: get between two others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import seconds
from headway.geometry.rows import each_number, each_vector, positions, refuse
from headway.geometry.vectors import (
    BLOCK,
    Vector,
    length,
    minus,
    number_of,
    plus,
    store,
    stored,
    times,
    vector_of,
)
from headway.steer.arrive import arrive_one, lag_of


@kernel(forceinline=True)
def between(a: Vector, b: Vector, ratio: float) -> Vector:
    """The point at a part of the way from a to b."""
    return plus(times(a, 1.0 - ratio), times(b, ratio))


@kernel(forceinline=True)
def _interpose_point_in(
    position: NDArray, a: NDArray, a_velocity: NDArray, b: NDArray, b_velocity: NDArray,
    max_speed: NDArray, ratio: NDArray, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            speed, part = number_of(max_speed, i, start), number_of(ratio, i, start)
            middle = between(vector_of(a, i, start, d), vector_of(b, i, start, d), part)
            v, w = vector_of(a_velocity, i, start, d), vector_of(b_velocity, i, start, d)
            distance = length(minus(middle, vector_of(position, i, start, d)))
            time = distance / speed if speed > 0.0 else 0.0
            point = plus(middle, times(between(v, w, part), time))
            wrong |= int(not (store(out, i, d, point) and speed >= 0.0))
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 5, *[np.ones(1)] * 2, 3, np.empty(3)),
)
def _interpose_point(
    position: NDArray, a: NDArray, a_velocity: NDArray, b: NDArray, b_velocity: NDArray,
    max_speed: NDArray, ratio: NDArray, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, a, a_velocity, b, b_velocity, max_speed, ratio
    return _interpose_point_in(*given, 3, out) if d == 3 else _interpose_point_in(*given, 2, out)


def interpose_point(
    position: ArrayLike,
    a: ArrayLike,
    a_velocity: ArrayLike,
    b: ArrayLike,
    b_velocity: ArrayLike,
    max_speed: ArrayLike,
    *,
    ratio: ArrayLike = 0.5,
) -> NDArray[np.float64]:
    """Where the point between two others will be when the agent gets there, by the classic guess.

    The guess is the time to the point where it is now, at full speed. To arrive at it is the
    interposing of Buckland and Yuka; `interpose` meets the point exactly.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    a, b : (d,) or (N, d) ndarray
        m, world frame: where the two are.
    a_velocity, b_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the agent.
    ratio : float or (N,) ndarray
        Part of the way from a to b.

    Returns
    -------
    (d,) or (N, d) ndarray
        m, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Buckland, "Programming game AI by example", 2005, section 3.4.10.

    Examples
    --------
    >>> a, b, away = (4.0, 2.0), (4.0, -2.0), (1.0, 0.0)
    >>> interpose_point((0.0, 0.0), a, away, b, away, 2.0).tolist()
    [6.0, 0.0]
    """
    p, shape = positions("position", position)
    first, v = each_vector("a", a, shape), each_vector("a_velocity", a_velocity, shape)
    second, w = each_vector("b", b, shape), each_vector("b_velocity", b_velocity, shape)
    speed, part = each_number("max_speed", max_speed, shape), each_number("ratio", ratio, shape)
    out = np.empty(shape)
    if _interpose_point(p, first, v, second, w, speed, part, shape[-1], out.ravel()):
        refuse(
            position=position, a=a, a_velocity=a_velocity, b=b, b_velocity=b_velocity,
            max_speed_=max_speed, ratio=ratio,
        )  # fmt: skip
    return out


@kernel(forceinline=True)
def _interpose_in(
    position: NDArray, velocity: NDArray, a: NDArray, a_velocity: NDArray, b: NDArray,
    b_velocity: NDArray, max_speed: NDArray, deceleration: NDArray, ratio: NDArray, dt: float,
    lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        for i in range(start, stop):  # first the places: all at once would be too many arrays
            first, second = vector_of(a, i, start, d), vector_of(b, i, start, d)
            store(out, i, d, between(first, second, number_of(ratio, i, start)))
        for i in range(start, stop):
            p, u = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            v, w = vector_of(a_velocity, i, start, d), vector_of(b_velocity, i, start, d)
            middle, drift = stored(out, i, d), between(v, w, number_of(ratio, i, start))
            speed, braking = number_of(max_speed, i, start), number_of(deceleration, i, start)
            steering = arrive_one(p, u, middle, drift, speed, braking, 0.0, 0.0, dt, lag)
            fine = store(out, i, d, steering) and speed >= 0.0 and braking >= 0.0
            wrong |= int(not fine)
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 6, *[np.ones(1)] * 3, 0.02, 0.0, 3, np.empty(3)),
)
def _interpose(
    position: NDArray, velocity: NDArray, a: NDArray, a_velocity: NDArray, b: NDArray,
    b_velocity: NDArray, max_speed: NDArray, deceleration: NDArray, ratio: NDArray, dt: float,
    lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, velocity, a, a_velocity, b, b_velocity
    limits = max_speed, deceleration, ratio, dt, lag
    return (
        _interpose_in(*given, *limits, 3, out) if d == 3 else _interpose_in(*given, *limits, 2, out)
    )


def interpose(
    position: ArrayLike,
    velocity: ArrayLike,
    a: ArrayLike,
    a_velocity: ArrayLike,
    b: ArrayLike,
    b_velocity: ArrayLike,
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    ratio: ArrayLike = 0.5,
    response: float | None = None,
) -> NDArray[np.float64]:
    """Get between two others, and stay there while they move.

    It is `arrive` at a target that moves as the point between them does, so it comes as fast as
    can be, does not lag and does not overshoot.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    a, b : (d,) or (N, d) ndarray
        m, world frame: where the two are.
    a_velocity, b_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the agent.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the agent can brake.
    dt : float
        s, of one step, above zero.
    ratio : float or (N,) ndarray
        Part of the way from a to b.
    response : float, optional
        s: the response time of `force_for`, where that is longer than dt.

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
    >>> a, b, rest = (4.0, 2.0), (4.0, -2.0), (0.0, 0.0)
    >>> interpose((0.0, 0.0), (1.0, 0.0), a, rest, b, rest, 2.0, 5.0, 0.1).tolist()
    [1.0, 0.0]
    """
    dt = seconds("dt", dt)
    lag = 0.0 if response is None else lag_of(response, dt)
    p, shape = positions("position", position)
    u = each_vector("velocity", velocity, shape)
    first, v = each_vector("a", a, shape), each_vector("a_velocity", a_velocity, shape)
    second, w = each_vector("b", b, shape), each_vector("b_velocity", b_velocity, shape)
    speed, part = each_number("max_speed", max_speed, shape), each_number("ratio", ratio, shape)
    braking = each_number("max_deceleration", max_deceleration, shape)
    out = np.empty(shape)
    d, flat = shape[-1], out if len(shape) == 1 else out.ravel()
    if _interpose(p, u, first, v, second, w, speed, braking, part, dt, lag, d, flat):
        refuse(
            position=position, velocity=velocity, a=a, a_velocity=a_velocity, b=b,
            b_velocity=b_velocity, max_speed_=max_speed, max_deceleration_=max_deceleration,
            ratio=ratio,
        )  # fmt: skip
    return out
