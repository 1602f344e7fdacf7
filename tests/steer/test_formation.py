"""Formations: who takes which slot, and an anchor that waits."""

from __future__ import annotations

from functools import partial
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.formation import Formation, assign
from headway.steer.slots import circle, column, line, wedge

WEDGE = partial(wedge, spacing=2.0)


def travel(position, slots, speed, chosen):
    has = chosen >= 0
    return (np.linalg.norm(position[has] - slots[chosen[has]], axis=1) / speed[has]).sum()


@given(
    n=st.integers(0, 5),
    m=st.integers(0, 5),
    d=st.sampled_from((2, 3)),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=50)
def test_no_other_assignment_is_quicker(n, m, d, seed):
    rng = np.random.default_rng(seed)
    position, slots = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    speed = rng.uniform(0.5, 3.0, n)
    got = assign(position, slots, speed)
    taken = got[got >= 0]
    assert len(taken) == len(set(taken)) == min(n, m)
    wide = [*range(m), *[-1] * max(n - m, 0)]
    best = min(
        travel(position, slots, speed, np.array(way, np.int64)) for way in permutations(wide, n)
    )
    assert travel(position, slots, speed, got) <= best + 1e-9


def test_slots_are_kept_unless_a_change_is_worth_it():
    position = np.array([(0.0, 0.0), (1.0, 0.0)])
    slots = np.array([(0.6, 0.0), (0.5, 0.0)])
    assert assign(position, slots).tolist() == [1, 0]
    assert assign(position, slots, held=[0, 1]).tolist() == [0, 1]
    assert assign(position, slots, held=[0, 1], patience=0.0).tolist() == [1, 0]
    assert assign(position * 50.0, slots * 50.0, held=[0, 1]).tolist() == [1, 0]
    assert assign(position, slots, held=[-1, 7]).tolist() == [1, 0]


def test_the_slow_are_given_the_short_ways():
    slots = np.array([(1.0, 0.0), (4.0, 0.0)])
    assert assign(np.zeros((2, 2)), slots, [1.0, 5.0]).tolist() == [0, 1]
    assert assign(np.zeros((2, 2)), slots, [5.0, 1.0]).tolist() == [1, 0]


def test_those_who_stand_in_formation_keep_their_places_as_it_turns():
    """Jostled a little and turned a little, nobody changes slots."""
    rng = np.random.default_rng(0)
    troop = Formation.of(partial(circle, spacing=2.0), rng.uniform(-5, 5, (8, 2)), (1.0, 0.0))
    held = troop.held
    position = troop.targets(np.zeros((8, 2)))
    for _ in range(200):
        troop = troop.moved(position, (1.0, 0.5), 2.0, 0.02)
        troop = troop.with_members(position, True)
        assert np.array_equal(troop.held, held)
        position += np.clip(troop.targets(position) - position, -0.04, 0.04)
        position += rng.uniform(-0.02, 0.02, (8, 2))


def test_the_anchor_starts_in_the_mean_of_the_members():
    position = np.random.default_rng(1).uniform(-9, 9, (7, 3))
    troop = Formation.of(WEDGE, position, (0.0, 3.0, 0.0))
    np.testing.assert_allclose(
        troop.targets(position).mean(axis=0), position.mean(axis=0), atol=1e-9
    )
    assert troop.forward.tolist() == [0.0, 1.0, 0.0]
    assert sorted(troop.held) == list(range(7))


def march(troop, position, speed, seconds, velocity=(5.0, 0.0), dt=0.02):
    """Move all as fast as they can to their slots; returns the largest step of the anchor, too."""
    longest = 0.0
    for _ in range(round(seconds / dt)):
        after = troop.moved(position, velocity, speed, dt)
        longest = max(longest, np.linalg.norm(after.position - troop.position) / dt)
        troop = after
        way = troop.targets(position) - position
        size = np.linalg.norm(way, axis=1, keepdims=True)
        step = np.minimum(size, np.reshape(speed, (-1, 1)) * dt)
        position = position + way * step / np.maximum(size, 1e-12)
    return troop, position, longest


