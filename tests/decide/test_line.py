from __future__ import annotations

import math

import numpy as np
import pytest

from headway.decide.line import (
    BESIDE_GRIP,
    Line,
    car_limits,
    interpolate,
    line_for,
    planned_speed,
    sampled,
)
from headway.decide.route_driver import RouteDriver
from headway.errors import InputError
from headway.follow.speed_profile import LIMIT_SPEEDS
from headway.move.car import CARS
from headway.move.single_track import step_cars
from headway.world.circuits import circuit
from headway.world.route import Route
from headway.world.track import Track


def ring(radius: float = 60.0) -> Track:
    angle = np.arange(90) * 2 * math.pi / 90
    return Track.from_arrays(radius * np.column_stack((np.cos(angle), np.sin(angle))), 4.0, 6.0)


def bend() -> Track:
    """An open road: straight, a quarter turn to the left of 40 m, straight."""
    arc = np.linspace(0, math.pi / 2, 15)[1:-1]
    points = np.concatenate(
        (
            np.column_stack((np.linspace(-150, 0, 31), np.zeros(31))),
            np.column_stack((40 * np.sin(arc), 40 * (1 - np.cos(arc)))),
            np.column_stack((np.full(31, 40.0), np.linspace(40, 190, 31))),
        )
    )
    return Track.from_arrays(points, 5.0, 5.0, closed=False)


# ---------------------------------------------------------------------------------------------
# Tables


@pytest.mark.parametrize("track", [ring(), bend(), circuit("club")])
def test_tables_stand_at_equal_steps_over_the_whole_line(track):
    line = sampled(track.route)
    rows = len(line.curvature)
    assert rows == len(line.room)
    steps = rows if track.closed else rows - 1
    assert steps * line.step == pytest.approx(track.length)
    assert line.step <= 2.0
    s = np.arange(rows) * line.step
    assert line.room == pytest.approx(track.route.width(np.minimum(s, track.length)), abs=1e-9)


def test_the_curvature_of_a_ring():
    line = sampled(ring(60.0).route)
    assert line.curvature == pytest.approx(1 / 60, rel=0.02)
    back = sampled(ring(60.0).reversed().route)
    assert back.curvature == pytest.approx(-1 / 60, rel=0.02)


@pytest.mark.parametrize("track", [bend(), circuit("club"), circuit("hillclimb")])
def test_the_curvature_adds_up_to_the_turn(track):
    line = sampled(track.route)
    s = np.linspace(0, track.length, 20_001)
    turned = np.unwrap(track.route.yaw(s[:-1] if track.closed else s))
    total = turned[-1] - turned[0]
    inside = line.curvature if track.closed else line.curvature[1:-1]
    assert inside.sum() * line.step == pytest.approx(total, abs=0.05)


def test_the_ends_of_an_open_line_do_not_know_each_other():
    line = sampled(bend().route)
    assert line.curvature[[0, -1]] == pytest.approx(0.0, abs=1e-6)


def test_waypoints_stand_where_they_are():
    for track in (ring(), bend()):
        line = sampled(track.route)
        at = line.route.position(line.waypoint_s)
        assert at == pytest.approx(track.route.waypoints, abs=1e-6)


def test_a_line_needs_widths():
    with pytest.raises(InputError, match="widths"):
        sampled(Route.through([(0, 0), (50, 0)], closed=False))


# ---------------------------------------------------------------------------------------------
# Which line


def test_the_centre_line_is_the_tracks():
    track = circuit("club")
    line = line_for(track, RouteDriver(line="centre"), CARS["road"])
    assert line.route is track.route


def test_the_racing_line_leaves_the_car_its_width():
    track, car = circuit("club"), CARS["gt"]
    line = line_for(track, RouteDriver(line="racing"), car)
    assert line.route.length < track.length
    assert line.room.min() > 0.5 * car.width
    assert np.abs(line.curvature).max() < np.abs(sampled(track.route).curvature).max()


def test_the_waypoint_line_is_the_games_curve():
    """Uniform Catmull-Rom over chord lengths, as published, from four waypoints."""
    track = circuit("club")
    line = line_for(track, RouteDriver(line="waypoints"), CARS["road"])
    points = np.array(track.route.waypoints)[:, :2]
    chords = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    k, t = 7, 0.3
    s = chords[:k].sum() + t * chords[k]
    p0, p1, p2, p3 = points[k - 1], points[k], points[k + 1], points[k + 2]
    wanted = 0.5 * (
        2 * p1
        + (p2 - p0) * t
        + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2
        + (3 * p1 - p0 - 3 * p2 + p3) * t**3
    )
    assert line.route.length == pytest.approx(chords.sum())
    assert line.route.position(s)[:2] == pytest.approx(wanted, abs=1e-9)


