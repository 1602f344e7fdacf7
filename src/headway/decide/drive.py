"""One tick of N route drivers: from what they see and remember to throttle, brake and steering."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from headway._jit import kernel
from headway.decide import memory as mem
from headway.decide import route_driver as col
from headway.decide.evasion import give_way
from headway.decide.line import BESIDE
from headway.decide.recovery import recover
from headway.decide.traffic import CAP, HIGH, LOW
from headway.follow.caution import spin_angle, speed_for_direction, speed_for_distance
from headway.follow.pid import pid
from headway.follow.progress import ahead, next_waypoint, project_progress, step_progress
from headway.follow.speed_profile import LIMIT_SPEEDS, limit_at
from headway.geometry.angles import wrap_angle
from headway.geometry.curves import curve_point
from headway.geometry.noise import gradient_noise
from headway.world.state import BRAKE, GEAR, STEERING, THROTTLE, VX, VY, YAW, YAW_RATE, X, Y

NEVER, DIRECTION, DISTANCE, CORNER = range(4)
LATERAL_STREAM, THROTTLE_STREAM = 1, 2
"""Streams of noise, so that the two wanders of a car have nothing to do with each other."""
FORESEEN = 3
"""Half seconds beyond the target for which the room on the road is checked as well."""
REACTION = 0.1
"""Seconds by which speed and curvature are read ahead, to make up for the lag of wheel and car."""


def _example() -> tuple[object, ...]:
    line = np.zeros((4, 4, 3))
    line[:, 1, 0] = 10.0
    line[:, 0, 0] = np.arange(4) * 10.0
    return (
        np.zeros(1, dtype=np.int64),
        0.0,
        0,
        np.zeros(1, dtype=np.int64),
        np.zeros((1, 7)),
        np.full(1, -1, dtype=np.int64),
        np.array([[np.inf, -np.inf, np.inf]]),
        np.ones((1, col.DRIVER_WIDTH)),
        line,
        np.linspace(0.0, 40.0, 33),
        False,
        False,
        np.arange(4) * 10.0,
        np.ones((40, 2)),
        np.zeros(40),
        np.ones((1, 2, 40)),
        np.ones((1, 7, LIMIT_SPEEDS)),
        np.zeros(1, dtype=np.int64),
        1.0,
        0.02,
        np.zeros((1, 4)),
        np.zeros((1, mem.MEMORY_WIDTH)),
    )


@kernel(example=_example)
def drive(
    members: ndarray,
    time: float,
    seed: int,
    identities: ndarray,
    cars: ndarray,
    hits: ndarray,
    bounds: ndarray,
    drivers: ndarray,
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    waypoint_s: ndarray,
    room: ndarray,
    curvature: ndarray,
    planned: ndarray,
    limits: ndarray,
    kinds: ndarray,
    step: float,
    dt: float,
    controls: ndarray,
    memory: ndarray,
) -> None:
    """Let the drivers that follow one line choose their controls.

    Parameters
    ----------
    members : (n,) ndarray of int64
        The rows of the cars that follow this line.
    time, dt : float
        Now and the time step, s.
    seed : int
        Seed of the wander.
    identities : (N,) ndarray of int64
        Number of each car, which its wander depends on.
    cars : (N, 7) ndarray
        States.
    hits : (N,) ndarray of int64
        Row of the car that each car touched in the last tick; -1 for none.
    bounds : (N, 3) ndarray
        What the traffic leaves; see `see_traffic`.
    drivers : (N, DRIVER_WIDTH) ndarray
        The drivers.
    coefficients, knots, linear, closed
        The curve of the line.
    waypoint_s : (M,) ndarray
        Arc length of the waypoints, m.
    room, curvature : (K, 2) and (K,) ndarray
        Tables of the line; see `Line`.
    planned : (U, 2, K) ndarray
        Planned speed on the line and beside it for each kind of driver and car, m/s.
    limits : (U, 7, LIMIT_SPEEDS) ndarray
        What each kind of car can do; see `car_limits`.
    kinds : (N,) ndarray of int64
        Kind of each car.
    step : float
        Distance between the rows of the tables, m.
    controls : (N, 4) ndarray
        The result, written in place.
    memory : (N, MEMORY_WIDTH) ndarray
        What the drivers remember, changed in place.
    """
    length = knots[-1]
    for k in range(len(members)):
        i = members[k]
        car, driver, remembered = cars[i], drivers[i], memory[i]
        if hits[i] >= 0:
            give_way(car, cars[hits[i]], driver, time, remembered)
        _find_progress(coefficients, knots, linear, closed, waypoint_s, car, driver, remembered)
        s = remembered[mem.PROGRESS_S]
        speed = math.hypot(car[VX], car[VY])
        target_s = ahead(s, driver[col.TARGET_OFFSET] + driver[col.TARGET_TIME] * speed, length, closed)
        if driver[col.PROGRESS] == 1.0:
            target_s = waypoint_s[int(remembered[mem.WAYPOINT])]
        aside = _lateral_target(time, seed, identities[i], bounds[i], driver, remembered)
        for k in range(1, FORESEEN + 1):
            soon = ahead(target_s, 0.5 * k * speed, length, closed)
            aside = _within(aside, soon, room, step, driver[col.HALF_WIDTH])
        aside = _within(aside, target_s, room, step, driver[col.HALF_WIDTH])
        most = driver[col.LATERAL_SPEED] * dt
        aside = min(max(aside, remembered[mem.ASIDE] - most), remembered[mem.ASIDE] + most)
        remembered[mem.ASIDE] = aside
        tx, ty, _, ux, uy, _ = curve_point(coefficients, knots, linear, closed, target_s)
        dx, dy = tx - uy * aside - car[X], ty + ux * aside - car[Y]
        angle = wrap_angle(math.atan2(dy, dx) - car[YAW])
        bend = _table(curvature, ahead(s, REACTION * speed, length, closed), step)
        wanted = _wanted_speed(
            coefficients, knots, linear, closed, s, remembered[mem.OFFSET], speed, bend, angle, math.hypot(dx, dy),
            planned[kinds[i]], limits[kinds[i]], step, car, driver,
        )  # fmt: skip
        if driver[col.STOP_AT_TARGET] == 1.0 and _reached(
            math.hypot(dx, dy), target_s, s, length, closed, driver
        ):
            remembered[mem.STOPPED] = 1.0
        if time < remembered[mem.EVADE_UNTIL]:
            wanted *= remembered[mem.EVADE_SLOWDOWN]
        wanted = min(wanted, bounds[i, CAP])
        controls[i, GEAR] = 1.0
        controls[i, STEERING] = _steering(
            coefficients, knots, linear, closed, s, tx, ty, angle, bend, car, driver, dt, remembered
        )
        _pedals(
            wanted, speed, s, time, seed, identities[i], bend,
            planned[kinds[i]], limits[kinds[i]], step, dt, car, driver, remembered, controls[i],
        )  # fmt: skip
        recover(car, driver, angle, wanted, time, dt, remembered, controls[i])
        if remembered[mem.STOPPED] == 1.0:
            controls[i, THROTTLE] = 0.0
            controls[i, BRAKE] = 1.0


@kernel
def _find_progress(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    waypoint_s: ndarray,
    car: ndarray,
    driver: ndarray,
    memory: ndarray,
) -> None:
    x, y = car[X], car[Y]
    if driver[col.PROGRESS_RULE] == 1.0:
        share = 1.0 if driver[col.PROGRESS] == 1.0 else 0.5
        s, offset = step_progress(
            coefficients, knots, linear, closed, x, y, memory[mem.PROGRESS_S], share
        )
    else:
        window = 2.0 * driver[col.LENGTH] + 0.1 * abs(car[VX])
        s, offset = project_progress(
            coefficients, knots, linear, closed, x, y, memory[mem.PROGRESS_S], window
        )
    memory[mem.PROGRESS_S] = s
    memory[mem.OFFSET] = offset
    if driver[col.PROGRESS] == 1.0:
        memory[mem.WAYPOINT] = next_waypoint(
            coefficients, knots, linear, closed, waypoint_s, x, y,
            int(memory[mem.WAYPOINT]), driver[col.WAYPOINT_RADIUS],
        )  # fmt: skip


@kernel
def _lateral_target(
    time: float, seed: int, identity: int, bounds: ndarray, driver: ndarray, memory: ndarray
) -> float:
    """Offset to aim for, m left of the line: evasion or else wander, within what traffic leaves."""
    if time < memory[mem.EVADE_UNTIL]:
        aside = memory[mem.EVADE_OFFSET]
    else:
        pace = time * driver[col.LATERAL_WANDER_RATE]
        aside = driver[col.LATERAL_WANDER] * gradient_noise(seed, LATERAL_STREAM, identity, pace)
    here = memory[mem.OFFSET]
    if bounds[LOW] > bounds[HIGH]:
        return here + 0.5 * (bounds[LOW] + bounds[HIGH])
    return min(max(aside, here + bounds[LOW]), here + bounds[HIGH])


@kernel
def _within(aside: float, s: float, room: ndarray, step: float, half_width: float) -> float:
    """Limit an offset so that the whole car stays on the road; the line itself always counts."""
    row = int(s / step + 0.5) % len(room)
    left = max(room[row, 0] - 1.2 * half_width, 0.0)
    right = max(room[row, 1] - 1.2 * half_width, 0.0)
    return min(max(aside, -right), left)


@kernel
def _table(values: ndarray, s: float, step: float) -> float:
    """Interpolate a table of a line; past its end it starts anew, which only closed lines do."""
    place = s / step
    row = int(place)
    share = place - row
    count = len(values)
    return values[row % count] * (1.0 - share) + values[(row + 1) % count] * share


@kernel
def _wanted_speed(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    s: float,
    offset: float,
    speed: float,
    bend: float,
    angle: float,
    distance: float,
    planned: ndarray,
    limits: ndarray,
    step: float,
    car: ndarray,
    driver: ndarray,
) -> float:
    """Speed by the driver's brake condition."""
    condition = driver[col.BRAKE_CONDITION]
    max_speed, factor = driver[col.MAX_SPEED], driver[col.CAUTIOUS_SPEED_FACTOR]
    spin = spin_angle(car[YAW_RATE], speed * bend, driver[col.CAUTIOUS_SPIN_TIME])
    if condition == NEVER:
        return max_speed
    if condition == DISTANCE:
        return speed_for_distance(
            distance, spin, max_speed, factor,
            driver[col.CAUTIOUS_ANGLE], driver[col.CAUTIOUS_DISTANCE],
        )  # fmt: skip
    if condition == DIRECTION:
        braking = 0.5 * limit_at(speed, limits, 1, driver[col.TOP_SPEED])
        look_ahead = driver[col.SPEED_OFFSET] + driver[col.SPEED_TIME] * speed
        reach = speed**2 / (2.0 * braking) if driver[col.REACH_BRAKING_DISTANCE] == 1.0 else 0.0
        # a car that hardly moves has no direction of motion: its nose stands in for it
        slip = math.atan2(car[VY], car[VX]) if speed > 0.1 * max_speed else 0.0
        return speed_for_direction(
            coefficients, knots, linear, closed, s, car[YAW] + slip, look_ahead, braking, reach,
            spin, max_speed, factor, driver[col.CAUTIOUS_ANGLE],
        )  # fmt: skip
    soon = ahead(s, REACTION * speed, knots[-1], closed)
    beside = min(abs(offset) / (2.0 * BESIDE * driver[col.HALF_WIDTH]), 1.0)
    wanted = _table(planned[0], soon, step) * (1.0 - beside)
    wanted += _table(planned[1], soon, step) * beside
    # a car beside its line has to turn harder than the line does to come back to it
    arc = 2.0 * math.sin(abs(angle)) / max(distance, 0.1)
    if abs(angle) < 1.0 and arc > abs(bend):
        wanted = min(wanted, math.sqrt(driver[col.CORNER_GRIP] * limit_at(speed, limits, 0, driver[col.TOP_SPEED]) / arc))
    caution = min(spin / driver[col.CAUTIOUS_ANGLE], 1.0)
    return min(wanted, max_speed) * (1.0 - caution * (1.0 - factor))


