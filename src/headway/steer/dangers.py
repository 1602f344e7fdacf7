"""Dangers for context steering: obstacles and other agents, direction by direction."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.options import able, above_zero, seconds, zero_or_more
from headway.geometry.vectors import TINY, Vector, dot, minus, times, vector
from headway.steer.context import Danger
from headway.world.agents import Agents
from headway.world.hits import Surface
from headway.world.neighbour_lists import neighbours


def obstacle_danger(surface: Surface, margin: float, reach: float) -> Danger:
    """Danger of running into a surface: 1 at contact, falling to 0 at the end of reach.

    Parameters
    ----------
    surface : Surface
        What is in the way.
    margin : float
        m, kept between bodies and surface; zero or more.
    reach : float
        m, how far ahead to look; above zero.

    Returns
    -------
    callable
        For `Context`: sweeps the body of each agent along each direction.

    Raises
    ------
    InputError
        If margin or reach is out of range.
    """
    able("surface", surface, "a Surface", "sweep")
    margin, reach = zero_or_more("margin", margin, "metres"), above_zero("reach", reach, "metres")

    def danger(agents: Agents, directions: NDArray[np.float64]) -> NDArray[np.float64]:
        n, count, d = directions.shape
        start, radius = np.repeat(agents.position, count, axis=0), np.repeat(agents.radius, count)
        hits = surface.sweep(start, directions.reshape(-1, d), radius + margin, reach)
        # where the body touches already, only what leads away from the surface is safe
        away = (hits.normal * directions.reshape(-1, d)).sum(axis=1) >= -TINY
        distance = np.where((hits.distance == 0.0) & away, np.inf, hits.distance)
        return np.clip(1.0 - distance / reach, 0.0, 1.0).reshape(n, count)

    return danger


@kernel(forceinline=True)
def _first_contact(offset: Vector, approach: Vector, reach: float) -> float:
    """When a point at an offset that comes nearer at a velocity is within reach; inf if never.

    The offset shrinks by the approach. Within reach already, it is now, unless they part.
    """
    closing = dot(offset, approach)
    square = dot(offset, offset) - reach * reach
    if closing <= 0.0:
        return math.inf
    if square <= 0.0:
        return 0.0
    speed2 = dot(approach, approach)
    root = closing * closing - speed2 * square
    return square / (closing + math.sqrt(root)) if root > 0.0 else math.inf


@kernel(
    example=lambda: (
        np.zeros(2), np.zeros(2), np.ones(1), np.ones(1), np.ones(6), np.zeros(2, np.int64),
        np.zeros(0, np.int64), 0.1, 1.0, 2, np.zeros((1, 3)),
    )
)  # fmt: skip
def _crowd(
    position: NDArray, velocity: NDArray, radius: NDArray, speed: NDArray, directions: NDArray,
    start: NDArray, index: NDArray, margin: float, horizon: float, d: int, out: NDArray,
) -> None:  # fmt: skip
    """For each agent and direction: how soon it would meet a neighbour, from 0 to 1."""
    n, slots = out.shape
    for i in range(n):
        for m in range(slots):
            own = times(vector(directions, i * slots + m, d), speed[i])
            soonest = math.inf
            for k in range(start[i], start[i + 1]):
                j = index[k]
                offset = minus(vector(position, j, d), vector(position, i, d))
                approach = minus(own, vector(velocity, j, d))
                reach = radius[i] + radius[j] + margin
                soonest = min(soonest, _first_contact(offset, approach, reach))
            out[i, m] = max(1.0 - soonest / horizon, 0.0)


def crowd_danger(margin: float, horizon: float) -> Danger:
    """Danger of meeting other agents that keep their velocities: 1 now, 0 at the horizon.

    Each direction is tried at full speed.

    Parameters
    ----------
    margin : float
        m, kept between bodies; zero or more.
    horizon : float
        s, how far ahead to look; above zero.

    Returns
    -------
    callable
        For `Context`.

    Raises
    ------
    InputError
        If margin or horizon is out of range.

    Examples
    --------
    One comes straight at the other, which had better not go east:

    >>> agents = Agents.at([(0.0, 0.0), (4.0, 0.0)], [(0.0, 0.0), (-1.0, 0.0)], max_speed=1.0)
    >>> east_and_west = np.array([[(1.0, 0.0), (-1.0, 0.0)]] * 2)
    >>> crowd_danger(0.0, 3.0)(agents, east_and_west)[0].tolist()
    [0.5, 0.0]
    """
    margin, horizon = zero_or_more("margin", margin, "metres"), seconds("horizon", horizon)

    def danger(agents: Agents, directions: NDArray[np.float64]) -> NDArray[np.float64]:
        out = np.zeros(directions.shape[:2])
        if not len(agents):
            return out
        fastest = np.linalg.norm(agents.velocity, axis=1).max() + agents.max_speed.max()
        reach = float(fastest * horizon + 2.0 * agents.radius.max() + margin)
        if reach > 0.0:  # else nobody meets anybody
            near = neighbours(agents.position, reach, alive=agents.alive)
            _crowd(
                agents.position.ravel(), agents.velocity.ravel(), agents.radius,
                agents.max_speed, directions.ravel(), near.start, near.index, margin,
                horizon, agents.d, out,
            )  # fmt: skip
        return out

    return danger
