"""The C++ twin of jump point search takes the same steps as the Python, to the last cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.bench.cpp_library import Library, TwinMissing
from headway.bench.jump_twin import JumpQueries, build_jump_twin
from headway.errors import InputError
from headway.plan.jump_points import EXPANDED, NUMBERS, OCCUPIED, jump_point_search
from headway.world.grid import Grid
from headway.world.worlds import maze, scattered


@pytest.fixture(scope="module")
def twin() -> Iterator[Library]:
    try:
        built = build_jump_twin(("-O1",))
    except TwinMissing as reason:
        pytest.skip(str(reason))
    with built:
        yield built


def connected(grid: Grid, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Starts and goals of queries that have a path."""
    cells = np.argwhere(grid.free)
    picks = np.random.default_rng(seed).choice(len(cells), (20 * count, 2))
    pairs = [
        (cells[a], cells[b])
        for a, b in picks
        if a != b and jump_point_search(grid, cells[a], cells[b]).found
    ]
    return np.array([a for a, _ in pairs[:count]]), np.array([b for _, b in pairs[:count]])


@given(
    shape=st.tuples(st.integers(1, 140), st.integers(1, 140)),
    density=st.sampled_from([0.0, 0.05, 0.2, 0.4]),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=60)
def test_every_query_is_answered_by_the_same_steps(twin, shape, density, seed) -> None:
    grid = scattered(*shape, density, seed)
    if grid.free.sum() < 2:
        return
    starts, goals = connected(grid, 5, seed)
    if len(starts) == 0:
        return
    same_in_both(twin, JumpQueries(grid, starts, goals))


def test_a_maze_that_needs_larger_work_arrays_too(twin: Library) -> None:
    grid = maze(150, 150)
    starts, goals = connected(grid, 8, 1)
    queries = JumpQueries(grid, starts, goals)
    assert queries.answers[:, 0].max() > 4 * sum(grid.shape) / 2
    same_in_both(twin, queries)


def same_in_both(twin: Library, queries: JumpQueries) -> None:
    seen = []
    for run in (queries.in_python(), queries.in_cpp(twin)):
        queries.answers[:] = 0
        run()
        numbers, occupied = queries.work[NUMBERS], queries.work[OCCUPIED]
        seen.append((queries.answers.tolist(), queries.last_path.tolist(), numbers[EXPANDED]))
        assert not occupied.any()
    assert seen[0] == seen[1]


def test_answers_are_those_of_the_public_search() -> None:
    grid = scattered(60, 90, 0.2, 3)
    starts, goals = connected(grid, 10, 3)
    queries = JumpQueries(grid, starts, goals)
    paths = [jump_point_search(grid, a, b) for a, b in zip(starts, goals, strict=True)]
    assert queries.answers[:, 0].tolist() == [len(path.cells) for path in paths]
    assert np.array_equal(queries.last_path, paths[-1].cells)


def test_queries_without_a_path_are_refused() -> None:
    with pytest.raises(InputError, match="query 1 has no path"):
        JumpQueries(Grid([[1, 1, 0, 1]]), [(0, 0), (0, 0)], [(0, 1), (0, 3)])


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(TwinMissing, match=r"no C\+\+ compiler found"):
        build_jump_twin()
