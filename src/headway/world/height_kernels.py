"""Queries of many spheres, points or boxes against a grid of heights, as kernels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.boxes3d import aim_at_boxes
from headway.geometry.vectors import Vector, number, store, unit, vector
from headway.world.bvh import box_node
from headway.world.bvh_queries import triangle_distance
from headway.world.height_queries import (
    closest_in_field,
    field_meets_box,
    touch_field,
    triangle_of_field,
)
from headway.world.surface_contacts import (
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


def _example() -> tuple[Any, ...]:
    return np.zeros(4), 2, 1.0, (0.0, 0.0, 0.0), box_node(np.zeros(3), np.ones(3)), 1.0


def _example_casts() -> tuple[Any, ...]:
    return np.zeros(3), np.ones(3), np.ones(1), np.ones(1), 3


def _example_hits() -> tuple[Any, ...]:
    return np.empty(1), np.empty(3), np.empty(3), np.empty(1, np.int64)


@kernel(example=lambda: (*_example(), *_example_casts(), *_example_hits(), np.empty(1)))
def sweep_field(
    heights: NDArray, columns: int, cell: float, origin: Vector, box: NDArray, span: float,
    start: NDArray, direction: NDArray, radii: NDArray, reaches: NDArray, d: int,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray, depth: NDArray,
) -> int:  # fmt: skip
    """Find the first hit of each sphere; returns a row that cannot be used, or -1."""
    bad = -1
    no_hit, no_when = np.empty(0, np.int64), np.empty(0)
    for i in range(len(distance)):
        u = np.uint64(i)
        centre, way = vector(start, i, d), vector(direction, i, d)
        radius, reach = number(radii, i), number(reaches, i)
        if not (usable(centre) and usable(way) and 0.0 <= radius <= LARGEST and reach >= 0.0):
            bad = i
            continue
        way = unit(way)
        grow = radius + MARGIN * (span + span_of(centre))
        aim = aim_at_boxes(centre, way, grow)
        best, row, _ = touch_field(
            heights, columns, cell, origin, box, aim, centre, way, radius, grow, limit_of(reach),
            no_hit, no_when,
        )  # fmt: skip
        distance[u], part[u], depth[u] = math.inf, -1, 0.0
        where, out = NOWHERE, NOWHERE
        if row >= 0:
            if best == 0.0:
                within = min(
                    radius * radius,
                    triangle_distance(
                        triangle_of_field(heights, columns, cell, origin, row), centre
                    ),
                )
                deepest = closest_in_field(heights, columns, cell, origin, box, centre, within)[1]
                row = deepest if deepest >= 0 else row
            distance[u], part[u] = min(best, reach), row
            where, out, depth[u] = contact(
                triangle_of_field(heights, columns, cell, origin, row), centre, way, radius, best
            )
        store(point, i, d, where)
        store(normal, i, d, out)
    return bad


@kernel(
    example=lambda: (
        *_example(), *build_adjacency(np.eye(3), np.zeros((2, 3), np.int64)), *_example_casts(),
        np.zeros(2, np.int64),
    )
)  # fmt: skip
def sweep_field_for_all(
    heights: NDArray, columns: int, cell: float, origin: Vector, box: NDArray, span: float,
    corners: NDArray, first: NDArray, around: NDArray,
    start: NDArray, direction: NDArray, radii: NDArray, reaches: NDArray, d: int,
    begin: NDArray,
) -> tuple[int, NDArray]:  # fmt: skip
    """Find all hits of each sphere; returns a row that cannot be used or -1, and the hits."""
    bad, used, size = -1, 0, len(around) // 3
    hit, part, place = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    parent, kept = np.empty(size, np.int64), np.empty(size, np.int64)
    when, face = np.empty(size), np.empty(3 * size)
    hits = np.empty(HIT * (len(begin) + 8))
    begin[0] = 0
    for i in range(len(begin) - 1):
        begin[i + 1] = used
        centre, way = vector(start, i, d), vector(direction, i, d)
        radius, reach = number(radii, i), number(reaches, i)
        if not (usable(centre) and usable(way) and 0.0 <= radius <= LARGEST and reach >= 0.0):
            bad = i
            continue
        way = unit(way)
        grow = radius + MARGIN * (span + span_of(centre))
        aim = aim_at_boxes(centre, way, grow)
        count = touch_field(
            heights, columns, cell, origin, box, aim, centre, way, radius, grow, limit_of(reach),
            hit, when,
        )[2]  # fmt: skip
        for j in range(count):
            triangle = triangle_of_field(heights, columns, cell, origin, int(hit[j]))
            part[j] = hit[j]
            store(face, j, 3, triangle[3])
            if when[j] == 0.0:  # of what is touched at the start, the deepest counts
                when[j] = math.sqrt(triangle_distance(triangle, centre)) - radius
        left = nearest_of_patches(
            count, part, when, face, corners, first, around, place, parent, kept
        )
        for j in range(left):
            best = max(float(when[kept[j]]), 0.0)
            where, out, _ = contact(
                triangle_of_field(heights, columns, cell, origin, int(hit[kept[j]])),
                centre,
                way,
                radius,
                best,
            )
            hits, used = add_hit(
                hits, int(begin[i]), used, min(best, reach), where, out, int(part[kept[j]]),
                SAME_PLACE * (span + span_of(centre) + radius),
            )  # fmt: skip
        begin[i + 1] = used
    return bad, hits[: used * HIT]


@kernel(example=lambda: (*_example(), np.zeros(3), np.ones(1), 3, *_example_hits()))
def find_nearest_of_field(
    heights: NDArray, columns: int, cell: float, origin: Vector, box: NDArray, span: float,
    points: NDArray, reaches: NDArray, d: int,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray,
) -> int:  # fmt: skip
    """Find the nearest point to each point; returns a row that cannot be used, or -1."""
    bad = -1
    for i in range(len(distance)):
        u = np.uint64(i)
        here, reach = vector(points, i, d), number(reaches, i)
        if not (usable(here) and reach >= 0.0):
            bad = i
            continue
        square, row = closest_in_field(heights, columns, cell, origin, box, here, reach * reach)
        distance[u], part[u] = math.inf, -1
        where, out = NOWHERE, NOWHERE
        if row >= 0:
            distance[u], part[u] = math.sqrt(square), row
            where, out = closest_side(triangle_of_field(heights, columns, cell, origin, row), here)
        store(point, i, d, where)
        store(normal, i, d, out)
    return bad


@kernel(example=lambda: (*_example()[:4], np.zeros(3), np.ones(3), 3, np.empty(1, np.bool_)))
def find_overlaps_of_field(
    heights: NDArray, columns: int, cell: float, origin: Vector,
    lowest: NDArray, highest: NDArray, d: int, overlap: NDArray,
) -> None:  # fmt: skip
    """Tell which boxes touch the surface."""
    for i in range(len(overlap)):
        low, high = vector(lowest, i, d), vector(highest, i, d)
        overlap[i] = field_meets_box(heights, columns, cell, origin, low, high)
