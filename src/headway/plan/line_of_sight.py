"""Whether an agent as wide as its cell can go straight from the centre of one to another.

The centres of the cells form a lattice. A square of it, whose corners are four neighbouring
centres, is blocked if any of the four cells is. A segment may enter no blocked square; along a row
or a column, where it runs between squares, the cells on it must be free. So it squeezes past no
corner, and every path that never cuts corners is made of such segments.

A segment enters the squares between two neighbouring lines of the lattice over a range of places,
so that it takes one look at a range of bits per line, and all arithmetic is in whole numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.endpoints import Cell, flat_index
from headway.world.grid import Grid
from headway.world.grid_bits import ALL, ZERO, words_for


@kernel
def _range_is_free(bits: NDArray, line: int, first: int, last: int) -> bool:
    """Whether the bits from ``first`` to ``last`` of the line that starts at a word are clear."""
    word = line + (first >> 6)
    end = line + (last >> 6)
    mask = ALL << np.uint64(first & 63)
    while word < end:
        if bits[word] & mask != ZERO:
            return False
        mask = ALL
        word += 1
    return bits[word] & mask & (ALL >> np.uint64(63 - (last & 63))) == ZERO


def _example() -> tuple:
    return Grid(np.ones((2, 2))).bits, 2, 2, 1, 1, 2, 2


@kernel(example=_example)
def sees(
    bits: NDArray, rows: int, columns: int, row_a: int, column_a: int, row_b: int, column_b: int
) -> bool:
    """Tell whether one cell sees another; rows and columns of both count the border.

    Unchecked: the cells must lie on the map that the bit planes are of.
    """
    lines, length = row_b - row_a, column_b - column_a
    words = words_for(columns)
    line, place, step = row_a * words, column_a, words
    if abs(lines) > abs(length):
        lines, length = length, lines
        plane = 3 * (rows + 2) * words
        words = words_for(rows)
        line, place, step = plane + column_a * words, row_a, words
    if lines < 0:
        lines, step = -lines, -step
    ahead = 1 if length > 0 else -1
    length = abs(length)
    for i in range(lines + 1):
        # On line i lie corners of the squares entered since the line before, up to the next.
        near = (i - 1) * length // lines if i > 0 else 0
        far = -(-(i + 1) * length // lines) if i < lines else length
        first, last = place + ahead * near, place + ahead * far
        if not _range_is_free(bits, line, min(first, last), max(first, last)):
            return False
        line += step
    return True


def visible(grid: Grid, a: Cell, b: Cell) -> bool:
    """Tell whether the straight segment between the centres of two cells is a valid path.

    Parameters
    ----------
    grid : Grid
    a, b : sequence of two ints
        Row and column.

    Returns
    -------
    bool
        False as well if one of the cells is blocked or lies off the map.

    Raises
    ------
    InputError
        If a cell is not a pair of whole numbers.

    Notes
    -----
    The segment may enter the inside of no 2 x 2 block of cells (taken from centre to centre) that
    holds a blocked one, and if it runs along a row or column its cells must be free. It takes one
    look at a few machine words per row or per column, whichever are fewer.

    Examples
    --------
    >>> grid = Grid([[1, 1, 1], [1, 1, 0]])
    >>> visible(grid, (0, 0), (1, 1)), visible(grid, (1, 0), (0, 2))
    (True, False)
    """
    first, second = flat_index(grid, "a", a), flat_index(grid, "b", b)
    if first < 0 or second < 0:
        return False
    ends = (*divmod(first, grid.stride), *divmod(second, grid.stride))
    return bool(sees(grid.bits, grid.rows, grid.columns, *ends))
