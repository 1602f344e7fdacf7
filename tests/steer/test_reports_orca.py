"""What users of other libraries reported, each as a test of `safe` mode."""

from __future__ import annotations

import numpy as np
import pytest

from headway.steer.orca import orca_step
from headway.steer.orca_walls import Walls


def go(
    position, goal, radius, max_speed, dt, seconds, *, arrived=0.0, velocity=None, **options
) -> dict[str, np.ndarray]:
    """Walk to goals at 1 m/s; returns what happened at each tick."""
    p = np.array(position, float)
    v = np.zeros_like(p) if velocity is None else np.array(velocity, float)
    seen = {"position": [p], "velocity": [v], "stuck": []}
    for tick in range(round(seconds / dt)):
        way = np.asarray(goal, float) - p
        far = np.hypot(*way.T)[:, None]
        wants = way / np.maximum(far, 1.0)
        step = orca_step(p, v, wants, radius, max_speed, dt=dt, tick=tick, **options)
        v, p = step.velocity, p + dt * step.velocity
        for name, value in (("position", p), ("velocity", v), ("stuck", step.stuck)):
            seen[name].append(value)
        if (np.hypot(*(np.asarray(goal) - p).T) < arrived).all():
            break
    return {name: np.array(values) for name, values in seen.items()}


def gaps(position: np.ndarray) -> np.ndarray:
    """The least distance of two agents, at each tick."""
    apart = np.hypot(*np.moveaxis(position[:, :, None] - position[:, None], -1, 0))
    count = position.shape[1]
    apart[:, np.arange(count), np.arange(count)] = np.inf
    return apart.min(axis=(1, 2))


@pytest.mark.parametrize("radius", [0.3, 0.5, 1.5])
@pytest.mark.parametrize("start", [0.0, 1.0])
def test_godot_84938_d_orca_7_a_symmetric_pair_head_on_passes(radius: float, start: float) -> None:
    """godot#84938, d-orca#7; RVO2 itself leaves them stuck for ever."""
    p = np.array([(-10.0, 0.0), (10.0, 0.0)])
    v = [(start, 0.0), (-start, 0.0)]
    seen = go(p, -p, radius, 2.0, 0.1, 60.0, arrived=0.5, velocity=v)
    assert len(seen["stuck"]) * 0.1 <= 1.5 * 19.5
    assert gaps(seen["position"]).min() >= 2.0 * radius - 1e-9


@pytest.mark.parametrize("count", [3, 4, 10, 50])
def test_godot_84938_d_orca_7_a_symmetric_circle_passes(count: int) -> None:
    angle = 2.0 * np.pi * np.arange(count) / count
    ring = 0.8 * max(count, 15)
    p = ring * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    seen = go(p, -p, 1.5, 2.0, 0.25, 200.0, arrived=1.5)
    free = 2.0 * ring
    assert len(seen["stuck"]) * 0.25 <= (1.25 if count < 20 else 2.0) * free
    assert gaps(seen["position"]).min() >= 3.0 - 1e-9


@pytest.mark.parametrize("velocity", [(0.0, 0.0), (1.0, 0.0)])
def test_opensteer_6_two_at_one_spot_part_within_a_second(velocity) -> None:
    seen = go(np.zeros((2, 2)), [(5.0, 0.0)] * 2, 0.5, 1.5, 0.05, 1.0, velocity=[velocity] * 2)
    assert gaps(seen["position"])[-1] >= 1.0 - 1e-9
    assert np.hypot(*seen["velocity"][1:].T).max() <= 1.5 + 1e-9


def test_godot_72772_a_spawn_on_top_of_others_does_not_burst() -> None:
    """godot#72772."""
    rng = np.random.default_rng(0)
    n, far = 30, np.array([(6.5, 0.0), (-6.5, 0.0), (0.0, 12.0)])
    p = np.concatenate((rng.normal(0.0, 0.3, (n, 2)), far))
    v = np.zeros_like(p)
    fastest = []
    for tick in range(100):
        step = orca_step(p, v, np.zeros_like(p), 0.5, 2.0, dt=0.1, tick=tick)
        v, p = step.velocity, p + 0.1 * step.velocity
        fastest.append(np.hypot(*v.T).max())
    assert max(fastest) <= 2.0 + 1e-9
    assert max(fastest[-20:]) < 0.02  # 1 % of the greatest speed
    assert gaps(p[None])[0] >= 0.99
    assert np.hypot(*(p[n:] - far).T).max() < 0.5


