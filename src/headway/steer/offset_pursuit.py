"""Offset pursuit: keep a place beside a leader."""

from __future__ import annotations

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
    minus,
    number_of,
    plus,
    store,
    stored,
    times,
    unit,
    vector_of,
)
from headway.steer.arrive import arrive_one, lag_of
from headway.steer.pursuit import closing_time

UPWARD = {2: np.zeros(2 * BLOCK), 3: np.tile((0.0, 0.0, 1.0), BLOCK)}
"""What is up for a leader in two and three dimensions; in the plane it goes without saying."""


@kernel(forceinline=True)
def place_beside(leader: Vector, forward: Vector, up: Vector, offset: Vector, d: int) -> Vector:
    """A place given by an offset ahead, to the left and up from a leader."""
    ahead = unit(forward)
    ahead = (1.0, 0.0, 0.0) if dot(ahead, ahead) == 0.0 else ahead
    left = cross(up, ahead) if d == 3 else (-ahead[1], ahead[0], 0.0)
    if (
        dot(left, left) <= TINY * TINY
    ):  # it looks straight up or down: left is the nearest axis across
        axis = (0.0, 1.0, 0.0) if abs(ahead[1]) < 0.9 else (1.0, 0.0, 0.0)
        left = minus(axis, times(ahead, dot(axis, ahead)))
    left = unit(left)
    above = cross(ahead, left)
    side = plus(times(left, offset[1]), times(above, offset[2]))
    return plus(leader, plus(times(ahead, offset[0]), side))


