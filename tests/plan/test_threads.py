"""Tests of searches in several threads at the same time on one grid: the same answers as alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from headway.plan.find_path import find_path
from headway.plan.find_paths import find_paths
from headway.world.grid import Grid
from headway.world.worlds import rooms

THREADS = 4
QUERIES = 40


def make_world() -> Grid:
    """A grid that nobody searched yet, so that whatever is made on first use is made at once."""
    return rooms(5, 5, 8, seed=7)


def make_queries() -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Starts and goals, some of them blocked."""
    rng = np.random.default_rng(5)
    grid = make_world()
    cells = rng.permutation(np.argwhere(grid.free))[: 2 * QUERIES].tolist()
    pairs = list(zip(cells[:QUERIES], cells[QUERIES:], strict=True))
    pairs[3] = (pairs[3][0], np.argwhere(~grid.free)[50].tolist())
    return [(tuple(start), tuple(goal)) for start, goal in pairs]


def answer(path):
    return path.status, path.cost, path.expanded, path.cells.tolist()


def at_the_same_time(task):
    """What a task of the number of the thread returns in each thread; all begin together."""
    together = Barrier(THREADS)

    def run(number):
        together.wait()
        return task(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.parametrize("algorithm", ["jps", "astar", "lazy_theta", "anya", "field", "dstar_lite"])
def test_one_search_in_several_threads(algorithm):
    queries, grid = make_queries(), make_world()
    alone = [answer(find_path(make_world(), *query, algorithm=algorithm)) for query in queries]

    def search_all(number):  # each thread begins at another query
        order = np.roll(np.arange(QUERIES), number * QUERIES // THREADS).tolist()
        found = {i: answer(find_path(grid, *queries[i], algorithm=algorithm)) for i in order}
        return [found[i] for i in range(QUERIES)]

    assert sum(len(cells) > 0 for *_, cells in alone) == QUERIES - 1
    for found in at_the_same_time(search_all):
        assert found == alone


def test_different_searches_in_several_threads():
    queries, grid = make_queries(), make_world()
    algorithms = ("jps", "astar", "lazy_theta", "anya")

    def search_all(algorithm, grid):
        return [answer(find_path(grid, *query, algorithm=algorithm)) for query in queries]

    alone = [search_all(algorithm, make_world()) for algorithm in algorithms]
    assert at_the_same_time(lambda number: search_all(algorithms[number], grid)) == alone


def test_batches_in_several_threads():
    """Each batch has workers of its own besides."""
    grid = make_world()
    starts, goals = zip(*make_queries(), strict=True)
    alone = [answer(path) for path in find_paths(make_world(), starts, goals)]

    def search_all(_):
        return [answer(path) for path in find_paths(grid, starts, goals, workers=3)]

    for found in at_the_same_time(search_all):
        assert found == alone


def test_terrain_in_several_threads():
    queries = make_queries()
    price = np.random.default_rng(6).integers(1, 5, make_world().shape).astype(float)
    alone = [answer(find_path(Grid(make_world().free, price), *query)) for query in queries]
    grid = Grid(make_world().free, price)

    def search_all(_):
        return [answer(find_path(grid, *query)) for query in queries]

    for found in at_the_same_time(search_all):
        assert found == alone
