"""A walk through a changing world: as a moving picture, or its key moments side by side."""

from __future__ import annotations

import math
import os
from pathlib import Path
from textwrap import shorten

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
from headway.view.grid_drawing import PATH, add_key
from headway.view.walk_animation import animate_walk
from headway.view.walk_drawing import KEY, draw_moment, frame_world, words_for, worlds_of
from headway.world.atomic import write_bytes

MOST_MOMENTS = 6
WAIT_WEIGHT = 12
"""Losing every way tells as much as a plan with so many new cells."""
PANEL_WIDTH, SIDE = 6.2, 0.25
"""Inches: of one moment, and left free around it."""
LETTERS = 88
"""As many fit above a moment."""


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
    moments, worlds = key_moments(walk), worlds_of(walk)
    rows, columns = walk.grid.shape
    high = PANEL_WIDTH * rows / columns
    step = high + 0.62
    width = 2 * (PANEL_WIDTH + SIDE) + SIDE
    height = 1.0 + math.ceil(len(moments) / 2) * step + 0.45
    figure = new_figure(width, height)
    searches = sum(tick.replanned for tick in walk.ticks)
    facts = f"{walk.reason}  ·  {searches} search{'' if searches == 1 else 'es'}"
    add_title(figure, title, facts, SIDE / width)
    for place, number in enumerate(moments):
        line, column = divmod(place, 2)
        left, low = SIDE + column * (PANEL_WIDTH + SIDE), height - 0.88 - (line + 1) * step
        box = (left / width, low / height, PANEL_WIDTH / width, high / height)
        axes = figure.add_axes(box)
        frame_world(axes, walk.grid)
        draw_moment(axes, walk, worlds[number], number)
        told, done = words_for(walk, number)
        for words, above, colour in ((f"tick {number}: {told}", 0.27, INK), (done, 0.08, PATH)):
            y = (low + high + above) / height
            figure.text(
                left / width, y, shorten(words, LETTERS, placeholder=" …"), size=9.5, color=colour
            )
    add_key(figure, KEY, SIDE / width, 0.15 / height)
    return figure
