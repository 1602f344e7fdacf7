"""Single-track (bicycle) car: two axles with saturating tyres, or rolling without slip.

In the body frame (x forward, y left) with wheel angle δ and yaw rate r

    m (dvx/dt - r vy) = Fxf cos δ - Fyf sin δ + Fxr - drag - resistance + m gx
    m (dvy/dt + r vx) = Fxf sin δ + Fyf cos δ + Fyr - drag + m gy
    I dr/dt           = lf (Fxf sin δ + Fyf cos δ) - lr Fyr

integrated by the classical Runge-Kutta method in substeps. What a driver commands (drive, brakes,
steering rate) and the axle loads are held over a substep. The lateral force of an axle is the
brush model of Fiala (1954; Pacejka, Tire and Vehicle Dynamics, 3rd ed., section 3.2) with the
friction left over by the longitudinal force (friction circle).

Towards standstill slip is ill-defined and the tyres infinitely stiff. There the model passes, by
a tanh of speed, to rolling without slip, where one speed u gives all: (vx, vy, r) = u (1, lr t, t)
/ with t = tan δ / L on each of the last two. What is left of any slip is then removed as by dry
friction: an impulse, at most friction times time, towards the nearest such motion in the metric
of kinetic energy. Hence parking and reversing are exact, standing cars stand, and tyres and
brakes only ever take energy out.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.angles import wrap_angle
from headway.move.car import CARS
from headway.move.car_parameters import (
    BLEND_SPEED,
    BRAKE_FORCE,
    BRAKE_FRONT,
    CAR_WIDTH,
    CG_HEIGHT,
    DRAG,
    DRIVE_FRONT,
    DRIVE_STEP,
    DRIVE_TABLE,
    DRIVE_TABLE_SIZE,
    FRONT_GRIP_SHARE,
    FRONT_AXLE,
    FRONT_DOWNFORCE,
    FRONT_FRICTION,
    FRONT_STIFFNESS,
    GRAVITY,
    REAR_GRIP_SHARE,
    KINEMATIC,
    MASS,
    MAX_WHEEL_ANGLE,
    REAR_AXLE,
    REAR_DOWNFORCE,
    REAR_FRICTION,
    REAR_STIFFNESS,
    REVERSE_SPEED,
    ROLLING_RESISTANCE,
    STEERING_RATE,
    TOP_SPEED,
    YAW_INERTIA,
)
from headway.world.state import (
    BRAKE,
    CONTROLS_WIDTH,
    GEAR,
    GRAVITY_X,
    GRAVITY_Y,
    GRIP,
    GROUND_WIDTH,
    ROLLING,
    STATE_WIDTH,
    STEER,
    STEERING,
    THROTTLE,
    VX,
    VY,
    X,
    Y,
    YAW,
    YAW_RATE,
)

TINY = 1e-9
STABLE = 2.0
"""Largest rate times step of the tyres: inside the Runge-Kutta method's limit of 2.78."""


@kernel
def _clip(value: float, low: float, high: float) -> float:
    """Limit a value; one that is not a number becomes the lower limit."""
    if not value > low:
        return low
    return min(value, high)


@kernel
def _turned(cosine: float, sine: float, angle: float) -> tuple[float, float]:
    """Turn a unit vector by an angle, by Taylor series where it is small."""
    if abs(angle) < 0.2:
        a = angle * angle
        s = angle * (1 - a * (1 / 6 - a * (1 / 120 - a * (1 / 5040 - a * (1 / 362880)))))
        c = 1 - a * (0.5 - a * (1 / 24 - a * (1 / 720 - a * (1 / 40320 - a * (1 / 3628800)))))
    else:
        s = math.sin(angle)
        c = math.cos(angle)
    return c * cosine - s * sine, c * sine + s * cosine


@kernel(inline="always")
def _side_force(forward: float, left: float, steepness: float, floor: float, grip: float) -> float:
    """Lateral force of an axle by Fiala's brush: cubic in slip, then sliding."""
    z = steepness * left / max(abs(forward), floor)
    if z >= 1:
        return -grip
    if z <= -1:
        return grip
    return -grip * z * (3 - abs(z) * (3 - abs(z)))


