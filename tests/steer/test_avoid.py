"""Avoiding obstacles: single forces by hand, whole ways by walking them, and what never changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from headway.errors import InputError
from headway.steer.avoid import Avoidance, avoid
from headway.steer.avoid_memory import AvoidMemory
from headway.steer.seek import seek
from headway.world.height_field import HeightField
from headway.world.hits import Surface
from headway.world.obstacles import Obstacles
from headway.world.scene import Scene
from headway.world.triangle_mesh import TriangleMesh

Floats = NDArray[np.float64]
BODY: dict[str, Any] = {"radius": 0.3, "max_force": 6.0, "margin": 0.1}
WIDE = 0.4


def ball(*centre: float, radius: float = 1.0, **named: Any) -> Obstacles:
    return Obstacles.of(spheres=([centre], [radius]), **named)


def panel(cells: int, half: float = 3.0, x: float = 5.0) -> TriangleMesh:
    """An upright square of triangles, across the x axis."""
    side = np.linspace(-half, half, cells + 1)
    vertices = np.array([(x, y, z) for y in side for z in side])
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    up, right = corner + 1, corner + cells + 1
    first, second = np.stack((corner, right, up)), np.stack((right, right + 1, up))
    return TriangleMesh(vertices, np.concatenate((first, second), axis=1).T.astype(np.int64))


def walk(
    surface: Surface, start: Any, goal: Any, seconds: float = 30.0, **named: Any
) -> tuple[float, float, list[Avoidance]]:
    """Seek a goal with a point mass; the distance left, the least clearance, what was seen."""
    p, goal, memory, dt = np.array(start), np.array(goal), None, 0.02
    v, seen, clear = np.zeros_like(p), [], np.inf
    for step in range(int(seconds / dt)):
        if not isinstance(surface, Obstacles) or not surface.moving:
            now: Any = surface
        else:
            now = surface.after(step * dt)
        way = avoid(p, v, now, **BODY, memory=memory, target=goal, dt=dt, **named)
        memory = way.memory
        speed = min(2.0, 1.5 * float(np.linalg.norm(goal - p)))
        force = way.force + (0.0 if way.near else 1.0) * seek(p, v, goal, speed) / 0.2
        force *= min(1.0, 6.0 / max(float(np.linalg.norm(force)), 1e-12))
        v = v + force * dt
        v *= min(1.0, 2.0 / max(float(np.linalg.norm(v)), 1e-12))
        p = p + v * dt
        seen.append(way)
        clear = min(clear, now.nearest(p[None]).distance[0] - BODY["radius"])
        if np.linalg.norm(p - goal) < 0.2:
            break
    return float(np.linalg.norm(p - goal)), clear, seen


def hill() -> HeightField:
    x, y = np.meshgrid(np.linspace(0.0, 12.0, 25), np.linspace(-4.0, 4.0, 17))
    heights = 3.0 * np.exp(-((x - 5.0) ** 2 + y**2) / 3.0) - 1.5
    return HeightField(heights, 0.5, (0.0, -4.0, 0.0))


POINTS = np.random.default_rng(1).normal(size=(12, 3)) * 1.2 + (5.0, 0.0, 0.0)
HINDRANCES: dict[str, tuple[Any, int]] = {
    "circle": (ball(5.0, 0.0, radius=1.5), 2),
    "circle aside": (ball(5.0, 0.3, radius=1.5), 2),
    "wide circle": (ball(5.5, 0.0, radius=4.0), 2),
    "sphere": (ball(5.0, 0.0, 0.0, radius=1.5), 3),
    "box": (Obstacles.of(boxes=([(5.0, 0.0)], [(1.0, 2.0)])), 2),
    "turned box": (Obstacles.of(boxes=([(5.0, 0.0)], [(1.0, 2.0)], [0.4])), 2),
    "block": (Obstacles.of(boxes=([(5.0, 0.0, 0.0)], [(1.0, 2.0, 3.0)])), 3),
    "capsule": (Obstacles.of(capsules=([(5.0, -2.0)], [(5.0, 2.0)], [0.3])), 2),
    "hull": (Obstacles.of(hulls=[POINTS]), 3),
    "wall": (Obstacles.of(walls=[((5.0, -3.0), (5.0, 3.0))]), 2),
    "wall close by": (Obstacles.of(walls=[((1.0, -3.0), (1.0, 3.0))]), 2),
    "mesh": (panel(6), 3),
    "scene": (Scene(panel(6), ball(7.5, 0.0, 0.0)), 3),
    "hill": (hill(), 3),
    "pillars": (Obstacles.of(spheres=([(5.0, 1.5), (5.0, -1.5), (8.0, 0.2)], [1.0, 1.0, 0.8])), 2),
}


@pytest.mark.parametrize("name", HINDRANCES)
def test_a_goal_behind_it_is_reached_without_touching_it(name: str) -> None:
    surface, d = HINDRANCES[name]
    left, clear, seen = walk(surface, np.zeros(d), np.eye(d)[0] * 11.0)
    assert left < 0.2
    assert clear > 0.0
    assert max(float(np.linalg.norm(way.force)) for way in seen) <= 6.0 + 1e-12


@pytest.mark.parametrize(("d", "count"), [(2, 14), (3, 30)])
@pytest.mark.parametrize("seed", range(6))
def test_through_a_thicket_it_touches_nothing_and_arrives_or_says_blocked(
    seed: int, d: int, count: int
) -> None:
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-1.0, 1.0, (count, d)) * (6.0, 5.0, 5.0)[:d] + np.eye(d)[0] * 9.0
    thicket = Obstacles.of(spheres=(centres, rng.uniform(0.3, 1.2, count)))
    left, clear, seen = walk(thicket, np.zeros(d), np.eye(d)[0] * 18.0)
    assert clear > 0.0
    assert left < 0.2 or any(way.blocked for way in seen)


@pytest.mark.parametrize("velocity", [(0.0, -1.5), (-1.2, 0.0), (0.6, 0.0)])
def test_what_moves_is_avoided_as_well(velocity: tuple[float, float]) -> None:
    start = np.array((5.0, 0.0)) - np.array(velocity) * 2.7
    left, clear, _ = walk(ball(*start, radius=0.7, velocity=velocity), np.zeros(2), (11.0, 0.0))
    assert left < 0.2
    assert clear > 0.0


def test_the_force_of_one_contact_is_by_the_formula() -> None:
    way = avoid((0.0, 0.0), (2.0, 0.0), ball(3.0, 0.5), **BODY, time=1.5, braking=4.0)
    look = 2.0 * 1.5 + 4.0 / 8.0
    distance = 3.0 - np.sqrt((1.0 + WIDE) ** 2 - 0.25)
    assert way.distance == pytest.approx(distance)
    assert way.reach[0] == pytest.approx(look)
    assert way.force == pytest.approx([0.0, -6.0 * (1.0 - distance / look)])
    assert not way.blocked


@given(st.floats(-1.35, 1.35).filter(lambda y: abs(y) > 1e-3))
@settings(max_examples=40)
def test_left_and_right_are_alike(y: float) -> None:
    left = avoid((0.0, 0.0), (1.0, 0.0), ball(2.5, y), **BODY, target=(5.0, 0.0)).force
    right = avoid((0.0, 0.0), (1.0, 0.0), ball(2.5, -y), **BODY, target=(5.0, 0.0)).force
    assert left == pytest.approx(right * (1.0, -1.0), abs=1e-12)
    assert left[1] * y <= 0.0


def test_a_miss_above_does_not_steer() -> None:
    ahead = (0.0, 0.0, 0.0), (2.0, 0.0, 0.0)
    for rule in ("lateral", "normal"):
        free = avoid(*ahead, ball(3.0, 0.0, 1.41), **BODY, rule=rule, target=(9.0, 0.0, 0.0))
        assert not free.force.any()
        assert not free.near
        assert avoid(*ahead, ball(3.0, 0.0, 1.39), **BODY, rule=rule).force.any()


@pytest.mark.parametrize("rule", ["lateral", "normal"])
@pytest.mark.parametrize("speed", [0.0, 1.0])
def test_contact_repels_with_full_force(rule: Any, speed: float) -> None:
    for distance in (1.0 + WIDE, 1.2, 0.5):
        way = avoid((0.0, 0.0), (speed, 0.0), ball(distance, 0.0), **BODY, rule=rule)
        assert way.distance == 0.0
        assert way.force == pytest.approx([-6.0, 0.0])
        assert way.near


def test_leaving_the_margin_is_not_hurried() -> None:
    within = avoid((0.0, 0.0), (-1.0, 0.0), ball(1.35, 0.0), **BODY)
    assert within.force == pytest.approx([-3.0, 0.0])
    assert avoid((0.0, 0.0), (-1.0, 0.0), ball(1.2, 0.0), **BODY).force == pytest.approx([-6.0, 0])


def test_in_the_very_middle_of_an_obstacle_it_gets_out() -> None:
    force = avoid((0.0, 0.0), (0.0, 0.0), ball(0.0, 0.0), **BODY).force
    assert np.linalg.norm(force) == pytest.approx(6.0)


def test_too_late_to_swerve_it_brakes() -> None:
    wall = Obstacles.of(walls=[((2.0, -50.0), (2.0, 50.0))])
    stop = 3.0**2 / (2.0 * 6.0)
    late = avoid((2.0 - WIDE - 0.9 * stop, 0.0), (3.0, 0.0), wall, **BODY)
    assert late.force == pytest.approx([-6.0, 0.0])
    early = avoid((2.0 - WIDE - 2.1 * stop, 0.0), (3.0, 0.0), wall, **BODY)
    assert early.force[0] == pytest.approx(0.0, abs=1e-12)
    assert abs(early.force[1]) > 1.0


def test_a_side_is_kept_until_the_way_has_been_clear() -> None:
    p, v = (0.0, 0.0), (2.0, 0.0)
    first = avoid(p, v, ball(3.0, 0.0), **BODY)
    side = np.sign(first.force[1])
    assert side != 0.0
    kept = avoid(p, v, ball(3.0, side * 0.5), **BODY, memory=first.memory)
    assert np.sign(kept.force[1]) == side
    forced = avoid(p, v, ball(3.0, side * 0.9), **BODY, memory=first.memory)
    assert np.sign(forced.force[1]) == -side
    memory = kept.memory
    for step in range(30):
        memory = avoid(p, v, ball(3.0, 50.0), **BODY, memory=memory, dt=0.02).memory
        held = avoid(p, v, ball(3.0, side * 0.5), **BODY, memory=memory)
        if step != 24:  # exactly 0.5 s, but for rounding
            assert np.sign(held.force[1]) == (side if step < 24 else -side)


def test_an_agent_that_jitters_before_the_middle_does_not_dither() -> None:
    rng, memory, sides = np.random.default_rng(2), None, set()
    for k in range(60):
        p = np.array((0.02 * k, 0.02 * rng.normal()))
        way = avoid(p, (1.0, 0.0), ball(3.0, 0.0), **BODY, memory=memory)
        memory = way.memory
        if way.force.any():
            sides.add(np.sign(way.force[1]))
    assert len(sides) == 1


def test_chance_chooses_the_side_of_what_is_central_by_agent_and_seed() -> None:
    p, v = np.zeros((200, 2)), np.tile((2.0, 0.0), (200, 1))
    forces = avoid(p, v, ball(3.0, 0.0), **BODY).force[:, 1]
    assert 60 < (forces > 0.0).sum() < 140
    one = avoid((0.0, 0.0), (2.0, 0.0), ball(3.0, 0.0), **BODY, agent=17)
    assert one.force[1] == forces[17]
    other = avoid(p, v, ball(3.0, 0.0), **BODY, seed=1).force[:, 1]
    assert (other != forces).any()
    aside = avoid(p, v, ball(3.0, 0.0), **BODY, target=(9.0, 3.0)).force[:, 1]
    assert (aside > 0.0).all()


def test_the_target_is_looked_at_as_well() -> None:
    p, v, goal = np.zeros(2), np.array((0.0, 1.0)), np.array((4.0, 3.0))
    way = avoid(p, v, ball(1.5, 1.3, radius=0.5), **BODY, target=goal, reach=3.0)
    assert way.force @ goal == pytest.approx(0.0, abs=1e-12)
    assert way.force @ (goal - (1.5, 1.3)) != 0.0
    assert np.linalg.norm(way.force) > 1.0
    assert not avoid(p, v, ball(1.5, 1.3, radius=0.5), **BODY, reach=3.0).force.any()
    assert not avoid(p, v, ball(6.5, 4.9, radius=0.5), **BODY, target=goal, reach=9.0).force.any()


def test_attraction_is_cancelled_near_an_obstacle() -> None:
    for x, near in ((0.29, True), (0.31, False)):
        for goal in (None, (50.0, 0.0)):
            surface = ball(1.0 + WIDE + 2.0 * x, 0.0)
            way = avoid((0.0, 0.0), (1.0, 0.0), surface, **BODY, reach=2.0, target=goal)
            assert bool(way.near) is near


@pytest.mark.parametrize("rule", ["lateral", "normal"])
@pytest.mark.parametrize("turn", [0.0, 0.5, -2.0])
@pytest.mark.parametrize("kind", ["spheres", "boxes"])
def test_a_gap_is_blocked_exactly_if_the_agent_does_not_fit(
    kind: str, turn: float, rule: Any
) -> None:
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for width, blocked in ((2.0 * WIDE - 0.01, True), (2.0 * WIDE + 0.01, False)):
        centres = np.array([(2.5, 1.0 + width / 2.0), (2.5, -1.0 - width / 2.0)]) @ axes
        sizes = ([1.0, 1.0],) if kind == "spheres" else (np.ones((2, 2)), [turn, turn])
        surface = Obstacles.of(**{kind: (centres, *sizes)})  # type: ignore[arg-type]
        way = avoid((0.0, 0.0), axes[0], surface, **BODY, reach=4.0, rule=rule)
        assert bool(way.blocked) is blocked


def test_before_a_blocked_gap_it_stops_and_says_so() -> None:
    gate = Obstacles.of(boxes=([(5.0, 1.25), (5.0, -1.25)], [(1.0, 1.0), (1.0, 1.0)]))
    _, clear, seen = walk(gate, (0.0, 0.0), (10.0, 0.0), seconds=6.0)
    assert any(way.blocked for way in seen)
    assert clear > 0.0
    apart = Obstacles.of(boxes=([(4.0, 1.25), (7.0, -1.25)], [(1.0, 1.0), (1.0, 1.0)]))
    assert not avoid((0.0, 0.0), (2.0, 0.0), apart, **BODY, reach=9.0).blocked


def test_the_normal_rule_is_the_sum_over_patches() -> None:
    two = Obstacles.of(spheres=([(3.0, 0.8), (4.0, -0.9)], [0.6, 0.7]))
    way = avoid((0.0, 0.0), (0.3, 0.0), two, **BODY, rule="normal", reach=5.0)
    expected = np.zeros(2)
    for x, y, r in ((3.0, 0.8, 0.6), (4.0, -0.9, 0.7)):
        far = x - np.sqrt((r + WIDE) ** 2 - y * y)
        expected += np.array((far - x, -y)) / (r + WIDE) * 6.0 * (1.0 - far / 5.0)
    assert way.force == pytest.approx(expected)
    faster = avoid((0.0, 0.0), (3.0, 0.0), two, **BODY, rule="normal", reach=5.0)
    assert faster.force == pytest.approx(expected)


@pytest.mark.parametrize("rule", ["lateral", "normal"])
def test_a_finer_mesh_pushes_no_harder(rule: Any) -> None:
    p, v = (3.2, 0.1, 0.2), (1.0, 0.4, 0.1)
    coarse, fine = (avoid(p, v, panel(cells), **BODY, rule=rule).force for cells in (2, 20))
    assert np.linalg.norm(coarse) > 0.1
    assert fine == pytest.approx(coarse, rel=1e-9)


def test_what_moves_along_is_not_in_the_way() -> None:
    ahead, same = ball(2.0, 0.0, velocity=(2.0, 0.0)), (2.0, 0.0)
    assert not avoid((0.0, 0.0), same, ahead, **BODY).force.any()
    coming = ball(3.0, 0.5, velocity=(-2.0, 0.0))
    for rule in ("lateral", "normal"):
        at_rest = avoid((0.0, 0.0), (0.0, 0.0), coming, **BODY, rule=rule)
        driving = avoid((0.0, 0.0), same, ball(3.0, 0.5), **BODY, rule=rule)
        assert at_rest.force == pytest.approx(driving.force)
        assert at_rest.force.any()


class Ceiling:
    """A surface of nothing but the protocol: a plane at y = 2, hit from below."""

    def sweep(self, start: Any, direction: Any, radius: Any, reach: Any) -> Any:
        sizes = np.broadcast_to(radius, len(start))
        blocks = [
            Obstacles.of(planes=([(0.0, 2.0)], [(0.0, -1.0)])).sweep(
                p[None], w[None], float(r), far
            )
            for p, w, r, far in zip(start, direction, sizes, reach, strict=True)
        ]
        columns = ("distance", "point", "normal", "part", "depth")
        return replace(
            blocks[0], **{c: np.concatenate([getattr(b, c) for b in blocks]) for c in columns}
        )

    def sweep_all(self, *query: Any) -> Any:
        return Obstacles.of(planes=([(0.0, 2.0)], [(0.0, -1.0)])).sweep_all(*query)

    def nearest(self, points: Any, reach: Any = np.inf) -> Any:
        raise NotImplementedError

    def overlaps(self, lowest: Any, highest: Any) -> Any:
        raise NotImplementedError


def test_any_surface_will_do() -> None:
    p, v = np.zeros((3, 2)), np.array([(0.0, 2.0), (1.0, 2.0), (2.0, 0.0)])
    own = avoid(p, v, Ceiling(), **BODY)
    plane = avoid(p, v, Obstacles.of(planes=([(0.0, 2.0)], [(0.0, -1.0)])), **BODY)
    np.testing.assert_array_equal(own.force, plane.force)


def crowd(seed: int, d: int, count: int = 12) -> tuple[Floats, Floats, Floats, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    p, goal = rng.normal(size=(count, d)) * 4.0, rng.normal(size=(count, d)) * 6.0
    v = rng.normal(size=(count, d)) * rng.choice([0.0, 1.0, 3.0], (count, 1))
    kinds: dict[str, Any] = {
        "spheres": (rng.normal(size=(5, d)) * 4.0, rng.uniform(0.2, 1.0, 5)),
        "capsules": (rng.normal(size=(4, d)) * 4.0, rng.normal(size=(4, d)) * 4.0, np.full(4, 0.3)),
    }
    return p, v, goal, kinds


@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.booleans())
@settings(max_examples=30)
def test_the_world_may_be_turned_and_shifted(seed: int, d: int, moving: bool) -> None:
    p, v, goal, kinds = crowd(seed, d)
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    turn[:, 0] *= np.linalg.det(turn)
    shift, drift = rng.normal(size=d) * 10.0, rng.normal(size=(9, d)) * moving
    (c, r), (a, b, q) = kinds["spheres"], kinds["capsules"]
    turned = {
        "spheres": (c @ turn.T + shift, r),
        "capsules": (a @ turn.T + shift, b @ turn.T + shift, q),
    }
    for rule in ("lateral", "normal"):
        here = avoid(p, v, Obstacles.of(**kinds, velocity=drift), **BODY, target=goal, rule=rule)
        there = avoid(
            p @ turn.T + shift, v @ turn.T, Obstacles.of(**turned, velocity=drift @ turn.T),
            **BODY, target=goal @ turn.T + shift, rule=rule,
        )  # fmt: skip
        assert there.force == pytest.approx(here.force @ turn.T, abs=1e-9)
        np.testing.assert_array_equal(there.near, here.near)
        np.testing.assert_array_equal(there.blocked, here.blocked)


@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.sampled_from(["lateral", "normal"]))
@settings(max_examples=20)
def test_one_is_as_in_a_crowd_and_order_does_not_matter(seed: int, d: int, rule: Any) -> None:
    p, v, goal, kinds = crowd(seed, d)
    surface = Obstacles.of(**kinds, velocity=np.eye(d)[0] * (seed % 2))
    memory = AvoidMemory.start(len(p))
    memory.side[::2, 0] = 1.0
    many = avoid(p, v, surface, **BODY, target=goal, rule=rule, memory=memory)
    assert (np.linalg.norm(many.force, axis=1) <= 6.0 + 1e-12).all()
    assert not memory.clear.any()
    for i in range(len(p)):
        mine = AvoidMemory(memory.side[i][None], memory.clear[i][None])
        one = avoid(p[i], v[i], surface, **BODY, target=goal[i], rule=rule, memory=mine, agent=i)
        np.testing.assert_array_equal(one.force, many.force[i])
        assert (one.near, one.blocked) == (many.near[i], many.blocked[i])
        np.testing.assert_array_equal(one.memory.side[0], many.memory.side[i])
    order = np.random.default_rng(seed).permutation(len(p))
    mixed = avoid(
        p[order], v[order], surface, **BODY, target=goal[order], rule=rule, agent=order,
        memory=AvoidMemory(memory.side[order], memory.clear[order]),
    )  # fmt: skip
    np.testing.assert_array_equal(mixed.force, many.force[order])


def test_nobody_and_no_force() -> None:
    surface = ball(3.0, 0.0)
    for rule in ("lateral", "normal"):
        nobody = avoid(np.zeros((0, 2)), np.zeros((0, 2)), surface, **BODY, rule=rule)
        assert nobody.force.shape == (0, 2)
        assert nobody.blocked.shape == (0,)
        weak = avoid((0.0, 0.0), (9.0, 0.0), surface, radius=0.3, max_force=0.0, rule=rule)
        assert not weak.force.any()
        point = avoid((0.0, 0.0), (9.0, 0.0), surface, radius=0.0, margin=0.0, max_force=1.0)
        assert np.isfinite(point.force).all()


def test_pinned_between_walls_it_stays_finite_and_says_blocked() -> None:
    walls = Obstacles.of(walls=[((-5.0, 0.2), (5.0, 0.2)), ((-5.0, -0.2), (5.0, -0.2))])
    for v in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)):
        way = avoid((0.0, 0.0), v, walls, **BODY, target=(4.0, 0.0))
        assert np.isfinite(way.force).all()
        assert np.linalg.norm(way.force) <= 6.0 + 1e-12
    assert avoid((0.0, 0.0), (1.0, 0.0), walls, **BODY).blocked


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"position": (np.nan, 0.0)}, "position"),
        ({"velocity": (0.0, np.inf)}, "velocity"),
        ({"velocity": (0.0, 0.0, 0.0)}, "velocity"),
        ({"radius": -1.0}, "radius"),
        ({"margin": np.nan}, "margin"),
        ({"max_force": -1.0}, "max_force"),
        ({"braking": 0.0}, "braking"),
        ({"reach": 0.0}, "reach"),
        ({"time": -1.0}, "time"),
        ({"rule": "sideways"}, "rule"),
        ({"dt": 0.0}, "dt"),
        ({"target": (np.nan, 0.0)}, "target"),
        ({"memory": AvoidMemory.start(3)}, "memory"),
        ({"agent": (1, 2, 3)}, "agent"),
    ],
)
def test_bad_arguments_are_refused(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"position": (0.0, 0.0), "velocity": (1.0, 0.0), **BODY}
    arguments = {**good, **change}
    p, v = arguments.pop("position"), arguments.pop("velocity")
    with pytest.raises(InputError, match=message):
        avoid(p, v, ball(3.0, 0.0), **arguments)


def test_only_surfaces_that_face_each_other_make_a_gap() -> None:
    def blocked(*centres: tuple[float, float, float]) -> bool:
        around = Obstacles.of(spheres=(centres, np.ones(2)))
        return bool(avoid((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), around, **BODY, reach=9.0).blocked)

    assert blocked((5.0, 1.2, 0.0), (5.0, -1.2, 0.0))
    assert not blocked((5.0, 1.2, 0.0), (5.0, 0.0, -1.2)), "past a corner it can go aside"
