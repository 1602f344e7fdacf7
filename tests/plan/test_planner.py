"""Tests of the planner: its path is always valid and nearly the best, and it does not flip."""

from __future__ import annotations

import math

import numpy as np
import pytest
from grid_oracle import costs_from, walked_cost

from headway.errors import InputError
from headway.plan import terrain_search
from headway.plan.a_star import a_star
from headway.plan.path import Status
from headway.plan.planner import Action, Planner
from headway.plan.remaining import Remaining
from headway.plan.terrain_search import TerrainSearch
from headway.world.corner_rule import CornerRule
from headway.world.grid import LOG_SIZE, Grid
from headway.world.worlds import rooms

RULES = list(CornerRule)


def check(planner, cell, goal, allowance=0.0):
    """Update, and compare with the best path by the oracle."""
    grid = planner.grid
    plan = planner.update(cell, goal)
    path = plan.path
    free = grid.free
    cost = np.ones(grid.shape) if grid.cost is None else grid.cost
    assert plan.reason
    if not free[cell] or not free[goal]:
        assert plan.action == Action.NO_PATH
        assert path.status == (Status.GOAL_BLOCKED if free[cell] else Status.START_BLOCKED)
        return plan
    best = costs_from(free, cost, int(planner.rule), *goal)[cell]
    assert path.found == math.isfinite(best), (path.status, best)
    if not path.found:
        assert plan.action == Action.NO_PATH
        return plan
    assert plan.action != Action.NO_PATH
    assert plan.replanned or plan.action == Action.KEPT
    assert tuple(path.cells[0]) == tuple(cell)
    assert tuple(path.cells[-1]) == tuple(goal)
    np.testing.assert_array_equal(path.points, grid.centres(path.cells))
    walked = walked_cost(free, cost, int(planner.rule), path.cells)
    assert abs(walked - path.cost) <= 1e-9 * walked
    steps = np.diff(path.cells, axis=0)
    assert abs(np.hypot(*steps.T).sum() - path.length) <= 1e-9 * (1.0 + path.length)
    assert path.cost <= (best + allowance) / planner.hysteresis * (1.0 + 1e-8)
    return plan


def change_somewhere(grid, rng, plan, cell, goal):
    kind = rng.integers(4)
    if kind == 0 and len(plan.path.cells) > 3:
        spot = plan.path.cells[rng.integers(1, len(plan.path.cells) - 1)]
        grid.set([spot], free=False)
    elif kind == 1:
        grid.fill(rng.integers(0, np.array(grid.shape) - 2), (2, 2), True)
    elif kind == 2 and grid.weighted:
        grid.set(rng.integers(0, grid.shape, (3, 2)), True, cost=float(rng.uniform(1.0, 5.0)))
    else:
        cells = rng.integers(0, grid.shape, (3, 2))
        grid.set(cells, free=bool(rng.random() < 0.5))
    if rng.random() < 0.95:
        grid.set([cell, goal], free=True)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("commit", [0.0, 2.0])
def test_the_path_is_always_valid_and_nearly_the_best(weighted, commit):
    kept = searched = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        free = rng.random(rng.integers(8, 25, 2)) > rng.choice([0.0, 0.15, 0.3])
        prices = rng.uniform(1.0, 5.0, free.shape) if weighted else None
        cell, goal = (tuple(rng.integers(0, free.shape).tolist()) for _ in range(2))
        grid = Grid(free, prices)
        grid.set([cell, goal], free=True)
        options = {"rule": RULES[seed % 4], "hysteresis": (1.0, 0.95, 0.8)[seed % 3]}
        planner = Planner(grid, cell, goal, commit=commit, **options)
        allowance = 2.0 * (commit + 1.5) * (5.0 if weighted else 1.0) if commit else 0.0
        for _ in range(40):
            plan = check(planner, cell, goal, allowance)
            kept += plan.action == Action.KEPT
            searched += plan.replanned
            if len(plan.path.cells) > 1 and rng.random() < 0.9:
                cell = tuple(plan.path.cells[1].tolist())
            if rng.random() < 0.03:
                cell = tuple(rng.integers(0, grid.shape).tolist())
            if rng.random() < 0.03 or cell == goal:
                goal = tuple(rng.integers(0, grid.shape).tolist())
            if rng.random() < 0.5:
                change_somewhere(grid, rng, plan, cell, goal)
    assert kept > 500
    assert searched > 300


