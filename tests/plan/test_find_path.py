"""The front door: it chooses a search, makes room for the agent, and says what became of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from made_grids import check_steps, distances, random_grid

from headway.errors import InputError
from headway.plan.find_path import SEARCHES, find_path
from headway.plan.path import Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid
from headway.world.inflation import inflated

STEPPING = ["auto", "jps", "astar", "dstar_lite", "field"]


@pytest.mark.parametrize("seed", range(8))
def test_every_search_finds_the_same_length(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = random_grid(rng, 0.3, 18, 25)
    cells = np.argwhere(grid.free)
    starts, goals = cells[rng.integers(0, len(cells), (2, 12))]
    away = distances(grid, starts, CornerRule.NEVER_CUT)
    for start, goal, field in zip(starts.tolist(), goals.tolist(), away, strict=True):
        for algorithm in STEPPING:
            path = find_path(grid, start, goal, algorithm=algorithm)
            assert path.found == np.isfinite(field[tuple(goal)])
            if path.found:
                check_steps(grid, path)
                assert path.length == pytest.approx(field[tuple(goal)], rel=1e-12, abs=1e-12)
                assert path.cost == path.length
        for algorithm in ("lazy_theta", "anya"):
            path = find_path(grid, start, goal, algorithm=algorithm)
            assert path.length <= field[tuple(goal)] + 1e-9
            assert path.found == np.isfinite(field[tuple(goal)])


@pytest.mark.parametrize("rule", list(CornerRule))
def test_terrain_cost_and_rules_choose_a_search_that_knows_them(rule: CornerRule) -> None:
    rng = np.random.default_rng(11)
    grid = Grid(rng.random((15, 15)) > 0.2, rng.uniform(1.0, 9.0, (15, 15)), cell_size=0.5)
    cells = np.argwhere(grid.free)
    away = distances(grid, cells[:10], rule)
    for start, field in zip(cells[:10].tolist(), away, strict=True):
        goal = cells[int(rng.integers(0, len(cells)))].tolist()
        for algorithm in ("auto", "astar", "dstar_lite", "field"):
            path = find_path(grid, start, goal, rule=rule, algorithm=algorithm)
            assert path.cost == pytest.approx(0.5 * field[tuple(goal)], rel=1e-9, abs=1e-12)
            if path.found:
                check_steps(grid, path, rule)


def test_specks_are_left_to_a_star_and_rooms_to_jump_points() -> None:
    rng = np.random.default_rng(3)
    specks = random_grid(rng, 0.1, 200, 200)
    walls = Grid(np.ones((200, 200)))
    for at in range(20, 200, 20):
        walls.fill((at, 0), (1, 190), free=False)
    specks.set([(0, 0), (150, 170)], free=True)
    assert find_path(specks, (0, 0), (150, 170)).algorithm == "astar"
    assert find_path(walls, (0, 0), (150, 170)).algorithm == "jps"
    assert find_path(Grid(np.ones((50, 50))), (0, 0), (9, 9)).algorithm == "jps"
    # The choice follows the map: walls that turn to specks are specks.
    walls.paste((0, 0), specks.free.copy())
    assert find_path(walls, (0, 0), (150, 170)).algorithm == "astar"


@pytest.mark.parametrize(
    "name", ["A*", "a-star", "ASTAR", "a_star", "D* Lite", "dstar-lite", "Lazy Theta*"]
)
def test_names_are_taken_as_people_write_them(name: str) -> None:
    path = find_path(Grid(np.ones((5, 5))), (0, 0), (4, 4), algorithm=name)
    assert path.algorithm == {"D": "dstar_lite", "A": "astar", "L": "lazy_theta"}[name[0].upper()]
    assert find_path(Grid([[1, 1]]), (0, 0), (0, 1), rule="Never Cut").found


@pytest.mark.parametrize("name", [*SEARCHES])
def test_a_path_names_the_search_that_was_asked_for(name: str) -> None:
    path = find_path(Grid(np.ones((5, 5))), (0, 0), (4, 3), algorithm=name)
    assert path.algorithm == name


def test_an_algorithm_that_does_not_exist_is_refused_with_the_choice() -> None:
    with pytest.raises(InputError, match="choose one of auto, jps, astar"):
        find_path(Grid([[1, 1]]), (0, 0), (0, 1), algorithm="dfs")
    with pytest.raises(InputError, match="does not know terrain cost: use astar"):
        find_path(Grid([[1, 1]], [[1, 2]]), (0, 0), (0, 1), algorithm="jps")
    with pytest.raises(InputError, match="radius"):
        find_path(Grid([[1, 1]]), (0, 0), (0, 1), radius=-1.0)


def test_a_disc_keeps_its_distance() -> None:
    rng = np.random.default_rng(5)
    grid = Grid(rng.random((60, 60)) > 0.02, cell_size=0.25)
    blocked = grid.centres(np.argwhere(~grid.free))
    room = inflated(grid, 0.4)
    cells = np.argwhere(room.free)
    for _ in range(30):
        start, goal = cells[rng.integers(0, len(cells), 2)].tolist()
        path = find_path(grid, start, goal, radius=0.4)
        if path.found and len(path.points) > 1:
            # Every centre, and every middle of a step, is that far from every blocked square.
            middles = (path.points[1:] + path.points[:-1]) / 2.0
            for point in np.concatenate((path.points, middles)):
                gap = np.maximum(np.abs(blocked - point) - 0.125, 0.0)
                assert np.hypot(*gap.T).min() >= 0.4 - 1e-9


def test_an_agent_that_starts_too_near_moves_away_first() -> None:
    grid = Grid(np.ones((20, 20)), np.full((20, 20), 2.0))
    grid.fill((10, 0), (1, 12), free=False)
    path = find_path(grid, (9, 4), (17, 5), radius=1.7)
    assert path.found
    check_steps(grid, path)
    assert path.cells[0].tolist() == [9, 4]
    assert path.cost == pytest.approx(2.0 * path.length, rel=1e-12)
    room = inflated(grid, 1.7)
    inside = [room.is_free(cell) for cell in path.cells]
    assert not inside[0]
    assert inside == sorted(inside)  # once out, it stays out
    there = find_path(grid, (9, 4), path.cells[inside.index(True)].tolist(), radius=1.7)
    assert there.status == Status.FOUND


def test_what_a_radius_forbids_is_said() -> None:
    grid = Grid(np.ones((9, 9)))
    grid.set([(4, 4)], free=False)
    path = find_path(grid, (0, 4), (4, 3), radius=1.2)
    assert path.status == Status.GOAL_BLOCKED
    assert path.reason == "the goal (4, 3) is too near to an obstacle for a disc of radius 1.2 m"
    tight = Grid(np.ones((3, 9)))
    path = find_path(tight, (1, 1), (1, 7), radius=2.5)
    assert path.status == Status.START_BLOCKED
    assert "a disc of radius 2.5 m does not fit at the start (1, 1)" in path.reason
    assert find_path(tight, (1, 1), (1, 1), radius=2.5).status == Status.ALREADY_THERE
    gap = Grid(np.ones((15, 15)))
    gap.fill((0, 7), (7, 1), free=False)
    gap.fill((8, 7), (7, 1), free=False)
    assert find_path(gap, (7, 3), (7, 11)).found
    path = find_path(gap, (7, 3), (7, 11), radius=1.0)
    assert path.status == Status.UNREACHABLE
    assert "is wide enough for a disc of radius 1 m" in path.reason
    gap.set([(7, 7)], free=False)
    assert "blocked cells separate" in find_path(gap, (7, 3), (7, 11), radius=1.0).reason


@pytest.mark.parametrize("rule", list(CornerRule))
def test_the_way_out_keeps_the_corner_rule(rule: CornerRule) -> None:
    grid = Grid(np.ones((12, 12)))
    path = find_path(grid, (0, 0), (6, 5), rule=rule, radius=1.2)
    check_steps(grid, path, rule)
    assert (path.cells[:2].tolist() == [[0, 0], [1, 1]]) == (rule != CornerRule.NO_DIAGONAL)
    corner = Grid(np.ones((12, 12)))
    corner.set([(0, 1), (1, 0)], free=False)
    out = find_path(corner, (0, 0), (6, 6), rule=rule, radius=0.6)
    assert out.found == (rule == CornerRule.ALWAYS)


@pytest.mark.parametrize("start", [(0, 0), (3, 3)])
def test_a_path_for_a_disc_is_pulled_straight_within_its_room(start: tuple[int, int]) -> None:
    grid = Grid(np.ones((40, 40)))
    grid.fill((12, 10), (12, 12), free=False)
    stepped = find_path(grid, start, (35, 30), radius=2.5)
    pulled = find_path(grid, start, (35, 30), radius=2.5, straighten=True)
    assert pulled.length < stepped.length
    assert len(pulled.cells) < len(stepped.cells)
    blocked = grid.centres(np.argwhere(~grid.free))
    room = inflated(grid, 2.5)
    inside = [cell for cell in pulled.cells.tolist() if room.is_free(cell)]
    points = grid.centres(inside)
    for a, b in pairwise(points):
        for part in np.linspace(0.0, 1.0, 60):
            gap = np.maximum(np.abs(blocked - (a + part * (b - a))) - 0.5, 0.0)
            assert np.hypot(*gap.T).min() >= 2.5 - 1e-9
    length = float(np.hypot(*np.diff(pulled.points, axis=0).T).sum())
    assert pulled.length == pytest.approx(length, rel=1e-12)


@pytest.mark.parametrize("name", list(SEARCHES))
def test_every_search_answers_alike_where_there_is_nothing_to_search(name: str) -> None:
    grid = Grid([[1, 1, 0, 1]])
    for goal, status in (
        ((0, 2), "goal blocked"),
        ((5, 5), "out of bounds"),
        ((0, 3), "unreachable"),
    ):
        assert find_path(grid, (0, 0), goal, algorithm=name).status == status
    assert find_path(grid, (0, 0), (10**30, 0), algorithm=name).status == "out of bounds"
    assert find_path(grid, (0, 0), (5, 5), algorithm=name, partial=True).status == "partial"


def test_an_array_is_no_grid() -> None:
    with pytest.raises(InputError, match=r"make one with Grid\(free\)"):
        find_path(np.ones((3, 3)), (0, 0), (1, 1))  # type: ignore[arg-type]
    for radius in (None, "wide", np.nan):
        with pytest.raises(InputError, match="radius"):
            find_path(Grid([[1, 1]]), (0, 0), (0, 1), radius=radius)  # type: ignore[arg-type]


def test_a_partial_path_leads_to_the_nearest_reachable_cell() -> None:
    rng = np.random.default_rng(9)
    for _ in range(20):
        grid = random_grid(rng, 0.45, 14, 14)
        start = np.argwhere(grid.free)[0].tolist()
        goal = rng.integers(0, 14, 2).tolist()
        path = find_path(grid, start, goal, partial=True)
        field = distances(grid, np.array([start]), CornerRule.NEVER_CUT)[0]
        reachable = np.argwhere(np.isfinite(field))
        gaps = np.hypot(*(reachable - goal).T)
        end = path.cells[-1]
        assert np.hypot(*(end - goal)) == pytest.approx(gaps.min(), abs=1e-12)
        nearest = reachable[gaps <= gaps.min() + 1e-12]
        assert path.length == pytest.approx(min(field[tuple(c)] for c in nearest), abs=1e-9)
        check_steps(grid, path)


@pytest.mark.parametrize("algorithm", list(SEARCHES))
def test_a_trace_shows_where_the_search_has_been(algorithm: str) -> None:
    grid = Grid(np.ones((20, 20)))
    grid.fill((5, 5), (10, 2), free=False)
    path = find_path(grid, (10, 2), (10, 17), algorithm=algorithm, trace=True)
    assert path.searched is not None
    met = {tuple(cell) for cell in path.searched.tolist()}
    assert (10, 2) in met
    assert all(grid.is_free(cell) for cell in met)
    assert find_path(grid, (10, 2), (10, 17), algorithm=algorithm).searched is None


def test_a_door_that_closes_is_searched_for_once() -> None:
    grid = Grid(np.ones((60, 60)))
    grid.fill((30, 0), (1, 60), free=False)
    grid.set([(30, 7)], free=True)
    assert find_path(grid, (0, 0), (59, 59)).found
    grid.set([(30, 7)], free=False)
    first = find_path(grid, (0, 0), (59, 59))
    again = find_path(grid, (0, 1), (59, 59))
    assert first.status == again.status == Status.UNREACHABLE
    assert first.expanded > 0 == again.expanded
    grid.set([(30, 7)], free=True)
    assert find_path(grid, (0, 0), (59, 59)).found


def test_a_goal_that_is_blocked_itself_is_not_blamed_on_the_radius() -> None:
    grid = Grid(np.ones((9, 9)))
    grid.set([(4, 4)], free=False)
    path = find_path(grid, (0, 4), (4, 4), radius=1.2)
    assert (path.status, path.reason) == (Status.GOAL_BLOCKED, "the goal (4, 4) is blocked")


def test_the_way_out_is_paid_for_at_the_price_of_each_cell() -> None:
    prices = np.random.default_rng(2).uniform(1.0, 9.0, (20, 20))
    grid = Grid(np.ones((20, 20)), prices)
    grid.fill((10, 0), (1, 12), free=False)
    path = find_path(grid, (9, 4), (17, 5), radius=1.7)
    price = prices[tuple(path.cells.T)]
    steps = np.hypot(*np.diff(path.cells, axis=0).T)
    expected = float((steps * (price[1:] + price[:-1])).sum()) / 2.0
    assert path.cost == pytest.approx(expected, rel=1e-12)


def test_crumbled_maps_are_left_to_a_star_and_lattices_to_jump_points() -> None:
    rng = np.random.default_rng(3)
    crumbled = random_grid(rng, 0.55, 60, 60)
    start = np.argwhere(crumbled.free)[0].tolist()
    assert find_path(crumbled, start, (59, 59)).algorithm == "astar"
    rows, columns = np.indices((60, 60))
    lattice = Grid((rows % 3 == 0) | (columns % 3 == 0))
    assert find_path(lattice, (0, 0), (57, 57)).algorithm == "jps"
