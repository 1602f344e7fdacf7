"""The cells of a grid as bits: 64 of them looked at in one go by a scan along a row or column.

There are six planes of 64-bit words. Three hold rows: which cells are blocked, and where a scan
east and a scan west must stop. Three hold columns: which cells are blocked, and where a scan south
and a scan north must stop. *South* is where rows count up, whatever way the map is drawn.

A scan stops at a blocked cell, and at one where it may turn though no diagonal led there: a cell
whose side neighbour is free while the one diagonally behind it, on the same side, is blocked (a
forced neighbour, if corners are never cut). Source: D. Harabor and A. Grastien, "Improving jump
point search", ICAPS 2014 (block-based scanning); stopping places are kept here rather than
worked out by each scan, so that a scan reads one word per 64 cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
LAST = np.uint64(63)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def words_for(cells: int) -> int:
    """How many words hold so many cells and the blocked ones before and after them."""
    return (cells + 2 + 63) >> 6


def bit_planes(rows: int, columns: int) -> NDArray[np.uint64]:
    """Make the planes of a grid without free cells.

    Parameters
    ----------
    rows, columns : int

    Returns
    -------
    (W,) ndarray of uint64
        One plane after the other, all bits set.

    Examples
    --------
    >>> len(bit_planes(3, 100))  # three planes of 5 rows of 2 words, three of 102 columns of 1
    336
    """
    size = (rows + 2) * ((columns + 65) >> 6) + (columns + 2) * ((rows + 65) >> 6)
    return np.full(3 * size, ALL)


@kernel
def _write_bit(bits: NDArray, word: int, place: int, blocked: int) -> None:
    bit = ONE << np.uint64(place)
    if blocked:
        bits[word] |= bit
    else:
        bits[word] &= ~bit


@kernel
def write_blocked(
    bits: NDArray, rows: int, columns: int, row: int, column: int, blocked: int
) -> None:
    """Set or clear the two blocked bits of a cell; row and column count the border."""
    wide, high = words_for(columns), words_for(rows)
    _write_bit(bits, row * wide + (column >> 6), column & 63, blocked)
    second = 3 * (rows + 2) * wide
    _write_bit(bits, second + column * high + (row >> 6), row & 63, blocked)


@kernel
def _refresh_line(
    bits: NDArray, plane: int, size: int, words: int, line: int, first: int, last: int
) -> None:
    """Work out anew where scans along one line stop, from its word ``first`` to ``last``."""
    start = plane + line * words
    for word in range(max(first, 0), min(last, words - 1) + 1):
        here = start + word
        ahead = bits[here]
        back = bits[here]
        for beside in (here - words, here + words):
            wall = bits[beside]
            before = bits[beside - 1] >> LAST if word > 0 else ONE
            after = bits[beside + 1] << LAST if word < words - 1 else ONE << LAST
            ahead |= ((wall << ONE) | before) & ~wall
            back |= ((wall >> ONE) | after) & ~wall
        bits[here + size] = ahead
        bits[here + 2 * size] = back


@kernel
def refresh_stops(
    bits: NDArray, rows: int, columns: int, top: int, left: int, bottom: int, right: int
) -> None:
    """Work out anew where scans stop around changed cells.

    The changed cells lie in the rectangle from (top, left) to (bottom, right), both included and
    counting the border.
    """
    wide, high = words_for(columns), words_for(rows)
    size = (rows + 2) * wide
    for row in range(max(top - 1, 1), min(bottom + 1, rows) + 1):
        _refresh_line(bits, 0, size, wide, row, (left - 1) >> 6, (right + 1) >> 6)
    across = (columns + 2) * high
    for column in range(max(left - 1, 1), min(right + 1, columns) + 1):
        _refresh_line(bits, 3 * size, across, high, column, (top - 1) >> 6, (bottom + 1) >> 6)
