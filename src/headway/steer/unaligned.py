"""Unaligned collision avoidance: keep out of the way of others who move in other directions.

Each agent extrapolates itself and its neighbours in straight lines, finds the one it would meet
first, and moves away from where that one will be relative to it. That one rule covers agents that
meet head on (each gives way to its side), overtake, or cross.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import seconds, whole, zero_or_more
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    TINY,
    Vector,
    dot,
    length,
    minus,
    number,
    plus,
    store,
    times,
    vector,
)
from headway.steer.neighbour_sums import members, parting
from headway.world.neighbour_lists import NeighbourLists

EXACT = 1e-6
"""Who misses by a smaller part of the distance to keep has no nearer side to give way to."""


@kernel(forceinline=True)
def nearest_time(offset: Vector, approach: Vector) -> float:
    """When two that move in straight lines are nearest: s, negative if they part; 0 if alike."""
    speed2 = dot(approach, approach)
    return -dot(offset, approach) / speed2 if speed2 > TINY * TINY else 0.0


@kernel(
    direct=True,
    example=lambda: (np.zeros(3), np.zeros(3), 1.0, 3, np.empty(1), np.empty(1)),
)
def _closest_approach(
    offset: NDArray, velocity: NDArray, horizon: float, d: int, time: NDArray, distance: NDArray
) -> int:
    bad = -1
    for i in range(len(time)):
        p, v = vector(offset, i, d), vector(velocity, i, d)
        t = min(max(nearest_time(p, v), 0.0), horizon)
        time[i], distance[i] = t, length(plus(p, times(v, t)))
        if not math.isfinite(distance[i]):
            bad = i
    return bad


def closest_approach(
    relative_position: ArrayLike, relative_velocity: ArrayLike, horizon: float = 1e9
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """When, and how near, two pass each other that move in straight lines.

    Parameters
    ----------
    relative_position : (d,) or (N, d) ndarray
        m: the other's position minus the own one; d = 2 or 3.
    relative_velocity : (d,) or (N, d) ndarray
        m/s: the other's velocity minus the own one.
    horizon : float
        s: farther ahead nobody looks.

    Returns
    -------
    time : () or (N,) ndarray
        s from now, from 0 to the horizon: t = −rp·rv/|rv|², clipped.
    distance : () or (N,) ndarray
        m, at that time: |rp + rv·t|.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> time, distance = closest_approach((10.0, 5.0), (-1.0, 0.0))
    >>> float(time), float(distance)
    (10.0, 5.0)
    """
    p, shape = positions("relative_position", relative_position)
    v = vectors("relative_velocity", relative_velocity, shape)
    horizon = seconds("horizon", horizon)
    time, distance = np.empty(shape[:-1]), np.empty(shape[:-1])
    if _closest_approach(p, v, horizon, shape[-1], time.ravel(), distance.ravel()) >= 0:
        refuse(relative_position=relative_position, relative_velocity=relative_velocity)
    return time, distance


@kernel(forceinline=True)
def right_of(way: Vector) -> Vector:
    """The level unit vector to the right of a way; of one straight up +x, straight down −x."""
    across = math.hypot(way[0], way[1])
    if across <= TINY:
        return math.copysign(1.0, way[2]), 0.0, 0.0
    return way[1] / across, -way[0] / across, 0.0


@kernel(forceinline=True)
def avoid_one(
    offset: Vector, approach: Vector, apart: float, horizon: float, max_speed: float, parted: Vector
) -> Vector:
    """The change of velocity that keeps one agent clear of one other, within a kernel.

    Parameters
    ----------
    offset, approach : Vector
        m and m/s: position and velocity of the other minus the own ones.
    apart : float
        m, the distance to keep.
    horizon, max_speed : float
        s and m/s.
    parted : Vector
        Unit vector: where to, if both are in one spot.
    """
    distance = length(offset)
    if distance < apart:  # too near already: end the approach, and part
        away = times(offset, -1.0 / distance) if distance > TINY else parted
        closing = max(dot(approach, away), 0.0)
        return times(away, min(max_speed, closing + max_speed * (1.0 - distance / apart)))
    t = nearest_time(offset, approach)
    miss = plus(offset, times(approach, t))
    by = length(miss)
    if not 0.0 < t < horizon or by >= apart:
        return 0.0, 0.0, 0.0
    exact = by < EXACT * apart  # no side is the nearer one: both keep to the right
    way = right_of(times(approach, -1.0)) if exact else times(miss, -1.0 / by)
    return times(way, min(max_speed, (apart - by) / t))


@kernel(
    direct=True,
    example=lambda: (
        np.zeros(3), np.zeros(3), 3, np.ones(1), np.ones(1), 0.0, 1.0, np.zeros(2, np.int64),
        np.zeros(0, np.int64), np.zeros(1, np.int64), 0, np.empty(3),
    )
)  # fmt: skip
def _avoid_neighbours(
    position: NDArray, velocity: NDArray, d: int, radius: NDArray, max_speed: NDArray,
    margin: float, horizon: float, start: NDArray, index: NDArray, ids: NDArray, seed: int,
    out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(start) - 1):
        p, v = vector(position, i, d), vector(velocity, i, d)
        own, fastest = number(radius, i), number(max_speed, i)
        first, threat = math.inf, -1
        for k in range(start[i], start[i + 1]):
            j = index[k]
            offset = minus(vector(position, j, d), p)
            approach = minus(vector(velocity, j, d), v)
            apart = own + number(radius, j) + margin
            t, gap = nearest_time(offset, approach), length(offset) - apart
            if gap < 0.0:
                t = gap  # who overlaps comes first, the deepest before others
            elif not 0.0 < t < horizon or length(plus(offset, times(approach, t))) >= apart:
                continue
            if t < first or (t == first and ids[j] < ids[threat]):
                first, threat = t, j
        steering = (0.0, 0.0, 0.0)
        if threat >= 0:
            offset = minus(vector(position, threat, d), p)
            approach = minus(vector(velocity, threat, d), v)
            apart = own + number(radius, threat) + margin
            parted = parting(seed, int(ids[i]), int(ids[threat]))
            steering = avoid_one(offset, approach, apart, horizon, fastest, parted)
        fine = store(out, i, d, steering) and math.isfinite(length(p) + length(v))
        if not (fine and own >= 0.0 and fastest >= 0.0):
            bad = i
    return bad


def avoid_neighbours(
    position: ArrayLike,
    velocity: ArrayLike,
    radius: ArrayLike,
    max_speed: ArrayLike,
    near: NeighbourLists,
    *,
    horizon: float = 3.0,
    margin: float = 0.0,
    ids: NDArray[np.int64] | None = None,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Steer clear of the neighbour that would be met first.

    Neighbours that overlap already come before all others. Of the rest, those matter that would
    come too near within the horizon; from the first of them the agent moves away, so much faster
    sideways as gives the missing distance by then. It acts as if alone: where the other does the
    same, they pass at a greater distance. Where both would meet exactly, both keep to the right.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    radius : float or (N,) ndarray
        m, zero or more.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    near : NeighbourLists
        The neighbours of each: to see all who can be met take as the radius of the lists
        2·v·horizon for the greatest speed v, plus both radii and the margin.
    horizon : float
        s, how far ahead to look; above zero.
    margin : float
        m, the gap to keep.
    ids : (N,) ndarray of int64, optional
        Who is who, for chance and for ties; the index if left out.
    seed : int
        Of chance, which decides only which way agents in one spot part.

    Returns
    -------
    (N, d) ndarray
        Change of velocity, m/s, world frame, up to the maximum speed; zero without a threat.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999; Millington, "AI for Games",
    3rd edition, CRC Press 2019, section 3.3.

    Examples
    --------
    >>> from headway.world.neighbour_lists import neighbours
    >>> position, velocity = [(0.0, 0.0), (8.0, 0.0)], [(2.0, 0.0), (-2.0, 0.0)]
    >>> avoid_neighbours(position, velocity, 0.5, 2.0, neighbours(position, 12.0)).tolist()
    [[-0.0, -0.5], [-0.0, 0.5]]
    """
    p, shape, who = members(position, near, ids)
    v, r = vectors("velocity", velocity, shape), numbers("radius", radius, shape)
    horizon = seconds("horizon", horizon)
    gap = zero_or_more("margin", margin, "metres")
    out, fastest = np.empty(shape), numbers("max_speed", max_speed, shape)
    bad = _avoid_neighbours(
        p, v, shape[1], r, fastest, gap, horizon, near.start, near.index, who,
        whole("seed", seed), out.ravel(),
    )  # fmt: skip
    if bad >= 0:
        refuse(position=position, velocity=velocity, radius_=radius, max_speed_=max_speed)
    return out
