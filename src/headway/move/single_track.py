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
a tanh of speed, to rolling without slip, where one speed u gives all:
(vx, vy, r) = u (1, lr k, k) with k = tan δ / L. Before each step, slip that is left is removed as
by dry friction: by an impulse, at most friction times time, towards the nearest such motion in
the metric of kinetic energy. Hence parking and reversing are exact, standing cars stand, and
tyres and brakes only ever take energy out.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.angles import wrap_angle
from headway.move.axles import axle_forces, clip, side_force
from headway.move.car import CARS
from headway.move.car_parameters import (
    BLEND_SPEED,
    CAR_WIDTH,
    FRONT_AXLE,
    KINEMATIC,
    MASS,
    MAX_WHEEL_ANGLE,
    REAR_AXLE,
    STEERING_RATE,
    YAW_INERTIA,
)
from headway.move.rows import as_rows, count_rows, require_finite
from headway.world.state import (
    CONTROLS_WIDTH,
    GRAVITY_X,
    GRAVITY_Y,
    GROUND_WIDTH,
    STATE_WIDTH,
    STEER,
    STEERING,
    VX,
    VY,
    YAW,
    YAW_RATE,
    X,
    Y,
)

STABLE = 2.0
"""Largest rate times step of the tyres: inside the Runge-Kutta method's limit of 2.78."""


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
def _settled(
    cars: NDArray, car: int, velocity: tuple[float, float, float], wheel: tuple[float, float],
    inertia: float, side_slope: float, grip: float, h: float,
) -> tuple[tuple[float, float, float], float, bool]:  # fmt: skip
    """Take slip out of a slow car as dry friction does.

    Returns the velocity, the share that is left to slipping tyres (0 at rest, 1 well above the
    blend speed), and whether the car now rolls without slip and has the grip to go on so.
    """
    vx, vy, r = velocity
    cosine, sine = wheel
    kinematic = cars[car, KINEMATIC] != 0.0
    blend = cars[car, BLEND_SPEED]
    energy = vx * vx + vy * vy + inertia * r * r
    if energy > 9 * blend * blend and not kinematic:
        return velocity, 1.0, False
    slipping = 0.0 if kinematic else 0.5 * (1 + math.tanh(4 * (math.sqrt(energy) / blend - 1)))
    j = sine / (cosine * (cars[car, FRONT_AXLE] + cars[car, REAR_AXLE]))
    e = cars[car, REAR_AXLE] * j
    u = (vx + e * vy + inertia * j * r) / (1 + e * e + inertia * j * j)
    dx = u - vx
    dy = e * u - vy
    dr = j * u - r
    change = math.sqrt(dx * dx + dy * dy + inertia * dr * dr)
    most = (1 - slipping) * grip * h
    if change <= most or kinematic:
        rolls = kinematic or change + abs(u * u * j - side_slope) * h <= grip * h
        return (u, e * u, j * u), slipping, rolls
    share = most / change
    return (vx + share * dx, vy + share * dy, r + share * dr), slipping, False


