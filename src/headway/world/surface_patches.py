"""Triangles that a sphere touches, put together to patches: one hit for each, the nearest.

A fine mesh must not count for more than a coarse one, so triangles that share a corner and lie
within 30 degrees of one plane are one patch. An edge that is hit from outside belongs to the
patches on both sides; of hits at the same place only one stays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import Vector, dot, length, minus, vector
from headway.world.bvh_queries import at_vector
from headway.world.surface_contacts import HIT

BEND = 0.8660254037844387
"""Cosine of the largest angle between neighbours of one patch: 30 degrees."""
SAME_PLACE = 1e-9
"""As part of the coordinates: hits that differ by less are the same."""


class Adjacency(NamedTuple):
    """Which triangles share corners; corners at the same place are the same."""

    corners: NDArray[np.int64]
    """(T * 3,) the three corners of each triangle."""
    start: NDArray[np.int64]
    """(V + 1,) where the triangles around each corner begin."""
    around: NDArray[np.int64]
    """(T * 3,) the triangles around the corners."""


def build_adjacency(vertices: NDArray[np.float64], triangles: NDArray[np.int64]) -> Adjacency:
    """Find out which triangles share corners.

    Parameters
    ----------
    vertices : (V, 3) ndarray
        m.
    triangles : (T, 3) ndarray of int64
        Three vertices each.

    Returns
    -------
    Adjacency
        With vertices at the same place made one.

    Examples
    --------
    >>> build_adjacency(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0]]),
    ...     np.array([[0, 1, 2], [2, 3, 0]])).corners.tolist()
    [0, 2, 1, 1, 2, 0]
    """
    order = np.lexsort((vertices + 0.0).T[::-1])
    ahead = vertices[order]
    new = np.ones(len(vertices), np.int64)
    new[1:] = (ahead[1:] != ahead[:-1]).any(axis=1)
    place = np.empty(len(vertices), np.int64)
    place[order] = np.cumsum(new) - 1
    corners = place[triangles].ravel()
    start = np.zeros(int(new.sum()) + 1, np.int64)
    np.cumsum(np.bincount(corners, minlength=len(start) - 1), out=start[1:])
    return Adjacency(corners, start, np.argsort(corners, kind="stable") // 3)


@kernel(forceinline=True)
def _root(parent: NDArray, i: int) -> int:
    """The hit that stands for the patch of hit i."""
    while parent[np.uint64(i)] != i:
        parent[np.uint64(i)] = parent[np.uint64(parent[np.uint64(i)])]
        i = int(parent[np.uint64(i)])
    return i


@kernel
def _join_patches(
    count: int, part: NDArray, face: NDArray, corners: NDArray, first: NDArray, around: NDArray,
    place: NDArray, parent: NDArray,
) -> None:  # fmt: skip
    """Join the hits of neighbours in one patch; place finds the hit of a triangle.

    A triangle without area, which has no normal, joins the first neighbour that has one: it must
    not join what bends around it.
    """
    for i in range(count):
        place[part[i]] = parent[i] = i
    for i in range(count):
        mine = vector(face, i, 3)
        alone = dot(mine, mine) == 0.0
        for at_corner in range(3 * part[i], 3 * part[i] + 3):
            corner = corners[at_corner]
            for at in range(first[corner], first[corner + 1]):
                j = place[around[at]]
                known = 0 <= j < count and part[j] == around[at]
                if not known or parent[i] == parent[j] or (alone and parent[i] != i):
                    continue
                other = vector(face, int(j), 3)
                if abs(dot(mine, other)) >= BEND or (alone and dot(other, other) > 0.0):
                    parent[_root(parent, i)] = _root(parent, int(j))


@kernel
def nearest_of_patches(
    count: int, part: NDArray, key: NDArray, face: NDArray, corners: NDArray, first: NDArray,
    around: NDArray, place: NDArray, parent: NDArray, kept: NDArray,
) -> int:  # fmt: skip
    """Find the hit of each patch that has the smallest key; returns how many there are.

    There are count hits: the triangle of each, its key, and its normal (three numbers in a row,
    zero for none). Then come the three arrays of an `Adjacency`, and room: a number for each
    triangle, which need not be set, and twice one for each hit. Kept are the best hits, sorted.
    """
    _join_patches(count, part, face, corners, first, around, place, parent)
    for i in range(count):
        kept[i] = i
    for i in range(count):
        root = _root(parent, i)
        if key[i] < key[kept[root]]:
            kept[root] = i
    left = 0
    for i in range(count):
        if parent[i] == i:
            best, at = kept[i], left
            while at > 0 and key[kept[at - 1]] > key[best]:
                kept[at] = kept[at - 1]
                at -= 1
            kept[at] = best
            left += 1
    return left


@kernel
def add_hit(
    hits: NDArray, begin: int, used: int, distance: float, point: Vector, normal: Vector,
    part: int, near: float,
) -> tuple[NDArray, int]:  # fmt: skip
    """Write down a hit, unless one of this sphere (from begin on) is at the same place.

    Returns the hits, in a larger array if they had no room left, and how many are in use.
    """
    for i in range(begin, used):
        apart = minus(point, at_vector(hits, i * HIT + 1))
        if distance - hits[i * HIT] <= near and length(apart) <= near:
            return hits, used
    if (used + 1) * HIT > len(hits):
        more = np.empty(2 * len(hits))
        more[: len(hits)] = hits
        hits = more
    at = used * HIT
    hits[at], hits[at + 7] = distance, part
    for k in range(3):
        hits[at + 1 + k], hits[at + 4 + k] = point[k], normal[k]
    return hits, used + 1
