"""What each agent sees of its neighbours, summed up: which of them count, and where they are.

This is the part that separation, alignment and cohesion have in common.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.geometry.options import flag, instance, real, whole
from headway.geometry.rows import indices, numbers, positions, refuse, vectors
from headway.geometry.vectors import Vector, dot, length, minus, number, plus, store, times, vector
from headway.world.neighbour_lists import NeighbourLists
from headway.world.neighbour_search import ALL_AROUND, COINCIDENT, in_cone

APART = 0x464C4F
"""Stream of chance: which way agents in one spot part; that of `headway.steer.flock`."""
CLOSEST = math.sqrt(COINCIDENT)
"""m; separation grows no further than at this distance."""


@dataclass(frozen=True, slots=True)
class View:
    """Which of its listed neighbours an agent minds.

    Parameters
    ----------
    max_distance : float
        m; at most the radius of the lists, or infinite: all that are listed.
    cos_max_angle : float
        Cosine of the angle between forward and the way to a neighbour, above which it is minded:
        1 for none, −1 for all.
    always_within : float or (N,) ndarray
        m; who is nearer is minded whatever the angle. OpenSteer takes three times the own radius.
    """

    max_distance: float = math.inf
    cos_max_angle: float = -1.0
    always_within: ArrayLike = 0.0


ALL = View()
"""All neighbours that are listed."""


@kernel
def parting(seed: int, i: int, j: int) -> Vector:
    """Which way agent i leaves agent j, who is in the same spot; j goes the opposite way."""
    yaw = 2.0 * math.pi * uniform(seed, APART, min(i, j), max(i, j))
    sign = 1.0 if i < j else -1.0
    return sign * math.cos(yaw), sign * math.sin(yaw), 0.0


@kernel(
    direct=True,
    example=lambda: (
        np.zeros(3), np.zeros(3), 3, np.zeros(2, np.int64), np.zeros(0, np.int64), np.ones(1), 1.0,
        -2.0, True, np.zeros(1, np.int64), 0, np.empty(9), np.empty(1, np.int64),
    )
)  # fmt: skip
def _gather(
    position: NDArray, forward: NDArray, d: int, start: NDArray, index: NDArray, always: NDArray,
    max_distance: float, cosine: float, part: bool, ids: NDArray, seed: int, out: NDArray,
    counts: NDArray,
) -> int:  # fmt: skip
    """Look at the neighbours of each agent; returns the index of one that cannot be used, or -1.

    Out are three blocks of N rows: the sum of ways apart, the difference to the mean heading, and
    the way to the mean position.
    """
    n = len(counts)
    bad = -1
    for i in range(n):
        p, look, near = vector(position, i, d), vector(forward, i, d), number(always, i)
        apart = heading = centre = (0.0, 0.0, 0.0)
        count = 0
        for k in range(start[i], start[i + 1]):
            j = index[k]
            offset = minus(vector(position, j, d), p)
            squared = dot(offset, offset)
            within = squared <= max_distance * max_distance
            seen = within and in_cone(dot(offset, look), squared, cosine)
            if not (seen or squared < near * near):
                continue
            count += 1
            centre = plus(centre, offset)
            heading = plus(heading, minus(vector(forward, j, d), look))
            if squared >= COINCIDENT:
                apart = minus(apart, times(offset, 1.0 / squared))
            elif part:
                apart = plus(apart, times(parting(seed, int(ids[i]), int(ids[j])), 1.0 / CLOSEST))
        counts[i] = count
        share = 1.0 / max(count, 1)
        fine = store(out, i, d, apart)
        fine = store(out, n + i, d, times(heading, share)) and fine
        fine = store(out, 2 * n + i, d, times(centre, share)) and fine
        if not (fine and math.isfinite(length(p) + length(look)) and near >= 0.0):
            bad = i
    return bad


def members(
    position: ArrayLike, near: NeighbourLists, ids: NDArray[np.int64] | None
) -> tuple[NDArray[np.float64], tuple[int, ...], NDArray[np.int64]]:
    """Lay out the positions of agents that have lists of neighbours, and say who is who.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    near : NeighbourLists
        The neighbours of each.
    ids : (N,) ndarray of int64, optional
        Who is who; the index if left out.

    Returns
    -------
    position : (N*d,) ndarray
    shape : tuple of int
        (N, d).
    ids : (N,) ndarray of int64

    Raises
    ------
    InputError
        If shapes do not fit.
    """
    p, shape = positions("position", position)
    instance("near", near, NeighbourLists)
    n = len(near)
    if len(shape) != 2 or shape[0] != n:
        raise InputError(f"position has shape {shape}: give ({n}, 2) or ({n}, 3), a row per list.")
    return p, shape, np.arange(n) if ids is None else indices("ids", ids, (n,))


def look_around(
    position: ArrayLike,
    forward: ArrayLike | None,
    near: NeighbourLists,
    view: View,
    *,
    part: bool = False,
    ids: NDArray[np.int64] | None = None,
    seed: int = 0,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sum up what each agent sees of its neighbours.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    forward : (d,) or (N, d) ndarray, optional
        Unit vectors, world frame. Wanted if the view has a limit angle.
    near : NeighbourLists
        The neighbours of each.
    view : View
        Which of them count.
    part : bool
        Whether agents in one spot part, in opposite directions that chance gives them.
    ids : (N,) ndarray of int64, optional
        Who is who, for chance; the index if left out.
    seed : int
        Of chance.

    Returns
    -------
    sums : (3, N, d) ndarray
        The sum of (p − q)/|p − q|², 1/m; the mean of the neighbours' forward minus the own one; the
        way to the neighbours' mean position, m. World frame; zero without neighbours.
    counts : (N,) ndarray of int64
        How many neighbours count.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.
    """
    p, shape, who = members(position, near, ids)
    n, d = shape
    instance("view", view, View)
    reach = real("max_distance", view.max_distance)
    cosine = real("cos_max_angle", view.cos_max_angle)
    if not reach >= 0.0 or math.isnan(cosine):
        raise InputError(f"{view} is no view: give a distance of zero or more, and a cosine.")
    if forward is None:
        if cosine > -1.0:
            raise InputError("a view with a limit angle needs forward: give where agents look.")
        forward = np.zeros(d)
    look = vectors("forward", forward, shape)
    always = numbers("always_within", view.always_within, shape)
    if max(reach if reach < math.inf else 0.0, always.max(initial=0.0)) > near.radius:
        raise InputError(f"{view} reaches beyond the {near.radius} m of the neighbour lists.")
    part, seed = flag("part", part), whole("seed", seed)
    out, counts = np.empty((3, n, d)), np.empty(n, np.int64)
    cosine = cosine if cosine > -1.0 else ALL_AROUND
    bad = _gather(
        p, look, d, near.start, near.index, always, reach, cosine, part, who, seed,
        out.ravel(), counts,
    )  # fmt: skip
    if bad >= 0:
        refuse(position=position, forward=forward, always_within_=view.always_within)
    return out, counts
