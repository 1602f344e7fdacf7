"""Unit quaternions (w, x, y, z) as tuples of four numbers: attitudes of bodies, for kernels.

An attitude turns body axes to world axes.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from headway._jit import kernel
from headway.geometry.vectors import Vector, cross, plus, times

Quaternion: TypeAlias = tuple[float, float, float, float]


@kernel(forceinline=True)
def rotated(q: Quaternion, v: Vector) -> Vector:
    """A vector of the body frame in the world frame."""
    axis = q[1], q[2], q[3]
    twice = times(cross(axis, v), 2.0)
    return plus(plus(v, times(twice, q[0])), cross(axis, twice))


@kernel(forceinline=True)
def unrotated(q: Quaternion, v: Vector) -> Vector:
    """A vector of the world frame in the body frame."""
    return rotated((q[0], -q[1], -q[2], -q[3]), v)


@kernel(forceinline=True)
def turned_by(q: Quaternion, half: Vector) -> Quaternion:
    """An attitude after the Cayley rotation by a vector, about tan of half the angle long."""
    x, y, z = half
    w, i, j, k = (
        q[0] - q[1] * x - q[2] * y - q[3] * z,
        q[1] + q[0] * x + q[2] * z - q[3] * y,
        q[2] + q[0] * y + q[3] * x - q[1] * z,
        q[3] + q[0] * z + q[1] * y - q[2] * x,
    )
    size = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
    return w * size, i * size, j * size, k * size
