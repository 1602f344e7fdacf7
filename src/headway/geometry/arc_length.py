"""How far along a curve: knots by arc length or by chords, and the way back from s to a place.

Knots (S·PIECES + 1,) hold the parameter s, in metres, at u = 0, 1/8, 2/8 … of each segment of
cubics (S, 4, 3); the first is 0 and the last is the length of the curve.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel

Array = NDArray[np.float64]

PIECES = 8
_SHARP_PANELS = 16
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)


def chord_knots(points: Array, closed: bool) -> Array:
    """Knots that measure s by the chords between points.

    Parameters
    ----------
    points : (M, 3) ndarray
        m; neighbours differ.
    closed : bool
        Whether the last point is followed by the first.

    Returns
    -------
    (S·PIECES + 1,) ndarray
        m, increasing from 0.

    Examples
    --------
    >>> chord_knots(np.array([[0.0, 0, 0], [3, 4, 0]]), False)[[0, 4, 8]].tolist()
    [0.0, 2.5, 5.0]
    """
    stops = np.concatenate((points, points[:1])) if closed else points
    chords = np.sqrt((np.diff(stops, axis=0) ** 2).sum(axis=1))
    ends = np.concatenate(([0.0], np.cumsum(chords)))
    inside = ends[:-1, None] + np.diff(ends)[:, None] * (np.arange(PIECES) / PIECES)
    return np.append(inside.ravel(), ends[-1])


@kernel(example=lambda: (np.ones((3, 4, 3)),))
def arc_length_knots(coefficients: Array) -> Array:
    """Knots that measure s by arc length: five-point Gauss-Legendre on each piece.

    Parameters
    ----------
    coefficients : (S, 4, 3) ndarray

    Returns
    -------
    (S·PIECES + 1,) ndarray
        m, not decreasing, from 0.

    Examples
    --------
    >>> straight = np.zeros((1, 4, 3))
    >>> straight[0, 1] = 3.0, 4.0, 0.0
    >>> f"{arc_length_knots(straight)[-1]:.9f}"
    '5.000000000'
    """
    segments = coefficients.shape[0]
    knots = np.zeros(segments * PIECES + 1)
    for segment in range(segments):
        for j in range(PIECES):
            piece = segment * PIECES + j
            length = arc_length(coefficients, segment, j / PIECES, (j + 1) / PIECES)
            knots[piece + 1] = knots[piece] + length
    return knots


@kernel
def _speed(coefficients: Array, segment: int, u: float) -> float:
    """Metres in space per unit of u."""
    c = coefficients[segment]
    dx = c[1, 0] + u * (2.0 * c[2, 0] + 3.0 * u * c[3, 0])
    dy = c[1, 1] + u * (2.0 * c[2, 1] + 3.0 * u * c[3, 1])
    dz = c[1, 2] + u * (2.0 * c[2, 2] + 3.0 * u * c[3, 2])
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def arc_length(coefficients: Array, segment: int, u_from: float, u_to: float) -> float:
    """Arc length (m) of a segment between two u at most a piece apart, by Gauss-Legendre.

    Five points do where the tangent changes little; where the curve turns sharply, or nearly
    back on itself, the interval is divided.
    """
    panels = _SHARP_PANELS if _is_sharp(coefficients, segment, u_from, u_to) else 1
    half = 0.5 * (u_to - u_from) / panels
    total = 0.0
    for panel in range(panels):
        middle = u_from + half * (2 * panel + 1)
        for i in range(5):
            total += _WEIGHTS[i] * _speed(coefficients, segment, middle + half * _NODES[i])
    return half * total


@kernel
def _is_sharp(coefficients: Array, segment: int, u_from: float, u_to: float) -> bool:
    """Whether the tangent changes by a third of itself from the middle of an interval outward.

    Up to there the nearest zero of the squared speed is so far off that five points err by less
    than 1e-8.
    """
    c = coefficients[segment]
    half, u = 0.5 * (u_to - u_from), 0.5 * (u_from + u_to)
    tangent, change = 0.0, 0.0
    for axis in range(3):
        c1, c2, c3 = c[1, axis], c[2, axis], c[3, axis]
        tangent += (c1 + u * (2.0 * c2 + 3.0 * u * c3)) ** 2
        change += (2.0 * c2 + 6.0 * u * c3) ** 2
    return 9.0 * half * half * change > tangent


@kernel
def locate(
    coefficients: Array, knots: Array, linear: bool, closed: bool, s: float
) -> tuple[int, float]:
    """Find the segment and u at s (m): wrapped on a closed curve, clamped on an open one."""
    s = wrap(knots, closed, s)
    piece = piece_at(knots, s)
    segment = piece // PIECES
    if linear:
        start, end = knots[segment * PIECES], knots[segment * PIECES + PIECES]
        return segment, (s - start) / (end - start)
    return segment, _invert_arc_length(coefficients, knots, piece, s)


@kernel
def wrap(knots: Array, closed: bool, s: float) -> float:
    """Bring s (m) into [0, length) on a closed curve, into [0, length] on an open one."""
    length = knots[-1]
    if not closed:
        return min(max(s, 0.0), length)
    s -= length * math.floor(s / length)
    return s if s < length else 0.0  # a tiny negative s rounds up to the length


@kernel
def piece_at(knots: Array, s: float) -> int:
    """The piece with knots[piece] <= s < knots[piece + 1] (the last one at the very end).

    Pieces are of similar length as a rule, so the search widens from where s would lie if they
    were equal, and halves what it has bracketed.
    """
    last = knots.shape[0] - 2
    low = max(0, min(int(s / knots[-1] * (last + 1)), last))
    reach = 1
    if knots[low] <= s:
        high = low + 1
        while high <= last and knots[high] <= s:
            low, high, reach = high, high + reach, 2 * reach
        high = min(high, last + 1)
    else:
        high = low
        while low > 0 and knots[low] > s:
            low, high, reach = max(low - reach, 0), low, 2 * reach
    while high - low > 1:
        middle = (low + high) >> 1
        if knots[middle] <= s:
            low = middle
        else:
            high = middle
    return low


@kernel
def _invert_arc_length(coefficients: Array, knots: Array, piece: int, s: float) -> float:
    """Solve for u where the arc length within a piece reaches s.

    Newton's method from the cubic Hermite interpolant of u(s), kept in a shrinking bracket
    because the speed may vanish where a curve turns back on itself.
    """
    segment = piece // PIECES
    width = 1.0 / PIECES
    start = (piece - segment * PIECES) * width
    rest, length = s - knots[piece], knots[piece + 1] - knots[piece]
    if rest <= 0.0 or length <= 0.0:
        return start
    low, high = start, start + width
    x = rest / length
    slope_0 = length / (_speed(coefficients, segment, low) * width)
    slope_1 = length / (_speed(coefficients, segment, high) * width)
    y = x * (x * (3.0 - 2.0 * x) + (1.0 - x) * ((1.0 - x) * slope_0 - x * slope_1))
    u = start + width * (y if 0.0 <= y <= 1.0 else x)
    for _ in range(40):
        excess = arc_length(coefficients, segment, start, u) - rest
        if excess > 0.0:
            high = u
        else:
            low = u
        better = u - excess / _speed(coefficients, segment, u)
        if not low <= better <= high:
            better = 0.5 * (low + high)
        change = abs(better - u)
        u = better
        if change <= 1e-5 * width:  # Newton squares the error: what is left is below 1e-10
            break
    return u
