"""Predators and their prey: who sees whom decides what each does, by a state machine for each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from headway.decide import machine_run
from headway.decide.machine import Machine
from headway.decide.machine_states import State, Transition
from headway.geometry.noise import uniform
from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.perceive.sightings import Sightings, look
from headway.perceive.vision import sees
from headway.sim.group_run import Floats, GroupRun, Scenario, Stage
from headway.steer.avoid import avoid
from headway.steer.avoid_memory import AvoidMemory
from headway.steer.bounds import contain_in_box
from headway.steer.combine import Budget
from headway.steer.cover import hide
from headway.steer.evade import evade
from headway.steer.force import force_for
from headway.steer.groups import cohesion, separation
from headway.steer.pursuit import pursue
from headway.steer.wander import wander, wander_memory
from headway.world.agents import Agents
from headway.world.neighbour_lists import neighbours
from headway.world.obstacles import Obstacles

HUNTERS, PREY = 3, 40
LOW, HIGH = np.array((0.0, 0.0)), np.array((50.0, 31.0))
"""m; corners of the clearing."""
TREES = np.array(
    [(9.0, 7.0, 1.6), (12.0, 22.0, 2.0), (20.0, 14.0, 1.5), (25.0, 25.0, 1.7), (28.0, 6.0, 1.9),
     (33.0, 17.0, 1.6), (39.0, 9.0, 1.4), (42.0, 23.0, 2.0), (18.0, 4.0, 1.2), (5.0, 15.0, 1.3)]
)  # fmt: skip
"""m; x, y and radius."""
WOOD = Obstacles.of(spheres=(TREES[:, :2], TREES[:, 2]))
CATCH = 0.9
"""m, between centres."""
RESPONSE = 0.2
"""s."""
STREAM = 0x505245

HUNTER = Machine(
    ["patrol", "hunt", "rest"],
    [
        Transition("patrol", "hunt", when="sees"),
        Transition("hunt", "rest", when="caught"),
        Transition("hunt", "rest", after=7.0),
        Transition("hunt", "patrol", when="lost"),
        Transition("rest", "patrol", after=4.0),
    ],
)
GAME = Machine(
    ["graze", State("flee", min_dwell=1.0), "hide"],
    [
        Transition("graze", "flee", when="close"),
        Transition("hide", "flee", when="very_close"),
        Transition("flee", "hide", when="away"),
        Transition("flee", "graze", when="calm"),
        Transition("hide", "graze", when="calm", after=3.0),
    ],
)
HUNTER_ROWS, GAME_ROWS = slice(0, HUNTERS), slice(HUNTERS, None)
PATROL, HUNT, REST = range(3)
GRAZE, FLEE, HIDE = range(3)
PACE = np.array((0.45, 1.0, 0.0)), np.array((0.15, 1.0, 0.8))
"""Of the maximum speed, in each state of hunters and of prey."""


@dataclass(frozen=True)
class Minds:
    """What everybody keeps in mind; hunters come first."""

    hunters: machine_run.Memory
    prey: machine_run.Memory
    seen_prey: Sightings
    seen_hunters: Sightings
    strolling: Floats
    trees: AvoidMemory
    chases: int = 0
    catches: int = 0


def predators(seed: int = 0) -> Scenario:
    """Predators and prey in a clearing with trees.

    Parameters
    ----------
    seed : int
        Of where they start and how they stroll.

    Returns
    -------
    Scenario
    """
    place, yaw = _start(seed)
    hunts = np.arange(HUNTERS + PREY) < HUNTERS
    agents = Agents.at(
        place, forward=np.column_stack((np.cos(yaw), np.sin(yaw))),
        radius=np.where(hunts, 0.6, 0.4), max_speed=np.where(hunts, 7.0, 6.0),
        max_force=np.where(hunts, 12.0, 14.0), team=~hunts, seed=seed, dt=1.0 / 30.0,
    )  # fmt: skip
    minds = Minds(
        machine_run.begin(HUNTER, HUNTERS)[0], machine_run.begin(GAME, PREY)[0],
        Sightings.none(2), Sightings.none(2), wander_memory(agents.forward),
        AvoidMemory.start(len(agents)),
    )  # fmt: skip
    return Scenario(
        "Predators and prey", "Prey flee from what they see, and hide behind trees.", agents, minds,
        _step, 45.0, Stage(LOW - 1.0, HIGH + 1.0, circles=TREES), teams=("predator", "prey"),
        states=(
            *(f"predator: {name}" for name in HUNTER.names),
            *(f"prey: {name}" for name in GAME.names),
        ), state_of=_doing, numbers=_numbers,
    )  # fmt: skip


def _start(seed: int) -> tuple[Floats, Floats]:
    """Where everybody is at first, outside of trees, and where they look: m and rad."""
    places: list[Floats] = []
    draw = 0
    while len(places) < HUNTERS + PREY:
        draw += 1
        share = np.array([uniform(seed, STREAM, draw, axis) for axis in range(2)])
        side = (0.04, 0.14) if len(places) < HUNTERS else (0.3, 0.95)
        x = side[0] + (side[1] - side[0]) * share[0]
        place = LOW + (HIGH - LOW) * (x, 0.08 + 0.84 * share[1])
        clear = np.linalg.norm(TREES[:, :2] - place, axis=1) > TREES[:, 2] + 1.0
        if clear.all() and all(np.linalg.norm(place - other) > 1.2 for other in places):
            places.append(place)
    yaw = [2.0 * math.pi * uniform(seed, STREAM, i, 2) for i in range(len(places))]
    return np.array(places), np.array(yaw)


def _doing(minds: Minds) -> NDArray[np.int64]:
    return np.concatenate((minds.hunters.state, len(HUNTER.names) + minds.prey.state))


@dataclass(frozen=True)
class Known:
    """The nearest that each observer knows of.

    Parameters
    ----------
    distance : (N,) ndarray
        m; inf for those who know of nobody.
    place, velocity : (N, 2) ndarray
        m and m/s, as far as is known.
    """

    distance: Floats
    place: Floats
    velocity: Floats


def _nearest(
    memory: Sightings, observers: Floats, tick: int, dt: float, there: NDArray[np.bool_]
) -> Known:
    """Of whom each observer remembers and who is still there, the nearest."""
    distance = np.full(len(observers), np.inf)
    place, velocity = observers.copy(), np.zeros_like(observers)
    expected = memory.expected(tick, dt)
    away = np.linalg.norm(expected - observers[memory.observer], axis=1)
    rows = np.flatnonzero(there[memory.target])
    rows = rows[np.argsort(-away[rows], kind="stable")]  # the nearest is written last
    who = memory.observer[rows]
    distance[who], place[who], velocity[who] = away[rows], expected[rows], memory.velocity[rows]
    return Known(distance, place, velocity)


def _looked(agents: Agents, minds: Minds) -> Minds:
    """Everybody looks around."""
    p, v, forward = agents.position, agents.velocity, agents.forward
    alive, tick, dt = agents.alive[GAME_ROWS], agents.tick + 1, agents.dt
    seen = sees(
        p[HUNTER_ROWS], forward[HUNTER_ROWS], p[GAME_ROWS], fov=2.2, reach=16.0, blocked=WOOD
    )
    who, whom = np.nonzero(seen & alive)
    prey, _ = look(
        minds.seen_prey, who, whom, p[GAME_ROWS], v[GAME_ROWS], tick=tick, dt=dt, span=1.5
    )
    seen = sees(p[GAME_ROWS], forward[GAME_ROWS], p[HUNTER_ROWS], fov=5.2, reach=11.0, blocked=WOOD)
    who, whom = np.nonzero(seen)
    hunters, _ = look(
        minds.seen_hunters, who, whom, p[HUNTER_ROWS], v[HUNTER_ROWS], tick=tick, dt=dt, span=2.5
    )
    return replace(minds, seen_prey=prey, seen_hunters=hunters)


def _step(agents: Agents, minds: Minds) -> tuple[Agents, Minds]:
    p, alive, tick, dt = agents.position, agents.alive, agents.tick + 1, agents.dt
    minds = _looked(agents, minds)
    game = _nearest(minds.seen_prey, p[HUNTER_ROWS], tick, dt, alive[GAME_ROWS])
    threat = _nearest(minds.seen_hunters, p[GAME_ROWS], tick, dt, alive[HUNTER_ROWS])
    gap = np.linalg.norm(p[HUNTER_ROWS, None] - p[None, GAME_ROWS], axis=2)
    gap[:, ~alive[GAME_ROWS]] = np.inf
    caught = (minds.hunters.state == HUNT) & (gap.min(axis=1) < CATCH)
    victims = HUNTERS + np.unique(gap.argmin(axis=1)[caught])
    known, fear = game.distance < np.inf, threat.distance
    hunting, told = machine_run.step(
        HUNTER, minds.hunters, {"sees": known, "lost": ~known, "caught": caught}, dt
    )
    grazing, _ = machine_run.step(
        GAME, minds.prey,
        {"close": fear < 9.0, "very_close": fear < 5.0, "away": (fear > 7.0) & (fear < np.inf),
         "calm": fear == np.inf}, dt,
    )  # fmt: skip
    agents = agents.where(alive=alive & ~np.isin(np.arange(len(agents)), victims))
    minds = replace(minds, hunters=hunting, prey=grazing)
    wanted, strolling = _wanted(agents, minds, game, threat)
    agents, trees = _moved(agents, wanted, minds.trees)
    return agents, replace(
        minds, strolling=strolling, trees=trees, catches=minds.catches + len(victims),
        chases=minds.chases + int(told.entered("hunt").sum()),
    )  # fmt: skip


def _wanted(agents: Agents, minds: Minds, game: Known, threat: Known) -> tuple[Floats, Floats]:
    """The change of velocity that each wants for what it is doing, m/s; and how they stroll."""
    p, v, dt = agents.position, agents.velocity, agents.dt
    hunting, grazing = minds.hunters.state, minds.prey.state
    speed = agents.max_speed * np.concatenate((PACE[0][hunting], PACE[1][grazing]))
    change, strolling = wander(
        agents.forward, v, minds.strolling, speed, dt=dt, tick=agents.tick, seed=agents.seed
    )
    k = np.flatnonzero(hunting == HUNT)
    change[k] = pursue(p[k], v[k], game.place[k], game.velocity[k], speed[k])
    k = np.flatnonzero(grazing == FLEE)
    rows = HUNTERS + k
    change[rows] = evade(
        p[rows], v[rows], threat.place[k], threat.velocity[k], speed[rows], max_time=1.0
    )
    k = np.flatnonzero(grazing == HIDE)
    rows = HUNTERS + k
    hidden = hide(
        p[rows], v[rows], threat.place[k], threat.velocity[k], TREES[:, :2], TREES[:, 2],
        speed[rows], 9.0, dt, margin=1.0, response=RESPONSE,
    )  # fmt: skip
    unseen = (threat.distance[k] == np.inf)[:, None]
    change[rows] = np.where(unseen, -v[rows], hidden)
    near = neighbours(p, 5.0, alive=agents.alive)
    herd = np.concatenate((np.zeros(HUNTERS), np.where(grazing == GRAZE, 0.5, 0.0)))
    change += 1.5 * separation(p, near, seed=agents.seed) + herd[:, None] * cohesion(p, near)
    return change, strolling


def _moved(agents: Agents, wanted: Floats, trees: AvoidMemory) -> tuple[Agents, AvoidMemory]:
    """All agents a step later: first of all they avoid trees and stay in the clearing."""
    p, v = agents.position, agents.velocity
    way = avoid(
        p, v, WOOD, radius=agents.radius, margin=0.2, max_force=agents.max_force, time=0.6,
        shortest=1.0, braking=agents.max_force / agents.mass, memory=trees, dt=agents.dt,
        seed=agents.seed,
    )  # fmt: skip
    wanted = np.where(way.near[:, None], 0.0, wanted)
    home = contain_in_box(p, v, LOW + 1.0, HIGH - 1.0, agents.max_speed, prediction_time=0.7)
    force = Budget(
        {
            "avoid": lambda a: way.force,
            "contain": lambda a: force_for(home, a.mass, a.max_force, RESPONSE),
            "do": lambda a: force_for(wanted, a.mass, a.max_force, RESPONSE),
        }
    )
    p, v = step_points(
        p, v, force(agents), mass=agents.mass, max_speed=agents.max_speed,
        max_force=agents.max_force, dt=agents.dt,
    )  # fmt: skip
    here = agents.alive[:, None]
    p, v = np.where(here, p, agents.position), np.where(here, v, 0.0)
    return agents.where(position=p, velocity=v, forward=turned(agents.forward, v)), way.memory


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    alive = run.alive[:, HUNTERS:]
    flees = (run.state[:, HUNTERS:] == len(HUNTER.names) + FLEE) & alive
    since = np.zeros(PREY)
    longest = 0.0
    for k in range(1, len(run.time)):
        since = np.where(flees[k], since + run.time[k] - run.time[k - 1], 0.0)
        longest = max(longest, float(since.max()))
    caught = np.flatnonzero(~alive.all(axis=1))
    return {
        "prey caught": f"{run.memory.catches} of {PREY}",
        "chases": run.memory.chases,
        "first catch, s": float(run.time[caught[0]]) if len(caught) else "none",
        "longest flight, s": longest,
        "prey that never had to flee": int((~flees.any(axis=0) & alive[-1]).sum()),
    }
