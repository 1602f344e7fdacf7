"""Distance fields: from every cell the way to the nearest goal, for any number of agents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.plan import terrain_spread
from headway.plan.budget import NO_LIMIT
from headway.plan.endpoints import Cell, flat_index, settled_early
from headway.plan.flood import UNKNOWN, UNREACHED, flood, make_scratch
from headway.plan.moves import DOWN, NOWHERE, RIGHT, WAY, walk_back
from headway.plan.path import SQRT2, STRAIGHT, Path, Status, no_path, stepped_path
from headway.plan.scratch import borrow, give_back
from headway.world.corner_rule import CornerRule, corner_rule
from headway.world.grid import Grid


@dataclass(frozen=True, eq=False, slots=True)
class Field:
    """The way to the nearest of some goals, from every cell of a grid as it was at one time.

    Make one with `distance_field`.

    Parameters
    ----------
    grid : Grid
    goals : (K, 2) ndarray
        Row and column.
    rule : CornerRule
    distance : (R, C) ndarray
        Cost of the way to the nearest goal, in metres on a grid without terrain cost; infinite
        where none is reached.
    came : (P,) ndarray of uint8
        By which of the steps of `headway.plan.moves` the search, starting at the goals, came to
        each cell of the padded grid: the way to the goal is one step against it.
    version : int
        Of the grid, when the field was made.
    """

    grid: Grid
    goals: NDArray[np.int64]
    rule: CornerRule
    distance: NDArray[np.float64]
    came: NDArray[np.uint8]
    version: int

    @property
    def stale(self) -> bool:
        """Whether the grid has changed since."""
        return self.grid.version != self.version

    def descend(self, start: Cell) -> Path:
        """Follow the field from a cell to the nearest goal.

        Parameters
        ----------
        start : sequence of two ints
            Row and column.

        Returns
        -------
        Path
            Every cell on the way, or the reason why there is none.

        Raises
        ------
        InputError
            If the start is not a pair of whole numbers, or the grid has changed.

        Examples
        --------
        >>> field = distance_field(Grid([[1, 1, 1], [1, 0, 1]]), [(1, 2)])
        >>> field.descend((0, 0)).cells.tolist()
        [[0, 0], [0, 1], [0, 2], [1, 2]]
        """
        self._check()
        at_once = settled_early(self.grid, start, start, self.rule, "field")
        row, column = start
        if at_once is not None and not (at_once.found and self.distance[row, column] > 0.0):
            return at_once
        cost = float(self.distance[row, column])
        if cost == math.inf:
            reason = f"no goal of the field was reached from the start ({row}, {column})"
            return no_path(Status.UNREACHABLE, reason, "field")
        cells, diagonal = walk_back(
            self.came, self.grid.stride, flat_index(self.grid, "start", start)
        )
        straight = len(cells) - 1 - diagonal
        price = cost if self.grid.weighted else None
        return stepped_path(self.grid, cells, straight, diagonal, 0, "field", price)

    def headings(self, points: ArrayLike) -> NDArray[np.float64]:
        """Tell many agents at once which way to go.

        Each is sent to the centre of the next cell on its way. Where corners are never cut, that
        keeps it off blocked cells wherever in its own cell it is.

        Parameters
        ----------
        points : (N, 2) array_like
            x, y, m, in the frame of the map.

        Returns
        -------
        (N, 2) ndarray
            Unit vectors in the frame of the map; zero in the goals, off the map and where no goal
            is reached.

        Raises
        ------
        InputError
            If points are not finite or not (N, 2), or the grid has changed.

        Examples
        --------
        >>> field = distance_field(Grid(np.ones((2, 3))), [(0, 2)])
        >>> field.headings([(0.25, 0.5), (2.5, 0.75)]).tolist()
        [[1.0, 0.0], [0.0, 0.0]]
        """
        self._check()
        cells = self.grid.cells_at(points)
        xy = np.array(points, dtype=np.float64, order="C").reshape(-1, 2)
        size, (left, low) = self.grid.cell_size, self.grid.origin
        _aim(self.came, self.grid.rows, self.grid.columns, cells, size, left, low, xy)
        return xy

    def _check(self) -> None:
        if self.stale:
            raise InputError(
                "the grid has changed since this field was made; make a new one with "
                "distance_field(field.grid, field.goals, field.rule)."
            )


def _aim_example() -> tuple[Any, ...]:
    came = np.full(9, NOWHERE, np.uint8)
    return came, 1, 1, np.zeros((1, 2), np.int64), 1.0, 0.0, 0.0, np.zeros((1, 2))


@kernel(example=_aim_example, allocates=False)
def _aim(
    came: NDArray, rows: int, columns: int, cells: NDArray, size: float, left: float, low: float,
    xy: NDArray,
) -> None:  # fmt: skip
    """Replace positions by the directions to go."""
    for i in range(len(cells)):
        row, column = cells[i, 0], cells[i, 1]
        way = np.uint8(UNKNOWN)
        if 0 <= row < rows and 0 <= column < columns:
            way = came[(row + 1) * (columns + 2) + column + 1]
        x, y = 0.0, 0.0
        if way < NOWHERE:
            x = (column - RIGHT[way] + 0.5) * size + left - xy[i, 0]
            y = (row - DOWN[way] + 0.5) * size + low - xy[i, 1]
        far = max(math.hypot(x, y), 1e-300)
        xy[i, 0], xy[i, 1] = x / far, y / far


def distance_field(
    grid: Grid,
    goals: ArrayLike,
    rule: CornerRule | str = "never_cut",
    limit: float | None = None,
) -> Field:
    """Find the way to the nearest goal from every cell of a grid.

    Parameters
    ----------
    grid : Grid
        With or without terrain cost; a step costs the mean of its two cells.
    goals : (K, 2) array_like of int
        Row and column, on the map. Those that are blocked don't count.
    rule : CornerRule or str
        Which diagonal steps are allowed.
    limit : float, optional
        m, or cost on a grid with terrain cost: what lies farther is left out.

    Returns
    -------
    Field

    Raises
    ------
    InputError
        If a goal lies off the map, or another argument cannot be used.

    Examples
    --------
    >>> distance_field(Grid(np.ones((2, 3))), [(0, 2)]).distance.round(2).tolist()
    [[2.0, 1.0, 0.0], [2.41, 1.41, 1.0]]
    """
    rule = corner_rule(rule)
    places, sources = _sources(grid, goals)
    most = math.inf if limit is None else float(limit)
    if not most >= 0.0:
        raise InputError(f"limit is {limit}; give metres, not below zero, or None.")
    version = grid.version
    solve = _over_terrain if grid.weighted else _over_flat
    distance = np.empty(grid.shape)
    came = np.empty(len(grid.padded_free), np.uint8)
    # Distances that equal the limit shall not be lost by rounding.
    solve(grid, rule, sources, most / grid.cell_size * (1.0 + 1e-12), distance, came)
    return Field(grid, places, rule, distance, came, version)


def _sources(grid: Grid, goals: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(K, 2) the goals, and the indices of those that are free."""
    inside = grid.contains(goals)
    cells = np.array(goals, dtype=np.int64).reshape(-1, 2)
    if not inside.all():
        row, column = cells[~inside][0].tolist()
        raise InputError(f"goal ({row}, {column}) lies off the map of shape {grid.shape}.")
    flat = (cells[:, 0] + 1) * grid.stride + cells[:, 1] + 1
    return cells, flat[grid.padded_free[flat] > 0]


