"""Benchmark queries: right answers are told from wrong ones, and only the search is timed."""

from __future__ import annotations

import heapq
import math
from dataclasses import replace

import numpy as np
import pytest

from headway.bench import scenarios as module
from headway.bench.scenarios import fault_of, run_replay, run_scenarios
from headway.errors import InputError
from headway.plan.path import Path, Status, no_path
from headway.world.grid import Grid
from headway.world.movingai import Patch, Replay, Scenarios

STEPS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]


def dijkstra(grid, start, goal):
    """The shortest path that cuts no corner, without haste."""
    free = {(int(r), int(c)) for r, c in np.argwhere(grid.free)}
    best, came, queue = {start: 0.0}, {}, [(0.0, start)]
    while queue:
        length, cell = heapq.heappop(queue)
        for down, right in STEPS:
            row, column = cell[0] + down, cell[1] + right
            there = length + math.hypot(down, right)
            if {(row, column), (row, cell[1]), (cell[0], column)} <= free and there < best.get(
                (row, column), math.inf
            ):
                best[row, column], came[row, column] = there, cell
                heapq.heappush(queue, (there, (row, column)))
    if goal not in best or start not in free:
        return no_path(Status.UNREACHABLE, "there is no way", "dijkstra")
    cells = [goal]
    while cells[-1] != start:
        cells.append(came[cells[-1]])
    return path_of(cells[::-1], grid.cell_size)


def path_of(cells, cell_size=1.0, length=None):
    cells = np.array(cells, np.int64).reshape(-1, 2)
    if length is None:
        length = cell_size * float(np.hypot(*np.diff(cells, axis=0).T).sum())
    return Path(Status.FOUND, "found", cells, cells + 0.5, length, length, 1, "dijkstra")


def queries_on(grid, ends, lengths=None):
    ends = np.array(ends, np.int64)
    start, goal = ends[:, :2].copy(), ends[:, 2:].copy()
    if lengths is None:
        pairs = zip(map(tuple, start.tolist()), map(tuple, goal.tolist()), strict=True)
        found = [dijkstra(grid, *pair) for pair in pairs]
        lengths = [path.length if path.found else math.inf for path in found]
    return Scenarios(np.zeros(len(ends), np.int64), start, goal, np.array(lengths), *grid.shape)


@pytest.fixture
def room():
    free = np.ones((6, 7), bool)
    free[1:5, 3] = False
    free[5, 6] = True
    free[4, 5:] = free[5, 5] = False  # the last corner is shut off
    return Grid(free)


ENDS = [(0, 0, 5, 0), (2, 1, 2, 5), (0, 0, 0, 0), (0, 0, 5, 6), (3, 2, 3, 4)]


def test_right_answers(room):
    report = run_scenarios(room, queries_on(room, ENDS), dijkstra)
    assert (report.queries, report.wrong, report.invalid) == (5, 0, 0)
    assert report.unreachable == 1
    assert report.first_wrong is None


def test_lengths_are_counted_in_cells(room):
    large = Grid(room.free, cell_size=0.25)
    assert run_scenarios(large, queries_on(room, ENDS), dijkstra).wrong == 0


@pytest.mark.parametrize(
    ("error", "wrong"), [(0.0099, 0), (-0.0099, 0), (0.0102, 1), (-0.0102, 1), (math.inf, 1)]
)
def test_how_far_a_length_may_be_off(room, error, wrong):
    queries = queries_on(room, ENDS[:2])
    off = queries.length + np.array((0.0, error))
    report = run_scenarios(room, replace(queries, length=off), dijkstra)
    assert (report.wrong, report.invalid) == (wrong, 0)
    if wrong:
        assert "the path of query 1, (2, 1) to (2, 5), is 6.828" in str(report.first_wrong)


def test_long_paths_may_be_off_by_more():
    grid = Grid(np.ones((1, 5001)))
    cells = np.column_stack((np.zeros(5001, np.int64), np.arange(5001)))
    queries = queries_on(grid, [(0, 0, 0, 5000)] * 2, [5000.055, 5000.065])
    report = run_scenarios(grid, queries, lambda *_: path_of(cells))
    assert report.wrong == 1
    assert "query 1" in str(report.first_wrong)


def test_an_unreachable_goal_that_is_reached_and_the_other_way_round(room):
    queries = queries_on(room, ENDS[:1], [math.inf])
    report = run_scenarios(room, queries, dijkstra)
    assert (report.wrong, report.unreachable) == (1, 0)
    queries = queries_on(room, [ENDS[3]], [12.0])
    report = run_scenarios(room, queries, dijkstra)
    assert (report.wrong, report.invalid, report.unreachable) == (1, 0, 1)
    assert "there is no way" in str(report.first_wrong)


WALKS = {
    "nowhere": ([], "does not lead from start to goal"),
    "elsewhere": ([(0, 0), (0, 1)], "does not lead from start to goal"),
    "from elsewhere": ([(0, 1), (1, 1), (2, 2)], "does not lead from start to goal"),
    "outside": ([(0, 0), (-1, 1), (0, 2), (1, 2), (2, 2)], "leaves the map"),
    "wall": ([(0, 0), (0, 1), (1, 1), (2, 2)], "enters a blocked cell"),
    "jump": ([(0, 0), (2, 0), (2, 1), (2, 2)], "has a step that is not to a neighbour"),
    "halt": ([(0, 0), (0, 0), (1, 0), (2, 0), (2, 1), (2, 2)], "has a step that is not to a"),
    "corner": ([(0, 0), (1, 0), (2, 1), (2, 2)], "cuts a corner"),
    "good": ([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)], None),
}


