"""Groups of agents on a stage: what a scenario is, and how one is run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.errors import HeadwayError, InputError
from headway.world.agents import Agents

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stage:
    """What stands around the agents, as pictures show it.

    Parameters
    ----------
    low, high : (2,) ndarray
        m, world frame: corners of what is shown, x and y.
    circles : (K, 3) ndarray
        m: x, y and radius of obstacles.
    polygons : tuple of (M, 2) ndarray
        m: corners of obstacles.
    lines : tuple of (M, 2) ndarray
        m: paths and borders, drawn thin.
    places : mapping of str to (2,) ndarray
        m: goals and homes, by their label.
    """

    low: Floats
    high: Floats
    circles: Floats = field(default_factory=lambda: np.empty((0, 3)))
    polygons: tuple[Floats, ...] = ()
    lines: tuple[Floats, ...] = ()
    places: Mapping[str, Floats] = field(default_factory=dict)


Step = Callable[[Agents, Any], tuple[Agents, Any]]


@dataclass(frozen=True)
class Scenario:
    """A group of agents, and what they do.

    Parameters
    ----------
    title : str
    about : str
        What there is to see, in a sentence.
    agents : Agents
        At the start; their `dt` is the time step.
    memory : object
        Whatever the agents keep from step to step; a step returns a new one.
    step : callable
        Takes agents and memory, returns both a step later; pure.
    seconds : float
        How long it lasts.
    stage : Stage
    teams : tuple of str
        What agents of team 0, 1, … are called.
    states : tuple of str
        What agents may be doing, if they choose.
    state_of : callable, optional
        Takes a memory, returns what each agent is doing, (N,) places in `states`.
    trail : float, optional
        s, how much of each way a picture of the end shows; the whole of it unless they are many.
    numbers : callable
        Takes the `GroupRun`, returns what is worth knowing of it, by name; units in the name.
    """

    title: str
    about: str
    agents: Agents
    memory: Any
    step: Step
    seconds: float
    stage: Stage
    teams: tuple[str, ...] = ("agent",)
    states: tuple[str, ...] = ()
    state_of: Callable[[Any], NDArray[np.int64]] | None = None
    trail: float | None = None
    numbers: Callable[[GroupRun], dict[str, float | int | str]] = lambda run: {}


@dataclass(frozen=True)
class GroupRun:
    """What happened in a scenario: samples of all agents, a row for each time.

    Parameters
    ----------
    scenario : Scenario
    time : (T,) ndarray
        s.
    position : (T, N, d) ndarray
        m, world frame.
    velocity : (T, N, d) ndarray
        m/s, world frame.
    forward : (T, N, d) ndarray
        Unit vectors, world frame.
    alive : (T, N) ndarray of bool
        Who takes part.
    state : (T, N) ndarray of int64
        What each agent is doing: places in the scenario's `states`; −1 where it has none.
    memory : object
        That of the end.
    """

    scenario: Scenario
    time: Floats
    position: Floats
    velocity: Floats
    forward: Floats
    alive: NDArray[np.bool_]
    state: NDArray[np.int64]
    memory: Any

    @property
    def numbers(self) -> dict[str, float | int | str]:
        """What is worth knowing, by name; units in the name."""
        return self.scenario.numbers(self)

    @property
    def state_hash(self) -> str:
        """A hash of all samples: equal runs have equal hashes."""
        digest = hashlib.sha256()
        for array in (self.time, self.position, self.velocity, self.forward, self.alive):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(np.ascontiguousarray(self.state).tobytes())
        return digest.hexdigest()[:16]


def run_group(
    scenario: Scenario, *, every: int = 1, said: Callable[[int, int], None] | None = None
) -> GroupRun:
    """Run a scenario to its end.

    Parameters
    ----------
    scenario : Scenario
    every : int
        Ticks between samples, at least 1; start and end are sampled in any case.
    said : callable, optional
        Called with ticks done and ticks in all.

    Returns
    -------
    GroupRun

    Raises
    ------
    InputError
        If `every` is below 1.
    HeadwayError
        If a step makes a number that is not finite.

    Examples
    --------
    >>> from headway.sim.flocks import scenario
    >>> run = run_group(scenario("seek"), every=10)
    >>> run.position.shape
    (61, 2, 2)
    """
    if every < 1:
        raise InputError(f"every is {every}: give at least 1.")
    agents, memory = scenario.agents, scenario.memory
    ticks = round(scenario.seconds / agents.dt)
    samples = [_sample(scenario, agents, memory)]
    for tick in range(1, ticks + 1):
        agents, memory = scenario.step(agents, memory)
        agents = agents.where(tick=tick)
        lost = ~np.isfinite(agents.position).all(axis=1) | ~np.isfinite(agents.velocity).all(axis=1)
        if lost.any():
            i = int(np.flatnonzero(lost)[0])
            raise HeadwayError(
                f"{scenario.title}: agent {i} has no finite position after tick {tick}."
            )
        if tick % every == 0 or tick == ticks:
            samples.append(_sample(scenario, agents, memory))
        if said is not None:
            said(tick, ticks)
    time, position, velocity, forward, alive, state = map(np.array, zip(*samples, strict=True))
    return GroupRun(scenario, time, position, velocity, forward, alive, state, memory)


def _sample(scenario: Scenario, agents: Agents, memory: Any) -> tuple[Any, ...]:
    """What is kept of one moment."""
    state = np.full(len(agents), -1, np.int64)
    if scenario.state_of is not None:
        state = np.asarray(scenario.state_of(memory), np.int64)
    return (
        agents.time, agents.position, agents.velocity, agents.forward, agents.alive, state
    )  # fmt: skip
