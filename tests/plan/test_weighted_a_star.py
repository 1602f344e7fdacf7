"""A* over terrain finds the cheapest paths, however far apart the costs of cells are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_grids import check_steps, distances, graph_of, random_grid
from scipy.ndimage import distance_transform_edt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from headway.errors import InputError
from headway.plan import terrain_spread
from headway.plan.a_star import a_star
from headway.plan.field import distance_field
from headway.plan.path import Path, Status
from headway.plan.scratch import borrow, give_back
from headway.plan.weighted_a_star import weighted_a_star
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

RULES = list(CornerRule)


def patches(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Large patches of few costs, where only the steps of canonical paths are tried."""
    size = int(rng.integers(3, 9))
    coarse = -(-shape[0] // size), -(-shape[1] // size)
    costs = rng.integers(1, 4, coarse).astype(float)
    return np.kron(costs, np.ones((size, size)))[: shape[0], : shape[1]]


def away(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """How far each cell is from the nearest of some, as in a buffer around obstacles."""
    return distance_transform_edt(rng.random(shape) >= 0.03)


TERRAINS = {
    "even": lambda rng, shape: np.ones(shape),
    "mild": lambda rng, shape: rng.uniform(1.0, 10.0, shape),
    "whole": lambda rng, shape: rng.integers(1, 5, shape).astype(float),
    "thousandfold": lambda rng, shape: rng.uniform(1.0, 1000.0, shape),
    "lava": lambda rng, shape: np.where(rng.random(shape) < 0.2, 1e9, rng.uniform(1, 3, shape)),
    "all scales": lambda rng, shape: 10.0 ** rng.uniform(-9.0, 9.0, shape),
    "cheap": lambda rng, shape: rng.uniform(1e-9, 3e-9, shape),
    "patches": patches,
    "soft": lambda rng, shape: 1.0 + 4.0 * np.clip(1.0 - away(rng, shape) / 3.0, 0.0, 1.0),
}


def terrain(rng: np.random.Generator, kind: str, blocked: float, *shape: int) -> Grid:
    return Grid(rng.random(shape) >= blocked, TERRAINS[kind](rng, shape))


def walked(grid: Grid, path: Path) -> float:
    """What the steps of a path cost, added up."""
    assert grid.cost is not None
    prices = grid.cost[tuple(path.cells.T)]
    lengths = np.hypot(*np.diff(path.cells, axis=0).T) * grid.cell_size
    return float((lengths * (prices[1:] + prices[:-1]) / 2.0).sum())


def check_pairs(grid: Grid, rule: CornerRule, rng: np.random.Generator, count: int) -> None:
    cells = np.argwhere(grid.free)
    starts, goals = cells[rng.integers(0, len(cells), (2, count))]
    for start, goal, away in zip(starts, goals, distances(grid, starts, rule), strict=True):
        path = weighted_a_star(grid, start, goal, rule)
        expected = away[tuple(goal)] * grid.cell_size
        assert path.found == np.isfinite(expected)
        if path.found:
            assert path.cost == pytest.approx(expected, rel=1e-9, abs=1e-15)
            assert walked(grid, path) == pytest.approx(expected, rel=1e-9, abs=1e-15)
            assert path.cells[[0, -1]].tolist() == [start.tolist(), goal.tolist()]
            check_steps(grid, path, rule)
        else:
            assert path.status == Status.UNREACHABLE


@pytest.mark.parametrize("kind", TERRAINS)
@pytest.mark.parametrize("rule", RULES)
def test_costs_are_those_of_dijkstra(kind: str, rule: CornerRule) -> None:
    rng = np.random.default_rng(list(TERRAINS).index(kind))
    for shape in [(9, 9), (3, 40), (25, 21)]:
        check_pairs(terrain(rng, kind, 0.2, *shape), rule, rng, 10)


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 8), st.floats(0.0, 0.5),
    st.sampled_from(sorted(TERRAINS)), st.sampled_from(RULES),
)  # fmt: skip
def test_costs_on_small_grids(
    seed: int, rows: int, columns: int, blocked: float, kind: str, rule: CornerRule
) -> None:
    rng = np.random.default_rng(seed)
    free = rng.random((rows, columns)) >= blocked
    free[0, 0] = True
    cost = TERRAINS[kind](rng, (rows, columns))
    check_pairs(Grid(free, cost, cell_size=0.25, origin=(3.0, -1.0)), rule, rng, 3)


