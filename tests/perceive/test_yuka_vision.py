"""Cones of vision see what Yuka's see."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from conftest import find_data_folder
from headway.perceive.vision import sees, sees_listed


def cases() -> list[dict[str, Any]]:
    """All cases of cones, in whatever files there are."""
    folder = find_data_folder()
    files = sorted((folder / "steering").glob("*.json")) if folder else []
    found = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return [
        case for content in found if "vision_cone" in content for case in content["vision_cone"]
    ]


SKIP = pytest.param(None, marks=pytest.mark.skip(reason="no cases of vision_cone"), id="none")


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"vision_cone{i}") for i, case in enumerate(cases())] or [SKIP]
)
def test_vision_cone(case: dict[str, Any]) -> None:
    eye, look = case["observer"]["position"], case["observer"]["forward"]
    cone = {"fov": case["params"]["fov_rad"], "reach": case["params"]["range"]}
    assert sees(eye, look, [case["point"]], **cone).tolist() == [case["visible"]]


def test_all_at_once_as_one_by_one() -> None:
    found = cases()
    if not found:
        pytest.skip("no cases of vision_cone")
    eyes = [case["observer"]["position"] for case in found]
    look = [case["observer"]["forward"] for case in found]
    points = [case["point"] for case in found]
    fov = np.array([case["params"]["fov_rad"] for case in found])
    reach = np.array([case["params"]["range"] for case in found])
    want = [case["visible"] for case in found]
    each, lists = np.arange(len(found)), np.arange(len(found) + 1)
    seen = sees(eyes, look, points, fov=fov, reach=reach)
    assert seen[each, each].tolist() == want
    assert sees_listed(eyes, look, points, lists, each, fov=fov, reach=reach).tolist() == want
