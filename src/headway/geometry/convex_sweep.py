"""Spheres that move towards convex bodies: when they touch, how far they are, which way is out.

A body is a convex polytope with its surface moved out by a distance, its rounding. The polytope is
given by its half spaces n·x ≤ c and by its edges. A sphere, a capsule and a box are such bodies:
the first two are an edge without half spaces, the last has no rounding. A sphere of radius r
touches a body when its centre touches the body rounded by r more, so only points need to move.

The border of a rounded polytope is made of its faces, moved out, and of parts of the capsules
around its edges. A point that moves in from outside comes through the face whose plane it crosses
last, or else through a capsule: both have closed forms, so that nothing is iterated. See Ericson,
"Real-Time Collision Detection", 2005, 5.5, for the case of the box.

Bodies that reach to infinity above and below are flat ones: queries drop the z of points.
"""

from __future__ import annotations

import math

from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import (
    TINY,
    Vector,
    dot,
    length,
    minus,
    plus,
    times,
    vector,
)

ON_FACE = 1e-9
"""A point counts as on a face this far beside it, relative to the distance of its plane."""


@kernel(forceinline=True)
def sphere_entry(point: Vector, way: Vector, centre: Vector, radius: float) -> float:
    """When a point moving by ``way`` per unit enters a sphere; 0 if inside, inf if never."""
    apart = minus(point, centre)
    if dot(apart, apart) <= radius * radius:
        return 0.0
    rate = dot(apart, way)
    square = dot(way, way)
    if not (rate < 0.0 and square > TINY * TINY):
        return math.inf
    beside = minus(apart, times(way, rate / square))
    room = radius * radius - dot(beside, beside)
    return (-rate - math.sqrt(square * room)) / square if room >= 0.0 else math.inf


@kernel(forceinline=True)
def segment_entry(point: Vector, way: Vector, a: Vector, b: Vector, radius: float) -> float:
    """When a point moving by ``way`` per unit enters the capsule around a–b; 0 if inside."""
    entry = min(sphere_entry(point, way, a, radius), sphere_entry(point, way, b, radius))
    along = minus(b, a)
    square = dot(along, along)
    if square > TINY * TINY:
        apart = minus(point, a)
        share = dot(apart, along) / square
        rate = dot(way, along) / square
        across = minus(apart, times(along, share))
        side = sphere_entry(across, minus(way, times(along, rate)), (0.0, 0.0, 0.0), radius)
        if side < entry and 0.0 <= share + side * rate <= 1.0:
            entry = side
    return entry


@kernel(forceinline=True)
def from_segment(point: Vector, a: Vector, b: Vector) -> Vector:
    """The vector to a point from the nearest one of the segment a–b."""
    along = minus(b, a)
    square = dot(along, along)
    share = dot(minus(point, a), along) / square if square > TINY * TINY else 0.0
    return minus(point, plus(a, times(along, min(max(share, 0.0), 1.0))))


@kernel(forceinline=True)
def _beside(along: Vector) -> Vector:
    """A direction square to another, level unless that is impossible."""
    level = math.sqrt(along[0] * along[0] + along[1] * along[1])
    if level <= TINY:
        return 1.0, 0.0, 0.0
    return -along[1] / level, along[0] / level, 0.0


@kernel
def plane_excess(
    point: Vector, normals: NDArray, offsets: NDArray, first: int, last: int
) -> tuple[float, int]:
    """How far a point is outside the half space it is farthest out of, and which one that is.

    Parameters
    ----------
    point : tuple of float
    normals : (P * 3,) ndarray
        Outward unit normals of half spaces.
    offsets : (P,) ndarray
        Their c in n·x ≤ c, m.
    first, last : int
        The range of them that makes the body.

    Returns
    -------
    excess : float
        m; zero or less inside the body, −inf without half spaces.
    face : int
        −1 without half spaces.
    """
    most = -math.inf
    face = -1
    for k in range(first, last):
        excess = dot(vector(normals, k, 3), point) - offsets[k]
        if excess > most:
            most = excess
            face = k
    return most, face


