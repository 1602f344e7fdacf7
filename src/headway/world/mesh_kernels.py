"""Queries of many spheres, points or boxes against a hierarchy of triangles, as kernels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.boxes3d import aim_at_boxes
from headway.geometry.vectors import number, store, unit, vector
from headway.world.bvh import STACK, build_bvh
from headway.world.bvh_queries import box_meets, closest, touch, triangle_distance, triangle_of
from headway.world.surface_patches import SAME_PLACE, add_hit, build_adjacency, nearest_of_patches
from headway.world.surface_rows import (
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


def _example() -> tuple[Any, ...]:
    vertices, triangles = np.eye(3), np.arange(3)[np.newaxis]
    return (*build_bvh(vertices[triangles]),)


def _example_casts() -> tuple[Any, ...]:
    return np.zeros(3), np.ones(3), np.ones(1), np.ones(1), 3


def _example_hits() -> tuple[Any, ...]:
    return np.empty(1), np.empty(3), np.empty(3), np.empty(1, np.int64)


@kernel(example=lambda: (*_example(), *_example_casts(), *_example_hits(), np.empty(1)))
def sweep_mesh(
    nodes: NDArray, links: NDArray, rows: NDArray, order: NDArray, span: float,
    start: NDArray, direction: NDArray, radii: NDArray, reaches: NDArray, d: int,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray, depth: NDArray,
) -> int:  # fmt: skip
    """Find the first hit of each sphere; returns a row that cannot be used, or -1."""
    bad = -1
    waiting, reached = np.empty(STACK, np.int64), np.empty(STACK)
    no_hit, no_when = np.empty(0, np.int64), np.empty(0)
    for i in range(len(distance)):
        u = np.uint64(i)
        centre, way = vector(start, i, d), vector(direction, i, d)
        radius, reach = number(radii, i), number(reaches, i)
        if not (usable(centre) and usable(way) and 0.0 <= radius <= LARGEST and reach >= 0.0):
            bad = i
            continue
        way = unit(way)
        aim = aim_at_boxes(centre, way, radius + MARGIN * (span + span_of(centre)))
        best, row, _ = touch(
            nodes, links, rows, aim, centre, way, radius, limit_of(reach), waiting, reached,
            no_hit, no_when,
        )  # fmt: skip
        distance[u], part[u], depth[u] = math.inf, -1, 0.0
        where, out = NOWHERE, NOWHERE
        if row >= 0:
            if best == 0.0:
                within = min(radius * radius, triangle_distance(triangle_of(rows, row), centre))
                deepest = closest(nodes, links, rows, centre, within, waiting, reached)[1]
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
    nodes: NDArray, links: NDArray, rows: NDArray, order: NDArray, span: float,
    corners: NDArray, first: NDArray, around: NDArray,
    start: NDArray, direction: NDArray, radii: NDArray, reaches: NDArray, d: int,
    begin: NDArray,
) -> tuple[int, NDArray]:  # fmt: skip
    """Find all hits of each sphere; returns a row that cannot be used or -1, and the hits."""
    bad, used, size = -1, 0, len(order)
    waiting, reached = np.empty(STACK, np.int64), np.empty(STACK)
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
        aim = aim_at_boxes(centre, way, radius + MARGIN * (span + span_of(centre)))
        count = touch(
            nodes, links, rows, aim, centre, way, radius, limit_of(reach), waiting, reached,
            hit, when,
        )[2]  # fmt: skip
        for j in range(count):
            triangle = triangle_of(rows, int(hit[j]))
            part[j] = order[hit[j]]
            store(face, j, 3, triangle[3])
            if when[j] == 0.0:  # of what is touched at the start, the deepest counts
                when[j] = math.sqrt(triangle_distance(triangle, centre)) - radius
        left = nearest_of_patches(
            count, part, when, face, corners, first, around, place, parent, kept
        )
        for j in range(left):
            best = max(float(when[kept[j]]), 0.0)
            where, out, _ = contact(triangle_of(rows, int(hit[kept[j]])), centre, way, radius, best)
            hits, used = add_hit(
                hits, int(begin[i]), used, min(best, reach), where, out, int(part[kept[j]]),
                SAME_PLACE * (span + span_of(centre) + radius),
            )  # fmt: skip
        begin[i + 1] = used
    return bad, hits[: used * HIT]


@kernel(example=lambda: (*_example(), np.zeros(3), np.ones(1), 3, *_example_hits()))
def find_nearest_of_mesh(
    nodes: NDArray, links: NDArray, rows: NDArray, order: NDArray, span: float,
    points: NDArray, reaches: NDArray, d: int,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray,
) -> int:  # fmt: skip
    """Find the nearest point to each point; returns a row that cannot be used, or -1."""
    bad = -1
    waiting, reached = np.empty(STACK, np.int64), np.empty(STACK)
    for i in range(len(distance)):
        u = np.uint64(i)
        here, reach = vector(points, i, d), number(reaches, i)
        if not (usable(here) and reach >= 0.0):
            bad = i
            continue
        square, row = closest(nodes, links, rows, here, reach * reach, waiting, reached)
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
    nodes: NDArray, links: NDArray, rows: NDArray,
    lowest: NDArray, highest: NDArray, d: int, overlap: NDArray,
) -> None:  # fmt: skip
    """Tell which boxes touch a triangle."""
    waiting = np.empty(STACK, np.int64)
    for i in range(len(overlap)):
        low, high = vector(lowest, i, d), vector(highest, i, d)
        overlap[i] = box_meets(nodes, links, rows, low, high, waiting)