# ---------------------------------------------------------------------------------------------
# What a car can do


def drive_straight(name: str, speed: float, throttle: float, brake: float) -> float:
    """Acceleration of the car model on a flat dry straight, m/s²."""
    car, dt = CARS[name], 0.01
    state = np.array([[0.0, 0, 0, speed, 0, 0, 0]])
    after = step_cars(
        state, np.array([[throttle, brake, 0.0, 1.0]]), np.array([[1.0, 0, 0, 0]]),
        car.vector()[None], dt, 10,
    )  # fmt: skip
    return float(after[0, 3] - speed) / dt


@pytest.mark.parametrize("name", ["road", "gt", "formula", "reference", "f1tenth"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_limits_are_what_the_car_does_on_a_straight(name, share):
    limits, top = car_limits(CARS[name]), CARS[name].top_speed
    assert limits.shape == (7, LIMIT_SPEEDS)
    speeds = np.linspace(0, top, LIMIT_SPEEDS)
    speed = share * top
    braking, driving = (float(np.interp(speed, speeds, limits[row])) for row in (1, 2))
    assert -drive_straight(name, speed, 0.0, 1.0) == pytest.approx(braking, rel=0.02)
    assert drive_straight(name, speed, 1.0, 0.0) == pytest.approx(driving, rel=0.03, abs=0.1)
    coasting = float(np.interp(speed, speeds, limits[5]))
    assert -drive_straight(name, speed, 0.0, 0.0) == pytest.approx(coasting, rel=0.02)


# ---------------------------------------------------------------------------------------------
# Planned speeds


def flat_limits(lateral: float = 9.0) -> np.ndarray:
    return np.repeat([[lateral], [8.0], [5.0]], LIMIT_SPEEDS, axis=1)


def test_a_ring_is_planned_at_the_drivers_share_of_the_grip():
    line = sampled(ring(60.0).route)
    for share in (1.0, 0.8, 0.5):
        plan = planned_speed(line, RouteDriver(corner_grip=share), flat_limits(), 50.0)
        assert plan == pytest.approx(math.sqrt(share * 9.0 * 60.0), rel=0.02)


def test_no_plan_is_faster_than_driver_or_car():
    line = sampled(bend().route)
    assert planned_speed(line, RouteDriver(max_speed=17.0), flat_limits(), 50.0).max() == 17.0
    assert planned_speed(line, RouteDriver(), flat_limits(), 44.0).max() == 44.0


def test_brakes_are_planned_with_the_drivers_share():
    line = sampled(bend().route)
    for share in (1.0, 0.5):
        plan = planned_speed(
            line, RouteDriver(brake_grip=share, corner_grip=1.0), flat_limits(), 70
        )
        i = int(100 / line.step)  # well before the bend, and on the way down to it
        drop = (plan[i] ** 2 - plan[i + 5] ** 2) / (2 * 5 * line.step)
        assert drop == pytest.approx(8.0 * share, rel=0.01)


def test_beside_the_line_the_plan_is_slower_in_bends_only():
    line = sampled(bend().route)
    on = planned_speed(line, RouteDriver(), flat_limits(), 45.0)
    beside = planned_speed(line, RouteDriver(), flat_limits(), 45.0, aside=2.4)
    assert (beside <= on + 1e-9).all()
    tightest = int(np.argmax(np.abs(line.curvature)))
    assert beside[tightest] < 0.97 * on[tightest]
    assert beside[0] == pytest.approx(on[0], rel=0.05)


def test_beside_a_ring_the_plan_is_that_of_the_tighter_one_with_grip_to_spare():
    line = sampled(ring(60.0).route)
    plan = planned_speed(line, RouteDriver(corner_grip=0.8), flat_limits(), 50.0, aside=2.4)
    assert plan == pytest.approx(math.sqrt(BESIDE_GRIP * 0.8 * 9.0 * (60.0 - 2.4)), rel=0.02)


def test_a_line_is_the_same_both_times():
    first, second = (line_for(circuit("club"), RouteDriver(), CARS["road"]) for _ in range(2))
    assert isinstance(first, Line)
    for name in ("room", "curvature", "waypoint_s"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


# ---------------------------------------------------------------------------------------------
# Look-up


def test_tables_are_interpolated_and_go_round():
    table = np.array([0.0, 10.0, 30.0, 60.0])
    found = [interpolate(table, float(s), 2.0) for s in (0.0, 1.0, 2.0, 5.0, 6.0, 7.0, 8.0)]
    assert found == pytest.approx([0.0, 5.0, 10.0, 45.0, 60.0, 30.0, 0.0])
