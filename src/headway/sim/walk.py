"""An agent walks over a grid that changes: at each tick the world, then the plan, then a step."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError
from headway.plan.path import Status
from headway.plan.planner import Action, Plan, Planner
from headway.world.changing_rooms import Change
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid


@dataclass(frozen=True, slots=True)
class Tick:
    """One tick of a walk.

    Parameters
    ----------
    cell : tuple of int
        Row and column of the agent's cell.
    changes : tuple of Change
        What happened to the world at this tick, before the agent planned. Cells that a change
        would have blocked where the agent stands are not among its cells: it holds the door.
    way : (K, 2) ndarray of int64
        Row and column of the cells of the plan from here on, the agent's own first; empty if
        there is no way.
    status : Status
        That of the plan's path.
    action : str
        What the planner did, in its own words.
    reason : str
        Why, in a sentence; where there is no way, why there is none.
    replanned : bool
        Whether the planner searched.
    expanded : int
        How many cells that search looked from.
    """

    cell: tuple[int, int]
    changes: tuple[Change, ...]
    way: NDArray[np.int64]
    status: Status
    action: str
    reason: str
    replanned: bool
    expanded: int


@dataclass(frozen=True)
class Walk:
    """What happened on a walk.

    Parameters
    ----------
    grid : Grid
        The world as it was at the beginning.
    start, goal : tuple of int
        Row and column.
    ticks : tuple of Tick
        From the start to the end, one per tick.
    status : Status
        How the walk ended: found if the agent came to the goal (already there if it began at it),
        out of budget if it ran out of ticks, else that of the last plan's path.
    reason : str
        The same in a sentence.
    radius : float
        m, of the agent.
    """

    grid: Grid
    start: tuple[int, int]
    goal: tuple[int, int]
    ticks: tuple[Tick, ...]
    status: Status
    reason: str
    radius: float = 0.0

    @property
    def reached(self) -> bool:
        """Whether the agent came to the goal."""
        return self.status in (Status.FOUND, Status.ALREADY_THERE)

    @property
    def cells(self) -> NDArray[np.int64]:
        """(T, 2): row and column of the agent at each tick."""
        return np.array([tick.cell for tick in self.ticks], np.int64)

    @property
    def length(self) -> float:
        """How far the agent walked, m."""
        return float(self._steps.sum())

    @property
    def cost(self) -> float:
        """Terrain cost along that way; its length on a grid without terrain cost."""
        if self.grid.cost is None:
            return self.length
        prices = self.grid.cost[tuple(self.cells.T)]
        return float((self._steps * (prices[:-1] + prices[1:])).sum()) / 2.0

    @property
    def expanded(self) -> int:
        """How many cells all searches looked from."""
        return sum(tick.expanded for tick in self.ticks)

    @property
    def _steps(self) -> NDArray[np.float64]:
        """Length of each step, m."""
        return np.hypot(*np.diff(self.cells, axis=0).T) * self.grid.cell_size

    @property
    def state_hash(self) -> str:
        """A hash of all that happened: equal walks have equal hashes."""
        digest = hashlib.sha256(np.packbits(self.grid.free).tobytes())
        for tick in self.ticks:
            digest.update(np.array(tick.cell, np.int64).tobytes())
            digest.update(np.ascontiguousarray(tick.way).tobytes())
            for change in tick.changes:
                digest.update(np.ascontiguousarray(change.cells).tobytes())
            words = (tick.status, tick.action, tick.reason, str(tick.replanned))
            digest.update("\n".join(words).encode())
        return digest.hexdigest()[:16]


def walk(
    grid: Grid,
    start: Sequence[int],
    goal: Sequence[int],
    changes: Iterable[Change] = (),
    *,
    rule: CornerRule | str = "never_cut",
    radius: float = 0.0,
    most_ticks: int = 10_000,
) -> Walk:
    """Let an agent walk to a goal, one cell a tick, while the world changes.

    At each tick the changes that are due happen, the planner is told where the agent is, and the
    agent steps on to the next cell of the plan. It waits where there is no way as long as the
    world may still change.

    Parameters
    ----------
    grid : Grid
        The world; it is left as it is.
    start, goal : sequence of two ints
        Row and column.
    changes : iterable of Change
        What happens to the world and when, in any order.
    rule : CornerRule or str
        When the agent may step diagonally past blocked cells.
    radius : float
        m, of the agent.
    most_ticks : int
        When to stop at the latest, at least 1.

    Returns
    -------
    Walk

    Raises
    ------
    InputError
        If the planner cannot use an argument, or a change lies off the map.

    Examples
    --------
    >>> from headway.world.changing_rooms import changing_rooms
    >>> world = changing_rooms(seed=1)
    >>> walk(world.grid, world.start, world.goal, world.changes).reached
    True
    """
    if most_ticks < 1:
        raise InputError(f"most_ticks is {most_ticks}: give at least 1.")
    due = sorted(changes, key=lambda change: change.tick)
    world, end = grid.copy(), _cell(goal)
    cell = _cell(start)
    planner = Planner(world, cell, end, rule=rule, radius=radius)
    ticks: list[Tick] = []
    status, reason = Status.OUT_OF_BUDGET, f"the agent was not there after {most_ticks} ticks"
    for number in range(most_ticks):
        happened = []
        while due and due[0].tick <= number:
            happened.append(_apply(world, due.pop(0), cell, radius))
        ticks.append(_tick(cell, tuple(happened), planner.update(cell)))
        way = ticks[-1].way
        if cell == end:
            status = Status.FOUND if number else Status.ALREADY_THERE
            reason = f"the agent reached the goal after {number} ticks"
            break
        if len(way) > 1:
            cell = _cell(way[1])
        elif not due:
            status = ticks[-1].status
            reason = f"the agent stopped after {number} ticks: {ticks[-1].reason}"
            break
    return Walk(grid, _cell(start), end, tuple(ticks), status, reason, float(radius))


def _apply(world: Grid, change: Change, agent: tuple[int, int], radius: float) -> Change:
    """Let a change happen, but nothing be blocked under the agent; returns what did happen."""
    cells = np.asarray(change.cells, np.int64).reshape(-1, 2)
    if not change.free:
        gaps = np.maximum(np.abs(cells - agent) - 0.5, 0.0)  # cells, from the agent's centre
        # the agent fills its cell at least; to touch is no overlap, as in inflation
        beside = np.hypot(*gaps.T) >= max(radius / world.cell_size, 0.5) * (1.0 - 1e-9)
        cells = cells[beside]
    world.set(cells, change.free)
    return Change(change.tick, cells, change.free, change.why)


def _tick(cell: tuple[int, int], happened: tuple[Change, ...], plan: Plan) -> Tick:
    """What there is to tell of a tick."""
    lost = plan.action == Action.NO_PATH and not plan.replanned
    return Tick(
        cell, happened, _from_here(plan.path.cells, cell), plan.path.status, str(plan.action),
        plan.path.reason if lost else plan.reason, bool(plan.replanned),
        int(plan.path.expanded) if plan.replanned else 0,
    )  # fmt: skip


def _from_here(cells: NDArray[np.int64], cell: tuple[int, int]) -> NDArray[np.int64]:
    """The part of a path from a cell of it on; empty if it does not lead through that cell."""
    place = np.flatnonzero((cells == cell).all(axis=1))
    return cells[place[-1] :].copy() if len(place) else cells[:0]


def _cell(pair: Sequence[int] | NDArray[np.int64]) -> tuple[int, int]:
    row, column = pair
    return int(row), int(column)
