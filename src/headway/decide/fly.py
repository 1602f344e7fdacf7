"""Flying a spacecraft: from a wanted acceleration to its engines, and to rest at a target.

Only the main engine is strong, and it pushes one way. So a craft turns its nose to what is wanted
unless its weaker thrusters can give it as it stands, and to stop it turns about and burns: at
speed v that takes v·(time of the turn) + v²/(2a). Close to the target the thrusters take over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.rows import refuse, vectors
from headway.geometry.vectors import (
    TINY,
    Vector,
    cross,
    dot,
    length,
    limited,
    minus,
    times,
    unit,
    vector,
)
from headway.move.point_mass import parameter_rows
from headway.move.rigid_body import body_at, body_rows, body_state, rotated, unrotated
from headway.move.spacecraft import (
    CONTROLS_WIDTH,
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
    Spacecraft,
)

Floats = NDArray[np.float64]

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
def _turn_time(cosine: float, craft: NDArray) -> float:
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
def _command(
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
def _far(
    way: Vector, velocity: Vector, nose: Vector, craft: NDArray, cruise: float, dt: float
) -> tuple[Vector, Vector]:
    """Acceleration, and direction of the nose or zero, that take a craft towards a target.

    Going faster is worth it as long as there is time to turn the nose ahead, then about, and stop;
    braking begins when there is just time to turn it about. In between the craft coasts.
    """
    main, retro = craft[MAIN_FORCE] / craft[MASS], craft[RETRO_FORCE] / craft[MASS]
    aside = craft[LATERAL_FORCE] / craft[MASS]
    ahead, distance = unit(way), length(way)
    closing = dot(velocity, ahead)
    drift = minus(velocity, times(ahead, closing))
    cosine, about = dot(nose, ahead), _turn_time(-1.0, craft)
    facing = _turn_time(cosine, craft)
    by_retro = speed_to_stop(distance, closing, RESERVE * retro, facing, dt)
    by_main = speed_to_stop(distance, closing, RESERVE * main, _turn_time(-cosine, craft), dt)
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
def _dock(way: float, speed: float, ahead: float, behind: float, dt: float) -> float:
    """Acceleration along one axis that ends at rest; thrusters give `ahead` or `-behind`."""
    if way >= 0.0:
        wanted = speed_to_stop(way, speed, RESERVE * behind, 0.0, dt)
    else:
        wanted = -speed_to_stop(-way, -speed, RESERVE * ahead, 0.0, dt)
    return min(max((wanted - speed) / dt, -behind), ahead)


@kernel(
    example=lambda: (
        body_state(np.zeros((1, 3))), np.ones(3), np.zeros(3), Spacecraft().vector()[None],
        9.0, 0.02, np.zeros((1, 7)),
    ),
)  # fmt: skip
def _fly_to(
    state: NDArray, target: NDArray, target_velocity: NDArray, craft: NDArray, cruise: float,
    dt: float, controls: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(state)):
        c = craft[i if len(craft) > 1 else 0]
        p, v, q, rates = body_at(state, i)
        way = minus(vector(target, i, 3), p)
        velocity = minus(v, vector(target_velocity, i, 3))
        main, retro = c[MAIN_FORCE] / c[MASS], c[RETRO_FORCE] / c[MASS]
        aside = c[LATERAL_FORCE] / c[MASS]
        weak, about = min(retro, aside), _turn_time(-1.0, c)
        near = 0.25 * weak * about * about  # what the weakest thruster crosses in a turn's time
        if max(length(way), 0.5 * dot(velocity, velocity) / max(weak, TINY)) < near:
            r, u = unrotated(q, way), unrotated(q, velocity)
            wanted = (
                _dock(r[0], u[0], main, retro, dt),
                _dock(r[1], u[1], aside, aside, dt),
                _dock(r[2], u[2], aside, aside, dt),
            )
            aim = AHEAD
        else:
            push, look = _far(way, velocity, rotated(q, AHEAD), c, cruise, dt)
            wanted, aim = unrotated(q, push), unrotated(q, look)
        _command(wanted, aim, rates, c, dt, controls[i])
        if not math.isfinite(wanted[0] + wanted[1] + wanted[2]):
            bad = i
    return bad


def fly_to(
    state: ArrayLike,
    target: ArrayLike,
    craft: Spacecraft | Sequence[Spacecraft],
    dt: float,
    *,
    target_velocity: ArrayLike = (0.0, 0.0, 0.0),
    cruise_speed: float = math.inf,
) -> Floats:
    """Choose the controls that bring spacecraft to a target, to rest there.

    A craft burns towards the target, turns about in time and burns against its motion; within the
    distance that its thrusters cross in the time of a turn it docks by them and turns no more.
    The law has no memory: call it each step with the state there is. Arriving to the centimetre
    takes retro and lateral thrusters.

    Parameters
    ----------
    state : (13,) or (N, 13) ndarray
        Position, velocity, attitude and rates; see `headway.move.rigid_body.body_state`.
    target, target_velocity : (3,) or (N, 3) ndarray
        m and m/s, world frame. The velocity is taken as constant.
    craft : Spacecraft or sequence of N
        One for all, or one for each.
    dt : float
        s until the next call.
    cruise_speed : float
        Largest closing speed asked for, m/s, above zero.

    Returns
    -------
    (7,) or (N, 7) ndarray
        Controls for `headway.move.spacecraft.step_spacecraft`, within their limits.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> from headway.move.spacecraft import step_spacecraft
    >>> craft, state = Spacecraft(), body_state((0.0, 0.0, 0.0))
    >>> for _ in range(700):
    ...     controls = fly_to(state, (100.0, 0.0, 0.0), craft, 0.02)
    ...     state = step_spacecraft(state, controls, craft, 0.02)
    >>> bool(abs(state[0] - 100.0) < 0.1), bool(abs(state[3]) < 0.05)
    (True, True)
    """
    rows = body_rows(state)
    goal = vectors("target", target, (len(rows), 3))
    motion = vectors("target_velocity", target_velocity, (len(rows), 3))
    _check(dt, cruise_speed)
    controls = np.empty((len(rows), CONTROLS_WIDTH))
    parameters = parameter_rows("spacecraft", craft, len(rows))
    if _fly_to(rows, goal, motion, parameters, float(cruise_speed), float(dt), controls) >= 0:
        refuse(state=state, target=target, target_velocity=target_velocity)
    return controls.reshape(*np.shape(state)[:-1], CONTROLS_WIDTH)


@kernel(
    example=lambda: (
        body_state(np.zeros((1, 3))), np.ones(3), np.zeros(3), Spacecraft().vector()[None],
        0.02, np.zeros((1, 7)),
    ),
)  # fmt: skip
def _fly_by_force(
    state: NDArray, force: NDArray, nose: NDArray, craft: NDArray, dt: float, controls: NDArray
) -> int:
    bad = -1
    for i in range(len(state)):
        c = craft[i if len(craft) > 1 else 0]
        _, _, q, rates = body_at(state, i)
        wanted = times(unrotated(q, vector(force, i, 3)), 1.0 / c[MASS])
        aim = unrotated(q, unit(vector(nose, i, 3)))
        _command(wanted, aim, rates, c, dt, controls[i])
        if not math.isfinite(dot(wanted, wanted) + dot(aim, aim)):
            bad = i
    return bad


def fly_by_force(
    state: ArrayLike,
    force: ArrayLike,
    craft: Spacecraft | Sequence[Spacecraft],
    dt: float,
    *,
    nose: ArrayLike = (0.0, 0.0, 0.0),
) -> Floats:
    """Choose the controls that give spacecraft a wanted force, as far as they can.

    A force that the thrusters can give as the craft stands needs no turn; for any other the nose
    turns to it, and the main engine burns once it is nearly there.

    Parameters
    ----------
    state : (13,) or (N, 13) ndarray
        Position, velocity, attitude and rates; see `headway.move.rigid_body.body_state`.
    force : (3,) or (N, 3) ndarray
        N, world frame.
    craft : Spacecraft or sequence of N
        One for all, or one for each.
    dt : float
        s until the next call.
    nose : (3,) or (N, 3) ndarray
        Direction to turn the nose to instead, world frame; zero leaves it to the force.

    Returns
    -------
    (7,) or (N, 7) ndarray
        Controls for `headway.move.spacecraft.step_spacecraft`, within their limits.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> state = body_state((0.0, 0.0, 0.0))
    >>> fly_by_force(state, (800.0, 500.0, 0.0), Spacecraft(), 0.02)[:3].tolist()
    [0.1, 0.0, 0.5]
    """
    rows = body_rows(state)
    push, look = vectors("force", force, (len(rows), 3)), vectors("nose", nose, (len(rows), 3))
    _check(dt, 1.0)
    controls = np.empty((len(rows), CONTROLS_WIDTH))
    if (
        _fly_by_force(
            rows, push, look, parameter_rows("spacecraft", craft, len(rows)), float(dt), controls
        )
        >= 0
    ):
        refuse(state=state, force=force, nose=nose)
    return controls.reshape(*np.shape(state)[:-1], CONTROLS_WIDTH)


def _check(dt: float, cruise_speed: float) -> None:
    if not 0.0 < dt < math.inf:
        raise InputError(f"dt is {dt}: give seconds, above zero.")
    if not cruise_speed > 0.0:
        raise InputError(f"cruise_speed is {cruise_speed}: give m/s, above zero.")