@kernel
def _drive_force(cars: NDArray, car: int, vx: float, throttle: float, gear: float) -> float:
    """Force of the engine along the gear's direction, fading out at its top speed."""
    speed = max(vx * gear, 0.0)
    top = cars[car, TOP_SPEED] if gear > 0 else cars[car, REVERSE_SPEED]
    place = speed / cars[car, DRIVE_STEP]
    knot = min(int(place), DRIVE_TABLE_SIZE - 2)
    part = min(place - knot, 1.0)
    low = cars[car, DRIVE_TABLE + knot]
    force = low + part * (cars[car, DRIVE_TABLE + knot + 1] - low)
    if speed > 0.99 * top:
        force *= max(1.0 - (speed - 0.99 * top) / (0.01 * top + TINY), 0.0)
    return gear * throttle * force


@kernel
def _along(forward: float, left: float) -> float:
    """Share of a sliding wheel's friction that acts along the wheel."""
    speed = math.sqrt(forward * forward + left * left)
    return abs(forward) / speed if speed > TINY else 1.0


@kernel(inline="always")
def _axle_forces(
    cars: NDArray,
    car: int,
    vx: float,
    vy: float,
    r: float,
    cosine: float,
    sine: float,
    slope: float,
    controls: NDArray,
    ground: NDArray,
    h: float,
) -> tuple[float, float, float, float, float, float, float, float, bool]:
    """What is held over a substep, all per unit of mass.

    Returns the longitudinal force of each axle, the deceleration by drag and rolling as a factor
    on the velocity and a force ahead, the lateral grip and stiffness of each axle, and whether
    brakes and rolling resistance can stop the car within the substep.
    """
    per_mass = 1 / cars[car, MASS]
    lf = cars[car, FRONT_AXLE]
    lr = cars[car, REAR_AXLE]
    per_base = 1 / (lf + lr)
    grip = max(ground[car, GRIP], 0.0)
    front_friction = cars[car, FRONT_FRICTION] * grip
    rear_friction = cars[car, REAR_FRICTION] * grip
    gear = -1.0 if controls[car, GEAR] < 0 else 1.0
    drive = _drive_force(cars, car, vx, _clip(controls[car, THROTTLE], 0.0, 1.0), gear) * per_mass
    brake = _clip(controls[car, BRAKE], 0.0, 1.0) * cars[car, BRAKE_FORCE] * per_mass
    air = vx * vx * per_mass
    way = 1.0 if vx > 0 else (-1.0 if vx < 0 else 0.0)
    front_static = GRAVITY * lr * per_base + cars[car, FRONT_DOWNFORCE] * air
    rear_static = GRAVITY * lf * per_base + cars[car, REAR_DOWNFORCE] * air
    most = front_friction * front_static + rear_friction * rear_static
    shift = _clip(drive - way * brake, -most, most) * cars[car, CG_HEIGHT] * per_base
    front_grip = front_friction * max(front_static - shift, 0.0)
    rear_grip = rear_friction * max(rear_static + shift, 0.0)

    front_most = cars[car, FRONT_GRIP_SHARE] * front_grip
    rear_most = cars[car, REAR_GRIP_SHARE] * rear_grip
    front = _clip(cars[car, DRIVE_FRONT] * drive, -front_most, front_most)
    rear = _clip((1 - cars[car, DRIVE_FRONT]) * drive, -rear_most, rear_most)
    left = vy + lf * r
    forward = cosine * vx + sine * left
    front_brake = rear_brake = 0.0
    if brake > 0:
        front_most *= _along(forward, cosine * left - sine * vx)
        rear_most *= _along(vx, vy - lr * r)
        front_brake = min(cars[car, BRAKE_FRONT] * brake, front_most)
        rear_brake = min((1 - cars[car, BRAKE_FRONT]) * brake, rear_most)
    rolling = cars[car, ROLLING_RESISTANCE] + max(ground[car, ROLLING], 0.0)

    drag = cars[car, DRAG] * per_mass * math.sqrt(vx * vx + vy * vy)
    free = front * cosine + rear - drag * vx + slope
    if way == 0.0:
        way = 1.0 if free > 0 else -1.0
    needed = abs(vx) / h + way * free
    available = front_brake * cosine + rear_brake + rolling
    applied = way
    if needed < available:
        applied *= max(needed, 0.0) / available
    if forward * way < 0:  # sliding: the front wheels roll the other way
        front += way * front_brake
    else:
        front -= applied * front_brake
    rear -= applied * rear_brake
    front_grip = math.sqrt(max(front_grip * front_grip - front * front, 0.0)) + TINY
    rear_grip = math.sqrt(max(rear_grip * rear_grip - rear * rear, 0.0)) + TINY
    return (
        front,
        rear,
        drag,
        -applied * rolling,
        front_grip,
        rear_grip,
        cars[car, FRONT_STIFFNESS] * front_static,
        cars[car, REAR_STIFFNESS] * rear_static,
        needed <= available,
    )