@kernel
def _reached(
    distance: float, target_s: float, s: float, length: float, closed: bool, driver: ndarray
) -> bool:
    if not closed and target_s >= length:
        return distance < driver[col.REACH_RADIUS] or s >= length
    return distance < driver[col.REACH_RADIUS]


@kernel
def _steering(
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    s: float,
    tx: float,
    ty: float,
    angle: float,
    bend: float,
    car: ndarray,
    driver: ndarray,
    dt: float,
    memory: ndarray,
) -> float:
    """Share of full lock, left positive."""
    if driver[col.STEERING_LAW] == 0.0:
        share = angle * driver[col.STEERING_GAIN]
        return min(max(share if car[VX] > -0.1 else -share, -1.0), 1.0)
    lock = driver[col.MAX_WHEEL_ANGLE]
    # the angle to the target that a car on the line would see is no error
    px, py, _, ux, uy, _ = curve_point(coefficients, knots, linear, closed, s)
    seen = wrap_angle(math.atan2(ty - py, tx - px) - math.atan2(uy, ux))
    error = wrap_angle(angle - seen) if tx != px or ty != py else angle
    gains = driver[col.STEERING_GAINS : col.STEERING_GAINS + 5]
    correction, memory[mem.STEERING_INTEGRAL], memory[mem.STEERING_FILTERED] = pid(
        error, memory[mem.STEERING_INTEGRAL], memory[mem.STEERING_FILTERED],
        gains[0], gains[1], gains[2], gains[3], gains[4], 2.0 * lock, dt,
    )  # fmt: skip
    forward = max(car[VX], 0.0)
    wheel = math.atan(driver[col.WHEELBASE] * bend) + correction
    wheel -= driver[col.YAW_DAMPING] * (car[YAW_RATE] - forward * bend)
    if forward > 3.0:
        # past the slip of most force the tyres only scrub
        rolls = math.atan2(car[VY] + driver[col.FRONT_AXLE] * car[YAW_RATE], forward)
        wheel = min(max(wheel, rolls - driver[col.PEAK_SLIP]), rolls + driver[col.PEAK_SLIP])
    return min(max(wheel / lock, -1.0), 1.0)


