"""Pictures of circuits: one on a page, or several side by side."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from matplotlib.figure import Figure

from headway.errors import InputError
from headway.view.figure import INK, MUTED, add_title, check_picture_path, new_figure, save_figure
from headway.view.track_drawing import draw_scale_bar, draw_track, frame_map
from headway.view.track_shape import TrackShape
from headway.view.wording import count_of, format_length
from headway.world.track import Track


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
    axes = figure.add_axes((0.03, 0.03, 0.94, 0.85))
    shape = TrackShape.of(track)
    unit = frame_map(axes, shape.points)
    draw_track(axes, track, shape, unit, corners=corners)
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
        The figure, also when it was written to a file.

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
        raise InputError("there is no track to draw: give at least one.")
    if path is not None:
        check_picture_path(path)
    columns = min(3, len(tracks))
    rows = math.ceil(len(tracks) / columns)
    width, height = 4.7 * columns, 4.6 * rows
    figure = new_figure(width, height)
    for index, track in enumerate(tracks):
        row, column = divmod(index, columns)
        left, bottom = 4.7 * column + 0.12, 4.6 * (rows - 1 - row) + 0.12
        axes = figure.add_axes((left / width, bottom / height, 4.46 / width, 3.8 / height))
        axes.set_title(track.name, loc="left", size=13, weight="bold", color=INK, pad=20)
        axes.text(0.0, 1.02, describe(track), transform=axes.transAxes, size=9, color=MUTED)
        shape = TrackShape.of(track, stations=800)
        unit = frame_map(axes, shape.points)
        draw_track(axes, track, shape, unit)
        draw_scale_bar(axes, unit)
    if path is not None:
        save_figure(figure, path)
    return figure


def describe(track: Track) -> str:
    """Say in one line how long a track is, how many corners it has and of what kind it is.

    Parameters
    ----------
    track : Track

    Returns
    -------
    str

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> describe(circuit("oval"))
    '1.46 km  ·  2 corners  ·  13 m wide  ·  closed'
    """
    assert track.route.widths is not None  # noqa: S101  (a track has widths)
    widths = track.route.widths.sum(axis=1)
    low, high = f"{widths.min():.3g}", f"{widths.max():.3g}"
    facts = [
        format_length(track.length),
        count_of(len(track.corners()), "corner"),
        f"{low} m wide" if low == high else f"{low} to {high} m wide",
        "closed" if track.closed else "open",
    ]
    return "  ·  ".join(facts)
