"""Grids for the tests of searches, and shortest ways on them by SciPy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from headway.plan.path import Path
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

SQRT2 = 2.0**0.5


def random_grid(rng: np.random.Generator, blocked: float, rows: int, columns: int) -> Grid:
    return Grid(rng.random((rows, columns)) >= blocked)


def allowed(free: NDArray, a: tuple[int, int], b: tuple[int, int], rule: CornerRule) -> bool:
    """Whether a step between neighbouring cells keeps the rule."""
    (r, c), (q, d) = a, b
    if max(abs(r - q), abs(c - d)) != 1 or not (free[a] and free[b]):
        return False
    if r == q or c == d:
        return True
    beside = int(free[r, d]) + int(free[q, c])
    return {0: beside == 2, 1: beside >= 1, 2: True, 3: False}[int(rule)]


def graph_of(grid: Grid, rule: CornerRule) -> csr_array:
    """All steps of a grid, cells numbered row by row."""
    free, cost = grid.free, grid.cost
    rows, columns = grid.shape
    start, end, weight = [], [], []
    for r in range(rows):
        for c in range(columns):
            for q in range(max(r - 1, 0), min(r + 2, rows)):
                for d in range(max(c - 1, 0), min(c + 2, columns)):
                    if (q, d) != (r, c) and allowed(free, (r, c), (q, d), rule):
                        price = 1.0 if cost is None else (cost[r, c] + cost[q, d]) / 2.0
                        start.append(r * columns + c)
                        end.append(q * columns + d)
                        weight.append(price * (1.0 if r == q or c == d else SQRT2))
    return csr_array((weight, (start, end)), shape=(rows * columns,) * 2)


def distances(grid: Grid, sources: NDArray, rule: CornerRule) -> NDArray[np.float64]:
    """(N, R, C): cost of the shortest way from each source (row, column), in cells."""
    numbers = sources[:, 0] * grid.columns + sources[:, 1]
    return dijkstra(graph_of(grid, rule), indices=numbers).reshape(-1, *grid.shape)


def check_steps(grid: Grid, path: Path, rule: CornerRule = CornerRule.NEVER_CUT) -> None:
    """The path goes from cell to cell by the rule, and is as long as it says."""
    cells = [tuple(cell) for cell in path.cells.tolist()]
    for a, b in pairwise(cells):
        assert allowed(grid.free, a, b, rule), (a, b)
    length = float(np.hypot(*np.diff(path.points, axis=0).T).sum())
    assert abs(length - path.length) <= 1e-9 * max(1.0, length)
