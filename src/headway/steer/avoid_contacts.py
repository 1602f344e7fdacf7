"""From all contacts ahead: the rule "normal" of `headway.steer.avoid`, and gaps too narrow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import (
    dot,
    length,
    limited,
    minus,
    number,
    plus,
    store,
    times,
    unit,
    vector,
)
from headway.steer.avoid_rules import NEAR, across

OPPOSED = -0.5
"""Two normals, as seen along the way, face each other if the cosine between them is less."""


def _example_push() -> tuple:
    hits = np.array([0, 1]), np.ones(1), np.array([-1.0, 0, 0]), np.full(1, 2.0)
    return *hits, np.ones(1), 3, np.empty(3), np.empty(1, np.bool_)


@kernel(example=_example_push)
def push_off(
    row: NDArray, distance: NDArray, normal: NDArray, reach: NDArray, max_force: NDArray, d: int,
    force: NDArray, near: NDArray,
) -> int:  # fmt: skip
    """Write the sum over contacts of normal · max force · (1 − distance/reach), limited.

    Parameters
    ----------
    row, distance, normal : (N + 1,), (K,) and (K * d,) ndarray
        As in `headway.world.hits.AllHits`.
    reach : (N,) ndarray
        m.
    max_force : (1,) or (N,) ndarray
        N.
    d : int
        2 or 3.
    force : (N * d,) ndarray
        Written, N.
    near : (N,) ndarray of bool
        Written.

    Returns
    -------
    int
        A row whose force is not finite, or −1.
    """
    bad = -1
    for i in range(len(reach)):
        u = np.uint64(i)
        strongest = number(max_force, i)
        total = (0.0, 0.0, 0.0)
        near[u] = False
        for h in range(row[u], row[np.uint64(i + 1)]):
            far = distance[np.uint64(h)]
            near[u] = near[u] or far <= NEAR * reach[u]
            share = 1.0 - far / reach[u] if reach[u] > 0.0 else 1.0
            total = plus(total, times(vector(normal, h, d), strongest * share))
        if not (store(force, i, d, limited(total, strongest)) and strongest >= 0.0):
            bad = i
    return bad


def _example_gaps() -> tuple:
    hits = np.array([0, 1]), np.zeros(3), np.array([-1.0, 0, 0])
    return *hits, np.ones(3), np.ones(1), 3, np.empty(1, np.bool_)


@kernel(example=_example_gaps)
def find_gaps(
    row: NDArray, point: NDArray, normal: NDArray, way: NDArray, radius: NDArray, d: int,
    blocked: NDArray,
) -> None:  # fmt: skip
    """Write who would have to pass between two points of surface that are too close together.

    Parameters
    ----------
    row, point, normal : (N + 1,), (K * d,) and (K * d,) ndarray
        Contacts ahead, as in `headway.world.hits.AllHits`.
    way : (N * d,) ndarray
        Of any length.
    radius : (1,) or (N,) ndarray
        m, of what has to pass.
    d : int
        2 or 3.
    blocked : (N,) ndarray of bool
        Written.
    """
    for i in range(len(blocked)):
        u = np.uint64(i)
        ahead = unit(vector(way, i, d))
        width = 2.0 * number(radius, i)
        blocked[u] = False
        for h in range(row[u], row[np.uint64(i + 1)]):
            one = unit(across(vector(normal, h, d), ahead))
            for k in range(row[u], h):
                other = unit(across(vector(normal, k, d), ahead))
                apart = minus(vector(point, h, d), vector(point, k, d))
                if dot(one, other) < OPPOSED and length(apart) < width:
                    blocked[u] = True
