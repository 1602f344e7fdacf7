"""Keeping out of each other's way: closest approach, and what is done about it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation

from headway.errors import InputError
from headway.steer.unaligned import avoid_neighbours, closest_approach
from headway.steer.unaligned_opensteer import opensteer_avoid_neighbours
from headway.world.neighbour_lists import NeighbourLists, neighbours

numbers = st.floats(-50, 50).map(lambda value: round(value, 3))


@given(st.lists(numbers, min_size=6, max_size=6), st.sampled_from((2, 3)), st.floats(0.1, 20))
def test_closest_approach_is_the_minimum(values, d, horizon):
    p, v = np.array(values[:d]), np.array(values[3 : 3 + d])
    time, distance = closest_approach(p, v, horizon)
    best = minimize_scalar(
        lambda t: np.linalg.norm(p + v * t), bounds=(0.0, horizon), method="bounded"
    )
    ends = min(np.linalg.norm(p), np.linalg.norm(p + v * horizon))
    assert distance <= min(best.fun, ends) + 1e-9
    assert 0.0 <= time <= horizon
    np.testing.assert_allclose(distance, np.linalg.norm(p + v * time), rtol=1e-12, atol=1e-12)
    times, distances = closest_approach([p, p, -p], [v, v, -v], horizon)
    assert times.tolist() == [time] * 3
    assert distances.tolist() == [distance] * 3


def test_those_who_move_alike_are_as_near_as_they_are():
    time, distance = closest_approach((3.0, 4.0), (0.0, 0.0))
    assert (float(time), float(distance)) == (0.0, 5.0)


def simulate(position, velocity, *, steps=300, dt=0.02, radius=0.5, response=0.3, pull=None):
    """Least distance of any two while each keeps its first velocity as it can, and avoids."""
    position, velocity = np.array(position, float), np.array(velocity, float)
    wanted = velocity.copy()
    fastest = max(np.linalg.norm(velocity, axis=1).max(), 1.0)
    least = np.inf
    for _ in range(steps):
        near = neighbours(position, 20.0)
        change = avoid_neighbours(position, velocity, radius, fastest, near, margin=0.2)
        quiet = ~change.any(axis=1)
        change[quiet] = (wanted - velocity)[quiet] * 0.3
        velocity = velocity + change * dt / response
        position = position + velocity * dt
        offsets = position[:, None] - position[None]
        distances = np.linalg.norm(offsets, axis=2)[~np.eye(len(position), dtype=bool)]
        least = min(least, distances.min())
        assert np.isfinite(position).all()
    return least, position


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(
    ("position", "velocity"),
    [
        (((0, 0, 0), (10, 0, 0)), ((2, 0, 0), (-2, 0, 0))),  # head on, exactly
        (((0, 0, 0), (10, 0.3, 0)), ((2, 0, 0), (-2, 0, 0))),  # head on
        (((0, 0, 0), (5, -5, 0)), ((2, 0, 0), (0, 2, 0))),  # crossing, exactly
        (((0, 0, 0), (5, -5, 0)), ((2, 0, 0), (0, 1.8, 0))),  # crossing
        (((0, 0, 0), (4, 0, 0)), ((3, 0, 0), (1, 0, 0))),  # overtaking, exactly
        (((0, 0, 0), (4, 0.2, 0)), ((3, 0, 0), (1, 0, 0))),  # overtaking
        (((0, 0, 0), (6, 0, 0)), ((2, 0, 0), (0, 0, 0))),  # one stands
        (((0, 0, 0), (6, 3, 0)), ((2, 0, 0), (2, -0.8, 0))),  # side by side, closing
    ],
)
def test_they_pass_clear_of_each_other(d, position, velocity):
    position, velocity = np.array(position, float)[:, :d], np.array(velocity, float)[:, :d]
    assert simulate(position, velocity)[0] > 1.0
    free = np.linalg.norm(position + velocity * 6.0 - simulate(position, velocity)[1], axis=1)
    assert free.max() < 8.0  # and go on, rather than run away


def test_vertical_paths_too():
    up = [(0.0, 0.0, 0.0), (0.0, 0.0, 10.0)]
    assert simulate(up, [(0.0, 0.0, 2.0), (0.0, 0.0, -2.0)])[0] > 1.0


def test_the_first_to_be_met_is_avoided_first():
    position = [(0.0, 0.0), (10.0, 0.4), (5.0, -0.4)]
    velocity = [(2.0, 0.0), (-2.0, 0.0), (-2.0, 0.0)]
    change = avoid_neighbours(position, velocity, 0.5, 2.0, neighbours(position, 20.0), horizon=9.0)
    assert change[0, 1] > 0.0  # up, away from the third although the second is above
    np.testing.assert_allclose(change[0], (0.0, (1.0 - 0.4) / 1.25), rtol=1e-12)


def test_who_overlaps_comes_before_all_others():
    position = [(0.0, 0.0), (-0.5, 0.0), (2.0, 0.4)]
    velocity = [(2.0, 0.0), (2.0, 0.0), (-2.0, 0.0)]
    change = avoid_neighbours(position, velocity, 0.5, 2.0, neighbours(position, 20.0))
    np.testing.assert_allclose(change[0], (2.0 * 0.5, 0.0))


def test_no_threat_no_change():
    position = [(0.0, 0.0), (5.0, 0.0), (0.0, 1.0), (0.0, -9.0)]
    velocity = [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 1.0)]  # alike, touching, and too far
    change = avoid_neighbours(position, velocity, 0.5, 2.0, neighbours(position, 20.0))
    assert not change.any()


crowds = {"n": st.integers(0, 30), "d": st.sampled_from((2, 3)), "seed": st.integers(0, 10_000)}


def crowd(n, d, seed, spread=6.0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-spread, spread, (n, d)), rng.normal(size=(n, d)), rng.uniform(0.1, 0.6, n)


@given(**crowds)
@settings(max_examples=40)
def test_the_world_may_be_turned_and_moved(n, d, seed):
    position, velocity, radius = crowd(n, d, seed)
    turn = (
        Rotation.random(random_state=seed).as_matrix()
        if d == 3
        else Rotation.from_euler("z", seed).as_matrix()[:2, :2]
    )
    plain = avoid_neighbours(position, velocity, radius, 2.0, neighbours(position, 5.0))
    moved = position @ turn.T + 3.0
    after = avoid_neighbours(moved, velocity @ turn.T, radius, 2.0, neighbours(moved, 5.0))
    np.testing.assert_allclose(plain @ turn.T, after, atol=1e-8)


@given(**crowds)
@settings(max_examples=40)
def test_the_order_of_agents_does_not_matter(n, d, seed):
    position, velocity, radius = crowd(n, d, seed)
    position = np.round(position / 2.0) * 2.0  # some in one spot, many ties
    velocity[::3] = 0.0
    order = np.random.default_rng(seed).permutation(n)
    plain = avoid_neighbours(position, velocity, radius, 2.0, neighbours(position, 5.0))
    mixed = avoid_neighbours(
        *(position[order], velocity[order], radius[order], 2.0),
        neighbours(position[order], 5.0),
        ids=order,
    )
    assert np.array_equal(plain[order], mixed)
    assert (np.linalg.norm(plain, axis=1) <= 2.0 + 1e-9).all()


@given(n=st.integers(2, 30), seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_agents_of_the_plane_are_agents_at_height_zero(n, seed):
    position, velocity, radius = crowd(n, 2, seed)
    near = neighbours(position, 5.0)
    flat = avoid_neighbours(position, velocity, radius, 2.0, near)
    level = np.column_stack((position, np.zeros(n))), np.column_stack((velocity, np.zeros(n)))
    space = avoid_neighbours(*level, radius, 2.0, near)
    assert np.array_equal(space, np.column_stack((flat, np.zeros(n))))


def test_opensteer_first_parts_those_who_overlap():
    position, forward = [(0.0, 0.0), (0.3, 0.4)], [(1.0, 0.0), (1.0, 0.0)]
    near = NeighbourLists(np.array([0, 1, 2]), np.array([1, 0]))
    got = opensteer_avoid_neighbours(position, forward, (0.0, -1.0), 1.0, 0.5, near, 3.0)
    np.testing.assert_allclose(got, [(0.0, -0.4), (0.0, 0.4)])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"position": [(0.0, 0.0)]}, "a row per list"),
        ({"position": [(np.nan, 0.0), (1.0, 0.0)]}, "position of agent 0"),
        ({"velocity": (np.inf, 0.0)}, "velocity"),
        ({"radius": -1.0}, "radius is -1.0"),
        ({"max_speed": [1.0, np.nan]}, "max_speed of agent 1"),
        ({"horizon": 0.0}, "horizon is 0.0"),
        ({"margin": -1.0}, "margin is -1.0"),
        ({"ids": np.arange(5)}, "ids has shape"),
    ],
)
def test_what_cannot_be_used_is_named(arguments, words):
    position = [(0.0, 0.0), (1.0, 0.0)]
    arguments = {
        "position": position, "velocity": (1.0, 0.0), "radius": 0.5, "max_speed": 1.0,
        "near": neighbours(position, 2.0),
    } | arguments  # fmt: skip
    with pytest.raises(InputError, match=words):
        avoid_neighbours(**arguments)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({5: -1.0}, "horizon is -1.0"),
        ({4: -0.5}, "radius is -0.5"),
        ({3: np.nan}, "speed is nan"),
        ({2: (np.nan, 1.0)}, "side"),
    ],
)
def test_what_the_classic_cannot_use_is_named(change, words):
    near = NeighbourLists(np.array([0, 1, 2]), np.array([1, 0]))
    given_ = [[(0.0, 0.0), (2.0, 0.0)], (1.0, 0.0), (0.0, 1.0), 1.0, 0.5, 3.0]
    for place, value in change.items():
        given_[place] = value
    with pytest.raises(InputError, match=words):
        opensteer_avoid_neighbours(*given_[:5], near, given_[5])


def avoided(i, position, velocity, radius, fastest, reach, horizon, margin, ids):
    """The change of velocity of one agent, by looking at all others."""
    threats = []
    for j in range(len(position)):
        offset, approach = position[j] - position[i], velocity[j] - velocity[i]
        distance, apart = np.linalg.norm(offset), radius[i] + radius[j] + margin
        if j == i or distance > reach:
            continue
        if distance < apart:
            closing = max(-approach @ offset / distance, 0.0)
            speed = closing + fastest * (1.0 - distance / apart)
            threats.append((distance - apart, ids[j], -offset / distance * min(speed, fastest)))
            continue
        t = -(offset @ approach) / (approach @ approach)
        miss = offset + approach * t
        by = np.linalg.norm(miss)
        if 0.0 < t < horizon and by < apart:
            threats.append((t, ids[j], -miss / by * min((apart - by) / t, fastest)))
    return min(threats, key=lambda each: each[:2], default=(0.0, 0, np.zeros_like(position[i])))[2]


@given(**crowds, horizon=st.sampled_from((0.7, 3.0)), margin=st.sampled_from((0.0, 0.4)))
@settings(max_examples=60)
def test_equals_the_loop_over_all(n, d, seed, horizon, margin):
    position, velocity, radius = crowd(n, d, seed)
    ids = np.random.default_rng(seed).permutation(n)
    near = neighbours(position, 5.0)
    change = avoid_neighbours(
        position, velocity, radius, 1.5, near, horizon=horizon, margin=margin, ids=ids
    )
    for i in range(n):
        expected = avoided(i, position, velocity, radius, 1.5, 5.0, horizon, margin, ids)
        np.testing.assert_allclose(change[i], expected, atol=1e-9)


@pytest.mark.parametrize(("ids", "side"), [((0, 1, 2), -1.0), ((0, 2, 1), 1.0)])
def test_of_two_to_be_met_at_once_the_lower_name_counts(ids, side):
    position, velocity = [(0, 0), (8, 0.5), (8, -0.5)], [(2, 0), (-2, 0), (-2, 0)]
    near = neighbours(position, 20.0)
    change = avoid_neighbours(position, velocity, 0.5, 2.0, near, ids=np.array(ids))
    assert np.sign(change[0, 1]) == side


def test_the_nearer_side_is_taken_unless_they_would_meet_exactly():
    position, velocity = [(0, 0), (8, -0.001)], [(2, 0), (-2, 0)]
    change = avoid_neighbours(position, velocity, 0.5, 2.0, neighbours(position, 20.0))
    assert change[0, 1] > 0.0 > change[1, 1]
    exactly = [(0, 0), (8, 0)]
    change = avoid_neighbours(exactly, velocity, 0.5, 2.0, neighbours(exactly, 20.0))
    assert change[0, 1] < 0.0 < change[1, 1]


def test_names_decide_how_those_in_one_spot_part():
    still, ids = np.zeros((2, 2)), np.array((5, 9))
    near = neighbours(still, 1.0)
    one = avoid_neighbours(still, still, 0.5, 2.0, near, ids=ids, seed=4)
    np.testing.assert_allclose(one[0], -one[1])
    swapped = avoid_neighbours(still, still, 0.5, 2.0, near, ids=ids[::-1].copy(), seed=4)
    np.testing.assert_array_equal(swapped, one[::-1])
    for other in (avoid_neighbours(still, still, 0.5, 2.0, near, seed=4),
                  avoid_neighbours(still, still, 0.5, 2.0, near, ids=ids, seed=5)):  # fmt: skip
        assert np.abs(other - one).max() > 1e-3
