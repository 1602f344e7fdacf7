from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from headway.errors import InputError
from headway.perceive.vision import clear, sees, sees_listed
from headway.world.grid import Grid
from headway.world.hits import Hits


class Balls:
    """Balls as a surface: first hits of rays only, worked out one by one."""

    def __init__(self, centres, radii):
        self.centres, self.radii = np.asarray(centres, float), np.asarray(radii, float)

    def sweep(self, start, direction, radius, reach) -> Hits:
        n, d = start.shape
        distance = np.full(n, np.inf)
        limit = np.broadcast_to(reach, n)
        for i in range(n):
            size = math.sqrt(direction[i] @ direction[i])
            way = direction[i] / size if size else direction[i]
            for centre, ball in zip(self.centres[:, :d], self.radii + radius, strict=True):
                to = centre - start[i]
                along, inside = to @ way, to @ to <= ball * ball
                off = ball * ball - (to @ to - along * along)
                hit = 0.0 if inside else along - math.sqrt(off) if off >= 0 < along else np.inf
                if hit <= limit[i]:
                    distance[i] = min(distance[i], hit)
        rows = np.zeros((n, d))
        return Hits(distance, rows, rows, np.full(n, -1), np.zeros(n))


def crowd(seed: int, d: int, n: int, m: int):
    chance = np.random.default_rng(seed)
    eyes, points = chance.uniform(-9, 9, (n, d)), chance.uniform(-9, 9, (m, d))
    points[: min(n, m) // 2] = eyes[: min(n, m) // 2]  # some stand in one spot
    look = chance.normal(size=(n, d)) * chance.uniform(0.1, 10, (n, 1))
    return eyes, look, points, chance.uniform(0, 7, n), chance.uniform(0, 20, n)


def cone(eyes, look, points, fov, reach) -> np.ndarray:
    """Who sees what, by the angle between unit vectors."""
    to = points[None] - eyes[:, None]
    far = np.linalg.norm(to, axis=2)
    with np.errstate(invalid="ignore"):
        cosine = np.einsum("id,ijd->ij", look, to) / (np.linalg.norm(look, axis=1)[:, None] * far)
    angle = np.where(far == 0.0, 0.0, np.arccos(np.clip(cosine, -1.0, 1.0)))
    return (angle <= 0.5 * fov[:, None]) & (far <= reach[:, None])


@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.integers(0, 6), st.integers(0, 6))
def test_cones_are_what_angles_and_distances_say(seed, d, n, m) -> None:
    eyes, look, points, fov, reach = crowd(seed, d, n, m)
    seen = sees(eyes, look, points, fov=fov, reach=reach)
    assert seen.tolist() == cone(eyes, look, points, fov, reach).tolist()
    for i in range(n):
        alone = sees(eyes[i], look[i], points, fov=float(fov[i]), reach=float(reach[i]))
        assert alone.tolist() == seen[i].tolist()


@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.booleans())
def test_lists_say_what_the_table_says(seed, d, hidden) -> None:
    eyes, look, points, fov, reach = crowd(seed, d, 5, 6)
    blocked = Balls([(0, 0, 0), (3, 3, 0)], [2.0, 1.0]) if hidden else None
    table = sees(eyes, look, points, fov=fov, reach=reach, blocked=blocked)
    chance = np.random.default_rng(seed)
    lists = [chance.permutation(6)[: chance.integers(0, 7)] for _ in range(5)]
    start = np.cumsum([0, *map(len, lists)])
    index = np.concatenate(lists).astype(np.int64)
    seen = sees_listed(eyes, look, points, start, index, fov=fov, reach=reach, blocked=blocked)
    want = [bool(table[i, j]) for i in range(5) for j in lists[i]]
    assert seen.tolist() == want


@given(st.integers(0, 10**6))
def test_turning_and_shifting_everything_changes_nothing(seed) -> None:
    eyes, look, points, fov, reach = crowd(seed, 3, 4, 7)
    turn = Rotation.random(rng=np.random.default_rng(seed))
    shift = np.array([3.0, -8.0, 5.0])
    seen = sees(eyes, look, points, fov=fov, reach=reach)
    moved = sees(
        turn.apply(eyes) + shift, turn.apply(look), turn.apply(points) + shift, fov=fov, reach=reach
    )
    away = np.linalg.norm(points[None] - eyes[:, None], axis=2) > 1e-9
    assert moved[away].tolist() == seen[away].tolist()


