"""A short hash of the state of a simulation, and where two states part."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError


def state_hash(*arrays: ArrayLike) -> str:
    """Hash arrays: equal for equal states on every machine, different for any other bit.

    Equal means of the same types and shapes, with the same bits; only −0 and +0 count as equal,
    since no simulation should depend on that sign.

    Parameters
    ----------
    *arrays : array_like of bool, int or float
        The arrays that make up the state, in a fixed order; any shape.

    Returns
    -------
    str
        16 hexadecimal digits.

    Raises
    ------
    InputError
        If an array is of another type.

    Notes
    -----
    BLAKE2b (RFC 7693) with a digest of 8 bytes, over each array's type and shape and its bytes in
    little-endian order. Two different states share a hash with probability 2⁻⁶⁴.

    Examples
    --------
    >>> state_hash([1.0, -0.0]) == state_hash([1.0, 0.0])
    True
    >>> state_hash([1.0, 2.0]) == state_hash([[1.0, 2.0]])
    False
    >>> state_hash()
    'e4a6a0577479b2b4'
    """
    digest = hashlib.blake2b(digest_size=8)
    for array in arrays:
        plain = _plain(array)
        digest.update(_form(plain.dtype, plain.shape))
        digest.update(plain.data)
    return digest.hexdigest()


def first_difference(a: ArrayLike, b: ArrayLike) -> tuple[int, ...] | None:
    """Find where two arrays first differ in what `state_hash` hashes.

    Parameters
    ----------
    a, b : (...) array_like of bool, int or float
        Two states of the same type and shape, usually (N, columns).

    Returns
    -------
    tuple of int or None
        Index of the first element that differs, row by row: (row, column) of a table;
        None if there is none.

    Raises
    ------
    InputError
        If the types or shapes differ.

    Examples
    --------
    >>> first_difference([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.5]])
    (1, 1)
    >>> first_difference([[0.0]], [[-0.0]]) is None
    True
    """
    a, b = _plain(a), _plain(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        raise InputError(
            f"only arrays of one type and shape can be compared, not {a.dtype} {a.shape} "
            f"and {b.dtype} {b.shape}."
        )
    bits = f"u{a.dtype.itemsize}"
    different = np.flatnonzero(a.view(bits) != b.view(bits))
    if not len(different):
        return None
    return tuple(int(index) for index in np.unravel_index(different[0], a.shape))


def _plain(values: ArrayLike) -> NDArray[Any]:
    """The values C-contiguous and little-endian, with +0 for −0."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise InputError(f"a state is of bool, int or float arrays, not of type {array.dtype}.")
    if array.dtype.kind == "f":
        with np.errstate(invalid="ignore"):  # a signalling NaN is a state like any other
            array = array + 0.0
    return np.asarray(array, _little_endian(array.dtype), order="C")


@lru_cache
def _little_endian(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder("<")


@lru_cache
def _form(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    return f"{dtype.str}{shape}".encode()
