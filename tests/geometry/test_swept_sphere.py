from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from headway.geometry.swept_sphere import (
    closest_on_triangle,
    face_normal,
    triangle_entry,
)

coordinates = st.floats(-3.0, 3.0).map(lambda x: round(x, 3))
points = st.tuples(coordinates, coordinates, coordinates)
triangles = st.tuples(points, points, points)
Point = tuple[float, float, float]


def relative(point: Point, triangle: tuple[Point, Point, Point]) -> list[Point]:
    a, b, c = map(np.array, triangle)
    ab, ac = tuple((b - a).tolist()), tuple((c - a).tolist())
    p = tuple((np.array(point) - a).tolist())
    return [p, ab, ac, face_normal(ab, ac)]


def distance_to_segment(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    along = b - a
    square = along @ along
    part = np.clip((p - a) @ along / square, 0.0, 1.0) if square > 0.0 else 0.0
    return float(np.linalg.norm(p - a - part * along))


def distance(p: np.ndarray, triangle: tuple[Point, Point, Point]) -> float:
    """Least distance to the sides, and to the plane where the foot is inside, by volumes."""
    a, b, c = map(np.array, triangle)
    best = min(distance_to_segment(p, *side) for side in ((a, b), (b, c), (c, a)))
    n = np.cross(b - a, c - a)
    size = np.linalg.norm(n)
    if size > 1e-9 * np.linalg.norm(b - a) * np.linalg.norm(c - a):
        sides = [np.cross(y - x, p - x) @ n for x, y in ((a, b), (b, c), (c, a))]
        if min(sides) >= 0.0:
            best = min(best, float(abs((p - a) @ n) / size))
    return best


def first_below(f: Callable[[float], float], level: float, reach: float) -> float:
    """The first argument at which a convex function comes down to a level; inf for never."""
    if f(0.0) <= level:
        return 0.0
    low, high = 0.0, reach
    for _ in range(70):
        one, two = low + (high - low) * 0.45, low + (high - low) * 0.55
        if f(one) <= level:
            high = one
            break
        low, high = (low, two) if f(one) < f(two) else (one, high)
    if f(high) > level:
        return math.inf
    low = 0.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if f(middle) <= level else (middle, high)
    return high


@given(point=points, triangle=triangles)
@example(point=(1.0, 0.0, 0.0), triangle=((0.0, 0.0, 0.0),) * 3)
def test_the_closest_point_is_on_the_triangle_and_as_near_as_any(
    point: Point, triangle: tuple[Point, Point, Point]
) -> None:
    found = np.array(closest_on_triangle(*relative(point, triangle))) + triangle[0]
    least = distance(np.array(point), triangle)
    assert np.linalg.norm(found - point) == pytest.approx(least, rel=1e-7, abs=1e-9)
    assert distance(found, triangle) < 1e-7


@given(
    point=points, triangle=triangles, way=points,
    radius=st.sampled_from((0.01, 0.3, 1.0)), limit=st.sampled_from((0.5, 20.0)),
)  # fmt: skip
@settings(max_examples=60)
def test_the_entry_is_where_the_distance_comes_down_to_the_radius(
    point: Point, triangle: tuple[Point, Point, Point], way: Point, radius: float, limit: float
) -> None:
    assume(np.linalg.norm(way) > 0.01)
    unit = np.array(way) / np.linalg.norm(way)
    got = triangle_entry(*relative(point, triangle), tuple(unit.tolist()), radius, limit)

    def apart(t: float) -> float:
        return distance(np.array(point) + t * unit, triangle)

    # A sphere that grazes may or may not touch, so the answer must lie between those for a
    # slightly larger and a slightly smaller one.
    earliest = first_below(apart, radius + 1e-8, limit)
    latest = first_below(apart, radius - 1e-8, limit)
    assert earliest - 1e-8 <= got <= latest + 1e-8


def test_a_sphere_that_has_passed_the_end_of_an_edge_is_not_hit_by_it() -> None:
    # It lies within the endless cylinder about the edge from (0, 0, 0) to (1, 0, 0) at the start.
    triangle = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 1.0, 0.0))
    for way in ((0.96, -0.28, 0.0), (0.96, 0.28, 0.0)):
        for x in (1.11, 1.5):
            got = triangle_entry(*relative((x, -0.05, 0.0), triangle), way, 0.1, 9.0)
            assert got == math.inf


