"""Who sees what: cones of vision, and what stands in the way of a look.

The dense form asks each observer about each point; the listed form asks about some, given as lists
one after the other, so that a crowd pays for its neighbours only. Whatever is out of the cone is
not looked at any further, so that lines of sight are traced only where they matter.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import able
from headway.geometry.rows import infinity_allowed, numbers, positions, read, refuse, vectors
from headway.geometry.vectors import Vector, dot, minus, number, vector
from headway.world.grid import Grid
from headway.world.hits import Surface
from headway.world.visibility import visible

NEAR_EDGE = 1e-12
"""How near the cosine of an angle is to that of the edge of the cone where it does not decide."""
MOST_FOV = 4.0 * math.pi
"""rad: whoever gives more means degrees."""
ON_IT = 1.0 - 1e-9
"""A hit farther than this share of the way is the point itself, not something before it."""


@kernel(forceinline=True)
def in_cone(
    position: Vector, forward: Vector, point: Vector, half: float, edge: float, reach: float
) -> bool:
    """Whether a point is near enough and not too far aside; one at the eye itself always is.

    The cone opens by half an angle, whose cosine is the edge, to each side. The angle itself is
    worked out only for points so near the edge that rounding of the cosine would decide.
    """
    to = minus(point, position)
    far = dot(to, to)
    if math.sqrt(far) > reach:
        return False
    size, ahead = math.sqrt(dot(forward, forward) * far), dot(forward, to)
    if abs(ahead - edge * size) > NEAR_EDGE * size:
        return half >= math.pi or ahead > edge * size
    return size == 0.0 or math.acos(min(max(ahead / size, -1.0), 1.0)) <= half


@kernel(forceinline=True)
def _is_finite(flat: NDArray, row: int, d: int) -> bool:
    v = vector(flat, row, d)
    return math.isfinite(v[0] + v[1] + v[2])


def _example() -> tuple[object, ...]:
    one = np.ones(1)
    return np.zeros(3), np.zeros(3), np.zeros(3), one, one, 3, np.empty((1, 1), np.bool_)


@kernel(direct=True, example=_example)
def _sees(
    position: NDArray, forward: NDArray, points: NDArray, fov: NDArray, reach: NDArray, d: int,
    out: NDArray,
) -> bool:  # fmt: skip
    good = True
    for i in range(len(out)):
        eye, look = vector(position, i, d), vector(forward, i, d)
        half, far = 0.5 * number(fov, i), number(reach, i)
        good = good and 0.0 <= 2.0 * half <= MOST_FOV and far >= 0.0
        edge = math.cos(half)
        good = good and _is_finite(position, i, d) and _is_finite(forward, i, d)
        for j in range(out.shape[1]):
            out[i, j] = in_cone(eye, look, vector(points, j, d), half, edge, far)
    for j in range(out.shape[1]):
        good = good and _is_finite(points, j, d)
    return good


def _listed_example() -> tuple[object, ...]:
    one, lists = np.ones(1), (np.array([0, 1]), np.zeros(1, np.int64), np.empty(1, np.bool_))
    return np.zeros(3), np.zeros(3), np.zeros(3), one, one, 3, *lists


@kernel(direct=True, example=_listed_example)
def _sees_listed(
    position: NDArray, forward: NDArray, points: NDArray, fov: NDArray, reach: NDArray, d: int,
    start: NDArray, index: NDArray, out: NDArray,
) -> bool:  # fmt: skip
    good = True
    for i in range(len(start) - 1):
        eye, look = vector(position, i, d), vector(forward, i, d)
        half, far = 0.5 * number(fov, i), number(reach, i)
        good = good and 0.0 <= 2.0 * half <= MOST_FOV and far >= 0.0
        edge = math.cos(half)
        good = good and _is_finite(position, i, d) and _is_finite(forward, i, d)
        for k in range(start[i], start[i + 1]):
            j = index[k]
            good = good and _is_finite(points, j, d)
            out[k] = in_cone(eye, look, vector(points, j, d), half, edge, far)
    return good


def sees(
    position: ArrayLike,
    forward: ArrayLike,
    points: ArrayLike,
    *,
    fov: ArrayLike,
    reach: ArrayLike = math.inf,
    blocked: Surface | Grid | None = None,
) -> NDArray[np.bool_]:
    """Tell which points each observer sees.

    Parameters
    ----------
    position : (d,) or (N, d) array_like
        m, world frame, of the eyes; d = 2 or 3.
    forward : (d,) or (N, d) array_like
        Where they look, world frame, of any length; where it is zero they look all around.
    points : (M, d) array_like
        m, world frame.
    fov : float or (N,) array_like
        rad, the whole opening of the cone: 2π or more, up to 4π, is all around.
    reach : float or (N,) array_like
        m.
    blocked : Surface or Grid, optional
        What hides what is behind it. What lies on it is seen, but eyes that touch it see nothing
        else: lift them off the ground. Grids hide what is in or on a blocked cell, or off the
        map, and are for d = 2.

    Returns
    -------
    (M,) or (N, M) ndarray of bool
        The edge of the cone and the end of the reach are within it.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Notes
    -----
    Cones are those of Yuka, whose answers it gives where nothing blocks.

    Examples
    --------
    >>> sees((0, 0), (1, 0), [(5, 1), (5, 9), (-1, 0)], fov=1.5, reach=8.0).tolist()
    [True, False, False]
    >>> hedge = Grid([[1, 0, 1, 1]])
    >>> sees((0.5, 0.5), (1, 0), [(3.5, 0.5)], fov=1.5, blocked=hedge).tolist()
    [False]
    """
    eyes, shape = positions("position", position)
    look, d = vectors("forward", forward, shape), shape[-1]
    spots = _points(points, d)
    angle, far = numbers("fov", fov, shape), numbers("reach", reach, shape)
    n = shape[0] if len(shape) == 2 else 1
    seen = np.empty((n, len(spots)), np.bool_)
    if not _sees(eyes, look, spots.ravel(), angle, far, d, seen):
        _refuse(position, forward, points, fov, far)
    if blocked is not None:
        who, what = np.nonzero(seen)
        seen[who, what] = clear(eyes.reshape(-1, d)[who], spots[what], blocked)
    return seen if len(shape) == 2 else seen[0]


def sees_listed(
    position: ArrayLike,
    forward: ArrayLike,
    points: ArrayLike,
    start: ArrayLike,
    index: ArrayLike,
    *,
    fov: ArrayLike,
    reach: ArrayLike = math.inf,
    blocked: Surface | Grid | None = None,
) -> NDArray[np.bool_]:
    """Tell which of the points listed for each observer it sees.

    Parameters
    ----------
    position, forward : (N, d) array_like
        As for `sees`.
    points : (M, d) array_like
        m, world frame.
    start : (N + 1,) array_like of int
        The list of observer i is ``index[start[i]:start[i + 1]]``.
    index : (K,) array_like of int
        Points, one list after the other.
    fov, reach : float or (N,) array_like
        rad and m, as for `sees`.
    blocked : Surface or Grid, optional
        As for `sees`.

    Returns
    -------
    (K,) ndarray of bool
        One for each entry of ``index``.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> eyes, look = [(0, 0), (9, 0)], (1, 0)
    >>> sees_listed(eyes, look, [(5, 0), (10, 0)], [0, 2, 3], [0, 1, 0], fov=1.5).tolist()
    [True, True, False]
    """
    eyes, shape = positions("position", position)
    if len(shape) != 2:
        raise InputError(f"position has shape {shape}: give (N, d), or use sees for one observer.")
    look, d = vectors("forward", forward, shape), shape[-1]
    spots = _points(points, d)
    angle, far = numbers("fov", fov, shape), numbers("reach", reach, shape)
    begin, entries = _lists(start, index, shape[0], len(spots))
    seen = np.empty(len(entries), np.bool_)
    if not _sees_listed(eyes, look, spots.ravel(), angle, far, d, begin, entries, seen):
        _refuse(position, forward, points, fov, far)
    if blocked is not None:
        who = np.repeat(np.arange(shape[0]), np.diff(begin))[seen]
        seen[seen] = clear(eyes.reshape(-1, d)[who], spots[entries[seen]], blocked)
    return seen


def clear(
    eyes: NDArray[np.float64], points: NDArray[np.float64], blocked: Surface | Grid
) -> NDArray[np.bool_]:
    """Tell which lines of sight nothing interrupts.

    Parameters
    ----------
    eyes, points : (K, d) ndarray
        m, world frame, the two ends of each line.
    blocked : Surface or Grid
        What may interrupt it; a grid needs d = 2.

    Returns
    -------
    (K,) ndarray of bool
        Whether the point is seen: on a surface what lies on it is, but from within a solid
        nothing is that is not at the eye itself.

    Raises
    ------
    InputError
        If points in space are to be looked at on a grid, or nothing can be swept.
    """
    if isinstance(blocked, Grid):
        if eyes.shape[1] != 2:
            raise InputError("a grid hides points in the plane only: give d = 2, or a surface.")
        return visible(blocked, eyes, points)
    able("blocked", blocked, "a Surface or a Grid", "sweep")
    way = points - eyes
    distance = np.sqrt(np.einsum("ij,ij->i", way, way))
    hits = blocked.sweep(eyes, way, 0.0, distance)
    return hits.distance >= distance * ON_IT


def _points(points: ArrayLike, d: int) -> NDArray[np.float64]:
    if isinstance(points, list | tuple) and not points:
        return np.empty((0, d))
    flat, shape = positions("points", points)
    if len(shape) != 2 or shape[1] != d:
        raise InputError(f"points have shape {shape}: give (M, {d}), as for the positions.")
    return flat.reshape(shape)


def _refuse(
    position: ArrayLike, forward: ArrayLike, points: ArrayLike, fov: ArrayLike, reach: NDArray
) -> None:
    wrong = np.flatnonzero(~np.isfinite(np.asarray(points, np.float64)).all(axis=-1))
    if len(wrong):
        raise InputError(
            f"point {wrong[0]} is {np.asarray(points)[wrong[0]]}: give finite numbers."
        )
    if (read("fov", fov) > MOST_FOV).any():
        raise InputError(f"fov is {np.max(fov):g}: give radians, 2π for all around.")
    far = infinity_allowed(reach)
    refuse(position=position, forward=forward, points=points, fov_=fov, reach_=far)


def _lists(
    start: ArrayLike, index: ArrayLike, observers: int, points: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    try:
        begin = np.ascontiguousarray(start, np.int64)
        entries = np.ascontiguousarray(index, np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"start and index cannot be read as whole numbers ({error}).") from error
    rising = begin.shape == (observers + 1,) and entries.ndim == 1 and begin[0] == 0
    if not (rising and begin[-1] == len(entries) and np.all(begin[:-1] <= begin[1:])):
        raise InputError(
            f"start has shape {begin.shape} for an index of shape {entries.shape}: give "
            f"({observers + 1},) that rise from 0 to the length of the index."
        )
    if len(entries) and not (entries.min() >= 0 and entries.max() < points):
        raise InputError(f"index has an entry that is none of the {points} points.")
    return begin, entries
