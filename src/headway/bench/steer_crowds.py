"""Crowds that avoid each other by ORCA, against the reference: RVO2 in C++, as pyrvo."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.bench.headline import Figure, at_least, at_most, noted, skipped
from headway.bench.measure import clock, collector_off
from headway.bench.parts import Say
from headway.steer.orca import orca

Floats = NDArray[np.float64]

COUNTS = (10_000, 100_000)
FASTER, SAME = 3.0, 1e-5
"""Times the speed of the peer; m/s, how far velocities may differ after one step."""
RADIUS, MAX_SPEED, DT = 1.5, 2.0, 0.25
"""m, m/s, s"""
SIGHT: dict[str, Any] = {"neighbour_distance": 15.0, "most_neighbours": 10, "horizon": 10.0}
FILLED = 0.15
"""Part of the plane that a crowd covers."""
RING, RING_RADIUS, RING_STEPS = 250, 200.0, 3_301
"""Agents on a circle who all go to its other side; m; steps that RVO2 takes for its own example.

The last digits of the places decide how many it takes: 3,000 to 4,200 have been seen.
"""
SOONER, DEEPEST = 0.6, 1e-3
"""Part of the steps of the reference; overlap in radii."""
PATIENCE = 6_000
"""Steps until a crowd is given up."""


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure steps of a crowd that goes to and fro, and how a circle of agents gets across.

    Yields
    ------
    Figure
        Speed in agent-steps per second and in that of the peer, and difference of velocities;
        steps until all of the circle are there, and how far they overlap.
    """
    for count in COUNTS:
        say(f"a crowd of {count:,}")
        yield from crowd_figures(count, 3 if quick else 9)
    say(f"a circle of {RING} agents")
    yield from ring_figures(quick)


def crowd_figures(count: int, steps: int) -> Iterator[Figure]:
    """Step the same crowd by us, in both modes, and by the peer, in turn."""
    where = to_and_fro(count)
    crowds: dict[str, Crowd] = {"as RVO2": Crowd(*where, "rvo2"), "safe": Crowd(*where, "safe")}
    missing = ""
    try:
        crowds["pyrvo"] = Peer(*where)
    except ImportError:
        missing = "pyrvo is not installed"
    first = {name: crowd.step() and crowd.velocity for name, crowd in crowds.items()}
    spent: dict[str, list[float]] = {name: [] for name in crowds}
    names = list(crowds)
    with collector_off():
        for turn in range(steps):
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                spent[name].append(crowds[name].step())
    rates = {name: count / float(np.median(each)) for name, each in spent.items()}
    for name in ("as RVO2", "safe"):
        yield noted(f"ORCA, {count:,} agents, {name}", rates[name] / 1e6, " M agent-steps/s")
    faster = f"ORCA, {count:,} agents, as RVO2, to RVO2 in C++"
    same = f"ORCA, {count:,} agents, as RVO2, difference after one step"
    if missing:
        yield skipped(faster, missing)
        yield skipped(same, missing)
        return
    ratio = rates["as RVO2"] / rates["pyrvo"]
    yield at_least(faster, ratio, FASTER, " x", pyrvo=rates["pyrvo"])
    apart = float(np.abs(first["as RVO2"] - first["pyrvo"]).max())
    yield at_most(same, apart, SAME, " m/s")


def ring_figures(quick: bool) -> Iterator[Figure]:
    """Let a circle of agents change places, and the peer's as well, which takes a while."""
    where = around()
    steps, deepest = cross(Crowd(*where, "safe"))
    label = f"ORCA, circle of {RING}, safe: steps, to {RING_STEPS:,} of RVO2"
    yield at_most(label, steps / RING_STEPS, SOONER, " x", steps=steps)
    yield at_most("deepest overlap on the way", deepest, DEEPEST, " radii")
    if quick:
        return
    label = "steps of pyrvo from the same places"
    try:
        steps, deepest = cross(Peer(*where))
    except ImportError:
        yield skipped(label, "pyrvo is not installed")
    else:
        yield Figure(label, f"{steps:,}", values={"value": steps, "deepest": deepest})


