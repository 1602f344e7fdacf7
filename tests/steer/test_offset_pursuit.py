from __future__ import annotations

import numpy as np
import pytest
from point_body import recorded

from headway.steer.arrive import arrive
from headway.steer.offset_pursuit import offset_point, offset_pursue

REST = (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("forward", "up", "place"),
    [
        ((1, 0, 0), None, (1, 2, 3)),
        ((0, 1, 0), None, (-2, 1, 3)),
        ((-4, 0, 0), None, (-1, -2, 3)),
        ((1, 0, 0), (0, 1, 0), (1, 3, -2)),
        ((1, 0, 0), (5, 0, -2), (1, -2, -3)),  # only what of up is square to forward counts
        ((0, 0, 1), None, (-3, 2, 1)),
        ((0, 1, 0), (0, 1, 0), (2, 1, -3)),
        ((0, 0, 0), None, (1, 2, 3)),
    ],
)
def test_the_offset_is_ahead_left_and_up(forward, up, place) -> None:
    got = offset_point(REST, (10, 20, 30), REST, forward, (1, 2, 3), 5.0, leader_up=up)
    np.testing.assert_allclose(got, np.add((10, 20, 30), place), atol=1e-12)


def test_in_the_plane_left_is_left() -> None:
    got = offset_point((0, 0), (10, 20), (0, 0), (0, 3), (1, 2), 5.0)
    np.testing.assert_allclose(got, (8, 21), atol=1e-12)


def test_it_is_arriving_at_the_moving_place() -> None:
    draw = np.random.default_rng(1)
    p, v, leader, w, look, offset = draw.normal(0.0, 6.0, (6, 40, 3))
    place = offset_point(p, leader, np.zeros(3), look, offset, 5.0)
    expected = arrive(p, v, place, 5.0, 3.0, 0.1, target_velocity=w)
    got = offset_pursue(p, v, leader, w, look, offset, 5.0, 3.0, 0.1)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


def test_the_place_is_kept_without_lag() -> None:
    dt, drift, offset = 0.05, np.array((1.5, 2.0)), (-2.0, 1.0)
    forward, left = np.array((0.6, 0.8)), np.array((-0.8, 0.6))
    places, velocities = recorded(
        lambda p, v, t: offset_pursue(p, v, drift * t, drift, forward, offset, 4.0, 2.0, dt),
        np.array((-20.0, 3.0)), np.zeros(2), 2.0, dt, 600,
    )  # fmt: skip
    wanted = drift * 600 * dt - 2.0 * forward + left
    np.testing.assert_allclose(places[-1], wanted, atol=1e-9)
    np.testing.assert_allclose(velocities[-1], drift, atol=1e-9)


def test_who_responds_late_brakes_earlier() -> None:
    draw = np.random.default_rng(7)
    p, v, leader, w = draw.normal(0.0, 4.0, (4, 40, 2))
    got = offset_pursue(p, v, leader, w, (1.0, 0.0), (-2.0, 3.0), 5.0, 3.0, 0.1, response=0.6)
    place = leader + np.array((-2.0, 3.0))
    expected = arrive(p, v, place, 5.0, 3.0, 0.1, target_velocity=w, response=0.6)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
