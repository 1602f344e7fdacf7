"""What a hierarchy of boxes answers, for kernels: first touch, all touches, closest, in a box.

Nodes wait on a stack with the distance at which their box is reached; the nearer child is looked at
first, and what lies farther than the best so far is dropped.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.boxes3d import Aim, box_distance, box_span, triangle_meets_box
from headway.geometry.swept_sphere import closest_on_triangle, triangle_entry
from headway.geometry.vectors import Vector, dot, minus
from headway.world.bvh import NODE, ROW

Triangle: TypeAlias = tuple[Vector, Vector, Vector, Vector]
"""A corner, the edges to the other two, and the unit normal."""


@kernel(forceinline=True)
def at_vector(flat: NDArray, at: int) -> Vector:
    """Three numbers of an array."""
    first = np.uint64(at)
    return flat[first], flat[first + np.uint64(1)], flat[first + np.uint64(2)]


@kernel(forceinline=True)
def triangle_of(rows: NDArray, i: int) -> Triangle:
    """Row i of the triangles of a hierarchy."""
    at = i * ROW
    return (
        at_vector(rows, at), at_vector(rows, at + 3), at_vector(rows, at + 6),
        at_vector(rows, at + 9),
    )  # fmt: skip


@kernel(forceinline=True)
def triangle_distance(triangle: Triangle, point: Vector) -> float:
    """Squared distance of a point from a triangle."""
    a, ab, ac, normal = triangle
    p = minus(point, a)
    apart = minus(p, closest_on_triangle(p, ab, ac, normal))
    return dot(apart, apart)


@kernel(forceinline=True)
def link(links: NDArray, node: int, which: int) -> int:
    """One of the two integers of a node."""
    return int(links[np.uint64(node * NODE + 6 + which)])


@kernel
def touch(
    nodes: NDArray, links: NDArray, rows: NDArray, aim: Aim, centre: Vector, way: Vector,
    radius: float, limit: float, waiting: NDArray, reached: NDArray,
    hit: NDArray, when: NDArray,
) -> tuple[float, int, int]:  # fmt: skip
    """Find what a sphere touches before a limit: all rows of triangles, if there is room for them.

    Returns the distance to the first, its row (-1 for none), and how many were written to hit and
    when. Without room (empty arrays) farther ones are not looked for, and none at all once one is
    found to touch the sphere at the start.
    """
    every = len(hit) > 0
    best, found, count = limit, -1, 0
    waiting[0], reached[0] = 0, box_span(nodes, 0, aim, limit)[0]
    size = 1 if reached[0] < limit else 0
    while size > 0:
        size -= 1
        node = waiting[np.uint64(size)]
        if not reached[np.uint64(size)] < (limit if every else best):
            continue
        while link(links, node, 1) < 0:
            near = link(links, node, 0)
            far = near + 1
            farthest = limit if every else best
            near_entry = box_span(nodes, near * NODE, aim, farthest)[0]
            far_entry = box_span(nodes, far * NODE, aim, farthest)[0]
            swap = far_entry < near_entry
            later = max(near_entry, far_entry)
            waiting[np.uint64(size)] = near if swap else far
            reached[np.uint64(size)] = later
            size += 1 if later < math.inf else 0
            if min(near_entry, far_entry) == math.inf:
                break
            node = far if swap else near
        first = link(links, node, 0)
        for row in range(first, first + link(links, node, 1)):
            a, ab, ac, normal = triangle_of(rows, row)
            farthest = limit if every else best
            entry = triangle_entry(minus(centre, a), ab, ac, normal, way, radius, farthest)
            if entry < best:
                best, found = entry, row
            if entry < limit and every:
                hit[count], when[count] = row, entry
                count += 1
        if best == 0.0 and not every:
            return best, found, count
    return best, found, count


@kernel
def closest(
    nodes: NDArray, links: NDArray, rows: NDArray, point: Vector, limit: float,
    waiting: NDArray, reached: NDArray,
) -> tuple[float, int]:  # fmt: skip
    """Find the row of the triangle closest to a point, within a limit, and its squared distance.

    The limit is squared too, and what lies on it counts. The row is -1 if there is none.
    """
    best, found = limit, -1
    waiting[0], reached[0] = 0, box_distance(nodes, 0, point)
    size = 1 if reached[0] <= limit else 0
    while size > 0:
        size -= 1
        node = waiting[np.uint64(size)]
        if reached[np.uint64(size)] > best:
            continue
        while link(links, node, 1) < 0:
            near = link(links, node, 0)
            far = near + 1
            near_square = box_distance(nodes, near * NODE, point)
            far_square = box_distance(nodes, far * NODE, point)
            swap = far_square < near_square
            later = max(near_square, far_square)
            waiting[np.uint64(size)] = near if swap else far
            reached[np.uint64(size)] = later
            size += 1 if later <= best else 0
            if min(near_square, far_square) > best:
                break
            node = far if swap else near
        first = link(links, node, 0)
        for row in range(first, first + link(links, node, 1)):
            square = triangle_distance(triangle_of(rows, row), point)
            if square < best or (square == best and found < 0):
                best, found = square, row
    return best, found


@kernel
def box_meets(
    nodes: NDArray, links: NDArray, rows: NDArray, low: Vector, high: Vector, waiting: NDArray
) -> bool:
    """Tell whether a box along the axes touches any triangle."""
    waiting[0] = 0
    size = 1
    while size > 0:
        size -= 1
        node = waiting[np.uint64(size)]
        apart = False
        for k in range(3):
            lowest = nodes[np.uint64(node * NODE + k)]
            highest = nodes[np.uint64(node * NODE + 3 + k)]
            apart |= low[k] > highest or high[k] < lowest
        if apart:
            continue
        first, count = link(links, node, 0), link(links, node, 1)
        if count < 0:
            waiting[np.uint64(size)] = first
            waiting[np.uint64(size + 1)] = first + 1
            size += 2
        for row in range(first, first + count):
            a, ab, ac, normal = triangle_of(rows, row)
            if triangle_meets_box(a, ab, ac, normal, low, high):
                return True
    return False
