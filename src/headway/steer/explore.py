"""Explore and forage: go where nobody has been for longest, until there is something to fetch.

The memory is a coarse grid that holds for each cell the tick of the last visit. All agents of a
call share it: what one has seen need not be seen by the others. For a memory each, call for each.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import above_zero, seconds, whole, zero_or_more
from headway.geometry.rows import numbers, positions, read, refuse, vectors
from headway.geometry.vectors import Vector, dot, minus, number, plus, store, times, vector
from headway.steer.arrive import arrive_one, lag_of
from headway.steer.seek import seek_one

NEVER = -1
"""In a map of visits: a cell where nobody has been yet."""

CLOSED = 2**62
"""In a map of visits: a cell that is not to be visited."""

WORLD_ORIGIN = {2: np.zeros(2), 3: np.zeros(3)}


@kernel(forceinline=True)
def _centre(at: int, rows: int, columns: int, d: int, corner: Vector, cell: float) -> Vector:
    """The middle of a cell given by its place in the flat map."""
    layer, row, column = at // (rows * columns), at // columns % rows, at % columns
    height = (layer + 0.5) * cell if d == 3 else 0.0
    return plus(corner, ((column + 0.5) * cell, (row + 0.5) * cell, height))


@kernel(forceinline=True)
def _cell_of(p: Vector, layers: int, rows: int, columns: int, corner: Vector, cell: float) -> int:
    """The place in the flat map of the cell that holds a point; −1 off the map."""
    x, y, z = times(minus(p, corner), 1.0 / cell)
    if not (0.0 <= x < columns and 0.0 <= y < rows and 0.0 <= z < layers):
        return -1
    return (int(z) * rows + int(y)) * columns + int(x)


@kernel
def _least_recent(
    visits: NDArray, rows: int, columns: int, d: int, p: Vector, corner: Vector, cell: float
) -> Vector:
    """The middle of the cell longest unvisited; of several, the nearest; p if all are closed."""
    oldest, nearest, target = CLOSED, math.inf, p
    for at in range(len(visits)):
        tick = visits[np.uint64(at)]
        if tick > oldest or tick == CLOSED:
            continue
        middle = _centre(at, rows, columns, d, corner, cell)
        way = minus(middle, p)
        distance = dot(way, way)
        if tick < oldest or distance < nearest:
            oldest, nearest, target = tick, distance, middle
    return target


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), np.full(4, NEVER), 1, 2, 2, np.zeros(2), 1.0, 0),
        *(np.zeros(2), np.zeros(1, np.bool_), 1.0, np.ones(1), np.ones(1), 0.02, 0.0),
        *(2, np.empty(2), np.empty(1, np.int64)),
    ),
)
def _forage(
    position: NDArray, velocity: NDArray, visits: NDArray, layers: int, rows: int, columns: int,
    origin: NDArray, cell: float, tick: int,
    resources: NDArray, taken: NDArray, view_range: float,
    max_speed: NDArray, max_deceleration: NDArray, dt: float, lag: float,
    d: int, out: NDArray, chosen: NDArray,
) -> int:  # fmt: skip
    corner, bad = vector(origin, 0, d), -1
    for i in range(len(chosen)):
        here = _cell_of(vector(position, i, d), layers, rows, columns, corner, cell)
        if here >= 0 and visits[np.uint64(here)] != CLOSED:
            visits[np.uint64(here)] = tick
    for i in range(len(chosen)):
        p, v = vector(position, i, d), vector(velocity, i, d)
        top, braking = number(max_speed, i), number(max_deceleration, i)
        found, nearest = -1, view_range * view_range
        for j in range(len(taken)):
            way = minus(vector(resources, j, d), p)
            squared = dot(way, way)
            seen = squared < nearest or (found < 0 and squared == nearest)
            if seen and not taken[np.uint64(j)]:
                found, nearest = j, squared
        chosen[np.uint64(i)] = found
        if found >= 0:
            food, rest = vector(resources, found, d), (0.0, 0.0, 0.0)
            steering = arrive_one(p, v, food, rest, top, braking, 0.0, 0.0, dt, lag)
        else:
            middle = _least_recent(visits, rows, columns, d, p, corner, cell)
            steering = seek_one(p, v, middle, top)
        if not (store(out, i, d, steering) and top >= 0.0 and braking >= 0.0):
            bad = i
    return bad


def unvisited(shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Make a map of cells where nobody has been.

    Parameters
    ----------
    shape : (R, C) or (L, R, C)
        How many cells; for agents in the plane or in space.

    Returns
    -------
    (R, C) or (L, R, C) ndarray of int64
        Tick of the last visit to each cell: `NEVER`. Set `CLOSED` where agents shall not go.

    Examples
    --------
    >>> unvisited((2, 3)).tolist()
    [[-1, -1, -1], [-1, -1, -1]]
    """
    return np.full(shape, NEVER, np.int64)


