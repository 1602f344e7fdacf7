"""The Newtonian point mass: a force, a mass, a largest speed and a fixed step."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import (
    Vector,
    dot,
    length,
    limited,
    minus,
    number,
    plus,
    store,
    times,
    unit,
    vector,
)

Floats = NDArray[np.float64]

OLD_SHARE = {"semi_implicit": 0.0, "explicit": 1.0, "midpoint": 0.5}
"""How much of the velocity that moves the body over a step is that from before the step."""
SLOWEST = 1e-4
"""Below this speed, m/s, the direction of a velocity is chance."""
SLOW_SHARE = 0.2
"""Below this share of its largest speed a vehicle counts as slow in `slow_turn`."""


def parameter_rows(kind: str, bodies: Any, count: int) -> Floats:
    """Lay out the parameters of bodies for kernels.

    Parameters
    ----------
    kind : str
        What they are called in an error.
    bodies : object with a method `vector`, or sequence of N of them
        One for all, or one for each.
    count : int
        N.

    Returns
    -------
    (1, W) or (N, W) ndarray
        Their rows.

    Raises
    ------
    InputError
        If there are not N of them.
    """
    if hasattr(bodies, "vector"):
        return bodies.vector()[None]
    if len(bodies) != count or count == 0:
        raise InputError(f"{kind}: there are {len(bodies)} for {count} states: give one for each.")
    return np.array([each.vector() for each in bodies])


@kernel(forceinline=True)
def paced(speed: float, wanted: float, faster: float, slower: float) -> float:
    """The speed nearest the wanted one, for one number with a sign within a kernel.

    It gains at most `faster` and loses at most `slower`; to change sign it first comes to zero.
    """
    sign = -1.0 if speed < 0.0 or (speed == 0.0 and wanted < 0.0) else 1.0
    return sign * min(max(sign * wanted, sign * speed - slower, 0.0), sign * speed + faster)


@kernel(forceinline=True)
def force_within(force: Vector, velocity: Vector, most: float, braking: float) -> Vector:
    """The force a body can give of the one that is asked, in the same direction.

    The limit is a circle, `most`, ahead and to the sides; behind it is half an ellipse that
    reaches to `braking`.
    """
    if most == braking:
        return limited(force, most)
    ahead = unit(velocity)
    along = dot(force, ahead)
    if along >= 0.0:
        return limited(force, most)
    if braking == 0.0 or most == 0.0:  # one side of the ellipse is flat
        aside = minus(force, times(ahead, along))
        return plus(limited(aside, most), times(ahead, max(along, -braking)))
    across = length(minus(force, times(ahead, along)))
    share = math.sqrt((along / braking) ** 2 + (across / most) ** 2)
    return times(force, 1.0 / max(share, 1.0))


@kernel(forceinline=True)
def turned_one(forward: Vector, velocity: Vector, most: float) -> Vector:
    """Turn a direction towards that of a velocity by at most an angle, within a kernel."""
    speed = length(velocity)
    if speed < SLOWEST:
        return forward
    goal = times(velocity, 1.0 / speed)
    if most >= math.pi:
        return goal
    now, cosine = unit(forward), math.cos(most)
    if dot(now, goal) >= cosine or dot(now, now) == 0.0:
        return goal
    side = unit(minus(goal, times(now, dot(now, goal))))
    if dot(side, side) == 0.0:  # straight behind: turn left, or backwards where there is no left
        side = unit((-now[1], now[0], 0.0))
        if dot(side, side) == 0.0:
            side = (-1.0, 0.0, 0.0)
    return unit(plus(times(now, cosine), times(side, math.sin(most))))


@kernel(
    direct=True,
    example=lambda: (
        np.zeros(3), np.zeros(3), np.zeros(3), np.ones(1), np.ones(1), np.ones(1), np.ones(1),
        3, 0.02, 0.0, np.zeros(6),
    ),
)  # fmt: skip
def _step(
    position: NDArray, velocity: NDArray, force: NDArray, mass: NDArray, max_speed: NDArray,
    max_force: NDArray, max_braking_force: NDArray, d: int, dt: float, old_share: float,
    out: NDArray,
) -> int:  # fmt: skip
    bad, count = -1, len(out) // (2 * d)  # first all positions, then all velocities
    for i in range(count):
        m, fastest = number(mass, i), number(max_speed, i)
        most, braking = number(max_force, i), number(max_braking_force, i)
        v = vector(velocity, i, d)
        pushed = force_within(vector(force, i, d), v, most, braking)
        after = limited(plus(v, times(pushed, dt / m)), fastest)
        mean = plus(times(v, old_share), times(after, 1.0 - old_share))
        there = plus(vector(position, i, d), times(mean, dt))
        store(out, i, d, there)
        store(out, count + i, d, after)
        total = after[0] + after[1] + after[2] + there[0] + there[1] + there[2]
        sound = total - total == 0.0  # one test for six numbers
        if not (sound and m > 0.0 and fastest >= 0.0 and most >= 0.0 and braking >= 0.0):
            bad = i
    return bad


def step_points(
    position: ArrayLike,
    velocity: ArrayLike,
    force: ArrayLike,
    *,
    mass: ArrayLike,
    max_speed: ArrayLike,
    max_force: ArrayLike,
    dt: float,
    integration: str = "semi_implicit",
    max_braking_force: ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    """Advance point masses by one step.

    The force is limited, a = F/m, the velocity gains a·dt and is limited, and the position moves
    by a velocity times dt: the new one, the old one, or the mean of both.

    Parameters
    ----------
    position, velocity : (d,) or (N, d) ndarray
        m and m/s, world frame; d = 2 or 3.
    force : (d,) or (N, d) ndarray
        N, world frame: what is asked for.
    mass : float or (N,) ndarray
        kg, above zero.
    max_speed, max_force : float or (N,) ndarray
        m/s and N, zero or more; infinity for no limit.
    dt : float
        s.
    integration : "semi_implicit", "explicit" or "midpoint"
        Which velocity moves the position. Semi-implicit, by the new one, is what games do and
        keeps orbits closed; explicit, by the old one, is Euler's method; midpoint, by the mean,
        is exact under a constant force.
    max_braking_force : float or (N,) ndarray, optional
        N: the limit for a force against the velocity, where that is not `max_force`. Between
        straight back and straight aside the limit is an ellipse.

    Returns
    -------
    position, velocity : (d,) or (N, d) ndarray
        Afterwards; new arrays.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> at, v = step_points(
    ...     (0.0, 0.0), (1.0, 0.0), (5.0, 0.0), mass=1.0, max_speed=9.0, max_force=4.0, dt=0.5
    ... )
    >>> at.tolist(), v.tolist()
    ([1.5, 0.0], [3.0, 0.0])
    """
    p, shape = positions("position", position)
    v, f = vectors("velocity", velocity, shape), vectors("force", force, shape)
    m, fastest = numbers("mass", mass, shape), numbers("max_speed", max_speed, shape)
    most = braking = numbers("max_force", max_force, shape)
    if max_braking_force is not None:
        braking = numbers("max_braking_force", max_braking_force, shape)
    if not 0.0 < dt < math.inf or integration not in OLD_SHARE:
        _refuse_step(dt, integration)
    out, share = np.empty((2, *shape)), OLD_SHARE[integration]
    if _step(p, v, f, m, fastest, most, braking, shape[-1], float(dt), share, out.ravel()) >= 0:
        limits = {"max_speed": fastest, "max_force": most, "max_braking_force": braking}
        _refuse_points(m, limits, position=position, velocity=velocity, force=force)
    return out[0], out[1]


def _refuse_step(dt: float, integration: str) -> NoReturn:
    if integration not in OLD_SHARE:
        raise InputError(f"integration is {integration!r}: give one of {', '.join(OLD_SHARE)}.")
    raise InputError(f"dt is {dt}: give seconds, above zero.")


def _refuse_points(mass: Floats, limits: dict[str, Floats], **moving: ArrayLike) -> NoReturn:
    """Say what is wrong with a step; limits may be infinite, and a mass may not be zero."""
    if (mass <= 0.0).any():
        i = int(np.argmax(mass <= 0.0))
        where = f" of agent {i}" if len(mass) > 1 else ""
        raise InputError(f"mass{where} is {mass[i]}: give kilograms, above zero.")
    finite = {
        f"{name}_": np.where(values == np.inf, 0.0, values) for name, values in limits.items()
    }
    refuse(**moving, mass_=mass, **finite)


@kernel(direct=True, example=lambda: (np.ones(3), np.ones(3), np.ones(1), 3, 0.02, np.zeros(3)))
def _turn(
    forward: NDArray, velocity: NDArray, rate: NDArray, d: int, dt: float, out: NDArray
) -> int:
    bad = -1
    for i in range(len(out) // d):
        most = number(rate, i) * dt
        look = turned_one(vector(forward, i, d), vector(velocity, i, d), most)
        if not (store(out, i, d, look) and most >= 0.0):
            bad = i
    return bad


def turned(
    forward: ArrayLike,
    velocity: ArrayLike,
    *,
    max_turn_rate: ArrayLike = math.inf,
    dt: float = 0.02,
) -> Floats:
    """Turn where agents look towards where they move.

    Parameters
    ----------
    forward : (d,) or (N, d) ndarray
        Unit vectors, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame. Below 0.0001 m/s an agent keeps looking where it does.
    max_turn_rate : float or (N,) ndarray
        rad/s, zero or more; no limit unless given.
    dt : float
        s over which they turn.

    Returns
    -------
    (d,) or (N, d) ndarray
        Unit vectors. An agent that moves straight backwards turns left, about +z.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> turned((1.0, 0.0), (0.0, 3.0)).tolist()
    [0.0, 1.0]
    >>> turned((1.0, 0.0), (0.0, 3.0), max_turn_rate=1.0, dt=0.1).round(3).tolist()
    [0.995, 0.1]
    """
    look, shape = positions("forward", forward)
    v, rate = vectors("velocity", velocity, shape), numbers("max_turn_rate", max_turn_rate, shape)
    if not 0.0 < dt < math.inf:
        raise InputError(f"dt is {dt}: give seconds, above zero.")
    out = np.empty(shape)
    if _turn(look, v, rate, shape[-1], float(dt), out.ravel()) >= 0:
        rates = np.where(rate == np.inf, 0.0, rate)
        refuse(forward=forward, velocity=velocity, max_turn_rate_=rates)
    return out


@kernel(forceinline=True)
def slow_turn_one(force: Vector, forward: Vector, speed: float, max_speed: float) -> Vector:
    """Limit how far a force leans from where a slow body looks, within a kernel."""
    share = speed / (SLOW_SHARE * max_speed) if max_speed > 0.0 else 1.0
    size = length(force)
    if share >= 1.0 or size == 0.0:
        return force
    cosine = 1.0 - 2.0 * share**20
    ahead = unit(forward)
    along = dot(force, ahead)
    if along >= cosine * size:
        return force
    aside = unit(minus(force, times(ahead, along)))
    sine = math.sqrt(max(1.0 - cosine * cosine, 0.0))
    return times(plus(times(ahead, cosine), times(aside, sine)), size)


@kernel(
    direct=True,
    example=lambda: (np.ones(3), np.ones(3), np.ones(3), np.ones(1), 3, np.zeros(3)),
)
def _slow_turn(
    force: NDArray, forward: NDArray, velocity: NDArray, max_speed: NDArray, d: int, out: NDArray
) -> int:
    bad = -1
    for i in range(len(out) // d):
        fastest, speed = number(max_speed, i), length(vector(velocity, i, d))
        given = slow_turn_one(vector(force, i, d), vector(forward, i, d), speed, fastest)
        if not (store(out, i, d, given) and fastest >= 0.0):
            bad = i
    return bad


def slow_turn(
    force: ArrayLike, forward: ArrayLike, velocity: ArrayLike, max_speed: ArrayLike
) -> Floats:
    """Keep the force on a slow body near where it looks, as of a vehicle that rolls on wheels.

    Below a fifth of the largest speed the force may lean from the nose by an angle that opens,
    with the 20th power of speed, from nothing at rest to half a turn: OpenSteer's rule, which
    keeps slow vehicles from turning on the spot.

    Parameters
    ----------
    force : (d,) or (N, d) ndarray
        N, world frame; d = 2 or 3.
    forward : (d,) or (N, d) ndarray
        Where they look, world frame.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s.

    Returns
    -------
    (d,) or (N, d) ndarray
        Forces of the same size, N.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> slow_turn((0.0, 2.0), (1.0, 0.0), (0.0, 0.0), 10.0).tolist()
    [2.0, 0.0]
    """
    f, shape = positions("force", force)
    look, v = vectors("forward", forward, shape), vectors("velocity", velocity, shape)
    out = np.empty(shape)
    if _slow_turn(f, look, v, numbers("max_speed", max_speed, shape), shape[-1], out.ravel()) >= 0:
        refuse(force=force, forward=forward, velocity=velocity, max_speed_=max_speed)
    return out


def velocity_for(
    velocity: ArrayLike, force: ArrayLike, *, mass: ArrayLike, response: float = 0.1
) -> Floats:
    """The velocity that a force asks for: v + F/m · response.

    Bodies that are told a velocity and not a force (walkers, hovering agents, cars) follow forces
    by it. It undoes force = mass · (velocity wanted − velocity) / response.

    Parameters
    ----------
    velocity, force : (d,) or (N, d) ndarray
        m/s and N, world frame.
    mass : float or (N,) ndarray
        kg.
    response : float
        s within which the velocity is to be reached.

    Returns
    -------
    (d,) or (N, d) ndarray
        m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> velocity_for((1.0, 0.0), (0.0, 80.0), mass=4.0).tolist()
    [1.0, 2.0]
    """
    v, shape = positions("velocity", velocity)
    f, m = vectors("force", force, shape), numbers("mass", mass, shape)
    if not 0.0 < response < math.inf:
        raise InputError(f"response is {response}: give seconds, above zero.")
    if not (np.isfinite(v).all() and np.isfinite(f).all() and ((m > 0.0) & (m < np.inf)).all()):
        _refuse_points(m, {}, velocity=velocity, force=force)
    change = f.reshape(-1, shape[-1]) * (response / m)[:, None]
    return (v.reshape(-1, shape[-1]) + change).reshape(shape)
