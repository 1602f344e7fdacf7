"""Where the slots of a formation are, as seen from its anchor.

Each pattern takes the number of slots and the distance between neighbours, and returns metres
ahead of the anchor and to its left.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError
from headway.geometry.options import whole, zero_or_more
from headway.geometry.rows import TOO_LARGE
from headway.geometry.vectors import TINY


def line(n: int, spacing: float = 2.0) -> NDArray[np.float64]:
    """Abreast, from left to right; the anchor is in the middle.

    Parameters
    ----------
    n : int
        Number of slots, zero or more.
    spacing : float
        m between neighbours, zero or more.

    Returns
    -------
    (n, 2) ndarray
        m ahead of the anchor, and to its left.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> line(3, 2.0).tolist()
    [[0.0, 2.0], [0.0, 0.0], [0.0, -2.0]]
    """
    k = _numbered(n, spacing)
    return _pairs(0.0 * k, spacing * (0.5 * (n - 1) - k))


def column(n: int, spacing: float = 2.0) -> NDArray[np.float64]:
    """One behind the other; the anchor is the first.

    Parameters
    ----------
    n : int
        Number of slots, zero or more.
    spacing : float
        m between neighbours, zero or more.

    Returns
    -------
    (n, 2) ndarray
        m ahead of the anchor, and to its left.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> column(2, 3.0).tolist()
    [[0.0, 0.0], [-3.0, 0.0]]
    """
    k = _numbered(n, spacing)
    return _pairs(-spacing * k, 0.0 * k)


def wedge(n: int, spacing: float = 2.0) -> NDArray[np.float64]:
    """Two wings at a right angle behind the first, who is the anchor; left and right in turn.

    Parameters
    ----------
    n : int
        Number of slots, zero or more.
    spacing : float
        m between neighbours on a wing, zero or more.

    Returns
    -------
    (n, 2) ndarray
        m ahead of the anchor, and to its left.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> wedge(3, 2.0).round(3).tolist()
    [[0.0, 0.0], [-1.414, 1.414], [-1.414, -1.414]]
    """
    k = _numbered(n, spacing)
    along = np.ceil(k / 2.0) * spacing * math.sqrt(0.5)
    return _pairs(-along, np.where(k % 2 == 1, along, -along))


def circle(n: int, spacing: float = 2.0) -> NDArray[np.float64]:
    """Around the anchor, counter-clockwise from straight ahead.

    Parameters
    ----------
    n : int
        Number of slots, zero or more.
    spacing : float
        m between neighbours, zero or more: for members that touch, twice their radius. The circle
        has radius (spacing / 2) / sin(π/n).

    Returns
    -------
    (n, 2) ndarray
        m ahead of the anchor, and to its left.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> circle(4, 2.0).round(3).tolist()
    [[1.414, 0.0], [0.0, 1.414], [-1.414, 0.0], [-0.0, -1.414]]
    """
    k = _numbered(n, spacing)
    radius = 0.5 * spacing / math.sin(math.pi / len(k)) if len(k) > 1 else 0.0
    angle = 2.0 * math.pi * k / max(len(k), 1)
    return _pairs(radius * np.cos(angle), radius * np.sin(angle))


def square(n: int, spacing: float = 2.0) -> NDArray[np.float64]:
    """In ranks as deep as they are wide, the anchor in the middle of the first.

    Parameters
    ----------
    n : int
        Number of slots, zero or more.
    spacing : float
        m between neighbours, zero or more.

    Returns
    -------
    (n, 2) ndarray
        m ahead of the anchor, and to its left.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> square(4, 2.0).tolist()
    [[0.0, 1.0], [0.0, -1.0], [-2.0, 1.0], [-2.0, -1.0]]
    """
    k = _numbered(n, spacing)
    wide = math.isqrt(max(len(k) - 1, 0)) + 1
    return _pairs(-spacing * (k // wide), spacing * (0.5 * (wide - 1) - k % wide))


def in_world(
    slots: NDArray[np.float64], position: NDArray[np.float64], forward: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Turn and move slots with the anchor.

    Parameters
    ----------
    slots : (n, 2) or (n, 3) ndarray
        m ahead of the anchor, to its left, and up.
    position : (d,) ndarray
        m, world frame: the anchor; d = 2 or 3.
    forward : (d,) ndarray
        Unit vector, world frame. In space, left is level.

    Returns
    -------
    (n, d) ndarray
        m, world frame.

    Examples
    --------
    >>> in_world(column(2, 3.0), np.array([5.0, 0.0]), np.array([0.0, 1.0])).tolist()
    [[5.0, 0.0], [5.0, -3.0]]
    """
    d = len(position)
    level = math.hypot(forward[0], forward[1])
    left = np.zeros(d)
    left[:2] = (-forward[1] / level, forward[0] / level) if level > TINY else (0.0, 1.0)
    axes = [forward, left] if d == 2 else [forward, left, np.cross(forward, left)]
    used = min(slots.shape[1], d)
    return position + slots[:, :used] @ np.array(axes[:used])


def _numbered(n: int, spacing: float) -> NDArray[np.float64]:
    """The numbers of the slots, if the arguments can be used."""
    if zero_or_more("spacing", spacing, "metres") > TOO_LARGE:
        raise InputError(f"spacing is {spacing}, too large to compute with: give less.")
    return np.arange(whole("n", n, 0, "a whole number of slots, zero or more"), dtype=np.float64)


def _pairs(ahead: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack((ahead, left)) + 0.0
