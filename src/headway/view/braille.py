"""Small drawings in a terminal, out of the eight dots of a Braille letter."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Unicode's number for each dot of a letter, rows from the top.
DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
BLANK = 0x2800


def draw_line(
    points: ArrayLike, columns: int, rows: int, *, closed: bool = False, plain: bool = False
) -> list[str]:
    r"""Draw a line through points, as large as fits, with equal scales.

    Parameters
    ----------
    points : (K, 2) array_like
        Points of the line, x to the right and y up; any unit. At least one.
    columns, rows : int
        Size of the drawing, letters.
    closed : bool
        Join the last point to the first.
    plain : bool
        Use only ``*`` and spaces, for terminals without Unicode.

    Returns
    -------
    list of str
        Rows from the top, each of so many columns.

    Examples
    --------
    >>> draw_line([(0, 0), (6, 0), (6, 6), (0, 6)], 4, 2, closed=True, plain=True)
    ['****', '****']
    >>> print("\n".join(draw_line([(0, 0), (6, 0), (6, 6), (0, 6)], 4, 2, closed=True)))
    ⡏⠉⠉⢹
    ⣇⣀⣀⣸
    """
    line = np.asarray(points, dtype=float)
    if closed:
        line = np.concatenate((line, line[:1]))
    dots = _dots(line, 2 * columns, 4 * rows)
    cells = dots.reshape(rows, 4, columns, 2).transpose(0, 2, 1, 3)
    if plain:
        return ["".join("*" if cell.any() else " " for cell in row) for row in cells]
    letters = BLANK + (cells * DOTS).sum(axis=(2, 3))
    return ["".join(map(chr, row)) for row in letters]


def _dots(line: NDArray[np.float64], width: int, height: int) -> NDArray[np.bool_]:
    """Which dots (height, width), rows from the top, a line through points (K, 2) touches."""
    low, high = line.min(axis=0), line.max(axis=0)
    room = np.array([width - 1.0, height - 1.0])
    extent = np.maximum(high - low, 1e-12 * max(1.0, float(np.abs(line).max())))
    dots_per_unit = float((room / extent).min())
    places = room / 2 + (line - (low + high) / 2) * dots_per_unit
    steps = np.maximum(1, np.ceil(2 * np.abs(np.diff(places, axis=0)).max(axis=1))).astype(int)
    pieces = [
        start + (end - start) * np.linspace(0.0, 1.0, count + 1)[:, None]
        for start, end, count in zip(places[:-1], places[1:], steps, strict=True)
    ]
    x, y = np.rint(np.concatenate([places[:1], *pieces])).astype(int).T
    dots = np.zeros((height, width), dtype=bool)
    dots[height - 1 - y, x] = True
    return dots
