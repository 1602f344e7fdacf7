"""Formations: who goes where in a group that moves as one.

A pattern says where the slots are, as seen from an anchor that moves and turns; members are
assigned to slots so that together they get there soonest. The anchor waits for them. How a member
moves to its slot is its own affair: arrive there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import seconds, shown
from headway.geometry.rows import TOO_LARGE, read
from headway.geometry.vectors import TINY
from headway.steer.slot_assignment import assign, places, read_speeds
from headway.steer.slots import in_world

Pattern = Callable[[int], NDArray[np.float64]]
Floats = NDArray[np.float64]

EASE = 0.9
"""Part of the slowest member's speed at which the anchor moves, so that members can catch up."""


@dataclass(frozen=True, slots=True)
class Formation:
    """A pattern of slots around an anchor, and who has which.

    Make it with `Formation.of`.

    Parameters
    ----------
    pattern : callable
        Takes the number of members n and returns (n, 2) or (n, 3) slots as in
        `headway.steer.slots`: metres ahead of the anchor, to the left and up.
    position : (d,) ndarray
        m, world frame: the anchor.
    forward : (d,) ndarray
        Unit vector, world frame: where the formation faces.
    held : (N,) ndarray of int64
        The slot of each agent, -1 for those who are no members.
    """

    pattern: Pattern
    position: Floats
    forward: Floats
    held: NDArray[np.int64]
    _slots: Floats = field(repr=False)

    @classmethod
    def of(
        cls,
        pattern: Pattern,
        position: ArrayLike,
        forward: ArrayLike,
        speed: ArrayLike = 1.0,
        members: ArrayLike = True,
    ) -> Formation:
        """Form up where the members are.

        Parameters
        ----------
        pattern : callable
            As in `Formation`.
        position : (N, d) ndarray
            m, world frame: the agents; d = 2 or 3.
        forward : (d,) ndarray
            World frame, not zero: where the formation is to face.
        speed : float or (N,) ndarray
            m/s, above zero: how fast agents can go.
        members : bool or (N,) ndarray of bool
            Who belongs to the formation.

        Returns
        -------
        Formation
            Its anchor is where the mean of the slots is the mean of the members.

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite or out of range.

        Examples
        --------
        >>> from functools import partial
        >>> from headway.steer.slots import column
        >>> troop = Formation.of(partial(column, spacing=2.0), [(0, 0), (3, 0), (1, 0)], (1, 0))
        >>> troop.held.tolist(), troop.position.round(6).tolist()
        ([2, 0, 1], [3.333333, 0.0])
        """
        p = places("position", position)
        way = read("forward", forward)
        size = math.hypot(*way) if way.shape == p.shape[1:] else 0.0
        if not TINY < size < math.inf:
            wanted = f"({p.shape[1]},) finite numbers, not all zero"
            raise InputError(f"forward is {shown(way)}: give {wanted}.")
        empty = np.full(len(p), -1, np.int64)
        start = cls(pattern, np.zeros(p.shape[1]), way / size, empty, np.empty((0, 2)))
        mask = _members(members, len(p))
        slots = _pattern_slots(pattern, int(mask.sum()))
        if mask.any():
            middle = in_world(slots, start.position, start.forward).mean(axis=0)
            start = replace(start, position=p[mask].mean(axis=0) - middle)
        return start.with_members(p, mask, speed)

    def with_members(
        self, position: ArrayLike, members: ArrayLike, speed: ArrayLike = 1.0
    ) -> Formation:
        """Take in those who join and close the gaps of those who left.

        Parameters
        ----------
        position : (N, d) ndarray
            m, world frame: the agents.
        members : bool or (N,) ndarray of bool
            Who belongs to the formation now.
        speed : float or (N,) ndarray
            m/s, above zero.

        Returns
        -------
        Formation
            The pattern for so many; members keep their slots where a change gains little.

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite or out of range.
        """
        p = places("position", position)
        mask = _members(members, len(p))
        pace = read_speeds(speed, len(p))
        before = np.full(len(p), -1, np.int64)
        kept = min(len(p), len(self.held))
        before[:kept] = self.held[:kept]
        slots = _pattern_slots(self.pattern, int(mask.sum()))
        there = in_world(slots, self.position, self.forward)
        held = np.full(len(p), -1, np.int64)
        held[mask] = assign(p[mask], there, pace[mask], held=before[mask])
        return replace(self, held=held, _slots=slots)

    def targets(self, position: ArrayLike) -> NDArray[np.float64]:
        """Say where each agent belongs.

        Parameters
        ----------
        position : (N, d) ndarray
            m, world frame: the agents.

        Returns
        -------
        (N, d) ndarray
            m, world frame: its slot, or for those without one where it is.

        Raises
        ------
        InputError
            If the position is not finite or not (N, d).
        """
        result = places("position", position).copy()
        if result.shape != (len(self.held), len(self.position)):
            shape = len(self.held), len(self.position)
            raise InputError(f"position has shape {result.shape}: the formation is for {shape}.")
        member = self.held >= 0
        result[member] = in_world(self._slots, self.position, self.forward)[self.held[member]]
        return result

    def moved(
        self,
        position: ArrayLike,
        velocity: ArrayLike,
        speed: ArrayLike,
        dt: float,
        response: float = 1.0,
    ) -> Formation:
        """Move the anchor by one step; it waits for members who lag behind.

        Parameters
        ----------
        position : (N, d) ndarray
            m, world frame: the agents.
        velocity : (d,) ndarray
            m/s, world frame: where the formation is to go. It turns to face there, no faster than
            its outermost member can follow.
        speed : float or (N,) ndarray
            m/s, above zero: how fast agents can go. The anchor keeps to 0.9 of the slowest.
        dt : float
            s, above zero.
        response : float
            s, above zero: in about this time the anchor goes where the members are on average.

        Returns
        -------
        Formation

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite or out of range.
        """
        p, there = places("position", position), self.targets(position)
        wanted = read("velocity", velocity)
        if wanted.shape != self.position.shape or not (np.abs(wanted) < TOO_LARGE).all():
            raise InputError(
                f"velocity is {shown(wanted)}: give {self.position.shape} finite numbers."
            )
        dt, response = seconds("dt", dt), seconds("response", response)
        pace, member = read_speeds(speed, len(p)), self.held >= 0
        if not member.any():
            return self
        fastest = EASE * float(pace[member].min())
        drift = (p - there)[member].mean(axis=0)
        step = _limited(wanted, fastest) * dt + drift * min(1.0, dt / response)
        outermost = float(np.sqrt((self._slots**2).sum(axis=1)).max())
        angle = fastest * dt / max(outermost, TINY)
        return replace(
            self,
            position=self.position + _limited(step, fastest * dt),
            forward=_turned(self.forward, wanted, angle),
        )


