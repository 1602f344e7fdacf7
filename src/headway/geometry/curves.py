"""Points of a curve, and projection onto it.

A curve is four values, in this order wherever a kernel takes them:

``coefficients`` : (S, 4, 3) float, m
    Its cubic segments, from :mod:`headway.geometry.splines`; planar curves have z = 0.
``knots`` : (S·PIECES + 1,) float, m
    Where its parameter s stands, from :mod:`headway.geometry.arc_length`.
``linear`` : bool
    True: u grows evenly with s within a segment. False: s is arc length, and u is solved for.
``closed`` : bool
    True: s wraps around; False: s is clamped to the ends.

Arc length is that of the curve in space; tangents, curvature and projection are those of its
plan (x, y), because that is where cars steer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.arc_length import PIECES, arc_length, chord_knots, locate, piece_at, wrap
from headway.geometry.splines import polyline

Array = NDArray[np.float64]


@kernel
def evaluate(
    coefficients: Array, segment: int, u: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """Evaluate a segment: (x, y, z, dx, dy, dz, ddx, ddy), derivatives with respect to u."""
    c = coefficients[segment]
    return (
        c[0, 0] + u * (c[1, 0] + u * (c[2, 0] + u * c[3, 0])),
        c[0, 1] + u * (c[1, 1] + u * (c[2, 1] + u * c[3, 1])),
        c[0, 2] + u * (c[1, 2] + u * (c[2, 2] + u * c[3, 2])),
        c[1, 0] + u * (2.0 * c[2, 0] + 3.0 * u * c[3, 0]),
        c[1, 1] + u * (2.0 * c[2, 1] + 3.0 * u * c[3, 1]),
        c[1, 2] + u * (2.0 * c[2, 2] + 3.0 * u * c[3, 2]),
        2.0 * c[2, 0] + 6.0 * u * c[3, 0],
        2.0 * c[2, 1] + 6.0 * u * c[3, 1],
    )


@kernel
def _frame(
    coefficients: Array, segment: int, u: float
) -> tuple[float, float, float, float, float, float, float]:
    """Point, unit tangent in space and signed curvature of the plan, at u of a segment."""
    x, y, z, dx, dy, dz, ddx, ddy = evaluate(coefficients, segment, u)
    plan = math.sqrt(dx * dx + dy * dy)
    size = math.sqrt(dx * dx + dy * dy + dz * dz)
    curvature = 0.0
    if plan > 1e-9 * (abs(ddx) + abs(ddy)):
        curvature = (dx * ddy - dy * ddx) / (plan * plan * plan)
    elif ddx != 0.0 or ddy != 0.0:
        # The curve turns back on itself here: it leaves (or arrived) along its second derivative.
        side = 1.0 if u < 0.5 else -1.0
        dx, dy, dz = side * ddx, side * ddy, 0.0
        size = math.sqrt(dx * dx + dy * dy)
    return x, y, z, dx / size, dy / size, dz / size, curvature


@kernel
def curve_point(
    coefficients: Array, knots: Array, linear: bool, closed: bool, s: float
) -> tuple[float, float, float, float, float, float]:
    """Evaluate a curve at s: (x, y, z, tx, ty, curvature).

    (tx, ty) is the unit tangent of the plan; the curvature (1/m) of the plan is positive to the
    left.
    """
    segment, u = locate(coefficients, knots, linear, closed, s)
    x, y, z, tx, ty, _, curvature = _frame(coefficients, segment, u)
    plan = math.sqrt(tx * tx + ty * ty)
    return x, y, z, tx / plan, ty / plan, curvature


def example_curve() -> tuple[Any, ...]:
    """A triangle, for kernels to be warmed with."""
    points = np.array([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [5.0, 9.0, 0.0]])
    return polyline(points, True), chord_knots(points, True), True, True


@kernel(example=lambda: (*example_curve(), np.zeros(2)))
def curve_points(coefficients: Array, knots: Array, linear: bool, closed: bool, s: Array) -> Array:
    """Evaluate a curve at many s.

    Parameters
    ----------
    coefficients, knots, linear, closed
        The curve.
    s : (N,) ndarray
        m, finite.

    Returns
    -------
    (N, 7) ndarray
        x, y, z (m), the unit tangent in space (3), and the curvature of the plan (1/m).

    Examples
    --------
    >>> square = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]])
    >>> curve = polyline(square, True), chord_knots(square, True), True, True
    >>> curve_points(*curve, np.array([3.0, -1.0]))[:, :2].tolist()
    [[2.0, 1.0], [0.0, 1.0]]
    """
    frames = np.empty((s.shape[0], 7))
    for i in range(s.shape[0]):
        segment, u = locate(coefficients, knots, linear, closed, s[i])
        frame = _frame(coefficients, segment, u)
        for j in range(7):
            frames[i, j] = frame[j]
    return frames


# ---------------------------------------------------------------------------------------------
# Projection


@kernel(example=lambda: (*example_curve(), 1.0, 2.0, 0.0, 5.0))
def project(
    coefficients: Array,
    knots: Array,
    linear: bool,
    closed: bool,
    x: float,
    y: float,
    s_hint: float,
    window: float,
) -> tuple[float, float]:
    """Find the closest point of a stretch of a curve, in the plan.

    It is the closest of the whole stretch, not of a neighbourhood: only segments are passed over
    that cannot hold it, because a curve of length L comes no nearer than half of (distance to
    its start + distance to its end − L).

    Parameters
    ----------
    coefficients, knots, linear, closed
        The curve.
    x, y : float
        Position, m.
    s_hint : float
        Where to search, m: the last known s.
    window : float
        How far to either side of it, m; negative for the whole curve.

    Returns
    -------
    s : float
        Parameter of the closest point, m.
    offset : float
        Distance to it, m, positive to the left of the curve. Beyond an end of an open curve, the
        component across the end's tangent.
    """
    length = knots[-1]
    whole = window < 0.0 or (closed and 2.0 * window >= length)
    low = 0.0 if whole else wrap(knots, closed, s_hint - window)
    high = length if whole else wrap(knots, closed, s_hint + window)
    turns = 1 if high < low else 0
    s, offset = low, 0.0
    for exact in range(2):
        if exact:
            start, u_first = locate(coefficients, knots, linear, closed, low)
            end, u_last = locate(coefficients, knots, linear, closed, high)
        else:  # whole pieces need no inversion of arc length, and nearly always suffice
            first, last = piece_at(knots, low), piece_at(knots, high) + 1
            start, end = first // PIECES, (last - 1) // PIECES
            u_first, u_last = first / PIECES - start, last / PIECES - end
        count = end - start + 1 + turns * coefficients.shape[0]
        segment, u = _closest(coefficients, knots, linear, start, count, u_first, u_last, x, y)
        s, offset = _foot(coefficients, knots, linear, closed, segment, u, x, y)
        ahead = s - low if s >= low else s - low + length
        if ahead <= high - low + turns * length:
            break
    return s, offset


@kernel
def _closest(
    coefficients: Array,
    knots: Array,
    linear: bool,
    first: int,
    count: int,
    u_first: float,
    u_last: float,
    x: float,
    y: float,
) -> tuple[int, float]:
    """The closest segment and u, from u of the first to u of the last of count segments."""
    likely = _likely_segment(coefficients, first, count, x, y)
    low = u_first if likely == 0 else 0.0
    high = u_last if likely == count - 1 else 1.0
    segments = coefficients.shape[0]
    foot = first + likely if first + likely < segments else first + likely - segments
    u_foot, squared = _closest_of_segment(coefficients, foot, low, high, x, y)
    least = math.sqrt(squared)
    start = math.sqrt(distance_squared(coefficients, first, 0.0, x, y))
    for i in range(count):
        segment = first + i if first + i < segments else first + i - segments
        end = math.sqrt(distance_squared(coefficients, segment, 1.0, x, y))
        longest = _longest(coefficients, knots, linear, segment)
        if start + end - longest < 2.0 * least and i != likely:
            low = u_first if i == 0 else 0.0
            high = u_last if i == count - 1 else 1.0
            u, squared = _closest_of_segment(coefficients, segment, low, high, x, y)
            if squared < least * least:
                foot, u_foot, least = segment, u, math.sqrt(squared)
        start = end
    return foot, u_foot


@kernel
def _likely_segment(coefficients: Array, first: int, count: int, x: float, y: float) -> int:
    """Of count segments from the first, the one whose ends are nearest (as 0, 1, 2 …)."""
    segments = coefficients.shape[0]
    likely, least = 0, math.inf
    start = distance_squared(coefficients, first, 0.0, x, y)
    for i in range(count):
        segment = first + i if first + i < segments else first + i - segments
        end = distance_squared(coefficients, segment, 1.0, x, y)
        likely = i if start + end < least else likely
        least = min(start + end, least)
        start = end
    return likely


@kernel
def distance_squared(coefficients: Array, segment: int, u: float, x: float, y: float) -> float:
    """Squared distance in the plan (m²) from (x, y) to u of a segment."""
    c = coefficients[segment]
    dx = c[0, 0] + u * (c[1, 0] + u * (c[2, 0] + u * c[3, 0])) - x
    dy = c[0, 1] + u * (c[1, 1] + u * (c[2, 1] + u * c[3, 1])) - y
    return dx * dx + dy * dy


@kernel
def _longest(coefficients: Array, knots: Array, linear: bool, segment: int) -> float:
    """A length (m) that the plan of a segment does not exceed: that of its Bézier polygon."""
    if not linear:
        return knots[segment * PIECES + PIECES] - knots[segment * PIECES]
    c = coefficients[segment]
    c1x, c2x, c3x = c[1, 0], c[2, 0], c[3, 0]
    c1y, c2y, c3y = c[1, 1], c[2, 1], c[3, 1]
    ax, ay = c1x + c2x, c1y + c2y
    bx, by = ax + c2x + 3.0 * c3x, ay + c2y + 3.0 * c3y
    legs = math.sqrt(c1x * c1x + c1y * c1y) + math.sqrt(ax * ax + ay * ay)
    return (legs + math.sqrt(bx * bx + by * by)) / 3.0


@kernel
def _closest_of_segment(
    coefficients: Array, segment: int, low: float, high: float, x: float, y: float
) -> tuple[float, float]:
    """The u in [low, high] of a segment closest to (x, y), and its squared distance.

    The distance is sampled at nine places and each dip among the samples is followed down.
    """
    step = (high - low) / PIECES
    closest, least = low, math.inf
    before, here = math.inf, distance_squared(coefficients, segment, low, x, y)
    for j in range(PIECES + 1):
        u = low + j * step
        after = math.inf
        if j < PIECES:
            after = distance_squared(coefficients, segment, u + step, x, y)
        if here <= before and here <= after:
            u = _descend(coefficients, segment, max(u - step, low), u, min(u + step, high), x, y)
            distance = distance_squared(coefficients, segment, u, x, y)
            if distance < least:
                closest, least = u, distance
        before, here = here, after
    return closest, least


@kernel
def _descend(
    coefficients: Array, segment: int, low: float, u: float, high: float, x: float, y: float
) -> float:
    """Walk from u to a local minimum of the distance within [low, high]: bracketed Newton."""
    for _ in range(60):
        px, py, _, dx, dy, _, ddx, ddy = evaluate(coefficients, segment, u)
        rx, ry = px - x, py - y
        slope = rx * dx + ry * dy
        speed_squared = dx * dx + dy * dy
        if slope > 0.0:
            high = u
        else:
            low = u
        bend = speed_squared + rx * ddx + ry * ddy
        better = u - slope / bend
        if not (bend > 0.0 and low <= better <= high):
            better = 0.5 * (low + high)
        moved = (better - u) ** 2 * speed_squared
        u = better
        if moved <= 1e-14:  # 0.1 µm: Newton squares the error, what is left is far below 1 nm
            break
    return u


@kernel
def _foot(
    coefficients: Array,
    knots: Array,
    linear: bool,
    closed: bool,
    segment: int,
    u: float,
    x: float,
    y: float,
) -> tuple[float, float]:
    """Parameter s of u of a segment, and the signed offset of (x, y) from there."""
    first = segment * PIECES
    if linear:
        s = knots[first] + u * (knots[first + PIECES] - knots[first])
    else:
        j = min(int(u * PIECES), PIECES - 1)
        s = knots[first + j] + arc_length(coefficients, segment, j / PIECES, u)
    px, py, _, tx, ty, _, _ = _frame(coefficients, segment, u)
    across = (tx * (y - py) - ty * (x - px)) / math.sqrt(tx * tx + ty * ty)
    length = knots[-1]
    if closed and s >= length:
        s = 0.0
    if closed or 0.0 < s < length:
        across = math.copysign(math.sqrt((x - px) ** 2 + (y - py) ** 2), across)
    return min(s, length), across
