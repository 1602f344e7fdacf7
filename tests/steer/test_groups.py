"""Separation, alignment and cohesion, against loops over all agents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from headway.errors import InputError
from headway.steer.flock import BOIDS, FlockRule, flock
from headway.steer.groups import alignment, cohesion, flocking, separation
from headway.steer.neighbour_sums import View
from headway.world.neighbour_lists import NeighbourLists, neighbours

REACH = 4.0
FLOAT = {"rtol": 1e-9, "atol": 1e-9}


def made(n, d, side, seed):
    rng = np.random.default_rng(seed)
    forward = rng.normal(size=(n, d))
    return rng.uniform(0, side, (n, d)), forward / np.linalg.norm(forward, axis=1, keepdims=True)


def unit(vector):
    size = np.linalg.norm(vector)
    return vector / size if size > 1e-12 else np.zeros_like(vector)


def twin(position, forward, view):
    """The three for each agent, by looking at everyone: not normalised."""
    apart, along, centre = (np.zeros_like(position) for _ in range(3))
    always = np.broadcast_to(view.always_within, len(position))
    for i in range(len(position)):
        offsets = position - position[i]
        distance = np.linalg.norm(offsets, axis=1)
        cosine = (offsets @ forward[i]) / np.maximum(distance, 1e-300)
        seen = (distance <= view.max_distance) & (
            (cosine > view.cos_max_angle) | (view.cos_max_angle <= -1)
        )
        minded = (seen | (distance < always[i])) & (distance <= REACH)
        minded[i] = False
        if minded.any():
            away = -offsets[minded] / distance[minded, None] ** 2
            apart[i] = away.sum(axis=0)
            along[i] = forward[minded].mean(axis=0) - forward[i]
            centre[i] = position[minded].mean(axis=0) - position[i]
    return apart, along, centre


def all_three(position, forward, view, **who):
    near = neighbours(position, REACH)
    return (
        separation(position, near, view=view, forward=forward, **who),
        alignment(forward, near, view=view, position=position),
        cohesion(position, near, view=view, forward=forward),
    )


views = st.builds(
    View,
    st.sampled_from((np.inf, 4.0, 2.5, 0.0)),
    st.sampled_from((-1.0, -0.707, -0.15, 0.0, 0.7, 1.0)),
    st.sampled_from((0.0, 1.5)),
)
crowds = {
    "n": st.integers(0, 40),
    "d": st.sampled_from((2, 3)),
    "side": st.sampled_from((2.0, 8.0, 30.0)),
    "seed": st.integers(0, 10_000),
    "view": views,
}


@given(**crowds)
@settings(max_examples=60)
def test_equal_the_loop_over_all(n, d, side, seed, view):
    position, forward = made(n, d, side, seed)
    apart, along, together = all_three(position, forward, view)
    expected = twin(position, forward, view)
    np.testing.assert_allclose(apart, expected[0], **FLOAT)
    np.testing.assert_allclose(along, expected[1], **FLOAT)
    np.testing.assert_allclose(together, [unit(way) for way in expected[2]] or together, **FLOAT)


@given(**crowds)
@settings(max_examples=40)
def test_turning_and_moving_the_world_turns_the_result(n, d, side, seed, view):
    position, forward = made(n, d, side, seed)
    if d == 3:
        turn = Rotation.random(random_state=seed).as_matrix()
    else:
        turn = Rotation.from_euler("z", seed).as_matrix()[:2, :2]
    moved = position @ turn.T + np.arange(1.0, d + 1.0)
    plain = all_three(position, forward, view)
    for before, after in zip(plain, all_three(moved, forward @ turn.T, view), strict=True):
        np.testing.assert_allclose(before @ turn.T, after, atol=1e-9 * max(1, np.abs(after).sum()))


@given(**crowds)
@settings(max_examples=40)
def test_the_order_of_agents_does_not_matter(n, d, side, seed, view):
    position, forward = made(n, d, side, seed)
    position[n // 2 :] = np.round(position[n // 2 :] / 3) * 3  # some in one spot
    order = np.random.default_rng(seed).permutation(n)
    plain = all_three(position, forward, view)
    mixed = all_three(position[order], forward[order], view, ids=order)
    for before, after in zip(plain, mixed, strict=True):
        np.testing.assert_allclose(before[order], after, rtol=1e-9, atol=1e-9)
        assert np.isfinite(after).all()


def test_each_may_be_always_within_another_distance():
    position = [(0.0, 0.0), (-1.0, 0.0)]
    near, view = neighbours(position, 3.0), View(3.0, 0.5, np.array([0.5, 1.5]))
    behind = cohesion(position, near, view=view, forward=[(1.0, 0.0), (-1.0, 0.0)])
    assert behind.tolist() == [[0.0, 0.0], [1.0, 0.0]]


def test_a_normalised_direction_has_length_one():
    position, forward = made(50, 3, 8.0, 1)
    near = neighbours(position, REACH)
    for ways in (
        separation(position, near, normalised=True),
        alignment(forward, near, normalised=True),
        cohesion(position, near),
    ):
        has = near.counts > 0
        np.testing.assert_allclose(np.linalg.norm(ways[has], axis=1), 1.0, rtol=1e-12)
        assert not ways[~has].any()


def test_all_who_look_alike_do_not_turn():
    position, _ = made(50, 3, 8.0, 1)
    look = np.tile((0.6, 0.0, 0.8), (50, 1))
    assert not alignment(look, neighbours(position, REACH), normalised=True).any()


@pytest.mark.parametrize("d", [2, 3])
def test_many_in_one_spot_part_in_opposite_pairs(d):
    near = neighbours(np.ones((20, d)), 1.0)
    apart = separation(np.ones((20, d)), near, seed=3)
    assert np.isfinite(apart).all()
    assert (np.linalg.norm(apart, axis=1) > 1.0).all()
    np.testing.assert_allclose(apart.sum(axis=0), 0.0, atol=1e-6)
    assert not separation(np.ones((20, d)), near, part=False).any()
    assert not cohesion(np.ones((20, d)), near).any()
    assert np.array_equal(apart, separation(np.ones((20, d)), near, seed=3))
    assert not np.array_equal(apart, separation(np.ones((20, d)), near, seed=4))


@given(
    n=st.integers(0, 60),
    d=st.sampled_from((2, 3)),
    side=st.sampled_from((3.0, 12.0, 60.0)),
    seed=st.integers(0, 1000),
    rule=st.sampled_from((BOIDS, FlockRule(4.0, 0.0, 2.0, 3.0, -0.9, 1.0, 5.0, 0.3, 3.0, 0.0))),
)
@settings(max_examples=30)
def test_flocking_on_lists_equals_the_fused_pass(n, d, side, seed, rule):
    position, forward = made(n, d, side, seed)
    near = neighbours(position, 9.0)
    on_lists = flocking(position, forward, near, rule)
    np.testing.assert_allclose(on_lists, flock(position, forward, rule), rtol=1e-9, atol=1e-9)


def test_cohesion_can_be_that_of_a_seek():
    position = [(0.0, 0.0), (4.0, 0.0)]
    near = NeighbourLists(np.array([0, 1, 1]), np.array([1]))
    got = cohesion(position, near, velocity=(0.0, 1.0), max_speed=1.0)
    np.testing.assert_allclose(got, [(np.sqrt(0.5), -np.sqrt(0.5)), (0.0, 0.0)])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"position": [(0.0, 0.0)]}, "a row per list"),
        ({"position": [(0.0, 0.0), (np.nan, 0.0)]}, "position of agent 1"),
        ({"view": View(2.0, 0.5)}, "needs forward"),
        ({"view": View(2.5)}, "reaches beyond the 2.0 m"),
        ({"view": View(2.0, -1.0, 3.0)}, "reaches beyond the 2.0 m"),
        ({"view": View(-1.0)}, "is no view"),
        ({"view": View(1.0, np.nan)}, "is no view"),
        ({"view": View(1.0, -1.0, -1.0)}, "always_within is -1.0"),
        ({"forward": (np.inf, 0.0)}, "forward"),
        ({"ids": np.arange(3)}, "ids has shape"),
    ],
)
def test_what_cannot_be_used_is_named(arguments, words):
    position = [(0.0, 0.0), (1.0, 0.0)]
    arguments = {"position": position, "near": neighbours(position, 2.0)} | arguments
    with pytest.raises(InputError, match=words):
        separation(**arguments)


def test_alignment_with_a_view_needs_position():
    near = NeighbourLists(np.array([0, 0]), np.zeros(0, np.int64))
    with pytest.raises(InputError, match="position"):
        alignment([(1.0, 0.0)], near, view=View(1.0))


def test_of_flocking_the_seed_decides_how_those_in_one_spot_part():
    still, ahead = np.zeros((2, 2)), np.tile((1.0, 0.0), (2, 1))
    one, other = (flocking(still, ahead, neighbours(still, 9.0), seed=seed) for seed in (1, 2))
    assert np.abs(one - other).max() > 1e-3
