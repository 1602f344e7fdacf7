"""The parts of a picture of a grid: its cells as an image, paths, their ends, the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from headway.view.figure import CAR_COLOURS, FAINT, MUTED
from headway.world.grid import Grid

BLOCKED = "#3b4046"
FREE = "#ffffff"
SEARCHED = "#9fcdea"
TIGHT = "#eccfae"
NEAR = "#e9e6df"
COSTLY = "#a3b58c"
PATH, START, GOAL = CAR_COLOURS[1], CAR_COLOURS[2], CAR_COLOURS[3]
SEARCHED_OPACITY = 0.65
MOST_PIXELS = 1200
"""More rows or columns than that are averaged before they are drawn."""
ZOOM_BELOW = 0.25
LEAST_SHOWN = 24


@dataclass(frozen=True)
class Window:
    """The part of a grid that a picture shows: its first rows and columns, and those behind it."""

    top: int
    bottom: int
    left: int
    right: int

    @classmethod
    def around(cls, grid: Grid, cells: NDArray[np.int64]) -> Window:
        """Show the whole grid, or a part of it if the cells of interest take up little of it.

        Parameters
        ----------
        grid : Grid
        cells : (K, 2) ndarray of int64
            Row and column; those off the map do not count.

        Returns
        -------
        Window

        Examples
        --------
        >>> grid = Grid(np.ones((1000, 2000)))
        >>> Window.around(grid, np.array([[500, 700], [600, 900]]))
        Window(top=460, bottom=641, left=660, right=941)
        """
        cells = cells[grid.contains(cells)]
        if len(cells) == 0:
            return cls(0, grid.rows, 0, grid.columns)
        low, high = cells.min(axis=0), cells.max(axis=0) + 1
        longest = max(LEAST_SHOWN, int((high - low).max()))
        if longest > ZOOM_BELOW * max(grid.shape):
            return cls(0, grid.rows, 0, grid.columns)
        margin = longest // 5
        more = np.maximum(0, longest // 2 - (high - low)) // 2 + margin
        low, high = np.maximum(low - more, 0), np.minimum(high + more, grid.shape)
        return cls(int(low[0]), int(high[0]), int(low[1]), int(high[1]))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns that it shows."""
        return self.bottom - self.top, self.right - self.left

    @property
    def slices(self) -> tuple[slice, slice]:
        """What to index an (R, C) array with."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


def cell_image(
    grid: Grid,
    window: Window,
    searched: NDArray[np.int64] | None = None,
    clearance: NDArray[np.float64] | None = None,
    radius: float = 0.0,
) -> NDArray[np.uint8]:
    """Paint the cells of a grid: blocked, too tight for an agent, near walls, costly, searched.

    Parameters
    ----------
    grid : Grid
    window : Window
        The part to paint.
    searched : (M, 2) ndarray of int64, optional
        Row and column of cells to shade.
    clearance : (R, C) ndarray, optional
        Distance to the nearest obstacle, m.
    radius : float
        m, of the agent; cells with less clearance are marked as too tight.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        Red, green and blue of each cell of the window, in the order of rows and columns.
    """
    free = grid.free[window.slices]
    cost = grid.cost
    if cost is not None:
        image = ramp(FREE, COSTLY)[_shares(np.log(cost[window.slices]), free)]
    elif clearance is not None:
        beyond = clearance[window.slices] / max(radius, grid.cell_size) - 1.0
        image = ramp(NEAR, FREE)[(255 * np.clip(beyond / 3.0, 0.0, 1.0)).astype(np.uint8)]
    else:
        image = np.full((*free.shape, 3), 255, np.uint8)
    if clearance is not None:
        # as in inflation: to touch is no overlap
        image[clearance[window.slices] < radius * (1.0 - 1e-9)] = _rgb(TIGHT)
    image[~free] = _rgb(BLOCKED)
    if searched is not None and len(searched):
        row, column = (searched - (window.top, window.left)).T
        seen = (row >= 0) & (row < free.shape[0]) & (column >= 0) & (column < free.shape[1])
        row, column = row[seen], column[seen]
        below = (1.0 - SEARCHED_OPACITY) * image[row, column]
        image[row, column] = (below + SEARCHED_OPACITY * _rgb(SEARCHED)).astype(np.uint8)
    return image


def draw_cells(
    axes: Axes, grid: Grid, window: Window, image: NDArray[np.uint8], y_down: bool
) -> None:
    """Show an image of cells in the frame of the map, with quiet metres along its sides.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    grid : Grid
    window : Window
    image : (H, W, 3) ndarray of uint8
        As `cell_image` gives it.
    y_down : bool
        Draw row 0 on top, as in images and MovingAI maps, instead of at the bottom.
    """
    step = -(-max(image.shape[:2]) // MOST_PIXELS)
    if step > 1:
        image = _averaged(image, step)
    height, width = step * image.shape[0], step * image.shape[1]
    size, (x, y) = grid.cell_size, grid.origin
    left, low = x + window.left * size, y + window.top * size
    extent: tuple[float, float, float, float] = (
        left,
        left + width * size,
        low,
        low + height * size,
    )
    axes.imshow(image, origin="lower", extent=extent, interpolation="auto", aspect="equal")
    rows, columns = window.shape
    axes.set_xlim(left, left + columns * size)
    bottom, top = low, low + rows * size
    axes.set_ylim((top, bottom) if y_down else (bottom, top))
    axes.tick_params(labelsize=8.5, colors=MUTED, length=2, color=FAINT)
    axes.set_xlabel("x (m)", size=9, color=MUTED)
    axes.set_ylabel("y (m)", size=9, color=MUTED)
    axes.spines[:].set_color(FAINT)


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
    start, goal : (2,) ndarray, or None
        x, y, m, in the frame of the map.
    """
    for point, mark in ((start, _START), (goal, _GOAL)):
        if point is not None:
            axes.plot(*point, **mark, linestyle="none", zorder=5, clip_on=False)


