"""Obstacles: each query against distances found in other ways, and one obstacle at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import nnls

from headway.errors import InputError
from headway.world.meetings import meet
from headway.world.obstacles import Obstacles

Floats = NDArray[np.float64]
SEEDS = st.integers(0, 10**6)
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
SIGNS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def corner_distance(point: Floats, corners: Floats) -> float:
    away = (corners - point).T
    weights, _ = nnls(np.vstack((away, np.ones(len(corners)))), np.r_[np.zeros(len(point)), 1.0])
    return float(np.linalg.norm(away @ weights / weights.sum()))


def mixture(rng: np.random.Generator, each: int = 2, spread: float = 4.0) -> dict[str, Any]:
    """Some of every kind that is bounded, and a wall and a polygon."""

    def place() -> Floats:
        return rng.normal(size=(each, 3)) * spread

    around = np.sort(rng.uniform(0.0, 2 * np.pi, 5)) + np.arange(5) * 1e-3
    ring = np.column_stack((np.cos(around), np.sin(around)))
    return {
        "spheres": (place(), rng.uniform(0.1, 1.0, each)),
        "boxes": (place(), rng.uniform(0.1, 1.0, (each, 3)), rng.uniform(-3, 3, each)),
        "capsules": (place(), place(), rng.uniform(0.1, 1.0, each)),
        "hulls": [at + rng.normal(size=(9, 3)) for at in place()],
        "polygons": [at[:2] + ring for at in place()],
        "walls": rng.normal(size=(each, 2, 2)) * spread,
    }


def alone(mixed: dict[str, Any]) -> list[Obstacles]:
    """Each obstacle of a mixture as obstacles of its own, in order."""
    single = []
    for kind, value in mixed.items():
        if isinstance(value, tuple):
            rows = ([part[k : k + 1] for part in value] for k in range(len(value[0])))
            single += [Obstacles.of(**{kind: tuple(row)}) for row in rows]
        else:
            single += [Obstacles.of(**{kind: [row]}) for row in value]
    return single


def core_corners(mixed: dict[str, Any]) -> list[tuple[Floats, float, bool]]:
    """Corners of the middle of each obstacle, its rounding, and whether it has no height."""
    found = [(c[None], r, False) for c, r in zip(*mixed["spheres"], strict=True)]
    for centre, half, yaw in zip(*mixed["boxes"], strict=True):
        turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
        found.append((centre + (SIGNS * half) @ turn.T, 0.0, False))
    found += [(np.array((a, b)), r, False) for a, b, r in zip(*mixed["capsules"], strict=True)]
    found += [(points, 0.0, False) for points in mixed["hulls"]]
    found += [(points, 0.0, True) for points in [*mixed["polygons"], *mixed["walls"]]]
    return found


def distance_oracle(point: Floats, corners: Floats, rounding: float, flat: bool) -> float:
    """Distance to one obstacle; within its middle that is less than zero."""
    return corner_distance(point[:2] if flat else point, corners) - rounding


@given(SEEDS)
@settings(max_examples=10)
def test_nearest_and_sweeps_of_every_kind(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mixed = mixture(rng)
    obstacles, shapes = Obstacles.of(**mixed), core_corners(mixed)
    assert len(obstacles) == len(shapes) == 12
    start, way = rng.normal(size=3) * 6.0, rng.normal(size=3)
    way /= np.linalg.norm(way)
    radius, reach = float(rng.uniform(0.0, 1.0)), 8.0
    found = obstacles.nearest(start[None])
    gaps = [distance_oracle(start, *shape) for shape in shapes]
    if min(gaps) > 1e-6:
        assert found.distance[0] == pytest.approx(min(gaps), abs=1e-8)
        assert distance_oracle(found.point[0], *shapes[found.part[0]]) == pytest.approx(0, abs=1e-8)
        apart = (start - found.point[0]) / found.distance[0]
        assert found.normal[0] == pytest.approx(apart, abs=1e-6)
    hits = obstacles.sweep(start[None], way[None] * 3.0, radius, reach)
    last = min(hits.distance[0], reach)
    for t in np.linspace(0.0, last, 7):
        least = min(distance_oracle(start + t * way, *shape) for shape in shapes)
        assert least >= radius - 1e-8 or hits.distance[0] == 0.0
    if 0.0 < hits.distance[0] < np.inf:
        there, shape = start + last * way, shapes[hits.part[0]]
        assert distance_oracle(there, *shape) == pytest.approx(radius, abs=1e-8)
        assert hits.point[0] == pytest.approx(there - radius * hits.normal[0], abs=1e-9)
        assert hits.normal[0] @ way < 1e-9
        assert np.linalg.norm(hits.normal[0]) == pytest.approx(1.0, abs=1e-9)
    if hits.distance[0] == 0.0:
        assert hits.depth[0] == pytest.approx(radius - min(gaps), abs=1e-8) or min(gaps) <= 1e-8


@given(SEEDS, st.sampled_from([1, 3, 20]))
@settings(max_examples=20)
def test_many_are_as_each_alone(seed: int, each: int) -> None:
    rng = np.random.default_rng(seed)
    mixed = mixture(rng, each, spread=3.0 * each)
    obstacles, single = Obstacles.of(**mixed), alone(mixed)
    start, way = rng.normal(size=(20, 3)) * 3.0 * each, rng.normal(size=(20, 3))
    way[:3] = np.eye(3)
    way[3] = 0.0
    hits = obstacles.sweep(start, way, 0.4, 9.0)
    both = [one.sweep(start, way, 0.4, 9.0) for one in single]
    distance, depth = np.array([h.distance for h in both]), np.array([h.depth for h in both])
    best = np.lexsort(
        (np.broadcast_to(np.arange(len(single))[:, None], depth.shape), -depth, distance), axis=0
    )[0]
    rows = np.arange(20)
    np.testing.assert_array_equal(hits.distance, distance[best, rows])
    np.testing.assert_array_equal(hits.depth, depth[best, rows])
    np.testing.assert_array_equal(hits.part, np.where(np.isfinite(hits.distance), best, -1))
    np.testing.assert_array_equal(hits.normal, np.array([h.normal for h in both])[best, rows])
    every = obstacles.sweep_all(start, way, 0.4, 9.0)
    for i in rows:
        mine = slice(every.start[i], every.start[i + 1])
        expected = sorted(
            (distance[k, i], k) for k in range(len(single)) if distance[k, i] < np.inf
        )
        assert list(zip(every.distance[mine], every.part[mine], strict=True)) == expected
        for h in range(every.start[i], every.start[i + 1]):
            assert every.normal[h].tolist() == both[every.part[h]].normal[i].tolist()
            assert every.point[h].tolist() == both[every.part[h]].point[i].tolist()
    near = obstacles.nearest(start, 5.0)
    gaps = np.array([one.nearest(start).distance for one in single])
    np.testing.assert_array_equal(
        near.distance, np.where(gaps.min(axis=0) <= 5.0, gaps.min(axis=0), np.inf)
    )
    np.testing.assert_array_equal(near.part >= 0, near.distance < np.inf)


@given(SEEDS)
@settings(max_examples=15)
def test_boxes_that_touch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mixed = mixture(rng, 1, 2.0)
    single, shapes = alone(mixed), core_corners(mixed)
    low = rng.normal(size=3) * 2.0
    high = low + rng.uniform(0.1, 2.0, 3)
    box = (low + high) / 2 + SIGNS * (high - low) / 2
    for one, (corners, rounding, flat) in zip(single, shapes, strict=True):
        mine = box[:, :2] if flat else box
        between = (corners[:, None] - mine[None]).reshape(-1, mine.shape[1])
        gap = corner_distance(np.zeros(mine.shape[1]), between) - rounding
        if abs(gap) > 1e-7:
            assert one.overlaps(low[None], high[None])[0] == (gap < 0.0)
    together = Obstacles.of(**mixed).overlaps(low[None], high[None])[0]
    assert together == any(one.overlaps(low[None], high[None])[0] for one in single)


def test_in_the_plane_answers_have_two_columns() -> None:
    pillars = Obstacles.of(spheres=([(3.0, 0.0)], [1.0]), boxes=([(0.0, 4.0)], [(1.0, 1.0)], [0.5]))
    start = np.zeros((2, 2))
    hits = pillars.sweep(start, np.array([[2.0, 0.0], [0.0, 1.0]]), 0.5, 10.0)
    assert hits.point.shape == hits.normal.shape == (2, 2)
    assert hits.distance[0] == pytest.approx(1.5)
    assert hits.part.tolist() == [0, 1]
    assert pillars.nearest(start).point.shape == (2, 2)
    assert pillars.sweep_all(start, np.ones(2), 0.5, 10.0).point.shape[1] == 2


def test_what_stands_in_the_plane_has_no_height() -> None:
    wall = Obstacles.of(walls=[((2.0, -1.0), (2.0, 1.0))])
    hits = wall.sweep(np.array([[0.0, 0.0, 70.0]]), np.array([[1.0, 0.0, 0.5]]), 0.25, 10.0)
    assert hits.distance[0] == pytest.approx(1.75 * np.sqrt(1.25))
    assert hits.normal[0].tolist() == [-1.0, 0.0, 0.0]
    assert hits.point[0] == pytest.approx([2.0, 0.0, 70.0 + 1.75 / 2])


@given(SEEDS)
def test_rays_hit_walls_where_lines_cross(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, p, way = rng.normal(size=(4, 2)) * 3.0
    share, length = np.linalg.solve(np.column_stack((b - a, -way)), p - a)
    hits = Obstacles.of(walls=[(a, b)]).sweep(p[None], way[None], 0.0, 1e9)
    if 0.0 <= share <= 1.0 and length > 0.0:
        assert hits.distance[0] == pytest.approx(length * np.linalg.norm(way), rel=1e-6)
        assert hits.normal[0] @ (b - a) == pytest.approx(0.0, abs=1e-9)
        assert hits.normal[0] @ way < 0.0
    else:
        assert hits.part[0] == -1


def test_a_miss_above_is_a_miss() -> None:
    ball = Obstacles.of(spheres=([(5.0, 0.0, 3.0)], [1.0]))
    ahead = np.array([[1.0, 0.0, 0.0]])
    assert ball.sweep(np.zeros((1, 3)), ahead, 1.999, 20.0).part[0] == -1
    assert ball.sweep(np.zeros((1, 3)), ahead, 2.001, 20.0).part[0] == 0


def test_without_limit_a_miss_is_a_miss() -> None:
    pillars = Obstacles.of(spheres=([(5.0, 3.0), (9.0, 0.5)], [1.0, 1.0]))
    start, ways = np.zeros((3, 2)), np.array([(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)])
    hits = pillars.sweep(start, ways, 0.5, np.inf)
    assert hits.part.tolist() == [-1, 1, -1]
    assert np.isfinite(hits.normal).all()
    assert pillars.sweep_all(start, ways, 0.5, np.inf).part.tolist() == [1]


def test_overlap_at_the_start_leads_out_even_when_leaving() -> None:
    ball = Obstacles.of(spheres=([(0.0, 0.0, 0.0), (0.5, 0.0, 0.0)], [1.0, 1.0]))
    hits = ball.sweep(np.array([[1.2, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0]]), 0.5, 9.0)
    assert hits.distance[0] == 0.0
    assert (hits.part[0], hits.depth[0]) == (1, pytest.approx(0.8))
    assert hits.normal[0].tolist() == [1.0, 0.0, 0.0]
    assert hits.point[0] == pytest.approx([1.5, 0.0, 0.0])


def test_half_spaces_and_panels() -> None:
    floor = Obstacles.of(planes=([(0.0, 0.0, 0.0)], [(0.0, 0.0, 2.0)]))
    start = np.array([[7.0, 7.0, 3.0]])
    assert floor.sweep(start, np.array([[0.0, 1.0, -1.0]]), 1.0, 9.0).distance[0] == pytest.approx(
        2.0 * np.sqrt(2.0)
    )
    assert floor.nearest(-start).distance[0] == pytest.approx(-3.0)
    assert floor.overlaps(start - 3.5, start)[0]
    assert not floor.overlaps(start - 2.5, start)[0]
    panel = Obstacles.of(boxes=([(0.0, 0.0, 0.0)], [(1.0, 1.0, 0.0)]))
    assert panel.nearest(start / 7.0).distance[0] == pytest.approx(3.0 / 7.0)
    assert panel.sweep(start, np.array([[-7.0, -7.0, -3.0]]), 0.0, 99.0).part[0] == 0


def test_far_from_the_origin_it_stays_exact() -> None:
    far = np.array([1e6, -1e6, 0.0])
    ball = Obstacles.of(spheres=([far + np.array((5.0, 0.3, 0.0))], [1.0]))
    hits = ball.sweep(far[None], np.array([[1.0, 0.0, 0.0]]), 0.5, 9.0)
    assert hits.distance[0] == pytest.approx(5.0 - np.sqrt(2.25 - 0.09), abs=1e-8)


@given(SEEDS)
@settings(max_examples=20)
def test_meetings_are_sweeps_in_the_frame_of_each_obstacle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mixed = mixture(rng, 2, 4.0)
    drift = rng.normal(size=(12, 3)) * (rng.uniform(size=(12, 1)) < 0.7)
    moving = Obstacles.of(**mixed, velocity=drift)
    start, velocity = rng.normal(size=(5, 3)) * 6.0, rng.normal(size=(5, 3))
    limits = [np.array([x]) for x in (0.3, 0.5, 2.0, 1.5)]
    met = meet(moving, start, velocity, *limits)
    for i in range(5):
        times, depths = [], []
        for k, one in enumerate(alone(mixed)):
            seen = velocity[i] - drift[k]
            speed = float(np.linalg.norm(seen))
            reach = max(0.5, speed * 2.0 + speed**2 / 3.0)
            hits = one.sweep(start[i][None], seen[None], 0.3, reach)
            times.append(hits.distance[0] / speed)
            depths.append(-hits.depth[0])
        best = min(zip(times, depths, range(12), strict=True))
        if np.isfinite(best[0]):
            assert met.hits.part[i] == best[2]
            seen = velocity[i] - drift[best[2]]
            assert met.velocity[i] == pytest.approx(seen)
            assert met.hits.distance[i] == pytest.approx(best[0] * np.linalg.norm(seen), abs=1e-12)
        else:
            assert met.hits.part[i] == -1


def test_later_they_are_where_their_velocity_took_them() -> None:
    moving = Obstacles.of(
        spheres=([(3.0, 0.0, 0.0)], [1.0]), boxes=([(0.0, 9.0, 0.0)], [(1.0, 1.0, 1.0)]),
        velocity=[(1.0, 2.0, 0.0), (0.0, -3.0, 0.0)],
    )  # fmt: skip
    later = moving.after(2.0)
    near = later.nearest(np.array([[5.0, 6.0, 0.0], [0.0, 1.0, 0.0]]))
    assert near.distance == pytest.approx([1.0, 1.0])
    assert near.part.tolist() == [0, 1]


def test_none_at_all() -> None:
    nothing = Obstacles.of()
    assert len(nothing) == 0
    point = np.zeros((2, 3))
    assert nothing.sweep(point, point, 1.0, 1.0).part.tolist() == [-1, -1]
    assert nothing.sweep_all(point, point, 1.0, 1.0).start.tolist() == [0, 0, 0]
    assert nothing.nearest(point).distance.tolist() == [np.inf, np.inf]
    assert nothing.overlaps(point, point).tolist() == [False, False]
    ball = Obstacles.of(spheres=([(3.0, 0.0, 0.0)], [1.0]))
    assert ball.sweep(np.zeros((0, 3)), np.zeros((0, 3)), 1.0, 1.0).distance.shape == (0,)
    assert ball.sweep_all(np.zeros((0, 3)), np.zeros((0, 3)), 1.0, 1.0).start.tolist() == [0]


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"spheres": ([(0.0, 0.0)], [-1.0])}, "radius"),
        ({"spheres": ([(0.0, 0.0)], [1.0, 2.0])}, "do not fit"),
        ({"spheres": ([(0.0, np.nan)], [1.0])}, "finite"),
        ({"boxes": ([(0.0, 0.0)], [(1.0, -1.0)])}, "negative"),
        ({"boxes": ([(0.0, 0.0, 0.0)], [(1.0, 1.0, 1.0)], [np.ones((3, 3))])}, "orthonormal"),
        ({"polygons": [[(0, 0), (0, 1), (1, 0)]]}, "counter-clockwise"),
        ({"polygons": [[(0, 0), (1, 0), (0.2, 0.2), (0, 1)]]}, "convex"),
        ({"hulls": [np.eye(3)]}, "four or more"),
        ({"hulls": [[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]]}, "no volume"),
        ({"walls": [(0, 1, 2)]}, "walls"),
        ({"walls": [((0, 1), (0, 1))]}, "no length"),
        ({"planes": ([(0, 0)], [(0, 0)])}, "zero"),
        ({"spheres": ([(0.0, 0.0)], [1.0]), "velocity": np.zeros((3, 2))}, "3 rows"),
        ({"spheres": [(1.0, 2.0)]}, r"spheres is a list of 1: give \(centres, radii\)"),
        ({"spheres": {}}, "spheres is a dict"),
        ({"boxes": ([(0, 0)],)}, "boxes is a tuple of 1"),
        ({"hulls": [3]}, "hull 0"),
        ({"hulls": 3}, "hulls is 3"),
        ({"polygons": "abc"}, "polygons is 'abc'"),
        ({"boxes": ([(0, 0)], [(1, 1)], [[1, 2], [3]])}, "boxes: yaw"),
        ({"spheres": ([(0, 0)], [1.0]), "velocity": [[1, 2], [3]]}, "velocity"),
        ({"polygons": [SQUARE[::-1]]}, "polygon 0 is clockwise"),
        ({"polygons": [SQUARE[:2]]}, "polygon 0 has 2 corners"),
        ({"polygons": [SQUARE[:1] + SQUARE]}, "corners 0 and 1 of polygon 0 are the same"),
        ({"polygons": [[(0, 0), (1, 0), (0.2, 0.2), (0, 1)]]}, "not convex at corner 2"),
        ({"polygons": [[(0, 1), (0.2, 0.2), (1, 0), (0, 0)]]}, "not convex at corner 1"),
        ({"polygons": [[(0, 0), (1, 0), (2, 0)]]}, "no area"),
        ({"polygons": [SQUARE + SQUARE]}, "more than once"),
        ({"boxes": ([(1, 0)], [(0, 0)])}, "box 0 has no size"),
    ],
)
def test_what_is_no_obstacle_is_refused(kinds: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Obstacles.of(**kinds)


def test_the_first_corner_of_a_polygon_may_come_again() -> None:
    ring, open_ended = (Obstacles.of(polygons=[each]) for each in (SQUARE + SQUARE[:1], SQUARE))
    start, way = np.array([(-2.0, 0.3), (-1.0, -1.0)]), np.array([(1.0, 0.0), (1.0, 1.0)])
    for one, other in zip(*(o.bodies.offsets for o in (ring, open_ended)), strict=True):
        assert one == other
    hits, same = (each.sweep(start, way, 0.1, 9.0) for each in (ring, open_ended))
    np.testing.assert_array_equal(hits.distance, same.distance)


@pytest.mark.parametrize(("half", "yaw"), [((0.0, 1.0), 0.0), ((1.0, 0.0), np.pi / 2)])
def test_a_box_in_the_plane_without_thickness_is_a_wall(half: tuple, yaw: float) -> None:
    panel = Obstacles.of(boxes=([(1.0, 0.0)], [half], [yaw]))
    hits = panel.sweep([(-2.0, 0.5), (-2.0, 1.5)], (1.0, 0.0), 0.1, 9.0)
    np.testing.assert_allclose(hits.distance, (2.9, np.inf))
    np.testing.assert_allclose(panel.nearest([(1.0, 3.0)]).distance, 2.0)


@pytest.mark.parametrize("seconds", ["x", np.nan, np.inf, None, np.zeros(3)])
def test_a_time_that_is_none_is_refused(seconds: Any) -> None:
    with pytest.raises(InputError, match="seconds is"):
        Obstacles.of(spheres=([(3.0, 0.0)], [1.0])).after(seconds)


@pytest.mark.parametrize("name", ["sweep", "sweep_all"])
def test_questions_with_bad_numbers_are_refused(name: str) -> None:
    ask = getattr(Obstacles.of(spheres=([(3.0, 0.0)], [1.0])), name)
    good = [np.zeros((1, 2)), np.ones((1, 2)), 0.5, 9.0]
    ask(*good[:3], np.inf)
    for k, bad in enumerate([np.full((1, 2), np.nan), np.full((1, 2), np.inf), -1.0, np.nan]):
        with pytest.raises(InputError):
            ask(*[bad if k == j else value for j, value in enumerate(good)])
    with pytest.raises(InputError, match="start"):
        ask(np.zeros(2), *good[1:])
