from __future__ import annotations

import numpy as np
import pytest

from headway.world.near_order import FEW, near_order


def order_of(places: np.ndarray) -> np.ndarray:
    order = np.full(len(places), -1)
    near_order(places.ravel(), places.shape[1], order)
    return order


@pytest.mark.parametrize("count", [0, 1, FEW, FEW + 1, 3000])
@pytest.mark.parametrize("d", [2, 3])
def test_every_place_has_its_turn(count: int, d: int) -> None:
    places = np.random.default_rng(count).normal(size=(count, d))
    assert np.array_equal(np.sort(order_of(places)), np.arange(count))


def test_those_that_follow_each_other_are_near() -> None:
    places = np.random.default_rng(0).uniform(size=(4000, 3))
    steps = np.linalg.norm(np.diff(places[order_of(places)], axis=0), axis=1)
    assert steps.mean() < 0.25 * np.linalg.norm(np.diff(places, axis=0), axis=1).mean()


def test_few_places_and_equal_ones_stay_as_they_are() -> None:
    few = np.random.default_rng(1).normal(size=(FEW, 3))
    assert np.array_equal(order_of(few), np.arange(FEW))
    assert np.array_equal(order_of(np.ones((500, 3))), np.arange(500))


def test_what_is_no_place_has_its_turn_too() -> None:
    places = np.random.default_rng(2).normal(size=(500, 3))
    places[7], places[8, 1], places[9, 2] = np.nan, np.inf, -1e300
    assert np.array_equal(np.sort(order_of(places)), np.arange(500))
    assert np.array_equal(np.sort(order_of(np.full((500, 3), np.nan))), np.arange(500))
