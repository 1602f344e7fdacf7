"""Following paths: to rest at the end, around and around, and through crossings."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariance_checks import (
    check_nobody,
    check_one_as_in_a_crowd,
    check_order_does_not_matter,
    rotation,
)

from headway.errors import InputError
from headway.steer.arrive import arrive
from headway.steer.path_steering import follow_path, stay_on_path
from headway.steer.pathway import Pathway, path_progress
from headway.steer.seek import seek

BENT = Pathway.through([(0, 0), (10, 0), (10, 8), (3, 8), (3, -6)])  # crosses itself
TURN = np.linspace(0.0, 2.0 * np.pi, 80, endpoint=False)
EIGHT = Pathway.through(np.column_stack((20 * np.sin(TURN), 10 * np.sin(2 * TURN))), closed=True)


def walk(
    path: Pathway, seconds: float, dt: float, top: float, acceleration: float, **look: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions, velocities and progress of a point mass that starts beside the path at rest."""
    p, v, s = path.points[0] + 0.4, np.zeros(path.points.shape[1]), None
    trace = []
    for _ in range(round(seconds / dt)):
        change, s = follow_path(p, v, path, top, acceleration, dt, progress=s, **look)
        v = v + change * min(1.0, acceleration * dt / max(np.linalg.norm(change), 1e-300))
        p = p + v * dt
        trace.append((p, v, float(s)))
    positions, velocities, progress = zip(*trace, strict=True)
    return np.array(positions), np.array(velocities), np.array(progress)


GRID = list(product((1.0, 3.0, 6.0), (2.0, 8.0), (1 / 60, 0.1), (0.0, 0.5)))


@pytest.mark.parametrize(("top", "acceleration", "dt", "radius"), GRID)
def test_yuka_36_the_last_point_is_not_overshot(
    top: float, acceleration: float, dt: float, radius: float
) -> None:
    path = Pathway.through([(0, 0), (20, 0), (20, 40)])
    p, v, s = walk(path, 80.0, dt, top, acceleration, radius=radius)
    assert p[:, 1].max() <= 40.0 + 0.05
    assert np.linalg.norm(p[-1] - (20.0, 40.0)) <= 0.01
    assert np.linalg.norm(v[-1]) <= 0.01
    assert s[-1] == pytest.approx(60.0)


@pytest.mark.parametrize("radius", [0.0, 1.0])
def test_a_path_that_crosses_itself_is_followed_in_order(radius: float) -> None:
    p, _, s = walk(BENT, 40.0, 0.02, 2.0, 5.0, radius=radius)
    assert np.all(np.diff(s) >= 0.0)
    assert np.diff(s).max() < 2.5  # at most a corner is cut, never a loop
    assert np.linalg.norm(p[-1] - (3.0, -6.0)) < 1e-3


def test_a_loop_that_crosses_itself_is_driven_around_and_around() -> None:
    p, _, s = walk(EIGHT, 120.0, 0.02, 4.0, 10.0)
    laps = np.flatnonzero(np.diff(s) < -0.5 * EIGHT.length)
    assert len(laps) == pytest.approx(120.0 * 4.0 / EIGHT.length, abs=0.5)
    onward = np.delete(np.diff(s), laps)
    assert onward.min() >= 0.0
    assert onward.max() < 1.0
    whole = np.linspace(0.0, EIGHT.length, 20)
    for start, end in pairwise(laps):
        assert np.histogram(s[start + 1 : end + 1], whole)[0].min() > 0
    feet = np.array([distance_to(EIGHT, place) for place in p[50:]])
    assert feet.max() < 1.0


def distance_to(path: Pathway, place: np.ndarray) -> float:
    s = float(path_progress(place, path))
    legs = path.legs.reshape(-1, 8)
    leg = legs[np.searchsorted(legs[:, 7], s, side="right") - 1]
    d = len(place)
    return float(np.linalg.norm(leg[:d] + leg[3 : 3 + d] * (s - leg[7]) - place))


