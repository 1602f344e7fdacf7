"""Pathways: legs, degenerate points, and the nearest point against a brute-force search."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.pathway import (
    LEG,
    Pathway,
    as_pathway,
    nearest_between,
    path_progress,
    point_at,
)
from headway.world.route import Route


def corners_of(path: Pathway) -> np.ndarray:
    return np.vstack((path.points, path.points[:1])) if path.closed else path.points


def nearest(path: Pathway, place: np.ndarray) -> tuple[float, float]:
    """Arc length and distance of the nearest point, leg by leg."""
    s, best = 0.0, (0.0, np.inf)
    corners = corners_of(path)
    for a, b in pairwise(corners):
        size = np.linalg.norm(b - a)
        along = 0.0 if size == 0.0 else np.clip((place - a) @ (b - a) / size, 0.0, size)
        foot = a + (b - a) * (along / size if size else 0.0)
        gap = np.linalg.norm(place - foot)
        if gap < best[1] - 1e-12:
            best = (s + along, gap)
        s += size
    return best


@pytest.mark.parametrize("d", [2, 3])
@given(st.integers(0, 2**32), st.booleans())
def test_the_nearest_point_is_that_of_a_search_leg_by_leg(d: int, seed: int, closed: bool) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(3, 8), d))
    points = np.repeat(points, rng.integers(1, 3, len(points)), axis=0)
    path = Pathway.through(points, closed)
    places = rng.normal(size=(10, d))
    progress = path_progress(places, path)
    for place, s in zip(places, progress, strict=True):
        wanted, _ = nearest(path, place)
        off = abs(s - wanted)
        assert min(off, abs(off - path.length) if closed else off) < 1e-9
        assert path_progress(place, path) == s


def test_legs_are_as_long_as_the_way() -> None:
    path = Pathway.through([(0, 0, 0), (0, 0, 2), (0, 0, 2), (1, 0, 2)], closed=True)
    legs = path.legs.reshape(-1, LEG)
    np.testing.assert_allclose(legs[:, 6], (2.0, 1.0, np.sqrt(5.0)))
    np.testing.assert_allclose(legs[:, 7], (0.0, 2.0, 3.0))
    assert path.length == pytest.approx(3.0 + np.sqrt(5.0))
    np.testing.assert_allclose(np.linalg.norm(legs[:, 3:6], axis=1), 1.0)


@pytest.mark.parametrize("closed", [False, True])
def test_degenerate_paths(closed: bool) -> None:
    nowhere = Pathway.through([], closed)
    assert nowhere.length == 0.0
    assert path_progress([(1.0, 2.0)], nowhere).tolist() == [0.0]
    for points in ([(3.0, 4.0)], [(3.0, 4.0)] * 3):
        point = Pathway.through(points, closed)
        assert not point.closed
        assert (point.length, len(point.legs)) == (0.0, LEG)
        assert path_progress([(1.0, 2.0), (3.0, 4.0)], point).tolist() == [0.0, 0.0]


def test_routes_are_paths_too() -> None:
    corners = [(0.0, 0.0), (30.0, 0.0), (30.0, 30.0)]
    straight = Pathway.through(Route.through(corners, closed=False, smooth=False))
    assert (straight.points.tolist(), straight.closed) == ([list(p) for p in corners], False)
    turn = np.arange(36) * np.pi / 18
    ring = Route.through(20.0 * np.column_stack((np.cos(turn), np.sin(turn))))
    path = as_pathway(ring, 2)
    assert path.closed
    assert path.length == pytest.approx(ring.length, rel=1e-3)


@pytest.mark.parametrize(
    "points",
    [
        [1.0, 2.0],
        [(1.0,)],
        [(0.0, 0.0), (0.0, np.nan)],
        [(1e200, 0.0), (-1e200, 0.0)],
        "path",
        [(0.0, 0.0), (0.0, 0.0, 1.0)],
    ],
)
def test_what_is_no_path_is_refused(points: Any) -> None:
    with pytest.raises(InputError, match="points"):
        Pathway.through(points)


def test_dimensions_have_to_fit() -> None:
    with pytest.raises(InputError, match="3 dimensions"):
        path_progress((0.0, 0.0), [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    with pytest.raises(InputError, match="position"):
        path_progress((np.nan, 0.0), [(0.0, 0.0), (1.0, 0.0)])


@given(st.integers(0, 2**32), st.booleans())
def test_the_nearest_point_of_a_stretch_is_that_of_many_samples(seed: int, closed: bool) -> None:
    rng = np.random.default_rng(seed)
    path = Pathway.through(rng.normal(size=(rng.integers(3, 6), 3)), closed)
    legs, whole = path.legs, path.length
    low = rng.uniform(-2.0, 2.0) * whole if closed else rng.uniform(0.0, whole)
    high = low + rng.choice((0.3, 1.0)) * whole
    p = tuple(rng.normal(size=3).tolist())
    s, squared = nearest_between(legs, whole, closed, p, float(low), float(high))
    end = high if closed else min(high, whole)
    assert low - 1e-12 <= s <= end + 1e-12
    there = np.array(point_at(legs, whole, closed, float(s)))
    assert np.linalg.norm(there - p) == pytest.approx(np.sqrt(squared), abs=1e-9)
    samples = [point_at(legs, whole, closed, float(s)) for s in np.linspace(low, end, 400)]
    least = np.linalg.norm(np.array(samples) - p, axis=1).min()
    assert np.sqrt(squared) <= least + 1e-9
