"""What a driver follows: a route, sampled at equal steps for quick look-up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headway._jit import kernel
from headway.decide.route_driver import RouteDriver
from headway.errors import InputError
from headway.follow.speed_profile import LIMIT_SPEEDS, speed_profile
from headway.geometry.angles import wrap_angles
from headway.move.car import Car
from headway.plan.racing_line import relaxed_line
from headway.world.route import Route
from headway.world.track import Track

MARGIN = 0.35
"""Room between the car on the racing line and the edge, as a share of the car's width."""

# rows of the limits of a car
LATERAL, BRAKING, DRIVING, BRAKE_PEDAL, THROTTLE_PEDAL, DRAG, TRACTION = range(7)

BESIDE = 1.2
"""Distance from the line, in car widths, at which speeds are planned as for beside it."""
BESIDE_GRIP = 0.85


@dataclass(frozen=True)
class Line:
    """A route to follow, with the tables that the driving kernels read.

    Parameters
    ----------
    route : Route
        The route, with the distances to the track's edges as its widths.
    step : float
        Distance between the rows of the tables, m.
    room : (K, 2) ndarray
        Distance to the left and the right edge, m.
    curvature : (K,) ndarray
        Signed curvature over two steps, 1/m.
    waypoint_s : (M,) ndarray
        Arc length of each waypoint, m.
    """

    route: Route
    step: float
    room: np.ndarray
    curvature: np.ndarray
    waypoint_s: np.ndarray


def line_for(track: Track, driver: RouteDriver, car: Car) -> Line:
    """Choose the line that a driver follows on a track with its car."""
    if driver.line == "racing":
        return sampled(relaxed_line(track, margin=car.width * (0.5 + MARGIN)))
    if driver.line == "centre":
        return sampled(track.route)
    route = track.route
    return sampled(
        Route.through(
            route.waypoints,
            closed=route.closed,
            smooth=route.smooth,
            parametrisation="chord",
            widths=route.widths,
        )
    )


def sampled(route: Route) -> Line:
    """Sample a route that has widths.

    Raises
    ------
    InputError
        If the route has no widths.
    """
    if route.widths is None:
        raise InputError("the route has no widths: give the distances to the edges of the road.")
    count = max(int(np.ceil(route.length / min(max(route.length / 1500, 0.05), 2.0))), 8)
    step = route.length / count
    s = np.arange(count if route.closed else count + 1) * step
    before, after = s - step, s + step
    if not route.closed:
        before, after = np.maximum(before, 0.0), np.minimum(after, route.length)
    turn = wrap_angles(route.yaw(after) - route.yaw(before))
    return Line(
        route=route,
        step=step,
        room=np.ascontiguousarray(route.width(s)),
        curvature=turn / (after - before),
        waypoint_s=route.waypoint_s,
    )


def car_limits(car: Car) -> np.ndarray:
    """Sample what a car can do over its speeds.

    Returns
    -------
    (7, LIMIT_SPEEDS) ndarray
        Lateral, braking and driving acceleration that grip, brakes, power and drag allow; then
        the deceleration of the full brake pedal, the acceleration of the full throttle, the drag,
        and the acceleration that the driven wheels can put down; m/s², at speeds equally spaced
        from 0 to the top speed.
    """
    speed = np.linspace(0.0, car.top_speed, LIMIT_SPEEDS)
    drag = car.drag * speed**2 / car.mass + car.rolling_resistance
    return np.ascontiguousarray(
        np.stack(
            (
                car.corner_acceleration(speed),
                car.brake_deceleration(speed),
                np.maximum(car.drive_acceleration(speed), 0.0),
                np.full_like(speed, car.max_brake_force / car.mass),
                car.drive_force(speed) / car.mass,
                drag,
                car.traction(speed),
            )
        )
    )


def planned_speed(
    line: Line, driver: RouteDriver, limits: np.ndarray, top_speed: float, aside: float = 0.0
) -> np.ndarray:
    """Speed along the line that the driver plans with: its shares of the car's grip.

    With `aside`, m, for a car that is that far beside the line, where each bend may be tighter by
    as much and grip is needed to come back.
    """
    shares = np.array([driver.corner_grip, driver.brake_grip, 1.0])
    bend = line.curvature
    if aside > 0.0:
        bend = bend / (1.0 - np.minimum(np.abs(bend) * aside, 0.4))
        shares[:2] *= BESIDE_GRIP
    return speed_profile(
        bend,
        line.step,
        limits[:3] * shares[:, None],
        min(driver.max_speed, top_speed),
        line.route.closed,
    )


@kernel
def interpolate(values: np.ndarray, s: float, step: float) -> float:
    """Interpolate a table of a line; past its end it starts anew, which only closed lines do."""
    place = s / step
    row = int(place)
    share = place - row
    count = len(values)
    return values[row % count] * (1.0 - share) + values[(row + 1) % count] * share
