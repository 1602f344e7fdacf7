"""Walls of surfaces that answer for their nearest points: followed, and not left."""

from __future__ import annotations

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
from headway.steer.bounds import contain_in_ball, contain_in_box
from headway.steer.walls import contain, follow_wall
from headway.world.hits import Nearest


class Plane:
    """A half space: what lies below a plane is solid."""

    def __init__(self, normal: Any, height: float = 0.0) -> None:
        self.normal, self.height = np.array(normal, float), height

    def nearest(self, points: np.ndarray, reach: Any = np.inf) -> Nearest:
        distance = points @ self.normal - self.height
        far = distance > reach
        return Nearest(
            np.where(far, np.inf, distance),
            points - distance[:, None] * self.normal,
            np.tile(self.normal, (len(points), 1)),
            np.where(far, -1, 0),
        )


class Ball:
    """A solid circle or ball."""

    def __init__(self, centre: Any, radius: float) -> None:
        self.centre, self.radius = np.array(centre, float), radius

    def nearest(self, points: np.ndarray, reach: Any = np.inf) -> Nearest:
        offset = points - self.centre
        size = np.linalg.norm(offset, axis=1)
        normal = offset / np.maximum(size, 1e-12)[:, None]
        point = self.centre + self.radius * normal
        return Nearest(size - self.radius, point, normal, np.zeros(len(points), np.int64))


def walk(wall: Any, p: Any, v: Any, seconds: float, **look: Any) -> tuple[np.ndarray, np.ndarray]:
    p, v, dt, been = np.array(p, float), np.array(v, float), 0.02, []
    for _ in range(round(seconds / dt)):
        v = v + follow_wall(p, v, wall, 1.0, **look) * (dt / 0.2)
        p = p + v * dt
        been.append(p)
    return np.array(been), v


@pytest.mark.parametrize("start", [(0.0, 4.0), (0.0, 0.3), (0.0, -1.0)])
@pytest.mark.parametrize("way", [(0.5, 0.0), (-0.5, 0.2), (0.0, -1.0), (0.0, 0.0)])
def test_along_a_straight_wall_at_the_offset(start: Any, way: Any) -> None:
    been, v = walk(Plane((0.0, 1.0)), start, way, 20.0, offset=1.5)
    assert been[-1, 1] == pytest.approx(1.5, abs=0.01)
    assert abs(v[0]) == pytest.approx(1.0, abs=1e-3)
    if way[0]:
        assert np.sign(v[0]) == np.sign(way[0])


def test_around_a_round_pillar() -> None:
    been, _ = walk(Ball((0.0, 0.0), 4.0), (6.0, 0.0), (0.0, 1.0), 60.0, offset=1.0)
    distance = np.linalg.norm(been[500:], axis=1)
    assert np.abs(distance - 5.0).max() < 0.1
    angle = np.unwrap(np.arctan2(been[:, 1], been[:, 0]))
    assert angle[-1] > 10.0


def test_in_space_along_the_ground() -> None:
    ground = Plane((0.0, 0.0, 1.0))
    been, v = walk(ground, (0.0, 0.0, 5.0), (0.3, 0.4, 0.0), 30.0, offset=2.0)
    assert been[-1, 2] == pytest.approx(2.0, abs=0.01)
    np.testing.assert_allclose(v, (0.6, 0.8, 0.0), atol=1e-3)


def test_walls_out_of_reach_change_nothing() -> None:
    wall = Plane((0.0, 1.0))
    steering = follow_wall([(0.0, 9.0), (0.0, 2.0)], (1.0, 0.0), wall, 1.0, reach=5.0)
    assert steering[0].tolist() == [0.0, 0.0]
    assert steering[1].any()


def test_the_answers_of_a_surface_do_as_well() -> None:
    rng = np.random.default_rng(1)
    p, v = rng.normal(size=(2, 9, 2))
    wall = Plane((0.6, 0.8))
    given = follow_wall(p, v, wall.nearest(p + 0.5 * v), 1.0)
    np.testing.assert_array_equal(given, follow_wall(p, v, wall, 1.0))


