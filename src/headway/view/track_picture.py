"""Circuits on paper: asphalt between its edges, start line, direction, sectors, corners."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from numpy.typing import NDArray

from headway.errors import InputError
from headway.view.figure import (
    INK,
    MUTED,
    add_title,
    check_picture_path,
    new_figure,
    page_points,
    save_figure,
)
from headway.world.track import Track

GRASS = "#e7ece2"
ASPHALT = "#3b4046"
STATIONS = 2400


@dataclass(frozen=True)
class TrackShape:
    """A track sampled finely enough to be drawn.

    Parameters
    ----------
    centre, left, right : (K, 2) float64, m, world frame
        Points of the centre line and of the two edges at equal steps of arc length.
    closed : bool
        Whether the last point leads back to the first.
    """

    centre: NDArray[np.float64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    closed: bool

    @classmethod
    def of(cls, track: Track, stations: int = STATIONS) -> TrackShape:
        """Sample a track at about so many stations."""
        step = track.length / stations
        left, right = track.edges(step)
        centre = track.route.position(track.route.sample(step))
        return cls(centre[:, :2], left[:, :2], right[:, :2], track.closed)

    @property
    def points(self) -> NDArray[np.float64]:
        """Points of both edges, (2K, 2) m."""
        return np.concatenate((self.left, self.right))


@dataclass(frozen=True)
class CrossSection:
    """Where a line across the track lies.

    Parameters
    ----------
    left, right : (2,) float64, m, world frame
        The points on the two edges.
    along : (2,) float64
        Unit vector of the racing direction.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    along: NDArray[np.float64]

    @classmethod
    def at(cls, track: Track, s: float) -> CrossSection:
        """The line across a track at arc length s (m)."""
        position, yaw = track.route.position(s)[:2], float(track.route.yaw(s))
        along, to_left = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
        width_left, width_right = track.route.width(s)
        return cls(position + width_left * to_left, position - width_right * to_left, along)

    def beside(self, shape: TrackShape, distance: float) -> NDArray[np.float64]:
        """The point that far (m) outside the edge which has more free room around it."""
        to_left = np.array([-self.along[1], self.along[0]])
        points = np.array([self.left + distance * to_left, self.right - distance * to_left])
        gaps = np.hypot(*(points[:, None, :] - shape.centre[None]).transpose(2, 0, 1)).min(axis=1)
        # Rounding must not choose the side on a straight where both are free.
        return points[0] if gaps[0] > 1.02 * gaps[1] else points[1]


def plot_track(
    track: Track, path: str | os.PathLike[str] | None = None, *, corners: bool = True
) -> Figure:
    """Draw a circuit to scale.

    Parameters
    ----------
    track : Track
    path : str or path-like, optional
        Where to write the picture: a name ending in .png, .svg or .pdf.
    corners : bool
        Number the corners in racing order.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, also when it was written to a file.

    Raises
    ------
    InputError
        If the path does not end in a known format.
    FileError
        If the folder of the path does not exist, or the file cannot be written.

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> len(plot_track(circuit("oval")).axes)
    1
    """
    if path is not None:
        check_picture_path(path)
    figure = new_figure(9.0, 8.0)
    add_title(figure, track.name, describe(track))
    axes = figure.add_axes((0.03, 0.03, 0.94, 0.84))
    shape = TrackShape.of(track)
    unit = frame_map(axes, shape.points)
    draw_track(axes, track, shape, unit)
    if corners:
        draw_corner_numbers(axes, track, shape, unit)
    draw_scale_bar(axes, unit)
    if path is not None:
        save_figure(figure, path)
    return figure


