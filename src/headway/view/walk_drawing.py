"""One moment of a walk through a changing world: the world, the way so far, the plan, in words."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from headway.sim.walk import Tick, Walk
from headway.view.figure import CAR_COLOURS, INK
from headway.view.grid_drawing import (
    BLOCKED,
    FREE,
    Window,
    cell_image,
    draw_cells,
    draw_ends,
    draw_route,
    ramp,
)
from headway.world.grid import Grid

WALKED, OPENED, CLOSED = CAR_COLOURS[7], CAR_COLOURS[2], "#b3261e"
KEY = [
    ("start", "start"),
    ("goal", "goal"),
    ("path", "plan"),
    (WALKED, "walked"),
    (BLOCKED, "blocked"),
    (CLOSED, "has just closed"),
    (OPENED, "has just opened"),
]
"""What the colours and marks mean, for `headway.view.grid_drawing.add_key`."""


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
    colours = np.where(free[..., None], ramp(FREE, FREE)[0], ramp(BLOCKED, BLOCKED)[0])
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
    here = grid.centres([tick.cell])[0]
    axes.plot(*here, marker="o", markersize=9, color=INK, markeredgecolor="white", zorder=6)
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
        Two short sentences.
    """
    tick, last = walk.ticks[number], number == len(walk.ticks) - 1
    done = f"{tick.action}: {tick.reason}"
    return _tell(tick) or "nothing changes", walk.reason if last else done


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
