"""Thrusters, against the sum of their forces and torques one by one."""

from __future__ import annotations

import numpy as np
import pytest

from headway.errors import InputError
from headway.move.thrusters import Thruster, force_and_torque


def test_a_torque_is_about_the_centre_of_mass():
    rng = np.random.default_rng(2)
    engines = [Thruster(tuple(rng.normal(size=3)), tuple(rng.normal(size=3)), 3.0) for _ in "abc"]
    centre, levels = rng.normal(size=3), np.array([[0.2, 1.0, 7.0], [0.0, -1.0, 0.5]])
    force, torque = force_and_torque(engines, levels, centre)
    for row, shares in enumerate(np.clip(levels, 0, 1)):
        pushes = [
            s * 3.0 * np.array(e.direction) / np.linalg.norm(e.direction)
            for s, e in zip(shares, engines, strict=True)
        ]
        np.testing.assert_allclose(force[row], sum(pushes))
        turns = [np.cross(e.position - centre, f) for e, f in zip(engines, pushes, strict=True)]
        np.testing.assert_allclose(torque[row], sum(turns))


def test_misuse_is_named():
    with pytest.raises(InputError, match="thruster"):
        Thruster((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0)
    with pytest.raises(InputError, match="levels"):
        force_and_torque([], [1.0])


@pytest.mark.parametrize(
    "change",
    [
        {"position": None},
        {"direction": "x"},
        {"direction": (1.0, 0.0)},
        {"max_force": None},
        {"max_force": -1.0},
        {"position": (0.0, 0.0, float("nan"))},
    ],
)
def test_a_thruster_that_cannot_be_used_is_named(change):
    good = {"position": (0.0, 0.0, 0.0), "direction": (1.0, 0.0, 0.0), "max_force": 1.0}
    with pytest.raises(InputError, match=f"thruster: {next(iter(change))}"):
        Thruster(**(good | change))


@pytest.mark.parametrize("change", [{"levels": "x"}, {"centre": None}, {"thrusters": [1.0]}])
def test_what_cannot_be_read_is_named(change):
    engine = Thruster((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0)
    with pytest.raises(InputError, match=next(iter(change))):
        force_and_torque(**({"thrusters": [engine], "levels": [1.0]} | change))
