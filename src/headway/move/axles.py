"""What the two axles of a car can do: their loads, drive, brakes and lateral force.

Forces here are per unit of the car's mass, in m/s².
"""

from __future__ import annotations

import math

from numpy.typing import NDArray

from headway._jit import kernel
from headway.move.car_parameters import (
    BRAKE_FORCE,
    BRAKE_FRONT,
    CG_HEIGHT,
    DRAG,
    DRIVE_FRONT,
    DRIVE_STEP,
    DRIVE_TABLE,
    DRIVE_TABLE_SIZE,
    FRONT_AXLE,
    FRONT_DOWNFORCE,
    FRONT_FRICTION,
    FRONT_GRIP_SHARE,
    FRONT_STIFFNESS,
    GRAVITY,
    MASS,
    REAR_AXLE,
    REAR_DOWNFORCE,
    REAR_FRICTION,
    REAR_GRIP_SHARE,
    REAR_STIFFNESS,
    REVERSE_SPEED,
    ROLLING_RESISTANCE,
    TOP_SPEED,
)
from headway.world.state import BRAKE, GEAR, GRIP, ROLLING, THROTTLE

TINY = 1e-9


@kernel
def clip(value: float, low: float, high: float) -> float:
    """Limit a value; one that is not a number becomes the lower limit."""
    if not value > low:
        return low
    return min(value, high)


@kernel(inline="always")
def side_force(forward: float, left: float, steepness: float, floor: float, grip: float) -> float:
    """Lateral force of an axle by Fiala's brush: cubic in slip, then sliding.

    ``forward`` and ``left`` are the axle's velocity along and across its wheels, ``steepness`` the
    cornering stiffness over three times the grip, ``floor`` the least speed slip is taken at.
    """
    z = steepness * left / max(abs(forward), floor)
    if z >= 1:
        return -grip
    if z <= -1:
        return grip
    return -grip * z * (3 - abs(z) * (3 - abs(z)))


@kernel
def _drive(cars: NDArray, car: int, vx: float, throttle: float, gear: float, h: float) -> float:
    """Force of the engine, no more than reaches the top speed of the gear within a step."""
    speed = max(vx * gear, 0.0)
    top = cars[car, TOP_SPEED] if gear > 0 else cars[car, REVERSE_SPEED]
    place = speed / cars[car, DRIVE_STEP]
    knot = int(min(place, DRIVE_TABLE_SIZE - 2.0))
    low = cars[car, DRIVE_TABLE + knot]
    force = low + min(place - knot, 1.0) * (cars[car, DRIVE_TABLE + knot + 1] - low)
    return gear * min(throttle * force / cars[car, MASS], max(top - speed, 0.0) / h)


@kernel
def _along(forward: float, left: float) -> float:
    """Share of a sliding wheel's friction that acts along the wheel."""
    speed = math.sqrt(forward * forward + left * left)
    return abs(forward) / speed if speed > TINY else 1.0


@kernel
def _brakes(
    cars: NDArray, car: int, brake: float, velocity: tuple[float, float, float],
    wheel: tuple[float, float], most: tuple[float, float],
) -> tuple[float, float, float]:  # fmt: skip
    """Brake force of each axle within its grip, and how fast the front wheels roll."""
    vx, vy, r = velocity
    cosine, sine = wheel
    left = vy + cars[car, FRONT_AXLE] * r
    forward = cosine * vx + sine * left
    if brake == 0.0:
        return 0.0, 0.0, forward
    front = most[0] * _along(forward, cosine * left - sine * vx)
    rear = most[1] * _along(vx, vy - cars[car, REAR_AXLE] * r)
    share = cars[car, BRAKE_FRONT]
    return min(share * brake, front), min((1 - share) * brake, rear), forward


