"""Best laps cut out of a race's trace, and drawn on its circuit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from headway.view.figure import CAR_COLOURS, INK, MUTED
from headway.view.track_drawing import GRASS, fill_asphalt
from headway.view.track_shape import TrackShape
from headway.view.wording import format_time
from headway.world.state import VX, VY, X, Y
from headway.world.track import Track

if TYPE_CHECKING:  # a result of this shape is enough; drawing one must not load the simulator
    from headway.sim.result import RaceResult, Standing

KMH = 3.6
POINTS_PER_LAP = 1000
PALE_ASPHALT = "#c4c9cd"  # under the cars' own colours
# Perceptually uniform; its darkest part would drown in the asphalt.
SPEED_COLOURS = ListedColormap(colormaps["plasma"](np.linspace(0.22, 1.0, 256)), "speed")


@dataclass(frozen=True)
class DrivenLap:
    """One lap as it was driven, from line to line.

    Parameters
    ----------
    car : int
        Whose lap it is.
    time_s : float or None
        Lap time, s; None if the lap was not completed.
    distance : (M,) float64, m
        From the start line along the track.
    position : (M, 2) float64, m, world frame
    speed : (M,) float64, m/s
    """

    car: int
    time_s: float | None
    distance: NDArray[np.float64]
    position: NDArray[np.float64]
    speed: NDArray[np.float64]

    @property
    def label(self) -> str:
        """The car and its time."""
        time = "unfinished" if self.time_s is None else format_time(self.time_s)
        return f"car {self.car}  {time}"


def best_lap(result: RaceResult, standing: Standing) -> DrivenLap | None:
    """Cut a car's best lap out of the trace of a race.

    Parameters
    ----------
    result : RaceResult
    standing : Standing
        The car's row in the standings.

    Returns
    -------
    DrivenLap or None
        The fastest lap, thinned to at most 1,000 points; the lap the car was on at the end if it
        completed none; None if nothing of it was traced.
    """
    index = row_of(result, standing.car)
    length = lap_span(result)[1]
    times = np.asarray(result.lap_times, dtype=float)[index]
    distance = np.asarray(result.trace.distance, dtype=float)[:, index]
    if distance.size == 0 or not np.isfinite(distance).any():
        return None
    if np.isfinite(times).any():
        lap = int(np.nanargmin(times))
        time_s = float(times[lap])
    else:
        lap, time_s = max(0, int(np.nanmax(distance) // length)), None
    rows = _between(distance, lap * length, (lap + 1) * length)
    state = np.asarray(result.trace.state, dtype=float)[rows, index]
    known = np.isfinite(state).all(axis=1) & np.isfinite(distance[rows])
    if known.sum() < 2:
        return None
    state = state[known]
    return DrivenLap(
        car=standing.car,
        time_s=time_s,
        distance=distance[rows][known] - lap * length,
        position=state[:, [X, Y]],
        speed=np.hypot(state[:, VX], state[:, VY]),
    )


def lap_span(result: RaceResult) -> tuple[float, float]:
    """Where the start line is, and how far it is from there to the end of a lap.

    Parameters
    ----------
    result : RaceResult

    Returns
    -------
    start_s, lap_length : float
        m, along the track.
    """
    return float(result.start_s), float(result.lap_length)


def row_of(result: RaceResult, car: int) -> int:
    """Row of a car in the arrays of a result.

    Parameters
    ----------
    result : RaceResult
    car : int
        Its number.

    Returns
    -------
    int
    """
    return int(np.flatnonzero(np.asarray(result.cars) == car)[0])


def draw_speed_traces(axes: Axes, laps: Sequence[DrivenLap]) -> Normalize:
    """Draw laps on a map, coloured by speed, the first on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Framed by `headway.view.track_drawing.frame_map`.
    laps : sequence of DrivenLap
        At least one.

    Returns
    -------
    matplotlib.colors.Normalize
        From km/h to the fraction at which `SPEED_COLOURS` is read.
    """
    speeds = np.concatenate([lap.speed for lap in laps]) * KMH
    low = float(speeds.min())
    scale = Normalize(low, max(float(speeds.max()), low + 1.0))
    for lap in reversed(laps):
        strokes, kept = _strokes(lap)
        speed = 0.5 * (lap.speed[:-1] + lap.speed[1:])[kept] * KMH
        traces = LineCollection(
            list(strokes),
            array=speed,
            cmap=SPEED_COLOURS,
            norm=scale,
            linewidths=1.9,
            capstyle="round",
            zorder=5,
        )
        axes.add_collection(traces, autolim=False)
    return scale


def draw_close_up(
    axes: Axes,
    track: Track,
    shape: TrackShape,
    laps: Sequence[DrivenLap],
    unit: float,
    start_s: float = 0.0,
) -> Axes | None:
    """Show the lines through the slowest corner, in each car's colour, where the map has room.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        The map, framed by `headway.view.track_drawing.frame_map`.
    track : Track
    shape : TrackShape
        The track, sampled.
    laps : sequence of DrivenLap
        At least one, in finishing order.
    unit : float
        Metres per typographic point on the map.
    start_s : float
        Where the start line is, m along the track.

    Returns
    -------
    matplotlib.axes.Axes or None
        The close-up; None where there is no room for it, or nothing to enlarge.
    """
    middle = np.asarray(track.route.position(start_s + _slowest(laps)))[:2]
    reach = 3.5 * float(np.sum(track.route.width(0.0)))
    room = _roomiest_square(axes, shape, unit, near=middle)
    if room is None or reach > 0.6 * room[1]:
        return None
    centre, half = room
    inset = axes.inset_axes(
        (*(centre - half), 2 * half, 2 * half), transform=axes.transData, zorder=7
    )
    inset.set(
        xlim=(middle[0] - reach, middle[0] + reach),
        ylim=(middle[1] - reach, middle[1] + reach),
        xticks=[],
        yticks=[],
        facecolor=GRASS,
    )
    inset.spines[:].set(color=MUTED, linewidth=1.0)
    fill_asphalt(inset, shape, edge=2.0, colour=PALE_ASPHALT)
    for lap, colour in reversed(list(zip(laps, CAR_COLOURS, strict=False))):
        strokes, _ = _strokes(lap)
        strokes = strokes[(np.abs(strokes - middle) < 1.5 * reach).any(axis=(1, 2))]
        lines = LineCollection(list(strokes), colors=colour, linewidths=1.8, capstyle="round")
        inset.add_collection(lines, autolim=False)
    frame = Rectangle((middle[0] - reach, middle[1] - reach), 2 * reach, 2 * reach)
    frame.set(facecolor="none", edgecolor=MUTED, linewidth=1.0, zorder=7)
    axes.add_artist(frame)
    inset.set_title("Lines through the slowest corner", size=8.5, color=INK, pad=4)
    return inset


def _strokes(lap: DrivenLap) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The lap as short strokes, and which of all were kept: not the jumps of a respawn."""
    strokes = np.stack((lap.position[:-1], lap.position[1:]), axis=1)
    length = np.hypot(*(strokes[:, 1] - strokes[:, 0]).T)
    kept = length <= 5.0 + 5.0 * np.quantile(length, 0.9)
    return strokes[kept], kept


