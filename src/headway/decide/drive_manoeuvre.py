"""Manoeuvres of a car that is to go some way: the arc that leads there, the pace, and backing up.

Kernels for one car, its manner of driving and what it remembers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.angles import wrap_angle
from headway.move.car_parameters import (
    BRAKE_FORCE,
    DRAG,
    DRIVE_STEP,
    DRIVE_TABLE,
    DRIVE_TABLE_SIZE,
    FRONT_AXLE,
    FRONT_FRICTION,
    GRAVITY,
    MASS,
    MAX_WHEEL_ANGLE,
    REAR_AXLE,
    REAR_FRICTION,
    REVERSE_SPEED,
    ROLLING_RESISTANCE,
    STEERING_RATE,
    TOP_SPEED,
)
from headway.move.rows import check_parameters
from headway.world.state import BRAKE, GEAR, STEER, STEERING, THROTTLE, VX, YAW

Floats = NDArray[np.float64]

BACKING, SINCE, SIDE = range(3)
"""Columns of the memory: 1 while backing up, for how long it has done so or not (s), and the side
the target was on when it began (1 left, -1 right)."""
MEMORY_WIDTH = 3

(
    ACCELERATION, BRAKING, GRIP_SHARE, LOOKAHEAD_TIME, LEAST_LOOKAHEAD, RESPONSE,
    BEHIND, AHEAD, BACKING_BELOW, BACKING_SPEED, DWELL,
) = range(11)  # fmt: skip
"""Columns of a manner."""

ROLLS = 0.3
"""m/s: the gear changes sense only below this speed."""
STILL = 1e-3
"""m/s: who wants less speed wants to stand."""
LOST, CLEAR = 1.0, 0.4
"""A target cannot be reached once its arc needs this share of the tightest curvature, and is backed
away from until the arc needs less than the other: while the wheel turns, some room is lost."""
SURELY_ASIDE = math.radians(150.0)
"""Within this of the nose it is plain on which side something is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a car is driven towards what is wanted of it.

    Attributes
    ----------
    acceleration, braking : float
        Most that is asked of engine and brakes, m/s².
    grip_share : float
        Share of the tyres' friction that turning may use.
    lookahead_time : float
        The arc leads to the wanted direction within this time, s.
    least_lookahead : float
        And within no less than this, in wheelbases, which keeps a slow car from jerking its wheel.
    response : float
        s within which the speed is to be reached.
    behind, ahead : float
        rad from the nose: a target beyond `behind` is backed away from until it is within `ahead`.
    backing_below, backing_speed : float
        m/s: a faster car slows down before it backs up, and how fast it backs up.
    dwell : float
        s: neither backing up nor driving on is given up sooner.

    Raises
    ------
    InputError
        If a parameter is not finite or not above zero.
    """

    acceleration: float = 4.0
    braking: float = 8.0
    grip_share: float = 0.6
    lookahead_time: float = 0.8
    least_lookahead: float = 2.0
    response: float = 0.3
    behind: float = math.radians(100.0)
    ahead: float = math.radians(60.0)
    backing_below: float = 3.0
    backing_speed: float = 2.5
    dwell: float = 0.5

    def __post_init__(self) -> None:
        check_parameters(self)

    def vector(self) -> Floats:
        """Return the parameters as the row (11,) that kernels take."""
        return np.array([getattr(self, field.name) for field in fields(self)], np.float64)


USUAL = Manner()


@kernel(forceinline=True)
def _full_throttle(car: NDArray, speed: float) -> float:
    """Acceleration of the engine at full throttle, m/s²."""
    place = abs(speed) / car[DRIVE_STEP]
    knot = int(min(place, DRIVE_TABLE_SIZE - 2.0))
    low, high = car[DRIVE_TABLE + knot], car[DRIVE_TABLE + knot + 1]
    return (low + min(place - knot, 1.0) * (high - low)) / car[MASS]


@kernel
def _pedals(wanted: float, state: NDArray, car: NDArray, manner: NDArray, out: NDArray) -> None:
    """Set gear, throttle and brake for a speed; below zero it is one backwards."""
    gear = -1.0 if wanted < 0.0 else 1.0
    speed = state[VX] * gear
    out[GEAR], out[THROTTLE], out[BRAKE] = gear, 0.0, 0.0
    asked = (abs(wanted) - speed) / manner[RESPONSE]
    if abs(wanted) < STILL or speed < -ROLLS:  # stop, be it to go the other way
        asked = -manner[BRAKING]
    demand = min(max(asked, -manner[BRAKING]), manner[ACCELERATION])
    demand += car[ROLLING_RESISTANCE] + car[DRAG] / car[MASS] * speed * abs(speed)
    if demand >= 0.0:
        full = max(_full_throttle(car, speed), 1e-6)
        out[THROTTLE] = min(demand / full, 1.0)
    else:
        out[BRAKE] = min(-demand * car[MASS] / max(car[BRAKE_FORCE], 1e-6), 1.0)


@kernel(forceinline=True)
def _bend(angle: float, distance: float, rear_axle: float) -> float:
    """Curvature at the rear axle, without its sign, that leads the centre of gravity to a point.

    The centre of gravity of a car that rolls without slip moves at an angle to the nose; so the
    distance of pure pursuit, 2 sin(angle)/curvature, is that from a point behind it.
    """
    room = 0.5 * distance + rear_axle * math.cos(angle)
    return math.sin(abs(angle)) / room if room > 1e-9 else math.inf


@kernel(forceinline=True)
def _pace_of_wheel(share: float, state: NDArray, car: NDArray, reach: float) -> float:
    """Speed, m/s, at which the wheel gets to its place within a tenth of a distance."""
    turn = abs(share * car[MAX_WHEEL_ANGLE] - state[STEER])
    return 0.1 * reach * car[STEERING_RATE] / max(turn, 1e-9)


@kernel
def _choose_way(
    angle: float, tight: float, speed: float, manner: NDArray, dt: float, memory: NDArray
) -> bool:
    """Whether to back up; `tight` is the curvature needed as a share of the tightest."""
    memory[SINCE] += dt
    backing = memory[BACKING] != 0.0
    if backing:
        changes = abs(angle) < manner[AHEAD] and tight < CLEAR
        if angle * memory[SIDE] < 0.0 and abs(angle) < SURELY_ASIDE:
            memory[SIDE] = -memory[SIDE]  # backed past it
    else:
        changes = (abs(angle) > manner[BEHIND] or tight > LOST) and speed < manner[BACKING_BELOW]
    if changes and memory[SINCE] >= manner[DWELL]:
        backing = not backing
        memory[BACKING] = 1.0 if backing else 0.0
        memory[SINCE] = 0.0
        memory[SIDE] = -1.0 if angle < 0.0 else 1.0
    return backing


@kernel
def drive_one(
    wanted_x: float, wanted_y: float, distance: float, state: NDArray, car: NDArray,
    manner: NDArray, dt: float, memory: NDArray, out: NDArray,
) -> None:  # fmt: skip
    """Set the controls of one car, within a kernel; `memory` and `out` are changed in place."""
    pace = math.sqrt(wanted_x * wanted_x + wanted_y * wanted_y)
    wheelbase, lock = car[FRONT_AXLE] + car[REAR_AXLE], car[MAX_WHEEL_ANGLE]
    tightest = math.tan(lock) / wheelbase
    if pace < STILL:
        memory[SINCE] += dt
        out[STEERING] = min(max(state[STEER] / lock, -1.0), 1.0)
        _pedals(0.0, state, car, manner, out)
        return
    angle = wrap_angle(math.atan2(wanted_y, wanted_x) - state[YAW])
    tight = _bend(angle, distance, car[REAR_AXLE]) / tightest
    if _choose_way(angle, tight, abs(state[VX]), manner, dt, memory):
        out[STEERING] = -memory[SIDE]
        speed = min(manner[BACKING_SPEED], car[REVERSE_SPEED])
        speed = min(speed, _pace_of_wheel(-memory[SIDE], state, car, 2.0 * wheelbase))
        _pedals(-speed, state, car, manner, out)
        return
    reach = max(manner[LEAST_LOOKAHEAD] * wheelbase, manner[LOOKAHEAD_TIME] * abs(state[VX]))
    bend = min(_bend(angle, min(reach, distance), car[REAR_AXLE]), tightest)
    if abs(angle) > 0.5 * math.pi:
        bend = max(bend, min(2.0 / reach, tightest))
    grip = manner[GRIP_SHARE] * GRAVITY * min(car[FRONT_FRICTION], car[REAR_FRICTION])
    held = min(bend, grip / max(state[VX] * state[VX], 1e-9))  # the tyres hold no more for now
    out[STEERING] = math.copysign(min(math.atan(wheelbase * held) / lock, 1.0), angle)
    # the wheel takes time to turn back, so the arc it still holds counts as well
    sharpest = max(bend, abs(math.tan(state[STEER])) / wheelbase, 1e-9)
    speed = min(pace, car[TOP_SPEED], math.sqrt(grip / sharpest))
    speed = min(speed, _pace_of_wheel(out[STEERING], state, car, reach))
    if abs(angle) > manner[BEHIND] or tight > LOST:
        speed = min(speed, 0.8 * manner[BACKING_BELOW])  # about to back up
    _pedals(speed, state, car, manner, out)
