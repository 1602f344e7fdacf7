"""A path on its map: what was searched, where it leads, and why if it leads nowhere."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from headway.plan.path import Path, Status
from headway.view.figure import add_title, check_picture_path, new_figure, save_figure
from headway.view.grid_drawing import (
    BLOCKED,
    COSTLY,
    SEARCHED,
    TIGHT,
    Window,
    add_key,
    cell_image,
    draw_cells,
    draw_ends,
    draw_route,
)
from headway.view.path_table import format_duration
from headway.world.clearance import clearance
from headway.world.grid import Grid

WIDEST, HIGHEST, NARROWEST = 11.0, 7.6, 7.6
ABOVE, BELOW, LEFT, RIGHT = 0.98, 0.86, 0.72, 0.25
"""Inches around the map: title, key and labels."""
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
    """Draw a path on its map, with the cells that the search looked at.

    Where a path takes up only a small part of a map, that part is shown.

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
        m, of the agent: shows where it does not fit, and how near the walls are elsewhere.
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
    room = clearance(grid) if radius > 0.0 else None
    image = cell_image(grid, window, path.searched, room, radius)
    figure = _page(window.shape)
    width, height = figure.get_size_inches()
    inner = (width - LEFT - RIGHT) / width, (height - ABOVE - BELOW) / height
    axes = figure.add_axes((LEFT / width, BELOW / height, *inner), anchor="NW")
    add_title(figure, _headline(path), _facts(grid, path, window, seconds), left=0.25 / width)
    draw_cells(axes, grid, window, image, y_down)
    if len(path.points):
        few = len(path.points) <= MOST_TURNS_MARKED
        draw_route(axes, path.points, turns=few and _turns_only(path))
    draw_ends(axes, *(None if end is None else grid.centres(end)[0] for end in ends))
    add_key(figure, _key(grid, path, ends, radius), 0.25 / width, 0.16 / height)
    if file is not None:
        save_figure(figure, file)
    return figure


def _page(shape: tuple[int, int]) -> Figure:
    """A page on which a map of so many rows and columns is as large as it may be."""
    rows, columns = shape
    unit = min((WIDEST - LEFT - RIGHT) / columns, (HIGHEST - ABOVE - BELOW) / rows)
    width = max(NARROWEST, unit * columns + LEFT + RIGHT)
    return new_figure(width, max(2.6, unit * rows + ABOVE + BELOW))


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
    if path.found:
        return f"Path found: {path.length:.5g} m"
    if path.status == Status.PARTIAL:
        return f"Part of the way: {path.length:.5g} m"
    return f"No path: {path.status}"


def _facts(grid: Grid, path: Path, window: Window, seconds: float | None) -> str:
    facts = [] if path.found else [path.reason]
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
    return "  ·  ".join([*facts, whole])


def _key(grid: Grid, path: Path, ends: Ends, radius: float) -> list[tuple[str, str]]:
    names = zip(("start", "goal"), ends, strict=True)
    entries = [("path", "path")] if len(path.points) else []
    entries += [(name, name) for name, end in names if end is not None]
    entries.append((BLOCKED, "blocked"))
    if path.searched is not None and len(path.searched):
        entries.append((SEARCHED, "searched"))
    if radius > 0.0:
        entries.append((TIGHT, f"too tight for a radius of {radius:g} m"))
    if grid.weighted:
        entries.append((COSTLY, "costly ground"))
    return entries
