"""Nearest cells against a look at all cells, partial paths against costs to all cells."""

from __future__ import annotations

import math

import numpy as np
import pytest
from grid_oracle import costs_from, walked_cost
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import ndimage

from headway.errors import InputError
from headway.plan.a_star import a_star
from headway.plan.nearest import nearest_free, partial_path
from headway.plan.path import Path, Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

SIDE = 12
MAPS = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=SIDE))
CELLS = st.tuples(st.integers(-4, SIDE + 4), st.integers(-4, SIDE + 4))
Cell = tuple[int, int]


def squares(shape: tuple[int, ...], cell: Cell) -> np.ndarray:
    """Squared distance of all cells from one, in cells."""
    rows, columns = np.indices(shape)
    return (rows - cell[0]) ** 2 + (columns - cell[1]) ** 2


def first_nearest(wanted: np.ndarray, cell: Cell) -> tuple[Cell | None, float]:
    """The nearest wanted cell in order of rows and columns, and how far it is."""
    away = np.where(wanted, squares(wanted.shape, cell), np.iinfo(np.int64).max)
    if not wanted.any():
        return None, math.inf
    row, column = np.unravel_index(away.argmin(), wanted.shape)
    return (int(row), int(column)), math.sqrt(away.min())


@given(MAPS, CELLS, st.none() | st.floats(0.0, 12.0) | st.integers(0, 12))
def test_the_nearest_free_cell(free: np.ndarray, cell: Cell, radius: float | None) -> None:
    wanted, away = first_nearest(free, cell)
    if radius is not None and away > radius:
        wanted = None
    grid = Grid(free, cell_size=0.1)
    assert nearest_free(grid, cell, None if radius is None else 0.1 * radius) == wanted


@given(MAPS, CELLS, CELLS, st.sampled_from(list(CornerRule)))
def test_the_nearest_cell_in_reach(
    free: np.ndarray, cell: Cell, origin: Cell, rule: CornerRule
) -> None:
    labels, _ = ndimage.label(free, np.ones((3, 3)) if rule == CornerRule.ALWAYS else None)  # pyright: ignore
    wanted = np.zeros_like(free)
    if 0 <= origin[0] < len(free) and 0 <= origin[1] < len(free[0]) and free[origin]:
        wanted = labels == labels[origin]
    got = nearest_free(Grid(free), cell, reachable_from=origin, rule=rule)
    assert got == first_nearest(wanted, cell)[0]


def test_a_door_that_closed_counts_at_once() -> None:
    grid = Grid([[1, 1, 1, 1, 1]])
    assert nearest_free(grid, (0, 4), reachable_from=(0, 0)) == (0, 4)
    grid.set([(0, 2)], free=False)
    assert nearest_free(grid, (0, 4), reachable_from=(0, 0)) == (0, 1)


def test_large_maps_and_cells_far_away() -> None:
    random = np.random.default_rng(2)
    free = random.random((90, 140)) > 0.995
    grid = Grid(free)
    for cell in np.column_stack((random.integers(-200, 300, 60), random.integers(-200, 300, 60))):
        assert nearest_free(grid, cell) == first_nearest(free, tuple(cell.tolist()))[0]
    assert nearest_free(Grid([[1, 1, 1]]), (10**8, 5)) == (0, 2)
    assert nearest_free(Grid([[1, 1, 1]]), (10**30, 5)) is None
    assert nearest_free(Grid([[0, 0, 0]]), (5, 5)) is None


def test_as_many_ties_as_a_circle_has() -> None:
    free = np.zeros((131, 131), bool)
    rows, columns = np.indices(free.shape) - 65
    free[rows**2 + columns**2 == 65**2] = True
    assert free.sum() == 36
    assert nearest_free(Grid(free), (65, 65)) == (0, 65)


@pytest.mark.parametrize("radius", [-1.0, math.nan, "far"])
def test_radii_that_make_no_sense(radius: object) -> None:
    with pytest.raises(InputError, match="max_radius"):
        nearest_free(Grid([[1]]), (0, 0), radius)  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", [(0.5, 0), (0,), "ab", None, (0, math.nan)])
