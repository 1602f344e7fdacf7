"""Getting going again: back up when stuck or facing the wrong way, then rejoin."""

from __future__ import annotations

import math

from numpy import ndarray

from headway._jit import kernel
from headway.decide.driver_row import STUCK_TIME
from headway.decide.memory import BACKING_TURN, BACKING_UNTIL, STUCK_FOR
from headway.world.state import BRAKE, GEAR, STEERING, THROTTLE, VX

SLOW = 1.0
"""Below this speed, m/s, a car that wants to move counts as standing."""
BACKING_TIME = 2.0
WRONG_WAY = math.radians(110.0)
ABOUT_RIGHT = math.radians(60.0)


@kernel
def recover(
    car: ndarray,
    driver: ndarray,
    angle: float,
    wanted: float,
    time: float,
    dt: float,
    memory: ndarray,
    controls: ndarray,
) -> None:
    """Take over the controls of a car that is stuck, faces the wrong way or rolls backwards.

    Backing up ends after a while, or, for a car that faced the wrong way, once the nose points
    roughly to the target.

    Parameters
    ----------
    car : (7,) ndarray
        State.
    driver : (DRIVER_WIDTH,) ndarray
        The driver.
    angle : float
        Angle from the nose to the target, rad.
    wanted : float
        Speed the driver would like, m/s.
    time, dt : float
        Now and the time step, s.
    memory : (MEMORY_WIDTH,) ndarray
        The driver's memory, changed in place.
    controls : (4,) ndarray
        The controls, changed in place.
    """
    if driver[STUCK_TIME] <= 0.0:
        return
    if time < memory[BACKING_UNTIL]:
        if abs(angle) < memory[BACKING_TURN]:
            memory[BACKING_UNTIL] = time
        _back_up(car[VX], angle, controls)
        return
    if abs(car[VX]) < SLOW and wanted > 2.0 * SLOW:
        memory[STUCK_FOR] += dt
    elif car[VX] > 3.0 * SLOW:
        memory[STUCK_FOR] = 0.0
    wrong_way = abs(angle) > WRONG_WAY and abs(car[VX]) < 3.0 * SLOW
    if memory[STUCK_FOR] > driver[STUCK_TIME] or wrong_way:
        memory[BACKING_UNTIL] = time + BACKING_TIME
        memory[BACKING_TURN] = ABOUT_RIGHT if wrong_way else 0.0
        memory[STUCK_FOR] = 0.0
        _back_up(car[VX], angle, controls)
    elif car[VX] < -0.5 * SLOW:
        controls[THROTTLE] = 0.0
        controls[BRAKE] = 1.0


@kernel
def _back_up(forward_speed: float, angle: float, controls: ndarray) -> None:
    """Reverse with the wheel turned away from the target, which swings the nose towards it."""
    controls[GEAR] = -1.0
    controls[STEERING] = -1.0 if angle > 0.0 else 1.0
    controls[BRAKE] = 1.0 if forward_speed > 0.5 else 0.0
    controls[THROTTLE] = 0.0 if forward_speed > 0.5 else (0.6 if forward_speed > -4.0 else 0.0)
