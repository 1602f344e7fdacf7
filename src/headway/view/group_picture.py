"""A group of agents as one picture: where they went, where they ended, and the numbers."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from headway.sim.group_run import GroupRun
from headway.view.figure import INK, MUTED, add_title, check_picture_path, new_figure, save_figure
from headway.view.group_drawing import (
    KEY_LINE,
    MANY,
    add_looks_key,
    draw_agents,
    draw_ways,
    frame_stage,
    key_lines,
    number_words,
    trail_of,
)

WIDTH, SIDE, RIGHT, ABOVE, AXIS, KEY, LINE = 9.0, 0.75, 0.25, 1.0, 0.55, 0.35, 0.21
"""Inches: of the picture; left and right of the stage, above it; of its labels, of the key, and
of a line of numbers."""
KEY_WIDTH = 5.2
"""Inches; beside it is told which part of the ways is shown."""


def plot_group(run: GroupRun, file: str | os.PathLike[str]) -> Path:
    """Draw where a group went.

    Parameters
    ----------
    run : GroupRun
    file : str or path-like
        Where to write: .png, .svg or .pdf.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    InputError
        If the name does not end in a known format.
    FileError
        If the file cannot be written.

    Examples
    --------
    >>> from headway.sim.flocks import scenario
    >>> from headway.sim.group_run import run_group
    >>> plot_group(run_group(scenario("seek"), every=10), "seek.png").name
    'seek.png'
    """
    file = check_picture_path(file)
    stage, numbers = run.scenario.stage, run.numbers
    extent = stage.high - stage.low
    wide = WIDTH - SIDE - RIGHT
    high = float(np.clip(wide * extent[1] / extent[0], 2.0, 8.5))
    key = KEY + KEY_LINE * (key_lines(run, KEY_WIDTH) - 1)
    below = AXIS + key + LINE * len(numbers) + 0.2
    height = ABOVE + high + below
    figure = new_figure(WIDTH, height)
    add_title(figure, run.scenario.title, run.scenario.about, SIDE / WIDTH)
    place = (SIDE / WIDTH, below / height, wide / WIDTH, high / height)
    axes = figure.add_axes(place)
    frame_stage(axes, stage)
    figure.canvas.draw()  # the aspect decides how long a metre is on the page
    last = len(run.time) - 1
    many = run.position.shape[1] > MANY
    trail = trail_of(run)
    first = int(np.searchsorted(run.time, run.time[last] - trail))
    draw_ways(axes, run, first, last, 0.6 if many and first == 0 else 0.9 if many else 1.6)
    if not many:
        axes.plot(
            *run.position[0, :, :2].T, linestyle="none", marker="o", markersize=4.5,
            markerfacecolor="white", markeredgecolor=INK, zorder=4,
        )  # fmt: skip
    draw_agents(axes, run, last)
    add_looks_key(figure, run, SIDE / WIDTH, (below - AXIS - key + 0.1) / height, KEY_WIDTH)
    ways = f"last {trail:g} s of each way" if first else "whole ways"
    ways += "" if many else " from the start (○)"
    y = below - AXIS - key + 0.17
    figure.text(1.0 - RIGHT / WIDTH, y / height, f"{ways}, {run.time[-1]:.1f} s",
                size=9.5, color=MUTED, ha="right", va="center")  # fmt: skip
    for row, (name, value) in enumerate(numbers.items()):
        y = (below - AXIS - key - LINE * (row + 0.4)) / height
        look = {"size": 10, "va": "center", "parse_math": False}
        figure.text(SIDE / WIDTH, y, name, color=MUTED, **look)
        figure.text(0.62, y, number_words(value), color=INK, **look)
    save_figure(figure, file)
    return file
