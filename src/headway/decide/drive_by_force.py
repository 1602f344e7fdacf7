"""Driving a car where a force, a velocity or a target would have it, by its pedals and wheel alone.

A car cannot move aside: a wanted direction becomes the arc that leads there, as in pure pursuit,
and the arc a wheel angle and a speed that the tyres can hold. What lies behind, or within the
turning circle, is reached by backing up first with the wheel turned away, in three points.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.decide.drive_manoeuvre import (
    MEMORY_WIDTH,
    SIDE,
    SINCE,
    USUAL,
    Manner,
    drive_one,
)
from headway.errors import InputError
from headway.geometry.options import above_zero, instance, real, seconds, whole, wrong
from headway.geometry.rows import read
from headway.move.car import CARS
from headway.move.car_parameters import CAR_WIDTH, MASS
from headway.move.rows import parameter_row
from headway.world.state import CONTROLS_WIDTH, STATE_WIDTH, VX, VY, YAW, X, Y

Floats = NDArray[np.float64]


def _example() -> tuple:
    row = CARS["road"].vector()[None]
    state, wanted, memory = np.zeros((1, STATE_WIDTH)), np.ones((1, 2)), start_memory(1)
    return state, wanted, np.ones(1), row, USUAL.vector(), 0.02, memory, np.zeros((1, 4))


@kernel(direct=True, example=_example)
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

    Raises
    ------
    InputError
        If the count is no whole number, or below zero.
    """
    count = whole("count", count, 0, "a whole number, zero or more")
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
    bodies = _array("cars", np.atleast_2d(read("cars", cars)), (None, CAR_WIDTH))
    after = np.array(_array("memory", memory, (n, MEMORY_WIDTH)))
    far = np.atleast_1d(read("distance", distance))
    if len(bodies) not in (1, n) or far.shape not in ((1,), (n,)) or not (far >= 0.0).all():
        raise InputError(f"cars and distance: give one for all or {n}, distances of zero or more.")
    dt = seconds("dt", dt)
    controls = np.zeros((n, CONTROLS_WIDTH))
    instance("manner", manner, Manner)
    _drive(rows, goal, far, bodies, parameter_row(manner)[0], dt, after, controls)
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
    >>> from headway.world.state import BRAKE, STEERING
    >>> moving = [[0.0, 0.0, 0.0, 20.0, 0.0, 0.0, 0.0]]
    >>> controls, memory = drive_by_force(
    ...     moving, [(-7000.0, 0.0)], car("road").vector(), start_memory(1), 0.02
    ... )
    >>> bool(controls[0, BRAKE] > 0.2), float(controls[0, STEERING])
    (True, 0.0)
    """
    rows = _array("states", states, (None, STATE_WIDTH))
    push = _array("force", force, (len(rows), 2))
    bodies = _array("cars", np.atleast_2d(read("cars", cars)), (None, CAR_WIDTH))
    response = seconds("response", response)
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
        m: within this of the target the car stops. It does not go on to the target itself: it may
        come to rest anywhere within the tolerance, most often somewhat short of the target.
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
    >>> from headway.world.state import GEAR
    >>> controls, memory = drive_to(
    ...     [[0.0] * 7], (-20.0, 0.0), car("road").vector(), start_memory(1), 0.02
    ... )
    >>> float(controls[0, GEAR])
    -1.0
    """
    rows = _array("states", states, (None, STATE_WIDTH))
    goal = _array("target", np.atleast_2d(read("target", target)), (None, 2))
    if len(goal) not in (1, len(rows)):
        raise InputError(f"target has {len(goal)} rows: give one for all, or {len(rows)}.")
    if not real("speed", speed, "m/s, above zero") > 0.0:
        wrong("speed", speed, "m/s, above zero")
    tolerance = above_zero("tolerance", tolerance, "metres")
    instance("manner", manner, Manner)
    way = goal - rows[:, [X, Y]]
    distance = np.hypot(way[:, 0], way[:, 1])
    left = np.maximum(distance - 0.5 * tolerance, 0.0)
    pace = np.minimum(np.sqrt(manner.braking * left), min(speed, 1e3))
    pace = np.where(distance > tolerance, pace, 0.0)
    wanted = way * (pace / np.maximum(distance, 1e-12))[:, None]
    return drive_by_velocity(rows, wanted, cars, memory, dt, distance=distance, manner=manner)


def _array(name: str, value: ArrayLike, shape: tuple[int | None, int]) -> Floats:
    """Read an argument as finite numbers of a shape, of which the first size may be open."""
    array = read(name, value)
    wrong = array.ndim != 2 or array.shape[1] != shape[1] or shape[0] not in (None, len(array))
    if wrong:
        first = "N" if shape[0] is None else shape[0]
        raise InputError(f"{name} has shape {array.shape}: give ({first}, {shape[1]}).")
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0])
        raise InputError(f"{name} of car {row} is not finite: give numbers.")
    return array
