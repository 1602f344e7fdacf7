"""The changing world: fair to who walks in it, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import label

from headway.errors import InputError
from headway.world.changing_rooms import changing_rooms
from headway.world.clearance import clearance

SEEDS = range(40)


def after_all_changes(world):
    grid = world.grid.copy()
    for change in world.changes:
        grid.set(change.cells, change.free)
    return grid


@pytest.mark.parametrize("seed", SEEDS)
def test_the_goal_can_be_reached_in_the_end(seed):
    world = changing_rooms(seed)
    parts, _ = label(after_all_changes(world).free)
    assert parts[world.start] == parts[world.goal] != 0


@pytest.mark.parametrize("seed", SEEDS)
def test_every_door_that_closes_opens_again_and_walls_stay(seed):
    world = changing_rooms(seed)
    grid = world.grid.copy()
    for change in world.changes:
        rows, columns = change.cells.T
        if "door" in change.why:
            assert bool(grid.free[rows, columns].all()) is not change.free
        else:
            assert not change.free
        grid.set(change.cells, change.free)
    walls = {tuple(cell) for c in world.changes if "wall" in c.why for cell in c.cells.tolist()}
    lost = np.argwhere(np.array(world.grid.free) & ~grid.free)
    assert {tuple(cell) for cell in lost.tolist()} == walls


@pytest.mark.parametrize("seed", SEEDS)
def test_there_is_something_of_each_kind_in_order_of_time(seed):
    changes = changing_rooms(seed).changes
    ticks = [change.tick for change in changes]
    assert ticks == sorted(ticks)
    words = " ".join(change.why for change in changes)
    assert "wall appears" in words
    assert "door closes" in words
    assert "door opens" in words


def test_the_seed_alone_decides():
    one, same, other = changing_rooms(4), changing_rooms(4), changing_rooms(5)
    assert (one.grid.free == same.grid.free).all()
    assert [(c.tick, c.cells.tolist(), c.free) for c in one.changes] == [
        (c.tick, c.cells.tolist(), c.free) for c in same.changes
    ]
    assert (one.grid.free != other.grid.free).any()


@pytest.mark.parametrize("radius", [0.0, 0.5, 0.51, 1.5, 2.5])
@pytest.mark.parametrize("seed", range(5))
def test_an_agent_of_the_radius_fits_in_the_end(radius, seed):
    world = changing_rooms(seed, radius)
    parts, _ = label(clearance(after_all_changes(world)) >= max(radius, 0.5))
    assert parts[world.start] == parts[world.goal] != 0


def test_a_radius_that_does_not_fit_is_refused_with_the_largest_that_does():
    assert changing_rooms(1, 0.5).grid.shape == changing_rooms(1).grid.shape
    for radius in (2.6, -0.1, float("nan"), float("inf")):
        with pytest.raises(InputError, match=r"give 0 to 2\.5 m, the largest that fits"):
            changing_rooms(1, radius)


def test_a_seed_is_a_whole_number():
    with pytest.raises(InputError, match=r"seed is 1\.5"):
        changing_rooms(1.5)  # type: ignore[arg-type]
