"""Faults that users of other libraries reported, of behaviours of one agent."""

from __future__ import annotations

import math

import numpy as np
import pytest
from point_body import recorded

from headway.geometry.intercept import intercept_time
from headway.steer.arrive import arrive
from headway.steer.force import force_for
from headway.steer.orbit import orbit
from headway.steer.pursuit import pursue
from headway.steer.seek import flee, seek


@pytest.mark.parametrize("dt", [1 / 60, 0.02, 0.1])
def test_gdx_ai_35_arrival_does_not_flip_its_direction_in_the_last_centimetres(dt: float) -> None:
    goal = np.array((4.0, 3.0))
    places, velocities = recorded(
        lambda p, v, _: arrive(p, v, goal, 3.0, 2.0, dt), np.zeros(2), np.zeros(2), 2.0, dt, 500
    )
    gap = np.linalg.norm(places - goal, axis=1)
    assert (np.diff(gap) <= 1e-12).all(), "it comes nearer at each step"
    speed = np.linalg.norm(velocities, axis=1)
    moving = speed > 1e-9
    heading = velocities[moving] / speed[moving][:, None]
    np.testing.assert_allclose(heading, np.tile((0.8, 0.6), (moving.sum(), 1)), atol=1e-6)
    assert gap[-1] < 1e-9
    assert speed[-1] < 1e-9, "at rest"


@pytest.mark.parametrize("mass", [0.5, 1.0, 40.0])
def test_yuka_3_a_force_depends_on_mass_so_that_the_motion_does_not(mass: float) -> None:
    def path(mass: float, dt: float) -> np.ndarray:
        position, velocity = np.zeros(2), np.array((0.0, 2.0))
        for _ in range(round(2.0 / dt)):
            change = seek(position, velocity, (10.0, 0.0), 3.0)
            force = force_for(change, mass, 1e9, response=0.4)
            velocity = velocity + force / mass * dt
            position = position + velocity * dt
        return position

    np.testing.assert_allclose(path(mass, 0.02), path(1.0, 0.02), rtol=1e-12)
    np.testing.assert_allclose(path(mass, 0.01), path(mass, 0.005), atol=0.02)


def miss(offset: np.ndarray, velocity: np.ndarray, course: np.ndarray) -> float:
    """How near a projectile comes to a target that moves straight on."""
    closing = velocity - course
    time = max(0.0, -(offset @ closing) / (closing @ closing))
    return float(np.linalg.norm(offset + closing * time))


@pytest.mark.parametrize("angle", np.linspace(0.0, 2.0 * math.pi, 17))
@pytest.mark.parametrize("pace", [0.2, 0.9, 0.999])
def test_openapoc_153_receding_and_approaching_targets_are_hit(angle: float, pace: float) -> None:
    offset = np.array((60.0, 10.0))
    velocity = 50.0 * pace * np.array((math.cos(angle), math.sin(angle)))
    course = pursue((0.0, 0.0), (0.0, 0.0), offset, velocity, 50.0)
    assert miss(offset, velocity, course) < 1e-6
    first_order = offset + velocity * np.linalg.norm(offset) / 50.0
    first_order *= 50.0 / np.linalg.norm(first_order)
    assert miss(offset, velocity, course) <= miss(offset, velocity, first_order) + 1e-9


def test_recoil_918_an_accurate_solution_where_speeds_are_nearly_equal() -> None:
    for excess in (1e-12, 1e-9, 1e-6):
        time = intercept_time((100.0, 0.0), (0.0, 30.0), 30.0 * (1.0 + excess))
        assert np.hypot(100.0, 30.0 * time) == pytest.approx(30.0 * (1.0 + excess) * time, rel=1e-9)


@pytest.mark.parametrize("angle", np.linspace(-1.2, 1.2, 9))
def test_construct_7965_who_cannot_hit_is_told_so_and_still_aims_that_way(angle: float) -> None:
    velocity = 80.0 * np.array((math.cos(angle), math.sin(angle)))
    assert intercept_time((60.0, 0.0), velocity, 50.0) == math.inf
    course = pursue((0.0, 0.0), (0.0, 0.0), (60.0, 0.0), velocity, 50.0)
    assert course[0] > 0.0, "never away from the target"
    aim = math.atan2(course[1], course[0])
    assert min(angle, 0.0) <= aim <= max(angle, 0.0), "between where it is and where it goes"


def test_rwe_19_a_goal_inside_the_turn_radius_is_reached_and_not_circled() -> None:
    # At 10 m/s and 2 m/s² the tightest turn is 50 m; the goal is 3 m to the side.
    goal = np.array((0.0, 3.0))
    places, velocities = recorded(
        lambda p, v, _: arrive(p, v, goal, 10.0, 2.0, 0.05),
        np.zeros(2), np.array((10.0, 0.0)), 2.0, 0.05, 700,
    )  # fmt: skip
    np.testing.assert_allclose(places[-1], goal, atol=1e-6)
    np.testing.assert_allclose(velocities[-1], 0.0, atol=1e-6)


def test_unity_steer_55_an_orbit_keeps_its_radius() -> None:
    places, _ = recorded(
        lambda p, v, _: orbit(p, v, (0.0, 0.0), 8.0, 10.0, 3.0, 0.05),
        np.array((20.0, 1.0)), np.zeros(2), 3.0, 0.05, 2000,
    )  # fmt: skip
    np.testing.assert_allclose(np.linalg.norm(places[-500:], axis=1), 8.0, rtol=1e-6)


def test_opensteer_6_who_is_at_its_target_or_threat_stays_in_this_world() -> None:
    here = np.zeros((2, 3))
    assert seek(here, here, here, 2.0).tolist() == here.tolist()
    ways = flee(here, here, here, 2.0)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 2.0)
    assert np.linalg.norm(ways[0] - ways[1]) > 0.1, "they part"
