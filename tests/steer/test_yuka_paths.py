"""Path cases computed by Yuka: staying on a path, and waypoints followed for some seconds."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from conftest import find_data_folder
from headway.steer.classic_paths import yuka_follow_path
from headway.steer.path_steering import stay_on_path
from headway.steer.pathway import Pathway

KINDS = ("stay_on_path", "follow_path_trajectory")
FOLDER = find_data_folder()
FILES = sorted((FOLDER / "steering").glob("*.json")) if FOLDER else []
FILES = [path for path in FILES if any(kind in path.read_text() for kind in KINDS)]

pytestmark = pytest.mark.skipif(not FILES, reason="no cases of Yuka: set HEADWAY_DATA to a folder")


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}-{i}")
        for path in FILES
        for i, case in enumerate(json.loads(path.read_text()).get(kind, []))
    ]


def test_there_are_cases_of_each_kind() -> None:
    assert all(cases(kind) for kind in KINDS)


@pytest.mark.parametrize("case", cases("stay_on_path"))
def test_stay_on_path(case: dict[str, Any]) -> None:
    agent, params = case["agent"], case["params"]
    force = stay_on_path(
        np.array(agent["position"], float),
        np.array(agent["velocity"], float),
        Pathway.through(case["path"], closed=case["loop"]),
        float(agent["max_speed"]),
        prediction_time=params["prediction_time"],
        radius=params["radius"],
    )
    np.testing.assert_allclose(force, case["force"], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("case", cases("follow_path_trajectory"))
def test_follow_path_trajectory(case: dict[str, Any]) -> None:
    agent, params, dt = case["agent"], case["params"], case["dt"]
    p, v = np.array(agent["position"], float), np.array(agent["velocity"], float)
    waypoint: Any = 0
    marks = {mark["step"]: mark for mark in case["trajectory"]}
    for step in range(1, max(marks) + 1):
        force, waypoint = yuka_follow_path(
            *(p, v, case["path"], waypoint, float(agent["max_speed"])),
            next_waypoint_distance=params["next_waypoint_distance"],
            arrival_time=params["arrive_deceleration_time"],
            closed=case["loop"],
        )
        force *= min(1.0, agent["max_force"] / max(np.linalg.norm(force), 1e-300))
        v = v + force / agent["mass"] * dt
        v *= min(1.0, agent["max_speed"] / max(np.linalg.norm(v), 1e-300))
        p = p + v * dt
        if step in marks:
            np.testing.assert_allclose(p, marks[step]["position"], rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(v, marks[step]["velocity"], rtol=1e-9, atol=1e-9)
            assert int(waypoint) == marks[step]["waypoint_index"]
