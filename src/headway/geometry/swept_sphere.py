"""When a sphere that moves straight ahead first touches a triangle, exactly.

A sphere of radius r touches a triangle when its centre touches the triangle grown by r: two faces
shifted by r, three cylinders about the edges, three spheres about the corners. Everything is told
relative to a corner near by, and the distances of lines come from vector products, so that far from
the origin of the world nothing is lost. Radius 0 is a ray.

A triangle is its first corner a, which is the origin here, the edges to the other two, and its unit
normal. A triangle without area has none: it counts as its edges.

References
----------
Ericson, C. (2005). Real-Time Collision Detection, sections 5.1 and 5.3. Morgan Kaufmann.
"""

from __future__ import annotations

import math

from headway._jit import kernel
from headway.geometry.vectors import Vector, cross, dot, minus, plus, times

FLAT = 1e-9
"""Sine of the angle between two edges below which a triangle has no area."""
PARALLEL = 1e-18
"""Square of the sine of the angle to an edge below which a direction runs along it."""
ROUNDING = 4e-15
"""How far outside of a triangle a ray still hits it, as part of the numbers it comes from."""


@kernel(forceinline=True)
def face_normal(ab: Vector, ac: Vector) -> Vector:
    """Unit normal of a triangle, right-handed; zero if it has no area."""
    n = cross(ab, ac)
    square = dot(n, n)
    flat = square <= FLAT * FLAT * dot(ab, ab) * dot(ac, ac)
    return times(n, 0.0 if flat else 1.0 / math.sqrt(square))


@kernel(forceinline=True)
def outward(ab: Vector, ac: Vector, normal: Vector) -> tuple[Vector, Vector, Vector]:
    """Vectors in the plane of a triangle that lead out across the edges ab, bc and ca.

    Each is as long as its edge.
    """
    out_ab, in_ca = cross(ab, normal), cross(ac, normal)
    return out_ab, minus(in_ca, out_ab), times(in_ca, -1.0)


@kernel(forceinline=True)
def beyond_edges(p: Vector, ab: Vector, ac: Vector, normal: Vector) -> Vector:
    """How far p lies beyond the edges ab, bc and ca, times their length.

    Everything is beyond the edges of a triangle without area.
    """
    if normal[0] == 0.0 and normal[1] == 0.0 and normal[2] == 0.0:
        return math.inf, math.inf, math.inf
    out_ab, out_bc, out_ca = outward(ab, ac, normal)
    return dot(p, out_ab), dot(minus(p, ab), out_bc), dot(p, out_ca)


@kernel(forceinline=True)
def closest_on_segment(p: Vector, a: Vector, along: Vector) -> Vector:
    """The point next to p on the segment that leads along from a."""
    square = dot(along, along)
    part = dot(minus(p, a), along) / square if square > 0.0 else 0.0
    return plus(a, times(along, min(max(part, 0.0), 1.0)))


@kernel(forceinline=True)
def nearer(p: Vector, a: Vector, b: Vector) -> Vector:
    """Whichever of a and b is nearer to p."""
    to_a, to_b = minus(p, a), minus(p, b)
    return a if dot(to_a, to_a) <= dot(to_b, to_b) else b


@kernel
def closest_on_triangle(p: Vector, ab: Vector, ac: Vector, normal: Vector) -> Vector:
    """The point of a triangle next to p: below it, or on an edge that p lies beyond."""
    beyond_ab, beyond_bc, beyond_ca = beyond_edges(p, ab, ac, normal)
    if beyond_ab <= 0.0 and beyond_bc <= 0.0 and beyond_ca <= 0.0:
        return minus(p, times(normal, dot(p, normal)))
    best = (math.inf, math.inf, math.inf)
    a = (0.0, 0.0, 0.0)
    if beyond_ab > 0.0:
        best = closest_on_segment(p, a, ab)
    if beyond_bc > 0.0:
        best = nearer(p, closest_on_segment(p, ab, minus(ac, ab)), best)
    if beyond_ca > 0.0:
        best = nearer(p, closest_on_segment(p, a, ac), best)
    return best


@kernel
def sphere_entry(p: Vector, way: Vector, radius: float) -> float:
    """How far to go from p along a unit vector until the sphere about the origin; inf for never."""
    ahead = -dot(p, way)
    side = plus(p, times(way, ahead))
    rest = radius * radius - dot(side, side)
    if rest < 0.0 or ahead <= 0.0:
        return math.inf
    return max(ahead - math.sqrt(rest), 0.0)


@kernel
def capsule_entry(p: Vector, along: Vector, way: Vector, radius: float) -> float:
    """How far to go from p until the distance to a segment from the origin is the radius.

    Never, which is inf, if p has passed it.
    """
    k = cross(way, along)
    sine, square = dot(k, k), dot(along, along)
    inward = dot(way, along)
    part = -inward  # of a line along the edge, which meets the end that it comes from
    if sine > PARALLEL * square:
        apart = dot(p, k)
        rest = radius * radius * sine - apart * apart
        if rest < 0.0:
            return math.inf
        middle = -dot(cross(p, along), k) / sine
        entry = max(middle - math.sqrt(rest * square) / sine, 0.0)
        part = dot(p, along) + entry * inward
        if 0.0 <= part <= square:
            return entry if middle > 0.0 else math.inf
    return sphere_entry(p if part < 0.0 else minus(p, along), way, radius)


