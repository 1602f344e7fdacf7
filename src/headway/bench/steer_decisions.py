"""How fast crowds decide: state machines, what they rest on, and fuzzy rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from headway.bench.headline import Figure, at_least, at_most, noted
from headway.bench.measure import medians
from headway.bench.parts import Say
from headway.decide.fuzzy_rules import Rule, infer, term, very
from headway.decide.fuzzy_sets import FuzzyVariable, left_shoulder, right_shoulder, triangular
from headway.decide.machine import Machine
from headway.decide.machine_run import begin, step
from headway.decide.machine_states import ANY, State, Transition
from headway.perceive.vision import sees_listed

AGENTS = 100_000
RATE, BUILD = 50.0, 50.0
"""Millions of transitions per second; ms."""
STATES, EVENTS = 8, 4
NEIGHBOURS, FIELD, REACH = 12, 2.0, 20.0
"""How many each agent looks at; the opening of its cone, rad; how far it sees, m."""
DT = 0.02


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure decisions of many agents at once.

    Yields
    ------
    Figure
        Transitions per second by events, and what it takes to begin; then steps by guards, looks
        around, and conclusions by fuzzy rules.
    """
    turns = 5 if quick else 25
    say(f"decisions of {AGENTS:,} agents")
    runs: dict[str, Callable[[], object]] = {
        "events": by_events(),
        "build": build,
        "guards": by_guards(),
        "looks": looking(),
        "fuzzy": concluding(AGENTS),
        "fuzzy, one": concluding(1),
    }
    seconds = medians(runs, turns, 0.0)
    millions = {name: AGENTS / each / 1e6 for name, each in seconds.items()}
    yield at_least(
        f"transitions of {AGENTS:,} agents, each for an event", millions["events"], RATE, " M/s"
    )
    label = f"a machine of {STATES} states made, and {AGENTS:,} agents put into it"
    yield at_most(label, 1e3 * seconds["build"], BUILD, " ms")
    yield noted("steps of rabbits, by guards and times", millions["guards"], " M agents/s")
    label = f"looks at {NEIGHBOURS} others each, within a cone"
    yield noted(label, NEIGHBOURS * millions["looks"], " M looks/s")
    yield noted("conclusions by 4 fuzzy rules", millions["fuzzy"], " M agents/s")
    yield noted("the same for one agent", 1e6 * seconds["fuzzy, one"], " µs")


def table() -> Machine:
    """A machine in which every event leads from each state to another."""
    names = [f"state {i}" for i in range(STATES)]
    return Machine(
        names,
        [
            Transition(names[i], names[(i + 1 + event) % STATES], event=f"event {event}")
            for i in range(STATES)
            for event in range(EVENTS)
        ],
    )


def build() -> object:
    """Make that machine, and agents that start in it."""
    return begin(table(), AGENTS)


def by_events() -> Callable[[], object]:
    """A step in which something happens to everyone, so that everyone changes its state."""
    machine = table()
    rng = np.random.default_rng(1)
    memory, _ = begin(machine, AGENTS, list(rng.choice(machine.names, AGENTS)))
    events = rng.integers(0, EVENTS, AGENTS)
    return lambda: step(machine, memory, None, DT, events)


def by_guards() -> Callable[[], object]:
    """A step of rabbits that graze, flee, and return when no predator has been near for a while."""
    rabbits = Machine(
        ["graze", "flee", State("return", min_dwell=0.5)],
        [
            Transition(ANY, "flee", when="predator near", at_once=True),
            Transition("flee", "return", when="predator far", after=2.0),
            Transition("return", "graze", when="home"),
            Transition("return", "graze", after=60.0),
        ],
    )
    rng = np.random.default_rng(1)
    memory, _ = begin(rabbits, AGENTS, list(rng.choice(rabbits.names, AGENTS)))
    chance = rng.uniform(size=AGENTS)
    view = {"predator near": chance < 0.1, "predator far": chance > 0.3, "home": chance > 0.8}
    return lambda: step(rabbits, memory, view, DT)


def looking() -> Callable[[], object]:
    """Agents that look at some others each."""
    rng = np.random.default_rng(1)
    position = rng.uniform(0.0, 2.0 * REACH, (AGENTS, 3))
    forward = rng.normal(size=(AGENTS, 3))
    start = np.arange(0, NEIGHBOURS * AGENTS + 1, NEIGHBOURS)
    index = np.repeat(np.arange(AGENTS), NEIGHBOURS) + np.tile(np.arange(NEIGHBOURS), AGENTS) + 1
    index %= AGENTS
    return lambda: sees_listed(position, forward, position, start, index, fov=FIELD, reach=REACH)


def concluding(count: int) -> Callable[[], object]:
    """Agents that conclude how much to fear from how far and how strong a predator is."""
    distance = FuzzyVariable("distance", {
        "near": left_shoulder(0.0, 10.0, 30.0), "medium": triangular(10.0, 30.0, 60.0),
        "far": right_shoulder(30.0, 60.0, 100.0),
    })  # fmt: skip
    strength = FuzzyVariable("strength", {
        "weak": left_shoulder(0.0, 2.0, 5.0), "strong": right_shoulder(2.0, 5.0, 9.0),
    })  # fmt: skip
    fear = FuzzyVariable("fear", {
        "low": left_shoulder(0.0, 0.2, 0.5), "some": triangular(0.2, 0.5, 0.8),
        "high": right_shoulder(0.5, 0.8, 1.0),
    })  # fmt: skip
    rules = [
        Rule(very(term(distance, "near")), term(fear, "high")),
        Rule(term(distance, "medium") & term(strength, "strong"), term(fear, "some")),
        Rule(term(distance, "medium") & term(strength, "weak"), term(fear, "low")),
        Rule(term(distance, "far"), term(fear, "low")),
    ]
    rng = np.random.default_rng(1)
    known = {"distance": rng.uniform(0.0, 90.0, count), "strength": rng.uniform(0.0, 8.0, count)}
    return lambda: infer(rules, known)
