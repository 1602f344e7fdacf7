"""Exploring and foraging against a plain search over cells, and until all is seen or eaten."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariance_checks import check_nobody

from headway.errors import InputError
from headway.steer.arrive import arrive
from headway.steer.explore import CLOSED, NEVER, explore, forage, unvisited
from headway.steer.seek import seek


def centres(shape: tuple[int, ...], origin: np.ndarray, cell: float) -> np.ndarray:
    """Middles of all cells, (cells, d), in the order of the flat map."""
    axes = np.meshgrid(*(np.arange(size) for size in shape), indexing="ij")
    return origin + cell * (np.column_stack([axis.ravel() for axis in axes[::-1]]) + 0.5)


def plainly(p, v, visits, tick, origin, cell):
    """What exploring is to answer: by sorting all cells."""
    after, middles = visits.copy(), centres(visits.shape, origin, cell)
    index = np.floor((p - origin) / cell).astype(int)[:, ::-1]
    for at in index[np.all((index >= 0) & (index < visits.shape), axis=1)]:
        after[tuple(at)] = CLOSED if after[tuple(at)] == CLOSED else tick
    flat, steering = after.ravel(), np.empty_like(p)
    for i, place in enumerate(p):
        gap = ((middles - place) ** 2).sum(axis=1)
        best = np.lexsort((np.arange(len(flat)), gap, flat))[0]
        target = place if flat[best] == CLOSED else middles[best]
        steering[i] = seek(place, v[i], target, 2.0)
    return steering, after


@pytest.mark.parametrize("d", [2, 3])
@given(st.integers(0, 2**32))
def test_as_a_search_over_all_cells(d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(int(size) for size in rng.integers(1, 5, d))
    visits = rng.integers(NEVER, 4, shape)
    visits[rng.random(shape) < 0.2] = CLOSED
    origin, before = rng.normal(size=d), visits.copy()
    p, v = rng.uniform(-1.0, 6.0, size=(6, d)), rng.normal(size=(6, d))
    steering, after = explore(p, v, visits, 2.0, tick=9, cell=1.3, origin=origin)
    wanted, map_after = plainly(p, v, visits, 9, origin, 1.3)
    np.testing.assert_allclose(steering, wanted, atol=1e-9)
    np.testing.assert_array_equal(after, map_after)
    np.testing.assert_array_equal(visits, before)  # the map given is left alone


@pytest.mark.parametrize("agents", [1, 4])
def test_everything_is_seen_and_later_seen_again(agents: int) -> None:
    p, v = np.tile((0.1, 0.1), (agents, 1)), np.zeros((agents, 2))
    p[:, 0] += np.arange(agents)
    visits = unvisited((6, 8))
    visits[2:4, 3] = CLOSED
    for tick in range(4_000 // agents):
        change, visits = explore(p, v, visits, 2.0, tick=tick)
        v = v + 0.2 * change
        p = p + 0.05 * v
    open_cells = visits[visits != CLOSED]
    assert len(open_cells) == 46
    assert open_cells.min() > 100


def test_the_nearest_resource_in_view_that_is_not_taken_is_fetched() -> None:
    food = np.array([(5.0, 0.0), (0.0, 3.0), (1.0, 0.0)])
    p, v = np.array([(0.0, 0.0), (30.0, 0.0), (5.0, 0.0)]), np.zeros((3, 2))
    look: dict[str, Any] = {"view_range": 5.0, "tick": 0, "cell": 10.0}
    visits = unvisited((4, 4))
    taken = [False, False, True]
    steering, _, chosen = forage(p, v, food, visits, 2.0, 5.0, 0.02, taken=taken, **look)
    assert chosen.tolist() == [1, -1, 0]
    np.testing.assert_allclose(steering[0], arrive(p[0], v[0], food[1], 2.0, 5.0, 0.02))
    np.testing.assert_allclose(
        steering[1], explore(p, v, visits, 2.0, tick=0, cell=10.0)[0][1], atol=1e-12
    )
    assert steering[2].tolist() == [0.0, 0.0]
    _, _, all_gone = forage(p, v, food, visits, 2.0, 5.0, 0.02, taken=[True] * 3, **look)
    assert all_gone.tolist() == [-1, -1, -1]


def test_a_forager_finds_and_eats_everything() -> None:
    rng = np.random.default_rng(2)
    food = rng.uniform(0.0, 20.0, size=(15, 2))
    taken = np.zeros(15, bool)
    p, v, visits, dt = np.array((10.0, 10.0)), np.zeros(2), unvisited((5, 5)), 0.05
    for tick in range(6_000):
        change, visits, chosen = forage(
            *(p, v, food, visits, 3.0, 6.0, dt),
            view_range=3.0, tick=tick, taken=taken, cell=4.0,
        )  # fmt: skip
        v = v + change * min(1.0, 6.0 * dt / max(np.linalg.norm(change), 1e-300))
        p = p + v * dt
        if chosen >= 0 and np.linalg.norm(p - food[chosen]) < 0.1:
            taken[chosen] = True
    assert taken.all()


@pytest.mark.parametrize("d", [2, 3])
def test_order_and_place_do_not_matter(d: int) -> None:
    rng = np.random.default_rng(9)
    p, v, food = rng.uniform(0.0, 4.0, size=(3, 20, d))
    visits = rng.integers(NEVER, 5, (4,) * d)
    order = rng.permutation(20)

    def behaviour(p, v, shift=0.0):
        return forage(
            *(p, v, food + shift, visits, 2.0, 5.0, 0.02),
            view_range=0.7, tick=9, origin=np.zeros(d) + shift,
        )  # fmt: skip

    steering, after, chosen = behaviour(p, v)
    moved, also, same = behaviour(p[order], v[order])
    np.testing.assert_array_equal(moved, steering[order])
    np.testing.assert_array_equal(also, after)
    np.testing.assert_array_equal(same, chosen[order])
    np.testing.assert_allclose(behaviour(p + 8.0, v, 8.0)[0], steering, atol=1e-9)
    assert {-1} < set(chosen.tolist())
    check_nobody(lambda p, v: behaviour(p, v)[0], d)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"visits": np.zeros((2, 2))}, "visits"),
        ({"visits": unvisited((2, 2, 2))}, "visits"),
        ({"visits": unvisited((0, 2))}, "visits"),
        ({"cell": 0.0}, "cell"),
        ({"tick": -1}, "tick"),
        ({"view_range": -1.0}, "view_range"),
        ({"resources": [(0.0, np.nan)]}, "resources"),
        ({"resources": [(0.0, 0.0, 0.0)]}, "resources"),
        ({"taken": [True]}, "taken"),
        ({"dt": 0.0}, "dt"),
        ({"position": (np.nan, 0.0)}, "position"),
        ({"max_speed": -1.0}, "max_speed"),
    ],
)
def test_what_cannot_be_used_is_named(change: dict[str, Any], named: str) -> None:
    fair: dict[str, Any] = {
        "position": np.zeros(2), "velocity": np.zeros(2), "resources": np.ones((2, 2)),
        "visits": unvisited((2, 2)), "max_speed": 1.0, "max_deceleration": 1.0, "dt": 0.02,
        "view_range": 1.0, "tick": 0,
    }  # fmt: skip
    with pytest.raises(InputError, match=named):
        forage(**{**fair, **change})


def test_what_is_exactly_at_the_end_of_view_is_seen_and_a_late_body_brakes_earlier() -> None:
    look: dict[str, Any] = {"view_range": 5.0, "tick": 0, "response": 0.6}
    p, v = np.zeros(2), np.array((4.0, 1.0))
    for food, found in (((3.0, 4.0), 0), ((3.0, 4.001), -1)):
        steering, _, chosen = forage(p, v, [food], unvisited((4, 4)), 6.0, 5.0, 0.02, **look)
        assert chosen == found
        if found == 0:
            expected = arrive(p, v, food, 6.0, 5.0, 0.02, response=0.6)
            np.testing.assert_allclose(steering, expected, rtol=1e-12)
