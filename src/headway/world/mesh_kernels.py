"""Queries of many spheres, points or boxes against a hierarchy of triangles, as kernels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.boxes3d import aim_at_boxes
from headway.geometry.vectors import number, store, unit, vector
from headway.world.bvh_lanes import triangle_of
from headway.world.bvh_queries import box_meets, closest, touch, touch_all, triangle_distance
from headway.world.near_order import near_order
from headway.world.surface_contacts import (
    FARTHEST,
    HIT,
    LARGEST,
    MARGIN,
    NOWHERE,
    closest_side,
    contact,
    limit_of,
    span_of,
    usable,
)
from headway.world.surface_patches import SAME_PLACE, add_hit, build_adjacency, nearest_of_patches
from headway.world.wide_bvh import STACK, WIDE, build_bvh


@kernel(forceinline=True)
def just_above(square: float) -> float:
    """The next larger number, so that what lies on a limit is nearer than it; not infinite."""
    return min(square + 1.2e-16 * square + 5e-324, FARTHEST)


def _example() -> tuple[Any, ...]:
    vertices, triangles = np.eye(3), np.arange(3)[np.newaxis]
    return (*build_bvh(vertices[triangles]),)


def _example_casts() -> tuple[Any, ...]:
    return np.zeros(3), np.ones(3), np.ones(1), np.ones(1), 3


def _example_hits() -> tuple[Any, ...]:
    return np.empty(1), np.empty(3), np.empty(3), np.empty(1, np.int64)


@kernel(example=lambda: (*_example(), *_example_casts(), *_example_hits(), np.empty(1)))
def sweep_mesh(
    boxes: NDArray, links: NDArray, rows: NDArray, order: NDArray, lanes: int, span: float,
    start: NDArray, direction: NDArray, radii: NDArray, reaches: NDArray, d: int,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray, depth: NDArray,
) -> int:  # fmt: skip
    """Find the first hit of each sphere; returns a row that cannot be used, or -1."""
    bad = -1
    waiting, reached = np.empty(STACK, np.int64), np.empty(STACK)
    soonest, on_face = np.empty(WIDE), np.empty(WIDE)
    turn = np.empty(len(distance), np.int64)
    near_order(start, d, turn)
    for which in range(len(turn)):
        i = int(turn[np.uint64(which)])
        u = np.uint64(i)
        centre, way = vector(start, i, d), vector(direction, i, d)
        radius, reach = number(radii, i), number(reaches, i)
        if not (usable(centre) and usable(way) and 0.0 <= radius <= LARGEST and reach >= 0.0):
            bad = i
            continue
        way = unit(way)
        aim = aim_at_boxes(centre, way, radius + MARGIN * (span + span_of(centre)))
        best, row = touch(
            boxes, links, rows, lanes, aim, centre, way, radius, limit_of(reach), waiting, reached,
            soonest, on_face,
        )  # fmt: skip
        distance[u], part[u], depth[u] = math.inf, -1, 0.0
        where, out = NOWHERE, NOWHERE
        if row >= 0:
            if best == 0.0:
                within = min(radius * radius, triangle_distance(triangle_of(rows, row), centre))
                deepest = closest(
                    boxes, links, rows, lanes, centre, within, waiting, reached, soonest
                )[1]
                row = deepest if deepest >= 0 else row
            distance[u], part[u] = min(best, reach), order[np.uint64(row)]
            where, out, depth[u] = contact(triangle_of(rows, row), centre, way, radius, best)
        store(point, i, d, where)
        store(normal, i, d, out)
    return bad


@kernel(
    example=lambda: (
        *_example(), *build_adjacency(np.eye(3), np.arange(3)[np.newaxis]), *_example_casts(),
        np.zeros(2, np.int64),
    )
)  # fmt: skip
def sweep_mesh_for_all(
    boxes: NDArray, links: NDArray, rows: NDArray, order: NDArray, lanes: int, span: float,
    corners: NDArray, first: NDArray, around: NDArray,
    start: NDArray, direction: NDArray, radii: NDArray, reaches: NDArray, d: int,
    begin: NDArray,
) -> tuple[int, NDArray]:  # fmt: skip
    """Find all hits of each sphere; returns a row that cannot be used or -1, and the hits."""
    bad, used, size = -1, 0, len(corners) // 3
    waiting, reached = np.empty(STACK, np.int64), np.empty(STACK)
    soonest, on_face = np.empty(WIDE), np.empty(WIDE)
    hit, part, place = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    parent, kept = np.empty(size, np.int64), np.empty(size, np.int64)
    when, face = np.empty(size), np.empty(3 * size)
    hits = np.empty(HIT * (len(begin) + 8))
    turn, mark = np.empty(len(begin) - 1, np.int64), np.zeros(len(begin) - 1, np.int64)
    near_order(start, d, turn)
    begin[:] = 0
    for which in range(len(turn)):
        i = int(turn[np.uint64(which)])
        centre, way = vector(start, i, d), vector(direction, i, d)
        radius, reach = number(radii, i), number(reaches, i)
        if not (usable(centre) and usable(way) and 0.0 <= radius <= LARGEST and reach >= 0.0):
            bad = i
            continue
        way = unit(way)
        aim = aim_at_boxes(centre, way, radius + MARGIN * (span + span_of(centre)))
        count = touch_all(
            boxes, links, rows, lanes, aim, centre, way, radius, limit_of(reach), waiting, reached,
            soonest, on_face, hit, when,
        )  # fmt: skip
        for j in range(count):
            triangle = triangle_of(rows, int(hit[j]))
            part[j] = order[hit[j]]
            store(face, j, 3, triangle[3])
            if when[j] == 0.0:  # of what is touched at the start, the deepest counts
                when[j] = math.sqrt(triangle_distance(triangle, centre)) - radius
        left = nearest_of_patches(
            count, part, when, face, corners, first, around, place, parent, kept
        )
        mark[i] = used
        for j in range(left):
            best = max(float(when[kept[j]]), 0.0)
            where, out, _ = contact(triangle_of(rows, int(hit[kept[j]])), centre, way, radius, best)
            hits, used = add_hit(
                hits, int(mark[i]), used, min(best, reach), where, out, int(part[kept[j]]),
                SAME_PLACE * (span + span_of(centre) + radius),
            )  # fmt: skip
        begin[i + 1] = used - mark[i]
    return bad, _in_turn(hits, mark, begin, used)


@kernel
def _in_turn(hits: NDArray, mark: NDArray, begin: NDArray, used: int) -> NDArray:
    """Sort hits by sphere: those of each begin at a mark, and of how many is made where they do."""
    found = np.empty(used * HIT)
    for i in range(len(mark)):
        count = begin[i + 1]
        begin[i + 1] += begin[i]
        for k in range(count * HIT):
            found[begin[i] * HIT + k] = hits[mark[i] * HIT + k]
    return found


@kernel(example=lambda: (*_example(), np.zeros(3), np.ones(1), 3, *_example_hits()))
def find_nearest_of_mesh(
    boxes: NDArray, links: NDArray, rows: NDArray, order: NDArray, lanes: int, span: float,
    points: NDArray, reaches: NDArray, d: int,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray,
) -> int:  # fmt: skip
    """Find the nearest point to each point; returns a row that cannot be used, or -1."""
    bad = -1
    waiting, reached, squares = np.empty(STACK, np.int64), np.empty(STACK), np.empty(WIDE)
    turn = np.empty(len(distance), np.int64)
    near_order(points, d, turn)
    for which in range(len(turn)):
        i = int(turn[np.uint64(which)])
        u = np.uint64(i)
        here, reach = vector(points, i, d), number(reaches, i)
        if not (usable(here) and reach >= 0.0):
            bad = i
            continue
        square, row = closest(
            boxes, links, rows, lanes, here, just_above(reach * reach), waiting, reached, squares
        )
        distance[u], part[u] = math.inf, -1
        where, out = NOWHERE, NOWHERE
        if row >= 0:
            distance[u], part[u] = math.sqrt(square), order[np.uint64(row)]
            where, out = closest_side(triangle_of(rows, row), here)
        store(point, i, d, where)
        store(normal, i, d, out)
    return bad


@kernel(example=lambda: (*_example()[:3], np.zeros(3), np.ones(3), 3, np.empty(1, np.bool_)))
def find_overlaps_of_mesh(
    boxes: NDArray, links: NDArray, rows: NDArray,
    lowest: NDArray, highest: NDArray, d: int, overlap: NDArray,
) -> None:  # fmt: skip
    """Tell which boxes touch a triangle."""
    waiting = np.empty(STACK, np.int64)
    for i in range(len(overlap)):
        low, high = vector(lowest, i, d), vector(highest, i, d)
        overlap[i] = box_meets(boxes, links, rows, low, high, waiting)
