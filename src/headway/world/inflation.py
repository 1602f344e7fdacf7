"""The grid for the centre of a disc: cells too near to an obstacle are closed, as things change.

A cell stays free if a disc around its centre overlaps no blocked square (it may touch one). What is
then guaranteed is more: the disc overlaps nothing anywhere on a straight line between two centres
that the grid lets it follow, be that a step to a neighbour that cuts no corner or an any-angle
segment that enters no lattice square with a closed corner. For blocked squares are aligned with the
lattice of centres: within a lattice square the distance to one of them is least at a corner, and
along a lattice edge at an end. Steps that cut corners carry no such promise.

How many blocked cells are near each cell is counted, so that a change costs a visit to the cells
around it and nothing else.
"""

from __future__ import annotations

import math
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.world.grid import Grid

ROUNDING = 1e-9
"""Relative: an obstacle that a disc only touches must not seem to overlap it."""


def _disc(squared: int, most: int) -> NDArray[np.int64]:
    """Half the width, per row from the middle one, of the cells that a disc keeps closed.

    A blocked square d cells away along an axis begins ``2d - 1`` half-cells away (0 for d = 0). The
    disc overlaps it if the squares of these, along both axes, sum to less than ``squared``.
    """
    widths = []
    for away in range(most + 1):
        rest = squared - max(2 * away - 1, 0) ** 2
        if rest <= 0:
            break
        widths.append(min((math.isqrt(rest - 1) + 1) // 2, most))
    return np.array(widths, np.int64)


@kernel(
    example=lambda: (np.zeros(9, np.uint8), 3, np.zeros(1, np.int64), True, np.zeros(9, np.int32))
)
def count_near(
    free: NDArray, stride: int, widths: NDArray, border: bool, near: NDArray
) -> None:  # fmt: skip
    """Count the blocked cells whose discs reach each cell, the border once if it is near."""
    rows, columns = len(free) // stride - 2, stride - 2
    widest, margin = widths[0], len(widths) - 1
    before = np.zeros(columns + 2 * widest + 1, np.int64)
    near[:] = 0
    for row in range(rows):
        # before[k] is the number of blocked cells in this row left of column k - widest.
        for column in range(columns):
            blocked = 1 - np.int64(free[(row + 1) * stride + column + 1])
            before[column + widest + 1] = before[column + widest] + blocked
        before[columns + widest + 1 :] = before[columns + widest]
        if before[columns + widest] > 0:
            for other in range(max(0, row - margin), min(rows, row + margin + 1)):
                width = widths[abs(other - row)]
                first = (other + 1) * stride + 1
                for column in range(columns):
                    near[first + column] += (
                        before[column + widest + width + 1] - before[column + widest - width]
                    )
        for column in range(columns):
            if border and min(row, rows - 1 - row, column, columns - 1 - column) < margin:
                near[(row + 1) * stride + column + 1] += 1


@kernel(
    example=lambda: (
        np.zeros(9, np.uint8), 3, np.zeros(1, np.int64), np.zeros(9, np.int32),
        np.zeros(9, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64),
    )
)  # fmt: skip
def count_changes(
    free: NDArray, stride: int, widths: NDArray, near: NDArray, seen: NDArray, changed: NDArray,
    turned: NDArray,
) -> int:  # fmt: skip
    """Count changes of cells in; list in ``turned`` those that first got or last lost a neighbour.

    ``seen`` is what was free when ``near`` was counted. Returns how many cells are listed.
    """
    rows, columns = len(free) // stride - 2, stride - 2
    found = 0
    for i in range(len(changed)):
        cell = changed[i]
        if free[cell] == seen[cell]:
            continue
        seen[cell] = free[cell]
        step = 1 if free[cell] == 0 else -1
        row, column = cell // stride - 1, cell % stride - 1
        margin = len(widths) - 1
        for other in range(max(0, row - margin), min(rows, row + margin + 1)):
            width = widths[abs(other - row)]
            for place in range(max(0, column - width), min(columns, column + width + 1)):
                at = (other + 1) * stride + place + 1
                near[at] += step
                if near[at] == (1 if step > 0 else 0):
                    turned[found] = at
                    found += 1
    return found


class Inflation:
    """An inflated grid, and what it takes to keep it up to date."""

    def __init__(self, grid: Grid, widths: NDArray[np.int64], border: bool):
        self.widths = widths
        self.border = border
        self.reach = len(widths) - 1
        self.area = int(2 * (2 * widths + 1).sum() - (2 * widths[0] + 1))
        self.near = np.empty(len(grid.padded_free), np.int32)
        self.lock = Lock()
        self._count(grid)
        free = self._open().reshape(-1, grid.stride)[1:-1, 1:-1]
        self.child = Grid(free, grid.cost, cell_size=grid.cell_size, origin=grid.origin)

    def _open(self) -> NDArray[np.bool_]:
        return self.near == 0

    def _count(self, grid: Grid) -> None:
        count_near(grid.padded_free, grid.stride, self.widths, self.border, self.near)
        self.seen = grid.padded_free.copy()
        self.version = grid.version

    def follow(self, grid: Grid) -> None:
        """Bring the inflated grid up to date."""
        with self.lock:
            changed = grid.changed_since(self.version)
            if changed is None or len(changed) * self.area > len(self.near):
                self._count(grid)
                self.child.paste(
                    (0, 0), self._open().reshape(-1, grid.stride)[1:-1, 1:-1], grid.cost
                )
                return
            turned = np.empty(len(changed) * self.area, np.int64)
            arrays = self.widths, self.near, self.seen, changed, turned
            count = count_changes(grid.padded_free, grid.stride, *arrays)
            self._write(turned[:count], grid.stride)
            if grid.weighted:
                self._copy_costs(grid, changed)
            self.version = grid.version

    def _write(self, turned: NDArray[np.int64], stride: int) -> None:
        """Open and close the cells that now have no blocked ones near, or some."""
        free = self.near[turned] == 0
        changed = free != self.child.padded_free[turned]
        for value in (False, True):
            cells = turned[changed & (free == value)]
            if len(cells):
                self.child.set(np.column_stack(np.divmod(cells, stride)) - 1, value)

    def _copy_costs(self, grid: Grid, changed: NDArray[np.int64]) -> None:
        """Write the rectangle around all cells whose cost changed."""
        repriced = changed[grid.padded_cost[changed] != self.child.padded_cost[changed]]
        if len(repriced) and grid.cost is not None:
            rows, columns = np.divmod(repriced, grid.stride)
            top, left = rows.min() - 1, columns.min() - 1
            place = slice(top, rows.max()), slice(left, columns.max())
            self.child.paste((int(top), int(left)), self.child.free[place], grid.cost[place])


def inflated(grid: Grid, radius: float, border: bool = True) -> Grid:
    """Make the grid on which the centre of a disc may move, kept with the other and up to date.

    Parameters
    ----------
    grid : Grid
    radius : float
        Of the disc, m. Up to half a cell nothing changes: the grid itself is returned.
    border : bool
        Whether the disc must stay on the map altogether, and not only its centre.

    Returns
    -------
    Grid
        Free where the disc overlaps no blocked cell: where the grid's clearance is at least the
        radius. Terrain costs, cell size and origin are those of the grid. Ask again after changes:
        the same object comes back, with the changes in its own log. Do not change it yourself.

    Raises
    ------
    InputError
        If the radius is not a number from 0.

    Examples
    --------
    >>> grid = Grid([[1, 1, 1, 1, 0]] * 3, cell_size=0.5)
    >>> inflated(grid, 0.5).free.tolist()[1]
    [False, True, True, False, False]
    """
    try:
        cells = float(radius) / grid.cell_size
    except (TypeError, ValueError) as error:
        raise InputError(f"radius is {radius!r}; give metres, at least 0.") from error
    if not 0 <= cells < math.inf:
        raise InputError(f"radius is {radius}; give metres, at least 0.")
    longest = grid.rows + grid.columns
    squared = math.ceil((2.0 * min(cells, longest)) ** 2 * (1.0 - ROUNDING))
    if squared <= 1:
        return grid
    # Radii that close the same cells share one grid.
    key = f"inflated squared={squared} border={bool(border)}"
    state: Inflation | None = grid.derived.get(key)
    if state is None:
        widths = _disc(squared, max(grid.rows, grid.columns))
        state = grid.derived[key] = Inflation(grid, widths, bool(border))
    if state.version != grid.version:
        state.follow(grid)
    return state.child
