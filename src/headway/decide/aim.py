"""Where to aim: the driver's progress along its line, and how far beside the line to drive."""

from __future__ import annotations

import math

from numpy import ndarray

from headway._jit import kernel
from headway.decide import driver_row as col
from headway.decide import memory as mem
from headway.decide.traffic import HIGH, LOW
from headway.follow.progress import ahead, next_waypoint, step_progress
from headway.geometry.angles import wrap_angle
from headway.geometry.curves import curve_point, project
from headway.geometry.noise import gradient_noise
from headway.world.state import VX, YAW, X, Y

POINT_TO_POINT = 1.0
"""value of PROGRESS"""
STEPPED = 1.0
"""value of PROGRESS_RULE"""
LATERAL_STREAM, THROTTLE_STREAM = 1, 2
"""Streams of noise, so that the two wanders of a car have nothing to do with each other."""
FORESEEN = 3
"""Half seconds beyond the target for which the room on the road is checked as well."""


@kernel
def find_progress(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    waypoint_s: ndarray,
    car: ndarray,
    driver: ndarray,
    memory: ndarray,
) -> None:
    """Bring the driver's progress, offset and next waypoint up to date in its memory."""
    x, y = car[X], car[Y]
    if driver[col.PROGRESS_RULE] == STEPPED:
        share = 1.0 if driver[col.PROGRESS] == POINT_TO_POINT else 0.5
        s, offset = step_progress(
            coefficients, knots, linear, closed, x, y, memory[mem.PROGRESS_S], share
        )
    else:
        window = 2.0 * driver[col.LENGTH] + 0.1 * abs(car[VX])
        s, offset = project(
            coefficients, knots, linear, closed, x, y, memory[mem.PROGRESS_S], window
        )
    memory[mem.PROGRESS_S] = s
    memory[mem.OFFSET] = offset
    if driver[col.PROGRESS] == POINT_TO_POINT:
        memory[mem.WAYPOINT] = next_waypoint(
            coefficients, knots, linear, closed, waypoint_s, x, y,
            int(memory[mem.WAYPOINT]), driver[col.WAYPOINT_RADIUS],
        )  # fmt: skip


@kernel
def lateral_target(
    time: float,
    seed: int,
    identity: int,
    target_s: float,
    speed: float,
    length: float,
    closed: bool,
    room: ndarray,
    step: float,
    dt: float,
    bounds: ndarray,
    driver: ndarray,
    memory: ndarray,
) -> float:
    """Offset to aim for, m left of the line.

    Evasion or else wander, within what the traffic leaves and what the road has room for from
    the target on, moved no faster than the driver moves to the side.

    Parameters
    ----------
    time, dt : float
        Now and the time step, s.
    seed, identity : int
        Seed of the wander, and the car's number.
    target_s, speed : float
        Arc length of the point aimed at, m, and speed, m/s.
    length, closed
        Length of the line, m, and whether it leads back to its start.
    room : (K, 2) ndarray
        Distance from the line to the left and the right edge, m.
    step : float
        Distance between the rows of `room`, m.
    bounds : (3,) ndarray
        What the traffic leaves; see `see_traffic`.
    driver : (DRIVER_WIDTH,) ndarray
        The driver.
    memory : (MEMORY_WIDTH,) ndarray
        The driver's memory; ASIDE is changed in place.

    Returns
    -------
    float
        Offset, m.
    """
    aside, here = memory[mem.EVADE_OFFSET], memory[mem.OFFSET]
    if time >= memory[mem.EVADE_UNTIL]:
        pace = time * driver[col.LATERAL_WANDER_RATE]
        aside = driver[col.LATERAL_WANDER] * gradient_noise(seed, LATERAL_STREAM, identity, pace)
    if bounds[LOW] > bounds[HIGH]:
        aside = here + 0.5 * (bounds[LOW] + bounds[HIGH])
    else:
        aside = min(max(aside, here + bounds[LOW]), here + bounds[HIGH])
    for k in range(FORESEEN, -1, -1):
        soon = ahead(target_s, 0.5 * k * speed, length, closed)
        aside = _within(aside, soon, room, step, driver[col.HALF_WIDTH])
    most = driver[col.LATERAL_SPEED] * dt
    aside = min(max(aside, memory[mem.ASIDE] - most), memory[mem.ASIDE] + most)
    memory[mem.ASIDE] = aside
    return aside


@kernel
def _within(aside: float, s: float, room: ndarray, step: float, half_width: float) -> float:
    """Limit an offset so that the whole car stays on the road; the line itself always counts."""
    row = int(s / step + 0.5) % len(room)
    left = max(room[row, 0] - 1.2 * half_width, 0.0)
    right = max(room[row, 1] - 1.2 * half_width, 0.0)
    return min(max(aside, -right), left)


@kernel
def sight_of(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    s: float,
    target_s: float,
    aside: float,
    car: ndarray,
) -> tuple[float, float, float, float]:
    """See the target from the car, and as one would from the line.

    Parameters
    ----------
    coefficients, knots : (S, 4, 3) and (8 S + 1,) ndarray
        Curve of the line.
    linear, closed : bool
        How the curve is measured, and whether it leads back to its start.
    s, target_s : float
        Progress and arc length of the point aimed at, m.
    aside : float
        Offset of the point aimed at, m left of the line.
    car : (7,) ndarray
        State.

    Returns
    -------
    angle, distance : float
        Angle from the nose to the target, rad, and distance to it, m.
    line_angle, line_distance : float
        The same for a car on the line whose target is on it: a car that keeps to a bend sees the
        target to the side, and there is nothing to correct.
    """
    tx, ty, _, ux, uy, _ = curve_point(coefficients, knots, linear, closed, target_s)
    dx, dy = tx - uy * aside - car[X], ty + ux * aside - car[Y]
    angle = wrap_angle(math.atan2(dy, dx) - car[YAW])
    px, py, _, vx, vy, _ = curve_point(coefficients, knots, linear, closed, s)
    line_distance = math.hypot(tx - px, ty - py)
    line_angle = 0.0
    if line_distance > 0.0:
        line_angle = wrap_angle(math.atan2(ty - py, tx - px) - math.atan2(vy, vx))
    return angle, math.hypot(dx, dy), line_angle, line_distance