@kernel(forceinline=True)
def _offset_point_in(
    position: NDArray, leader: NDArray, leader_velocity: NDArray, forward: NDArray, up: NDArray,
    offset: NDArray, max_speed: NDArray, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, w = vector_of(position, i, start, d), vector_of(leader_velocity, i, start, d)
            at, look = vector_of(leader, i, start, d), vector_of(forward, i, start, d)
            above, way = vector_of(up, i, start, d), vector_of(offset, i, start, d)
            place, speed = place_beside(at, look, above, way, d), number_of(max_speed, i, start)
            point = plus(place, times(w, closing_time(minus(place, p), w, speed)))
            wrong |= int(not (store(out, i, d, point) and speed >= 0.0))
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 6, np.ones(1), 3, np.empty(3)),
)
def _offset_point(
    position: NDArray, leader: NDArray, leader_velocity: NDArray, forward: NDArray, up: NDArray,
    offset: NDArray, max_speed: NDArray, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, leader, leader_velocity, forward, up, offset, max_speed
    return _offset_point_in(*given, 3, out) if d == 3 else _offset_point_in(*given, 2, out)


def offset_point(
    position: ArrayLike,
    leader: ArrayLike,
    leader_velocity: ArrayLike,
    leader_forward: ArrayLike,
    offset: ArrayLike,
    max_speed: ArrayLike,
    *,
    leader_up: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Where a place beside a leader will be when the agent gets there, by the classic guess.

    The guess is that both close the distance: distance/(max_speed + leader speed). To arrive at
    this point is the offset pursuit of Buckland and Yuka; it lags behind a leader that keeps
    moving. `offset_pursue` does not.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    leader : (d,) or (N, d) ndarray
        m, world frame: where the leader is.
    leader_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    leader_forward : (d,) or (N, d) ndarray
        Direction in which the leader looks, of any length; none is +x.
    offset : (d,) or (N, d) ndarray
        m: ahead, to the left, and in 3D up, as the leader sees it.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the agent.
    leader_up : (3,) or (N, 3) ndarray, optional
        In 3D, a direction that is up for the leader, not along forward; by default +z.

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
    Buckland, "Programming game AI by example", 2005, section 3.4.14.

    Examples
    --------
    >>> offset_point((0.0, 0.0), (9.0, 0.0), (0.0, 1.0), (0.0, 1.0), (-4.0, 6.0), 4.0).tolist()
    [3.0, -3.0]
    """
    p, shape = positions("position", position)
    d = shape[-1]
    t, w = (
        each_vector("leader", leader, shape),
        each_vector("leader_velocity", leader_velocity, shape),
    )
    look, place = (
        each_vector("leader_forward", leader_forward, shape),
        each_vector("offset", offset, shape),
    )
    up = UPWARD[d] if leader_up is None else each_vector("leader_up", leader_up, shape)
    speed = each_number("max_speed", max_speed, shape)
    out = np.empty(shape)
    if _offset_point(p, t, w, look, up, place, speed, d, out.ravel()):
        refuse(
            position=position, leader=leader, leader_velocity=leader_velocity,
            leader_forward=leader_forward, offset=offset, max_speed_=max_speed,
            leader_up=up if leader_up is None else leader_up,
        )  # fmt: skip
    return out


@kernel(forceinline=True)
def _offset_pursue_in(
    position: NDArray, velocity: NDArray, leader: NDArray, leader_velocity: NDArray,
    forward: NDArray, up: NDArray, offset: NDArray, max_speed: NDArray, deceleration: NDArray,
    dt: float, lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        for i in range(start, stop):  # first the places: all at once would be too many arrays
            at, look = vector_of(leader, i, start, d), vector_of(forward, i, start, d)
            above, way = vector_of(up, i, start, d), vector_of(offset, i, start, d)
            store(out, i, d, place_beside(at, look, above, way, d))
        for i in range(start, stop):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            place, w = stored(out, i, d), vector_of(leader_velocity, i, start, d)
            speed, braking = number_of(max_speed, i, start), number_of(deceleration, i, start)
            steering = arrive_one(p, v, place, w, speed, braking, 0.0, 0.0, dt, lag)
            fine = store(out, i, d, steering) and speed >= 0.0 and braking >= 0.0
            wrong |= int(not fine)
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 7, *[np.ones(1)] * 2, 0.02, 0.0, 3, np.empty(3)),
)
def _offset_pursue(
    position: NDArray, velocity: NDArray, leader: NDArray, leader_velocity: NDArray,
    forward: NDArray, up: NDArray, offset: NDArray, max_speed: NDArray, deceleration: NDArray,
    dt: float, lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, velocity, leader, leader_velocity, forward, up, offset
    limits = max_speed, deceleration, dt, lag
    if d == 3:
        return _offset_pursue_in(*given, *limits, 3, out)
    return _offset_pursue_in(*given, *limits, 2, out)


def offset_pursue(
    position: ArrayLike,
    velocity: ArrayLike,
    leader: ArrayLike,
    leader_velocity: ArrayLike,
    leader_forward: ArrayLike,
    offset: ArrayLike,
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    leader_up: ArrayLike | None = None,
    response: float | None = None,
) -> NDArray[np.float64]:
    """Meet a place beside a leader and keep it, without lag and without overshooting.

    It is `arrive` at a target that moves as the leader does.

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
    leader_forward : (d,) or (N, d) ndarray
        Direction in which the leader looks, of any length; none is +x.
    offset : (d,) or (N, d) ndarray
        m: ahead, to the left, and in 3D up, as the leader sees it.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the agent.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the agent can brake.
    dt : float
        s, of one step, above zero.
    leader_up : (3,) or (N, 3) ndarray, optional
        In 3D, a direction that is up for the leader, not along forward; by default +z.
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
    In its place, two metres behind, the agent does as the leader does:

    >>> offset_pursue(
    ...     (0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (0.0, 3.0), (0.0, 1.0), (-2.0, 0.0), 5.0, 2.0, 0.1
    ... ).tolist()
    [0.0, 2.0]
    """
    dt = seconds("dt", dt)
    lag = 0.0 if response is None else lag_of(response, dt)
    p, shape = positions("position", position)
    d = shape[-1]
    v, t = each_vector("velocity", velocity, shape), each_vector("leader", leader, shape)
    w = each_vector("leader_velocity", leader_velocity, shape)
    look, place = (
        each_vector("leader_forward", leader_forward, shape),
        each_vector("offset", offset, shape),
    )
    up = UPWARD[d] if leader_up is None else each_vector("leader_up", leader_up, shape)
    speed = each_number("max_speed", max_speed, shape)
    braking = each_number("max_deceleration", max_deceleration, shape)
    out = np.empty(shape)
    flat = out if len(shape) == 1 else out.ravel()
    if _offset_pursue(p, v, t, w, look, up, place, speed, braking, dt, lag, d, flat):
        refuse(
            position=position, velocity=velocity, leader=leader, leader_velocity=leader_velocity,
            leader_forward=leader_forward, offset=offset, max_speed_=max_speed,
            max_deceleration_=max_deceleration, leader_up=up if leader_up is None else leader_up,
        )  # fmt: skip
    return out