@kernel(inline="always")
def _acceleration(
    vx: float,
    vy: float,
    r: float,
    cd: float,
    sd: float,
    gx: float,
    gy: float,
    lf: float,
    lr: float,
    inertia: float,
    front_lever: float,
    rear_lever: float,
    rate: float,
    front: float,
    rear: float,
    drag: float,
    resistance: float,
    front_grip: float,
    rear_grip: float,
    front_steepness: float,
    rear_steepness: float,
    floor: float,
    slipping: float,
) -> tuple[float, float, float]:
    """Rates of vx, vy and r: those of slipping tyres mixed with those of rolling."""
    left = vy + lf * r
    side = _side_force(cd * vx + sd * left, cd * left - sd * vx, front_steepness, floor, front_grip)
    rear_side = _side_force(vx, vy - lr * r, rear_steepness, floor, rear_grip)
    # Side forces come last in each sum: they are known last.
    ax = (r * vy + front * cd + rear - drag * vx + resistance + gx) - side * sd
    ay = (front * sd - r * vx - drag * vy + gy) + (side * cd + rear_side)
    ar = front * sd * front_lever + (side * (cd * front_lever) - rear_side * rear_lever)
    if slipping == 1.0:
        return ax, ay, ar
    j = sd / (cd * (lf + lr))
    e = lr * j
    j_rate = rate / (cd * cd * (lf + lr))
    push = front / cd + rear + resistance - drag * (vx + e * vy) + gx + e * gy
    push -= vx * (e * lr + inertia * j) * j_rate
    du = push / (1 + e * e + inertia * j * j)
    rolling = 1 - slipping
    return (
        slipping * ax + rolling * du,
        slipping * ay + rolling * (e * du + lr * j_rate * vx),
        slipping * ar + rolling * (j * du + j_rate * vx),
    )


@kernel(inline="always")
def _settled(
    cars: NDArray, car: int, vx: float, vy: float, r: float, cd: float, sd: float,
    side_slope: float, grip: float, h: float,
) -> tuple[float, float, float, float, bool]:  # fmt: skip
    """Take slip out of a slow car as dry friction does.

    Returns the velocity, the share that is left to slipping tyres (0 at rest, 1 well above the
    blend speed), and whether the car now rolls without slip and has the grip to go on so.
    """
    kinematic = cars[car, KINEMATIC] != 0.0
    blend = cars[car, BLEND_SPEED]
    inertia = cars[car, YAW_INERTIA] / cars[car, MASS]
    speed = math.sqrt(vx * vx + vy * vy + inertia * r * r)
    if speed > 3 * blend and not kinematic:
        return vx, vy, r, 1.0, False
    slipping = 0.0 if kinematic else 0.5 * (1 + math.tanh(4 * (speed / blend - 1)))
    j = sd / (cd * (cars[car, FRONT_AXLE] + cars[car, REAR_AXLE]))
    e = cars[car, REAR_AXLE] * j
    u = (vx + e * vy + inertia * j * r) / (1 + e * e + inertia * j * j)
    dx = u - vx
    dy = e * u - vy
    dr = j * u - r
    change = math.sqrt(dx * dx + dy * dy + inertia * dr * dr)
    most = (1 - slipping) * grip * h
    if change <= most or kinematic:
        rolls = kinematic or abs(u * u * j - side_slope) <= grip
        return u, e * u, j * u, slipping, rolls
    share = most / change
    return vx + share * dx, vy + share * dy, r + share * dr, slipping, False


