"""How the driving kernels see a driver and its car: one row of numbers, and what is in it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from headway.decide.route_driver import CHOICES, USUAL_LENGTH, RouteDriver
from headway.follow.pid import Gains
from headway.move.car import Car

GAINS_WIDTH = 5
"""A PID law's gains take this many columns, in the order of the fields of `Gains`."""

(
    PROGRESS,
    PROGRESS_RULE,
    WAYPOINT_RADIUS,
    TARGET_OFFSET,
    TARGET_TIME,
    SPEED_OFFSET,
    SPEED_TIME,
    REACTION_TIME,
    REACH_BRAKING_DISTANCE,
    BRAKE_CONDITION,
    MAX_SPEED,
    CAUTIOUS_SPEED_FACTOR,
    CAUTIOUS_ANGLE,
    CAUTIOUS_DISTANCE,
    CAUTIOUS_SPIN_TIME,
    STEERING_LAW,
    STEERING_GAIN,
    YAW_DAMPING,
    SPEED_LAW,
    THROTTLE_GAIN,
    BRAKE_GAIN,
    LATERAL_WANDER,
    LATERAL_WANDER_RATE,
    LATERAL_SPEED,
    THROTTLE_WANDER,
    THROTTLE_WANDER_RATE,
    EVASION_TIME,
    EVASION_SLOWDOWN,
    EVASION_OFFSET,
    STOP_AT_TARGET,
    REACH_RADIUS,
    FOLLOWING_TIME,
    STUCK_TIME,
    # what the driver knows of its car
    WHEELBASE,
    FRONT_AXLE,
    REAR_AXLE,
    LENGTH,
    HALF_WIDTH,
    MAX_WHEEL_ANGLE,
    TOP_SPEED,
    FRONT_PEAK_SLIP,
    REAR_PEAK_SLIP,
    STEERING_GAINS,
) = range(43)
SPEED_GAINS = STEERING_GAINS + GAINS_WIDTH
DRIVER_WIDTH = SPEED_GAINS + GAINS_WIDTH


def driver_row(driver: RouteDriver, car: Car) -> np.ndarray:
    """Lay out a driver and what it knows of its car for the kernels.

    Parameters
    ----------
    driver : RouteDriver
        The driver.
    car : Car
        Its car.

    Returns
    -------
    (DRIVER_WIDTH,) ndarray
        The row.
    """
    if car.length < USUAL_LENGTH:
        driver = driver.scaled(car.length / USUAL_LENGTH)
    values: dict[str, Any] = {each.name: getattr(driver, each.name) for each in fields(driver)}
    for name in ("line", "corner_grip", "brake_grip"):  # these shape the line and its plan
        del values[name]
    values |= {
        name: choices.index(values[name]) for name, choices in CHOICES.items() if name in values
    }
    values |= {
        "max_speed": min(driver.max_speed, car.top_speed),
        "wheelbase": car.wheelbase,
        "front_axle": car.front_axle,
        "rear_axle": car.rear_axle,
        "length": car.length,
        "half_width": 0.5 * car.width,
        "max_wheel_angle": car.max_wheel_angle,
        "top_speed": car.top_speed,
        # four fifths of the slip at which a brush tyre slides all over (Fiala)
        "front_peak_slip": 2.4 * car.front_friction / car.front_stiffness,
        "rear_peak_slip": 2.4 * car.rear_friction / car.rear_stiffness,
    }
    row = np.zeros(DRIVER_WIDTH)
    columns = globals()
    for name, value in values.items():
        column = columns[name.upper()]
        if isinstance(value, Gains):
            row[column : column + GAINS_WIDTH] = list(vars(value).values())
        else:
            row[column] = value
    return row