@kernel(forceinline=True)
def stays_beyond(
    beyond: float, leaving: float, edge: Vector, time: float, square: float, slack: float
) -> bool:
    """Whether a disc stays clear of the line of an edge, for a time and a square of its radius.

    Its centre lies beyond the edge and moves away from it at a rate, both times the length.
    """
    gap = beyond + min(leaving, 0.0) * time
    return (gap > slack) & (gap * gap > square * dot(edge, edge))


@kernel(forceinline=True)
def plane_entry(
    p: Vector, ab: Vector, ac: Vector, normal: Vector, way: Vector, radius: float, limit: float
) -> tuple[float, bool]:
    """How far a sphere about p goes until it touches the plane of a triangle, and whether on it.

    It does not touch the triangle earlier; inf says that it does not before the limit, which is
    finite. From where it touches the plane, the sphere cuts out a disc there, which grows and
    moves. Most triangles are missed by it, which is told without a branch: those would cost more
    than the arithmetic they save, and without, several triangles are looked at at once.
    """
    height, climb = dot(p, normal), dot(way, normal)
    gap = abs(height) - radius
    approach = -climb if height > 0.0 else climb
    ahead = gap > 0.0
    missed = ahead & (gap >= limit * approach)
    start = gap / approach if ahead else 0.0
    sunk = min(limit * approach - gap, radius) if ahead else radius
    square = sunk * (2.0 * radius - sunk)
    q = plus(p, times(way, start))
    out_ab, out_bc, out_ca = outward(ab, ac, normal)
    bc, q_b = minus(ac, ab), minus(q, ab)
    beyond = dot(q, out_ab), dot(q_b, out_bc), dot(q, out_ca)
    leaving = dot(way, out_ab), dot(way, out_bc), dot(way, out_ca)
    size = abs(ab[0]) + abs(ab[1]) + abs(ab[2]) + abs(ac[0]) + abs(ac[1]) + abs(ac[2])
    slack = ROUNDING * size * (size + abs(p[0]) + abs(p[1]) + abs(p[2]))
    time = limit - start
    missed |= stays_beyond(beyond[0], leaving[0], ab, time, square, slack)
    missed |= stays_beyond(beyond[1], leaving[1], bc, time, square, slack)
    missed |= stays_beyond(beyond[2], leaving[2], ac, time, square, slack)
    flat = dot(normal, normal) == 0.0
    inside = max(beyond[0], beyond[1], beyond[2]) <= slack
    return (math.inf if missed else start), inside & (not flat) & (not missed)


@kernel(forceinline=True)
def triangle_entry(
    p: Vector, ab: Vector, ac: Vector, normal: Vector, way: Vector, radius: float, limit: float
) -> float:
    """How far a sphere about p goes along a unit vector until it touches a triangle.

    That is 0 if it does so at the start, and inf if it does not before the limit, which is finite.
    """
    start, on_face = plane_entry(p, ab, ac, normal, way, radius, limit)
    if on_face or start == math.inf:
        return start
    if abs(dot(p, normal)) <= radius:
        apart = minus(p, closest_on_triangle(p, ab, ac, normal))
        if dot(apart, apart) <= radius * radius:
            return 0.0
    q, bc = plus(p, times(way, start)), minus(ac, ab)
    q_b = minus(q, ab)
    out_ab, out_bc, out_ca = outward(ab, ac, normal)
    flat = dot(normal, normal) == 0.0
    entry = math.inf
    if dot(q, out_ab) > 0.0 or dot(way, out_ab) > 0.0 or flat:
        entry = capsule_entry(q, ab, way, radius)
    if dot(q_b, out_bc) > 0.0 or dot(way, out_bc) > 0.0 or flat:
        entry = min(entry, capsule_entry(q_b, bc, way, radius))
    if dot(q, out_ca) > 0.0 or dot(way, out_ca) > 0.0 or flat:
        entry = min(entry, capsule_entry(q, ac, way, radius))
    return start + entry if start + entry < limit else math.inf


@kernel(forceinline=True)
def segment_distance(p: Vector, along: Vector) -> float:
    """Squared distance of p from the segment that leads along from the origin."""
    square = dot(along, along)
    part = dot(p, along) / square if square > 0.0 else 0.0
    apart = minus(p, times(along, min(max(part, 0.0), 1.0)))
    return dot(apart, apart)


@kernel(forceinline=True)
def square_apart(p: Vector, ab: Vector, ac: Vector, normal: Vector) -> float:
    """Squared distance of p from a triangle, without a branch."""
    out_ab, out_bc, out_ca = outward(ab, ac, normal)
    bc, p_b, height = minus(ac, ab), minus(p, ab), dot(p, normal)
    inside = (dot(p, out_ab) <= 0.0) & (dot(p_b, out_bc) <= 0.0) & (dot(p, out_ca) <= 0.0)
    beside = min(segment_distance(p, ab), segment_distance(p_b, bc), segment_distance(p, ac))
    return height * height if inside & (dot(normal, normal) > 0.0) else beside
