"""Runs benchmark queries with known answers: how long each takes, and whether it is right."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from headway.bench.measure import clock, collector_off
from headway.errors import InputError
from headway.plan.path import Path
from headway.world.grid import Grid
from headway.world.movingai import Replay, Scenarios

Cell = tuple[int, int]
Find = Callable[[Grid, Cell, Cell], Path]
"""A search: grid, start and goal in, path out."""

TOLERANCE = 0.01
RELATIVE_TOLERANCE = 1e-5
"""Listed lengths are rounded to two decimals or to six digits."""
CHUNK = 64
"""Queries timed in a row before their paths are checked, so that checks do not cool the caches."""


@dataclass(frozen=True)
class ScenarioReport:
    """What came of the queries of a scenario file; times are CPU time of the calling thread."""

    queries: int
    wrong: int
    """Queries whose answer is not the listed one or is no path that may be walked."""
    invalid: int
    """Those of them whose path may not be walked."""
    unreachable: int
    """Queries answered by a reason instead of a path."""
    mean_us: float
    median_us: float
    p99_us: float
    """99 % of the queries took no longer."""
    worst_us: float
    worst: int
    """Index of the query that took longest."""
    total_s: float
    first_wrong: str | None
    """What is wrong with the first wrong answer."""


@dataclass(frozen=True)
class ReplayReport(ScenarioReport):
    """What came of a replay; the times above are those of its queries."""

    patches: int
    patch_mean_us: float


def run_scenarios(grid: Grid, scenarios: Scenarios, find: Find) -> ScenarioReport:
    """Answer the queries of a scenario file, one by one, and check the answers.

    Parameters
    ----------
    grid : Grid
        The map they are for.
    scenarios : Scenarios
        The queries.
    find : callable
        Takes the grid, start and goal, both (row, column), and returns a `Path` of cells. It is
        called once beforehand, so that what it compiles or loads is not counted.

    Returns
    -------
    ScenarioReport
        Times and mistakes. A length may differ from the listed one by 0.01 + 1e-5 of it. A path
        may be walked if it steps from free cell to free cell and cuts no corner.

    Raises
    ------
    InputError
        If the map has another size than the scenarios say.
    """
    if grid.shape != (scenarios.height, scenarios.width):
        expected = f"{scenarios.height} rows and {scenarios.width} columns"
        raise InputError(f"grid has shape {grid.shape}: give the map of {expected} of the queries.")
    run = _Run(grid, scenarios, find)
    with collector_off():
        run.warm_up()
        run.answer(0, len(scenarios))
    return run.report()


def run_replay(replay: Replay, find: Find) -> ReplayReport:
    """Answer the queries of a replay while its patches change the world, and check the answers.

    Parameters
    ----------
    replay : Replay
        Queries and patches.
    find : callable
        As for `run_scenarios`. What it puts off until a query after a patch counts as its time.

    Returns
    -------
    ReplayReport
        Times and mistakes of the queries, times of the patches.
    """
    queries = replay.queries
    everywhere = np.ones((queries.height, queries.width), np.bool_)
    rehearsal = _Run(Grid(everywhere), queries, find)
    run = _Run(Grid(everywhere), queries, find)
    spent = 0
    done = 0
    with collector_off():
        for patch in replay.patches[:1]:
            rehearsal.grid.paste(patch.top_left, patch.free)
        rehearsal.warm_up()
        run.warm_up()
        for before, group in groupby(replay.patches, key=lambda patch: patch.before):
            run.answer(done, before)
            done = before
            patches = [(patch.top_left, patch.free) for patch in group]
            paste = run.grid.paste
            began = clock()
            for top_left, free in patches:
                paste(top_left, free)
            spent += clock() - began
        run.answer(done, len(queries))
    count = len(replay.patches)
    mean = 1e-3 * spent / max(count, 1)
    return ReplayReport(**vars(run.report()), patches=count, patch_mean_us=mean)


def fault_of(grid: Grid, path: Path, start: Cell, goal: Cell) -> str | None:
    """Say why a path may not be walked.

    Parameters
    ----------
    grid : Grid
        The map as it was when the path was found.
    path : Path
        One with every cell stepped on.
    start, goal : tuple of int
        Row and column of its ends.

    Returns
    -------
    str or None
        The reason; None if it may be walked from start to goal without cutting a corner and is as
        long as it says, or if there is no path.

    Examples
    --------
    >>> cells = np.array([(0, 0), (1, 1)])
    >>> path = Path("found", "", cells, cells + 0.5, 2.0**0.5, 2.0**0.5, 2, "by hand")
    >>> fault_of(Grid([[1, 1], [1, 1]]), path, (0, 0), (1, 1))
    >>> fault_of(Grid([[1, 0], [1, 1]]), path, (0, 0), (1, 1))
    'cuts a corner'
    """
    cells = path.cells
    if not path.found:
        return None
    if len(cells) == 0 or tuple(cells[0].tolist()) != start or tuple(cells[-1].tolist()) != goal:
        return "does not lead from start to goal"
    if not grid.contains(cells).all():
        return "leaves the map"
    return _step_fault(grid, cells, path.length)


def _step_fault(grid: Grid, cells: NDArray[np.int64], length: float) -> str | None:
    free = grid.free
    row, column = cells.T
    steps = np.abs(np.diff(cells, axis=0))
    walked = grid.cell_size * float(np.sqrt(steps.sum(axis=1)).sum())
    if not free[row, column].all():
        return "enters a blocked cell"
    if len(steps) and (steps.max(axis=1) != 1).any():
        return "has a step that is not to a neighbour"
    if not (free[row[:-1], column[1:]] & free[row[1:], column[:-1]]).all():
        return "cuts a corner"
    if abs(length - walked) > 1e-9 * (1.0 + walked):
        return f"is {walked:.6f} m long but says {length:.6f} m"
    return None


def _length_fault(length: float, listed: float, reason: str) -> str | None:
    if length == listed:  # both infinite: rightly none
        return None
    if math.isfinite(listed) and abs(length - listed) <= TOLERANCE + RELATIVE_TOLERANCE * listed:
        return None
    return f"is {length:.6f} cells long, not {listed:.6f} ({reason})"


class _Run:
    """Queries under way: their times and mistakes so far."""

    def __init__(self, grid: Grid, queries: Scenarios, find: Find):
        self.grid = grid
        self.find = find
        self.starts: list[Cell] = list(map(tuple, queries.start.tolist()))
        self.goals: list[Cell] = list(map(tuple, queries.goal.tolist()))
        self.lengths: list[float] = queries.length.tolist()
        self.spent: list[int] = []
        self.wrong = self.invalid = self.unreachable = 0
        self.first_wrong: str | None = None

    def warm_up(self) -> None:
        """Answer the first query, uncounted."""
        self.find(self.grid, self.starts[0], self.goals[0])

    def answer(self, first: int, last: int) -> None:
        """Time queries first to last (not included), then check the answers, chunk by chunk."""
        grid, find, spent = self.grid, self.find, self.spent
        for begin, end in pairwise([*range(first, last, CHUNK), last]):
            paths = []
            for start, goal in zip(self.starts[begin:end], self.goals[begin:end], strict=True):
                began = clock()
                path = find(grid, start, goal)
                spent.append(clock() - began)
                paths.append(path)
            for index, path in enumerate(paths, begin):
                self._check(index, path)

    def _check(self, index: int, path: Path) -> None:
        self.unreachable += not path.found
        fault = fault_of(self.grid, path, self.starts[index], self.goals[index])
        self.invalid += fault is not None
        length = path.length / self.grid.cell_size if path.found else math.inf
        fault = fault or _length_fault(length, self.lengths[index], path.reason)
        self.wrong += fault is not None
        if fault and self.first_wrong is None:
            ends = f"{self.starts[index]} to {self.goals[index]}"
            self.first_wrong = f"the path of query {index}, {ends}, {fault}"

    def report(self) -> ScenarioReport:
        """Sum up."""
        microseconds = 1e-3 * np.array(self.spent)
        return ScenarioReport(
            queries=len(microseconds),
            wrong=self.wrong,
            invalid=self.invalid,
            unreachable=self.unreachable,
            mean_us=float(microseconds.mean()),
            median_us=float(np.median(microseconds)),
            p99_us=float(np.percentile(microseconds, 99)),
            worst_us=float(microseconds.max()),
            worst=int(microseconds.argmax()),
            total_s=1e-6 * float(microseconds.sum()),
            first_wrong=self.first_wrong,
        )
