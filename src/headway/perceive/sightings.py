"""What observers remember of whom they saw: where, how it moved, and when.

One record for each pair of an observer and what it has seen, kept sorted, so that a crowd needs no
table of all pairs. Time counts in ticks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import instance, one_of, seconds, whole, zero_or_more
from headway.geometry.rows import finite_rows

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_IDS = 2**31


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """What is remembered; a record in each row, sorted by observer and then by target.

    Parameters
    ----------
    observer, target : (K,) ndarray of int64
        Who remembers whom.
    position : (K, d) ndarray
        m, world frame, of the target when it was last seen.
    velocity : (K, d) ndarray
        m/s, world frame, then.
    since : (K,) ndarray of int64
        Tick at which it last came into view.
    last : (K,) ndarray of int64
        Tick at which it was last seen.
    visible : (K,) ndarray of bool
        Whether it was seen when last looked.
    """

    observer: Ints
    target: Ints
    position: Floats
    velocity: Floats
    since: Ints
    last: Ints
    visible: NDArray[np.bool_]

    @classmethod
    def none(cls, d: int) -> Sightings:
        """Nothing seen yet, in d dimensions."""
        one_of("d", d, (2, 3))
        ids, rows = np.empty(0, np.int64), np.empty((0, d))
        return cls(ids, ids, rows, rows, ids, ids, np.empty(0, np.bool_))

    def __len__(self) -> int:
        return len(self.observer)

    def of(self, observer: int) -> slice:
        """The rows of what one observer remembers."""
        first, last = np.searchsorted(self.observer, [observer, observer + 1])
        return slice(int(first), int(last))

    def expected(self, tick: int, dt: float) -> Floats:
        """(K, d): where targets are if they went straight on at the speed last seen, m."""
        ago = (tick - self.last) * dt
        return self.position + self.velocity * ago[:, None]


@dataclass(frozen=True, slots=True, eq=False)
class Noticed:
    """What changed in what is remembered: pairs of an observer and a target.

    Parameters
    ----------
    appeared : (A, 2) ndarray of int64
        Seen now and not when last looked.
    vanished : (V, 2) ndarray of int64
        Seen when last looked and not now.
    forgotten : (F, 2) ndarray of int64
        Not seen for longer than memory reaches.
    """

    appeared: Ints
    vanished: Ints
    forgotten: Ints


def look(
    memory: Sightings,
    observer: ArrayLike,
    target: ArrayLike,
    position: ArrayLike,
    velocity: ArrayLike,
    *,
    tick: int,
    dt: float,
    span: float = math.inf,
) -> tuple[Sightings, Noticed]:
    """Remember who is seen now, and forget who has not been seen for long.

    Parameters
    ----------
    memory : Sightings
        From the last look, or `Sightings.none`. It is not changed.
    observer, target : (P,) array_like of int
        Pairs of who sees whom now, in any order, each once: of a table (N, M) of bools,
        ``np.nonzero(seen)``.
    position, velocity : (M, d) array_like
        m and m/s, world frame, of all targets.
    tick : int
        Now: later than at any look before.
    dt : float
        s, of one tick.
    span : float
        s; what has not been seen for longer is forgotten.

    Returns
    -------
    Sightings, Noticed

    Raises
    ------
    InputError
        If the pairs do not fit the targets, a number is not finite, or time stands still.

    Examples
    --------
    >>> hare, fox = [(3.0, 0.0)], [(1.0, 0.0)]
    >>> memory, news = look(Sightings.none(2), [0], [0], hare, fox, tick=0, dt=0.5)
    >>> news.appeared.tolist()
    [[0, 0]]
    >>> memory, news = look(memory, [], [], hare, fox, tick=4, dt=0.5, span=10.0)
    >>> memory.expected(4, 0.5).tolist(), news.vanished.tolist()
    ([[5.0, 0.0]], [[0, 0]])
    """
    instance("memory", memory, Sightings)
    where = finite_rows("position of target", position, ((2, 3),))
    speed = finite_rows("velocity of target", velocity, ((2, 3),))
    if where.shape != speed.shape or where.shape[1] != memory.position.shape[1]:
        d = memory.position.shape[1]
        raise InputError(
            f"position has shape {where.shape} and velocity {speed.shape}: give (M, {d}) for both."
        )
    dt = seconds("dt", dt)
    span = zero_or_more("span", span, "seconds", infinite=True)
    tick = whole("tick", tick)
    if len(memory) and tick <= memory.last.max():
        raise InputError(f"tick is {tick}: give one after {memory.last.max()}, the last look.")
    now = _pairs(observer, target, len(where))
    known = memory.observer * MOST_IDS + memory.target
    at = np.searchsorted(known, now)
    found = np.zeros(len(now), np.bool_)
    found[at < len(known)] = known[at[at < len(known)]] == now[at < len(known)]
    seen = np.zeros(len(known), np.bool_)
    seen[at[found]] = True
    stays = found.copy()
    stays[found] = memory.visible[at[found]]
    since = np.full(len(now), tick)
    since[stays] = memory.since[at[stays]]
    old = ~seen & ((tick - memory.last) * dt > span * (1.0 + 1e-9))
    rest = ~seen & ~old
    whom = now % MOST_IDS
    keys = np.concatenate((known[rest], now))
    order = np.argsort(keys, kind="stable")

    def merged(kept: NDArray, new: NDArray) -> NDArray:
        return np.concatenate((kept[rest], new))[order]

    result = Sightings(
        merged(memory.observer, now // MOST_IDS),
        merged(memory.target, whom),
        merged(memory.position, where[whom]),
        merged(memory.velocity, speed[whom]),
        merged(memory.since, since),
        merged(memory.last, np.full(len(now), tick)),
        merged(np.zeros(len(known), np.bool_), np.ones(len(now), np.bool_)),
    )
    lost = known[memory.visible & ~seen]
    return result, Noticed(_as_pairs(now[~stays]), _as_pairs(lost), _as_pairs(known[old]))


def _pairs(observer: ArrayLike, target: ArrayLike, targets: int) -> Ints:
    """Pairs as one number each, sorted."""
    try:
        who, whom = np.asarray(observer), np.asarray(target)
    except ValueError as error:
        raise InputError(f"observer and target cannot be read ({error}).") from error
    if who.ndim != 1 or who.shape != whom.shape:
        raise InputError(f"observer has shape {who.shape} and target {whom.shape}: give (P,) each.")
    if who.size == 0:
        return np.empty(0, np.int64)
    if who.dtype.kind not in "iu" or whom.dtype.kind not in "iu":
        raise InputError(f"observer is {who.dtype} and target {whom.dtype}: give whole numbers.")
    if who.min() < 0 or who.max() >= MOST_IDS:
        i = int(np.argmax((who < 0) | (who >= MOST_IDS)))
        raise InputError(f"observer {i} is {who[i]}: give 0 or more, below {MOST_IDS:,}.")
    if whom.min() < 0 or whom.max() >= targets:
        i = int(np.argmax((whom < 0) | (whom >= targets)))
        raise InputError(
            f"target {i} is {whom[i]}, but position has {targets} rows: give one of the targets."
        )
    keys = np.sort(who.astype(np.int64) * MOST_IDS + whom.astype(np.int64))
    if (keys[1:] == keys[:-1]).any():
        raise InputError("a pair of observer and target is given twice: give each once.")
    return keys


def _as_pairs(keys: Ints) -> Ints:
    return np.stack((keys // MOST_IDS, keys % MOST_IDS), axis=1)
