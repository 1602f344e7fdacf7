"""A race on one page: the circuit with the best laps on it, positions by lap, speed by distance."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from headway.view.figure import (
    CAR_COLOURS,
    FAINT,
    MUTED,
    add_title,
    check_picture_path,
    new_figure,
    page_points,
    save_figure,
    style_chart,
)
from headway.view.lap_traces import (
    KMH,
    SPEED_COLOURS,
    DrivenLap,
    best_lap,
    draw_close_up,
    draw_speed_traces,
    lap_span,
    row_of,
)
from headway.view.track_drawing import draw_scale_bar, draw_track, frame_map
from headway.view.track_shape import TrackShape
from headway.view.wording import count_of, format_length, format_time

if TYPE_CHECKING:  # a result of this shape is enough; drawing one must not load the simulator
    from headway.sim.result import RaceResult

SHOWN = 3
DASHES = ("-", (0, (4, 1.5)), (0, (1.2, 1.2)))


def plot_race(result: RaceResult, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw a race: the circuit with the best laps of the first three, positions, speeds.

    Parameters
    ----------
    result : RaceResult
        What `headway.sim.run.run` returns, or anything of its shape.
    path : str or path-like, optional
        Where to write the picture: a name ending in .png, .svg or .pdf.

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
    >>> from headway.sim.race import Race
    >>> from headway.sim.run import run
    >>> from headway.world.circuits import circuit
    >>> plot_race(run(Race(circuit("oval"), cars=3, laps=1)), "race.png")
    <Figure size 1540x990 with 4 Axes>
    """
    if path is not None:
        check_picture_path(path)
    laps = [lap for row in result.standings[:SHOWN] if (lap := best_lap(result, row)) is not None]
    figure = new_figure(14.0, 9.0)
    add_title(figure, result.track.name, _subtitle(result), left=0.02)
    _draw_map(figure, result, laps)
    draw_positions(figure.add_axes((0.645, 0.53, 0.29, 0.35)), result)
    draw_speeds(figure.add_axes((0.645, 0.075, 0.33, 0.315)), result, laps)
    if path is not None:
        save_figure(figure, path)
    return figure


