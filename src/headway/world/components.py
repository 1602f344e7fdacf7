"""Which cells hang together, so that "unreachable" is known at once, in a grid that changes.

Opening a cell joins components for good. Closing one may split what was one component, which nobody
can tell without looking at the whole map; but in most cases its neighbours stay joined around it,
which is seen from the eight cells around. Where they don't, components are coarse from then on:
different ones still prove that there is no way, one and the same no longer proves that there is.
"""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid
from headway.world.labelling import COARSE, COUNT, USED, follow_changes, label_grid


class Components:
    """The connected components of a grid; get them, up to date, from `components_of`.

    Cells are given by their index in the padded arrays of the grid,
    ``(row + 1) * stride + column + 1``.

    Parameters
    ----------
    grid : Grid
    diagonal : bool
        Whether cells that touch by a corner alone hang together.
    """

    def __init__(self, grid: Grid, diagonal: bool):
        self.diagonal = diagonal
        self.version = grid.version
        self._lock = Lock()
        self._stride = grid.stride
        self._labels = np.zeros(len(grid.padded_free), np.int32)
        self._tally = np.zeros(3, np.int64)
        # Memory that is never touched costs nothing; what turns out unused is given back.
        most = len(self._labels) // 2 + 2
        parent, sizes = np.empty(most, np.int32), np.empty(most, np.int32)
        arrays = self._labels, parent, sizes, self._tally
        label_grid(grid.padded_free, grid.stride, diagonal, *arrays)
        used = int(self._tally[USED]) + 1
        self._parent, self._sizes = np.zeros((2, used + used // 4 + 1024), np.int32)
        self._parent[:used], self._sizes[:used] = parent[:used], sizes[:used]
        # Single elements of memory views are read several times faster than those of arrays.
        self._label_of, self._parent_of = self._labels.data, self._parent.data

    def follow(self, grid: Grid) -> bool:
        """Catch up with the changes of the grid.

        Parameters
        ----------
        grid : Grid
            The one they were made for.

        Returns
        -------
        bool
            False if there were so many changes that the components must be found anew.
        """
        with self._lock:
            version = grid.version
            changed = grid.changed_since(self.version)
            if changed is None or 8 * len(changed) > len(self._labels):
                return False
            arrays = self._labels, self._parent, self._sizes, self._tally
            if follow_changes(grid.padded_free, grid.stride, self.diagonal, changed, *arrays):
                self.version = version
            return self.version == version

    def apart(self, a: int, b: int) -> bool:
        """Tell whether there is certainly no way between two cells.

        Parameters
        ----------
        a, b : int
            Indices in the padded arrays.

        Returns
        -------
        bool
            True if a blocked cell is among them or they are in different components. False proves
            that there is a way only while the components are `exact`.
        """
        parent = self._parent_of
        first, second = self._label_of[a], self._label_of[b]
        while parent[first] != first:
            parent[first] = first = parent[parent[first]]
        while parent[second] != second:
            parent[second] = second = parent[parent[second]]
        return first != second or first == 0

    @property
    def exact(self) -> bool:
        """Whether two cells that are not apart are surely connected."""
        return not self._tally[COARSE]

    @property
    def count(self) -> int:
        """How many components there are; while not `exact`, at least so many."""
        return int(self._tally[COUNT])

    def size(self, cell: int) -> int:
        """Count the cells of the component of a cell (index in the padded arrays); 0 if blocked."""
        return int(self._sizes[self.root(cell)])

    def root(self, cell: int) -> int:
        """Name the component of a cell (index in the padded arrays); 0 if the cell is blocked."""
        parent, label = self._parent_of, self._label_of[cell]
        while parent[label] != label:
            label = parent[label]
        return label

    def labels(self) -> NDArray[np.int32]:
        """Name the component of each cell.

        Returns
        -------
        (R, C) ndarray of int32
            0 for blocked cells, and for others a number that cells of a component share.
        """
        return self._roots()[self._labels].reshape(-1, self._stride)[1:-1, 1:-1]

    def _roots(self) -> NDArray[np.int32]:
        """Root of each label."""
        roots = self._parent[: self._tally[USED] + 1]
        while not np.array_equal(higher := roots[roots], roots):
            roots = higher
        return roots

    def members(self, cell: int | None) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Tell which cells belong to a component without looking at each.

        Parameters
        ----------
        cell : int or None
            Index in the padded arrays of a cell of the component; None for all components.

        Returns
        -------
        labels : (P,) ndarray of int32
            Label of each cell, padded and flat as the arrays of the grid. Do not write to it.
        wanted : (L,) ndarray of uint8
            1 for the labels of the component; none if the cell is blocked.
        """
        roots = self._roots()
        wanted = (roots != 0) if cell is None else (roots == self.root(cell))
        wanted[0] = False
        return self._labels, wanted.view(np.uint8)


def components_of(grid: Grid, rule: CornerRule, exact: bool = False) -> Components:
    """Get the connected components of a grid, kept with it and brought up to date.

    Parameters
    ----------
    grid : Grid
    rule : CornerRule
        Only where all diagonal steps are allowed do they connect what straight ones do not.
    exact : bool
        Whether to look at the whole map again if blocking cells may have split a component;
        otherwise cells may be taken for connected that no longer are, never the other way round.

    Returns
    -------
    Components
        As of now: ask again after changes.

    Examples
    --------
    >>> grid = Grid([[1, 1, 0, 1]])
    >>> left, right = 7, 10
    >>> components_of(grid, CornerRule.NEVER_CUT).apart(left, right)
    True
    >>> grid.set([(0, 2)], free=True)
    >>> components_of(grid, CornerRule.NEVER_CUT).apart(left, right)
    False
    """
    diagonal = rule == CornerRule.ALWAYS
    key = "components8" if diagonal else "components4"
    found: Components | None = grid.derived.get(key)
    if (
        found is None
        or (found.version != grid.version and not found.follow(grid))
        or (exact and not found.exact)
    ):
        found = grid.derived[key] = Components(grid, diagonal)
    return found
