"""Flocking of many agents at once: separation, alignment and cohesion in one pass.

The rule is that of the Boids of OpenSteer: each of the three looks at who is near enough and far
enough in front, becomes a direction, and the directions are added with weights. What takes time is
finding neighbours; so agents are sorted by cell, and for all agents of a row of cells the
candidates are laid out side by side once. `headway.steer.groups` does the same with lists of
neighbours.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.options import instance, real, whole, wrong
from headway.geometry.rows import positions, refuse, vectors
from headway.geometry.vectors import Vector, dot, minus, plus, store, times, unit, vector
from headway.steer.neighbour_sums import CLOSEST, parting
from headway.world.cells import candidates_of_row, cell_table, places_for_candidates, sort_by_cell
from headway.world.neighbour_search import ALL_AROUND, COINCIDENT


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
            wanted = "a finite number"
            wanted += "" if name.endswith("cosine") else ", zero or more"
            value = real(name, getattr(self, name), wanted)
            if not math.isfinite(value) or (value < 0.0 and not name.endswith("cosine")):
                wrong(name, value, wanted)
            if not name.endswith("weight") and value * value == math.inf:
                raise InputError(f"{name} is {value}, too large to compute with: give less.")
            object.__setattr__(self, name, value)


BOIDS = FlockRule()
"""The numbers of the Boids of OpenSteer."""


@kernel(forceinline=True)
def _minded(d2: float, cosine: float, radius: float, least: float, always: float) -> float:
    """1 if another is minded, else 0; all are squared, and cosines keep their sign.

    Without roots and without branches, which cannot be foreseen and would cost more.
    """
    return 1.0 if (d2 < always) | ((d2 <= radius) & (cosine > least)) else 0.0


@kernel(forceinline=True)
def _gather(
    count: int, place: NDArray, sorted_rows: NDArray, near_x: NDArray, near_y: NDArray,
    near_z: NDArray,
) -> None:  # fmt: skip
    """Lay out the positions of candidates side by side."""
    for k in range(count):
        to = np.uint64(k)
        at = np.uint64(6) * np.uint64(place[to])
        near_x[to] = sorted_rows[at]
        near_y[to] = sorted_rows[at + np.uint64(1)]
        near_z[to] = sorted_rows[at + np.uint64(2)]


@kernel(forceinline=True)
def _select(
    p: Vector, first: int, end: int, near_x: NDArray, near_y: NDArray, near_z: NDArray,
    reach2: float, distance2: NDArray, chosen: NDArray,
) -> int:  # fmt: skip
    """Choose the candidates within reach; returns how many there are.

    Two loops without a branch: the first works on several candidates at a time.
    """
    for j in range(first, end):
        at = np.uint64(j)
        dx, dy, dz = near_x[at] - p[0], near_y[at] - p[1], near_z[at] - p[2]
        distance2[at] = dx * dx + dy * dy + dz * dz
    taken = 0
    for j in range(first, end):
        chosen[np.uint64(taken)] = j
        taken += 1 if distance2[np.uint64(j)] <= reach2 else 0
    return taken


@kernel(forceinline=True)
def _steer(
    me: int, taken: int, sorted_rows: NDArray, order: NDArray, place: NDArray, chosen: NDArray,
    distance2: NDArray, rule: NDArray, seed: int,
) -> Vector:  # fmt: skip
    """Add up what one agent minds, and weigh it."""
    p, forward = vector(sorted_rows, 2 * me, 3), vector(sorted_rows, 2 * me + 1, 3)
    apart = heading = centre = (0.0, 0.0, 0.0)
    headed = 0.0
    for q in range(taken):
        k = np.uint64(chosen[np.uint64(q)])
        j = place[k]
        if j == me:
            continue
        offset, d2 = minus(vector(sorted_rows, 2 * j, 3), p), distance2[k]
        ahead, nearness = dot(forward, offset), 1.0 / max(d2, COINCIDENT)
        cosine = ahead * abs(ahead) * nearness
        push = _minded(d2, cosine, rule[0], rule[1], rule[9])
        turn = _minded(d2, cosine, rule[3], rule[4], rule[9])
        pull = _minded(d2, cosine, rule[6], rule[7], rule[9])
        apart = minus(apart, times(offset, push * nearness))
        heading = plus(heading, times(vector(sorted_rows, 2 * j + 1, 3), turn))
        centre = plus(centre, times(offset, pull))
        headed += turn
        if d2 < COINCIDENT:
            away = parting(seed, order[np.uint64(me)], order[np.uint64(j)])
            apart = plus(apart, times(away, 1.0 / CLOSEST))
    force = times(unit(apart), rule[2])
    force = plus(force, times(unit(minus(heading, times(forward, headed))), rule[5]))
    return plus(force, times(unit(centre), rule[8]))


@kernel(
    example=lambda: (np.zeros(9), np.ones(9), 3, _squares(BOIDS), 0, np.empty(9)),
)
def _flock(
    position: NDArray, forward: NDArray, d: int, rule: NDArray, seed: int, out: NDArray
) -> int:
    n = len(out) // d
    low, table = np.empty(3), np.empty(6, np.int64)
    reach2 = max(rule[0], rule[3], rule[6], rule[9])
    bad = -1
    if reach2 == 0.0:
        for i in range(n):  # zero, but for what is not finite
            both = times(vector(position, i, d), 0.0), times(vector(forward, i, d), 0.0)
            if not store(out, i, d, plus(plus(both[0], both[1]), (0.0, 0.0, 0.0))):
                bad = i
        return bad
    width = math.sqrt(reach2)
    if not cell_table(position, d, width, low, table):
        return 0
    columns, rows, layers = table[0], table[1], table[2]
    start, order = np.empty(columns * rows * layers + 1, np.int64), np.empty(n, np.int64)
    sort_by_cell(position, d, width, low, table, start, order)
    sorted_rows = np.empty(6 * n)
    for k in range(n):
        i = order[np.uint64(k)]
        store(sorted_rows, 2 * k, 3, vector(position, i, d))
        store(sorted_rows, 2 * k + 1, 3, vector(forward, i, d))
    near_x, near_y, near_z = np.empty(2 * n), np.empty(2 * n), np.empty(2 * n)
    distance2, chosen = np.empty(2 * n), np.empty(2 * n + 1, np.int64)
    column = np.empty(columns + 3, np.int64)
    place = places_for_candidates(n)
    for row in range(rows * layers):
        begin = row * columns
        if start[np.uint64(begin)] == start[np.uint64(begin + columns)]:
            continue
        candidates_of_row(row % rows, row // rows, table, start, column, place)
        _gather(int(column[columns + 2]), place, sorted_rows, near_x, near_y, near_z)
        for x in range(columns):
            first, end = column[np.uint64(x)], column[np.uint64(x + 3)]
            for me in range(start[np.uint64(begin + x)], start[np.uint64(begin + x + 1)]):
                p = vector(sorted_rows, 2 * me, 3)
                taken = _select(p, first, end, near_x, near_y, near_z, reach2, distance2, chosen)
                force = _steer(me, taken, sorted_rows, order, place, chosen, distance2, rule, seed)
                if not store(out, order[np.uint64(me)], d, force):
                    bad = order[np.uint64(me)]
    return bad


def _squares(rule: FlockRule) -> NDArray[np.float64]:
    """The rule as a kernel takes it: lengths and cosines squared, their signs kept."""
    values = np.array(astuple(rule))
    weights = [2, 5, 8]
    squares = np.where(values <= -1.0, ALL_AROUND, values * np.abs(values))
    squares[weights] = values[weights]
    return squares


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
    look = vectors("forward", forward, shape)
    instance("rule", rule, FlockRule)
    seed = whole("seed", seed)
    if _flock(p, look, shape[-1], _squares(rule), seed, out.ravel()) >= 0:
        refuse(position=position, forward=forward)
    return out
