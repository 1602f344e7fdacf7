from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.geometry.intercept import intercept_time


def least_root(r: np.ndarray, w: np.ndarray, s: float) -> float:
    """By the eigenvalues of the companion matrix."""
    roots = np.roots([w @ w - s * s, 2.0 * (r @ w), r @ r])
    real = roots.real[(np.abs(roots.imag) < 1e-9 * np.abs(roots)) & (roots.real > 0.0)]
    return float(real.min()) if len(real) else math.inf


@given(seed=st.integers(0, 2**32 - 1), d=st.sampled_from((2, 3)))
@settings(max_examples=60)
def test_it_is_the_least_root(seed: int, d: int) -> None:
    draw = np.random.default_rng(seed)
    offset, velocity = draw.normal(0.0, 30.0, (40, d)), draw.normal(0.0, 5.0, (40, d))
    speed = draw.uniform(0.1, 12.0, 40)
    for got, r, w, s in zip(
        intercept_time(offset, velocity, speed), offset, velocity, speed, strict=True
    ):
        assert got == pytest.approx(least_root(r, w, s), rel=1e-7)
        if got < math.inf:
            assert np.linalg.norm(r + w * got) == pytest.approx(s * got, rel=1e-9)


@pytest.mark.parametrize("closer", [1e-3, 1e-9, 1e-12, 0.0, -1e-12, -1e-9])
def test_nearly_equal_speeds_lose_no_digits(closer: float) -> None:
    for angle in np.linspace(0.0, math.pi, 25):
        speed = 7.0 * (1.0 + closer)
        w = 7.0 * np.array((math.cos(angle), math.sin(angle)))
        got = intercept_time((10.0, 0.0), w, speed)
        if got < math.inf:
            gap = np.linalg.norm(np.array((10.0, 0.0)) + w * got) - speed * got
            assert abs(gap) <= 1e-9 * (10.0 + speed * got)
    assert intercept_time((10.0, 0.0), (-7.0, 0.0), speed) == pytest.approx(10.0 / (7.0 + speed))


def test_equal_speeds_meet_on_the_bisector() -> None:
    angle = 0.75 * math.pi
    w = 5.0 * np.array((math.cos(angle), math.sin(angle)))
    # An isosceles triangle: 10 m is the base, each side is 5 m/s times t.
    expected = 5.0 / math.cos(math.pi - angle) / 5.0
    assert intercept_time((10.0, 0.0), w, 5.0) == pytest.approx(expected, rel=1e-12)


def test_who_cannot_be_met() -> None:
    assert intercept_time((10.0, 0.0), (5.0, 0.0), 5.0) == math.inf
    assert intercept_time((10.0, 0.0), (6.0, 0.0), 5.0) == math.inf
    assert intercept_time((10.0, 0.0), (0.0, 6.0), 5.0) == math.inf
    assert intercept_time((10.0, 0.0), (0.0, 0.0), 0.0) == math.inf
    assert intercept_time((10.0, 0.0), (-2.0, 0.0), 0.0) == 5.0
    assert intercept_time((0.0, 0.0), (3.0, 0.0), 0.0) == 0.0


def test_one_many_and_none() -> None:
    many = intercept_time([(10.0, 0.0, 0.0), (0.0, 4.0, 0.0)], (0.0, 0.0, 0.0), [5.0, 1.0])
    assert many.tolist() == [2.0, 4.0]
    assert intercept_time(np.empty((0, 2)), (1.0, 0.0), 1.0).shape == (0,)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(InputError, match="offset"):
        intercept_time((bad, 0.0), (0.0, 0.0), 1.0)
    with pytest.raises(InputError, match="velocity"):
        intercept_time((1.0, 0.0), (bad, 0.0), 1.0)
    with pytest.raises(InputError, match="speed"):
        intercept_time((1.0, 0.0), (0.0, 0.0), bad)
    with pytest.raises(InputError, match="speed"):
        intercept_time((1.0, 0.0), (0.0, 0.0), -1.0)
    with pytest.raises(InputError, match="too large"):
        intercept_time((1e200, 0.0), (0.0, 0.0), 1.0)