def test_the_eye_sees_what_is_where_it_is_and_all_round_without_a_direction() -> None:
    points = [(1.0, 1.0), (0.0, 1.0), (9.0, 9.0)]
    assert sees((1.0, 1.0), (1.0, 0.0), points, fov=0.1, reach=5.0).tolist() == [True, False, False]
    assert sees((1.0, 1.0), (0.0, 0.0), points, fov=0.1, reach=5.0).tolist() == [True, True, False]
    assert sees((1.0, 1.0), (1.0, 0.0), points, fov=2 * math.pi).tolist() == [True] * 3


@pytest.mark.parametrize("degrees", range(0, 361, 15))
def test_the_edge_of_the_cone_is_where_the_angle_says(degrees) -> None:
    half = math.radians(degrees) / 2
    for turn in np.linspace(0.0, 6.0, 13):
        look = np.array([math.cos(turn), math.sin(turn)])
        aside = np.array([-look[1], look[0]])
        for off in (-1e-7, 1e-7):
            angle = half + off
            point = math.cos(angle) * look + math.sin(angle) * aside
            seen = sees((0.0, 0.0), look, [point], fov=2 * half).item()
            assert seen == (abs(angle) <= half or half >= math.pi)
    assert sees((0, 0), (1, 0), [(0, 1), (0, -1)], fov=math.pi).all()
    assert sees((0, 0), (1, 0), [(-1, 0)], fov=2 * math.pi).all()
    assert sees((0, 0), (1, 0), [(-1, 0), (0, 1)], fov=3.5 * math.pi).all()


@given(st.integers(0, 10**6), st.sampled_from([2, 3]))
def test_balls_hide_what_is_behind_them(seed, d) -> None:
    chance = np.random.default_rng(seed)
    centres, radii = chance.uniform(-5, 5, (3, 3)), chance.uniform(0.2, 2.0, 3)
    centres[:, d:] = 0.0
    eyes, look, points, fov, reach = crowd(seed, d, 4, 6)
    seen = sees(eyes, look, points, fov=fov, reach=reach, blocked=Balls(centres, radii))
    plain = sees(eyes, look, points, fov=fov, reach=reach)
    along = np.linspace(0, 1, 4001)[:, None]
    for i, j in np.ndindex(seen.shape):
        line = eyes[i] + along * (points[j] - eyes[i])
        gap = min(
            np.linalg.norm(line - centre[:d], axis=1).min() - ball
            for centre, ball in zip(centres, radii, strict=True)
        )
        if abs(gap) > 1e-2 and (points[j] != eyes[i]).any():
            assert seen[i, j] == (plain[i, j] and gap > 0)


def test_what_lies_on_a_surface_is_seen_and_what_is_behind_it_is_not() -> None:
    ball = Balls([(5.0, 0.0)], [2.0])
    points = [(3.0, 0.0), (7.0, 0.0), (2.9, 0.0), (0.0, 0.0)]
    seen = sees((0.0, 0.0), (1.0, 0.0), points, fov=1.0, blocked=ball)
    assert seen.tolist() == [True, False, True, True]


@given(st.integers(0, 10**6), st.sampled_from([2, 3]))
def test_the_side_of_a_ball_that_faces_the_eye_is_seen(seed, d) -> None:
    chance = np.random.default_rng(seed)
    out = chance.normal(size=(20, d))
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    eye = 3.0 * out[0]
    facing = out @ out[0] * 3.0 - 1.0  # above zero where the eye is over the horizon
    seen = sees(eye, -eye, out, fov=2 * math.pi, blocked=Balls([(0, 0, 0)], [1.0]))
    assert seen[facing > 1e-3].all()
    assert not seen[facing < -1e-3].any()


