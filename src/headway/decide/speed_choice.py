"""How fast to go: the driver's brake condition."""

from __future__ import annotations

import math

from numpy import ndarray

from headway._jit import kernel
from headway.decide import driver_row as col
from headway.decide.line import BESIDE, BRAKING, LATERAL, interpolate
from headway.follow.caution import (
    cautious_speed,
    speed_for_direction,
    speed_for_distance,
    spin_angle,
)
from headway.follow.progress import ahead
from headway.follow.speed_profile import limit_at
from headway.world.state import VX, VY, YAW, YAW_RATE

NEVER, DIRECTION, DISTANCE, CORNER = range(4)
"""values of BRAKE_CONDITION"""


@kernel
def wanted_speed(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    s: float,
    offset: float,
    speed: float,
    bend: float,
    need: float,
    distance: float,
    planned: ndarray,
    limits: ndarray,
    step: float,
    car: ndarray,
    driver: ndarray,
) -> float:
    """Choose a speed by the driver's brake condition.

    Parameters
    ----------
    coefficients, knots : (S, 4, 3) and (8 S + 1,) ndarray
        Curve of the line.
    linear, closed : bool
        How the curve is measured, and whether it leads back to its start.
    s, offset, speed : float
        Progress, m; offset from the line, m left; and speed, m/s.
    bend : float
        Curvature of the line just ahead, 1/m.
    need : float
        Curvature that takes the car to its target, 1/m.
    distance : float
        Distance to the target, m.
    planned : (2, K) ndarray
        Planned speed on the line and beside it, m/s.
    limits : (7, LIMIT_SPEEDS) ndarray
        What the car can do; see `car_limits`.
    step : float
        Distance between the columns of `planned`, m.
    car : (7,) ndarray
        State.
    driver : (DRIVER_WIDTH,) ndarray
        The driver.

    Returns
    -------
    float
        Speed, m/s.
    """
    condition = driver[col.BRAKE_CONDITION]
    max_speed, factor = driver[col.MAX_SPEED], driver[col.CAUTIOUS_SPEED_FACTOR]
    spin = abs(car[YAW_RATE]) * driver[col.CAUTIOUS_SPIN_TIME]
    if condition == NEVER:
        return max_speed
    if condition == DISTANCE:
        return speed_for_distance(
            distance, spin, max_speed, factor,
            driver[col.CAUTIOUS_ANGLE], driver[col.CAUTIOUS_DISTANCE],
        )  # fmt: skip
    if condition == DIRECTION:
        braking = 0.5 * limit_at(speed, limits, BRAKING, driver[col.TOP_SPEED])
        look_ahead = driver[col.SPEED_OFFSET] + driver[col.SPEED_TIME] * speed
        reach = speed**2 / (2.0 * braking) if driver[col.REACH_BRAKING_DISTANCE] == 1.0 else 0.0
        # a car that hardly moves has no direction of motion: its nose stands in for it
        slip = math.atan2(car[VY], car[VX]) if speed > 0.1 * max_speed else 0.0
        return speed_for_direction(
            coefficients, knots, linear, closed, s, car[YAW] + slip, look_ahead, braking, reach,
            spin, max_speed, factor, driver[col.CAUTIOUS_ANGLE],
        )  # fmt: skip
    soon = ahead(s, driver[col.REACTION_TIME] * speed, knots[-1], closed)
    wanted = _corner_speed(soon, offset, speed, need, planned, limits, step, driver)
    spin = spin_angle(car[YAW_RATE], speed * bend, driver[col.CAUTIOUS_SPIN_TIME])
    caution = min(spin / driver[col.CAUTIOUS_ANGLE], 1.0)
    return cautious_speed(caution, min(wanted, max_speed), factor)


@kernel
def _corner_speed(
    soon: float,
    offset: float,
    speed: float,
    need: float,
    planned: ndarray,
    limits: ndarray,
    step: float,
    driver: ndarray,
) -> float:
    """Speed planned for the bends, less beside the line, and for the way back to it."""
    beside = min(abs(offset) / (2.0 * BESIDE * driver[col.HALF_WIDTH]), 1.0)
    on_line, beside_line = interpolate(planned[0], soon, step), interpolate(planned[1], soon, step)
    wanted = on_line * (1.0 - beside) + beside_line * beside
    grip = limit_at(speed, limits, LATERAL, driver[col.TOP_SPEED])
    return min(wanted, math.sqrt(grip / max(abs(need), 1e-6)))


@kernel
def needed_curvature(sight: tuple[float, float, float, float], bend: float, car: ndarray) -> float:
    """Curvature that takes a car to its target: the line's, and more (or less) from beside it.

    Parameters
    ----------
    sight : tuple of four float
        How the target is seen; see `sight_of`.
    bend : float
        Curvature of the line just ahead, 1/m.
    car : (7,) ndarray
        State.

    Returns
    -------
    float
        1/m, positive to the left.
    """
    angle, distance, line_angle, line_distance = sight
    course = angle - (math.atan2(car[VY], car[VX]) if car[VX] > 3.0 else 0.0)
    if abs(course) > 1.0 or min(distance, line_distance) <= 0.0:
        return bend
    return bend + 2.0 * math.sin(course) / distance - 2.0 * math.sin(line_angle) / line_distance
