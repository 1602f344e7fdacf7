"""Collision avoidance between agents that all avoid each other (ORCA).

Each agent takes half of the trouble of avoiding each neighbour, and of the velocities that are
then free of collisions the one nearest to what it wants. Walls, agents that never give way,
layers and heights come in as lines in the same program.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.steer.orca_neighbours import COLUMNS, FARTHEST, KEPT, MOST, lay_out, sort_into_cells
from headway.steer.orca_program import WORK
from headway.steer.orca_step import step_all
from headway.steer.orca_walls import Walls

REACH_AT, COUNT_AT = 7, 8  # places among the arguments
CUTS = 4  # how often cells are made smaller where the crowd is dense


@dataclass(frozen=True, slots=True)
class OrcaStep:
    """What one step of ORCA found.

    Parameters
    ----------
    velocity : (N, 2) ndarray
        m/s, world frame: the new velocities.
    lines : (N,) ndarray of int
        How many half planes bounded each choice.
    stuck : (N,) ndarray of bool
        Who wants to move, at 0.05 of its greatest speed at least, and gets no nearer (``safe``
        mode). It happens for a moment in any crowd,
        and to those who walk along a wall to its end; after a few seconds at a stretch it is time
        to plan another path.
    """

    velocity: NDArray[np.float64]
    lines: NDArray[np.int64]
    stuck: NDArray[np.bool_]


def orca(
    position: ArrayLike, velocity: ArrayLike, preferred_velocity: ArrayLike, radius: ArrayLike,
    max_speed: ArrayLike, *, dt: float, **options: Any,
) -> NDArray[np.float64]:  # fmt: skip
    """Give all agents new velocities near the preferred ones, without collisions.

    Parameters
    ----------
    position, velocity, preferred_velocity : (N, 2) ndarray
        m and m/s, world frame.
    radius, max_speed : float or (N,) ndarray
        m and m/s, zero or more.
    dt : float
        s, until the next call; above zero.
    **options
        Everything else that `orca_step` takes.

    Returns
    -------
    (N, 2) ndarray
        m/s, world frame. Move by ``velocity * dt`` and call again.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance", ISRR 2009,
    Springer Tracts in Advanced Robotics 70, 2011.

    Examples
    --------
    Two who meet head-on both turn to the right:

    >>> ahead = np.array([(1.0, 0.0), (-1.0, 0.0)])
    >>> new = orca([(0.0, 0.0), (4.0, 0.0)], ahead, ahead, 0.5, 2.0, dt=0.1)
    >>> bool(new[0, 1] < 0.0 < new[1, 1])
    True
    """
    return orca_step(
        position, velocity, preferred_velocity, radius, max_speed, dt=dt, **options
    ).velocity


def orca_step(
    position: ArrayLike, velocity: ArrayLike, preferred_velocity: ArrayLike, radius: ArrayLike,
    max_speed: ArrayLike, *, dt: float, horizon: ArrayLike = 5.0, wall_horizon: ArrayLike = 5.0,
    neighbour_distance: ArrayLike = 15.0, most_neighbours: ArrayLike = 10,
    walls: Walls | Iterable[ArrayLike] | None = None, mode: Literal["safe", "rvo2"] = "safe",
    responsibility: ArrayLike = 0.5, static: ArrayLike = False, layers: ArrayLike | None = None,
    elevation: ArrayLike | None = None, ids: ArrayLike | None = None, seed: int = 0,
    tick: int = 0,
) -> OrcaStep:  # fmt: skip
    """Like `orca`, and say who is stuck.

    In mode ``safe``, agents that do not overlap never come to, whatever they want, as long as each
    sees those it could touch within a step; who is hindered keeps right, who meets a wall squarely
    goes around it if it can pass an end within ``wall_horizon``, and who overlaps or is in a wall
    leaves at a bearable speed. Mode ``rvo2`` gives the velocities of the RVO2 library, with
    its faults: agents can block each other for ever, and overlap in a throng.

    Who wants less than a tenth of its greatest speed settles: it makes way, but looks for none and
    hurries no more than others press it. So does, up to nearly half, who wants the same place as
    another; an agent near its goal should want a velocity of about the way there in a second.

    With ``ids``, what an agent gets does not depend on the order of agents, but for rounding where
    two are exactly as far from a third: then the one in the lower cell of the search grid counts as
    nearer, and within a cell the one with the lower index.

    Parameters
    ----------
    position, velocity, preferred_velocity : (N, 2) ndarray
        m and m/s, world frame.
    radius, max_speed : float or (N,) ndarray
        m and m/s, zero or more.
    dt : float
        s, until the next call; above zero.
    horizon, wall_horizon : float or (N,) ndarray
        s: how long in advance agents and walls are avoided; above zero.
    neighbour_distance : float or (N,) ndarray
        m, between centres: farther agents are not seen.
    most_neighbours : int or (N,) ndarray of int
        So many of the nearest are avoided; at most 64.
    walls : Walls or iterable of (M, 2) ndarray, optional
        Polygons, counter-clockwise, m. Prepare those that stay with `Walls.of`, once. The nearest
        64 edges count.
    mode : {"safe", "rvo2"}
    responsibility : float or (N,) ndarray
        How much of avoiding is an agent's share, against that of the other. Who has zero moves as
        it prefers, but for walls, and others make way: give a moving obstacle so, as one agent or
        as several that cover it.
    static : bool or (N,) ndarray of bool
        Who stays where it is.
    layers : int or (N,) ndarray of int, optional
        Bit masks: agents without a bit in common do not see each other.
    elevation : (N, 2) ndarray, optional
        m, lowest and highest point: agents above each other do not see each other.
    ids : (N,) ndarray of int64, optional
        Who is who, for chance, all different; the index if left out.
    seed, tick : int
        For what is left to chance in ``safe`` mode; count ``tick`` up by one each step.

    Returns
    -------
    OrcaStep

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance", ISRR 2009,
    Springer Tracts in Advanced Robotics 70, 2011; RVO2 library.

    Examples
    --------
    >>> facing = [[(1.0, -9.0), (2.0, -9.0), (2.0, 9.0), (1.0, 9.0)]]
    >>> step = orca_step([(0.5, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], 0.5, 1.0, dt=0.1, walls=facing)
    >>> step.velocity.tolist(), step.stuck.tolist()
    ([[0.0, 0.0]], [True])
    """
    given = {
        "position": position, "velocity": velocity, "preferred_velocity": preferred_velocity,
        "radius_": radius, "max_speed_": max_speed, "horizon_": horizon,
        "wall_horizon_": wall_horizon, "neighbour_distance_": neighbour_distance,
        "most_neighbours_": most_neighbours, "responsibility_": responsibility,
    }  # fmt: skip
    columns, n = _columns(given)
    if mode not in ("safe", "rvo2"):
        raise InputError(f"mode is {mode!r}: give 'safe' or 'rvo2'.")
    if not 0.0 < dt < np.inf:
        raise InputError(f"dt is {dt}: give seconds, above zero.")
    still = _each("static", static, n, np.bool_)
    bits = _each("layers", -1 if layers is None else layers, n, np.int64)
    low, high = _heights(elevation, n)
    names = _names(ids, n)
    ready = walls if isinstance(walls, Walls) else Walls.of(() if walls is None else walls)
    start, order, width, guess = _sort(columns[0], columns[REACH_AT], columns[COUNT_AT])
    block, rows = np.empty((n, COLUMNS)), np.empty(n, np.int64)
    xs, ys = np.empty(n), np.empty(n)
    if lay_out(order, width, low, high, still, block, xs, ys, rows, *columns) >= 0:
        _refuse(given)
    out, lines, stuck = np.empty((n, 2)), np.empty(n, np.int64), np.zeros(n, np.bool_)
    keys, ranked, who = np.empty((3, 2 * KEPT), np.int64)
    step_all(
        block, bits[order], xs, ys, rows, start, order, names[order],
        layers is not None or elevation is not None, width, guess,
        ready.edges, ready.links, ready.root, np.empty(2 * len(ready.edges) + 2, np.int64),
        mode == "safe", float(dt), int(seed), int(tick), keys, ranked, who, np.zeros(WORK),
        out, lines, stuck,
    )  # fmt: skip
    out[still], stuck[still] = 0.0, False
    if not np.isfinite(out).all():
        refuse(**given)
    return OrcaStep(out, lines, stuck)


def _columns(given: dict[str, ArrayLike]) -> tuple[list[NDArray[np.float64]], int]:
    """Lay out the numbers of agents flat; returns them in order, and how many agents there are."""
    flat, shape = positions("position", given["position"])
    if len(shape) != 2 or shape[1] != 2:
        raise InputError(f"position has shape {shape}: give (N, 2).")
    columns = [flat]
    for name, value in list(given.items())[1:]:
        read = vectors if name.endswith("velocity") else numbers
        columns.append(read(name.rstrip("_"), value, shape))
    return columns, shape[0]


def _refuse(given: dict[str, ArrayLike]) -> NoReturn:
    """Say which argument is of no use."""
    count = np.asarray(given["most_neighbours_"], np.float64)
    if ((count > MOST) | (count % 1.0 > 0.0)).any():
        raise InputError(f"most_neighbours must be whole numbers from 0 to {MOST}.")
    for name in ("horizon_", "wall_horizon_"):
        if not (np.asarray(given[name], np.float64) > 0.0).all():
            raise InputError(f"{name[:-1]} must be above zero, in seconds.")
    refuse(**given)


def _each(name: str, value: ArrayLike, n: int, dtype: Any) -> Any:
    try:
        return np.array(np.broadcast_to(np.asarray(value, dtype), (n,)))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} cannot be read ({error}): give one value, or ({n},).") from error


def _names(ids: ArrayLike | None, n: int) -> NDArray[np.int64]:
    """Who is who."""
    if ids is None:
        return np.arange(n)
    if np.shape(ids) != (n,):
        raise InputError(f"ids has shape {np.shape(ids)}: give ({n},), one for each agent.")
    return _each("ids", ids, n, np.int64)


def _heights(elevation: ArrayLike | None, n: int) -> tuple[NDArray, NDArray]:
    """Lowest and highest points of agents."""
    if elevation is None:
        return np.array((-np.inf,)), np.array((np.inf,))
    heights = np.array(elevation, np.float64)
    if heights.shape != (n, 2) or not (heights[:, 0] <= heights[:, 1]).all():
        raise InputError(f"elevation must be ({n}, 2), the lowest and the highest point of each.")
    return heights[:, 0].copy(), heights[:, 1].copy()


def _sort(
    position: NDArray, reach: NDArray, count: NDArray
) -> tuple[NDArray, NDArray, float, float]:
    """Sort agents into cells about as wide as the nearest few are far.

    Returns where cells start, the order of agents, the width, and how far (squared) the nearest
    few are thought to be.
    """
    n = len(position) // 2
    cells, order = np.empty(n, np.int64), np.empty(n, np.int64)
    start = np.empty(max(16, 1 << (2 * n).bit_length()) + 1, np.int64)
    width = float(reach.max(initial=0.0)) or 1.0
    few = float(count.mean()) + 1.0 if n else 1.0
    far = max(float(position.max(initial=0.0)), -float(position.min(initial=0.0)))
    guess = math.inf
    for _ in range(CUTS):
        if far > FARTHEST * width:
            raise InputError(f"position must be within {FARTHEST * width:g} m of the origin.")
        sharing = sort_into_cells(position, width, cells, start, order)
        near = width * math.sqrt(few / (math.pi * max(sharing - 1.0, 1e-9)))
        guess = 1.7 * near * near
        if 1.5 * near >= width:
            return start, order, width, guess
        width = 1.2 * near
    sort_into_cells(position, width, cells, start, order)
    return start, order, width, guess
