"""Several surfaces as one: obstacles, meshes and height fields together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.geometry.options import able, whole
from headway.world.hits import AllHits, Hits, Nearest, Surface
from headway.world.meetings import FIELDS, Floats, Meetings, meet, soonest

PARTS = 1 << 32
"""Part p of surface s is part s · PARTS + p of the scene."""


class Scene:
    """The union of surfaces; a `headway.world.hits.Surface` itself.

    Parameters
    ----------
    *surfaces : Surface
        `Obstacles`, meshes, height fields, other scenes.

    Raises
    ------
    InputError
        If something else is among them.

    Examples
    --------
    >>> from headway.world.obstacles import Obstacles
    >>> near = Obstacles.of(spheres=([(3.0, 0.0)], [1.0]))
    >>> far = Obstacles.of(walls=[((9.0, -1.0), (9.0, 1.0))])
    >>> scene = Scene(near, far)
    >>> hits = scene.sweep(np.zeros((2, 2)), np.array([[1.0, 0.0], [9.0, 5.0]]), 0.0, 20.0)
    >>> hits.distance.tolist()
    [2.0, inf]
    >>> scene.locate(scene.sweep_all(np.zeros((1, 2)), np.array([[1.0, 0.0]]), 0.5, 20.0).part[1])
    (1, 0)
    """

    def __init__(self, *surfaces: Surface) -> None:
        for index, surface in enumerate(surfaces):
            able(
                f"surface {index} of the scene", surface,
                "obstacles, a mesh, a height field or a scene",
                "sweep", "sweep_all", "nearest", "overlaps",
            )  # fmt: skip
        self.surfaces = surfaces

    def locate(self, part: int) -> tuple[int, int]:
        """Which surface a part belongs to, and its number there; (−1, −1) for none."""
        surface, within = divmod(whole("part", part), PARTS)
        return (surface, within) if part >= 0 else (-1, -1)

    @property
    def moving(self) -> bool:
        """Whether anything in the scene moves."""
        return any(getattr(surface, "moving", False) for surface in self.surfaces)

    def sweep(
        self, start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
    ) -> Hits:
        """First contact of spheres that move straight ahead.

        Parameters
        ----------
        start : (N, 2|3) array_like
            m, world frame; of their centres.
        direction : (2|3,) or (N, 2|3) array_like
            Of any length; a zero direction asks for overlap only.
        radius, reach : float or (N,) array_like
            m, zero or more.

        Returns
        -------
        Hits
            Of several surfaces that overlap at the start, the deepest.
        """
        at, way = np.asarray(start, np.float64), np.asarray(direction, np.float64)
        best = _nothing(at)
        for index, surface in enumerate(self.surfaces):
            hits: Any = surface.sweep(at, way, radius, reach)  # type: ignore[arg-type]
            sooner = (hits.distance < best["distance"]) | (
                (hits.distance == best["distance"]) & (hits.depth > best["depth"])
            )
            _take(best, hits, sooner, index)
        return Hits(**best)

    def sweep_all(
        self, start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
    ) -> AllHits:
        """Contacts of spheres that move straight ahead with all parts on their way.

        Parameters
        ----------
        start : (N, 2|3) array_like
            m, world frame; of their centres.
        direction : (2|3,) or (N, 2|3) array_like
            Of any length; a zero direction asks for overlap only.
        radius, reach : float or (N,) array_like
            m, zero or more.

        Returns
        -------
        AllHits
        """
        at, way = np.asarray(start, np.float64), np.asarray(direction, np.float64)
        lots = [surface.sweep_all(at, way, radius, reach) for surface in self.surfaces]  # type: ignore[arg-type]
        sphere = [np.repeat(np.arange(len(at)), np.diff(lot.start)) for lot in lots]
        part = [_renumbered(lot.part, index) for index, lot in enumerate(lots)]
        row = np.concatenate([*sphere, np.zeros(0, np.int64)])
        distance = np.concatenate([*(lot.distance for lot in lots), np.zeros(0)])
        order = np.lexsort((distance, row))
        none = np.zeros((0, at.shape[1]))
        return AllHits(
            np.searchsorted(row[order], np.arange(len(at) + 1)),
            distance[order],
            np.concatenate([*(lot.point for lot in lots), none])[order],
            np.concatenate([*(lot.normal for lot in lots), none])[order],
            np.concatenate([*part, np.zeros(0, np.int64)])[order],
        )

    def nearest(self, points: ArrayLike, reach: ArrayLike = np.inf) -> Nearest:
        """The nearest point of all surfaces to each point.

        Parameters
        ----------
        points : (N, 2|3) array_like
            m, world frame.
        reach : float or (N,) array_like
            m, zero or more: how far away to look.

        Returns
        -------
        Nearest
        """
        at = np.asarray(points, np.float64)
        best = _nothing(at)
        del best["depth"]
        for index, surface in enumerate(self.surfaces):
            found: Any = surface.nearest(at, reach)  # type: ignore[arg-type]
            _take(best, found, found.distance < best["distance"], index)
        return Nearest(**best)

    def overlaps(self, lowest: ArrayLike, highest: ArrayLike) -> NDArray[np.bool_]:
        """Whether boxes along the axes touch any surface.

        Parameters
        ----------
        lowest, highest : (K, 2|3) array_like
            Two corners of each box, m, world frame.

        Returns
        -------
        (K,) ndarray of bool
        """
        low, high = np.asarray(lowest, np.float64), np.asarray(highest, np.float64)
        touched = np.zeros(len(low), np.bool_)
        for surface in self.surfaces:
            touched |= surface.overlaps(low, high)
        return touched

    def meet(
        self, start: Floats, velocity: Floats, radius: Floats, shortest: Floats, time: Floats,
        braking: Floats,
    ) -> Meetings:  # fmt: skip
        """First contacts of agents that keep their velocities with whatever moves or rests.

        Parameters
        ----------
        start, velocity : (N, d) ndarray
            m and m/s, world frame.
        radius, shortest : (1,) or (N,) ndarray
            m.
        time : (1,) or (N,) ndarray
            s.
        braking : (1,) or (N,) ndarray
            m/s², above zero.

        Returns
        -------
        Meetings
            As from `headway.world.meetings.meet`; only for a scene of one surface or more.
        """
        query = start, velocity, radius, shortest, time, braking
        first, lot = soonest([meet(surface, *query) for surface in self.surfaces])
        hits = first.hits
        part = np.where(hits.part >= 0, hits.part + lot * PARTS, -1)
        found = Hits(hits.distance, hits.point, hits.normal, part, hits.depth)
        return Meetings(found, first.velocity, first.reach)


def _nothing(points: Floats) -> dict[str, NDArray[Any]]:
    """What a surface answers that is nowhere."""
    count = len(points)
    return {
        "distance": np.full(count, np.inf), "point": np.zeros(points.shape),
        "normal": np.zeros(points.shape), "part": np.full(count, -1), "depth": np.zeros(count),
    }  # fmt: skip


def _renumbered(part: NDArray[np.int64], index: int) -> NDArray[np.int64]:
    return np.where(part >= 0, part + index * PARTS, -1)


def _take(best: dict[str, NDArray[Any]], found: Any, rows: NDArray, index: int) -> None:
    """Put the chosen rows of one surface's answer in place of those so far."""
    for name in FIELDS:
        if name in best:
            values = getattr(found, name)
            best[name][rows] = (_renumbered(values, index) if name == "part" else values)[rows]
