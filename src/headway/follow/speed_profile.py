"""The fastest speed along a line for a car of limited grip, drive and brakes.

Three steps: the speed at which each bend alone uses up the grip; forwards, no faster than the
drive allows; backwards, no faster than the brakes can still take off before the next bend. Grip
is shared between turning and braking or driving by a circle. Source: the quasi-steady-state lap
simulation of Brayshaw and Harrison, *A quasi steady state approach to race car lap simulation*,
Proc. IMechE D 219 (2005).
"""

from __future__ import annotations

import math

import numpy as np

from headway._jit import kernel
from headway.errors import InputError

LIMIT_SPEEDS = 64
"""How many speeds, equally spaced from 0 to the top speed, the limits of a car are sampled at."""


def speed_profile(
    curvature: np.ndarray,
    step: float,
    limits: np.ndarray,
    top_speed: float,
    closed: bool = True,
    start_speed: float | None = None,
) -> np.ndarray:
    """Compute the fastest speed at each point of a line.

    Parameters
    ----------
    curvature : (K,) ndarray
        Signed curvature at equally spaced points of the line, 1/m.
    step : float
        Distance between the points, m.
    limits : (3, LIMIT_SPEEDS) ndarray
        Largest lateral, braking and driving acceleration (m/s², all positive, each as if used
        alone) at speeds equally spaced from 0 to `top_speed`.
    top_speed : float
        Largest speed, m/s.
    closed : bool
        Whether the line leads back to its start.
    start_speed : float, optional
        Speed at the first point of an open line, m/s; by default what the line allows.

    Returns
    -------
    (K,) ndarray
        Speed, m/s.

    Raises
    ------
    InputError
        If an argument has the wrong shape or is not finite and positive.

    Examples
    --------
    A circle of 50 m radius, with 8 m/s² of grip, is driven at sqrt(8 x 50) = 20 m/s:

    >>> limits = np.full((3, LIMIT_SPEEDS), 8.0)
    >>> speed_profile(np.full(100, 1 / 50), 3.14, limits, top_speed=60.0).round(3)[:3]
    array([20., 20., 20.])
    """
    curvature = np.ascontiguousarray(curvature, dtype=np.float64)
    limits = np.ascontiguousarray(limits, dtype=np.float64)
    if curvature.ndim != 1 or not len(curvature) or not np.isfinite(curvature).all():
        raise InputError("curvature must be a row of finite numbers, one per point of the line.")
    if limits.shape != (3, LIMIT_SPEEDS) or not (np.isfinite(limits) & (limits >= 0)).all():
        raise InputError(f"limits must be a (3, {LIMIT_SPEEDS}) array of numbers, 0 or more.")
    for name, value in (("step", step), ("top_speed", top_speed)):
        if not (math.isfinite(value) and value > 0):
            raise InputError(f"{name} is {value}: give a finite number above 0.")
    if start_speed is not None and not (math.isfinite(start_speed) and start_speed >= 0):
        raise InputError(f"start_speed is {start_speed}: give a finite number, 0 or more.")
    speed = np.empty(len(curvature))
    first = -1.0 if closed or start_speed is None else float(start_speed)
    _profile(curvature, float(step), limits, float(top_speed), bool(closed), first, speed)
    return speed


def lap_time(speed: np.ndarray, step: float, closed: bool = True) -> float:
    """Time to drive a line at given speeds.

    Parameters
    ----------
    speed : (K,) ndarray
        Speed at equally spaced points, m/s, positive.
    step : float
        Distance between the points, m.
    closed : bool
        Whether the way from the last point back to the first counts.

    Returns
    -------
    float
        Time, s.

    Examples
    --------
    >>> lap_time(np.full(100, 20.0), step=10.0)
    50.0
    """
    pairs = speed + np.roll(speed, -1)
    return float(np.sum(2.0 * step / (pairs if closed else pairs[:-1])))


def _example() -> tuple[object, ...]:
    return (
        np.full(20, 0.01),
        1.0,
        np.full((3, LIMIT_SPEEDS), 8.0),
        50.0,
        True,
        -1.0,
        np.empty(20),
    )


@kernel(example=_example)
def _profile(
    curvature: np.ndarray,
    step: float,
    limits: np.ndarray,
    top_speed: float,
    closed: bool,
    first: float,
    speed: np.ndarray,
) -> None:
    count = len(curvature)
    start = 0  # of a closed line the slowest bend: nothing slows it, so one round from there does
    for i in range(count):
        speed[i] = _corner_speed(abs(curvature[i]), limits, top_speed)
        if closed and speed[i] < speed[start]:
            start = i
    if first >= 0.0:
        speed[0] = min(speed[0], first)
    pairs = count if closed else count - 1
    for k in range(pairs):
        i, j = (start + k) % count, (start + k + 1) % count
        gain = 2.0 * step * _spare(speed[i], curvature[i], limits, 2, top_speed)
        speed[j] = min(speed[j], math.sqrt(speed[i] ** 2 + gain))
    for k in range(pairs, 0, -1):
        i, j = (start + k) % count, (start + k - 1) % count
        loss = 2.0 * step * _spare(speed[i], curvature[j], limits, 1, top_speed)
        speed[j] = min(speed[j], math.sqrt(speed[i] ** 2 + loss))


@kernel
def limit_at(speed: float, limits: np.ndarray, row: int, top_speed: float) -> float:
    """Interpolate one limit of a car (row 0 lateral, 1 braking, 2 driving) at a speed."""
    last = limits.shape[1] - 1
    place = min(max(speed / top_speed, 0.0), 1.0) * last
    index = min(int(place), last - 1)
    share = place - index
    return limits[row, index] * (1.0 - share) + limits[row, index + 1] * share


@kernel
def _corner_speed(curvature: float, limits: np.ndarray, top_speed: float) -> float:
    """Find the speed at which a bend takes all the lateral grip, by bisection.

    Grip may grow with speed (downforce), so there is no closed form for every car.
    """
    if curvature * top_speed**2 <= limit_at(top_speed, limits, 0, top_speed):
        return top_speed
    low, high = 0.0, top_speed
    for _ in range(40):
        middle = 0.5 * (low + high)
        if curvature * middle**2 <= limit_at(middle, limits, 0, top_speed):
            low = middle
        else:
            high = middle
    return low


@kernel
def _spare(speed: float, curvature: float, limits: np.ndarray, row: int, top_speed: float) -> float:
    """Acceleration left for braking (row 1) or driving (row 2) beside the turning."""
    grip = limit_at(speed, limits, 0, top_speed)
    used = min(abs(curvature) * speed**2 / grip, 1.0) if grip > 0.0 else 1.0
    share = math.sqrt(1.0 - used**2)
    if row == 1:
        return share * limit_at(speed, limits, 1, top_speed)
    return min(share * grip, limit_at(speed, limits, 2, top_speed))