def test_the_anchor_is_no_faster_than_the_slowest_can_follow():
    position, speed = np.zeros((5, 2)), np.array([3.0, 2.0, 4.0, 3.0, 3.0])
    troop = Formation.of(WEDGE, position, (1.0, 0.0), speed)
    troop, position, fastest = march(troop, position, speed, 10.0)
    assert fastest <= 0.9 * 2.0 + 1e-9
    assert troop.position[0] > 12.0
    np.testing.assert_allclose(position, troop.targets(position), atol=0.05)


def test_the_anchor_waits_for_those_held_up():
    position, speed = np.zeros((4, 2)), np.full(4, 2.0)
    troop = Formation.of(partial(column, spacing=2.0), position, (1.0, 0.0))
    for _ in range(1000):  # nobody moves
        troop = troop.moved(position, (1.5, 0.0), speed, 0.02)
    drift = (troop.targets(position) - position).mean(axis=0)
    np.testing.assert_allclose(drift, (1.5, 0.0), atol=0.01)  # speed times response time


def test_it_turns_no_faster_than_the_outermost_can_follow():
    position = line(9, 2.0)
    position = np.column_stack((position[:, 0], position[:, 1]))
    troop = Formation.of(partial(line, spacing=2.0), position, (1.0, 0.0), 2.0)
    before = troop.targets(position)
    for way in ((0.0, 1.0), (-1.0, 0.0), (-1.0, 1e-13)):
        after = troop.moved(position, way, 2.0, 0.02)
        turned = after.targets(position) - after.position - (before - troop.position)
        assert 0.03 < np.linalg.norm(turned, axis=1).max() <= 0.9 * 2.0 * 0.02 + 1e-9
    for _ in range(2000):
        troop = troop.moved(position, (-1.0, 0.0), 2.0, 0.02)
    np.testing.assert_allclose(troop.forward, (-1.0, 0.0), atol=1e-12)


def test_members_leave_and_join():
    position = np.random.default_rng(3).uniform(-4, 4, (6, 2))
    troop = Formation.of(WEDGE, position, (1.0, 0.0), members=[True] * 5 + [False])
    assert troop.held[5] == -1
    assert np.array_equal(troop.targets(position)[5], position[5])
    there = troop.targets(position)
    last = int(np.argmax(troop.held))
    stay = np.arange(6) != last
    fewer = troop.with_members(there, stay & (np.arange(6) != 5))
    assert np.array_equal(fewer.held[stay], troop.held[stay])  # the others need not move
    assert fewer.held[last] == -1
    more = troop.with_members(there, True)
    assert sorted(more.held) == list(range(6))
    grown = troop.with_members(np.vstack((there, [(9.0, 9.0)])), True)
    assert len(grown.held) == 7
    nobody = troop.with_members(there, False)
    assert (nobody.held == -1).all()
    assert nobody.moved(there, (1.0, 0.0), 1.0, 0.02) is nobody


def test_none_and_one():
    nobody = Formation.of(WEDGE, np.empty((0, 2)), (1.0, 0.0))
    assert nobody.targets(np.empty((0, 2))).shape == (0, 2)
    alone = Formation.of(WEDGE, [(3.0, 4.0)], (1.0, 0.0))
    assert alone.targets([(0.0, 0.0)]).tolist() == [[3.0, 4.0]]