def two_doors():
    """A wall with two doors, as far from the agent and from the goal the one as the other."""
    grid = Grid(np.ones((31, 41)))
    grid.fill((0, 20), (31, 1), free=False)
    grid.set([(5, 20), (25, 20)], free=True)
    return grid, (15, 2), (15, 38)


def doors_taken(hysteresis, seed):
    """Through which door the path leads at each update.

    In front of each door a pillar comes and goes; the agent waits for a while before it walks.
    """
    grid, cell, goal = two_doors()
    for row in (5, 25):
        grid.fill((row - 3, 17), (7, 1), free=False)
    planner = Planner(grid, cell, goal, hysteresis=hysteresis)
    rng = np.random.default_rng(seed)
    doors = []
    while cell != goal:
        plan = check(planner, cell, goal, allowance=7.0)
        doors.extend(plan.path.cells[plan.path.cells[:, 1] == 20, 0].tolist())
        if len(doors) > 30:
            cell = tuple(plan.path.cells[1].tolist())
        if cell[1] < 14:
            row = rng.choice((5, 25))
            grid.fill((row - 3, 17), (7, 1), free=True)
            grid.fill((30 - row - 3, 17), (7, 1), free=False)
        assert len(doors) < 200
    return doors


def test_the_path_does_not_flip_between_two_doors():
    """ros-navigation/navigation2#2381, #2085, #1570, #2841: left and right at each replan."""
    calm = [np.count_nonzero(np.diff(doors_taken(0.9, seed))) for seed in range(10)]
    nervous = [np.count_nonzero(np.diff(doors_taken(1.0, seed))) for seed in range(10)]
    assert max(calm) == 0
    assert min(nervous) > 3


def test_a_door_that_opens_again():
    grid = rooms(1, 2, 7, seed=1)
    door = np.argwhere(grid.free[:, 8])[0].tolist()
    door = (door[0], 8)
    planner = Planner(grid, (1, 1), (1, 15))
    assert check(planner, (1, 1), (1, 15)).path.found
    grid.set([door], free=False)
    plan = check(planner, (1, 1), (1, 15))
    assert plan.path.status == Status.UNREACHABLE
    assert "blocked" in plan.reason
    again = check(planner, (1, 1), (1, 15))
    assert (again.action, again.replanned) == (Action.NO_PATH, False)
    grid.set([door], free=True)
    plan = check(planner, (2, 2), (1, 15))
    assert plan.path.found
    assert "no path before" in plan.reason


def test_keeps_the_path_when_changes_do_not_concern_it():
    grid = Grid(np.ones((60, 60)))
    planner = Planner(grid, (30, 2), (30, 57))
    cell = (30, 2)
    rng = np.random.default_rng(0)
    plans = []
    while cell != (30, 57):
        plans.append(check(planner, cell, (30, 57), allowance=7.0))
        cell = tuple(plans[-1].path.cells[1].tolist())
        rows = rng.choice([*range(20), *range(40, 60)], 5)
        grid.set(np.column_stack((rows, rng.integers(0, 60, 5))), free=bool(rng.random() < 0.5))
    assert [plan.replanned for plan in plans] == [True] + [False] * (len(plans) - 1)