@kernel(inline="always")
def _accelerations(
    velocity: tuple[float, float, float], wheel: tuple[float, float], rate: float,
    slope: tuple[float, float], body: tuple[float, float, float, float, float],
    forces: tuple[float, float, float, float, float, float, float, float],
    floor: float, slipping: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Rates of vx, vy and r: those of slipping tyres mixed with those of rolling."""
    vx, vy, r = velocity
    cosine, sine = wheel
    gx, gy = slope
    lf, lr, inertia, front_lever, rear_lever = body
    front, rear, drag, resistance, front_grip, rear_grip, front_steepness, rear_steepness = forces
    left = vy + lf * r
    forward = cosine * vx + sine * left
    side = side_force(forward, cosine * left - sine * vx, front_steepness, floor, front_grip)
    rear_side = side_force(vx, vy - lr * r, rear_steepness, floor, rear_grip)
    # Side forces stand last in each sum because they are known last.
    ax = (r * vy + front * cosine + rear - drag * vx + resistance + gx) - side * sine
    ay = (front * sine - r * vx - drag * vy + gy) + (side * cosine + rear_side)
    ar = front * sine * front_lever + (side * (cosine * front_lever) - rear_side * rear_lever)
    if slipping == 1.0:
        return ax, ay, ar
    j = sine / (cosine * (lf + lr))
    e = lr * j
    j_rate = rate / (cosine * cosine * (lf + lr))
    push = front / cosine + rear + resistance - drag * (vx + e * vy) + gx + e * gy
    u_rate = (push - vx * (e * lr + inertia * j) * j_rate) / (1 + e * e + inertia * j * j)
    rolling = 1 - slipping
    return (
        slipping * ax + rolling * u_rate,
        slipping * ay + rolling * (e * u_rate + lr * j_rate * vx),
        slipping * ar + rolling * (j * u_rate + j_rate * vx),
    )


@kernel(inline="always")
def _integrated(
    velocity: tuple[float, float, float], yaw: tuple[float, float], wheel: tuple[float, float],
    turn: float, slope: tuple[float, float], body: tuple[float, float, float, float, float],
    forces: tuple[float, float, float, float, float, float, float, float],
    floor: float, slipping: float, h: float,
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:  # fmt: skip
    """Changes of position, yaw and velocity over a step, by Runge-Kutta."""
    vx, vy, r = velocity
    cy, sy = yaw
    cosine, sine = wheel
    c, s = yaw
    x = y = angle = dvx = dvy = dr = 0.0
    ax = ay = ar = 0.0
    for stage in range(4):
        part = h if stage == 3 else (0.5 * h if stage > 0 else 0.0)
        weight = h / 6 if stage in (0, 3) else h / 3
        if stage > 0:
            c, s = _turned(cy, sy, part * r)
        if stage in (1, 3):
            cosine, sine = _turned(cosine, sine, 0.5 * turn)
        vx = velocity[0] + part * ax
        vy = velocity[1] + part * ay
        r = velocity[2] + part * ar
        gx = c * slope[0] + s * slope[1]
        gy = c * slope[1] - s * slope[0]
        ax, ay, ar = _accelerations(
            (vx, vy, r), (cosine, sine), turn / h, (gx, gy), body, forces, floor, slipping
        )
        x += weight * (c * vx - s * vy)
        y += weight * (s * vx + c * vy)
        angle += weight * r
        dvx += weight * ax
        dvy += weight * ay
        dr += weight * ar
    return (x, y, angle), (dvx, dvy, dr)


@kernel
def _steered(state: NDArray, car: int, controls: NDArray, cars: NDArray, h: float) -> float:
    """How far the wheels turn in a step towards where they are steered."""
    wanted = controls[car, STEERING]
    if math.isnan(wanted):
        wanted = 0.0
    most = cars[car, STEERING_RATE] * h
    goal = clip(wanted, -1.0, 1.0) * cars[car, MAX_WHEEL_ANGLE]
    return clip(goal - state[car, STEER], -most, most)


@kernel
def _substep(
    state: NDArray, car: int, controls: NDArray, ground: NDArray, cars: NDArray, h: float,
    yaw: tuple[float, float], wheel: tuple[float, float],
) -> tuple[tuple[float, float], tuple[float, float]]:  # fmt: skip
    """Advance one row of the state by h; takes and returns cosine and sine of yaw and wheel."""
    turn = _steered(state, car, controls, cars, h)
    turned_wheel = _turned(wheel[0], wheel[1], turn)
    state[car, STEER] += turn
    lf = cars[car, FRONT_AXLE]
    lr = cars[car, REAR_AXLE]
    inertia = cars[car, YAW_INERTIA] / cars[car, MASS]
    slope = ground[car, GRAVITY_X], ground[car, GRAVITY_Y]
    downhill = yaw[0] * slope[0] + yaw[1] * slope[1]
    side_slope = yaw[0] * slope[1] - yaw[1] * slope[0]

    velocity = state[car, VX], state[car, VY], state[car, YAW_RATE]
    forces, stops = axle_forces(cars, car, controls, ground, velocity, wheel, downhill, h)
    front, rear, drag, resistance, front_grip, rear_grip, front_stiff, rear_stiff = forces
    grip = front_grip + rear_grip
    velocity, slipping, rolls = _settled(cars, car, velocity, wheel, inertia, side_slope, grip, h)
    if stops and velocity == (0.0, 0.0, 0.0) and abs(side_slope) <= grip:
        return yaw, turned_wheel

    # Slip is taken at no less than the speed where its fastest motion would upset the method.
    per_inertia = 1 / inertia
    fastest = (
        front_stiff + rear_stiff + (lf * lf * front_stiff + lr * lr * rear_stiff) * per_inertia
    )
    front_steepness = front_stiff / (3 * front_grip)
    rear_steepness = rear_stiff / (3 * rear_grip)
    if not rolls:
        front_grip *= slipping
        rear_grip *= slipping
        slipping = 1.0
    forces = front, rear, drag, resistance, front_grip, rear_grip, front_steepness, rear_steepness
    body = lf, lr, inertia, lf * per_inertia, lr * per_inertia
    floor = fastest * h * (1 / STABLE)
    moved, gained = _integrated(velocity, yaw, wheel, turn, slope, body, forces, floor, slipping, h)
    state[car, X] += moved[0]
    state[car, Y] += moved[1]
    state[car, YAW] += moved[2]
    state[car, VX] = velocity[0] + gained[0]
    state[car, VY] = velocity[1] + gained[1]
    state[car, YAW_RATE] = velocity[2] + gained[2]
    if rolls and stops:
        state[car, VX] = state[car, VY] = state[car, YAW_RATE] = 0.0
    return _turned(yaw[0], yaw[1], moved[2]), turned_wheel


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
        yaw = math.cos(out[car, YAW]), math.sin(out[car, YAW])
        wheel = _turned(1.0, 0.0, out[car, STEER])
        for _ in range(substeps):
            yaw, wheel = _substep(out, car, controls, ground, cars, h, yaw, wheel)
        if abs(out[car, YAW]) > math.pi:
            out[car, YAW] = wrap_angle(out[car, YAW])


def step_cars(
    state: ArrayLike,
    controls: ArrayLike,
    ground: ArrayLike,
    cars: ArrayLike,
    dt: float,
    substeps: int = 2,
) -> NDArray[np.float64]:
    """Advance N cars by one tick.

    Parameters
    ----------
    state : (N, 7) array_like
        Columns of :mod:`headway.world.state`: x, y (m) and yaw (rad) of the centre of gravity in
        the world frame; forward and left velocity in the body frame (m/s); yaw rate (rad/s);
        wheel angle (rad).
    controls : (N, 4) array_like
        Throttle and brake in 0..1, steering in -1..1 of the largest wheel angle (left positive),
        gear +1 or -1. Values outside are limited; not-a-number counts as zero.
    ground : (N, 4) array_like
        Factor on friction, extra deceleration against motion (m/s²), downhill acceleration
        along x and y of the world frame (m/s²).
    cars : (N, CAR_WIDTH) array_like
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
    [15.27, 10.55]
    """
    count = count_rows("state", state)
    old = as_rows("state", state, (count, STATE_WIDTH))
    commands = as_rows("controls", controls, (count, CONTROLS_WIDTH))
    road = as_rows("ground", ground, (count, GROUND_WIDTH))
    bodies = as_rows("cars", cars, (count, CAR_WIDTH))
    require_finite("state", old)
    require_finite("ground", road)
    if not 0 < dt < math.inf or substeps < 1:
        raise InputError(f"dt is {dt} and substeps {substeps}; give dt > 0 and substeps >= 1.")
    new = np.empty_like(old)
    step_cars_into(old, commands, road, bodies, float(dt), int(substeps), new)
    return new
