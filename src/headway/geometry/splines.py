"""Cubic segments through points: Catmull-Rom splines and polylines.

Each builder turns points (M, 3) into coefficients (S, 4, 3): segment k is
c0 + u c1 + u² c2 + u³ c3 for u in [0, 1], with S = M for a closed curve and M − 1 for an open one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def catmull_rom_uniform(points: Array, closed: bool) -> Array:
    """Cubics of the uniform Catmull-Rom spline through points.

    Segment P1 → P2 with neighbours P0 and P3 is
    ½ [2 P1 + (P2 − P0) u + (2 P0 − 5 P1 + 4 P2 − P3) u² + (−P0 + 3 P1 − 3 P2 + P3) u³]
    (Catmull and Rom, "A class of local interpolating splines", 1974). An open curve takes its end
    points as their own neighbours.

    Parameters
    ----------
    points : (M, 3) ndarray
        m; neighbours differ.
    closed : bool
        Whether the last point is followed by the first.

    Returns
    -------
    (S, 4, 3) ndarray
        Coefficients; S = M for a closed curve, M − 1 for an open one.

    Examples
    --------
    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    >>> catmull_rom_uniform(square, True).shape
    (4, 4, 3)
    """
    p0, p1, p2, p3 = _neighbours(points, closed, points[0], points[-1])
    coefficients = np.empty((len(p1), 4, 3))
    coefficients[:, 0] = p1
    coefficients[:, 1] = 0.5 * (p2 - p0)
    coefficients[:, 2] = 0.5 * (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3)
    coefficients[:, 3] = 0.5 * (-p0 + 3.0 * p1 - 3.0 * p2 + p3)
    return coefficients


def catmull_rom_centripetal(points: Array, closed: bool) -> Array:
    """Cubics of the centripetal Catmull-Rom spline through points.

    The spline's own parameter advances by the square root of each chord, which rules out cusps
    and loops inside a segment (Yuksel, Schaefer and Keyser, "Parameterization and applications
    of Catmull-Rom curves", 2011). An open curve gets phantom neighbours by reflection at its ends.

    Parameters
    ----------
    points : (M, 3) ndarray
        m; neighbours differ.
    closed : bool
        Whether the last point is followed by the first.

    Returns
    -------
    (S, 4, 3) ndarray
        Coefficients; S = M for a closed curve, M − 1 for an open one.

    Examples
    --------
    >>> bend = np.array([[0.0, 0, 0], [10, 0, 0], [10, 10, 0]])
    >>> catmull_rom_centripetal(bend, False)[1, 0].tolist()
    [10.0, 0.0, 0.0]
    """
    before, after = 2.0 * points[0] - points[1], 2.0 * points[-1] - points[-2]
    p0, p1, p2, p3 = _neighbours(points, closed, before, after)
    step_0, step_1, step_2 = (_root_chord(a, b) for a, b in ((p0, p1), (p1, p2), (p2, p3)))
    chord = p2 - p1
    leaving = chord + step_1 * ((p1 - p0) / step_0 - (p2 - p0) / (step_0 + step_1))
    arriving = chord + step_1 * ((p3 - p2) / step_2 - (p3 - p1) / (step_1 + step_2))
    coefficients = np.empty((len(p1), 4, 3))
    coefficients[:, 0] = p1
    coefficients[:, 1] = leaving
    coefficients[:, 2] = 3.0 * chord - 2.0 * leaving - arriving
    coefficients[:, 3] = leaving + arriving - 2.0 * chord
    return coefficients


def polyline(points: Array, closed: bool) -> Array:
    """Straight segments from point to point, as cubics.

    Parameters
    ----------
    points : (M, 3) ndarray
        m; neighbours differ.
    closed : bool
        Whether the last point is followed by the first.

    Returns
    -------
    (S, 4, 3) ndarray
        Coefficients; S = M for a closed curve, M − 1 for an open one.

    Examples
    --------
    >>> polyline(np.array([[0.0, 0, 0], [3, 4, 0]]), False)[0, 1].tolist()
    [3.0, 4.0, 0.0]
    """
    _, p1, p2, _ = _neighbours(points, closed, points[0], points[-1])
    coefficients = np.zeros((len(p1), 4, 3))
    coefficients[:, 0] = p1
    coefficients[:, 1] = p2 - p1
    return coefficients


def _neighbours(points: Array, closed: bool, before: Array, after: Array) -> tuple[Array, ...]:
    """The four points that shape each segment, each (S, 3)."""
    if closed:
        padded = np.concatenate((points[-1:], points, points[:2]))
    else:
        padded = np.concatenate((before[None], points, after[None]))
    return padded[:-3], padded[1:-2], padded[2:-1], padded[3:]


def _root_chord(a: Array, b: Array) -> Array:
    return np.sqrt(np.sqrt(((b - a) ** 2).sum(axis=1)))[:, None]