def draw_positions(axes: Axes, result: RaceResult) -> None:
    """Draw each car's position on the grid and at the end of each lap, the first on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    result : RaceResult
    """
    positions = np.asarray(result.positions_by_lap)
    laps, count = positions.shape[0] - 1, positions.shape[1]
    style_chart(axes, "Positions", "lap", "position")
    axes.set(xlim=(-0.02 * laps, laps * 1.005), ylim=(count + 0.6, 0.4))
    step = -(-laps // 10)
    axes.set_xticks(range(0, laps + 1, step), ["grid", *map(str, range(step, laps + 1, step))])
    named = _readable_positions(axes, count)
    axes.set_yticks(named)
    axes.grid(visible=False, axis="y")
    lines = [_reached(positions[:, row_of(result, row.car)]) for row in result.standings]
    # Lists: matplotlib takes a tuple of two line styles for one.
    colours, widths, dashes = map(list, zip(*(_look(i, count) for i in range(count)), strict=True))
    collection = LineCollection(lines, colors=colours, linewidths=widths, linestyles=dashes)
    axes.add_collection(collection, autolim=False)
    for row, line, colour in zip(result.standings, lines, colours, strict=True):
        lap, position = line[-1]
        if lap < laps:
            axes.plot(lap, position, marker="x", color=colour, markersize=5, zorder=3)
        if position in named:
            _name_line(axes, lap, position, f"car {row.car}", MUTED if colour == FAINT else colour)
    if (positions[1:] == 0).all():
        axes.text(0.55, 0.5, "no car completed a lap", **_note(axes))


def draw_speeds(axes: Axes, result: RaceResult, laps: Sequence[DrivenLap]) -> None:
    """Draw speed over distance for some laps, with the car and the lap time of each.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    result : RaceResult
    laps : sequence of DrivenLap
        In finishing order.
    """
    length = lap_span(result)[1]
    unit, metres = ("km", 1000.0) if length >= 1000 else ("m", 1.0)
    style_chart(axes, "Speed on the best lap", f"distance ({unit})", "speed (km/h)", pad=27)
    axes.set_xlim(0, length / metres)
    _mark_sectors(axes, [fraction * length / metres for fraction in result.track.sectors])
    if not laps:
        axes.set(ylim=(0, 100))
        axes.text(0.5, 0.5, "no car has driven", **_note(axes))
        return
    for place, lap in enumerate(laps):
        x, y, colour = lap.distance / metres, lap.speed * KMH, CAR_COLOURS[place]
        axes.plot(x, y, color=colour, linewidth=1.6, label=lap.label, zorder=4 - place)
    axes.set_ylim(0, 1.1 * max(1.0, *(KMH * lap.speed.max() for lap in laps)))
    _explain_lines(axes)


def _subtitle(result: RaceResult) -> str:
    track = result.track
    facts = [
        format_length(track.length) + ("" if track.closed else ", open"),
        count_of(result.laps, "lap"),
        count_of(len(result.standings), "car"),
        f"seed {result.seed}",
    ]
    winner = next((row for row in result.standings if row.status == "finished"), None)
    if winner is None:
        facts.append("nobody finished")
    else:
        facts.append(f"car {winner.car} ({winner.vehicle}) wins in {format_time(winner.total_s)}")
    if result.fastest_lap and result.laps > 1:
        car, _, seconds = result.fastest_lap
        facts.append(f"fastest lap {format_time(seconds)} by car {car}")
    return "  ·  ".join(facts)


def _draw_map(figure: Figure, result: RaceResult, laps: Sequence[DrivenLap]) -> None:
    """Draw the circuit, the laps on it coloured by speed, and the key to the colours."""
    axes = figure.add_axes((0.02, 0.095, 0.565, 0.8))
    track, (start_s, lap_length) = result.track, lap_span(result)
    shape = TrackShape.of(track)
    seen = np.concatenate([shape.points, *(lap.position for lap in laps)])
    unit = frame_map(axes, seen, centred=False)
    draw_track(axes, track, shape, unit, start_s, lap_length)
    draw_scale_bar(axes, unit)
    if not laps:
        return
    scale = draw_speed_traces(axes, laps)
    draw_close_up(axes, track, shape, laps, unit, start_s)
    cars = [str(lap.car) for lap in laps]
    names = f"car {cars[0]}" if len(cars) == 1 else f"cars {', '.join(cars[:-1])} and {cars[-1]}"
    style = {"size": 9.5, "color": MUTED, "va": "center"}
    figure.text(0.02, 0.066, f"Best lap of {names}, coloured by speed", **style)
    figure.text(0.335, 0.066, "km/h", ha="right", **style)
    key = figure.add_axes((0.343, 0.059, 0.242, 0.014))
    bar = figure.colorbar(ScalarMappable(scale, SPEED_COLOURS), cax=key, orientation="horizontal")
    bar.locator = MaxNLocator(6, integer=True)
    key.set_xlabel("")
    key.spines[:].set_visible(False)
    key.tick_params(labelsize=9, colors=MUTED, length=0)


def _mark_sectors(axes: Axes, places: Sequence[float]) -> None:
    """Draw a dotted line where each sector but the first begins."""
    for number, x in enumerate(places, start=2):
        axes.axvline(x, color=MUTED, linewidth=0.8, linestyle=":", zorder=1)
        axes.annotate(
            f"S{number}",
            (x, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(3, 0),
            textcoords="offset points",
            size=8.5,
            color=MUTED,
            va="top",
        )


def _explain_lines(axes: Axes) -> None:
    """Put the key to the lines in one row below the title."""
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.012, 0.985),
        borderpad=0.3,
        ncols=SHOWN,
        frameon=False,
        fontsize=9,
        handlelength=1.4,
        handletextpad=0.5,
        columnspacing=1.4,
        labelcolor=MUTED,
    )


def _look(place: int, count: int) -> tuple[str, float, object]:
    """Colour, width and dashes of the car that came in at a place (from 0) out of so many."""
    if place < SHOWN:
        return CAR_COLOURS[place], 2.2, "-"
    if count > len(CAR_COLOURS) * len(DASHES):
        return FAINT, 0.8, "-"
    return CAR_COLOURS[place % len(CAR_COLOURS)], 1.4, DASHES[place // len(CAR_COLOURS)]


def _reached(positions: NDArray[np.int64]) -> NDArray[np.float64]:
    """Points (lap, position) as far as the car got; at least its place on the grid."""
    laps = np.flatnonzero(positions > 0)
    return np.column_stack((laps, positions[laps])).astype(float)


def _readable_positions(axes: Axes, count: int) -> list[int]:
    """The positions whose labels have room one below the other."""
    most = int(page_points(axes)[1] // 10)
    step = -(-count // most)
    return sorted({1, *range(step, count + 1, step)})


def _name_line(axes: Axes, lap: float, position: float, name: str, colour: str) -> None:
    """Write a car's name where its line ends."""
    axes.annotate(
        name,
        (lap, position),
        xytext=(6, 0),
        textcoords="offset points",
        size=8.5,
        color=colour,
        va="center",
        annotation_clip=False,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
    )


def _note(axes: Axes) -> dict[str, Any]:
    """The look of a remark in an empty chart."""
    return {"transform": axes.transAxes, "size": 10, "color": MUTED, "ha": "center", "va": "center"}
