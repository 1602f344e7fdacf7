from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from point_body import moves

from headway.errors import InputError
from headway.steer.pursuit import pursue, pursuit_point
from headway.steer.seek import seek


@given(seed=st.integers(0, 2**32 - 1), d=st.sampled_from((2, 3)))
@settings(max_examples=25)
def test_who_keeps_to_the_exact_course_meets_the_target(seed: int, d: int) -> None:
    draw = np.random.default_rng(seed)
    position, target = draw.normal(0.0, 20.0, (2, 30, d))
    drift = draw.normal(0.0, 3.0, (30, d))
    speed = np.linalg.norm(drift, axis=1) * draw.uniform(1.05, 3.0, 30)
    course = pursue(position, np.zeros(d), target, drift, speed)
    # The distance along straight courses is least, and zero, at the time of the meeting.
    gap, closing = target - position, drift - course
    time = -(gap * closing).sum(axis=1) / (closing**2).sum(axis=1)
    np.testing.assert_allclose(gap + closing * time[:, None], 0.0, atol=1e-9)
    assert (time > 0.0).all()
    np.testing.assert_allclose(np.linalg.norm(course, axis=1), speed, rtol=1e-12)
    point = pursuit_point(position, np.zeros(d), target, drift, speed)
    np.testing.assert_allclose(point, target + drift * time[:, None], rtol=1e-9, atol=1e-7)


def test_it_is_seeking_the_point() -> None:
    draw = np.random.default_rng(3)
    p, v, t, w, f, g = draw.normal(0.0, 5.0, (6, 60, 3))
    for options in (
        {}, {"predict": "closing", "forward": f, "target_forward": g},
        {"predict": "table", "factor": 0.5}, {"predict": "closing", "max_time": 0.3},
    ):  # fmt: skip
        point = pursuit_point(p, v, t, w, 4.0, **options)
        np.testing.assert_allclose(pursue(p, v, t, w, 4.0, **options), seek(p, v, point, 4.0))


def test_a_target_that_cannot_be_caught_is_chased_by_the_classic_guess() -> None:
    fast = (8.0, 1.0)
    exact = pursuit_point((0.0, 0.0), (0.0, 0.0), (5.0, 0.0), fast, 2.0)
    guess = pursuit_point((0.0, 0.0), (0.0, 0.0), (5.0, 0.0), fast, 2.0, predict="closing")
    assert exact.tolist() == guess.tolist()


def test_who_comes_on_is_sought_where_it_is() -> None:
    me, rest, other, drift = (0.0, 0.0), (1.0, 0.0), (9.0, 1.0), (-3.0, 0.0)
    point = pursuit_point(me, rest, other, drift, 2.0, predict="closing")
    assert point.tolist() == [9.0, 1.0]
    behind = pursuit_point(me, (-1.0, 0.0), other, (3.0, 0.0), 2.0, predict="closing")
    assert behind[0] > 9.0


# Where the quarry is, where it heads, and the factor on the time to where it is now.
TABLE = [
    ((1.0, 0.0), (1.0, 0.0), 4.0), ((1.0, 0.0), (0.0, 1.0), 1.8), ((1.0, 0.0), (-1.0, 0.0), 0.85),
    ((0.0, 1.0), (1.0, 0.0), 1.0), ((0.0, 1.0), (0.0, 1.0), 0.8), ((0.0, 1.0), (-1.0, 0.0), 4.0),
    ((-1.0, 0.0), (1.0, 0.0), 0.5), ((-1.0, 0.0), (0.0, 1.0), 2.0), ((-1.0, 0.0), (-1.0, 0.0), 2.0),
]  # fmt: skip


@pytest.mark.parametrize(("side", "heading", "factor"), TABLE)
def test_the_table(side: tuple[float, float], heading: tuple[float, float], factor: float) -> None:
    target, drift = 6.0 * np.array(side), 0.5 * np.array(heading)
    point = pursuit_point((0.0, 0.0), (2.0, 0.0), target, drift, 9.0, predict="table")
    np.testing.assert_allclose(point, target + drift * factor * 3.0, atol=1e-12)
    capped = pursuit_point(
        (0.0, 0.0), (2.0, 0.0), target, drift, 9.0, predict="table", max_time=0.1
    )
    np.testing.assert_allclose(capped, target + drift * 0.1, atol=1e-12)


