"""Wandering: as far in two seconds at any rate, by chance of one's own, and never NaN."""

from __future__ import annotations

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
from headway.steer.wander import wander, wander_memory

RATES = (30, 60, 120)


def drift(rate: int, d: int, agents: int = 20_000, seconds: float = 2.0) -> np.ndarray:
    """Memories after some time."""
    forward = np.tile(np.eye(d)[0], (agents, 1))
    memory = wander_memory(forward)
    for tick in range(round(seconds * rate)):
        _, memory = wander(forward, forward, memory, 1.0, dt=1.0 / rate, tick=tick)
    return memory


def test_the_angle_after_two_seconds_is_the_same_at_all_rates() -> None:
    rms = [np.sqrt(np.mean(drift(rate, 2) ** 2)) for rate in RATES]
    np.testing.assert_allclose(rms, np.sqrt(2.0), rtol=0.02)


def test_in_space_the_direction_fades_the_same_at_all_rates() -> None:
    # Brownian motion on the sphere: the mean cosine falls by exp(−sigma²·t)
    means = [drift(rate, 3, seconds=0.5)[:, 0].mean() for rate in RATES]
    np.testing.assert_allclose(means, np.exp(-0.5), rtol=0.02)


def heading_after_two_seconds(rate: int, agents: int = 20_000) -> float:
    """Root mean square heading of bodies that answer within half a second."""
    forward = np.tile((1.0, 0.0), (agents, 1))
    velocity, memory, dt = forward, wander_memory(forward), 1.0 / rate
    for tick in range(2 * rate):
        change, memory = wander(forward, velocity, memory, 1.0, dt=dt, tick=tick)
        velocity = velocity + change * -np.expm1(-dt / 0.5)
        forward = velocity / np.linalg.norm(velocity, axis=1, keepdims=True)
    return float(np.sqrt(np.mean(np.arctan2(forward[:, 1], forward[:, 0]) ** 2)))


def test_bodies_stray_as_far_when_steps_are_halved() -> None:
    coarse, fine = heading_after_two_seconds(60), heading_after_two_seconds(120)
    assert coarse == pytest.approx(fine, rel=0.02)


@pytest.mark.parametrize("d", [2, 3])
@given(st.integers(0, 2**32), st.floats(0.1, 0.9))
def test_the_way_is_never_far_aside_and_at_full_speed(d: int, seed: int, radius: float) -> None:
    rng = np.random.default_rng(seed)
    forward = rng.normal(size=(20, d))
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    velocity, top = rng.normal(size=(20, d)), rng.uniform(0.1, 5.0, 20)
    memory = wander_memory(forward)
    for tick in range(5):
        change, memory = wander(
            *(forward, velocity, memory, top),
            dt=0.5, tick=tick, seed=seed, sigma=2.0, distance=1.0, radius=radius,
        )  # fmt: skip
        wanted = change + velocity
        np.testing.assert_allclose(np.linalg.norm(wanted, axis=1), top)
        cosine = (wanted * forward).sum(axis=1) / top
        assert np.all(cosine >= np.sqrt(1.0 - radius**2) - 1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_chance_belongs_to_the_name_of_an_agent(d: int) -> None:
    rng = np.random.default_rng(3)
    forward, velocity = rng.normal(size=(2, 9, d))
    memory = wander(forward, velocity, wander_memory(forward), 1.0, dt=1.0, tick=0)[1]
    look = {"dt": 0.02, "tick": 7, "seed": 5}
    steering, after = wander(forward, velocity, memory, 2.0, **look)
    some = np.array([6, 2, 4])
    again, later = wander(forward[some], velocity[some], memory[some], 2.0, agent=some, **look)
    assert np.array_equal(again, steering[some])
    assert np.array_equal(later, after[some])
    alone, _ = wander(forward[4], velocity[4], memory[4], 2.0, agent=4, **look)
    assert np.array_equal(alone, steering[4])
    assert len(np.unique(after, axis=0)) == 9


@pytest.mark.parametrize("d", [2, 3])
def test_turned_agents_wander_alike(d: int) -> None:
    rng = np.random.default_rng(4)
    forward, velocity = rng.normal(size=(2, 30, d))
    memory = wander(forward, velocity, wander_memory(forward), 1.0, dt=1.0, tick=0)[1]
    turn = rotation(d, rng, level=True)
    plain, after = wander(forward, velocity, memory, 1.0, dt=0.1, tick=1)
    turned, also = wander(forward @ turn.T, velocity @ turn.T, memory, 1.0, dt=0.1, tick=1)
    np.testing.assert_allclose(turned, plain @ turn.T, atol=1e-9)
    np.testing.assert_allclose(also, after, atol=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_invariances(d: int) -> None:
    rng = np.random.default_rng(5)
    forward, velocity = rng.normal(size=(2, 12, d))
    same = {"dt": 0.02, "tick": 1}

    def behaviour(f, v):  # all of one name, so that rows may be moved
        named = np.zeros(np.shape(f)[:-1], np.int64)
        return wander(f, v, wander_memory(f), 1.0, agent=named, **same)[0]

    check_one_as_in_a_crowd(behaviour, forward, velocity)
    check_order_does_not_matter(behaviour, forward, velocity)
    check_nobody(behaviour, d)


@pytest.mark.parametrize(
    "forward", [(0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -2.0)]
)
def test_degenerate_agents_get_numbers(forward: tuple[float, ...]) -> None:
    memory = np.zeros(3) if len(forward) == 3 else np.zeros(())
    for top in (0.0, 1.0):
        steering, after = wander(forward, np.zeros(len(forward)), memory, top, dt=0.0, tick=0)
        assert np.isfinite(steering).all()
        assert np.isfinite(after).all()


def test_a_walk_stays_on_the_sphere() -> None:
    np.testing.assert_allclose(np.linalg.norm(drift(30, 3, 50, 20.0), axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"dt": -1.0}, "dt"),
        ({"sigma": np.nan}, "sigma"),
        ({"radius": np.inf}, "radius"),
        ({"distance": -1.0}, "distance"),
        ({"agent": [0.5, 1.0]}, "agent"),
        ({"agent": [1]}, "agent"),
        ({"memory": np.zeros(3)}, "memory"),
        ({"memory": np.array([0.0, np.nan])}, "memory"),
        ({"velocity": np.zeros((2, 3))}, "velocity"),
        ({"max_speed": -1.0}, "max_speed"),
    ],
)
def test_what_cannot_be_used_is_named(change: dict, named: str) -> None:
    fair = {
        "forward": np.ones((2, 2)), "velocity": np.zeros((2, 2)), "memory": np.zeros(2),
        "max_speed": 1.0, "dt": 0.02, "tick": 0,
    }  # fmt: skip
    with pytest.raises(InputError, match=named):
        wander(**{**fair, **change})


@pytest.mark.parametrize("aside", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)])
def test_the_memory_is_in_the_frame_of_the_body(aside: tuple[float, ...]) -> None:
    rest: dict[str, float] = {"sigma": 0.0, "distance": 0.0, "radius": 1.0}
    here = np.zeros(3)
    way, after = wander((1.0, 0.0, 0.0), here, aside, 2.0, dt=0.1, tick=0, **rest)
    np.testing.assert_allclose(way, 2.0 * np.array(aside), atol=1e-12)
    np.testing.assert_allclose(after, aside, atol=1e-12)
