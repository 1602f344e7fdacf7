"""Single behaviours against numbers computed by running Yuka (npm yuka, MIT)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headway.steer.classic_arrival import arrive_in
from headway.steer.evade import evade
from headway.steer.force import force_for
from headway.steer.interpose import interpose_point
from headway.steer.offset_pursuit import offset_point
from headway.steer.pursuit import pursue
from headway.steer.seek import flee, seek

Case = dict[str, Any]
AHEAD = (0.0, 0.0, 1.0)  # where an entity of Yuka's looks, and flees from its own position


def rotated(quaternion: list[float], v: tuple[float, float, float]) -> np.ndarray:
    """A vector turned by a quaternion (x, y, z, w)."""
    axis, w = np.array(quaternion[:3]), quaternion[3]
    turned = np.cross(axis, v)
    return np.array(v) + 2.0 * (w * turned + np.cross(axis, turned))


def state(entity: Case) -> tuple[list[float], list[float]]:
    return entity["position"], entity["velocity"]


def seeks(case: Case) -> np.ndarray:
    me = case["agent"]
    return seek(*state(me), case["params"]["target"], me["max_speed"])


def flees(case: Case) -> np.ndarray:
    me, params = case["agent"], case["params"]
    near = params["panic_distance"]
    return flee(*state(me), params["target"], me["max_speed"], panic_distance=near, escape=AHEAD)


def arrives(case: Case) -> np.ndarray:
    me, params = case["agent"], case["params"]
    time, near = params["deceleration_time"], params["tolerance"]
    return arrive_in(*state(me), params["target"], me["max_speed"], time, tolerance=near)


def pursues(case: Case) -> np.ndarray:
    me, other = case["agent"], case["evader"]
    return pursue(
        *state(me), *state(other), me["max_speed"], predict="closing",
        factor=case["params"]["prediction_factor"],
        forward=me["forward"], target_forward=other["forward"],
    )  # fmt: skip


def evades(case: Case) -> np.ndarray:
    me, params = case["agent"], case["params"]
    return evade(
        *state(me), *state(case["pursuer"]), me["max_speed"], predict="closing",
        panic_distance=params["panic_distance"], factor=params["prediction_factor"], escape=AHEAD,
    )  # fmt: skip


def pursues_offset(case: Case) -> np.ndarray:
    me, leader, params = case["agent"], case["leader"], case["params"]
    left, up, ahead = params["offset_local"]  # Yuka: x to the left, y up, z forward
    point = offset_point(
        me["position"], *state(leader), rotated(leader["rotation_xyzw"], AHEAD),
        (ahead, left, up), me["max_speed"],
        leader_up=rotated(leader["rotation_xyzw"], (0.0, 1.0, 0.0)),
    )  # fmt: skip
    return arrive_in(*state(me), point, me["max_speed"], params["arrive_deceleration_time"])


def interposes(case: Case) -> np.ndarray:
    me = case["agent"]
    point = interpose_point(me["position"], *state(case["a"]), *state(case["b"]), me["max_speed"])
    return arrive_in(*state(me), point, me["max_speed"], case["params"]["deceleration_time"])


FORCES: dict[str, Callable[[Case], np.ndarray]] = {
    "seek": seeks,
    "flee": flees,
    "arrive": arrives,
    "pursue": pursues,
    "evade": evades,
    "offset_pursue": pursues_offset,
    "interpose": interposes,
}


def moved(me: Case, change: np.ndarray, dt: float) -> Case:
    """A vehicle one step later: a force of one kilogram per second times the change."""
    velocity = np.array(me["velocity"], float)
    velocity += force_for(change, 1.0, me["max_force"], response=1.0) / me["mass"] * dt
    speed = np.linalg.norm(velocity)
    if speed > me["max_speed"]:
        velocity *= me["max_speed"] / speed
    step = velocity * dt
    forward = step / np.linalg.norm(step) if step @ step > 1e-8 else me["forward"]
    return me | {"velocity": velocity, "position": me["position"] + step, "forward": forward}


def walk(case: Case) -> Iterator[tuple[int, Case]]:
    """States of a vehicle that seeks or arrives, step by step."""
    me = case["agent"]
    ((kind, params),) = case["behaviour"].items()
    for step in range(1, case["trajectory"][-1]["step"] + 1):
        me = moved(me, FORCES[kind]({"agent": me, "params": params}), case["dt"])
        yield step, {"position": me["position"], "velocity": me["velocity"]}


def duel(case: Case) -> Iterator[tuple[int, Case]]:
    """Positions of a pursuer and an evader; the evader moves after it has seen the pursuer move."""
    one, other, dt = case["pursuer"], case["evader"], case["dt"]
    for step in range(1, case["trajectory"][-1]["step"] + 1):
        seen = {"agent": one, "evader": other, "params": case["params"]}
        one = moved(one, pursues(seen), dt)
        other = moved(other, evades({"agent": other, "pursuer": one, "params": case["params"]}), dt)
        yield step, {"pursuer": one["position"], "evader": other["position"]}


WALKS = {"integrate_trajectory": walk, "pursue_evade_duel": duel}


def cases_of(folder: Path, kind: str) -> list[Case]:
    """All cases of a kind in files made by running Yuka."""
    files = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("steering/*.json"))]
    made = [file for file in files if "yuka" in file.get("meta", {}).get("source", "").lower()]
    cases = [case for file in made for case in file.get(kind, [])]
    if not cases:
        pytest.skip(f"no cases of {kind} by Yuka in {folder / 'steering'}")
    return cases


@pytest.mark.parametrize("kind", FORCES)
def test_forces_are_those_of_yuka(kind: str, data_folder: Path) -> None:
    for number, case in enumerate(cases_of(data_folder, kind)):
        expected = np.array(case["force"])
        scale = max(np.abs(expected).max(), case["agent"]["max_speed"])
        np.testing.assert_allclose(
            FORCES[kind](case), expected, rtol=1e-9, atol=1e-9 * scale, err_msg=f"{kind} {number}"
        )


@pytest.mark.parametrize("kind", WALKS)
def test_trajectories_are_those_of_yuka(kind: str, data_folder: Path) -> None:
    for number, case in enumerate(cases_of(data_folder, kind)):
        expected = {entry["step"]: entry for entry in case["trajectory"]}
        for step, found in WALKS[kind](case):
            for name, value in found.items() if step in expected else ():
                np.testing.assert_allclose(
                    value, expected[step][name], rtol=1e-9, atol=1e-8,
                    err_msg=f"{kind} {number}, step {step}: {name}",
                )  # fmt: skip
