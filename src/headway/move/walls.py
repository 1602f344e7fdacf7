"""Cars against the walls beside a road.

Near a car each wall counts as straight and parallel to the road, at a distance from its centre
line. Where corners of the car's box reach beyond a wall and move out, the car takes an impulse
as in :mod:`headway.move.contact` from a partner that does not move, and is shifted inside.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.move.car import CARS
from headway.move.car_parameters import BOX_OFFSET, CAR_WIDTH, LENGTH, MASS, WIDTH, YAW_INERTIA
from headway.move.rows import as_rows, count_rows, require_finite
from headway.world.state import STATE_WIDTH, VX, VY, YAW, YAW_RATE, X, Y

RESTITUTION = 0.1
FRICTION = 0.3
SLOW = 0.5
"""Cars that come in slower than this (m/s) do not bounce."""


@kernel
def _beyond(
    cars: NDArray, car: int, c: float, s: float, offset: float, limit: float, way: float
) -> tuple[float, float, float]:
    """How far the box reaches beyond the wall on one side (way 1 left, -1 right), and where.

    The place is the mean of the corners beyond, weighted by depth, from the centre of gravity
    along the road and to its left. The reach is negative if there is room.
    """
    deepest = -math.inf
    total = px = py = 0.0
    for corner in range(4):
        ahead = cars[car, BOX_OFFSET] + (0.5 if corner < 2 else -0.5) * cars[car, LENGTH]
        left = (0.5 if corner % 2 == 0 else -0.5) * cars[car, WIDTH]
        x = c * ahead - s * left
        y = s * ahead + c * left
        depth = way * (offset + y) - limit
        deepest = max(deepest, depth)
        if depth > 0:
            total += depth
            px += depth * x
            py += depth * y
    if total > 0:
        px /= total
        py /= total
    return deepest, px, py


@kernel
def _push(
    state: NDArray, cars: NDArray, car: int, c: float, s: float,
    ix: float, iy: float, px: float, py: float,
) -> None:  # fmt: skip
    """Give the car an impulse at a point, both in the frame of the road."""
    state[car, VX] += (c * ix + s * iy) / cars[car, MASS]
    state[car, VY] += (c * iy - s * ix) / cars[car, MASS]
    state[car, YAW_RATE] += (px * iy - py * ix) / cars[car, YAW_INERTIA]


@kernel
def _bounce(
    state: NDArray, cars: NDArray, car: int, c: float, s: float, px: float, py: float, way: float
) -> None:
    """Stop a point of the car that moves out through a wall, and drag its sliding along."""
    per_mass = 1 / cars[car, MASS]
    per_inertia = 1 / cars[car, YAW_INERTIA]
    out = way * (s * state[car, VX] + c * state[car, VY] + state[car, YAW_RATE] * px)
    if not out > 0:
        return
    bounce = RESTITUTION if out > SLOW else 0.0
    normal = (1 + bounce) * out / (per_mass + px * px * per_inertia)
    _push(state, cars, car, c, s, 0.0, -way * normal, px, py)
    along = c * state[car, VX] - s * state[car, VY] - state[car, YAW_RATE] * py
    most = FRICTION * normal
    drag = min(max(-along / (per_mass + py * py * per_inertia), -most), most)
    _push(state, cars, car, c, s, drag, 0.0, px, py)


def _example() -> tuple:
    row = CARS["gt"].vector()[None]
    state = np.zeros((1, STATE_WIDTH))
    one = np.ones(1)
    return state, row, np.zeros(1), one, one, np.zeros(1), state.copy(), np.zeros(1, np.bool_)


@kernel(example=_example)
def resolve_walls_into(
    state: NDArray,
    cars: NDArray,
    offset: NDArray,
    left: NDArray,
    right: NDArray,
    road_yaw: NDArray,
    out: NDArray,
    hit: NDArray,
) -> None:
    """Keep cars inside their walls, into ``out`` and ``hit``, without checking anything.

    The arrays are those of :func:`resolve_walls`; ``out`` may be ``state``.
    """
    for car in range(len(state)):
        for column in range(STATE_WIDTH):
            out[car, column] = state[car, column]
        hit[car] = False
        reach = cars[car, LENGTH] + cars[car, WIDTH] + 2 * abs(cars[car, BOX_OFFSET])
        if 2 * (left[car] - offset[car]) > reach and 2 * (right[car] + offset[car]) > reach:
            continue
        c = math.cos(out[car, YAW] - road_yaw[car])
        s = math.sin(out[car, YAW] - road_yaw[car])
        over_left, px, py = _beyond(cars, car, c, s, offset[car], left[car], 1.0)
        if over_left > 0:
            _bounce(out, cars, car, c, s, px, py, 1.0)
        over_right, px, py = _beyond(cars, car, c, s, offset[car], right[car], -1.0)
        if over_right > 0:
            _bounce(out, cars, car, c, s, px, py, -1.0)
        hit[car] = over_left > 0 or over_right > 0
        if not hit[car]:
            continue
        shift = max(over_right, 0.0) - max(over_left, 0.0)
        if over_left + over_right > 0:  # the gap is narrower than the car: to its middle
            shift = 0.5 * (over_right - over_left)
        out[car, X] -= shift * math.sin(road_yaw[car])
        out[car, Y] += shift * math.cos(road_yaw[car])


def resolve_walls(
    state: ArrayLike,
    cars: ArrayLike,
    offset: ArrayLike,
    left: ArrayLike,
    right: ArrayLike,
    road_yaw: ArrayLike,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Keep cars between the walls beside their road.

    Parameters
    ----------
    state : (N, 7) array_like
        Columns of :mod:`headway.world.state`.
    cars : (N, CAR_WIDTH) array_like
        A row of :meth:`Car.vector` for each car.
    offset : (N,) array_like
        Of the centre of gravity from the centre line, m, left positive.
    left, right : (N,) array_like
        Distance of the walls from the centre line, m; infinite where there is none.
    road_yaw : (N,) array_like
        Direction of the road, rad.

    Returns
    -------
    state : (N, 7) array
        The new state; rows of cars that touch no wall are unchanged.
    hit : (N,) array of bool
        Whether a car touched a wall.

    Raises
    ------
    InputError
        If shapes do not agree, or a value other than an infinite distance is not finite.

    Examples
    --------
    A car that slides broadside into a wall on its left keeps a tenth of its speed.

    >>> from headway.move.car import car
    >>> state = np.array([[0.0, 4.1, 0, 30, 5, 0, 0]])
    >>> after, hit = resolve_walls(state, car("gt").vector()[None], [4.1], [5], [5], [0])
    >>> hit.tolist(), after[0, [1, 4]].round(3).tolist()
    ([True], [4.025, -0.5])
    """
    count = count_rows("state", state)
    old = as_rows("state", state, (count, STATE_WIDTH))
    bodies = as_rows("cars", cars, (count, CAR_WIDTH))
    offsets = as_rows("offset", offset, (count,))
    lefts = as_rows("left", left, (count,))
    rights = as_rows("right", right, (count,))
    yaws = as_rows("road_yaw", road_yaw, (count,))
    for name, array in (("state", old), ("offset", offsets), ("road_yaw", yaws)):
        require_finite(name, array)
    if np.isnan(lefts).any() or np.isnan(rights).any():
        raise InputError("left or right is not a number; give infinity where there is no wall.")
    new = np.empty_like(old)
    hit = np.empty(count, np.bool_)
    resolve_walls_into(old, bodies, offsets, lefts, rights, yaws, new, hit)
    return new, hit
