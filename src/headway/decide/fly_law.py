"""The law that flies a spacecraft, in kernels: when to burn, where to look, how to dock."""

from __future__ import annotations

import math

from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import TINY, Vector, cross, dot, length, limited, minus, times, unit
from headway.move.spacecraft import (
    INERTIA_X,
    INERTIA_Y,
    INERTIA_Z,
    LATERAL_FORCE,
    LEFT,
    MAIN,
    MAIN_FORCE,
    MASS,
    MAX_RATE,
    MAX_TORQUE,
    PITCH,
    RETRO,
    RETRO_FORCE,
    ROLL,
    UP,
    YAW,
)

RESERVE = 0.9
"""Share of its force and torque that a craft counts on for braking; the rest corrects errors."""
ALIGNED = math.cos(math.radians(12.0))
"""The main engine burns when the nose is this close to where it should point."""
AHEAD = (1.0, 0.0, 0.0)


@kernel(forceinline=True)
def speed_to_stop(distance: float, speed: float, braking: float, delay: float, dt: float) -> float:
    """The largest speed at the end of a step from which one still stops within a distance.

    Over the step the speed changes evenly, then it stays for a delay, then it falls by `braking`.
    """
    left = distance - 0.5 * speed * dt
    if left <= 0.0 or braking <= 0.0:
        return 0.0
    lag = 0.5 * dt + delay
    return 2.0 * left / (lag + math.sqrt(lag * lag + 2.0 * left / braking))


@kernel(forceinline=True)
def turn_time(cosine: float, craft: NDArray) -> float:
    """Time to turn the nose from rest to rest by an angle of this cosine, s."""
    angle = math.acos(min(max(cosine, -1.0), 1.0))
    torque = RESERVE * craft[MAX_TORQUE]
    gain, rate = torque / max(craft[INERTIA_Y], craft[INERTIA_Z]), craft[MAX_RATE]
    if angle * gain < rate * rate:
        return 2.0 * math.sqrt(angle / gain)
    return angle / rate + rate / gain


@kernel
def _torque(aim: Vector, rates: Vector, craft: NDArray, dt: float) -> Vector:
    """Shares of the largest torque that bring the nose to a direction, both in the body frame."""
    inertia = craft[INERTIA_X], craft[INERTIA_Y], craft[INERTIA_Z]
    axis = cross(AHEAD, aim)
    sine = length(axis)
    angle = math.atan2(sine, aim[0])
    axis = times(axis, 1.0 / sine) if sine > TINY else (0.0, 0.0, 1.0)
    slowest = max(inertia[1] * abs(axis[1]), inertia[2] * abs(axis[2]))
    braking = RESERVE * craft[MAX_TORQUE] / slowest
    rate = min(speed_to_stop(angle, dot(rates, axis), braking, 0.0, dt), craft[MAX_RATE])
    change = times(minus(times(axis, rate), rates), 1.0 / dt)
    spin = inertia[0] * rates[0], inertia[1] * rates[1], inertia[2] * rates[2]
    gyroscopic = cross(rates, spin)
    x = (inertia[0] * change[0] + gyroscopic[0]) / craft[MAX_TORQUE]
    y = (inertia[1] * change[1] + gyroscopic[1]) / craft[MAX_TORQUE]
    z = (inertia[2] * change[2] + gyroscopic[2]) / craft[MAX_TORQUE]
    return times((x, y, z), 1.0 / max(abs(x), abs(y), abs(z), 1.0))


@kernel
def set_controls(
    wanted: Vector, aim: Vector, rates: Vector, craft: NDArray, dt: float, controls: NDArray
) -> None:
    """Set the controls for an acceleration and, unless it is zero, a direction for the nose.

    All vectors are in the body frame.
    """
    main, retro = craft[MAIN_FORCE] / craft[MASS], craft[RETRO_FORCE] / craft[MASS]
    aside = craft[LATERAL_FORCE] / craft[MASS]
    across = max(abs(wanted[1]), abs(wanted[2]))
    if dot(aim, aim) == 0.0:
        as_it_stands = across <= aside and -retro <= wanted[0] <= aside
        aim = AHEAD if as_it_stands else unit(wanted)
    controls[MAIN] = min(max(wanted[0] / main, 0.0), 1.0) if aim[0] > ALIGNED else 0.0
    controls[RETRO] = min(max(-wanted[0] / retro, 0.0), 1.0) if retro > 0.0 else 0.0
    controls[LEFT] = min(max(wanted[1] / aside, -1.0), 1.0) if aside > 0.0 else 0.0
    controls[UP] = min(max(wanted[2] / aside, -1.0), 1.0) if aside > 0.0 else 0.0
    torque = _torque(aim, rates, craft, dt)
    controls[ROLL], controls[PITCH], controls[YAW] = torque


@kernel
def fly_far(
    way: Vector, velocity: Vector, nose: Vector, craft: NDArray, cruise: float, dt: float
) -> tuple[Vector, Vector]:
    """Acceleration, and direction of the nose or zero, that take a craft towards a target.

    Going faster is worth it as long as there is time to turn the nose ahead, then about, and stop;
    braking begins when there is just time to turn it about. In between the craft coasts.
    """
    main, retro = craft[MAIN_FORCE] / craft[MASS], craft[RETRO_FORCE] / craft[MASS]
    aside = craft[LATERAL_FORCE] / craft[MASS]
    if min(retro, aside) == 0.0:  # one kind of thrusters alone would circle the target
        retro = aside = 0.0
    ahead, distance = unit(way), length(way)
    closing = dot(velocity, ahead)
    drift = minus(velocity, times(ahead, closing))
    cosine, about = dot(nose, ahead), turn_time(-1.0, craft)
    facing = turn_time(cosine, craft)
    by_retro = speed_to_stop(distance, closing, RESERVE * retro, facing, dt)
    by_main = speed_to_stop(distance, closing, RESERVE * main, turn_time(-cosine, craft), dt)
    after_turns = speed_to_stop(distance, closing, RESERVE * main, facing + about, dt)
    fastest = min(max(by_retro, after_turns), cruise)
    if closing < fastest:
        change = minus(times(ahead, fastest - closing), drift)
        return limited(times(change, 1.0 / dt), main), (0.0, 0.0, 0.0)
    along = max((min(max(by_retro, by_main), cruise) - closing) / dt, -main)
    # drift that the lateral thrusters cannot end in the time of a turn is left to the main engine
    excess = max(length(drift) - aside * about, 0.0)
    back = -main * about if by_main > by_retro else main * about
    aim = minus(times(ahead, back), times(unit(drift), excess))
    sideways = limited(times(drift, 1.0 / dt), aside + main * excess / length(aim))
    return minus(times(ahead, min(along, 0.0)), sideways), unit(aim)


@kernel(forceinline=True)
def dock_axis(way: float, speed: float, ahead: float, behind: float, dt: float) -> float:
    """Acceleration along one axis that ends at rest; thrusters give `ahead` or `-behind`."""
    if way >= 0.0:
        wanted = speed_to_stop(way, speed, RESERVE * behind, 0.0, dt)
    else:
        wanted = -speed_to_stop(-way, -speed, RESERVE * ahead, 0.0, dt)
    return min(max((wanted - speed) / dt, -behind), ahead)