def test_what_is_no_cell(cell: object) -> None:
    grid = Grid([[1]])
    with pytest.raises(InputError, match=r"^cell"):
        nearest_free(grid, cell)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^goal"):
        partial_path(grid, (0, 0), cell)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^start"):
        partial_path(grid, cell, (0, 0))  # type: ignore[arg-type]


@settings(max_examples=200)
@given(MAPS, st.data(), st.sampled_from(list(CornerRule)), st.booleans())
def test_partial_paths_end_nearest_and_cost_least(
    free: np.ndarray, data: st.DataObject, rule: CornerRule, weighted: bool
) -> None:
    cost = 1.0 + np.arange(free.size).reshape(free.shape) * 7 % 5 if weighted else None
    grid = Grid(free, cost, cell_size=0.5)
    prices = np.ones(free.shape) if cost is None else cost
    places = [tuple(cell) for cell in np.argwhere(free).tolist()]
    goal = data.draw(CELLS)
    if not places:
        return
    start = data.draw(st.sampled_from(places))
    path = partial_path(grid, start, goal, rule)
    costs = 0.5 * costs_from(free, prices, int(rule), *start)
    away = np.where(np.isinf(costs), np.iinfo(np.int64).max, squares(free.shape, goal))
    least = away.min()
    end = tuple(path.cells[-1].tolist())
    assert tuple(path.cells[0].tolist()) == start
    assert away[end] == least
    assert path.cost == pytest.approx(costs[away == least].min(), rel=1e-9)
    assert path.cost == pytest.approx(0.5 * walked_cost(free, prices, int(rule), path.cells))
    assert path.found == (least == 0)
    if not path.found:
        assert path.status == Status.PARTIAL
        assert (
            f"ends {0.5 * math.sqrt(least):.4g} m from it, at ({end[0]}, {end[1]})" in path.reason
        )


WALL = [[1, 1, 1, 0, 1], [1, 1, 1, 0, 1], [1, 1, 1, 0, 1]]


@pytest.mark.parametrize(
    ("goal", "why"),
    [((1, 4), "cannot be reached"), ((1, 3), "is blocked"), ((1, 9), "lies off the map")],
)
def test_the_reason_says_what_is_wrong_with_the_goal(goal: Cell, why: str) -> None:
    path = partial_path(Grid(WALL), (2, 0), goal)
    assert path.status == Status.PARTIAL
    assert path.cells[-1].tolist() == [1, 2]
    assert f"the goal ({goal[0]}, {goal[1]}) {why}" in path.reason
    assert not path.found


def test_of_equally_near_ends_the_cheapest_to_reach_is_chosen() -> None:
    free = np.ones((5, 5))
    free[2, 2] = 0
    for start, end in (((2, 0), [2, 1]), ((0, 2), [1, 2]), ((2, 4), [2, 3]), ((4, 2), [3, 2])):
        assert partial_path(Grid(free), start, (2, 2)).cells[-1].tolist() == end


def test_a_goal_in_reach_is_reached_and_a_start_in_a_wall_is_not_left() -> None:
    grid = Grid(WALL)
    assert partial_path(grid, (0, 0), (2, 2)).status == Status.FOUND
    assert partial_path(grid, (0, 0), (0, 0)).status == Status.ALREADY_THERE
    assert partial_path(grid, (0, 3), (0, 3)).status == Status.START_BLOCKED
    assert partial_path(grid, (0, 3), (0, 0)).status == Status.START_BLOCKED
    assert partial_path(grid, (9, 9), (0, 0)).status == Status.OUT_OF_BOUNDS
    assert partial_path(grid, (0, 0), (1, 4)).cells[-1].tolist() == [1, 2]
    assert partial_path(grid, (0, 0), (0, 9)).cells[-1].tolist() == [0, 2]
    with pytest.raises(InputError, match="too far off"):
        partial_path(grid, (0, 0), (0, 10**12))


def test_any_search_will_do() -> None:
    asked = []

    def search(grid: Grid, start: object, goal: object, rule: CornerRule) -> Path:
        asked.append((start, goal, rule))
        return a_star(grid, start, goal, rule)  # type: ignore[arg-type]

    path = partial_path(Grid(WALL), (2, 0), (1, 3), "no-diagonal", search)
    assert asked == [((2, 0), (1, 2), CornerRule.NO_DIAGONAL)]
    assert path.length == 3.0
