"""Four crowds that cross among pillars, by ORCA: nobody touches anybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from headway.geometry.noise import uniform
from headway.move.heading import turned
from headway.sim.group_run import Floats, GroupRun, Scenario, Stage
from headway.steer.arrive import arrive
from headway.steer.orca import orca
from headway.steer.orca_walls import Walls
from headway.world.agents import Agents
from headway.world.obstacles import Obstacles

RANKS, FILES = 7, 7
"""Of each crowd."""
SPACING = 2.2
"""m, between neighbours at the start and at the goal."""
RADIUS, PACE = 0.3, 1.4
"""m and m/s."""
FAR = 16.0
"""m; from the middle to the middle of each crowd, at the start."""
THERE = 0.3
"""m; who is so near its goal has arrived."""
STREAM = 0x43524F
HEADINGS = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])


def _pillar(x: float, y: float, radius: float) -> Floats:
    """Corners of an eight-sided pillar, m; one to each side, so that no crowd meets a face."""
    turn = 2.0 * np.pi * np.arange(8) / 8.0
    return np.array((x, y)) + radius * np.column_stack((np.cos(turn), np.sin(turn)))


PILLARS = tuple(_pillar(x, y, 0.8) for x in (-3.0, 3.0) for y in (-3.0, 3.0))
WALLS, SOLID = Walls.of(PILLARS), Obstacles.of(polygons=PILLARS)


@dataclass(frozen=True)
class Plan:
    """Where everybody goes, when who got there, and how near a miss there was.

    Parameters
    ----------
    goal : (N, 2) ndarray
        m.
    arrival : (N,) ndarray
        s; inf before.
    overlap : float
        m, the deepest of two bodies so far; negative if there always was a gap.
    """

    goal: Floats
    arrival: Floats
    overlap: float


def crossing(seed: int = 0) -> Scenario:
    """Four crowds, each of which goes to the other side through the same middle.

    Parameters
    ----------
    seed : int
        Of where exactly each agent starts.

    Returns
    -------
    Scenario
    """
    rank, file = np.divmod(np.arange(RANKS * FILES), FILES)
    far = np.array((FAR, 0.0))
    block = SPACING * np.column_stack((rank - 0.5 * (RANKS - 1), file - 0.5 * (FILES - 1)))
    starts, goals = [], []
    for ahead in HEADINGS:
        axes = np.array((ahead, (-ahead[1], ahead[0])))
        starts.append((block - far) @ axes)
        goals.append((block + far) @ axes)
    start, count = np.concatenate(starts), len(HEADINGS) * RANKS * FILES
    chance = [[uniform(seed, STREAM, i, axis) for axis in range(2)] for i in range(count)]
    start += 0.5 * (np.array(chance) - 0.5)
    team = np.repeat(np.arange(len(HEADINGS)), RANKS * FILES)
    agents = Agents.at(
        start, forward=HEADINGS[team], radius=RADIUS, max_speed=1.2 * PACE, team=team, seed=seed,
        dt=0.1,
    )  # fmt: skip
    edge = np.array((FAR + 8.0, FAR + 8.0))
    return Scenario(
        "Crossing crowds", "Four crowds cross among pillars; nobody touches anybody.", agents,
        Plan(np.concatenate(goals), np.full(count, np.inf), -np.inf), _step, 50.0,
        Stage(-edge, edge, polygons=PILLARS), teams=("to the east", "north", "west", "south"),
        trail=np.inf, numbers=_numbers,
    )  # fmt: skip


def _step(agents: Agents, plan: Plan) -> tuple[Agents, Plan]:
    p, v, dt = agents.position, agents.velocity, agents.dt
    wanted = v + arrive(p, v, plan.goal, PACE, 2.0, dt)
    v = orca(
        p, v, wanted, agents.radius, agents.max_speed, dt=dt, horizon=1.5, wall_horizon=1.0,
        neighbour_distance=4.0, walls=WALLS, seed=agents.seed, tick=agents.tick,
    )  # fmt: skip
    p = p + dt * v
    near = KDTree(p).query(p, 2)[0][:, 1].min()
    there = np.linalg.norm(p - plan.goal, axis=1) < THERE
    arrival = np.where(there, np.minimum(plan.arrival, agents.time + dt), plan.arrival)
    return agents.where(position=p, velocity=v, forward=turned(agents.forward, v)), Plan(
        plan.goal, arrival, max(plan.overlap, 2.0 * RADIUS - float(near))
    )


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    plan, start = run.memory, run.scenario.agents.position
    straight = np.linalg.norm(plan.goal - start, axis=1) / PACE
    there = np.isfinite(plan.arrival)
    gap = SOLID.nearest(run.position.reshape(-1, 2)).distance.min() - RADIUS
    return {
        "arrived": f"{int(there.sum())} of {len(there)}",
        "deepest overlap of two bodies, m": max(plan.overlap, 0.0),
        "least gap between a body and a pillar, m": float(gap),
        "straight way at walking pace, mean, s": float(straight.mean()),
        "until arrival, mean, s": float(plan.arrival[there].mean()) if there.any() else "not yet",
        "until the last arrival, s": float(plan.arrival.max()) if there.all() else "not yet",
    }
