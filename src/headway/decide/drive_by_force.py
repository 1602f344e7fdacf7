"""Driving a car where a force, a velocity or a target would have it, by its pedals and wheel alone.

A car cannot move aside: a wanted direction becomes the arc that leads there, as in pure pursuit,
and the arc a wheel angle and a speed that the tyres can hold. What lies behind, or within the
turning circle, is reached by backing up first with the wheel turned away, in three points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.angles import wrap_angle
from headway.move.car import CARS
from headway.move.car_parameters import (
    BRAKE_FORCE,
    CAR_WIDTH,
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
from headway.world.state import (
    BRAKE,
    CONTROLS_WIDTH,
    GEAR,
    STATE_WIDTH,
    STEER,
    STEERING,
    THROTTLE,
    VX,
    VY,
    YAW,
    X,
    Y,
)

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
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0.0 < value < math.inf:
                raise InputError(f"manner: {field.name} is {value}: give a number above zero.")

    def vector(self) -> Floats:
        """Return the parameters as the row (11,) that kernels take."""
        return np.array([getattr(self, field.name) for field in fields(self)])


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


def _example() -> tuple:
    row = CARS["road"].vector()[None]
    state, wanted, memory = np.zeros((1, STATE_WIDTH)), np.ones((1, 2)), start_memory(1)
    return state, wanted, np.ones(1), row, USUAL.vector(), 0.02, memory, np.zeros((1, 4))


@kernel(example=_example)
def _drive(
    states: NDArray, wanted: NDArray, distance: NDArray, cars: NDArray, manner: NDArray,
    dt: float, memory: NDArray, controls: NDArray,
) -> None:  # fmt: skip
    for i in range(len(states)):
        drive_one(
            wanted[i, 0], wanted[i, 1], distance[i if len(distance) > 1 else 0],
            states[i], cars[i if len(cars) > 1 else 0], manner, dt, memory[i], controls[i],
        )  # fmt: skip


def start_memory(count: int) -> Floats:
    """Memory of drivers that have not driven yet.

    Parameters
    ----------
    count : int
        Number of cars, N.

    Returns
    -------
    (N, 3) ndarray
        Columns BACKING, SINCE, SIDE.
    """
    memory = np.zeros((count, MEMORY_WIDTH))
    memory[:, SINCE], memory[:, SIDE] = 1e3, 1.0
    return memory


def drive_by_velocity(
    states: ArrayLike,
    wanted: ArrayLike,
    cars: ArrayLike,
    memory: ArrayLike,
    dt: float,
    *,
    distance: ArrayLike = math.inf,
    manner: Manner = USUAL,
) -> tuple[Floats, Floats]:
    """Choose the controls that bring cars to a wanted velocity.

    Parameters
    ----------
    states : (N, 7) array_like
        Columns of `headway.world.state`.
    wanted : (N, 2) array_like
        Velocity, m/s, world frame. Zero stops the car.
    cars : (CAR_WIDTH,) or (N, CAR_WIDTH) array_like
        `Car.vector` of the one car, or of each.
    memory : (N, 3) array_like
        From `start_memory` or the last step; it is not changed.
    dt : float
        s since the last step.
    distance : float or (N,) array_like
        m to what they drive to. Who knows it backs up from what lies within the turning circle,
        instead of circling it.
    manner : Manner
        How to drive.

    Returns
    -------
    controls : (N, 4) ndarray
        Throttle, brake, steering and gear.
    memory : (N, 3) ndarray
        For the next step.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite.

    References
    ----------
    Coulter, "Implementation of the pure pursuit path tracking algorithm", Carnegie Mellon
    University 1992.

    Examples
    --------
    A car that stands is to go left: it turns the wheel and sets off gently.

    >>> from headway.move.car import car
    >>> controls, memory = drive_by_velocity(
    ...     [[0.0] * 7], [(0.0, 10.0)], car("road").vector(), start_memory(1), 0.02
    ... )
    >>> controls.round(2).tolist()
    [[0.53, 0.0, 1.0, 1.0]]
    """
    rows = _array("states", states, (None, STATE_WIDTH))
    n = len(rows)
    goal = _array("wanted", wanted, (n, 2))
    bodies = _array("cars", np.atleast_2d(cars), (None, CAR_WIDTH))
    after = np.array(_array("memory", memory, (n, MEMORY_WIDTH)))
    far = np.atleast_1d(np.asarray(distance, np.float64))
    if len(bodies) not in (1, n) or far.shape not in ((1,), (n,)) or not (far >= 0.0).all():
        raise InputError(f"cars and distance: give one for all or {n}, distances of zero or more.")
    if not 0.0 < dt < math.inf:
        raise InputError(f"dt is {dt}: give seconds, above zero.")
    controls = np.zeros((n, CONTROLS_WIDTH))
    _drive(rows, goal, far, bodies, manner.vector(), float(dt), after, controls)
    return controls, after


def drive_by_force(
    states: ArrayLike,
    force: ArrayLike,
    cars: ArrayLike,
    memory: ArrayLike,
    dt: float,
    *,
    response: float = 0.5,
    distance: ArrayLike = math.inf,
    manner: Manner = USUAL,
) -> tuple[Floats, Floats]:
    """Choose the controls that move cars as a force would, as far as cars can.

    The force asks for the velocity that it would give within the response time.

    Parameters
    ----------
    states : (N, 7) array_like
        Columns of `headway.world.state`.
    force : (N, 2) array_like
        N, world frame.
    cars : (CAR_WIDTH,) or (N, CAR_WIDTH) array_like
        `Car.vector` of the one car, or of each.
    memory : (N, 3) array_like
        From `start_memory` or the last step; it is not changed.
    dt : float
        s since the last step.
    response : float
        s, above zero.
    distance : float or (N,) array_like
        m to what they drive to; see `drive_by_velocity`.
    manner : Manner
        How to drive.

    Returns
    -------
    controls : (N, 4) ndarray
        Throttle, brake, steering and gear.
    memory : (N, 3) ndarray
        For the next step.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite.

    Examples
    --------
    >>> from headway.move.car import car
    >>> moving = [[0.0, 0.0, 0.0, 20.0, 0.0, 0.0, 0.0]]
    >>> controls, memory = drive_by_force(
    ...     moving, [(-7000.0, 0.0)], car("road").vector(), start_memory(1), 0.02
    ... )
    >>> bool(controls[0, BRAKE] > 0.2), float(controls[0, STEERING])
    (True, 0.0)
    """
    rows = _array("states", states, (None, STATE_WIDTH))
    push = _array("force", force, (len(rows), 2))
    bodies = _array("cars", np.atleast_2d(cars), (None, CAR_WIDTH))
    if not 0.0 < response < math.inf:
        raise InputError(f"response is {response}: give seconds, above zero.")
    if len(bodies) not in (1, len(rows)):
        raise InputError(f"cars has {len(bodies)} rows: give one for all, or {len(rows)}.")
    c, s = np.cos(rows[:, YAW]), np.sin(rows[:, YAW])
    ahead, left = rows[:, VX], rows[:, VY]
    velocity = np.column_stack((c * ahead - s * left, s * ahead + c * left))
    wanted = velocity + push * (response / bodies[:, MASS])[:, None]
    return drive_by_velocity(rows, wanted, bodies, memory, dt, distance=distance, manner=manner)


def drive_to(
    states: ArrayLike,
    target: ArrayLike,
    cars: ArrayLike,
    memory: ArrayLike,
    dt: float,
    *,
    speed: float = math.inf,
    tolerance: float = 0.5,
    manner: Manner = USUAL,
) -> tuple[Floats, Floats]:
    """Choose the controls that bring cars to a target, to rest there.

    Parameters
    ----------
    states : (N, 7) array_like
        Columns of `headway.world.state`.
    target : (2,) or (N, 2) array_like
        m, world frame.
    cars : (CAR_WIDTH,) or (N, CAR_WIDTH) array_like
        `Car.vector` of the one car, or of each.
    memory : (N, 3) array_like
        From `start_memory` or the last step; it is not changed.
    dt : float
        s since the last step.
    speed : float
        m/s, the most.
    tolerance : float
        m: within this of the target the car stops.
    manner : Manner
        How to drive; half of its braking is counted on for the arrival.

    Returns
    -------
    controls : (N, 4) ndarray
        Throttle, brake, steering and gear.
    memory : (N, 3) ndarray
        For the next step.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> from headway.move.car import car
    >>> controls, memory = drive_to(
    ...     [[0.0] * 7], (-20.0, 0.0), car("road").vector(), start_memory(1), 0.02
    ... )
    >>> float(controls[0, GEAR])
    -1.0
    """
    rows = _array("states", states, (None, STATE_WIDTH))
    goal = _array("target", np.atleast_2d(target), (None, 2))
    if len(goal) not in (1, len(rows)):
        raise InputError(f"target has {len(goal)} rows: give one for all, or {len(rows)}.")
    if not (speed > 0.0 and 0.0 < tolerance < math.inf):
        raise InputError(f"speed is {speed}, tolerance {tolerance}: give numbers above zero.")
    way = goal - rows[:, [X, Y]]
    distance = np.hypot(way[:, 0], way[:, 1])
    left = np.maximum(distance - 0.5 * tolerance, 0.0)
    pace = np.minimum(np.sqrt(manner.braking * left), min(speed, 1e3))
    pace = np.where(distance > tolerance, pace, 0.0)
    wanted = way * (pace / np.maximum(distance, 1e-12))[:, None]
    return drive_by_velocity(rows, wanted, cars, memory, dt, distance=distance, manner=manner)


def _array(name: str, value: ArrayLike, shape: tuple[int | None, int]) -> Floats:
    """Read an argument as finite numbers of a shape, of which the first size may be open."""
    try:
        array = np.ascontiguousarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as numbers ({error}).") from error
    wrong = array.ndim != 2 or array.shape[1] != shape[1] or shape[0] not in (None, len(array))
    if wrong:
        first = "N" if shape[0] is None else shape[0]
        raise InputError(f"{name} has shape {array.shape}: give ({first}, {shape[1]}).")
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0])
        raise InputError(f"{name} of car {row} is not finite: give numbers.")
    return array
