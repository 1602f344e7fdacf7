"""What a grid may be made of and changed with: checks that name the argument and the remedy."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError


def is_patch(array: ArrayLike) -> TypeGuard[NDArray[np.bool_]]:
    """Tell whether an array can be written into a grid as it is, with no time lost on checks.

    Parameters
    ----------
    array : (R, C) array_like

    Returns
    -------
    bool
        Whether it is a plain two-dimensional array of bools.
    """
    return (
        isinstance(array, np.ndarray)
        and array.dtype == np.bool_
        and array.ndim == 2
        and array.flags.c_contiguous
        and array.flags.writeable
    )


def checked_passable(name: str, values: ArrayLike) -> NDArray[np.uint8]:
    """Read which cells may be entered.

    Parameters
    ----------
    name : str
        What to call them in an error.
    values : (R, C) array_like
        Bools, or finite numbers of which zero means blocked.

    Returns
    -------
    (R, C) ndarray of uint8
        1 for cells that may be entered, 0 for others.

    Raises
    ------
    InputError
        If they are nothing of the kind.
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"it holds {array.dtype}")
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as an array of cells ({error}).") from error
    if array.ndim != 2:
        raise InputError(f"{name} has shape {array.shape}; give rows and columns, (R, C).")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InputError(f"{name} holds NaN or infinity; give 1 for free and 0 for blocked.")
    return np.ascontiguousarray(array != 0).view(np.uint8)


def checked_prices(name: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Read terrain costs.

    Parameters
    ----------
    name : str
        What to call them in an error.
    values : (R, C) array_like
        Of 1e-9 to 1e9.
    shape : tuple of int
        R and C.

    Returns
    -------
    (R, C) ndarray
        A copy.

    Raises
    ------
    InputError
        If they are no such costs; the message says where.
    """
    try:
        array = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as an array of numbers ({error}).") from error
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}; give one value per cell, {shape}.")
    wrong = np.argwhere(~((array >= 1e-9) & (array <= 1e9)))
    if len(wrong):
        row, column = wrong[0].tolist()
        value = array[row, column]
        raise InputError(
            f"{name} is {value:g} in cell ({row}, {column}); give 1e-9 to 1e9 and mark cells "
            "that may not be entered as not free."
        )
    return array


def checked_finite(name: str, value: object) -> float:
    """Read a finite number.

    Parameters
    ----------
    name : str
        What to call it in an error.
    value : object

    Returns
    -------
    float

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {value!r}; give a number.") from error
    if not math.isfinite(number):
        raise InputError(f"{name} is {number}; give a finite number.")
    return number


def checked_pairs(name: str, values: ArrayLike, dtype: Any) -> NDArray[Any]:
    """Read pairs of numbers.

    Parameters
    ----------
    name : str
        What to call them in an error.
    values : (N, 2) array_like
    dtype : type
        ``np.int64`` for whole numbers, which no others are rounded to, or ``np.float64``.

    Returns
    -------
    (N, 2) ndarray
        A copy.

    Raises
    ------
    InputError
        If they are no such pairs, or not finite.
    """
    try:
        array = np.asarray(values)
        if array.size == 0:
            array = np.empty((0, 2), dtype)
        if array.dtype.kind not in ("iu" if dtype is np.int64 else "iuf"):
            raise TypeError(f"it holds {array.dtype}")
        array = np.array(array, dtype=dtype, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        kind = "whole numbers, row and column" if dtype is np.int64 else "numbers"
        raise InputError(f"{name} cannot be read as pairs of {kind} ({error}).") from error
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{name} has shape {array.shape}; give pairs, (N, 2).")
    if not np.isfinite(array).all():
        raise InputError(f"{name} holds NaN or infinity; give finite numbers.")
    return array
