"""Groups of agents on a stage: what a scenario is, and how one is run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.errors import HeadwayError, InputError
from headway.geometry.options import instance, seconds, shown, whole, wrong
from headway.geometry.rows import finite_rows
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
    lines_are : str
        What the lines are, for the key; if empty they are not in it.

    Raises
    ------
    InputError
        If shapes do not fit, numbers are not finite, or low is not below high.
    """

    low: Floats
    high: Floats
    circles: Floats = field(default_factory=lambda: np.empty((0, 3)))
    polygons: tuple[Floats, ...] = ()
    lines: tuple[Floats, ...] = ()
    places: Mapping[str, Floats] = field(default_factory=dict)
    lines_are: str = ""

    def __post_init__(self) -> None:
        """Take lists and tuples as arrays."""
        instance("places of the stage", self.places, Mapping)
        low, high = (
            _point(f"{name} of the stage", getattr(self, name)) for name in ("low", "high")
        )
        if not (low < high).all():
            raise InputError(f"low of the stage is {low}, high is {high}: give low below high.")
        given = {
            "low": low, "high": high, "circles": finite_rows("circle", self.circles, (3,)),
            "polygons": _paths("polygon", self.polygons), "lines": _paths("line", self.lines),
            "places": {name: _point(f"place {name!r}", at) for name, at in self.places.items()},
        }  # fmt: skip
        for name, value in given.items():
            object.__setattr__(self, name, value)


def _point(name: str, value: Any) -> Floats:
    """A point of the plane; a height is left out."""
    rows = finite_rows(name, [value], ((2, 3),))
    return rows[0, :2]


def _paths(name: str, lines: Any) -> tuple[Floats, ...]:
    if not isinstance(lines, Iterable) or isinstance(lines, str):
        wrong(f"{name}s of the stage", lines, "a sequence of arrays, (M, 2) each")
    return tuple(finite_rows(f"{name} {k}, point", each, (2,)) for k, each in enumerate(lines))


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

    Raises
    ------
    InputError
        If a part is of the wrong kind, `seconds` is not above zero, or a team has no name.
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

    def __post_init__(self) -> None:
        """Refuse what cannot be run or drawn."""
        instance("agents", self.agents, Agents)
        instance("stage", self.stage, Stage)
        seconds("seconds", self.seconds)
        for name in ("step", "numbers", "state_of"):
            value = getattr(self, name)
            if not callable(value) and not (name == "state_of" and value is None):
                wrong(name, value, "a function")
        for name in ("teams", "states"):
            names = getattr(self, name)
            if isinstance(names, str) or not all(isinstance(each, str) for each in names):
                wrong(name, names, "a tuple of names")
        unknown = (self.agents.team < 0) | (self.agents.team >= len(self.teams))
        if unknown.any():
            i = int(np.flatnonzero(unknown)[0])
            raise InputError(
                f"agent {i} is of team {self.agents.team[i]}, but there are names for "
                f"{len(self.teams)}, from 0: give each team a name in `teams`."
            )


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
        If `every` is below 1, or a step returns other than as many agents and a memory.
    HeadwayError
        If a step makes a number that is not finite.

    Examples
    --------
    >>> from headway.sim.flocks import scenario
    >>> run = run_group(scenario("seek"), every=10)
    >>> run.position.shape
    (61, 2, 2)
    """
    instance("scenario", scenario, Scenario)
    every = whole("every", every, 1, "a whole number, at least 1")
    agents, memory = scenario.agents, scenario.memory
    ticks = round(scenario.seconds / agents.dt)
    samples = [_sample(scenario, agents, memory)]
    for tick in range(1, ticks + 1):
        agents, memory = _stepped(scenario, scenario.step(agents, memory))
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


def _stepped(scenario: Scenario, result: Any) -> tuple[Agents, Any]:
    """What a step returned, if it can be gone on with."""
    good = isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], Agents)
    if not good:
        raise InputError(
            f"{scenario.title}: a step returned {shown(result)}: give agents and memory."
        )
    before, after = scenario.agents.position.shape, result[0].position.shape
    if after != before:
        raise InputError(
            f"{scenario.title}: a step returned agents of shape {after} for {before}: their number "
            f"must stay; use `alive` to let them join and leave."
        )
    return result


def _sample(scenario: Scenario, agents: Agents, memory: Any) -> tuple[Any, ...]:
    """What is kept of one moment."""
    state = np.full(len(agents), -1, np.int64)
    if scenario.state_of is not None:
        state = np.asarray(scenario.state_of(memory))
        if state.shape != (len(agents),) or state.dtype.kind not in "biu":
            raise InputError(
                f"{scenario.title}: state_of returned {shown(state)}: give a whole number for "
                f"each of {len(agents)} agents."
            )
        if len(state) and not -1 <= state.min() <= state.max() < len(scenario.states):
            raise InputError(
                f"{scenario.title}: state_of returned {state.min()} to {state.max()}: give places "
                f"in `states`, 0 to {len(scenario.states) - 1}, or -1."
            )
        state = state.astype(np.int64)
    return (
        agents.time, agents.position, agents.velocity, agents.forward, agents.alive, state
    )  # fmt: skip