@kernel
def _pedals(
    wanted: float,
    speed: float,
    s: float,
    time: float,
    seed: int,
    identity: int,
    bend: float,
    planned: ndarray,
    limits: ndarray,
    step: float,
    dt: float,
    car: ndarray,
    driver: ndarray,
    memory: ndarray,
    controls: ndarray,
) -> None:
    """Set throttle and brake for the wanted speed."""
    pace = time * driver[col.THROTTLE_WANDER_RATE]
    noise = 0.5 + 0.5 * gradient_noise(seed, THROTTLE_STREAM, identity, pace)
    ease = 1.0 - driver[col.THROTTLE_WANDER] * (1.0 - noise)
    error = wanted - speed
    if driver[col.SPEED_LAW] == 0.0:
        gain = driver[col.THROTTLE_GAIN] if error > 0.0 else driver[col.BRAKE_GAIN]
        pedal = min(max(error * gain, -1.0), 1.0) * ease
        controls[THROTTLE] = max(pedal, 0.0)
        controls[BRAKE] = max(-pedal, 0.0)
        return
    top = driver[col.TOP_SPEED]
    asked = 0.0
    if driver[col.BRAKE_CONDITION] == CORNER and abs(error) < 5.0:
        rise = _table(planned[0], s + step, step) - _table(planned[0], s, step)
        asked = speed * rise / step
    gains = driver[col.SPEED_GAINS : col.SPEED_GAINS + 5]
    correction, memory[mem.SPEED_INTEGRAL], memory[mem.SPEED_FILTERED] = pid(
        error, memory[mem.SPEED_INTEGRAL], memory[mem.SPEED_FILTERED],
        gains[0], gains[1], gains[2], gains[3], gains[4], 30.0, dt,
    )  # fmt: skip
    demand = (asked + correction) * (ease if correction > 0.0 else 1.0)
    # turning has the first call on the grip; a fifth is left to slow a car that is too fast
    turning = speed * max(abs(car[YAW_RATE]), abs(bend) * speed)
    used = min(turning / limit_at(speed, limits, 0, top), 1.0)
    spare = max(math.sqrt(1.0 - used**2), 0.2)
    demand += limit_at(speed, limits, 5, top)
    if demand >= 0.0:
        ceiling = min(spare * limit_at(speed, limits, 6, top), limit_at(speed, limits, 4, top))
        ceiling *= _rear_hold(car, driver)
        controls[THROTTLE] = min(demand, ceiling) / max(limit_at(speed, limits, 4, top), 0.1)
        controls[BRAKE] = 0.0
    else:
        controls[THROTTLE] = 0.0
        floor = spare * limit_at(speed, limits, 1, top)
        controls[BRAKE] = min(min(-demand, floor) / limit_at(speed, limits, 3, top), 1.0)


@kernel
def _rear_hold(car: ndarray, driver: ndarray) -> float:
    """Share of the throttle that a sliding tail leaves: all up to half the slip of most force."""
    if car[VX] < 3.0:
        return 1.0
    slip = abs(math.atan2(car[VY] - driver[col.REAR_AXLE] * car[YAW_RATE], car[VX]))
    return min(max(2.0 - 2.0 * slip / driver[col.REAR_PEAK_SLIP], 0.0), 1.0)
