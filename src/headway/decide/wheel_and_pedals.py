"""The driver's hands and feet: steering for an angle, pedals for a speed."""

from __future__ import annotations

import math

from numpy import ndarray

from headway._jit import kernel
from headway.decide import driver_row as col
from headway.decide import memory as mem
from headway.decide.line import BRAKE_PEDAL, BRAKING, DRAG, LATERAL, THROTTLE_PEDAL, TRACTION
from headway.follow.pid import pid
from headway.follow.speed_profile import limit_at
from headway.geometry.angles import wrap_angle
from headway.world.state import BRAKE, THROTTLE, VX, VY, YAW_RATE

PROPORTIONAL = 0.0
"""value of STEERING_LAW and SPEED_LAW"""
MOST_SLIP = 0.1
"""Slip of the whole car, rad, up to which it counts as turning and not as spinning."""
ROLLING = 2.0
"""Below this speed, m/s, steering does too little for its integral to learn from."""
STEADY = 5.0
"""Within this of the planned speed, m/s, the plan's acceleration is fed forward."""
MOST_ASKED = 60.0
"""Largest acceleration that the speed law asks for, m/s²; the car gives less."""


@kernel
def turn_wheel(
    sight: tuple[float, float, float, float],
    bend: float,
    car: ndarray,
    driver: ndarray,
    dt: float,
    memory: ndarray,
) -> float:
    """Choose the steering by the driver's law, as a share of full lock, left positive.

    Parameters
    ----------
    sight : tuple of four float
        How the target is seen; see `sight_of`.
    bend : float
        Curvature of the line just ahead, 1/m.
    car : (7,) ndarray
        State.
    driver : (DRIVER_WIDTH,) ndarray
        The driver.
    dt : float
        Time step, s.
    memory : (MEMORY_WIDTH,) ndarray
        The driver's memory, changed in place.

    Returns
    -------
    float
        Between -1 and 1.
    """
    angle, _, line_angle, _ = sight
    if driver[col.STEERING_LAW] == PROPORTIONAL:
        share = angle * driver[col.STEERING_GAIN]
        return min(max(share if car[VX] > -0.1 else -share, -1.0), 1.0)
    lock = driver[col.MAX_WHEEL_ANGLE]
    # at speed a turning car does not move where its nose points, and it is the motion that counts
    slip = math.atan2(car[VY], car[VX]) if car[VX] > 3.0 else 0.0
    error = wrap_angle(angle - min(max(slip, -MOST_SLIP), MOST_SLIP) - line_angle)
    gains = driver[col.STEERING_GAINS : col.STEERING_GAINS + col.GAINS_WIDTH]
    before = memory[mem.STEERING_INTEGRAL]
    correction, memory[mem.STEERING_INTEGRAL], memory[mem.STEERING_FILTERED] = pid(
        error, memory[mem.STEERING_INTEGRAL], memory[mem.STEERING_FILTERED],
        gains[0], gains[1], gains[2], gains[3], gains[4], 2.0 * lock, dt,
    )  # fmt: skip
    forward = max(car[VX], 0.0)
    asked = math.atan(driver[col.WHEELBASE] * bend) + correction
    asked -= driver[col.YAW_DAMPING] * (car[YAW_RATE] - forward * bend)
    wheel = min(max(asked, -lock), lock)
    if forward > 3.0:
        # past the slip of most force the tyres only scrub
        rolls = math.atan2(car[VY] + driver[col.FRONT_AXLE] * car[YAW_RATE], forward)
        most = driver[col.FRONT_PEAK_SLIP]
        wheel = min(max(wheel, rolls - most), rolls + most)
    if forward < ROLLING or (asked - wheel) * error > 0.0:
        memory[mem.STEERING_INTEGRAL] = before  # the error cannot be steered away: do not wind up
    return min(max(wheel / lock, -1.0), 1.0)


@kernel
def press_pedals(
    wanted: float,
    speed: float,
    rise: float,
    need: float,
    ease: float,
    limits: ndarray,
    dt: float,
    car: ndarray,
    driver: ndarray,
    memory: ndarray,
    controls: ndarray,
) -> None:
    """Set throttle and brake for the wanted speed.

    Parameters
    ----------
    wanted, speed : float
        Speeds, m/s.
    rise : float
        Growth of the planned speed per metre, 1/s; 0 where nothing is planned.
    need : float
        Curvature that takes the car to its target, 1/m.
    ease : float
        Share of the pedals that the driver's wander leaves.
    limits : (7, LIMIT_SPEEDS) ndarray
        What the car can do; see `car_limits`.
    dt : float
        Time step, s.
    car : (7,) ndarray
        State.
    driver : (DRIVER_WIDTH,) ndarray
        The driver.
    memory : (MEMORY_WIDTH,) ndarray
        The driver's memory, changed in place.
    controls : (4,) ndarray
        The controls, changed in place.
    """
    error = wanted - speed
    if driver[col.SPEED_LAW] == PROPORTIONAL:
        gain = driver[col.THROTTLE_GAIN] if error > 0.0 else driver[col.BRAKE_GAIN]
        pedal = min(max(error * gain, -1.0), 1.0) * ease
        controls[THROTTLE] = max(pedal, 0.0)
        controls[BRAKE] = max(-pedal, 0.0)
        return
    top = driver[col.TOP_SPEED]
    asked = speed * rise if rise < 0.0 or abs(error) < STEADY else 0.0
    gains = driver[col.SPEED_GAINS : col.SPEED_GAINS + col.GAINS_WIDTH]
    correction, memory[mem.SPEED_INTEGRAL], memory[mem.SPEED_FILTERED] = pid(
        error, memory[mem.SPEED_INTEGRAL], memory[mem.SPEED_FILTERED],
        gains[0], gains[1], gains[2], gains[3], gains[4], MOST_ASKED, dt,
    )  # fmt: skip
    demand = (asked + correction) * (ease if correction > 0.0 else 1.0)
    # turning has the first call on the grip, but half of it, which costs the turning an eighth,
    # always stays for slowing a car that is too fast
    turning = speed * max(abs(car[YAW_RATE]), abs(need) * speed)
    used = min(turning / limit_at(speed, limits, LATERAL, top), 1.0)
    spare = math.sqrt(1.0 - used**2)
    demand += limit_at(speed, limits, DRAG, top)
    if demand >= 0.0:
        full = max(limit_at(speed, limits, THROTTLE_PEDAL, top), 0.1)
        ceiling = min(max(spare, 0.2) * limit_at(speed, limits, TRACTION, top), full) * _rear_hold(
            car, driver
        )
        controls[THROTTLE] = min(demand, ceiling) / full
        controls[BRAKE] = 0.0
    else:
        controls[THROTTLE] = 0.0
        floor = max(spare, 0.5) * limit_at(speed, limits, BRAKING, top) * _rear_hold(car, driver)
        controls[BRAKE] = min(min(-demand, floor) / limit_at(speed, limits, BRAKE_PEDAL, top), 1.0)


@kernel
def _rear_hold(car: ndarray, driver: ndarray) -> float:
    """Share of the pedals that a sliding tail leaves: all up to half the slip of most force."""
    if car[VX] < 3.0:
        return 1.0
    slip = abs(math.atan2(car[VY] - driver[col.REAR_AXLE] * car[YAW_RATE], car[VX]))
    return min(max(2.0 - 2.0 * slip / driver[col.REAR_PEAK_SLIP], 0.0), 1.0)
