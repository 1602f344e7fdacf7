"""Ways to combine behaviours: each is a behaviour itself, so that they nest.

What a behaviour is stands in `headway.steer.behaviours`. No combination is longer than an agent's
largest force.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.geometry.options import zero_or_more
from headway.geometry.vectors import length, limited, plus, store, times, vector
from headway.steer.behaviours import (
    Behaviour,
    Combination,
    Forces,
    Trace,
    ask,
    named,
    weighted_parts,
)
from headway.world.agents import Agents

DITHER = 0x444954
"""Stream of chance: whether a part of a dithered priority is asked; one more for each part."""


@kernel(example=lambda: (np.zeros(3), np.ones(1), 3))
def _limit(total: NDArray, max_force: NDArray, d: int) -> None:
    """Shorten each force to what its agent can do."""
    for i in range(len(max_force)):
        store(total, i, d, limited(vector(total, i, d), max_force[np.uint64(i)]))


@kernel(example=lambda: (np.zeros(3), np.zeros(3), 1.0, np.ones(1), 3))
def _spend(total: NDArray, part: NDArray, weight: float, max_force: NDArray, d: int) -> None:
    """Add a part as far as the largest force allows."""
    for i in range(len(max_force)):
        so_far = vector(total, i, d)
        left = max_force[np.uint64(i)] - length(so_far)
        if left > 0.0:
            more = limited(times(vector(part, i, d), weight), left)
            store(total, i, d, plus(so_far, more))


@kernel(
    example=lambda: (
        np.zeros(3), np.zeros(3), 1.0, np.zeros(1, np.int64), 0, 1e-3, np.zeros(1, np.int64),
        0, 0, 3,
    )
)  # fmt: skip
def _choose(
    total: NDArray, part: NDArray, chance: float, chosen: NDArray, place: int, least: float,
    ids: NDArray, seed: int, tick: int, d: int,
) -> None:  # fmt: skip
    """Take a part for the agents that have none yet, if it says something and chance allows."""
    for i in range(len(chosen)):
        at = np.uint64(i)
        force = vector(part, i, d)
        if chosen[at] >= 0 or length(force) <= least:
            continue
        if chance >= 1.0 or uniform(seed, DITHER + place, ids[at], tick) < chance:
            chosen[at] = place
            store(total, i, d, times(force, 1.0 / chance))


class Sum(Combination):
    """Add all parts, and shorten the sum to the largest force.

    Parameters
    ----------
    parts : mapping of str to behaviour or (behaviour, float)
        By name; a weight is 1 unless given.

    Examples
    --------
    >>> agents = Agents.at([(0.0, 0.0)], max_force=9.0)
    >>> east, north = lambda a: np.array([(1.0, 0.0)]), lambda a: np.array([(0.0, 2.0)])
    >>> Sum({"east": (east, 3.0), "north": north})(agents).tolist()
    [[3.0, 2.0]]
    """

    def __init__(self, parts: Mapping[str, Behaviour | tuple[Behaviour, float]]):
        self.parts = weighted_parts(parts)

    def combine(self, agents: Agents, trace: Trace | None) -> Forces:
        """Ask the parts, and put down in a trace what they said."""
        total = np.zeros(agents.position.shape)
        for name, (part, weight) in self.parts.items():
            total += weight * ask(name, part, agents, trace)
        _limit(total.ravel(), agents.max_force, agents.d)
        return total


class Budget(Combination):
    """Add parts in order, each as far as the largest force has room left for it.

    The first are served in full; the last get what remains, or nothing.

    Parameters
    ----------
    parts : mapping of str to behaviour or (behaviour, float)
        By name, the most important first; a weight is 1 unless given.

    References
    ----------
    Buckland, "Programming Game AI by Example", 2005, chapter 3: weighted truncated running sum
    with prioritization.

    Examples
    --------
    >>> agents = Agents.at([(0.0, 0.0)], max_force=2.0)
    >>> east, north = lambda a: np.array([(1.0, 0.0)]), lambda a: np.array([(0.0, 9.0)])
    >>> Budget({"east": east, "north": north})(agents).tolist()
    [[1.0, 1.0]]
    """

    def __init__(self, parts: Mapping[str, Behaviour | tuple[Behaviour, float]]):
        self.parts = weighted_parts(parts)

    def combine(self, agents: Agents, trace: Trace | None) -> Forces:
        """Ask the parts, and put down in a trace what they said."""
        total = np.zeros(agents.position.shape)
        for name, (part, weight) in self.parts.items():
            force = ask(name, part, agents, trace)
            _spend(total.ravel(), force.ravel(), weight, agents.max_force, agents.d)
        return total


class Priority(Combination):
    """For each agent the first part that says something; the others are not heard.

    Parts after the one that all agents are content with are not even asked.

    Parameters
    ----------
    parts : mapping of str to behaviour
        By name, the most important first.
    least : float
        N; a force no longer says nothing. If no part says anything, the force is zero.

    Examples
    --------
    >>> agents = Agents.at([(0.0, 0.0), (5.0, 0.0)], max_force=9.0)
    >>> near = lambda a: np.where(a.position < 1.0, 4.0, 0.0)
    >>> Priority({"near": near, "else": lambda a: np.full(a.position.shape, 1.0)})(agents).tolist()
    [[4.0, 4.0], [0.0, 4.0]]
    """

    def __init__(self, parts: Mapping[str, Behaviour], least: float = 1e-3):
        self.least = zero_or_more("least", least, "a force")
        surely = {name: (part, 1.0) for name, part in named("parts", parts).items()}
        self.parts = weighted_parts(surely)

    def combine(self, agents: Agents, trace: Trace | None) -> Forces:
        """Ask the parts, and put down in a trace what was said and chosen."""
        return _first_of(self.parts, self.least, agents, trace)


class Dither(Combination):
    """Like `Priority`, but each part is asked only with a certain probability.

    So no part is silenced for good by those before it. A rare part pushes the harder when its
    turn comes: its force is divided by the probability.

    Parameters
    ----------
    parts : mapping of str to (behaviour, float)
        By name, the most important first; the number is the probability, above 0 and at most 1.
    least : float
        N; a force no longer says nothing.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999: prioritized dithering.

    Examples
    --------
    >>> agents = Agents.at(np.zeros((1000, 2)), max_force=9.0)
    >>> east = lambda a: np.tile((1.0, 0.0), (len(a), 1))
    >>> forces = Dither({"east": (east, 0.5)})(agents)
    >>> forces.max(), 0.9 < forces[:, 0].mean() < 1.1
    (np.float64(2.0), np.True_)
    """

    def __init__(self, parts: Mapping[str, tuple[Behaviour, float]], least: float = 1e-3):
        self.least = zero_or_more("least", least, "a force")
        self.parts = weighted_parts(parts)
        for name, (_, chance) in self.parts.items():
            if not 0.0 < chance <= 1.0:
                raise InputError(f"the probability of {name} is {chance}: give one in (0, 1].")

    def combine(self, agents: Agents, trace: Trace | None) -> Forces:
        """Ask the parts, and put down in a trace what was said and chosen."""
        return _first_of(self.parts, self.least, agents, trace)


def _first_of(
    parts: Mapping[str, tuple[Behaviour, float]], least: float, agents: Agents, trace: Trace | None
) -> Forces:
    """For each agent the first part that chance allows and that says something."""
    total = np.zeros(agents.position.shape)
    chosen = np.full(len(agents), -1, np.int64)
    for place, (name, (part, chance)) in enumerate(parts.items()):
        force = ask(name, part, agents, trace)
        _choose(
            total.ravel(), force.ravel(), chance, chosen, place, least, agents.id, agents.seed,
            agents.tick, agents.d,
        )  # fmt: skip
        if (chosen >= 0).all():
            break
    if trace is not None:
        trace.chosen = chosen
    _limit(total.ravel(), agents.max_force, agents.d)
    return total
