"""Agents find their way past obstacles to a target, by either rule of sphere-cast avoidance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headway.geometry.noise import uniform
from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.sim.group_run import GroupRun, Scenario, Stage
from headway.steer.arrive import arrive
from headway.steer.avoid import Avoidance
from headway.steer.avoid import avoid as keep_off
from headway.steer.avoid_memory import AvoidMemory
from headway.steer.combine import Forces, Sum
from headway.steer.force import force_for
from headway.steer.slots import circle
from headway.world.agents import Agents
from headway.world.obstacles import Obstacles

TEAMS = (0, 0, 0, 0, 0, 0, 1, 1)
START = (-0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.06, 0.45)
"""m; y, about where each agent starts."""
TARGET = np.array((4.0, 0.0))
RADIUS, MARGIN = 0.02, 0.01
"""m; of the bodies, and what they keep off: together the radius of the sphere that is cast."""
DETECTION = 0.5
"""m; how far ahead it is cast."""
RESPONSE = 0.3
"""s."""
THERE = 0.01
"""m; who is so near its place has arrived."""
STREAM = 0x41564F
CIRCLES = np.array([(0.95, 0.0, 0.22), (1.75, 0.52, 0.2), (1.7, -0.45, 0.17), (3.15, -0.02, 0.2)])
BOX = np.array([(2.3, -0.16), (2.6, -0.16), (2.6, 0.16), (2.3, 0.16)])
HULL = np.array([(2.35, -0.72), (2.75, -0.62), (2.85, -0.4), (2.55, -0.38)])
WALL = np.array([(2.75, 0.32), (3.25, 0.6)])
OBSTACLES = Obstacles.of(
    spheres=(CIRCLES[:, :2], CIRCLES[:, 2]), polygons=[BOX, HULL], walls=[WALL]
)
PLACES = TARGET + circle(len(TEAMS), 3.0 * RADIUS)
"""m; where each agent is to come to rest: around the target, so that all have room."""


@dataclass(frozen=True)
class Seen:
    """What the agents of each rule keep in mind of obstacles."""

    lateral: AvoidMemory
    normal: AvoidMemory


def avoid(seed: int = 0) -> Scenario:
    """Agents that arrive at a target behind circles, a box, a hull and a wall.

    The agents do not mind each other.

    Parameters
    ----------
    seed : int
        Of where they start.

    Returns
    -------
    Scenario
    """
    jitter = [0.06 * uniform(seed, STREAM, i, 0) - 0.03 for i in range(len(TEAMS))]
    agents = Agents.at(
        np.column_stack((np.zeros(len(TEAMS)), np.add(START, jitter))), radius=RADIUS, mass=1.0,
        max_speed=0.5, max_force=1.0, team=TEAMS, seed=seed, dt=0.02,
    )  # fmt: skip
    stage = Stage(
        np.array((-0.2, -0.85)), np.array((4.4, 0.85)), circles=CIRCLES, polygons=(BOX, HULL, WALL),
        places={"target": TARGET},
    )  # fmt: skip
    memory = Seen(AvoidMemory.start(TEAMS.count(0)), AvoidMemory.start(TEAMS.count(1)))
    return Scenario(
        "Obstacle avoidance", "A sphere is cast ahead; what it meets pushes aside, or back.",
        agents, memory, _step, 14.0, stage, teams=("lateral rule", "normal rule"), numbers=_numbers,
    )  # fmt: skip


def _look(agents: Agents, memory: AvoidMemory, rule: str) -> Avoidance:
    """What some of the agents do about obstacles."""
    return keep_off(
        agents.position, agents.velocity, OBSTACLES, radius=RADIUS, margin=MARGIN,
        max_force=agents.max_force, reach=DETECTION, target=TARGET, memory=memory,
        rule="normal" if rule == "normal" else "lateral", dt=agents.dt, seed=agents.seed,
        agent=agents.id,
    )  # fmt: skip


def _attraction(agents: Agents) -> Forces:
    """The force that leads each agent to its place, as if nothing were in the way."""
    change = arrive(
        agents.position, agents.velocity, PLACES, agents.max_speed,
        agents.max_force / agents.mass, agents.dt, response=RESPONSE,
    )  # fmt: skip
    return force_for(change, agents.mass, agents.max_force, RESPONSE)


def _step(agents: Agents, memory: Seen) -> tuple[Agents, Seen]:
    lateral = _look(agents.take(agents.team == 0), memory.lateral, "lateral")
    normal = _look(agents.take(agents.team == 1), memory.normal, "normal")
    push = np.concatenate((lateral.force, normal.force))  # rows are sorted by team
    free = ~np.concatenate((lateral.near, normal.near))
    force = Sum({"avoid": lambda a: push, "arrive": lambda a: free[:, None] * _attraction(a)})
    p, v = step_points(
        agents.position, agents.velocity, force(agents), mass=agents.mass,
        max_speed=agents.max_speed, max_force=agents.max_force, dt=agents.dt,
    )  # fmt: skip
    agents = agents.where(position=p, velocity=v, forward=turned(agents.forward, v))
    return agents, Seen(lateral.memory, normal.memory)


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    away = np.linalg.norm(run.position - PLACES, axis=2) > THERE
    arrived, team = ~away[-1], run.scenario.agents.team
    last = [run.time[np.flatnonzero(away[:, i])[-1]] for i in np.flatnonzero(arrived)]
    gap = OBSTACLES.nearest(run.position.reshape(-1, 2)).distance.reshape(run.position.shape[:2])
    return {
        "arrived by the lateral rule": f"{arrived[team == 0].sum()} of {TEAMS.count(0)}",
        "arrived by the normal rule": f"{arrived[team == 1].sum()} of {TEAMS.count(1)}",
        "time until the last of them, s": float(max(last, default=0.0)),
        "least gap to an obstacle, lateral rule, m": float(gap[:, team == 0].min() - RADIUS),
        "least gap to an obstacle, normal rule, m": float(gap[:, team == 1].min() - RADIUS),
    }
