"""How much to slow down for what comes: caution between 0 (none) and 1 (full).

Full caution leaves a small share of the largest speed. Caution comes from a direction that the
follower will have to take, from a target that comes near, and from spinning.
"""

from __future__ import annotations

import math

from numpy import ndarray

from headway._jit import kernel
from headway.follow.progress import ahead
from headway.geometry.angles import wrap_angle
from headway.geometry.curves import curve_point

SAMPLES = 8
"""Points at which an extended look-ahead checks the route's direction."""


@kernel
def cautious_speed(caution: float, max_speed: float, factor: float) -> float:
    """Speed at a caution of 0..1: from `max_speed` down to `factor` times it."""
    caution = min(max(caution, 0.0), 1.0)
    return max_speed * (1.0 - caution * (1.0 - factor))


@kernel
def spin_angle(yaw_rate: float, asked: float, cautious_spin_time: float) -> float:
    """Angle that the yaw rate beyond what the route asks for turns in the given time, rad.

    Turning as the route turns is not a spin, so only what exceeds it counts.
    """
    return max(abs(yaw_rate - asked) - 0.1, 0.0) * cautious_spin_time


@kernel
def speed_for_direction(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    s: float,
    direction: float,
    look_ahead: float,
    braking: float,
    reach: float,
    spin: float,
    max_speed: float,
    factor: float,
    cautious_angle: float,
) -> float:
    """Speed that the route's direction ahead allows.

    Parameters
    ----------
    coefficients, knots : (S, 4, 3) and (8 S + 1,) ndarray
        Curve of the route.
    linear, closed : bool
        How the curve is measured, and whether it leads back to its start.
    s : float
        Progress, m.
    direction : float
        Direction of motion, rad.
    look_ahead : float
        Distance at which the direction must be met by then, m.
    braking : float
        Deceleration that can be counted on beyond the look-ahead, m/s².
    reach : float
        How far ahead to look at most, m; not beyond the look-ahead if it is less.
    spin : float
        Angle that counts for spinning, rad.
    max_speed, factor, cautious_angle : float
        See `cautious_speed`; full caution at `cautious_angle`, rad.

    Returns
    -------
    float
        Speed, m/s.
    """
    length = knots[-1]
    allowed = cautious_speed(spin / cautious_angle, max_speed, factor)
    beyond = max(reach - look_ahead, 0.0)
    for k in range(SAMPLES if beyond > 0.0 else 1):
        extra = beyond * k / (SAMPLES - 1)
        _, _, _, tx, ty, _ = curve_point(
            coefficients, knots, linear, closed, ahead(s, look_ahead + extra, length, closed)
        )
        turn = abs(wrap_angle(math.atan2(ty, tx) - direction))
        there = cautious_speed(turn / cautious_angle, max_speed, factor)
        allowed = min(allowed, math.sqrt(there**2 + 2.0 * braking * extra))
    return allowed


@kernel
def speed_for_distance(
    distance: float,
    spin: float,
    max_speed: float,
    factor: float,
    cautious_angle: float,
    cautious_distance: float,
) -> float:
    """Speed that a target at a distance, m, allows: less and less as it comes near."""
    caution = max((cautious_distance - distance) / cautious_distance, spin / cautious_angle)
    return cautious_speed(caution, max_speed, factor)
