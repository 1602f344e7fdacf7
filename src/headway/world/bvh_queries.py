"""What a hierarchy of boxes answers, for kernels: first touch, all touches, closest, in a box.

Boxes wait on a stack with the distance at which they are reached; the nearest is looked at first,
and what lies farther than the best so far is dropped.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.bits import trailing_zeros
from headway.geometry.boxes3d import Aim, triangle_meets_box
from headway.geometry.swept_sphere import closest_on_triangle, triangle_entry
from headway.geometry.vectors import Vector, dot, minus
from headway.world.bvh_lanes import (
    Triangle,
    approach_boxes,
    approach_triangles,
    box_of,
    enter_boxes,
    enter_planes,
    lanes_below,
    triangle_of,
)
from headway.world.wide_bvh import WIDE


@kernel(forceinline=True)
def at_vector(flat: NDArray, at: int) -> Vector:
    """Three numbers of an array."""
    first = np.uint64(at)
    return flat[first], flat[first + np.uint64(1)], flat[first + np.uint64(2)]


@kernel(forceinline=True)
def triangle_distance(triangle: Triangle, point: Vector) -> float:
    """Squared distance of a point from a triangle."""
    a, ab, ac, normal = triangle
    p = minus(point, a)
    apart = minus(p, closest_on_triangle(p, ab, ac, normal))
    return dot(apart, apart)


@kernel(forceinline=True)
def wait_in_order(
    links: NDArray, node: int, entries: NDArray, farthest: float,
    waiting: NDArray, reached: NDArray, size: int,
) -> int:  # fmt: skip
    """Put those of eight boxes that are reached in time on the stack, the nearest on top."""
    first, which = size, lanes_below(entries, farthest)
    while which:
        lane = trailing_zeros(which)
        which &= which - np.uint64(1)
        entry, at = entries[np.uint64(lane)], size
        while at > first and reached[np.uint64(at - 1)] < entry:
            waiting[np.uint64(at)] = waiting[np.uint64(at - 1)]
            reached[np.uint64(at)] = reached[np.uint64(at - 1)]
            at -= 1
        waiting[np.uint64(at)] = links[np.uint64(node * WIDE + lane)]
        reached[np.uint64(at)] = entry
        size += 1
    return size


@kernel
def touch(
    boxes: NDArray, links: NDArray, rows: NDArray, lanes: int, aim: Aim, centre: Vector,
    way: Vector, radius: float, limit: float, waiting: NDArray, reached: NDArray,
    soonest: NDArray, on_face: NDArray,
) -> tuple[float, int]:  # fmt: skip
    """Find the triangle that a sphere touches first, before a limit, and after what distance.

    The triangle is -1 if there is none. Once one is found to touch the sphere at the start, others
    are not looked for.
    """
    best, found = limit, -1
    waiting[0], reached[0] = 0, 0.0
    size = 1
    while size > 0 and best > 0.0:
        size -= 1
        here = waiting[np.uint64(size)]
        if not reached[np.uint64(size)] < best:
            continue
        if here >= 0:
            enter_boxes(boxes, here, lanes, aim, best, soonest)
            size = wait_in_order(links, here, soonest, best, waiting, reached, size)
            continue
        block = -1 - here
        enter_planes(rows, block, lanes, centre, way, radius, best, soonest, on_face)
        which = lanes_below(on_face, best)
        while which:
            lane = trailing_zeros(which)
            which &= which - np.uint64(1)
            if on_face[np.uint64(lane)] < best:
                best, found = on_face[np.uint64(lane)], block * WIDE + lane
        which = lanes_below(soonest, best)
        while which:
            lane = trailing_zeros(which)
            which &= which - np.uint64(1)
            if soonest[np.uint64(lane)] < best:
                a, ab, ac, normal = triangle_of(rows, block * WIDE + lane)
                entry = triangle_entry(minus(centre, a), ab, ac, normal, way, radius, best)
                if entry < best:
                    best, found = entry, block * WIDE + lane
    return best, found


@kernel
def touch_all(
    boxes: NDArray, links: NDArray, rows: NDArray, lanes: int, aim: Aim, centre: Vector,
    way: Vector, radius: float, limit: float, waiting: NDArray, reached: NDArray,
    soonest: NDArray, on_face: NDArray, hit: NDArray, when: NDArray,
) -> int:  # fmt: skip
    """Find all triangles that a sphere touches before a limit, and when; returns how many."""
    waiting[0] = 0
    size, count = 1, 0
    while size > 0:
        size -= 1
        here = waiting[np.uint64(size)]
        if here >= 0:
            enter_boxes(boxes, here, lanes, aim, limit, soonest)
            which = lanes_below(soonest, limit)
            while which:
                waiting[np.uint64(size)] = links[np.uint64(here * WIDE + trailing_zeros(which))]
                which &= which - np.uint64(1)
                size += 1
            continue
        block = -1 - here
        enter_planes(rows, block, lanes, centre, way, radius, limit, soonest, on_face)
        which = lanes_below(soonest, limit)
        while which:
            lane = trailing_zeros(which)
            which &= which - np.uint64(1)
            entry = on_face[np.uint64(lane)]
            if entry == math.inf:
                a, ab, ac, normal = triangle_of(rows, block * WIDE + lane)
                entry = triangle_entry(minus(centre, a), ab, ac, normal, way, radius, limit)
            if entry < limit:
                hit[count], when[count] = block * WIDE + lane, entry
                count += 1
    return count


@kernel
def closest(
    boxes: NDArray, links: NDArray, rows: NDArray, lanes: int, point: Vector, limit: float,
    waiting: NDArray, reached: NDArray, squares: NDArray,
) -> tuple[float, int]:  # fmt: skip
    """Find the triangle closest to a point, nearer than a limit, and its squared distance.

    The limit is squared too. The triangle is -1 if there is none.
    """
    best, found = limit, -1
    waiting[0], reached[0] = 0, 0.0
    size = 1
    while size > 0:
        size -= 1
        here = waiting[np.uint64(size)]
        if not reached[np.uint64(size)] < best:
            continue
        if here >= 0:
            approach_boxes(boxes, here, lanes, point, squares)
            size = wait_in_order(links, here, squares, best, waiting, reached, size)
            continue
        block = -1 - here
        approach_triangles(rows, block, lanes, point, squares)
        which = lanes_below(squares, best)
        while which:
            lane = trailing_zeros(which)
            which &= which - np.uint64(1)
            if squares[np.uint64(lane)] < best:
                best, found = squares[np.uint64(lane)], block * WIDE + lane
    return best, found


@kernel
def box_meets(
    boxes: NDArray, links: NDArray, rows: NDArray, low: Vector, high: Vector, waiting: NDArray
) -> bool:
    """Tell whether a box along the axes touches any triangle."""
    waiting[0] = 0
    size = 1
    while size > 0:
        size -= 1
        here = waiting[np.uint64(size)]
        if here < 0:
            for i in range((-1 - here) * WIDE, -here * WIDE):
                a, ab, ac, normal = triangle_of(rows, i)
                if triangle_meets_box(a, ab, ac, normal, low, high):
                    return True
            continue
        for lane in range(WIDE):
            lowest, highest = box_of(boxes, here, lane)
            meets = (low[0] <= highest[0]) & (high[0] >= lowest[0])
            meets &= (low[1] <= highest[1]) & (high[1] >= lowest[1])
            meets &= (low[2] <= highest[2]) & (high[2] >= lowest[2])
            waiting[np.uint64(size)] = links[np.uint64(here * WIDE + lane)]
            size += 1 if meets else 0
    return False
