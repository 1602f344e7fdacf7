"""Do boxes along the axes touch convex bodies? The kernel behind `Obstacles.overlaps`.

Two convex polytopes are apart if and only if their shadows are apart on a normal of a face or on a
direction square to an edge of each (separating axes; Gottschalk, Lin and Manocha, "OBBTree",
SIGGRAPH 1996). A rounded edge touches a box if its nearest point does; the square of the distance
is convex along the edge, so that bisection finds it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.box_tree import past
from headway.geometry.vectors import Vector, cross, dot, minus, plus, times, vector

HALVINGS = 60


@kernel(forceinline=True)
def _least(n: Vector, low: Vector, high: Vector) -> float:
    """The least n·x over a box; sides of no weight may be infinite."""
    x = n[0] * (low[0] if n[0] > 0.0 else high[0]) if n[0] != 0.0 else 0.0
    y = n[1] * (low[1] if n[1] > 0.0 else high[1]) if n[1] != 0.0 else 0.0
    z = n[2] * (low[2] if n[2] > 0.0 else high[2]) if n[2] != 0.0 else 0.0
    return x + y + z


@kernel
def _apart_on(n: Vector, low: Vector, high: Vector, edges: NDArray, first: int, last: int) -> bool:
    """Whether the shadows of a box and of a polytope, by its edges, are apart on a direction."""
    least = math.inf
    most = -math.inf
    for k in range(2 * first, 2 * last):
        shadow = dot(n, vector(edges, k, 3))
        least = min(least, shadow)
        most = max(most, shadow)
    return most < _least(n, low, high) or -_least(times(n, -1.0), low, high) < least


@kernel
def _polytope_touches(
    low: Vector, high: Vector, normals: NDArray, offsets: NDArray, first_plane: int,
    last_plane: int, edges: NDArray, first_edge: int, last_edge: int,
) -> bool:  # fmt: skip
    for k in range(first_plane, last_plane):
        if _least(vector(normals, k, 3), low, high) > offsets[k]:
            return False
    for k in range(first_edge, last_edge):
        along = minus(vector(edges, 2 * k + 1, 3), vector(edges, 2 * k, 3))
        for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
            n = cross(along, axis)
            if dot(n, n) > 0.0 and _apart_on(n, low, high, edges, first_edge, last_edge):
                return False
    return True


@kernel(forceinline=True)
def _outside(p: Vector, low: Vector, high: Vector) -> Vector:
    """The vector to p from the nearest point of a box."""
    return (
        p[0] - min(max(p[0], low[0]), high[0]),
        p[1] - min(max(p[1], low[1]), high[1]),
        p[2] - min(max(p[2], low[2]), high[2]),
    )


@kernel
def _edge_touches(low: Vector, high: Vector, a: Vector, b: Vector, rounding: float) -> bool:
    along = minus(b, a)
    before = 0.0
    behind = 1.0
    for _ in range(HALVINGS):
        share = 0.5 * (before + behind)
        if dot(_outside(plus(a, times(along, share)), low, high), along) > 0.0:
            behind = share
        else:
            before = share
    gap = math.inf
    for share in (0.0, before, behind, 1.0):
        apart = _outside(plus(a, times(along, share)), low, high)
        gap = min(gap, dot(apart, apart))
    return gap <= rounding * rounding


@kernel
def _body_touches(
    low: Vector, high: Vector, k: int, normals: NDArray, offsets: NDArray, plane_start: NDArray,
    edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
) -> bool:  # fmt: skip
    i = np.uint64(k)
    j = np.uint64(k + 1)
    if flat[i]:
        low = (low[0], low[1], -math.inf)
        high = (high[0], high[1], math.inf)
    if plane_start[i] < plane_start[j]:
        return _polytope_touches(
            low, high, normals, offsets, plane_start[i], plane_start[j],
            edges, edge_start[i], edge_start[j],
        )  # fmt: skip
    a = vector(edges, 2 * edge_start[i], 3)
    return _edge_touches(low, high, a, vector(edges, 2 * edge_start[i] + 1, 3), rounding[i])


def _example_overlap() -> tuple:
    return (
        np.zeros(3), np.ones(3),
        np.array([0.0] * 6 + [1.0, 0.0, 0.0, 2.0, 1.0, 1.0]), np.zeros(1, np.int64),
        np.array([1.0, 0.0, 0.0]), np.ones(1), np.array([0, 1]),
        np.zeros(6), np.array([0, 1]), np.zeros(1), np.zeros(1, np.bool_), np.empty(1, np.bool_),
    )  # fmt: skip


@kernel(example=_example_overlap)
def overlap_bodies(
    lowest: NDArray, highest: NDArray,
    nodes: NDArray, leaves: NDArray, normals: NDArray, offsets: NDArray, plane_start: NDArray,
    edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray, touches: NDArray,
) -> None:  # fmt: skip
    """Write for each box whether any body touches it.

    Parameters
    ----------
    lowest, highest : (K * 3,) ndarray
        m.
    nodes, leaves, normals, offsets, plane_start, edges, edge_start, rounding, flat : (...) ndarray
        Tree and bodies, as at the top of `headway.world.obstacle_queries`.
    touches : (K,) ndarray of bool
        Written.
    """
    for i in range(len(touches)):
        low = vector(lowest, i, 3)
        high = vector(highest, i, 3)
        touches[i] = False
        node = 1
        while not touches[i]:
            box = vector(nodes, 2 * node, 3)
            end = vector(nodes, 2 * node + 1, 3)
            if (
                max(low[0], box[0]) <= min(high[0], end[0])
                and max(low[1], box[1]) <= min(high[1], end[1])
                and max(low[2], box[2]) <= min(high[2], end[2])
            ):
                if node < len(leaves):
                    node = 2 * node
                    continue
                k = leaves[np.uint64(node - len(leaves))]
                if k >= 0:
                    touches[i] = _body_touches(
                        low, high, k, normals, offsets, plane_start, edges, edge_start, rounding,
                        flat,
                    )  # fmt: skip
            node = past(node)
            if node == 1:
                break
