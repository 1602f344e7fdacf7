"""A walker: it goes where it faces, turns at a limited rate and steps aside only slowly.

The faster it walks, the slower it turns; on the spot it turns fastest. It goes ahead only as fast
as its wanted velocity points ahead, so a target abeam makes it slow down and turn: it cannot
circle a target that lies within its turning circle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import seconds
from headway.geometry.rows import positions, refuse, vectors
from headway.geometry.vectors import Vector, dot, length, plus, store, times, unit, vector
from headway.move.heading import turned_one
from headway.move.point_mass import paced
from headway.move.rows import check_parameters, parameter_rows

Floats = NDArray[np.float64]
Row = tuple[float, float, float, float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walker:
    """What a walking body can do.

    Attributes
    ----------
    max_speed : float
        m/s ahead.
    max_side_speed, max_backward_speed : float
        m/s aside and backwards; zero for those that cannot.
    acceleration, braking : float
        m/s², of gaining and of losing speed.
    turn_rate, running_turn_rate : float
        rad/s on the spot and at full speed; in between it falls evenly with speed.

    Raises
    ------
    InputError
        If a parameter is not finite or out of its range.

    Examples
    --------
    >>> Walker(max_speed=2.0).braking
    4.0
    """

    max_speed: float = 1.5
    max_side_speed: float = 0.4
    max_backward_speed: float = 0.0
    acceleration: float = 2.0
    braking: float = 4.0
    turn_rate: float = math.pi
    running_turn_rate: float = 1.5

    def __post_init__(self) -> None:
        check_parameters(self, may_be_zero=("max_side_speed", "max_backward_speed"))

    def vector(self) -> Floats:
        """Return the parameters as the row (7,) that kernels take."""
        return np.array([getattr(self, field.name) for field in fields(self)], np.float64)


@kernel(forceinline=True)
def walk_one(
    velocity: Vector, forward: Vector, wanted: Vector, walker: Row, dt: float
) -> tuple[Vector, Vector]:
    """Velocity and facing of one walker after a step, within a kernel."""
    fastest, aside, back, faster, slower, standing, running = walker
    left = -forward[1], forward[0], 0.0
    ahead, sideways = dot(velocity, forward), dot(velocity, left)
    pace = min(length(velocity) / fastest, 1.0)
    facing = turned_one(forward, wanted, (standing + (running - standing) * pace) * dt)
    left = -facing[1], facing[0], 0.0
    goal = min(max(dot(wanted, facing), -back), fastest)
    ahead = paced(ahead, goal, faster * dt, slower * dt)
    goal = min(max(dot(wanted, left), -aside), aside)
    sideways = paced(sideways, goal, faster * dt, slower * dt)
    # both together are no faster than walking ahead
    most = fastest / max(math.sqrt(ahead * ahead + sideways * sideways), fastest)
    return plus(times(facing, ahead * most), times(left, sideways * most)), facing


@kernel(
    direct=True,
    example=lambda: (
        np.zeros(2), np.zeros(2), np.array((1.0, 0.0)), np.ones(2), Walker().vector()[None],
        2, 0.02, np.zeros(6),
    ),
)  # fmt: skip
def _step(
    position: NDArray, velocity: NDArray, forward: NDArray, wanted: NDArray, walker: NDArray,
    d: int, dt: float, out: NDArray,
) -> int:  # fmt: skip
    bad, count = -1, len(out) // (3 * d)  # all positions, then velocities, then facings
    for i in range(count):
        b = walker[i if len(walker) > 1 else 0]
        row = b[0], b[1], b[2], b[3], b[4], b[5], b[6]
        v, f, w = vector(velocity, i, d), vector(forward, i, d), vector(wanted, i, d)
        faced = unit((f[0], f[1], 0.0))
        after, facing = walk_one((v[0], v[1], 0.0), faced, (w[0], w[1], 0.0), row, dt)
        there = plus(vector(position, i, d), times(after, dt))
        sound = store(out, i, d, there) and store(out, count + i, d, after)
        if not (sound and store(out, 2 * count + i, d, facing) and dot(faced, faced) > 0.0):
            bad = i
    return bad


def step_walkers(
    position: ArrayLike,
    velocity: ArrayLike,
    forward: ArrayLike,
    wanted: ArrayLike,
    walker: Walker | Sequence[Walker],
    dt: float,
) -> tuple[Floats, Floats, Floats]:
    """Advance walkers by one step towards the velocity they want.

    They face the wanted velocity as soon as they can turn, and go as far along it as their
    facing, their speeds and their acceleration allow. For a wanted force see
    `headway.move.point_mass.velocity_for`.

    Parameters
    ----------
    position, velocity : (d,) or (N, d) ndarray
        m and m/s, world frame; d = 2 or 3. They walk in the x-y plane and keep their z.
    forward : (d,) or (N, d) ndarray
        Where they face, world frame.
    wanted : (d,) or (N, d) ndarray
        Velocity, m/s, world frame.
    walker : Walker or sequence of N
        What they can do: one for all, or one for each.
    dt : float
        s.

    Returns
    -------
    position, velocity, forward : (d,) or (N, d) ndarray
        Afterwards; new arrays, facings of unit length.

    Raises
    ------
    InputError
        If shapes do not fit, a number is not finite, or a walker faces nowhere.

    Examples
    --------
    A walker that is to go left turns first.

    >>> body = (0.0, 0.0), (0.0, 0.0), (1.0, 0.0)
    >>> for _ in range(50):
    ...     body = step_walkers(*body, (0.0, 1.0), Walker(), 0.02)
    >>> [each.round(2).tolist() for each in body]
    [[0.04, 0.8], [0.0, 1.0], [0.0, 1.0]]
    """
    p, shape = positions("position", position)
    v, f = vectors("velocity", velocity, shape), vectors("forward", forward, shape)
    w = vectors("wanted", wanted, shape)
    dt = seconds("dt", dt)
    out = np.empty((3, *shape))
    parameters = parameter_rows(Walker, walker, out[0].size // shape[-1])
    bad = _step(p, v, f, w, parameters, shape[-1], dt, out.ravel())
    if bad >= 0:
        if not f.reshape(-1, shape[-1])[bad % (len(f) // shape[-1]), :2].any():
            raise InputError(f"forward of agent {bad} has no direction in the plane: give one.")
        refuse(position=position, velocity=velocity, forward=forward, wanted=wanted)
    return out[0], out[1], out[2]
