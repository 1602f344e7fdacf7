"""One agent or many: arguments laid out flat for kernels, and what is wrong with them.

A function for agents takes (d,) for one and (N, d) for many, d = 2 or 3; what belongs to all alike
may be given once. Reading them costs a fraction of a microsecond, so that one agent alone is
served quickly too. Whether numbers are finite is for the kernel to see, which reads them anyway:
when it reports a row, `refuse` finds the argument to blame.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np
from numpy import ndarray
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import INT64_END, shown
from headway.geometry.vectors import BLOCK

FLOAT = np.dtype(np.float64)
ONE_AGENT = ((3,), (2,))
Shape = tuple[int, ...]
TOO_LARGE = 1e100
"""Numbers beyond are to blame first when a result is not finite."""


def positions(name: str, value: ArrayLike) -> tuple[NDArray[np.float64], Shape]:
    """Lay out the argument that says how many agents there are; returns it flat, and its shape."""
    array = value if type(value) is ndarray and value.dtype is FLOAT else read(name, value)
    shape = array.shape
    if shape not in ONE_AGENT and not (len(shape) == 2 and shape[1] in (2, 3)):
        raise InputError(f"{name} has shape {shape}: give (d,) or (N, d) with d = 2 or 3.")
    return array.ravel(), shape


def vectors(name: str, value: ArrayLike, shape: Shape) -> NDArray[np.float64]:
    """Lay out an argument with a vector for each agent, or one for all."""
    if type(value) is ndarray and value.dtype is FLOAT and value.shape == shape:
        return value.ravel()
    array = read(name, value)
    given = array.shape
    if given != shape and given != shape[-1:]:
        alike = f"{shape[-1:]} or {shape}" if len(shape) == 2 else f"{shape}"
        raise InputError(f"{name} has shape {given}: give {alike}, as for the positions.")
    return array.ravel()


def numbers(name: str, value: ArrayLike, shape: Shape) -> NDArray[np.float64]:
    """Lay out an argument with a number for each agent, or one for all."""
    if type(value) is float:
        return ONE[value]
    if type(value) is int and -INT64_END <= value < INT64_END:
        return ONE[float(value)]
    array = read(name, value)
    if array.ndim and array.shape != shape[:-1]:
        many = f", or {shape[:-1]}" if len(shape) == 2 else ""
        raise InputError(f"{name} has shape {array.shape}: give one number{many}.")
    return array.reshape(-1)


def each_vector(name: str, value: ArrayLike, shape: Shape) -> NDArray[np.float64]:
    """Lay out an argument with a vector for each agent; one for all fills a block."""
    if type(value) is ndarray and value.dtype is FLOAT and value.shape == shape:
        return value.ravel()
    given = vectors(name, value, shape)
    if len(given) == math.prod(shape):
        return given
    rows = np.empty((BLOCK, shape[-1]))
    rows[:] = given
    return rows.ravel()


def each_number(name: str, value: ArrayLike, shape: Shape) -> NDArray[np.float64]:
    """Lay out an argument with a number for each agent; one for all fills a block."""
    if type(value) is float:
        return A_BLOCK_OF[value]
    given = numbers(name, value, shape)
    return given if len(given) == math.prod(shape[:-1]) else A_BLOCK_OF[float(given[0])]


def indices(name: str, value: ArrayLike, *shapes: Shape) -> NDArray[np.int64]:
    """Read whole numbers, such as the names that agents have for chance.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : () or (N,) array_like of int
        Below 2⁶³.
    *shapes : tuple
        Those that it may have.

    Returns
    -------
    ndarray of int64
        C-contiguous; it may be what was given.

    Raises
    ------
    InputError
        If it has another shape, or a number is not whole or too large.
    """
    wanted = f"whole numbers below 2^63, in shape {' or '.join(map(str, shapes))}"
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as numbers ({error}).") from error
    if array.shape not in shapes:
        raise InputError(f"{name} has shape {array.shape}: give {wanted}.")
    kind = array.dtype.kind
    if array.size and (kind not in "iu" or (kind == "u" and (array >= INT64_END).any())):
        raise InputError(f"{name} is {shown(value)} of {array.dtype}: give {wanted}.")
    return array.astype(np.int64, order="C", copy=False)


def refuse(**arguments: ArrayLike) -> NoReturn:
    """Say which of the arguments made a result that is not finite.

    Parameters
    ----------
    **arguments : array_like
        All of them, by name. Those that must not be negative have a name that ends in ``_``.
    """
    for given, value in arguments.items():
        name, array = given.rstrip("_"), np.asarray(value, np.float64)
        wrong = ~np.isfinite(array) | (array < 0.0 if given.endswith("_") else False)
        if wrong.any():
            one = array.ndim == 0 or (array.ndim == 1 and not given.endswith("_"))
            row = ... if one else np.argwhere(wrong)[0][0]
            where = "" if one else f" of agent {row}"
            kind = "a finite number, zero or more" if given.endswith("_") else "finite numbers"
            raise InputError(f"{name}{where} is {array[row]}: give {kind}.")
    huge = [
        given
        for given, value in arguments.items()
        if np.max(np.abs(np.asarray(value, np.float64)), initial=0.0) > TOO_LARGE
    ]
    names = ", ".join(name.rstrip("_") for name in huge or arguments)
    raise InputError(f"{names}: the numbers are too large to compute with.")


def infinity_allowed(value: ArrayLike) -> NDArray[np.float64]:
    """For `refuse`: an argument that may be infinite, with zeros where it is.

    Parameters
    ----------
    value : float or (N,) ndarray
        In any unit.

    Returns
    -------
    () or (N,) ndarray
        The same numbers, but for the infinite ones.

    Examples
    --------
    >>> infinity_allowed([2.0, np.inf]).tolist()
    [2.0, 0.0]
    """
    array = np.asarray(value, np.float64)
    return np.where(array == np.inf, 0.0, array)


def finite_rows(
    name: str, value: ArrayLike, shape: tuple[int | tuple[int, ...], ...]
) -> NDArray[np.float64]:
    """Read an array of finite numbers whose shape is known but for the first length.

    For what is read once: looking at every number takes a while.

    Parameters
    ----------
    name : str
        What a row is called in an error.
    value : (K, ...) array_like
        No rows, whatever their length, are welcome.
    shape : tuple
        The lengths after the first; where several will do, a tuple of them.

    Returns
    -------
    (K, ...) ndarray
        C-contiguous.

    Raises
    ------
    InputError
        If the shape does not fit, or a number is not finite.

    Examples
    --------
    >>> finite_rows("wall", [[(0, 0), (1, 0)]], (2, (2, 3))).shape
    (1, 2, 2)
    """
    array = read(name, value)
    lengths = [each if isinstance(each, tuple) else (each,) for each in shape]
    if array.size == 0 and array.ndim != 1 + len(shape):
        array = array.reshape(0, *(each[-1] for each in lengths))
    if array.ndim != 1 + len(shape) or any(
        length not in allowed for length, allowed in zip(array.shape[1:], lengths, strict=True)
    ):
        wanted = ", ".join(" or ".join(map(str, each)) for each in lengths)
        raise InputError(f"{name} has shape {array.shape}: give (K, {wanted}).")
    if not np.isfinite(array).all():
        k = int(np.argwhere(~np.isfinite(array))[0][0])
        raise InputError(f"{name} {k} has a number that is not finite: give finite numbers.")
    return array


def raised(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of the plane as points in space, at z = 0.

    Parameters
    ----------
    points : (..., 2|3) ndarray
        m; those in space are returned as they are.
    """
    if points.shape[-1] == 3:
        return points
    return np.concatenate((points, np.zeros((*points.shape[:-1], 1))), axis=-1)


class _Copies(dict[float, NDArray[np.float64]]):
    """Numbers as arrays of some copies: made once, because that takes longer than a look-up."""

    def __init__(self, copies: int) -> None:
        self.copies = copies

    def __missing__(self, value: float) -> NDArray[np.float64]:
        if len(self) >= 256:
            self.clear()
        self[value] = made = np.full(self.copies, value)
        return made


ONE, A_BLOCK_OF = _Copies(1), _Copies(BLOCK)


def read(name: str, value: Any) -> NDArray[np.float64]:
    """Read numbers in an array of any shape.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : array_like
        Numbers.

    Returns
    -------
    ndarray
        C-contiguous; it may be what was given.

    Raises
    ------
    InputError
        If it holds anything else, such as texts or times, or its rows differ in length.
    """
    try:
        array = np.asarray(value)
        if array.dtype is FLOAT and array.flags.c_contiguous:
            return array
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{shown(value)} is given")
        return np.ascontiguousarray(array, FLOAT) if array.ndim else np.array(array, FLOAT)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} cannot be read as numbers ({error}).") from error
