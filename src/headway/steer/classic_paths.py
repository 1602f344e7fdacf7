"""The path followers of OpenSteer and Yuka, number for number, for those who know them.

`headway.steer.path_steering` follows paths better: those of OpenSteer stand still where they are
at rest, lose their way where a path crosses itself and do not stop at its end; that of Yuka turns
at waypoints only, and overshoots the last one.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import above_zero, flag, one_of, zero_or_more
from headway.geometry.rows import indices, numbers, positions, refuse, vectors
from headway.geometry.vectors import dot, length, minus, number, plus, store, times, unit, vector
from headway.steer.pathway import Pathway, as_pathway, nearest_between, point_at
from headway.steer.seek import seek_one
from headway.world.route import Route


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), Pathway.through([(0, 0), (1, 0)]).legs, 1.0, False),
        *(1.0, 1.0, 1.0, 2, np.empty(2)),
    ),
)
def _opensteer(
    position: NDArray, velocity: NDArray, legs: NDArray, whole: float, closed: bool,
    prediction_time: float, radius: float, sense: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    """OpenSteer's rules for paths: to follow one, or with sense 0 to stay on it."""
    bad = -1
    for i in range(len(out) // d):
        p, v = vector(position, i, d), vector(velocity, i, d)
        ahead = plus(p, times(v, prediction_time))
        there, gap = nearest_between(legs, whole, closed, ahead, 0.0, whole)
        offset, aim, right_way = sense * prediction_time * length(v), there, True
        if sense != 0.0:
            now, _ = nearest_between(legs, whole, closed, p, 0.0, whole)
            right_way = now < there if offset > 0.0 else now > there
            aim = np.fmod(now + offset, whole) if closed else now + offset
        steering = times(v, 0.0)
        if not (math.sqrt(gap) < radius and right_way):
            target = point_at(legs, whole, False, aim)  # before the start of a loop is its start
            steering = minus(minus(target, p), v)  # the speed wanted is as large as the distance
        if not store(out, i, d, steering):
            bad = i
    return bad


def opensteer_follow_path(
    position: ArrayLike,
    velocity: ArrayLike,
    path: Pathway | Route | ArrayLike,
    *,
    prediction_time: float,
    radius: float,
    direction: Literal[1, -1] = 1,
) -> NDArray[np.float64]:
    """Follow a path as OpenSteer's ``steerToFollowPath`` does.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    path : Pathway, Route or (M, d) array_like
        An array is taken as an open polyline.
    prediction_time : float
        s.
    radius : float
        m, of the corridor.
    direction : {1, -1}
        Along the path or against it.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame; not limited.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999; OpenSteer.

    Examples
    --------
    >>> path = [(0.0, 0.0), (10.0, 0.0)]
    >>> opensteer_follow_path(
    ...     (2.0, 3.0), (1.0, 0.0), path, prediction_time=2.0, radius=1.0
    ... ).tolist()
    [1.0, -3.0]
    """
    one_of("direction", direction, (1, -1))
    return _as_opensteer(position, velocity, path, prediction_time, radius, float(direction))


def opensteer_stay_on_path(
    position: ArrayLike,
    velocity: ArrayLike,
    path: Pathway | Route | ArrayLike,
    *,
    prediction_time: float,
    radius: float,
) -> NDArray[np.float64]:
    """Stay on a path as OpenSteer's ``steerToStayOnPath`` does.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    path : Pathway, Route or (M, d) array_like
        An array is taken as an open polyline.
    prediction_time : float
        s.
    radius : float
        m, of the corridor.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame; not limited.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999; OpenSteer.

    Examples
    --------
    >>> path = [(0.0, 0.0), (10.0, 0.0)]
    >>> opensteer_stay_on_path(
    ...     (2.0, 3.0), (1.0, 0.0), path, prediction_time=2.0, radius=1.0
    ... ).tolist()
    [1.0, -3.0]
    """
    return _as_opensteer(position, velocity, path, prediction_time, radius, 0.0)


def _as_opensteer(
    position: ArrayLike, velocity: ArrayLike, path: Pathway | Route | ArrayLike,
    prediction_time: float, radius: float, sense: float,
) -> NDArray[np.float64]:  # fmt: skip
    p, shape = positions("position", position)
    v, way = vectors("velocity", velocity, shape), as_pathway(path, shape[-1])
    ahead = zero_or_more("prediction_time", prediction_time, "seconds")
    wide = zero_or_more("radius", radius, "metres")
    out = np.zeros(shape)
    if len(way.legs) == 0:
        return out
    bad = _opensteer(
        *(p, v, way.legs, way.length, way.closed),
        *(ahead, wide, sense, shape[-1], out.ravel()),
    )
    if bad >= 0:
        refuse(position=position, velocity=velocity)
    return out


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), np.zeros(4), np.zeros(1, np.int64), False, np.ones(1)),
        *(1.0, 3.0, 2, np.empty(2), np.empty(1, np.int64)),
    ),
)
def _follow_waypoints(
    position: NDArray, velocity: NDArray, waypoints: NDArray, waypoint: NDArray, closed: bool,
    max_speed: NDArray, near: float, arrival_time: float, d: int, out: NDArray, chosen: NDArray,
) -> int:  # fmt: skip
    bad, count = -1, len(waypoints) // d
    for i in range(len(chosen)):
        p, v, top = vector(position, i, d), vector(velocity, i, d), number(max_speed, i)
        k = min(max(waypoint[np.uint64(i)], 0), count - 1)
        way = minus(vector(waypoints, k, d), p)
        if dot(way, way) < near * near:
            k = k + 1 if k + 1 < count else (0 if closed else k)
        target = vector(waypoints, k, d)
        if closed or k + 1 < count:
            steering = seek_one(p, v, target, top)
        else:
            way = minus(target, p)
            steering = minus(times(unit(way), min(length(way) / arrival_time, top)), v)
        chosen[np.uint64(i)] = k
        if not (store(out, i, d, steering) and top >= 0.0):
            bad = i
    return bad


