"""One step of ORCA for all agents: neighbours and walls, their half planes, the best velocity."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.noise import uniform
from headway.steer.orca_around import BLOCKED, around_the_wall
from headway.steer.orca_lines import gather, lines_of_agents
from headway.steer.orca_neighbours import (
    COLUMNS,
    HORIZON,
    KEPT,
    PX,
    PY,
    RADIUS,
    SPEED,
    VX,
    VY,
    WALL_HORIZON,
    X,
    Y,
    find_nearest,
)
from headway.steer.orca_program import HALF, WORK, best_velocity, nearest_velocity
from headway.steer.orca_safe import (
    GIVE_WAY,
    LITTLE,
    TURN_STREAM,
    YIELD_STREAM,
    contact_lines,
    keep_right,
    off_the_wall,
    part_overlapping,
    settle,
    settles,
    way_out,
)
from headway.steer.orca_wall_lines import find_walls, lines_of_walls
from headway.steer.orca_walls import EDGE

STUCK = 0.05  # of the wanted speed
WANTED = 0.05  # of the greatest speed: who wants less is where it wants to be


def _example() -> tuple:
    places = np.zeros(2 * KEPT, np.int64)
    return (
        np.zeros((1, COLUMNS)), np.zeros(1, np.int64), np.zeros(1), np.zeros(1),
        np.zeros(1, np.int64), np.zeros(17, np.int64), np.zeros(1, np.int64),
        np.zeros(1, np.int64), False, 1.0, 1.0,
        np.zeros((0, EDGE)), np.zeros((0, 4), np.int64), -1, np.zeros(2, np.int64),
        True, 0.1, 0, 0, places, places, places, np.zeros(WORK),
        np.zeros((1, 2)), np.zeros(1, np.int64), np.zeros(1, np.bool_),
    )  # fmt: skip


@kernel(example=_example, allocates=False)
def step_all(
    block: NDArray, layers: NDArray, xs: NDArray, ys: NDArray, rows: NDArray, start: NDArray,
    order: NDArray, ids: NDArray, layered: bool, width: float, guess: float,
    edges: NDArray, links: NDArray, root: int, stack: NDArray,
    safe: bool, dt: float, seed: int, tick: int,
    keys: NDArray, ranked: NDArray, who: NDArray, w: NDArray,
    out: NDArray, lines: NDArray, stuck: NDArray,
) -> None:  # fmt: skip
    """Give all agents new velocities; ``safe`` or as RVO2 does. ``ids`` are sorted like agents."""
    second = math.floor(tick * dt)
    for me in range(len(block)):
        x, y, vx, vy = block[me, X], block[me, Y], block[me, VX], block[me, VY]
        px, py = block[me, PX], block[me, PY]
        radius, speed = block[me, RADIUS], block[me, SPEED]
        count = find_nearest(
            me, guess, width, layered, block, layers, xs, ys, rows, start, keys, ranked, who
        )
        gather(me, count, block, ranked, who, w)
        lines_of_agents(count, vx, vy, 1.0 / block[me, HORIZON], 1.0 / dt, w)
        first, end, calm = HALF, HALF + count, False
        if safe:
            part_overlapping(me, count, vx, vy, speed, dt, seed, ids, ranked, who, w)
            first = contact_lines(count, vx, vy, speed, dt, w)
            size = math.sqrt(px * px + py * py)
            scale = speed / size if size > speed else 1.0
            px, py = px * scale, py * scale
            calm = settles(me, count, px, py, block, ranked, who, w)
        qx, qy = px, py
        if root >= 0:
            last, far = first, block[me, WALL_HORIZON] * speed + radius
            found, inside = find_walls(x, y, far * far, edges, links, root, stack, who, w)
            first = lines_of_walls(
                found, last, edges, links, x, y, vx, vy, radius, 1.0 / block[me, WALL_HORIZON],
                who, w,
            )  # fmt: skip
            if safe and inside:
                qx, qy = way_out(edges, x, y, speed)
            elif safe and found > 0:
                qx, qy = off_the_wall(who[0], edges, x, y, radius, speed, dt, px, py)
                _, qx, qy = nearest_velocity(w, first, last, speed, qx, qy, False)
                turned = vx * qx + vy * qy < 0.0  # to the other side, so far
                if turned or qx * px + qy * py < BLOCKED * (px * px + py * py):
                    passable, ax, ay = around_the_wall(
                        found, who, edges, links, x, y, vx, vy, radius, far - radius, px, py
                    )
                    if passable:
                        ax, ay = off_the_wall(who[0], edges, x, y, radius, speed, dt, ax, ay)
                        _, qx, qy = nearest_velocity(w, first, last, speed, ax, ay, False)
        if safe:
            if calm and qx * qx + qy * qy < (LITTLE * speed) ** 2:
                wx, wy = settle(w, first, end, speed, qx, qy)
            else:
                chance = uniform(seed, TURN_STREAM, ids[me], tick)
                yields = uniform(seed, YIELD_STREAM, ids[me], second) < GIVE_WAY
                wx, wy = keep_right(w, first, end, speed, qx, qy, chance, yields)
            wanted = px * px + py * py
            moving = wanted >= (WANTED * speed) ** 2
            stuck[order[me]] = moving and wx * px + wy * py < STUCK * wanted
        else:
            wx, wy = best_velocity(w, first, end, speed, px, py)
        out[order[me], 0], out[order[me], 1] = wx, wy
        lines[order[me]] = end - first
