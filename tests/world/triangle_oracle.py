"""Distances to triangles by brute force, and what they say about the answers of a surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway.world.hits import Hits

Array = NDArray[np.float64]


def distances(points: Array, corners: Array) -> Array:
    """Of points (..., 3) from triangles (..., 3, 3), by the sides and the plane within them."""
    best = np.full(np.broadcast_shapes(points.shape[:-1], corners.shape[:-2]), np.inf)
    for k in range(3):
        a, b = corners[..., k, :], corners[..., (k + 1) % 3, :]
        along = b - a
        square = (along**2).sum(-1)
        part = ((points - a) * along).sum(-1) / np.where(square > 0.0, square, 1.0)
        foot = a + np.clip(part, 0.0, 1.0)[..., np.newaxis] * along
        best = np.minimum(best, np.sqrt(((points - foot) ** 2).sum(-1)))
    a = corners[..., 0, :]
    ab, ac, p = corners[..., 1, :] - a, corners[..., 2, :] - a, points - a
    n = np.cross(ab, ac)
    square = (n**2).sum(-1)
    flat = square <= 1e-18 * (ab**2).sum(-1) * (ac**2).sum(-1)
    safe = np.where(flat, 1.0, square)
    v = (np.cross(p, ac) * n).sum(-1) / safe
    w = (np.cross(ab, p) * n).sum(-1) / safe
    inside = ~flat & (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0)
    height = np.abs((p * n).sum(-1)) / np.sqrt(safe)
    return np.where(inside, np.minimum(best, height), best)


def least_on_way(start: Array, way: Array, end: Array, corners: Array, near: Array) -> Array:
    """How near each centre (N, 3) comes to the triangles (T, 3, 3) on its way to a distance.

    The distance of a point that moves straight ahead from a convex body is convex. Triangles that
    are not near at all, by the spheres around them, are left out.
    """
    middle = corners.mean(axis=1)
    size = np.linalg.norm(corners - middle[:, None], axis=-1).max(axis=1, initial=0.0)
    to = middle[None] - start[:, None]
    ahead = np.clip((to * way[:, None]).sum(-1), 0.0, end[:, None])
    apart = np.linalg.norm(to - ahead[..., None] * way[:, None], axis=-1)
    i, j = np.nonzero(apart <= size + 1.01 * near[:, None] + 0.01)
    low, high = np.zeros(len(i)), end[i].copy()
    start, way, corners = start[i], way[i], corners[j]

    def at(t: Array) -> Array:
        return distances(start + t[:, None] * way, corners)

    for _ in range(60):
        one, two = low + 0.4 * (high - low), low + 0.6 * (high - low)
        falling = at(one) > at(two)
        low, high = np.where(falling, one, low), np.where(falling, high, two)
    least = np.full(len(end), np.inf)
    np.minimum.at(least, i, np.minimum(np.minimum(at(low), at(high)), at(end[i])))
    return least


def check_hits(
    hits: Hits, corners: Array, start: Array, direction: Array, radius: Array, reach: float,
    near: float = 1e-9,
) -> None:  # fmt: skip
    """Every hit is a first contact, and what is not hit is not touched within reach."""
    size = np.linalg.norm(direction, axis=1, keepdims=True)
    way = np.divide(direction, size, out=np.zeros_like(direction), where=size > 0.0)
    hit = np.isfinite(hits.distance)
    assert np.array_equal(hits.part >= 0, hit)
    assert (hits.distance[hit] <= reach).all()
    end = np.where(hit, hits.distance, reach)
    centre = start + end[:, None] * way
    least = distances(centre[:, None], corners[None]).min(axis=1, initial=np.inf)
    touching = hits.distance == 0.0
    moving = hit & ~touching
    np.testing.assert_allclose(least[moving], radius[moving], atol=near)
    assert (least[touching] <= radius[touching] + near).all()
    np.testing.assert_allclose(
        hits.depth, np.where(touching, np.maximum(radius - least, 0.0), 0.0), atol=near
    )
    # No triangle is touched before, up to what rounding makes of one that is grazed.
    free = ~touching
    on_way = least_on_way(start, way, end, corners, radius)
    assert (on_way[free] >= radius[free] - 10.0 * near).all()
    assert (distances(hits.point[hit], corners[hits.part[hit]]) <= near).all()
    np.testing.assert_allclose(np.linalg.norm(hits.normal[hit], axis=1), 1.0, rtol=1e-12)
    out = hit & (radius > 1e-6) & (least > 1e-6)
    np.testing.assert_allclose(
        centre[out] - hits.point[out], hits.normal[out] * least[out, None], atol=10.0 * near
    )
    assert not hits.point[~hit].any()
    assert not hits.normal[~hit].any()
