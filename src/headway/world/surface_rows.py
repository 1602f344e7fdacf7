"""Queries of surfaces: their arguments laid out, their answers written down."""

from __future__ import annotations

from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.rows import infinity_allowed, numbers, positions, refuse, vectors
from headway.world.hits import AllHits, Hits, Nearest
from headway.world.surface_contacts import HIT, LARGEST

Flat: TypeAlias = NDArray[np.float64]


class Casts(NamedTuple):
    """Spheres that move straight ahead."""

    flat: tuple[Flat, Flat, Flat, Flat]
    """Start, direction, radius and reach, all numbers in a row."""
    shape: tuple[int, int]
    """(N, d), of the starts."""


def read_casts(
    start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
) -> Casts:
    """Lay out the arguments of a sweep.

    Parameters
    ----------
    start, direction : (N, 2) or (N, 3) array_like
        m, world frame; one direction (2,) or (3,) may stand for all.
    radius, reach : float or (N,) array_like
        m.

    Returns
    -------
    Casts
        With the shape of start.

    Raises
    ------
    InputError
        If shapes do not fit.

    Examples
    --------
    >>> read_casts([[0, 0, 1]], [[0, 0, -1]], 0.1, 2).flat[3]
    array([2.])
    """
    flat, shape = _rows("start", start)
    ways = _writeable(vectors("direction", direction, shape))
    radii = _writeable(numbers("radius", radius, shape))
    return Casts((flat, ways, radii, _writeable(numbers("reach", reach, shape))), shape)


def refuse_casts(casts: Casts) -> NoReturn:
    """Say which number of a sweep cannot be used; an infinite reach can."""
    start, direction, radius, reach = casts.flat
    d = casts.shape[1]
    refuse(
        start=start.reshape(-1, d), direction=direction.reshape(-1, d),
        radius_=radius, reach_=infinity_allowed(reach),
    )  # fmt: skip


def refuse_points(points: NDArray[np.float64], reach: NDArray[np.float64], d: int) -> NoReturn:
    """Say which number of a query for nearest points cannot be used; an infinite reach can.

    Parameters
    ----------
    points : (N * d,) ndarray
        Flat, m.
    reach : (N,) or (1,) ndarray
        m.
    d : int
        2 or 3.

    Raises
    ------
    InputError
        Always.
    """
    refuse(points=points.reshape(-1, d), reach_=infinity_allowed(reach))


def read_points(
    points: ArrayLike, reach: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, int]]:
    """Lay out the arguments of a query for nearest points.

    Parameters
    ----------
    points : (N, 2) or (N, 3) array_like
        m, world frame.
    reach : float or (N,) array_like
        m.

    Returns
    -------
    points : (N * d,) ndarray
        Flat.
    reach : (N,) or (1,) ndarray
        As given.
    shape : tuple of int
        That of the points.

    Raises
    ------
    InputError
        If shapes do not fit.

    Examples
    --------
    >>> read_points([[0.0, 1.0]], 2.0)[2]
    (1, 2)
    """
    flat, shape = _rows("points", points)
    return flat, _writeable(numbers("reach", reach, shape)), shape


def read_boxes(
    lowest: ArrayLike, highest: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, int]]:
    """Lay out boxes along the axes, and check them.

    Parameters
    ----------
    lowest, highest : (M, 2) or (M, 3) array_like
        Their corners, m, world frame.

    Returns
    -------
    lowest, highest : (M * d,) ndarray
        Flat.
    shape : tuple of int
        That of the corners.

    Raises
    ------
    InputError
        If shapes do not fit, numbers are not finite, or a lowest corner is above the highest.

    Examples
    --------
    >>> read_boxes([[0.0, 1.0]], [[2.0, 3.0]])[2]
    (1, 2)
    """
    low, shape = _rows("lowest", lowest)
    high, _ = _rows("highest", highest)
    if high.shape != low.shape:
        raise InputError(f"highest has shape {np.shape(highest)}: give {shape}, as for lowest.")
    if not (np.abs(low).max(initial=0.0) <= LARGEST and np.abs(high).max(initial=0.0) <= LARGEST):
        refuse(lowest=low.reshape(shape), highest=high.reshape(shape))
    if not (low <= high).all():
        row = int(np.argmax(low > high)) // shape[1]
        raise InputError(f"box {row}: its lowest corner is above its highest; swap them.")
    return low, high, shape


def empty_hits(shape: tuple[int, int]) -> Hits:
    """Room for the answers of a sweep.

    Parameters
    ----------
    shape : tuple of int
        (N, d), that of the starts.

    Returns
    -------
    Hits
        Not yet filled in.

    Examples
    --------
    >>> empty_hits((2, 3)).point.shape
    (2, 3)
    """
    count = shape[0]
    return Hits(
        np.empty(count), np.empty(shape), np.empty(shape), np.empty(count, np.int64),
        np.empty(count),
    )  # fmt: skip


def empty_nearest(shape: tuple[int, int]) -> Nearest:
    """Room for the answers of a query for nearest points.

    Parameters
    ----------
    shape : tuple of int
        (N, d), that of the points.

    Returns
    -------
    Nearest
        Not yet filled in.

    Examples
    --------
    >>> empty_nearest((2, 3)).distance.shape
    (2,)
    """
    count = shape[0]
    return Nearest(np.empty(count), np.empty(shape), np.empty(shape), np.empty(count, np.int64))


def all_hits(start: NDArray[np.int64], hits: NDArray[np.float64], d: int) -> AllHits:
    """Take the hits of a sweep for all apart.

    Parameters
    ----------
    start : (N + 1,) ndarray of int64
        Where those of each sphere begin.
    hits : (K * 8,) ndarray
        Distance, point, normal and part of each.
    d : int
        How many coordinates to keep.

    Returns
    -------
    AllHits
        The same, as separate arrays.

    Examples
    --------
    >>> all_hits(np.array([0, 1]), np.arange(8.0), 2).normal
    array([[4., 5.]])
    """
    hits = hits.reshape(-1, HIT)
    return AllHits(
        start, hits[:, 0].copy(), hits[:, 1 : 1 + d].copy(), hits[:, 4 : 4 + d].copy(),
        hits[:, 7].astype(np.int64),
    )  # fmt: skip


def _rows(name: str, value: ArrayLike) -> tuple[NDArray[np.float64], tuple[int, int]]:
    flat, shape = positions(name, value)
    if len(shape) != 2:
        raise InputError(f"{name} has shape {shape}: give rows, (N, 2) or (N, 3).")
    return _writeable(flat), (shape[0], shape[1])


def _writeable(flat: Flat) -> Flat:
    """The array, or a copy: for arrays that must not be changed, kernels would be compiled anew."""
    return flat if flat.flags.writeable else flat.copy()
