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
from headway.decide.fly_law import AHEAD, dock_axis, fly_far, set_controls, turn_time
from headway.geometry.options import real, seconds, wrong
from headway.geometry.quaternions import rotated, unrotated
from headway.geometry.rows import refuse, vectors
from headway.geometry.vectors import TINY, dot, length, minus, times, unit, vector
from headway.move.rigid_body import body_at, body_rows, body_state
from headway.move.rows import parameter_rows
from headway.move.spacecraft import (
    CONTROLS_WIDTH,
    LATERAL_FORCE,
    LEFT,
    MAIN_FORCE,
    MASS,
    RETRO,
    RETRO_FORCE,
    UP,
    Spacecraft,
)

Floats = NDArray[np.float64]


@kernel(
    direct=True,
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
        weak, about = min(retro, aside), turn_time(-1.0, c)
        near = 0.25 * weak * about * about  # what the weakest thruster crosses in a turn's time
        if max(length(way), 0.5 * dot(velocity, velocity) / max(weak, TINY)) < near:
            r, u = unrotated(q, way), unrotated(q, velocity)
            wanted = (
                dock_axis(r[0], u[0], main, retro, dt),
                dock_axis(r[1], u[1], aside, aside, dt),
                dock_axis(r[2], u[2], aside, aside, dt),
            )
            aim = AHEAD
        else:
            push, look = fly_far(way, velocity, rotated(q, AHEAD), c, cruise, dt)
            wanted, aim = unrotated(q, push), unrotated(q, look)
        if weak == 0.0 and dot(aim, aim) == 0.0:
            aim = unit(wanted)
        set_controls(wanted, aim, rates, c, dt, controls[i])
        if weak == 0.0:  # the main engine does it all, see `fly_far`
            controls[i, RETRO] = controls[i, LEFT] = controls[i, UP] = 0.0
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
    A craft without retro or without lateral thrusters uses its main engine alone, turning all the
    time, and settles to the centimetre only within a minute or more, if it turns slowly. The law
    has no memory: call it each step with the state there is.

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
    dt = seconds("dt", dt)
    if not real("cruise_speed", cruise_speed, "m/s, above zero") > 0.0:
        wrong("cruise_speed", cruise_speed, "m/s, above zero")
    controls = np.empty((len(rows), CONTROLS_WIDTH))
    parameters = parameter_rows(Spacecraft, craft, len(rows))
    if _fly_to(rows, goal, motion, parameters, float(cruise_speed), dt, controls) >= 0:
        refuse(state=state, target=target, target_velocity=target_velocity)
    return controls.reshape(*np.shape(state)[:-1], CONTROLS_WIDTH)


@kernel(
    direct=True,
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
        set_controls(wanted, aim, rates, c, dt, controls[i])
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
    dt = seconds("dt", dt)
    controls = np.empty((len(rows), CONTROLS_WIDTH))
    if (
        _fly_by_force(rows, push, look, parameter_rows(Spacecraft, craft, len(rows)), dt, controls)
        >= 0
    ):
        refuse(state=state, force=force, nose=nose)
    return controls.reshape(*np.shape(state)[:-1], CONTROLS_WIDTH)
