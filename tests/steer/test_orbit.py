from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from point_body import recorded

from headway.errors import InputError
from headway.steer.orbit import orbit


@given(seed=st.integers(0, 2**32 - 1), d=st.sampled_from((2, 3)), dt=st.sampled_from((0.05, 0.1)))
@settings(max_examples=12)
def test_from_anywhere_it_gets_onto_the_circle_and_stays(seed: int, d: int, dt: float) -> None:
    draw = np.random.default_rng(seed)
    n = 24
    radius, fastest, hardest = draw.uniform(1.0, 12.0, (3, n))
    start = draw.normal(0.0, 15.0, (n, d)) * draw.choice((0.0, 0.1, 1.0), (n, 1))
    way = draw.normal(size=(n, d))
    velocity = (
        way / np.linalg.norm(way, axis=1)[:, None] * (fastest * draw.uniform(0, 1, n))[:, None]
    )
    sense = draw.choice((-1.0, 1.0), n)
    centre, drift = draw.normal(0.0, 5.0, (n, d)), 0.0
    axis = draw.normal(size=(n, 3))
    options = {} if d == 2 else {"axis": axis}
    unit = (
        axis / np.linalg.norm(axis, axis=1)[:, None] if d == 3 else np.tile((0.0, 0.0, 1.0), (n, 1))
    )
    steps = math.ceil(150.0 / dt)
    places, velocities = recorded(
        lambda p, v, _: orbit(
            p, v, centre + drift, radius, fastest, hardest, dt, direction=sense, **options
        ),
        start + centre, velocity, hardest, dt, steps,
    )  # fmt: skip
    arm = np.zeros((200, n, 3))
    arm[..., :d] = places[-200:] - centre
    np.testing.assert_allclose((arm * unit).sum(axis=2), 0.0, atol=1e-6)
    np.testing.assert_allclose(
        np.linalg.norm(arm, axis=2), np.broadcast_to(radius, (200, n)), rtol=1e-6
    )
    turning = (np.cross(arm[:-1], arm[1:]) * unit).sum(axis=2)
    assert (turning * sense > 0.0).all()
    speed = np.linalg.norm(velocities[-1], axis=1)
    held = np.minimum(fastest, np.sqrt(0.5 * hardest * radius))
    np.testing.assert_allclose(speed, held, rtol=0.05)  # the chord of a step is a little shorter


def test_a_moving_centre_is_circled() -> None:
    dt, drift = 0.05, np.array((0.7, -0.4))
    places, _ = recorded(
        lambda p, v, t: orbit(p, v, drift * t, 3.0, 4.0, 6.0, dt, centre_velocity=drift),
        np.array((9.0, 0.0)), np.zeros(2), 6.0, dt, 800,
    )  # fmt: skip
    centres = drift * dt * np.arange(1, 801)[:, None]
    np.testing.assert_allclose(np.linalg.norm(places - centres, axis=1)[-200:], 3.0, rtol=1e-6)


def test_no_radius_is_no_circle() -> None:
    places, velocities = recorded(
        lambda p, v, _: orbit(p, v, (0.0, 0.0), 0.0, 4.0, 6.0, 0.05),
        np.array((9.0, 1.0)), np.zeros(2), 6.0, 0.05, 300,
    )  # fmt: skip
    np.testing.assert_allclose(places[-1], 0.0, atol=1e-6)
    np.testing.assert_allclose(velocities[-1], 0.0, atol=1e-6)


def test_the_axis_tells_the_plane() -> None:
    change = orbit((2, 0, 0), (0, 0, 0), (0, 0, 0), 2.0, 1.0, 9.0, 1e-3, axis=(0, 5, 0))
    np.testing.assert_allclose(change, (0, 0, -1), atol=1e-3)
    with pytest.raises(InputError, match="axis"):
        orbit((2, 0, 0), (0, 0, 0), (0, 0, 0), 2.0, 1.0, 9.0, 1e-3, axis=(0, np.nan, 0))
    with pytest.raises(InputError, match="direction"):
        orbit((2, 0), (0, 0), (0, 0), 2.0, 1.0, 9.0, 1e-3, direction=np.nan)
