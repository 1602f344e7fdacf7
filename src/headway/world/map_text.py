"""Maps drawn with characters, one per cell, under a header with their size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway.errors import FileError
from headway.world.text_lines import Lines, shown

CELL_LIMIT = 2**26
NEITHER = 2
MEANING = np.full(256, NEITHER, np.uint8)
MEANING[list(b".GS")] = 1
MEANING[list(b"@OTW")] = 0
LINE_FEED = 10


def take_map(lines: Lines) -> NDArray[np.bool_]:
    r"""Read the lines ``height H``, ``width W`` and ``map``, and the H rows of W characters.

    Parameters
    ----------
    lines : Lines
        Before the height; behind the last row afterwards.

    Returns
    -------
    (H, W) ndarray of bool
        True where a cell is free (``.``, ``G``, ``S``), False where it is blocked (``@``, ``O``,
        ``T``, ``W``); row 0 is the first line.

    Raises
    ------
    FileError
        If there is something else; names the first line at fault.

    Examples
    --------
    >>> take_map(Lines("two.map", b"height 2\nwidth 3\nmap\n..@\n.G.\n")).tolist()
    [[True, True, False], [True, True, True]]
    """
    height, width = take_size(lines)
    lines.expect("map")
    step = width + 1
    text = np.frombuffer(lines.data, np.uint8)[lines.at : lines.at + height * step]
    rows = text[: len(text) // step * step].reshape(-1, step)
    free = MEANING[rows[:, :-1]]
    faulty = (free == NEITHER).any(axis=1) | (rows[:, -1] != LINE_FEED)
    fault = int(faulty.argmax()) if faulty.any() else len(rows)
    if fault < height:
        raise _row_fault(lines, fault, height, width)
    lines.at += height * step
    lines.number += height
    return free.view(np.bool_)


def take_size(lines: Lines) -> tuple[int, int]:
    r"""Read the lines ``height H`` and ``width W``.

    Parameters
    ----------
    lines : Lines
        Before the height; behind the width afterwards.

    Returns
    -------
    int, int
        Height and width.

    Raises
    ------
    FileError
        If there is something else or the map would be too large.

    Examples
    --------
    >>> take_size(Lines("two.map", b"height 2\nwidth 3\n"))
    (2, 3)
    """
    height = lines.take_number("height", 1, CELL_LIMIT)
    return checked_size(lines, height, lines.take_number("width", 1, CELL_LIMIT))


def checked_size(lines: Lines, height: int, width: int) -> tuple[int, int]:
    """Return the size of a map as it is, if maps of this size are accepted.

    Parameters
    ----------
    lines : Lines
        Where the size was read.
    height, width : int
        The size.

    Returns
    -------
    int, int
        Height and width.

    Raises
    ------
    FileError
        If there are too many cells.
    """
    if height * width > CELL_LIMIT:
        problem = f"a map of {width} x {height} has more than the {CELL_LIMIT:,} cells accepted"
        raise lines.error(f"{problem}; cut it up")
    return height, width


def _row_fault(lines: Lines, fault: int, height: int, width: int) -> FileError:
    """Say what is wrong with a row, where all before it are right."""
    start = lines.at + fault * (width + 1)
    lines.number += fault + 1
    if not lines.data[start : start + width].strip():
        return lines.error(f"the map ends after {fault} of its {height} rows; add the others")
    row = lines.data[start : lines.data.index(b"\n", start)]
    if len(row) != width:
        problem = f"has {len(row)} cells where the width is {width}"
        return lines.error(f"{problem}; correct the row or the header")
    column = int((MEANING[np.frombuffer(row, np.uint8)] == NEITHER).argmax())
    problem = f"column {column} holds {shown(row[column : column + 1])}"
    return lines.error(f"{problem}; cells are . G S (free) or @ O T W (blocked)")