def yuka_follow_path(
    position: ArrayLike,
    velocity: ArrayLike,
    waypoints: ArrayLike,
    waypoint: ArrayLike,
    max_speed: ArrayLike,
    *,
    next_waypoint_distance: float = 1.0,
    arrival_time: float = 3.0,
    closed: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Follow waypoints as Yuka's ``FollowPathBehavior`` does: seek each, arrive at the last.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    waypoints : (M, d) array_like
        m, world frame. Without any there is no change of velocity.
    waypoint : () or (N,) array_like of int
        Which one each agent heads for: 0 at the start, then what the last call answered.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    next_waypoint_distance : float
        m. Nearer than this an agent turns to the next.
    arrival_time : float
        s, above zero: the speed towards the last waypoint is the distance divided by it.
    closed : bool
        Whether the last is followed by the first.

    Returns
    -------
    steering : (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.
    waypoint : () or (N,) ndarray of int64
        For the next call.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Yuka (Mugen87/yuka).

    Examples
    --------
    >>> steering, waypoint = yuka_follow_path(
    ...     (0.5, 0.0), (0.0, 0.0), [(0.0, 0.0), (0.5, 6.0)], 0, 5.0
    ... )
    >>> steering.tolist(), int(waypoint)
    ([0.0, 2.0], 1)
    """
    p, shape = positions("position", position)
    v, top = vectors("velocity", velocity, shape), numbers("max_speed", max_speed, shape)
    points = Pathway.through(waypoints).points
    near = zero_or_more("next_waypoint_distance", next_waypoint_distance, "metres")
    arrival_time = above_zero("arrival_time", arrival_time, "seconds")
    before, around = indices("waypoint", waypoint, (), shape[:-1]), flag("closed", closed)
    start = np.full(shape[:-1], before)
    out, chosen = np.zeros(shape), np.zeros(shape[:-1], np.int64)
    if len(points) == 0:
        return out, chosen
    if points.shape[1] != shape[-1]:
        raise InputError(f"waypoints has shape {points.shape}: give (M, {shape[-1]}).")
    bad = _follow_waypoints(
        *(p, v, points.flatten(), start.ravel(), around, top),
        *(near, arrival_time, shape[-1]),
        *(out.ravel(), chosen.ravel()),
    )
    if bad >= 0:
        refuse(position=position, velocity=velocity, max_speed_=max_speed)
    return out, chosen