def _over_flat(
    grid: Grid, rule: CornerRule, sources: NDArray, limit: float, distance: NDArray, came: NDArray
) -> None:
    scratch = borrow(grid, "field", make_scratch)
    most = int(min(limit * STRAIGHT + 1.0, UNREACHED - 1.0))
    flood(
        grid.padded_free, int(rule), *scratch, came, sources, most, grid.cell_size, distance
    )  # fmt: skip
    give_back(grid, "field", scratch)


def _over_terrain(
    grid: Grid, rule: CornerRule, sources: NDArray, limit: float, distance: NDArray, came: NDArray
) -> None:
    scratch = borrow(grid, "terrain", terrain_spread.make_scratch)
    terms = int(rule), 0.5, SQRT2
    _, scratch = terrain_spread.search(grid, scratch, *terms, sources, 0, limit, NO_LIMIT)
    inner = scratch.reached.reshape(grid.rows + 2, grid.stride)[1:-1, 1:-1]
    np.multiply(inner, grid.cell_size, out=distance)
    came[:] = UNKNOWN
    touched = scratch.touched[: scratch.numbers[terrain_spread.TOUCHED]]
    came[touched] = scratch.came[touched] & np.uint8(WAY)
    terrain_spread.clear(scratch)
    give_back(grid, "terrain", scratch)