def test_a_cell_beside_a_diagonal_step_blocks_the_path():
    grid = Grid(np.ones((12, 12)))
    planner = Planner(grid, (0, 0), (11, 11))
    path = planner.update((0, 0)).path
    assert len(path.cells) == 12
    grid.set([(5, 6)], free=False)
    plan = check(planner, (1, 1), (11, 11))
    assert plan.replanned
    assert "blocked" in plan.reason
    grid.set([(0, 1)], free=False)  # behind the agent
    assert check(planner, tuple(plan.path.cells[1]), (11, 11)).action == Action.KEPT


def test_the_goal_moves_at_every_update():
    for prices in (None, np.ones((20, 20))):
        planner = Planner(Grid(np.ones((20, 20)), prices), (0, 0), (19, 0))
        for k in range(20):
            plan = check(planner, (0, 0), (19, k))
            assert plan.action in (Action.JPS, Action.A_STAR, Action.DSTAR_LITE)
            assert k == 0 or "goal moved" in plan.reason
        assert check(planner, (0, 0), (19, 19)).action == Action.KEPT


def test_a_displaced_agent():
    planner = Planner(rooms(4, 4, 6, seed=3), (1, 1), (27, 27))
    check(planner, (1, 1), (27, 27))
    plan = check(planner, (1, 27), (27, 27))
    assert "not on its path" in plan.reason
    ahead = tuple(plan.path.cells[5].tolist())
    assert check(planner, ahead, (27, 27)).action == Action.KEPT  # several cells at once are fine
    assert planner.update((0, 0)).path.status == Status.START_BLOCKED
    assert planner.update((-1, 0)).path.status == Status.OUT_OF_BOUNDS
    assert check(planner, (1, 1), (27, 27)).path.found
    assert planner.update((27, 27)).path.status == Status.ALREADY_THERE


def test_is_deterministic():
    def story():
        rng = np.random.default_rng(7)
        grid = Grid(rng.random((30, 30)) > 0.2, rng.uniform(1.0, 3.0, (30, 30)))
        grid.set([(0, 0), (29, 29)], free=True)
        planner = Planner(grid, (0, 0), (29, 29))
        cell, told = (0, 0), []
        for _ in range(40):
            plan = planner.update(cell)
            told.append((plan.action, plan.reason, plan.path.cells.tobytes()))
            if len(plan.path.cells) > 1:
                cell = tuple(plan.path.cells[1].tolist())
            spots = rng.integers(0, 30, (4, 2))
            grid.set(spots[(spots != cell).any(axis=1)], free=bool(rng.random() < 0.6))
        return told

    assert story() == story()


def test_repairs_few_changes_on_terrain_and_searches_afresh_after_many():
    rng = np.random.default_rng(1)
    grid = Grid(rng.random((80, 80)) > 0.1, rng.uniform(1.0, 4.0, (80, 80)))
    start, goal = (40, 2), (40, 77)
    grid.set([start, goal], free=True)
    planner = Planner(grid, start, goal, hysteresis=1.0, commit=0.0)
    assert check(planner, start, goal).action == Action.DSTAR_LITE
    actions = []
    for _ in range(5):
        ahead = planner.update(start).path.cells[3]
        grid.set([ahead], free=False)
        actions.append(check(planner, start, goal).action)
    assert set(actions) == {Action.REPAIRED}
    spots = rng.integers(0, 80, (1000, 2))
    keep = (spots != start).any(axis=1) & (spots != goal).any(axis=1)
    grid.set(spots[keep], free=False)
    grid.set(spots[keep][100:], free=True)
    assert check(planner, start, goal).action == Action.A_STAR


