"""Distance fields know the way from every cell to the nearest goal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_grids import check_steps, distances, random_grid

from headway.errors import InputError
from headway.plan import terrain_spread
from headway.plan.a_star import a_star
from headway.plan.field import Field, distance_field
from headway.plan.path import Status
from headway.plan.scratch import give_back
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

RULES = list(CornerRule)


def made(rng: np.random.Generator, blocked: float, shape: tuple[int, int], costs: bool) -> Grid:
    cost = rng.uniform(1.0, 1000.0, shape) if costs else None
    return Grid(rng.random(shape) >= blocked, cost, cell_size=0.5, origin=(-3.0, 7.0))


def check(grid: Grid, goals: np.ndarray, rule: CornerRule) -> Field:
    """All distances are those of Dijkstra's algorithm, and a descent costs what it should."""
    field = distance_field(grid, goals, rule)
    expected = distances(grid, goals, rule).min(axis=0) * grid.cell_size
    expected[~grid.free] = np.inf
    assert np.array_equal(np.isfinite(field.distance), np.isfinite(expected))
    reached = np.isfinite(expected)
    np.testing.assert_allclose(field.distance[reached], expected[reached], rtol=1e-9)
    for start in np.argwhere(grid.free)[::7].tolist():
        path = field.descend(start)
        assert path.found == np.isfinite(expected[tuple(start)])
        if path.found:
            assert path.cost == pytest.approx(expected[tuple(start)], rel=1e-9)
            assert path.cells[0].tolist() == start
            assert path.cells[-1].tolist() in goals.tolist()
            check_steps(grid, path, rule)
            steps = field.distance[tuple(path.cells.T)]
            assert (np.diff(steps) < 0.0).all()
    return field


@pytest.mark.parametrize("costs", [False, True])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("count", [1, 4])
def test_distances_are_those_of_dijkstra(rule: CornerRule, costs: bool, count: int) -> None:
    rng = np.random.default_rng(count)
    for blocked in (0.0, 0.2, 0.4):
        for shape in [(12, 12), (2, 45), (26, 19)]:
            grid = made(rng, blocked, shape, costs)
            free = np.argwhere(grid.free)
            check(grid, free[rng.integers(0, len(free), count)], rule)


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 9), st.floats(0.0, 0.6),
    st.sampled_from(RULES), st.booleans(),
)  # fmt: skip
def test_distances_on_small_grids(
    seed: int, rows: int, columns: int, blocked: float, rule: CornerRule, costs: bool
) -> None:
    rng = np.random.default_rng(seed)
    grid = made(rng, blocked, (rows, columns), costs)
    grid.set([(0, 0)], free=True)
    free = np.argwhere(grid.free)
    check(grid, free[rng.integers(0, len(free), 2)], rule)


def test_distances_stay_right_while_the_grid_changes() -> None:
    rng = np.random.default_rng(2)
    grid = made(rng, 0.3, (20, 20), False)
    for _ in range(10):
        grid.set(rng.integers(0, grid.shape, (12, 2)), bool(rng.random() < 0.5))
        free = np.argwhere(grid.free)
        check(grid, free[rng.integers(0, len(free), 2)], CornerRule.NEVER_CUT)


@pytest.mark.parametrize("costs", [False, True])
def test_the_nearest_goal_is_found(costs: bool) -> None:
    rng = np.random.default_rng(3)
    grid = made(rng, 0.2, (40, 50), costs)
    goals = np.argwhere(grid.free)[[3, 200, 900]]
    field = distance_field(grid, goals)
    for start in np.argwhere(grid.free)[::97].tolist():
        costs_to = [a_star(grid, start, goal).cost for goal in goals]
        assert field.descend(start).cost == pytest.approx(min(costs_to), rel=1e-9)


@pytest.mark.parametrize("costs", [False, True])
@pytest.mark.parametrize("limit", [0.0, 1.0, 4.5, 2.0**0.5 * 0.5 * 3, 1e6])
def test_a_limit_leaves_out_what_lies_farther(costs: bool, limit: float) -> None:
    grid = Grid(np.ones((20, 30)), np.ones((20, 30)) if costs else None, cell_size=0.5)
    everything = distance_field(grid, [(5, 5)]).distance
    field = distance_field(grid, [(5, 5)], limit=limit)
    near = everything <= limit * (1 + 1e-9)
    assert np.array_equal(np.isfinite(field.distance), near)
    np.testing.assert_allclose(field.distance[near], everything[near], rtol=1e-12)
    if not near.all():
        path = field.descend(np.argwhere(~near)[0])
        assert path.status == Status.UNREACHABLE
        assert "no goal of the field was reached" in path.reason


def test_straight_distances_are_whole() -> None:
    field = distance_field(Grid(np.ones((1, 200))), [(0, 0)])
    assert field.distance.tolist() == [list(map(float, range(200)))]


