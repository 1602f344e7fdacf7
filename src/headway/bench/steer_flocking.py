"""How fast flocks are steered, from a hundred agents to a million, against peers."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from importlib import import_module, resources
from pathlib import Path

import numpy as np

from headway.bench.headline import Figure, at_least, at_most, noted, skipped
from headway.bench.measure import clock, collector_off
from headway.bench.parts import Say
from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.steer.flock import BOIDS, flock
from headway.world.agents import Agents
from headway.world.cells import in_cell_order

NEIGHBOURS = 12.7
"""Others within the largest radius, on average, as in a flock of OpenSteer."""
DT = 1.0 / 60.0
OPENSTEER = {10_000: (248e3, 6.0), 100_000: (105e3, 12.0)}
"""Agent-steps/s measured once, on another machine; how many times as many ours should be."""
YUKA, YUKA_AGENTS = 150.0, 10_000
GROWTH = 1.6
REORDER = 50
"""Steps between putting agents in the order of their cells."""


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure whole steps: neighbours, forces, motion, and now and then reordering.

    Yields
    ------
    Figure
        Agent-steps per second; their ratio to peers; how the cost of an agent grows.
    """
    rates = {}
    for count in (100, 1_000, 10_000, 100_000, 1_000_000):
        say(f"{count:,} boids")
        rates[count] = rate(count, steps=steps_for(count, quick))
        yield noted(f"flocking, {count:,} agents", rates[count] / 1e6, " M agent-steps/s")
    for count, (theirs, bound) in OPENSTEER.items():
        label = f"flocking, {count:,} agents, to OpenSteer on another machine"
        yield at_least(label, rates[count] / theirs, bound, " x")
    growth = rates[1_000] / rates[1_000_000]
    yield at_most("cost of an agent among 1,000,000 to one among 1,000", growth, GROWTH, " x")
    say(f"{YUKA_AGENTS:,} boids of Yuka")
    yield yuka_figure(3 if quick else 6)
    say("1,000 boids of Mesa")
    yield mesa_figure(rates[1_000])


def steps_for(count: int, quick: bool) -> int:
    """How many steps to measure: as many as take about a second, or a quarter of it."""
    return max(3_000_000 // count // (4 if quick else 1), 2)


def made(count: int) -> Agents:
    """Return boids in a ball, as many within reach of each as a flock has."""
    rng = np.random.default_rng(1)
    volume = 4.0 / 3.0 * math.pi * BOIDS.cohesion_radius**3 * count / NEIGHBOURS
    radius = (volume * 3.0 / (4.0 * math.pi)) ** (1.0 / 3.0)
    direction, heading = rng.normal(size=(2, count, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    position = direction * radius * rng.uniform(size=(count, 1)) ** (1.0 / 3.0)
    velocity = 3.0 * heading / np.linalg.norm(heading, axis=1, keepdims=True)
    return Agents.at(position, velocity, max_speed=9.0, max_force=27.0, dt=DT)


def rate(count: int, steps: int) -> float:
    """Agent-steps per second of CPU time, median of single steps; reordering is shared out."""
    agents = made(count)
    agents, order_seconds = _timed(_reordered, agents)
    seconds = []
    with collector_off():
        for step in range(steps + 1):
            agents, spent = _timed(_step, agents)
            if step:  # the first one compiles
                seconds.append(spent)
            if step % REORDER == REORDER - 1:
                agents, order_seconds = _timed(_reordered, agents)
    return count / (float(np.median(seconds)) + order_seconds / REORDER)


def _timed(change, agents: Agents) -> tuple[Agents, float]:
    began = clock()
    agents = change(agents)
    return agents, (clock() - began) * 1e-9


def _step(agents: Agents) -> Agents:
    force = flock(agents.position, agents.forward)
    position, velocity = step_points(
        agents.position, agents.velocity, force, mass=agents.mass, max_speed=agents.max_speed,
        max_force=agents.max_force, dt=agents.dt,
    )  # fmt: skip
    forward = turned(agents.forward, velocity)
    return agents.where(position=position, velocity=velocity, forward=forward)


def _reordered(agents: Agents) -> Agents:
    return agents.take(in_cell_order(agents.position, BOIDS.cohesion_radius))


def yuka_figure(steps: int) -> Figure:
    """Compare with Yuka, run by node; ours is measured right before and after it."""
    label = f"flocking, {YUKA_AGENTS:,} agents, to Yuka in node"
    folder, node = os.environ.get("HEADWAY_YUKA"), shutil.which("node")
    if node is None:
        return skipped(label, "node is not installed")
    if folder is None or not (Path(folder) / "build" / "yuka.module.js").is_file():
        return skipped(label, "set HEADWAY_YUKA to a folder with build/yuka.module.js (npm: yuka)")
    ours = [rate(YUKA_AGENTS, 30)]
    side = (YUKA_AGENTS / NEIGHBOURS * 4.0 / 3.0 * math.pi) ** (1.0 / 3.0) * BOIDS.cohesion_radius
    script = resources.files("headway.bench") / "yuka_flock.mjs"
    with resources.as_file(script) as file:
        command = [node, str(file), folder, str(YUKA_AGENTS), str(steps), str(side)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if run.returncode:
        return skipped(label, f"Yuka cannot be run ({run.stderr.strip().splitlines()[-1:]})")
    theirs = YUKA_AGENTS / float(np.median(json.loads(run.stdout)))
    ours.append(rate(YUKA_AGENTS, 30))
    return at_least(label, float(np.mean(ours)) / theirs, YUKA, " x", yuka=theirs)


def mesa_figure(ours: float) -> Figure:
    """Compare with the boids among the examples of Mesa, which are in the plane."""
    label = "flocking, 1,000 agents, to Mesa (in the plane, its own rule)"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            boids = import_module("mesa.examples.basic.boid_flockers.model").BoidFlockers
    except ImportError:
        return skipped(label, "mesa is not installed")
    width = round(math.sqrt(1_000 * math.pi * 10.0**2 / NEIGHBOURS))  # its boids see 10 m
    model = boids(population_size=1_000, width=width, height=width)
    model.step()
    seconds = []
    for _ in range(5):
        began = clock()
        model.step()
        seconds.append((clock() - began) * 1e-9)
    theirs = 1_000 / float(np.median(seconds))
    return noted(label, ours / theirs, " x", mesa=theirs)