def test_more_changes_than_the_grid_remembers():
    grid = Grid(np.ones((40, 40)))
    planner = Planner(grid, (0, 0), (39, 39))
    planner.update((0, 0))
    for k in range(LOG_SIZE // 1600 + 2):
        grid.fill((0, 0), (40, 40), free=bool(k % 2))
    grid.fill((0, 0), (40, 40), free=True)
    plan = check(planner, (0, 0), (39, 39))
    assert plan.replanned  # what changed is not known, so there might have been a better path


def test_a_better_path_is_looked_for_only_every_so_often():
    grid = Grid(np.ones((9, 30)))
    grid.fill((1, 15), (8, 1), free=False)
    planner = Planner(grid, (8, 10), (8, 20), period=5, commit=0.0)
    assert planner.update((8, 10)).path.cost > 12.0
    grid.set([(8, 15)], free=True)
    plans = [planner.update((8, 10)) for _ in range(6)]
    assert [plan.replanned for plan in plans] == [False] * 4 + [True, False]
    assert plans[3].path.cost > 12.0
    assert plans[4].path.cost == 10.0


def test_an_agent_with_a_radius_keeps_clear():
    grid = Grid(np.ones((15, 30)))
    grid.fill((0, 15), (15, 1), free=False)
    grid.fill((2, 15), (1, 1), free=True)
    grid.fill((9, 15), (3, 1), free=True)
    planner = Planner(grid, (2, 5), (2, 25), radius=1.2)
    path = planner.update((2, 5)).path
    assert path.found
    assert path.cells[path.cells[:, 1] == 15].tolist() == [[10, 15]]
    grid.set([(9, 15)], free=False)
    assert planner.update((2, 5)).path.status == Status.UNREACHABLE
    grid.set([(9, 15)], free=True)
    grid.set([(1, 5)], free=False)  # now the agent stands too near to an obstacle
    plan = planner.update((2, 5))
    assert plan.path.found
    assert tuple(plan.path.cells[0]) == (2, 5)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"hysteresis": 0.0}, "hysteresis"),
        ({"hysteresis": math.nan}, "hysteresis"),
        ({"commit": -1.0}, "commit"),
        ({"commit": math.inf}, "commit"),
        ({"period": 0}, "period"),
        ({"radius": math.nan}, "radius"),
        ({"rule": "perhaps"}, "corner rule"),
    ],
)
def test_bad_arguments(options, word):
    with pytest.raises(InputError, match=word):
        Planner(Grid(np.ones((3, 3))), (0, 0), (2, 2), **options)
    planner = Planner(Grid(np.ones((3, 3))), (0, 0), (2, 2))
    with pytest.raises(InputError, match="cell is"):
        planner.update((0.5, 1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"radius": "a"}, {"radius": None}, {"commit": "far"}, {"commit": math.nan}, {"commit": -1},
        {"hysteresis": None}, {"hysteresis": 2}, {"period": 1.5}, {"period": math.inf},
        {"period": "often"}, {"period": 0},
    ],
)  # fmt: skip
def test_numbers_that_cannot_be_used_are_refused_by_name(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        Planner(Grid([[1, 1]]), (0, 0), (0, 1), **wrong)


@pytest.mark.parametrize("rule", ["one_free", "always"])
def test_a_path_that_cuts_a_corner_by_the_rule_is_kept(rule):
    grid = Grid(np.ones((12, 12)))
    grid.set([(5, 6)], free=False)
    planner = Planner(grid, (0, 0), (11, 11), rule=rule)
    assert len(planner.update((0, 0)).path.cells) == 12
    assert check(planner, (1, 1), (11, 11)).action == Action.KEPT


def test_the_piece_an_agent_is_committed_to_ends_with_the_step_that_completes_it():
    grid = Grid(np.ones((3, 9)))
    rest = Remaining(grid, CornerRule.NEVER_CUT)
    rest.take(a_star(grid, (1, 0), (1, 8)))
    assert rest.piece(2.0) == (2, 2.0, 2.0)
    assert rest.piece(2.1) == (3, 3.0, 3.0)
    assert rest.piece(50.0) == (8, 8.0, 8.0)


def test_a_path_that_would_turn_back_is_not_begun_with_that_piece():
    grid = Grid(np.ones((3, 9)))
    rest = Remaining(grid, CornerRule.NEVER_CUT)
    rest.take(a_star(grid, (1, 0), (1, 8)))
    piece = rest.piece(3.0)
    assert rest.begun_with(piece, a_star(grid, (1, 3), (1, 0))) is None
    whole = rest.begun_with(piece, a_star(grid, (1, 3), (1, 8)))
    assert whole is not None
    assert (whole.length, whole.cost) == (8.0, 8.0)
    assert whole.cells.tolist() == [[1, column] for column in range(9)]


def test_a_step_beside_an_opened_corner_is_better_at_once():
    grid = Grid([[1, 0], [1, 1]])
    planner = Planner(grid, (0, 0), (1, 1), hysteresis=1.0, commit=0.0)
    assert check(planner, (0, 0), (1, 1)).path.length == 2.0
    grid.set([(0, 1)], free=True)
    assert check(planner, (0, 0), (1, 1)).path.length == 2.0**0.5


def test_a_path_a_trifle_cheaper_that_ends_as_far_to_the_left_is_found():
    free = np.zeros((11, 21), bool)
    down = np.arange(11)
    free[0, 10:] = free[down, 10 - down] = True
    free[10, :11] = free[down, 20 - down] = True
    prices = np.where(np.add.outer(down, np.arange(21)) <= 19, 1.012, 1.0)
    prices[10] = 1.0
    prices[0, 10:20] = 1.012
    grid = Grid(free, prices)
    grid.set([(10, 5)], free=False)
    start, goal = (0, 20), (10, 0)
    planner = Planner(grid, start, goal, rule="always", hysteresis=1.0, commit=0.0)
    assert [0, 15] in check(planner, start, goal).path.cells.tolist()
    grid.set([(10, 5)], free=True)
    assert check(planner, start, goal).path.cost == pytest.approx(10.0 + 10.0 * 2.0**0.5)


def test_a_dearer_path_and_a_better_one_that_was_too_little_better_add_up():
    grid = Grid(np.ones((21, 41)), np.ones((21, 41)))
    grid.fill((0, 20), (21, 1), free=False)
    grid.set([(19, 20)], free=True)
    start, goal = (10, 10), (10, 30)
    planner = Planner(grid, start, goal, hysteresis=0.8, commit=0.0)
    first = check(planner, start, goal).path
    grid.set([(6, 20)], free=True)
    assert check(planner, start, goal).action == Action.KEPT  # it is 15 % better
    grid.set([(19, 20)], free=True, cost=3.0)
    plan = check(planner, start, goal)
    assert [6, 20] in plan.path.cells.tolist()
    gain = 1.0 - plan.path.cost / (first.cost + 2.0)
    assert plan.reason == f"a path was found that costs {gain:.1%} less"


def test_repairs_that_take_too_long_are_given_up_for_ever_longer(monkeypatch):
    grid = Grid(np.ones((30, 60)), np.ones((30, 60)))
    search = TerrainSearch(grid, CornerRule.NEVER_CUT)
    told = []
    for turn in range(40):
        monkeypatch.setattr(terrain_search, "MARGIN", 1 - search._usual)
        told.append(search.find((15, 1), (15, 58)).algorithm)
        assert not search.repaired
        grid.fill((5, 30), (20, 1), free=bool(turn % 2))
    first, second = terrain_search.PAUSE, terrain_search.PAUSE * terrain_search.LONGER
    # The search that gives up is a fresh one too.
    expected = ["dstar_lite", *["astar"] * (1 + first), "dstar_lite", *["astar"] * (1 + second)]
    assert told[: len(expected) + 1] == [*expected, "dstar_lite"]


def test_only_the_first_plan_is_called_so():
    grid = Grid(np.ones((12, 12)))
    planner = Planner(grid, (0, 0), (9, 9), radius=1.2)
    plan = planner.update((0, 0))  # too near to the rim, so it leads out first
    assert "too near to an obstacle" in plan.reason
    assert planner.update(plan.path.cells[1]).reason == "the agent has room again"
    assert Planner(grid, (5, 5), (9, 9)).update((5, 5)).reason == "this is the first plan"
