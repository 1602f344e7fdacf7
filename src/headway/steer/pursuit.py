"""Pursue: seek where someone will be."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.intercept import intercept_time_one
from headway.geometry.options import one_of, zero_or_more
from headway.geometry.rows import each_number, each_vector, positions, refuse
from headway.geometry.vectors import (
    BLOCK,
    TINY,
    Vector,
    dot,
    length,
    minus,
    number_of,
    plus,
    store,
    times,
    unit,
    vector_of,
)
from headway.steer.seek import seek_one

EXACT, CLOSING, TABLE = range(3)
PREDICTORS = {"exact": EXACT, "closing": CLOSING, "table": TABLE}
"""Ways to tell how far ahead to look, by name."""

FACING = -0.95
"""Two whose directions have a smaller scalar product run at each other."""

QUARTER = 0.707
"""The least cosine at which something is ahead, and two directions are parallel."""


@kernel(forceinline=True)
def closing_time(offset: Vector, velocity: Vector, max_speed: float) -> float:
    """Time to close a distance when both run at each other."""
    fastest = max_speed + length(velocity)
    return length(offset) / fastest if fastest > 0.0 else 0.0


@kernel(forceinline=True)
def exact_time(offset: Vector, velocity: Vector, max_speed: float) -> float:
    """Time until the meeting; where there is none, the time to close the distance."""
    time = intercept_time_one(offset, velocity, max_speed)
    return time if time < math.inf else closing_time(offset, velocity, max_speed)


@kernel(forceinline=True)
def table_factor(ahead: float, parallel: float) -> float:
    """How the travel time is to be stretched, by where the quarry is and where it heads."""
    if ahead > QUARTER:
        return 4.0 if parallel > QUARTER else 0.85 if parallel < -QUARTER else 1.8
    if ahead < -QUARTER:
        return 0.5 if parallel > QUARTER else 2.0
    return 1.0 if parallel > QUARTER else 4.0 if parallel < -QUARTER else 0.8


@kernel(forceinline=True)
def prediction_time(
    predict: int, offset: Vector, velocity: Vector, forward: Vector, target_velocity: Vector,
    target_forward: Vector, max_speed: float,
) -> float:  # fmt: skip
    """How far ahead a pursuer looks, within a kernel; forward vectors may have any length."""
    if predict == EXACT:
        return exact_time(offset, target_velocity, max_speed)
    look, target_look = unit(forward), unit(target_forward)
    parallel = dot(look, target_look)
    if predict == CLOSING:
        if dot(offset, look) > 0.0 and parallel < FACING:
            return 0.0
        # Adding zero times it lets a direction that is not a number show.
        return closing_time(offset, target_velocity, max_speed) + 0.0 * parallel
    speed = length(velocity)
    speed = speed if speed > TINY else max_speed
    factor = table_factor(dot(look, unit(offset)), parallel)
    return factor * length(offset) / speed + 0.0 * parallel if speed > 0.0 else 0.0


@kernel(forceinline=True)
def _pursue_in(
    position: NDArray, velocity: NDArray, forward: NDArray, target: NDArray,
    target_velocity: NDArray, target_forward: NDArray, max_speed: NDArray, predict: int,
    factor: float, max_time: float, only_point: bool, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            t, w = vector_of(target, i, start, d), vector_of(target_velocity, i, start, d)
            look, other = vector_of(forward, i, start, d), vector_of(target_forward, i, start, d)
            speed = number_of(max_speed, i, start)
            time = prediction_time(predict, minus(t, p), v, look, w, other, speed)
            point = plus(t, times(w, min(time * factor, max_time)))
            steering = point if only_point else seek_one(p, v, point, speed)
            wrong |= int(not (store(out, i, d, steering) and speed >= 0.0))
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 6, np.ones(1), 0, 1.0, 9.0, False, 3, np.empty(3)),
)
def _pursue(
    position: NDArray, velocity: NDArray, forward: NDArray, target: NDArray,
    target_velocity: NDArray, target_forward: NDArray, max_speed: NDArray, predict: int,
    factor: float, max_time: float, only_point: bool, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, velocity, forward, target, target_velocity, target_forward, max_speed
    fixed = factor, max_time, only_point
    if predict != EXACT:  # which reads more arrays than the compiler can handle at once
        return _pursue_in(*given, predict, *fixed, d, out)
    if d == 3:
        return _pursue_in(*given, EXACT, *fixed, 3, out)
    return _pursue_in(*given, EXACT, *fixed, 2, out)


def pursue(
    position: ArrayLike,
    velocity: ArrayLike,
    target: ArrayLike,
    target_velocity: ArrayLike,
    max_speed: ArrayLike,
    *,
    predict: str = "exact",
    factor: float = 1.0,
    max_time: float = math.inf,
    forward: ArrayLike | None = None,
    target_forward: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Seek the point where a moving target can be caught.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    target : (d,) or (N, d) ndarray
        m, world frame: where the target is.
    target_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the pursuer.
    predict : {"exact", "closing", "table"}
        How to tell how far ahead to look. "exact": until the meeting, if the target kept its
        velocity; where it cannot be caught, as "closing". "closing": distance/(max_speed + target
        speed), but not at all if the target is ahead and comes on (Buckland, Yuka). "table": the
        time to its present place times one of nine factors, by where it is and where it heads
        (OpenSteer).
    factor : float
        Times the time so told, zero or more.
    max_time : float
        s: never look farther ahead than this.
    forward, target_forward : (d,) or (N, d) ndarray, optional
        Directions in which the two look, of any length, for "closing" and "table"; by default
        those of their velocities.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, a number is not finite or out of range, or there is no such
        prediction.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999; Buckland, "Programming
    game AI by example", 2005, section 3.4.4.

    Examples
    --------
    The target crosses; the meeting is at (4, 3):

    >>> pursue((0.0, 0.0), (0.0, 0.0), (4.0, 0.0), (0.0, 3.0), 5.0).round(9).tolist()
    [4.0, 3.0]
    """
    return _predicting(
        position, velocity, target, target_velocity, max_speed, predict, factor, max_time,
        forward, target_forward, False,
    )  # fmt: skip


