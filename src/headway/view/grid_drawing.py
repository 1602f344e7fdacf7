"""The cells of a grid as a picture: blocked, free, costly, searched, near to obstacles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from headway.view.figure import FAINT, MUTED, page_points
from headway.world.grid import Grid

BLOCKED = "#3b4046"
FREE = "#ffffff"
SEARCHED = "#9fcdea"
TIGHT = "#eccfae"
NEAR = "#e9e6df"
COSTLY = "#a3b58c"
SEARCHED_OPACITY = 0.65
MOST_PIXELS = 1200
"""More rows or columns than that are averaged before they are drawn."""
ZOOM_BELOW = 0.25
LEAST_SHOWN = 24
NEAR_REACH, NEAR_SHARE = 4.0, 0.02
"""How far the shade around obstacles reaches: so many radii (cells, for agents smaller than one),
or that share of the longer side of what is shown."""
TICK_EVERY = 40.0
"""Points, at least, from one number beside a map to the next."""


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


def near_reach(grid: Grid, window: Window, radius: float = 0.0) -> float:
    """Tell how far the shade around obstacles reaches.

    Parameters
    ----------
    grid : Grid
    window : Window
        The part that is shown.
    radius : float
        m, of the agent.

    Returns
    -------
    float
        m; with more clearance than that a cell is white.

    Examples
    --------
    >>> grid = Grid(np.ones((30, 30)), cell_size=0.5)
    >>> near_reach(grid, Window(0, 30, 0, 30))
    2.0
    """
    least = NEAR_REACH * max(radius, grid.cell_size)
    return max(least, NEAR_SHARE * max(window.shape) * grid.cell_size)


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
        Distance to the nearest obstacle, m, which is shaded on grids without terrain cost.
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
        reach, nearest = near_reach(grid, window, radius), max(radius, grid.cell_size)
        beyond = (clearance[window.slices] - nearest) / (reach - nearest)
        image = ramp(NEAR, FREE)[(255 * np.clip(beyond, 0.0, 1.0)).astype(np.uint8)]
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
    for axis, points in zip((axes.xaxis, axes.yaxis), page_points(axes), strict=True):
        most = min(9, max(1, int(points / TICK_EVERY)))
        axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
    axes.tick_params(labelsize=8.5, colors=MUTED, length=2, color=FAINT)
    axes.set_xlabel("x (m)", size=9, color=MUTED)
    axes.set_ylabel("y (m)", size=9, color=MUTED)
    axes.spines[:].set_color(FAINT)


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
