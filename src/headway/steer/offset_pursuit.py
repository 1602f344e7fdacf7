"""Offset pursuit: keep a place beside a leader."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    TINY,
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
from headway.steer.arrive import arrive_one, lag_of
from headway.steer.pursuit import closing_time

UPWARD = {2: np.zeros(2), 3: np.array((0.0, 0.0, 1.0))}
"""What is up for a leader in two and three dimensions; in the plane it goes without saying."""


@kernel(forceinline=True)
def place_beside(leader: Vector, forward: Vector, up: Vector, offset: Vector, d: int) -> Vector:
    """A place given by an offset ahead, to the left and up from a leader."""
    ahead = unit(forward)
    ahead = (1.0, 0.0, 0.0) if length(ahead) == 0.0 else ahead
    left = cross(up, ahead) if d == 3 else (-ahead[1], ahead[0], 0.0)
    if length(left) <= TINY:  # it looks straight up or down: left is the nearest axis across
        axis = (0.0, 1.0, 0.0) if abs(ahead[1]) < 0.9 else (1.0, 0.0, 0.0)
        left = minus(axis, times(ahead, dot(axis, ahead)))
    left = unit(left)
    above = cross(ahead, left)
    side = plus(times(left, offset[1]), times(above, offset[2]))
    return plus(leader, plus(times(ahead, offset[0]), side))


@kernel(
    direct=True,
    example=lambda: (*[np.zeros(3)] * 6, np.ones(1), 3, np.empty(3)),
)
def _offset_point(
    position: NDArray, leader: NDArray, leader_velocity: NDArray, forward: NDArray, up: NDArray,
    offset: NDArray, max_speed: NDArray, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // d):
        speed, w = number(max_speed, i), vector(leader_velocity, i, d)
        place = place_beside(
            vector(leader, i, d), vector(forward, i, d), vector(up, i, d), vector(offset, i, d), d
        )
        time = closing_time(minus(place, vector(position, i, d)), w, speed)
        if not (store(out, i, d, plus(place, times(w, time))) and speed >= 0.0):
            bad = i
    return bad


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
    t, w = vectors("leader", leader, shape), vectors("leader_velocity", leader_velocity, shape)
    look, place = vectors("leader_forward", leader_forward, shape), vectors("offset", offset, shape)
    up = UPWARD[d] if leader_up is None else vectors("leader_up", leader_up, shape)
    speed = numbers("max_speed", max_speed, shape)
    out = np.empty(shape)
    if _offset_point(p, t, w, look, up, place, speed, d, out.ravel()) >= 0:
        refuse(
            position=position, leader=leader, leader_velocity=leader_velocity,
            leader_forward=leader_forward, offset=offset, max_speed_=max_speed,
            leader_up=up if leader_up is None else leader_up,
        )  # fmt: skip
    return out


@kernel(
    direct=True,
    example=lambda: (*[np.zeros(3)] * 7, *[np.ones(1)] * 2, 0.02, 0.0, 3, np.empty(3)),
)
def _offset_pursue(
    position: NDArray, velocity: NDArray, leader: NDArray, leader_velocity: NDArray,
    forward: NDArray, up: NDArray, offset: NDArray, max_speed: NDArray, deceleration: NDArray,
    dt: float, lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // d):
        speed, braking = number(max_speed, i), number(deceleration, i)
        place = place_beside(
            vector(leader, i, d), vector(forward, i, d), vector(up, i, d), vector(offset, i, d), d
        )
        steering = arrive_one(
            vector(position, i, d), vector(velocity, i, d), place, vector(leader_velocity, i, d),
            speed, braking, 0.0, 0.0, dt, lag,
        )  # fmt: skip
        if not (store(out, i, d, steering) and speed >= 0.0 and braking >= 0.0):
            bad = i
    return bad


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
    lag = lag_of(response, dt)
    p, shape = positions("position", position)
    d = shape[-1]
    v, t = vectors("velocity", velocity, shape), vectors("leader", leader, shape)
    w = vectors("leader_velocity", leader_velocity, shape)
    look, place = vectors("leader_forward", leader_forward, shape), vectors("offset", offset, shape)
    up = UPWARD[d] if leader_up is None else vectors("leader_up", leader_up, shape)
    speed = numbers("max_speed", max_speed, shape)
    braking = numbers("max_deceleration", max_deceleration, shape)
    out = np.empty(shape)
    flat, fixed = out.ravel(), (float(dt), lag, d)
    if _offset_pursue(p, v, t, w, look, up, place, speed, braking, *fixed, flat) >= 0:
        refuse(
            position=position, velocity=velocity, leader=leader, leader_velocity=leader_velocity,
            leader_forward=leader_forward, offset=offset, max_speed_=max_speed,
            max_deceleration_=max_deceleration, leader_up=up if leader_up is None else leader_up,
        )  # fmt: skip
    return out
