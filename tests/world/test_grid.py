"""The grid: its frame, its changes and their log, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.world.grid import LOG_SIZE, Grid


def test_rows_grow_with_y_and_columns_with_x() -> None:
    grid = Grid(np.ones((3, 5)), cell_size=0.5, origin=(10.0, -2.0))
    assert grid.centres([(2, 4)]).tolist() == [[12.25, -0.75]]
    assert grid.cells_at([(12.25, -0.75)]).tolist() == [[2, 4]]
    assert grid.cells_at([(9.99, -2.01)]).tolist() == [[-1, -1]]


@given(
    st.integers(0, 40), st.integers(0, 40), st.floats(0.01, 50.0), st.floats(-1e3, 1e3),
    st.floats(-1e3, 1e3),
)  # fmt: skip
def test_every_centre_lies_in_its_cell(
    row: int, column: int, size: float, x: float, y: float
) -> None:
    grid = Grid(np.ones((41, 41)), cell_size=size, origin=(x, y))
    assert grid.cells_at(grid.centres([(row, column)])).tolist() == [[row, column]]


def test_changes_are_counted_and_listed() -> None:
    grid = Grid(np.ones((4, 6)))
    assert grid.version == 0
    grid.set([(0, 0), (1, 2), (1, 2)], free=False)
    assert grid.version == 2  # the repeated cell changed once
    grid.fill((0, 0), (2, 3), free=False)
    before = grid.version
    assert before == 6
    grid.paste((0, 0), [[False, True]])
    changed = grid.changed_since(before)
    assert changed is not None
    assert [divmod(int(cell), grid.stride) for cell in changed] == [(1, 2)]
    assert grid.free.sum() == 24 - 6 + 1
    whole = grid.changed_since(0)
    assert whole is not None
    assert len(whole) == grid.version


def test_a_change_too_long_ago_is_forgotten_and_said_so() -> None:
    grid = Grid(np.ones((300, 300)))
    grid.fill((0, 0), (300, 200), free=False)
    kept = grid.version - LOG_SIZE + 60_000
    assert grid.changed_since(0) is not None
    grid.fill((0, 0), (300, 200), free=True)
    assert grid.version == 120_000
    assert grid.changed_since(0) is None
    recent = grid.changed_since(kept)
    assert recent is not None
    assert len(recent) == 120_000 - kept


def test_costs_change_with_their_lower_bound() -> None:
    grid = Grid([[1, 1, 0]], [[2.0, 3.0, 1.5]])
    assert grid.min_cost == 2.0
    grid.set([(0, 2)], free=True)
    assert grid.min_cost == 1.5
    grid.set([(0, 0)], free=True, cost=0.5)
    assert (grid.min_cost, grid.version) == (0.5, 2)
    grid.paste((0, 1), [[True, True]], [[0.25, 4.0]])
    assert grid.min_cost == 0.25
    assert grid.cost is not None
    assert grid.cost.tolist() == [[0.5, 0.25, 4.0]]


def test_what_is_shown_cannot_be_written_past_the_log() -> None:
    grid = Grid(np.ones((2, 2)), np.ones((2, 2)))
    assert grid.cost is not None
    for view in (grid.free, grid.cost):
        with pytest.raises(ValueError, match="read-only"):
            view[0, 0] = 0


def test_the_grid_keeps_no_hold_of_the_arrays_it_was_made_of() -> None:
    cells, prices = np.ones((2, 2), bool), np.ones((2, 2))
    grid = Grid(cells, prices)
    cells[:] = False
    prices[:] = 7.0
    assert grid.free.all()
    assert grid.cost is not None
    assert (grid.cost == 1.0).all()


def test_a_copy_changes_on_its_own() -> None:
    grid = Grid(np.ones((2, 2)), cell_size=2.0, origin=(1.0, 1.0))
    grid.set([(0, 0)], free=False)
    twin = grid.copy()
    twin.set([(1, 1)], free=False)
    assert grid.is_free((1, 1))
    assert not twin.is_free((0, 0))
    assert (twin.cell_size, twin.origin, twin.version) == (2.0, (1.0, 1.0), 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([1, 1],), r"free has shape \(2,\)"),
        (([[1, np.nan]],), "NaN or infinity"),
        ((np.ones((0, 4)),), "at least one cell"),
        (([["a", "b"]],), "cannot be read as an array of cells"),
        (([[1, 1], [1]],), "cannot be read as an array of cells"),
        (([[1, 1]], [[1.0]]), r"cost has shape \(1, 1\); give one value per cell, \(1, 2\)"),
        (([[1, 1]], [[1.0, -2.0]]), r"cost is -2 in cell \(0, 1\)"),
        (([[1, 1]], [[np.nan, 2.0]]), r"cost is nan in cell \(0, 0\)"),
        (([[1, 1]], [[np.inf, 2.0]]), r"mark cells that may not be entered as not free"),
    ],
)
def test_cells_that_cannot_be_used_are_refused(arguments: tuple, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Grid(*arguments)


@pytest.mark.parametrize("size", [0.0, -1.0, float("nan"), float("inf"), "wide"])
def test_a_cell_size_that_cannot_be_used_is_refused(size: object) -> None:
    with pytest.raises(InputError, match="cell_size"):
        Grid([[1]], cell_size=size)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda grid: grid.set([(0, 2)], free=True), r"cell \(0, 2\) lies off the map"),
        (lambda grid: grid.set([(-1, 0)], free=True), r"cell \(-1, 0\) lies off the map"),
        (lambda grid: grid.set([(0.5, 0)], free=True), "whole numbers, row and column"),
        (lambda grid: grid.set([(0, 0)], free=True, cost=2.0), "no terrain cost"),
        (lambda grid: grid.set([(0, 0), (0, 1)], [True, False]), "free is .True, False."),
        (lambda grid: grid.set([(0, 0)], "no"), "free is 'no'; give True or False"),
        (lambda grid: grid.fill((0, 0), (1, 1), "no"), "free is 'no'"),
        (lambda grid: grid.changed_since(-1), "version is -1; give one of 0 to 0"),
        (lambda grid: grid.changed_since(7), "version is 7"),
        (lambda grid: Grid([[1]], origin=5), "origin is 5; give two numbers"),
        (lambda grid: grid.paste((1, 1), np.ones((2, 1))), "does not lie on the map"),
        (lambda grid: grid.paste((-1, 0), np.ones((1, 1))), "does not lie on the map"),
        (lambda grid: grid.paste((0.5, 0), np.ones((1, 1))), "top_left is .0.5, 0.; give whole"),
        (lambda grid: grid.paste((0,), np.ones((1, 1))), "top_left"),
        (lambda grid: grid.fill((0, 0), (3, 1), free=False), "does not fit the map"),
        (lambda grid: grid.cells_at([(np.nan, 0.0)]), "NaN or infinity"),
        (lambda grid: grid.centres([(1, 2, 3)]), r"shape \(1, 3\)"),
    ],
)
def test_changes_that_cannot_be_made_are_refused_and_change_nothing(change, said) -> None:
    grid = Grid(np.ones((2, 2)))
    with pytest.raises(InputError, match=said):
        change(grid)
    assert grid.version == 0
    assert grid.free.all()


def test_a_price_that_stays_is_no_change() -> None:
    grid = Grid([[1, 1]], [[2.0, 3.0]])
    grid.paste((0, 0), [[True, True]], [[2.0, 3.0]])
    grid.set([(0, 0)], free=True, cost=2.0)
    assert grid.version == 0
    grid.paste((0, 0), [[True, True]], [[2.0, 4.0]])
    assert grid.version == 1


def test_a_pasted_opening_lowers_the_bound_of_costs() -> None:
    grid = Grid([[1, 1, 0]], [[2.0, 3.0, 1.5]])
    grid.paste((0, 2), [[True]])
    assert grid.min_cost == 1.5


def test_a_patch_may_be_a_view_and_may_be_read_only() -> None:
    patch = np.random.default_rng(0).random((3, 4)) < 0.5
    frozen = patch.copy()
    frozen.flags.writeable = False
    for view in (patch.T, patch[::2, ::-1], frozen):
        grid = Grid(np.ones((4, 4)))
        grid.paste((0, 0), view)
        assert (grid.free[: view.shape[0], : view.shape[1]] == view).all()


@pytest.mark.parametrize("price", [0.0, 0.9e-9, 1.1e9])
def test_a_price_too_low_or_too_high_is_refused(price: float) -> None:
    with pytest.raises(InputError, match="give 1e-9 to 1e9"):
        Grid([[1, 1]], [[1.0, price]])


@pytest.mark.parametrize("shape", [(-1, 1), (1, -1), (1, 3)])
def test_a_shape_that_does_not_fit_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="does not fit the map"):
        Grid(np.ones((2, 2))).fill((0, 0), shape, free=False)
