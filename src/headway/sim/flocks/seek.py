"""One target, two agents that start across the way to it: seek overshoots, arrive stops."""

from __future__ import annotations

import numpy as np

from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.sim.group_run import GroupRun, Scenario, Stage
from headway.steer.arrive import arrive
from headway.steer.force import force_for
from headway.steer.seek import seek as seek_to
from headway.world.agents import Agents

TARGET = np.array((2.0, 0.0))
RESPONSE = 0.1
"""s."""


def seek(seed: int = 0) -> Scenario:
    """An agent that seeks and one that arrives, moving across the way to their target at first.

    Parameters
    ----------
    seed : int
        Without effect: nothing here is random.

    Returns
    -------
    Scenario
    """
    agents = Agents.at(
        [(0.0, 0.0), (0.0, 0.0)], [(0.0, 0.5), (0.0, -0.5)], radius=0.06, mass=1.0, max_speed=0.5,
        max_force=1.0, team=(0, 1), seed=seed, dt=0.02,
    )  # fmt: skip
    stage = Stage(np.array((-0.4, -0.8)), np.array((3.0, 0.8)), places={"target": TARGET})
    return Scenario(
        "Seek and arrive", "Both start across the way to the target; only one stops at it.",
        agents, None, _step, 12.0, stage, teams=("seek", "arrive"), numbers=_numbers,
    )  # fmt: skip


def _step(agents: Agents, memory: None) -> tuple[Agents, None]:
    p, v, speed = agents.position, agents.velocity, agents.max_speed
    most = float(agents.max_force[1] / agents.mass[1])
    change = np.stack(
        (
            seek_to(p[0], v[0], TARGET, float(speed[0])),
            arrive(p[1], v[1], TARGET, float(speed[1]), most, agents.dt, response=RESPONSE),
        )
    )
    force = force_for(change, agents.mass, agents.max_force, RESPONSE)
    p, v = step_points(
        p, v, force, mass=agents.mass, max_speed=speed, max_force=agents.max_force, dt=agents.dt
    )
    return agents.where(position=p, velocity=v, forward=turned(agents.forward, v)), None


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    offset = run.position[:, :, 0] - TARGET[0]
    passes = (np.diff(np.sign(offset), axis=0) != 0).sum(axis=0)
    distance = np.linalg.norm(run.position[-1] - TARGET, axis=1)
    return {
        "times seek passed the target": int(passes[0]),
        "overshoot of seek, m": float(max(offset[:, 0].max(), 0.0)),
        "overshoot of arrive, m": float(max(offset[:, 1].max(), 0.0)),
        "distance of arrive from the target at the end, m": float(distance[1]),
    }
