"""A walk through a changing world: as a moving picture, or its key moments side by side."""

from __future__ import annotations

import math
import os
from pathlib import Path

from matplotlib.figure import Figure

from headway.errors import FileError, InputError
from headway.sim.walk import Walk
from headway.view.figure import (
    FORMATS,
    INK,
    add_title,
    check_picture_path,
    new_figure,
    save_figure,
)
from headway.view.route_marks import PATH, add_key, key_height
from headway.view.walk_animation import animate_walk
from headway.view.walk_drawing import (
    draw_moment,
    frame_world,
    key_of,
    lines_of,
    words_for,
    worlds_of,
)
from headway.world.atomic import write_bytes

MOST_MOMENTS = 6
WAIT_WEIGHT = 12
"""Losing every way tells as much as a plan with so many new cells."""
PANEL_WIDTH, SIDE = 6.2, 0.25
"""Inches: of one moment, and left free around it."""
ABOVE, LINE, KEY_LOW = 0.88, 0.17, 0.15
"""Inches: of the title, from line to line of the words, below the key."""
LETTERS = 88
"""As many fit into a line above a moment."""


def plot_walk(walk: Walk, file: str | os.PathLike[str], title: str = "A changing world") -> Path:
    """Draw a walk through a changing world.

    Parameters
    ----------
    walk : Walk
        What `headway.sim.walk.walk` returns.
    file : str or path-like
        Where to write: an animation if the name ends in .gif, else (.png, .svg, .pdf) a page of
        the moments at which the plan had to change.
    title : str

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    InputError
        If the name does not end in a known format.
    FileError
        If the folder does not exist, or the file cannot be written.

    Examples
    --------
    >>> from headway.sim.walk import walk
    >>> from headway.world.changing_rooms import changing_rooms
    >>> world = changing_rooms(seed=1)
    >>> trace = walk(world.grid, world.start, world.goal, world.changes)
    >>> plot_walk(trace, "changing.png").name
    'changing.png'
    """
    path = check_walk_path(file)
    if path.suffix.lower() == ".gif":
        write_bytes(path, animate_walk(walk, title))
    else:
        save_figure(_page_of_moments(walk, title), path)
    return path


def check_walk_path(file: str | os.PathLike[str]) -> Path:
    """Make sure that a picture of a walk can be written to a path, before anything is drawn.

    Parameters
    ----------
    file : str or path-like

    Returns
    -------
    pathlib.Path

    Raises
    ------
    InputError
        If the name does not end in .gif, .png, .svg or .pdf.
    FileError
        If the folder does not exist, or the path is a folder.

    Examples
    --------
    >>> check_walk_path("walk.mp4")
    Traceback (most recent call last):
        ...
    headway.errors.InputError: cannot draw to 'walk.mp4': end the name in .gif, .png, .svg or .pdf.
    """
    path = Path(file)
    ending = path.suffix.lower().lstrip(".")
    if ending not in ("gif", *FORMATS):
        name = os.fspath(path)
        raise InputError(f"cannot draw to {name!r}: end the name in .gif, .png, .svg or .pdf.")
    if ending != "gif":
        return check_picture_path(path)
    if path.is_dir():
        raise FileError(path, "is a folder; name a file in it")
    if not path.parent.is_dir():
        raise FileError(path, f"the folder {os.fspath(path.parent)!r} does not exist; create it")
    return path


def key_moments(walk: Walk, most: int = MOST_MOMENTS) -> list[int]:
    """Choose the ticks that tell most of a walk: its start, its end, the greatest new plans.

    Parameters
    ----------
    walk : Walk
    most : int
        How many at most, at least 2.

    Returns
    -------
    list of int
        In the order of time.
    """
    last = len(walk.ticks) - 1
    weight = []
    for number, (before, tick) in enumerate(zip(walk.ticks, walk.ticks[1:], strict=False), 1):
        known = {tuple(cell) for cell in before.way.tolist()}
        fresh = sum(tuple(cell) not in known for cell in tick.way.tolist())
        lost = len(before.way) > 0 and len(tick.way) == 0
        if (fresh or lost) and number < last:
            weight.append((-fresh - WAIT_WEIGHT * lost, number))
    chosen = sorted(number for _, number in sorted(weight)[: most - 2])
    return sorted({0, *chosen, last})


def _page_of_moments(walk: Walk, title: str) -> Figure:
    """The key moments, two side by side, each with what happened and what the planner did."""
    moments, worlds, key = key_moments(walk), worlds_of(walk), key_of(walk)
    words = [[lines_of(text, LETTERS) for text in words_for(walk, each)] for each in moments]
    rows, columns = walk.grid.shape
    high = PANEL_WIDTH * rows / columns
    step = high + LINE * max(len(told) + len(done) for told, done in words) + 0.26
    width = 2 * (PANEL_WIDTH + SIDE) + SIDE
    below = KEY_LOW + key_height(key, width - 2 * SIDE) + 0.1
    height = ABOVE + math.ceil(len(moments) / 2) * step + below
    figure = new_figure(width, height)
    add_title(figure, title, _facts(walk), SIDE / width)
    for place, (number, (told, done)) in enumerate(zip(moments, words, strict=True)):
        line, column = divmod(place, 2)
        left, low = SIDE + column * (PANEL_WIDTH + SIDE), height - ABOVE - (line + 1) * step
        box = (left / width, low / height, PANEL_WIDTH / width, high / height)
        axes = figure.add_axes(box)
        frame_world(axes, walk.grid)
        draw_moment(axes, walk, worlds[number], number)
        above = low + high + 0.08
        for lines, colour in ((done, PATH), (told, INK)):
            for text in reversed(lines):
                figure.text(left / width, above / height, text, size=9.5, color=colour)
                above += LINE
            above += 0.03
    add_key(figure, key, SIDE / width, KEY_LOW / height)
    return figure


def _facts(walk: Walk) -> str:
    searches = sum(tick.replanned for tick in walk.ticks)
    facts = [
        str(walk.status),
        f"{len(walk.ticks) - 1} ticks",
        f"{walk.length:.4g} m walked",
        f"{searches} search{'' if searches == 1 else 'es'}",
    ]
    return "  ·  ".join(facts)
