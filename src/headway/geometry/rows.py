"""One agent or many: arguments laid out flat for kernels, and what is wrong with them.

A function for agents takes (d,) for one and (N, d) for many, d = 2 or 3; what belongs to all alike
may be given once. Reading them costs a fraction of a microsecond, so that one agent alone is
served quickly too. Whether numbers are finite is for the kernel to see, which reads them anyway:
when it reports a row, `refuse` finds the argument to blame.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NoReturn

import numpy as np
from numpy import ndarray
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError

FLOAT = np.dtype(np.float64)
Shape = tuple[int, ...]


def positions(name: str, value: ArrayLike) -> tuple[NDArray[np.float64], Shape]:
    """Lay out the argument that says how many agents there are; returns it flat, and its shape."""
    array = value if type(value) is ndarray and value.dtype is FLOAT else _read(name, value)
    shape = array.shape
    if shape != (3,) and shape != (2,) and not (len(shape) == 2 and shape[1] in (2, 3)):
        raise InputError(f"{name} has shape {shape}: give (d,) or (N, d) with d = 2 or 3.")
    return array.ravel(), shape


def vectors(name: str, value: ArrayLike, shape: Shape) -> NDArray[np.float64]:
    """Lay out an argument with a vector for each agent, or one for all."""
    array = value if type(value) is ndarray and value.dtype is FLOAT else _read(name, value)
    given = array.shape
    if given != shape and given != shape[-1:]:
        alike = f"{shape[-1:]} or {shape}" if len(shape) == 2 else f"{shape}"
        raise InputError(f"{name} has shape {given}: give {alike}, as for the positions.")
    return array.ravel()


def numbers(name: str, value: ArrayLike, shape: Shape) -> NDArray[np.float64]:
    """Lay out an argument with a number for each agent, or one for all."""
    if type(value) is float or type(value) is int:
        return _one(float(value))
    array = _read(name, value)
    if array.ndim and array.shape != shape[:-1]:
        many = f", or {shape[:-1]}" if len(shape) == 2 else ""
        raise InputError(f"{name} has shape {array.shape}: give one number{many}.")
    return array.reshape(-1)


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
    names = ", ".join(name.rstrip("_") for name in arguments)
    raise InputError(f"{names}: the numbers are too large to compute with.")


@lru_cache(256)
def _one(value: float) -> NDArray[np.float64]:
    """A number as an array: made once, because that takes longer than to look it up."""
    return np.array((value,))


def _read(name: str, value: Any) -> NDArray[np.float64]:
    try:
        return np.ascontiguousarray(value, FLOAT) if np.ndim(value) else np.array(value, FLOAT)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as numbers ({error}).") from error
