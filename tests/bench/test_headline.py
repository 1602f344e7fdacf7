"""Figures say whether their target is met, on the bound too, and never by what is unknown."""

from __future__ import annotations

import json
import math

import pytest

from headway.bench.headline import at_least, at_most, failed, noted, skipped


@pytest.mark.parametrize(("value", "met"), [(4.99, False), (5.0, True), (7.0, True)])
def test_at_least(value: float, met: bool) -> None:
    figure = at_least("steps", value, 5.0, " M/s")
    assert figure.met is met
    assert figure.target == "≥ 5 M/s"
    assert figure.values == {"value": value, "unit": "M/s", "bound": 5.0}


@pytest.mark.parametrize(("value", "met"), [(1.31, False), (1.3, True), (0.2, True)])
def test_at_most(value: float, met: bool) -> None:
    figure = at_most("cost", value, 1.3, " x", cars=200)
    assert figure.met is met
    assert figure.values["cars"] == 200


def test_what_is_not_a_number_never_meets_a_target() -> None:
    assert at_least("steps", math.nan, 5.0).met is False
    assert at_most("cost", math.nan, 1.3).met is False


def test_only_a_target_can_be_missed() -> None:
    assert noted("two cars", 3.0, " µs").met is None
    assert skipped("twin", "no C++ compiler found").met is None
    assert failed("lap", "≤ 1.3 x", "the car did not finish").met is False


def test_every_figure_is_plain() -> None:
    figures = [at_least("a", 1.0, 2.0), noted("b", 3.0), skipped("c", "why"), failed("d", "t", "r")]
    assert json.loads(json.dumps([dict(figure.values) for figure in figures]))
