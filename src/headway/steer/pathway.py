"""Pathways: ways through the plane or through space, made of straight legs, to steer along.

Kernels read a pathway from one flat array with eight numbers for each leg: where it starts (3), its
direction (3), its length, and the arc length s at its start. Waypoints at one place make no leg;
a pathway of one place is a single leg of no length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import flag
from headway.geometry.rows import positions, read, refuse
from headway.geometry.vectors import Vector, dot, minus, plus, times, vector
from headway.world.route import Route

LEG = 8
"""Numbers for each leg."""

ROUTE_STEP = 1.0  # m, between the samples of a curved route


@dataclass(frozen=True, eq=False, repr=False)
class Pathway:
    """A polyline that agents can steer along; built by :meth:`through`.

    Attributes
    ----------
    points : (M, d) ndarray
        m, world frame.
    closed : bool
        Whether the last point is followed by the first.
    length : float
        m.
    legs : (8·L,) ndarray
        What kernels read.

    Examples
    --------
    >>> Pathway.through([(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)], closed=True)
    Pathway(3 points, closed, 12.0 m)
    """

    points: NDArray[np.float64]
    closed: bool
    length: float
    legs: NDArray[np.float64]

    @classmethod
    def through(cls, points: ArrayLike | Route, closed: bool = False) -> Pathway:
        """Join points by straight legs.

        Parameters
        ----------
        points : (M, 2) or (M, 3) array_like, or Route
            m, world frame. None is allowed, and so are points at one place. Of a smooth route,
            points a metre apart are taken, and its own being closed counts.
        closed : bool
            Whether the last point is followed by the first.

        Returns
        -------
        Pathway

        Raises
        ------
        InputError
            If the shape is another, or a number is not finite.
        """
        if isinstance(points, Route):
            route, closed = points, points.closed
            points = route.position(route.sample(ROUTE_STEP)) if route.smooth else route.waypoints
        given = np.array(read("points", points), ndmin=1)
        closed = flag("closed", closed)
        if given.size == 0:
            return cls(given.reshape(0, given.shape[-1] or 2), False, 0.0, np.empty(0))
        if given.ndim != 2 or given.shape[1] not in (2, 3):
            raise InputError(f"points has shape {given.shape}: give (M, 2) or (M, 3).")
        if not np.isfinite(given).all():
            row = int(np.argwhere(~np.isfinite(given))[0][0])
            raise InputError(f"points[{row}] is {given[row]}: give finite numbers.")
        corners = np.zeros((len(given), 3))
        corners[:, : given.shape[1]] = given
        legs = _legs(np.vstack((corners, corners[:1])) if closed else corners)
        length = float(legs[-1, 6] + legs[-1, 7])
        if not math.isfinite(length):
            raise InputError("points lie too far apart to compute with: give smaller numbers.")
        given.flags.writeable = False
        return cls(given, closed and length > 0.0, length, legs.ravel())

    def __repr__(self) -> str:
        kind = "closed" if self.closed else "open"
        return f"Pathway({len(self.points)} points, {kind}, {self.length:.1f} m)"


def _legs(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore", invalid="ignore"):
        way = np.diff(corners, axis=0)
        size = np.sqrt((way * way).sum(axis=1))
    long = size > 0.0
    if not long.any():
        return np.hstack((corners[:1], np.zeros((1, 5))))
    way, size = way[long], size[long]
    s = np.concatenate(((0.0,), np.cumsum(size)[:-1]))
    return np.column_stack((corners[:-1][long], way / size[:, None], size, s))


def as_pathway(path: Pathway | Route | ArrayLike, d: int) -> Pathway:
    """Read the argument of a behaviour: a pathway as it is, anything else as an open polyline.

    Parameters
    ----------
    path : Pathway, Route or (M, d) array_like
        m, world frame.
    d : int
        Dimensions of the agents.

    Returns
    -------
    Pathway

    Raises
    ------
    InputError
        If it cannot be read, or has other dimensions.

    Examples
    --------
    >>> as_pathway([(0.0, 0.0), (1.0, 0.0)], 2)
    Pathway(2 points, open, 1.0 m)
    """
    way = path if isinstance(path, Pathway) else Pathway.through(path)
    if len(way.points) and way.points.shape[1] != d:
        raise InputError(
            f"path has {way.points.shape[1]} dimensions, the agents have {d}: give the same."
        )
    return way


@kernel(forceinline=True)
def leg(legs: NDArray, k: int) -> tuple[Vector, Vector, float, float]:
    """Leg k: its start, direction and length, and the arc length at its start."""
    at = np.uint64(k * LEG)
    start = legs[at], legs[at + np.uint64(1)], legs[at + np.uint64(2)]
    way = legs[at + np.uint64(3)], legs[at + np.uint64(4)], legs[at + np.uint64(5)]
    return start, way, legs[at + np.uint64(6)], legs[at + np.uint64(7)]


@kernel(forceinline=True)
def leg_at(legs: NDArray, s: float) -> int:
    """The leg that an arc length within the path belongs to: the last that starts before it."""
    low, high = 0, len(legs) // LEG
    while high - low > 1:
        middle = (low + high) // 2
        if legs[np.uint64(middle * LEG + 7)] <= s:
            low = middle
        else:
            high = middle
    return low


@kernel(forceinline=True)
def wrapped(s: float, length: float, closed: bool) -> float:
    """The arc length brought into the path: around a closed one, to the ends of an open one."""
    if closed:
        s -= length * math.floor(s / length)
    return min(max(s, 0.0), length)


@kernel(forceinline=True)
def point_at(legs: NDArray, length: float, closed: bool, s: float) -> Vector:
    """The point at an arc length."""
    inside = wrapped(s, length, closed)
    start, way, _, first = leg(legs, leg_at(legs, inside))
    return plus(start, times(way, inside - first))


@kernel
def nearest_between(
    legs: NDArray, length: float, closed: bool, p: Vector, low: float, high: float
) -> tuple[float, float]:
    """The arc length of the point nearest to p on a stretch, and its distance squared.

    The stretch is at most the path long. On a closed path it may reach over its start, and the
    answer lies between low and high, too.
    """
    if not closed:
        low, high = wrapped(low, length, False), wrapped(high, length, False)
    lap = length * math.floor(low / length) if closed else 0.0
    count = len(legs) // LEG
    k = leg_at(legs, low - lap)
    best, nearest = low, math.inf
    for _ in range(count + 1):  # the leg of the start comes again at the end of a whole lap
        start, way, size, s = leg(legs, k)
        first, offset = lap + s, minus(p, start)
        along = min(max(dot(offset, way), low - first, 0.0), high - first, size)
        gap = minus(offset, times(way, along))
        squared = dot(gap, gap)
        if squared < nearest:
            best, nearest = first + along, squared
        if first + size >= high or (k == count - 1 and not closed):
            break
        k += 1
        if k == count:
            k, lap = 0, lap + length
    return best, nearest


@kernel(
    direct=True,
    example=lambda: (np.zeros(2), Pathway.through([(0, 0), (1, 0)]).legs, 1.0, True, 2, np.ones(1)),
)
def _project(
    position: NDArray, legs: NDArray, length: float, closed: bool, d: int, progress: NDArray
) -> int:
    bad = -1
    for i in range(len(progress)):
        p = vector(position, i, d)
        s, _ = nearest_between(legs, length, closed, p, 0.0, length)
        progress[np.uint64(i)] = wrapped(s, length, closed)
        if not math.isfinite(p[0] + p[1] + p[2]):
            bad = i
    return bad


def path_progress(position: ArrayLike, path: Pathway | Route | ArrayLike) -> NDArray[np.float64]:
    """How far along the whole path the point nearest to an agent is.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    path : Pathway, Route or (M, d) array_like
        An array is taken as an open polyline.

    Returns
    -------
    () or (N,) ndarray
        s, m; of several nearest points, that of the first.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite.

    Examples
    --------
    >>> path_progress([(2.0, 1.0), (9.0, 9.0)], [(0.0, 0.0), (5.0, 0.0)]).tolist()
    [2.0, 5.0]
    """
    p, shape = positions("position", position)
    way = as_pathway(path, shape[-1])
    progress = np.zeros(shape[:-1])
    if len(way.legs) == 0:
        return progress
    if _project(p, way.legs, way.length, way.closed, shape[-1], progress.ravel()) >= 0:
        refuse(position=position)
    return progress
