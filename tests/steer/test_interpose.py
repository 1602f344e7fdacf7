from __future__ import annotations

import numpy as np
from point_body import recorded

from headway.steer.arrive import arrive
from headway.steer.interpose import interpose, interpose_point


def test_the_point_is_predicted_for_the_time_to_get_there() -> None:
    draw = np.random.default_rng(1)
    p, a, v, b, w = draw.normal(0.0, 6.0, (5, 40, 3))
    speed, ratio = draw.uniform(0.5, 5.0, 40), draw.uniform(0.0, 1.0, 40)
    part = ratio[:, None]
    time = np.linalg.norm(a + part * (b - a) - p, axis=1)[:, None] / speed[:, None]
    expected = (1.0 - part) * (a + v * time) + part * (b + w * time)
    got = interpose_point(p, a, v, b, w, speed, ratio=ratio)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
    still = interpose_point(p, a, v, b, w, 0.0)
    np.testing.assert_allclose(still, 0.5 * (a + b), atol=1e-12)


def test_it_is_arriving_at_the_moving_point_between() -> None:
    draw = np.random.default_rng(2)
    p, u, a, v, b, w = draw.normal(0.0, 6.0, (6, 40, 2))
    got = interpose(p, u, a, v, b, w, 5.0, 3.0, 0.1, ratio=0.25)
    middle, drift = 0.75 * a + 0.25 * b, 0.75 * v + 0.25 * w
    expected = arrive(p, u, middle, 5.0, 3.0, 0.1, target_velocity=drift)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


def test_it_gets_between_and_stays_there() -> None:
    dt = 0.05
    a, v, b, w = np.array([(10.0, 8.0), (0.5, 0.0), (10.0, -6.0), (0.5, 1.0)])
    places, _ = recorded(
        lambda p, u, t: interpose(p, u, a + v * t, v, b + w * t, w, 4.0, 3.0, dt),
        np.zeros(2), np.zeros(2), 3.0, dt, 300,
    )  # fmt: skip
    ends = 0.5 * (a + b + (v + w) * dt * np.arange(1, 301)[:, None])
    np.testing.assert_allclose(places[-50:], ends[-50:], atol=1e-9)


def test_who_responds_late_brakes_earlier() -> None:
    draw = np.random.default_rng(4)
    p, u, a, v, b, w = draw.normal(0.0, 4.0, (6, 40, 3))
    got = interpose(p, u, a, v, b, w, 5.0, 3.0, 0.1, response=0.6)
    expected = arrive(
        p, u, 0.5 * (a + b), 5.0, 3.0, 0.1, target_velocity=0.5 * (v + w), response=0.6
    )
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
