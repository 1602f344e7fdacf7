"""Which member of a formation takes which slot."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from headway.errors import InputError
from headway.geometry.rows import finite_rows


def assign(
    position: ArrayLike,
    slots: ArrayLike,
    speed: ArrayLike = 1.0,
    *,
    held: ArrayLike | None = None,
    patience: float = 1.0,
) -> NDArray[np.int64]:
    """Give each member a slot, so that the sum of their travel times is least.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame: where the members are.
    slots : (M, d) ndarray
        m, world frame. With fewer slots than members, some get none.
    speed : float or (N,) ndarray
        m/s, above zero.
    held : (N,) ndarray of int, optional
        The slot that each has so far, -1 for none.
    patience : float
        s: members keep the slots they have unless a change saves as much for each who changes.

    Returns
    -------
    (N,) ndarray of int64
        The slot of each member, -1 for none.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Crouse, "On implementing 2D rectangular assignment algorithms", IEEE Transactions on Aerospace
    and Electronic Systems 52(4), 2016.

    Examples
    --------
    >>> assign([(0.0, 0.0), (3.0, 0.0)], [(4.0, 0.0), (1.0, 0.0)]).tolist()
    [1, 0]
    """
    p = finite_rows("position", position, ((2, 3),))
    s = finite_rows("slot", slots, ((2, 3),))
    n, m = len(p), len(s)
    if p.shape[1] != s.shape[1]:
        raise InputError(f"slots have shape {s.shape}: give as many coordinates as positions have.")
    pace = read_speeds(speed, n)
    if not 0.0 <= patience < math.inf:
        raise InputError(f"patience is {patience}: give seconds, zero or more.")
    time = np.sqrt(((p[:, None] - s[None]) ** 2).sum(axis=2)) / pace[:, None]
    if held is not None:
        before = np.asarray(held)
        if before.shape != (n,) or (before.dtype.kind not in "iu" and n):
            raise InputError(f"held has shape {before.shape}: give ({n},) whole numbers.")
        has = np.flatnonzero((before >= 0) & (before < m))
        time[has, before[has]] -= patience
    result = np.full(n, -1, np.int64)
    who, where = linear_sum_assignment(time)
    result[who] = where
    return result


def read_speeds(speed: ArrayLike, n: int) -> NDArray[np.float64]:
    """Read the speeds of N agents, all above zero.

    Parameters
    ----------
    speed : float or (N,) ndarray
        m/s.
    n : int
        How many agents there are.
    """
    try:
        array = np.broadcast_to(np.asarray(speed, np.float64), (n,))
    except (TypeError, ValueError) as error:
        raise InputError(f"speed cannot be read: give one number, or {n} ({error}).") from error
    wrong = ~(np.isfinite(array) & (array > 0.0))
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise InputError(f"speed of agent {i} is {array[i]}: give m/s, above zero.")
    return array
