"""ORCA against brute force, and what must hold for any crowd."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial import cKDTree

from headway.errors import InputError
from headway.steer.orca import OrcaStep, orca, orca_step
from headway.steer.orca_program import (
    ALONG_X,
    ALONG_Y,
    HALF,
    POINT_X,
    POINT_Y,
    WORK,
    best_velocity,
)
from headway.steer.orca_walls import Walls

BOX = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)]


def crowd(n: int, seed: int, side: float | None = None) -> dict[str, np.ndarray]:
    """Agents that do not overlap, with velocities of their own."""
    rng = np.random.default_rng(seed)
    rows = int(np.ceil(np.sqrt(n)))
    pitch = (side or 3.0 * rows) / rows
    cell = rng.permutation(rows * rows)[:n]
    shift = rng.uniform(-0.5, 0.5, (n, 2)) * max(0.0, pitch - 1.05)
    return {
        "position": np.stack((cell // rows, cell % rows), axis=1) * pitch + shift,
        "velocity": rng.normal(0.0, 0.7, (n, 2)),
        "preferred_velocity": rng.normal(0.0, 0.7, (n, 2)),
        "radius": rng.uniform(0.2, 0.5, n),
        "max_speed": rng.uniform(0.5, 1.5, n),
    }


def overlap(position: np.ndarray, radius: np.ndarray) -> float:
    """The deepest overlap, in m; negative if there is none."""
    gap = np.hypot(*(position[:, None] - position[None]).T)
    deep = radius[:, None] + radius[None] - gap
    np.fill_diagonal(deep, -np.inf)
    return float(deep.max(initial=-np.inf))


# --- the program of half planes


def program_of(points: np.ndarray, angles: np.ndarray, hard: int) -> np.ndarray:
    w = np.zeros(WORK)
    lines = np.arange(HALF - hard, HALF - hard + len(points))
    w[POINT_X + lines], w[POINT_Y + lines] = points.T
    w[ALONG_X + lines], w[ALONG_Y + lines] = np.cos(angles), np.sin(angles)
    return w


def broken(points: np.ndarray, angles: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    gap = points - velocity
    return np.cos(angles) * gap[:, 1] - np.sin(angles) * gap[:, 0]


@pytest.mark.parametrize("seed", range(30))
def test_the_best_velocity_is_as_good_as_that_of_a_general_solver(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    angles, wanted = rng.uniform(0.0, 2.0 * np.pi, n), rng.normal(0.0, 1.0, 2)
    left = np.stack((-np.sin(angles), np.cos(angles)), axis=1)
    points = -left * rng.uniform(0.0, 1.0, (n, 1))  # rest is allowed, so there is a solution
    w = program_of(points, angles, 0)
    found = np.array(best_velocity(w, HALF, HALF + n, 1.2, *wanted.tolist()))
    assert broken(points, angles, found).max() < 1e-9
    assert np.hypot(*found) <= 1.2 + 1e-9
    solved = minimize(
        lambda v: ((v - wanted) ** 2).sum(),
        np.zeros(2),
        jac=lambda v: 2.0 * (v - wanted),
        method="SLSQP",
        constraints=[
            {"type": "ineq", "fun": lambda v: -broken(points, angles, v)},
            {"type": "ineq", "fun": lambda v: 1.44 - v @ v},
        ],
        options={"ftol": 1e-14, "maxiter": 200},
    )
    assert found == pytest.approx(solved.x, abs=1e-5)


@pytest.mark.parametrize("seed", range(30))
def test_where_nothing_is_allowed_soft_lines_are_broken_least(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hard, soft = int(rng.integers(0, 3)), int(rng.integers(3, 7))
    angles = rng.uniform(0.0, 2.0 * np.pi, hard + soft)
    left = np.stack((-np.sin(angles), np.cos(angles)), axis=1)
    depth = np.concatenate((rng.uniform(-0.5, 0.0, hard), rng.uniform(0.0, 1.0, soft)))
    points = left * depth[:, None]
    w = program_of(points, angles, hard)
    found = np.array(best_velocity(w, HALF - hard, HALF + soft, 1.0, 0.3, 0.1))
    assert np.hypot(*found) <= 1.0 + 1e-9
    assert broken(points, angles, found)[:hard].max(initial=0.0) < 1e-9
    axis = np.linspace(-1.0, 1.0, 201)
    tries = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    tries = tries[np.hypot(*tries.T) <= 1.0]
    away = np.stack([broken(points, angles, v) for v in tries])
    allowed = away[:, :hard].max(axis=1, initial=-1.0) <= 0.0
    best = max(0.0, away[allowed, hard:].max(axis=1).min())
    assert broken(points, angles, found)[hard:].max() <= best + 1e-9


# --- neighbours


@pytest.mark.parametrize(("n", "side"), [(40, None), (300, None), (300, 6.0), (200, 4000.0)])
def test_neighbours_are_the_nearest_within_reach(n: int, side: float | None) -> None:
    agents = crowd(n, 3, side)
    rng = np.random.default_rng(4)
    reach, most = rng.uniform(0.0, 12.0, n), rng.integers(0, 65, n)
    step = orca_step(**agents, dt=0.1, mode="rvo2", neighbour_distance=reach, most_neighbours=most)
    tree = cKDTree(agents["position"])
    counts = [len(tree.query_ball_point(p, r)) - 1 for p, r in zip(tree.data, reach, strict=True)]
    assert step.lines.tolist() == np.minimum(counts, most).tolist()


@pytest.mark.parametrize(("n", "side", "most"), [(60, None, 5), (400, None, 10), (250, 3.0, 7)])
def test_agents_out_of_sight_do_not_matter(n: int, side: float | None, most: int) -> None:
    """Each agent alone with its nearest few gets the velocity it gets in the crowd."""
    agents = crowd(n, 5, side)
    agents["position"] += np.random.default_rng(6).normal(0.0, 0.02, (n, 2))  # no two as far
    step = orca_step(**agents, dt=0.1, neighbour_distance=6.0, most_neighbours=most, mode="rvo2")
    _, near = cKDTree(agents["position"]).query(
        agents["position"], most + 1, distance_upper_bound=6.0
    )
    for i in range(0, n, max(1, n // 20)):
        some = np.concatenate(([i], np.setdiff1d(near[i][near[i] < n], i)))
        few = {name: values[some] for name, values in agents.items()}
        alone = orca(**few, dt=0.1, neighbour_distance=6.0, most_neighbours=most, mode="rvo2")
        assert alone[0] == pytest.approx(step.velocity[i], abs=1e-9)


def test_a_crowd_at_one_spot_is_searched_too() -> None:
    n = 300
    step = orca_step(
        np.zeros((n, 2)), np.zeros((n, 2)), np.zeros((n, 2)), 0.5, 1.0, dt=0.1, mode="rvo2"
    )
    assert (step.lines == 10).all()
    assert np.isfinite(step.velocity).all()


# --- what must hold for any crowd


@pytest.mark.parametrize("mode", ["safe", "rvo2"])
def test_turned_moved_and_reordered_crowds_do_alike(mode) -> None:
    agents = crowd(80, 6)
    walls = [np.add(BOX, (9.0, 30.0)), np.array([(-3.0, 0.0), (-3.0, 20.0)])]
    step = orca_step(**agents, dt=0.1, walls=walls, mode=mode, responsibility=np.linspace(0, 1, 80))
    c, s = np.cos(0.7), np.sin(0.7)
    turn, shift = np.array([(c, s), (-s, c)]), np.array([13.0, -7.0])
    turned = dict(agents)
    for name in ("position", "velocity", "preferred_velocity"):
        turned[name] = agents[name] @ turn
    turned["position"] = turned["position"] + shift
    other = orca_step(
        **turned,
        dt=0.1,
        walls=[np.array(wall) @ turn + shift for wall in walls],
        mode=mode,
        responsibility=np.linspace(0, 1, 80),
    )
    assert other.velocity == pytest.approx(step.velocity @ turn, abs=1e-9)
    order = np.random.default_rng(7).permutation(80)
    mixed = orca_step(
        **{name: values[order] for name, values in agents.items()},
        dt=0.1,
        walls=walls,
        mode=mode,
        responsibility=np.linspace(0, 1, 80)[order],
        ids=order,
    )
    assert np.array_equal(mixed.velocity, step.velocity[order])
    assert np.array_equal(mixed.stuck, step.stuck[order])


def test_whom_chance_favours_is_told_by_ids_not_by_rows() -> None:
    """In a throng where some overlap, for a while; and two at one spot."""
    agents = crowd(120, 11, 18.0)
    wants = agents.pop("preferred_velocity")
    agents["position"][:3] = agents["position"][3] + [(0.1, 0.0), (0.0, 0.2), (-0.3, 0.1)]
    ids = np.random.default_rng(1).permutation(10**6)[:120] - 5 * 10**5
    order = np.random.default_rng(2).permutation(120)
    mixed = {name: values[order] for name, values in agents.items()}
    for tick in range(3):
        step = orca_step(**agents, preferred_velocity=wants, dt=0.1, ids=ids, tick=tick)
        other = orca_step(
            **mixed, preferred_velocity=wants[order], dt=0.1, ids=ids[order], tick=tick
        )
        assert np.array_equal(other.velocity, step.velocity[order])
        for new, all_of in ((step, agents), (other, mixed)):
            all_of["velocity"] = new.velocity
            all_of["position"] = all_of["position"] + 0.1 * new.velocity
    rows = orca_step(**agents, preferred_velocity=wants, dt=0.1, tick=3)
    named = orca_step(**agents, preferred_velocity=wants, dt=0.1, tick=3, ids=ids)
    assert not np.array_equal(rows.velocity, named.velocity)
    spot = np.zeros((2, 2))
    one, two = (orca(spot, spot, spot, 0.5, 1.0, dt=0.1, ids=who) for who in ([7, 3], [3, 7]))
    assert np.array_equal(one, two[::-1])
    assert np.hypot(*(one[0] - one[1])) > 1.0


def test_the_same_call_gives_the_same_bytes_and_the_seed_is_for_the_hindered() -> None:
    agents = crowd(120, 11, 18.0)
    first, again = (orca_step(**agents, dt=0.1, seed=3, tick=5) for _ in range(2))
    assert first.velocity.tobytes() == again.velocity.tobytes()
    other = orca(**agents, dt=0.1, seed=4, tick=5)
    free = np.hypot(*(first.velocity - agents["preferred_velocity"]).T) < 1e-9
    assert free.any()
    assert np.array_equal(other[free], first.velocity[free])
    assert not np.array_equal(other, first.velocity)


def test_nobody_and_one_alone() -> None:
    nobody = orca_step(np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)), 0.5, 1.0, dt=0.1)
    assert nobody.velocity.shape == (0, 2)
    alone = orca([(0.0, 0.0)], [(0.0, 0.0)], [(3.0, 4.0)], 0.5, 1.0, dt=0.1)
    assert alone == pytest.approx(np.array([(0.6, 0.8)]))


@settings(max_examples=60)
@given(st.data())
def test_agents_that_do_not_overlap_never_come_to(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 30))
    agents = crowd(n, data.draw(st.integers(0, 10_000)), 1.6 * np.ceil(np.sqrt(n)))
    wants = agents.pop("preferred_velocity")
    dt = data.draw(st.sampled_from([0.02, 0.1, 0.5]))
    before = overlap(agents["position"], agents["radius"])
    for tick in range(8):
        step = orca_step(**agents, preferred_velocity=wants, dt=dt, most_neighbours=30, tick=tick)
        assert (np.hypot(*step.velocity.T) <= agents["max_speed"] * (1.0 + 1e-9)).all()
        agents["velocity"] = step.velocity
        agents["position"] = agents["position"] + dt * step.velocity
        after = overlap(agents["position"], agents["radius"])
        assert after < max(before, 0.0) + 1e-9
        before = after


corner = st.integers(-3, 3).map(float)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(corner, corner), min_size=1, max_size=6),
    st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    st.sampled_from(["safe", "rvo2"]),
    st.sampled_from([(0.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.6, 0.8)]),
)
def test_agents_on_lattice_points_of_walls_get_numbers(places, radius, mode, velocity) -> None:
    n = len(places)
    walls = [BOX, [(-2.0, -2.0), (-1.0, -2.0), (-1.0, 0.0), (-3.0, 0.0)], [(1.0, 3.0), (-2.0, 3.0)]]
    step = orca_step(
        places, [velocity] * n, [(0.0, 1.0)] * n, radius, 1.0, dt=0.25, walls=walls, mode=mode
    )
    assert np.isfinite(step.velocity).all()
    if mode == "safe":
        assert np.hypot(*step.velocity.T).max() <= 1.0 + 1e-9


# --- walls


def test_no_agent_walks_into_a_wall() -> None:
    rng = np.random.default_rng(8)
    hall = [(-6.0, -6.0), (-6.0, 6.0), (6.0, 6.0), (6.0, -6.0)]  # clockwise: free inside
    walls = Walls.of([hall, [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]])
    position = np.concatenate((rng.uniform(-5.4, -1.6, (12, 2)), rng.uniform(1.6, 5.4, (12, 2))))
    velocity, wants = np.zeros((24, 2)), rng.normal(0.0, 1.0, (24, 2))
    for tick in range(150):
        velocity = orca(position, velocity, wants, 0.3, 1.0, dt=0.1, walls=walls, tick=tick)
        position = position + 0.1 * velocity
        clear = np.abs(position).max(axis=1)
        assert clear.max() < 6.0 - 0.3 + 1e-6
        beside = np.maximum(np.abs(position) - 1.0, 0.0)
        assert np.hypot(*beside.T).min() > 0.3 - 1e-6


def test_walls_that_move_are_given_way() -> None:
    position, velocity = np.array([(0.0, 0.0)]), np.zeros((1, 2))
    for tick in range(60):
        front = -3.0 + 0.05 * tick
        plank = [(front - 0.5, -9.0), (front, -9.0), (front, 9.0), (front - 0.5, 9.0)]
        walls = Walls.of([plank], velocities=[(0.5, 0.0)])
        velocity = orca(position, velocity, (0.0, 0.0), 0.4, 2.0, dt=0.1, walls=walls)
        position = position + 0.1 * velocity
        assert position[0, 0] > front + 0.05 + 0.4 - 1e-6


def test_an_agent_inside_a_wall_leaves_by_the_nearest_edge() -> None:
    position, velocity = np.array([(2.0, 1.8), (0.1, 1.0)]), np.zeros((2, 2))
    for tick in range(30):
        velocity = orca(position, velocity, (0.0, 0.0), 0.5, 1.0, dt=0.1, walls=[BOX], tick=tick)
        position = position + 0.1 * velocity
    assert 2.5 - 1e-6 < position[0, 1] < 2.6
    assert -0.6 < position[1, 0] < -0.5 + 1e-6


def test_whoever_faces_a_wall_stands_still_and_says_so() -> None:
    position, velocity = np.array([(2.0, -2.0)]), np.zeros((1, 2))
    stuck, speeds = [], []
    for _ in range(100):
        step = orca_step(
            position, velocity, [(0.0, 1.0)], 0.5, 1.0, dt=0.1, walls=[BOX], wall_horizon=1.0
        )
        velocity, position = step.velocity, position + 0.1 * step.velocity
        stuck.append(bool(step.stuck[0]))
        speeds.append(float(np.hypot(*velocity[0])))
    assert not stuck[0]
    assert all(stuck[-50:])
    assert max(speeds[-50:]) < 0.01
    assert -0.52 < position[0, 1] <= -0.5 + 1e-9


def path_to(goal, start, walls, seconds=20.0, radius=0.3, **options) -> tuple[np.ndarray, float]:
    """Where one agent went at 1.4 m/s, and for how long at most it was stuck at a stretch."""
    position, velocity, seen = np.array([start], float), np.zeros((1, 2)), []
    ready, waited, longest = Walls.of(walls), 0.0, 0.0
    for tick in range(round(seconds / 0.1)):
        way = np.asarray(goal, float) - position
        seen.append(position[0])
        if np.hypot(*way[0]) < 0.3:
            break
        step = orca_step(
            position, velocity, 1.4 * way / max(1.0, np.hypot(*way[0])), radius, 1.4, dt=0.1,
            walls=ready, tick=tick, **{"wall_horizon": 3.0, **options},
        )  # fmt: skip
        velocity, position = step.velocity, position + 0.1 * step.velocity
        waited = waited + 0.1 if step.stuck[0] else 0.0
        longest = max(longest, waited)
    return np.array(seen), longest


def square(x: float, y: float, half: float) -> np.ndarray:
    return np.array([(x, y)]) + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


@pytest.mark.parametrize(
    "walls",
    [
        [square(0.0, 0.0, 0.8)],
        [square(0.0, 0.3, 1.5)],
        [[(0.0, -1.0), (0.0, 1.0)]],
        [square(0.0, 0.8, 0.8), square(0.0, -0.8, 0.8)],  # two that touch are like one
        [square(0.0, -0.5, 0.5), square(0.0, 0.5, 0.5), square(0.0, 1.5, 0.5)],
        [0.9 * np.stack((np.cos(a := np.arange(24) * np.pi / 12), np.sin(a)), axis=1)],
    ],
)
@pytest.mark.parametrize("aside", [-0.7, 0.0, 0.4])
@pytest.mark.parametrize("horizon", [1.9, 3.0])
def test_who_meets_a_small_obstacle_squarely_goes_around(walls, aside, horizon) -> None:
    seen, longest = path_to((6.0, aside), (-6.0, aside), walls, wall_horizon=horizon)
    assert np.hypot(*(seen[-1] - (6.0, aside))) < 0.3
    assert np.hypot(*np.diff(seen, axis=0).T).sum() < 12.0 + 4.0
    assert longest < 3.0


@pytest.mark.parametrize("above", [-1.0, 1.0])
def test_the_end_that_is_shut_is_not_tried(above: float) -> None:
    walls = [square(0.0, 0.0, 0.8), square(0.0, 3.2 * above, 2.0)]  # 0.4 m between the two
    seen, longest = path_to((6.0, 0.5 * above), (-6.0, 0.5 * above), walls)
    assert np.hypot(*(seen[-1] - (6.0, 0.5 * above))) < 0.3
    assert longest < 3.0
    assert (above * seen[:, 1]).max() < 0.6


def test_a_way_around_that_is_out_of_reach_is_not_tried_and_reported() -> None:
    trap = [(-2.0, -1.8), (0.5, -1.8), (0.5, 1.8), (-2.0, 1.8), (-2.0, 1.5), (0.0, 1.5),
            (0.0, -1.5), (-2.0, -1.5)]  # fmt: skip
    for walls in ([trap], [square(9.0, 0.0, 9.0)]):
        seen, longest = path_to((20.0, 0.0), (-6.0, 0.0), walls, 25.0)
        assert longest > 5.0
        assert np.abs(np.diff(seen[-50:], axis=0)).max() < 1e-3


@pytest.mark.parametrize(
    ("walls", "word"),
    [
        ([[(0.0, 0.0)]], "shape"),
        ([[(0.0, 0.0), (0.0, 0.0)]], "twice"),
        ([[(0.0, 0.0), (np.nan, 0.0)]], "finite"),
        ([[(0.0, "x")]], "read"),
    ],
)
def test_walls_that_are_none_are_refused(walls, word) -> None:
    with pytest.raises(InputError, match=word):
        Walls.of(walls)


def test_edges_cut_by_the_tree_still_make_up_the_polygons() -> None:
    rng = np.random.default_rng(9)
    polygons = []
    for _ in range(12):
        angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, 7))
        spokes = rng.uniform(1.0, 6.0, 7)[:, None] * np.stack((np.cos(angles), np.sin(angles)), 1)
        polygons.append(rng.uniform(-5.0, 5.0, 2) + spokes)
    walls = Walls.of(polygons)
    assert len(walls.edges) > 12 * 7
    lengths = np.hypot(*(walls.edges[:, 2:4] - walls.edges[:, 0:2]).T)
    around = [np.hypot(*(np.roll(p, -1, axis=0) - p).T).sum() for p in polygons]
    assert lengths.sum() == pytest.approx(sum(around))
    after = walls.links[:, 1]
    assert np.array_equal(walls.edges[after, 0:2], walls.edges[:, 2:4])
    assert sorted(after) == list(range(len(after)))
    branches = walls.links[:, 2:4]
    assert sorted(branches[branches >= 0]) == sorted(set(range(len(after))) - {walls.root})


# --- who avoids whom


def meeting(**options) -> OrcaStep:
    ahead = np.array([(1.0, 0.0), (-1.0, 0.0)])
    return orca_step([(0.0, 0.0), (4.0, 0.1)], ahead, ahead, 0.5, 2.0, dt=0.1, **options)


def test_who_is_not_responsible_keeps_its_way_and_the_other_makes_way() -> None:
    step, both = meeting(responsibility=[0.0, 0.5], mode="rvo2"), meeting(mode="rvo2")
    assert step.velocity[0].tolist() == [1.0, 0.0]
    assert abs(step.velocity[1, 1]) > abs(both.velocity[1, 1]) > 0.0
    neither = meeting(responsibility=0.0)
    assert neither.velocity.tolist() == [[1.0, 0.0], [-1.0, 0.0]]


def test_static_agents_stay() -> None:
    step = meeting(static=[True, False])
    assert step.velocity[0].tolist() == [0.0, 0.0]
    assert not step.stuck[0]


@pytest.mark.parametrize(
    "apart", [{"layers": [1, 2]}, {"layers": 0}, {"elevation": [(0.0, 2.0), (2.5, 4.0)]}]
)
def test_layers_and_heights_keep_agents_apart(apart) -> None:
    step = meeting(**apart)
    assert step.lines.tolist() == [0, 0]
    assert step.velocity.tolist() == [[1.0, 0.0], [-1.0, 0.0]]
    together = meeting(layers=[3, 2], elevation=[(0.0, 2.0), (2.0, 4.0)])
    assert np.array_equal(together.velocity, meeting().velocity)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"dt": 0.0}, "dt"),
        ({"mode": "fast"}, "mode"),
        ({"radius": -1.0}, "radius"),
        ({"horizon": 0.0}, "horizon"),
        ({"position": [(0.0, 0.0, 0.0)]}, "position"),
        ({"position": [(np.nan, 0.0)]}, "position"),
        ({"position": [(1e300, 0.0)]}, "position"),
        ({"velocity": [(np.inf, 0.0)]}, "velocity"),
        ({"max_speed": [1.0, 2.0]}, "max_speed"),
        ({"most_neighbours": 65}, "most_neighbours"),
        ({"most_neighbours": 1.5}, "most_neighbours"),
        ({"elevation": [(1.0, 0.0)]}, "elevation"),
        ({"layers": "x"}, "layers"),
        ({"ids": 3}, "ids"),
        ({"ids": ["x"]}, "ids"),
        ({"walls": [[(0.0, 0.0)]]}, "walls"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(wrong, word) -> None:
    right = {
        "position": [(0.0, 0.0)], "velocity": [(0.0, 0.0)], "preferred_velocity": [(0.0, 0.0)],
        "radius": 0.5, "max_speed": 1.0, "dt": 0.1,
    }  # fmt: skip
    with pytest.raises(InputError, match=word):
        orca(**{**right, **wrong})