@pytest.mark.parametrize("path", [BENT, EIGHT])
@given(st.integers(0, 2**32))
def test_against_a_path_is_along_it_reversed(path: Pathway, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, v = rng.uniform(-8.0, 12.0, size=(12, 2)), rng.normal(size=(12, 2))
    s = rng.uniform(0.0, path.length, 12)
    back = np.vstack((path.points[:1], path.points[:0:-1])) if path.closed else path.points[::-1]
    mirror = Pathway.through(back, path.closed)
    look = {"prediction_time": 0.7, "radius": 0.5}
    one, here = follow_path(p, v, path, 3.0, 5.0, 0.02, progress=s, direction=-1, **look)
    two, there = follow_path(p, v, mirror, 3.0, 5.0, 0.02, progress=path.length - s, **look)
    np.testing.assert_allclose(one, two, atol=1e-7)
    gap = np.abs(here + there - path.length)
    np.testing.assert_allclose(np.minimum(gap, path.length - gap), 0.0, atol=1e-7)


def test_within_the_corridor_an_agent_goes_straight_on_at_full_speed() -> None:
    path = [(0.0, 0.0), (100.0, 0.0)]
    steering, _ = follow_path((10.0, 0.5), (2.0, 0.1), path, 4.0, 5.0, 0.02, radius=2.0)
    np.testing.assert_allclose(steering, np.array((2.0, 0.1)) * (4.0 / np.hypot(2.0, 0.1) - 1.0))
    back, _ = follow_path((10.0, 0.5), (-2.0, 0.1), path, 4.0, 5.0, 0.02, radius=2.0)
    assert back[0] > 4.0
    rest, _ = follow_path((10.0, 0.5), (0.0, 0.0), path, 4.0, 5.0, 0.02, radius=2.0)
    assert rest[0] > 2.0


def test_on_a_hairpin_an_agent_keeps_to_its_own_side() -> None:
    path = Pathway.through([(0, 0), (50, 0), (50, 1), (0, 1)])
    _, s = follow_path((20.0, 0.8), (3.0, 0.0), path, 3.0, 5.0, 0.02, progress=19.0)
    assert float(s) == pytest.approx(20.0)
    _, s = follow_path((20.0, 0.2), (-3.0, 0.0), path, 3.0, 5.0, 0.02, progress=80.0)
    assert float(s) == pytest.approx(81.0)


def test_an_agent_put_elsewhere_goes_on_from_there() -> None:
    path = Pathway.through([(0, 0), (50, 0), (50, 50)])
    _, s = follow_path((50.5, 30.0), (0.0, 1.0), path, 2.0, 5.0, 0.02, progress=5.0)
    assert float(s) == pytest.approx(80.0)
    _, s = follow_path((2.0, 0.2), (0.0, 1.0), path, 2.0, 5.0, 0.02, progress=60.0)
    assert float(s) == pytest.approx(2.0)


def test_halving_the_step_changes_little() -> None:
    def figures(dt: float) -> tuple[float, float, float]:
        p, _, s = walk(BENT, 30.0, dt, 3.0, 6.0)
        travelled = np.linalg.norm(np.diff(p, axis=0), axis=1).sum()
        arrived = dt * float(np.argmax(s > BENT.length - 0.01))
        return arrived, float(travelled), float(s[round(10.0 / dt)])

    np.testing.assert_allclose(figures(0.02), figures(0.01), rtol=0.02)


def test_degenerate_paths() -> None:
    p, v = np.array([(1.0, 2.0), (4.0, 4.0)]), np.array([(1.0, 0.0), (0.0, 0.0)])
    for path in ([], np.empty((0, 2)), np.empty((0, 3))):
        steering, s = follow_path(p, v, path, 2.0, 5.0, 0.02)
        assert steering.tolist() == [[0.0, 0.0]] * 2
        assert s.tolist() == [0.0] * 2
        assert stay_on_path(p, v, path, 2.0).tolist() == [[0.0, 0.0]] * 2
    for path in ([(4.0, 4.0)], [(4.0, 4.0)] * 3):
        for direction in (1, -1):
            steering, _ = follow_path(p, v, path, 2.0, 5.0, 0.02, direction=direction)
            wanted = arrive(p, v, np.array((4.0, 4.0)), 2.0, 5.0, 0.02)
            np.testing.assert_allclose(steering, wanted, atol=1e-12)
    twice = np.repeat(BENT.points, 2, axis=0)
    np.testing.assert_array_equal(
        follow_path(p, v, twice, 2.0, 5.0, 0.02)[0], follow_path(p, v, BENT, 2.0, 5.0, 0.02)[0]
    )


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("radius", [0.0, 1.0])
def test_invariances(d: int, closed: bool, radius: float) -> None:
    rng = np.random.default_rng(6)
    points = 5.0 * rng.normal(size=(7, d))
    path = Pathway.through(points, closed)
    position, velocity = 5.0 * rng.normal(size=(2, 40, d))
    progress = rng.uniform(0.0, path.length, 40)

    def follow(p, v, s, path=path):
        return follow_path(p, v, path, 3.0, 5.0, 0.02, progress=s, radius=radius)[0]

    def stay(p, v, path=path):
        return stay_on_path(p, v, path, 3.0, radius=radius)

    check_one_as_in_a_crowd(follow, position, velocity, progress)
    check_order_does_not_matter(follow, position, velocity, progress)
    check_one_as_in_a_crowd(stay, position, velocity)
    check_order_does_not_matter(stay, position, velocity)
    check_nobody(stay, d)
    assert follow(np.empty((0, d)), np.empty((0, d)), np.empty(0)).shape == (0, d)

    turn, shift = rotation(d, rng), 10.0 * rng.normal(size=d)
    moved = Pathway.through(points @ turn.T + shift, closed)
    p, v = position @ turn.T + shift, velocity @ turn.T
    np.testing.assert_allclose(
        follow(p, v, progress, moved), follow(position, velocity, progress) @ turn.T, atol=1e-9
    )
    np.testing.assert_allclose(stay(p, v, moved), stay(position, velocity) @ turn.T, atol=1e-9)


COORDINATE = st.sampled_from((0.0, 1.0, -1.0, 1e-13, 1e6, -3.5, 1e-300))
POINT = st.tuples(COORDINATE, COORDINATE)


@given(
    st.lists(POINT, max_size=4),
    POINT,
    POINT,
    st.sampled_from((0.0, 1.0, 2.0)),
    st.sampled_from((0.0, 3.0)),
    st.booleans(),
    st.sampled_from((0.0, 1.0)),
    st.sampled_from((0.0, 0.5, -1e9, 1e300)),
)
def test_never_nan_and_never_faster(
    points: list, p: tuple, v: tuple, top: float, braking: float, closed: bool, radius: float,
    progress: float,
) -> None:  # fmt: skip
    path = Pathway.through(points, closed)
    steering, s = follow_path(p, v, path, top, braking, 0.02, progress=progress, radius=radius)
    assert np.isfinite(steering).all()
    assert 0.0 <= s <= path.length
    if path.legs.size:
        assert np.linalg.norm(steering + v) <= top * (1.0 + 1e-9) + 1e-9 * np.linalg.norm(v)
    assert np.isfinite(stay_on_path(p, v, path, top, radius=radius)).all()


def test_off_the_corridor_staying_is_seeking_the_nearest_point() -> None:
    rng = np.random.default_rng(7)
    p, v = 10.0 * rng.normal(size=(30, 2)), rng.normal(size=(30, 2))
    steering = stay_on_path(p, v, EIGHT, 2.0, prediction_time=0.5, radius=1.0)
    for i in range(30):
        ahead = p[i] + 0.5 * v[i]
        if distance_to(EIGHT, ahead) < 1.0:
            assert steering[i].tolist() == [0.0, 0.0]
        else:
            wanted = steering[i] + v[i]
            assert np.linalg.norm(wanted) == pytest.approx(2.0)
            s = float(path_progress(ahead, EIGHT))
            legs = EIGHT.legs.reshape(-1, 8)
            leg = legs[np.searchsorted(legs[:, 7], s, side="right") - 1]
            foot = leg[:2] + leg[3:5] * (s - leg[7])
            np.testing.assert_allclose(steering[i], seek(p[i], v[i], foot, 2.0), atol=1e-9)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"direction": 2}, "direction"),
        ({"dt": 0.0}, "dt"),
        ({"radius": -1.0}, "radius"),
        ({"prediction_time": np.nan}, "prediction_time"),
        ({"progress": np.nan}, "progress"),
        ({"progress": np.zeros(3)}, "progress"),
        ({"path": np.zeros((3, 3))}, "dimensions"),
        ({"max_speed": -1.0}, "max_speed"),
        ({"max_deceleration": -1.0}, "max_deceleration"),
        ({"position": (np.inf, 0.0)}, "position"),
    ],
)
def test_what_cannot_be_used_is_named(change: dict[str, Any], named: str) -> None:
    fair: dict[str, Any] = {
        "position": np.zeros(2), "velocity": np.zeros(2), "path": EIGHT, "max_speed": 1.0,
        "max_deceleration": 1.0, "dt": 0.02, "progress": 0.0,
    }  # fmt: skip
    with pytest.raises(InputError, match=named):
        follow_path(**{**fair, **change})


@pytest.mark.parametrize(("aside", "progress"), [(18.0, 20.0), (24.0, 210.0)])
def test_only_to_a_stretch_half_as_far_away_a_lost_agent_is_moved(
    aside: float, progress: float
) -> None:
    path = Pathway.through([(0, 0), (100, 0), (100, 30), (0, 30)])
    _, s = follow_path((20.0, aside), (0.0, 0.0), path, 3.0, 5.0, 0.02, progress=20.0)
    assert float(s) == pytest.approx(progress)


def test_before_the_end_a_body_that_responds_late_brakes_earlier() -> None:
    place, pace, path = (8.0, 0.0), (3.0, 0.0), [(0.0, 0.0), (10.0, 0.0)]
    steering, _ = follow_path(place, pace, path, 4.0, 2.0, 0.02, response=0.4)
    expected = arrive(place, pace, (10.0, 0.0), 4.0, 2.0, 0.02, response=0.4)
    np.testing.assert_allclose(steering, expected, atol=1e-12)
