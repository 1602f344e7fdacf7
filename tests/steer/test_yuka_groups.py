"""Separation, alignment and cohesion as computed by Yuka."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from conftest import find_data_folder
from headway.steer.groups import alignment, cohesion, separation
from headway.world.neighbour_lists import NeighbourLists

KINDS = ("separation", "alignment", "cohesion")
FOLDER = find_data_folder()
FILES = sorted((FOLDER / "steering").glob("*.json")) if FOLDER else []
READ = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
YUKA = {stem: file for stem, file in READ.items() if set(KINDS) & set(file)}

pytestmark = pytest.mark.skipif(not YUKA, reason="no cases of Yuka: set HEADWAY_DATA to a folder")


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{stem}-{i}")
        for stem, file in YUKA.items()
        for i, case in enumerate(file.get(kind, []))
    ]


def one_and_others(case: dict[str, Any], name: str) -> np.ndarray:
    """An array of the agent in the first row and its neighbours in the rows below."""
    return np.array([one[name] for one in (case["agent"], *case["neighbours"])], float)


def first_sees_all(case: dict[str, Any]) -> NeighbourLists:
    n = len(case["neighbours"])
    return NeighbourLists(np.array([0] + [n] * (n + 1)), np.arange(1, n + 1))


def test_there_are_cases_of_each_kind() -> None:
    assert all(cases(kind) for kind in KINDS)


@pytest.mark.parametrize("case", cases("separation"))
def test_separation(case: dict[str, Any]) -> None:
    got = separation(one_and_others(case, "position"), first_sees_all(case), part=False)
    np.testing.assert_allclose(got[0], case["force"], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("case", cases("alignment"))
def test_alignment(case: dict[str, Any]) -> None:
    got = alignment(one_and_others(case, "forward"), first_sees_all(case))
    np.testing.assert_allclose(got[0], case["force"], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("case", cases("cohesion"))
def test_cohesion(case: dict[str, Any]) -> None:
    got = cohesion(
        one_and_others(case, "position"),
        first_sees_all(case),
        velocity=one_and_others(case, "velocity"),
        max_speed=one_and_others(case, "max_speed"),
    )
    np.testing.assert_allclose(got[0], case["force"], rtol=1e-9, atol=1e-12)
