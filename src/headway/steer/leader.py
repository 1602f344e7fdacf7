"""Follow a leader, and queue: behaviours of those who walk behind others."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.geometry.options import above_zero, instance, seconds, zero_or_more
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    TINY,
    Vector,
    cross,
    dot,
    length,
    minus,
    number,
    store,
    times,
    unit,
    vector,
)
from headway.steer.arrive import arrive_one, lag_of
from headway.world.neighbour_lists import NeighbourLists

SIDE_STREAM = 421
LIGHTEST, HARDEST = 0.5, 0.9
"""Shares of the velocity that are braked away for somebody at the far end of the box, or near."""

ALL = np.empty(0, np.int64)


@kernel(forceinline=True)
def _sideways(forward: Vector, aside: Vector, i: int) -> Vector:
    """Unit vector away from an axis: where an agent is already, or to the side of its name."""
    if length(aside) > 1e-9:
        return unit(aside)
    left = unit((-forward[1], forward[0], 0.0))
    left = left if length(left) > TINY else unit(cross((1.0, 0.0, 0.0), forward))
    return times(left, 1.0 if uniform(0, SIDE_STREAM, i, 0) < 0.5 else -1.0)


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), np.ones(2), np.zeros(2), np.zeros(2), np.ones(1), np.ones(1)),
        *(0.02, 0.0, 1.0, 1.0, 1.0, 2, np.empty(2)),
    ),
)
def _follow_leader(
    position: NDArray, velocity: NDArray, leader: NDArray, leader_velocity: NDArray,
    leader_forward: NDArray, max_speed: NDArray, max_deceleration: NDArray,
    dt: float, lag: float, behind: float, clearance: float, look_ahead: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // d):
        p, v, top = vector(position, i, d), vector(velocity, i, d), number(max_speed, i)
        first, pace = vector(leader, i, d), vector(leader_velocity, i, d)
        braking = number(max_deceleration, i)
        forward = unit(pace if length(pace) > TINY else vector(leader_forward, i, d))
        offset = minus(p, first)
        ahead = dot(offset, forward)
        aside = minus(offset, times(forward, ahead))
        box = clearance + look_ahead * length(pace)
        if 0.0 < ahead < box and length(aside) < clearance:
            steering = minus(times(_sideways(forward, aside, i), top), v)
        else:
            place = minus(first, times(forward, behind))
            steering = arrive_one(p, v, place, pace, top, braking, 0.0, 0.0, dt, lag)
        if not (store(out, i, d, steering) and top >= 0.0 and braking >= 0.0):
            bad = i
    return bad


def follow_leader(
    position: ArrayLike,
    velocity: ArrayLike,
    leader: ArrayLike,
    leader_velocity: ArrayLike,
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    leader_forward: ArrayLike | None = None,
    behind: float = 2.0,
    clearance: float = 1.0,
    look_ahead: float = 1.0,
    response: float | None = None,
) -> NDArray[np.float64]:
    """Stay behind a leader, and step aside where the leader is about to go.

    The place behind the leader moves with it: an agent that has reached it goes on at the
    leader's velocity. Add separation to keep followers apart.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    leader : (d,) or (N, d) ndarray
        m, world frame: where the leader is.
    leader_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the body can brake.
    dt : float
        s, of one step, above zero.
    leader_forward : (d,) or (N, d) ndarray, optional
        Where the leader looks, world frame, while it stands; without it followers come up to a
        standing leader itself.
    behind : float
        m, how far behind the leader followers are to be.
    clearance : float
        m, how far to each side of its way a leader is to have room, and ahead when it stands.
    look_ahead : float
        s, how much of the leader's way is to be free.
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

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> leader, pace = (10.0, 0.0), (1.0, 0.0)
    >>> follow_leader((8.0, 0.0), (0.0, 0.0), leader, pace, 2.0, 5.0, 0.02).tolist()
    [1.0, 0.0]
    >>> follow_leader((11.0, 0.5), (0.0, 0.0), leader, pace, 2.0, 5.0, 0.02).tolist()
    [0.0, 2.0]
    """
    p, shape = positions("position", position)
    v = vectors("velocity", velocity, shape)
    first = vectors("leader", leader, shape)
    pace = vectors("leader_velocity", leader_velocity, shape)
    look = pace if leader_forward is None else vectors("leader_forward", leader_forward, shape)
    if leader_forward is not None and not np.isfinite(look).all():
        refuse(leader_forward=leader_forward)
    top = numbers("max_speed", max_speed, shape)
    braking = numbers("max_deceleration", max_deceleration, shape)
    behind = zero_or_more("behind", behind, "metres")
    clearance = zero_or_more("clearance", clearance, "metres")
    look_ahead = zero_or_more("look_ahead", look_ahead, "metres")
    dt, out = seconds("dt", dt), np.empty(shape)
    bad = _follow_leader(
        *(p, v, first, pace, look, top, braking, dt),
        *(
            lag_of(response, dt),
            behind,
            clearance,
            look_ahead,
            shape[-1],
            out.ravel(),
        ),
    )
    if bad >= 0:
        refuse(
            position=position, velocity=velocity, leader=leader, leader_velocity=leader_velocity,
            leader_forward=look, max_speed_=max_speed, max_deceleration_=max_deceleration,
        )  # fmt: skip
    return out


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), np.zeros(2), ALL, ALL, True, 1.0, 1.0, 2, np.empty(2)),
    ),
)
def _queue(
    position: NDArray, velocity: NDArray, others: NDArray, start: NDArray, index: NDArray,
    oneself: bool, reach: float, width: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    listed = len(start) > 0
    for i in range(len(out) // d):
        p, v = vector(position, i, d), vector(velocity, i, d)
        forward, nearest = unit(v), reach
        low = start[np.uint64(i)] if listed else 0
        high = start[np.uint64(i + 1)] if listed else len(others) // d
        for k in range(low, high):
            j = index[np.uint64(k)] if listed else k
            if oneself and j == i:
                continue
            offset = minus(vector(others, j, d), p)
            ahead = dot(offset, forward)
            aside = minus(offset, times(forward, ahead))
            if 0.0 < ahead < nearest and dot(aside, aside) < width * width:
                nearest = ahead
        brake = HARDEST - (HARDEST - LIGHTEST) * nearest / reach if nearest < reach else 0.0
        if not (store(out, i, d, times(v, -brake)) and math.isfinite(p[0] + p[1] + p[2])):
            bad = i
    return bad


def queue(
    position: ArrayLike,
    velocity: ArrayLike,
    *,
    others: ArrayLike | None = None,
    neighbours: NeighbourLists | None = None,
    reach: float = 2.0,
    width: float = 0.5,
) -> NDArray[np.float64]:
    """Brake for whoever is ahead, instead of pushing on.

    Add it to what leads the agents on, and to separation. The velocity is braked by half for
    somebody at the end of the box ahead, by nine tenths for somebody close by.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    others : (M, d) ndarray, optional
        m, world frame: whom to brake for; by default the agents themselves, each other.
    neighbours : NeighbourLists, optional
        Whom of the agents each one looks at; by default all, which takes long for many.
    reach, width : float
        m, of the box ahead: how long it is, above zero, and how far it extends to each side.

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
    >>> queue([(0.0, 0.0), (1.0, 0.2)], [(2.0, 0.0), (2.0, 0.0)]).round(12).tolist()
    [[-1.4, 0.0], [0.0, 0.0]]
    """
    p, shape = positions("position", position)
    v, d = vectors("velocity", velocity, shape), shape[-1]
    crowd = p
    if others is not None:
        crowd, among = positions("others", others)
        if among[-1] != d:
            raise InputError(f"others has shape {among}: give (M, {d}).")
        if not np.isfinite(crowd).all():
            refuse(others=others)
    reach, width = above_zero("reach", reach, "metres"), zero_or_more("width", width, "metres")
    if neighbours is not None:
        instance("neighbours", neighbours, NeighbourLists)
    if neighbours is not None and (others is not None or len(neighbours) != len(p) // d):
        raise InputError(
            f"neighbours has lists for {len(neighbours)}: give it for {len(p) // d} agents that "
            "look at each other, without others."
        )
    start, index = ALL, ALL
    if neighbours is not None:
        if reach > neighbours.radius:
            raise InputError(
                f"reach is {reach}, beyond the {neighbours.radius} m of the neighbour lists: "
                "give longer lists."
            )
        start, index = neighbours.start, neighbours.index
    out = np.empty(shape)
    bad = _queue(
        *(p, v, crowd, start, index, others is None, reach, width),
        *(d, out.ravel()),
    )
    if bad >= 0:
        refuse(position=position, velocity=velocity)
    return out + 0.0  # no negative zeros
