"""Walks through changing maps: what changes, how much, and never under the agent's feet."""

from __future__ import annotations

import numpy as np
import pytest

from headway.bench.changing_walks import PATTERNS, ChangingWalk, Pattern
from headway.plan.a_star import a_star
from headway.world.grid import Grid
from headway.world.worlds import rooms


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_the_agent_arrives_or_is_shut_in_and_never_stands_in_a_wall(pattern: Pattern) -> None:
    walk = ChangingWalk(rooms(6, 6, size=7), (1, 1), (47, 47), pattern)
    for _ in range(300):
        if walk.arrived:
            break
        walk.go(a_star(walk.grid, walk.agent, walk.goal).cells)
        walk.change()
        assert walk.grid.is_free(walk.agent)
        assert walk.grid.is_free(walk.goal)
    assert walk.agent != (1, 1)


@pytest.mark.parametrize("pattern", PATTERNS[1:], ids=lambda pattern: pattern.name)
def test_as_many_cells_change_as_the_pattern_says(pattern: Pattern) -> None:
    truth = Grid(np.ones((200, 200)))
    walk = ChangingWalk(truth, (100, 100), (0, 0), pattern)
    reach = 81 * 81 if pattern.window else 200 * 200
    walk.change()
    for _ in range(5):
        before, version = walk.grid.free.copy(), walk.grid.version
        walk.change()
        assert walk.grid.version - version == pytest.approx(pattern.share * reach, rel=0.1)
        rows, columns = np.nonzero(before != walk.grid.free)
        if pattern.window:
            assert max(np.abs(rows - 100).max(), np.abs(columns - 100).max()) <= 40


def test_cells_return_to_what_they_were() -> None:
    truth = rooms(4, 4, size=7)
    walk = ChangingWalk(truth, (1, 1), (31, 31), PATTERNS[5])
    for _ in range(20):
        walk.change()
    changed = np.count_nonzero(walk.grid.free != truth.free)
    assert changed <= 0.5 * 0.05 * truth.free.size + 20


def test_an_unknown_map_is_seen_within_sight_only() -> None:
    free = np.ones((60, 60), bool)
    free[30, :] = False
    walk = ChangingWalk(Grid(free), (10, 30), (59, 30), PATTERNS[0])
    assert not walk.change()
    assert walk.grid.free.all()
    walk.go(np.array([(10, 30), (21, 30)]))
    assert walk.change()
    assert not walk.grid.free[30, 30]
    assert walk.grid.free[30, 36]


def test_copies_change_alike_and_the_same_every_time() -> None:
    truth = rooms(4, 4, size=7)
    first, second = (ChangingWalk(truth, (1, 1), (31, 31), PATTERNS[4], copies=2) for _ in "12")
    for _ in range(3):
        first.change()
        second.change()
    for grid in (*first.grids, *second.grids):
        assert np.array_equal(grid.free, first.grid.free)
    assert len(first.grids) == 2
    assert truth.version == 0