@pytest.mark.parametrize("offset", [0.0, 5000.0])
def test_a_ray_finds_no_gap_between_triangles(offset: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        a, b, c, d = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]) @ turn.T + offset
        target = a + rng.uniform(0.1, 0.9) * (c - a)
        start = target + turn @ (*rng.uniform(-1.0, 1.0, 2), 2.0)
        gone = np.linalg.norm(target - start)
        way = tuple(((target - start) / gone).tolist())
        entries = []
        for triangle in ((a, b, c), (c, d, a)):
            p, *rest = relative(tuple(start), tuple(map(tuple, triangle)))
            entries.append(triangle_entry(p, *rest, way, 0.0, 1e9))
        assert min(entries) == pytest.approx(gone, rel=1e-11)


@pytest.mark.parametrize(
    ("start", "way", "radius", "expected"),
    [
        ((0.2, 0.2, 2.0), (0.0, 0.0, -1.0), 0.5, 1.5),  # face
        ((0.2, 0.2, -2.0), (0.0, 0.0, 1.0), 0.5, 1.5),  # from below
        ((0.5, -2.0, 0.0), (0.0, 1.0, 0.0), 0.5, 1.5),  # edge, in the plane
        ((-2.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.5, 1.5),  # corner
        ((-2.0, 0.0, 0.5), (1.0, 0.0, 0.0), 0.5, 2.0),  # sliding over the plane
        ((0.2, 0.2, 2.0), (0.0, 0.0, 1.0), 0.5, math.inf),  # moving away
        ((0.2, 0.2, 0.3), (0.0, 0.0, 1.0), 0.5, 0.0),  # moving away, but overlapping
        ((0.2, 0.2, 0.5), (0.0, 0.0, 1.0), 0.5, 0.0),  # moving away, but touching
        ((0.2, 0.2, 0.3), (0.0, 0.0, 0.0), 0.5, 0.0),  # at rest, overlapping
        ((0.2, 0.2, 0.7), (0.0, 0.0, 0.0), 0.5, math.inf),  # at rest, apart
        ((-2.0, -2.0, 0.0), (1.0, 0.0, 0.0), 0.5, math.inf),  # past it
        ((0.2, 0.2, 2.0), (0.0, 0.0, -1.0), 0.0, 2.0),  # ray
        ((0.2, 0.2, 0.0), (0.0, 0.0, -1.0), 0.0, 0.0),  # ray that starts there
    ],
)
def test_plain_cases(start: Point, way: Point, radius: float, expected: float) -> None:
    triangle = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    for corners in (triangle, triangle[::-1]):
        got = triangle_entry(*relative(start, corners), way, radius, 100.0)
        assert got == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("start", "way", "expected"),
    [
        ((-2.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.5),  # along the line, to its end
        ((4.0, 0.0, 0.0), (1.0, 0.0, 0.0), math.inf),  # along the line, away from its end
        ((4.0, 0.3, 0.0), (1.0, 0.0, 0.0), math.inf),  # beside it
        ((1.0, 3.0, 0.0), (0.0, -1.0, 0.0), 2.5),  # across it
        ((1.0, 3.0, 0.0), (0.0, 1.0, 0.0), math.inf),  # away from it
    ],
)
def test_a_triangle_without_area_is_a_segment(start: Point, way: Point, expected: float) -> None:
    line = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    for corners in (line, line[::-1], (line[1], line[0], line[2])):
        got = triangle_entry(*relative(start, corners), way, 0.5, 100.0)
        assert got == pytest.approx(expected, abs=1e-12)
    point = (line[0],) * 3
    back = tuple((-np.array(start)).tolist())
    towards = tuple((np.array(back) / np.linalg.norm(start)).tolist())
    size = float(np.linalg.norm(start))
    assert triangle_entry(*relative(start, point), towards, 0.5, 100.0) == pytest.approx(size - 0.5)
    assert triangle_entry(*relative(back, point), towards, 0.5, 100.0) == math.inf
