"""A map of square cells, free or blocked, that may cost more or less to cross and may change.

Cells are (row, column); metres are (x, y). x grows with the column and y with the row: the cell
(0, 0) has its outer corner at the grid's origin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.world.grid_bits import bit_planes
from headway.world.grid_input import (
    checked_finite,
    checked_pairs,
    checked_passable,
    checked_prices,
    is_patch,
)
from headway.world.grid_writing import write_cells, write_patch

MOST_CELLS = 2**28
"""Larger maps are refused: searches number cells in 32 bits."""
NO_PRICES = np.empty((0, 0))
LOG_SIZE = 2**16
"""How many changes of cells a grid remembers for those who follow it."""


class Grid:
    """A map of square cells that searches plan on and that may change between searches.

    Parameters
    ----------
    free : (R, C) array_like
        Which cells may be entered: bools, or numbers of which zero means blocked.
    cost : (R, C) array_like, optional
        What crossing a metre of each cell costs, above zero. One metre costs 1 if left out.
    cell_size : float
        m, the side of a cell.
    origin : sequence of two floats
        x, y of the outer corner of cell (0, 0), m.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which and why.

    Notes
    -----
    Cells are kept as flat arrays with a border of blocked cells, so that no search has to look
    for the edge of the map. ``version`` counts the changes of cells so far and ``changed_since``
    lists them, so that planners can follow. Several threads may search a grid at the same time,
    but none may while it is being changed.

    Examples
    --------
    >>> grid = Grid([[1, 1, 1], [1, 0, 1]], cell_size=0.5)
    >>> grid.centres([(1, 2)]).tolist()
    [[1.25, 0.75]]
    >>> grid.cells_at([(1.3, 0.8)]).tolist()
    [[1, 2]]
    >>> grid.set([(1, 1)], free=True)
    >>> grid.is_free((1, 1)), grid.version
    (True, 1)
    """

    def __init__(
        self,
        free: ArrayLike,
        cost: ArrayLike | None = None,
        *,
        cell_size: float = 1.0,
        origin: Sequence[float] = (0.0, 0.0),
    ):
        passable = checked_passable("free", free)
        if 0 in passable.shape:
            raise InputError(f"free has shape {passable.shape}; give at least one cell.")
        if (passable.shape[0] + 2) * (passable.shape[1] + 2) > MOST_CELLS:
            raise InputError(f"free has {passable.size:,} cells; at most {MOST_CELLS:,} will do.")
        self.rows, self.columns = passable.shape
        self.stride = self.columns + 2
        self.cell_size = checked_finite("cell_size", cell_size)
        if not 1e-9 <= self.cell_size <= 1e9:
            raise InputError(f"cell_size is {cell_size}; give metres above zero.")
        if not isinstance(origin, Sequence | np.ndarray) or len(origin) != 2:
            raise InputError(f"origin is {origin!r}; give two numbers, x and y in metres.")
        self.origin = (checked_finite("origin", origin[0]), checked_finite("origin", origin[1]))
        self.padded_free = np.pad(passable, 1).ravel()
        self.weighted = cost is not None
        self.padded_cost = np.ones(1)
        self.min_cost = 1.0
        if cost is not None:
            prices = checked_prices("cost", cost, passable.shape)
            self.padded_cost = np.pad(prices, 1, constant_values=1.0).ravel()
            self.min_cost = float(prices.min(where=passable != 0, initial=prices.max()))
        self.log = np.zeros(LOG_SIZE, np.int64)
        self.log_count = np.zeros(1, np.int64)
        self.bits = bit_planes(self.rows, self.columns)
        self.derived: dict[str, Any] = {}
        """What others worked out from this grid and keep up to date themselves."""
        self.spare: dict[str, list[Any]] = {}
        """Work arrays of searches that are not in use."""
        self._write_bits()

    def _write_bits(self) -> None:
        """Fill the bit planes, by opening all free cells of a map without any."""
        free = self.padded_free.reshape(self.rows + 2, self.stride)[1:-1, 1:-1].copy()
        self.padded_free[:] = 0
        write_patch(*self._storage(), 1, 1, free, np.empty((0, 0)))
        self.log_count[0] = 0

    def _storage(self) -> tuple[NDArray, NDArray, NDArray, NDArray, NDArray, int, int]:
        arrays = self.padded_free, self.padded_cost, self.bits, self.log, self.log_count
        return (*arrays, self.rows, self.columns)

    def __repr__(self) -> str:
        kind = "with terrain cost" if self.weighted else "of unit cost"
        return f"<Grid of {self.rows} rows x {self.columns} columns {kind}, version {self.version}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def free(self) -> NDArray[np.bool_]:
        """(R, C), read-only: which cells may be entered. It shows later changes too."""
        return self._inner(self.padded_free.view(np.bool_))

    @property
    def cost(self) -> NDArray[np.float64] | None:
        """(R, C), read-only: what a metre costs in each cell; None if 1 everywhere."""
        return self._inner(self.padded_cost) if self.weighted else None

    def _inner(self, padded: NDArray) -> NDArray:
        view = padded.reshape(self.rows + 2, self.stride)[1:-1, 1:-1]
        view.flags.writeable = False
        return view

    @property
    def version(self) -> int:
        """How many changes of cells there have been."""
        return self.log_count.item()

    def changed_since(self, version: int) -> NDArray[np.int64] | None:
        """List the cells that changed, in passability or cost, since an earlier version.

        Parameters
        ----------
        version : int
            What ``version`` was then.

        Returns
        -------
        (K,) ndarray of int64 or None
            Their indices in the padded arrays, ``(row + 1) * stride + column + 1``, in order of
            change; a cell may be listed twice. None if that is too long ago to be remembered.

        Raises
        ------
        InputError
            If there has been no such version yet.
        """
        behind = self.version - version
        if not 0 <= version <= self.version:
            raise InputError(f"version is {version}; give one of 0 to {self.version}.")
        if behind > LOG_SIZE:
            return None
        return self.log[np.arange(version, version + behind) & (LOG_SIZE - 1)]

    def contains(self, cells: ArrayLike) -> NDArray[np.bool_]:
        """Tell which cells lie on the map.

        Parameters
        ----------
        cells : (N, 2) array_like of int
            Row and column.

        Returns
        -------
        (N,) ndarray of bool
        """
        cells = checked_pairs("cells", cells, np.int64)
        inside: NDArray[np.bool_] = np.logical_and(cells >= 0, cells < self.shape)
        return np.logical_and(inside[:, 0], inside[:, 1])

    def is_free(self, cell: Sequence[int]) -> bool:
        """Tell whether a cell (row, column) may be entered; cells off the map may not."""
        ((row, column),) = checked_pairs("cell", [cell], np.int64)
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return bool(inside and self.padded_free[(row + 1) * self.stride + column + 1])

    def cells_at(self, points: ArrayLike) -> NDArray[np.int64]:
        """Find the cells in which points lie.

        Parameters
        ----------
        points : (N, 2) array_like
            x, y, m, in the frame of the map; finite.

        Returns
        -------
        (N, 2) ndarray of int64
            Row and column, which may lie off the map (see `contains`).
        """
        xy = checked_pairs("points", points, np.float64)
        cells = np.floor((xy - self.origin) / self.cell_size)
        return np.clip(cells, -(2.0**62), 2.0**62).astype(np.int64)[:, ::-1].copy()

    def centres(self, cells: ArrayLike) -> NDArray[np.float64]:
        """Locate the centres of cells.

        Parameters
        ----------
        cells : (N, 2) array_like
            Row and column; fractions lie between centres.

        Returns
        -------
        (N, 2) ndarray
            x, y, m, in the frame of the map.
        """
        places = checked_pairs("cells", cells, np.float64)
        return (places[:, ::-1] + 0.5) * self.cell_size + self.origin

    def set(self, cells: ArrayLike, free: bool, cost: float | None = None) -> None:
        """Open or block some cells.

        Parameters
        ----------
        cells : (N, 2) array_like of int
            Row and column, on the map.
        free : bool
            Whether they may be entered from now on.
        cost : float, optional
            Their new terrain cost; as it was if left out.

        Raises
        ------
        InputError
            If a cell lies off the map, or a cost is given for a grid without terrain cost.
        """
        cells = checked_pairs("cells", cells, np.int64)
        outside = np.flatnonzero(~self.contains(cells))
        if len(outside):
            row, column = cells[outside[0]].tolist()
            raise InputError(f"cell ({row}, {column}) lies off the map of shape {self.shape}.")
        if not isinstance(free, bool | np.bool_ | int):
            raise InputError(f"free is {free!r}; give True or False for all of these cells.")
        price = math.nan
        if cost is not None:
            price = float(checked_prices("cost", [[cost]], (1, 1))[0, 0])
            self._check_weighted()
        if write_cells(*self._storage(), cells, int(bool(free)), price) and self.weighted:
            where = (cells[:, 0] + 1) * self.stride + cells[:, 1] + 1
            self._lower_min_cost(self.padded_cost[where])
        elif cost is not None:
            self.min_cost = min(self.min_cost, price)

    def fill(
        self,
        top_left: Sequence[int],
        shape: Sequence[int],
        free: bool,
        cost: float | None = None,
    ) -> None:
        """Open or block a rectangle of cells; see `paste`.

        Parameters
        ----------
        top_left : sequence of two ints
            Row and column of the cell with the lowest indices.
        shape : sequence of two ints
            How many rows and columns.
        free : bool
            Whether they may be entered from now on.
        cost : float, optional
            Their new terrain cost; as it was if left out.
        """
        if not isinstance(free, bool | np.bool_ | int):
            raise InputError(f"free is {free!r}; give True or False, or an array to paste.")
        ((rows, columns),) = checked_pairs("shape", [shape], np.int64)
        if rows < 0 or columns < 0 or rows > self.rows or columns > self.columns:
            raise InputError(f"shape ({rows}, {columns}) does not fit the map of {self.shape}.")
        prices = None if cost is None else np.full((rows, columns), cost)
        self.paste(top_left, np.full((rows, columns), bool(free)), prices)

    def paste(
        self, top_left: Sequence[int], free: ArrayLike, cost: ArrayLike | None = None
    ) -> None:
        """Write a rectangle of cells into the map.

        Parameters
        ----------
        top_left : sequence of two ints
            Row and column of the cell with the lowest indices.
        free : (h, w) array_like
            Which cells may be entered from now on: bools, or numbers of which zero means blocked.
        cost : (h, w) array_like, optional
            Their new terrain cost; as it was if left out.

        Raises
        ------
        InputError
            If the rectangle does not lie on the map, or an array cannot be used.
        """
        patch = free.view(np.uint8) if is_patch(free) else checked_passable("free", free)
        try:
            top, left = map(index, top_left)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"top_left is {top_left!r}; give whole numbers, (row, column)."
            ) from error
        height, width = patch.shape
        if top < 0 or left < 0 or top + height > self.rows or left + width > self.columns:
            place = f"({height}, {width}) at ({top}, {left})"
            raise InputError(f"a patch of {place} does not lie on the map of {self.shape}.")
        prices = NO_PRICES
        if cost is not None:
            prices = checked_prices("cost", cost, patch.shape)
            self._check_weighted()
        opened = write_patch(*self._storage(), top + 1, left + 1, patch, prices)
        if self.weighted and (opened or cost is not None):
            rows, columns = slice(top, top + height), slice(left, left + width)
            self._lower_min_cost(self._inner(self.padded_cost)[rows, columns])

    def _check_weighted(self) -> None:
        if not self.weighted:
            raise InputError("this grid has no terrain cost; give it one when it is made.")

    def _lower_min_cost(self, prices: NDArray) -> None:
        self.min_cost = min(self.min_cost, float(prices.min(initial=math.inf)))

    def copy(self) -> Grid:
        """Make a grid of the same cells that changes on its own, its version counting from 0."""
        return Grid(self.free, self.cost, cell_size=self.cell_size, origin=self.origin)
