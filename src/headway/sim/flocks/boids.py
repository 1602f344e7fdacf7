"""A flock in space, by the rule and the numbers of the Boids of OpenSteer."""

from __future__ import annotations

import numpy as np
from scipy.spatial import KDTree

from headway.geometry.noise import uniform
from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.sim.group_run import GroupRun, Scenario, Stage
from headway.steer.combine import Forces, Sum
from headway.steer.flock import flock
from headway.world.agents import Agents

COUNT = 400
HOME = 30.0
"""m; radius of the ball in which the flock stays."""
STREAM = 0x424F49


def boids(seed: int = 0, count: int = COUNT) -> Scenario:
    """A flock that starts in disorder and stays within a ball.

    Parameters
    ----------
    seed : int
        Of where the boids start.
    count : int
        How many there are.

    Returns
    -------
    Scenario
    """
    draws = np.array([[uniform(seed, STREAM + k, i, 0) for k in range(6)] for i in range(count)])
    draws = 2.0 * draws.reshape(count, 6) - 1.0
    agents = Agents.at(
        0.55 * HOME * draws[:, :3], 3.0 * draws[:, 3:], radius=0.5, max_speed=9.0, max_force=27.0,
        seed=seed, dt=1.0 / 60.0,
    )  # fmt: skip
    around = np.linspace(0.0, 2.0 * np.pi, 121)
    rim = HOME * np.column_stack((np.cos(around), np.sin(around)))
    edge = np.array((HOME, HOME)) + 4.0
    return Scenario(
        "Boids", "A flock forms out of disorder, seen from above.", agents, None, _step, 20.0,
        Stage(-edge, edge, lines=(rim,), lines_are=f"ball of {HOME:g} m, the flock's home"),
        teams=("boid",), numbers=_numbers,
    )  # fmt: skip


def _turn_home(agents: Agents) -> Forces:
    """The harder towards the centre, the farther outside the ball."""
    distance = np.linalg.norm(agents.position, axis=1, keepdims=True)
    outside = np.clip((distance - HOME) / 5.0, 0.0, 1.0)
    return -agents.position / np.maximum(distance, 1.0) * outside * agents.max_force[:, None]


WANTED = Sum(
    {
        "flock": lambda agents: flock(agents.position, agents.forward, seed=agents.seed),
        "home": _turn_home,
    }
)


def _step(agents: Agents, memory: None) -> tuple[Agents, None]:
    position, velocity = step_points(
        agents.position, agents.velocity, WANTED(agents), mass=agents.mass,
        max_speed=agents.max_speed, max_force=agents.max_force, dt=agents.dt,
    )  # fmt: skip
    forward = turned(agents.forward, velocity)
    return agents.where(position=position, velocity=velocity, forward=forward), None


def _agreement(run: GroupRun, sample: int) -> float:
    """Mean cosine of the angle between the headings of each and of its nearest neighbour."""
    _, near = KDTree(run.position[sample]).query(run.position[sample], 2)
    nearest = np.asarray(near)[:, 1]
    return float((run.forward[sample] * run.forward[sample][nearest]).sum(axis=1).mean())


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    gap = KDTree(run.position[-1]).query(run.position[-1], 2)[0][:, 1]
    distance = np.linalg.norm(run.position, axis=2)
    return {
        "boids": run.position.shape[1],
        "flies the way of the nearest, at the start (-1 to 1)": _agreement(run, 0),
        "flies the way of the nearest, at the end (-1 to 1)": _agreement(run, -1),
        "distance to the nearest, median, m": float(np.median(gap)),
        f"farthest from the centre (beyond {HOME:g} m they turn back), m": float(distance.max()),
    }
