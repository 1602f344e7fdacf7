"""Arrive by slowing down in proportion to the distance, the two classic ways."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import zero_or_more
from headway.geometry.rows import each_number, each_vector, positions, refuse
from headway.geometry.vectors import (
    BLOCK,
    Vector,
    length,
    minus,
    number_of,
    store,
    times,
    unit,
    vector_of,
)

SHORTEST = 1e-100
"""In place of a radius or time of zero, which leave no room to slow down."""


@kernel(forceinline=True)
def arrive_in_proportion_one(
    position: Vector, velocity: Vector, target: Vector, max_speed: float, rate: float,
    tolerance: float,
) -> Vector:  # fmt: skip
    """Arrive with a speed of distance · rate, for one agent within a kernel."""
    offset = minus(target, position)
    distance = length(offset)
    if distance <= tolerance:
        return times(velocity, -1.0)
    return minus(times(unit(offset), min(max_speed, distance * rate)), velocity)


@kernel(forceinline=True)
def _in_proportion_in(
    position: NDArray, velocity: NDArray, target: NDArray, max_speed: NDArray, scale: NDArray,
    tolerance: float, is_time: bool, d: int, out: NDArray,
) -> int:  # fmt: skip
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            t, speed = vector_of(target, i, start, d), number_of(max_speed, i, start)
            size = number_of(scale, i, start)
            rate = (1.0 if is_time else speed) / max(size, SHORTEST)
            steering = arrive_in_proportion_one(p, v, t, speed, rate, tolerance)
            wrong |= int(not (store(out, i, d, steering) and speed >= 0.0 and size >= 0.0))
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (*[np.zeros(3)] * 3, *[np.ones(1)] * 2, 0.0, True, 3, np.empty(3)),
)
def _arrive_in_proportion(
    position: NDArray, velocity: NDArray, target: NDArray, max_speed: NDArray, scale: NDArray,
    tolerance: float, is_time: bool, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, velocity, target, max_speed, scale, tolerance, is_time
    if d == 3:
        return _in_proportion_in(*given, 3, out)
    return _in_proportion_in(*given, 2, out)


def arrive_within(
    position: ArrayLike,
    velocity: ArrayLike,
    target: ArrayLike,
    max_speed: ArrayLike,
    radius: ArrayLike,
    *,
    tolerance: float = 0.0,
) -> NDArray[np.float64]:
    """Slow down in proportion to the distance within a radius of the target.

    The classic arrival. A radius too small for the brakes makes it overshoot: `arrive` needs
    none.

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
    radius : float or (N,) ndarray
        m, zero or more: where slowing down begins.
    tolerance : float
        m, zero or more. Within it the agent only stops.

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
    >>> arrive_within((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), 3.0, 4.0).tolist()
    [0.5, 0.0]
    """
    return _in_proportion(
        position, velocity, target, max_speed, tolerance, "radius", radius, is_time=False
    )


def arrive_in(
    position: ArrayLike,
    velocity: ArrayLike,
    target: ArrayLike,
    max_speed: ArrayLike,
    time: ArrayLike,
    *,
    tolerance: float = 0.0,
) -> NDArray[np.float64]:
    """Head for a target at the speed that would reach it in a given time, always anew.

    So the speed falls in proportion to the distance. The law of Buckland and of Yuka.

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
    time : float or (N,) ndarray
        s, zero or more.
    tolerance : float
        m, zero or more. Within it the agent only stops.

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
    Buckland, "Programming game AI by example", 2005, section 3.4.3.

    Examples
    --------
    >>> arrive_in((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), 3.0, 4.0).tolist()
    [-0.5, 0.0]
    """
    return _in_proportion(
        position, velocity, target, max_speed, tolerance, "time", time, is_time=True
    )


def _in_proportion(
    position: ArrayLike, velocity: ArrayLike, target: ArrayLike, max_speed: ArrayLike,
    tolerance: float, name: str, scale: ArrayLike, *, is_time: bool,
) -> NDArray[np.float64]:  # fmt: skip
    near = zero_or_more("tolerance", tolerance, "metres")
    p, shape = positions("position", position)
    v, t = each_vector("velocity", velocity, shape), each_vector("target", target, shape)
    speed, size = each_number("max_speed", max_speed, shape), each_number(name, scale, shape)
    out = np.empty(shape)
    if _arrive_in_proportion(p, v, t, speed, size, near, is_time, shape[-1], out.ravel()):
        refuse(
            position=position, velocity=velocity, target=target, max_speed_=max_speed,
            **{f"{name}_": scale},
        )  # fmt: skip
    return out
