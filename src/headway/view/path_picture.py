"""A path on its map: what was searched, where it leads, and why if it leads nowhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from textwrap import wrap

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from headway.plan.path import Path, Status
from headway.view.figure import MUTED, add_title, check_picture_path, new_figure, save_figure
from headway.view.grid_drawing import (
    BLOCKED,
    COSTLY,
    NEAR,
    SEARCHED,
    TIGHT,
    Window,
    cell_image,
    draw_cells,
    near_reach,
)
from headway.view.path_table import format_duration
from headway.view.route_marks import add_key, draw_ends, draw_route, key_height
from headway.world.clearance import clearance
from headway.world.grid import Grid

WIDEST, HIGHEST, NARROWEST = 11.0, 7.6, 7.6
ABOVE, BELOW, LEFT, RIGHT = 0.98, 0.70, 0.72, 0.25
"""Inches around the map: title, labels (and the key below them)."""
THINNEST, KEY_LEFT, KEY_LOW = 0.6, 0.25, 0.14
"""Inches: the least height and width of the map, which is stretched for it; where the key is."""
LINE, LETTERS = 0.2, 78
"""Inches from line to line below the title; as many letters fit into one on the narrowest page."""
MOST_TURNS_MARKED = 100
Cell = Sequence[int]
"""Row and column."""
Ends = tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]
"""(1, 2): start and goal."""


def plot_path(
    grid: Grid,
    path: Path,
    file: str | os.PathLike[str] | None = None,
    *,
    start: Cell | None = None,
    goal: Cell | None = None,
    radius: float = 0.0,
    seconds: float | None = None,
    y_down: bool = True,
) -> Figure:
    """Draw a path on its map, with the cells that the search looked at and the clearance.

    Where a path takes up only a small part of a map, that part is shown. Maps that are so thin that
    nothing could be seen on them are stretched.

    Parameters
    ----------
    grid : Grid
    path : Path
        From any search; `Path.searched` is shaded, if the search was asked for it.
    file : str or path-like, optional
        Where to write the picture: a name ending in .png, .svg or .pdf.
    start, goal : sequence of two ints, optional
        Row and column that were asked for, which a path that was not found does not tell; by
        default the ends of the path.
    radius : float
        m, of the agent: shows where it does not fit.
    seconds : float, optional
        What the search took, for the line below the title.
    y_down : bool
        Draw row 0 on top, as in images and MovingAI maps, instead of at the bottom.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, also when it was written to a file.

    Raises
    ------
    InputError
        If the file's name does not end in a known format.
    FileError
        If the folder of the file does not exist, or the file cannot be written.

    Examples
    --------
    >>> from headway.plan.find_path import find_path
    >>> grid = Grid(np.ones((20, 30)))
    >>> plot_path(grid, find_path(grid, (2, 2), (15, 25), trace=True), "path.png")
    <Figure size ... with 1 Axes>
    """
    if file is not None:
        check_picture_path(file)
    ends = _ends(grid, path, start, goal)
    window = Window.around(grid, _of_interest(path, ends))
    image = cell_image(grid, window, path.searched, clearance(grid), radius)
    key = _key(grid, path, ends, radius, near_reach(grid, window, radius))
    facts = _facts(grid, path, window, seconds)
    figure, axes = _page(window.shape, key, facts, _headline(path))
    width, height = figure.get_size_inches()
    draw_cells(axes, grid, window, image, y_down)
    axes.set_aspect("auto" if _stretched(window.shape) else "equal")
    if len(path.points) > 1:
        few = len(path.points) <= MOST_TURNS_MARKED
        draw_route(axes, path.points, turns=few and _turns_only(path))
    draw_ends(axes, *(None if end is None else grid.centres(end)[0] for end in ends))
    add_key(figure, key, KEY_LEFT / width, KEY_LOW / height)
    if file is not None:
        save_figure(figure, file)
    return figure


def _page(
    shape: tuple[int, int], key: list[tuple[str, str]], facts: list[str], title: str
) -> tuple[Figure, Axes]:
    """A page with its title, and axes as large as a map of so many rows and columns may be."""
    high, wide = (max(cells * _inches_a_cell(shape), THINNEST) for cells in shape)
    width = max(NARROWEST, wide + LEFT + RIGHT)
    below = BELOW + key_height(key, width - 2 * KEY_LEFT)
    height = high + ABOVE + LINE * (len(facts) - 1) + below
    figure = new_figure(width, height)
    add_title(figure, title, facts[0], left=KEY_LEFT / width)
    for number, line in enumerate(facts[1:], 1):
        y = 1.0 - (0.66 + LINE * number) / height
        figure.text(
            KEY_LEFT / width, y, line, size=11, color=MUTED, va="top", parse_math=False
        )  # fmt: skip
    return figure, figure.add_axes((LEFT / width, below / height, wide / width, high / height))


def _inches_a_cell(shape: tuple[int, int]) -> float:
    rows, columns = shape
    return min((WIDEST - LEFT - RIGHT) / columns, (HIGHEST - ABOVE - BELOW) / rows)


def _stretched(shape: tuple[int, int]) -> bool:
    """Whether a map of so many rows and columns is too thin to be drawn to scale."""
    return min(shape) * _inches_a_cell(shape) < THINNEST


def _ends(grid: Grid, path: Path, start: Cell | None, goal: Cell | None) -> Ends:
    """Row and column of the start and the goal, as far as they are known and on the map."""
    first = start if start is not None or not len(path.cells) else path.cells[0]
    last = goal if goal is not None or not path.found else path.cells[-1]  # a part ends elsewhere
    ends = [None if end is None else np.array([end], np.int64) for end in (first, last)]
    known = [end if end is not None and grid.contains(end)[0] else None for end in ends]
    return known[0], known[1]


def _of_interest(path: Path, ends: Ends) -> NDArray[np.int64]:
    """Row and column of cells to show; none where there is no path, for the reason may be far."""
    if len(path.cells) == 0:
        return path.cells
    parts = [path.cells, *(end for end in ends if end is not None)]
    if path.searched is not None:
        parts.append(path.searched)
    return np.concatenate(parts)


def _turns_only(path: Path) -> bool:
    """Whether the cells of a path are only those where it turns."""
    return len(path.cells) > 1 and bool((np.abs(np.diff(path.cells, axis=0)) > 1).any())


def _headline(path: Path) -> str:
    if path.status == Status.ALREADY_THERE:
        return "Already there"
    if path.found:
        return f"Path found: {path.length:.5g} m"
    if path.status == Status.PARTIAL:
        return f"Part of the way: {path.length:.5g} m"
    return f"No path: {path.status}"


def _facts(grid: Grid, path: Path, window: Window, seconds: float | None) -> list[str]:
    """What is to be read below the title, in lines."""
    facts = []
    if path.found and grid.weighted:
        facts.append(f"cost {path.cost:.5g}")
    if path.expanded:
        facts.append(f"{path.algorithm.replace('_', ' ')}: {path.expanded:,} expanded")
    if seconds is not None:
        facts.append(format_duration(seconds))
    whole = f"{grid.rows} x {grid.columns} cells"
    if window.shape != grid.shape:
        rows = f"rows {window.top}-{window.bottom - 1}"
        whole = f"{rows}, columns {window.left}-{window.right - 1} of {whole}"
    facts.append(whole)
    if _stretched(window.shape):
        facts.append("not to scale")
    why = [] if path.found else wrap(path.reason, LETTERS)
    return [*why, *wrap(" · ".join(facts), LETTERS)]


def _key(
    grid: Grid, path: Path, ends: Ends, radius: float, near: float
) -> list[tuple[str, str]]:  # fmt: skip
    names = zip(("start", "goal"), ends, strict=True)
    entries = [("path", "path")] if len(path.points) > 1 else []
    entries += [(name, name) for name, end in names if end is not None]
    entries.append((BLOCKED, "blocked"))
    if path.searched is not None and len(path.searched):
        entries.append((SEARCHED, "searched"))
    if radius > 0.0:
        entries.append((TIGHT, f"too tight for a radius of {radius:g} m"))
    if grid.weighted:
        entries.append((COSTLY, "costly ground"))
    else:
        entries.append((NEAR, f"clearance below {near:.3g} m"))
    return entries
