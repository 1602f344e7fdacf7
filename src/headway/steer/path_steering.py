"""Follow a path to its end, or stay near it."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import one_of, seconds, zero_or_more
from headway.geometry.rows import numbers, positions, refuse, vectors
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
from headway.steer.arrive import arrive_one, lag_of
from headway.steer.pathway import (
    Pathway,
    as_pathway,
    nearest_between,
    path_progress,
    point_at,
    wrapped,
)
from headway.steer.seek import seek_one
from headway.world.route import Route

SLOWEST = 0.25
"""Share of the top speed that the look-ahead is made for at least, so that nobody is stuck."""

LOST = 0.5
"""Another stretch must be nearer by this factor before an agent off its own is moved to it."""


@kernel
def _advance(
    legs: NDArray, whole: float, closed: bool, p: Vector, s: float, reach: float, sense: float
) -> float:
    """Progress along the path: never back, and no farther than the reach.

    Only for an agent far off that stretch the whole path is searched.
    """
    low, high = (s, s + reach) if sense > 0.0 else (s - reach, s)
    here, gap = nearest_between(legs, whole, closed, p, low, high)
    if gap > reach * reach:
        other, distance = nearest_between(legs, whole, closed, p, 0.0, whole)
        if distance < LOST * LOST * gap:
            here = other
    return here


@kernel
def _keeps_to(
    legs: NDArray, whole: float, closed: bool, ahead: Vector, s: float, reach: float,
    sense: float, radius: float,
) -> bool:  # fmt: skip
    """Whether an agent at s will soon be within the corridor, and farther along."""
    low, high = (s, s + reach) if sense > 0.0 else (s - reach, s)
    there, gap = nearest_between(legs, whole, closed, ahead, low, high)
    return gap < radius * radius and (there - s) * sense > 0.0


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), Pathway.through([(0, 0), (1, 0)]).legs, 1.0, False),
        *(np.zeros(1), np.ones(1), np.ones(1), 0.02, 0.0, 0.5, 0.5, 1.0),
        *(2, np.empty(2), np.empty(1)),
    ),
)
def _follow_path(
    position: NDArray, velocity: NDArray, legs: NDArray, whole: float, closed: bool,
    progress: NDArray, max_speed: NDArray, max_deceleration: NDArray, dt: float,
    lag: float, prediction_time: float, radius: float, sense: float, d: int, out: NDArray,
    reached: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(reached)):
        p, v = vector(position, i, d), vector(velocity, i, d)
        top, braking = number(max_speed, i), number(max_deceleration, i)
        before = number(progress, i)
        stop = dot(v, v) / (2.0 * braking) if braking > 0.0 else 0.0
        look = max(prediction_time * max(length(v), SLOWEST * top), stop)
        look = min(look, 0.25 * whole if closed else whole)
        reach = min(2.0 * max(look, radius), 0.5 * whole if closed else whole)
        s = _advance(legs, whole, closed, p, wrapped(before, whole, closed), reach, sense)
        left = math.inf if closed else (whole - s if sense > 0.0 else s)
        way = minus(point_at(legs, whole, closed, s + sense * min(look, left)), p)
        remaining = length(way) + max(left - look, 0.0)  # straight to the target, then by the path
        brakes = not closed and dot(v, v) >= 2.0 * braking * (left - look)
        if radius > 0.0 and not brakes:
            ahead = plus(p, times(v, prediction_time))
            if _keeps_to(legs, whole, closed, ahead, s, 2.0 * reach, sense, radius):
                way = v
        if closed:
            steering = minus(times(unit(way), top), v)
        else:
            end = plus(p, times(unit(way), remaining))
            steering = arrive_one(p, v, end, (0.0, 0.0, 0.0), top, braking, 0.0, 0.0, dt, lag)
        reached[np.uint64(i)] = wrapped(s, whole, closed)
        fine = math.isfinite(before) and top >= 0.0 and braking >= 0.0
        if not (store(out, i, d, steering) and fine):
            bad = i
    return bad


def follow_path(
    position: ArrayLike,
    velocity: ArrayLike,
    path: Pathway | Route | ArrayLike,
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    progress: ArrayLike | None = None,
    prediction_time: float = 0.5,
    radius: float = 0.0,
    direction: Literal[1, -1] = 1,
    response: float | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Follow a path at full speed, around and around or to rest at its end.

    The agent heads for the point that lies as far ahead of it on the path as it gets within the
    prediction time, or needs to stop: a weak body would swing about the path otherwise. While it
    will be within the corridor of the path after the prediction time, and farther along, it goes
    straight on. An open path ends with an arrival that does not overshoot.

    The progress never goes back and is looked for near the last one only, so that paths may cross
    themselves and run beside themselves. An agent that was pushed off to another stretch of the
    path, and is much nearer there, goes on from there.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    path : Pathway, Route or (M, d) array_like
        An array is taken as an open polyline; make it a `Pathway` once to save time. With one
        point it is a place to arrive at; without any there is no change of velocity.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the body can brake and turn.
    dt : float
        s, of one step, above zero.
    progress : () or (N,) ndarray, optional
        s of each agent, m, from the last call; at the start, that of the nearest point.
    prediction_time : float
        s, above zero.
    radius : float
        m, half the width of the corridor; zero holds agents to the middle.
    direction : {1, -1}
        Along the path or against it.
    response : float, optional
        s: the response time of `force_for`, where that is longer than dt.

    Returns
    -------
    steering : (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.
    progress : () or (N,) ndarray
        s, m, for the next call; starts anew after a lap of a closed path.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> path = Pathway.through([(0.0, 0.0), (10.0, 0.0)])
    >>> steering, s = follow_path((2.0, 1.0), (2.0, 0.0), path, 2.0, 5.0, 0.02)
    >>> steering.round(2).tolist(), float(s)
    ([-0.59, -1.41], 2.0)
    """
    p, shape = positions("position", position)
    v, d = vectors("velocity", velocity, shape), shape[-1]
    way = path if type(path) is Pathway and path.points.shape[1] == d else as_pathway(path, d)
    top = numbers("max_speed", max_speed, shape)
    braking = numbers("max_deceleration", max_deceleration, shape)
    ahead = zero_or_more("prediction_time", prediction_time, "seconds")
    wide = zero_or_more("radius", radius, "metres")
    dt, lag = seconds("dt", dt), lag_of(response, dt)
    one_of("direction", direction, (1, -1))
    s = path_progress(position, way) if progress is None else progress
    before = vectors("progress", s, shape[:-1])
    if len(way.legs) == 0:
        return np.zeros(shape), np.zeros(shape[:-1])
    out, reached = np.empty(shape), np.empty(shape[:-1])
    bad = _follow_path(
        *(p, v, way.legs, way.length, way.closed, before, top, braking, dt),
        *(lag, ahead, wide, float(direction), d),
        *(out.ravel(), reached.ravel()),
    )
    if bad >= 0:
        refuse(
            position=position, velocity=velocity, progress=s, max_speed_=max_speed,
            max_deceleration_=max_deceleration,
        )  # fmt: skip
    return out, reached


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), Pathway.through([(0, 0), (1, 0)]).legs, 1.0, False),
        *(np.ones(1), 0.5, 0.5, 2, np.empty(2)),
    ),
)
def _stay_on_path(
    position: NDArray, velocity: NDArray, legs: NDArray, whole: float, closed: bool,
    max_speed: NDArray, prediction_time: float, radius: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // d):
        p, v, top = vector(position, i, d), vector(velocity, i, d), number(max_speed, i)
        ahead = plus(p, times(v, prediction_time))
        s, gap = nearest_between(legs, whole, closed, ahead, 0.0, whole)
        steering = times(v, 0.0)
        if not gap <= radius * radius:
            steering = seek_one(p, v, point_at(legs, whole, closed, s), top)
        if not (store(out, i, d, steering) and top >= 0.0):
            bad = i
    return bad


def stay_on_path(
    position: ArrayLike,
    velocity: ArrayLike,
    path: Pathway | Route | ArrayLike,
    max_speed: ArrayLike,
    *,
    prediction_time: float = 1.0,
    radius: float = 1.0,
) -> NDArray[np.float64]:
    """Steer back to a path, wherever on it, before leaving its corridor.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    path : Pathway, Route or (M, d) array_like
        An array is taken as an open polyline; make it a `Pathway` once to save time.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    prediction_time : float
        s, how far ahead the agent looks where it will be.
    radius : float
        m, half the width of the corridor.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame; zero for agents that stay within.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999; as in Yuka.

    Examples
    --------
    >>> path = [(0.0, 0.0), (10.0, 0.0)]
    >>> stay_on_path([(5.0, 0.5), (5.0, 3.0)], (0.0, 0.0), path, 2.0).tolist()
    [[0.0, 0.0], [0.0, -2.0]]
    """
    p, shape = positions("position", position)
    v, d = vectors("velocity", velocity, shape), shape[-1]
    way = path if type(path) is Pathway and path.points.shape[1] == d else as_pathway(path, d)
    top = numbers("max_speed", max_speed, shape)
    ahead = zero_or_more("prediction_time", prediction_time, "seconds")
    wide = zero_or_more("radius", radius, "metres")
    if len(way.legs) == 0:
        return np.zeros(shape)
    out = np.empty(shape)
    bad = _stay_on_path(
        *(p, v, way.legs, way.length, way.closed, top),
        *(ahead, wide, d, out.ravel()),
    )
    if bad >= 0:
        refuse(position=position, velocity=velocity, max_speed_=max_speed)
    return out
