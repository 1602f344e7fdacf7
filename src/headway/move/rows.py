"""Checked arrays with a row for each car or other body, as kernels need them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import above_zero, zero_or_more


def count_rows(name: str, values: ArrayLike) -> int:
    """Return how many rows there are.

    Raises
    ------
    InputError
        If the values have no rows.
    """
    shape = np.shape(values) if not isinstance(values, np.ndarray) else values.shape
    if not shape:
        raise InputError(f"{name} is a single value; give an array with a row for each car.")
    return shape[0]


def as_rows(
    name: str, values: ArrayLike, shape: tuple[int, ...], dtype: Any = np.float64
) -> NDArray[Any]:
    """Return values as a C-contiguous array of a shape and type.

    Raises
    ------
    InputError
        If they are not numbers or have another shape; the message calls them by name.
    """
    try:
        array = np.require(values, dtype, ["C", "W"])
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as an array of numbers ({error}).") from error
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}; give {shape}, a row for each car.")
    return array


def require_finite(name: str, array: NDArray[np.float64]) -> None:
    """Refuse values that are infinite or not a number.

    Raises
    ------
    InputError
        If there are any.
    """
    if not np.isfinite(array).all():
        raise InputError(f"{name} holds a value that is not finite; remove it.")


def check_parameters(
    body: Any, may_be_zero: Container[str] = (), *, but: Container[str] = ()
) -> None:
    """Check that the parameters of a body are finite numbers in range, and keep them as floats.

    Parameters
    ----------
    body : frozen dataclass
        Its fields are numbers above zero; an error calls it by the name of its type.
    may_be_zero : container of str
        Names of fields that may also be zero.
    but : container of str
        Names of fields that are looked at elsewhere.

    Raises
    ------
    InputError
        If a parameter is something else.
    """
    for field in fields(body):
        if field.name not in but:
            check = zero_or_more if field.name in may_be_zero else above_zero
            name = f"{type(body).__name__.lower()}: {field.name}"
            object.__setattr__(body, field.name, check(name, getattr(body, field.name)))


@lru_cache(maxsize=256)
def parameter_row(body: Any) -> NDArray[np.float64]:
    """The parameters of one body as (1, W), laid out once; not to be changed."""
    return body.vector()[None]


def parameter_rows(kind: type[Any], bodies: Any, count: int) -> NDArray[np.float64]:
    """Lay out the parameters of bodies for kernels.

    Parameters
    ----------
    kind : type
        What they are; it has a method `vector`.
    bodies : object of that type, or sequence of N of them
        One for all, or one for each.
    count : int
        N.

    Returns
    -------
    (1, W) or (N, W) ndarray
        Their rows.

    Raises
    ------
    InputError
        If they are something else, or not N.
    """
    if isinstance(bodies, kind):
        return parameter_row(bodies)
    several = list(bodies) if isinstance(bodies, Sequence | np.ndarray) else []
    name = kind.__name__
    if not all(isinstance(each, kind) for each in several) or len(several) != max(count, 1):
        raise InputError(f"{name.lower()}: give one {name} for all, or one for each of {count}.")
    return np.concatenate([parameter_row(each) for each in several])
