"""Swept spheres and distances to convex bodies, against distances found in other ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import nnls

from headway.geometry.convex_sweep import body_distance, body_entry
from headway.world.obstacle_shapes import Bodies, boxes, hull, join, segments

Floats = NDArray[np.float64]
SEEDS = st.integers(0, 10**6)


def polytope_distance(point: Floats, corners: Floats) -> float:
    """Distance to the convex hull of corners, 0 inside: the shortest convex combination."""
    away = (corners - point).T
    weights, _ = nnls(np.vstack((away, np.ones(len(corners)))), np.r_[np.zeros(len(point)), 1.0])
    return float(np.linalg.norm(away @ weights / weights.sum()))


def box_distance(point: Floats, half: Floats) -> float:
    """Signed distance to a box along the axes around the origin."""
    out = np.abs(point) - half
    return float(np.linalg.norm(np.maximum(out, 0.0)) + min(out.max(), 0.0))


def segment_distance(point: Floats, a: Floats, b: Floats) -> float:
    share = np.clip((point - a) @ (b - a) / max((b - a) @ (b - a), 1e-300), 0.0, 1.0)
    return float(np.linalg.norm(point - a - share * (b - a)))


def arrays(body: Bodies) -> tuple:
    return (
        body.normals.ravel(), body.offsets, 0, int(body.planes[0]),
        body.edges.ravel(), 0, int(body.edge_counts[0]),
    )  # fmt: skip


def distance_to(point: Floats, body: Bodies) -> tuple[float, Floats]:
    distance, normal = body_distance(tuple(map(float, point)), *arrays(body))
    return distance, np.array(normal)


def entry_into(point: Floats, way: Floats, rounding: float, body: Bodies) -> float:
    return body_entry(
        tuple(map(float, point)), tuple(map(float, way)), float(rounding), *arrays(body)
    )


def some_box(rng: np.random.Generator) -> tuple[Bodies, Floats, Floats, Floats]:
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    centre, half = rng.normal(size=3), rng.uniform(0.1, 2.0, 3)
    return boxes(centre[None], half[None], turn[None]), centre, half, turn


def check_entry(
    start: Floats, way: Floats, rounding: float, body: Bodies, distance: object, samples: int
) -> None:
    """An entry lies on the rounded border, and nothing of the way before it inside."""
    entry = entry_into(start, way, rounding, body)
    assert entry >= 0.0
    last = min(entry, 8.0)
    for t in np.linspace(0.0, last, samples):
        assert distance(start + t * way) >= rounding - 1e-9  # type: ignore[operator]
    if np.isfinite(entry):
        assert distance(start + entry * way) == pytest.approx(rounding, abs=1e-9)  # type: ignore[operator]


@given(SEEDS)
def test_box_like_the_formula_of_boxes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body, centre, half, turn = some_box(rng)
    point = rng.normal(size=3) * 3.0
    expected = box_distance((point - centre) @ turn, half)
    distance, normal = distance_to(point, body)
    assert distance == pytest.approx(expected, abs=1e-12)
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-12)
    foot = (point - distance * normal - centre) @ turn
    assert box_distance(foot, half) == pytest.approx(0.0, abs=1e-12)


@given(SEEDS)
@settings(max_examples=50)
def test_sphere_swept_at_a_box(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body, centre, half, turn = some_box(rng)
    start = rng.normal(size=3) * 4.0
    way = centre + rng.normal(size=3) * half - start
    way /= np.linalg.norm(way)
    rounding = float(rng.uniform(0.0, 1.5))
    if box_distance((start - centre) @ turn, half) > rounding:
        check_entry(
            start, way, rounding, body, lambda p: box_distance((p - centre) @ turn, half), 200
        )


@given(SEEDS)
@settings(max_examples=50)
def test_sphere_swept_at_a_capsule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=3), rng.normal(size=3)
    if seed % 7 == 0:
        b = a.copy()
    body = segments(a[None], b[None], np.zeros(1), flat=False)
    start = rng.normal(size=3) * 4.0
    way = (a + b) / 2.0 + rng.normal(size=3) - start
    if seed % 5 == 0 and (a != b).any():
        way = b - a
    way /= np.linalg.norm(way)
    rounding = float(rng.uniform(0.05, 1.5))
    assert distance_to(start, body)[0] == pytest.approx(segment_distance(start, a, b), abs=1e-12)
    if segment_distance(start, a, b) > rounding:
        check_entry(start, way, rounding, body, lambda p: segment_distance(p, a, b), 200)


@given(SEEDS)
@settings(max_examples=40)
def test_hull_like_the_shortest_convex_combination(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(4, 20)), 3))
    if seed % 3 == 0:
        points = np.unique(np.round(points), axis=0) + 0.0
        if len(points) < 4 or np.linalg.matrix_rank(points - points[0]) < 3:
            return
    body = hull(points, "hull")
    start = rng.normal(size=3) * 3.0
    outside = polytope_distance(start, points)
    distance, normal = distance_to(start, body)
    assert max(distance, 0.0) == pytest.approx(outside, abs=1e-9)
    assert polytope_distance(start - distance * normal, points) == pytest.approx(0.0, abs=1e-9)
    way = rng.normal(size=3) - start
    way /= np.linalg.norm(way)
    rounding = float(rng.uniform(0.0, 1.0))
    if outside > rounding:
        check_entry(start, way, rounding, body, lambda p: polytope_distance(p, points), 25)


def test_inside_the_way_out_is_the_shortest() -> None:
    body = boxes(np.zeros((1, 3)), np.array([[1.0, 2.0, 3.0]]), np.eye(3)[None])
    distance, normal = distance_to(np.array([0.7, 0.0, 0.0]), body)
    assert (distance, normal.tolist()) == (pytest.approx(-0.3), [1.0, 0.0, 0.0])


def test_a_box_and_its_corners_as_a_hull_are_alike() -> None:
    rng = np.random.default_rng(3)
    body, centre, half, turn = some_box(rng)
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    solid = hull(centre + (signs * half) @ turn.T, "hull")
    assert (len(solid.offsets), len(solid.edges)) == (6, 12)
    for point in rng.normal(size=(50, 3)) * 3.0:
        assert distance_to(point, solid)[0] == pytest.approx(distance_to(point, body)[0])


def test_a_point_on_a_segment_has_a_way_out() -> None:
    body = segments(np.zeros((1, 3)), np.array([[2.0, 1.0, 0.0]]), np.zeros(1), flat=False)
    distance, normal = distance_to(np.array([1.0, 0.5, 0.0]), body)
    assert distance == 0.0
    assert normal @ (2.0, 1.0, 0.0) == pytest.approx(0.0)
    assert np.linalg.norm(normal) == pytest.approx(1.0)


def test_points_at_rest_or_leaving_never_enter() -> None:
    body = boxes(np.zeros((1, 3)), np.ones((1, 3)), np.eye(3)[None])
    assert entry_into(np.array([3.0, 0.0, 0.0]), np.zeros(3), 0.5, body) == np.inf
    assert entry_into(np.array([3.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), 0.5, body) == np.inf


def test_no_bodies_join_to_none() -> None:
    assert len(join([]).planes) == 0
