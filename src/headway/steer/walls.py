"""Follow a wall, or stay within walls: of any surface that can be asked for its nearest points."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import able, zero_or_more
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    Vector,
    cross,
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
from headway.steer.bounds import probe, turn_back
from headway.steer.seek import seek_one
from headway.world.hits import Nearest, Surface

STRAIGHT_AT = 1e-6
"""A share of the speed along the wall that is as good as none."""


@kernel(forceinline=True)
def _along(normal: Vector, velocity: Vector) -> Vector:
    """Unit vector along a wall the way an agent goes; for who goes straight at it, wall at left."""
    slide = minus(velocity, times(normal, dot(velocity, normal)))
    if length(slide) > STRAIGHT_AT * length(velocity):
        return unit(slide)
    level = cross((0.0, 0.0, 1.0), normal)
    return unit(level if length(level) > STRAIGHT_AT else cross((1.0, 0.0, 0.0), normal))


@kernel(
    direct=True,
    example=lambda: (*[np.ones(2)] * 5, np.ones(1), 1.0, 1.0, 2, np.empty(2)),
)
def _follow_wall(
    position: NDArray, velocity: NDArray, distance: NDArray, point: NDArray, normal: NDArray,
    max_speed: NDArray, offset: float, prediction_time: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // d):
        p, v, top = vector(position, i, d), vector(velocity, i, d), number(max_speed, i)
        n = unit(vector(normal, i, d))
        steering = times(v, 0.0)
        if number(distance, i) < math.inf and length(n) > 0.0:
            further = prediction_time * max(length(v), 0.5 * top)
            target = plus(vector(point, i, d), times(n, offset))
            target = plus(target, times(_along(n, v), further))
            steering = seek_one(p, v, target, top)
        if not (store(out, i, d, steering) and top >= 0.0):
            bad = i
    return bad


def follow_wall(
    position: ArrayLike,
    velocity: ArrayLike,
    wall: Surface | Nearest,
    max_speed: ArrayLike,
    *,
    offset: float = 1.0,
    prediction_time: float = 0.5,
    reach: float = np.inf,
) -> NDArray[np.float64]:
    """Steer along a wall, at a distance from it.

    The point of the wall next to where the agent will soon be is moved off the wall and on along
    it; that is what the agent heads for.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    wall : Surface or Nearest
        What to follow; or its answer for the places position + velocity·prediction_time.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    offset : float
        m, how far from the wall agents are to be, zero or more.
    prediction_time : float
        s, how far ahead agents look.
    reach : float
        m. Where no wall is as near as this, velocities are not changed.

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
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    A wall along the x axis, found below where the agent is going to be:

    >>> found = Nearest(
    ...     np.array([2.0]), np.array([[0.5, 0.0]]), np.array([[0.0, 1.0]]), np.array([0])
    ... )
    >>> follow_wall((0.0, 2.0), (1.0, 0.0), found, 1.0, offset=2.0).tolist()
    [0.0, 0.0]
    """
    p, shape = positions("position", position)
    v, d = vectors("velocity", velocity, shape), shape[-1]
    top = numbers("max_speed", max_speed, shape)
    offset = zero_or_more("offset", offset, "metres")
    prediction_time = zero_or_more("prediction_time", prediction_time, "seconds")
    reach = zero_or_more("reach", reach, "metres", infinite=True)
    if isinstance(wall, Nearest):
        found = wall
    else:
        able("wall", wall, "a Surface, or a Nearest", "nearest")
        now = p.reshape(-1, d)
        ahead = now + prediction_time * np.broadcast_to(v.reshape(-1, d), now.shape)
        _finite(ahead, position, velocity)
        found = wall.nearest(ahead, reach)
    distance, point, normal = _answers(found, p.size // d, d)
    out = np.empty(shape)
    bad = _follow_wall(
        *(p, v, distance, point, normal, top, offset, prediction_time),
        *(d, out.ravel()),
    )
    if bad >= 0:
        refuse(position=position, velocity=velocity, max_speed_=max_speed)
    return out


@kernel(
    direct=True,
    example=lambda: (np.zeros(2), np.ones(2), 1.0, 2, np.empty(8)),
)
def _probes(
    position: NDArray, velocity: NDArray, prediction_time: float, d: int, places: NDArray
) -> None:
    count = 2 * d
    for i in range(len(places) // (count * d)):
        p, v = vector(position, i, d), vector(velocity, i, d)
        forward, reach = unit(v), prediction_time * length(v)
        for k in range(count):
            store(places, i * count + k, d, plus(p, times(probe(forward, k), reach)))


@kernel(
    direct=True,
    example=lambda: (np.ones(2), np.zeros(4), np.ones(8), np.ones(1), 1.0, 2, np.empty(2)),
)
def _contain(
    velocity: NDArray, distance: NDArray, normal: NDArray, max_speed: NDArray,
    prediction_time: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad, count = -1, 2 * d
    for i in range(len(out) // d):
        v, top = vector(velocity, i, d), number(max_speed, i)
        reach, row = prediction_time * length(v), i * count
        if distance[np.uint64(row)] > 0.0:
            steering = minus(times(unit(vector(normal, row, d)), -top), v)
        else:
            inwards, urgency = (0.0, 0.0, 0.0), 0.0
            for k in range(row + 1, row + count):
                depth = distance[np.uint64(k)]
                if depth > 0.0:
                    share = min(depth / reach, 1.0) if reach > 0.0 else 0.0
                    back = times(unit(vector(normal, k, d)), -share)
                    inwards, urgency = plus(inwards, back), max(urgency, share)
            steering = turn_back(v, inwards, urgency, top, i)
        if not (store(out, i, d, steering) and top >= 0.0):
            bad = i
    return bad


def contain(
    position: ArrayLike,
    velocity: ArrayLike,
    region: Surface,
    max_speed: ArrayLike,
    *,
    prediction_time: float = 1.0,
) -> NDArray[np.float64]:
    """Stay within any solid that can be asked for its nearest points, as if it were hollow.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    region : Surface
        Whose distances are negative inside.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    prediction_time : float
        s, as in `contain_in_box`.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame; zero for those who need not turn.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> from headway.world.hits import Nearest
    >>> class LeftHalf:
    ...     def nearest(self, points, reach=np.inf):
    ...         foot, right = points * (0.0, 1.0), np.tile((1.0, 0.0), (len(points), 1))
    ...         return Nearest(points[:, 0], foot, right, np.zeros(len(points), np.int64))
    >>> contain((1.0, 0.0), (0.0, 1.0), LeftHalf(), 2.0).tolist()
    [-2.0, -1.0]
    """
    p, shape = positions("position", position)
    v, d = vectors("velocity", velocity, shape), shape[-1]
    top = numbers("max_speed", max_speed, shape)
    prediction_time = zero_or_more("prediction_time", prediction_time, "seconds")
    able("region", region, "a Surface", "nearest")
    places = np.empty((2 * p.size, d))
    _probes(p, v, prediction_time, d, places.ravel())
    _finite(places, position, velocity)
    distance, _, normal = _answers(region.nearest(places), 2 * p.size, d)
    out = np.empty(shape)
    if _contain(v, distance, normal, top, prediction_time, d, out.ravel()) >= 0:
        refuse(position=position, velocity=velocity, max_speed_=max_speed)
    return out


def _finite(ahead: NDArray[np.float64], position: ArrayLike, velocity: ArrayLike) -> None:
    """Ask no surface about places that are none."""
    if not np.isfinite(ahead).all():
        refuse(position=position, velocity=velocity)


def _answers(
    found: Nearest, count: int, d: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Lay out what a surface answered: distances, points and normals, flat."""
    distance = np.array(found.distance, np.float64)
    rows = [np.array(each, np.float64, order="C") for each in (found.point, found.normal)]
    if distance.shape != (count,) or any(each.shape != (count, d) for each in rows):
        raise InputError(
            f"the nearest points are given for {distance.shape} places: give {count} in {d} "
            "dimensions."
        )
    point, normal = (each.ravel() for each in rows)
    return distance, point, normal
