"""A quick line through a circuit: the centre line relaxed like a springy strip between the edges.

The strip wants to be as little bent as it can; the edges hold it in. Relaxing it on a coarse set
of points first, then on ever finer ones, lets long bends settle as fast as short ones. The idea
of bending the line until its curvature cannot fall is that of the K1999 path of the TORCS robots
(Coulom, *Apprentissage par renforcement utilisant des réseaux de neurones*, 2002, appendix A).
"""

from __future__ import annotations

import numpy as np

from headway._jit import kernel
from headway.errors import InputError
from headway.world.route import Route
from headway.world.track import Track

COARSEST = 32
SWEEPS = 150
"""Only every 32nd, 16th, ... 1st point is moved in turn, in this many sweeps each."""
HASTE = 1.85
"""Successive over-relaxation: each move goes this much further than to rest (below 2 converges)."""

MOST_POINTS = 1e6


def relaxed_line(track: Track, margin: float, step: float | None = None) -> Route:
    """Bend the centre line as little as the edges allow.

    Parameters
    ----------
    track : Track
        The track; closed or open.
    margin : float
        Room to keep to each edge, m: half the car's width and some more. Where the track is
        narrower than twice this the line stays in the middle.
    step : float, optional
        Distance between the points of the line, m; by default a 500th of the length, within
        0.1 m and 3 m.

    Returns
    -------
    Route
        The line, with the distances to the left and right edges as its widths.

    Raises
    ------
    InputError
        If `margin` is negative or not finite, or `step` is not positive.

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> club = circuit("club")
    >>> line = relaxed_line(club, margin=1.5)
    >>> bool(line.length < club.length)
    True
    """
    if not (np.isfinite(margin) and margin >= 0):
        raise InputError(f"margin is {margin}: give the room to each edge in metres, 0 or more.")
    step = min(max(track.length / 500, 0.1), 3.0) if step is None else step
    if not (np.isfinite(step) and step > 0):
        raise InputError(f"step is {step}: give the distance between points in metres.")
    if track.length / step > MOST_POINTS:
        raise InputError(f"step is {step}: choose at least {track.length / MOST_POINTS:.3g} m.")
    # so many points that the coarse ones, too, are evenly spaced all the way round
    pieces = COARSEST * max(round(track.length / step / COARSEST), 1)
    s = np.arange(pieces if track.closed else pieces + 1) * (track.length / pieces)
    centre = track.route.position(s)
    yaw = track.route.yaw(s)
    normal = np.column_stack((-np.sin(yaw), np.cos(yaw)))
    width = track.route.width(s)
    lowest, highest = _bounds(width, track.route.curvature(s), margin)
    offset = np.clip(np.zeros(len(s)), lowest, highest)
    _relax(
        np.ascontiguousarray(centre[:, :2]), normal, lowest, highest, track.closed, offset, SWEEPS
    )
    points = centre.copy()
    points[:, :2] += offset[:, None] * normal
    room = np.maximum(np.column_stack((width[:, 0] - offset, width[:, 1] + offset)), 1e-3)
    return Route.through(points, closed=track.closed, widths=room)


def _bounds(width: np.ndarray, curvature: np.ndarray, margin: float) -> tuple[np.ndarray, ...]:
    """Lowest and highest offset at each point: within the edges, and short of crossing normals."""
    highest, lowest = width[:, 0] - margin, margin - width[:, 1]
    radius = 0.8 / np.maximum(np.abs(curvature), 1e-9)
    highest = np.where(curvature > 0, np.minimum(highest, radius), highest)
    lowest = np.where(curvature < 0, np.maximum(lowest, -radius), lowest)
    narrow = lowest > highest
    middle = 0.5 * (width[:, 0] - width[:, 1])
    return np.where(narrow, middle, lowest), np.where(narrow, middle, highest)


def _example() -> tuple[object, ...]:
    ring = np.linspace(0.0, 2 * np.pi, 80, endpoint=False)
    centre = 50 * np.column_stack((np.cos(ring), np.sin(ring)))
    return centre, -centre / 50, np.full(80, -3.0), np.full(80, 3.0), True, np.zeros(80), 1


@kernel(example=_example)
def _relax(
    centre: np.ndarray,
    normal: np.ndarray,
    lowest: np.ndarray,
    highest: np.ndarray,
    closed: bool,
    offset: np.ndarray,
    sweeps: int,
) -> None:
    """Move `offset` towards least bending, coarse to fine, in place."""
    count = len(offset)
    skip = COARSEST
    while skip > 1 and count < 8 * skip:
        skip //= 2
    while skip >= 1:
        for _ in range(sweeps):
            first = 0 if closed else 2 * skip
            last = count if closed else count - 2 * skip
            for i in range(first, last, skip):
                offset[i] = _settled(centre, normal, lowest, highest, offset, i, skip)
        if skip > 1:
            _fill_between(offset, lowest, highest, closed, skip)
        skip //= 2


@kernel
def _settled(
    centre: np.ndarray,
    normal: np.ndarray,
    lowest: np.ndarray,
    highest: np.ndarray,
    offset: np.ndarray,
    i: int,
    skip: int,
) -> float:
    """Find the offset of point i at which the fourth difference of the line vanishes."""
    count = len(offset)
    wanted = -6.0 * (centre[i, 0] * normal[i, 0] + centre[i, 1] * normal[i, 1])
    for reach in range(1, 3):
        weight = 4.0 if reach == 1 else -1.0
        for side in range(2):
            j = (i + (reach * skip if side == 0 else -reach * skip)) % count
            x = centre[j, 0] + offset[j] * normal[j, 0]
            y = centre[j, 1] + offset[j] * normal[j, 1]
            wanted += weight * (x * normal[i, 0] + y * normal[i, 1])
    moved = offset[i] + HASTE * (wanted / 6.0 - offset[i])
    return min(max(moved, lowest[i]), highest[i])


@kernel
def _fill_between(
    offset: np.ndarray, lowest: np.ndarray, highest: np.ndarray, closed: bool, skip: int
) -> None:
    """Set the points between every `skip`-th by straight interpolation, within the bounds."""
    count = len(offset)
    for start in range(0, count, skip):
        end = start + skip
        if end >= count:
            if not closed:
                return
            end = count
        for i in range(start + 1, end):
            share = (i - start) / (end - start)
            value = offset[start] * (1.0 - share) + offset[end % count] * share
            offset[i] = min(max(value, lowest[i]), highest[i])
