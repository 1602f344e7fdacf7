"""What is known of a query before any search: start, goal, and whether it can succeed at all."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import numpy as np

from headway.errors import InputError
from headway.plan.path import Path, Status, no_path
from headway.world.components import components_of
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

Cell = Sequence[int]
"""Row and column."""


def settled_early(
    grid: Grid, start: Cell, goal: Cell, rule: CornerRule, algorithm: str
) -> Path | None:
    """Answer a query that needs no search.

    Parameters
    ----------
    grid : Grid
    start, goal : sequence of two ints
        Row and column.
    rule : CornerRule
    algorithm : str
        The search that would be made.

    Returns
    -------
    Path or None
        None if only a search can tell: start and goal are free, differ, and may be connected.

    Raises
    ------
    InputError
        If start or goal is not a pair of whole numbers.

    Examples
    --------
    >>> grid = Grid([[1, 1, 0, 1]])
    >>> settled_early(grid, (0, 0), (0, 3), CornerRule.NEVER_CUT, "jps").status
    <Status.UNREACHABLE: 'unreachable'>
    """
    a = flat_index(grid, "start", start)
    b = flat_index(grid, "goal", goal)
    if a < 0 or b < 0:
        name, cell = ("start", start) if a < 0 else ("goal", goal)
        rows, columns = grid.shape
        reason = f"the {name} {_text(cell)} lies off the map of {rows} rows and {columns} columns"
        return no_path(Status.OUT_OF_BOUNDS, reason, algorithm)
    if not grid.padded_free[a]:
        return no_path(Status.START_BLOCKED, f"the start {_text(start)} is blocked", algorithm)
    if not grid.padded_free[b]:
        return no_path(Status.GOAL_BLOCKED, f"the goal {_text(goal)} is blocked", algorithm)
    if a == b:
        cells = np.array([start], dtype=np.int64)
        points = grid.centres(cells)
        reason = "start and goal are the same cell"
        return Path(Status.ALREADY_THERE, reason, cells, points, 0.0, 0.0, 0, algorithm)
    if components_of(grid, rule).apart(a, b):
        return unreachable(start, goal, algorithm)
    return None


def unreachable(start: Cell, goal: Cell, algorithm: str, expanded: int = 0) -> Path:
    """Say that blocked cells separate start and goal.

    Parameters
    ----------
    start, goal : sequence of two ints
        Row and column.
    algorithm : str
    expanded : int

    Returns
    -------
    Path

    Examples
    --------
    >>> unreachable((0, 0), (0, 3), "jps").reason
    'blocked cells separate the start (0, 0) from the goal (0, 3)'
    """
    reason = f"blocked cells separate the start {_text(start)} from the goal {_text(goal)}"
    return no_path(Status.UNREACHABLE, reason, algorithm, expanded)


def flat_index(grid: Grid, name: str, cell: Cell) -> int:
    """Number a cell as searches do.

    Parameters
    ----------
    grid : Grid
    name : str
        What to call the cell in an error.
    cell : sequence of two ints
        Row and column.

    Returns
    -------
    int
        Its index in the padded arrays of the grid; -1 if it lies off the map.

    Raises
    ------
    InputError
        If it is not a pair of whole numbers.

    Examples
    --------
    >>> flat_index(Grid([[1, 1]]), "start", (0, 1))
    6
    """
    try:
        row, column = index(cell[0]), index(cell[1])
        if len(cell) != 2:
            raise ValueError("there are more than two numbers")
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise InputError(
            f"{name} is {cell!r}; give whole numbers (row, column), or for metres "
            "grid.cells_at([(x, y)])[0]."
        ) from error
    if 0 <= row < grid.rows and 0 <= column < grid.columns:
        return (row + 1) * grid.stride + column + 1
    return -1


def _text(cell: Cell) -> str:
    row, column = cell
    return f"({row}, {column})"
