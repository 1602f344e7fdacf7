"""One tick of N route drivers: from what they see and remember to throttle, brake and steering."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from headway._jit import kernel
from headway.decide import driver_row as col
from headway.decide import memory as mem
from headway.decide.aim import (
    POINT_TO_POINT,
    THROTTLE_STREAM,
    find_progress,
    lateral_target,
    sight_of,
)
from headway.decide.evasion import give_way
from headway.decide.line import BRAKING, interpolate
from headway.decide.recovery import recover
from headway.decide.speed_choice import CORNER, needed_curvature, wanted_speed
from headway.decide.traffic import CAP
from headway.decide.wheel_and_pedals import press_pedals, turn_wheel
from headway.follow.progress import ahead
from headway.follow.speed_profile import LIMIT_SPEEDS, limit_at
from headway.geometry.noise import gradient_noise
from headway.world.state import BRAKE, GEAR, STEERING, THROTTLE, VX, VY


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
    coefficients, knots : (S, 4, 3) and (8 S + 1,) ndarray
        Curve of the line.
    linear, closed : bool
        How the curve is measured, and whether it leads back to its start.
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
    for k in range(len(members)):
        i = members[k]
        if hits[i] >= 0:
            give_way(cars[i], cars[hits[i]], drivers[i], time, memory[i])
        _drive_one(
            time, seed, int(identities[i]), cars[i], bounds[i], drivers[i],
            coefficients, knots, linear, closed, waypoint_s, room, curvature,
            planned[kinds[i]], limits[kinds[i]], step, dt, controls[i], memory[i],
        )  # fmt: skip


@kernel
def _drive_one(
    time: float,
    seed: int,
    identity: int,
    car: ndarray,
    bounds: ndarray,
    driver: ndarray,
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    waypoint_s: ndarray,
    room: ndarray,
    curvature: ndarray,
    planned: ndarray,
    limits: ndarray,
    step: float,
    dt: float,
    controls: ndarray,
    memory: ndarray,
) -> None:
    """Where am I, where do I aim, how fast may I go, what do hands and feet do for it."""
    find_progress(coefficients, knots, linear, closed, waypoint_s, car, driver, memory)
    s, length = memory[mem.PROGRESS_S], knots[-1]
    speed = math.hypot(car[VX], car[VY])
    target_s = ahead(s, driver[col.TARGET_OFFSET] + driver[col.TARGET_TIME] * speed, length, closed)
    if driver[col.PROGRESS] == POINT_TO_POINT:
        target_s = waypoint_s[int(memory[mem.WAYPOINT])]
    aside = lateral_target(
        time, seed, identity, target_s, speed, length, closed, room, step, dt, bounds, driver,
        memory,
    )  # fmt: skip
    sight = sight_of(coefficients, knots, linear, closed, s, target_s, aside, car)
    bend = interpolate(curvature, ahead(s, driver[col.REACTION_TIME] * speed, length, closed), step)
    need = needed_curvature(sight, bend, car)
    wanted = wanted_speed(
        coefficients, knots, linear, closed, s, memory[mem.OFFSET], speed, bend, need, sight[1],
        planned, limits, step, car, driver,
    )  # fmt: skip
    if time < memory[mem.EVADE_UNTIL]:
        wanted *= memory[mem.EVADE_SLOWDOWN]
    wanted = min(wanted, bounds[CAP])
    stops = driver[col.STOP_AT_TARGET] == 1.0
    if stops and not closed:
        braking = 0.5 * limit_at(speed, limits, BRAKING, driver[col.TOP_SPEED])
        wanted = min(wanted, math.sqrt(2.0 * braking * max(length - s, 0.0)))
    rise = 0.0
    if driver[col.BRAKE_CONDITION] == CORNER:
        rise = interpolate(planned[0], ahead(s, step, length, closed), step)
        rise = (rise - interpolate(planned[0], s, step)) / step
    noise = gradient_noise(seed, THROTTLE_STREAM, identity, time * driver[col.THROTTLE_WANDER_RATE])
    ease = 1.0 - driver[col.THROTTLE_WANDER] * (0.5 - 0.5 * noise)
    controls[GEAR] = 1.0
    controls[STEERING] = turn_wheel(sight, bend, car, driver, dt, memory)
    press_pedals(wanted, speed, rise, need, ease, limits, dt, car, driver, memory, controls)
    near = sight[1] < driver[col.REACH_RADIUS] and (closed or target_s >= length)
    if stops and (near or (not closed and s >= length)):
        memory[mem.STOPPED] = 1.0
    if memory[mem.STOPPED] == 1.0:
        controls[THROTTLE] = controls[STEERING] = 0.0
        controls[BRAKE] = 1.0
    else:
        recover(car, driver, sight[0], wanted, time, dt, memory, controls)
