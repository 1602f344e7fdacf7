"""Containment: turn round before leaving a box or a ball."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.geometry.options import zero_or_more
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    TINY,
    Vector,
    cross,
    dot,
    left_of,
    length,
    minus,
    number,
    plus,
    store,
    times,
    unit,
    vector,
)

SIDE_STREAM = 431
DIAGONAL = math.sqrt(0.5)
HEAD_ON = 1e-6
"""Which share of a normal across the velocity is as good as none."""


@kernel(forceinline=True)
def probe(forward: Vector, k: int) -> Vector:
    """Where probe k is, in units of the reach: here, ahead, left, right, above or below ahead."""
    if k == 0:
        return 0.0, 0.0, 0.0
    if k == 1:
        return forward
    side = left_of(forward) if k <= 3 else cross(forward, left_of(forward))
    return times(plus(forward, times(side, 1.0 if k % 2 == 0 else -1.0)), DIAGONAL)


@kernel(forceinline=True)
def turn_back(velocity: Vector, inwards: Vector, urgency: float, top: float, i: int) -> Vector:
    """Steer across the velocity to where the inward normals lead, and brake the more head-on."""
    speed, size = length(velocity), length(inwards)
    if urgency <= 0.0 or size <= TINY:
        return times(velocity, 0.0)
    forward = unit(velocity)
    against = dot(inwards, forward)
    lateral = minus(inwards, times(forward, against))
    if length(lateral) <= HEAD_ON * size:
        lateral = times(left_of(forward), 1.0 if uniform(0, SIDE_STREAM, i, 0) < 0.5 else -1.0)
    brake = speed * max(-against, 0.0) / size
    return times(minus(times(unit(lateral), top), times(forward, brake)), urgency)


@kernel(forceinline=True)
def _beyond_box(p: Vector, middle: Vector, half: Vector, rounding: float) -> tuple[float, Vector]:
    """How far outside of a rounded box a point is, and the way back; zero and none inside."""
    offset = minus(p, middle)
    outside = (
        math.copysign(max(abs(offset[0]) - half[0], 0.0), offset[0]),
        math.copysign(max(abs(offset[1]) - half[1], 0.0), offset[1]),
        math.copysign(max(abs(offset[2]) - half[2], 0.0), offset[2]),
    )
    return max(length(outside) - rounding, 0.0), times(unit(outside), -1.0)


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.ones(2), np.zeros(2), np.ones(2), 0.0, np.ones(1), 1.0),
        *(2, np.empty(2)),
    ),
)
def _contain_in_box(
    position: NDArray, velocity: NDArray, lowest: NDArray, highest: NDArray, rounding: float,
    max_speed: NDArray, prediction_time: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    low, high = vector(lowest, 0, d), vector(highest, 0, d)
    middle, half = times(plus(low, high), 0.5), times(minus(high, low), 0.5)
    for i in range(len(out) // d):
        p, v, top = vector(position, i, d), vector(velocity, i, d), number(max_speed, i)
        forward, reach = unit(v), prediction_time * length(v)
        depth, back = _beyond_box(p, middle, half, rounding)
        if depth > 0.0:
            steering = minus(times(back, top), v)
        else:
            inwards, urgency = (0.0, 0.0, 0.0), 0.0
            for k in range(1, 2 * d):
                there = plus(p, times(probe(forward, k), reach))
                depth, back = _beyond_box(there, middle, half, rounding)
                if depth > 0.0:
                    share = min(depth / reach, 1.0)
                    inwards, urgency = plus(inwards, times(back, share)), max(urgency, share)
            steering = turn_back(v, inwards, urgency, top, i)
        fine = math.isfinite(p[0] + p[1] + p[2]) and top >= 0.0 and min(half) >= 0.0
        if not (store(out, i, d, steering) and fine):
            bad = i
    return bad


def contain_in_box(
    position: ArrayLike,
    velocity: ArrayLike,
    lowest: ArrayLike,
    highest: ArrayLike,
    max_speed: ArrayLike,
    *,
    prediction_time: float = 1.0,
    rounding: float = 0.0,
) -> NDArray[np.float64]:
    """Stay within a box along the axes.

    Probes stand where the agent will be if it goes on, and as far away to the left and the right
    at 45 degrees; in space above and below, too. Probes outside turn it across its velocity, and
    brake it the more the straighter it goes out. Whoever is outside comes straight back.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    lowest, highest : (d,) ndarray
        m, world frame: two corners of the box.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    prediction_time : float
        s, how far ahead the probes are: at least the time that turning round takes.
    rounding : float
        m, by which the box is made larger all around, with round edges; of a box of no size that
        makes a ball, of a long thin one a capsule.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame; zero for those who need not turn.

    Raises
    ------
    InputError
        If shapes do not fit, a number is not finite or out of range, or the corners are swapped.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> contain_in_box([(0.0, 0.0), (9.0, 0.0)], (0.0, 2.0), (-5.0, -5.0), (5.0, 5.0), 2.0).tolist()
    [[0.0, 0.0], [-2.0, -2.0]]
    """
    p, shape = positions("position", position)
    v, d = vectors("velocity", velocity, shape), shape[-1]
    low, high = vectors("lowest", lowest, shape[-1:]), vectors("highest", highest, shape[-1:])
    top = numbers("max_speed", max_speed, shape)
    ahead = zero_or_more("prediction_time", prediction_time, "seconds")
    rounding = zero_or_more("rounding", rounding, "metres")
    out = np.empty(shape)
    bad = _contain_in_box(
        *(p, v, low, high, rounding, top, ahead, d, out.ravel()),
    )
    if bad >= 0:
        if (low > high).any():
            raise InputError(f"lowest is {low}, highest {high}: give the lower corner first.")
        refuse(position=position, velocity=velocity, lowest=low, highest=high, max_speed_=max_speed)
    return out


def contain_in_ball(
    position: ArrayLike,
    velocity: ArrayLike,
    centre: ArrayLike,
    radius: float,
    max_speed: ArrayLike,
    *,
    prediction_time: float = 1.0,
) -> NDArray[np.float64]:
    """Stay within a circle or a ball: `contain_in_box` for round regions.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    centre : (d,) ndarray
        m, world frame.
    radius : float
        m, zero or more.
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
    >>> contain_in_ball((0.0, 3.0), (1.0, 0.0), (0.0, 0.0), 2.0, 2.0).tolist()
    [-1.0, -2.0]
    """
    return contain_in_box(
        *(position, velocity, centre, centre, max_speed),
        prediction_time=prediction_time, rounding=zero_or_more("radius", radius, "metres"),
    )  # fmt: skip
