"""Evade: flee from where someone will be."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.rows import (
    each_number,
    each_vector,
    infinity_allowed,
    positions,
    refuse,
)
from headway.geometry.vectors import (
    BLOCK,
    Vector,
    minus,
    number_of,
    plus,
    store,
    times,
    vector_of,
)
from headway.steer.pursuit import CLOSING, EXACT, closing_time, exact_time, predictor
from headway.steer.seek import LOST, UNDECIDED, WRONG, flee_one, lost, way_out

PREDICTORS = {"exact": EXACT, "closing": CLOSING}


@kernel(forceinline=True)
def point_ahead(
    position: Vector, threat: Vector, threat_velocity: Vector, max_speed: float, predict: int,
    factor: float, max_time: float,
) -> Vector:  # fmt: skip
    """Where a threat could be met."""
    offset = minus(threat, position)
    if predict == EXACT:
        time = exact_time(offset, threat_velocity, max_speed)
    else:
        time = closing_time(offset, threat_velocity, max_speed)
    return plus(threat, times(threat_velocity, min(time * factor, max_time)))


@kernel(forceinline=True)
def evade_one(
    position: Vector, velocity: Vector, threat: Vector, threat_velocity: Vector,
    max_speed: float, reach: float, escape: Vector, predict: int, factor: float,
    max_time: float, agent: int, d: int,
) -> Vector:  # fmt: skip
    """Evade, for one agent within a kernel."""
    point = point_ahead(position, threat, threat_velocity, max_speed, predict, factor, max_time)
    way = way_out(position, point, escape, agent, d)
    return flee_one(position, velocity, point, max_speed, reach, way)


@kernel(forceinline=True)
def _evade_in(
    position: NDArray, velocity: NDArray, threat: NDArray, threat_velocity: NDArray,
    max_speed: NDArray, panic_distance: NDArray, escape: NDArray, predict: int, factor: float,
    max_time: float, astray: bool, d: int, out: NDArray,
) -> int:  # fmt: skip
    found, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            p, v = vector_of(position, i, start, d), vector_of(velocity, i, start, d)
            t, w = vector_of(threat, i, start, d), vector_of(threat_velocity, i, start, d)
            speed, reach = number_of(max_speed, i, start), number_of(panic_distance, i, start)
            point = point_ahead(p, t, w, speed, predict, factor, max_time)
            way = (0.0, 0.0, 0.0)
            if astray:
                way = way_out(p, point, vector_of(escape, i, start, d), i, d)
            steering = flee_one(p, v, point, speed, reach, way)
            fine = store(out, i, d, steering) and speed >= 0.0 and reach >= 0.0
            found |= int(not fine) * WRONG | int(lost(p, point)) * LOST
    return found


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (
        *[np.zeros(3)] * 4, *[np.ones(1)] * 2, np.zeros(3), 0, 1.0, 9.0, 3, np.empty(3)
    ),
)  # fmt: skip
def _evade(
    position: NDArray, velocity: NDArray, threat: NDArray, threat_velocity: NDArray,
    max_speed: NDArray, panic_distance: NDArray, escape: NDArray, predict: int, factor: float,
    max_time: float, d: int, out: NDArray,
) -> int:  # fmt: skip
    given = position, velocity, threat, threat_velocity, max_speed, panic_distance, escape
    ahead = predict, factor, max_time
    if d == 3:
        found = _evade_in(*given, *ahead, False, 3, out)
    else:
        found = _evade_in(*given, *ahead, False, 2, out)
    if found & LOST:  # rarely, as in `flee`
        found |= _evade_in(*given, *ahead, True, d, out)
    return found & WRONG


def evade(
    position: ArrayLike,
    velocity: ArrayLike,
    threat: ArrayLike,
    threat_velocity: ArrayLike,
    max_speed: ArrayLike,
    *,
    panic_distance: ArrayLike = math.inf,
    predict: str = "exact",
    factor: float = 1.0,
    max_time: float = math.inf,
    escape: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Flee from the point where a moving threat could be met.

    Parameters
    ----------
    position : (d,) or (N, d) ndarray
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    threat : (d,) or (N, d) ndarray
        m, world frame: where the threat is.
    threat_velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_speed : float or (N,) ndarray
        m/s, zero or more, of the agent.
    panic_distance : float or (N,) ndarray
        m. If the point is beyond it: no change.
    predict : {"exact", "closing"}
        How to tell how far ahead to look. "exact": until the agent at full speed could meet the
        threat, if that kept its velocity; where it cannot, as "closing". "closing":
        distance/(max_speed + threat speed) (Buckland, Yuka).
    factor : float
        Times the time so told, zero or more.
    max_time : float
        s: never look farther ahead than this.
    escape : (d,) or (N, d) ndarray, optional
        Direction to take where the point is the agent's own position, as in `flee`.

    Returns
    -------
    (d,) or (N, d) ndarray
        Change of velocity, m/s, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, a number is not finite or out of range, or there is no such
        prediction.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999; Buckland, "Programming
    game AI by example", 2005, section 3.4.5.

    Examples
    --------
    The meeting would be at (4, 3):

    >>> evade((0.0, 0.0), (0.0, 0.0), (4.0, 0.0), (0.0, 3.0), 5.0).round(9).tolist()
    [-4.0, -3.0]
    """
    how = predictor(predict, factor, max_time, PREDICTORS)
    p, shape = positions("position", position)
    d = shape[-1]
    v, t = each_vector("velocity", velocity, shape), each_vector("threat", threat, shape)
    w = each_vector("threat_velocity", threat_velocity, shape)
    speed = each_number("max_speed", max_speed, shape)
    reach = each_number("panic_distance", panic_distance, shape)
    way = UNDECIDED[d] if escape is None else each_vector("escape", escape, shape)
    if escape is not None and not np.isfinite(way).all():
        refuse(escape=escape)
    scale, longest, out = float(factor), float(max_time), np.empty(shape)
    if _evade(p, v, t, w, speed, reach, way, how, scale, longest, d, out.ravel()):
        refuse(
            position=position, velocity=velocity, threat=threat, threat_velocity=threat_velocity,
            max_speed_=max_speed, panic_distance_=infinity_allowed(panic_distance),
            escape=way if escape is None else escape,
        )  # fmt: skip
    return out
