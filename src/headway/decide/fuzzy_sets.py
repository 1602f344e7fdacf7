"""Fuzzy sets and variables: how far a number is small, middling or large.

A fuzzy set says of every number to what degree, from 0 to 1, it belongs; a variable is a few of
them over one range. A value beyond the range is taken for the end of the range.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import instance, one_of, real
from headway.geometry.rows import read

(
    LEFT_SHOULDER,
    TRIANGULAR,
    RIGHT_SHOULDER,
    LEFT_SCURVE,
    RIGHT_SCURVE,
    NORMAL,
    SINGLETON,
) = range(7)
KINDS = (
    "left_shoulder",
    "triangular",
    "right_shoulder",
    "left_scurve",
    "right_scurve",
    "normal",
    "singleton",
)
KIND, LEFT, MIDPOINT, RIGHT, DEVIATION = range(5)
"""Columns of a set."""


@dataclass(frozen=True, slots=True)
class FuzzySet:
    """A fuzzy set; make it with `left_shoulder`, `triangular` and the others.

    Parameters
    ----------
    kind : str
        The name of the function that makes it.
    left, midpoint, right : float
        The set is empty left of the first and right of the last, and full at the second.
    deviation : float
        Standard deviation, of a normal set only.
    """

    kind: str
    left: float
    midpoint: float
    right: float
    deviation: float = 1.0

    def __post_init__(self) -> None:
        one_of("kind", self.kind, KINDS)
        for name in ("left", "midpoint", "right", "deviation"):
            real(f"{name} of {self.kind}", getattr(self, name))
        wide = self.right - self.left
        if not (self.left <= self.midpoint <= self.right and wide < math.inf):
            raise InputError(
                f"{self.kind} from {self.left} over {self.midpoint} to {self.right}: give three "
                "finite numbers in rising order."
            )
        if not 0.0 < self.deviation < math.inf:
            raise InputError(f"deviation is {self.deviation}: give a finite number above zero.")

    @property
    def representative(self) -> float:
        """The number that stands for the set: the middle of where it is full."""
        if self.kind in ("left_shoulder", "left_scurve"):
            return 0.5 * self.left + 0.5 * self.midpoint
        if self.kind in ("right_shoulder", "right_scurve"):
            return 0.5 * self.midpoint + 0.5 * self.right
        return self.midpoint

    @property
    def row(self) -> tuple[float, float, float, float, float]:
        """The set in numbers, for kernels."""
        return (
            float(KINDS.index(self.kind)),
            float(self.left),
            float(self.midpoint),
            float(self.right),
            float(self.deviation),
        )

    def membership(self, x: ArrayLike) -> NDArray[np.float64]:
        """To what degree numbers belong to the set.

        Parameters
        ----------
        x : float or (N,) array_like
            Finite.

        Returns
        -------
        float or (N,) ndarray
            From 0 to 1.

        Examples
        --------
        >>> triangular(0.0, 10.0, 30.0).membership([5.0, 10.0, 15.0, 40.0]).tolist()
        [0.5, 1.0, 0.75, 0.0]
        """
        values = _finite("x", x)
        return degrees(values, np.array([self.row]), -np.inf, np.inf)[:, 0].reshape(np.shape(x))


def left_shoulder(left: float, midpoint: float, right: float) -> FuzzySet:
    """Full from left to midpoint, then falling in a straight line to nothing at right."""
    return FuzzySet("left_shoulder", left, midpoint, right)


def triangular(left: float, midpoint: float, right: float) -> FuzzySet:
    """Rising in a straight line from left to midpoint, falling to right."""
    return FuzzySet("triangular", left, midpoint, right)


def right_shoulder(left: float, midpoint: float, right: float) -> FuzzySet:
    """Rising in a straight line from nothing at left, full from midpoint to right."""
    return FuzzySet("right_shoulder", left, midpoint, right)


def left_scurve(left: float, midpoint: float, right: float) -> FuzzySet:
    """Full from left to midpoint, then falling to right along two halves of parabolas."""
    return FuzzySet("left_scurve", left, midpoint, right)


def right_scurve(left: float, midpoint: float, right: float) -> FuzzySet:
    """Rising from left to midpoint along two halves of parabolas, full from there to right."""
    return FuzzySet("right_scurve", left, midpoint, right)


def normal(left: float, midpoint: float, right: float, deviation: float) -> FuzzySet:
    """A bell round the midpoint, cut off at left and right, which no longer belong to it."""
    return FuzzySet("normal", left, midpoint, right, deviation)


def singleton(left: float, midpoint: float, right: float) -> FuzzySet:
    """Full from left to right; the midpoint stands for it."""
    return FuzzySet("singleton", left, midpoint, right)


@dataclass(frozen=True)
class FuzzyVariable:
    """A quantity that fuzzy sets over its range describe.

    Parameters
    ----------
    name : str
    sets : dict of str to FuzzySet
        At least one. The range of the variable is all that they span.

    Raises
    ------
    InputError
        If the name is no text, or there are no sets.

    Examples
    --------
    >>> ammo = FuzzyVariable(
    ...     "ammo",
    ...     {"low": left_shoulder(0, 0, 10), "fair": triangular(0, 10, 30),
    ...      "much": right_shoulder(10, 30, 40)},
    ... )
    >>> ammo.memberships([8.0, 99.0]).round(2).tolist()
    [[0.2, 0.8, 0.0], [0.0, 0.0, 1.0]]
    """

    name: str
    sets: dict[str, FuzzySet]

    def __post_init__(self) -> None:
        instance("name", self.name, str)
        if not isinstance(self.sets, Mapping) or not self.sets:
            raise InputError(f"the fuzzy variable {self.name!r} has no sets: give at least one.")
        for name, one in self.sets.items():
            instance(f"the name of a set of {self.name!r}", name, str)
            instance(f"set {name!r} of {self.name!r}", one, FuzzySet)

    @cached_property
    def lowest(self) -> float:
        """The lower end of the range."""
        return float(min(one.left for one in self.sets.values()))

    @cached_property
    def highest(self) -> float:
        """The upper end of the range."""
        return float(max(one.right for one in self.sets.values()))

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """(K, 5): the sets in numbers, for kernels."""
        return np.array([one.row for one in self.sets.values()])

    def number(self, name: str) -> int:
        """The position of a set among all; an InputError if there is none of that name."""
        instance("the name of a set", name, str)
        if name not in self.sets:
            known = ", ".join(map(repr, self.sets))
            raise InputError(f"{self.name!r} has no set {name!r}: give one of {known}.")
        return list(self.sets).index(name)

    def memberships(self, x: ArrayLike) -> NDArray[np.float64]:
        """To what degree numbers belong to each of the sets.

        Parameters
        ----------
        x : float or (N,) array_like
            Finite; beyond the range, the end of the range is meant.

        Returns
        -------
        (K,) or (N, K) ndarray
            In the order of the sets.
        """
        values = _finite(self.name, x)
        result = degrees(values, self.rows, self.lowest, self.highest)
        return result.reshape(*np.shape(x), len(self.sets))


def degrees(
    x: NDArray[np.float64], rows: NDArray[np.float64], lowest: float, highest: float
) -> NDArray[np.float64]:
    """Degrees of membership of numbers in sets, unchecked.

    Parameters
    ----------
    x : (N,) ndarray
    rows : (K, 5) ndarray
        `FuzzySet.row` of each set.
    lowest, highest : float
        What x is limited to.

    Returns
    -------
    (N, K) ndarray
    """
    out = np.empty((len(x), len(rows)))
    _degrees(x, rows, lowest, highest, out)
    return out


def _finite(name: str, x: ArrayLike) -> NDArray[np.float64]:
    values = read(name, x)
    if values.ndim > 1:
        raise InputError(f"{name} has shape {values.shape}: give a number, or (N,) of them.")
    values = values.reshape(-1)
    if not np.isfinite(values).all():
        i = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(f"{name} of agent {i} is {values[i]}: give finite numbers.")
    return values


@kernel(forceinline=True)
def _falling(x: float, full: float, empty: float, curved: bool) -> float:
    """From 1 at one number to 0 at another, which may lie on either side of it."""
    if x == full:  # even where both are one
        return 1.0
    part = (x - empty) / (full - empty)
    if not curved:
        return part
    return 2.0 * part * part if part <= 0.5 else 1.0 - 2.0 * (1.0 - part) * (1.0 - part)


@kernel(forceinline=True)
def _degree(
    kind: int, x: float, left: float, midpoint: float, right: float, deviation: float
) -> float:
    if x < left or x > right:
        return 0.0
    if kind == SINGLETON:
        return 1.0
    if kind == NORMAL:
        off = (x - midpoint) / deviation
        return math.exp(-0.5 * off * off) if left < x < right else 0.0
    curved = kind in (LEFT_SCURVE, RIGHT_SCURVE)
    if x <= midpoint:
        flat = kind in (LEFT_SHOULDER, LEFT_SCURVE)
        return 1.0 if flat else _falling(x, midpoint, left, curved)
    flat = kind in (RIGHT_SHOULDER, RIGHT_SCURVE)
    return 1.0 if flat else _falling(x, midpoint, right, curved)


@kernel(example=lambda: (np.zeros(1), np.zeros((1, 5)), 0.0, 1.0, np.empty((1, 1))))
def _degrees(x: NDArray, rows: NDArray, lowest: float, highest: float, out: NDArray) -> None:
    for i in range(len(x)):
        value = min(max(x[i], lowest), highest)
        for k in range(len(rows)):
            out[i, k] = _degree(
                int(rows[k, KIND]), value, rows[k, LEFT], rows[k, MIDPOINT], rows[k, RIGHT],
                rows[k, DEVIATION],
            )  # fmt: skip
