"""Shadow and hide: stay near someone, or out of their sight."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import seconds, zero_or_more
from headway.geometry.rows import numbers, positions, read, refuse, vectors
from headway.geometry.vectors import Vector, length, minus, number, plus, store, times, vector
from headway.steer.arrive import arrive, arrive_one, lag_of
from headway.steer.evade import evade_one
from headway.steer.pursuit import EXACT

NONE = (0.0, 0.0, 0.0)
"""No velocity, and no direction to prefer."""


def shadow(
    position: ArrayLike,
    velocity: ArrayLike,
    target: ArrayLike,
    target_velocity: ArrayLike,
    keep_off: float,
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    response: float | None = None,
) -> NDArray[np.float64]:
    """Come as near to someone as is wanted, then go along with them.

    It is `arrive` beside a target that moves.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    target : (d,) or (N, d) ndarray
        m, world frame: where the one to shadow is.
    target_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    keep_off : float
        m, zero or more: how near to come. Within it the agent moves as the target does.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the agent.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the agent can brake.
    dt : float
        s, of one step, above zero.
    response : float, optional
        s: the response time of `force_for`, where that is longer than dt.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> near, far, ahead = (3.0, 0.0), (30.0, 0.0), (1.0, 0.0)
    >>> shadow((0.0, 0.0), (0.0, 0.0), near, ahead, 4.0, 2.0, 5.0, 0.1).tolist()
    [1.0, 0.0]
    >>> shadow((0.0, 0.0), (0.0, 0.0), far, ahead, 4.0, 2.0, 5.0, 0.1).tolist()
    [2.0, 0.0]
    """
    return arrive(
        position, velocity, target, max_speed, max_deceleration, dt,
        target_velocity=target_velocity, keep_off=keep_off, response=response,
    )  # fmt: skip


@kernel
def is_free(spot: Vector, behind: int, centres: NDArray, radii: NDArray, d: int) -> bool:
    """Whether a spot behind one obstacle is outside all others."""
    for k in range(len(centres) // d):
        near = length(minus(spot, vector(centres, k, d))) < number(radii, k)
        if near and k != behind:
            return False
    return True


@kernel
def hiding_spot(
    position: Vector, threat: Vector, centres: NDArray, radii: NDArray, margin: float, d: int
) -> tuple[bool, Vector]:
    """The nearest spot in the shadow of an obstacle, and whether there is one."""
    found, best, least = False, position, math.inf
    for k in range(len(centres) // d):
        centre, radius = vector(centres, k, d), number(radii, k)
        away = minus(centre, threat)
        sight = length(away)
        if sight <= radius:  # the threat is within the obstacle, which then hides nothing
            continue
        spot = plus(centre, times(away, (radius + margin) / sight))
        distance = length(minus(spot, position))
        if distance < least and is_free(spot, k, centres, radii, d):
            found, best, least = True, spot, distance
    return found, best


@kernel(
    direct=True,
    example=lambda: (
        *[np.zeros(3)] * 4, *[np.ones(1)] * 2, np.ones(3), np.ones(1), 0.6, 0.1, 0.0, 3, np.empty(3)
    ),
)  # fmt: skip
def _hide(
    position: NDArray, velocity: NDArray, threat: NDArray, threat_velocity: NDArray,
    max_speed: NDArray, deceleration: NDArray, centres: NDArray, radii: NDArray, margin: float,
    dt: float, lag: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for k in range(len(centres) // d):
        place, radius = vector(centres, k, d), number(radii, k)
        if not (math.isfinite(length(place)) and 0.0 <= radius < math.inf):
            return k
    for i in range(len(out) // d):
        speed, braking = number(max_speed, i), number(deceleration, i)
        p, v, t = vector(position, i, d), vector(velocity, i, d), vector(threat, i, d)
        w = vector(threat_velocity, i, d)
        found, spot = hiding_spot(p, t, centres, radii, margin, d)
        if found:
            steering = arrive_one(p, v, spot, NONE, speed, braking, 0.0, 0.0, dt, lag)
        else:
            steering = evade_one(p, v, t, w, speed, math.inf, NONE, EXACT, 1.0, math.inf, i, d)
        in_range = speed >= 0.0 and braking >= 0.0 and math.isfinite(length(w))
        if not (store(out, i, d, steering) and in_range):
            bad = i
    return bad


def hide(
    position: ArrayLike,
    velocity: ArrayLike,
    threat: ArrayLike,
    threat_velocity: ArrayLike,
    centres: Sequence[Sequence[float]] | NDArray[np.float64],
    radii: ArrayLike,
    max_speed: ArrayLike,
    max_deceleration: ArrayLike,
    dt: float,
    *,
    margin: float = 0.6,
    response: float | None = None,
) -> NDArray[np.float64]:
    """Go where an obstacle is between the agent and a threat; where there is none, evade.

    Each obstacle offers one spot: behind it as the threat sees it. The nearest is taken that is
    not within another obstacle. An obstacle that the threat is in hides nothing.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    threat : (d,) or (N, d) ndarray
        m, world frame.
    threat_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    centres : (M, d) ndarray
        m, world frame, of round obstacles; M may be 0.
    radii : float or (M,) ndarray
        m, zero or more.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the agent.
    max_deceleration : float or (N,) ndarray
        m/s², zero or more: how hard the agent can brake.
    dt : float
        s, of one step, above zero.
    margin : float
        m, zero or more: how far from the obstacle to stay.
    response : float, optional
        s: the response time of `force_for`, where that is longer than dt.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Buckland, "Programming game AI by example", 2005, section 3.4.11.

    Examples
    --------
    >>> rest, threat, tree = (0.0, 0.0), (-5.0, 0.0), [(0.0, 0.0)]
    >>> hide((1.6, 3.0), rest, threat, rest, tree, 1.0, 2.0, 5.0, 0.1).tolist()
    [0.0, -2.0]
    """
    dt, lag = seconds("dt", dt), lag_of(response, dt)
    gap = zero_or_more("margin", margin, "metres")
    p, shape = positions("position", position)
    d = shape[-1]
    v, t = vectors("velocity", velocity, shape), vectors("threat", threat, shape)
    w = vectors("threat_velocity", threat_velocity, shape)
    speed = numbers("max_speed", max_speed, shape)
    braking = numbers("max_deceleration", max_deceleration, shape)
    middles = read("centres", centres)
    middles, round_shape = positions("centres", middles if middles.size else np.empty((0, d)))
    if len(round_shape) != 2 or round_shape[1] != d:
        raise InputError(f"centres has shape {round_shape}: give (M, {d}), as for the positions.")
    sizes = numbers("radii", radii, round_shape)
    out = np.empty(shape)
    flat, fixed = out.ravel(), (gap, dt, lag)
    if _hide(p, v, t, w, speed, braking, middles, sizes, *fixed, d, flat) >= 0:
        refuse(
            position=position, velocity=velocity, threat=threat, threat_velocity=threat_velocity,
            max_speed_=max_speed, max_deceleration_=max_deceleration, centres=centres,
            radii_=radii,
        )  # fmt: skip
    return out
