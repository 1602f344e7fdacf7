"""Boxes along the axes in space: rays through them, distance to them, triangles in them.

A box is six numbers of a flat array: its lowest corner, then its highest.

References
----------
Akenine-Möller, T. (2001). Fast 3D triangle-box overlap testing. Journal of Graphics Tools 6(1),
29-33.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import Vector, dot, minus, plus, times

Aim: TypeAlias = tuple[Vector, Vector, Vector, tuple[int, int, int], tuple[int, int, int]]
"""A sphere under way, as boxes see it: a ray, and boxes grown by the radius.

What to take off the near and off the far planes, and one over the direction; then which of the six
numbers of a box are its near planes, and which its far ones.
"""
SMALL = 1e-30
"""Smaller components of a direction count as this much, so that nothing is divided by zero."""
ROUNDING = 1e-12
"""By how much of a box a triangle that touches it may miss it."""


@kernel(forceinline=True)
def _along_axis(
    start: float, way: float, grow: float, axis: int
) -> tuple[float, float, float, int, int]:
    inverse = 1.0 / (way if abs(way) > SMALL else SMALL)
    if inverse > 0.0:
        return start + grow, start - grow, inverse, axis, axis + 3
    return start - grow, start + grow, inverse, axis + 3, axis


@kernel(forceinline=True)
def aim_at_boxes(start: Vector, way: Vector, grow: float) -> Aim:
    """Prepare to test many boxes, each grown on all sides, against one ray."""
    x = _along_axis(start[0], way[0], grow, 0)
    y = _along_axis(start[1], way[1], grow, 1)
    z = _along_axis(start[2], way[2], grow, 2)
    return (
        (x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]),
        (x[3], y[3], z[3]), (x[4], y[4], z[4]),
    )  # fmt: skip


@kernel(forceinline=True)
def box_span(boxes: NDArray, at: int, aim: Aim, limit: float) -> tuple[float, float]:
    """Where the ray enters and leaves the box that begins at a number; inf, -inf for a miss."""
    near, far, inverse, first, last = aim
    entry = max(
        (boxes[np.uint64(at + first[0])] - near[0]) * inverse[0],
        (boxes[np.uint64(at + first[1])] - near[1]) * inverse[1],
        (boxes[np.uint64(at + first[2])] - near[2]) * inverse[2],
        0.0,
    )
    leave = min(
        (boxes[np.uint64(at + last[0])] - far[0]) * inverse[0],
        (boxes[np.uint64(at + last[1])] - far[1]) * inverse[1],
        (boxes[np.uint64(at + last[2])] - far[2]) * inverse[2],
        limit,
    )
    if entry <= leave:
        return entry, leave
    return math.inf, -math.inf


@kernel(forceinline=True)
def box_distance(boxes: NDArray, at: int, point: Vector) -> float:
    """Squared distance of a point from the box that begins at a number."""
    i = np.uint64(at)
    x = max(boxes[i] - point[0], point[0] - boxes[i + np.uint64(3)], 0.0)
    y = max(boxes[i + np.uint64(1)] - point[1], point[1] - boxes[i + np.uint64(4)], 0.0)
    z = max(boxes[i + np.uint64(2)] - point[2], point[2] - boxes[i + np.uint64(5)], 0.0)
    return x * x + y * y + z * z


@kernel(forceinline=True)
def _apart_along(axis: Vector, a: Vector, b: Vector, c: Vector, half: Vector) -> bool:
    """Whether triangle and box about the origin are apart, seen along an axis."""
    u, v, w = dot(axis, a), dot(axis, b), dot(axis, c)
    reach = abs(axis[0]) * half[0] + abs(axis[1]) * half[1] + abs(axis[2]) * half[2]
    reach *= 1.0 + ROUNDING
    return min(u, v, w) > reach or max(u, v, w) < -reach


@kernel(forceinline=True)
def _apart_across(edge: Vector, a: Vector, b: Vector, c: Vector, half: Vector) -> bool:
    """Whether they are, seen across an edge of the triangle and one of the box."""
    return (
        _apart_along((0.0, -edge[2], edge[1]), a, b, c, half)
        or _apart_along((edge[2], 0.0, -edge[0]), a, b, c, half)
        or _apart_along((-edge[1], edge[0], 0.0), a, b, c, half)
    )


@kernel
def triangle_meets_box(
    a: Vector, ab: Vector, ac: Vector, normal: Vector, low: Vector, high: Vector
) -> bool:
    """Tell whether a triangle touches a box along the axes, by separating axes."""
    b, c = plus(a, ab), plus(a, ac)
    for k in range(3):
        if min(a[k], b[k], c[k]) > high[k] or max(a[k], b[k], c[k]) < low[k]:
            return False
    half = times(minus(high, low), 0.5)
    middle = plus(low, half)
    a = minus(a, middle)
    b, c = plus(a, ab), plus(a, ac)
    return not (
        _apart_along(normal, a, b, c, half)
        or _apart_across(ab, a, b, c, half)
        or _apart_across(ac, a, b, c, half)
        or _apart_across(minus(ac, ab), a, b, c, half)
    )
