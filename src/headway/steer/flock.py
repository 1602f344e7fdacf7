"""Flocking of many agents at once: separation, alignment and cohesion in one pass.

The rule is that of the Boids of OpenSteer: each of the three looks at who is near enough and far
enough in front, becomes a direction, and the directions are added with weights. What takes time is
finding neighbours; so agents are sorted by cell, and for all agents of a cell the candidates are
laid out side by side once. `headway.steer.groups` does the same with lists of neighbours.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.geometry.rows import positions, refuse, vectors
from headway.geometry.vectors import TINY, Vector, dot, minus, plus, store, times, unit, vector
from headway.world.cells import cell_table, runs_around, sort_by_cell

APART = 0x464C4F
"""Stream of chance: which way agents in one place part."""


@dataclass(frozen=True, slots=True)
class FlockRule:
    """Whom an agent of a flock minds, and how much.

    Parameters
    ----------
    separation_radius, alignment_radius, cohesion_radius : float
        m, how far it minds others.
    separation_cosine, alignment_cosine, cohesion_cosine : float
        Cosine of the angle between its forward and the way to another, above which it minds that
        one: 1 looks at none, −1 at all.
    separation_weight, alignment_weight, cohesion_weight : float
        N, of each of the three.
    always_within : float
        m; whoever is nearer is minded whatever the angle.
    """

    separation_radius: float = 5.0
    separation_cosine: float = -0.707
    separation_weight: float = 12.0
    alignment_radius: float = 7.5
    alignment_cosine: float = 0.7
    alignment_weight: float = 8.0
    cohesion_radius: float = 9.0
    cohesion_cosine: float = -0.15
    cohesion_weight: float = 8.0
    always_within: float = 1.5

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if not math.isfinite(value) or (value < 0.0 and not name.endswith("cosine")):
                raise InputError(f"{name} is {value}: give a finite number, zero or more.")


BOIDS = FlockRule()
"""The numbers of the Boids of OpenSteer."""


@kernel(forceinline=True)
def minded(distance: float, ahead: float, radius: float, cosine: float, always: float) -> float:
    """1 if another at a distance, of which so much is ahead, is minded; else 0."""
    return 1.0 if distance < always or (distance <= radius and ahead > cosine * distance) else 0.0


@kernel
def _part(seed: int, i: int, j: int) -> Vector:
    """Which way agent i leaves agent j that is in the same place; j goes the opposite way."""
    low, high = min(i, j), max(i, j)
    yaw = 2.0 * math.pi * uniform(seed, APART, low, high)
    sign = 1.0 if i < j else -1.0
    return sign * math.cos(yaw), sign * math.sin(yaw), 0.0


@kernel(forceinline=True)
def _gather(
    x: int, y: int, z: int, table: NDArray, start: NDArray, sorted_rows: NDArray, first: NDArray,
    end: NDArray, near_x: NDArray, near_y: NDArray, near_z: NDArray, row: NDArray,
) -> int:  # fmt: skip
    """Lay out the positions of all agents in the cells around one; returns how many there are."""
    count = 0
    for run in range(runs_around(x, y, z, table, start, first, end)):
        for j in range(first[np.uint64(run)], end[np.uint64(run)]):
            at, to = np.uint64(6 * j), np.uint64(count)
            near_x[to] = sorted_rows[at]
            near_y[to] = sorted_rows[at + np.uint64(1)]
            near_z[to] = sorted_rows[at + np.uint64(2)]
            row[to] = j
            count += 1
    return count


@kernel(forceinline=True)
def _select(
    p: Vector, count: int, near_x: NDArray, near_y: NDArray, near_z: NDArray, reach: float,
    distance2: NDArray, chosen: NDArray,
) -> int:  # fmt: skip
    """Choose the candidates within reach; returns how many there are.

    Two loops without a branch: the first works on several candidates at a time.
    """
    for j in range(count):
        at = np.uint64(j)
        dx, dy, dz = near_x[at] - p[0], near_y[at] - p[1], near_z[at] - p[2]
        distance2[at] = dx * dx + dy * dy + dz * dz
    taken = 0
    for j in range(count):
        chosen[np.uint64(taken)] = j
        taken += 1 if distance2[np.uint64(j)] <= reach * reach else 0
    return taken


@kernel(forceinline=True)
def _steer(
    me: int, taken: int, sorted_rows: NDArray, order: NDArray, row: NDArray, chosen: NDArray,
    distance2: NDArray, rule: NDArray, seed: int,
) -> Vector:  # fmt: skip
    """Add up what one agent minds, and weigh it."""
    p, forward = vector(sorted_rows, 2 * me, 3), vector(sorted_rows, 2 * me + 1, 3)
    apart = heading = centre = (0.0, 0.0, 0.0)
    headed = 0.0
    for q in range(taken):
        k = np.uint64(chosen[np.uint64(q)])
        j = row[k]
        offset = minus(vector(sorted_rows, 2 * j, 3), p)
        d2 = distance2[k]
        distance, ahead = math.sqrt(d2), dot(forward, offset)
        other = 1.0 if j != me else 0.0
        push = other * minded(distance, ahead, rule[0], rule[1], rule[9])
        turn = other * minded(distance, ahead, rule[3], rule[4], rule[9])
        pull = other * minded(distance, ahead, rule[6], rule[7], rule[9])
        if d2 < TINY and j != me:
            i, other_i = order[np.uint64(me)], order[np.uint64(j)]
            apart = plus(apart, times(_part(seed, i, other_i), 1.0 / TINY))
        else:
            apart = minus(apart, times(offset, push / max(d2, TINY)))
        heading = plus(heading, times(vector(sorted_rows, 2 * j + 1, 3), turn))
        centre = plus(centre, times(offset, pull))
        headed += turn
    force = times(unit(apart), rule[2])
    force = plus(force, times(unit(minus(heading, times(forward, headed))), rule[5]))
    return plus(force, times(unit(centre), rule[8]))


@kernel(
    example=lambda: (np.zeros(9), np.ones(9), 3, np.array(astuple(BOIDS)), 0, np.empty(9)),
)
def _flock(
    position: NDArray, forward: NDArray, d: int, rule: NDArray, seed: int, out: NDArray
) -> int:
    n = len(out) // d
    low, table = np.empty(3), np.empty(6, np.int64)
    reach = max(rule[0], rule[3], rule[6], rule[9])
    if reach == 0.0:
        out[:] = 0.0
        return -1
    if not cell_table(position, d, reach, low, table):
        return 0
    columns, rows, layers = table[0], table[1], table[2]
    start, order = np.empty(columns * rows * layers + 1, np.int64), np.empty(n, np.int64)
    sort_by_cell(position, d, reach, low, table, start, order)
    sorted_rows = np.empty(6 * n)
    for k in range(n):
        i = order[np.uint64(k)]
        store(sorted_rows, 2 * k, 3, vector(position, i, d))
        store(sorted_rows, 2 * k + 1, 3, vector(forward, i, d))
    near_x, near_y, near_z, distance2 = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    row, chosen = np.empty(n, np.int64), np.empty(n + 1, np.int64)
    first, end = np.empty(27, np.int64), np.empty(27, np.int64)
    bad = -1
    for cell in range(columns * rows * layers):
        here, after = start[np.uint64(cell)], start[np.uint64(cell + 1)]
        if here == after:
            continue
        count = _gather(
            cell % columns, cell // columns % rows, cell // (columns * rows), table, start,
            sorted_rows, first, end, near_x, near_y, near_z, row,
        )  # fmt: skip
        for me in range(here, after):
            p = vector(sorted_rows, 2 * me, 3)
            taken = _select(p, count, near_x, near_y, near_z, reach, distance2, chosen)
            force = _steer(me, taken, sorted_rows, order, row, chosen, distance2, rule, seed)
            if not store(out, order[np.uint64(me)], d, force):
                bad = order[np.uint64(me)]
    return bad


def flock(
    position: ArrayLike, forward: ArrayLike, rule: FlockRule = BOIDS, *, seed: int = 0
) -> NDArray[np.float64]:
    """Steer each agent of a flock by separation, alignment and cohesion.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    forward : (N, d) ndarray
        Unit vectors, world frame.
    rule : FlockRule
        Whom an agent minds, and how much.
    seed : int
        Of chance, which decides only which way agents in one and the same place part.

    Returns
    -------
    (N, d) ndarray
        Force, N, world frame: at most the sum of the weights.

    Raises
    ------
    InputError
        If shapes do not fit, numbers are not finite, or agents are more than 2⁵² radii apart.

    References
    ----------
    Reynolds, "Flocks, herds, and schools: a distributed behavioral model", SIGGRAPH 1987; the
    numbers are those of the Boids of OpenSteer.

    Examples
    --------
    Two that fly side by side, too near to each other:

    >>> flock([(0.0, 0.0), (0.0, 1.0)], [(1.0, 0.0), (1.0, 0.0)]).tolist()
    [[0.0, -4.0], [0.0, 4.0]]
    """
    p, shape = positions("position", position)
    if len(shape) != 2:
        raise InputError(f"position has shape {shape}: a flock takes (N, 2) or (N, 3).")
    out = np.empty(shape)
    parameters = np.array(astuple(rule))
    look = vectors("forward", forward, shape)
    if _flock(p, look, shape[-1], parameters, int(seed), out.ravel()) >= 0:
        refuse(position=position, forward=forward)
    return out
