"""Flocking and avoidance of neighbours as computed by OpenSteer."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from conftest import find_data_folder
from headway.steer.groups import alignment, cohesion, separation
from headway.steer.neighbour_sums import View
from headway.steer.unaligned_opensteer import opensteer_avoid_neighbours
from headway.world.neighbour_lists import NeighbourLists

KINDS = ("flock", "avoid_neighbors")
FOLDER = find_data_folder()
FILES = sorted((FOLDER / "steering").glob("*.json")) if FOLDER else []
READ = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
OPENSTEER = {stem: file for stem, file in READ.items() if set(KINDS) & set(file)}

pytestmark = pytest.mark.skipif(
    not OPENSTEER, reason="no cases of OpenSteer: set HEADWAY_DATA to a folder"
)


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{stem}-{i}")
        for stem, file in OPENSTEER.items()
        for i, case in enumerate(file.get(kind, []))
    ]


def one_and_others(case: dict[str, Any], name: str) -> np.ndarray:
    return np.array([one[name] for one in (case["agent"], *case["others"])], float)


def first_sees_all(case: dict[str, Any]) -> NeighbourLists:
    n = len(case["others"])
    return NeighbourLists(np.array([0] + [n] * (n + 1)), np.arange(1, n + 1))


def test_there_are_cases_of_each_kind() -> None:
    assert all(cases(kind) for kind in KINDS)


@pytest.mark.parametrize("case", cases("flock"))
def test_flock(case: dict[str, Any]) -> None:
    position, forward = one_and_others(case, "position"), one_and_others(case, "forward")
    near = first_sees_all(case)
    view = View(case["max_distance"], case["cos_max_angle"], 3.0 * one_and_others(case, "radius"))
    apart = separation(position, near, view=view, forward=forward, normalised=True)
    along = alignment(forward, near, view=view, position=position, normalised=True)
    together = cohesion(position, near, view=view, forward=forward)
    for name, got in (("separation", apart), ("alignment", along), ("cohesion", together)):
        np.testing.assert_allclose(got[0], case[name], rtol=1e-4, atol=1e-4, err_msg=name)


@pytest.mark.parametrize("case", cases("avoid_neighbors"))
def test_avoid_neighbors(case: dict[str, Any]) -> None:
    arrays = [
        one_and_others(case, name) for name in ("position", "forward", "side", "speed", "radius")
    ]
    got = opensteer_avoid_neighbours(*arrays, first_sees_all(case), case["min_time_to_collision"])
    np.testing.assert_allclose(got[0], case["steer"], rtol=1e-4, atol=1e-4)
