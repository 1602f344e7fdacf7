"""The kernel behind `Obstacles.nearest`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.box_tree import box_distance, nearest_leaf, past
from headway.geometry.vectors import minus, number, store, times, vector
from headway.world.obstacle_queries import example_bodies, gap_to, sooner


def _example_nearest() -> tuple:
    rows = np.empty(1), np.empty(3), np.empty(3), np.empty(1, np.int64)
    return np.zeros(3), np.ones(1), 3, *example_bodies(), *rows


@kernel(example=_example_nearest)
def nearest_bodies(
    points: NDArray, reach: NDArray, d: int,
    nodes: NDArray, leaves: NDArray, normals: NDArray, offsets: NDArray, plane_start: NDArray,
    edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray,
) -> int:  # fmt: skip
    """Write the nearest body of each point; returns a row that is not finite, or −1.

    Parameters
    ----------
    points : (N * d,) ndarray
        m.
    reach : (1,) or (N,) ndarray
        m.
    d : int
        2 or 3.
    nodes, leaves, normals, offsets, plane_start, edges, edge_start, rounding, flat : (...) ndarray
        Tree and bodies, as at the top of `headway.world.obstacle_queries`.
    distance, point, normal, part : (N,) or (N * d,) ndarray
        Written: as in `headway.world.hits.Nearest`.
    """
    bad = -1
    for i in range(len(distance)):
        at = vector(points, i, d)
        best = number(reach, i)
        found = -1
        out = (0.0, 0.0, 0.0)
        if not (math.isfinite(at[0] + at[1] + at[2]) and best >= 0.0):
            bad = i
        guess = leaves[np.uint64(nearest_leaf(at, nodes, len(leaves)))]
        if guess >= 0 and bad != i:
            gap, away = gap_to(
                at, guess, normals, offsets, plane_start, edges, edge_start, rounding, flat
            )
            if gap <= best:
                best, found, out = gap, guess, away
        node = 1
        while bad != i:
            if box_distance(at, nodes, node) <= max(best, 0.0):
                if node < len(leaves):
                    node = 2 * node
                    continue
                k = leaves[np.uint64(node - len(leaves))]
                if k >= 0:
                    gap, away = gap_to(
                        at, k, normals, offsets, plane_start, edges, edge_start, rounding, flat
                    )
                    if sooner(gap, 0.0, k, best, 0.0, found):
                        best, found, out = gap, k, away
            node = past(node)
            if node == 1:
                break
        u = np.uint64(i)
        distance[u] = best if found >= 0 else math.inf
        part[u] = found
        store(point, i, d, minus(at, times(out, best)) if found >= 0 else out)
        store(normal, i, d, out)
    return bad
