"""What is left of a path that an agent walks: whether it still holds, its length and its cost."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.path import FOUND, SQRT2, Path, Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid


@kernel(allocates=False)
def _may_step(free: NDArray, stride: int, rule: int, a: int, b: int) -> bool:
    """Whether a step between neighbouring cells may be taken now."""
    if free[b] == 0:
        return False
    if abs(a - b) == 1 or abs(a - b) == stride:
        return True
    down = stride if b > a else -stride
    beside = (1 if free[a + down] else 0) + (1 if free[b - down] else 0)
    return beside >= 2 - rule


def _example() -> tuple:
    cells, free = np.zeros((2, 2), np.int64), np.ones(25, np.uint8)
    return cells, 0, 6, free, np.ones(1), 5, 0, np.zeros(2)


@kernel(allocates=False, example=_example)
def review(
    cells: NDArray, at: int, here: int, free: NDArray, terrain: NDArray, stride: int, rule: int,
    costs: NDArray,
) -> tuple:  # fmt: skip
    """Look over what is left of a path, for an agent that has come to the cell ``here``.

    Returns where on the path that is, from ``at`` on, or -1; where the path is blocked, or -1;
    and how many straight and diagonal steps there are up to there or to the end. On terrain, if
    the path holds, ``costs`` is made to hold the cost of what is left from each of its cells.
    """
    place = at
    while place < len(cells) and (cells[place, 0] + 1) * stride + cells[place, 1] + 1 != here:
        place += 1
    if place == len(cells):
        return -1, -1, 0, 0
    straight, diagonal = 0, 0
    a = here
    for i in range(place + 1, len(cells)):
        b = (cells[i, 0] + 1) * stride + cells[i, 1] + 1
        slanted = cells[i, 0] != cells[i - 1, 0] and cells[i, 1] != cells[i - 1, 1]
        diagonal += slanted
        straight += not slanted
        if not _may_step(free, stride, rule, a, b):
            return place, i, straight, diagonal
        a = b
    if len(terrain) > 1:
        costs[len(cells) - 1] = 0.0
        for i in range(len(cells) - 2, place - 1, -1):
            b = a
            a = (cells[i, 0] + 1) * stride + cells[i, 1] + 1
            step = 1.0 if abs(a - b) == 1 or abs(a - b) == stride else SQRT2
            costs[i] = costs[i + 1] + step * (terrain[a] + terrain[b]) / 2.0
    return place, -1, straight, diagonal


@kernel(allocates=False, example=lambda: (np.zeros((2, 2), np.int64), 0, 1.0))
def first_piece(cells: NDArray, at: int, length: float) -> tuple:
    """Where the first piece of a path from a place on ends, and its straight and diagonal steps.

    It is at least so long, in cells, if there is so much of the path.
    """
    straight, diagonal = 0, 0
    while at + 1 < len(cells) and straight + diagonal * SQRT2 < length - 1e-9:
        at += 1
        slanted = cells[at, 0] != cells[at - 1, 0] and cells[at, 1] != cells[at - 1, 1]
        diagonal += slanted
        straight += not slanted
    return at, straight, diagonal


@kernel(
    allocates=False,
    example=lambda: (np.zeros((2, 2), np.int64), 0, 1, np.zeros((2, 2), np.int64)),
)
def meets(cells: NDArray, at: int, end: int, others: NDArray) -> bool:
    """Whether another path comes back to a piece of a path, before ``end``, from which it sets out.

    It is followed for a few times the length of the piece.
    """
    for i in range(at, end):
        for j in range(min(len(others), 4 * (end - at) + 4)):
            if cells[i, 0] == others[j, 0] and cells[i, 1] == others[j, 1]:
                return True
    return False


@kernel(allocates=False)
def _octile(stride: int, a: int, b: int) -> float:
    down, across = abs(a // stride - b // stride), abs(a % stride - b % stride)
    return max(down, across) + (SQRT2 - 1.0) * min(down, across)


@kernel(
    allocates=False, example=lambda: (np.ones(25, np.uint8), 5, np.zeros(8, np.int64), 0, 0, 6, 18)
)
def least_way(
    free: NDArray, stride: int, log: NDArray, first: int, last: int, start: int, goal: int
) -> float:
    """Length in cells of the shortest way by way of a free changed cell, if nothing is between.

    The changes are those of the grid's log from the first to before the last.
    """
    least = math.inf
    for i in range(first, last):
        cell = log[i & (len(log) - 1)]
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
    >>> rest.walk_to(9), rest.blocked, rest.length
    (True, True, 2.0)
    """

    def __init__(self, grid: Grid, rule: CornerRule):
        self.grid = grid
        self.rule = rule
        self.drop()

    def drop(self) -> None:
        """Have no path any more."""
        self.walked: Path | None = None
        self.cost = self.risen = 0.0

    def take(self, path: Path) -> None:
        """Have another path, one that was found on the grid as it is now."""
        self.walked = path
        self.at = 0
        """Where on the path the agent is."""
        self.blocked = False
        """Whether the path may not be followed to its end."""
        self.length, self.cost = path.length, path.cost
        """Of what is left, up to where it is blocked; metres."""
        self.risen = 0.0
        """By how much the cost of what is left rose by the last changes of terrain cost."""
        self._costs = np.zeros(len(path.cells) if self.grid.weighted else 1)
        if self.grid.weighted:
            row, column = path.cells[0].tolist()
            self.walk_to((row + 1) * self.grid.stride + column + 1)
            self.risen = 0.0

    def walk_to(self, cell: int) -> bool:
        """Note in which cell the agent is, and look over what is left of the path from there.

        Parameters
        ----------
        cell : int
            Index in the padded arrays.

        Returns
        -------
        bool
            Whether the cell is on what was left of the path.
        """
        if self.walked is None:
            return False
        grid, before = self.grid, self._costs[-1]
        cells = self.walked.cells
        if grid.weighted:
            before = self._costs.copy()
        place, blocked, straight, diagonal = review(
            cells, self.at, cell, grid.padded_free, grid.padded_cost, grid.stride,
            int(self.rule), self._costs,
        )  # fmt: skip
        if place < 0:
            return False
        self.at, self.blocked = place, blocked >= 0
        self.length = self.cost = (straight + diagonal * SQRT2) * grid.cell_size
        if grid.weighted and blocked < 0:
            self.cost = float(self._costs[place]) * grid.cell_size
            self.risen = max(self.cost - float(before[place]) * grid.cell_size, 0.0)
        return True

    @property
    def cells(self) -> NDArray[np.int64]:
        """(K, 2): row and column of the whole path, of which what is left begins at ``at``."""
        return self._path().cells

    def piece(self, length: float) -> tuple[int, float, float]:
        """Measure the first piece of what is left, at least so long (m) if there is so much.

        Returns
        -------
        tuple of int and two floats
            Its end as a place on the path, its length (m) and its cost.
        """
        size = self.grid.cell_size
        end, straight, diagonal = first_piece(self.cells, self.at, length / size)
        walked = cost = (straight + diagonal * SQRT2) * size
        if self.grid.weighted:
            cost = float(self._costs[self.at] - self._costs[end]) * size
        return end, walked, cost

    def begun_with(self, piece: tuple[int, float, float], path: Path) -> Path | None:
        """Put a piece of what is left before a path; None if it would turn back where they meet."""
        end, length, cost = piece
        old = self._path()
        if path.status != Status.FOUND or meets(old.cells, self.at, end, path.cells):
            return None
        path.cells = np.concatenate((old.cells[self.at : end], path.cells))
        path.points = np.concatenate((old.points[self.at : end], path.points))
        path.length += length
        path.cost += cost
        return path

    def path(self) -> Path:
        """What is left, as a path."""
        walked = self._path()
        there = self.at == len(walked.cells) - 1
        status = Status.ALREADY_THERE if there else Status.FOUND
        reason = "the agent is at the goal" if there else FOUND
        cells, points = walked.cells[self.at :], walked.points[self.at :]
        return Path(status, reason, cells, points, self.length, self.cost, 0, walked.algorithm)

    def _path(self) -> Path:
        assert self.walked is not None, "there is a path to speak of"  # noqa: S101
        return self.walked
