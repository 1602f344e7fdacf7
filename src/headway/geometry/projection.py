"""Projection of many positions onto a curve, and onto a whole curve with regard to heading."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.curves import curve_points, example_curve, project

Array = NDArray[np.float64]


@kernel(example=lambda: (*example_curve(), np.zeros((2, 2)), np.zeros(2), -1.0))
def project_all(
    coefficients: Array,
    knots: Array,
    linear: bool,
    closed: bool,
    positions: Array,
    hints: Array,
    window: float,
) -> Array:
    """:func:`project` for N positions (N, 2) with hints (N,): (N, 2) of s and offset, m."""
    found = np.empty((positions.shape[0], 2))
    for i in range(positions.shape[0]):
        x, y = positions[i, 0], positions[i, 1]
        s, offset = project(coefficients, knots, linear, closed, x, y, hints[i], window)
        found[i, 0] = s
        found[i, 1] = offset
    return found


def project_all_by_heading(
    coefficients: Array,
    knots: Array,
    linear: bool,
    closed: bool,
    positions: Array,
    yaws: Array,
    weight: float,
) -> Array:
    """Project onto a whole curve where it passes near with the right heading.

    Of all local minima of the distance, takes the one with the least
    distance + weight · (1 − max(0, cos(yaw − yaw of the curve))).

    Parameters
    ----------
    coefficients, knots : (S, 4, 3) and (8 S + 1,) ndarray
        The curve.
    linear, closed : bool
        How it is measured, and whether it leads back to its start.
    positions : (N, 2) ndarray
        m, world frame.
    yaws : (N,) ndarray
        Heading at each position, rad.
    weight : float
        Metres that a heading a quarter turn or more away counts for.

    Returns
    -------
    (N, 2) ndarray
        s and offset, m, as of :func:`project`.
    """
    curve = coefficients, knots, linear, closed
    marks = knots[:-1] if closed else knots
    places = curve_points(*curve, marks)[:, :2]
    window = float(np.diff(knots).max())
    found = np.empty((len(positions), 2))
    for i, (position, yaw) in enumerate(zip(positions, yaws, strict=True)):
        near = marks[_local_minima(((places - position) ** 2).sum(axis=1), closed)]
        here = np.repeat(position[None], len(near), axis=0)
        feet = project_all(*curve, here, near, window)
        x, y, _, tx, ty, _, _ = curve_points(*curve, feet[:, 0].copy()).T
        size = np.maximum(np.hypot(tx, ty), 1e-12)
        agreement = np.maximum((tx * np.cos(yaw) + ty * np.sin(yaw)) / size, 0.0)
        distance = np.hypot(x - position[0], y - position[1])
        found[i] = feet[np.argmin(distance + weight * (1.0 - agreement))]
    return found


def _local_minima(values: Array, closed: bool) -> NDArray[np.intp]:
    """Tell which values, around a closed curve or along an open one, no neighbour is below."""
    before, after = np.roll(values, 1), np.roll(values, -1)
    if not closed:
        before[0] = after[-1] = np.inf
    return np.flatnonzero((values <= before) & (values <= after))