def plot_tracks(tracks: Sequence[Track], path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw several circuits in one figure, each to a scale of its own.

    Parameters
    ----------
    tracks : sequence of Track
        At least one.
    path : str or path-like, optional
        Where to write the picture: a name ending in .png, .svg or .pdf.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If there is no track, or the path does not end in a known format.
    FileError
        If the folder of the path does not exist, or the file cannot be written.

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> len(plot_tracks([circuit("oval"), circuit("club")]).axes)
    2
    """
    if not tracks:
        raise InputError("There is no track to draw: give at least one.")
    if path is not None:
        check_picture_path(path)
    columns = min(3, len(tracks))
    rows = math.ceil(len(tracks) / columns)
    width, height = 4.6 * columns, 4.4 * rows
    figure = new_figure(width, height)
    for index, track in enumerate(tracks):
        row, column = divmod(index, columns)
        left, bottom = 4.6 * column + 0.12, 4.4 * (rows - 1 - row) + 0.12
        axes = figure.add_axes((left / width, bottom / height, 4.36 / width, 3.6 / height))
        axes.set_title(track.name, loc="left", size=13, weight="bold", color=INK, pad=20)
        axes.text(0.0, 1.02, describe(track), transform=axes.transAxes, size=9, color=MUTED)
        shape = TrackShape.of(track, stations=500)
        unit = frame_map(axes, shape.points)
        draw_track(axes, track, shape, unit)
        draw_scale_bar(axes, unit)
    if path is not None:
        save_figure(figure, path)
    return figure


def describe(track: Track) -> str:
    """Say in one line how long, how wide and of what kind a track is.

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> describe(circuit("hill")).split(", ")[-1]
    'open'
    """
    kind = "closed" if track.closed else "open"
    return f"{format_length(track.length)}, {kind}"


def format_length(metres: float) -> str:
    """Give a length in the unit that suits it.

    Examples
    --------
    >>> format_length(5412.0), format_length(61.25)
    ('5.41 km', '61.2 m')
    """
    return f"{metres / 1000:.2f} km" if metres >= 1000 else f"{metres:.3g} m"


def frame_map(axes: Axes, points: NDArray[np.float64]) -> float:
    """Turn axes into a map around points: equal scales, a calm ground, room for marks.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    points : (K, 2) float64, m, world frame

    Returns
    -------
    float
        Metres per typographic point (1/72 inch), to size marks by.
    """
    room = np.array([[34.0, 46.0], [34.0, 34.0]])  # left and below (the scale bar), right and above
    size = np.array(page_points(axes))
    low, high = points.min(axis=0), points.max(axis=0)
    unit = float(np.max((high - low) / (size - room.sum(axis=0))))
    spare = size * unit - (high - low) - room.sum(axis=0) * unit
    low, high = low - room[0] * unit - spare / 2, high + room[1] * unit + spare / 2
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
    """
    lap_length = track.length - start_s if lap_length is None else lap_length
    # To scale, but never so thin that traces hide it.
    width = float(np.median(np.hypot(*(shape.left - shape.right).T))) / unit
    fill_asphalt(axes, shape, widened=max(0.0, 7.0 - width))
    start = CrossSection.at(track, start_s)
    _draw_chequers(axes, start, unit)
    if not track.closed:
        finish = CrossSection.at(track, start_s + lap_length)
        _draw_chequers(axes, finish, unit)
        _label(axes, start.beside(shape, 14 * unit), "start")
        _label(axes, finish.beside(shape, 14 * unit), "finish")
    for number, fraction in enumerate(inner_sectors(track), start=2):
        _draw_sector(
            axes, CrossSection.at(track, start_s + fraction * lap_length), shape, unit, number
        )
    _draw_direction(
        axes, CrossSection.at(track, start_s + min(20 * unit, 0.2 * lap_length)), shape, unit
    )


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
        patch = PathPatch(outline, linewidth=width, joinstyle="round")
        patch.set(facecolor=paint, edgecolor=paint)
        axes.add_artist(patch)


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


def inner_sectors(track: Track) -> list[float]:
    """Where sectors after the first begin, as fractions of the track's length."""
    return sorted(float(f) for f in track.sectors if 0.0 < f < 1.0)


def draw_corner_numbers(axes: Axes, track: Track, shape: TrackShape, unit: float) -> None:
    """Number the corners of a track beside its edges, in racing order.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Framed by `frame_map`.
    track : Track
    shape : TrackShape
        The track, sampled.
    unit : float
        Metres per typographic point.
    """
    for number, corner in enumerate(track.corners(), start=1):
        section = CrossSection.at(track, (corner.s_start + corner.s_end) / 2)
        outside = section.right - section.left if corner.turn > 0 else section.left - section.right
        edge = section.right if corner.turn > 0 else section.left
        place = edge + 10 * unit * outside / math.hypot(*outside)
        _label(axes, place, str(number), color=INK, weight="bold")


def draw_scale_bar(axes: Axes, unit: float) -> None:
    """Draw a bar of a round length at the lower left of a map.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Framed by `frame_map`.
    unit : float
        Metres per typographic point.
    """
    low, high = axes.get_xlim()
    length = round_length((high - low) / 4)
    x, y = low + 12 * unit, axes.get_ylim()[0] + 12 * unit
    tick = np.array([3.0, 0.0, 0.0, 3.0]) * unit
    axes.plot([x, x, x + length, x + length], y + tick, color=MUTED, linewidth=1.2)
    text = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    axes.text(x + length + 5 * unit, y, text, size=9, color=MUTED, va="center")


def round_length(limit: float) -> float:
    """Give the longest of 1, 2 or 5 times a power of ten that fits.

    Examples
    --------
    >>> round_length(730.0), round_length(0.3)
    (500.0, 0.2)
    """
    power = 10.0 ** math.floor(math.log10(limit))
    return next(float(f"{m * power:.3g}") for m in (5, 2, 1) if m * power <= limit)


def _ring(points: NDArray[np.float64]) -> Outline:
    """A closed path through points."""
    return Outline(np.concatenate((points, points[:1])), closed=True)


def _label(axes: Axes, point: NDArray[np.float64], text: str, **style: object) -> None:
    """Write a small word centred on a point of the map."""
    look = {"size": 8.5, "color": MUTED, "ha": "center", "va": "center"} | style
    axes.text(float(point[0]), float(point[1]), text, **look)  # pyright: ignore


def _draw_chequers(axes: Axes, section: CrossSection, unit: float) -> None:
    """Draw a chequered line across the track, never too thin to be seen."""
    across = section.left - section.right
    width = math.hypot(*across)
    shown = max(width, 13 * unit)
    columns = 2 * min(8, max(2, round(shown / (6 * unit))))
    side = shown / columns
    frame = np.array([section.along, across / width]) * side
    corner = (section.left + section.right) / 2 - frame[0] - frame[1] * columns / 2
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    places = [(row, column) for row in (0, 1) for column in range(columns)]
    cells = [corner + (square + place) @ frame for place in places]
    colours = ["black" if sum(place) % 2 else "white" for place in places]
    cells.insert(0, corner + (square * (2, columns)) @ frame)
    chequers = PolyCollection(cells, facecolors=["black", *colours], zorder=6)
    chequers.set(edgecolors=["black", *["none"] * len(places)], linewidths=1.2)
    axes.add_collection(chequers, autolim=False)


def _draw_sector(
    axes: Axes, section: CrossSection, shape: TrackShape, unit: float, number: int
) -> None:
    """Draw a tick across the track where a sector begins, and its name."""
    to_left = np.array([-section.along[1], section.along[0]])
    ends = np.array([section.left + 3 * unit * to_left, section.right - 3 * unit * to_left])
    axes.plot(*ends.T, color=INK, linewidth=1.4, zorder=6)
    _label(axes, section.beside(shape, 13 * unit), f"S{number}")


def _draw_direction(axes: Axes, section: CrossSection, shape: TrackShape, unit: float) -> None:
    """Draw an arrow along the track, beside it."""
    tail = section.beside(shape, 11 * unit)
    tip = tail + 28 * unit * section.along
    arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", tuple(tip), tuple(tail), arrowprops=arrow, zorder=6)
