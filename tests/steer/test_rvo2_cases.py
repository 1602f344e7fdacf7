"""ORCA equals RVO2 on every case file at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import find_data_folder
from headway.steer.orca import orca_step

KIND = "orca_step"
FOLDER = find_data_folder()


def cases_in(folder: Path | None) -> list[Any]:
    """Every case of the kind, with an id made of its file and number."""
    found = []
    for path in sorted((folder / "steering").glob("*.json")) if folder else []:
        cases = json.loads(path.read_text()).get(KIND, [])
        found += [pytest.param(case, id=f"{path.stem}-{k}") for k, case in enumerate(cases)]
    return found


CASES = cases_in(FOLDER)


def column(case: dict[str, Any], name: str) -> np.ndarray:
    return np.array([agent[name] for agent in case["agents"]], dtype=float)


@pytest.mark.skipif(not CASES, reason="no case files of RVO2: set HEADWAY_DATA to a folder")
@pytest.mark.parametrize("case", CASES)
def test_one_step_equals_rvo2(case: dict[str, Any]) -> None:
    step = orca_step(
        column(case, "position").reshape(-1, 2),
        column(case, "velocity").reshape(-1, 2),
        column(case, "pref_velocity").reshape(-1, 2),
        column(case, "radius"),
        column(case, "max_speed"),
        dt=case["time_step"],
        horizon=column(case, "time_horizon"),
        wall_horizon=column(case, "time_horizon_obst"),
        neighbour_distance=column(case, "neighbor_dist"),
        most_neighbours=column(case, "max_neighbors"),
        walls=case["obstacles_ccw"],
        mode="rvo2",
    )
    assert step.velocity == pytest.approx(np.array(case["new_velocities"]), abs=1e-4)
    assert step.lines.tolist() == case["num_orca_lines"]
