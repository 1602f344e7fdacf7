"""Spacecraft fly to a station: they burn, turn about, brake, and dock by their thrusters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.decide.fly import fly_to
from headway.geometry.noise import uniform
from headway.move.rigid_body import POSITION, VELOCITY, body_state, nose_of
from headway.move.spacecraft import LEFT, MAIN, RETRO, UP, Spacecraft, step_spacecraft
from headway.sim.group_run import Floats, GroupRun, Scenario, Stage
from headway.steer.slots import circle
from headway.world.agents import Agents

COUNT = 6
RING = 14.0
"""m; distance of the ports from the middle of the station."""
PORTS = np.column_stack(
    (circle(COUNT, 2.0 * RING * math.sin(math.pi / COUNT)), 3.0 - 6.0 * (np.arange(COUNT) % 2))
)
"""m; around the station, above and below its middle in turn."""
CRAFT = Spacecraft(main_force=3000.0, retro_force=600.0, lateral_force=500.0)
CRUISE = 9.0
"""m/s; fastest approach."""
DOCKED = (0.1, 0.05)
"""m and m/s: nearer and slower than this a craft is docked."""
STREAM = 0x444F43
STATES = ("coast", "burn", "brake", "thrusters", "docked")
COAST, BURN, BRAKE, THRUSTERS, AT_PORT = range(5)


@dataclass(frozen=True)
class Flight:
    """Where the craft are in their flight.

    Parameters
    ----------
    body : (N, 13) ndarray
        As from `headway.move.rigid_body.body_state`.
    doing : (N,) ndarray of int64
        Places in `STATES`.
    impulse : (N,) ndarray
        N s, spent so far by all engines.
    """

    body: Floats
    doing: NDArray[np.int64]
    impulse: Floats


def docking(seed: int = 0) -> Scenario:
    """Six craft, each of which comes from far away on its side of the station.

    Parameters
    ----------
    seed : int
        Of where they come from, how fast and how turned.

    Returns
    -------
    Scenario
    """
    chance = np.array([[uniform(seed, STREAM + k, i, 0) for k in range(9)] for i in range(COUNT)])
    away = 44.0 + 16.0 * chance[:, 0]
    bearing = np.arctan2(PORTS[:, 1], PORTS[:, 0]) + 0.7 * (chance[:, 1] - 0.5)
    start = np.column_stack(
        (away * np.cos(bearing), away * np.sin(bearing), 40.0 * (chance[:, 2] - 0.5))
    )
    body = body_state(
        start, 6.0 * (chance[:, 3:6] - 0.5), yaw=2.0 * np.pi * chance[:, 6],
        rates=0.4 * (chance[:, 6:9] - 0.5),
    )  # fmt: skip
    agents = Agents.at(
        start, body[:, VELOCITY], forward=nose_of(body), radius=2.2, mass=CRAFT.mass,
        max_speed=CRUISE, max_force=CRAFT.main_force, seed=seed, dt=0.05,
    )  # fmt: skip
    turn = np.linspace(0.0, 2.0 * np.pi, 49)
    rim = np.column_stack((np.cos(turn), np.sin(turn)))
    spokes = tuple(np.array((port[:2], 0.6 * port[:2])) for port in PORTS)
    stage = Stage(
        np.array((-86.0, -68.0)), np.array((86.0, 68.0)), lines=(0.6 * RING * rim, *spokes),
        places={"station": np.zeros(2)}, lines_are="station and its ports",
    )  # fmt: skip
    return Scenario(
        "Docking", "Craft turn about to brake, for only their main engine is strong.", agents,
        Flight(body, np.zeros(COUNT, np.int64), np.zeros(COUNT)), _step, 17.0, stage,
        teams=("craft",), states=STATES, state_of=lambda flight: flight.doing, numbers=_numbers,
    )  # fmt: skip


def _step(agents: Agents, flight: Flight) -> tuple[Agents, Flight]:
    controls = fly_to(flight.body, PORTS, CRAFT, agents.dt, cruise_speed=CRUISE)
    body = step_spacecraft(flight.body, controls, CRAFT, agents.dt)
    p, v, nose = body[:, POSITION], body[:, VELOCITY], nose_of(body)
    thrust = (
        CRAFT.main_force * controls[:, MAIN] + CRAFT.retro_force * controls[:, RETRO]
        + CRAFT.lateral_force * (abs(controls[:, LEFT]) + abs(controls[:, UP]))
    )  # fmt: skip
    agents = agents.where(position=p, velocity=v, forward=nose)
    impulse = flight.impulse + thrust * agents.dt
    return agents, Flight(body, _doing(agents, controls, thrust), impulse)


def _doing(agents: Agents, controls: Floats, thrust: Floats) -> NDArray[np.int64]:
    """Which of `STATES` each craft is in."""
    away = np.linalg.norm(PORTS - agents.position, axis=1)
    speed = np.linalg.norm(agents.velocity, axis=1)
    burns = controls[:, MAIN] > 0.15
    ahead = (agents.forward * (PORTS - agents.position)).sum(axis=1) > 0.0
    docked = (away < DOCKED[0]) & (speed < DOCKED[1])
    return np.select(
        [docked, burns & ahead, burns, thrust > 1.0], [AT_PORT, BURN, BRAKE, THRUSTERS], COAST
    )


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    away = np.linalg.norm(run.position - PORTS, axis=2)
    speed = np.linalg.norm(run.velocity, axis=2)
    there = (away < DOCKED[0]) & (speed < DOCKED[1])
    last = [run.time[np.flatnonzero(~there[:, i])[-1]] for i in np.flatnonzero(there[-1])]
    return {
        "docked": f"{int(there[-1].sum())} of {COUNT}",
        "until the last is docked, s": float(max(last)) if there[-1].all() else "not yet",
        "farthest from its port at the end, m": float(away[-1].max()),
        "fastest at the end, m/s": float(speed[-1].max()),
        "fastest on the way, m/s": float(speed.max()),
        "change of velocity spent, mean, m/s": float(run.memory.impulse.mean() / CRAFT.mass),
    }
