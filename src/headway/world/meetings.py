"""When agents meet surfaces that may move: each contact as seen from what is met."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import length, number, vector
from headway.world.hits import Hits, Surface

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Meetings:
    """The first contact of each agent, in the frame of the part of the surface that it meets.

    Parameters
    ----------
    hits : Hits
        Distances are along the relative way, points where the surface is now.
    velocity : (N, d) ndarray
        m/s, of the agent as seen from what it meets; its own where it meets nothing.
    reach : (N,) ndarray
        m, how far along that way was looked.
    """

    hits: Hits
    velocity: Floats
    reach: Floats


class MovingSurface(Surface, Protocol):
    """A surface whose parts may have velocities."""

    @property
    def moving(self) -> bool:
        """Whether any part moves now."""
        ...

    def meet(
        self, start: Floats, velocity: Floats, radius: Floats, shortest: Floats, time: Floats,
        braking: Floats,
    ) -> Meetings:  # fmt: skip
        """First contacts of agents (N, d) with parts that keep their velocities."""
        ...


@kernel(forceinline=True)
def look_ahead(speed: float, shortest: float, time: float, braking: float) -> float:
    """How far an agent looks: what it covers within a time and while it brakes, or the least."""
    return max(shortest, speed * time + speed * speed / (2.0 * braking))


@kernel(
    example=lambda: (np.zeros(3), np.ones(1), np.ones(1), np.ones(1), 3, np.empty(1)),
)
def _look_ahead(
    velocity: NDArray, shortest: NDArray, time: NDArray, braking: NDArray, d: int, out: NDArray
) -> None:
    for i in range(len(out)):
        speed = length(vector(velocity, i, d))
        out[i] = look_ahead(speed, number(shortest, i), number(time, i), number(braking, i))


def meet(
    surface: Surface, start: Floats, velocity: Floats, radius: Floats,
    shortest: Floats, time: Floats, braking: Floats,
) -> Meetings:  # fmt: skip
    """First contacts of agents that keep their velocities with a surface that may move.

    Each looks max(shortest, v·time + v²/(2 braking)) far, v being the speed relative to the part.

    Parameters
    ----------
    surface : Surface
        Its parts are at rest unless it has `moving` and `meet`, as `Obstacles` and `Scene` do.
    start : (N, d) ndarray
        m, world frame.
    velocity : (N, d) ndarray
        m/s, world frame.
    radius, shortest : (1,) or (N,) ndarray
        m.
    time : (1,) or (N,) ndarray
        s.
    braking : (1,) or (N,) ndarray
        m/s², above zero; inf to leave out what braking takes.

    Returns
    -------
    Meetings

    Examples
    --------
    >>> from headway.world.obstacles import Obstacles
    >>> ball = Obstacles.of(spheres=([(9.0, 0.0)], [1.0]), velocity=(-2.0, 0.0))
    >>> one, start = np.ones(1), np.zeros((1, 2))
    >>> met = meet(ball, start, start, one, one, 4.0 * one, np.inf * one)
    >>> met.hits.distance.tolist(), met.velocity.tolist()
    ([7.0], [[2.0, 0.0]])
    """
    if _moves(surface):
        return surface.meet(start, velocity, radius, shortest, time, braking)
    reach = np.empty(len(start))
    _look_ahead(velocity.ravel(), shortest, time, braking, start.shape[1], reach)
    wide = radius if len(radius) == len(start) else radius[0]
    return Meetings(surface.sweep(start, velocity, wide, reach), velocity, reach)


def _moves(surface: Surface) -> TypeGuard[MovingSurface]:
    return bool(getattr(surface, "moving", False))


def soonest(all_of: list[Meetings]) -> tuple[Meetings, NDArray[np.int64]]:
    """The meeting of each agent that comes first in time, of several lots; and from which lot.

    Parameters
    ----------
    all_of : list of Meetings
        For the same N agents; ties go to the earlier in the list, but for overlaps to the deepest.

    Returns
    -------
    meetings : Meetings
    lot : (N,) ndarray of int64
    """
    times, depths = [], []
    for each in all_of:
        speed = np.sqrt((each.velocity * each.velocity).sum(axis=1))
        distance = each.hits.distance
        hit = np.isfinite(distance) & (distance > 0.0)
        times.append(np.where(hit, distance / np.where(speed > 0.0, speed, 1.0), distance))
        depths.append(each.hits.depth)
    time, depth = np.array(times), np.array(depths)
    lot = np.argmin(time, axis=0)
    overlap = (time == 0.0).any(axis=0)
    lot = np.where(overlap, np.argmax(np.where(time == 0.0, depth, -math.inf), axis=0), lot)
    row = np.arange(len(lot))
    columns = ([getattr(each.hits, name) for each in all_of] for name in FIELDS)
    hits = Hits(*(_pick(arrays, lot, row) for arrays in columns))
    velocity = _pick([each.velocity for each in all_of], lot, row)
    return Meetings(hits, velocity, _pick([each.reach for each in all_of], lot, row)), lot


FIELDS = ("distance", "point", "normal", "part", "depth")


def _pick(arrays: list[NDArray], lot: NDArray[np.int64], row: NDArray[np.int64]) -> NDArray:
    return np.stack(arrays)[lot, row]
