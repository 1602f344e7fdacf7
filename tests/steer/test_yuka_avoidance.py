"""The obstacle avoidance of Yuka in compatibility mode, against numbers computed by running it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headway.steer.classic_avoidance import yuka_avoid_spheres

KIND = "obstacle_avoid_box"


def cases(data_folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((data_folder / "steering").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        for k, case in enumerate(data.get(KIND, ())):
            yield f"{path.name} {k}", case


def test_every_case_of_the_detection_box(data_folder: Path) -> None:
    seen = 0
    for name, case in cases(data_folder):
        me, params = case["agent"], case["params"]
        force = yuka_avoid_spheres(
            me["position"], me["velocity"], me["rotation_xyzw"], me["radius"], me["max_speed"],
            [sphere["center"] for sphere in case["spheres"]],
            [sphere["radius"] for sphere in case["spheres"]],
            params["min_box_length"], params["braking_weight"],
        )  # fmt: skip
        scale = max(1.0, float(np.linalg.norm(case["force"])))
        assert force == pytest.approx(case["force"], rel=1e-9, abs=1e-9 * scale), name
        seen += 1
    if not seen:
        pytest.skip(f"no file with {KIND} cases")


def test_its_faults_are_kept() -> None:
    def one(x: float, y: float) -> np.ndarray:
        return yuka_avoid_spheres((0, 0, 0), (0, 0, 1), (0, 0, 0, 1), 0.5, 2.0, [(x, y, 3)], [1.0])

    assert one(0.5, 0.0)[0] > 0.0  # towards the sphere
    assert one(0.0, 50.0).any()  # far above
    assert one(-0.9, 0.0)[0] / one(0.9, 0.0)[0] == pytest.approx(19.0)
    assert not one(1.6, 0.0).any()
