"""Projection onto a whole curve with regard to heading, and projection of many positions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.arc_length import PIECES
from headway.geometry.curves import curve_point, distance_squared, example_curve, project

Array = NDArray[np.float64]


@kernel
def project_by_heading(
    coefficients: Array,
    knots: Array,
    linear: bool,
    closed: bool,
    x: float,
    y: float,
    yaw: float,
    weight: float,
) -> tuple[float, float]:
    """Project onto a whole curve where it passes near with the right heading.

    Of all local minima of the distance, takes the one with the least
    distance + weight · (1 − max(0, cos(yaw − yaw of the curve))).

    Parameters
    ----------
    coefficients, knots, linear, closed
        The curve.
    x, y, yaw : float
        Pose, m and rad.
    weight : float
        Metres that a heading a quarter turn or more away counts for.

    Returns
    -------
    s, offset : float
        As for :func:`project`.
    """
    pieces = knots.shape[0] - 1
    samples = pieces if closed else pieces + 1
    best_s, best_offset, least = 0.0, 0.0, math.inf
    before = _knot_distance(coefficients, samples - 1, x, y) if closed else math.inf
    here = _knot_distance(coefficients, 0, x, y)
    for i in range(samples):
        after = math.inf
        if closed or i + 1 < samples:
            after = _knot_distance(coefficients, (i + 1) % samples, x, y)
        if here <= before and here <= after:
            s_here, ahead = knots[i], knots[min(i + 1, pieces)] - knots[i]
            behind = knots[i] - knots[i - 1] if i > 0 else knots[pieces] - knots[pieces - 1]
            window = max(ahead, behind)
            s, offset = project(coefficients, knots, linear, closed, x, y, s_here, window)
            px, py, _, tx, ty, _ = curve_point(coefficients, knots, linear, closed, s)
            agreement = max(0.0, tx * math.cos(yaw) + ty * math.sin(yaw))
            distance = math.sqrt((x - px) ** 2 + (y - py) ** 2)
            cost = distance + weight * (1.0 - agreement)
            if cost < least:
                best_s, best_offset, least = s, offset, cost
        before, here = here, after
    return best_s, best_offset


@kernel
def _knot_distance(coefficients: Array, knot: int, x: float, y: float) -> float:
    """Squared distance in the plan (m²) from (x, y) to where a knot stands."""
    segment = min(knot // PIECES, coefficients.shape[0] - 1)
    return distance_squared(coefficients, segment, knot / PIECES - segment, x, y)


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


@kernel(example=lambda: (*example_curve(), np.zeros((2, 2)), np.zeros(2), 5.0))
def project_all_by_heading(
    coefficients: Array,
    knots: Array,
    linear: bool,
    closed: bool,
    positions: Array,
    yaws: Array,
    weight: float,
) -> Array:
    """:func:`project_by_heading` for N positions (N, 2), yaws (N,): (N, 2) of s and offset, m."""
    found = np.empty((positions.shape[0], 2))
    for i in range(positions.shape[0]):
        x, y = positions[i, 0], positions[i, 1]
        s, offset = project_by_heading(coefficients, knots, linear, closed, x, y, yaws[i], weight)
        found[i, 0] = s
        found[i, 1] = offset
    return found
