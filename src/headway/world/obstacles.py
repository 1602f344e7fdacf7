"""Obstacles of simple shapes: spheres, boxes, capsules, hulls, polygons, walls and half spaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.box_tree import box_tree
from headway.geometry.rows import numbers, positions, refuse, vectors
from headway.world import obstacle_shapes as shapes
from headway.world.hits import AllHits, Hits, Nearest
from headway.world.meetings import Meetings
from headway.world.obstacle_arguments import behind_planes, rounded, rows, turned_boxes
from headway.world.obstacle_meetings import meet_bodies
from headway.world.obstacle_nearest import nearest_bodies
from headway.world.obstacle_overlap import overlap_bodies
from headway.world.obstacle_queries import sweep_all_bodies, sweep_bodies
from headway.world.obstacle_shapes import Bodies, Floats, raised


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
            Corners of convex polygons counter-clockwise, m.
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
        lots = [
            *([] if spheres is None else [rounded("spheres", spheres[0], spheres[0], spheres[1])]),
            *([] if boxes is None else [turned_boxes(*boxes)]),
            *([] if capsules is None else [rounded("capsules", *capsules)]),
            *(
                shapes.hull(rows(f"hull {k}, point", points, (3,)), f"hull {k}")
                for k, points in enumerate(hulls)
            ),
            *(
                shapes.polygon(rows(f"polygon {k}, corner", points, (2,)), f"polygon {k}")
                for k, points in enumerate(polygons)
            ),
            shapes.walls(rows("walls", walls, (2, 2))),
            *([] if planes is None else [behind_planes(*planes)]),
        ]
        bodies = shapes.join(lots)
        count = len(bodies.planes)
        drift = np.zeros((count, 3))
        if velocity is not None:
            given = np.asarray(velocity, np.float64)
            given = np.tile(given, (count, 1)) if given.ndim == 1 else given
            drift = raised(rows("velocity of obstacle", given, ((2, 3),)))
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
            s.
        """
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
        query, shape = _query(start, direction, radius, reach)
        count, d = shape
        distance, depth, part = np.empty(count), np.empty(count), np.empty(count, np.int64)
        point, normal = np.empty(shape), np.empty(shape)
        out = distance, point.ravel(), normal.ravel(), part, depth
        arguments: Any = (*query, d, *self._tree, *out)
        if sweep_bodies(*arguments) >= 0:
            _refuse(start, direction, radius, reach)
        return Hits(distance, point, normal, part, depth)

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
        query, (count, d) = _query(start, direction, radius, reach)
        row, room = np.empty(count + 1, np.int64), 4 * count + 4
        while True:
            distance, part = np.empty(room), np.empty(room, np.int64)
            point, normal = np.empty((room, d)), np.empty((room, d))
            out = row, distance, point.ravel(), normal.ravel(), part
            arguments: Any = (*query, d, *self._tree, *out)
            found = sweep_all_bodies(*arguments)
            if found < 0:
                _refuse(start, direction, radius, reach)
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
        (count, d), shape = start.shape, start.shape
        distance, depth, part = np.empty(count), np.empty(count), np.empty(count, np.int64)
        point, normal, seen = np.empty(shape), np.empty(shape), np.empty(shape)
        reach = np.empty(count)
        query = start.ravel(), velocity.ravel(), radius, shortest, time, braking
        out = distance, point.ravel(), normal.ravel(), part, depth, seen.ravel(), reach
        arguments: Any = (*query, self.velocity.ravel(), d, *self._tree, *out)
        meet_bodies(*arguments)
        return Meetings(Hits(distance, point, normal, part, depth), seen, reach)

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
        p, shape = positions("points", points)
        count, d = _rows_of(shape, "points")
        limit = numbers("reach", reach, (count, d))
        distance, part = np.empty(count), np.empty(count, np.int64)
        point, normal = np.empty((count, d)), np.empty((count, d))
        out = distance, point.ravel(), normal.ravel(), part
        arguments: Any = (p, limit, d, *self._tree, *out)
        if nearest_bodies(*arguments) >= 0:
            refuse(points=points, reach_=np.minimum(reach, 0.0))
        return Nearest(distance, point, normal, part)

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
        low = rows("lowest corner of box", lowest, ((2, 3),))
        high = rows("highest corner of box", highest, (low.shape[1],))
        if len(low) != len(high) or (low > high).any():
            raise InputError("highest: give as many corners as lowest, none of them below it.")
        out = np.empty(len(low), np.bool_)
        arguments: Any = (raised(low).ravel(), raised(high).ravel(), *self._tree, out)
        overlap_bodies(*arguments)
        return out


def _rows_of(shape: tuple[int, ...], name: str) -> tuple[int, int]:
    if len(shape) != 2:
        raise InputError(f"{name} has shape {shape}: give (N, 2) or (N, 3).")
    return shape[0], shape[1]


def _query(
    start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
) -> tuple[tuple[Floats, ...], tuple[int, int]]:
    p, shape = positions("start", start)
    n, d = _rows_of(shape, "start")
    way, size = vectors("direction", direction, shape), numbers("radius", radius, shape)
    return (p, way, size, numbers("reach", reach, shape)), (n, d)


def _refuse(
    start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
) -> NoReturn:
    refuse(start=start, direction=direction, radius_=radius, reach_=np.minimum(reach, 1e308))
