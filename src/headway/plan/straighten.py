"""Pull a path straight like a string: it turns at fewer of its cells, and costs no more.

Any choice among the cells of a path, in their order, is a path that is no longer. Of those this
finds a good one, and not always the best: as few turns as a look back from the goal gives, and
then, over and over until nothing changes, each turn is left out or moved along the path where that
costs less.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.plan.line_of_sight import sees
from headway.plan.path import Path
from headway.world.grid import Grid

ROUNDING = 1e-12
"""Costs that differ by less than this part of them are taken to be equal."""


@kernel
def line_cost(
    cost: NDArray, stride: int, row_a: int, column_a: int, row_b: int, column_b: int
) -> float:
    """Integrate the cost of cells along the segment between the centres of two, in cells.

    Unchecked; rows and columns count the border. It is what the steps of a path that goes along it
    from cell to neighbouring cell cost, if it is made of such steps.
    """
    down, right = row_b - row_a, column_b - column_a
    cell = row_a * stride + column_a
    row_step = stride if down > 0 else -stride
    column_step = 1 if right > 0 else -1
    down, right = abs(down), abs(right)
    total, before = 0.0, 0.0
    i, j = 1, 1  # the next row and column to be entered, at (2 i - 1) / (2 down) of the way
    while i <= down or j <= right:
        rank = (2 * i - 1) * right - (2 * j - 1) * down
        enters_row = i <= down and (rank <= 0 or j > right)
        enters_column = j <= right and (rank >= 0 or i > down)
        here = (2 * i - 1) / (2.0 * down) if enters_row else (2 * j - 1) / (2.0 * right)
        total += (here - before) * cost[cell]
        before = here
        if enters_row:
            cell += row_step
            i += 1
        if enters_column:
            cell += column_step
            j += 1
    total += (1.0 - before) * cost[cell]
    return total * math.sqrt(float(down * down + right * right))


@kernel
def _price(
    bits: NDArray, rows: int, columns: int, cost: NDArray, cells: NDArray, i: int, j: int
) -> float:
    """What it costs to go straight from cell i of a path to cell j, infinite if that cannot be.

    To the very next cell the path went already.
    """
    row_a, column_a, row_b, column_b = cells[i, 0], cells[i, 1], cells[j, 0], cells[j, 1]
    if j > i + 1 and not sees(bits, rows, columns, row_a, column_a, row_b, column_b):
        return math.inf
    if len(cost) > 1:
        return line_cost(cost, columns + 2, row_a, column_a, row_b, column_b)
    down, right = row_b - row_a, column_b - column_a
    return math.sqrt(float(down * down + right * right))


@kernel
def _look_back(
    bits: NDArray, rows: int, columns: int, cost: NDArray, cells: NDArray, turns: NDArray
) -> int:
    """From the goal on, go back to the farthest cell of the path that can be reached straight."""
    last = len(cells) - 1
    spent = np.zeros(last + 1)
    for i in range(last):
        spent[i + 1] = spent[i] + _price(bits, rows, columns, cost, cells, i, i + 1)
    turns[0] = j = last
    count = 1
    while j > 0:
        i = j - 1
        while i > 0:
            most = (spent[j] - spent[i - 1]) * (1.0 + ROUNDING)
            if _price(bits, rows, columns, cost, cells, i - 1, j) > most:
                break
            i -= 1
        turns[count] = j = i
        count += 1
    for i in range(count // 2):
        turns[i], turns[count - 1 - i] = turns[count - 1 - i], turns[i]
    return count


@kernel
def _best_between(
    bits: NDArray, rows: int, columns: int, cost: NDArray, cells: NDArray, a: int, b: int, c: int
) -> int:
    """The cell of the path between a and c at which it had best turn; a if at none, b if at b."""
    least = _price(bits, rows, columns, cost, cells, a, b)
    least += _price(bits, rows, columns, cost, cells, b, c)
    if _price(bits, rows, columns, cost, cells, a, c) <= least * (1.0 + ROUNDING):
        return a
    best = b
    least *= 1.0 - ROUNDING
    for k in range(a + 1, c):
        if len(cost) == 1:
            first = math.hypot(cells[k, 0] - cells[a, 0], cells[k, 1] - cells[a, 1])
            if first + math.hypot(cells[c, 0] - cells[k, 0], cells[c, 1] - cells[k, 1]) >= least:
                continue
        price = _price(bits, rows, columns, cost, cells, a, k)
        if price < least:
            price += _price(bits, rows, columns, cost, cells, k, c)
        if price < least:
            best = k
            least = price * (1.0 - ROUNDING)
    return best


def _example() -> tuple:
    grid = Grid(np.ones((2, 2)))
    cells = np.array([[1, 1], [1, 2], [2, 2]])
    return grid.bits, 2, 2, grid.padded_cost, cells, np.arange(3)


@kernel(example=_example)
def _pull(
    bits: NDArray, rows: int, columns: int, cost: NDArray, cells: NDArray, turns: NDArray
) -> int:
    """Choose among the cells of a path (counting the border) where to turn; return how many."""
    count = _look_back(bits, rows, columns, cost, cells, turns)
    changed = True
    while changed:
        changed = False
        j = 1
        while j < count - 1:
            a, b, c = turns[j - 1], turns[j], turns[j + 1]
            best = _best_between(bits, rows, columns, cost, cells, a, b, c)
            if best == a:
                count -= 1
                for k in range(j, count):
                    turns[k] = turns[k + 1]
            else:
                turns[j] = best
                j += 1
            changed |= best != b
    return count


@kernel(example=_example)
def _total(
    bits: NDArray, rows: int, columns: int, cost: NDArray, cells: NDArray, turns: NDArray
) -> float:
    total = 0.0
    for i in range(len(turns) - 1):
        total += _price(bits, rows, columns, cost, cells, turns[i], turns[i + 1])
    return total


def straighten(grid: Grid, path: Path) -> Path:
    """Pull a path straight where the way is free and no dearer.

    Parameters
    ----------
    grid : Grid
        The one the path was found on; for a disc, what `headway.world.inflation.inflated` gave.
    path : Path
        Of any search; one without cells is returned as it is.

    Returns
    -------
    Path
        Its cells are some of those of the path, in the same order, between which it goes straight;
        each piece is `visible` or was a step of the path, under whatever corner rule. It is never
        longer nor dearer. Its cost is the terrain cost integrated exactly along its pieces.

    Raises
    ------
    InputError
        If a cell of the path lies off the map or is blocked by now, or ``path`` is no `Path`.

    Notes
    -----
    String pulling, which leaves the path on the same side of every obstacle. The shortest path
    there is may pass on another side: `anya` finds it.

    Examples
    --------
    >>> from headway.plan.path import stepped_path
    >>> grid = Grid(np.ones((3, 6)))
    >>> steps = np.array([(0, 0), (1, 1), (2, 2), (2, 3), (2, 4), (2, 5)])
    >>> straight = straighten(grid, stepped_path(grid, steps, 3, 2, 5, "jps"))
    >>> straight.cells.tolist(), round(straight.length, 6)
    ([[0, 0], [2, 5]], 5.385165)
    """
    if not isinstance(path, Path):
        raise InputError(f"path is a {type(path).__name__}; give one that find_path found.")
    cells = np.ascontiguousarray(path.cells, np.int64)
    inside = grid.contains(cells)
    for row, column in cells[~inside | ~grid.free[tuple((cells * inside[:, None]).T)]][:1].tolist():
        where = "is blocked" if grid.contains([(row, column)])[0] else "lies off the map"
        raise InputError(f"cell ({row}, {column}) of the path {where}: plan on this grid anew.")
    if len(cells) < 2:
        return path
    arguments = grid.bits, grid.rows, grid.columns, grid.padded_cost, cells + 1
    turns = np.empty(len(cells), np.int64)
    turns = turns[: _pull(*arguments, turns)]
    cost = float(_total(*arguments, turns)) * grid.cell_size
    cells = cells[turns]
    length = float(np.hypot(*np.diff(cells, axis=0).T).sum()) * grid.cell_size
    return replace(path, cells=cells, points=grid.centres(cells), length=length, cost=cost)
