"""Pursuit by table against numbers computed by running OpenSteer (MIT)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headway.steer.pursuit import pursue, pursuit_point


def test_pursuit_is_that_of_opensteer(data_folder: Path) -> None:
    files = [
        json.loads(path.read_text("utf-8")) for path in sorted(data_folder.glob("steering/*.json"))
    ]
    made = [file for file in files if "opensteer" in file.get("meta", {}).get("source", "").lower()]
    cases = [case for file in made for case in file.get("pursuit", [])]
    if not cases:
        pytest.skip("no cases of pursuit by OpenSteer")
    for number, case in enumerate(cases):
        me, quarry = case["agent"], case["quarry"]
        position, forward = np.array(me["position"]), np.array(me["forward"])
        velocity = forward * me["speed"]
        options = {
            "predict": "table",
            "max_time": case["max_prediction_time"],
            "forward": forward,
            "target_forward": np.array(quarry["forward"]),
        }
        target = quarry["position"], np.array(quarry["forward"]) * quarry["speed"]
        point = pursuit_point(position, velocity, *target, me["max_speed"], **options)
        # OpenSteer's seek does not bring the wanted velocity to full speed: its steering is
        # point − position − velocity.
        expected = np.array(case["steer"])
        scale = np.abs(expected).max()
        np.testing.assert_allclose(
            point - position - velocity, expected, rtol=1e-4, atol=1e-4 * scale,
            err_msg=f"case {number}",
        )  # fmt: skip
        wanted = expected + velocity
        np.testing.assert_allclose(
            pursue(position, velocity, *target, me["max_speed"], **options),
            wanted / np.linalg.norm(wanted) * me["max_speed"] - velocity,
            atol=1e-4 * (scale + me["max_speed"]),
        )
