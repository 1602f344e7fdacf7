"""What one call of each behaviour costs: for one agent, and for each of a hundred thousand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headway.bench.headline import Figure, at_most
from headway.bench.measure import medians
from headway.bench.parts import Say
from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.steer.arrive import arrive
from headway.steer.bounds import contain_in_ball, contain_in_box
from headway.steer.classic_arrival import arrive_in, arrive_within
from headway.steer.cover import hide, shadow
from headway.steer.evade import evade
from headway.steer.facing import align, face, match_velocity
from headway.steer.flow import follow_flow
from headway.steer.force import force_for
from headway.steer.interpose import interpose
from headway.steer.leader import follow_leader
from headway.steer.offset_pursuit import offset_pursue
from headway.steer.orbit import orbit
from headway.steer.path_steering import follow_path, stay_on_path
from headway.steer.pathway import Pathway, path_progress
from headway.steer.pursuit import pursue
from headway.steer.seek import flee, seek
from headway.steer.wander import wander, wander_memory

MANY = 100_000
CALL, EACH = 2.0, 15.0
"""µs for one agent, ns for each of many: no call should take longer."""
DT = 0.02
WIDTH = 100.0
"""m, of the region where agents are: with a path around, a flow field and a few trees."""
LEGS, TREES, LATTICE = 16, 8, 32
Vectors = NDArray[np.float64]
Numbers = float | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Arguments:
    """What behaviours are asked with: one agent with plain numbers, or many with arrays.

    Of many agents each has targets, a mass, limits and memories of its own.
    """

    position: Vectors
    velocity: Vectors
    forward: Vectors
    target: Vectors
    target_velocity: Vectors
    other: Vectors
    other_velocity: Vectors
    speed: Numbers
    braking: Numbers
    mass: Numbers
    yaw: Numbers
    yaw_rate: Numbers
    drift: Vectors
    progress: Vectors
    path: Pathway
    field: Vectors
    trees: Vectors
    low: Vectors
    high: Vectors


Call = Callable[[Arguments], object]

BASIC: dict[str, Call] = {
    "seek": lambda a: seek(a.position, a.velocity, a.target, a.speed),
    "flee": lambda a: flee(a.position, a.velocity, a.target, a.speed),
    "arrive": lambda a: arrive(a.position, a.velocity, a.target, a.speed, a.braking, DT),
    "pursue": lambda a: pursue(a.position, a.velocity, a.target, a.target_velocity, a.speed),
    "evade": lambda a: evade(a.position, a.velocity, a.target, a.target_velocity, a.speed),
    "offset pursuit": lambda a: offset_pursue(
        a.position, a.velocity, a.target, a.target_velocity, a.forward, a.low, a.speed,
        a.braking, DT,
    ),
    "interpose": lambda a: interpose(
        a.position, a.velocity, a.target, a.target_velocity, a.other, a.other_velocity, a.speed,
        a.braking, DT,
    ),
    "match velocity": lambda a: match_velocity(a.velocity, a.target_velocity, a.speed),
    "force for a change": lambda a: force_for(a.velocity, a.mass, a.braking, 0.1),
}  # fmt: skip
"""Those that games are full of: these have to meet the targets."""

OTHERS: dict[str, Call] = {
    "arrive within a radius": lambda a: arrive_within(
        a.position, a.velocity, a.target, a.speed, 5.0
    ),
    "arrive in a time": lambda a: arrive_in(a.position, a.velocity, a.target, a.speed, 1.0),
    "shadow": lambda a: shadow(
        a.position, a.velocity, a.target, a.target_velocity, 2.0, a.speed, a.braking, DT
    ),
    "hide behind trees": lambda a: hide(
        a.position, a.velocity, a.target, a.target_velocity, a.trees, 2.0, a.speed, a.braking, DT
    ),
    "align": lambda a: align(a.yaw, a.yaw_rate, 1.0, 3.0, 9.0, DT),
    "face": lambda a: face(a.position, a.yaw, a.yaw_rate, a.target, 3.0, 9.0, DT),
    "orbit": lambda a: orbit(a.position, a.velocity, a.target, 5.0, a.speed, a.braking, DT),
    "wander": lambda a: wander(a.forward, a.velocity, a.drift, a.speed, dt=DT, tick=1),
    "follow a flow": lambda a: follow_flow(
        a.position, a.velocity, a.field, a.speed, cell=WIDTH / LATTICE, prediction_time=0.5
    ),
    "follow a path": lambda a: follow_path(
        a.position, a.velocity, a.path, a.speed, a.braking, DT, progress=a.progress
    ),
    "stay on a path": lambda a: stay_on_path(a.position, a.velocity, a.path, a.speed),
    "keep in a box": lambda a: contain_in_box(a.position, a.velocity, a.low, a.high, a.speed),
    "keep in a ball": lambda a: contain_in_ball(a.position, a.velocity, a.low, WIDTH, a.speed),
    "follow a leader": lambda a: follow_leader(
        a.position, a.velocity, a.high, a.low, a.speed, a.braking, DT
    ),
    "step of a point mass": lambda a: step_points(
        a.position, a.velocity, a.target_velocity, mass=a.mass, max_speed=a.speed,
        max_force=a.braking, dt=DT,
    ),
    "turn with the velocity": lambda a: turned(a.forward, a.velocity),
}  # fmt: skip


def arguments(count: int | None, d: int) -> Arguments:
    """Arguments for some agents, each with its own, or for one alone, in d dimensions."""
    rng = np.random.default_rng(1)
    shape = () if count is None else (count,)

    def vectors(low: float, high: float) -> Vectors:
        return rng.uniform(low, high, (*shape, d))

    def numbers(low: float, high: float) -> Numbers:
        return float(rng.uniform(low, high)) if count is None else rng.uniform(low, high, shape)

    forward, position = vectors(-1.0, 1.0), vectors(0.0, WIDTH)
    path = around(d)
    return Arguments(
        position=position, velocity=vectors(-3.0, 3.0),
        forward=forward / np.linalg.norm(forward, axis=-1, keepdims=True),
        target=vectors(0.0, WIDTH), target_velocity=vectors(-3.0, 3.0),
        other=vectors(0.0, WIDTH), other_velocity=vectors(-3.0, 3.0),
        speed=numbers(4.0, 6.0), braking=numbers(8.0, 12.0), mass=numbers(1.0, 2.0),
        yaw=numbers(-3.0, 3.0), yaw_rate=numbers(-1.0, 1.0), drift=wander_memory(forward),
        progress=path_progress(position, path), path=path,
        field=rng.normal(size=(LATTICE,) * d + (d,)), trees=rng.uniform(0.0, WIDTH, (TREES, d)),
        low=np.zeros(d), high=np.full(d, WIDTH),
    )  # fmt: skip


def around(d: int) -> Pathway:
    """A closed path around the middle of the region."""
    angle = np.linspace(0.0, 2.0 * np.pi, LEGS, endpoint=False)
    middle = np.full(LEGS, 0.5 * WIDTH)
    points = [middle + 0.4 * WIDTH * np.cos(angle), middle + 0.4 * WIDTH * np.sin(angle), middle]
    return Pathway.through(np.stack(points[:d], axis=1), closed=True)


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure every behaviour, in the plane and in space.

    Yields
    ------
    Figure
        The slowest of the basic behaviours, for one agent and for each of many; then the others,
        one by one.
    """
    say("single calls")
    calls = {**BASIC, **OTHERS}
    turns = 5 if quick else 15
    single = {name: 1e6 * s for name, s in costs(calls, None, turns, 2e-3).items()}
    say(f"calls for {MANY:,} agents")
    each = {name: 1e9 * s / MANY for name, s in costs(calls, MANY, turns, 0.0).items()}
    label = "slowest of the basic behaviours"
    yield slowest(f"one agent, {label}", single, CALL, " µs")
    yield slowest(f"an agent of {MANY:,}, {label}", each, EACH, " ns")
    for name in OTHERS:
        spaces = (f"{name}, 2D", f"{name}, 3D")
        call, agent = (max(found[space] for space in spaces) for found in (single, each))
        yield Figure(
            f"{name}: one agent; one of {MANY:,}",
            f"{call:.3g} µs; {agent:.3g} ns",
            values={space: {"call_us": single[space], "agent_ns": each[space]} for space in spaces},
        )


def slowest(label: str, found: Mapping[str, float], bound: float, unit: str) -> Figure:
    """Compare the slowest of the basic behaviours with a target, and say which it is."""
    basic = {name: cost for name, cost in found.items() if name.partition(", ")[0] in BASIC}
    worst = max(basic, key=basic.__getitem__)
    figure = at_most(label, basic[worst], bound, unit, **basic)
    return replace(figure, measured=f"{figure.measured} ({worst})")


def costs(
    calls: Mapping[str, Call], count: int | None, turns: int, at_least: float
) -> dict[str, float]:
    """Median CPU time of each call, s, by name and dimensions."""
    runs = {}
    for d in (2, 3):
        given = arguments(count, d)
        runs |= {f"{name}, {d}D": partial(call, given) for name, call in calls.items()}
    return medians(runs, turns, at_least)
