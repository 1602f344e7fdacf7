"""The front door of path search: one question, and the search that answers it best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError
from headway.plan.a_star import a_star
from headway.plan.anya import anya
from headway.plan.dstar_lite import DStarLite
from headway.plan.endpoints import Cell, flat_index, settled_early
from headway.plan.field import distance_field
from headway.plan.jump_points import jump_point_search
from headway.plan.lazy_theta import lazy_theta_star
from headway.plan.nearest import partial_path
from headway.plan.path import Path, Status
from headway.plan.straighten import straighten as pulled_straight
from headway.world.components import components_of
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid
from headway.world.inflation import inflated
from headway.world.way_out import way_out

SPECKS = 0.86
"""With so many stops of scans for each blocked cell, obstacles are specks that scans meet wherever
they go, and A* is the faster search. Fitted on game maps, rooms, mazes and random maps."""
CRUMBLED = 0.35, 0.5
"""It is as well where stops are between these shares of the free cells; beyond, in narrow mazes,
jump points are faster again."""
LOOK_AGAIN = 64
"""Whether obstacles are specks is asked again after one in so many cells has changed."""


def find_path(
    grid: Grid,
    start: Cell,
    goal: Cell,
    *,
    rule: CornerRule | str = CornerRule.NEVER_CUT,
    algorithm: str = "auto",
    radius: float = 0.0,
    partial: bool = False,
    straighten: bool = False,
    trace: bool = False,
) -> Path:
    """Find the best path between two cells of a grid.

    Parameters
    ----------
    grid : Grid
    start, goal : sequence of two ints
        Row and column; of points in metres, ``grid.cells_at`` gives them.
    rule : CornerRule or str
        When a diagonal step past blocked cells is allowed; never past one if left out.
    algorithm : str
        ``"auto"`` chooses between ``"jps"`` (jump points; grids without terrain cost, corners
        never cut) and ``"astar"``. ``"dstar_lite"`` and ``"field"`` give the same costs and serve
        to compare. ``"lazy_theta"`` (nearly the shortest) and ``"anya"`` (the shortest) are not
        bound to eight directions. Hyphens, spaces and capitals do not matter.
    radius : float
        Of the agent, m: a disc that must not touch blocked cells.
    partial : bool
        Whether a path to the reachable cell nearest to the goal will do where there is none to
        the goal.
    straighten : bool
        Whether to pull the path straight afterwards (`headway.plan.straighten.straighten`), with
        the same distance from obstacles.
    trace : bool
        Whether to list the cells that were given a cost, in ``Path.searched``.

    Returns
    -------
    Path
        Its ``status`` and ``reason`` say what became of the query.

    Raises
    ------
    InputError
        If an argument cannot be used, or the algorithm cannot serve this grid or rule.

    Examples
    --------
    >>> path = find_path(Grid([[1, 1, 1], [1, 0, 1], [1, 1, 1]]), (0, 0), (2, 2))
    >>> path.status, path.length, path.cells[-1].tolist()
    (<Status.FOUND: 'found'>, 4.0, [2, 2])
    """
    if not isinstance(grid, Grid):
        raise InputError(f"grid is a {type(grid).__name__}; make one with Grid(free).")
    rule = corner_rule(rule)
    search = _search(grid, rule, algorithm)
    room = inflated(grid, radius) if radius != 0.0 else grid
    way = None if room is grid else _way_to_room(grid, room, start, goal, rule)
    start = start if way is None else way[-1].tolist()
    path = search(room, start, goal, rule, trace)
    if path.status is Status.UNREACHABLE and path.expanded:
        components_of(room, rule, exact=True)  # so that the next such query needs no search
    if partial and path.status in NOT_THERE:
        path = partial_path(room, start, goal, rule, lambda g, a, b, r: search(g, a, b, r, trace))
    if room is not grid:
        _explain(grid, path, start, goal, rule, radius)
    if straighten and len(path.cells) > 1:
        path = pulled_straight(room, path)
    return path if way is None or not len(path.cells) else _joined(grid, way, path)


NOT_THERE = (Status.UNREACHABLE, Status.GOAL_BLOCKED, Status.OUT_OF_BOUNDS)
"""What a path to the nearest reachable cell can make up for."""
Search = Callable[[Grid, Cell, Cell, CornerRule, bool], Path]


def _by_dstar_lite(grid: Grid, start: Cell, goal: Cell, rule: CornerRule, trace: bool) -> Path:
    search = DStarLite(grid, start, goal, rule)
    path = search.replan()
    if trace:
        path.searched = search.searched()
    return path


def _by_field(grid: Grid, start: Cell, goal: Cell, rule: CornerRule, trace: bool) -> Path:
    early = settled_early(grid, start, goal, rule, "field")
    if early is not None:
        return early
    field = distance_field(grid, [goal], rule)
    path = field.descend(start)
    if trace:
        path.searched = np.argwhere(np.isfinite(field.distance))
    return path


def _by_lazy_theta(grid: Grid, start: Cell, goal: Cell, _: CornerRule, trace: bool) -> Path:
    return lazy_theta_star(grid, start, goal, trace)


def _by_anya(grid: Grid, start: Cell, goal: Cell, _: CornerRule, trace: bool) -> Path:
    return anya(grid, start, goal, trace)


SEARCHES: dict[str, Search] = {
    "jps": jump_point_search,
    "astar": a_star,
    "dstar_lite": _by_dstar_lite,
    "field": _by_field,
    "lazy_theta": _by_lazy_theta,
    "anya": _by_anya,
}
"""Name of each search, and how to ask it."""


ANY_ANGLE = ("lazy_theta", "anya")
"""Searches that are not bound to steps between neighbouring cells."""
UNIT_COST = ("jps", *ANY_ANGLE)
"""Searches that know neither terrain cost nor other corner rules than never to cut one."""


def named(algorithm: str) -> str:
    """Find a search by its name.

    Parameters
    ----------
    algorithm : str
        A key of `SEARCHES` or ``"auto"``; hyphens, spaces and capitals do not matter.

    Returns
    -------
    str
        The key.

    Raises
    ------
    InputError
        If there is no such search.

    Examples
    --------
    >>> named("D* Lite")
    'dstar_lite'
    """
    if algorithm == "auto" or algorithm in SEARCHES:
        return algorithm
    for name in ("auto", *SEARCHES):
        if _letters(algorithm).removesuffix("star") == _letters(name).removesuffix("star"):
            return name
    choice = ", ".join(("auto", *SEARCHES))
    raise InputError(f"there is no algorithm {algorithm!r}: choose one of {choice}.")


def _search(grid: Grid, rule: CornerRule, algorithm: str) -> Search:
    """The search to use; raises where it cannot serve."""
    plain = rule is CornerRule.NEVER_CUT and not grid.weighted
    name = "auto" if algorithm == "auto" else named(algorithm)
    if name == "auto":
        return jump_point_search if plain and not has_specks(grid) else a_star
    if name in UNIT_COST and not plain:
        what = "terrain cost" if grid.weighted else f"the rule {rule.name.lower()}"
        raise InputError(f"the algorithm {name} does not know {what}: use astar or dstar_lite.")
    return SEARCHES[name]


def _letters(name: str) -> str:
    plain = str(name).lower().replace("*", "star")
    return "".join(letter for letter in plain if letter.isalnum())


def has_specks(grid: Grid) -> bool:
    """Tell whether obstacles are specks that scans meet everywhere, as was so not long ago.

    Parameters
    ----------
    grid : Grid

    Returns
    -------
    bool
        Whether A* is faster there than jump points.

    Examples
    --------
    >>> has_specks(Grid(np.ones((30, 30))))
    False
    """
    known = grid.derived.get("specks")
    if known is None or grid.version > known[0]:
        words = (grid.columns + 65) >> 6
        plane = (grid.rows + 2) * words
        blocked, stops = grid.bits[:plane], grid.bits[plane : 2 * plane].copy()
        stops[::words] &= ~np.uint64(2)  # no scan comes to the first column from before it
        met = int(np.bitwise_count(stops & ~blocked).sum())
        free = 64 * plane - int(np.bitwise_count(blocked).sum())
        low, high = CRUMBLED
        specks = met > SPECKS * (grid.rows * grid.columns - free) or low * free < met < high * free
        known = (grid.version + len(grid.padded_free) // LOOK_AGAIN, specks)
        grid.derived["specks"] = known
    return known[1]


def _way_to_room(
    grid: Grid, room: Grid, start: Cell, goal: Cell, rule: CornerRule
) -> NDArray[np.int64] | None:
    """Lead an agent that begins too near to an obstacle to where it has room, if that can be."""
    first, last = flat_index(grid, "start", start), flat_index(grid, "goal", goal)
    if first < 0 or first == last or not grid.padded_free[first] or room.padded_free[first]:
        return None
    way = way_out(grid, room, start, rule)
    return way if len(way) else None


def _explain(
    grid: Grid, path: Path, start: Cell, goal: Cell, rule: CornerRule, radius: float
) -> None:
    """Say what the radius has to do with the answer, where it has."""
    first, last = flat_index(grid, "start", start), flat_index(grid, "goal", goal)
    (row, column), (goal_row, goal_column) = start, goal
    if path.status == Status.START_BLOCKED and grid.padded_free[first]:
        if first == last:
            cells = np.array([start], np.int64)
            path.status, path.reason = Status.ALREADY_THERE, "start and goal are the same cell"
            path.cells, path.points, path.length, path.cost = cells, grid.centres(cells), 0.0, 0.0
            return
        path.reason = (
            f"a disc of radius {radius:g} m does not fit at the start ({row}, {column}), nor where "
            "it could go from there"
        )
    if path.status == Status.GOAL_BLOCKED and grid.padded_free[last]:
        path.reason = (
            f"the goal ({goal_row}, {goal_column}) is too near to an obstacle for a disc of "
            f"radius {radius:g} m"
        )
    if path.status == Status.UNREACHABLE and not components_of(grid, rule, True).apart(first, last):
        path.reason = (
            f"no way from ({row}, {column}) to ({goal_row}, {goal_column}) is wide enough for a "
            f"disc of radius {radius:g} m"
        )


def _joined(grid: Grid, way: NDArray[np.int64], path: Path) -> Path:
    """The path with a way to its first cell put before it."""
    steps = np.hypot(*np.diff(way, axis=0).T) * grid.cell_size
    length = float(steps.sum())
    prices = np.ones(len(way)) if grid.cost is None else grid.cost[tuple(way.T)]
    cost = float((steps * (prices[:-1] + prices[1:])).sum()) / 2.0
    cells = np.concatenate((way[:-1], path.cells))
    status = Status.FOUND if path.status == Status.ALREADY_THERE else path.status
    reason = f"{path.reason}, after moving away from the obstacle at the start"
    return replace(
        path, status=status, reason=reason, cells=cells, points=grid.centres(cells),
        length=length + path.length, cost=cost + path.cost,
    )  # fmt: skip
