"""The kernel behind `Obstacles.meet`: what agents meet when obstacles move as well."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.box_tree import box_distance, past
from headway.geometry.vectors import length, minus, number, store, unit, vector
from headway.world.meetings import look_ahead
from headway.world.obstacle_queries import contact, example_bodies, meeting, sooner


def _example_meet() -> tuple:
    limits = np.ones(1), np.ones(1), np.ones(1), np.ones(1)
    rows = np.empty(1), np.empty(3), np.empty(3), np.empty(1, np.int64), np.empty(1)
    seen = np.empty(3), np.empty(1)
    return np.zeros(3), np.zeros(3), *limits, np.zeros(3), 3, *example_bodies(), *rows, *seen


@kernel(example=_example_meet)
def meet_bodies(
    start: NDArray, velocity: NDArray, radius: NDArray, shortest: NDArray, time: NDArray,
    braking: NDArray, drift: NDArray, d: int,
    nodes: NDArray, leaves: NDArray, normals: NDArray, offsets: NDArray, plane_start: NDArray,
    edges: NDArray, edge_start: NDArray, rounding: NDArray, flat: NDArray,
    distance: NDArray, point: NDArray, normal: NDArray, part: NDArray, depth: NDArray,
    relative: NDArray, reach: NDArray,
) -> None:  # fmt: skip
    """Write the first meeting of each agent, bodies and agents keeping their velocities.

    As seen from a body the agent comes no nearer than from where it looks, so only bodies that are
    now within the farthest look are asked.

    Parameters
    ----------
    start, velocity : (N * d,) ndarray
        m and m/s; world frame; finite.
    radius, shortest, time, braking : (1,) or (N,) ndarray
        m, m, s and m/s².
    drift : (M * 3,) ndarray
        Velocities of the bodies, m/s.
    d : int
        2 or 3.
    nodes, leaves, normals, offsets, plane_start, edges, edge_start, rounding, flat : (...) ndarray
        Tree and bodies, as at the top of `headway.world.obstacle_queries`.
    distance, point, normal, part, depth : (N,) or (N * d,) ndarray
        Written: as in `headway.world.hits.Hits`.
    relative, reach : (N * d,) and (N,) ndarray
        Written: as in `headway.world.meetings.Meetings`.
    """
    fastest = 0.0
    for k in range(len(leaves)):
        if 3 * k < len(drift):
            fastest = max(fastest, length(vector(drift, k, 3)))
    for i in range(len(distance)):
        u = np.uint64(i)
        at = vector(start, i, d)
        v = vector(velocity, i, d)
        r = number(radius, i)
        least, horizon, brake = number(shortest, i), number(time, i), number(braking, i)
        around = r + look_ahead(length(v) + fastest, least, horizon, brake)
        soonest, deepest, found = math.inf, 0.0, -1
        node = 1
        while True:
            if box_distance(at, nodes, node) <= around:
                if node < len(leaves):
                    node = 2 * node
                    continue
                k = leaves[np.uint64(node - len(leaves))]
                if k >= 0:
                    seen = minus(v, vector(drift, k, 3))
                    speed = length(seen)
                    far, deep = meeting(
                        at, unit(seen), r, k, normals, offsets, plane_start, edges, edge_start,
                        rounding, flat,
                    )  # fmt: skip
                    when = far / speed if far > 0.0 else 0.0
                    if far <= look_ahead(speed, least, horizon, brake) and sooner(
                        when, deep, k, soonest, deepest, found
                    ):
                        soonest, deepest, found = when, deep, k
            node = past(node)
            if node == 1:
                break
        seen = minus(v, vector(drift, found, 3)) if found >= 0 else v
        touch = out = (0.0, 0.0, 0.0)
        if found >= 0:
            touch, out = contact(
                at, seen, soonest, found, normals, offsets, plane_start, edges, edge_start,
                rounding, flat,
            )  # fmt: skip
        speed = length(seen)
        distance[u] = soonest * speed if found >= 0 else math.inf
        depth[u] = deepest
        part[u] = found
        reach[u] = look_ahead(speed, least, horizon, brake)
        store(point, i, d, touch)
        store(normal, i, d, out)
        store(relative, i, d, seen)
