"""A group of agents as a moving picture (GIF)."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from headway.errors import FileError, InputError
from headway.sim.group_run import GroupRun
from headway.view.figure import FAINT, INK, MUTED, add_title, new_figure
from headway.view.grid_drawing import ramp
from headway.view.group_drawing import (
    KEY_LINE,
    MANY,
    OBSTACLE,
    add_looks_key,
    draw_agents,
    draw_ways,
    frame_stage,
    key_lines,
    kinds_seen,
    looks,
)
from headway.world.atomic import write_bytes

WIDTH, SIDE, RIGHT, ABOVE, BELOW = 7.2, 0.62, 0.2, 0.95, 0.85
"""Inches: of the picture; left and right of the stage, above and below it."""
FRAMES, FASTEST, LAST = 120, 20, 1500
"""Most frames; ms, the shortest that viewers show, and how long the last one stands."""
SHADES = 12
"""Of each colour: more are not seen, and make the file large."""


def check_animation_path(file: str | os.PathLike[str]) -> Path:
    """Make sure that an animation can be written to a path, before anything is drawn.

    Raises
    ------
    InputError
        If the name does not end in .gif.
    FileError
        If the folder does not exist, or the path is a folder.
    """
    path = Path(file)
    if path.suffix.lower() != ".gif":
        raise InputError(f"cannot animate to {os.fspath(file)!r}: end the name in .gif.")
    if path.is_dir():
        raise FileError(path, "is a folder; name a file in it")
    if not path.parent.is_dir():
        raise FileError(path, f"the folder {os.fspath(path.parent)!r} does not exist; create it")
    return path


def animate_group(
    run: GroupRun,
    file: str | os.PathLike[str],
    said: Callable[[int, int], None] | None = None,
) -> Path:
    """Draw a group as an animated GIF, in real time where that is at most 120 frames.

    Parameters
    ----------
    run : GroupRun
    file : str or path-like
        Where to write: .gif.
    said : callable, optional
        Called with frames done and frames in all.

    Returns
    -------
    pathlib.Path
        The file. Equal runs give equal files.

    Raises
    ------
    InputError
        If the name does not end in .gif.
    FileError
        If the file cannot be written.
    """
    path = check_animation_path(file)
    samples = np.unique(np.linspace(0, len(run.time) - 1, FRAMES).astype(int))
    page, palette = _Page(run), _palette(run)
    frames = []
    for count, sample in enumerate(samples, start=1):
        frames.append(page.frame(int(sample)).quantize(palette=palette, dither=Image.Dither.NONE))
        if said is not None:
            said(count, len(samples))
    stands = np.maximum(np.diff(run.time[samples]) * 1000.0, FASTEST).round().astype(int)
    data = io.BytesIO()
    frames[0].save(
        data, "GIF", save_all=True, append_images=frames[1:], duration=[*stands.tolist(), LAST],
        loop=0,
    )  # fmt: skip
    write_bytes(path, data.getvalue())
    return path


def _palette(run: GroupRun) -> Image.Image:
    """The colours of the scene, and the shades between them and white; one for all frames."""
    named = looks(run.scenario)
    colours = [INK, MUTED, OBSTACLE, FAINT, *(named[kind][1] for kind in kinds_seen(run))]
    steps = np.linspace(0, 255, min(250 // len(colours), SHADES)).astype(int)
    shades = np.unique(
        np.concatenate([ramp("#ffffff", colour)[steps] for colour in colours]), axis=0
    )
    palette = Image.new("P", (1, 1))
    palette.putpalette(shades.tobytes())
    return palette


class _Page:
    """A page on which one moment after another is drawn over what stays the same."""

    def __init__(self, run: GroupRun):
        self.run = run
        stage = run.scenario.stage
        extent = stage.high - stage.low
        wide = WIDTH - SIDE - RIGHT
        high = float(np.clip(wide * extent[1] / extent[0], 1.6, 6.5))
        below = BELOW + KEY_LINE * (key_lines(run, WIDTH - SIDE - RIGHT) - 1)
        height = ABOVE + high + below
        self.figure = new_figure(WIDTH, height)
        add_title(self.figure, run.scenario.title, run.scenario.about, SIDE / WIDTH)
        self.axes = self.figure.add_axes(
            (SIDE / WIDTH, below / height, wide / WIDTH, high / height)
        )
        frame_stage(self.axes, stage)
        add_looks_key(self.figure, run, SIDE / WIDTH, 0.12 / height, WIDTH - SIDE - RIGHT)
        self.clock = self.figure.text(
            1.0 - RIGHT / WIDTH,
            1.0 - 0.36 / height,
            "",
            size=13,
            color=INK,
            ha="right",
            va="center",
        )
        self.figure.canvas.draw()
        self.blank = self.figure.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[attr-defined]

    def frame(self, sample: int) -> Image.Image:
        """Draw one moment and take a picture of it."""
        canvas: Any = self.figure.canvas
        canvas.restore_region(self.blank)
        self.clock.set_text(f"{self.run.time[sample]:.1f} s")
        moment = [*draw_agents(self.axes, self.run, sample)]
        if self.run.position.shape[1] <= MANY:
            moment.append(draw_ways(self.axes, self.run, 0, sample, 1.0))
        for artist in (*moment, self.clock):
            artist.draw(canvas.get_renderer())
        for artist in moment:
            artist.remove()
        return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