def test_at_rest_the_table_counts_on_full_speed() -> None:
    point = pursuit_point(
        (0.0, 0.0), (0.0, 0.0), (6.0, 0.0), (0.0, 1.0), 3.0, predict="table", forward=(1.0, 0.0)
    )
    np.testing.assert_allclose(point, (6.0, 1.8 * 2.0))


def test_exact_prediction_catches_sooner_than_the_classic_guess() -> None:
    start, drift, dt = np.array((30.0, 0.0)), np.array((0.0, 3.5)), 0.02

    def caught(predict: str) -> float:
        def steer(p: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
            return pursue(p, v, start + drift * t, drift, 4.0, predict=predict)

        for k, (place, _) in enumerate(moves(steer, np.zeros(2), np.zeros(2), 8.0, dt, 3000)):
            if np.linalg.norm(place - start - drift * (k + 1) * dt) < 0.2:
                return k * dt
        return math.inf

    assert caught("exact") < caught("closing") < math.inf


def test_wrong_options_are_refused() -> None:
    four = (0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (0.0, 0.0)
    with pytest.raises(InputError, match="'exact', 'closing' or 'table'"):
        pursue(*four, 1.0, predict="guess")
    with pytest.raises(InputError, match="factor"):
        pursue(*four, 1.0, factor=-1.0)
    with pytest.raises(InputError, match="max_time"):
        pursue(*four, 1.0, max_time=math.nan)
    for name in ("forward", "target_forward"):
        for predict in ("closing", "table"):
            with pytest.raises(InputError, match=f"^{name} is"):
                pursue(*four, 1.0, predict=predict, **{name: (math.nan, 0.0)})


@pytest.mark.parametrize(("cosine", "comes_on"), [(-0.94, False), (-0.96, True)])
def test_who_comes_on_by_and_large_is_sought_where_it_is(cosine: float, comes_on: bool) -> None:
    way = 2.0 * np.array((cosine, math.sqrt(1.0 - cosine * cosine)))
    target = np.array((8.0, 0.0))
    point = pursuit_point(
        (0.0, 0.0), (3.0, 0.0), target, way, 6.0, predict="closing", forward=(1.0, 0.0)
    )
    np.testing.assert_allclose(point, target if comes_on else target + way, rtol=1e-12)


@pytest.mark.parametrize(
    ("bearing", "heading", "factor"),
    [
        (40.0, 0.0, 4.0), (50.0, 0.0, 1.0), (130.0, 0.0, 1.0), (140.0, 0.0, 0.5),
        (0.0, 40.0, 4.0), (0.0, 50.0, 1.8), (0.0, 130.0, 1.8), (0.0, 140.0, 0.85),
    ],
)  # fmt: skip
def test_the_table_changes_at_quarters(bearing: float, heading: float, factor: float) -> None:
    def way(degrees: float) -> np.ndarray:
        return np.array((math.cos(math.radians(degrees)), math.sin(math.radians(degrees))))

    target, drift = 6.0 * way(bearing), 1.5 * way(heading)
    point = pursuit_point((0.0, 0.0), (2.0, 0.0), target, drift, 5.0, predict="table")
    np.testing.assert_allclose(point, target + drift * factor * 6.0 / 2.0, rtol=1e-12)


def test_nobody_looks_farther_ahead_than_the_longest_time_whatever_the_factor() -> None:
    point = pursuit_point(
        (0.0, 0.0), (0.0, 0.0), (8.0, 0.0), (0.0, 3.0), 5.0, factor=4.0, max_time=1.0
    )
    assert point.tolist() == [8.0, 3.0]
    near = pursuit_point((0.0, 0.0), (0.0, 0.0), (8.0, 0.0), (0.0, 3.0), 5.0, factor=0.25)
    np.testing.assert_allclose(near, (8.0, 1.5), rtol=1e-12)
