"""A convoy behind a leader on a winding path: a column, then a wedge, then a ring around it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from headway.geometry.noise import uniform
from headway.move.heading import turned
from headway.move.point_mass import step_points
from headway.sim.group_run import Floats, GroupRun, Scenario, Stage
from headway.steer.force import force_for
from headway.steer.groups import separation
from headway.steer.offset_pursuit import offset_pursue
from headway.steer.path_steering import follow_path
from headway.steer.pathway import Pathway
from headway.steer.slot_assignment import assign
from headway.steer.slots import circle, column, in_world, wedge
from headway.world.agents import Agents
from headway.world.neighbour_lists import neighbours

FOLLOWERS = 8
SPACING = 2.6
"""m, between neighbours in each formation."""
BENDS = np.linspace(0.0, 112.0, 225)
ROUTE = np.column_stack((BENDS, 9.0 * np.sin(2.0 * np.pi * BENDS / 80.0)))
"""m; the leader's path."""
PATH = Pathway.through(ROUTE)
CHANGES = (38.0, 82.0)
"""m along the path, where the formation changes."""
FORM_UP = 5.0
"""s, after which a new formation should stand."""
COLUMN, WEDGE, RING = range(3)
STREAM = 0x434F4E


@dataclass(frozen=True)
class Order:
    """The formation, and how well it is kept.

    Parameters
    ----------
    progress : float
        m, of the leader along its path.
    formation : int
    held : (N,) ndarray of int64
        The slot of each follower.
    seconds : float
        s, since the last change of formation.
    error : (N,) ndarray
        m, from each follower to its slot.
    tally : (2, 2) ndarray
        Sum of the mean errors, m, and how many they are: of all steps; of those formed up.
    """

    progress: float
    formation: int
    held: NDArray[np.int64]
    seconds: float
    error: Floats
    tally: Floats


def convoy(seed: int = 0) -> Scenario:
    """A leader and eight followers, who start in disorder behind it.

    Parameters
    ----------
    seed : int
        Of where the followers start.

    Returns
    -------
    Scenario
    """
    chance = np.array([[uniform(seed, STREAM, i, k) for k in range(2)] for i in range(FOLLOWERS)])
    across = np.arange(FOLLOWERS) * 2.6 - 9.0  # a lane for each, so that nobody starts on another
    start = np.column_stack((-4.0 - 9.0 * chance[:, 0], across + chance[:, 1]))
    ahead = ROUTE[1] / np.linalg.norm(ROUTE[1])
    agents = Agents.at(
        [(0.0, 0.0), *start], forward=np.tile(ahead, (1 + FOLLOWERS, 1)), radius=0.5,
        max_speed=[4.0] + [7.5] * FOLLOWERS, max_force=10.0, team=[1] + [0] * FOLLOWERS,
        seed=seed, dt=1.0 / 30.0,
    )  # fmt: skip
    order = Order(
        0.0, COLUMN, _assigned(agents, COLUMN), 0.0, np.zeros(FOLLOWERS), np.zeros((2, 2))
    )
    stage = Stage(
        np.array((-15.0, -20.0)), np.array((121.0, 20.0)), lines=(ROUTE,),
        places={"goal": ROUTE[-1]}, lines_are="path of the leader",
    )  # fmt: skip
    return Scenario(
        "Convoy", "The followers change formation on the way.",
        agents, order, _step, 36.0, stage, teams=("follower", "leader"),
        states=("column", "wedge", "ring"), state_of=_formation, numbers=_numbers,
    )  # fmt: skip


def _formation(order: Order) -> NDArray[np.int64]:
    return np.array([-1] + [order.formation] * FOLLOWERS)


def _slots(formation: int) -> Floats:
    """(N, 2): slots as the leader sees them, m."""
    if formation == COLUMN:
        return column(FOLLOWERS + 1, SPACING)[1:]
    return wedge(FOLLOWERS + 1, SPACING)[1:] if formation == WEDGE else circle(FOLLOWERS, SPACING)


def _assigned(agents: Agents, formation: int) -> NDArray[np.int64]:
    """The slot of each follower in a new formation."""
    slots = in_world(_slots(formation), agents.position[0], agents.forward[0])
    return assign(agents.position[1:], slots, agents.max_speed[1:])


def _reference(order: Order) -> tuple[NDArray[np.int64], Floats]:
    """Whom each follower goes by, and its place as that one sees it.

    In a column that is whoever is next ahead, so that the column bends with the path.
    """
    if order.formation != COLUMN:
        return np.zeros(FOLLOWERS, np.int64), _slots(order.formation)[order.held]
    in_row = np.concatenate(([0], 1 + np.argsort(order.held)))
    return in_row[order.held], np.tile((-SPACING, 0.0), (FOLLOWERS, 1))


def _step(agents: Agents, order: Order) -> tuple[Agents, Order]:
    p, v, forward = agents.position, agents.velocity, agents.forward
    most = agents.max_force / agents.mass
    change = np.empty_like(p)
    change[0], progress = follow_path(
        p[0], v[0], PATH, agents.max_speed[0], most[0], agents.dt, progress=order.progress
    )
    leader, offset = _reference(order)
    change[1:] = offset_pursue(
        p[1:], v[1:], p[leader], v[leader], forward[leader], offset, agents.max_speed[1:],
        most[1:], agents.dt,
    )  # fmt: skip
    change[1:] += separation(p, neighbours(p, 1.8), seed=agents.seed)[1:]
    p, v = step_points(
        p, v, force_for(change, agents.mass, agents.max_force, agents.dt), mass=agents.mass,
        max_speed=agents.max_speed, max_force=agents.max_force, dt=agents.dt,
    )  # fmt: skip
    forward = turned(forward, v)
    return agents.where(position=p, velocity=v, forward=forward), _later(
        replace(order, progress=float(progress)), agents.where(position=p, forward=forward)
    )


def _later(order: Order, agents: Agents) -> Order:
    """Put down how well the formation is kept, and change it where the path says so."""
    p, forward = agents.position, agents.forward
    leader, offset = _reference(order)
    left = np.column_stack((-forward[leader, 1], forward[leader, 0]))
    slot = p[leader] + offset[:, :1] * forward[leader] + offset[:, 1:] * left
    error = np.linalg.norm(p[1:] - slot, axis=1)
    seconds = order.seconds + agents.dt
    tally = order.tally + np.array([(error.mean(), 1.0)]) * [[1.0], [seconds > FORM_UP]]
    formation = int(np.searchsorted(CHANGES, order.progress))
    if formation != order.formation:
        return Order(order.progress, formation, _assigned(agents, formation), 0.0, error, tally)
    return replace(order, seconds=seconds, error=error, tally=tally)


def _numbers(run: GroupRun) -> dict[str, float | int | str]:
    order = run.memory
    way = np.linspace(0.0, ROUTE[-1, 0], 20001)
    route = np.column_stack((way, np.interp(way, ROUTE[:, 0], ROUTE[:, 1])))
    off = KDTree(route).query(run.position[:, 0])[0]
    (whole, steps), (formed, later) = order.tally
    return {
        "way of the leader, m": order.progress,
        "leader's deviation from its path, greatest, m": float(off.max()),
        "distance from slots, mean, m": float(whole / max(steps, 1.0)),
        f"the same from {FORM_UP:g} s after each change, m": float(formed / max(later, 1.0)),
        "distance from slots at the end, greatest, m": float(order.error.max()),
    }
