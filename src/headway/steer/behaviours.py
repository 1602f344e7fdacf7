"""Behaviours that are made of others: how the parts are asked, and what each of them answered.

A behaviour, here, is any callable that takes `Agents` and returns a force for each, (N, d) in N.
Parts have names, for whoever wants to see what each of them said (`traced`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError
from headway.geometry.options import instance, real, wrong
from headway.geometry.rows import read
from headway.world.agents import Agents

Forces: TypeAlias = NDArray[np.float64]
Behaviour: TypeAlias = Callable[[Agents], Forces]


@dataclass(slots=True)
class Trace:
    """What a behaviour answered, and what its parts did.

    Parameters
    ----------
    force : (N, d) ndarray
        N, world frame.
    parts : dict of str to Trace
        Those that were asked.
    chosen : (N,) ndarray of int64, optional
        Where one part is chosen for each agent: its place among the parts; −1 for none.
    """

    force: Forces
    parts: dict[str, Trace] = field(default_factory=dict)
    chosen: NDArray[np.int64] | None = None


class Combination:
    """A behaviour that is made of others; `headway.steer.combine` has some."""

    def __call__(self, agents: Agents) -> Forces:
        """Force for each agent, (N, d), N."""
        instance("agents", agents, Agents)
        return self.combine(agents, None)

    def combine(self, agents: Agents, trace: Trace | None) -> Forces:
        """Ask the parts, and put down in a trace what they said."""
        raise NotImplementedError


def traced(behaviour: Behaviour, agents: Agents) -> Trace:
    """Ask a behaviour, and keep what each part of it answered.

    Parameters
    ----------
    behaviour : callable
        A combination, or any other behaviour.
    agents : Agents

    Returns
    -------
    Trace
        Its `force` is what the behaviour returns.

    Examples
    --------
    >>> from headway.steer.combine import Sum
    >>> agents = Agents.at([(0.0, 0.0)], max_force=9.0)
    >>> east, north = lambda a: np.array([(1.0, 0.0)]), lambda a: np.array([(0.0, 2.0)])
    >>> both = Sum({"east": east, "north": north})
    >>> traced(both, agents).parts["north"].force.tolist()
    [[0.0, 2.0]]
    """
    instance("agents", agents, Agents)
    trace = Trace(np.empty(0))
    if isinstance(behaviour, Combination):
        trace.force = behaviour.combine(agents, trace)
    else:
        trace.force = _forces(behaviour(agents), agents, "behaviour")
    return trace


def _forces(answer: Any, agents: Agents, name: str) -> Forces:
    """What a behaviour returned, if it can be used."""
    array = read(f"what {name} returned", answer)
    if array.shape != agents.position.shape:
        raise InputError(
            f"{name} returned shape {array.shape}: a behaviour returns {agents.position.shape},"
            " a force for each agent."
        )
    if not np.isfinite(array).all():
        i = int(np.argwhere(~np.isfinite(array))[0][0])
        raise InputError(f"{name} returned {array[i]} for agent {i}: forces must be finite.")
    return array


def ask(name: str, part: Behaviour, agents: Agents, trace: Trace | None) -> Forces:
    """What one part of a combination answers, put down in a trace if there is one."""
    if trace is None:
        return _forces(part(agents), agents, name)
    trace.parts[name] = traced(part, agents)
    return trace.parts[name].force


def named(what: str, parts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parts, if they have names."""
    if not isinstance(parts, Mapping):
        wrong(what, parts, "a mapping of names to behaviours")
    return parts


def weighted_parts(parts: Mapping[str, Any]) -> dict[str, tuple[Behaviour, float]]:
    """Each part with its number; 1 if it stands alone."""
    pairs = {}
    for name, part in named("parts", parts).items():
        pair = part if isinstance(part, tuple) else (part, 1.0)
        if len(pair) != 2 or not callable(pair[0]):
            wrong(name, part, "a behaviour, or one and its weight")
        weight = real(f"the weight of {name}", pair[1], "a finite number")
        if not math.isfinite(weight):
            wrong(f"the weight of {name}", weight, "a finite number")
        pairs[name] = (pair[0], weight)
    return pairs
