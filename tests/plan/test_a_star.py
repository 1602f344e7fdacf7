"""A* finds the cheapest paths under every corner rule, and says why there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_grids import allowed, check_steps, distances, graph_of, random_grid
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from headway.errors import InputError
from headway.plan import a_star as module
from headway.plan.a_star import a_star
from headway.plan.canonical_moves import MOVES
from headway.plan.moves import DOWN, NOWHERE, RIGHT
from headway.plan.path import DIAGONAL, Path, Status
from headway.plan.scratch import borrow, give_back
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

RULES = list(CornerRule)
SHAPES = [(9, 9), (3, 50), (50, 3), (1, 70), (30, 41)]


def check_pairs(grid: Grid, rule: CornerRule, rng: np.random.Generator, count: int) -> None:
    """Some queries give what Dijkstra's algorithm does, by steps that are allowed."""
    cells = np.argwhere(grid.free)
    starts, goals = cells[rng.integers(0, len(cells), (2, count))]
    for start, goal, away in zip(starts, goals, distances(grid, starts, rule), strict=True):
        check(a_star(grid, start, goal, rule), grid, start, goal, rule, away[tuple(goal)])


def check(path: Path, grid: Grid, start, goal, rule: CornerRule, away: float) -> None:
    expected = away * grid.cell_size
    assert path.found == np.isfinite(away)
    if path.found:
        assert abs(path.cost - expected) <= 1e-9 * max(1.0, expected)
        assert path.cells[[0, -1]].tolist() == [list(start), list(goal)]
        assert path.cells.flags.c_contiguous
        check_steps(grid, path, rule)
    else:
        assert path.status == Status.UNREACHABLE
        assert path.cost == path.length == np.inf


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("blocked", [0.0, 0.1, 0.25, 0.4])
@pytest.mark.parametrize("shape", SHAPES)
def test_costs_are_those_of_dijkstra(
    rule: CornerRule, blocked: float, shape: tuple[int, int]
) -> None:
    rng = np.random.default_rng(int(100 * blocked) + shape[0])
    check_pairs(random_grid(rng, blocked, *shape), rule, rng, 12)


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 9), st.floats(0.0, 0.6),
    st.sampled_from(RULES),
)  # fmt: skip
def test_costs_on_small_grids(
    seed: int, rows: int, columns: int, blocked: float, rule: CornerRule
) -> None:
    rng = np.random.default_rng(seed)
    free = rng.random((rows, columns)) >= blocked
    free[0, 0] = True
    check_pairs(Grid(free, cell_size=0.25, origin=(3.0, -1.0)), rule, rng, 3)


@pytest.mark.parametrize("rule", RULES)
def test_costs_stay_right_while_the_grid_changes(rule: CornerRule) -> None:
    rng = np.random.default_rng(4)
    grid = random_grid(rng, 0.3, 20, 27)
    for _ in range(15):
        grid.set(rng.integers(0, grid.shape, (12, 2)), bool(rng.random() < 0.5))
        check_pairs(grid, rule, rng, 3)


@pytest.mark.parametrize("rule", RULES)
def test_a_cost_is_the_same_back_and_on_the_map_laid_on_its_side(rule: CornerRule) -> None:
    rng = np.random.default_rng(5)
    grid = random_grid(rng, 0.25, 120, 150)
    turned = Grid(grid.free.T)
    cells = np.argwhere(grid.free)
    for start, goal in cells[rng.integers(0, len(cells), (40, 2))].tolist():
        cost = a_star(grid, start, goal, rule).cost
        assert a_star(grid, goal, start, rule).cost == cost
        assert a_star(turned, start[::-1], goal[::-1], rule).cost == cost


def test_stricter_rules_never_make_a_path_cheaper() -> None:
    rng = np.random.default_rng(6)
    grid = random_grid(rng, 0.3, 60, 60)
    cells = np.argwhere(grid.free)
    for start, goal in cells[rng.integers(0, len(cells), (60, 2))].tolist():
        order = "always", "one_free", "never_cut", "no_diagonal"
        costs = [a_star(grid, start, goal, rule).cost for rule in order]
        assert costs == sorted(costs)


def test_the_same_query_gives_the_same_bytes() -> None:
    rng = np.random.default_rng(7)
    grid = random_grid(rng, 0.2, 80, 80)
    cells = np.argwhere(grid.free)
    queries = cells[rng.integers(0, len(cells), (20, 2))].tolist()
    fresh = [a_star(grid.copy(), *query, trace=True) for query in queries]
    for query, first in zip(queries[::-1], fresh[::-1], strict=True):
        again = a_star(grid, *query, trace=True)
        assert again.cells.tobytes() == first.cells.tobytes()
        assert again.expanded == first.expanded
        assert again.searched is not None
        assert first.searched is not None
        assert again.searched.tobytes() == first.searched.tobytes()


