"""Searches on terrain, one after the other: by repair where that pays, and afresh where not.

With terrain cost a fresh A* looks at most of the map, and D* Lite repairs what a few changes near
the agent spoiled in a small part of that time. Where changes are many, or near the goal, a repair
takes longer than a fresh search, and so does the first search of D* Lite. What will happen is not
known beforehand: a repair is given up when it has become too long, and D* Lite is then left alone
for a while, longer each time.
"""

from __future__ import annotations

from headway.plan.a_star import a_star
from headway.plan.dstar_lite import DStarLite
from headway.plan.endpoints import Cell
from headway.plan.path import Path, Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

FEW, ALWAYS_FEW = 0.005, 50
"""More changes at a time than this share of the cells of a map, and than so many cells, call for a
fresh search."""
MARGIN = 1000
"""So many more cells than the first search of D* Lite did may a repair look at."""
PAUSE, LONGER, LONGEST = 8, 3, 200
"""Fresh searches before D* Lite is tried again: at first, times how many each time, at most."""


class TerrainSearch:
    """Finds cheapest paths on a grid with terrain cost that changes little or much.

    Parameters
    ----------
    grid : Grid
    rule : CornerRule

    Examples
    --------
    >>> import numpy as np
    >>> grid = Grid(np.ones((3, 30)), np.ones((3, 30)))
    >>> search = TerrainSearch(grid, CornerRule.NEVER_CUT)
    >>> search.find((1, 0), (1, 29)).algorithm, search.repaired
    ('dstar_lite', False)
    >>> grid.set([(1, 1)], free=False)
    >>> round(search.find((1, 0), (1, 29)).length, 3), search.repaired
    (30.414, True)
    """

    def __init__(self, grid: Grid, rule: CornerRule):
        self.grid = grid
        self.rule = rule
        self.repaired = False
        """Whether the last path came of a repair."""
        self._dstar_lite: DStarLite | None = None
        self._goal: tuple[int, ...] | None = None
        self._version = grid.version
        self._usual = 0
        self._pause, self._next_pause = 0, PAUSE

    def find(self, start: Cell, goal: Cell) -> Path:
        """Find a cheapest path on the grid as it is now.

        Parameters
        ----------
        start, goal : sequence of two ints
            Row and column.

        Returns
        -------
        Path
        """
        most = max(FEW * len(self.grid.padded_free), ALWAYS_FEW)
        few = self.grid.version - self._version <= most
        self._version = self.grid.version
        moved = self._goal is not None and self._goal != tuple(goal)
        self._goal = tuple(goal)
        self.repaired = False
        if moved or not few:
            self._dstar_lite = None
        elif self._dstar_lite is not None:
            path = self._repair(self._dstar_lite, start)
            if path is not None:
                return path
        elif self._pause == 0:
            self._dstar_lite = DStarLite(self.grid, start, goal, self.rule)
            path = self._dstar_lite.replan()
            self._usual = path.expanded
            return path
        else:
            self._pause -= 1
        return a_star(self.grid, start, goal, self.rule)

    def _repair(self, search: DStarLite, start: Cell) -> Path | None:
        """Repair the last path; None if that is given up."""
        path = search.replan(start, budget=self._usual + MARGIN)
        if path.status != Status.OUT_OF_BUDGET:
            self.repaired = True
            return path
        self._dstar_lite = None
        self._pause = self._next_pause
        self._next_pause = min(self._next_pause * LONGER, LONGEST)
        return None
