"""Contact between cars: conservation, and nobody inside anybody."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.move.car import CARS, car_array
from headway.move.contact import RESTITUTION, resolve_contacts

DEEPEST = 0.01


def energy(state, cars):
    return 0.5 * (
        cars[:, 0] @ (state[:, 3] ** 2 + state[:, 4] ** 2) + cars[:, 1] @ state[:, 5] ** 2
    )


def momentum(state, cars):
    c, s = np.cos(state[:, 2]), np.sin(state[:, 2])
    vx, vy = c * state[:, 3] - s * state[:, 4], s * state[:, 3] + c * state[:, 4]
    return np.array([cars[:, 0] @ vx, cars[:, 0] @ vy])


def outline(row, each):
    centre = row[:2] + each.box_offset * np.array([math.cos(row[2]), math.sin(row[2])])
    half = 0.5 * np.array([each.length, each.width])
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * half
    c, s = math.cos(row[2]), math.sin(row[2])
    return signs @ np.array([[c, s], [-s, c]]) + centre


def deepest(state, cars):
    """Deepest overlap of any two cars, by the shadows of their outlines."""
    worst = 0.0
    outlines = [outline(row, each) for row, each in zip(state, cars, strict=True)]
    for i, first in enumerate(outlines):
        for second in outlines[i + 1 :]:
            if np.abs(first.mean(0) - second.mean(0)).max() > 8:
                continue
            edges = np.concatenate([first[1:3] - first[:2], second[1:3] - second[:2]])
            axes = edges / np.linalg.norm(edges, axis=1, keepdims=True)
            a, b = first @ axes.T, second @ axes.T
            gaps = np.minimum(a.max(0) - b.min(0), b.max(0) - a.min(0))
            worst = max(worst, gaps.min())
    return worst


@pytest.mark.parametrize("seed", range(4))
def test_a_pile_of_cars_drawn_together(seed):
    rng = np.random.default_rng(seed)
    kinds = [CARS[name] for name in rng.choice(["gt", "road", "formula", "commonroad4"], 20)]
    cars = car_array(kinds)
    state = np.zeros((20, 7))
    state[:, :2] = rng.uniform(-8, 8, (20, 2))
    state[:, 2] = rng.uniform(-3, 3, 20)
    state[:, 3] = rng.normal(0, 10, 20)
    for _ in range(200):
        new, partner, impulse = resolve_contacts(state, cars)
        scale = np.abs(cars[:, 0] @ np.hypot(state[:, 3], state[:, 4])) + 1
        assert np.abs(momentum(new, cars) - momentum(state, cars)).max() <= 1e-12 * scale
        assert energy(new, cars) <= energy(state, cars) * (1 + 1e-12)
        assert deepest(new, kinds) < DEEPEST
        assert ((impulse > 0) <= (partner >= 0)).all()
        state = new
        c, s = np.cos(state[:, 2]), np.sin(state[:, 2])
        state[:, 0] += 0.02 * (c * state[:, 3] - s * state[:, 4])
        state[:, 1] += 0.02 * (s * state[:, 3] + c * state[:, 4])
        state[:, 2] += 0.02 * state[:, 5]
        pull = -10 * state[:, :2] / np.linalg.norm(state[:, :2], axis=1, keepdims=True)
        state[:, 3] += 0.02 * (c * pull[:, 0] + s * pull[:, 1])
        state[:, 4] += 0.02 * (c * pull[:, 1] - s * pull[:, 0])


cars_near = st.lists(
    st.tuples(
        st.floats(-6, 6),
        st.floats(-6, 6),
        st.floats(-3, 3),
        st.floats(-60, 60),
        st.floats(-20, 20),
        st.floats(-5, 5),
        st.just(0.1),
    ),
    max_size=12,
)


@given(rows=cars_near)
@settings(max_examples=150)
def test_any_heap_is_parted_without_gaining_energy(rows):
    state = np.array(rows).reshape(-1, 7)
    kinds = [CARS["gt"]] * len(rows)
    cars = car_array(kinds)
    new, partner, _ = resolve_contacts(state, cars)
    assert np.isfinite(new).all()
    assert energy(new, cars) <= energy(state, cars) * (1 + 1e-12)
    assert deepest(new, kinds) < DEEPEST
    assert np.array_equal(new[:, [2, 6]], state[:, [2, 6]])
    again, _, _ = resolve_contacts(state, cars)
    assert np.array_equal(again, new)
    assert all(partner[partner[i]] >= 0 for i in range(len(rows)) if partner[i] >= 0)


def test_coincident_cars_part():
    kinds = [CARS["gt"]] * 3
    new, _, _ = resolve_contacts(np.zeros((3, 7)), car_array(kinds))
    assert deepest(new, kinds) < DEEPEST


def test_head_on_collision_is_that_of_the_textbook():
    kinds = [CARS["gt"], CARS["formula"]]
    cars = car_array(kinds)
    state = np.zeros((2, 7))
    state[0, [0, 3]] = 0.0, 12.0
    state[1, [0, 2, 3]] = 4.85, math.pi, 4.0
    new, partner, impulse = resolve_contacts(state, cars)
    m1, m2 = cars[:, 0]
    expected = (1 + RESTITUTION) * 16 / (1 / m1 + 1 / m2)
    assert impulse == pytest.approx([expected, expected])
    assert new[0, 3] == pytest.approx(12 - expected / m1)
    assert new[1, 3] == pytest.approx(4 - expected / m2)
    assert partner.tolist() == [1, 0]


def test_a_hit_off_centre_turns_both_cars():
    state = np.zeros((2, 7))
    state[0, 3] = 20.0
    state[1, :2] = 4.55, 1.2
    new, _, _ = resolve_contacts(state, car_array([CARS["gt"]] * 2))
    assert new[0, 5] > 0.1
    assert new[1, 5] > 0.1


def test_sliding_along_drags_by_at_most_the_share_of_friction():
    state = np.zeros((2, 7))
    state[0, 3:5] = 40.0, 1.0
    state[1, 1] = 1.94
    cars = car_array([CARS["gt"]] * 2)
    new, _, impulse = resolve_contacts(state, cars)
    lost = cars[0, 0] * (40 - new[0, 3])
    assert 0 < lost <= 0.3 * impulse[0]
    assert new[1, 3] == pytest.approx(40 - new[0, 3])


def test_bridges_and_parked_cars_are_out_of_reach():
    state = np.zeros((2, 7))
    state[0, 3] = 10.0
    cars = car_array([CARS["gt"]] * 2)
    for arguments in ({"height": [0.0, 5.0]}, {"active": [True, False]}):
        new, partner, impulse = resolve_contacts(state, cars, **arguments)
        assert np.array_equal(new, state)
        assert partner.tolist() == [-1, -1]
        assert impulse.tolist() == [0, 0]
    assert resolve_contacts(state, cars, height=[0.0, 1.5])[1].tolist() == [1, 0]


def test_cars_apart_are_left_bit_for_bit():
    rng = np.random.default_rng(0)
    state = rng.normal(0, 5, (50, 7))
    state[:, 0] = np.arange(50) * 8.0
    state[:, 1] = 0
    new, partner, _ = resolve_contacts(state, car_array([CARS["gt"]] * 50))
    assert np.array_equal(new, state)
    assert (partner == -1).all()


def test_an_empty_road():
    new, partner, impulse = resolve_contacts(np.empty((0, 7)), car_array([]))
    assert new.shape == (0, 7)
    assert len(partner) == len(impulse) == 0


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"state": np.zeros((2, 6))}, "state"),
        ({"state": np.full((2, 7), math.nan)}, "state"),
        ({"cars": np.zeros((2, 3))}, "cars"),
        ({"height": [0.0]}, "height"),
        ({"height": ["low", "high"]}, "height"),
        ({"active": [True]}, "active"),
    ],
)
def test_misuse_is_refused_by_name(change, word):
    arguments = {"state": np.zeros((2, 7)), "cars": car_array([CARS["gt"]] * 2)}
    with pytest.raises(InputError, match=word):
        resolve_contacts(**{**arguments, **change})
