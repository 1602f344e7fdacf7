"""Agents of a group on their stage: what pictures and animations of them have in common."""

from __future__ import annotations

import itertools
from textwrap import shorten

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import (
    Collection,
    EllipseCollection,
    LineCollection,
    PolyCollection,
)
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Polygon
from numpy.typing import NDArray

from headway.sim.group_run import GroupRun, Scenario, Stage
from headway.view.figure import CAR_COLOURS, FAINT, INK, MUTED, page_points

OBSTACLE = "#c9ced3"
DASHES = (0, (4, 3))
"""Of lines on the stage: points drawn and left out."""
ARROW = np.array(((1.0, 0.0), (-0.8, 0.62), (-0.45, 0.0), (-0.8, -0.62)))
"""Corners of the mark of an agent that looks along +x."""
LEAST = 3.6
"""Points: half the length of a mark at least, to be seen."""
KEY_COLUMNS, KEY_MOST, KEY_LINE = 5, 20, 0.2
"""Most entries in a line of the key, and in all of it; inches from line to line."""
KEY_MARK, KEY_LETTER = 0.45, 0.075
"""Inches that an entry takes: for its mark and the gap, and for each letter."""
LONG_NAME = 40
"""Letters; longer names are cut short in the key."""
SLENDER = 20.0
"""A stage that is so many times longer than high is stretched, else it were a line."""
MANY = 40
"""Agents; of more, only the last of each way is drawn."""
MANY_TRAIL = 1.5
"""s, how much of it."""


def looks(scenario: Scenario) -> list[tuple[str, str]]:
    """Name and colour of each team and each state, in the order of `kinds`."""
    names = [*scenario.teams, *scenario.states]
    return [(name, CAR_COLOURS[k % len(CAR_COLOURS)]) for k, name in enumerate(names)]


def kinds(run: GroupRun, sample: int) -> NDArray[np.int64]:
    """(N,): which of the `looks` each agent has: that of its state, else that of its team."""
    state = run.state[sample]
    return np.where(state >= 0, len(run.scenario.teams) + state, run.scenario.agents.team)


def kinds_seen(run: GroupRun) -> list[int]:
    """The looks that occur, in order."""
    alive = run.alive
    seen = [kinds(run, sample)[alive[sample]] for sample in range(len(run.time))]
    return sorted({int(kind) for kind in np.concatenate(seen)})


def frame_stage(axes: Axes, stage: Stage) -> None:
    """Show the stage: its extent to scale, and what stands on it."""
    axes.set_xlim(stage.low[0], stage.high[0])
    axes.set_ylim(stage.low[1], stage.high[1])
    extent = stage.high - stage.low
    axes.set_aspect("equal" if 1.0 / SLENDER <= extent[1] / extent[0] <= SLENDER else "auto")
    axes.tick_params(labelsize=8.5, colors=MUTED, length=0)
    axes.set_xlabel("x, m", size=9, color=MUTED)
    axes.set_ylabel("y, m", size=9, color=MUTED)
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_color(FAINT)
    for x, y, radius in stage.circles:
        axes.add_patch(Circle((x, y), radius, facecolor=OBSTACLE, edgecolor=MUTED, linewidth=0.6))
    for corners in stage.polygons:
        axes.add_patch(Polygon(corners, facecolor=OBSTACLE, edgecolor=MUTED, linewidth=0.6))
    for line in stage.lines:
        axes.plot(*np.asarray(line).T, color=MUTED, linewidth=1.0, linestyle=DASHES, zorder=1)
    label_places(axes, stage)


def label_places(axes: Axes, stage: Stage) -> None:
    """Mark places, each with its label where it is on the page and on no other label."""
    scale = np.array(page_points(axes)) / (stage.high - stage.low)  # points of a metre
    if axes.get_aspect() != "auto":
        scale[:] = scale.min()
    room = (stage.high - stage.low) * scale
    taken = [
        np.concatenate(((place - stage.low) * scale - 5.0, (10.0, 10.0)))
        for place in stage.places.values()
    ]
    for name, place in stage.places.items():
        axes.plot(*place, marker="x", markersize=9, markeredgewidth=2.2, color=INK, zorder=5)
        size, at = np.array((LETTER * len(name), 11.0)), (place - stage.low) * scale
        boxes = [np.concatenate((at + side * 7 + np.minimum(side, 0) * size, size))
                 for side in CORNERS]  # fmt: skip
        faults = [
            4.0 * _outside(box, room) + sum(_on_another(box, other) for other in taken)
            for box in boxes
        ]
        best = int(np.argmin(faults))
        taken.append(boxes[best])
        right, up = CORNERS[best]
        axes.annotate(
            name, (place[0], place[1]), (7 * right, 7 * up), textcoords="offset points", size=9,
            color=INK, ha="left" if right > 0 else "right", va="baseline" if up > 0 else "top",
            zorder=7, parse_math=False,
        )  # fmt: skip


CORNERS = np.array(((1, 1), (-1, 1), (1, -1), (-1, -1)))
"""Where a label may stand: to the right or left of its place, above or below."""
LETTER = 5.6
"""Points, about the width of a letter of a label."""


def _outside(box: NDArray, room: NDArray) -> bool:
    """Whether a box, lowest corner and size, sticks out of the stage."""
    return bool((box[:2] < 0.0).any() or (box[:2] + box[2:] > room).any())


def _on_another(box: NDArray, other: NDArray) -> bool:
    """Whether two boxes, lowest corner and size each, overlap."""
    below, above = box[:2] < other[:2] + other[2:], other[:2] < box[:2] + box[2:]
    return bool((below & above).all())