def pursuit_point(
    position: ArrayLike,
    velocity: ArrayLike,
    target: ArrayLike,
    target_velocity: ArrayLike,
    max_speed: ArrayLike,
    *,
    predict: str = "exact",
    factor: float = 1.0,
    max_time: float = math.inf,
    forward: ArrayLike | None = None,
    target_forward: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """The point that `pursue` seeks: to draw it, or to steer to it in another way.

    Parameters
    ----------
    position, velocity, target, target_velocity : (d,) or (N, d) ndarray
        As in `pursue`.
    max_speed : float or (N,) ndarray
        As in `pursue`.
    predict : {"exact", "closing", "table"}
        As in `pursue`.
    factor, max_time : float
        As in `pursue`.
    forward, target_forward : (d,) or (N, d) ndarray, optional
        As in `pursue`.

    Returns
    -------
    (d,) or (N, d) ndarray
        m, world frame.

    Raises
    ------
    InputError
        As in `pursue`.

    Examples
    --------
    >>> pursuit_point((0.0, 0.0), (0.0, 0.0), (8.0, 0.0), (0.0, 3.0), 5.0).tolist()
    [8.0, 6.0]
    """
    return _predicting(
        position, velocity, target, target_velocity, max_speed, predict, factor, max_time,
        forward, target_forward, True,
    )  # fmt: skip


def _predicting(
    position: ArrayLike, velocity: ArrayLike, target: ArrayLike, target_velocity: ArrayLike,
    max_speed: ArrayLike, predict: str, factor: float, max_time: float,
    forward: ArrayLike | None, target_forward: ArrayLike | None, only_point: bool,
) -> NDArray[np.float64]:  # fmt: skip
    how = predictor(predict, factor, max_time, PREDICTORS)
    p, shape = positions("position", position)
    v, t = each_vector("velocity", velocity, shape), each_vector("target", target, shape)
    w = each_vector("target_velocity", target_velocity, shape)
    speed = each_number("max_speed", max_speed, shape)
    look = v if forward is None else each_vector("forward", forward, shape)
    other = w if target_forward is None else each_vector("target_forward", target_forward, shape)
    for name, given in (("forward", forward), ("target_forward", target_forward)):
        if given is not None and not np.isfinite(look if name == "forward" else other).all():
            refuse(**{name: given})
    scale, longest, out = float(factor), float(max_time), np.empty(shape)
    d, flat = shape[-1], out if len(shape) == 1 else out.ravel()
    if _pursue(p, v, look, t, w, other, speed, how, scale, longest, only_point, d, flat):
        refuse(
            position=position, velocity=velocity, target=target, max_speed_=max_speed,
            target_velocity=target_velocity, forward=velocity if forward is None else forward,
            target_forward=target_velocity if target_forward is None else target_forward,
        )  # fmt: skip
    return out


def predictor(predict: str, factor: float, max_time: float, offered: dict[str, int]) -> int:
    """The number of a way to predict, by its name; checks what belongs to it."""
    if type(predict) is not str or predict not in offered:
        one_of("predict", predict, offered)
    if not (type(factor) is float and 0.0 <= factor < math.inf):
        zero_or_more("factor", factor)
    if not (type(max_time) is float and max_time >= 0.0):
        zero_or_more("max_time", max_time, "seconds", infinite=True)
    return offered[predict]