@pytest.mark.parametrize("d", [2, 3])
@given(st.integers(0, 2**32))
def test_contained_in_a_surface_as_in_a_box_or_ball(d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, v = 3.0 * rng.normal(size=(2, 20, d))
    centre = rng.normal(size=d)
    np.testing.assert_allclose(
        contain(p, v, Ball(centre, 4.0), 2.0), contain_in_ball(p, v, centre, 4.0, 2.0), atol=1e-9
    )
    up = np.eye(d)[1]
    high = np.where(up > 0.0, 1.5, 1e6)
    np.testing.assert_allclose(
        contain(p, v, Plane(up, 1.5), 2.0, prediction_time=0.5),
        contain_in_box(p, v, np.full(d, -1e6), high, 2.0, prediction_time=0.5),
        atol=1e-9,
    )


@pytest.mark.parametrize("d", [2, 3])
def test_invariances(d: int) -> None:
    rng = np.random.default_rng(2)
    p, v = 2.0 * rng.normal(size=(2, 25, d))
    turn, shift = rotation(d, rng), 5.0 * rng.normal(size=d)
    level = rotation(d, rng, level=True)
    centre = rng.normal(size=d)

    def follow(p, v, centre=centre):
        return follow_wall(p, v, Ball(centre, 1.0), 2.0)

    def stay(p, v, centre=centre):
        return contain(p, v, Ball(centre, 3.0), 2.0)

    for behaviour in (follow, stay):
        check_one_as_in_a_crowd(behaviour, p, v)
        check_order_does_not_matter(behaviour, p, v)
        check_nobody(behaviour, d)
    moved = follow(p @ turn.T + shift, v @ turn.T, turn @ centre + shift)
    np.testing.assert_allclose(moved, follow(p, v) @ turn.T, atol=1e-9)
    moved = stay(p @ level.T + shift, v @ level.T, level @ centre + shift)
    np.testing.assert_allclose(moved, stay(p, v) @ level.T, atol=1e-9)


@given(*[st.sampled_from((0.0, 1.0, -1.0, 1e-13, 1e8))] * 6)
def test_never_nan(x: float, y: float, z: float, a: float, b: float, c: float) -> None:
    for shape in (Plane((0.0, 0.0, 1.0)), Ball((0.0, 0.0, 0.0), 1.0)):
        assert np.isfinite(follow_wall((x, y, z), (a, b, c), shape, 2.0)).all()
        assert np.isfinite(contain((x, y, z), (a, b, c), shape, 2.0)).all()


def test_what_cannot_be_used_is_named() -> None:
    wall, rest = Plane((0.0, 1.0)), np.zeros(2)
    with pytest.raises(InputError, match="offset"):
        follow_wall(rest, rest, wall, 1.0, offset=-1.0)
    with pytest.raises(InputError, match="max_speed"):
        follow_wall(rest, rest, wall, -1.0)
    with pytest.raises(InputError, match="places"):
        follow_wall(np.zeros((3, 2)), rest, wall.nearest(np.zeros((2, 2))), 1.0)
    with pytest.raises(InputError, match="prediction_time"):
        contain(rest, rest, wall, 1.0, prediction_time=np.nan)
    for behaviour in (follow_wall, contain):
        with pytest.raises(InputError, match="position"):
            behaviour((np.nan, 0.0), rest, wall, 1.0)
        with pytest.raises(InputError, match="velocity"):
            behaviour(rest, (np.inf, 0.0), wall, 1.0)


def test_who_goes_straight_at_a_wall_has_it_at_its_left_afterwards() -> None:
    steering = follow_wall(
        (0.0, 4.0), (0.0, -2.0), Plane((0.0, 1.0)), 2.0, offset=1.0, prediction_time=0.5
    )
    way = np.array((-1.0, -3.0))  # as far along the wall as it goes in half a second
    np.testing.assert_allclose(steering, 2.0 * way / np.linalg.norm(way) + (0.0, 2.0), atol=1e-12)


def test_the_slow_look_as_far_along_a_wall_as_at_half_speed() -> None:
    slow = np.array((0.2, 0.0))
    steering = follow_wall(
        (0.0, 4.0), slow, Plane((0.0, 1.0)), 2.0, offset=1.0, prediction_time=3.0
    )  # fmt: skip
    way = np.array((0.2 * 3.0 + 3.0, -3.0))  # from the wall beside where it will be
    np.testing.assert_allclose(steering, 2.0 * way / np.linalg.norm(way) - slow, atol=1e-12)
