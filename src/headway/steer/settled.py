"""Agents that stand stay at rest, although neighbours push them a little."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.geometry.vectors import length, number, store, times, vector

SLOW, WEAK = 0.02, 0.05
"""Parts of the maximum speed and force, below which an agent that stands does not mind."""


@kernel(
    direct=True,
    example=lambda: (
        np.zeros(3), np.zeros(3), np.ones(1), np.ones(1), np.zeros(1), 3, np.empty(3),
    )
)  # fmt: skip
def _settled(
    force: NDArray, velocity: NDArray, max_force: NDArray, max_speed: NDArray, wants: NDArray,
    d: int, out: NDArray,
) -> int:  # fmt: skip
    bad = -1
    for i in range(len(out) // d):
        f, v = vector(force, i, d), vector(velocity, i, d)
        strongest, fastest, wanted = number(max_force, i), number(max_speed, i), number(wants, i)
        if length(v) <= SLOW * fastest and length(f) <= WEAK * strongest and wanted == 0.0:
            f = times(v, -strongest / fastest if fastest > 0.0 else 0.0)
        fine = store(out, i, d, f) and math.isfinite(length(v) + wanted)
        if not (fine and strongest >= 0.0 and fastest >= 0.0):
            bad = i
    return bad


def settled(
    force: ArrayLike,
    velocity: ArrayLike,
    max_force: ArrayLike,
    max_speed: ArrayLike,
    wants_to_move: ArrayLike,
) -> NDArray[np.float64]:
    """Let agents that stand stay at rest, although neighbours push them a little.

    Whoever has no goal, moves slower than 2 % of its maximum speed and is pushed by less than 5 %
    of its maximum force ignores the push and comes to rest, by a brake that is proportional to
    its speed. Without such a dead band a standing crowd never comes to rest.

    Parameters
    ----------
    force : (d,) or (N, d) ndarray
        N, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) ndarray
        m/s, world frame.
    max_force : float or (N,) ndarray
        N, zero or more.
    max_speed : float or (N,) ndarray
        m/s, zero or more.
    wants_to_move : bool or (N,) ndarray
        Whether an agent has a goal.

    Returns
    -------
    (d,) or (N, d) ndarray
        Force, N, world frame: as given, or the brake.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> settled([(0.1, 0.0), (3.0, 0.0)], (0.0, 0.01), 10.0, 1.0, False).tolist()
    [[-0.0, -0.1], [3.0, 0.0]]
    """
    f, shape = positions("force", force)
    v, out = vectors("velocity", velocity, shape), np.empty(shape)
    strongest = numbers("max_force", max_force, shape)
    fastest = numbers("max_speed", max_speed, shape)
    goal = float(wants_to_move) if isinstance(wants_to_move, bool) else wants_to_move
    wants = numbers("wants_to_move", goal, shape)
    if _settled(f, v, strongest, fastest, wants, shape[-1], out.ravel()) >= 0:
        refuse(
            force=force, velocity=velocity, max_force_=max_force, max_speed_=max_speed,
            wants_to_move=wants,
        )  # fmt: skip
    return out
