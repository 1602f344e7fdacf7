"""A walk through a changing world as a moving picture (GIF)."""

from __future__ import annotations

import io
from textwrap import shorten
from typing import Any

import numpy as np
from PIL import Image

from headway.sim.walk import Walk
from headway.view.figure import INK, MUTED, add_title, new_figure
from headway.view.grid_drawing import BLOCKED, FREE, GOAL, PATH, START, add_key, ramp
from headway.view.walk_drawing import (
    CLOSED,
    KEY,
    OPENED,
    WALKED,
    draw_moment,
    frame_world,
    words_for,
    worlds_of,
)

STEP_MS, NEWS_MS, REPLANNED_MS, END_MS = 80, 600, 1100, 3000
"""How long a frame stands: a step; something happened; there is a new plan; the last one."""
WIDTH, SIDE = 6.8, 0.25
"""Inches: of the picture, and left free at either side."""
LETTERS = 92
"""As many fit into a line."""


def animate_walk(walk: Walk, title: str) -> bytes:
    """Draw all ticks of a walk as an animated GIF.

    Parameters
    ----------
    walk : Walk
        What `headway.sim.walk.walk` returns.
    title : str

    Returns
    -------
    bytes
        The content of the file. Equal walks give equal files.
    """
    scene, palette = _Scene(walk, title), _palette()
    first, *others = (
        scene.frame(number).quantize(palette=palette, dither=Image.Dither.NONE)
        for number in range(len(walk.ticks))
    )
    data = io.BytesIO()
    first.save(data, "GIF", save_all=True, append_images=others, duration=_stands(walk), loop=0)
    return data.getvalue()


def _stands(walk: Walk) -> list[int]:
    """How long each frame stands, ms: long enough to read what is new in it."""
    stands, said = [], ""
    for tick in walk.ticks:
        news = tick.reason != said
        stands.append(
            REPLANNED_MS if tick.replanned and news else NEWS_MS if tick.changes else STEP_MS
        )
        said = tick.reason
    return [*stands[:-1], END_MS]


def _palette() -> Image.Image:
    """The colours of the scene, and the shades between each of them and what it lies on.

    One for all frames, so that what does not change need not be stored again.
    """
    colours = (INK, MUTED, BLOCKED, PATH, START, GOAL, WALKED, CLOSED, OPENED)
    ramps = [ramp(ground, colour)[::28] for ground in (FREE, BLOCKED) for colour in colours]
    shades = np.unique(np.concatenate(ramps), axis=0)[:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette(shades.tobytes())
    return palette


class _Scene:
    """A page on which one tick after another is drawn over what stays the same."""

    def __init__(self, walk: Walk, title: str):
        self.walk, self.worlds = walk, worlds_of(walk)
        rows, columns = walk.grid.shape
        high = (WIDTH - 2 * SIDE) * rows / columns
        width, height = WIDTH, high + 2.15
        self.figure = new_figure(width, height)
        place = (SIDE / width, 1.1 / height, 1.0 - 2 * SIDE / width, high / height)
        self.axes = self.figure.add_axes(place)
        frame_world(self.axes, walk.grid)
        add_title(self.figure, title, f"{walk.start} to {walk.goal}, one cell a tick", SIDE / width)
        add_key(self.figure, KEY, SIDE / width, 0.2 / height)
        self.words = [
            self.figure.text(SIDE / width, y / height, "", size=9.5, color=colour)
            for y, colour in ((0.83, INK), (0.56, PATH))
        ]
        self.figure.canvas.draw()
        self.blank = self.figure.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[attr-defined]

    def frame(self, number: int) -> Image.Image:
        """Draw one tick and take a picture of it."""
        canvas: Any = self.figure.canvas
        canvas.restore_region(self.blank)
        told, done = words_for(self.walk, number)
        for text, words in zip(self.words, (f"tick {number}: {told}", done), strict=True):
            text.set_text(shorten(words, LETTERS, placeholder=" …"))
        moment = draw_moment(self.axes, self.walk, self.worlds[number], number)
        for artist in (*sorted(moment, key=lambda artist: artist.zorder), *self.words):
            artist.draw(canvas.get_renderer())
        for artist in moment:
            artist.remove()
        return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