def _between(distance: NDArray[np.float64], start: float, end: float) -> NDArray[np.int64]:
    """Rows from the first beyond start to the first beyond end, thinned where they are many."""
    began, ended = distance >= start, distance >= end
    first = int(np.argmax(began)) if began.any() else 0
    last = int(np.argmax(ended)) if ended.any() else distance.size - 1
    count = last - first + 1
    return first + np.linspace(0, count - 1, min(count, POINTS_PER_LAP)).astype(np.int64)


def _slowest(laps: Sequence[DrivenLap]) -> float:
    """Distance (m) at which even the fastest of the laps is slow, ends apart."""
    lead = laps[0]
    # A spin takes a car backwards; interpolation needs distances that only grow.
    speed = np.max(
        [np.interp(lead.distance, np.maximum.accumulate(lap.distance), lap.speed) for lap in laps],
        axis=0,
    )
    brisk = np.flatnonzero(speed >= np.median(speed))
    inside = slice(brisk[0], brisk[-1] + 1)
    return float(lead.distance[inside][np.argmin(speed[inside])])


def _roomiest_square(
    axes: Axes, shape: TrackShape, unit: float, near: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float] | None:
    """Centre (2,) and half side (m) of a free square on the map, if one is large enough.

    Of squares that are as large, it is the one nearest to a point.
    """
    least, most, margin = 52.0, 110.0, 30.0  # points; the margin is for the words beside the track
    low = np.array([axes.get_xlim()[0], axes.get_ylim()[0]])
    high = np.array([axes.get_xlim()[1], axes.get_ylim()[1]])
    x, y = (np.linspace(a, b, 40) for a, b in zip(low, high, strict=True))
    spots = np.column_stack([grid.ravel() for grid in np.meshgrid(x, y)])
    taken = np.concatenate((shape.left[::20], shape.right[::20]))
    to_track = np.abs(spots[:, None] - taken[None]).max(axis=2).min(axis=1)
    to_border = np.minimum(spots - low, high - spots).min(axis=1)
    half = np.minimum(to_track - margin * unit, to_border - 18.0 * unit) / unit
    # The scale bar lies in the lower left corner.
    half[((spots - low) < 150.0 * unit).all(axis=1)] = 0.0
    far = np.hypot(*(spots - near).T) / unit
    best = int(np.argmax(np.minimum(half, most) - 0.01 * far))
    if half[best] < least:
        return None
    return spots[best], float(min(half[best], most)) * unit
