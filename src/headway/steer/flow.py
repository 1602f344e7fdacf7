"""Flow field: go with a current that is given on a lattice of points."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import above_zero, one_of, zero_or_more
from headway.geometry.rows import numbers, positions, read, refuse, vectors
from headway.geometry.vectors import Vector, minus, number, plus, store, times, unit, vector

WORLD_ORIGIN = {2: np.zeros(2), 3: np.zeros(3)}


@kernel(forceinline=True)
def _place(coordinate: float, size: int) -> tuple[int, float]:
    """The lattice point below a coordinate in cells, and how far beyond it, as a share."""
    inside = min(max(coordinate, 0.0), float(size - 1))
    low = min(int(inside), max(size - 2, 0))
    return low, inside - low


@kernel(forceinline=True)
def _sample(field: NDArray, layers: int, rows: int, columns: int, d: int, place: Vector) -> Vector:
    """Blend the field of the points around a place, in cells, linearly along each axis."""
    column, right = _place(place[0], columns)
    row, upper = _place(place[1], rows)
    layer, top = _place(place[2], layers)
    flow = (0.0, 0.0, 0.0)
    for corner in range(8 if layers > 1 else 4):
        x, y, z = corner & 1, corner >> 1 & 1, corner >> 2
        share = (right if x else 1.0 - right) * (upper if y else 1.0 - upper)
        share *= top if z else 1.0 - top
        if share > 0.0:
            at = ((layer + z) * rows + row + y) * columns + column + x
            flow = plus(flow, times(vector(field, at, d), share))
    return flow


@kernel(
    direct=True,
    example=lambda: (
        *(np.zeros(2), np.zeros(2), np.ones(8), 1, 2, 2, np.zeros(2), 1.0),
        *(np.ones(1), 0.0, False, 2, np.empty(2)),
    ),
)
def _follow_flow(
    position: NDArray, velocity: NDArray, field: NDArray, layers: int, rows: int, columns: int,
    origin: NDArray, cell: float, max_speed: NDArray, prediction_time: float, zero: bool,
    d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    corner = vector(origin, 0, d)
    for i in range(len(out) // d):
        v, speed = vector(velocity, i, d), number(max_speed, i)
        there = plus(vector(position, i, d), times(v, prediction_time))
        x, y, z = times(minus(there, corner), 1.0 / cell)
        inside = 0.0 <= x <= columns - 1 and 0.0 <= y <= rows - 1 and 0.0 <= z <= layers - 1
        steering = (0.0, 0.0, 0.0)
        if not math.isfinite(x + y + z):
            steering = (math.nan, math.nan, math.nan)
        elif inside or not zero:
            flow = _sample(field, layers, rows, columns, d, (x, y, z))
            steering = minus(times(unit(flow), speed), v)
        if not (store(out, i, d, steering) and speed >= 0.0):
            bad = i
    return bad


def follow_flow(
    position: ArrayLike,
    velocity: ArrayLike,
    field: ArrayLike,
    max_speed: ArrayLike,
    *,
    origin: ArrayLike | None = None,
    cell: float = 1.0,
    prediction_time: float = 0.0,
    outside: Literal["clamp", "zero"] = "clamp",
) -> NDArray[np.float64]:
    """Steer along the flow at the place where the agent will be.

    Between its points the field is blended linearly; only its direction counts. Where it vanishes
    the agent is to stop.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    field : (R, C, 2) or (L, R, C, 3) ndarray
        Flow at points of a lattice, world frame: x grows with the column, y with the row, z with
        the layer.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    origin : (d,) ndarray, optional
        m, world frame: where the first point of the field is; by default the origin of the world.
    cell : float
        m, between neighbouring points, above zero.
    prediction_time : float
        s, how far ahead the flow is looked up.
    outside : {"clamp", "zero"}
        Beyond the lattice: the flow at its border, or no change of velocity.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> field = [[(1.0, 0.0), (1.0, 0.0)], [(0.0, 2.0), (0.0, 2.0)]]  # east below, north above
    >>> follow_flow((0.5, 1.0), (0.0, 0.0), field, 3.0).tolist()
    [0.0, 3.0]
    """
    p, shape = positions("position", position)
    d = shape[-1]
    v, speed = vectors("velocity", velocity, shape), numbers("max_speed", max_speed, shape)
    flow, layers, rows, columns = _lattice(field, d)
    cell = above_zero("cell", cell, "metres")
    ahead = zero_or_more("prediction_time", prediction_time, "seconds")
    one_of("outside", outside, ("clamp", "zero"))
    corner = WORLD_ORIGIN[d] if origin is None else vectors("origin", origin, (d,))
    out = np.empty(shape)
    bad = _follow_flow(
        *(p, v, flow, layers, rows, columns, corner, cell),
        *(speed, ahead, outside == "zero", d, out.ravel()),
    )
    if bad >= 0:
        refuse(
            position=position, velocity=velocity, max_speed_=max_speed,
            origin=corner, field=flow,
        )  # fmt: skip
    return out


def _lattice(field: ArrayLike, d: int) -> tuple[NDArray[np.float64], int, int, int]:
    """The flow at the points of a field, flat, and how many layers, rows and columns there are."""
    flow = read("field", field)
    if flow.ndim != d + 1 or flow.shape[-1] != d or 0 in flow.shape:
        wanted = "(R, C, 2)" if d == 2 else "(L, R, C, 3)"
        raise InputError(f"field has shape {flow.shape}: give {wanted} for d = {d}.")
    layers, rows, columns = (1, *flow.shape[:-1])[-3:]
    return flow.ravel() if flow.flags.writeable else flow.flatten(), layers, rows, columns
