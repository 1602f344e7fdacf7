"""Angles on the circle: radians, counter-clockwise positive, in (−π, π]."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel

TAU = 2.0 * math.pi


@kernel(example=lambda: (4.0,))
def wrap_angle(angle: float) -> float:
    """Wrap one angle into (−π, π].

    Parameters
    ----------
    angle : float
        Radians, finite.

    Returns
    -------
    float
        The same direction in (−π, π]; an angle already there comes back unchanged.

    Examples
    --------
    >>> wrap_angle(-math.pi) == math.pi
    True
    """
    # The remainder of a magnitude is exact, unlike subtracting a multiple of 2π.
    rest = math.copysign(abs(angle) % TAU, angle)
    if rest > math.pi:
        rest -= TAU
    elif rest <= -math.pi:
        rest += TAU
    return rest


def wrap_angles(angles: ArrayLike) -> NDArray[np.float64]:
    """Wrap angles into (−π, π], bit for bit as :func:`wrap_angle` does one.

    Parameters
    ----------
    angles : (...) array_like
        Radians, finite.

    Returns
    -------
    (...) ndarray
        The same directions in (−π, π].

    Examples
    --------
    >>> wrap_angles([0.0, 2 * math.pi, -math.pi]).tolist() == [0.0, 0.0, math.pi]
    True
    """
    rest = np.fmod(np.asarray(angles, dtype=np.float64), TAU)
    turns = np.where(rest > math.pi, -TAU, np.where(rest <= -math.pi, TAU, 0.0))
    return rest + turns
