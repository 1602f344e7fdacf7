"""Arrive: come to rest at a target, or beside it, without overshooting."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import seconds, zero_or_more
from headway.geometry.rows import each_number, each_vector, positions, refuse
from headway.geometry.vectors import (
    BLOCK,
    TINY,
    Vector,
    dot,
    length,
    limited,
    minus,
    number_of,
    plus,
    store,
    times,
    vector_of,
)

MANY_STEPS = 1e6
"""Braking that takes so many steps may as well be continuous."""

AT_REST = {2: np.zeros(2 * BLOCK), 3: np.zeros(3 * BLOCK)}
"""No velocity, in two and three dimensions."""


@kernel(forceinline=True)
def stopping_speed(distance: float, deceleration: float, dt: float) -> float:
    """The highest speed from which steps of dt can stop exactly within a distance.

    Braking in n steps covers n·v·dt − deceleration·dt²·n(n − 1)/2; the distance gives n, and then
    the speed. In the last step it is distance/dt, in the limit of short steps it is
    sqrt(2·deceleration·distance).
    """
    braking = deceleration * dt
    steps = np.ceil(math.sqrt(0.25 + 2.0 * distance / (braking * dt)) - 0.5)
    if not 1.0 <= steps <= MANY_STEPS:  # also where nothing brakes, or rounding leaves no step
        return min(math.sqrt(2.0 * deceleration * distance), distance / dt)
    return distance / (steps * dt) + 0.5 * braking * (steps - 1.0)


@kernel(forceinline=True)
def arrive_one(
    position: Vector, velocity: Vector, target: Vector, target_velocity: Vector,
    max_speed: float, deceleration: float, keep_off: float, tolerance: float, dt: float,
    lag: float,
) -> Vector:  # fmt: skip
    """Arrive, for one agent within a kernel."""
    offset = minus(target, position)
    full = length(offset)
    distance = full - keep_off
    wanted = target_velocity
    if not distance <= max(tolerance, TINY):
        way = times(offset, 1.0 / full)
        own = minus(velocity, target_velocity)
        along = dot(own, way)
        if along > 0.0 and deceleration > 0.0:
            # A body that responds late goes on as before, as does one that must brake sideways.
            sideways = length(minus(own, times(way, along)))
            distance = max(distance - along * (lag + sideways / deceleration), 0.0)
        closing = stopping_speed(distance, deceleration, dt)
        # To meet what moves, keep up with its motion across the way; close with what is left.
        lead = dot(target_velocity, way)
        across = dot(target_velocity, target_velocity) - lead * lead
        fastest = math.sqrt(max(max_speed * max_speed - across, 0.0)) - lead
        wanted = plus(target_velocity, times(way, min(closing, fastest)))
    return minus(limited(wanted, max_speed), velocity)


@kernel(forceinline=True)
def _arrive_in(
    position: NDArray, velocity: NDArray, target: NDArray, target_velocity: NDArray,
    max_speed: NDArray, deceleration: NDArray, keep_off: float, tolerance: float, dt: float,
    lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            t, w = vector_of(target, i, start, d), vector_of(target_velocity, i, start, d)
            speed, braking = number_of(max_speed, i, start), number_of(deceleration, i, start)
            steering = arrive_one(p, v, t, w, speed, braking, keep_off, tolerance, dt, lag)
            fine = store(out, i, d, steering) and speed >= 0.0 and braking >= 0.0
            wrong |= int(not fine)
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 4, *[np.ones(1)] * 2, 0.0, 0.0, 0.02, 0.0, 3, np.empty(3)),
)
def _arrive(
    position: NDArray, velocity: NDArray, target: NDArray, target_velocity: NDArray,
    max_speed: NDArray, deceleration: NDArray, keep_off: float, tolerance: float, dt: float,
    lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, velocity, target, target_velocity, max_speed, deceleration
    fixed = keep_off, tolerance, dt, lag
    return _arrive_in(*given, *fixed, 3, out) if d == 3 else _arrive_in(*given, *fixed, 2, out)


def lag_of(response: float | None, dt: float) -> float:
    """How much longer than a step a body takes to respond; checks both times."""
    dt = seconds("dt", dt)
    return 0.0 if response is None else max(0.0, seconds("response", response) - dt)


def arrive(
    position: ArrayLike,
    velocity: ArrayLike,
    target: ArrayLike,
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    target_velocity: ArrayLike | None = None,
    keep_off: float = 0.0,
    tolerance: float = 0.0,
    response: float | None = None,
) -> NDArray[np.float64]:
    """Come to rest at a target, as fast as can be and without overshooting.

    Nothing has to be tuned: the speed is the highest from which steps of dt can stop at the
    target. It holds for bodies that make the change as far as their force allows, within dt or
    with a longer response time, and then move with the new velocity.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    target : (d,) or (N, d) ndarray
        m, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the body can brake; of a point mass max_force/mass.
    dt : float
        s, of one step, above zero.
    target_velocity : (d,) or (N, d) ndarray, optional
        m/s, world frame, of a target that moves: then the agent meets it, and goes on with it.
    keep_off : float
        m, zero or more: how far from the target to stay. Nearer than this the agent moves as the
        target does.
    tolerance : float
        m, zero or more: being so near the goal is being there.
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

    Notes
    -----
    On a straight course it never overshoots unless it must. If it moves sideways at first, there
    is also no overshooting if it could stop within half of the distance. The distance to stop in
    is what remains when the sideways speed has been braked.

    Examples
    --------
    A metre per second is too fast so near the target:

    >>> arrive((0.0, 0.0), (1.0, 0.0), (0.05, 0.0), 1.0, 5.0, 0.1).tolist()
    [-0.5, 0.0]
    """
    dt = seconds("dt", dt)
    lag = 0.0 if response is None else lag_of(response, dt)
    off = zero_or_more("keep_off", keep_off, "metres")
    near = zero_or_more("tolerance", tolerance, "metres")
    p, shape = positions("position", position)
    d = shape[-1]
    v, t = each_vector("velocity", velocity, shape), each_vector("target", target, shape)
    w = AT_REST[d]
    if target_velocity is not None:
        w = each_vector("target_velocity", target_velocity, shape)
    speed = each_number("max_speed", max_speed, shape)
    braking = each_number("max_deceleration", max_deceleration, shape)
    out = np.empty(shape)
    if _arrive(p, v, t, w, speed, braking, off, near, dt, lag, d, out.ravel()):
        refuse(
            position=position, velocity=velocity, target=target, max_speed_=max_speed,
            target_velocity=w if target_velocity is None else target_velocity,
            max_deceleration_=max_deceleration,
        )  # fmt: skip
    return out
