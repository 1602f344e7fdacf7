"""Bends of a route: its corners, and where lines across it cross each other."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.world.route import Route

Array = NDArray[np.float64]

MOST_SAMPLES = 1e6


class Corner(NamedTuple):
    """A bend; where it goes on past the start line, ``s_end`` exceeds the length."""

    s_start: float
    """m"""
    s_end: float
    """m"""
    turn: float
    """Total change of yaw, rad, positive to the left."""
    radius: float
    """Least radius of the smoothed centre line, m."""


class Crossing(NamedTuple):
    """A stretch where an inside edge lies beyond the centre of the bend."""

    s_start: float
    """m"""
    s_end: float
    """m"""
    side: Literal["left", "right"]
    radius: float
    """Radius of the centre line where it is exceeded most, m."""
    width: float
    """Width to that side there, m."""


def find_corners(
    route: Route, spread: float, least_turn: float, widest_radius: float
) -> list[Corner]:
    """Stretches that keep turning one way.

    Parameters
    ----------
    route : Route
    spread : float
        Standard deviation of the Gaussian its curvature is smoothed with, m.
    least_turn : float
        Total change of yaw a corner has at least, rad.
    widest_radius : float
        Radius up to which a bend counts, m.

    Returns
    -------
    list of Corner
        By where they start.

    Examples
    --------
    >>> bend = Route.through([(0, 0), (50, 0), (50, 50)], closed=False, smooth=False)
    >>> [round(math.degrees(corner.turn)) for corner in find_corners(bend, 4.0, 0.3, 1e3)]
    [90]
    """
    s, step, curvature = _smoothed_curvature(route, spread)
    side = np.where(np.abs(curvature) * widest_radius >= 1.0, np.sign(curvature), 0.0)
    corners = []
    for first, last in _runs(side, route.closed):
        inside = curvature[np.arange(first, last) % len(s)]
        turn = float(inside.sum() * step)
        if abs(turn) >= least_turn:
            radius = 1.0 / float(np.abs(inside).max())
            corners.append(Corner(first * step, last * step, turn, radius))
    return sorted(corners)


def _smoothed_curvature(route: Route, spread: float) -> tuple[Array, float, Array]:
    """Places s (K,), the step between them, and the curvature (K,) from each to the next."""
    from scipy import ndimage  # noqa: PLC0415  (costs half of the import; only corners need it)

    s = route.sample(max(spread / 4.0, route.length / MOST_SAMPLES))
    step = float(s[1])
    yaw = np.unwrap(route.yaw(s))
    onward = yaw[-1]
    if route.closed:
        onward += math.remainder(yaw[0] - yaw[-1], 2.0 * math.pi)
    curvature = np.diff(yaw, append=onward) / step
    mode = "wrap" if route.closed else "nearest"
    return s, step, ndimage.gaussian_filter1d(curvature, spread / step, mode=mode)


def find_crossings(route: Route) -> list[Crossing]:
    """Stretches where width times curvature reaches one on the inside of a bend.

    Parameters
    ----------
    route : Route
        With widths.

    Returns
    -------
    list of Crossing
        Those on the left, then those on the right; places on one side less than a track width
        apart are told as one.

    Raises
    ------
    InputError
        If the route has no widths.
    """
    from scipy import ndimage  # noqa: PLC0415  (costs half of the import; only corners need it)

    spacing = route.length / len(route.waypoints)
    s = route.sample(max(spacing / 4.0, route.length / MOST_SAMPLES))
    curvature, width = route.curvature(s), route.width(s)
    near = 1 + int(width.sum(axis=1).mean() / s[1])
    mode = "wrap" if route.closed else "nearest"
    crossings = []
    sides: tuple[tuple[Literal["left", "right"], Array, Array], ...] = (
        ("left", width[:, 0], curvature),
        ("right", width[:, 1], -curvature),
    )
    for side, reach, inward in sides:
        crossed = reach * inward >= 1.0
        joined = ndimage.maximum_filter1d(crossed.astype(np.float64), near, mode=mode)
        for first, last in _runs(joined, route.closed):
            inside = np.arange(first, last) % len(s)
            inside = inside[crossed[inside]]
            worst = inside[(reach * inward)[inside].argmax()]
            stretch = float(s[inside[0]]), float(s[inside[-1]])
            crossings.append(
                Crossing(*stretch, side, float(1.0 / inward[worst]), float(reach[worst]))
            )
    return crossings


def _runs(marks: Array, closed: bool) -> list[tuple[int, int]]:
    """First and past-the-last index of each run of equal, non-zero marks.

    On a closed route a run may pass the end; its past-the-last index then exceeds the count.
    """
    count = len(marks)
    changes = np.flatnonzero(np.diff(marks)) + 1
    bounds = [0, *changes.tolist(), count]
    runs = [(a, b) for a, b in pairwise(bounds) if marks[a] != 0.0]
    if closed and len(runs) > 1 and marks[0] != 0.0 and marks[0] == marks[-1]:
        runs = [*runs[1:-1], (runs[-1][0], runs[0][1] + count)]
    return runs
