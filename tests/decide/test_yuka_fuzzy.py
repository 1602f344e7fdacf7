"""Fuzzy sets and rules give the numbers that Yuka gives."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from conftest import find_data_folder
from headway.decide.fuzzy_rules import Rule, infer, term
from headway.decide.fuzzy_sets import (
    FuzzySet,
    FuzzyVariable,
    left_shoulder,
    right_shoulder,
    triangular,
)

DISTANCE = FuzzyVariable(
    "distance",
    {"close": left_shoulder(0, 25, 150), "medium": triangular(25, 150, 300),
     "far": right_shoulder(150, 300, 1000)},
)  # fmt: skip
AMMO = FuzzyVariable(
    "ammo",
    {"low": triangular(0, 0, 10), "okay": triangular(0, 10, 30),
     "loads": right_shoulder(10, 30, 40)},
)  # fmt: skip
DESIRABILITY = FuzzyVariable(
    "desirability",
    {"undesirable": left_shoulder(0, 25, 50), "desirable": triangular(25, 50, 75),
     "very": right_shoulder(50, 75, 100)},
)  # fmt: skip
LAUNCHER = {
    ("close", "low"): "undesirable",
    ("close", "okay"): "undesirable",
    ("close", "loads"): "undesirable",
    ("medium", "low"): "desirable",
    ("medium", "okay"): "very",
    ("medium", "loads"): "very",
    ("far", "low"): "undesirable",
    ("far", "okay"): "undesirable",
    ("far", "loads"): "desirable",
}
RULES = [
    Rule(term(DISTANCE, far) & term(AMMO, much), term(DESIRABILITY, LAUNCHER[far, much]))
    for far, much in product(DISTANCE.sets, AMMO.sets)
]


def cases(kind: str) -> list[dict[str, Any]]:
    """All cases of a kind, in whatever files there are."""
    folder = find_data_folder()
    files = sorted((folder / "steering").glob("*.json")) if folder else []
    found = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return [case for content in found for case in content.get(kind, [])]


def of(kind: str) -> Any:
    found = cases(kind)
    skip = pytest.param(None, marks=pytest.mark.skip(reason=f"no cases of {kind}"), id="none")
    return [pytest.param(case, id=f"{kind}{i}") for i, case in enumerate(found)] or [skip]


@pytest.mark.parametrize("case", of("fuzzy_membership"))
def test_membership(case: dict[str, Any]) -> None:
    span = case["left"], case["midpoint"], case["right"]
    one = FuzzySet(case["set"], *span, case.get("std", 1.0))
    assert one.membership(case["x"]) == pytest.approx(case["membership"], rel=1e-9, abs=1e-12)
    assert one.representative == pytest.approx(case["representative"], rel=1e-9)


@pytest.mark.parametrize("case", of("fuzzy_weapon_desirability"))
def test_weapon_desirability(case: dict[str, Any]) -> None:
    known = {"distance": case["distance"], "ammo": case["ammo"]}
    mean, centre = infer(RULES, known), infer(RULES, known, by="centroid", samples=10)
    assert mean == pytest.approx(case["desirability_maxav"], rel=1e-9)
    assert centre == pytest.approx(case["desirability_centroid10"], rel=1e-9)


def test_all_agents_at_once_as_one_by_one() -> None:
    found = cases("fuzzy_weapon_desirability")
    if not found:
        pytest.skip("no cases of fuzzy_weapon_desirability")
    known = {name: [case[name] for case in found] for name in ("distance", "ammo")}
    want = [case["desirability_maxav"] for case in found]
    assert infer(RULES, known).tolist() == pytest.approx(want, rel=1e-9)
