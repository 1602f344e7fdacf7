"""Times, lengths and counts read as people write them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.view.wording import count_of, format_length, format_time


@given(st.floats(0.0, 1e6))
def test_a_time_reads_back_to_the_millisecond(seconds):
    *larger, last = format_time(seconds).split(":")
    assert len(last) == len("00.000")
    assert float(last) < 60
    back = float(last)
    for power, part in enumerate(reversed(larger), start=1):
        back += int(part) * 60**power
    assert back == pytest.approx(seconds, abs=0.00051)


@pytest.mark.parametrize("missing", [None, math.nan, math.inf])
def test_no_time_is_a_dash(missing):
    assert format_time(missing) == "-"


def test_minutes_under_an_hour_have_no_leading_zero():
    assert format_time(61.5) == "1:01.500"
    assert format_time(3661.5) == "1:01:01.500"


def test_lengths_choose_their_unit():
    assert format_length(999.4) == "999 m"
    assert format_length(999.6) == "1.00 km"
    assert format_length(60.0) == "60 m"


def test_counts_agree_with_their_noun():
    assert [count_of(n, "car") for n in (0, 1, 2)] == ["0 cars", "1 car", "2 cars"]