def add_key(figure: Figure, entries: Sequence[tuple[str, str]], left: float, y: float) -> None:
    """Explain colours and marks in one row below a picture.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    entries : sequence of (kind, words)
        Kind is ``"path"``, ``"start"``, ``"goal"`` or a colour of cells.
    left, y : float
        The lower left corner of the row, as fractions of the figure.
    """
    handles = [_handle(kind, words) for kind, words in entries]
    figure.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(left, y), ncols=len(handles),
        frameon=False, fontsize=9, labelcolor=MUTED, handlelength=1.3, handletextpad=0.5,
        columnspacing=1.3, borderpad=0.0, borderaxespad=0.0,
    )  # fmt: skip


def ramp(first: str, last: str) -> NDArray[np.uint8]:
    """Give the shades from one colour to another.

    Parameters
    ----------
    first, last : str
        Colours as matplotlib knows them.

    Returns
    -------
    (256, 3) ndarray of uint8
        Red, green and blue, the first colour first.

    Examples
    --------
    >>> ramp("black", "white")[[0, 255]].tolist()
    [[0, 0, 0], [255, 255, 255]]
    """
    share = np.linspace(0.0, 1.0, 256)[:, None]
    return np.round((1.0 - share) * _rgb(first) + share * _rgb(last)).astype(np.uint8)


_START = {"marker": "o", "markersize": 9, "markeredgecolor": "white", "markeredgewidth": 1.5,
          "color": START}  # fmt: skip
_GOAL = {"marker": "*", "markersize": 15, "markeredgecolor": "white", "markeredgewidth": 1.2,
         "color": GOAL}  # fmt: skip


def _handle(kind: str, words: str) -> Line2D | Patch:
    if kind == "path":
        return Line2D([], [], color=PATH, linewidth=2.2, label=words)
    if kind in ("start", "goal"):
        mark = _START if kind == "start" else _GOAL
        return Line2D([], [], linestyle="none", label=words, **mark)
    return Patch(facecolor=kind, edgecolor=MUTED, linewidth=0.4, label=words)


def _rgb(colour: str) -> NDArray[np.uint8]:
    return np.round(255 * np.array(to_rgb(colour))).astype(np.uint8)


def _shares(values: NDArray[np.float64], where: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Values from 0 for the least to 255 for the greatest of the cells that count."""
    if not where.any():
        return np.zeros(values.shape, np.uint8)
    low, high = values[where].min(), values[where].max()
    share = (values - low) / (high - low) if high > low else np.zeros_like(values)
    return (255 * np.clip(share, 0.0, 1.0)).astype(np.uint8)


def _averaged(image: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """An image with squares of so many cells as one; what an edge cuts off is filled up."""
    padding = ((0, -image.shape[0] % step), (0, -image.shape[1] % step), (0, 0))
    image = np.pad(image, padding, mode="edge")
    height, width = image.shape[0] // step, image.shape[1] // step
    blocks = image.reshape(height, step, width, step, 3)
    return blocks.mean(axis=(1, 3), dtype=np.float32).astype(np.uint8)