@kernel
def _substep(
    state: NDArray,
    car: int,
    controls: NDArray,
    ground: NDArray,
    cars: NDArray,
    h: float,
    cy: float,
    sy: float,
    cd: float,
    sd: float,
) -> tuple[float, float, float, float]:
    """Advance one row of the state by h; takes and returns cosine and sine of yaw and wheel."""
    lf = cars[car, FRONT_AXLE]
    lr = cars[car, REAR_AXLE]
    inertia = cars[car, YAW_INERTIA] / cars[car, MASS]
    per_inertia = 1 / inertia
    vx0 = state[car, VX]
    vy0 = state[car, VY]
    r0 = state[car, YAW_RATE]
    wx = ground[car, GRAVITY_X]
    wy = ground[car, GRAVITY_Y]
    side_slope = cy * wy - sy * wx

    wanted = controls[car, STEERING]
    wanted = _clip(wanted, -1.0, 1.0) if wanted == wanted else 0.0
    quickest = cars[car, STEERING_RATE] * h
    turn = _clip(wanted * cars[car, MAX_WHEEL_ANGLE] - state[car, STEER], -quickest, quickest)
    state[car, STEER] += turn
    rate = turn / h

    front, rear, drag, resistance, front_grip, rear_grip, front_c, rear_c, stops = _axle_forces(
        cars, car, vx0, vy0, r0, cd, sd, cy * wx + sy * wy, controls, ground, h
    )
    grip = front_grip + rear_grip
    vx0, vy0, r0, slipping, rolls = _settled(cars, car, vx0, vy0, r0, cd, sd, side_slope, grip, h)
    front_steepness = front_c / (3 * front_grip)
    rear_steepness = rear_c / (3 * rear_grip)
    if stops and vx0 == 0.0 and vy0 == 0.0 and r0 == 0.0 and abs(side_slope) <= grip:
        cd, sd = _turned(cd, sd, turn)
        return cy, sy, cd, sd
    if not rolls:
        front_grip *= slipping
        rear_grip *= slipping
        slipping = 1.0
    stiffest = front_c + rear_c + (lf * lf * front_c + lr * lr * rear_c) * per_inertia
    floor = stiffest * h * (1 / STABLE)

    x = y = angle = vx = vy = r = 0.0
    ax = ay = ar = 0.0
    dx = dy = dvx = dvy = dr = 0.0
    cw, sw = cd, sd
    c, s = cy, sy
    for stage in range(4):
        part = 0.5 * h if stage == 1 or stage == 2 else (h if stage == 3 else 0.0)
        if stage > 0:
            c, s = _turned(cy, sy, part * r)
        if stage == 1 or stage == 3:
            cw, sw = _turned(cw, sw, 0.5 * turn)
        vx = vx0 + part * ax
        vy = vy0 + part * ay
        r = r0 + part * ar
        ax, ay, ar = _acceleration(
            vx, vy, r, cw, sw, c * wx + s * wy, c * wy - s * wx, lf, lr, inertia, lf * per_inertia, lr * per_inertia, rate,
            front, rear, drag, resistance, front_grip, rear_grip, front_steepness, rear_steepness, floor, slipping,
        )  # fmt: skip
        weight = h / 3 if stage == 1 or stage == 2 else h / 6
        x += weight * (c * vx - s * vy)
        y += weight * (s * vx + c * vy)
        angle += weight * r
        dvx += weight * ax
        dvy += weight * ay
        dr += weight * ar
    vx = vx0 + dvx
    vy = vy0 + dvy
    r = r0 + dr
    if rolls and stops:
        vx = vy = r = 0.0
    state[car, X] += x
    state[car, Y] += y
    state[car, YAW] += angle
    state[car, VX] = vx
    state[car, VY] = vy
    state[car, YAW_RATE] = r
    cy, sy = _turned(cy, sy, angle)
    return cy, sy, cw, sw


