"""Work arrays of searches, kept with the grid, so that no query allocates or clears them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from headway.world.grid import Grid

T = TypeVar("T")


def borrow(grid: Grid, kind: str, make: Callable[[Grid], T]) -> T:
    """Take work arrays that nobody else uses now, made anew only if there are none.

    Threads may search one grid at the same time: each borrows arrays of its own.

    Parameters
    ----------
    grid : Grid
    kind : str
        What they are for.
    make : callable
        Makes them for a grid.

    Returns
    -------
    object
        What ``make`` returned, now or earlier. Return it with `give_back`.

    Examples
    --------
    >>> import numpy as np
    >>> grid = Grid(np.ones((4, 4)))
    >>> arrays = borrow(grid, "example", lambda grid: np.zeros(grid.shape))
    >>> give_back(grid, "example", arrays)
    >>> borrow(grid, "example", lambda grid: np.zeros(grid.shape)) is arrays
    True
    """
    try:
        return grid.spare[kind].pop()
    except (KeyError, IndexError):
        return make(grid)


def give_back(grid: Grid, kind: str, scratch: object) -> None:
    """Return borrowed arrays, for the next search.

    Parameters
    ----------
    grid : Grid
    kind : str
        As it was given to `borrow`.
    scratch : object
        What `borrow` returned.

    Examples
    --------
    See `borrow`.
    """
    grid.spare.setdefault(kind, []).append(scratch)