def test_costs_are_cleared_when_there_is_no_lower_floor() -> None:
    rng = np.random.default_rng(8)
    grid = random_grid(rng, 0.25, 25, 25)
    span = len(grid.padded_free) * DIAGONAL
    floors = []
    for _ in range(12):
        scratch = borrow(grid, "astar", module.make_scratch)
        scratch.numbers[module.FLOOR] = min(scratch.numbers[module.FLOOR], 3 * span)
        give_back(grid, "astar", scratch)
        check_pairs(grid, CornerRule.NEVER_CUT, rng, 1)
        floors.append(int(scratch.numbers[module.FLOOR]))
    assert max(floors) > 2**61  # it was raised again
    assert min(floors) >= 0


def test_a_queue_that_is_too_short_grows() -> None:
    rng = np.random.default_rng(9)
    grid = random_grid(rng, 0.2, 60, 60)
    scratch = module.make_scratch(grid)
    give_back(grid, "astar", scratch._replace(queue=np.empty(0, np.int64)))
    check_pairs(grid, CornerRule.NEVER_CUT, rng, 6)
    assert len(borrow(grid, "astar", module.make_scratch).queue) > module.ROOM


def test_searched_are_the_cells_given_a_cost() -> None:
    grid = Grid(np.ones((30, 40)))
    path = a_star(grid, (3, 3), (20, 30), trace=True)
    assert path.searched is not None
    searched = {tuple(cell) for cell in path.searched.tolist()}
    assert {tuple(cell) for cell in path.cells.tolist()} <= searched
    assert len(searched) == len(path.searched) <= grid.rows * grid.columns
    assert a_star(grid, (3, 3), (20, 30)).searched is None


def test_a_search_in_the_open_looks_from_little_more_than_the_path() -> None:
    path = a_star(Grid(np.ones((100, 100))), (10, 10), (40, 90))
    assert path.expanded <= 1.2 * len(path.cells)


def test_a_budget_is_kept() -> None:
    rng = np.random.default_rng(10)
    grid = random_grid(rng, 0.3, 60, 60)
    free = np.argwhere(grid.free)
    queries = free[rng.integers(0, len(free), (30, 2))].tolist()
    needs = [(query, a_star(grid, *query)) for query in queries]
    for query, path in [(query, path) for query, path in needs if path.status == Status.FOUND]:
        assert a_star(grid, *query, budget=path.expanded).status == Status.FOUND
        if path.expanded > 1:
            short = a_star(grid, *query, budget=path.expanded - 1)
            assert short.status == Status.OUT_OF_BUDGET
            assert short.expanded == path.expanded - 1
            assert len(short.cells) == 0


@pytest.mark.parametrize("budget", [0, -3, 1.5, "many"])
def test_a_budget_that_cannot_be_is_refused(budget: object) -> None:
    with pytest.raises(InputError, match=r"budget is .*; give"):
        a_star(Grid([[1, 1]]), (0, 0), (0, 1), budget=budget)  # type: ignore[arg-type]


def test_other_misuse_is_refused() -> None:
    grid = Grid([[1, 1]])
    with pytest.raises(InputError, match="start is"):
        a_star(grid, (0.5, 0), (0, 1))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no corner rule"):
        a_star(grid, (0, 0), (0, 1), rule="sometimes")


def test_failures_have_names() -> None:
    grid = Grid([[1, 0, 1, 1]])
    statuses = [
        a_star(grid, (0, 2), goal).status for goal in [(0, 0), (0, 1), (0, 2), (0, 3), (5, 5)]
    ]
    assert statuses == ["unreachable", "goal blocked", "already there", "found", "out of bounds"]


def test_terrain_is_left_to_the_weighted_search() -> None:
    path = a_star(Grid(np.ones((1, 3)), [[1.0, 3.0, 1.0]]), (0, 0), (0, 2))
    assert (path.algorithm, path.cost) == ("astar", 4.0)


@pytest.mark.parametrize("rule", RULES)
def test_a_step_is_left_out_only_where_the_cell_before_has_a_way_no_dearer(
    rule: CornerRule,
) -> None:
    table = MOVES.reshape(len(RULES), 9, 256)[rule]
    steps = [(int(down), int(right)) for down, right in zip(DOWN[:8], RIGHT[:8], strict=True)]
    for around in np.random.default_rng(rule).choice(256, 40, replace=False).tolist():
        free = np.ones((3, 3), bool)
        for way, (down, right) in enumerate(steps):
            free[1 + down, 1 + right] = around >> way & 1
        legal = {way for way in range(8) if table[NOWHERE, around] >> way & 1}
        for came in legal:  # the middle may be entered from the other side
            before = (1 - steps[came][0], 1 - steps[came][1])
            if not free[before] or not allowed(free, before, (1, 1), rule):
                continue
            to_middle = graph_of(Grid(free), rule).toarray()
            first = to_middle[before[0] * 3 + before[1], 4]
            spared = to_middle.copy()
            spared[4] = spared[:, 4] = 0.0
            away = dijkstra(csr_array(spared), indices=before[0] * 3 + before[1])
            for way in legal:
                end = (1 + steps[way][0]) * 3 + 1 + steps[way][1]
                if not table[came, around] >> way & 1:
                    assert away[end] <= first + to_middle[4, end] + 1e-12
                else:
                    assert away[end] >= first + to_middle[4, end] - 1e-12
