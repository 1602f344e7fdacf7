"""A field of rabbits, which one state machine moves all together, and a fox."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.decide import machine_run
from headway.decide.machine import Machine
from headway.decide.machine_states import ANY, State, Transition
from headway.geometry.noise import uniform
from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.perceive.vision import sees
from headway.sim.group_run import Floats, GroupRun, Scenario, Stage
from headway.steer.arrive import arrive
from headway.steer.bounds import contain_in_box
from headway.steer.combine import Budget
from headway.steer.evade import evade
from headway.steer.force import force_for
from headway.steer.groups import separation
from headway.steer.pursuit import pursue
from headway.steer.wander import wander, wander_memory
from headway.world.agents import Agents
from headway.world.neighbour_lists import neighbours

RABBITS = 300
LOW, HIGH = np.array((0.0, 0.0)), np.array((80.0, 52.0))
"""m; corners of the field."""
BURROWS = np.array(
    [(14.0, 12.0), (38.0, 10.0), (64.0, 13.0), (17.0, 39.0), (42.0, 36.0), (66.0, 38.0)]
)
"""m."""
HOMES = BURROWS[np.arange(RABBITS) % len(BURROWS)]
GRAZING = 9.0
"""m around its burrow: there a rabbit grazes."""
CATCH = 0.8
"""m."""
RESPONSE = 0.2
"""s."""
STREAM = 0x524142

RABBIT = Machine(
    ["graze", "flee", State("return", min_dwell=0.5)],
    [
        Transition(ANY, "flee", when="fox_near", at_once=True),
        Transition("flee", "return", when="fox_far", after=1.5),
        Transition("graze", "return", when="strayed"),
        Transition("return", "graze", when="home"),
    ],
)
FOX = Machine(
    ["prowl", "chase", "rest"],
    [
        Transition("prowl", "chase", when="sees"),
        Transition("chase", "rest", when="caught"),
        Transition("chase", "rest", after=6.0),
        Transition("chase", "prowl", when="lost"),
        Transition("rest", "prowl", after=3.0),
    ],
)
GRAZE, FLEE, RETURN = range(3)
PROWL, CHASE, REST = range(3)
PACE = np.array((0.1, 1.0, 0.5)), np.array((0.4, 1.0, 0.0))
"""Of the maximum speed, in each state of rabbits and of the fox."""


@dataclass(frozen=True)
class Minds:
    """What the rabbits and the fox, who comes last, keep in mind."""

    rabbits: machine_run.Memory
    fox: machine_run.Memory
    strolling: Floats
    flights: int = 0
    chases: int = 0


def rabbits(seed: int = 0) -> Scenario:
    """Three hundred rabbits around six burrows, and a fox that comes from outside.

    Parameters
    ----------
    seed : int
        Of where the rabbits start and how all stroll.

    Returns
    -------
    Scenario
    """
    chance = np.array([[uniform(seed, STREAM + k, i, 0) for k in range(3)] for i in range(RABBITS)])
    away, bearing, yaw = GRAZING * np.sqrt(chance[:, 0]), *(2.0 * math.pi * chance[:, 1:].T)
    start = HOMES + away[:, None] * np.column_stack((np.cos(bearing), np.sin(bearing)))
    look = np.column_stack((np.cos(yaw), np.sin(yaw)))
    fox = np.arange(RABBITS + 1) == RABBITS
    agents = Agents.at(
        [*start, (1.5, 26.0)], forward=[*look, (1.0, 0.0)], radius=np.where(fox, 0.9, 0.25),
        max_speed=np.where(fox, 7.0, 6.0), max_force=np.where(fox, 9.0, 15.0), team=fox,
        seed=seed, dt=0.05,
    )  # fmt: skip
    minds = Minds(
        machine_run.begin(RABBIT, RABBITS)[0], machine_run.begin(FOX, 1)[0],
        wander_memory(agents.forward),
    )  # fmt: skip
    around = np.linspace(0.0, 2.0 * math.pi, 61)
    rim = GRAZING * np.column_stack((np.cos(around), np.sin(around)))
    stage = Stage(
        LOW - 1.0, HIGH + 1.0, lines=tuple(burrow + rim for burrow in BURROWS),
        places={f"burrow {k + 1}": burrow for k, burrow in enumerate(BURROWS)},
        lines_are="pasture of a burrow",
    )  # fmt: skip
    return Scenario(
        "Rabbits and a fox", "Rabbits graze, flee when the fox is near, and return home.", agents,
        minds, _step, 45.0, stage, teams=("rabbit", "fox"), states=(
            *(f"rabbit: {name}" for name in RABBIT.names), *(f"fox: {name}" for name in FOX.names),
        ), state_of=_doing, numbers=_numbers,
    )  # fmt: skip


def _doing(minds: Minds) -> NDArray[np.int64]:
    return np.concatenate((minds.rabbits.state, len(RABBIT.names) + minds.fox.state))


def _step(agents: Agents, minds: Minds) -> tuple[Agents, Minds]:
    p, alive, dt = agents.position, agents.alive, agents.dt
    here, fox = p[:RABBITS], p[RABBITS]
    fear = np.linalg.norm(here - fox, axis=1)
    away = np.linalg.norm(here - HOMES, axis=1)
    seen = sees(fox, agents.forward[RABBITS], here, fov=2.0, reach=14.0) & alive[:RABBITS]
    quarry = int(np.where(seen, fear, np.inf).argmin())
    caught = (minds.fox.state[0] == CHASE) & (fear < CATCH) & seen
    running, of_rabbits = machine_run.step(
        RABBIT, minds.rabbits,
        {"fox_near": (fear < 9.0) & alive[:RABBITS], "fox_far": fear > 15.0,
         "strayed": away > GRAZING, "home": away < 0.7 * GRAZING}, dt,
    )  # fmt: skip
    hunting, of_fox = machine_run.step(
        FOX, minds.fox, {"sees": seen.any(), "lost": not seen.any(), "caught": caught.any()}, dt
    )
    alive = alive.copy()
    alive[np.flatnonzero(caught)[:1]] = False
    agents = agents.where(alive=alive)
    wanted, strolling = _wanted(agents, minds, running.state, int(hunting.state[0]), quarry)
    return _moved(agents, wanted), Minds(
        running, hunting, strolling, minds.flights + int(of_rabbits.entered("flee").sum()),
        minds.chases + int(of_fox.entered("chase").sum()),
    )  # fmt: skip


def _wanted(
    agents: Agents, minds: Minds, running: NDArray[np.int64], hunting: int, quarry: int
) -> tuple[Floats, Floats]:
    """The change of velocity that each wants for what it is doing, m/s; and how they stroll."""
    p, v, dt = agents.position, agents.velocity, agents.dt
    speed = agents.max_speed * np.append(PACE[0][running], PACE[1][hunting])
    change, strolling = wander(
        agents.forward, v, minds.strolling, speed, dt=dt, tick=agents.tick, seed=agents.seed
    )
    rows = np.flatnonzero(running == FLEE)
    change[rows] = evade(p[rows], v[rows], p[RABBITS], v[RABBITS], speed[rows], max_time=1.0)
    rows = np.flatnonzero(running == RETURN)
    change[rows] = arrive(p[rows], v[rows], HOMES[rows], speed[rows], 10.0, dt, response=RESPONSE)
    if hunting == CHASE:
        change[RABBITS] = pursue(p[RABBITS], v[RABBITS], p[quarry], v[quarry], speed[RABBITS])
    apart = separation(p, neighbours(p, 1.2, alive=agents.alive), seed=agents.seed)
    apart[RABBITS] = 0.0
    return change + 0.15 * apart, strolling


def _moved(agents: Agents, wanted: Floats) -> Agents:
    """All a step later; before anything else they stay on the field."""
    p, v = agents.position, agents.velocity
    inside = contain_in_box(p, v, LOW, HIGH, agents.max_speed, prediction_time=0.6)
    force = Budget(
        {
            "contain": lambda a: force_for(inside, a.mass, a.max_force, RESPONSE),
            "do": lambda a: force_for(wanted, a.mass, a.max_force, RESPONSE),
        }
    )
    p, v = step_points(
        p, v, force(agents), mass=agents.mass, max_speed=agents.max_speed,
        max_force=agents.max_force, dt=agents.dt,
    )  # fmt: skip
    here = agents.alive[:, None]
    p, v = np.where(here, p, agents.position), np.where(here, v, 0.0)
    return agents.where(position=p, velocity=v, forward=turned(agents.forward, v))


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    alive, state = run.alive[:, :RABBITS], run.state[:, :RABBITS]
    away = np.linalg.norm(run.position[:, :RABBITS] - HOMES, axis=2)
    shares = {
        f"time that rabbits {name}, %": float(100.0 * (state == k)[alive].mean())
        for k, name in enumerate(RABBIT.names)
    }
    return {
        **shares,
        "flights": run.memory.flights,
        "distance from home, mean, m": float(away[alive].mean()),
        "chases by the fox": run.memory.chases,
        "rabbits caught": int((~alive[-1]).sum()),
    }
