"""Made worlds: mazes, rooms with doors, scattered blocks.

All are the same for the same seed, on any machine: each random number is a hash of what it is for.
Mazes and rooms are connected by a random spanning tree (Kruskal's algorithm with random weights).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.world.grid import Grid

LARGEST = 16_000
"""Most rows or columns of cells."""
WALLS, DOORS, MORE_DOORS, PLACES, BLOCKS = range(5)
EXTRA_DOORS = 0.75


def maze(rows: int, columns: int, seed: int = 0) -> Grid:
    """Make a perfect maze: between any two of its places there is exactly one way.

    Parameters
    ----------
    rows, columns : int
        Places down and across, at least 1. A place is one cell; so is the wall or the passage
        between two of them.
    seed : int

    Returns
    -------
    Grid
        Of 2 · rows + 1 by 2 · columns + 1 cells, walled all round; the places are those in odd
        rows and odd columns.

    Raises
    ------
    InputError
        If the sizes are not whole numbers of at least 1, or give more than 16,000 cells a side.

    Examples
    --------
    >>> grid = maze(3, 5)
    >>> grid.shape, int(grid.free.sum())
    ((7, 11), 29)
    """
    rows, columns = _size("rows", rows, 2), _size("columns", columns, 2)
    free = np.zeros((2 * rows + 1, 2 * columns + 1), bool)
    free[1::2, 1::2] = True
    pairs = _neighbours(rows, columns)
    pairs = pairs[_spanning_tree(pairs, _random(seed, WALLS, len(pairs)))]
    row, column = np.divmod(pairs, columns)
    free[row.sum(axis=1) + 1, column.sum(axis=1) + 1] = True
    return Grid(free)


def rooms(rows: int, columns: int, size: int = 7, seed: int = 0, door: int = 1) -> Grid:
    """Make square rooms with walls one cell thick, connected by doors.

    Parameters
    ----------
    rows, columns : int
        Rooms down and across, at least 1.
    size : int
        Cells along a side of a room, at least 1.
    seed : int
    door : int
        Width of a door in cells, 1 to ``size``.

    Returns
    -------
    Grid
        Of rows · (size + 1) + 1 by columns · (size + 1) + 1 cells. Every room can be reached.

    Raises
    ------
    InputError
        If the sizes are not whole numbers of at least 1, or give more than 16,000 cells a side.

    Examples
    --------
    >>> rooms(2, 3, size=4).shape
    (11, 16)
    """
    doors = room_doors(rows, columns, size, seed, door).reshape(-1, 2)
    row = np.arange(rows * (size + 1) + 1) % (size + 1) != 0
    column = np.arange(columns * (size + 1) + 1) % (size + 1) != 0
    free = row[:, None] & column
    free[doors[:, 0], doors[:, 1]] = True
    return Grid(free)


def room_doors(
    rows: int, columns: int, size: int = 7, seed: int = 0, door: int = 1
) -> NDArray[np.int64]:
    """Give the doors of `rooms`.

    Parameters
    ----------
    rows, columns, size, seed, door : int
        As for `rooms`.

    Returns
    -------
    (D, W, 2) ndarray of int64
        Row and column of each cell of each door.

    Raises
    ------
    InputError
        As `rooms` does.

    Examples
    --------
    >>> room_doors(1, 2, size=1).tolist()
    [[[1, 2]]]
    """
    size = _size("size", size)
    rows, columns = _size("rows", rows, size + 1), _size("columns", columns, size + 1)
    if _size("door", door) > size:
        raise InputError(f"door is {door}: a wall of {size} cells has room for no more than that.")
    pairs = _neighbours(rows, columns)
    has_door = _spanning_tree(pairs, _random(seed, DOORS, len(pairs)))
    has_door |= _random(seed, MORE_DOORS, len(pairs)) < EXTRA_DOORS
    places = (size - door + 1) * _random(seed, PLACES, len(pairs))
    along = 1 + places.astype(np.int64)[:, None] + np.arange(door)
    row, column = (place[:, None] * (size + 1) for place in np.divmod(pairs[:, 0], columns))
    beside = ((pairs[:, 1] == pairs[:, 0] + 1) & (columns > 1))[:, None]
    in_wall = np.full_like(along, size + 1)
    down, right = np.where(beside, along, in_wall), np.where(beside, in_wall, along)
    return np.stack((row + down, column + right), axis=2)[has_door]


def scattered(rows: int, columns: int, density: float, seed: int = 0) -> Grid:
    """Block each cell with the same chance, whatever its neighbours are.

    Parameters
    ----------
    rows, columns : int
        Cells, at least 1.
    density : float
        The chance of a cell to be blocked, 0 to 1.
    seed : int

    Returns
    -------
    Grid

    Raises
    ------
    InputError
        If the sizes are not whole numbers from 1 to 16,000, or the density is not from 0 to 1.

    Examples
    --------
    >>> int(scattered(20, 30, density=0.0).free.sum())
    600
    """
    rows, columns = _size("rows", rows), _size("columns", columns)
    if not 0.0 <= density <= 1.0:
        raise InputError(f"density is {density!r}: give the share of blocked cells, 0 to 1.")
    return Grid(_random(seed, BLOCKS, rows * columns).reshape(rows, columns) >= density)


def _size(name: str, value: int, cells: int = 1) -> int:
    """A number of things, each so many cells wide, that fit into a grid."""
    most = (LARGEST - 1) // cells if cells > 1 else LARGEST
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(f"{name} is {value!r}: give a whole number.")
    if not 1 <= value <= most:
        raise InputError(f"{name} is {value}: give 1 to {most:,}.")
    return int(value)


def _neighbours(rows: int, columns: int) -> NDArray[np.int64]:
    """All pairs of places side by side, then one below the other: (E, 2) indices, rising."""
    place = np.arange(rows * columns).reshape(rows, columns)
    beside = np.stack((place[:, :-1].ravel(), place[:, 1:].ravel()), axis=1)
    below = np.stack((place[:-1].ravel(), place[1:].ravel()), axis=1)
    return np.concatenate((beside, below))


def _spanning_tree(pairs: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which pairs of neighbours connect all places without a loop, the lightest first."""
    if not len(pairs):
        return np.zeros(0, bool)
    count = int(pairs.max()) + 1
    graph = coo_array((1.0 + weights, (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    tree = minimum_spanning_tree(graph.tocsr()).tocoo()
    low, high = np.minimum(tree.row, tree.col), np.maximum(tree.row, tree.col)
    chosen = low.astype(np.int64) * count + high
    return np.isin(pairs[:, 0] * count + pairs[:, 1], chosen)


def _random(seed: int, stream: int, count: int) -> NDArray[np.float64]:
    numbers = np.empty(count)
    _fill_random(_seed(seed), stream, numbers)
    return numbers


def _seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise InputError(f"seed is {seed!r}: give a whole number.")
    if not -(2**63) <= seed < 2**63:
        raise InputError(f"seed is {seed}: give a whole number of at most 63 bits.")
    return int(seed)


@kernel(example=lambda: (0, 0, np.empty(3)))
def _fill_random(seed: int, stream: int, numbers: NDArray) -> None:
    """Fill an array with numbers uniform in [0, 1)."""
    for i in range(len(numbers)):
        numbers[i] = uniform(seed, stream, i, 0)
