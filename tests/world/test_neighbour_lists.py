"""Lists of neighbours, against comparing all with all and against a k-d tree."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from headway.errors import InputError
from headway.world.neighbour_lists import NeighbourLists, neighbours


def all_with_all(points, radius, *, most=None, alive=None, forward=None, cosine=-1.0):
    """Each list by looking at everyone."""
    n = len(points)
    lists = []
    for i in range(n):
        near = []
        for j in range(n):
            offset = points[j] - points[i]
            squared = float(sum(offset**2))
            seen = cosine <= -1.0 or squared < 1e-12 or (
                offset @ forward[i] > cosine * np.sqrt(squared)
            )  # fmt: skip
            living = alive is None or (alive[i] and alive[j])
            if i != j and squared <= radius * radius and seen and living:
                near.append((squared, j))
        if most is not None:
            lists.append([j for _, j in sorted(near)[:most]])
        else:
            lists.append([j for _, j in near])
    return lists


def as_lists(near):
    return [near.of(i).tolist() for i in range(len(near))]


def looks(rng, n, d):
    forward = rng.normal(size=(n, d))
    return forward / np.linalg.norm(forward, axis=1, keepdims=True)


coordinates = st.one_of(st.floats(-20, 20), st.floats(-1e6, 1e6), st.integers(-5, 5).map(float))


@given(data=st.data(), d=st.sampled_from((2, 3)), radius=st.floats(0.05, 30))
@settings(max_examples=60)
def test_lists_are_those_of_the_full_comparison(data, d, radius):
    points = data.draw(st.lists(st.tuples(*[coordinates] * d), max_size=40))
    points = np.array(points).reshape(-1, d)
    n = len(points)
    rng = np.random.default_rng(n)
    alive, forward = rng.random(n) < 0.8, looks(rng, n, d)
    cosine = data.draw(st.sampled_from((-1.0, -0.707, -0.15, 0.0, 0.7)))
    most = data.draw(st.sampled_from((1, 3, 7)))
    plain = neighbours(points, radius)
    assert as_lists(plain) == all_with_all(points, radius)
    assert plain.start.dtype == plain.index.dtype == np.int64
    every = neighbours(
        points, radius, most=most, alive=alive, forward=forward, least_cosine=cosine
    )  # fmt: skip
    expected = all_with_all(
        points, radius, most=most, alive=alive, forward=forward, cosine=cosine
    )  # fmt: skip
    assert as_lists(every) == expected


@pytest.mark.parametrize(
    ("n", "d", "spread", "outlier"),
    [(3000, 2, 30, 0), (3000, 3, 9, 0), (400, 3, 0.5, 0), (2000, 2, 20, 1e12), (2000, 3, 8, 1e7)],
)
def test_crowds_are_those_of_a_tree(n, d, spread, outlier):
    points = np.random.default_rng(n + d).uniform(-spread, spread, (n, d))
    points[7] += outlier
    found = neighbours(points, 1.0)
    pairs = np.repeat(np.arange(n), found.counts), found.index
    expected = cKDTree(points).query_pairs(1.0, output_type="ndarray")
    expected = np.concatenate((expected, expected[:, ::-1]))
    assert np.array_equal(np.array(pairs).T, expected[np.lexsort(expected.T[::-1])])


@pytest.mark.parametrize("shift", [0.0, 1e3, 2.0**20, 2.0**40])
@pytest.mark.parametrize("d", [2, 3])
def test_who_is_exactly_at_the_radius_is_a_neighbour(d, shift):
    """Steps of one radius fall on the borders of cells, wherever the cells begin."""
    points = np.zeros((40, d))
    points[:, 0] = shift + np.arange(40) * 5.0
    points[1::2, 1] = 0.0
    near = neighbours(points, 5.0)
    assert near.counts.tolist() == [1] + [2] * 38 + [1]
    points[:2] = 0.0
    points[1, :2] = 3.0, 4.0
    assert 1 in neighbours(points, 5.0).of(0)
    assert 1 not in neighbours(points, np.nextafter(5.0, 0.0)).of(0)


def test_a_diagonal_road_far_away_does_not_take_for_ever():
    t = np.linspace(0, 1e6, 20_000)
    near = neighbours(np.column_stack((t, t, t)), 100.0)
    assert near.counts.max() == 2


def test_all_in_one_spot_are_neighbours_and_capped_by_index():
    points = np.full((100, 3), 7.0)
    assert (neighbours(points, 1.0).counts == 99).all()
    capped = neighbours(points, 1.0, most=2)
    assert capped.of(50).tolist() == [0, 1]
    assert capped.of(0).tolist() == [1, 2]
    blind = neighbours(points, 1.0, forward=(1.0, 0.0, 0.0), least_cosine=0.99)
    assert (blind.counts == 99).all()


@pytest.mark.parametrize("d", [2, 3])
def test_none_and_one(d):
    assert len(neighbours(np.empty((0, d)), 1.0)) == 0
    assert neighbours(np.zeros((1, d)), 1.0).counts.tolist() == [0]
    assert neighbours(np.zeros((2, d)), 1.0, alive=[False, False]).counts.tolist() == [0, 0]


def test_the_cone_of_all_sees_who_is_straight_behind():
    behind = [(0.0, 0.0), (-1.0, 0.0)]
    for cosine, seen in ((-1.0, 1), (-0.9999, 0), (0.0, 0)):
        near = neighbours(behind, 2.0, forward=(1.0, 0.0), least_cosine=cosine)
        assert near.counts.tolist() == [seen, 1]


@given(seed=st.integers(0, 1000), d=st.sampled_from((2, 3)), most=st.sampled_from((None, 4)))
@settings(max_examples=30)
def test_the_order_of_agents_does_not_matter(seed, d, most):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-3, 3, (50, d))
    order = rng.permutation(50)
    plain, mixed = neighbours(points, 1.5, most=most), neighbours(points[order], 1.5, most=most)
    for i in range(50):
        assert set(order[mixed.of(i)]) == set(plain.of(order[i]))


def test_dead_agents_may_be_anywhere():
    points = np.array([(0.0, 0.0), (np.nan, np.inf), (0.5, 0.0)])
    near = neighbours(points, 1.0, alive=[True, False, True])
    assert as_lists(near) == [[2], [], [0]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"positions": [(0.0, 0.0), (np.nan, 0.0)]}, "positions of agent 1"),
        ({"positions": [(-1e308, 0.0), (1e308, 0.0)]}, "too large"),
        ({"positions": [(0.0, 0.0), (0.0, -np.inf)]}, "positions of agent 1"),
        ({"positions": (0.0, 0.0)}, "give .N, 2. or"),
        ({"radius": 0.0}, "radius is 0.0"),
        ({"radius": np.nan}, "radius is nan"),
        ({"radius": 1e200}, "radius is 1e"),
        ({"most": 0}, "most is 0"),
        ({"alive": [True]}, "alive has shape"),
        ({"alive": [1.0, 0.0]}, "alive has"),
        ({"least_cosine": 0.5}, "needs forward"),
        ({"forward": (1.0, 0.0), "least_cosine": 1.5}, "least_cosine is 1.5"),
        ({"forward": (np.nan, 0.0), "least_cosine": 0.5}, "forward"),
        ({"forward": (0.0, 0.0, 1.0)}, "forward has shape"),
    ],
)
def test_what_cannot_be_used_is_named(arguments, words):
    given_ = {"positions": [(0.0, 0.0), (1.0, 0.0)], "radius": 1.0} | arguments
    with pytest.raises(InputError, match=words):
        neighbours(**given_)


@pytest.mark.parametrize(
    ("start", "index", "words"),
    [
        ([0, 1], [1], "names agents"),
        ([0, 1], [-1], "names agents"),
        ([0, 2, 1], [0], "rise"),
        ([1, 1], [0], "rise"),
        ([], [], "rise"),
        ([0, 1], [0.5], "whole numbers"),
    ],
)
def test_lists_made_by_hand_must_fit(start, index, words):
    with pytest.raises(InputError, match=words):
        NeighbourLists(np.array(start, np.int64), np.array(index))


def test_those_nearly_a_radius_apart_are_found_wherever_cells_begin():
    x = np.linspace(0.99, 1.01, 101)
    points = np.zeros((203, 2))
    points[1:102, 0], points[102:, 0] = x, x + (1.0 - 1e-9)
    assert as_lists(neighbours(points, 1.0)) == all_with_all(points, 1.0)


def test_nothing_is_written_beyond_the_ends_of_arrays():
    """Without compilation, that is an error; with it, memory of others is damaged."""
    program = (
        "from headway.world.neighbour_lists import neighbours\n"
        "for n in (1, 2, 5):\n"
        "    print(neighbours([(0.0, 0.0)] * n, 1.0).index.tolist())\n"
    )
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert plain.returncode == 0, plain.stderr[-300:]
    lists = [[j for i in range(n) for j in range(n) if j != i] for n in (1, 2, 5)]
    assert plain.stdout.splitlines() == [str(each) for each in lists]


def test_most_is_a_finite_number():
    with pytest.raises(InputError, match="most is inf"):
        neighbours([(0.0, 0.0), (1.0, 0.0)], 2.0, most=np.inf)  # type: ignore[arg-type]