def _limited(way: Floats, longest: float) -> Floats:
    size = float(np.linalg.norm(way))
    return way * (longest / size) if size > longest else way


def _turned(forward: Floats, way: Floats, most: float) -> Floats:
    """Turn a unit vector towards a way, by an angle at most."""
    size = float(np.linalg.norm(way))
    if size <= TINY:
        return forward
    cosine = float(np.clip(forward @ way / size, -1.0, 1.0))
    across = way / size - cosine * forward
    sine = float(np.linalg.norm(across))
    if math.atan2(sine, cosine) <= most:
        return way / size
    if sine <= TINY:  # about turn: to the left
        across = np.zeros_like(forward)
        across[:2] = (-forward[1], forward[0]) if math.hypot(*forward[:2]) > TINY else (1.0, 0.0)
    turned = math.cos(most) * forward + math.sin(most) * across / np.linalg.norm(across)
    return turned / np.linalg.norm(turned)


def _pattern_slots(pattern: Pattern, n: int) -> Floats:
    slots = read("what the pattern gave", pattern(n))
    if slots.shape not in ((n, 2), (n, 3)) or not (np.abs(slots) <= TOO_LARGE).all():
        raise InputError(
            f"the pattern gave {slots.shape} slots: it must give ({n}, 2) or ({n}, 3), finite."
        )
    return slots


def _members(members: ArrayLike, n: int) -> NDArray[np.bool_]:
    mask = np.asarray(members)
    if (mask.dtype != np.bool_ and mask.size) or mask.shape not in ((), (n,)):
        raise InputError(f"members has shape {mask.shape}: give True or False for each of {n}.")
    return np.broadcast_to(mask.astype(np.bool_), (n,))