def _example() -> tuple:
    row = CARS["gt"].vector()[None]
    state = np.zeros((1, STATE_WIDTH))
    return (
        state,
        np.zeros((1, CONTROLS_WIDTH)),
        np.zeros((1, GROUND_WIDTH)),
        row,
        0.02,
        2,
        state.copy(),
    )


@kernel(example=_example)
def step_cars_into(
    state: NDArray,
    controls: NDArray,
    ground: NDArray,
    cars: NDArray,
    dt: float,
    substeps: int,
    out: NDArray,
) -> None:
    """Advance N cars by dt into ``out``, without checking anything.

    The arrays are those of :func:`step_cars`, float64 and C-contiguous; ``out`` may be ``state``.
    """
    h = dt / substeps
    for car in range(state.shape[0]):
        for column in range(STATE_WIDTH):
            out[car, column] = state[car, column]
        cy = math.cos(out[car, YAW])
        sy = math.sin(out[car, YAW])
        cd, sd = _turned(1.0, 0.0, out[car, STEER])
        for _ in range(substeps):
            cy, sy, cd, sd = _substep(out, car, controls, ground, cars, h, cy, sy, cd, sd)
        if abs(out[car, YAW]) > math.pi:
            out[car, YAW] = wrap_angle(out[car, YAW])


def step_cars(
    state: NDArray[np.float64],
    controls: NDArray[np.float64],
    ground: NDArray[np.float64],
    cars: NDArray[np.float64],
    dt: float,
    substeps: int = 2,
) -> NDArray[np.float64]:
    """Advance N cars by one tick.

    Parameters
    ----------
    state : (N, 7) array
        Columns of :mod:`headway.world.state`: x, y (m) and yaw (rad) of the centre of gravity in
        the world frame; forward and left velocity in the body frame (m/s); yaw rate (rad/s);
        wheel angle (rad).
    controls : (N, 4) array
        Throttle and brake in 0..1, steering in -1..1 of the largest wheel angle (left positive),
        gear +1 or -1. Values outside are limited; not-a-number counts as zero.
    ground : (N, 4) array
        Factor on friction, extra deceleration against motion (m/s²), downhill acceleration
        along x and y of the world frame (m/s²).
    cars : (N, CAR_WIDTH) array
        A row of :meth:`Car.vector` for each car.
    dt : float
        s.
    substeps : int
        Runge-Kutta steps within dt.

    Returns
    -------
    (N, 7) array
        The new state, yaw in (-π, π]. Each row depends on its own row of the inputs only.

    Raises
    ------
    InputError
        If shapes do not agree, the state or ground is not finite, or dt or substeps not positive.

    Examples
    --------
    A car at 20 m/s brakes for a second.

    >>> from headway.move.car import car
    >>> state = np.array([[0.0, 0, 0, 20, 0, 0, 0]])
    >>> controls = np.array([[0.0, 1, 0, 1]])
    >>> dry = np.array([[1.0, 0, 0, 0]])
    >>> for _ in range(50):
    ...     state = step_cars(state, controls, dry, car("road").vector()[None], 0.02)
    >>> [round(value, 2) for value in state[0, [0, 3]].tolist()]
    [15.22, 10.45]
    """
    state, controls, ground, cars = (
        np.require(array, np.float64, "CW") for array in (state, controls, ground, cars)
    )
    count = len(state) if state.ndim else 0
    for name, array, width in (
        ("state", state, STATE_WIDTH),
        ("controls", controls, CONTROLS_WIDTH),
        ("ground", ground, GROUND_WIDTH),
        ("cars", cars, CAR_WIDTH),
    ):
        if array.shape != (count, width):
            raise InputError(
                f"{name} has shape {array.shape}; give one row of {width} for each car "
                f"of state, that is ({count}, {width})."
            )
    if not (np.isfinite(state).all() and np.isfinite(ground).all()):
        raise InputError("state or ground holds a value that is not finite; remove it.")
    if not 0 < dt < math.inf or substeps < 1:
        raise InputError(f"dt is {dt} and substeps {substeps}; give dt > 0 and substeps >= 1.")
    new = np.empty_like(state)
    step_cars_into(state, controls, ground, cars, float(dt), int(substeps), new)
    return new