def graph_of_entered(grid: Grid, rule: CornerRule, diagonal: float) -> csr_array:
    """Steps that cost what the cell does that they enter."""
    graph = graph_of(Grid(grid.free), rule).tocoo()
    assert grid.cost is not None
    length = np.where(graph.data > 1.2, diagonal, 1.0)
    start, end = graph.coords
    return csr_array((length * grid.cost.ravel()[end], (start, end)), shape=graph.shape)


@pytest.mark.parametrize("kind", ["mild", "even", "patches", "soft"])
@pytest.mark.parametrize("diagonal", [1.0, 1.2, 2.0**0.5, 2.0])
@pytest.mark.parametrize("rule", RULES)
def test_costs_of_entered_cells_are_those_of_dijkstra(
    rule: CornerRule, diagonal: float, kind: str
) -> None:
    rng = np.random.default_rng(11)
    grid = terrain(rng, kind, 0.15, 15, 22)
    cells = np.argwhere(grid.free)
    starts, goals = cells[rng.integers(0, len(cells), (2, 12))]
    numbers = starts[:, 0] * grid.columns + starts[:, 1]
    aways = dijkstra(graph_of_entered(grid, rule, diagonal), indices=numbers)
    for start, goal, away in zip(starts, goals, aways, strict=True):
        path = weighted_a_star(grid, start, goal, rule, charge="entered", diagonal=diagonal)
        assert path.cost == pytest.approx(away[goal[0] * grid.columns + goal[1]], rel=1e-9)
        assert not path.found or path.cells[-1].tolist() == goal.tolist()


def test_a_diagonal_may_cost_as_much_as_two_straight_steps() -> None:
    """Then each can take the place of the other, and must not be left out for its sake."""
    free = np.random.default_rng(3).random((20, 20)) >= 0.2
    grid = Grid(free, np.full(free.shape, 3.7))
    cells = np.argwhere(free)
    away = dijkstra(graph_of_entered(grid, CornerRule.ONE_FREE, 2.0)).reshape(grid.shape * 2)
    for start in cells[::9]:
        for goal in cells[::3]:
            path = weighted_a_star(grid, start, goal, "one_free", diagonal=2.0)
            assert path.cost == pytest.approx(away[tuple(start)][tuple(goal)], rel=1e-9)


