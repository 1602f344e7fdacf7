from __future__ import annotations

import numpy as np
import pytest
from any_angle_oracle import KINDS, see, sees_by_fractions, small_map
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from headway.errors import InputError
from headway.plan.line_of_sight import visible
from headway.world.grid import Grid

MAPS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=6), fill=st.just(True))


def pairs(free):
    cells = np.argwhere(free)
    i, j = (index.ravel() for index in np.indices((len(cells), len(cells))))
    return cells[i], cells[j]


@settings(max_examples=60)
@given(MAPS)
def test_all_pairs_see_each_other_as_fractions_say(free):
    grid = Grid(free)
    a, b = pairs(free)
    expected = [sees_by_fractions(free, *pair) for pair in zip(a, b, strict=True)]
    assert [visible(grid, *pair) for pair in zip(a, b, strict=True)] == expected
    assert see(free, a, b).tolist() == expected  # the faster oracle that other tests go by


@pytest.mark.parametrize("shape", [(7, 200), (200, 7), (70, 140), (130, 66)])
@pytest.mark.parametrize("blocked", [0.002, 0.02])
def test_long_segments_across_many_words(shape, blocked):
    rng = np.random.default_rng(shape[0])
    free = rng.random(shape) >= blocked
    grid = Grid(free)
    cells = np.argwhere(free)
    a, b = cells[rng.integers(len(cells), size=(2, 1500))]
    expected = see(free, a, b)
    assert 0 < expected.sum() < len(expected)
    assert [visible(grid, *pair) for pair in zip(a, b, strict=True)] == expected.tolist()
    assert [visible(grid, *pair) for pair in zip(b, a, strict=True)] == expected.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_see_each_other_if_a_step_cuts_no_corner(kind):
    free = small_map(kind, 3)
    grid = Grid(free)
    a, b = pairs(free)
    near = (np.abs(a - b).max(axis=1) == 1).nonzero()[0]
    for k in near:
        between = free[a[k, 0], b[k, 1]] and free[b[k, 0], a[k, 1]]
        assert visible(grid, a[k], b[k]) == between


def test_it_follows_changes_of_the_grid():
    grid = Grid(np.ones((5, 5)))
    assert visible(grid, (0, 0), (4, 4))
    grid.set([(2, 3)], free=False)
    assert not visible(grid, (0, 0), (4, 4))
    grid.set([(2, 3)], free=True)
    assert visible(grid, (0, 0), (4, 4))


def test_a_lane_as_wide_as_a_cell_is_seen_along():
    assert visible(Grid([[1, 1, 1, 1]]), (0, 0), (0, 3))
    assert visible(Grid([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), (2, 1), (0, 1))


def test_blocked_and_outlying_cells_see_nothing():
    grid = Grid([[1, 0], [1, 1]])
    assert visible(grid, (0, 0), (0, 0))
    assert not visible(grid, (0, 1), (0, 1))
    assert not visible(grid, (0, 0), (0, 1))
    assert not visible(grid, (0, 0), (-1, 0))
    assert not visible(grid, (2, 0), (1, 0))


@pytest.mark.parametrize("cell", [(0.5, 0), (0,), None, "ab", (float("nan"), 0)])
def test_cells_that_are_none_are_refused(cell):
    with pytest.raises(InputError, match="whole numbers"):
        visible(Grid([[1, 1]]), (0, 0), cell)
