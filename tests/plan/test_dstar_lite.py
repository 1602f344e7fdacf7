"""Tests of D* Lite: after any change it finds what a search from scratch would."""

from __future__ import annotations

import math

import numpy as np
import pytest
from grid_oracle import costs_by_scipy, costs_from, walked_cost

from headway.errors import InputError
from headway.plan.dstar_lite import DStarLite
from headway.plan.path import Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import LOG_SIZE, Grid
from headway.world.worlds import maze, rooms

WORLDS = 2000
EDITS = 50
RULES = list(CornerRule)


def check(search, start, goal, context=""):
    """Replan, and compare with the oracle."""
    grid = search.grid
    path = search.replan(start, goal)
    free = grid.free
    cost = np.ones(grid.shape) if grid.cost is None else grid.cost
    if not free[start] or not free[goal]:
        assert path.status == (Status.GOAL_BLOCKED if free[start] else Status.START_BLOCKED)
        return path
    best = costs_from(free, cost, int(search.rule), *goal)[start]
    if not math.isfinite(best):
        assert path.status == Status.UNREACHABLE, context
        assert path.cost == math.inf
        return path
    assert path.found, (path.status, context)
    assert abs(path.cost - best) <= 1e-9 * best, (path.cost, best, context)
    walked = walked_cost(free, cost, int(search.rule), path.cells)
    assert abs(walked - best) <= 1e-9 * best, (walked, best, context)
    assert tuple(path.cells[0]) == tuple(start)
    assert tuple(path.cells[-1]) == tuple(goal)
    return path