@kernel(inline="always")
def axle_forces(
    cars: NDArray, car: int, controls: NDArray, ground: NDArray,
    velocity: tuple[float, float, float], wheel: tuple[float, float], slope: float, h: float,
) -> tuple[tuple[float, float, float, float, float, float, float, float], bool]:  # fmt: skip
    """Forces that hold over a step h, from the driver's controls and the velocity at its start.

    Parameters
    ----------
    cars, controls, ground : (N, CAR_WIDTH), (N, 4) and (N, 4) ndarray
        Those of :func:`headway.move.single_track.step_cars`.
    car : int
        The row in question.
    velocity : (vx, vy, r)
        Body frame, m/s and rad/s.
    wheel : (cosine, sine)
        Of the wheel angle.
    slope : float
        Downhill acceleration along the body, m/s².
    h : float
        s.

    Returns
    -------
    forces : tuple of 8 float
        Longitudinal force of the front and rear wheels, factor of drag on the velocity, rolling
        resistance along the body, lateral grip left to the front and rear axle, and their
        cornering stiffness.
    stops : bool
        Whether brakes and rolling resistance can stop the car within the step.
    """
    vx, vy, _r = velocity
    per_mass = 1 / cars[car, MASS]
    lf = cars[car, FRONT_AXLE]
    lr = cars[car, REAR_AXLE]
    per_base = 1 / (lf + lr)
    gear = -1.0 if controls[car, GEAR] < 0 else 1.0
    drive = _drive(cars, car, vx, clip(controls[car, THROTTLE], 0.0, 1.0), gear, h)
    brake = clip(controls[car, BRAKE], 0.0, 1.0) * cars[car, BRAKE_FORCE] * per_mass
    way = 1.0 if vx > 0 else (-1.0 if vx < 0 else 0.0)

    air = vx * vx * per_mass
    front_load = GRAVITY * lr * per_base + cars[car, FRONT_DOWNFORCE] * air
    rear_load = GRAVITY * lf * per_base + cars[car, REAR_DOWNFORCE] * air
    front_friction = cars[car, FRONT_FRICTION] * max(ground[car, GRIP], 0.0)
    rear_friction = cars[car, REAR_FRICTION] * max(ground[car, GRIP], 0.0)
    most = front_friction * front_load + rear_friction * rear_load
    shift = clip(drive - way * brake, -most, most) * cars[car, CG_HEIGHT] * per_base
    front_grip = front_friction * max(front_load - shift, 0.0)
    rear_grip = rear_friction * max(rear_load + shift, 0.0)

    front_most = cars[car, FRONT_GRIP_SHARE] * front_grip
    rear_most = cars[car, REAR_GRIP_SHARE] * rear_grip
    front = clip(cars[car, DRIVE_FRONT] * drive, -front_most, front_most)
    rear = clip((1 - cars[car, DRIVE_FRONT]) * drive, -rear_most, rear_most)
    drag = cars[car, DRAG] * per_mass * math.sqrt(vx * vx + vy * vy)
    rolling = cars[car, ROLLING_RESISTANCE] + max(ground[car, ROLLING], 0.0)
    front_brake, rear_brake, forward = _brakes(
        cars, car, brake, velocity, wheel, (front_most, rear_most)
    )

    # Brakes and rolling resistance act as dry friction: they stop the car but never turn it back.
    free = front * wheel[0] + rear - drag * vx + slope
    if way == 0.0:
        way = 1.0 if free > 0 else -1.0
    needed = abs(vx) / h + way * free
    available = front_brake * wheel[0] + rear_brake + rolling
    applied = way if needed >= available else way * max(needed, 0.0) / available
    # In a slide the front wheels may roll the other way.
    front -= front_brake * (applied if forward * way >= 0 else -way)
    rear -= rear_brake * applied
    front = clip(front, -front_most, front_most)  # reverse gear and brakes may add up
    rear = clip(rear, -rear_most, rear_most)
    front_left = math.sqrt(max(front_grip * front_grip - front * front, 0.0)) + TINY
    rear_left = math.sqrt(max(rear_grip * rear_grip - rear * rear, 0.0)) + TINY
    front_stiffness = cars[car, FRONT_STIFFNESS] * front_load
    rear_stiffness = cars[car, REAR_STIFFNESS] * rear_load
    held = front, rear, drag, -applied * rolling, front_left, rear_left
    return (*held, front_stiffness, rear_stiffness), needed <= available
