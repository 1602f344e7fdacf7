"""How exactly and how soon bodies arrive, against the least time there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.bench.headline import Figure, at_most, noted
from headway.bench.parts import Say
from headway.move.point_mass import step_points
from headway.steer.arrive import arrive
from headway.steer.classic_arrival import arrive_in, arrive_within
from headway.steer.force import force_for

Floats = NDArray[np.float64]

MAX_SPEEDS, ACCELERATIONS, DISTANCES = (1.0, 5.0, 20.0), (2.0, 5.0, 20.0), (30.0, 150.0)
"""m/s, m/s², m: bodies of all these kinds go all these ways, from rest to rest."""
STEPS = (1.0 / 60.0, 0.02, 0.1)
"""s"""
OVERSHOOT, LATE = 0.05, 1.02
"""m beyond the target, and times the least time: no more is allowed."""
THERE, AT_REST = 0.05, 0.01
"""m and m/s: nearer and slower than this a body has arrived."""
PATIENCE = 2.0
"""Least times of the slowest body, until those that still swing to and fro are given up."""


class Runs(NamedTuple):
    """What came of bodies that went to their targets: a row for each."""

    beyond: Floats
    """m, the farthest that it was beyond its target."""
    late: Floats
    """Time until it was there for good, in least times; until it was given up if it never was."""
    there: NDArray[np.bool_]
    """Whether it was."""


Law = Callable[[Floats, Floats, Floats, Floats, Floats, float], Floats]
"""From position, velocity, target, greatest speed and acceleration, and dt to a change."""

CLASSIC: dict[str, Law] = {
    "slowing down within 1 m": lambda p, v, goal, fastest, _, dt: arrive_within(
        p, v, goal, fastest, 1.0
    ),
    "slowing down within 5 m": lambda p, v, goal, fastest, _, dt: arrive_within(
        p, v, goal, fastest, 5.0
    ),
    "slowing down for 1 s": lambda p, v, goal, fastest, _, dt: arrive_in(p, v, goal, fastest, 1.0),
    "slowing down for 3 s": lambda p, v, goal, fastest, _, dt: arrive_in(p, v, goal, fastest, 3.0),
}


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Let point masses of many kinds arrive, by the law that needs no tuning and by the classics.

    Yields
    ------
    Figure
        How far the worst goes beyond its target; how much longer than the least time the slowest
        takes; both for each of the classic laws.
    """
    say("arrivals")
    found = {dt: runs(arrive, dt, 1.1) for dt in STEPS}
    beyond = {f"dt_{dt:.3g}": float(each.beyond.max()) for dt, each in found.items()}
    late = {f"dt_{dt:.3g}": float(each.late.max()) for dt, each in found.items()}
    count = len(STEPS) * len(bodies()[0])
    label = f"arrive, worst overshoot of {count} runs"
    yield at_most(label, max(beyond.values()), OVERSHOOT, " m", **beyond)
    label = f"arrive, slowest of {count} runs, to the least time"
    yield at_most(label, max(late.values()), LATE, " x", **late)
    for name, law in CLASSIC.items():
        say(f"arrivals, {name}")
        each = [runs(law, dt, PATIENCE) for dt in STEPS[-1 if quick else 0 :]]
        worst = max(float(one.beyond.max()) for one in each)
        there = np.concatenate([one.there for one in each])
        late = np.concatenate([one.late for one in each])
        values = {"there": int(there.sum()), "of": len(there), "mean_late": float(late.mean())}
        yield noted(f"{name}, worst overshoot", worst, " m", **values)


def bodies() -> tuple[Floats, Floats, Floats]:
    """Greatest speeds and accelerations and distances of all kinds of runs."""
    fastest, acceleration, distance = np.array(
        list(product(MAX_SPEEDS, ACCELERATIONS, DISTANCES))
    ).T
    return fastest, acceleration, distance


def least_time(fastest: Floats, acceleration: Floats, distance: Floats) -> Floats:
    """From rest to rest, s: full acceleration, coasting at the greatest speed, full braking."""
    top = np.minimum(fastest, np.sqrt(acceleration * distance))
    return distance / top + top / acceleration


def runs(law: Law, dt: float, patience: float) -> Runs:
    """Let bodies of all kinds go, by one law and in steps of dt."""
    fastest, acceleration, distance = bodies()
    best = least_time(fastest, acceleration, distance)
    count = len(distance)
    mass = np.ones(count)
    way = np.array((0.6, 0.8))
    goal = distance[:, np.newaxis] * way
    position, velocity = np.zeros((2, count, 2))
    beyond, since, on_the_way = np.zeros(count), np.zeros(count), np.ones(count, np.bool_)
    for step in range(math.ceil(patience * best.max() / dt)):
        change = law(position, velocity, goal, fastest, acceleration, dt)
        force = force_for(change, mass, acceleration, response=dt)
        position, velocity = step_points(
            position, velocity, force, mass=mass, max_speed=fastest, max_force=acceleration, dt=dt
        )
        beyond = np.maximum(beyond, position @ way - distance)
        off = np.linalg.norm(position - goal, axis=1) > THERE
        on_the_way = off | (np.linalg.norm(velocity, axis=1) > AT_REST)
        since[on_the_way] = (step + 1) * dt
    return Runs(beyond, (since + dt) / best, ~on_the_way)
