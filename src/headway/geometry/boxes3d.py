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

Aim: TypeAlias = tuple[Vector, Vector, Vector]
"""A sphere under way, as boxes see it: a ray, and boxes grown by the radius.

What to take off the lowest and off the highest corner of a box, and one over the direction.
"""
SMALL = 1e-30
"""Smaller components of a direction count as this much, so that nothing is divided by zero."""
ROUNDING = 1e-12
"""By how much of a box a triangle that touches it may miss it."""


@kernel(forceinline=True)
def aim_at_boxes(start: Vector, way: Vector, grow: float) -> Aim:
    """Prepare to test many boxes, each grown on all sides, against one ray."""
    return (
        (start[0] + grow, start[1] + grow, start[2] + grow),
        (start[0] - grow, start[1] - grow, start[2] - grow),
        (
            1.0 / (way[0] if abs(way[0]) > SMALL else SMALL),
            1.0 / (way[1] if abs(way[1]) > SMALL else SMALL),
            1.0 / (way[2] if abs(way[2]) > SMALL else SMALL),
        ),
    )


@kernel(forceinline=True)
def box_span(boxes: NDArray, at: int, aim: Aim, limit: float) -> tuple[float, float]:
    """Where the ray enters and leaves the box that begins at a number; inf, -inf for a miss."""
    i = np.uint64(at)
    low = boxes[i], boxes[i + np.uint64(1)], boxes[i + np.uint64(2)]
    high = boxes[i + np.uint64(3)], boxes[i + np.uint64(4)], boxes[i + np.uint64(5)]
    entry, leave = span_between(low, high, aim, limit)
    if entry <= leave:
        return entry, leave
    return math.inf, -math.inf


@kernel(forceinline=True)
def span_between(low: Vector, high: Vector, aim: Aim, limit: float) -> tuple[float, float]:
    """Where the ray enters and leaves a box of two corners; it misses if it leaves first."""
    below, above, inverse = aim
    x, far_x = (low[0] - below[0]) * inverse[0], (high[0] - above[0]) * inverse[0]
    y, far_y = (low[1] - below[1]) * inverse[1], (high[1] - above[1]) * inverse[1]
    z, far_z = (low[2] - below[2]) * inverse[2], (high[2] - above[2]) * inverse[2]
    entry = max(min(x, far_x), min(y, far_y), min(z, far_z), 0.0)
    leave = min(max(x, far_x), max(y, far_y), max(z, far_z), limit)
    return entry, leave


@kernel(forceinline=True)
def distance_between(low: Vector, high: Vector, point: Vector) -> float:
    """Squared distance of a point from a box of two corners."""
    x = max(low[0] - point[0], point[0] - high[0], 0.0)
    y = max(low[1] - point[1], point[1] - high[1], 0.0)
    z = max(low[2] - point[2], point[2] - high[2], 0.0)
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