def draw_agents(axes: Axes, run: GroupRun, sample: int) -> list[Collection]:
    """Draw all agents at one time; returns what was added to the axes."""
    here = run.alive[sample]
    position, forward = run.position[sample][here, :2], run.forward[sample][here, :2]
    palette = np.array([to_rgb(colour) for _, colour in looks(run.scenario)])
    colours = palette[kinds(run, sample)[here]]
    metre = _points_of_a_metre(axes)
    look = forward * (metre / metre.max())
    size = np.linalg.norm(look, axis=1, keepdims=True)
    ahead = np.where(size > 1e-9, look / np.maximum(size, 1e-9), (1.0, 0.0))
    aside = np.column_stack((-ahead[:, 1], ahead[:, 0]))
    radius = run.scenario.agents.radius[here]
    half = np.maximum(radius * metre.min(), LEAST)[:, None, None]  # points
    corners = position[:, None] + half / metre * (
        ARROW[:, :1] * ahead[:, None] + ARROW[:, 1:] * aside[:, None]
    )
    body = EllipseCollection(
        2.0 * radius, 2.0 * radius, np.zeros(len(radius)), units="xy", offsets=position,
        transOffset=axes.transData, facecolors=colours, alpha=0.25, zorder=5,
    )  # fmt: skip
    marks = PolyCollection(
        list(corners), facecolors=colours, edgecolors="white", linewidths=0.5, zorder=6
    )
    shown: list[Collection] = [body, marks] if (radius * metre.min() > LEAST).any() else [marks]
    for collection in shown:
        axes.add_collection(collection, autolim=False)
    return shown


def _points_of_a_metre(axes: Axes) -> NDArray[np.float64]:
    """How long a metre is on the page along x and along y, typographic points."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    return np.array(page_points(axes)) / (right - left, high - low)


def draw_ways(axes: Axes, run: GroupRun, first: int, last: int, width: float) -> LineCollection:
    """Draw where all agents went from one sample to another, fainter the longer ago."""
    pieces, colours = [], []
    palette = np.array([to_rgb(colour) for _, colour in looks(run.scenario)])
    steps = max(last - first, 1)
    shown = np.unique(np.linspace(first, last, min(steps, 400) + 1).astype(int))
    for begin, end in itertools.pairwise(shown):
        here = run.alive[begin] & run.alive[end]
        ends = np.stack((run.position[begin, here, :2], run.position[end, here, :2]), axis=1)
        alpha = 0.15 + 0.65 * (end - first) / steps
        pieces.extend(ends)
        colours.append(
            np.column_stack((palette[kinds(run, end)[here]], np.full(here.sum(), alpha)))
        )
    ways = LineCollection(
        pieces, colors=np.concatenate(colours) if colours else "none", linewidths=width, zorder=3,
        capstyle="butt",
    )  # fmt: skip
    axes.add_collection(ways, autolim=False)
    return ways


def trail_of(run: GroupRun) -> float:
    """How many seconds of each way are drawn, so that many do not cover all."""
    if run.scenario.trail is not None:
        return run.scenario.trail
    return MANY_TRAIL if run.position.shape[1] > MANY else float("inf")


def add_looks_key(figure: Figure, run: GroupRun, left: float, y: float, width: float) -> None:
    """Explain the colours of agents, and what stands on the stage, in `key_lines` lines."""
    handles = _key_entries(run)
    for handle in handles:
        handle.set_label(shorten(str(handle.get_label()), LONG_NAME, placeholder=" …"))
    legend = figure.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(left, y),
        ncols=max(-(-len(handles) // key_lines(run, width)), 1), frameon=False,
        fontsize=9.5, labelcolor=MUTED, handletextpad=0.4, columnspacing=1.4, borderpad=0.0,
        borderaxespad=0.0, labelspacing=0.45,
    )  # fmt: skip
    for text in legend.get_texts():
        text.set_parse_math(False)


def key_lines(run: GroupRun, width: float) -> int:
    """How many lines the key takes where it may be so wide, inches; one at least."""
    handles = _key_entries(run)
    letters = max((min(len(str(handle.get_label())), LONG_NAME) for handle in handles), default=1)
    columns = int(width / (KEY_MARK + KEY_LETTER * letters))
    return max(-(-len(handles) // min(max(columns, 1), KEY_COLUMNS)), 1)


def _key_entries(run: GroupRun) -> list[Line2D | Patch]:
    """What is explained: those seen of agents, as far as there is room, obstacles and lines."""
    named, seen = looks(run.scenario), kinds_seen(run)
    shown = seen if len(seen) <= KEY_MOST else seen[: KEY_MOST - 1]
    handles: list[Line2D | Patch] = [
        Line2D([], [], linestyle="none", marker=">", markersize=8, markeredgecolor="white",
               color=named[kind][1], label=named[kind][0])
        for kind in shown
    ]  # fmt: skip
    if len(shown) < len(seen):
        handles.append(Line2D([], [], linestyle="none", label=f"{len(seen) - len(shown)} more"))
    stage = run.scenario.stage
    if len(stage.circles) or stage.polygons:
        handles.append(Patch(facecolor=OBSTACLE, edgecolor=MUTED, label="obstacle"))
    if stage.lines and stage.lines_are:
        handles.append(
            Line2D([], [], color=MUTED, linewidth=1.0, linestyle=DASHES, label=stage.lines_are)
        )
    return handles


def number_words(value: float | int | str) -> str:
    """A number as people read it.

    Examples
    --------
    >>> number_words(0.123456), number_words(1200), number_words(12.0), number_words("yes")
    ('0.123', '1,200', '12', 'yes')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