def explore(
    position: ArrayLike,
    velocity: ArrayLike,
    visits: NDArray[np.int64],
    max_speed: ArrayLike,
    *,
    tick: int,
    cell: float = 1.0,
    origin: ArrayLike | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Steer to the cell that has not been visited for longest; of several, to the nearest.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    visits : (R, C) or (L, R, C) ndarray of int64
        From `unvisited` or from the last call, shared by all agents given: x grows with the
        column, y with the row, z with the layer.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    tick : int
        Steps done; zero or more.
    cell : float
        m, size of the cells, above zero.
    origin : (d,) ndarray, optional
        m, world frame: the lowest corner of the map; by default the origin of the world.

    Returns
    -------
    steering : (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.
    visits : (R, C) or (L, R, C) ndarray of int64
        For the next call; the map given is not changed.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> steering, visits = explore((0.5, 0.5), (0.0, 0.0), unvisited((1, 3)), 2.0, tick=7)
    >>> steering.tolist(), visits.tolist()
    ([2.0, 0.0], [[7, -1, -1]])
    """
    _, shape = positions("position", position)
    nothing = np.empty((0, shape[-1]))
    steering, after, _ = forage(
        *(position, velocity, nothing, visits, max_speed, 0.0, 1.0),
        view_range=0.0, tick=tick, cell=cell, origin=origin,
    )  # fmt: skip
    return steering, after


def forage(
    position: ArrayLike,
    velocity: ArrayLike,
    resources: ArrayLike,
    visits: NDArray[np.int64],
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    view_range: float,
    tick: int,
    taken: ArrayLike | None = None,
    cell: float = 1.0,
    origin: ArrayLike | None = None,
    response: float | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Explore until a resource is in view, then arrive at the nearest.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    resources : (M, d) array_like
        m, world frame.
    visits : (R, C) or (L, R, C) ndarray of int64
        As in `explore`.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the body can brake.
    dt : float
        s, of one step, above zero.
    view_range : float
        m, how far agents see.
    tick : int
        Steps done; zero or more.
    taken : (M,) array_like of bool, optional
        Which resources are not to be had, because they are used up or cannot be seen.
    cell : float
        m, as in `explore`.
    origin : (d,) ndarray, optional
        m, world frame, as in `explore`.
    response : float, optional
        s: the response time of `force_for`, where that is longer than dt.

    Returns
    -------
    steering : (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.
    visits : (R, C) or (L, R, C) ndarray of int64
        For the next call; the map given is not changed.
    chosen : () or (N,) ndarray of int64
        Which resource each agent goes for; −1 while it explores.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> food = [(4.0, 0.0), (0.0, 3.0)]
    >>> steering, _, chosen = forage(
    ...     (0.0, 0.0), (0.0, 0.0), food, unvisited((5, 5)), 2.0, 8.0, 0.02, view_range=10.0, tick=0
    ... )
    >>> steering.tolist(), int(chosen)
    ([0.0, 2.0], 1)
    """
    p, shape = positions("position", position)
    v, d = vectors("velocity", velocity, shape), shape[-1]
    top = numbers("max_speed", max_speed, shape)
    braking = numbers("max_deceleration", max_deceleration, shape)
    food, gone = _resources(resources, taken, d)
    after = np.array(visits, order="C")
    if after.dtype != np.int64 or after.ndim != d or after.size == 0:
        wanted = "(R, C)" if d == 2 else "(L, R, C)"
        raise InputError(f"visits is {after.dtype} of shape {after.shape}: give int64 of {wanted}.")
    cell, dt = above_zero("cell", cell, "metres"), seconds("dt", dt)
    view_range = zero_or_more("view_range", view_range, "metres")
    tick = whole("tick", tick, 0, "a whole number, zero or more")
    if tick >= CLOSED:
        raise InputError(f"tick is {tick}: give a whole number below {CLOSED}.")
    corner = WORLD_ORIGIN[d] if origin is None else vectors("origin", origin, (d,))
    out, chosen = np.empty(shape), np.empty(shape[:-1], np.int64)
    layers, rows, columns = (1, *after.shape)[-3:]
    bad = _forage(
        *(p, v, after.ravel(), layers, rows, columns, corner, cell, tick),
        *(food, gone, view_range, top, braking, dt, lag_of(response, dt)),
        *(d, out.ravel(), chosen.ravel()),
    )
    if bad >= 0:
        refuse(
            position=position, velocity=velocity, max_speed_=max_speed,
            max_deceleration_=max_deceleration, origin=corner,
        )  # fmt: skip
    return out, after, chosen


def _resources(
    resources: ArrayLike, taken: ArrayLike | None, d: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    food = np.array(read("resources", resources))
    food = food if food.size else food.reshape(0, d)
    if food.ndim != 2 or food.shape[1] != d:
        raise InputError(f"resources has shape {food.shape}: give (M, {d}).")
    if not np.isfinite(food).all():
        row = int(np.argwhere(~np.isfinite(food))[0][0])
        raise InputError(f"resources[{row}] is {food[row]}: give finite numbers.")
    gone = np.zeros(len(food), np.bool_) if taken is None else np.array(taken, ndmin=1)
    if gone.dtype != np.bool_ or gone.shape != (len(food),):
        raise InputError(f"taken is {gone.dtype} of {gone.shape}: give bool of ({len(food)},).")
    return food.ravel(), gone
