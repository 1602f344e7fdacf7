"""A spacecraft: a main engine, weaker thrusters to all other sides, and attitude control."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import seconds, wrong
from headway.geometry.rows import read
from headway.geometry.vectors import Vector, length, times
from headway.move.rigid_body import (
    BODY_WIDTH,
    body_at,
    body_rows,
    body_state,
    store_body,
)
from headway.move.rows import check_parameters, parameter_rows
from headway.move.tumbling import moved_body

Floats = NDArray[np.float64]

MAIN, RETRO, LEFT, UP, ROLL, PITCH, YAW = range(7)
"""Columns of controls: 0..1 of the main and of the retro engine, -1..1 of the lateral thrusters
towards +y and +z, and -1..1 of the largest torque about x, y and z; all in the body frame."""
CONTROLS_WIDTH = 7

(
    MASS, INERTIA_X, INERTIA_Y, INERTIA_Z,
    MAIN_FORCE, RETRO_FORCE, LATERAL_FORCE, MAX_TORQUE, MAX_RATE,
) = range(9)  # fmt: skip
"""Columns of a spacecraft's parameters."""
CRAFT_WIDTH = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Spacecraft:
    """What a spacecraft can do; its engines push through its centre of mass.

    Attributes
    ----------
    mass : float
        kg.
    inertia : (Ix, Iy, Iz)
        Moments about the body axes, kg m².
    main_force : float
        N, of the main engine, along +x.
    retro_force : float
        N, along -x; zero or more.
    lateral_force : float
        N, along +y, -y, +z and -z; zero or more.
    max_torque : float
        N m, about each axis.
    max_rate : float
        Largest angular velocity, rad/s. One that turns faster already may do so, but gains none.

    Raises
    ------
    InputError
        If a parameter is not finite or out of its range.

    Examples
    --------
    >>> shuttle = Spacecraft(main_force=20e3, mass=2000.0)
    >>> shuttle.main_force / shuttle.mass
    10.0
    """

    mass: float = 1000.0
    inertia: tuple[float, float, float] = (800.0, 2000.0, 2000.0)
    main_force: float = 8000.0
    retro_force: float = 1500.0
    lateral_force: float = 1000.0
    max_torque: float = 2500.0
    max_rate: float = 1.5

    def __post_init__(self) -> None:
        moments = read("spacecraft: inertia", self.inertia)
        if moments.shape != (3,) or not ((moments > 0.0) & (moments < math.inf)).all():
            wrong("spacecraft: inertia", self.inertia, "three finite moments above zero")
        object.__setattr__(self, "inertia", tuple(moments.tolist()))
        may_be_zero = "retro_force", "lateral_force"
        check_parameters(self, may_be_zero, but=("inertia",))

    def vector(self) -> Floats:
        """Return the parameters as the row (CRAFT_WIDTH,) that kernels take."""
        return np.array(
            (
                self.mass, *self.inertia, self.main_force, self.retro_force, self.lateral_force,
                self.max_torque, self.max_rate,
            ),
            np.float64,
        )  # fmt: skip


@kernel(forceinline=True)
def share(value: float, low: float) -> float:
    """A control limited to low..1; one that is not a number counts as zero."""
    return 0.0 if math.isnan(value) else min(max(value, low), 1.0)


@kernel(forceinline=True)
def _calm(rates: Vector, before: Vector, most: float) -> Vector:
    """Rates no faster than the limit, or than they were."""
    size = length(rates)
    most = max(most, length(before))
    return times(rates, most / size) if size > most else rates


@kernel(
    direct=True,
    example=lambda: (
        body_state(np.zeros((1, 3))), np.zeros((1, 7)), Spacecraft().vector()[None],
        np.zeros(3), 0.02, np.zeros((1, BODY_WIDTH)),
    ),
)  # fmt: skip
def _step(
    state: NDArray, controls: NDArray, craft: NDArray, gravity: NDArray, dt: float, out: NDArray
) -> int:
    bad = -1
    fall = gravity[0], gravity[1], gravity[2]
    for i in range(len(state)):
        c = craft[i if len(craft) > 1 else 0]
        u = controls[i]
        ix, iy, iz = c[INERTIA_X], c[INERTIA_Y], c[INERTIA_Z]
        inertia = (ix, 0.0, 0.0), (0.0, iy, 0.0), (0.0, 0.0, iz)
        inverse = (1.0 / ix, 0.0, 0.0), (0.0, 1.0 / iy, 0.0), (0.0, 0.0, 1.0 / iz)
        ahead = share(u[MAIN], 0.0) * c[MAIN_FORCE] - share(u[RETRO], 0.0) * c[RETRO_FORCE]
        aside = c[LATERAL_FORCE]
        push = times((ahead, share(u[LEFT], -1.0) * aside, share(u[UP], -1.0) * aside), 1 / c[MASS])
        torque = times(
            (share(u[ROLL], -1.0), share(u[PITCH], -1.0), share(u[YAW], -1.0)), c[MAX_TORQUE]
        )
        body = body_at(state, i)
        p, v, q, rates = moved_body(body, inertia, inverse, push, fall, torque, dt)
        if not store_body(out, i, p, v, q, _calm(rates, body[3], c[MAX_RATE])):
            bad = i
    return bad


def step_spacecraft(
    state: ArrayLike,
    controls: ArrayLike,
    craft: Spacecraft | Sequence[Spacecraft],
    dt: float,
    *,
    gravity: ArrayLike = (0.0, 0.0, 0.0),
) -> Floats:
    """Advance spacecraft by one step.

    Parameters
    ----------
    state : (13,) or (N, 13) ndarray
        Position, velocity, attitude and rates; see `headway.move.rigid_body.body_state`.
    controls : (7,) or (N, 7) ndarray
        Columns MAIN, RETRO (0..1), LEFT, UP, ROLL, PITCH, YAW (-1..1). Values outside are
        limited; not-a-number counts as zero.
    craft : Spacecraft or sequence of N
        One for all, or one for each.
    dt : float
        s.
    gravity : (3,) ndarray
        Acceleration of free fall, m/s², world frame.

    Returns
    -------
    (13,) or (N, 13) ndarray
        The new state.

    Raises
    ------
    InputError
        If shapes do not fit, or a state is not finite.

    Examples
    --------
    >>> state = body_state((0.0, 0.0, 0.0))
    >>> for _ in range(50):
    ...     state = step_spacecraft(state, (1, 0, 0, 0, 0, 0, 0), Spacecraft(), 0.02)
    >>> state[[0, 3]].round(6).tolist()
    [4.0, 8.0]
    """
    rows, commands = body_rows(state), read("controls", controls)
    if commands.shape != (*np.shape(state)[:-1], CONTROLS_WIDTH):
        raise InputError(f"controls have shape {commands.shape}: give 7 for each spacecraft.")
    fall = read("gravity", gravity)
    if fall.shape != (3,) or not np.isfinite(fall).all():
        wrong("gravity", gravity, "three finite numbers")
    dt = seconds("dt", dt)
    out = np.empty_like(rows)
    parameters = parameter_rows(Spacecraft, craft, len(rows))
    bad = _step(rows, commands.reshape(-1, CONTROLS_WIDTH), parameters, fall, dt, out)
    if bad >= 0:
        raise InputError(f"state of spacecraft {bad} is not finite, or too large to compute with.")
    return out.reshape(np.shape(state))
