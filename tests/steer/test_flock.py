"""The fused flocking kernel, against a loop over all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.flock import BOIDS, FlockRule, flock


def made(n, d, side, seed):
    rng = np.random.default_rng(seed)
    forward = rng.normal(size=(n, d))
    return rng.uniform(0, side, (n, d)), forward / np.linalg.norm(forward, axis=1, keepdims=True)


def direction(vector):
    size = np.linalg.norm(vector)
    return vector / size if size > 1e-12 else np.zeros_like(vector)


def twin(position, forward, rule):
    """The same rule, agent by agent and pair by pair."""
    out = np.zeros_like(position)
    for i in range(len(position)):

        def minds(j, radius, cosine, i=i):
            offset = position[j] - position[i]
            distance = np.linalg.norm(offset)
            if j == i:
                return False
            ahead = forward[i] @ offset > cosine * distance
            return distance < rule.always_within or (distance <= radius and ahead)

        everyone = range(len(position))
        apart = [j for j in everyone if minds(j, rule.separation_radius, rule.separation_cosine)]
        along = [j for j in everyone if minds(j, rule.alignment_radius, rule.alignment_cosine)]
        towards = [j for j in everyone if minds(j, rule.cohesion_radius, rule.cohesion_cosine)]
        offsets = position - position[i]
        if apart:
            away = -sum(offsets[j] / (offsets[j] @ offsets[j]) for j in apart)
            out[i] += rule.separation_weight * direction(away)
        if along:
            turn = np.mean(forward[along], axis=0) - forward[i]
            out[i] += rule.alignment_weight * direction(turn)
        if towards:
            out[i] += rule.cohesion_weight * direction(np.mean(offsets[towards], axis=0))
    return out


@given(
    n=st.integers(0, 40),
    d=st.sampled_from((2, 3)),
    side=st.sampled_from((3.0, 12.0, 60.0)),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=60, deadline=None)
def test_equals_the_loop_over_all_pairs(n, d, side, seed):
    position, forward = made(n, d, side, seed)
    np.testing.assert_allclose(flock(position, forward), twin(position, forward, BOIDS), atol=1e-9)


def test_other_rules_equal_the_loop_too():
    rule = FlockRule(9.0, 0.3, 1.0, 4.0, -1.0, 2.0, 6.0, -0.9, 3.0, 0.0)
    position, forward = made(120, 3, 15.0, 3)
    np.testing.assert_allclose(
        flock(position, forward, rule), twin(position, forward, rule), atol=1e-9
    )
    without = FlockRule(0.0, -1.0, 1.0, 0.0, -1.0, 1.0, 0.0, -1.0, 1.0, 0.0)
    assert not flock(position, forward, without).any()


def test_permuted_agents_get_the_same_forces():
    position, forward = made(300, 3, 25.0, 4)
    order = np.random.default_rng(5).permutation(300)
    np.testing.assert_allclose(
        flock(position[order], forward[order]), flock(position, forward)[order], atol=1e-12
    )


def test_turned_and_shifted_flocks_are_steered_alike():
    position, forward = made(200, 2, 30.0, 6)
    turn = np.array(((0.6, -0.8), (0.8, 0.6)))
    np.testing.assert_allclose(
        flock(position @ turn.T + (100.0, -40.0), forward @ turn.T),
        flock(position, forward) @ turn.T,
        atol=1e-9,
    )


def test_agents_in_one_place_part_in_opposite_directions():
    rule = FlockRule(alignment_weight=0.0, cohesion_weight=0.0)
    force = flock([(1.0, 2.0), (1.0, 2.0)], [(1.0, 0.0), (1.0, 0.0)], rule, seed=3)
    np.testing.assert_allclose(force[0], -force[1])
    assert np.linalg.norm(force[0]) == pytest.approx(12.0)
    crowd = flock(np.zeros((50, 3)), np.tile((1.0, 0.0, 0.0), (50, 1)))
    assert np.isfinite(crowd).all()
    assert (np.linalg.norm(crowd, axis=1) > 0).all()


def test_force_is_never_above_the_sum_of_weights():
    position, forward = made(500, 3, 12.0, 8)
    assert np.linalg.norm(flock(position, forward), axis=1).max() <= 28.0


def test_bad_input_is_named():
    position, forward = made(4, 2, 3.0, 9)
    position[2, 1] = np.nan
    with pytest.raises(InputError, match="position of agent 2"):
        flock(position, forward)
    with pytest.raises(InputError, match="forward of agent 3"):
        flock(np.zeros((4, 2)), [(1, 0), (1, 0), (1, 0), (np.inf, 0)])
    with pytest.raises(InputError, match="forward has shape"):
        flock(np.zeros((4, 2)), np.zeros((4, 3)))
    with pytest.raises(InputError, match="alignment_radius"):
        FlockRule(alignment_radius=-1.0)
    with pytest.raises(InputError, match="separation_cosine"):
        FlockRule(separation_cosine=np.nan)


def test_who_is_always_minded_may_be_beyond_the_other_radii():
    rule = FlockRule(1.0, 0.5, 1.0, 2.0, 0.5, 2.0, 1.5, 0.5, 3.0, always_within=5.0)
    position, forward = made(80, 2, 20.0, 11)
    np.testing.assert_allclose(
        flock(position, forward, rule), twin(position, forward, rule), atol=1e-9
    )


def test_bad_input_is_named_even_if_nobody_is_minded():
    nobody = FlockRule(*[0.0] * 10)
    with pytest.raises(InputError, match="position of agent 1"):
        flock([(0.0, 0.0), (np.nan, 0.0)], np.ones((2, 2)), nobody)


def test_a_radius_too_large_to_be_squared_is_refused():
    with pytest.raises(InputError, match="separation_radius"):
        FlockRule(separation_radius=1e200)
