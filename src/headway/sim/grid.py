"""Where cars stand at the start: two by two behind the line, each a little behind its neighbour."""

from __future__ import annotations

import numpy as np

from headway.errors import InputError
from headway.world.state import STATE_WIDTH, VX, YAW, X, Y
from headway.world.track import Track

SPACING = 1.75
"""Distance from one slot to the next, in lengths of the longest car."""
ROLLING_SPACING = 3.0


def start_line(track: Track, count: int, longest: float, rolling: bool) -> float:
    """Arc length of the start line: 0 on a closed track, past the grid on an open one, m."""
    return 0.0 if track.closed else grid_depth(count, longest, rolling) + longest


def grid_depth(count: int, longest: float, rolling: bool) -> float:
    """Length of road that a grid takes, m."""
    return count * longest * (ROLLING_SPACING if rolling else SPACING)


def grid(
    track: Track,
    slots: np.ndarray,
    count: int,
    longest: float,
    widest: float,
    rolling_speed: float | None,
) -> np.ndarray:
    """Place cars on their slots behind the start line.

    Parameters
    ----------
    track : Track
        The track.
    slots : (N,) ndarray of int64
        Slot of each car, 0 in front.
    count : int
        Slots of the grid.
    longest, widest : float
        Size of the largest car, m.
    rolling_speed : float or None
        Speed of a rolling start, m/s; None for a standing one.

    Returns
    -------
    (N, 7) ndarray
        States of the cars.

    Raises
    ------
    InputError
        If the grid takes up more than the road there is, or the road is too narrow for a car.
    """
    rolling = rolling_speed is not None
    depth = grid_depth(count, longest, rolling)
    if depth > 0.9 * track.length:
        raise InputError(
            f"{count} cars need {depth:.0f} m of grid but {track.name} is only "
            f"{track.length:.0f} m long: start fewer cars."
        )
    track.validate(widest)
    spacing = longest * (ROLLING_SPACING if rolling else SPACING)
    line = start_line(track, count, longest, rolling)
    s = track.route.wrap(line - 0.6 * longest - slots * spacing)
    width = track.route.width(s)
    # half-way between the line and each edge, or less where that leaves no room beside the car
    aside = np.minimum(0.5 * width, np.maximum(width - 0.75 * widest, 0.0))
    offset = np.where(slots % 2 == 0, aside[:, 0], -aside[:, 1])
    yaw = track.route.yaw(s)
    position = track.route.position(s)
    cars = np.zeros((len(slots), STATE_WIDTH))
    cars[:, X] = position[:, 0] - offset * np.sin(yaw)
    cars[:, Y] = position[:, 1] + offset * np.cos(yaw)
    cars[:, YAW] = yaw
    cars[:, VX] = rolling_speed or 0.0
    return cars
