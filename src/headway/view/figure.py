"""Figures without a screen: one house style, and files that appear whole or not at all."""

from __future__ import annotations

import io
import os
from pathlib import Path
from textwrap import shorten

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from headway.errors import FileError, InputError
from headway.world.atomic import write_bytes

DPI = 110
FORMATS = ("png", "svg", "pdf")

INK = "#23282e"
MUTED = "#6b7580"
FAINT = "#dfe3e6"

# Okabe and Ito's colours, told apart with any colour vision; their yellow is too pale for lines.
CAR_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#e69f00",
    "#5d4f9e",
    "#7a8288",
)

MOST_WIDE = 115.0
"""Letters of one point that surely fit into an inch, beside one another."""


def new_figure(width: float, height: float) -> Figure:
    """Give an empty white figure, tied to no window and to no global state.

    Parameters
    ----------
    width, height : float
        Size, inches (110 dots each when saved as PNG).

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> new_figure(4.0, 3.0).get_size_inches().tolist()
    [4.0, 3.0]
    """
    figure = Figure(figsize=(width, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def add_title(figure: Figure, title: str, subtitle: str, left: float = 0.03) -> None:
    """Write a title and the line below it at the top left of a figure.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    title, subtitle : str
        Plain text; dollar signs are not mathematics. What does not fit is cut short.
    left : float
        Where the text begins, as a fraction of the figure's width.
    """
    width, height = figure.get_size_inches()
    for text, below, size, colour in ((title, 0.24, 19, INK), (subtitle, 0.66, 11, MUTED)):
        weight = "bold" if size > 12 else "normal"
        figure.text(
            left,
            1.0 - below / height,
            shorten(text, int(MOST_WIDE * width / size), placeholder=" …"),
            size=size,
            weight=weight,
            color=colour,
            va="top",
            parse_math=False,
        )


def style_chart(axes: Axes, title: str, x_label: str, y_label: str, pad: float = 8.0) -> None:
    """Give a chart its title, labels and quiet grid.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    title, x_label, y_label : str
    pad : float
        Room between the title and the chart, typographic points.
    """
    axes.set_title(title, loc="left", size=11, weight="bold", color=INK, pad=pad)
    axes.set_xlabel(x_label, size=9.5, color=MUTED)
    axes.set_ylabel(y_label, size=9.5, color=MUTED, labelpad=6)
    axes.tick_params(labelsize=9, colors=MUTED, length=0)
    axes.grid(color=FAINT, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)


def page_points(axes: Axes) -> tuple[float, float]:
    """Give the width and height of axes on the page, in typographic points (1/72 inch).

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Placed in a figure by a fixed rectangle.

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> figure = new_figure(4.0, 3.0)
    >>> [round(size) for size in page_points(figure.add_axes((0.0, 0.0, 0.5, 1.0)))]
    [144, 216]
    """
    box = axes.get_window_extent()
    return box.width / DPI * 72.0, box.height / DPI * 72.0


def check_picture_path(path: str | os.PathLike[str]) -> Path:
    """Make sure that a picture can be written to a path, before anything is drawn.

    Parameters
    ----------
    path : str or path-like
        A file name ending in .png, .svg or .pdf, in a folder that exists.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    InputError
        If the name does not end in a known format.
    FileError
        If the folder does not exist, or the path is a folder.

    Examples
    --------
    >>> check_picture_path("lap.gif")
    Traceback (most recent call last):
        ...
    headway.errors.InputError: cannot draw to 'lap.gif': end the name in .png, .svg or .pdf.
    """
    path = Path(path)
    if path.suffix.lower().lstrip(".") not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS[:-1]) + f" or .{FORMATS[-1]}"
        raise InputError(f"cannot draw to {os.fspath(path)!r}: end the name in {endings}.")
    if path.is_dir():
        raise FileError(path, "is a folder; name a file in it")
    if not path.parent.is_dir():
        raise FileError(path, f"the folder {os.fspath(path.parent)!r} does not exist; create it")
    return path


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure to a file, which is replaced whole or left as it was.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    path : str or path-like
        A file name ending in .png, .svg or .pdf.

    Raises
    ------
    InputError
        If the name does not end in a known format.
    FileError
        If the file cannot be written.
    """
    path = check_picture_path(path)
    kind = path.suffix.lower().lstrip(".")
    # No dates and versions inside: equal figures give equal files.
    options: dict[str, dict] = {
        "png": {"metadata": {"Software": None}, "pil_kwargs": {"compress_level": 4}},
        "svg": {"metadata": {"Date": None}},
        "pdf": {"metadata": {"CreationDate": None}},
    }
    picture = io.BytesIO()
    with rc_context({"svg.hashsalt": "headway"}):  # else each SVG names its parts by chance
        figure.savefig(picture, format=kind, **options[kind])
    write_bytes(path, picture.getvalue())
