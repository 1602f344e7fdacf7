"""A* over terrain that costs more in some cells than in others."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from headway.errors import InputError
from headway.plan.budget import checked_budget, out_of_budget
from headway.plan.endpoints import Cell, flat_index, settled_early, unreachable
from headway.plan.moves import walk_back
from headway.plan.path import SQRT2, Path, stepped_path
from headway.plan.scratch import borrow, give_back
from headway.plan.terrain_spread import (
    EXPANDED,
    OUT_OF_BUDGET,
    TOUCHED,
    clear,
    make_scratch,
    search,
)
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid

LEAVING = {"mean": 0.5, "entered": 0.0}
"""By name of a charge, what part of a step costs what the cell it leaves does."""


def weighted_a_star(
    grid: Grid,
    start: Cell,
    goal: Cell,
    rule: CornerRule | str = "never_cut",
    *,
    charge: Literal["mean", "entered"] = "mean",
    diagonal: float = SQRT2,
    trace: bool = False,
    budget: int | None = None,
) -> Path:
    """Find a cheapest path from cell to neighbouring cell over terrain.

    Parameters
    ----------
    grid : Grid
        With or without terrain cost.
    start, goal : sequence of two ints
        Row and column.
    rule : CornerRule or str
        Which diagonal steps are allowed.
    charge : {"mean", "entered"}
        What a step costs per metre: the mean of its two cells, so that there and back cost the
        same, or what the cell does that it enters.
    diagonal : float
        Length of a diagonal step in cells, as far as cost goes, from 1 to 2.
    trace : bool
        Whether to list the cells that were given a cost, as ``searched``.
    budget : int, optional
        From how many cells to look at most; from all if left out.

    Returns
    -------
    Path
        Every cell from start to goal, or the reason why there is no path.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which and why.

    Notes
    -----
    The estimate of what is left is the octile distance times the least cost of any cell, which no
    path can beat: with another cell's cost in its place paths would not be the cheapest.

    Examples
    --------
    >>> grid = Grid(np.ones((2, 3)), [[1, 9, 1], [1, 1, 1]])
    >>> path = weighted_a_star(grid, (0, 0), (0, 2))
    >>> path.cells.tolist(), round(path.cost, 6)
    ([[0, 0], [1, 1], [0, 2]], 2.828427)
    """
    rule = corner_rule(rule)
    limit = checked_budget(budget)
    if charge not in LEAVING:
        raise InputError(f"there is no charge {charge!r}: choose mean or entered.")
    if not 1.0 <= diagonal <= 2.0:
        raise InputError(f"diagonal is {diagonal}; give a length from 1 to 2 cells.")
    early = settled_early(grid, start, goal, rule, "astar")
    if early is not None:
        return early
    a, b = flat_index(grid, "start", start), flat_index(grid, "goal", goal)
    scratch = borrow(grid, "terrain", make_scratch)
    terms = int(rule), LEAVING[charge], float(diagonal)
    cost, scratch = search(grid, scratch, *terms, np.array([a]), b, math.inf, limit)
    expanded = int(scratch.numbers[EXPANDED])
    if cost == OUT_OF_BUDGET:
        path = out_of_budget("astar", expanded)
    elif cost == math.inf:
        path = unreachable(start, goal, "astar", expanded)
    else:
        cells, turned = walk_back(scratch.came, grid.stride, b)
        steps, price = len(cells) - 1, cost * grid.cell_size
        path = stepped_path(
            grid, cells[::-1].copy(), steps - turned, turned, expanded, "astar", price
        )
    if trace:
        flat = np.sort(scratch.touched[: scratch.numbers[TOUCHED]]).astype(np.int64)
        path.searched = np.column_stack((flat // grid.stride - 1, flat % grid.stride - 1))
    clear(scratch)
    give_back(grid, "terrain", scratch)
    return path