LATTICE = 0.6 * np.stack(np.meshgrid(np.arange(6), np.arange(6)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("shift", [0.0, 0.001, 0.005])
@pytest.mark.parametrize("dt", [0.05, 0.1])
def test_gdquest_37_dodgy_12_a_crowd_at_rest_settles(shift: float, dt: float) -> None:
    """GDQuest godot-steering-ai-framework#37, dodgy#12: all stand at their goals, touching."""
    p = LATTICE + np.random.default_rng(0).normal(0.0, shift, LATTICE.shape)
    seen = go(p, LATTICE, 0.3, 1.5, dt, 8.0)
    late = seen["velocity"][round(3.0 / dt) :]
    assert np.hypot(*late.T).max() < 0.01 * 1.5
    assert np.hypot(*(seen["position"] - p).T).max() <= 5.0 * shift + 1e-9
    assert not seen["stuck"].any()


def test_gdquest_37_two_with_one_goal_stop_beside_each_other() -> None:
    seen = go([(-5.0, 0.0), (5.0, 0.1)], np.zeros((2, 2)), 0.3, 1.5, 0.1, 20.0)
    assert np.hypot(*seen["velocity"][-100:].T).max() < 0.01 * 1.5
    assert gaps(seen["position"])[-1] == pytest.approx(0.6, abs=0.01)


@pytest.mark.parametrize("dt", [0.01, 0.1])
def test_godot_72772_a_slight_overlap_parts_gently(dt: float) -> None:
    """Three in a row, the middle one pressed from both sides."""
    p = np.array([(0.0, 0.0), (0.59, 0.0), (1.18, 0.0)])
    apart = np.array([(-0.01, 0.0), (0.59, 0.0), (1.19, 0.0)])
    for goal in (p, apart):
        seen = go(p, goal, 0.3, 1.5, dt, 3.0)
        assert np.hypot(*seen["velocity"].T).max() <= 0.1 * 1.5
        assert np.hypot(*(seen["position"] - p).T).max() <= 0.02
        assert np.hypot(*seen["velocity"][-1].T).max() < 0.01 * 1.5
        assert gaps(seen["position"])[-1] >= 0.6 - 1e-3


@pytest.mark.parametrize("mode", ["safe", "rvo2"])
@pytest.mark.parametrize("radius", [0.25, 0.5, 1.0, 2.0])
def test_rvo2_1_agents_in_line_with_corners_get_numbers(mode, radius: float) -> None:
    """RVO2 pull request 1: exactly beside the end of an edge the root of a negative was taken."""
    box = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)])
    beside = np.array([(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]) * radius
    shifts = np.concatenate((beside, 0.5 * beside, np.nextafter(beside, 9.0)))
    p = (box[:, None] + shifts[None]).reshape(-1, 2)
    for velocity in ((0.0, 0.0), (1.0, 0.0), (-0.6, 0.8), (0.0, -1.0)):
        step = orca_step(
            p, [velocity] * len(p), [(1.0, 1.0)] * len(p), radius, 2.0, dt=0.25,
            walls=[box], mode=mode, layers=0,
        )  # fmt: skip
        assert np.isfinite(step.velocity).all()
        assert np.hypot(*step.velocity.T).max() <= 2.0 + 1e-5


@pytest.mark.parametrize(
    "start", [[(0.0, 0.5), (0.0, 1.5)], [(0.0, 0.4), (0.0, 1.3)], [(0.0, 0.5), (0.3, 1.45)]]
)
@pytest.mark.parametrize("static", [False, True])
def test_recastnavigation_387_pinned_between_a_wall_and_an_agent_comes_free(
    start, static: bool
) -> None:
    """recastnavigation#387."""
    walls = Walls.of([[(-10.0, -1.0), (10.0, -1.0), (10.0, 0.0), (-10.0, 0.0)]])
    goal = [(0.0, 5.0), (0.0, 0.0 if static else -5.0)]
    seen = go(start, goal, 0.5, 1.0, 0.05, 2.0, walls=walls, static=[False, static])
    moved = np.hypot(*(seen["position"][-1, 0] - start[0]))
    assert moved > 0.5 or seen["stuck"][-10:, 0].all()
    longer = go(start, goal, 0.5, 1.0, 0.05, 12.0, walls=walls, static=[False, static])
    assert longer["position"][-1, 0] == pytest.approx(goal[0], abs=0.05)


def test_recastnavigation_387_pinned_in_a_dead_end_is_reported() -> None:
    """Walls on three sides and an agent that stays on the fourth: there is no way."""
    walls = [
        [(-0.6, 0.0), (0.6, 0.0), (0.6, -1.0), (-0.6, -1.0)][::-1],
        [(-1.6, -1.0), (-0.6, -1.0), (-0.6, 4.0), (-1.6, 4.0)],
        [(0.6, -1.0), (1.6, -1.0), (1.6, 4.0), (0.6, 4.0)],
    ]
    seen = go(
        [(0.0, 0.55), (0.0, 1.6)], [(0.0, 5.0), (0.0, 1.6)], 0.5, 1.0, 0.05, 4.0,
        walls=walls, static=[False, True],
    )  # fmt: skip
    assert seen["stuck"][-40:, 0].mean() > 0.9
    assert seen["position"][-1, 0, 1] < 0.7


def test_crossing_crowds_pass() -> None:
    side = np.arange(25)
    block = np.stack((side % 5, side // 5), axis=1) * 2.5
    east, north = np.add(block, (-25.0, -5.0)), np.add(block, (-5.0, -25.0))
    p = np.concatenate((east, north))
    goal = np.concatenate((np.add(east, (45.0, 0.0)), np.add(north, (0.0, 45.0))))
    seen = go(p, goal, 0.5, 2.0, 0.2, 120.0, arrived=1.0)
    assert len(seen["stuck"]) * 0.2 < 2.0 * 45.0
    assert gaps(seen["position"]).min() >= 1.0 - 1e-9


@pytest.mark.parametrize("seed", [0, 1])
def test_four_dense_crowds_pass_among_square_pillars(seed: int) -> None:
    """Nobody stays behind at a face, and the throng in the middle dissolves."""
    side = np.arange(25)
    block = 1.2 * np.stack((side % 5, side // 5), axis=1) - 2.4
    start, goal = [], []
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        axes = np.array(((x, y), (-y, x)))
        start.append(np.subtract(block, (12.0, 0.0)) @ axes)
        goal.append(np.add(block, (12.0, 0.0)) @ axes)
    corners = 0.8 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    walls = Walls.of([np.add(corners, (x, y)) for x in (-3.0, 3.0) for y in (-3.0, 3.0)])
    p, goal = np.concatenate(start), np.concatenate(goal)
    p = p + np.random.default_rng(seed).uniform(-0.2, 0.2, p.shape)
    v, came = np.zeros_like(p), np.zeros(len(p), bool)
    for tick in range(1000):
        way = goal - p
        wants = way / np.maximum(np.hypot(*way.T), 1.0)[:, None]
        v = orca_step(
            p, v, 1.4 * wants, 0.3, 1.4, dt=0.1, horizon=3.0, wall_horizon=3.0, walls=walls,
            seed=seed, tick=tick,
        ).velocity  # fmt: skip
        p = p + 0.1 * v
        came |= np.hypot(*(goal - p).T) < 3.0  # nearer, those who stand there let it in
        assert gaps(p[None])[0] >= 0.6 - 1e-9
        if came.all():
            break
    assert came.all()


def test_a_crowd_passes_among_large_blocks() -> None:
    """RVO2's Blocks example, a quarter of it: nobody dithers at a corner."""
    side = np.arange(9)
    p = np.concatenate([
        np.stack((sx * (55 + 10 * (side % 3)), sy * (55 + 10 * (side // 3))), axis=1)
        for sx in (1, -1) for sy in (1, -1)
    ]).astype(float)  # fmt: skip
    block = np.array([(10, 10), (40, 10), (40, 40), (10, 40)])
    walls = Walls.of([block - shift for shift in ((0, 0), (50, 0), (0, 50), (50, 50))])
    goal = -75.0 * np.sign(p)
    seen = go(p, goal, 2.0, 2.0, 0.25, 600.0, arrived=20.0, walls=walls)
    assert len(seen["stuck"]) < 600.0 / 0.25
    assert gaps(seen["position"]).min() >= 4.0 - 1e-9
