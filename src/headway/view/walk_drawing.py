"""One moment of a walk through a changing world: the world, the way so far, the plan, in words."""

from __future__ import annotations

from textwrap import wrap

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from headway.sim.walk import Tick, Walk
from headway.view.figure import CAR_COLOURS
from headway.view.grid_drawing import BLOCKED, FREE, TIGHT, Window, cell_image, draw_cells, ramp
from headway.view.route_marks import draw_agent, draw_ends, draw_route
from headway.world.grid import Grid
from headway.world.inflation import inflated

WALKED, OPENED, CLOSED = CAR_COLOURS[7], CAR_COLOURS[2], "#b3261e"
MOST_LINES = 4
"""What takes more lines is cut short."""


def key_of(walk: Walk) -> list[tuple[str, str]]:
    """Tell what the colours and marks mean, for `headway.view.route_marks.add_key`.

    Parameters
    ----------
    walk : Walk

    Returns
    -------
    list of (kind, words)
    """
    key = [
        ("agent", "agent"),
        ("start", "start"),
        ("goal", "goal"),
        ("path", "plan"),
        (WALKED, "walked"),
        (BLOCKED, "blocked"),
        (CLOSED, "just closed"),
        (OPENED, "just opened"),
    ]
    if walk.radius > 0.0:
        key.append((TIGHT, f"too tight for a radius of {walk.radius:g} m"))
    return key


def frame_world(axes: Axes, grid: Grid) -> None:
    """Make axes show the whole of a grid and nothing else.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    grid : Grid
    """
    whole = Window(0, grid.rows, 0, grid.columns)
    draw_cells(axes, grid, whole, cell_image(grid, whole), y_down=True)
    axes.set(xticks=[], yticks=[], xlabel="", ylabel="")


def draw_moment(axes: Axes, walk: Walk, free: NDArray[np.bool_], number: int) -> list[Artist]:
    """Draw the world at a tick, what has just changed, the way so far and the plan.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Prepared by `frame_world`.
    walk : Walk
    free : (R, C) ndarray of bool
        Which cells are free at that tick; see `worlds_of`.
    number : int
        The tick.

    Returns
    -------
    list of matplotlib.artist.Artist
        What was added to the axes.
    """
    tick, grid = walk.ticks[number], walk.grid
    room = inflated(Grid(free, cell_size=grid.cell_size), walk.radius).free
    colours = np.where(room[..., None], ramp(FREE, FREE)[0], ramp(TIGHT, TIGHT)[0])
    colours[~free] = ramp(BLOCKED, BLOCKED)[0]
    for change in tick.changes:
        colour = OPENED if change.free else CLOSED
        colours[change.cells[:, 0], change.cells[:, 1]] = ramp(colour, colour)[0]
    (shown,) = axes.images[:1]
    before = set(axes.get_children())
    axes.imshow(colours, origin="lower", extent=shown.get_extent(), interpolation="nearest")
    walked = grid.centres(walk.cells[: number + 1])
    axes.plot(*walked.T, color=WALKED, linewidth=2.0, linestyle=(0, (1.5, 1.2)), zorder=3)
    if len(tick.way):
        draw_route(axes, grid.centres(tick.way))
    ends = grid.centres([walk.start, walk.goal])
    draw_ends(axes, ends[0], ends[1])
    draw_agent(axes, grid.centres([tick.cell])[0], walk.radius)
    return [artist for artist in axes.get_children() if artist not in before]


def worlds_of(walk: Walk) -> list[NDArray[np.bool_]]:
    """Work out which cells are free at each tick of a walk.

    Parameters
    ----------
    walk : Walk

    Returns
    -------
    list of (R, C) ndarray of bool
        One per tick.
    """
    free, worlds = np.array(walk.grid.free), []
    for tick in walk.ticks:
        for change in tick.changes:
            free[change.cells[:, 0], change.cells[:, 1]] = change.free
        worlds.append(free.copy())
    return worlds


def words_for(walk: Walk, number: int) -> tuple[str, str]:
    """Say what happens at a tick, and what the planner does about it.

    Parameters
    ----------
    walk : Walk
    number : int
        The tick.

    Returns
    -------
    tuple of str
        Two sentences.
    """
    tick, last = walk.ticks[number], number == len(walk.ticks) - 1
    done = f"{tick.action}: {tick.reason}"
    told = f"tick {number}: {_tell(tick) or 'nothing changes'}"
    return told, walk.reason if last else done


def lines_of(words: str, letters: int) -> list[str]:
    """Break words into lines.

    Parameters
    ----------
    words : str
    letters : int
        As many fit into a line.

    Returns
    -------
    list of str
        At least one, at most `MOST_LINES`.

    Examples
    --------
    >>> lines_of("a door closes at (3, 5)", letters=14)
    ['a door closes', 'at (3, 5)']
    """
    return wrap(words, letters, max_lines=MOST_LINES, placeholder=" …") or [""]


def _tell(tick: Tick) -> str:
    """What happened to the world at a tick; empty if nothing did."""
    told = []
    for change in tick.changes:
        if len(change.cells) == 0:
            told.append(f"{change.why}, but the agent stands there")
            continue
        row, column = change.cells[len(change.cells) // 2].tolist()
        told.append(f"{change.why} at ({row}, {column})")
    return "; ".join(told)
