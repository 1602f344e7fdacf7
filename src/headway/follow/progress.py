"""How far along its route a follower is, and which point of it comes next.

Two styles. *Smooth*: the target runs ahead on the route at a look-ahead distance. *Point to
point*: the target is the next waypoint until that is reached or passed. And two rules for the
progress itself: the follower's position projected onto the route near where it was last, or the
stepped rule of games, which moves the last progress forward by half the distance to the follower
whenever that is ahead (and so never back, and too far when the follower is off to the side).
"""

from __future__ import annotations

import math

from numpy import ndarray

from headway._jit import kernel
from headway.geometry.curves import curve_point


@kernel
def step_progress(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    x: float,
    y: float,
    s: float,
    share: float,
) -> tuple[float, float]:
    """Progress by the stepped rule: `share` is 0.5 for smooth progress, 1 from point to point."""
    px, py, _, tx, ty, _ = curve_point(coefficients, knots, linear, closed, s)
    dx, dy = x - px, y - py
    if dx * tx + dy * ty > 0.0:
        s += share * math.hypot(dx, dy)
    length = knots[-1]
    s = s % length if closed else min(s, length)
    return s, tx * dy - ty * dx


@kernel
def next_waypoint(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    waypoint_s: ndarray,
    x: float,
    y: float,
    waypoint: int,
    radius: float,
) -> int:
    """Index of the waypoint to aim at: the next one once this one is reached or passed.

    Passed means beyond the line across the route at the waypoint, within three radii of it, so
    that a follower which misses the circle does not turn back for it.
    """
    px, py, _, tx, ty, _ = curve_point(coefficients, knots, linear, closed, waypoint_s[waypoint])
    dx, dy = x - px, y - py
    distance = math.hypot(dx, dy)
    passed = dx * tx + dy * ty > 0.0 and distance < 3.0 * radius
    if distance >= radius and not passed:
        return waypoint
    if closed:
        return (waypoint + 1) % len(waypoint_s)
    return min(waypoint + 1, len(waypoint_s) - 1)


@kernel
def ahead(s: float, distance: float, length: float, closed: bool) -> float:
    """Arc length `distance` further on: around a closed route, up to the end of an open one."""
    return (s + distance) % length if closed else min(max(s + distance, 0.0), length)
