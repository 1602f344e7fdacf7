"""Where to go instead: the nearest free cell, and as near as one can get to a goal out of reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.plan.a_star import a_star
from headway.plan.endpoints import flat_index, settled_early
from headway.plan.path import Path, Status
from headway.world.components import Components, components_of
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid

ROUNDING = 1e-9
FARTHEST = 2**29
"""Cells: farther from the map than this, squares of distances would overflow."""


def _example() -> tuple:
    labels, wanted = np.zeros(9, np.int32), np.zeros(1, np.uint8)
    return labels, wanted, 3, 0, 0, 0, 8, np.empty((4, 2), np.int64)


@kernel(example=_example)
def find_nearest(
    labels: NDArray, wanted: NDArray, stride: int, row: int, column: int, first: int, most: int,
    found: NDArray,
) -> int:  # fmt: skip
    """Write the cells nearest to (row, column) whose labels are wanted, by row and then column.

    Looks along square rings, from the ring ``first``, up to a squared distance of ``most`` cells.
    Returns how many there are, of which only as many as ``found`` has rows are written.
    """
    rows, columns = len(labels) // stride - 2, stride - 2
    last = max(abs(row), abs(rows - 1 - row), abs(column), abs(columns - 1 - column))
    nearest = most
    for ring in range(first, last + 1):
        if ring * ring >= nearest:
            break
        for r in range(max(0, row - ring), min(rows, row + ring + 1)):
            # Whole rows above and below, only the two ends of those between.
            step = 1 if abs(r - row) == ring else 2 * ring
            c = max(0, column - ring) if step == 1 else column - ring
            while c <= min(columns - 1, column + ring):
                square = (r - row) ** 2 + (c - column) ** 2
                if c >= 0 and square < nearest and wanted[labels[(r + 1) * stride + c + 1]]:
                    nearest = square
                c += step
    return _cells_at(labels, wanted, stride, row, column, nearest, found)


@kernel
def _cells_at(
    labels: NDArray, wanted: NDArray, stride: int, row: int, column: int, square: int,
    found: NDArray,
) -> int:  # fmt: skip
    """Write the wanted cells at one squared distance from (row, column), at most two of a row."""
    rows, columns = len(labels) // stride - 2, stride - 2
    radius = np.int64(math.sqrt(square))
    count = 0
    for r in range(max(0, row - radius - 1), min(rows, row + radius + 2)):
        rest = square - (r - row) ** 2
        if rest < 0:
            continue
        away = np.int64(math.sqrt(rest))
        if away * away != rest:
            continue
        for side in range(2 if away > 0 else 1):
            c = column - away if side == 0 else column + away
            if 0 <= c < columns and wanted[labels[(r + 1) * stride + c + 1]]:
                if count < len(found):
                    found[count, 0] = r
                    found[count, 1] = c
                count += 1
    return count


def _nearest(
    grid: Grid, cell: Sequence[int], radius: float, components: Components, origin: int | None
) -> NDArray[np.int64]:
    """All cells that are equally near to a cell, be that on the map or off it.

    Only those of the component of ``origin`` (flat and padded) count, or of any if that is None.
    """
    row, column = int(cell[0]), int(cell[1])
    off = max(-row, row - grid.rows + 1, -column, column - grid.columns + 1, 0)
    if off > FARTHEST:
        return np.empty((0, 2), np.int64)
    most = 2 * (FARTHEST + grid.rows + grid.columns) ** 2
    if radius * radius < most:
        most = math.floor(radius * radius * (1.0 + ROUNDING))
    found = np.empty((16, 2), np.int64)
    labels, wanted = components.members(origin)
    count = find_nearest(labels, wanted, grid.stride, row, column, off, most, found)
    if count > len(found):
        found = np.empty((count, 2), np.int64)
        find_nearest(labels, wanted, grid.stride, row, column, off, most, found)
    return found[:count]


def nearest_free(
    grid: Grid,
    cell: Sequence[int],
    max_radius: float | None = None,
    reachable_from: Sequence[int] | None = None,
    rule: CornerRule | str = CornerRule.NEVER_CUT,
) -> tuple[int, int] | None:
    """Find the free cell nearest to a cell.

    Parameters
    ----------
    grid : Grid
    cell : sequence of two ints
        Row and column; it may lie off the map.
    max_radius : float, optional
        m, from centre to centre; any distance will do if left out.
    reachable_from : sequence of two ints, optional
        Row and column of a cell from which there must be a way.
    rule : CornerRule or str
        How agents on that way step past blocked cells.

    Returns
    -------
    (row, column) or None
        The nearest by Euclid, of equally near ones that with the lowest row and then column; the
        cell itself if it will do. None if there is none.

    Raises
    ------
    InputError
        If a cell is not a pair of whole numbers, or the radius is negative.

    Examples
    --------
    >>> grid = Grid([[1, 0, 0, 1, 1]])
    >>> nearest_free(grid, (0, 2))
    (0, 3)
    >>> nearest_free(grid, (0, 2), reachable_from=(0, 0))
    (0, 0)
    """
    flat_index(grid, "cell", cell)
    rule = corner_rule(rule)
    radius = math.inf
    if max_radius is not None:
        try:
            radius = float(max_radius) / grid.cell_size
        except (TypeError, ValueError) as error:
            raise InputError(f"max_radius is {max_radius!r}; give metres, at least 0.") from error
    if not radius >= 0:
        raise InputError(f"max_radius is {max_radius}; give metres, at least 0.")
    origin = None
    if reachable_from is not None:
        origin = flat_index(grid, "reachable_from", reachable_from)
        if origin < 0:
            return None
    components = components_of(grid, rule, exact=origin is not None)
    found = _nearest(grid, cell, radius, components, origin)
    return (int(found[0, 0]), int(found[0, 1])) if len(found) else None


def partial_path(
    grid: Grid,
    start: Sequence[int],
    goal: Sequence[int],
    rule: CornerRule | str = CornerRule.NEVER_CUT,
    search: Callable[[Grid, Sequence[int], Sequence[int], CornerRule], Path] = a_star,
) -> Path:
    """Find a path to a goal, or else to the cell from which it is nearest as the crow flies.

    Parameters
    ----------
    grid : Grid
    start, goal : sequence of two ints
        Row and column; the goal may be blocked or lie off the map.
    rule : CornerRule or str
        How agents step past blocked cells.
    search : callable
        Finds the shortest path between two connected cells, given the grid, the two and the rule.

    Returns
    -------
    Path
        To the goal if there is a way. Otherwise PARTIAL, to the reachable cell with the least
        Euclidean distance from the goal, of several that with the least cost of the path; the
        reason says how far from the goal that is. Without cells if the start is no free cell.

    Raises
    ------
    InputError
        If start or goal is not a pair of whole numbers.

    Examples
    --------
    >>> path = partial_path(Grid([[1, 1, 0, 0, 1]]), (0, 0), (0, 3))
    >>> path.status, path.cells.tolist()
    (<Status.PARTIAL: 'partial'>, [[0, 0], [0, 1]])
    >>> path.reason
    'the goal (0, 3) is blocked: the path ends 2 m from it, at (0, 1)'
    """
    rule = corner_rule(rule)
    goal_cell = flat_index(grid, "goal", goal)
    nowhere = settled_early(grid, start, start, rule, getattr(search, "__name__", "search"))
    if nowhere is not None and not nowhere.found:
        return nowhere
    start_cell = flat_index(grid, "start", start)
    components = components_of(grid, rule, exact=True)
    if goal_cell >= 0 and not components.apart(start_cell, goal_cell):
        return search(grid, start, goal, rule)
    ends = _nearest(grid, goal, math.inf, components, start_cell)
    if not len(ends):
        raise InputError(f"goal {tuple(goal)} lies too far off the map of shape {grid.shape}.")
    paths = [search(grid, start, (int(row), int(column)), rule) for row, column in ends]
    least = min(path.cost for path in paths)
    path = next(path for path in paths if path.cost <= least * (1.0 + ROUNDING))
    path.status = Status.PARTIAL
    path.reason = _reason(grid, goal, goal_cell, path)
    return path


def _reason(grid: Grid, goal: Sequence[int], goal_cell: int, path: Path) -> str:
    (row, column), (goal_row, goal_column) = path.cells[-1].tolist(), goal
    left = grid.cell_size * math.hypot(goal_row - row, goal_column - column)
    why = "cannot be reached"
    if goal_cell < 0:
        why = "lies off the map"
    elif not grid.padded_free[goal_cell]:
        why = "is blocked"
    where = f"the goal ({goal_row}, {goal_column}) {why}"
    return f"{where}: the path ends {left:.4g} m from it, at ({row}, {column})"
