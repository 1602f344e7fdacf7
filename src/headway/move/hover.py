"""A hovering body, such as a quadrotor: it leans to accelerate, and climbs and sinks differently.

Its thrust always carries its weight. The thrust may lean from the vertical by a limited angle, so
the horizontal acceleration is at most (g + vertical acceleration)·tan(lean): a body that climbs
harder can also move aside harder. Where it looks has nothing to do with where it flies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.angles import wrap_angle
from headway.geometry.options import seconds
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import Vector, limited, minus, number, plus, store, times, vector
from headway.move.point_mass import force_within, paced
from headway.move.rows import check_parameters, parameter_rows

Floats = NDArray[np.float64]
Row = tuple[float, float, float, float, float, float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hover:
    """What a hovering body can do.

    Attributes
    ----------
    max_speed : float
        m/s, horizontally.
    climb_speed, descent_speed : float
        m/s upwards and downwards.
    climb_acceleration, descent_acceleration : float
        m/s² upwards and downwards; downwards less than gravity, for the body must not fall.
    max_lean, braking_lean : float
        rad from the vertical, to move and to brake; below a right angle.
    yaw_rate : float
        rad/s.
    gravity : float
        m/s².

    Raises
    ------
    InputError
        If a parameter is not finite or out of its range.

    Examples
    --------
    >>> round(Hover(max_lean=0.4).max_acceleration, 3)
    4.148
    """

    max_speed: float = 10.0
    climb_speed: float = 4.0
    descent_speed: float = 2.0
    climb_acceleration: float = 4.0
    descent_acceleration: float = 3.0
    max_lean: float = 0.45
    braking_lean: float = 0.6
    yaw_rate: float = 2.0
    gravity: float = 9.81

    def __post_init__(self) -> None:
        check_parameters(self)
        if max(self.max_lean, self.braking_lean) >= 0.5 * math.pi:
            raise InputError("hover: max_lean and braking_lean: give radians below a right angle.")
        if self.descent_acceleration >= self.gravity:
            raise InputError(
                f"hover: descent_acceleration is {self.descent_acceleration}: give less than "
                f"gravity, {self.gravity}."
            )

    @property
    def max_acceleration(self) -> float:
        """Horizontal acceleration in level flight, m/s²."""
        return self.gravity * math.tan(self.max_lean)

    def vector(self) -> Floats:
        """Return the parameters as the row (9,) that kernels take; leans as their tangents."""
        row = np.array([getattr(self, field.name) for field in fields(self)], np.float64)
        row[5:7] = np.tan(row[5:7])
        return row


@kernel(forceinline=True)
def hover_one(velocity: Vector, wanted: Vector, hover: Row, dt: float) -> Vector:
    """Velocity of one hovering body after a step, within a kernel."""
    fastest, climb, sink, rising, sinking, lean, braking_lean, _, gravity = hover
    # `paced` gains and loses speed: going up both pull one way, going down the other
    goal = min(max(wanted[2], -sink), climb)
    if velocity[2] > 0.0 or (velocity[2] == 0.0 and goal > 0.0):
        up = paced(velocity[2], goal, rising * dt, sinking * dt)
    else:
        up = paced(velocity[2], goal, sinking * dt, rising * dt)
    thrust = gravity + (up - velocity[2]) / dt
    level = velocity[0], velocity[1], 0.0
    goal_level = limited((wanted[0], wanted[1], 0.0), fastest)
    asked = times(minus(goal_level, level), 1.0 / dt)
    given = force_within(asked, level, lean * thrust, braking_lean * thrust)
    return level[0] + given[0] * dt, level[1] + given[1] * dt, up


@kernel(
    direct=True,
    example=lambda: (
        np.zeros(3), np.zeros(3), np.zeros(1), np.ones(3), np.zeros(1), Hover().vector()[None],
        0.02, np.zeros(6), np.zeros(1),
    ),
)  # fmt: skip
def _step(
    position: NDArray, velocity: NDArray, yaw: NDArray, wanted: NDArray, wanted_yaw: NDArray,
    hover: NDArray, dt: float, out: NDArray, new_yaw: NDArray,
) -> int:  # fmt: skip
    bad, count = -1, len(new_yaw)
    for i in range(count):
        b = hover[i if len(hover) > 1 else 0]
        row = b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]
        v = vector(velocity, i, 3)
        after = hover_one(v, vector(wanted, i, 3), row, dt)
        mean = times(plus(v, after), 0.5)
        look = number(yaw, i)
        turn = wrap_angle(number(wanted_yaw, i) - look)
        new_yaw[i] = wrap_angle(look + min(max(turn, -b[7] * dt), b[7] * dt))
        sound = store(out, i, 3, plus(vector(position, i, 3), times(mean, dt)))
        if not (store(out, count + i, 3, after) and sound and math.isfinite(new_yaw[i])):
            bad = i
    return bad


def step_hover(
    position: ArrayLike,
    velocity: ArrayLike,
    yaw: ArrayLike,
    wanted: ArrayLike,
    hover: Hover | Sequence[Hover],
    dt: float,
    *,
    wanted_yaw: ArrayLike | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Advance hovering bodies by one step towards the velocity they want.

    For a wanted force see `headway.move.point_mass.velocity_for`.

    Parameters
    ----------
    position, velocity : (3,) or (N, 3) ndarray
        m and m/s, world frame.
    yaw : float or (N,) ndarray
        rad: where they look.
    wanted : (3,) or (N, 3) ndarray
        Velocity, m/s, world frame; zero holds the place.
    hover : Hover or sequence of N
        What they can do: one for all, or one for each.
    dt : float
        s.
    wanted_yaw : float or (N,) ndarray, optional
        rad: where to look; where they look now unless given.

    Returns
    -------
    position, velocity : (3,) or (N, 3) ndarray
        Afterwards.
    yaw : () or (N,) ndarray
        rad, in (−π, π].

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite.

    Examples
    --------
    >>> body = (0.0, 0.0, 5.0), (0.0, 0.0, 0.0), 0.0
    >>> for _ in range(50):
    ...     body = step_hover(*body, (2.0, 0.0, 9.0), Hover(), 0.02, wanted_yaw=1.0)
    >>> [each.round(2).tolist() for each in body]
    [[1.7, 0.0, 7.0], [2.0, 0.0, 4.0], 1.0]
    """
    p, shape = positions("position", position)
    if shape[-1] != 3:
        raise InputError(f"position has shape {shape}: give (3,) or (N, 3).")
    dt = seconds("dt", dt)
    v = vectors("velocity", velocity, shape)
    w, look = vectors("wanted", wanted, shape), numbers("yaw", yaw, shape)
    goal = look if wanted_yaw is None else numbers("wanted_yaw", wanted_yaw, shape)
    out, new_yaw = np.empty((2, *shape)), np.empty(shape[:-1])
    parameters = parameter_rows(Hover, hover, new_yaw.size)
    bad = _step(p, v, look, w, goal, parameters, dt, out.ravel(), new_yaw.reshape(-1))
    if bad >= 0:
        refuse(position=position, velocity=velocity, yaw=yaw, wanted=wanted, wanted_yaw=goal)
    return out[0], out[1], new_yaw
