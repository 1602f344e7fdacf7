"""How spheres and places meet one triangle of a surface, and what numbers can be computed with."""

from __future__ import annotations

from headway._jit import kernel
from headway.geometry.swept_sphere import closest_on_triangle
from headway.geometry.vectors import TINY, Vector, dot, length, minus, plus, times
from headway.world.bvh_queries import Triangle

LARGEST = 1e15
"""Numbers beyond this, in m, are too large to compute with."""
FARTHEST = 1e300
"""What stands for an infinite reach, so that zero times it is zero."""
MARGIN = 1e-14
"""How much boxes and reach are enlarged against rounding, as part of the largest coordinates."""
HIT = 8
"""Numbers of a hit in a flat array: distance, point, normal, part."""
NOWHERE = (0.0, 0.0, 0.0)


@kernel(forceinline=True)
def usable(v: Vector) -> bool:
    """Whether a vector is finite and can be computed with."""
    return abs(v[0]) <= LARGEST and abs(v[1]) <= LARGEST and abs(v[2]) <= LARGEST


@kernel(forceinline=True)
def limit_of(reach: float) -> float:
    """The distance that a hit must stay below, so that one at the reach itself counts."""
    return min(reach + MARGIN * reach + 1e-300, FARTHEST)


@kernel(forceinline=True)
def span_of(v: Vector) -> float:
    """How far a place may be from the origin."""
    return abs(v[0]) + abs(v[1]) + abs(v[2])


@kernel(forceinline=True)
def side_of(triangle: Triangle, apart: Vector, way: Vector, radius: float) -> Vector:
    """Unit vector out of a triangle towards a centre, apart from its closest point by a vector.

    Where that gives no direction, for rays and for centres on the surface, it is the normal of the
    face on the side that the way comes from; of an edge without a face, the way back.
    """
    gap, normal = length(apart), triangle[3]
    if radius > 0.0 and gap > TINY:
        return times(apart, 1.0 / gap)
    if dot(normal, normal) > 0.0:
        return minus(NOWHERE, normal) if dot(normal, way) > 0.0 else normal
    return minus(NOWHERE, way) if dot(way, way) > 0.0 else (0.0, 0.0, 1.0)


@kernel(forceinline=True)
def contact(
    triangle: Triangle, centre: Vector, way: Vector, radius: float, distance: float
) -> tuple[Vector, Vector, float]:
    """Point and normal where a sphere touches a triangle after a distance, and its depth if 0."""
    a, ab, ac, normal = triangle
    p = plus(minus(centre, a), times(way, distance))
    q = closest_on_triangle(p, ab, ac, normal)
    apart = minus(p, q)
    depth = max(radius - length(apart), 0.0) if distance == 0.0 else 0.0
    return plus(a, q), side_of(triangle, apart, way, radius), depth


@kernel(forceinline=True)
def closest_side(triangle: Triangle, here: Vector) -> tuple[Vector, Vector]:
    """The point of a triangle next to a place, and the unit vector from it to there."""
    a, ab, ac, normal = triangle
    p = minus(here, a)
    q = closest_on_triangle(p, ab, ac, normal)
    return plus(a, q), side_of(triangle, minus(p, q), NOWHERE, 1.0)
