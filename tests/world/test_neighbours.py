"""Pairs of near agents, against comparing all with all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.world.neighbours import find_pairs, pairs_within


def all_pairs(positions, radius, active):
    """Every pair by comparing each with each, in the promised order."""
    return [
        [i, j]
        for i in range(len(positions))
        for j in range(i + 1, len(positions))
        if active[i]
        and active[j]
        and np.sum((np.array(positions[i]) - positions[j]) ** 2) <= radius * radius
    ]


coordinates = st.one_of(st.floats(-20, 20), st.floats(-1e6, 1e6), st.integers(-5, 5).map(float))


@given(
    agents=st.lists(st.tuples(coordinates, coordinates, st.booleans()), max_size=60),
    radius=st.floats(0.05, 30),
)
def test_pairs_are_those_of_the_full_comparison(agents, radius):
    positions = np.array([agent[:2] for agent in agents]).reshape(-1, 2)
    active = np.array([agent[2] for agent in agents], dtype=bool)
    expected = all_pairs(positions, radius, active)
    assert pairs_within(positions, radius, active).tolist() == expected


@pytest.mark.parametrize(("count", "spread", "radius"), [(2000, 100, 2), (500, 2, 1), (300, 0, 1)])
def test_crowds(count, spread, radius):
    positions = np.random.default_rng(count).uniform(-spread, spread, (count, 2))
    distance = np.linalg.norm(positions[:, None] - positions[None], axis=-1)
    expected = np.argwhere(np.triu(distance <= radius, 1))
    assert np.array_equal(pairs_within(positions, radius), expected)


def test_too_short_a_list_tells_the_length_needed():
    x = np.zeros(10)
    few = np.empty((3, 2), np.int64)
    assert find_pairs(x, x, np.ones(10, bool), 1.0, few) == 45


def test_agents_out_of_reach_of_the_cells_have_no_neighbours():
    far = [(1e300, 0.0), (1e300, 0.0), (0.0, 0.0), (0.1, 0.0)]
    assert pairs_within(far, 1.0).tolist() == [[2, 3]]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (([(0.0, 0.0, 0.0)], 1.0), "positions"),
        ((0.0, 1.0), "positions"),
        (([(math.nan, 0.0)], 1.0), "positions"),
        (([("a", 0.0)], 1.0), "positions"),
        (([(0.0, 0.0)], 0.0), "radius"),
        (([(0.0, 0.0)], math.nan), "radius"),
        (([(0.0, 0.0)], 1.0, [True, False]), "active"),
    ],
)
def test_misuse_is_refused_by_name(arguments, word):
    with pytest.raises(InputError, match=word):
        pairs_within(*arguments)
