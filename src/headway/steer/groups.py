"""Separation, alignment and cohesion: what an agent does because of its neighbours.

They take the lists of `headway.world.neighbour_lists`, made once for all of them. The results are
directions without a unit, to be given weights and added. For large flocks `headway.steer.flock`
does the three in one pass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import flag, instance
from headway.geometry.rows import read
from headway.geometry.vectors import TINY
from headway.steer.flock import BOIDS, FlockRule
from headway.steer.neighbour_sums import ALL, View, look_around
from headway.steer.seek import seek
from headway.world.neighbour_lists import NeighbourLists


def separation(
    position: ArrayLike,
    near: NeighbourLists,
    *,
    view: View = ALL,
    forward: ArrayLike | None = None,
    normalised: bool = False,
    part: bool = True,
    ids: NDArray[np.int64] | None = None,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Steer away from neighbours, the more the nearer they are.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    near : NeighbourLists
        The neighbours of each.
    view : View
        Which of them count.
    forward : (d,) or (N, d) ndarray, optional
        Unit vectors, world frame: where each agent looks. Wanted if the view has a limit angle.
    normalised : bool
        Whether the direction alone is given, as by OpenSteer.
    part : bool
        Whether agents nearer than a micrometre part, in opposite directions that chance gives
        them. Without, they do not mind each other, as with Yuka.
    ids : (N,) ndarray of int64, optional
        Who is who, for chance; the index if left out.
    seed : int
        Of chance.

    Returns
    -------
    (N, d) ndarray
        Sum of (p − q)/|p − q|² over the neighbours, 1/m, world frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> near = NeighbourLists(np.array([0, 1, 2]), np.array([1, 0]))
    >>> separation([(0.0, 0.0), (0.0, 2.0)], near).tolist()
    [[0.0, -0.5], [0.0, 0.5]]
    """
    apart = look_around(position, forward, near, view, part=part, ids=ids, seed=seed)[0][0]
    return _directions(apart) if flag("normalised", normalised) else apart


def alignment(
    forward: ArrayLike,
    near: NeighbourLists,
    *,
    view: View = ALL,
    position: ArrayLike | None = None,
    normalised: bool = False,
) -> NDArray[np.float64]:
    """Steer towards the mean heading of neighbours.

    Parameters
    ----------
    forward : (N, d) ndarray
        Unit vectors, world frame: where each agent looks; d = 2 or 3.
    near : NeighbourLists
        The neighbours of each.
    view : View
        Which of them count.
    position : (N, d) ndarray, optional
        m, world frame. Wanted if the view has limits.
    normalised : bool
        Whether the direction alone is given, as by OpenSteer.

    Returns
    -------
    (N, d) ndarray
        Mean of the neighbours' forward minus the own one; zero without neighbours.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> near = NeighbourLists(np.array([0, 1, 1]), np.array([1]))
    >>> alignment([(1.0, 0.0), (0.0, 1.0)], near).tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """
    if position is None:
        if view != ALL:
            raise InputError("a view with limits needs position: give where the agents are.")
        position = np.zeros(read("forward", forward).shape)
    heading = look_around(position, forward, near, view)[0][1]
    return _directions(heading) if flag("normalised", normalised) else heading


def cohesion(
    position: ArrayLike,
    near: NeighbourLists,
    *,
    view: View = ALL,
    forward: ArrayLike | None = None,
    velocity: ArrayLike | None = None,
    max_speed: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Steer towards the mean position of neighbours.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    near : NeighbourLists
        The neighbours of each.
    view : View
        Which of them count.
    forward : (d,) or (N, d) ndarray, optional
        Unit vectors, world frame: where each agent looks. Wanted if the view has a limit angle.
    velocity : (d,) or (N, d) ndarray, optional
        m/s, world frame. Given with ``max_speed``, the direction is that in which the velocity
        must change to seek the mean position, as with Yuka, instead of that of the position.
    max_speed : float or (N,) ndarray, optional
        m/s, zero or more.

    Returns
    -------
    (N, d) ndarray
        Unit vectors; zero without neighbours, or in the middle of them.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> near = NeighbourLists(np.array([0, 2, 2, 2]), np.array([1, 2]))
    >>> cohesion([(0.0, 0.0), (4.0, 1.0), (4.0, -1.0)], near).tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """
    (_, _, centre), counts = look_around(position, forward, near, view)
    if velocity is None or max_speed is None:
        return _directions(centre)
    p = read("position", position)
    steering = _directions(seek(p, velocity, p + centre, max_speed))
    return np.where(counts[:, None] > 0, steering, 0.0)


def flocking(
    position: ArrayLike,
    forward: ArrayLike,
    near: NeighbourLists,
    rule: FlockRule = BOIDS,
    *,
    ids: NDArray[np.int64] | None = None,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Steer by separation, alignment and cohesion together, as boids do.

    It does on lists what `headway.steer.flock.flock` does faster without.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame; d = 2 or 3.
    forward : (d,) or (N, d) ndarray
        Unit vectors, world frame.
    near : NeighbourLists
        The neighbours of each, within the largest radius of the rule.
    rule : FlockRule
        Whom an agent minds, and how much.
    ids : (N,) ndarray of int64, optional
        Who is who, for chance; the index if left out.
    seed : int
        Of chance, which decides only which way agents in one spot part.

    Returns
    -------
    (N, d) ndarray
        Force, N, world frame: the sum of the three directions times their weights.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Flocks, herds, and schools: a distributed behavioral model", SIGGRAPH 1987.

    Examples
    --------
    >>> near = NeighbourLists(np.array([0, 1, 2]), np.array([1, 0]))
    >>> flocking([(0.0, 0.0), (0.0, 1.0)], (1.0, 0.0), near).tolist()
    [[0.0, -4.0], [0.0, 4.0]]
    """
    instance("rule", rule, FlockRule)
    parts = (
        (rule.separation_radius, rule.separation_cosine, rule.separation_weight),
        (rule.alignment_radius, rule.alignment_cosine, rule.alignment_weight),
        (rule.cohesion_radius, rule.cohesion_cosine, rule.cohesion_weight),
    )
    force = np.zeros(read("position", position).shape)
    for which, (radius, cosine, weight) in enumerate(parts):
        view = View(radius, cosine, rule.always_within)
        ways = look_around(position, forward, near, view, part=True, ids=ids, seed=seed)[0][which]
        force += weight * _directions(ways)
    return force


def _directions(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vectors along rows; zero for those too short to have a direction."""
    size = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return rows * np.where(size > TINY, 1.0 / np.maximum(size, TINY), 0.0)
