"""Unaligned collision avoidance exactly as OpenSteer does it, for comparison.

What to use is `headway.steer.unaligned`: this one steps aside by as much whether a collision is
near or far, measures against twice the own radius, and knows one axis to step along only.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.rows import numbers, refuse, vectors
from headway.geometry.vectors import Vector, dot, length, minus, number, plus, store, times, vector
from headway.steer.neighbour_sums import members
from headway.steer.unaligned import nearest_time
from headway.world.neighbour_lists import NeighbourLists

ALIGNED = 0.707
"""OpenSteer takes paths for parallel whose directions have at least this cosine."""


@kernel
def _interpenetrates(
    position: NDArray, forward: Vector, d: int, radius: NDArray, i: int, start: int, end: int,
    index: NDArray,
) -> Vector:  # fmt: skip
    """Away from the first neighbour that overlaps, across the forward axis; zero without one."""
    for k in range(start, end):
        j = index[k]
        back = minus(vector(position, i, d), vector(position, j, d))
        if length(back) < number(radius, i) + number(radius, j):
            return minus(back, times(forward, dot(back, forward)))
    return 0.0, 0.0, 0.0


@kernel(
    direct=True,
    example=lambda: (
        np.zeros(3), np.zeros(3), np.zeros(3), np.ones(1), 3, np.ones(1), np.ones(1),
        np.zeros(2, np.int64), np.zeros(0, np.int64), np.empty(3),
    )
)  # fmt: skip
def _opensteer(
    position: NDArray, forward: NDArray, side: NDArray, speed: NDArray, d: int, radius: NDArray,
    horizon: NDArray, start: NDArray, index: NDArray, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(start) - 1):
        p, look, right = vector(position, i, d), vector(forward, i, d), vector(side, i, d)
        own = number(speed, i)
        steering = _interpenetrates(
            position, look, d, radius, i, start[i], start[i + 1], index
        )  # fmt: skip
        first, threat = number(horizon, i), -1
        for k in range(start[i], start[i + 1]):
            j = index[k]
            offset = minus(vector(position, j, d), p)
            approach = minus(times(vector(forward, j, d), number(speed, j)), times(look, own))
            t = nearest_time(offset, approach)
            close = length(plus(offset, times(approach, t))) < 2.0 * number(radius, i)
            if 0.0 <= t < first and close:
                first, threat = t, j
        if steering == (0.0, 0.0, 0.0) and threat >= 0:
            offset, heading = minus(vector(position, threat, d), p), vector(forward, threat, d)
            motion, parallel = times(heading, number(speed, threat)), dot(look, heading)
            toward, turn = motion, number(speed, threat) <= own
            if parallel < -ALIGNED:
                toward, turn = plus(offset, times(motion, first)), True
            elif parallel > ALIGNED:
                toward, turn = offset, True
            if turn:
                steering = times(right, -1.0 if dot(toward, right) > 0.0 else 1.0)
        fine = store(out, i, d, steering) and math.isfinite(
            length(p) + length(look) + length(right) + own
        )
        if not (fine and number(radius, i) >= 0.0):
            bad = i
    return bad


def opensteer_avoid_neighbours(
    position: ArrayLike,
    forward: ArrayLike,
    side: ArrayLike,
    speed: ArrayLike,
    radius: ArrayLike,
    near: NeighbourLists,
    horizon: ArrayLike,
) -> NDArray[np.float64]:
    """Avoid neighbours as OpenSteer does: a step to one side, however urgent.

    First comes whoever overlaps, in the order of the lists: the way apart, across the forward
    axis, in m. Then the one that is nearest first, if by then it is nearer than twice the own
    radius: to the side away from where it will be (head on), from where it is (alongside), or
    from where it goes (crossing, for the faster of the two only).

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    forward : (d,) or (N, d) ndarray
        Unit vectors, world frame.
    side : (d,) or (N, d) ndarray
        Unit vectors across forward, world frame.
    speed : float or (N,) ndarray
        m/s along forward.
    radius : float or (N,) ndarray
        m, zero or more.
    near : NeighbourLists
        The neighbours of each.
    horizon : float or (N,) ndarray
        s, how far ahead to look; zero or more.

    Returns
    -------
    (N, d) ndarray
        Plus or minus the side, or the way apart; zero without a threat.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> near = NeighbourLists(np.array([0, 1, 2]), np.array([1, 0]))
    >>> opensteer_avoid_neighbours(
    ...     [(0.0, 0.0), (8.0, 0.1)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, -1.0), (0.0, 1.0)],
    ...     2.0, 0.5, near, 3.0
    ... ).tolist()
    [[0.0, -1.0], [0.0, 1.0]]
    """
    p, shape, _ = members(position, near, None)
    look, across = vectors("forward", forward, shape), vectors("side", side, shape)
    pace, r = numbers("speed", speed, shape), numbers("radius", radius, shape)
    ahead, out = numbers("horizon", horizon, shape), np.empty(shape)
    if (
        _opensteer(
            p, look, across, pace, shape[1], r, ahead, near.start, near.index, out.ravel()
        ) >= 0
        or not (ahead >= 0.0).all()
    ):  # fmt: skip
        refuse(
            position=position, forward=forward, side=side, speed=speed, radius_=radius,
            horizon_=horizon,
        )  # fmt: skip
    return out
