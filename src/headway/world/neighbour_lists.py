"""Who is near whom: for each agent the list of its neighbours, in the plane or in space.

All lists stand one behind the other in one array (the layout of compressed sparse rows). Agents
are sorted into cells first, so that the time taken grows with the number of neighbours and not with
all pairs. For cars in the plane, where each pair is wanted once, see `headway.world.neighbours`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import above_zero, real, whole, zero_or_more
from headway.geometry.rows import positions as read_positions
from headway.geometry.rows import refuse, vectors
from headway.world.neighbour_search import ALL_AROUND, cells_for, find_lists


@dataclass(frozen=True, slots=True)
class NeighbourLists:
    """The neighbours of each of N agents.

    Parameters
    ----------
    start : (N + 1,) ndarray of int64
        The neighbours of agent i are ``index[start[i]:start[i + 1]]``.
    index : (K,) ndarray of int64
        Indices of agents.
    radius : float
        m: neighbours farther away are not in the lists.

    Raises
    ------
    InputError
        If the lists do not fit each other, or name an agent that is not there.

    Examples
    --------
    >>> lists = NeighbourLists(np.array([0, 2, 3, 3]), np.array([1, 2, 0]))
    >>> len(lists), lists.of(0).tolist(), lists.counts.tolist()
    (3, [1, 2], [2, 1, 0])
    """

    start: NDArray[np.int64]
    index: NDArray[np.int64]
    radius: float = math.inf

    def __post_init__(self) -> None:
        for name in ("start", "index"):
            try:
                array = np.asarray(getattr(self, name))
            except ValueError as error:
                raise InputError(f"{name} cannot be read as numbers ({error}).") from error
            if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
                raise InputError(f"{name} has shape {array.shape}: give a list of whole numbers.")
            object.__setattr__(self, name, np.ascontiguousarray(array, np.int64))
        reach = zero_or_more("radius", self.radius, "metres", infinite=True)
        object.__setattr__(self, "radius", reach)
        start, index = self.start, self.index
        if not len(start) or start[0] != 0 or start[-1] != len(index) or (np.diff(start) < 0).any():
            raise InputError("start must rise from 0 to the length of index.")
        if len(index) and not 0 <= index.min() <= index.max() < len(self):
            raise InputError(f"index names agents that are not there: give 0 to {len(self) - 1}.")

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many neighbours each agent has, (N,)."""
        return np.diff(self.start)

    def of(self, agent: int) -> NDArray[np.int64]:
        """The neighbours of one agent.

        Parameters
        ----------
        agent : int
            Its index, from 0.

        Raises
        ------
        InputError
            If there is no such agent.
        """
        agent = whole("agent", agent, 0, f"an index below {len(self)}")
        if agent >= len(self):
            raise InputError(f"agent is {agent}: give an index below {len(self)}.")
        return self.index[self.start[agent] : self.start[agent + 1]]


def neighbours(
    positions: ArrayLike,
    radius: float,
    *,
    most: int | None = None,
    alive: ArrayLike | None = None,
    forward: ArrayLike | None = None,
    least_cosine: float | None = None,
) -> NeighbourLists:
    """List for each agent the others within a radius.

    Parameters
    ----------
    positions : (N, d) ndarray
        m, world frame; d = 2 or 3.
    radius : float
        m, above zero. Who is exactly as far away is a neighbour; so is who is in the same spot.
    most : int, optional
        So many neighbours at most, the nearest; all if left out.
    alive : (N,) ndarray of bool, optional
        Who takes part: the others have no neighbours and are nobody's. All if left out.
    forward : (d,) or (N, d) ndarray, optional
        Unit vectors, world frame: where each agent looks. Wanted with ``least_cosine``.
    least_cosine : float, optional
        From −1 to 1: neighbours are only those in the view cone, which are seen at an angle from
        forward with a greater cosine, or are in the same spot. All around if left out.

    Returns
    -------
    NeighbourLists
        Sorted by index; with ``most``, nearest first and by index among those as near.

    Raises
    ------
    InputError
        If shapes do not fit, a number is not finite or out of range.

    Examples
    --------
    >>> near = neighbours([(0.0, 0.0), (3.0, 0.0), (0.0, 1.0), (0.5, 0.0)], 1.0)
    >>> [near.of(agent).tolist() for agent in range(4)]
    [[2, 3], [], [0], [0]]
    >>> neighbours([(0.0, 0.0), (0.0, 1.0), (0.5, 0.0)], 2.0, most=1).index.tolist()
    [2, 0, 0]
    """
    flat, shape = read_positions("positions", positions)
    if len(shape) != 2:
        raise InputError(f"positions has shape {shape}: give (N, 2) or (N, 3).")
    radius = above_zero("radius", radius, "metres")
    if radius * radius == math.inf:
        raise InputError(f"radius is {radius}, too large to compute with: give fewer metres.")
    if most is not None:
        most = whole("most", most, 1, "a whole number, 1 or more")
    look, cosine = _view(forward, least_cosine, shape)
    living = None if alive is None else _living(alive, shape[0])
    if living is not None:
        flat = flat.reshape(shape)[living].ravel()
        look = look.reshape(-1, shape[1])[living].ravel() if len(look) > shape[1] else look
    n = len(flat) // shape[1]
    low, table, start = np.empty(3), np.empty(6, np.int64), np.zeros(n + 1, np.int64)
    width = cells_for(flat, shape[1], radius, low, table)
    if width == 0.0:
        _refuse(flat, shape, living)
    index = find_lists(flat, shape[1], radius, width, low, table, most or 0, look, cosine, start)
    if living is not None:
        counts = np.zeros(shape[0] + 1, np.int64)
        counts[living + 1] = np.diff(start)
        start, index = np.cumsum(counts), living[index]
    return NeighbourLists(start, index, radius)


def _view(
    forward: ArrayLike | None, cosine: float | None, shape: tuple[int, ...]
) -> tuple[NDArray[np.float64], float]:
    """Read a view cone: where agents look, and the cosine of the limit."""
    if forward is None:
        if cosine is not None and real("least_cosine", cosine) > -1.0:
            raise InputError("least_cosine needs forward: give where the agents look.")
        return np.zeros(shape[1]), ALL_AROUND
    look = vectors("forward", forward, shape)
    if not np.isfinite(look).all():
        refuse(forward=forward)
    if cosine is None:
        return look, ALL_AROUND
    if not -1.0 <= real("least_cosine", cosine) <= 1.0:
        raise InputError(f"least_cosine is {cosine}: give a cosine, from -1 to 1.")
    return look, float(cosine) if cosine > -1.0 else ALL_AROUND


def _living(alive: ArrayLike, n: int) -> NDArray[np.int64]:
    mask = np.asarray(alive)
    if mask.shape != (n,) or (mask.dtype != np.bool_ and n):
        raise InputError(f"alive has shape {mask.shape}: give {n} of True or False, one per agent.")
    return np.flatnonzero(mask)


def _refuse(flat: NDArray, shape: tuple[int, ...], living: NDArray | None) -> None:
    """Name the agent whose position cannot be used, by its index among all."""
    everyone = np.zeros(shape)
    everyone[slice(None) if living is None else living] = flat.reshape(-1, shape[1])
    refuse(positions=everyone)
