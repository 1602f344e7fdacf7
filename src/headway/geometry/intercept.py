"""When something at constant speed can meet what moves on a straight line."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import TINY, Vector, cross, dot, number, vector


@kernel(forceinline=True)
def intercept_time_one(offset: Vector, velocity: Vector, speed: float) -> float:
    """The earliest time of meeting, within a kernel; infinite if there is none."""
    squared = dot(offset, offset)
    receding, swept = dot(offset, velocity), cross(offset, velocity)
    spare = speed * speed * squared - dot(swept, swept)
    root = math.sqrt(max(spare, 0.0))
    # Of the two forms of the solution, each adds numbers of one sign, so that none cancel.
    above = squared if receding <= 0.0 else root + receding
    below = root - receding if receding <= 0.0 else speed * speed - dot(velocity, velocity)
    time = above / below if spare >= 0.0 and below > 0.0 else math.inf
    return 0.0 if squared <= TINY * TINY else time


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (np.ones(3), np.zeros(3), np.ones(1), 3, np.empty(1)),
)
def _intercept_time(
    offset: NDArray, velocity: NDArray, speed: NDArray, d: int, out: NDArray
) -> int:
    bad = -1
    for i in range(len(out)):
        r, w, s = vector(offset, i, d), vector(velocity, i, d), number(speed, i)
        time = intercept_time_one(r, w, s)
        out[np.uint64(i)] = time
        if not (math.isfinite(dot(r, r) + dot(w, w)) and 0.0 <= s < math.inf and time >= 0.0):
            bad = i
    return bad


def intercept_time(
    offset: ArrayLike, velocity: ArrayLike, speed: ArrayLike
) -> float | NDArray[np.float64]:
    """Time until something of constant speed can meet a target that moves straight on.

    The least t ≥ 0 with |offset + velocity·t| = speed·t. What is aimed at offset + velocity·t
    hits. Of a projectile that inherits the velocity of who fires it, give the velocity of the
    target relative to them.

    Parameters
    ----------
    offset : (d,) or (N, d) ndarray
        m: target minus start, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, of the target, world frame.
    speed : float or (N,) ndarray
        m/s, zero or more.

    Returns
    -------
    float or (N,) ndarray
        s; infinite where the target cannot be met.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Notes
    -----
    With the offset r and w the velocity, t is a root of a quadratic whose discriminant is
    speed²·|r|² − |r × w|². Written so, it says that no one meets a target that moves across
    faster than they are. The root loses no digits where both speeds are nearly equal.

    Examples
    --------
    >>> intercept_time((10.0, 0.0), (0.0, 3.0), 5.0)
    2.5
    >>> intercept_time([(10.0, 0.0), (10.0, 0.0)], (5.0, 0.0), [10.0, 5.0]).tolist()
    [2.0, inf]
    """
    r, shape = positions("offset", offset)
    w, s = vectors("velocity", velocity, shape), numbers("speed", speed, shape)
    out = np.empty(shape[:-1])
    if _intercept_time(r, w, s, shape[-1], out.reshape(-1)) >= 0:
        refuse(offset=offset, velocity=velocity, speed_=speed)
    return out if len(shape) == 2 else float(out)
