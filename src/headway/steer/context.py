"""Context steering: look into many directions, and choose one instead of adding forces.

Two forces that cancel leave an agent standing between two ways that are both good. Here each part
writes into a map of directions ("slots") instead: how interesting is it to go there, how dangerous?
Slots more dangerous than the least dangerous one are struck out, the most interesting of the rest
wins, and between slots the best direction is found from the slots around it. What is chosen is a
velocity: an agent that has the one it wants feels no force, and yet must not run into anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import real, seconds, whole, wrong
from headway.geometry.rows import read
from headway.geometry.vectors import TINY, Vector, cross, dot, store, times, unit, vector
from headway.steer.behaviours import (
    Behaviour,
    Combination,
    Forces,
    Trace,
    ask,
    named,
    weighted_parts,
)
from headway.steer.force import force_for
from headway.world.agents import Agents

Danger: TypeAlias = Callable[[Agents, NDArray[np.float64]], NDArray[np.float64]]
"""Takes agents and directions (N, M, d), unit vectors; returns dangers (N, M) from 0 to 1."""
AROUND = 6
"""A slot in space has about as many neighbours."""


def slots_on_circle(count: int) -> NDArray[np.float64]:
    """Directions in the plane, evenly spread; the first is +x.

    Parameters
    ----------
    count : int
        At least 3.

    Returns
    -------
    (count, 2) ndarray
        Unit vectors, counter-clockwise.

    Examples
    --------
    >>> slots_on_circle(4).round(9).tolist()
    [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [-0.0, -1.0]]
    """
    yaw = 2.0 * np.pi * np.arange(count) / count
    return np.column_stack((np.cos(yaw), np.sin(yaw)))


def slots_on_sphere(count: int) -> NDArray[np.float64]:
    """Directions in space, almost evenly spread: a Fibonacci spiral around +x.

    Parameters
    ----------
    count : int
        At least 4.

    Returns
    -------
    (count, 3) ndarray
        Unit vectors; the first is next to +x.

    References
    ----------
    González, "Measurement of areas on a sphere using Fibonacci and latitude-longitude lattices",
    Mathematical Geosciences 42, 2010.

    Examples
    --------
    >>> bool(np.allclose(slots_on_sphere(96).mean(axis=0), 0.0, atol=0.01))
    True
    """
    x = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turn = np.pi * (3.0 - math.sqrt(5.0)) * np.arange(count)
    size = np.sqrt(1.0 - x * x)
    return np.column_stack((x, size * np.cos(turn), size * np.sin(turn)))


def _beside(slots: NDArray[np.float64]) -> NDArray[np.int64]:
    """(M, K): the neighbours of each slot."""
    cosines = slots @ slots.T
    np.fill_diagonal(cosines, -2.0)
    count = 2 if slots.shape[1] == 2 else AROUND
    return np.argsort(-cosines, axis=1, kind="stable")[:, :count].copy()


def _frames(forward: NDArray[np.float64], slots: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, M, d): the slots of each agent, turned so that +x is its forward."""
    if slots.shape[1] == 2:
        left = np.column_stack((-forward[:, 1], forward[:, 0]))
        axes = np.stack((forward, left), axis=1)
    else:
        steep = np.abs(forward[:, 2:]) > 0.999999
        left = np.cross(np.where(steep, (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), forward)
        left /= np.linalg.norm(left, axis=1, keepdims=True)
        axes = np.stack((forward, left, np.cross(forward, left)), axis=1)
    return np.einsum("mk,nkd->nmd", slots, axes)


@kernel(forceinline=True)
def _fit(
    i: int, m: int, slots: NDArray, beside: NDArray, interest: NDArray, allowed: NDArray, d: int
) -> Vector:
    """The vector whose products with a slot and its free neighbours are nearest to their interest.

    Where one force alone made the map, that is the force itself.
    """
    a = b = c = (0.0, 0.0, 0.0)  # rows of the matrix of the normal equations
    right = (0.0, 0.0, 0.0)
    size = allowed.shape[1]
    for q in range(beside.shape[1] + 1):
        k = m if q == 0 else beside[m, q - 1]
        if not allowed[i, k]:
            continue
        s = vector(slots, i * size + k, d)
        right = _more(right, s, interest[i, k])
        a, b, c = _more(a, s, s[0]), _more(b, s, s[1]), _more(c, s, s[2])
    if d == 2:
        c = (0.0, 0.0, 1.0)
    volume = dot(a, cross(b, c))
    if abs(volume) < 1e-9:
        return 0.0, 0.0, 0.0
    x, y, z = cross(b, c), cross(c, a), cross(a, b)  # columns of the inverse, times the volume
    return times(
        (
            x[0] * right[0] + y[0] * right[1] + z[0] * right[2],
            x[1] * right[0] + y[1] * right[1] + z[1] * right[2],
            x[2] * right[0] + y[2] * right[1] + z[2] * right[2],
        ),
        1.0 / volume,
    )


@kernel(forceinline=True)
def _more(a: Vector, b: Vector, factor: float) -> Vector:
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel(
    example=lambda: (
        np.ones((1, 3, 2)).ravel(), np.zeros((3, 2), np.int64), np.zeros((1, 3)), np.zeros((1, 3)),
        0.05, 2, np.ones((1, 3), np.bool_), np.zeros(1, np.int64), np.empty(2),
    )
)  # fmt: skip
def _choose_slots(
    slots: NDArray, beside: NDArray, interest: NDArray, danger: NDArray, tolerance: float,
    d: int, allowed: NDArray, chosen: NDArray, out: NDArray,
) -> None:  # fmt: skip
    """Choose a slot for each agent, and the direction within it."""
    n, size = interest.shape
    for i in range(n):
        least = danger[i, 0]
        for m in range(size):
            least = min(least, danger[i, m])
        best = -1
        for m in range(size):
            allowed[i, m] = danger[i, m] <= least + tolerance
            if allowed[i, m] and (best < 0 or interest[i, m] > interest[i, best]):
                best = m
        strength = interest[i, best]
        chosen[i] = best if strength > 0.0 else -1
        direction = vector(slots, i * size + best, d)
        fitted = unit(_fit(i, best, slots, beside, interest, allowed, d))
        inside = dot(fitted, direction) > TINY
        for q in range(beside.shape[1]):
            other = vector(slots, i * size + beside[best, q], d)
            inside = inside and dot(fitted, other) <= dot(fitted, direction) + TINY
        if inside:
            strength /= dot(fitted, direction)
            direction = fitted
        store(out, i, d, times(direction, max(strength, 0.0)))


class Context(Combination):
    """Choose among directions by interest and danger.

    Parameters
    ----------
    interest : mapping of str to behaviour or (behaviour, float)
        By name. The velocity that a force leads to makes slots interesting by its component along
        them; the most interested part counts. A weight, 1 unless given, scales the force.
    danger : mapping of str to callable
        By name: takes agents and directions (N, M, d) and returns dangers (N, M) from 0 to 1,
        such as `obstacle_danger`; the greatest counts.
    slots : int
        How many directions: 24 in the plane, 96 in space unless given.
    tolerance : float
        A slot is struck out when it is more dangerous than the least dangerous one by more.
    response : float
        τ, s, above zero: forces stand for the velocities they lead to within this time, as those
        of `force_for` with the same τ do.

    References
    ----------
    Fray, "Context steering: behavior-driven steering at the macro scale", Game AI Pro 2, 2015.

    Examples
    --------
    Two equal goals on either side do not cancel:

    >>> agents = Agents.at([(0.0, 0.0)], max_force=9.0)
    >>> left, right = lambda a: np.array([(0.0, 2.0)]), lambda a: np.array([(0.0, -2.0)])
    >>> Context({"left": left, "right": right})(agents).round(9).tolist()
    [[0.0, 2.0]]
    """

    def __init__(
        self,
        interest: Mapping[str, Behaviour | tuple[Behaviour, float]],
        danger: Mapping[str, Danger] | None = None,
        *,
        slots: int | None = None,
        tolerance: float = 0.05,
        response: float = 0.1,
    ):
        if slots is not None and whole("slots", slots, 8, "8 to 4096") > 4096:
            wrong("slots", slots, "8 to 4096")
        self.tolerance = real("tolerance", tolerance, "0 to 1")
        if not 0.0 <= self.tolerance <= 1.0:
            wrong("tolerance", tolerance, "0 to 1")
        self.response = seconds("response", response)
        self.parts, self.danger = weighted_parts(interest), dict(named("danger", danger or {}))
        for name, part in self.danger.items():
            if not callable(part):
                wrong(name, part, "a callable of agents and directions")
        self.slots = None if slots is None else int(slots)

    def combine(self, agents: Agents, trace: Trace | None) -> Forces:
        """Ask the parts, and put down in a trace what was said and chosen."""
        d, n = agents.d, len(agents)
        count = self.slots or (24 if d == 2 else 96)
        slots = slots_on_circle(count) if d == 2 else slots_on_sphere(count)
        directions = _frames(agents.forward, slots)
        gain = self.response / agents.mass[:, None]
        interest, danger = np.zeros((n, count)), np.zeros((n, count))
        for name, (part, weight) in self.parts.items():
            wanted = agents.velocity + gain * weight * ask(name, part, agents, trace)
            np.maximum(interest, np.einsum("nmd,nd->nm", directions, wanted), out=interest)
        for name, part in self.danger.items():
            answer = read(f"what {name} returned", part(agents, directions))
            if answer.shape != danger.shape or not np.isfinite(answer).all():
                raise InputError(
                    f"{name} returned shape {answer.shape}: give finite dangers {danger.shape}."
                )
            np.maximum(danger, answer, out=danger)
        out, chosen = np.zeros(agents.position.shape), np.zeros(n, np.int64)
        _choose_slots(
            directions.ravel(), _beside(slots), interest, danger, self.tolerance, d,
            np.empty((n, count), np.bool_), chosen, out.ravel(),
        )  # fmt: skip
        if trace is not None:
            trace.chosen = chosen
        return force_for(out - agents.velocity, agents.mass, agents.max_force, self.response)