class Crowd:
    """Agents who each go to a place of their own, stepped by us."""

    def __init__(self, position: Floats, goal: Floats, mode: str):
        self.position, self.velocity, self.goal = position, np.zeros_like(position), goal
        self.options: dict[str, Any] = {**SIGHT, "mode": mode}
        self.tick = 0

    def step(self) -> float:
        """Advance by one step; returns the CPU time it took, s, without that for what is wanted."""
        wanted = towards(self.goal - self.position)
        began = clock()
        self.velocity = orca(
            self.position, self.velocity, wanted, RADIUS, MAX_SPEED, dt=DT, tick=self.tick,
            **self.options,
        )  # fmt: skip
        self.position = self.position + self.velocity * DT
        self.tick += 1
        return (clock() - began) * 1e-9


class Peer(Crowd):
    """The same, stepped by pyrvo.

    Raises
    ------
    ImportError
        If it is not installed.
    """

    def __init__(self, position: Floats, goal: Floats):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.peer = import_module("pyrvo").RVOSimulator()
        super().__init__(position, goal, "")
        sight = SIGHT["neighbour_distance"], SIGHT["most_neighbours"], SIGHT["horizon"]
        self.peer.set_time_step(DT)
        self.peer.set_agent_defaults(*sight, SIGHT["horizon"], RADIUS, MAX_SPEED)
        for place in position.tolist():
            self.peer.add_agent(place)

    def step(self) -> float:
        """Advance by one step; handing numbers to and fro is not counted."""
        for i, wanted in enumerate(towards(self.goal - self.position).tolist()):
            self.peer.set_agent_pref_velocity(i, wanted)
        began = clock()
        self.peer.do_step()
        spent = (clock() - began) * 1e-9
        self.position, self.velocity = (
            np.array([ask(i).to_tuple() for i in range(len(self.goal))])
            for ask in (self.peer.get_agent_position, self.peer.get_agent_velocity)
        )
        return spent


def towards(way: Floats) -> Floats:
    """Velocity wanted: 1 m/s on the way to the goal, slower within the last metre."""
    distance = np.linalg.norm(way, axis=1, keepdims=True)
    return single(way / np.maximum(distance, 1.0))


def single(values: Floats) -> Floats:
    """Numbers that single precision has, too, so that the peer is asked the same."""
    return values.astype(np.float32).astype(np.float64)


def to_and_fro(count: int) -> tuple[Floats, Floats]:
    """Positions in a square, somewhere within cells of their own, and goals anywhere in it."""
    rng = np.random.default_rng(0)
    side = math.sqrt(count * math.pi * RADIUS**2 / FILLED)
    cells = math.ceil(math.sqrt(count))
    width = side / cells
    column, row = np.divmod(rng.permutation(cells**2)[:count], cells)
    room = 0.5 * width - 1.001 * RADIUS
    offset = rng.uniform(-room, room, (count, 2))
    position = (np.stack((column, row), axis=1) + 0.5) * width + offset
    return single(position), single(rng.uniform(0.0, side, (count, 2)))


def around() -> tuple[Floats, Floats]:
    """Positions on a circle, and goals across it."""
    angle = np.arange(RING) * (2.0 * math.pi / RING)
    position = single(RING_RADIUS * np.stack((np.cos(angle), np.sin(angle)), axis=1))
    return position, -position


def cross(crowd: Crowd) -> tuple[int, float]:
    """How many steps all take to get within a radius of their goals, and the deepest overlap."""
    deepest, steps = 0.0, 0
    there = False
    while not there and steps < PATIENCE:
        crowd.step()
        steps += 1
        x, y = crowd.position.T
        gaps = np.square(x[:, np.newaxis] - x) + np.square(y[:, np.newaxis] - y)
        np.fill_diagonal(gaps, math.inf)
        deepest = max(deepest, 2.0 - math.sqrt(gaps.min()) / RADIUS)
        there = (np.linalg.norm(crowd.goal - crowd.position, axis=1) <= RADIUS).all()
    return steps, deepest
