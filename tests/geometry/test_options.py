"""Options that all agents have in common: what is taken, and what is refused in one sentence."""

# pyright: reportArgumentType=false, reportCallIssue=false
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from headway.errors import InputError
from headway.geometry.options import (
    able,
    above_zero,
    flag,
    instance,
    one_of,
    real,
    seconds,
    shown,
    whole,
    zero_or_more,
)

NO_NUMBERS = (None, "1.0", b"1", [1.0], (), {}, np.zeros((9, 9)), 1j, np.datetime64("now"), object)


@pytest.mark.parametrize("value", NO_NUMBERS)
@pytest.mark.parametrize("check", [real, seconds, above_zero, zero_or_more, whole])
def test_what_is_no_number_is_refused_in_one_line(check: Any, value: Any) -> None:
    with pytest.raises(InputError, match=r"^it is [^\n]*: give [^\n]*\.$"):
        check("it", value)


@pytest.mark.parametrize("value", [1, 1.0, np.float32(1), np.int8(1), np.array(1.0), Fraction(1)])
@pytest.mark.parametrize("check", [real, seconds, above_zero, zero_or_more])
def test_numbers_of_any_kind_become_floats(check: Any, value: Any) -> None:
    number = check("it", value)
    assert type(number) is float
    assert number == 1.0


@pytest.mark.parametrize("value", [-1, -0.5, math.nan, math.inf, 10**400])
def test_numbers_out_of_range_are_refused(value: Any) -> None:
    for check in (seconds, above_zero, zero_or_more):
        with pytest.raises(InputError, match="it is"):
            check("it", value)
    with pytest.raises(InputError, match="it is"):
        whole("it", value, 0)


def test_the_ends_of_ranges() -> None:
    assert zero_or_more("it", 0) == 0.0
    assert zero_or_more("it", math.inf, infinite=True) == math.inf
    with pytest.raises(InputError, match="it is 0: give metres, above zero"):
        above_zero("it", 0, "metres")
    assert whole("it", 2**63 - 1) == 2**63 - 1
    assert whole("it", -(2**63)) == -(2**63)
    assert type(whole("it", 3.0)) is int
    assert type(whole("it", np.uint64(3))) is int
    for value in (2**63, -(2**63) - 1, 1.5, np.uint64(2**63)):
        with pytest.raises(InputError, match=r"it is .*: give a whole number below 2\^63"):
            whole("it", value)


@pytest.mark.parametrize("value", ["c", None, [], np.zeros(3), {}])
def test_one_of_a_few(value: Any) -> None:
    one_of("it", "a", ("a", "b"))
    one_of("it", np.int64(1), (1, -1))
    with pytest.raises(InputError, match=r"it is .*: give 'a' or 'b'"):
        one_of("it", value, ("a", "b"))


def test_yes_and_no() -> None:
    assert flag("it", np.True_) is True
    for value in ("yes", None, np.zeros(3, np.bool_)):
        with pytest.raises(InputError, match=r"it is .*: give True or False"):
            flag("it", value)


def test_objects() -> None:
    instance("it", 1, int)
    able("it", [], "a list", "append")
    with pytest.raises(InputError, match="it is None: give an Oak"):
        instance("it", None, Oak)
    for value in (None, 1, list):
        with pytest.raises(InputError, match=r"it is .*: give a list"):
            able("it", value, "a list", "append")


class Oak:
    """A class whose name begins with a vowel."""


def test_values_are_shown_short_and_in_one_line() -> None:
    assert shown(np.zeros((40, 40))) == "an array of shape (40, 40)"
    for value in (10**5000, (10**5000,), "x\n" * 99, {k: k for k in range(99)}):
        assert len(shown(value)) <= 60
        assert "\n" not in shown(value)