@given(st.integers(0, 10**6))
def test_hedges_of_a_grid_hide_what_is_behind_them(seed) -> None:
    chance = np.random.default_rng(seed)
    grid = Grid(chance.random((8, 8)) < 0.8)
    eyes, points = chance.uniform(0, 8, (4, 2)), chance.uniform(0, 8, (6, 2))
    look = chance.normal(size=(4, 2))
    seen = sees(eyes, look, points, fov=4.0, blocked=grid)
    plain = sees(eyes, look, points, fov=4.0)
    along = np.linspace(0, 1, 2001)[:, None]
    for i, j in np.ndindex(seen.shape):
        line = eyes[i] + along * (points[j] - eyes[i])
        cells = np.floor(line).astype(int)
        if not grid.free[cells[:, 1], cells[:, 0]].all() or not plain[i, j]:
            assert not seen[i, j]
        elif not seen[i, j]:  # no sample was in a blocked cell: the line passes a corner closely
            near = np.abs(line - np.rint(line)).max(axis=1).min()
            assert near < 1e-2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"position": [(float("nan"), 0.0)]}, "position.* is .*nan"),
        ({"forward": (float("inf"), 0.0)}, "forward.* is .*inf"),
        ({"points": [(0.0, 0.0), (0.0, float("nan"))]}, "point 1 is .*nan"),
        ({"points": [(0.0, 0.0, 0.0)]}, r"points have shape \(1, 3\)"),
        ({"points": (0.0, 0.0)}, r"points have shape \(2,\)"),
        ({"fov": -1.0}, "fov is -1.0"),
        ({"fov": float("nan")}, "fov is nan"),
        ({"reach": -1.0}, "reach.* is -1.0"),
        ({"reach": float("nan")}, "reach.* is nan"),
        ({"fov": [1.0, 2.0]}, "fov has shape"),
        ({"position": [[0.0]]}, "position has shape"),
    ],
)
def test_what_cannot_be_looked_at_is_refused(change, said) -> None:
    good = {"position": [(0.0, 0.0)], "forward": (1.0, 0.0), "points": [(1.0, 0.0)], "fov": 1.0}
    given_ = good | change
    with pytest.raises(InputError, match=said):
        sees(**given_)
    listed = given_ | {"start": [0, len(given_["points"])], "index": range(len(given_["points"]))}
    with pytest.raises(InputError):
        sees_listed(**listed)


@pytest.mark.parametrize(
    ("start", "index"),
    [([0, 1], [1]), ([0, 1], [-1]), ([0, 2], [0]), ([1, 1], [0]), ([0], []), ([0, 1], "a"),
     ([0, 1], [[0]])],
)  # fmt: skip
def test_lists_that_do_not_fit_are_refused(start, index) -> None:
    with pytest.raises(InputError, match="index"):
        sees_listed([(0.0, 0.0)], (1.0, 0.0), [(1.0, 0.0)], start, index, fov=1.0)


def test_a_grid_is_flat_and_one_observer_needs_no_lists() -> None:
    with pytest.raises(InputError, match="d = 2"):
        clear(np.zeros((1, 3)), np.ones((1, 3)), Grid([[1]]))
    with pytest.raises(InputError, match="use sees for one observer"):
        sees_listed((0.0, 0.0), (1.0, 0.0), [(1.0, 0.0)], [0, 1], [0], fov=1.0)


@pytest.mark.parametrize("fov", [120.0, [1.0, 90.0]])
def test_degrees_are_noticed(fov) -> None:
    eyes = np.zeros((2, 2))
    with pytest.raises(InputError, match=r"fov is .*: give radians"):
        sees(eyes, (1.0, 0.0), [(1.0, 0.0)], fov=fov)
    with pytest.raises(InputError, match=r"fov is .*: give radians"):
        sees_listed(eyes, (1.0, 0.0), [(1.0, 0.0)], [0, 1, 1], [0], fov=fov)


def test_what_cannot_be_read_is_named() -> None:
    with pytest.raises(InputError, match="points"):
        sees((0.0, 0.0), (1.0, 0.0), [(1.0, 0.0), (1.0,)], fov=1.0)
    with pytest.raises(InputError, match="blocked is 'wall'"):
        sees((0.0, 0.0), (1.0, 0.0), [(1.0, 0.0)], fov=1.0, blocked="wall")
