"""The obstacle avoidance of OpenSteer in compatibility mode, against numbers from running it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headway.errors import InputError
from headway.steer.classic_avoidance import opensteer_avoid_box, opensteer_avoid_sphere

Case = dict[str, Any]


def body(agent: Case) -> tuple[Any, ...]:
    return tuple(agent[name] for name in ("position", "forward", "speed", "radius", "max_force"))


def off_sphere(case: Case) -> np.ndarray:
    return opensteer_avoid_sphere(
        *body(case["agent"]), case["center"], case["radius"], case["min_time_to_collision"],
        case["seen_from"],
    )  # fmt: skip


def off_box(case: Case) -> np.ndarray:
    axes = [case[name] for name in ("side", "up", "forward")]
    return opensteer_avoid_box(
        *body(case["agent"]), case["center"], axes, case["width_height_depth"],
        case["min_time_to_collision"], case.get("seen_from", "outside"),
    )  # fmt: skip


@pytest.mark.parametrize(("kind", "steer"), [("avoid_sphere", off_sphere), ("avoid_box", off_box)])
def test_every_case(kind: str, steer: Callable[[Case], np.ndarray], data_folder: Path) -> None:
    seen = 0
    for path in sorted((data_folder / "steering").glob("*.json")):
        for k, case in enumerate(json.loads(path.read_text(encoding="utf-8")).get(kind, ())):
            error = np.linalg.norm(steer(case) - case["steer"])
            assert error <= 1e-4 * max(1.0, float(np.linalg.norm(case["steer"]))), (path.name, k)
            seen += 1
    if not seen:
        pytest.skip(f"no file with {kind} cases")


def test_sides_a_sphere_is_seen_from() -> None:
    agent = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, 0.5, 3.0
    ahead, around = ((4.0, 1.0, 0.0), 1.0, 9.0), ((0.5, 1.0, 0.0), 4.0, 9.0)
    assert opensteer_avoid_sphere(*agent, *ahead, "outside")[1] == -3.0
    assert opensteer_avoid_sphere(*agent, *ahead, "both")[1] == -3.0
    assert opensteer_avoid_sphere(*agent, *ahead, "inside")[1] == 3.0
    assert opensteer_avoid_sphere(*agent, *around, "inside")[1] == 3.0
    assert opensteer_avoid_sphere(*agent, *around, "both")[1] == 3.0
    assert opensteer_avoid_sphere(*agent, *around, "outside")[1] == -3.0


def test_inside_a_box_that_is_seen_from_inside() -> None:
    agent = (0.0, 0.5, 0.0), (1.0, 0.0, 0.0), 1.0, 0.1, 3.0
    box = (0.0, 0.0, 0.0), np.eye(3), (4.0, 4.0, 4.0), 9.0
    assert opensteer_avoid_box(*agent, *box, "inside")[1] == -3.0
    assert not opensteer_avoid_box(*agent, *box, "outside").any()


def test_other_sides_and_shapes_are_refused() -> None:
    agent = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, 0.5, 3.0
    with pytest.raises(InputError, match="seen_from"):
        opensteer_avoid_sphere(*agent, (4.0, 1.0, 0.0), 1.0, 9.0, "above")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="three"):
        opensteer_avoid_sphere(*agent, (4.0, 1.0), 1.0, 9.0)
