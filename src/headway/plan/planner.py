"""A planner that keeps a path valid while the map changes and the agent walks.

It searches only if it has to: when the path is blocked, when the agent left it, when the goal
moved, or when a change may have opened a way that is so much better that changing to it is worth
the unrest. How much better is known from bounds, without a search: between updates the cost of
the best path falls at most to that of the cheapest way by way of a changed cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from headway.errors import InputError
from headway.plan.endpoints import Cell, flat_index
from headway.plan.find_path import find_path, has_specks
from headway.plan.jump_points import jump_point_search
from headway.plan.path import SQRT2, Path
from headway.plan.remaining import Remaining, least_way
from headway.plan.terrain_search import TerrainSearch
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid
from headway.world.grid_input import checked_finite
from headway.world.inflation import inflated

ROUNDING = 1e-9
NEVER_CUT = CornerRule.NEVER_CUT


class Action(StrEnum):
    """What a planner did at an update."""

    KEPT = "kept"
    """The path is what was left of the last one."""
    JPS = "replanned with jps"
    A_STAR = "replanned with astar"
    DSTAR_LITE = "replanned with dstar_lite"
    REPAIRED = "repaired"
    """Replanned with what D* Lite knew from before."""
    NO_PATH = "no path"


ACTIONS = {"jps": Action.JPS, "dstar_lite": Action.DSTAR_LITE}
"""Of searches other than A*."""


@dataclass(slots=True)
class Plan:
    """What a planner says at an update.

    Parameters
    ----------
    path : Path
        From the agent's cell to the goal; if there is none, its status says why.
    action : Action
        What was done about it.
    reason : str
        Why, in a sentence.
    replanned : bool
        Whether a search was made, be it that the path was kept after all.
    """

    path: Path
    action: Action
    reason: str
    replanned: bool


class Planner:
    """Keeps a path for one agent on a grid that changes.

    Parameters
    ----------
    grid : Grid
        Followed through its record of changes; it is not copied.
    start, goal : sequence of two ints
        Row and column.
    rule : CornerRule or str
        When the agent may step diagonally past blocked cells.
    radius : float
        Of the agent, m: a disc that must not touch blocked cells.
    commit : float
        m, at least 0: so far the agent stays on its path, if it can, when it changes to a better
        one. It leaves a path that is blocked at once.
    hysteresis : float
        Above 0, at most 1: the agent changes to a better path only if its cost is below this share
        of what is left of the one it is on. So paths do not flip for a trifle. With 1 and without
        commitment the path is a cheapest one at each update.
    period : int
        Updates, at least 1, from one search for a better path to the next. A path that is blocked
        is replaced at once.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which and why.

    Notes
    -----
    With period 1, a path never costs more than a cheapest one divided by ``hysteresis``, plus twice
    the cost of ``commit``, which ends with the step that completes it. Grids of unit cost are
    searched afresh, by jump points or A*; on grids with terrain cost
    `headway.plan.terrain_search.TerrainSearch` repairs or searches.

    Examples
    --------
    >>> import numpy as np
    >>> grid = Grid(np.ones((5, 9)))
    >>> planner = Planner(grid, (2, 0), (2, 8))
    >>> plan = planner.update((2, 0))
    >>> plan.path.length, str(plan.action)
    (8.0, 'replanned with jps')
    >>> grid.set([(0, 4), (1, 4)], free=False)
    >>> plan = planner.update((2, 1))
    >>> plan.path.length, str(plan.action)
    (7.0, 'kept')
    >>> grid.set([(2, 4)], free=False)
    >>> plan = planner.update((2, 2))
    >>> plan.replanned, plan.reason
    (True, 'the path was blocked 2 m ahead')
    """

    def __init__(
        self,
        grid: Grid,
        start: Cell,
        goal: Cell,
        *,
        rule: CornerRule | str = "never_cut",
        radius: float = 0.0,
        commit: float = 2.0,
        hysteresis: float = 0.95,
        period: int = 1,
    ):
        flat_index(grid, "start", start)
        numbers = {"radius": radius, "commit": commit, "hysteresis": hysteresis}
        radius, commit, hysteresis = (checked_finite(*number) for number in numbers.items())
        if not 0.0 < hysteresis <= 1.0:
            raise InputError(f"hysteresis is {hysteresis}; give a share above 0 and at most 1.")
        if commit < 0.0:
            raise InputError(f"commit is {commit}; give metres, at least 0.")
        if not isinstance(period, int) or period < 1:
            raise InputError(f"period is {period!r}; give a whole number of updates, at least 1.")
        self.grid = grid
        self.rule = corner_rule(rule)
        self.radius, self.commit, self.hysteresis = radius, commit, hysteresis
        self.period = period
        self._room = inflated(grid, self.radius)
        self._rest = Remaining(self._room, self.rule)
        self._terrain = TerrainSearch(self._room, self.rule) if grid.weighted else None
        self._plain = self._room is grid and not grid.weighted and self.rule == NEVER_CUT
        """Whether jump points can be searched for, with no more ado."""
        self._goal = self._checked_goal(goal)
        self._failed: tuple[Path, tuple[int, ...]] | None = None
        """The answer when there was no path last, and from which cell."""
        self._version = self._room.version
        self._here = -1
        """Number of the agent's cell; -1 off the map."""
        self._slack = 0.0
        """How much less than what is left the cheapest path may cost, at most."""
        self._since = 0
        """Updates since the last search."""
        self._planned = False

    def update(self, cell: Cell, goal: Cell | None = None) -> Plan:
        """Say how to go on from a cell, on the grid as it is now.

        Parameters
        ----------
        cell : sequence of two ints
            Row and column where the agent is.
        goal : sequence of two ints, optional
            Where it wants to go from now on; as before if left out.

        Returns
        -------
        Plan

        Raises
        ------
        InputError
            If the cell or the goal is not a pair of whole numbers.
        """
        self._here = flat_index(self.grid, "cell", cell)
        if self._room is not self.grid:
            inflated(self.grid, self.radius)  # brings the room up to date
        before, self._version = self._version, self._room.version
        self._since += 1
        why = self._why_not_keep(cell, goal, before)
        if why:
            return self._replan(cell, why)
        if self._failed is not None:
            return Plan(self._failed[0], Action.NO_PATH, "nothing changed since", False)
        if before != self._version:
            self._loosen(before)
        if self._slack > (1.0 - self.hysteresis + ROUNDING) * self._rest.cost:
            if self._since >= self.period:
                return self._look_for_better(cell)
            reason = "there may be a better path, but it is not yet time to look for it"
            return Plan(self._rest.path(), Action.KEPT, reason, False)
        reason = "no change concerns the path or can make another much better"
        return Plan(self._rest.path(), Action.KEPT, reason, False)

    def _checked_goal(self, goal: Cell) -> tuple[int, int]:
        flat_index(self.grid, "goal", goal)
        row, column = goal
        return int(row), int(column)

    def _why_not_keep(self, cell: Cell, goal: Cell | None, before: int) -> str:
        """Say why there must be a search now; nothing if what was answered last may still do."""
        wanted = self._goal if goal is None else self._checked_goal(goal)
        if wanted != self._goal:
            self._goal = wanted
            return f"the goal moved to {wanted}"
        if self._failed is not None:
            same = before == self._version and tuple(cell) == self._failed[1]
            return "" if same else "there was no path before"
        if not self._has_room():
            return "the agent's cell is blocked or too near to an obstacle"
        rest = self._rest
        if rest.walked is None:
            return "this is the first plan" if not self._planned else "the agent has room again"
        if not rest.walk_to(self._here):
            return "the agent is not on its path"
        return f"the path was blocked {rest.length:.3g} m ahead" if rest.blocked else ""

    def _has_room(self) -> bool:
        return self._here >= 0 and self._room.padded_free[self._here] != 0

    def _loosen(self, before: int) -> None:
        """Bound how good a path there may be now, from where cells changed since a version."""
        room, rest = self._room, self._rest
        if self._version - before > len(room.log):  # so many that they are not known
            self._slack = rest.cost
            return
        row, column = self._goal
        goal = (row + 1) * room.stride + column + 1
        way = least_way(
            room.padded_free, room.stride, room.log, before, self._version, self._here, goal
        )
        # A step beside an opened corner is shorter than two by way of it.
        least = (way - (2.0 - SQRT2)) * room.cell_size * room.min_cost
        self._slack = min(max(self._slack + rest.risen, rest.cost - least), rest.cost)

    def _look_for_better(self, cell: Cell) -> Plan:
        """Search for a path that may be better, and change to it if it is by enough."""
        path, action = self._candidate(cell)
        self._since = 0
        if path.found and path.cost < self.hysteresis * self._rest.cost:
            gain = 1.0 - path.cost / self._rest.cost
            return self._adopt(path, action, f"a path was found that costs {gain:.1%} less")
        self._slack = max(self._rest.cost - path.cost, 0.0) if path.found else 0.0
        reason = "after a change there might have been a better path, but there is none"
        if self.commit:
            reason += " that begins as this one does"
        if self._slack > 0.0:
            gain = self._slack / self._rest.cost
            reason = f"the best path costs only {gain:.1%} less"
        return Plan(self._rest.path(), Action.KEPT, reason, True)

    def _replan(self, cell: Cell, why: str) -> Plan:
        """Search, because what is left of the last path does not do."""
        path, action = self._search(cell)
        self._since = 0
        if not path.found:
            self._rest.drop()
            self._failed = path, tuple(cell)
            return Plan(path, Action.NO_PATH, f"{why}, and {path.reason}", True)
        return self._adopt(path, action, why)

    def _adopt(self, path: Path, action: Action, why: str) -> Plan:
        self._planned = True
        self._failed = None
        self._slack = 0.0
        if self._has_room():
            self._rest.take(path)
        else:  # it leads out of a place that is too narrow, which is planned anew at each update
            self._rest.drop()
        return Plan(path, action, why, True)

    def _candidate(self, cell: Cell) -> tuple[Path, Action]:
        """Search for a path that begins with what the agent is committed to, if that can be."""
        if self.commit:
            piece = self._rest.piece(self.commit)
            path, action = self._search(self._rest.cells[piece[0]].tolist())
            whole = self._rest.begun_with(piece, path)
            if whole is not None:
                return whole, action
        return self._search(cell)

    def _search(self, cell: Cell) -> tuple[Path, Action]:
        """Find a cheapest path from a cell, in the way that is quickest."""
        if self._terrain is not None and self._has_room():
            path = self._terrain.find(cell, self._goal)
            if self._terrain.repaired:
                return path, Action.REPAIRED
        elif self._plain and not has_specks(self.grid):
            path = jump_point_search(self.grid, cell, self._goal)
        else:
            path = find_path(self.grid, cell, self._goal, rule=self.rule, radius=self.radius)
        return path, ACTIONS.get(path.algorithm, Action.A_STAR)
