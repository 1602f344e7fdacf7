"""Marks on a picture of a grid: a path, its ends, an agent; and the key that explains them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch
from numpy.typing import NDArray

from headway.view.figure import CAR_COLOURS, DPI, INK, MUTED

PATH, START, GOAL = CAR_COLOURS[1], CAR_COLOURS[2], CAR_COLOURS[3]
KEY_SIZE, KEY_LINE, KEY_LETTER, KEY_SPACE = 9.0, 14.0, 4.7, 29.0
"""Points: of the letters of a key, from line to line, a letter, and what there is to an entry
besides its words."""
_START = {"marker": "o", "markersize": 9, "markeredgecolor": "white", "markeredgewidth": 1.5,
          "color": START}  # fmt: skip
_AGENT = {"marker": "o", "markersize": 9, "markeredgecolor": "white", "color": INK}
_GOAL = {"marker": "*", "markersize": 15, "markeredgecolor": "white", "markeredgewidth": 1.2,
         "color": GOAL}  # fmt: skip


def draw_route(axes: Axes, points: NDArray[np.float64], turns: bool = False) -> None:
    """Draw a path over a grid.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    points : (K, 2) ndarray
        x, y, m, in the frame of the map.
    turns : bool
        Mark its points.
    """
    look = {"solid_joinstyle": "round", "solid_capstyle": "round", "zorder": 4}
    axes.plot(*points.T, color="white", linewidth=4.2, alpha=0.8, **look)
    marks = {"marker": "o", "markersize": 4, "markeredgecolor": "white"} if turns else {}
    axes.plot(*points.T, color=PATH, linewidth=2.2, **look, **marks)


def draw_ends(
    axes: Axes, start: NDArray[np.float64] | None, goal: NDArray[np.float64] | None
) -> None:
    """Mark where a path starts and where it is to lead.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        As `draw_cells` left them.
    start, goal : (2,) ndarray, or None
        x, y, m, in the frame of the map. Where the goal would hide the start, that is drawn larger.
    """
    first = _START
    if start is not None and goal is not None:
        apart = np.hypot(*np.diff(axes.transData.transform([start, goal]), axis=0)[0])
        if apart * 72.0 / DPI < _START["markersize"]:
            first = _START | {"markersize": 2.3 * _START["markersize"]}
    for point, mark in ((start, first), (goal, _GOAL)):
        if point is not None:
            axes.plot(*point, **mark, linestyle="none", zorder=5, clip_on=False)


def draw_agent(axes: Axes, place: NDArray[np.float64], radius: float = 0.0) -> None:
    """Mark where an agent is.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    place : (2,) ndarray
        x, y, m, in the frame of the map.
    radius : float
        m; the space that it takes is shaded.
    """
    if radius > 0.0:
        axes.add_patch(Circle((place[0], place[1]), radius, color=INK, alpha=0.35, zorder=5.5))
    axes.plot(*place, **_AGENT, linestyle="none", zorder=6)


def add_key(figure: Figure, entries: Sequence[tuple[str, str]], left: float, y: float) -> None:
    """Explain colours and marks below a picture, in as few lines as they take.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    entries : sequence of (kind, words)
        Kind is ``"path"``, ``"start"``, ``"goal"``, ``"agent"`` or a colour of cells.
    left, y : float
        The lower left corner of the key, as fractions of the figure.
    """
    handles = [_handle(kind, words) for kind, words in entries]
    columns = _key_columns(entries, (1.0 - 2.0 * left) * figure.get_figwidth())
    figure.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(left, y), ncols=columns,
        frameon=False, fontsize=KEY_SIZE, labelcolor=MUTED, handlelength=1.3, handletextpad=0.5,
        columnspacing=1.3, borderpad=0.0, borderaxespad=0.0, labelspacing=0.45,
    )  # fmt: skip


def key_height(entries: Sequence[tuple[str, str]], width: float) -> float:
    """Tell how much room a key takes.

    Parameters
    ----------
    entries : sequence of (kind, words)
        As for `add_key`.
    width : float
        Inches that it may take.

    Returns
    -------
    float
        Inches.

    Examples
    --------
    >>> round(key_height([("start", "start"), ("goal", "goal")], width=6.0), 2)
    0.19
    """
    return KEY_LINE / 72.0 * -(-len(entries) // _key_columns(entries, width))


def _key_columns(entries: Sequence[tuple[str, str]], width: float) -> int:
    """As many columns as the lines have that fit into so many inches."""
    sizes = [KEY_SPACE + KEY_LETTER * len(words) for _, words in entries]
    for lines in range(1, len(sizes)):
        columns = -(-len(sizes) // lines)
        if sum(column.max() for column in np.array_split(sizes, columns)) <= 72.0 * width:
            return columns
    return 1


def _handle(kind: str, words: str) -> Line2D | Patch:
    if kind == "path":
        return Line2D([], [], color=PATH, linewidth=2.2, label=words)
    marks = {"start": _START, "goal": _GOAL, "agent": _AGENT}
    if kind in marks:
        return Line2D([], [], linestyle="none", label=words, **marks[kind])
    return Patch(facecolor=kind, edgecolor=MUTED, linewidth=0.4, label=words)