@pytest.mark.parametrize("costs", [False, True])
def test_goals_that_are_blocked_or_given_twice_do_no_harm(costs: bool) -> None:
    rng = np.random.default_rng(4)
    grid = made(rng, 0.3, (15, 15), costs)
    free, blocked = np.argwhere(grid.free)[[4, 50]], np.argwhere(~grid.free)[:3]
    plain = distance_field(grid, free)
    field = distance_field(grid, np.concatenate((free, blocked, free[::-1])))
    assert field.distance.tobytes() == plain.distance.tobytes()
    assert len(field.goals) == 7
    nowhere = distance_field(grid, blocked)
    assert np.isinf(nowhere.distance).all()
    assert nowhere.descend(free[0]).status == Status.UNREACHABLE
    assert np.isinf(distance_field(grid, np.empty((0, 2), int)).distance).all()


def test_failures_of_a_descent_have_names() -> None:
    field = distance_field(Grid([[1, 0, 1, 1]]), [(0, 3)])
    starts = [(0, 0), (0, 1), (0, 2), (0, 3), (5, 5)]
    statuses = [field.descend(start).status for start in starts]
    assert statuses == ["unreachable", "start blocked", "found", "already there", "out of bounds"]


@pytest.mark.parametrize("costs", [False, True])
@pytest.mark.parametrize("rule", ["never_cut", "no_diagonal"])
def test_headings_lead_home_and_never_into_a_blocked_cell(rule: str, costs: bool) -> None:
    rng = np.random.default_rng(5)
    grid = made(rng, 0.25, (30, 40), costs)
    goal = np.argwhere(grid.free)[10]
    field = distance_field(grid, [goal], rule)
    cells = np.argwhere(np.isfinite(field.distance))
    points = grid.centres(cells) + rng.uniform(-0.49, 0.49, (len(cells), 2)) * grid.cell_size
    for _ in range(6 * grid.rows * grid.columns):
        way = field.headings(points)
        assert np.isin(np.round(np.hypot(*way.T), 9), [0.0, 1.0]).all()
        if not way.any():
            break
        points += 0.3 * grid.cell_size * way
        row, column = grid.cells_at(points).T
        assert grid.free[row, column].all()
    assert (grid.cells_at(points) == goal).all()


def test_headings_point_to_the_next_cell() -> None:
    rng = np.random.default_rng(6)
    grid = made(rng, 0.25, (20, 20), False)
    field = distance_field(grid, np.argwhere(grid.free)[[10]])
    for start in np.argwhere(np.isfinite(field.distance) & (field.distance > 0))[::5]:
        here, there = field.descend(start).points[:2]
        inside = here + rng.uniform(-0.49, 0.49, 2) * grid.cell_size
        expected = (there - inside) / np.hypot(*(there - inside))
        np.testing.assert_allclose(field.headings([inside])[0], expected, atol=1e-12)


def test_there_is_no_heading_where_there_is_no_way() -> None:
    field = distance_field(Grid([[1, 0, 1, 1]]), [(0, 3)])
    points = [(0.5, 0.5), (1.5, 0.5), (3.9, 0.1), (-1.0, 0.5), (0.5, 1.5), (1e300, -1e300)]
    assert field.headings(points).tolist() == [[0.0, 0.0]] * 6
    assert field.headings(np.empty((0, 2))).shape == (0, 2)


def test_a_field_says_when_it_is_stale() -> None:
    grid = Grid(np.ones((4, 4)))
    field = distance_field(grid, [(0, 0)])
    assert not field.stale
    grid.set([(2, 2)], free=False)
    assert field.stale
    for use in (lambda: field.descend((3, 3)), lambda: field.headings([(0.5, 0.5)])):
        with pytest.raises(InputError, match=r"has changed .* make a new one with distance_field"):
            use()
    assert not distance_field(field.grid, field.goals, field.rule).stale


def test_the_same_field_has_the_same_bytes() -> None:
    rng = np.random.default_rng(7)
    for costs in (False, True):
        grid = made(rng, 0.2, (50, 50), costs)
        goals = np.argwhere(grid.free)[[10, 700]]
        first = distance_field(grid, goals)
        distance_field(grid, goals[:1], "always")
        again = distance_field(grid, goals)
        assert again.distance.tobytes() == first.distance.tobytes()
        assert again.came.tobytes() == first.came.tobytes()


def test_a_queue_that_is_too_short_grows() -> None:
    rng = np.random.default_rng(8)
    grid = made(rng, 0.2, (40, 40), True)
    scratch = terrain_spread.make_scratch(grid)
    give_back(grid, "terrain", scratch._replace(queue=np.empty(0, np.int64)))
    check(grid, np.argwhere(grid.free)[::50], CornerRule.NEVER_CUT)


def test_all_cells_as_goals() -> None:
    grid = random_grid(np.random.default_rng(9), 0.3, 30, 30)
    distance = distance_field(grid, np.argwhere(grid.free)).distance
    assert np.array_equal(distance, np.where(grid.free, 0.0, np.inf))


@pytest.mark.parametrize(
    ("goals", "options", "message"),
    [
        ([(0, 9)], {}, r"goal \(0, 9\) lies off the map"),
        ([(0.5, 1)], {}, "whole numbers"),
        ([(0, 1, 2)], {}, "pairs"),
        ([(0, 0)], {"rule": "rarely"}, "no corner rule"),
        ([(0, 0)], {"limit": -1.0}, "limit is"),
        ([(0, 0)], {"limit": np.nan}, "limit is"),
    ],
)
def test_misuse_is_refused(goals: list, options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        distance_field(Grid([[1, 1]]), goals, **options)
