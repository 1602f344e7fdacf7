"""The Newtonian point mass: a force, a mass, a largest speed and a fixed step."""

from __future__ import annotations

import math
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import one_of, seconds
from headway.geometry.rows import infinity_allowed, numbers, positions, refuse, vectors
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
    one_of("integration", integration, OLD_SHARE)
    dt = seconds("dt", dt)
    out, share = np.empty((2, *shape)), OLD_SHARE[integration]
    if _step(p, v, f, m, fastest, most, braking, shape[-1], dt, share, out.ravel()) >= 0:
        limits = {"max_speed": fastest, "max_force": most, "max_braking_force": braking}
        _refuse_points(m, limits, position=position, velocity=velocity, force=force)
    return out[0], out[1]


def _refuse_points(mass: Floats, limits: dict[str, Floats], **moving: ArrayLike) -> NoReturn:
    """Say what is wrong with a step; limits may be infinite, and a mass may not be zero."""
    if (mass <= 0.0).any():
        i = int(np.argmax(mass <= 0.0))
        where = f" of agent {i}" if len(mass) > 1 else ""
        raise InputError(f"mass{where} is {mass[i]}: give kilograms, above zero.")
    finite = {f"{name}_": infinity_allowed(values) for name, values in limits.items()}
    refuse(**moving, mass_=mass, **finite)


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
    response = seconds("response", response)
    if not ((m > 0.0) & (m < np.inf)).all():
        _refuse_points(m, {}, velocity=velocity, force=force)
    with np.errstate(over="ignore", invalid="ignore"):
        change = f.reshape(-1, shape[-1]) * (response / m)[:, None]
        wanted = v.reshape(-1, shape[-1]) + change
    if not np.isfinite(wanted).all():
        _refuse_points(m, {}, velocity=velocity, force=force)
    return wanted.reshape(shape)
