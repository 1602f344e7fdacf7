"""Following a leader, and queueing, against the rules in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariance_checks import (
    check_nobody,
    check_one_as_in_a_crowd,
    check_order_does_not_matter,
    rotation,
)

from headway.errors import InputError
from headway.steer.arrive import arrive
from headway.steer.leader import follow_leader, queue
from headway.world.neighbour_lists import NeighbourLists, neighbours

DT = 0.02


@pytest.mark.parametrize("d", [2, 3])
def test_a_follower_comes_to_its_place_and_keeps_the_leaders_pace(d: int) -> None:
    rng = np.random.default_rng(1)
    p, v = 5.0 * rng.normal(size=(20, d)), np.zeros((20, d))
    leader, pace = np.zeros(d), np.zeros(d)
    pace[:2] = 1.0, 0.5
    for _ in range(1_500):
        change = follow_leader(p, v, leader, pace, 3.0, 6.0, DT, behind=2.0)
        size = np.linalg.norm(change, axis=1, keepdims=True)
        v = v + change * np.minimum(1.0, 6.0 * DT / np.maximum(size, 1e-300))
        p, leader = p + v * DT, leader + pace * DT
    place = leader - 2.0 * pace / np.linalg.norm(pace)
    np.testing.assert_allclose(p, np.tile(place, (20, 1)), atol=1e-3)
    np.testing.assert_allclose(v, np.tile(pace, (20, 1)), atol=1e-3)


def test_whoever_is_in_the_way_of_the_leader_steps_aside() -> None:
    leader, pace = (0.0, 0.0), (2.0, 0.0)
    look: dict[str, Any] = {"clearance": 1.0, "look_ahead": 1.5}
    for place, wanted in (
        ((3.0, 0.5), (0.0, 3.0)),  # in its way, to the left
        ((3.0, -0.5), (0.0, -3.0)),
    ):
        steering = follow_leader(place, (0.0, 0.0), leader, pace, 3.0, 6.0, DT, **look)
        np.testing.assert_allclose(steering, wanted, atol=1e-12)
    for beside in ((3.0, 1.1), (4.1, 0.0), (-0.5, 0.0)):
        steering = follow_leader(beside, (0.0, 0.0), leader, pace, 3.0, 6.0, DT, **look)
        assert steering[0] < 3.0
        assert abs(steering[1]) < 2.9
    straight = follow_leader((3.0, 0.0), (0.0, 0.0), leader, pace, 3.0, 6.0, DT, **look)
    assert np.abs(straight).tolist() == [0.0, 3.0]  # to one side or the other
    crowd = np.tile((3.0, 0.0), (40, 1))
    sides = follow_leader(crowd, (0.0, 0.0), leader, pace, 3.0, 6.0, DT, **look)[:, 1]
    assert set(sides.tolist()) == {-3.0, 3.0}


def test_behind_a_leader_that_stands() -> None:
    rest = np.zeros(2)
    facing = follow_leader(
        (-3.0, 0.0), rest, rest, rest, 1.0, 5.0, DT, leader_forward=(1.0, 0.0), behind=3.0
    )
    assert facing.tolist() == [0.0, 0.0]
    assert follow_leader((-3.0, 0.0), rest, rest, rest, 1.0, 5.0, DT, behind=3.0)[0] > 0.0
    assert np.isfinite(follow_leader(rest, rest, rest, rest, 1.0, 5.0, DT)).all()


def braked(p, v, others, oneself, reach, width):
    """Queueing, pair by pair."""
    out = np.zeros_like(p)
    for i in range(len(p)):
        speed = np.linalg.norm(v[i])
        if speed == 0.0:
            continue
        forward, nearest = v[i] / speed, np.inf
        for j in range(len(others)):
            offset = others[j] - p[i]
            ahead = offset @ forward
            aside = np.linalg.norm(offset - ahead * forward)
            if not (oneself and i == j) and 0.0 < ahead < reach and aside < width:
                nearest = min(nearest, ahead)
        if nearest < reach:
            out[i] = -(0.9 - 0.4 * nearest / reach) * v[i]
    return out


@pytest.mark.parametrize("d", [2, 3])
@given(st.integers(0, 2**32))
def test_queue_as_pair_by_pair(d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, v, others = rng.normal(size=(3, 12, d))
    v[0] = 0.0
    p[1] = p[2]
    box: dict[str, float] = {"reach": 2.0, "width": 0.8}
    np.testing.assert_allclose(queue(p, v, **box), braked(p, v, p, True, 2.0, 0.8), atol=1e-12)
    np.testing.assert_allclose(
        queue(p, v, others=others, **box), braked(p, v, others, False, 2.0, 0.8), atol=1e-12
    )
    everyone = NeighbourLists(np.arange(13) * 12, np.tile(np.arange(12), 12))
    np.testing.assert_array_equal(queue(p, v, neighbours=everyone, **box), queue(p, v, **box))
    near = neighbours(p, 2.5)
    np.testing.assert_array_equal(queue(p, v, neighbours=near, **box), queue(p, v, **box))
    nobody = NeighbourLists(np.zeros(13, np.int64), np.empty(0, np.int64))
    assert not queue(p, v, neighbours=nobody, **box).any()


def test_alone_nobody_queues() -> None:
    assert queue((1.0, 2.0), (3.0, 0.0)).tolist() == [0.0, 0.0]
    assert queue((1.0, 2.0), (3.0, 0.0), others=[(1.5, 2.0)]).tolist() == [-2.4000000000000004, 0.0]


@pytest.mark.parametrize("d", [2, 3])
def test_invariances(d: int) -> None:
    rng = np.random.default_rng(3)
    p, v, leader, pace = rng.normal(size=(4, 25, d))
    others = rng.normal(size=(10, d))

    def follow(p, v, leader, pace):
        return follow_leader(p, v, leader, pace, 2.0, 5.0, DT)

    def brake(p, v):
        return queue(p, v, others=others, width=1.0)

    check_one_as_in_a_crowd(follow, p, v, leader, pace)
    check_order_does_not_matter(follow, p, v, leader, pace)
    check_one_as_in_a_crowd(brake, p, v)
    check_order_does_not_matter(brake, p, v)
    check_order_does_not_matter(queue, p, v)
    check_nobody(queue, d)
    check_nobody(follow, d, 4)
    turn, shift = rotation(d, rng), 5.0 * rng.normal(size=d)
    np.testing.assert_allclose(
        follow(p @ turn.T + shift, v @ turn.T, leader @ turn.T + shift, pace @ turn.T),
        follow(p, v, leader, pace) @ turn.T,
        atol=1e-9,
    )
    np.testing.assert_allclose(
        queue(p @ turn.T + shift, v @ turn.T), queue(p, v) @ turn.T, atol=1e-9
    )


@given(*[st.sampled_from((0.0, 1.0, -1.0, 1e-13, 1e8))] * 6)
def test_never_nan_and_never_faster(x: float, y: float, a: float, b: float, c: float, e: float):
    steering = follow_leader((x, y), (a, b), (0.0, 0.0), (c, e), 2.0, 5.0, DT)
    assert np.isfinite(steering).all()
    assert np.hypot(steering[0] + a, steering[1] + b) <= 2.0 * (1.0 + 1e-9) + 1e-9 * np.hypot(a, b)
    assert np.isfinite(queue([(x, y), (0.0, 0.0)], [(a, b), (c, e)])).all()


def test_what_cannot_be_used_is_named() -> None:
    p = np.zeros((2, 2))
    with pytest.raises(InputError, match="behind"):
        follow_leader(p, p, p, p, 1.0, 1.0, DT, behind=-1.0)
    with pytest.raises(InputError, match="leader_velocity"):
        follow_leader(p, p, p, (np.nan, 0.0), 1.0, 1.0, DT)
    with pytest.raises(InputError, match="max_speed"):
        follow_leader(p, p, p, p, -1.0, 1.0, DT)
    with pytest.raises(InputError, match="reach"):
        queue(p, p, reach=0.0)
    with pytest.raises(InputError, match="others"):
        queue(p, p, others=np.zeros((4, 3)))
    with pytest.raises(InputError, match="others"):
        queue(p, p + 1.0, others=[(np.nan, 0.0)])
    nobody = NeighbourLists(np.zeros(4, np.int64), np.empty(0, np.int64))
    with pytest.raises(InputError, match="neighbours"):
        queue(p, p, neighbours=nobody)
    with pytest.raises(InputError, match="neighbours"):
        queue(np.zeros((3, 2)), (0.0, 0.0), others=p, neighbours=nobody)


def test_followers_arrive_behind_where_the_leader_goes_whatever_it_looks_at() -> None:
    rng = np.random.default_rng(6)
    p, v = rng.normal(size=(2, 30, 2))
    p, v = p - np.array((9.0, 0.0)), v + np.array((4.0, 0.0))
    pace = np.array((2.0, 0.0))
    look: dict[str, Any] = {"leader_forward": (0.0, 1.0), "behind": 3.0, "response": 0.5}
    got = follow_leader(p, v, (0.0, 0.0), pace, 9.0, 0.5, DT, **look)
    expected = arrive(p, v, (-3.0, 0.0), 9.0, 0.5, DT, target_velocity=pace, response=0.5)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


def test_above_a_leader_that_goes_straight_up_there_is_a_side_too() -> None:
    place, rest, up = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 2.0)
    steering = follow_leader(place, rest, rest, up, 3.0, 6.0, DT)
    assert np.hypot(steering[0], steering[1]) == pytest.approx(3.0)
    assert steering[2] == 0.0
