"""Which member of a formation takes which slot."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from headway.errors import InputError
from headway.geometry.options import zero_or_more
from headway.geometry.rows import TOO_LARGE, finite_rows, indices, numbers, refuse


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
    p, s = places("position", position), places("slot", slots)
    n, m = len(p), len(s)
    if p.shape[1] != s.shape[1]:
        raise InputError(f"slots have shape {s.shape}: give as many coordinates as positions have.")
    pace = read_speeds(speed, n)
    patience = zero_or_more("patience", patience, "seconds")
    time = np.sqrt(((p[:, None] - s[None]) ** 2).sum(axis=2)) / pace[:, None]
    if held is not None:
        before = indices("held", held, (n,))
        has = np.flatnonzero((before >= 0) & (before < m))
        time[has, before[has]] -= patience
    result = np.full(n, -1, np.int64)
    who, where = linear_sum_assignment(time)
    result[who] = where
    return result


def places(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """Read positions, of which distances can be told.

    Parameters
    ----------
    name : str
        What one is called in an error.
    value : (N, d) array_like
        m; d = 2 or 3.
    """
    rows = finite_rows(name, value, ((2, 3),))
    if np.abs(rows).max(initial=0.0) > TOO_LARGE:
        refuse(**{name: rows})
    return rows


def read_speeds(speed: ArrayLike, n: int) -> NDArray[np.float64]:
    """Read the speeds of N agents, all above zero.

    Parameters
    ----------
    speed : float or (N,) ndarray
        m/s.
    n : int
        How many agents there are.
    """
    array = np.broadcast_to(numbers("speed", speed, (n, 1)), (n,))
    wrong = ~(np.isfinite(array) & (array > 0.0))
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise InputError(f"speed of agent {i} is {array[i]}: give m/s, above zero.")
    return array