@kernel
def body_distance(
    point: Vector, normals: NDArray, offsets: NDArray, first_plane: int, last_plane: int,
    edges: NDArray, first_edge: int, last_edge: int,
) -> tuple[float, Vector]:  # fmt: skip
    """Signed distance of a point to a polytope, and the unit vector that leads away from it.

    Outside, the distance to each half space is at most that to the polytope. So if the nearest
    point is on a face, it is on that of the greatest excess; otherwise it is on an edge.

    Parameters
    ----------
    point : tuple of float
    normals : (P * 3,) ndarray
        Outward unit normals of half spaces.
    offsets : (P,) ndarray
        Their c in n·x ≤ c, m.
    first_plane, last_plane : int
        The range of them that makes the body.
    edges : (E * 6,) ndarray
        Two ends of each edge, m.
    first_edge, last_edge : int
        The range of them that belongs to the body.

    Returns
    -------
    distance : float
        m, negative inside.
    normal : tuple of float
        The nearest point is point − distance · normal.
    """
    excess, face = plane_excess(point, normals, offsets, first_plane, last_plane)
    if face >= 0:
        normal = vector(normals, face, 3)
        foot = minus(point, times(normal, excess))
        if excess <= 0.0 or first_edge == last_edge:
            return excess, normal
        beyond, _ = plane_excess(foot, normals, offsets, first_plane, last_plane)
        if beyond <= ON_FACE * (1.0 + abs(offsets[face])):
            return excess, normal
    nearest = math.inf
    away = (0.0, 0.0, 0.0)
    along = away
    for k in range(first_edge, last_edge):
        a = vector(edges, 2 * k, 3)
        b = vector(edges, 2 * k + 1, 3)
        apart = from_segment(point, a, b)
        distance = length(apart)
        if distance < nearest:
            nearest = distance
            away = apart
            along = minus(b, a)
    if nearest <= TINY:
        return 0.0, _beside(along)
    return nearest, times(away, 1.0 / nearest)


@kernel
def body_entry(
    point: Vector, way: Vector, rounding: float, normals: NDArray, offsets: NDArray,
    first_plane: int, last_plane: int, edges: NDArray, first_edge: int, last_edge: int,
) -> float:  # fmt: skip
    """When a point that is outside a rounded polytope enters it, moving by ``way`` per unit.

    Parameters
    ----------
    point, way : tuple of float
    rounding : float
        m.
    normals : (P * 3,) ndarray
        Outward unit normals of half spaces.
    offsets : (P,) ndarray
        Their c in n·x ≤ c, m.
    first_plane, last_plane : int
        The range of them that makes the body.
    edges : (E * 6,) ndarray
        Two ends of each edge, m.
    first_edge, last_edge : int
        The range of them that belongs to the body.

    Returns
    -------
    float
        Units of way, zero or more; inf if it never enters.
    """
    enter = -math.inf
    leave = math.inf
    face = -1
    for k in range(first_plane, last_plane):
        normal = vector(normals, k, 3)
        gap = dot(normal, point) - offsets[k] - rounding
        rate = dot(normal, way)
        if rate < -TINY:
            if -gap / rate > enter:
                enter = -gap / rate
                face = k
        elif gap > 0.0:
            return math.inf
        elif rate > TINY:
            leave = min(leave, -gap / rate)
    if enter > leave:
        return math.inf
    if face >= 0 and enter >= 0.0:
        there = plus(point, times(way, enter))
        foot = minus(there, times(vector(normals, face, 3), rounding))
        beyond, _ = plane_excess(foot, normals, offsets, first_plane, last_plane)
        if beyond <= ON_FACE * (1.0 + abs(offsets[face])):
            return enter
    entry = math.inf
    for k in range(first_edge, last_edge):
        a = vector(edges, 2 * k, 3)
        entry = min(entry, segment_entry(point, way, a, vector(edges, 2 * k + 1, 3), rounding))
    return entry
