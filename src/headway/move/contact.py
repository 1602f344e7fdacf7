"""Cars that touch: impulses with restitution and friction, then moved apart.

Bodies are oriented boxes. Touching pairs that close in exchange an impulse at the contact point
(B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996): along the normal
with restitution, then against sliding, at most Coulomb's share of it. Each such exchange keeps
momentum and takes kinetic energy out, so any number of them in any order does too. Afterwards
overlaps are removed by shifting both cars along the normal, the lighter one further.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.boxes import box_overlap, contact_point
from headway.move.car import CARS
from headway.move.car_parameters import BOX_OFFSET, CAR_WIDTH, LENGTH, MASS, WIDTH, YAW_INERTIA
from headway.move.rows import as_rows, count_rows, require_finite
from headway.world.neighbours import find_pairs
from headway.world.state import STATE_WIDTH, VX, VY, YAW, YAW_RATE, X, Y

RESTITUTION = 0.2
FRICTION = 0.3
SLOW = 0.5
"""Cars that close in slower than this (m/s) do not bounce."""
HEADROOM = 2.0
"""Cars further apart in height (m) pass over each other."""
SLOP = 0.002
"""Overlap that may stay, m."""
MARGIN = 0.5
"""How much further than touching pairs are looked for, m, so that a list serves many shifts."""
LEAST_SHARE = 0.2
"""Even the heavier car is shifted by this share, or a light one between two stays wedged."""
VELOCITY_SWEEPS = 10
SHIFT_SWEEPS = 20
PATIENCE = 10
ROUNDS = 200


@kernel
def _overlap(
    state: NDArray, cars: NDArray, turn: NDArray, i: int, j: int
) -> tuple[float, float, float, float, float]:
    """Depth, normal from i to j and contact point of the overlap of two cars, world frame."""
    ci, si = turn[i, 0], turn[i, 1]
    cj, sj = turn[j, 0], turn[j, 1]
    li, wi = 0.5 * cars[i, LENGTH], 0.5 * cars[i, WIDTH]
    lj, wj = 0.5 * cars[j, LENGTH], 0.5 * cars[j, WIDTH]
    xi = state[i, X] + ci * cars[i, BOX_OFFSET]
    yi = state[i, Y] + si * cars[i, BOX_OFFSET]
    xj = state[j, X] + cj * cars[j, BOX_OFFSET]
    yj = state[j, Y] + sj * cars[j, BOX_OFFSET]
    depth, nx, ny = box_overlap(xi, yi, ci, si, li, wi, xj, yj, cj, sj, lj, wj)
    if not depth > 0:
        return depth, 0.0, 0.0, 0.0, 0.0
    px, py = contact_point(xi, yi, ci, si, li, wi, xj, yj, cj, sj, lj, wj)
    return depth, nx, ny, px, py


@kernel
def _push(
    state: NDArray, cars: NDArray, turn: NDArray, i: int, ix: float, iy: float, px: float, py: float
) -> None:
    """Give car i an impulse (world frame) at a point."""
    c, s = turn[i, 0], turn[i, 1]
    state[i, VX] += (c * ix + s * iy) / cars[i, MASS]
    state[i, VY] += (c * iy - s * ix) / cars[i, MASS]
    moment = (px - state[i, X]) * iy - (py - state[i, Y]) * ix
    state[i, YAW_RATE] += moment / cars[i, YAW_INERTIA]


@kernel
def _closing(
    state: NDArray, cars: NDArray, turn: NDArray, i: int, j: int,
    nx: float, ny: float, px: float, py: float,
) -> tuple[float, float]:  # fmt: skip
    """Relative speed of j against i at a point along a direction, and what a unit impulse does."""
    speed = 0.0
    yielding = 0.0
    for k, sign in ((i, -1.0), (j, 1.0)):
        c, s = turn[k, 0], turn[k, 1]
        arm = (px - state[k, X]) * ny - (py - state[k, Y]) * nx
        along = (c * state[k, VX] - s * state[k, VY]) * nx
        along += (s * state[k, VX] + c * state[k, VY]) * ny
        speed += sign * (along + arm * state[k, YAW_RATE])
        yielding += 1 / cars[k, MASS] + arm * arm / cars[k, YAW_INERTIA]
    return speed, yielding


@kernel
def _collide(
    state: NDArray, cars: NDArray, turn: NDArray, i: int, j: int,
    nx: float, ny: float, px: float, py: float,
) -> float:  # fmt: skip
    """Exchange one impulse at a contact that closes in; return its size, N s."""
    speed, yielding = _closing(state, cars, turn, i, j, nx, ny, px, py)
    if not speed < 0:
        return 0.0
    bounce = RESTITUTION if speed < -SLOW else 0.0
    normal = -(1 + bounce) * speed / yielding
    _push(state, cars, turn, i, -normal * nx, -normal * ny, px, py)
    _push(state, cars, turn, j, normal * nx, normal * ny, px, py)
    speed, yielding = _closing(state, cars, turn, i, j, -ny, nx, px, py)
    most = FRICTION * normal
    side = min(max(-speed / yielding, -most), most)
    _push(state, cars, turn, i, side * ny, -side * nx, px, py)
    _push(state, cars, turn, j, -side * ny, side * nx, px, py)
    return math.sqrt(normal * normal + side * side)


@kernel
def _exchange_impulses(
    state: NDArray, cars: NDArray, turn: NDArray, pairs: NDArray, count: int,
    partner: NDArray, impulse: NDArray,
) -> None:  # fmt: skip
    """Let all touching pairs exchange impulses until none closes in."""
    strongest = np.zeros(len(state))
    for sweep in range(VELOCITY_SWEEPS):
        calm = True
        for k in range(count):
            i, j = pairs[k, 0], pairs[k, 1]
            depth, nx, ny, px, py = _overlap(state, cars, turn, i, j)
            if not depth > 0:
                continue
            given = _collide(state, cars, turn, i, j, nx, ny, px, py)
            calm = calm and given == 0.0
            for one, other in ((i, j), (j, i)):
                impulse[one] += given
                if given > strongest[one] or (sweep == 0 and partner[one] < 0):
                    strongest[one] = given
                    partner[one] = other
        if calm:
            break


@kernel
def _shift_apart(
    state: NDArray, cars: NDArray, turn: NDArray, pairs: NDArray, count: int, wedged: bool
) -> bool:
    """Shift overlapping cars apart for some sweeps; tell whether none had to be shifted.

    They go the shortest way, the lighter one further. In a heap that may lead round in circles:
    ``wedged`` cars go straight away from each other, equally far.
    """
    for sweep in range(SHIFT_SWEEPS):
        free = True
        for k in range(count):
            i, j = pairs[k, 0], pairs[k, 1]
            depth, nx, ny, _px, _py = _overlap(state, cars, turn, i, j)
            if not depth > SLOP:
                continue
            free = False
            share = cars[j, MASS] / (cars[i, MASS] + cars[j, MASS])
            share = min(max(share, LEAST_SHARE), 1 - LEAST_SHARE)
            if wedged:
                dx, dy = state[j, X] - state[i, X], state[j, Y] - state[i, Y]
                away = math.sqrt(dx * dx + dy * dy)
                if away > SLOP:
                    nx, ny, share = dx / away, dy / away, 0.5
            state[i, X] -= share * depth * nx
            state[i, Y] -= share * depth * ny
            state[j, X] += (1 - share) * depth * nx
            state[j, Y] += (1 - share) * depth * ny
        if free:
            return sweep == 0
    return False


@kernel
def _close_pairs(
    state: NDArray, cars: NDArray, height: NDArray, active: NDArray
) -> tuple[NDArray, int]:
    """List pairs of cars near enough to touch and at one height, in order of index."""
    n = len(state)
    x = state[:, X].copy()
    y = state[:, Y].copy()
    reach = 0.0
    for i in range(n):
        ahead = 0.5 * cars[i, LENGTH] + abs(cars[i, BOX_OFFSET])
        reach = max(reach, math.sqrt(ahead * ahead + 0.25 * cars[i, WIDTH] ** 2))
    pairs = np.empty((2 * n + 16, 2), np.int64)
    found = find_pairs(x, y, active, 2 * reach + MARGIN, pairs)
    if found > len(pairs):
        pairs = np.empty((found, 2), np.int64)
        found = find_pairs(x, y, active, 2 * reach + MARGIN, pairs)
    count = 0
    for k in range(found):
        i, j = pairs[k, 0], pairs[k, 1]
        if abs(height[i] - height[j]) <= HEADROOM:
            pairs[count, 0] = i
            pairs[count, 1] = j
            count += 1
    return pairs, count


def _example() -> tuple:
    row = np.array([CARS["gt"].vector()] * 2)
    state = np.zeros((2, STATE_WIDTH))
    active = np.ones(2, np.bool_)
    return state, row, np.zeros(2), active, state.copy(), np.empty(2, np.int64), np.empty(2)


@kernel(example=_example)
def resolve_contacts_into(
    state: NDArray,
    cars: NDArray,
    height: NDArray,
    active: NDArray,
    out: NDArray,
    partner: NDArray,
    impulse: NDArray,
) -> None:
    """Resolve contacts into ``out``, ``partner`` and ``impulse``, without checking anything.

    The arrays are those of :func:`resolve_contacts`; ``out`` may be ``state``.
    """
    n = len(state)
    for i in range(n):
        for column in range(STATE_WIDTH):
            out[i, column] = state[i, column]
        partner[i] = -1
        impulse[i] = 0.0
    pairs, count = _close_pairs(out, cars, height, active)
    if count == 0:
        return
    turn = np.empty((n, 2))
    for i in range(n):
        turn[i, 0] = math.cos(out[i, YAW])
        turn[i, 1] = math.sin(out[i, YAW])
    _exchange_impulses(out, cars, turn, pairs, count, partner, impulse)
    for attempt in range(ROUNDS):
        if _shift_apart(out, cars, turn, pairs, count, attempt >= PATIENCE):
            break
        pairs, count = _close_pairs(out, cars, height, active)


def resolve_contacts(
    state: ArrayLike,
    cars: ArrayLike,
    height: ArrayLike | None = None,
    active: ArrayLike | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Part the cars that touch.

    Parameters
    ----------
    state : (N, 7) array_like
        Columns of :mod:`headway.world.state`.
    cars : (N, CAR_WIDTH) array_like
        A row of :meth:`Car.vector` for each car.
    height : (N,) array_like, optional
        Height of the road under each car, m: cars more than 2 m apart do not touch.
    active : (N,) array_like of bool, optional
        Cars that can be touched; all if left out.

    Returns
    -------
    state : (N, 7) array
        The new state; rows of cars that touch nothing are unchanged.
    partner : (N,) array of int
        Index of the car hit hardest, -1 for none.
    impulse : (N,) array
        Sum of the impulses received, N s.

    Raises
    ------
    InputError
        If shapes do not agree or the state is not finite.

    Examples
    --------
    One car runs into the back of another that stands.

    >>> from headway.move.car import car
    >>> cars = np.array([car("gt").vector()] * 2)
    >>> state = np.zeros((2, 7))
    >>> state[:, 0] = 0.0, 4.55
    >>> state[0, 3] = 10.0
    >>> after, partner, impulse = resolve_contacts(state, cars)
    >>> partner.tolist(), impulse.round(6).tolist()
    ([1, 0], [7800.0, 7800.0])
    >>> after[:, [0, 3]].round(6).tolist()
    [[-0.025, 4.0], [4.575, 6.0]]
    """
    count = count_rows("state", state)
    old = as_rows("state", state, (count, STATE_WIDTH))
    bodies = as_rows("cars", cars, (count, CAR_WIDTH))
    heights = as_rows("height", np.zeros(count) if height is None else height, (count,))
    mask = as_rows("active", np.ones(count) if active is None else active, (count,), np.bool_)
    require_finite("state", old)
    new = np.empty_like(old)
    partner = np.empty(count, np.int64)
    impulse = np.empty(count)
    resolve_contacts_into(old, bodies, heights, mask, new, partner, impulse)
    return new, partner, impulse
