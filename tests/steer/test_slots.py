"""Patterns of formations: distances between neighbours, and turning with the anchor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.slots import circle, column, in_world, line, square, wedge

PATTERNS = (line, column, wedge, circle, square)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 7, 10, 25])
def test_neighbours_are_spaced_and_nobody_is_nearer(pattern, n):
    slots = pattern(n, 3.0)
    assert slots.shape == (n, 2)
    if n > 1:
        distance = np.linalg.norm(slots[:, None] - slots[None], axis=2) + 1e9 * np.eye(n)
        assert distance.min(axis=1) == pytest.approx(np.full(n, 3.0))


@pytest.mark.parametrize("pattern", [line, circle])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_the_anchor_is_in_the_middle(pattern, n):
    assert np.abs(pattern(n, 2.0).mean(axis=0)).max() < 1e-12


def test_a_circle_has_room_for_bodies_that_touch():
    radius = np.linalg.norm(circle(9, 2 * 0.7), axis=1)
    np.testing.assert_allclose(radius, 0.7 / np.sin(np.pi / 9))


def test_a_wedge_has_its_wings_behind():
    slots = wedge(5, 2.0)
    assert slots[0].tolist() == [0.0, 0.0]
    assert (slots[1:, 0] < 0).all()
    np.testing.assert_allclose(np.abs(slots[1:, 1]), -slots[1:, 0])


@given(st.floats(-3, 3), st.floats(-1.5, 1.5), st.integers(1, 9))
def test_distances_stay_when_the_anchor_turns(yaw, pitch, n):
    forward = np.array(
        [np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)]
    )  # fmt: skip
    slots = np.column_stack((wedge(n, 2.0), np.arange(n)))
    placed = in_world(slots, np.array([1.0, 2.0, 3.0]), forward)
    before = np.linalg.norm(slots[:, None] - slots[None], axis=2)
    after = np.linalg.norm(placed[:, None] - placed[None], axis=2)
    np.testing.assert_allclose(after, before, atol=1e-9)
    np.testing.assert_allclose((placed - (1.0, 2.0, 3.0)) @ forward, slots[:, 0], atol=1e-9)
    flat = in_world(slots[:, :2], np.zeros(2), np.array([np.cos(yaw), np.sin(yaw)]))
    level = in_world(slots[:, :2], np.zeros(3), np.array([np.cos(yaw), np.sin(yaw), 0.0]))
    np.testing.assert_allclose(level, np.column_stack((flat, np.zeros(n))), atol=1e-12)


def test_left_and_up():
    placed = in_world(np.array([(0.0, 1.0, 2.0)]), np.zeros(3), np.array([1.0, 0.0, 0.0]))
    assert placed.tolist() == [[0.0, 1.0, 2.0]]
    steep = in_world(np.array([(1.0, 1.0, 0.0)]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    assert steep.tolist() == [[0.0, 1.0, 1.0]]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_cannot_be_used_is_named(pattern):
    for n in (-1, 2.5, np.nan):
        with pytest.raises(InputError, match="n is"):
            pattern(n, 1.0)
    for spacing in (-1.0, np.nan, np.inf):
        with pytest.raises(InputError, match="spacing is"):
            pattern(3, spacing)


def test_the_order_of_slots():
    assert [np.sign(y) for y in wedge(5, 1.0)[:, 1]] == [0.0, 1.0, -1.0, 1.0, -1.0]
    assert (np.diff(line(5, 1.0)[:, 1]) < 0.0).all()
    angles = np.unwrap(np.arctan2(*circle(5, 1.0).T[::-1]))
    np.testing.assert_allclose(angles, np.arange(5) * 0.4 * np.pi, atol=1e-12)


@pytest.mark.parametrize(("n", "wide"), [(1, 1), (2, 2), (4, 2), (5, 3), (9, 3), (10, 4)])
def test_a_square_is_as_wide_as_it_must_be_and_its_first_rank_is_centred(n, wide):
    slots = square(n, 2.0)
    first = slots[slots[:, 0] == 0.0]
    assert len(first) == min(n, wide)
    assert (slots[:, 0] <= 0.0).all()
    if n >= wide:
        assert first[:, 1].sum() == pytest.approx(0.0, abs=1e-12)
