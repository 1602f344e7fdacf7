from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.geometry.angles import wrap_angles
from headway.steer.arrive import arrive
from headway.steer.facing import align, face, match_velocity

angles = st.floats(-10.0, 10.0)


@given(yaw=angles, wanted=angles, rate=st.floats(-2.0, 2.0))
def test_turning_is_arriving_on_the_shorter_side(yaw: float, wanted: float, rate: float) -> None:
    angle = float(wrap_angles(wanted - yaw))
    along = arrive((0.0, 0.0), (0.0, 0.0), (angle, 0.0), 1.5, 4.0, 0.1)[0]
    assert align(yaw, rate, wanted, 1.5, 4.0, 0.1) == pytest.approx(along - rate, abs=1e-9)


@given(seed=st.integers(0, 2**32 - 1), dt=st.sampled_from((1 / 60, 0.02, 0.1)))
@settings(max_examples=20)
def test_turning_never_overshoots_and_settles(seed: int, dt: float) -> None:
    draw = np.random.default_rng(seed)
    n = 30
    most, braking = draw.uniform(0.5, 6.0, n), draw.uniform(1.0, 20.0, n)
    yaw, wanted = draw.uniform(-20.0, 20.0, (2, n))
    rate = draw.uniform(-1.0, 1.0, n) * most
    rate[: n // 2] = 0.0
    angle = wrap_angles(wanted - yaw)
    turned = np.zeros((math.ceil(40.0 / dt), n))
    for k in range(len(turned)):
        change = align(yaw, rate, wanted, most, braking, dt)
        rate = rate + np.clip(change, -braking * dt, braking * dt)
        yaw = yaw + rate * dt
        turned[k] = yaw
    np.testing.assert_allclose(wrap_angles(yaw - wanted), 0.0, atol=1e-9)
    np.testing.assert_allclose(rate, 0.0, atol=1e-9)
    left = wrap_angles(wanted[: n // 2] - turned[:, : n // 2]) * np.sign(angle[: n // 2])
    assert (left >= -1e-9).all(), "from rest it never turns too far"
    assert (np.diff(left, axis=0) <= 1e-9).all()


def test_within_the_tolerance_it_stops_turning() -> None:
    assert align(0.1, 0.4, 0.15, 1.0, 4.0, 0.1, tolerance=0.05 + 1e-12) == -0.4


def test_face_is_align_to_where_the_target_is() -> None:
    draw = np.random.default_rng(5)
    position, target = draw.normal(size=(2, 50, 3))
    yaw, rate = draw.uniform(-4.0, 4.0, (2, 50))
    bearing = np.arctan2(*(target - position).T[1::-1])
    expected = align(yaw, rate, bearing, 2.0, 5.0, 0.05)
    np.testing.assert_allclose(face(position, yaw, rate, target, 2.0, 5.0, 0.05), expected)
    flat = face(position[:, :2].copy(), yaw, rate, target[:, :2].copy(), 2.0, 5.0, 0.05)
    np.testing.assert_allclose(flat, expected)
    assert isinstance(face(position[0], yaw[0], rate[0], target[0], 2.0, 5.0, 0.05), float)


def test_a_target_without_a_bearing_stops_turning() -> None:
    assert face((1.0, 2.0, 3.0), 0.5, 0.3, (1.0, 2.0, 9.0), 2.0, 5.0, 0.1) == -0.3
    assert face((1.0, 2.0), 0.5, 0.3, (1.0, 2.0), 2.0, 5.0, 0.1) == -0.3


def test_shapes_of_align() -> None:
    assert isinstance(align(0.0, 0.0, 1.0, 1.0, 5.0, 0.1), float)
    assert align(0.0, 0.0, [1.0, 2.0, 3.0], 1.0, 5.0, 0.1).shape == (3,)
    assert align(np.empty(0), 0.0, 0.0, 1.0, 5.0, 0.1).shape == (0,)
    with pytest.raises(InputError, match="shape"):
        align(np.zeros((2, 2)), 0.0, 0.0, 1.0, 5.0, 0.1)
    with pytest.raises(InputError, match="shape"):
        align(np.zeros(2), np.zeros(3), 0.0, 1.0, 5.0, 0.1)
    with pytest.raises(InputError, match="tolerance"):
        align(0.0, 0.0, 0.0, 1.0, 5.0, 0.1, tolerance=math.nan)
    with pytest.raises(InputError, match="yaw"):
        align(math.nan, 0.0, 0.0, 1.0, 5.0, 0.1)


def test_match_velocity_goes_as_fast_as_it_can() -> None:
    got = match_velocity([(1.0, 0.0), (0.0, 0.0)], (3.0, 4.0), [10.0, 2.5])
    np.testing.assert_allclose(got, [(2.0, 4.0), (1.5, 2.0)])


def test_who_faces_a_target_within_the_tolerance_stops_turning() -> None:
    place, goal = (1.0, 2.0), (1.0 + math.cos(0.3), 2.0 + math.sin(0.3))
    rest = face(place, 0.22, 0.7, goal, 2.0, 3.0, 0.05, tolerance=0.1)
    assert rest == -0.7
    assert face(place, 0.18, 0.7, goal, 2.0, 3.0, 0.05, tolerance=0.1) > -0.7


def test_a_ragged_yaw_is_named() -> None:
    with pytest.raises(InputError, match="yaw"):
        align([[0.0], [1.0, 2.0]], 0.0, 0.0, 1.0, 1.0, 0.1)  # type: ignore[arg-type]
