"""Many queries in one call: their paths in a few arrays, without a Python object for each."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.plan.a_star import a_star
from headway.plan.endpoints import settled_early, unreachable
from headway.plan.jump_points import (
    ALGORITHM,
    EXPANDED,
    NO_ROOM,
    QUEUE,
    RANGE,
    RANGE_SPENT,
    highest_cost,
    search_jump_points,
    work_arrays,
)  # fmt: skip
from headway.plan.path import SQRT2, Path, stepped_path
from headway.plan.scratch import borrow, give_back
from headway.world.components import components_of
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid

CELLS_TO_BEGIN_WITH = 64
"""Room for so many per query; more is made where it does not do."""
STRAIGHT_STEPS, DIAGONAL_STEPS, LOOKED_FROM = range(3)


@dataclass(frozen=True)
class Paths:
    """The answers to many queries on one grid; index it by a number to get one as a `Path`.

    Parameters
    ----------
    grid : Grid
    queries : (N, 2, 2) ndarray
        Row and column of start and goal of each query.
    length : (N,) ndarray
        m; infinite where there is no path.
    cost : (N,) ndarray
        Terrain cost integrated along the path; infinite where there is no path.
    steps : (N, 3) ndarray
        Straight and diagonal steps, and how many points the search looked from.
    cells : (K, 2) ndarray
        Row and column of the cells of all paths, one after the other.
    offsets : (N + 1,) ndarray
        Where the cells of each begin: those of query i are ``cells[offsets[i]:offsets[i + 1]]``.
    algorithm : str
    without : dict
        By query, the answers for which there was no path to search.
    """

    grid: Grid
    queries: NDArray[np.int64]
    length: NDArray[np.float64]
    cost: NDArray[np.float64]
    steps: NDArray[np.int64]
    cells: NDArray[np.int64]
    offsets: NDArray[np.int64]
    algorithm: str
    without: dict[int, Path]

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[Path]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> Path:
        i = range(len(self))[index(i)]
        if i in self.without:
            return self.without[i]
        cells = self.cells[self.offsets[i] : self.offsets[i + 1]]
        straight, diagonal, expanded = self.steps[i].tolist()
        cost = float(self.cost[i])
        return stepped_path(self.grid, cells, straight, diagonal, expanded, self.algorithm, cost)

    @property
    def found(self) -> NDArray[np.bool_]:
        """(N,): which queries have a path."""
        return np.isfinite(self.length)


def find_paths(
    grid: Grid,
    starts: ArrayLike,
    goals: ArrayLike,
    *,
    rule: CornerRule | str = CornerRule.NEVER_CUT,
    workers: int = 1,
) -> Paths:
    """Find the shortest path of each of many queries.

    Parameters
    ----------
    grid : Grid
        For agents that are discs, ``inflated(grid, radius)``.
    starts, goals : (N, 2) array_like
        Row and column; one start or goal, (2,), stands for all queries.
    rule : CornerRule or str
        Jump point search answers all queries in one call where corners are never cut and there is
        no terrain cost; elsewhere A* answers them one by one.
    workers : int
        How many threads share the queries; the answers do not depend on it.

    Returns
    -------
    Paths

    Raises
    ------
    InputError
        If starts or goals are not pairs of whole numbers, or not as many of one as of the other.

    Examples
    --------
    >>> paths = find_paths(Grid([[1, 1, 1], [1, 0, 1]]), [(0, 0), (1, 0)], (1, 2))
    >>> paths.length.tolist(), paths[1].cells.tolist()
    ([3.0, 4.0], [[1, 0], [0, 0], [0, 1], [0, 2], [1, 2]])
    """
    rule = corner_rule(rule)
    queries = _queries(starts, goals)
    if not isinstance(workers, int) or workers < 1:
        raise InputError(f"workers is {workers!r}; give a whole number from 1.")
    if grid.weighted or rule != CornerRule.NEVER_CUT:
        return _one_by_one(grid, queries, rule)
    flat, without = _worth_searching(grid, queries)
    parts = np.array_split(flat, workers)
    if workers == 1:
        answers = [_search_all(grid, flat)]
    else:
        with ThreadPoolExecutor(workers) as pool:
            answers = list(pool.map(lambda part: _search_all(grid, part), parts))
    steps = np.concatenate([steps for _, _, steps in answers])
    counts = np.concatenate([counts for _, counts, _ in answers])
    offsets = np.concatenate(([0], np.cumsum(counts)))
    length = (steps[:, STRAIGHT_STEPS] + steps[:, DIAGONAL_STEPS] * SQRT2) * grid.cell_size
    length[counts == 0] = np.inf
    for i in np.flatnonzero(counts == 0).tolist():
        if i not in without:
            start, goal = queries[i].tolist()
            without[i] = unreachable(start, goal, ALGORITHM, int(steps[i, LOOKED_FROM]))
    for i, path in without.items():
        length[i] = path.length
    cells = np.concatenate([cells for cells, _, _ in answers])
    return Paths(grid, queries, length, length.copy(), steps, cells, offsets, ALGORITHM, without)


def _queries(starts: ArrayLike, goals: ArrayLike) -> NDArray[np.int64]:
    """(N, 2, 2): start and goal of each query."""
    both = []
    for name, values in (("starts", starts), ("goals", goals)):
        try:
            array = np.asarray(values)
            if array.dtype.kind not in "iu" and array.size:
                raise TypeError(f"they hold {array.dtype}")
            if array.shape != (2,) and (array.ndim != 2 or array.shape[1] != 2) and array.size:
                raise TypeError(f"they have shape {array.shape}")
            both.append(array.astype(np.int64).reshape(-1, 2))
        except (TypeError, ValueError) as error:
            raise InputError(f"{name} must be pairs of whole numbers, (N, 2) ({error}).") from error
    first, last = both
    if len(first) != len(last) and 1 not in (len(first), len(last)):
        raise InputError(f"there are {len(first)} starts and {len(last)} goals; give as many.")
    return np.stack(np.broadcast_arrays(first, last), axis=1)


def _one_by_one(grid: Grid, queries: NDArray[np.int64], rule: CornerRule) -> Paths:
    paths = [a_star(grid, *query, rule=rule) for query in queries.tolist()]
    offsets = np.concatenate(([0], np.cumsum([len(path.cells) for path in paths], dtype=np.int64)))
    cells = np.concatenate([np.empty((0, 2), np.int64), *(path.cells for path in paths)])
    steps = np.zeros((len(paths), 3), np.int64)
    for i, path in enumerate(paths):
        moves = np.abs(np.diff(path.cells, axis=0)).sum(axis=1)
        steps[i] = np.sum(moves == 1), np.sum(moves == 2), path.expanded
    length, cost = (np.array([getattr(p, name) for p in paths]) for name in ("length", "cost"))
    without = {i: path for i, path in enumerate(paths) if not path.found}
    algorithm = paths[0].algorithm if paths else "astar"
    return Paths(grid, queries, length, cost, steps, cells, offsets, algorithm, without)


def _worth_searching(
    grid: Grid, queries: NDArray[np.int64]
) -> tuple[NDArray[np.int64], dict[int, Path]]:
    """(N, 2) padded indices of start and goal, -1 where no search is needed, and those answers."""
    inside = ((queries >= 0) & (queries < grid.shape)).all(axis=(1, 2))
    flat = (queries[:, :, 0] + 1) * grid.stride + queries[:, :, 1] + 1
    flat[~inside] = 0  # a cell of the border, and so blocked
    settled = ~(grid.padded_free[flat] != 0).all(axis=1) | (flat[:, 0] == flat[:, 1])
    apart = components_of(grid, CornerRule.NEVER_CUT).apart
    settled |= np.fromiter((apart(a, b) for a, b in flat.tolist()), np.bool_, len(flat))
    without = {}
    for i in np.flatnonzero(settled).tolist():
        start, goal = queries[i].tolist()
        path = settled_early(grid, start, goal, CornerRule.NEVER_CUT, ALGORITHM)
        if path is not None:
            without[i] = path
    flat[settled] = -1
    return flat, without


def _example() -> tuple[Any, ...]:
    grid = Grid(np.ones((4, 4)))
    rest = np.array([[7, 28]]), np.zeros(1, np.int64), np.zeros((1, 3), np.int64), 0, 0
    arrays = grid.bits, *work_arrays(grid)
    return (*arrays, grid.rows, grid.columns, highest_cost(grid), *rest)


@kernel(example=_example)
def _search_queries(
    bits: NDArray, cost: NDArray, link: NDArray, queue: NDArray, heads: NDArray,
    occupied: NDArray, found: NDArray, numbers: NDArray, cells: NDArray, rows: int,
    columns: int, room: int, queries: NDArray, counts: NDArray, steps: NDArray, first: int,
    used: int,
) -> tuple:  # fmt: skip
    """Answer queries from the first on, until one lacks room.

    Returns the query that lacks room, the rows of ``cells`` used so far, and what was lacking.
    """
    for i in range(first, len(queries)):
        counts[i] = 0
        if queries[i, 0] < 0:
            continue
        count, straight, diagonal = search_jump_points(
            bits, cost, link, queue, heads, occupied, found, numbers, cells[used:], rows,
            columns, queries[i, 0], queries[i, 1], room,
        )  # fmt: skip
        if count < 0 or count > len(cells) - used:
            return i, used, count
        counts[i] = count
        used += count
        steps[i, 0], steps[i, 1], steps[i, 2] = straight, diagonal, numbers[EXPANDED]
    return len(queries), used, 0


def _search_all(grid: Grid, queries: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Cells of all paths, how many each has, and the steps of each."""
    queries = np.ascontiguousarray(queries)
    counts = np.zeros(len(queries), np.int64)
    steps = np.zeros((len(queries), 3), np.int64)
    cells = np.empty((CELLS_TO_BEGIN_WITH * len(queries), 2), np.int64)
    work = borrow(grid, ALGORITHM, work_arrays)
    at, used, usual = 0, 0, highest_cost(grid)
    room = usual
    while at < len(queries):
        cost, link, queue, heads, occupied, found, numbers, _ = work
        at, used, lacking = _search_queries(
            grid.bits, cost, link, queue, heads, occupied, found, numbers, cells, grid.rows,
            grid.columns, room, queries, counts, steps, at, used,
        )  # fmt: skip
        room = RANGE if lacking == RANGE_SPENT else usual
        if lacking == NO_ROOM:
            work[QUEUE] = np.empty((2 * len(work[QUEUE]), 3), np.int64)
        elif lacking > 0:
            cells = np.concatenate((cells, np.empty((len(cells) + lacking, 2), np.int64)))
    give_back(grid, ALGORITHM, work)
    return cells[:used].copy(), counts, steps