@pytest.mark.parametrize("walk", WALKS)
def test_why_a_path_may_not_be_walked(walk):
    cells, words = WALKS[walk]
    grid = Grid([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    fault = fault_of(grid, path_of(cells), (0, 0), (2, 2))
    assert fault is None if words is None else str(fault).startswith(words)
    report = run_scenarios(grid, queries_on(grid, [(0, 0, 2, 2)]), lambda *_: path_of(cells))
    assert report.invalid == (words is not None)
    assert report.wrong == report.invalid


def test_a_path_that_lies_about_its_length(room):
    lie = path_of([(0, 0), (0, 1)], length=1.001)
    assert "is 1.000000 m long but says 1.001" in str(fault_of(room, lie, (0, 0), (0, 1)))


def test_another_map(room):
    with pytest.raises(InputError, match="give the map of 6 rows and 7 columns"):
        run_scenarios(Grid(np.ones((7, 6))), queries_on(room, ENDS), dijkstra)


class FakeClock:
    """A clock that only the search moves."""

    def __init__(self, monkeypatch):
        self.now = 0
        monkeypatch.setattr(module, "clock", lambda: self.now)


def test_times_are_those_of_the_search_alone(room, monkeypatch):
    clock = FakeClock(monkeypatch)
    times = iter([10**9, *range(1000, 201_000, 1000)])  # the first call is not counted

    def find(grid, start, goal):
        clock.now += next(times)
        return path_of([(0, 0)])

    report = run_scenarios(room, queries_on(room, [(0, 0, 0, 0)] * 200), find)
    assert (report.queries, report.wrong) == (200, 0)
    assert report.mean_us == pytest.approx(100.5)
    assert report.median_us == pytest.approx(100.5)
    assert report.p99_us == pytest.approx(198.01)
    assert (report.worst_us, report.worst) == (200.0, 199)
    assert report.total_s == pytest.approx(0.0201)


def made_replay():
    grid = Grid(np.ones((6, 7)))
    wall, gap, shut = np.zeros((6, 1), bool), np.ones((1, 1), bool), np.zeros((1, 1), bool)
    patches = (
        Patch(1, (0, 3), wall),
        Patch(2, (5, 3), gap),
        Patch(70, (5, 3), shut),
        Patch(70, (0, 3), gap),
        Patch(100, (2, 2), gap),
    )
    lengths = []
    for index in range(100):
        for patch in patches:
            if patch.before == index:
                grid.paste(patch.top_left, patch.free)
        path = dijkstra(grid, (0, 0), (0, 6)) if index in (0, 1, 2, 70) else None
        lengths.append(path.length if path else lengths[-1])
    assert lengths[0] == 6
    assert lengths[1] == math.inf
    return Replay(queries_on(grid, [(0, 0, 0, 6)] * 100, lengths), patches)


def test_a_replay_changes_the_world_in_time(monkeypatch):
    clock = FakeClock(monkeypatch)

    class SlowGrid(Grid):
        def paste(self, top_left, free, cost=None):
            clock.now += 7_000
            super().paste(top_left, free, cost)

    def find(grid, start, goal):
        clock.now += 40_000
        return dijkstra(grid, start, goal)

    monkeypatch.setattr(module, "Grid", SlowGrid)
    report = run_replay(made_replay(), find)
    assert (report.queries, report.wrong, report.invalid, report.unreachable) == (100, 0, 0, 1)
    assert report.patches == 5
    assert report.patch_mean_us == pytest.approx(7.0)
    assert report.mean_us == report.median_us == pytest.approx(40.0)


def test_a_replay_whose_changes_are_missed():
    first = []

    def find(grid, start, goal):
        first.append(grid)
        return dijkstra(Grid(np.ones((6, 7))), start, goal)

    report = run_replay(made_replay(), find)
    assert report.invalid == 69
    assert report.wrong == 69
    assert "query 1, (0, 0) to (0, 6), enters a blocked cell" in str(report.first_wrong)


def test_a_replay_without_patches():
    replay = replace(made_replay(), patches=())
    report = run_replay(replay, dijkstra)
    assert (report.patches, report.patch_mean_us) == (0, 0.0)
    assert report.wrong == 69


@pytest.mark.parametrize("length", [0.999, 1.001])
def test_a_length_may_be_neither_more_nor_less_than_what_is_walked(room, length):
    lie = path_of([(0, 0), (0, 1)], length=length)
    assert f"says {length:.3f}" in str(fault_of(room, lie, (0, 0), (0, 1)))


def test_the_rehearsal_of_a_replay_takes_in_a_change():
    free = []

    def find(grid, start, goal):
        free.append(int(grid.free.sum()))
        return dijkstra(grid, start, goal)

    run_replay(made_replay(), find)
    assert free[:4] == [36, 42, 42, 36]  # rehearsed after the wall, then before it and so on
