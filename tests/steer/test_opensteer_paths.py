"""Path cases computed by OpenSteer, in single precision: follow a path, and stay on it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from conftest import find_data_folder
from headway.steer.classic_paths import opensteer_follow_path, opensteer_stay_on_path
from headway.steer.pathway import Pathway

FOLDER = find_data_folder()
CASES = [
    pytest.param(case, id=f"{path.stem}-{i}")
    for path in (sorted((FOLDER / "steering").glob("*.json")) if FOLDER else [])
    for i, case in enumerate(json.loads(path.read_text()).get("path", []))
]

pytestmark = pytest.mark.skipif(
    not CASES, reason="no cases of OpenSteer: set HEADWAY_DATA to a folder"
)


@pytest.mark.parametrize("case", CASES)
def test_opensteer_path(case: dict[str, Any]) -> None:
    agent = case["agent"]
    position = np.array(agent["position"], float)
    velocity = np.array(agent["forward"], float) * agent["speed"]
    path = Pathway.through(case["points"], closed=case["cyclic"])
    look = {"prediction_time": case["prediction_time"], "radius": case["radius"]}
    stay = opensteer_stay_on_path(position, velocity, path, **look)
    np.testing.assert_allclose(stay, case["stay"], rtol=1e-4, atol=1e-4)
    follow = opensteer_follow_path(position, velocity, path, direction=case["direction"], **look)
    np.testing.assert_allclose(follow, case["follow"], rtol=1e-4, atol=1e-4)


def test_backwards_over_the_start_of_a_loop_opensteer_heads_for_the_start() -> None:
    loop = Pathway.through([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)], closed=True)
    steering = opensteer_follow_path(
        (1.0, 3.0), (-1.0, -2.0), loop, prediction_time=3.0, radius=0.1, direction=-1
    )
    back = opensteer_follow_path(
        (1.0, 0.5), (-1.0, 0.0), loop, prediction_time=3.0, radius=0.1, direction=-1
    )
    np.testing.assert_allclose(back, (0.0, -0.5), atol=1e-12)
    assert np.isfinite(steering).all()
