"""What is left of a path that an agent walks, and whether changes of the map concern it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.path import FOUND, SQRT2, Path, Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid


def _example(*last: object) -> tuple:
    return (np.full(1, 12), 5, *last)


@kernel(example=lambda: _example(np.zeros(25, np.int32), True))
def mark(flat: NDArray, stride: int, until: NDArray, on: bool) -> None:
    """Write for each cell that a path depends on up to where it does, or 0 again.

    These are its cells and those beside its diagonal steps.
    """
    for i in range(len(flat)):
        value = i if on else 0
        until[flat[i]] = value
        if i > 0 and abs(flat[i] - flat[i - 1]) not in (1, stride):
            down = stride if flat[i] > flat[i - 1] else -stride
            until[flat[i - 1] + down] = max(until[flat[i - 1] + down], value) if on else 0
            until[flat[i] - down] = max(until[flat[i] - down], value) if on else 0


@kernel(example=lambda: _example(np.ones(1), np.zeros(1), np.zeros(1)))
def add_up(
    flat: NDArray, stride: int, terrain: NDArray, lengths: NDArray, costs: NDArray
) -> None:  # fmt: skip
    """Work out length and cost of what is left of a path from each of its cells, in cells."""
    straight, diagonal, cost = 0, 0, 0.0
    for i in range(len(flat) - 1, -1, -1):
        if i < len(flat) - 1:
            step = 1.0
            if abs(flat[i + 1] - flat[i]) in (1, stride):
                straight += 1
            else:
                diagonal += 1
                step = SQRT2
            if len(terrain) > 1:
                cost += step * (terrain[flat[i]] + terrain[flat[i + 1]]) / 2.0
        lengths[i] = straight + diagonal * SQRT2
        costs[i] = cost if len(terrain) > 1 else lengths[i]


@kernel(example=lambda: _example(np.zeros(1, np.int64), np.zeros(25, np.int32), 0))
def concerns(flat: NDArray, stride: int, changed: NDArray, until: NDArray, at: int) -> bool:
    """Tell whether a changed cell is one that the path depends on from a place on."""
    latest = 0
    for cell in changed:
        latest = max(latest, until[cell])
    return bool(latest > at)


@kernel(example=lambda: _example(np.zeros(25, np.uint8), 0, 0))
def find_blocked(flat: NDArray, stride: int, free: NDArray, rule: int, at: int) -> int:
    """Find the first place after ``at`` that may not be stepped to from the one before, or -1."""
    for i in range(at + 1, len(flat)):
        if free[flat[i]] == 0:
            return i
        if abs(flat[i] - flat[i - 1]) not in (1, stride):
            down = stride if flat[i] > flat[i - 1] else -stride
            one = 1 if free[flat[i - 1] + down] else 0
            other = 1 if free[flat[i] - down] else 0
            if one + other < 2 - rule:
                return i
    return -1


@kernel
def _octile(stride: int, a: int, b: int) -> float:
    down, across = abs(a // stride - b // stride), abs(a % stride - b % stride)
    return max(down, across) + (SQRT2 - 1.0) * min(down, across)


@kernel(example=lambda: (np.ones(25, np.uint8), 5, np.full(1, 12), 6, 18))
def least_way(free: NDArray, stride: int, changed: NDArray, start: int, goal: int) -> float:
    """Length in cells of the shortest way by way of a free changed cell, if nothing is between."""
    least = math.inf
    for cell in changed:
        if free[cell]:
            least = min(least, _octile(stride, start, cell) + _octile(stride, cell, goal))
    return least


class Remaining:
    """The rest of a path from cell to neighbouring cell; of none, at first.

    Parameters
    ----------
    grid : Grid
    rule : CornerRule

    Examples
    --------
    >>> from headway.plan.a_star import a_star
    >>> grid = Grid(np.ones((4, 5)))
    >>> rest = Remaining(grid, CornerRule.NEVER_CUT)
    >>> rest.take(a_star(grid, (0, 0), (0, 4)))
    >>> rest.walk_to(9), rest.cost
    (True, 3.0)
    >>> grid.set([(0, 3), (2, 2)], free=False)
    >>> rest.blocked_by(grid.changed_since(0)), rest.length_to(3)
    (3, 2.0)
    """

    def __init__(self, grid: Grid, rule: CornerRule):
        self.grid = grid
        self.rule = rule
        self._until = np.zeros(len(grid.padded_free), np.int32)
        """Up to where on the path a change of each cell concerns the agent."""
        self._flat = np.empty(0, np.int64)
        self.drop()

    def drop(self) -> None:
        """Have no path any more."""
        mark(self._flat, self.grid.stride, self._until, False)
        self._flat = np.empty(0, np.int64)
        self.at = 0
        """Where on the path the agent is."""

    def take(self, path: Path) -> None:
        """Have another path, one that was found on the grid as it is now."""
        self.drop()
        self.walked = path
        self._flat = (path.cells @ (self.grid.stride, 1)) + (self.grid.stride + 1)
        mark(self._flat, self.grid.stride, self._until, True)
        self.renew_cost()

    @property
    def there(self) -> bool:
        """Whether there is a path."""
        return len(self._flat) > 0

    @property
    def cells(self) -> NDArray[np.int64]:
        """(K, 2): row and column of what is left, from where the agent is."""
        return self.walked.cells[self.at :]

    @property
    def cost(self) -> float:
        """From where the agent is to the goal, by the prices of the last `renew_cost`."""
        return float(self._costs[self.at]) * self.grid.cell_size

    @property
    def length(self) -> float:
        """Of what is left, m."""
        return float(self._lengths[self.at]) * self.grid.cell_size

    def length_to(self, place: int) -> float:
        """Length from the agent to a place on the path, m."""
        return float(self._lengths[self.at] - self._lengths[place]) * self.grid.cell_size

    def cost_to(self, place: int) -> float:
        """Cost from the agent to a place on the path."""
        return float(self._costs[self.at] - self._costs[place]) * self.grid.cell_size

    def place_after(self, length: float) -> int:
        """The first place on the path at least so far (m) from the agent; at most its end."""
        gone = (self._lengths[self.at] - self._lengths[self.at :]) * self.grid.cell_size
        return min(self.at + int(np.searchsorted(gone, length - 1e-9)), len(self._flat) - 1)

    def walk_to(self, cell: int) -> bool:
        """Note in which cell the agent is; tell whether that is on what was left of its path."""
        if self._flat[self.at] == cell:
            return True
        places = np.flatnonzero(self._flat[self.at :] == cell)
        if len(places):
            self.at += int(places[0])
        return len(places) > 0

    def blocked_by(self, changed: NDArray[np.int64]) -> int | None:
        """Find the first place on the path where it is blocked after changes.

        Parameters
        ----------
        changed : (K,) ndarray of int64
            Cells as the grid lists them.

        Returns
        -------
        int or None
            None if the agent may go on to the end.
        """
        stride = self.grid.stride
        if not concerns(self._flat, stride, changed, self._until, self.at):
            return None
        free, rule = self.grid.padded_free, int(self.rule)
        place = int(find_blocked(self._flat, stride, free, rule, self.at))
        return None if place < 0 else place

    def renew_cost(self) -> None:
        """Add up the costs again, by the prices of now."""
        self._lengths, self._costs = np.empty((2, len(self._flat)))
        terrain = self.grid.padded_cost
        add_up(self._flat, self.grid.stride, terrain, self._lengths, self._costs)

    def path(self) -> Path:
        """What is left, as a path."""
        there = self.at == len(self._flat) - 1
        status = Status.ALREADY_THERE if there else Status.FOUND
        reason = "the agent is at the goal" if there else FOUND
        points, algorithm = self.walked.points[self.at :], self.walked.algorithm
        return Path(status, reason, self.cells, points, self.length, self.cost, 0, algorithm)
