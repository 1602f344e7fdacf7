"""The CommonRoad kinematic (KS) and single-track (ST) models, as rates of change.

They are the benchmark's models, here for comparison: tyres are linear, and the inputs are the
rate of the wheel angle and the longitudinal acceleration. To race, use
:mod:`headway.move.single_track`, whose tyres saturate.

Source: M. Althoff and G. Würsching, "CommonRoad: Vehicle Models", TU München, 2020.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.move.commonroad_sets import (
    ACCELERATION_MAX,
    BMW_320I,
    FRONT_AXLE,
    MASS,
    PEAK_FRICTION,
    REAR_AXLE,
    SPEED_MAX,
    SPEED_MIN,
    SPRUNG_HEIGHT,
    STEER_MAX,
    STEER_MIN,
    STEER_RATE_MAX,
    STEER_RATE_MIN,
    STIFFNESS,
    SWITCH_SPEED,
    YAW_INERTIA,
    CommonRoadSet,
)
from headway.move.rows import as_rows, count_rows, require_finite

GRAVITY = 9.81
SLOW = 0.1
"""Below this speed (m/s) the single-track model rolls without slip."""

X, Y, STEER, SPEED, YAW, YAW_RATE, SLIP = range(7)
"""Columns of a CommonRoad state, which differ from those of :mod:`headway.world.state`."""


@kernel
def _steer_rate(angle: float, rate: float, p: NDArray) -> float:
    """Limit the rate of the wheel angle, to zero at the stops."""
    if (angle <= p[STEER_MIN] and rate <= 0) or (angle >= p[STEER_MAX] and rate >= 0):
        return 0.0
    return min(max(rate, p[STEER_RATE_MIN]), p[STEER_RATE_MAX])


@kernel
def _longitudinal(speed: float, wanted: float, p: NDArray) -> float:
    """Limit the acceleration: by grip, above the switching speed by power, at the end speeds."""
    if (speed <= p[SPEED_MIN] and wanted <= 0) or (speed >= p[SPEED_MAX] and wanted >= 0):
        return 0.0
    most = p[ACCELERATION_MAX]
    if speed > p[SWITCH_SPEED]:
        most *= p[SWITCH_SPEED] / speed
    return min(max(wanted, -p[ACCELERATION_MAX]), most)


@kernel(example=lambda: (np.zeros((1, 5)), np.zeros((1, 2)), BMW_320I.vector(), np.empty((1, 5))))
def _kinematic(states: NDArray, inputs: NDArray, p: NDArray, out: NDArray) -> None:
    base = p[FRONT_AXLE] + p[REAR_AXLE]
    for i in range(len(states)):
        speed = states[i, SPEED]
        steer = states[i, STEER]
        out[i, X] = speed * math.cos(states[i, YAW])
        out[i, Y] = speed * math.sin(states[i, YAW])
        out[i, STEER] = _steer_rate(steer, inputs[i, 0], p)
        out[i, SPEED] = _longitudinal(speed, inputs[i, 1], p)
        out[i, YAW] = speed / base * math.tan(steer)


@kernel
def _rolling_rates(
    speed: float, steer: float, slip: float, rate: float, acceleration: float, p: NDArray
) -> tuple[float, float]:
    """Rates of yaw rate and slip angle of a car that rolls without slip."""
    base = p[FRONT_AXLE] + p[REAR_AXLE]
    tangent = math.tan(steer)
    secant2 = 1 + tangent * tangent
    lever = p[REAR_AXLE] / base
    # The square of tan² (not of tan) stands in the published model.
    slip_rate = lever * rate * secant2 / (1 + (tangent * tangent * lever) ** 2)
    turning = acceleration * math.cos(slip) - speed * math.sin(slip) * slip_rate
    return (turning * tangent + speed * math.cos(slip) * rate * secant2) / base, slip_rate


@kernel(example=lambda: (np.zeros((1, 7)), np.zeros((1, 2)), BMW_320I.vector(), np.empty((1, 7))))
def _single_track(states: NDArray, inputs: NDArray, p: NDArray, out: NDArray) -> None:
    lf = p[FRONT_AXLE]
    lr = p[REAR_AXLE]
    base = lf + lr
    for i in range(len(states)):
        steer = states[i, STEER]
        speed = states[i, SPEED]
        yaw = states[i, YAW]
        r = states[i, YAW_RATE]
        slip = states[i, SLIP]
        rate = _steer_rate(steer, inputs[i, 0], p)
        acceleration = _longitudinal(speed, inputs[i, 1], p)
        course = slip
        out[i, STEER] = rate
        out[i, SPEED] = acceleration
        if abs(speed) < SLOW:
            course = math.atan(math.tan(steer) * lr / base)
            out[i, YAW] = speed * math.cos(course) * math.tan(steer) / base
            out[i, YAW_RATE], out[i, SLIP] = _rolling_rates(
                speed, steer, slip, rate, acceleration, p
            )
        else:
            shift = acceleration * p[SPRUNG_HEIGHT]
            grip = p[PEAK_FRICTION] * p[STIFFNESS] / base
            front = grip * (GRAVITY * lr - shift) * (steer - slip - lf * r / speed)
            rear = grip * (GRAVITY * lf + shift) * (lr * r / speed - slip)
            out[i, YAW] = r
            out[i, YAW_RATE] = p[MASS] / p[YAW_INERTIA] * (lf * front - lr * rear)
            out[i, SLIP] = (front + rear) / speed - r
        out[i, X] = speed * math.cos(course + yaw)
        out[i, Y] = speed * math.sin(course + yaw)


def _checked(states: ArrayLike, inputs: ArrayLike, width: int) -> tuple[NDArray, NDArray]:
    count = count_rows("states", states)
    rows = as_rows("states", states, (count, width))
    commands = as_rows("inputs", inputs, (count, 2))
    require_finite("states", rows)
    require_finite("inputs", commands)
    return rows, commands


def kinematic_derivative(
    states: ArrayLike, inputs: ArrayLike, vehicle: CommonRoadSet
) -> NDArray[np.float64]:
    """Rates of the kinematic single-track model (KS); the reference point is the rear axle.

    Parameters
    ----------
    states : (N, 5) array_like
        x, y (m), wheel angle (rad), speed (m/s), yaw (rad).
    inputs : (N, 2) array_like
        Rate of the wheel angle (rad/s), longitudinal acceleration (m/s²).
    vehicle : CommonRoadSet
        Its parameters.

    Returns
    -------
    (N, 5) array
        Rates of the states.

    Raises
    ------
    InputError
        If shapes do not agree or a value is not finite.

    Examples
    --------
    >>> kinematic_derivative([[0.0, 0, 0, 10, 0]], [[0.1, 2.0]], BMW_320I).round(3).tolist()
    [[10.0, 0.0, 0.1, 2.0, 0.0]]
    """
    rows, commands = _checked(states, inputs, 5)
    rates = np.empty_like(rows)
    _kinematic(rows, commands, vehicle.vector(), rates)
    return rates


def single_track_derivative(
    states: ArrayLike, inputs: ArrayLike, vehicle: CommonRoadSet
) -> NDArray[np.float64]:
    """Rates of the single-track model (ST); the reference point is the centre of gravity.

    Parameters
    ----------
    states : (N, 7) array_like
        x, y (m), wheel angle (rad), speed (m/s), yaw (rad), yaw rate (rad/s), slip angle (rad).
    inputs : (N, 2) array_like
        Rate of the wheel angle (rad/s), longitudinal acceleration (m/s²).
    vehicle : CommonRoadSet
        Its parameters.

    Returns
    -------
    (N, 7) array
        Rates of the states.

    Raises
    ------
    InputError
        If shapes do not agree, a value is not finite, or the vehicle has no mass (the truck).

    Examples
    --------
    >>> state = [[0.0, 0, 0, 15, 0, 0, 0]]
    >>> single_track_derivative(state, [[0.0, 1.0]], BMW_320I).round(3).tolist()
    [[15.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]
    """
    if not math.isfinite(vehicle.mass):
        raise InputError("vehicle has no published mass: use kinematic_derivative for it.")
    rows, commands = _checked(states, inputs, 7)
    rates = np.empty_like(rows)
    _single_track(rows, commands, vehicle.vector(), rates)
    return rates
