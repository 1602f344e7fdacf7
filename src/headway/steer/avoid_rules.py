"""From the first contact ahead to a force: the rule "lateral" of `headway.steer.avoid`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.noise import uniform
from headway.geometry.vectors import (
    TINY,
    Vector,
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

CENTRAL = 1e-6
"""A normal that leans less than this to the side, as a sine, points to neither side."""

HEAD_ON = 0.5
"""A chosen side is kept against normals that lean less than this, as a sine, to the other."""

HOLD = 0.5
"""s, for which the way must be clear until a side is forgotten."""

NEAR = 0.3
"""Contacts within this part of the look ahead cancel the attraction of a target."""

SIDE_STREAM = 0x51DE
"""Stream of chance for the side on which to pass what is met centrally."""


@kernel(example=lambda: (np.zeros(3), np.zeros(3), *[np.ones(1)] * 7))
def usable(
    position: NDArray, velocity: NDArray, radius: NDArray, margin: NDArray, max_force: NDArray,
    shortest: NDArray, time: NDArray, braking: NDArray, reach: NDArray,
) -> bool:  # fmt: skip
    """Whether all numbers are finite, and those that must not be negative are not.

    Parameters
    ----------
    position, velocity : (N * d,) or (d,) ndarray
    radius, margin, max_force, shortest, time, braking, reach : (1,) or (N,) ndarray
        The last two must be above zero.
    """
    good = True
    for value in position:
        good = good and math.isfinite(value)
    for value in velocity:
        good = good and math.isfinite(value)
    for sizes in (radius, margin, max_force, shortest, time):
        for value in sizes:
            good = good and 0.0 <= value < math.inf
    for sizes in (braking, reach):
        for value in sizes:
            good = good and 0.0 < value < math.inf
    return good


@kernel(forceinline=True)
def across(v: Vector, way: Vector) -> Vector:
    """The part of a vector that is square to a unit vector."""
    return minus(v, times(way, dot(v, way)))


@kernel
def side_of(
    normal: Vector, way: Vector, kept: Vector, wish: Vector, seed: int, agent: int
) -> Vector:
    """The unit vector, square to the way, of the side on which to pass what has this normal.

    It is the one the normal leans to; but a side once chosen is kept while the contact is almost
    head-on. Where the normal leans to no side, it is that of the wish, or chosen by chance.
    """
    lean = across(normal, way)
    size = length(lean)
    before = unit(across(kept, way))
    if size > CENTRAL:
        fresh = times(lean, 1.0 / size)
        if size > HEAD_ON or dot(fresh, before) >= 0.0:
            return fresh
    if dot(before, before) > 0.0:
        return before
    hoped = across(wish, way)
    if length(hoped) > CENTRAL * length(wish):
        return unit(hoped)
    sign = 1.0 if uniform(seed, SIDE_STREAM, agent, 0) < 0.5 else -1.0
    level = math.sqrt(way[0] * way[0] + way[1] * way[1])
    if level < CENTRAL:
        return sign, 0.0, 0.0
    return -sign * way[1] / level, sign * way[0] / level, 0.0


@kernel(forceinline=True)
def contact_force(
    seen: Vector, normal: Vector, depth: float, margin: float, strongest: float
) -> Vector:
    """Out of what is touched: with full force, but less deep in the margin when leaving already."""
    leaving = dot(seen, normal) > 0.0
    share = min(1.0, depth / margin) if leaving and margin > 0.0 else 1.0
    return times(normal, strongest * share)


@kernel(forceinline=True)
def urgency(seen: Vector, way: Vector, normal: Vector, distance: float, braking: float) -> float:
    """How much of the force must go against the obstacle rather than past it, 0 to 1.

    The speed towards the surface takes v²/(2 a) to lose; from where that is half of the distance
    to the surface on, braking sets in, and all goes into it where it is the whole.
    """
    facing = -dot(way, normal)
    if facing <= 0.0:
        return 0.0
    need = dot(seen, seen) * facing / (2.0 * braking * distance)
    return min(max(2.0 * need - 1.0, 0.0), 1.0)


def _example_aside() -> tuple:
    hits = np.array([1.0, 0, 0]), np.ones(1), np.array([-1.0, 0, 0]), np.zeros(1), np.full(1, 2.0)
    limits = np.ones(1), np.ones(1), np.ones(1), np.zeros(1, np.bool_)
    chance = np.zeros(3), 0, np.zeros(1, np.int64), 0.02, 3
    return *hits, *limits, *chance, np.zeros(3), np.zeros(1), np.empty(3), np.empty(1, np.bool_)


@kernel(example=_example_aside)
def steer_aside(
    velocity: NDArray, distance: NDArray, normal: NDArray, depth: NDArray, reach: NDArray,
    margin: NDArray, braking: NDArray, max_force: NDArray, blocked: NDArray, wish: NDArray,
    seed: int, agent: NDArray, dt: float, d: int, side: NDArray, clear: NDArray, force: NDArray,
    near: NDArray,
) -> int:  # fmt: skip
    """Write the force past (or, where it is late, off) what is met first, and remember the side.

    Parameters
    ----------
    velocity : (N * d,) ndarray
        m/s, relative to what is met.
    distance, normal, depth, reach : (N,) and (N * d,) ndarray
        As in `headway.world.meetings.Meetings`.
    margin, braking, max_force : (1,) or (N,) ndarray
        m, m/s², N.
    blocked : (N,) ndarray of bool
        Who must not go on: before a gap that is too narrow there is no side to steer to.
    wish : (d,) or (N * d,) ndarray
        Where to pass rather, if it makes no difference.
    seed : int
    agent : (N,) ndarray of int64
        Who it is, for chance.
    dt : float
        s.
    d : int
        2 or 3.
    side, clear : (N * 3,) and (N,) ndarray
        Read and written, as in `headway.steer.avoid_memory.AvoidMemory`.
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
    for i in range(len(distance)):
        u = np.uint64(i)
        seen = vector(velocity, i, d)
        out = vector(normal, i, d)
        strongest = number(max_force, i)
        far = distance[u]
        look = reach[u]
        push = (0.0, 0.0, 0.0)
        met = far <= look and dot(out, out) > TINY
        near[u] = met and far <= NEAR * look
        clear[u] = 0.0 if met else clear[u] + dt
        if met:
            way = unit(seen)
            aside = side_of(out, way, vector(side, i, 3), vector(wish, i, d), seed, agent[u])
            if length(seen) > TINY:
                store(side, i, 3, aside)
            if far > 0.0 and blocked[u]:
                back = times(way, -1.0)
                push = times(back, strongest * urgency(seen, way, back, far, number(braking, i)))
            elif far > 0.0:
                late = urgency(seen, way, out, far, number(braking, i))
                past = strongest * (1.0 - far / look) * (1.0 - late)
                push = plus(times(aside, past), times(out, strongest * late))
            else:
                push = contact_force(seen, out, depth[u], number(margin, i), strongest)
        elif clear[u] > HOLD:
            store(side, i, 3, push)
        if not (store(force, i, d, limited(push, strongest)) and strongest >= 0.0):
            bad = i
    return bad


