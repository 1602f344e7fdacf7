from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headway.geometry.angles import wrap_angle, wrap_angles

finite = st.floats(-1e9, 1e9)


@given(finite)
def test_wrapped_angle_is_the_exact_remainder(angle):
    wrapped = wrap_angle(angle)
    expected = math.remainder(angle, 2.0 * math.pi)  # exact, in [−π, π]
    if expected == -math.pi:
        expected = math.pi
    assert -math.pi < wrapped <= math.pi
    assert abs(wrapped - expected) <= 4.5e-16


@given(st.floats(-math.pi, math.pi, exclude_min=True))
def test_an_angle_within_range_is_left_alone(angle):
    assert wrap_angle(angle) == angle


def test_the_seam():
    above = math.nextafter(math.pi, 4.0)
    assert wrap_angle(math.pi) == math.pi
    assert wrap_angle(-math.pi) == math.pi
    assert wrap_angle(above) < 0.0
    assert wrap_angle(2.0 * math.pi) == 0.0
    assert wrap_angle(0.0) == 0.0


@given(st.lists(finite, max_size=20))
def test_arrays_wrap_bit_for_bit_as_scalars(angles):
    assert wrap_angles(angles).tolist() == [wrap_angle(a) for a in angles]


def test_shape_is_kept():
    assert wrap_angles(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert wrap_angles(4.0).shape == ()
