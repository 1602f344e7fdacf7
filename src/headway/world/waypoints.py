"""Waypoints and widths as they are given: numbers, finite, apart from each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError

Array = NDArray[np.float64]

MOST = 1e7  # m; beyond it positions lose their nanometres
CLOSEST = 1e-6  # m; nearer waypoints are the same place


def finite_numbers(name: str, value: Any, shape: tuple[int, ...] | None = None) -> Array:
    """Copy an argument into a float64 array of finite numbers, of a given shape if one is given.

    Raises
    ------
    InputError
        Names the argument, and the index of a number that is not finite.

    Examples
    --------
    >>> finite_numbers("s", [1, 2]).tolist()
    [1.0, 2.0]
    """
    try:
        array = np.array(value, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} is not an array of numbers.") from None
    if shape is not None and array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}: {shape} is needed.")
    if not np.isfinite(array).all():
        bad = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = f"{name}[{', '.join(map(str, bad))}]" if bad else name
        raise InputError(f"{place} is {array[bad]}: it must be finite.")
    return array


def checked_waypoints(points: ArrayLike) -> Array:
    """Waypoints (M, 2) or (M, 3), m, as a fresh array.

    Raises
    ------
    InputError
        If they have another shape, are not finite, or lie beyond 10⁷ m.

    Examples
    --------
    >>> checked_waypoints([(0, 0), (3, 4)]).shape
    (2, 2)
    """
    waypoints = finite_numbers("points", points)
    if waypoints.ndim != 2 or waypoints.shape[1] not in (2, 3):
        raise InputError(f"points has shape {waypoints.shape}: (M, 2) or (M, 3) is needed.")
    far = np.abs(waypoints).max(axis=1, initial=0.0) > MOST
    if far.any():
        raise InputError(
            f"points[{far.argmax()}] lies beyond {MOST:.0e} m: move the origin near the route."
        )
    return waypoints


def checked_widths(widths: ArrayLike, count: int) -> Array:
    """Widths (count, 2), m, to the left and right of each waypoint, as a fresh array.

    Raises
    ------
    InputError
        If they have another shape, are not finite, not positive, or beyond 10⁷ m.

    Examples
    --------
    >>> checked_widths([(2, 3), (4, 3)], 2).tolist()
    [[2.0, 3.0], [4.0, 3.0]]
    """
    sides = finite_numbers("widths", widths, (count, 2))
    odd = (sides <= 0.0) | (sides > MOST)
    if odd.any():
        row, side = np.argwhere(odd)[0]
        raise InputError(
            f"widths[{row}, {side}] is {sides[row, side]}: give positive widths in metres."
        )
    return sides


def same_place(a: Array, b: Array) -> bool:
    """Whether two waypoints (D,) are one place, to a micrometre."""
    return math.hypot(*(b - a)) <= CLOSEST


def check_spacing(waypoints: Array, closed: bool) -> None:
    """Check that there are enough waypoints, and neighbours apart from each other in the plan.

    Parameters
    ----------
    waypoints : (M, 2) or (M, 3) ndarray
        m.
    closed : bool
        Whether the last is followed by the first.

    Raises
    ------
    InputError
        Names both indices of neighbours at one place.

    Examples
    --------
    >>> check_spacing(np.array([[0.0, 0.0], [1.0, 0.0]]), closed=False)
    """
    count = len(waypoints)
    least, kind = (3, "a closed") if closed else (2, "an open")
    if count < least:
        raise InputError(f"points holds {count} different waypoints: {kind} route needs {least}.")
    onward = np.roll(waypoints, -1, axis=0) if closed else waypoints[1:]
    step = (onward - waypoints[: len(onward)])[:, :2]
    near = np.hypot(step[:, 0], step[:, 1]) <= CLOSEST
    if near.any():
        first = int(near.argmax())
        second = (first + 1) % count
        raise InputError(
            f"points[{first}] and points[{second}] are at one place in the plan: drop one of them."
        )
