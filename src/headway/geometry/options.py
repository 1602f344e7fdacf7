"""Options that all agents have in common: numbers, names and objects, checked before any use.

What can be used is seen in one look, so that a check costs little more than the call. What cannot
is named in one sentence, whatever it is.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from headway.errors import InputError

INT64_END = 2**63


def shown(value: Any) -> str:
    """A value as it may stand in an error: in one line, and short.

    Parameters
    ----------
    value : object
        Anything.

    Examples
    --------
    >>> shown("much"), shown(np.zeros((2, 2))), shown(np.float64(0.5))
    ("'much'", 'an array of shape (2, 2)', '0.5')
    """
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape}"
    number = isinstance(value, Real | np.ndarray | np.generic)
    try:
        text = str(value) if number else repr(value)
    except ValueError:  # whole numbers of thousands of digits
        text = "a number too large to be written"
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def wrong(name: str, value: Any, wanted: str) -> NoReturn:
    """Refuse a value: say what it is called, what it is, and what is wanted instead."""
    raise InputError(f"{name} is {shown(value)}: give {wanted}.")


def real(name: str, value: Any, wanted: str = "a number") -> float:
    """Check that an option is one number; it may be infinite, or none.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : float
        In any unit.
    wanted : str
        What to give, in an error.

    Raises
    ------
    InputError
        If it is not.
    """
    if type(value) is float:
        return value
    try:
        if isinstance(value, Real):
            return float(value)
        array = np.asarray(value)
        if array.ndim == 0 and array.dtype.kind in "biuf":
            return float(array)
    except (TypeError, ValueError, OverflowError):
        pass
    wrong(name, value, wanted)


def seconds(name: str, value: float) -> float:
    """Check a time that all agents have in common.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : float
        s.

    Returns
    -------
    float
        s, above zero and finite.

    Raises
    ------
    InputError
        If it is not.
    """
    if type(value) is float and 0.0 < value < math.inf:
        return value
    return above_zero(name, value, "seconds")


def above_zero(name: str, value: float, unit: str = "a finite number") -> float:
    """Check an option that must be above zero.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : float
        In the unit.
    unit : str
        In an error.

    Returns
    -------
    float
        Above zero and finite.

    Raises
    ------
    InputError
        If it is not.
    """
    if type(value) is float and 0.0 < value < math.inf:
        return value
    number = real(name, value, f"{unit}, above zero")
    if not 0.0 < number < math.inf:
        wrong(name, value, f"{unit}, above zero")
    return number


def zero_or_more(
    name: str, value: float, unit: str = "a finite number", *, infinite: bool = False
) -> float:
    """Check an option that must not be negative.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : float
        In the unit.
    unit : str
        In an error.
    infinite : bool
        Whether it may be infinite.

    Returns
    -------
    float
        Zero or more.

    Raises
    ------
    InputError
        If it is not.

    Examples
    --------
    >>> zero_or_more("margin", 1, "metres")
    1.0
    """
    if type(value) is float and 0.0 <= value < math.inf:
        return value
    number = real(name, value, f"{unit}, zero or more")
    if not (0.0 <= number < math.inf or (infinite and number == math.inf)):
        wrong(name, value, f"{unit}, zero or more")
    return number


def whole(
    name: str, value: int, least: int = -INT64_END, wanted: str = "a whole number below 2^63"
) -> int:
    """Check a whole number, such as a seed, that must fit into 64 bits.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : int
        Floats without a fraction will do.
    least : int
        The least that can be used.
    wanted : str
        What to give, in an error.

    Raises
    ------
    InputError
        If it is none.

    Examples
    --------
    >>> whole("seed", np.int32(7))
    7
    """
    if type(value) is int and least <= value < INT64_END:
        return value
    try:
        number = int(value) if isinstance(value, float) else operator.index(value)
    except (TypeError, ValueError, OverflowError):
        wrong(name, value, wanted)
    if number != value or not least <= number < INT64_END:
        wrong(name, value, wanted)
    return number


def one_of(name: str, value: Any, allowed: Collection[Any]) -> None:
    """Check that an option is one of a few names or numbers.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : str or int
        What is given.
    allowed : collection
        What may be given.

    Raises
    ------
    InputError
        If it is not among them.
    """
    if not isinstance(value, str | float | int | np.number) or value not in allowed:
        *first, last = (repr(each) for each in allowed)
        wrong(name, value, f"{', '.join(first)} or {last}" if first else last)


def flag(name: str, value: Any) -> bool:
    """Check that an option is a single yes or no.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : bool
        What is given.

    Raises
    ------
    InputError
        If it is not.
    """
    if not isinstance(value, bool | np.bool_ | int):
        wrong(name, value, "True or False")
    return bool(value)


def instance(name: str, value: Any, kind: type) -> None:
    """Check that an argument is an object of a class.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : object
        What is given.
    kind : type
        The class.

    Raises
    ------
    InputError
        If it is not.
    """
    if not isinstance(value, kind):
        wrong(name, value, f"{'an' if kind.__name__[0] in 'AEIO' else 'a'} {kind.__name__}")


def able(name: str, value: Any, wanted: str, *methods: str) -> None:
    """Check that an argument has the methods that will be called.

    Parameters
    ----------
    name : str
        What it is called in an error.
    value : object
        What is given.
    wanted : str
        What to give, in an error.
    *methods : str
        What it must be able to do.

    Raises
    ------
    InputError
        If it is not.
    """
    for method in methods:
        if isinstance(value, type) or not callable(getattr(value, method, None)):
            wrong(name, value, wanted)
