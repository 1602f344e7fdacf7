"""A walk through a changing world as a moving picture (GIF)."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image

from headway.sim.walk import Walk
from headway.view.figure import INK, MUTED, add_title, new_figure
from headway.view.grid_drawing import BLOCKED, FREE, TIGHT, ramp
from headway.view.route_marks import GOAL, PATH, START, add_key, key_height
from headway.view.walk_drawing import (
    CLOSED,
    OPENED,
    WALKED,
    draw_moment,
    frame_world,
    key_of,
    lines_of,
    words_for,
    worlds_of,
)

STEP_MS, NEWS_MS, REPLANNED_MS, END_MS = 80, 600, 1100, 3000
"""How long a frame stands: a step; something happened; there is a new plan; the last one."""
WIDTH, SIDE = 6.8, 0.25
"""Inches: of the picture, and left free at either side."""
ABOVE, KEY_LOW, LINE = 0.95, 0.16, 0.17
"""Inches: of the title, below the key, from line to line of the words."""
LETTERS = 92
"""As many fit into a line."""
COLOURS = 250
"""In the whole animation; a GIF may have 256."""


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
    scene, palette = Scene(walk, title), _palette(walk)
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


def _palette(walk: Walk) -> Image.Image:
    """The colours of the scene, and the shades between each of them and what it lies on.

    One for all frames, so that what does not change need not be stored again.
    """
    colours = (INK, MUTED, BLOCKED, PATH, START, GOAL, WALKED, CLOSED, OPENED)
    grounds = (FREE, BLOCKED, TIGHT) if walk.radius > 0.0 else (FREE, BLOCKED)
    steps = np.linspace(0, 255, COLOURS // len(grounds) // len(colours)).astype(int)
    ramps = [ramp(ground, colour)[steps] for ground in grounds for colour in colours]
    shades = np.unique(np.concatenate(ramps), axis=0)
    palette = Image.new("P", (1, 1))
    palette.putpalette(shades.tobytes())
    return palette


class Scene:
    """A page on which one tick after another is drawn over what stays the same."""

    def __init__(self, walk: Walk, title: str):
        self.walk, self.worlds = walk, worlds_of(walk)
        self.lines = [
            [lines_of(words, LETTERS) for words in words_for(walk, number)]
            for number in range(len(walk.ticks))
        ]
        room = [LINE * max(map(len, lines)) for lines in zip(*self.lines, strict=True)]
        key = key_of(walk)
        done = KEY_LOW + key_height(key, WIDTH - 2 * SIDE) + 0.08 + room[1]
        told = done + 0.06 + room[0]
        rows, columns = walk.grid.shape
        high = (WIDTH - 2 * SIDE) * rows / columns
        width, height = WIDTH, told + 0.1 + high + ABOVE
        self.figure = new_figure(width, height)
        place = (SIDE / width, (told + 0.1) / height, 1.0 - 2 * SIDE / width, high / height)
        self.axes = self.figure.add_axes(place)
        frame_world(self.axes, walk.grid)
        add_title(self.figure, title, f"{walk.start} to {walk.goal}, one cell a tick", SIDE / width)
        add_key(self.figure, key, SIDE / width, KEY_LOW / height)
        self.words = [
            self.figure.text(SIDE / width, y / height, "", size=9.5, color=colour, va="top")
            for y, colour in ((told, INK), (done, PATH))
        ]
        self.figure.canvas.draw()
        self.blank = self.figure.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[attr-defined]

    def frame(self, number: int) -> Image.Image:
        """Draw one tick and take a picture of it."""
        canvas: Any = self.figure.canvas
        canvas.restore_region(self.blank)
        for text, lines in zip(self.words, self.lines[number], strict=True):
            text.set_text("\n".join(lines))
        moment = draw_moment(self.axes, self.walk, self.worlds[number], number)
        for artist in (*sorted(moment, key=lambda artist: artist.zorder), *self.words):
            artist.draw(canvas.get_renderer())
        for artist in moment:
            artist.remove()
        return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
