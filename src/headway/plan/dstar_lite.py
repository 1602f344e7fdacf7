"""D* Lite: a shortest path that is repaired, not searched anew, when the map or the agent changes.

The search runs from the goal back to the agent and keeps what it found. After cells changed, only
costs that changed too, and matter to the agent where it is now, are worked out again.

Source: S. Koenig and M. Likhachev, "D* Lite", AAAI 2002 (the optimised version). It differs in
three ways: costs are whole numbers, ties are broken as `headway.plan.grid_repair` explains, and a
repair that has become longer than the last search from scratch starts from scratch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.a_star import a_star
from headway.plan.budget import NO_LIMIT, checked_budget, out_of_budget
from headway.plan.endpoints import Cell, flat_index, settled_early, unreachable
from headway.plan.grid_repair import (
    DIAGONAL_SCALE,
    EXPANDED,
    GOAL,
    H_DIAGONAL,
    H_STRAIGHT,
    INFINITE,
    OFFSET,
    RHS,
    RULE,
    SIZE,
    START,
    STEPS,
    UNKNOWN,
    absorb,
    repair,
    trace,
)
from headway.plan.path import DIAGONAL, SQRT2, STRAIGHT, Path, stepped_path
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid

Arrays = tuple[
    NDArray, NDArray, NDArray, NDArray, NDArray, NDArray, NDArray, NDArray, NDArray
]  # fmt: skip

NAME = "dstar_lite"
FINEST = 2.0**40
"""Whole numbers to a cost of one step over the cheapest cell, at most."""
COARSEST = 1e8
"""Whole numbers to that cost, at least: with fewer, rounding would be felt."""
MOST_OFFSET = INFINITE // 2
PATIENCE = 1000
"""How many more cells a repair may look at than the last search from scratch."""


class DStarLite:
    """Keeps a shortest path between an agent and a goal on a grid that changes.

    Parameters
    ----------
    grid : Grid
        Followed through its record of changes; it is not copied.
    start, goal : sequence of two ints
        Row and column.
    rule : CornerRule or str
        When an agent may step diagonally past blocked cells.

    Raises
    ------
    InputError
        If start or goal is not a pair of whole numbers, or there is no such rule.

    Notes
    -----
    A step costs its length times the mean of the terrain costs of its two cells. Costs are whole
    numbers inside, so that ties are ties: exact on grids of unit cost, and within a few parts in
    1e9 on terrain. Where the cost of all cells together is some 1e9 times that of the cheapest one
    or more, whole numbers cannot hold that, and each query is answered by A* instead.

    Memory: 38 bytes a cell of the map, 46 with terrain cost, of which 16 are used only in so far as
    cells wait in a queue or lie on the path.

    Examples
    --------
    >>> grid = Grid(np.ones((3, 5)))
    >>> search = DStarLite(grid, (1, 0), (1, 4))
    >>> search.replan().length
    4.0
    >>> grid.set([(0, 2), (1, 2)], free=False)
    >>> search.replan(start=(1, 1)).cells.tolist()
    [[1, 1], [2, 1], [2, 2], [2, 3], [1, 4]]
    >>> grid.set([(2, 2)], free=False)
    >>> search.replan().status
    <Status.UNREACHABLE: 'unreachable'>
    """

    def __init__(self, grid: Grid, start: Cell, goal: Cell, rule: CornerRule | str = "never_cut"):
        for name, cell in (("start", start), ("goal", goal)):
            flat_index(grid, name, cell)
        self.grid = grid
        self.start, self.goal = start, goal
        self.rule = corner_rule(rule)
        size = len(grid.padded_free)
        self._moves = np.empty(size, np.int16)
        self._known = np.empty((size, 2), np.int64)
        self._keys = np.empty(size, np.int64)
        self._cells = np.empty(size, np.int32)
        self._place = np.empty(size, np.int32)
        self._trail = np.empty(size, np.int32)
        self._state = np.zeros(16, np.int64)
        row = grid.stride
        self._state[STEPS:] = 1, -1, row, -row, row + 1, row - 1, 1 - row, -1 - row
        self._scales = np.ones(3)
        self._seen = np.ones(1)
        """Terrain costs as they were when changes were last taken note of."""
        self._version = -1
        """Of the grid, up to which its changes are taken note of; -1 before the first search."""
        self._min_cost = self._longest = 0.0
        self._patience = NO_LIMIT
        """How many cells a repair may look at before a search from scratch is the better bet."""

    def replan(
        self, start: Cell | None = None, goal: Cell | None = None, budget: int | None = None
    ) -> Path:
        """Find the shortest path on the grid as it is now.

        Parameters
        ----------
        start : sequence of two ints, optional
            Row and column where the agent is now, on its path or not; where it was if left out.
        goal : sequence of two ints, optional
            Where it wants to go now; as before if left out. Another goal is searched for from
            scratch.
        budget : int, optional
            How many cells may be looked at. When they are not enough the status is "out of
            budget", and the next call goes on from there.

        Returns
        -------
        Path

        Raises
        ------
        InputError
            If start or goal is not a pair of whole numbers, or the budget not one above zero.
        """
        limit = checked_budget(budget)
        start = self.start if start is None else start
        goal = self.goal if goal is None else goal
        early = settled_early(self.grid, start, goal, self.rule, NAME)
        self.start, self.goal = start, goal
        if early is not None:
            return early
        a, b = flat_index(self.grid, "start", start), flat_index(self.grid, "goal", goal)
        self._state[EXPANDED] = 0
        done = self._solve(a, b, limit)
        if done is None:
            path = a_star(self.grid, start, goal, self.rule, budget=budget)
            path.algorithm = NAME
            return path
        return self._path() if done else out_of_budget(NAME, int(self._state[EXPANDED]))

    def searched(self) -> NDArray[np.int64]:
        """List the cells that were given a cost since it last searched from scratch.

        Returns
        -------
        (M, 2) ndarray of int64
            Row and column.

        Examples
        --------
        >>> search = DStarLite(Grid([[1, 1, 0, 1]]), (0, 0), (0, 1))
        >>> _ = search.replan()
        >>> search.searched().tolist()
        [[0, 0], [0, 1]]
        """
        if self._version < 0:
            return np.empty((0, 2), np.int64)
        reached = np.flatnonzero((self._known < INFINITE).any(axis=1))
        return np.column_stack(np.divmod(reached, self.grid.stride)) - 1

    def _solve(self, start: int, goal: int, budget: int) -> bool | None:
        """Repair, or search from scratch where a repair cannot be made or takes longer than that.

        Returns whether the budget was enough; None if whole numbers cannot hold these costs.
        """
        spent = 0
        done = False
        if self._catch_up(goal):
            done = bool(repair(*self._arrays(), start, min(budget, self._patience)))
            if not done and budget <= self._patience:
                return False
        if not done:
            spent = int(self._state[EXPANDED])
            if not self._start_afresh(start, goal):
                return None
            most = 8 * len(self._known)  # no cell is looked at more than twice
            done = bool(repair(*self._arrays(), start, min(budget, most)))
        if done and self._patience == NO_LIMIT:
            self._patience = int(self._state[EXPANDED]) - spent + PATIENCE
        return done

    def _catch_up(self, goal: int) -> bool:
        """Take note of what changed; return whether what is known can be repaired."""
        grid, state = self.grid, self._state
        if self._version < 0 or state[GOAL] != goal or state[OFFSET] > MOST_OFFSET:
            return False
        changed = grid.changed_since(self._version)
        if changed is None or grid.min_cost < self._min_cost:
            return False
        if len(changed):
            self._longest += self._most_cost(changed)
            if self._longest > INFINITE:
                return False
            near = np.empty((2, 9 * len(changed)), np.int64)
            absorb(*self._arrays(), changed, near[0], near[1], self._seen)
            self._version = grid.version
        return True

    def _most_cost(self, cells: NDArray[np.int64]) -> float:
        """Bound how much longer the longest path may become by changed cells."""
        if not self.grid.weighted:
            return 0.0
        return 2.0 * self._scales[DIAGONAL_SCALE] * float(self.grid.padded_cost[cells].sum())

    def _start_afresh(self, start: int, goal: int) -> bool:
        """Forget all costs and begin at the goal; return whether that can be done."""
        grid, state = self.grid, self._state
        straight, diagonal, longest = _units(grid)
        if 2.0 * straight * grid.min_cost < COARSEST:
            self._version = -1
            return False
        self._moves.fill(UNKNOWN)
        self._known.fill(INFINITE)
        self._place.fill(-1)
        self._longest = longest
        self._seen = grid.padded_cost.copy()
        self._scales[:] = straight, diagonal, 1.0 / grid.stride
        state[H_STRAIGHT] = int(2.0 * grid.min_cost * straight)
        state[H_DIAGONAL] = int(2.0 * grid.min_cost * diagonal)
        if self.rule == CornerRule.NO_DIAGONAL:
            state[H_DIAGONAL] = 2 * state[H_STRAIGHT]
        state[[START, GOAL, RULE, OFFSET, SIZE]] = start, goal, int(self.rule), 0, 1
        self._known[goal, RHS] = 0
        self._keys[0], self._cells[0], self._place[goal] = 0, goal, 0
        self._version, self._min_cost, self._patience = grid.version, grid.min_cost, NO_LIMIT
        return True

    def _path(self) -> Path:
        grid, expanded = self.grid, int(self._state[EXPANDED])
        count = trace(*self._arrays(), self._trail)
        if count == 0:
            return unreachable(self.start, self.goal, NAME, expanded)
        cells = np.empty((count, 2), np.int64)
        diagonal, cost = steps_of(self._trail, grid.stride, grid.padded_cost, cells)
        price = cost * grid.cell_size if grid.weighted else None
        return stepped_path(grid, cells, count - 1 - diagonal, diagonal, expanded, NAME, price)

    def _arrays(self) -> Arrays:
        return (
            self.grid.padded_free, self.grid.padded_cost, self._moves, self._known,
            self._keys, self._cells, self._place, self._state, self._scales,
        )  # fmt: skip


@kernel(
    allocates=False,
    example=lambda: (np.zeros(1, np.int32), 3, np.ones(1), np.zeros((1, 2), np.int64)),
)
def steps_of(trail: NDArray, stride: int, price: NDArray, cells: NDArray) -> tuple:
    """Write the cells of a path; return its diagonal steps, and its cost if there are prices."""
    diagonal, cost = 0, 0.0
    for i in range(len(cells)):
        cells[i, 0], cells[i, 1] = trail[i] // stride - 1, trail[i] % stride - 1
        if i > 0:
            slanted = cells[i, 0] != cells[i - 1, 0] and cells[i, 1] != cells[i - 1, 1]
            diagonal += slanted
            if len(price) > 1:
                step = SQRT2 if slanted else 1.0
                cost += step * (price[trail[i - 1]] + price[trail[i]]) / 2.0
    return diagonal, cost


def _units(grid: Grid) -> tuple[float, float, float]:
    """Choose how many whole numbers a cost of 1 is.

    Returns the cost of a straight and of a diagonal step per terrain cost of its two cells, and a
    bound for the cost of any path: as no shortest path meets a cell twice, that of all cells.
    """
    if not grid.weighted:
        return STRAIGHT / 2.0, DIAGONAL / 2.0, 0.0
    free = grid.padded_free.view(np.bool_)
    total = SQRT2 * float(grid.padded_cost.sum(where=free))
    unit = min(FINEST / grid.min_cost, MOST_OFFSET / 2.0 / total)
    return unit / 2.0, unit / 2.0 * SQRT2, total * unit
