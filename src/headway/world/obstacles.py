"""Obstacles of simple shapes: spheres, boxes, capsules, hulls, polygons, walls and half spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.box_tree import box_tree
from headway.geometry.options import real, wrong
from headway.geometry.rows import finite_rows, raised, read
from headway.world.hits import AllHits, Hits, Nearest
from headway.world.meetings import Meetings
from headway.world.obstacle_arguments import read_bodies
from headway.world.obstacle_meetings import meet_bodies
from headway.world.obstacle_nearest import nearest_bodies
from headway.world.obstacle_overlap import overlap_bodies
from headway.world.obstacle_queries import sweep_all_bodies, sweep_bodies
from headway.world.obstacle_shapes import Bodies, Floats
from headway.world.surface_rows import (
    empty_hits,
    empty_nearest,
    read_casts,
    read_points,
    refuse_casts,
    refuse_points,
)


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """Convex obstacles, to be asked what is in the way; a `headway.world.hits.Surface`.

    Make them with `Obstacles.of`. All kinds are bodies of one representation, found through a tree
    of boxes, so that what a query costs grows with the logarithm of their number.

    Parameters
    ----------
    bodies : Bodies
        Their shapes; part k of a hit is body k.
    velocity : (M, 3) ndarray
        m/s, world frame.
    """

    bodies: Bodies
    velocity: Floats
    _tree: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        bodies = self.bodies
        tree = box_tree(bodies.lowest, bodies.highest)
        start = [np.concatenate(([0], np.cumsum(n))) for n in (bodies.planes, bodies.edge_counts)]
        arrays = (
            *tree, bodies.normals.ravel(), bodies.offsets, start[0],
            bodies.edges.ravel(), start[1], bodies.rounding, bodies.flat,
        )  # fmt: skip
        object.__setattr__(self, "_tree", arrays)

    @classmethod
    def of(
        cls,
        *,
        spheres: tuple[ArrayLike, ArrayLike] | None = None,
        boxes: tuple[ArrayLike, ...] | None = None,
        capsules: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
        hulls: Sequence[ArrayLike] = (),
        polygons: Sequence[ArrayLike] = (),
        walls: ArrayLike = (),
        planes: tuple[ArrayLike, ArrayLike] | None = None,
        velocity: ArrayLike | None = None,
    ) -> Obstacles:
        """Make obstacles; they are numbered in the order of the arguments.

        What is given in the plane, by (x, y), stands upright and has no top and no bottom.

        Parameters
        ----------
        spheres : tuple of (K, 2|3) and (K,) arrays, optional
            Centres and radii, m.
        boxes : tuple of (K, 2|3), (K, 2|3) and (K,) or (K, 3, 3) arrays, optional
            Centres and half sizes, m, and yaws, rad, or rotation matrices whose columns are the
            directions of the sides; without the third they stand along the axes. A half size of
            zero makes a panel.
        capsules : tuple of (K, 2|3), (K, 2|3) and (K,) arrays, optional
            Ends of the middle lines and radii, m.
        hulls : sequence of (V, 3) arrays
            Points whose convex hulls are obstacles, m.
        polygons : sequence of (V, 2) arrays
            Corners of convex polygons counter-clockwise, m; the first may come again at the end.
        walls : (K, 2, 2) array_like
            Ends of thin walls, m.
        planes : tuple of (K, 2|3) and (K, 2|3) arrays, optional
            A point on each plane, m, and its normal; everything behind it is solid.
        velocity : (d,) or (M, d) array_like, optional
            m/s, world frame, of all obstacles in their order; at rest by default.

        Returns
        -------
        Obstacles

        Raises
        ------
        InputError
            If shapes do not fit, numbers are not finite or out of range, a polygon is not convex
            and counter-clockwise, or a hull has no volume.

        Examples
        --------
        >>> pillars = Obstacles.of(spheres=([(3.0, 0.0), (6.0, 1.0)], [1.0, 0.5]))
        >>> hits = pillars.sweep(np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]]), 0.5, 10.0)
        >>> hits.distance.tolist(), hits.normal.tolist(), hits.part.tolist()
        ([1.5], [[-1.0, 0.0]], [0])
        """
        bodies = read_bodies(spheres, boxes, capsules, hulls, polygons, walls, planes)
        count = len(bodies.planes)
        drift = np.zeros((count, 3))
        if velocity is not None:
            given = read("velocity of obstacles", velocity)
            given = np.tile(given, (count, 1)) if given.ndim == 1 else given
            drift = raised(finite_rows("velocity of obstacle", given, ((2, 3),)))
            if len(drift) != count:
                raise InputError(f"velocity has {len(drift)} rows for {count} obstacles.")
        return cls(bodies, drift)

    def __len__(self) -> int:
        return len(self.velocity)

    @property
    def moving(self) -> bool:
        """Whether any obstacle has a velocity."""
        return bool(self.velocity.any())

    def after(self, seconds: float) -> Obstacles:
        """The obstacles where they will be, if they keep their velocities.

        Parameters
        ----------
        seconds : float
            s; below zero for where they were.

        Raises
        ------
        InputError
            If that is no finite number.
        """
        if not math.isfinite(real("seconds", seconds, "a finite number")):
            wrong("seconds", seconds, "a finite number")
        bodies, shift = self.bodies, self.velocity * seconds
        by_plane = np.repeat(shift, bodies.planes, axis=0)
        by_edge = np.repeat(shift, bodies.edge_counts, axis=0)
        moved = Bodies(
            bodies.normals, bodies.offsets + (bodies.normals * by_plane).sum(axis=1), bodies.planes,
            bodies.edges + np.tile(by_edge, 2), bodies.edge_counts, bodies.rounding, bodies.flat,
            bodies.lowest + shift, bodies.highest + shift,
        )  # fmt: skip
        return Obstacles(moved, self.velocity)

    def sweep(
        self, start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
    ) -> Hits:
        """First contact of spheres that move straight ahead, exactly.

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
            Part k is obstacle k. Of several that overlap at the start, the deepest.

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite or out of range.
        """
        casts = read_casts(start, direction, radius, reach)
        hits = empty_hits(casts.shape)
        out = hits.distance, hits.point.ravel(), hits.normal.ravel(), hits.part, hits.depth
        arguments: Any = (*casts.flat, casts.shape[1], *self._tree, *out)
        if sweep_bodies(*arguments) >= 0:
            refuse_casts(casts)
        return hits

    def sweep_all(
        self, start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
    ) -> AllHits:
        """Contacts of spheres that move straight ahead with each obstacle on their way.

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
            One for each obstacle in reach.

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite or out of range.
        """
        casts = read_casts(start, direction, radius, reach)
        count, d = casts.shape
        row, room = np.empty(count + 1, np.int64), 4 * count + 4
        while True:
            distance, part = np.empty(room), np.empty(room, np.int64)
            point, normal = np.empty((room, d)), np.empty((room, d))
            out = row, distance, point.ravel(), normal.ravel(), part
            arguments: Any = (*casts.flat, d, *self._tree, *out)
            found = sweep_all_bodies(*arguments)
            if found < 0:
                refuse_casts(casts)
            if found <= room:
                break
            room = found
        return AllHits(row, distance[:found], point[:found], normal[:found], part[:found])

    def meet(
        self, start: Floats, velocity: Floats, radius: Floats, shortest: Floats, time: Floats,
        braking: Floats,
    ) -> Meetings:  # fmt: skip
        """First contacts of agents and obstacles that all keep their velocities.

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
            As from `headway.world.meetings.meet`.
        """
        count, d = start.shape
        hits, seen, reach = empty_hits((count, d)), np.empty((count, d)), np.empty(count)
        query = start.ravel(), velocity.ravel(), radius, shortest, time, braking
        out = hits.distance, hits.point.ravel(), hits.normal.ravel(), hits.part, hits.depth
        arguments: Any = (
            *query, self.velocity.ravel(), d, *self._tree, *out, seen.ravel(), reach,
        )  # fmt: skip
        meet_bodies(*arguments)
        return Meetings(hits, seen, reach)

    def nearest(self, points: ArrayLike, reach: ArrayLike = np.inf) -> Nearest:
        """The nearest point of the obstacles to each point.

        Parameters
        ----------
        points : (N, 2|3) array_like
            m, world frame.
        reach : float or (N,) array_like
            m, zero or more: how far away to look.

        Returns
        -------
        Nearest
            Part k is obstacle k. Of several that a point is inside of, the one it is deepest in.

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite or out of range.
        """
        flat, limit, shape = read_points(points, reach)
        found = empty_nearest(shape)
        out = found.distance, found.point.ravel(), found.normal.ravel(), found.part
        arguments: Any = (flat, limit, shape[1], *self._tree, *out)
        if nearest_bodies(*arguments) >= 0:
            refuse_points(flat, limit, shape[1])
        return found

    def overlaps(self, lowest: ArrayLike, highest: ArrayLike) -> NDArray[np.bool_]:
        """Whether boxes along the axes touch an obstacle.

        Parameters
        ----------
        lowest, highest : (K, 2|3) array_like
            Two corners of each box, m, world frame.

        Returns
        -------
        (K,) ndarray of bool

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite.
        """
        low = finite_rows("lowest corner of box", lowest, ((2, 3),))
        high = finite_rows("highest corner of box", highest, (low.shape[1],))
        if len(low) != len(high) or (low > high).any():
            raise InputError("highest: give as many corners as lowest, none of them below it.")
        out = np.empty(len(low), np.bool_)
        arguments: Any = (raised(low).ravel(), raised(high).ravel(), *self._tree, out)
        overlap_bodies(*arguments)
        return out