@pytest.mark.parametrize("kind", ["even", "patches", "soft"])
@pytest.mark.parametrize("rule", RULES)
def test_no_cell_is_missed_where_the_terrain_is_even(rule: CornerRule, kind: str) -> None:
    """Every cell, not only those on the way to one goal, gets what Dijkstra's algorithm says."""
    rng = np.random.default_rng(19)
    for blocked in (0.0, 0.03, 0.15, 0.3):
        grid = terrain(rng, kind, blocked, 24, 31)
        cells = np.argwhere(grid.free)
        starts = cells[rng.integers(0, len(cells), 3)]
        for start, expected in zip(starts, distances(grid, starts, rule), strict=True):
            found = distance_field(grid, [start], rule).distance
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_two_by_four_map_costs_4_and_not_5() -> None:
    """With the cost of the cell at hand in the estimate, the dear cell is never tried in time."""
    grid = Grid(np.ones((2, 4)), [[1.0, 2.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    path = weighted_a_star(grid, (0, 0), (0, 3), "no_diagonal", charge="entered")
    assert path.cost == 4.0
    assert path.cells.tolist() == [[0, 0], [0, 1], [0, 2], [0, 3]]


def test_terrain_is_not_crossed_where_the_way_round_is_cheaper() -> None:
    cost = np.ones((21, 21))
    cost[3:18, 10] = 50.0
    path = weighted_a_star(Grid(np.ones((21, 21)), cost), (10, 2), (10, 18))
    rows = path.cells[path.cells[:, 1] == 10, 0]
    assert ((rows < 3) | (rows >= 18)).all()


@pytest.mark.parametrize("rule", RULES)
def test_a_cost_is_the_same_back_and_on_the_map_laid_on_its_side(rule: CornerRule) -> None:
    rng = np.random.default_rng(12)
    grid = terrain(rng, "mild", 0.2, 50, 70)
    assert grid.cost is not None
    turned = Grid(grid.free.T, grid.cost.T)
    cells = np.argwhere(grid.free)
    for start, goal in cells[rng.integers(0, len(cells), (20, 2))].tolist():
        cost = weighted_a_star(grid, start, goal, rule).cost
        back = weighted_a_star(grid, goal, start, rule).cost
        assert back == pytest.approx(cost, rel=1e-12)
        side = weighted_a_star(turned, start[::-1], goal[::-1], rule).cost
        assert side == pytest.approx(cost, rel=1e-12)


def test_on_even_ground_it_is_plain_a_star() -> None:
    rng = np.random.default_rng(13)
    grid = random_grid(rng, 0.3, 50, 60)
    even = Grid(grid.free, np.full(grid.shape, 2.5))
    cells = np.argwhere(grid.free)
    for start, goal in cells[rng.integers(0, len(cells), (20, 2))].tolist():
        plain = a_star(grid, start, goal)
        assert weighted_a_star(grid, start, goal).cost == pytest.approx(plain.cost, rel=1e-12)
        assert weighted_a_star(even, start, goal).cost == pytest.approx(2.5 * plain.cost, rel=1e-12)


def test_costs_stay_right_while_the_terrain_changes() -> None:
    rng = np.random.default_rng(14)
    grid = terrain(rng, "mild", 0.2, 20, 22)
    for turn in range(15):
        price = 10.0 ** rng.uniform(-3.0, 4.0) if turn % 2 else None
        grid.set(rng.integers(0, grid.shape, (6, 2)), bool(rng.random() < 0.7), price)
        check_pairs(grid, CornerRule.NEVER_CUT, rng, 3)


def test_the_same_query_gives_the_same_bytes() -> None:
    rng = np.random.default_rng(15)
    grid = terrain(rng, "whole", 0.2, 60, 60)
    cells = np.argwhere(grid.free)
    queries = cells[rng.integers(0, len(cells), (12, 2))].tolist()
    fresh = [weighted_a_star(grid.copy(), *query, trace=True) for query in queries]
    for query, first in zip(queries[::-1], fresh[::-1], strict=True):
        again = weighted_a_star(grid, *query, trace=True)
        assert again.cells.tobytes() == first.cells.tobytes()
        assert (again.cost, again.expanded) == (first.cost, first.expanded)
        assert again.searched is not None
        assert first.searched is not None
        assert again.searched.tobytes() == first.searched.tobytes()


def test_searched_are_the_cells_given_a_cost() -> None:
    rng = np.random.default_rng(16)
    grid = terrain(rng, "mild", 0.1, 20, 30)
    path = weighted_a_star(grid, *np.argwhere(grid.free)[[0, -1]].tolist(), trace=True)
    assert path.searched is not None
    searched = {tuple(cell) for cell in path.searched.tolist()}
    assert {tuple(cell) for cell in path.cells.tolist()} <= searched
    assert len(searched) == len(path.searched)
    assert grid.free[tuple(path.searched.T)].all()


def test_a_queue_that_is_too_short_grows() -> None:
    rng = np.random.default_rng(17)
    grid = terrain(rng, "mild", 0.1, 40, 40)
    scratch = terrain_spread.make_scratch(grid)
    give_back(grid, "terrain", scratch._replace(queue=np.empty(0, np.int64)))
    check_pairs(grid, CornerRule.NEVER_CUT, rng, 5)
    assert len(borrow(grid, "terrain", terrain_spread.make_scratch).queue) > terrain_spread.ROOM


def test_a_budget_is_kept() -> None:
    rng = np.random.default_rng(18)
    grid = terrain(rng, "mild", 0.1, 30, 30)
    ends = np.argwhere(grid.free)[[0, -1]].tolist()
    need = weighted_a_star(grid, *ends).expanded
    assert weighted_a_star(grid, *ends, budget=need).found
    short = weighted_a_star(grid, *ends, budget=need - 1)
    assert (short.status, short.expanded) == (Status.OUT_OF_BUDGET, need - 1)
    assert weighted_a_star(grid, *ends).found  # nothing is left over from the search given up


@pytest.mark.parametrize(
    "option", [{"charge": "left"}, {"diagonal": 0.9}, {"diagonal": np.nan}, {"budget": 0}]
)
def test_misuse_is_refused(option: dict) -> None:
    with pytest.raises(InputError):
        weighted_a_star(Grid([[1, 1]]), (0, 0), (0, 1), **option)


def test_failures_have_names() -> None:
    grid = Grid([[1, 0, 1, 1]], np.ones((1, 4)))
    goals = [(0, 0), (0, 1), (0, 2), (0, 3), (5, 5)]
    statuses = [weighted_a_star(grid, (0, 2), goal).status for goal in goals]
    assert statuses == ["unreachable", "goal blocked", "already there", "found", "out of bounds"]
