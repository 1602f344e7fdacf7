"""The parts of a map of a circuit: asphalt, lines across it, direction, corners, scale."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from numpy.typing import NDArray

from headway.view.figure import INK, MUTED, page_points
from headway.view.track_shape import CrossSection, TrackShape
from headway.world.track import Track

GRASS = "#e7ece2"
ASPHALT = "#3b4046"
LEAST_WIDTH = 7.0  # points; to scale, a long track would be hidden by the traces on it
MARGIN_LEFT_BELOW = np.array([34.0, 46.0])  # points; below stands the scale bar
MARGIN_RIGHT_ABOVE = np.array([34.0, 34.0])


def frame_map(axes: Axes, points: NDArray[np.float64], *, centred: bool = True) -> float:
    """Turn axes into a map around points: equal scales, a calm ground, room for marks.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Placed in a figure by a fixed rectangle; the map fills it.
    points : (K, 2) float64, m, world frame
    centred : bool
        Put the points in the middle; otherwise all spare room is below, or to the right.

    Returns
    -------
    float
        Metres per typographic point (1/72 inch), to size marks by.
    """
    margins = MARGIN_LEFT_BELOW + MARGIN_RIGHT_ABOVE
    page = np.array(page_points(axes))
    low, high = points.min(axis=0), points.max(axis=0)
    unit = float(np.max((high - low) / (page - margins)))
    spare = page * unit - (high - low) - margins * unit
    before = 0.5 if centred else np.array([0.0, 1.0])
    low = low - MARGIN_LEFT_BELOW * unit - spare * before
    high = low + page * unit
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xticks=[], yticks=[], facecolor=GRASS)
    axes.spines[:].set_visible(False)
    return unit


def draw_track(
    axes: Axes,
    track: Track,
    shape: TrackShape,
    unit: float,
    start_s: float = 0.0,
    lap_length: float | None = None,
    corners: bool = False,
) -> None:
    """Draw asphalt, edges, start line (and finish line), sector ticks and racing direction.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Framed by `frame_map`.
    track : Track
    shape : TrackShape
        The track, sampled.
    unit : float
        Metres per typographic point.
    start_s, lap_length : float
        Where the start line is, m from the track's start, and how far it is to the finish; by
        default the whole track.
    corners : bool
        Number the corners.
    """
    length = track.length - start_s if lap_length is None else lap_length
    fill_asphalt(axes, shape, widened=max(0.0, LEAST_WIDTH - shape.width / unit))
    taken = shape.centre
    if corners:
        taken = np.concatenate((taken, draw_corner_numbers(axes, track, unit)))
    for number, fraction in enumerate(track.sectors, start=2):
        section = CrossSection.at(track, start_s + fraction * length)
        axes.plot(*np.array(section.outside(3 * unit)).T, color=INK, linewidth=1.4, zorder=6)
        write_on_map(axes, section.beside(13 * unit, taken), f"S{number}")
    start = CrossSection.at(track, start_s)
    draw_chequers(axes, start, unit)
    if not track.closed:
        finish = CrossSection.at(track, start_s + length)
        draw_chequers(axes, finish, unit)
        write_on_map(axes, start.beside(14 * unit, taken), "start")
        write_on_map(axes, finish.beside(14 * unit, taken), "finish")
    beyond = CrossSection.at(track, start_s + min(20 * unit, 0.2 * length))
    draw_arrow(axes, beyond.beside(11 * unit, taken, reach=28 * unit), beyond.along, unit)


def fill_asphalt(
    axes: Axes,
    shape: TrackShape,
    widened: float = 0.0,
    edge: float = 1.2,
    colour: str = ASPHALT,
) -> None:
    """Fill the area between the edges, lined in white.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    shape : TrackShape
        The track, sampled.
    widened : float
        Typographic points by which to draw it wider than it is.
    edge : float
        Width of the white lines, typographic points.
    colour : str
        Of the asphalt.
    """
    outline = asphalt_outline(shape)
    # The white goes below all of the asphalt, so that a crossing stays open both ways.
    for paint, width in (("white", widened + 2 * edge), (colour, widened)):
        # Not add_patch, which measures every curve to set limits that are set already.
        axes.add_artist(PathPatch(outline, fc=paint, ec=paint, lw=width, joinstyle="round"))
    for run in shape.bridges():
        left, right = shape.left[run], shape.right[run]
        for paint, width in (("white", widened + 2 * edge), (colour, widened)):
            for line in (left, right):
                axes.plot(*line.T, color=paint, lw=width, solid_capstyle="butt", zorder=1)
            deck = Outline(np.concatenate((left, right[::-1])))
            axes.add_artist(PathPatch(deck, fc=colour, ec="none"))


def asphalt_outline(shape: TrackShape) -> Outline:
    """Give the area between the edges as one path, filled by the non-zero rule.

    Parameters
    ----------
    shape : TrackShape

    Returns
    -------
    matplotlib.path.Path
    """
    left, right = shape.left, shape.right[::-1]
    if shape.closed:
        return Outline.make_compound_path(_ring(left), _ring(right))
    return _ring(np.concatenate((left, right)))


def draw_chequers(axes: Axes, section: CrossSection, unit: float) -> None:
    """Draw a chequered line across the track, never too small to be seen.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    section : CrossSection
    unit : float
        Metres per typographic point.
    """
    width = max(math.hypot(*(section.left - section.right)), 13 * unit)
    columns = 2 * min(8, max(2, round(width / (6 * unit))))
    frame = np.array([section.along, section.to_left]) * width / columns
    corner = section.middle - frame[0] - frame[1] * columns / 2
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    places = [(row, column) for row in (0, 1) for column in range(columns)]
    board = [corner + (square * (2, columns)) @ frame]
    squares = [corner + (square + place) @ frame for place in places]
    paint = ["black" if sum(place) % 2 else "white" for place in places]
    chequers = PolyCollection(board + squares, facecolors=["black", *paint], zorder=6)
    chequers.set(edgecolors=["black", *["none"] * len(places)], linewidths=1.2)
    axes.add_collection(chequers, autolim=False)


def draw_arrow(
    axes: Axes, tail: NDArray[np.float64], along: NDArray[np.float64], unit: float
) -> None:
    """Draw an arrow of fixed size on the page.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    tail : (2,) float64, m, world frame
        Where it begins.
    along : (2,) float64
        Unit vector of its direction.
    unit : float
        Metres per typographic point.
    """
    tip = tail + 28 * unit * along
    look = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", tuple(tip), tuple(tail), arrowprops=look, zorder=6)


def draw_corner_numbers(axes: Axes, track: Track, unit: float) -> NDArray[np.float64]:
    """Number the corners of a track in racing order, outside each.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Framed by `frame_map`.
    track : Track
    unit : float
        Metres per typographic point.

    Returns
    -------
    (C, 2) float64, m, world frame
        Where the numbers stand.
    """
    places = []
    for number, corner in enumerate(track.corners(), start=1):
        section = CrossSection.at(track, (corner.s_start + corner.s_end) / 2)
        left, right = section.outside(10 * unit)
        places.append(right if corner.turn > 0 else left)
        write_on_map(axes, places[-1], str(number), color=INK, weight="bold")
    return np.array(places).reshape(-1, 2)


def draw_scale_bar(axes: Axes, unit: float) -> None:
    """Draw a bar of a round length at the lower left of a map.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Framed by `frame_map`.
    unit : float
        Metres per typographic point.
    """
    (left, right), low = axes.get_xlim(), axes.get_ylim()[0]
    length = round_length((right - left) / 4)
    x, y = left + 12 * unit, low + 12 * unit
    bar = np.array([[x, y + 3 * unit], [x, y], [x + length, y], [x + length, y + 3 * unit]])
    axes.plot(*bar.T, color=MUTED, linewidth=1.2)
    text = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    write_on_map(axes, np.array([x + length + 5 * unit, y + unit]), text, ha="left", size=9)


def round_length(limit: float) -> float:
    """Give the longest of 1, 2 or 5 times a power of ten that fits.

    Parameters
    ----------
    limit : float
        Positive.

    Returns
    -------
    float

    Examples
    --------
    >>> round_length(730.0), round_length(0.3)
    (500.0, 0.2)
    """
    power = 10.0 ** math.floor(math.log10(limit))
    return next(float(f"{m * power:.3g}") for m in (5, 2, 1) if m * power <= limit)


def write_on_map(axes: Axes, point: NDArray[np.float64], text: str, **style: object) -> None:
    """Write a small word at a point of a map.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    point : (2,) float64, m, world frame
    text : str
    **style
        Of `matplotlib.text.Text`, where it differs from small, grey and centred.
    """
    look: dict = {"size": 8.5, "color": MUTED, "ha": "center", "va": "center"} | style
    axes.text(float(point[0]), float(point[1]), text, zorder=6, **look)


def _ring(points: NDArray[np.float64]) -> Outline:
    """A closed path through points."""
    return Outline(np.concatenate((points, points[:1])), closed=True)
