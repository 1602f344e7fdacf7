"""A lap of our driver against the best racing lines that other programs found.

For each track of a folder of real ones that has reference lines, a single car drives two laps
from a standing start, and the second is compared with the best that its line allows: the lap time
of a car that follows a line exactly and uses all the grip, drive and brakes it has at every
point (quasi-steady state; see `headway.follow.speed_profile`). A line is laid through the given
points by a periodic cubic spline over their distances and sampled every metre.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from headway.bench.headline import Figure, failed, skipped
from headway.bench.tracks import reference_lines, track_files
from headway.decide.line import car_limits
from headway.errors import FileError, HeadwayError
from headway.follow.speed_profile import lap_time, speed_profile
from headway.move.car import Car, car
from headway.sim.race import Race
from headway.sim.run import run
from headway.world.circuit_files import read_track, read_waypoints
from headway.world.track import Track

VEHICLE = "reference"
BOUND = 1.30
STEP = 1.0
"""Distance at which a line is sampled, m."""


def figures(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    """Compare a flying lap with the best reference lap, on each track that has one.

    Yields
    ------
    Figure
        The ratio of the two.
    """
    target = f"≤ {BOUND:.2f} x, on the road"
    for file in track_files("tum*"):
        lines = reference_lines(file.stem)
        if not lines:
            continue
        say(f"flying lap of {file.stem}")
        try:
            yield _compare(read_track(file), lines, target)
        except HeadwayError as error:
            reason = error.problem if isinstance(error, FileError) else str(error)
            yield failed(file.stem, target, reason)
    if not track_files("tum*"):
        yield skipped("flying laps", "no real tracks here; HEADWAY_DATA names their folder")


def _compare(track: Track, lines: dict[str, Path], target: str) -> Figure:
    laps = {
        tool: ideal_lap(read_waypoints(file, closed=True).waypoints, car(VEHICLE))
        for tool, file in lines.items()
    }
    tool = min(laps, key=laps.__getitem__)
    result = run(Race(track, cars=1, laps=2, vehicle=VEHICLE, driver="racer"))
    driven = float(result.lap_times[0, 1])
    off_track = result.standings[0].off_track
    ratio = driven / laps[tool]
    if not np.isfinite(ratio):
        return failed(track.name, target, f"the car did not finish: {result.standings[0].reason}")
    measured = f"{ratio:.3f} x ({driven:.2f} s to {laps[tool]:.2f} s of {tool})"
    return Figure(
        track.name,
        measured + (f", off the road {off_track} times" if off_track else ""),
        target,
        bool(ratio <= BOUND and off_track == 0),
        {"value": ratio, "bound": BOUND, "lap_s": driven, "off_track": off_track,
         "reference_laps_s": laps, "best_reference": tool},
    )  # fmt: skip


def ideal_lap(points: np.ndarray, driven: Car) -> float:
    """Return the time of the fastest lap that follows a closed line exactly.

    Parameters
    ----------
    points : (M, 2) ndarray
        The line, m; it leads from the last point back to the first.
    driven : Car
        The car.

    Returns
    -------
    float
        Lap time, s.

    Examples
    --------
    A circle of 50 m radius at 12 m/s² of grip, driven at sqrt(50 x 12) = 24.5 m/s:

    >>> angle = np.linspace(0.0, 2.0 * np.pi, 100, endpoint=False)
    >>> circle = 50.0 * np.column_stack((np.cos(angle), np.sin(angle)))
    >>> round(ideal_lap(circle, car("reference")), 2)
    12.83
    """
    curvature, step = line_curvature(points)
    speed = speed_profile(curvature, step, car_limits(driven)[:3], driven.top_speed)
    return lap_time(speed, step)


def line_curvature(points: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the curvature of a closed line at equally spaced points, and their distance.

    Parameters
    ----------
    points : (M, 2) ndarray
        The line, m.

    Returns
    -------
    curvature : (K,) ndarray
        Left positive, 1/m.
    step : float
        Distance between the points along the line, about 1 m.
    """
    around = np.vstack((points, points[:1]))
    chords = np.hypot(*np.diff(around, axis=0).T)
    place = np.concatenate(([0.0], np.cumsum(chords)))
    spline = CubicSpline(place, around, bc_type="periodic")
    fine = np.linspace(0.0, place[-1], 20 * len(points) + 1)
    rate = np.hypot(*spline(fine, 1).T)
    length = np.concatenate(([0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(fine))))
    count = int(np.ceil(length[-1] / STEP))
    at = np.interp(np.arange(count) * length[-1] / count, length, fine)
    (dx, dy), (ddx, ddy) = spline(at, 1).T, spline(at, 2).T
    return (dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3, float(length[-1] / count)