def _example_around() -> tuple:
    hits = np.array([1.0, 0, 0]), np.ones(1), np.array([-1.0, 0, 0]), np.full(1, 2.0)
    limits = np.full(1, 2.0), np.ones(1), np.zeros(3), 0, np.zeros(1, np.int64), 3
    return *hits, *limits, np.zeros(3), np.zeros(1), np.zeros(3), np.zeros(1, np.bool_)


@kernel(example=_example_around)
def steer_around(
    towards: NDArray, distance: NDArray, normal: NDArray, reach: NDArray, look: NDArray,
    max_force: NDArray, velocity: NDArray, seed: int, agent: NDArray, d: int, side: NDArray,
    clear: NDArray, force: NDArray, near: NDArray,
) -> int:  # fmt: skip
    """Add the force past what stands between agents and their targets, square to that line.

    What is met ahead goes before: only the force that it leaves is used.

    Parameters
    ----------
    towards : (N * d,) ndarray
        From agents to their targets, of any length.
    distance, normal : (N,) and (N * d,) ndarray
        Of contacts on that line, as in `headway.world.hits.Hits`.
    reach : (N,) ndarray
        m, how far along that line was looked.
    look : (N,) ndarray
        m, how far agents look ahead.
    max_force : (1,) or (N,) ndarray
        N.
    velocity : (N * d,) ndarray
        m/s.
    seed : int
    agent : (N,) ndarray of int64
        Who it is, for chance.
    d : int
        2 or 3.
    side, clear : (N * 3,) and (N,) ndarray
        Read and written, as in `headway.steer.avoid_memory.AvoidMemory`.
    force : (N * d,) ndarray
        Added to, N.
    near : (N,) ndarray of bool
        Set where such a contact is near.

    Returns
    -------
    int
        A row whose force is not finite, or −1.
    """
    bad = -1
    for i in range(len(distance)):
        u = np.uint64(i)
        out = vector(normal, i, d)
        way = unit(vector(towards, i, d))
        if distance[u] <= reach[u] and dot(out, out) > TINY and dot(way, out) < 0.0:
            near[u] = near[u] or distance[u] <= NEAR * look[u]
            kept = vector(side, i, 3)
            aside = side_of(out, way, kept, vector(velocity, i, d), seed, agent[u])
            store(side, i, 3, aside)
            clear[u] = 0.0
            strongest = number(max_force, i)
            push = times(aside, strongest * (1.0 - distance[u] / max(look[u], distance[u], TINY)))
            first = vector(force, i, d)
            total = plus(first, limited(push, max(strongest - length(first), 0.0)))
            if not store(force, i, d, limited(total, strongest)):
                bad = i
    return bad