def make_free(kind, rng):
    rows, columns = rng.integers(6, 25, 2)
    if kind == "maze":
        return maze(max(rows // 2, 2), max(columns // 2, 2), int(rng.integers(1000))).free.copy()
    if kind == "rooms":
        return rooms(3, 3, int(rng.integers(2, 6)), int(rng.integers(1000))).free.copy()
    free = rng.random((rows, columns)) >= rng.choice([0.0, 0.1, 0.25, 0.4])
    if kind == "diagonals":  # walls of cells that touch only by their corners
        for shift in range(0, rows + columns, 4):
            for r in range(rows):
                if 0 <= shift - r < columns and rng.random() < 0.9:
                    free[r, shift - r] = False
    if kind == "isolated":  # every second cell walled in, but for the corners
        free[::2, 1::2] = False
        free[1::2, ::2] = False
        opened = rng.integers(0, rows * columns, rows * columns // 3)
        free.ravel()[opened] = True
    return free


def make_cost(kind, shape, rng):
    if kind == "unit":
        return None
    if kind == "steps":
        return rng.integers(1, 4, shape).astype(float)
    if kind == "smooth":
        return rng.uniform(1.0, 10.0, shape)
    return 10.0 ** rng.uniform(-3.0, 3.0, shape)


class ChangingWorld:
    """A world whose walls, costs, agent and goal change at random."""

    def __init__(self, seed):
        self.seed = seed
        self.rng = rng = np.random.default_rng(seed)
        kinds = ("scattered", "maze", "rooms", "diagonals", "isolated")
        free = make_free(kinds[seed % 5], rng)
        prices = ("unit", "smooth", "steps", "extreme")
        self.prices = prices[seed // 20 % 4]
        self.grid = Grid(free, make_cost(self.prices, free.shape, rng))
        self.doors = rng.integers(0, free.shape, (6, 2))
        self.start = self.place()
        self.goal = self.place_in_reach()
        self.search = DStarLite(self.grid, self.start, self.goal, RULES[seed // 5 % 4])

    def place(self):
        """A free cell, in most cases."""
        cells = np.argwhere(self.grid.free)
        if len(cells) == 0 or self.rng.random() < 0.02:
            return tuple(self.rng.integers(0, self.grid.shape).tolist())
        return tuple(cells[self.rng.integers(len(cells))].tolist())

    def place_in_reach(self):
        """A cell that the agent can get to, in most cases."""
        grid, rule = self.grid, RULES[self.seed // 5 % 4]
        if not grid.is_free(self.start) or self.rng.random() < 0.1:
            return self.place()
        costs = costs_from(grid.free, np.ones(grid.shape), int(rule), *self.start)
        cells = np.argwhere(np.isfinite(costs))
        return tuple(cells[self.rng.integers(len(cells))].tolist())

    def edit(self, path):
        grid, rng = self.grid, self.rng
        kind = rng.integers(6)
        if kind == 0:  # some cells anywhere
            for cell in rng.integers(0, grid.shape, (rng.integers(1, 4), 2)):
                grid.set([cell], free=not grid.is_free(cell))
        elif kind == 1:  # a door
            door = self.doors[rng.integers(len(self.doors))]
            grid.set([door], free=not grid.is_free(door))
        elif kind == 2 and len(path.cells) > 2:  # right on the path
            grid.set([path.cells[rng.integers(1, len(path.cells) - 1)]], free=False)
        elif kind == 3:  # a block, or its removal
            top = rng.integers(0, np.array(grid.shape) - 2)
            grid.fill(top, (2, 2), free=bool(rng.random() < 0.7))
        elif kind == 4 and grid.weighted:
            cell = rng.integers(0, grid.shape)
            price = float(make_cost(self.prices, (1,), rng)[0])
            grid.set([cell], free=grid.is_free(cell), cost=price)
        elif len(path.cells) > 1:  # around the agent
            near = np.clip(path.cells[0] + rng.integers(-2, 3, 2), 0, np.array(grid.shape) - 1)
            grid.set([near], free=not grid.is_free(near))

    def move(self, path):
        rng = self.rng
        chance = rng.random()
        if chance < 0.7 and len(path.cells) > 1:
            ahead = min(int(rng.integers(1, 4)), len(path.cells) - 1)
            self.start = tuple(path.cells[ahead].tolist())
        elif chance > 0.93:
            self.start = self.place()
        if self.start == self.goal or rng.random() < 0.04:
            self.goal = self.place_in_reach()


@pytest.mark.parametrize("part", range(4))
def test_equals_a_search_from_scratch_after_each_edit(part):
    checks = found = 0
    for seed in range(part, WORLDS, 4):
        world = ChangingWorld(seed)
        path = check(world.search, world.start, world.goal, seed)
        for k in range(EDITS):
            world.edit(path)
            world.move(path)
            path = check(world.search, world.start, world.goal, (seed, k))
            checks += 1
            found += path.found
    assert checks == WORLDS // 4 * EDITS
    assert found > checks // 3


def test_the_oracle_agrees_with_scipy():
    for seed in range(40):
        world = ChangingWorld(seed)
        free = world.grid.free
        cost = np.ones(free.shape) if world.grid.cost is None else world.grid.cost
        ours = costs_from(free, cost, seed // 5 % 4, *world.goal)
        np.testing.assert_allclose(
            ours, costs_by_scipy(free, cost, seed // 5 % 4, *world.goal), rtol=1e-12
        )


def grid_of(*lines):
    """A grid drawn in text, # for blocked cells."""
    return Grid([[letter != "#" for letter in line] for line in lines])


# Named after reports about other programs; see each.


def test_does_not_walk_back_and_forth():
    """azampagl/robotics-d-star-lite#2, Sollimann/Dstar-lite-pathplanner#13, mdeyo/d-star-lite#2.

    An agent that discovers a maze as it goes, three cells around it, arrives, and it never turns
    round on its way unless it saw something new.
    """
    for seed in range(20):
        truth = maze(8, 8, seed).free
        start, goal = (1, 1), (15, 15)
        grid = Grid(np.ones(truth.shape))
        search = DStarLite(grid, start, goal)
        visited = [start]
        seen_at = {}
        while visited[-1] != goal:
            row, column = visited[-1]
            rows, columns = slice(max(row - 3, 0), row + 4), slice(max(column - 3, 0), column + 4)
            grid.paste((rows.start, columns.start), truth[rows, columns].copy())
            assert seen_at.get(visited[-1]) != grid.version, "came back without having learnt"
            seen_at[visited[-1]] = grid.version
            path = check(search, visited[-1], goal)
            visited.append(tuple(path.cells[1].tolist()))
            assert len(visited) < 1000


def test_finds_the_way_round_a_wall_one_cell_thick():
    """ArekSredzki/dstar-lite#2: no path with walls of thickness 1."""
    grid = Grid(np.ones((9, 9)))
    search = DStarLite(grid, (4, 0), (4, 8))
    assert check(search, (4, 0), (4, 8)).length == 8.0
    grid.set([(row, 4) for row in range(8)], free=False)
    assert check(search, (4, 0), (4, 8)).found
    grid.set([(8, 4)], free=False)
    assert check(search, (4, 0), (4, 8)).status == Status.UNREACHABLE
    grid.set([(0, 4)], free=True)
    assert check(search, (4, 0), (4, 8)).found


@pytest.mark.parametrize("rule", RULES)
def test_a_diagonal_wall_one_cell_thick(rule):
    """Cells that touch by their corners only are passed under one rule alone."""
    grid = Grid(np.ones((7, 7)))
    search = DStarLite(grid, (0, 0), (6, 6), rule)
    search.replan()
    grid.set([(k, 6 - k) for k in range(7)], free=False)
    path = check(search, (0, 0), (6, 6))
    assert path.found == (rule == CornerRule.ALWAYS)


def test_replans_after_the_start_moved():
    """daniel-beard/DStarLiteJava#1: replanning fails after the start moved, on its path or not."""
    grid = rooms(4, 4, 5, seed=3)
    search = DStarLite(grid, (1, 1), (22, 22))
    check(search, (1, 1), (22, 22))
    free = [tuple(cell) for cell in np.argwhere(grid.free).tolist()]
    for k in range(0, len(free), 7):
        check(search, free[k], (22, 22))
        grid.set([free[k - 3]], free=False)


def test_obstacles_added_after_planning_do_not_hang_it():
    """AtsushiSakai/PythonRobotics#886: D* hangs when obstacles are added after planning."""
    grid = Grid(np.ones((20, 20)))
    search = DStarLite(grid, (0, 0), (19, 19))
    first = search.replan()
    for k in range(1, 19):
        grid.fill((k, 0 if k % 2 else 1), (1, 19), free=False)
        path = check(search, (0, 0), (19, 19))
        assert path.expanded <= 4 * 400
    assert path.cost > 4 * first.cost
    grid.fill((9, 0), (1, 20), free=False)
    assert check(search, (0, 0), (19, 19)).status == Status.UNREACHABLE


def test_sees_obstacles_of_any_later_time():
    """ElettraSciComp/DStar-Trajectory-Planner#1: the map was copied once, later changes ignored."""
    grid = grid_of(".....", ".....", ".....")
    search = DStarLite(grid, (1, 0), (1, 4))
    search.replan()
    grid.set([(1, 2)], free=False)
    assert check(search, (1, 0), (1, 4)).length > 4.0
    grid.fill((0, 2), (2, 1), free=False)
    assert (2, 2) in map(tuple, check(search, (1, 0), (1, 4)).cells.tolist())
    grid.paste((0, 2), [[True], [True], [False]])
    assert check(search, (1, 0), (1, 4)).length == 4.0


def test_doors_that_close_and_open_again():
    grid = rooms(3, 3, 6, seed=1)
    doors = np.argwhere(grid.free & ~rooms(3, 3, 6, seed=9).free)
    start, goal = (2, 2), (19, 19)
    search = DStarLite(grid, start, goal)
    before = check(search, start, goal).cost
    for door in doors.tolist() * 3:
        grid.set([door], free=False)
        check(search, start, goal)
        grid.set([door], free=True)
        assert check(search, start, goal).cost == before


def test_a_blocked_start_or_goal_is_named_and_may_open_again():
    grid = Grid(np.ones((5, 5)))
    search = DStarLite(grid, (0, 0), (4, 4))
    cost = search.replan().cost
    for cell, status in (((0, 0), Status.START_BLOCKED), ((4, 4), Status.GOAL_BLOCKED)):
        grid.set([cell], free=False)
        path = search.replan()
        assert path.status == status
        assert str(cell) in path.reason
        grid.set([cell], free=True)
        assert search.replan().cost == cost
    assert search.replan(start=(9, 9)).status == Status.OUT_OF_BOUNDS
    assert search.replan(start=(4, 4)).status == Status.ALREADY_THERE
    assert search.replan(start=(0, 0)).cost == cost


def test_the_goal_moves():
    grid = rooms(3, 3, 5, seed=5)
    search = DStarLite(grid, (1, 1), (1, 1))
    for k, goal in enumerate(np.argwhere(grid.free).tolist()[::9]):
        check(search, (1, 1), tuple(goal))
        grid.set([(3, 2 + k % 3)], free=bool(k % 2))


def test_a_budget_interrupts_and_the_next_call_goes_on():
    grid = rooms(6, 6, 6, seed=2)
    start, goal = (1, 1), (41, 41)
    whole = DStarLite(grid, start, goal).replan()
    search = DStarLite(grid, start, goal)
    calls = 1
    path = search.replan(budget=50)
    assert path.status == Status.OUT_OF_BUDGET
    while not path.found:
        path = search.replan(budget=50)
        calls += 1
        assert calls < 1000
    assert path.cost == whole.cost
    assert calls >= whole.expanded // 50


def test_follows_more_changes_than_the_grid_remembers():
    grid = Grid(np.ones((30, 30)))
    search = DStarLite(grid, (0, 0), (29, 29))
    search.replan()
    for k in range(LOG_SIZE // 900 + 2):
        grid.fill((0, 0), (30, 30), free=bool(k % 2))
    grid.fill((0, 0), (30, 30), free=True)
    grid.fill((10, 0), (1, 29), free=False)
    check(search, (0, 0), (29, 29))


def test_prices_may_fall_and_rise_by_any_amount():
    grid = Grid(np.ones((12, 12)), np.full((12, 12), 5.0))
    search = DStarLite(grid, (6, 0), (6, 11))
    for price in (5.0, 1.0, 1e-3, 1e-9, 3.0, 1e3, 1e9, 1e9, 1e-9):
        grid.fill((0, 5), (12, 1), free=True, cost=price)
        check(search, (6, 0), (6, 11))
        grid.fill((2, 3), (8, 1), free=True, cost=7.0 - 2.0 * (price > 1))
        check(search, (6, 0), (6, 11))


def test_a_small_change_costs_little():
    """Far fewer cells are looked at than from scratch, where little changed near the agent."""
    rng = np.random.default_rng(4)
    grid = Grid(rng.random((200, 200)) > 0.1, rng.uniform(1.0, 4.0, (200, 200)))
    start, goal = (100, 10), (100, 190)
    grid.set([start, goal], free=True)
    search = DStarLite(grid, start, goal)
    first = search.replan()
    spent = []
    for _ in range(20):
        cells = np.array(start) + rng.integers(-8, 9, (3, 2))
        grid.set(cells[(cells != start).any(axis=1)], free=False)
        spent.append(check(search, start, goal).expanded)
    assert np.mean(spent) < 0.05 * first.expanded


def test_lists_the_cells_that_it_searched():
    grid = rooms(4, 4, 5, seed=3)
    start, goal = (1, 1), (22, 22)
    search = DStarLite(grid, start, goal)
    assert search.searched().shape == (0, 2)
    for blocked in ((), [(5, 5), (8, 8)]):
        if blocked:
            grid.set(blocked, free=False)
        path = check(search, start, goal)
        searched = search.searched()
        assert path.expanded <= len(searched) or blocked
        assert {tuple(cell) for cell in path.cells.tolist()} <= set(map(tuple, searched.tolist()))
        costs = costs_from(grid.free, np.ones(grid.shape), int(search.rule), *goal)
        assert np.isfinite(costs[tuple(searched.T)]).all()


def test_memory_of_a_large_map_is_modest():
    search = DStarLite(Grid(np.ones((500, 500))), (0, 0), (9, 9))
    arrays = [value for value in vars(search).values() if isinstance(value, np.ndarray)]
    assert sum(array.nbytes for array in arrays) <= 40 * 502**2


def test_bad_arguments():
    grid = Grid(np.ones((3, 3)))
    with pytest.raises(InputError, match="goal is"):
        DStarLite(grid, (0, 0), (0.5, 1))
    with pytest.raises(InputError, match="corner rule"):
        DStarLite(grid, (0, 0), (1, 1), rule="sometimes")
    search = DStarLite(grid, (0, 0), (2, 2))
    with pytest.raises(InputError, match="start is"):
        search.replan(start=(1,))
    with pytest.raises(InputError, match="budget"):
        search.replan(budget=0)


@pytest.mark.parametrize("dear", [1e3, 1e6, 1e9])
@pytest.mark.parametrize("cheap", [1.0, 1e-3, 1e-9])
def test_costs_too_far_apart_for_whole_numbers_are_answered_all_the_same(cheap, dear):
    rng = np.random.default_rng(0)
    free = np.ones((30, 30), bool)
    grid = Grid(free, rng.choice([cheap, dear], free.shape))
    search = DStarLite(grid, (0, 0), (29, 29))
    for _ in range(6):
        path = search.replan()
        exact = costs_from(grid.free.copy(), grid.cost.copy(), 0, 0, 0)[29, 29]
        assert path.found
        assert path.algorithm == "dstar_lite"
        assert path.cost == pytest.approx(exact, rel=1e-8)
        cells = rng.integers(1, 28, (5, 2))
        grid.set(cells, free=True, cost=float(rng.choice([cheap, dear])))
