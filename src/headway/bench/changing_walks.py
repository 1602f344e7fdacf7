"""Walks through maps that change on the way, in patterns: what a replanning agent meets.

An agent goes along the path it was last given. Every so many steps, cells change: half of them are
new ones, by chance, and half are those of the time before that return to what they were. Or
the map is unknown, and the agent learns of blocked cells when it comes near them. The
changes are always the same for the same map, route and pattern.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.world.grid import Grid

Cell = tuple[int, int]


@dataclass(frozen=True)
class Pattern:
    """What changes, and when.

    Parameters
    ----------
    name : str
    share : float
        Of the cells within reach, how many change each time.
    window : int
        Side of the square around the agent in which cells change; 0 for the whole map.
    steps : int
        How many steps the agent takes in between.
    sight : int
        Where the map is unknown: how far the agent sees, in cells; else 0.
    """

    name: str
    share: float = 0.0
    window: int = 0
    steps: int = 20
    sight: int = 0


PATTERNS = (
    Pattern("unknown map, sight of 10 cells", steps=1, sight=10),
    Pattern("1 % of cells near the agent", share=0.01, window=80),
    Pattern("5 % of cells near the agent", share=0.05, window=80),
    Pattern("0.1 % of cells anywhere", share=0.001),
    Pattern("1 % of cells anywhere", share=0.01),
    Pattern("5 % of cells anywhere", share=0.05),
)


class ChangingWalk:
    """One walk: a map that changes, and where the agent is.

    Parameters
    ----------
    truth : Grid
        The map; it stays as it is.
    start, goal : tuple of int
        Row and column.
    pattern : Pattern
    copies : int
        How many grids change alike, so that competitors do not share what a search leaves behind.
    seed : int

    Examples
    --------
    >>> walk = ChangingWalk(Grid(np.ones((30, 30))), (0, 0), (29, 29), PATTERNS[4])
    >>> walk.change()
    True
    >>> walk.grid.version, int((~walk.grid.free).sum())
    (4, 4)
    """

    def __init__(
        self, truth: Grid, start: Cell, goal: Cell, pattern: Pattern, copies: int = 1, seed: int = 0
    ):
        self.truth, self.goal, self.pattern = truth, goal, pattern
        self.agent = start
        free = np.ones(truth.shape, np.bool_) if pattern.sight else truth.free
        self.grids = [Grid(free, truth.cost) for _ in range(copies)]
        self._random = np.random.default_rng(seed)
        self._changed = np.empty((0, 2), np.int64)

    @property
    def grid(self) -> Grid:
        """The first of the grids."""
        return self.grids[0]

    def go(self, cells: NDArray[np.int64]) -> None:
        """Take some steps along a path that begins where the agent is, or stay if there is none."""
        if len(cells):
            row, column = cells[min(self.pattern.steps, len(cells) - 1)].tolist()
            self.agent = (row, column)

    @property
    def arrived(self) -> bool:
        """Whether the agent is at its goal."""
        return self.agent == self.goal

    def change(self) -> bool:
        """Change the map or look around; return whether anything is new."""
        if self.pattern.sight:
            return self._look_around()
        self._write(self._changed, original=True)
        self._changed = self._some_cells()
        self._write(self._changed, original=False)
        return True

    def _look_around(self) -> bool:
        cells = self._around(self.pattern.sight)
        near = np.hypot(*(cells - self.agent).T) <= self.pattern.sight
        row, column = cells.T
        blocked = cells[near & self.grid.free[row, column] & ~self.truth.free[row, column]]
        if len(blocked):
            self._set(blocked, False)
        return len(blocked) > 0

    def _some_cells(self) -> NDArray[np.int64]:
        window = self.pattern.window
        reach = self._around(window // 2) if window else self._around(max(self.grid.shape))
        count = max(1, round(0.5 * self.pattern.share * len(reach)))
        chosen = reach[self._random.choice(len(reach), count, replace=False)]
        kept = (chosen != self.agent).any(axis=1) & (chosen != self.goal).any(axis=1)
        return chosen[kept]

    def _around(self, distance: int) -> NDArray[np.int64]:
        """(N, 2): the cells in a square around the agent, as far as it lies on the map."""
        low = np.maximum(np.array(self.agent) - distance, 0)
        high = np.minimum(np.array(self.agent) + distance + 1, self.grid.shape)
        return np.argwhere(np.ones(high - low, np.bool_)) + low

    def _write(self, cells: NDArray[np.int64], original: bool) -> None:
        """Give cells their original state, or the opposite."""
        here = (cells == self.agent).all(axis=1)
        cells = cells[~here]
        free = self.truth.free[tuple(cells.T)] == original
        self._set(cells[free], True)
        self._set(cells[~free], False)

    def _set(self, cells: NDArray[np.int64], free: bool) -> None:
        for grid in self.grids:
            grid.set(cells, free=free)
