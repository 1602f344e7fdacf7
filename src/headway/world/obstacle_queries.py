"""Sweeps of `headway.world.obstacles`: they walk the tree of boxes and ask the bodies in reach.

What these and all kernels of obstacles are given: a tree (``nodes``, ``leaves``, as in
`headway.geometry.box_tree`) and bodies (as in `headway.geometry.convex_sweep`), body k having the
half spaces plane_start[k] to plane_start[k + 1] and the edges edge_start[k] to edge_start[k + 1].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.box_tree import FAR, entry, inverse, past
from headway.geometry.convex_sweep import body_distance, body_entry
from headway.geometry.vectors import (
    Vector,
    dot,
    length,
    minus,
    number,
    plus,
    store,
    times,
    unit,
    vector,
)

JUST_BEFORE = 1e-7
"""m."""


@kernel(forceinline=True)
def levelled(v: Vector, flat: bool) -> Vector:
    """A vector without its z, for a flat body."""
    return v[0], v[1], 0.0 if flat else v[2]


@kernel
def gap_to(
    point: Vector, k: int, normals: NDArray, offsets: NDArray, plane_start: NDArray,
    edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
) -> tuple[float, Vector]:  # fmt: skip
    """Signed distance of a point to body k, and the direction that leads away from it."""
    i = np.uint64(k)
    j = np.uint64(k + 1)
    distance, normal = body_distance(
        levelled(point, flat[i]), normals, offsets, plane_start[i], plane_start[j],
        edges, edge_start[i], edge_start[j],
    )  # fmt: skip
    return distance - rounding[i], normal


@kernel
def meeting(
    point: Vector, way: Vector, radius: float, k: int, normals: NDArray, offsets: NDArray,
    plane_start: NDArray, edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
) -> tuple[float, float]:  # fmt: skip
    """When a sphere moving by ``way`` per unit meets body k, and how deep it overlaps at first."""
    distance, _ = gap_to(point, k, normals, offsets, plane_start, edges, edge_start, rounding, flat)
    if distance <= radius:
        return 0.0, radius - distance
    i = np.uint64(k)
    j = np.uint64(k + 1)
    when = body_entry(
        levelled(point, flat[i]), levelled(way, flat[i]), radius + rounding[i],
        normals, offsets, plane_start[i], plane_start[j], edges, edge_start[i], edge_start[j],
    )  # fmt: skip
    return when, 0.0


@kernel
def contact(
    start: Vector, way: Vector, when: float, k: int, normals: NDArray, offsets: NDArray,
    plane_start: NDArray, edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
) -> tuple[Vector, Vector]:  # fmt: skip
    """Point and normal where a sphere that moves by ``way`` touches body k.

    A ray ends on the surface itself, where a thin body has two ways out: the right one is that of
    a point just before.
    """
    there = plus(start, times(way, when))
    gap, out = gap_to(there, k, normals, offsets, plane_start, edges, edge_start, rounding, flat)
    if when > 0.0 and dot(out, way) >= 0.0:
        before = minus(there, times(unit(way), JUST_BEFORE))
        _, out = gap_to(before, k, normals, offsets, plane_start, edges, edge_start, rounding, flat)
    return minus(there, times(out, gap)), out


@kernel(forceinline=True)
def _sound(at: Vector, direction: Vector, radius: float, reach: float) -> bool:
    """Whether a sweep is asked for with finite numbers of the right signs."""
    return radius >= 0.0 and reach >= 0.0 and math.isfinite(length(at) + length(direction) + radius)


@kernel(forceinline=True)
def sooner(when: float, depth: float, k: int, best: float, deepest: float, part: int) -> bool:
    """Whether a meeting goes before the best so far: sooner, or deeper, or of a lower number."""
    if when != best:
        return when < best
    if depth != deepest:
        return depth > deepest
    return part < 0 or k < part


def example_bodies() -> tuple:
    """A tree and bodies to compile with."""
    return (
        np.array([0.0] * 6 + [1.0, 0.0, 0.0, 2.0, 1.0, 1.0]), np.zeros(1, np.int64),
        np.array([1.0, 0.0, 0.0]), np.ones(1), np.array([0, 1]),
        np.zeros(6), np.array([0, 1]), np.zeros(1), np.zeros(1, np.bool_),
    )  # fmt: skip


def _example_sweep() -> tuple:
    query = np.zeros(3), np.array([1.0, 0.0, 0.0]), np.ones(1), np.ones(1), 3
    rows = np.empty(1), np.empty(3), np.empty(3), np.empty(1, np.int64), np.empty(1)
    return *query, *example_bodies(), *rows


@kernel(example=_example_sweep)
def sweep_bodies(
    start: NDArray, direction: NDArray, radius: NDArray, reach: NDArray, d: int,
    nodes: NDArray, leaves: NDArray, normals: NDArray, offsets: NDArray, plane_start: NDArray,
    edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray, depth: NDArray,
) -> int:  # fmt: skip
    """Write the first meeting of each sphere; returns a row that is not finite, or −1.

    Parameters
    ----------
    start, direction : (N * d,) ndarray
        m; world frame.
    radius, reach : (1,) or (N,) ndarray
        m.
    d : int
        2 or 3.
    nodes, leaves, normals, offsets, plane_start, edges, edge_start, rounding, flat : (...) ndarray
        Tree and bodies, as at the top of this file.
    distance, point, normal, part, depth : (N,) or (N * d,) ndarray
        Written: as in `headway.world.hits.Hits`.
    """
    bad = -1
    for i in range(len(distance)):
        at = vector(start, i, d)
        way = unit(vector(direction, i, d))
        r = number(radius, i)
        turn = inverse(way)
        best = min(number(reach, i), FAR)
        deepest = 0.0
        found = -1
        if not _sound(at, vector(direction, i, d), r, number(reach, i)):
            bad = i
        node = 1
        while bad != i:
            if entry(at, turn, nodes, node, r) <= best:
                if node < len(leaves):
                    node = 2 * node
                    continue
                k = leaves[np.uint64(node - len(leaves))]
                if k >= 0:
                    when, deep = meeting(
                        at, way, r, k, normals, offsets, plane_start, edges, edge_start, rounding,
                        flat,
                    )  # fmt: skip
                    if sooner(when, deep, k, best, deepest, found):
                        best, deepest, found = when, deep, k
            node = past(node)
            if node == 1:
                break
        touch = out = (0.0, 0.0, 0.0)
        if found >= 0:
            touch, out = contact(
                at, way, best, found, normals, offsets, plane_start, edges, edge_start, rounding,
                flat,
            )  # fmt: skip
        u = np.uint64(i)
        distance[u] = best if found >= 0 else math.inf
        depth[u] = deepest
        part[u] = found
        store(point, i, d, touch)
        store(normal, i, d, out)
    return bad


def _example_sweep_all() -> tuple:
    query = np.zeros(3), np.array([1.0, 0.0, 0.0]), np.ones(1), np.ones(1), 3
    rows = np.empty(8), np.empty(24), np.empty(24), np.empty(8, np.int64)
    return *query, *example_bodies(), np.empty(2, np.int64), *rows


@kernel(example=_example_sweep_all)
def sweep_all_bodies(
    start: NDArray, direction: NDArray, radius: NDArray, reach: NDArray, d: int,
    nodes: NDArray, leaves: NDArray, normals: NDArray, offsets: NDArray, plane_start: NDArray,
    edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
    row: NDArray, distance: NDArray, point: NDArray, normal: NDArray, part: NDArray,
) -> int:  # fmt: skip
    """Write the meetings of each sphere with all bodies; returns how many there are.

    If there are more than fit, only some are written: call again with longer arrays. If a number
    is not finite or out of range, returns −1.

    Parameters
    ----------
    start, direction : (N * d,) ndarray
        m; world frame.
    radius, reach : (1,) or (N,) ndarray
        m.
    d : int
        2 or 3.
    nodes, leaves, normals, offsets, plane_start, edges, edge_start, rounding, flat : (...) ndarray
        Tree and bodies, as at the top of this file.
    row : (N + 1,) ndarray of int64
        Written, as `start` in `headway.world.hits.AllHits`.
    distance, point, normal, part : (K,) or (K * d,) ndarray
        Written: as in `headway.world.hits.AllHits`.
    """
    count = 0
    row[0] = 0
    for i in range(len(row) - 1):
        at = vector(start, i, d)
        way = unit(vector(direction, i, d))
        r = number(radius, i)
        limit = min(number(reach, i), FAR)
        turn = inverse(way)
        node = 1
        if not _sound(at, vector(direction, i, d), r, number(reach, i)):
            return -1
        while True:
            if entry(at, turn, nodes, node, r) <= limit:
                if node < len(leaves):
                    node = 2 * node
                    continue
                k = leaves[np.uint64(node - len(leaves))]
                when = math.inf
                if k >= 0:
                    when, _ = meeting(
                        at, way, r, k, normals, offsets, plane_start, edges, edge_start, rounding,
                        flat,
                    )  # fmt: skip
                if when <= limit:
                    if count < len(part):
                        _insert(when, k, row[np.uint64(i)], count, distance, part)
                    count += 1
            node = past(node)
            if node == 1:
                break
        row[np.uint64(i + 1)] = count
        for h in range(row[np.uint64(i)], min(count, len(part))):
            touch, out = contact(
                at, way, distance[np.uint64(h)], part[np.uint64(h)], normals, offsets, plane_start,
                edges, edge_start, rounding, flat,
            )  # fmt: skip
            store(point, h, d, touch)
            store(normal, h, d, out)
    return count


@kernel
def _insert(when: float, k: int, first: int, count: int, distance: NDArray, part: NDArray) -> None:
    """Put a meeting among those of one sphere, nearest first, then by number."""
    at = count
    while at > first and (
        distance[at - 1] > when or (distance[at - 1] == when and part[at - 1] > k)
    ):
        distance[at] = distance[at - 1]
        part[at] = part[at - 1]
        at -= 1
    distance[at] = when
    part[at] = k
