"""Giving way after a touch: slow down if behind, veer to the free side, for a while."""

from __future__ import annotations

import math

from numpy import ndarray

from headway._jit import kernel
from headway.decide.driver_row import EVASION_OFFSET, EVASION_SLOWDOWN, EVASION_TIME
from headway.decide.memory import EVADE_OFFSET, EVADE_SLOWDOWN, EVADE_UNTIL
from headway.world.state import YAW, X, Y


@kernel
def give_way(car: ndarray, other: ndarray, driver: ndarray, time: float, memory: ndarray) -> None:
    """Remember to evade the car that was just touched.

    Parameters
    ----------
    car, other : (7,) ndarray
        States of this car and the one it touched.
    driver : (DRIVER_WIDTH,) ndarray
        This car's driver.
    time : float
        Now, s.
    memory : (MEMORY_WIDTH,) ndarray
        The driver's memory, changed in place.
    """
    dx, dy = other[X] - car[X], other[Y] - car[Y]
    forward = math.cos(car[YAW]) * dx + math.sin(car[YAW]) * dy
    left = math.cos(car[YAW]) * dy - math.sin(car[YAW]) * dx
    memory[EVADE_UNTIL] = time + driver[EVASION_TIME]
    memory[EVADE_SLOWDOWN] = driver[EVASION_SLOWDOWN] if forward > 0.0 else 1.0
    memory[EVADE_OFFSET] = -math.copysign(driver[EVASION_OFFSET], left)