def test_turning_and_moving_the_world_turns_and_moves_the_targets():
    position = np.random.default_rng(5).uniform(-4, 4, (6, 2))
    turn = np.array([(0.6, -0.8), (0.8, 0.6)])
    plain = Formation.of(WEDGE, position, (1.0, 0.0)).moved(position, (0.3, 1.0), 1.0, 0.1)
    moved = position @ turn.T + 7.0
    after = Formation.of(WEDGE, moved, turn @ (1.0, 0.0)).moved(
        moved, turn @ (0.3, 1.0), 1.0, 0.1
    )  # fmt: skip
    assert np.array_equal(plain.held, after.held)
    np.testing.assert_allclose(
        after.targets(moved), plain.targets(position) @ turn.T + 7.0, atol=1e-9
    )  # fmt: skip


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: assign([(0.0, np.nan)], [(0.0, 0.0)]), "position 0"),
        (lambda: assign([(0.0, 0.0)], [(0.0, 0.0, 0.0)]), "slots have shape"),
        (lambda: assign([0.0, 0.0], [(0.0, 0.0)]), "position has shape"),
        (lambda: assign([(0.0, 0.0)], [(0.0, 0.0)], 0.0), "speed of agent 0"),
        (lambda: assign([(0.0, 0.0)], [(0.0, 0.0)], [1.0, 2.0]), "speed has shape"),
        (lambda: assign([(0.0, 0.0)], [(0.0, 0.0)], held=[0.5]), "held is .* whole numbers"),
        (lambda: assign([(0.0, 0.0)], [(0.0, 0.0)], patience=-1.0), "patience is -1"),
        (lambda: assign([("a", "b")], [(0.0, 0.0)]), "position cannot be read"),
        (lambda: Formation.of(WEDGE, [(0.0, 0.0)], (0.0, 0.0)), "forward is"),
        (lambda: Formation.of(WEDGE, [(0.0, 0.0)], (1.0, 0.0), 1.0, [1.0]), "members has"),
        (lambda: Formation.of(np.zeros, [(0.0, 0.0)], (1.0, 0.0)), "the pattern"),
    ],
)
def test_what_cannot_be_used_is_named(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"position": np.zeros((3, 2))}, "position has shape"),
        ({"velocity": (np.nan, 0.0)}, "velocity is"),
        ({"dt": 0.0}, "dt is 0.0"),
        ({"response": np.inf}, "response is inf"),
        ({"speed": -1.0}, "speed of agent 0"),
    ],
)
def test_what_an_anchor_cannot_use_is_named(change, words):
    troop = Formation.of(WEDGE, np.zeros((2, 2)), (1.0, 0.0))
    step = {"position": np.zeros((2, 2)), "velocity": (1.0, 0.0), "speed": 1.0, "dt": 0.02}
    with pytest.raises(InputError, match=words):
        troop.moved(**(step | change))


def test_a_step_is_what_is_wanted_as_far_as_all_can_follow_and_part_of_the_drift():
    position = np.array([(0.0, 1.0), (0.0, -1.0), (7.0, 7.0)])
    speed = np.array([2.0, 3.0, 0.1])  # the last is not a member
    troop = Formation.of(partial(line, spacing=2.0), position, (1.0, 0.0), 1.0, [True, True, False])
    start = troop.position
    behind = position - (0.5, 0.0)
    step = troop.moved(behind, (5.0, 0.0), speed, 0.02).position - start
    np.testing.assert_allclose(step, ((0.9 * 2.0 - 0.5) * 0.02, 0.0), atol=1e-12)
    jumpy = troop.moved(behind, (0.0, 0.0), 50.0, 0.1, response=0.01).position - start
    np.testing.assert_allclose(jumpy, (-0.5, 0.0), atol=1e-12)  # there, and no farther


def test_an_about_turn_is_to_the_left():
    troop = Formation.of(partial(line, spacing=2.0), np.zeros((5, 2)), (1.0, 0.0))
    turned = troop.moved(np.zeros((5, 2)), (-1.0, 0.0), 2.0, 0.1).forward
    angle = 0.9 * 2.0 * 0.1 / 4.0
    np.testing.assert_allclose(turned, (np.cos(angle), np.sin(angle)), atol=1e-12)
