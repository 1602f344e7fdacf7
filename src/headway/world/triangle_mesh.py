"""A surface of triangles: what spheres and rays hit, what is nearest, what boxes touch."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.world.hits import AllHits, Hits, Nearest
from headway.world.mesh_kernels import (
    find_nearest_of_mesh,
    find_overlaps_of_mesh,
    sweep_mesh,
    sweep_mesh_for_all,
)
from headway.world.surface_contacts import LARGEST
from headway.world.surface_patches import Adjacency, build_adjacency
from headway.world.surface_rows import (
    all_hits,
    empty_hits,
    empty_nearest,
    read_boxes,
    read_casts,
    read_points,
    refuse_casts,
    refuse_points,
)
from headway.world.wide_bvh import Bvh, build_bvh


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """A surface of triangles, seen from both sides; z is up.

    Triangles need not be connected, and may lie on one another. One without area counts as its
    edges. Normals of faces are right-handed about the order of the corners, which matters only
    where a point or the centre of a sphere lies on the surface itself.

    Parameters
    ----------
    vertices : (V, 3) array_like
        m, world frame, finite.
    triangles : (T, 3) array_like of int
        The three vertices of each triangle.

    Raises
    ------
    InputError
        If shapes or numbers cannot be used; names the vertex or triangle.

    Examples
    --------
    >>> floor = TriangleMesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> hit = floor.sweep([[1, 1, 2]], [[0, 0, -1]], radius=0.5, reach=10.0)
    >>> hit.distance.tolist(), hit.normal.tolist()
    ([1.5], [[0.0, 0.0, 1.0]])
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]

    _bvh: Bvh = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Take copies that nobody can change."""
        vertices, triangles = _checked(self.vertices, self.triangles)
        object.__setattr__(self, "_bvh", build_bvh(vertices[triangles]))
        for name, array in (("vertices", vertices), ("triangles", triangles)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        """How many triangles there are."""
        return len(self.triangles)

    @cached_property
    def _adjacency(self) -> Adjacency:
        return build_adjacency(self.vertices, self.triangles)

    def sweep(
        self, start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
    ) -> Hits:
        """First contact of spheres that move straight ahead.

        A sphere that touches the surface at the start is hit at distance 0 where it is deepest,
        even if it moves away.

        Parameters
        ----------
        start : (N, 3) or (N, 2) array_like
            Centres, m, world frame; in the plane, z is 0.
        direction : (N, 3) or (N, 2) array_like
            Of any length; zero asks for overlap only. One (3,) or (2,) may stand for all.
        radius : float or (N,) array_like
            m; 0 for rays.
        reach : float or (N,) array_like
            How far the centres move at most, m; may be infinite.

        Returns
        -------
        Hits
            With the number of the triangle as part.

        Raises
        ------
        InputError
            If shapes do not fit, or a number cannot be used.

        Examples
        --------
        >>> wall = TriangleMesh([[2, -9, -9], [2, 9, -9], [2, 0, 9]], [[0, 1, 2]])
        >>> wall.sweep([[0.0, 0.0], [1.75, 0.0]], [[3.0, 0.0], [-1.0, 0.0]], 0.5, 9.0).distance
        array([1.5, 0. ])
        """
        casts = read_casts(start, direction, radius, reach)
        hits = empty_hits(casts.shape)
        bad = sweep_mesh(
            *self._bvh, *casts.flat, casts.shape[1],
            hits.distance, hits.point.ravel(), hits.normal.ravel(), hits.part, hits.depth,
        )  # fmt: skip
        if bad >= 0:
            refuse_casts(casts)
        return hits

    def sweep_all(
        self, start: ArrayLike, direction: ArrayLike, radius: ArrayLike, reach: ArrayLike
    ) -> AllHits:
        """Contacts of spheres that move straight ahead through everything, one for each patch.

        Triangles that are connected, by an edge or a corner, and lie within 30 degrees of one
        plane are one patch; its nearest hit counts.

        Parameters
        ----------
        start : (N, 3) or (N, 2) array_like
            As for `sweep`, like the others.
        direction : (N, 3) or (N, 2) array_like
        radius : float or (N,) array_like
        reach : float or (N,) array_like

        Returns
        -------
        AllHits
            With the number of the triangle as part.

        Raises
        ------
        InputError
            If shapes do not fit, or a number cannot be used.

        Examples
        --------
        >>> walls = TriangleMesh(
        ...     [[2, -9, -9], [2, 9, -9], [2, 0, 9], [4, -9, -9], [4, 9, -9], [4, 0, 9]],
        ...     [[0, 1, 2], [3, 4, 5]],
        ... )
        >>> walls.sweep_all([[0.0, 0.0]], [[1.0, 0.0]], 0.5, 9.0).distance
        array([1.5, 3.5])
        """
        casts = read_casts(start, direction, radius, reach)
        count, d = casts.shape
        begin = np.zeros(count + 1, np.int64)
        bad, hits = sweep_mesh_for_all(*self._bvh, *self._adjacency, *casts.flat, d, begin)
        if bad >= 0:
            refuse_casts(casts)
        return all_hits(begin, hits, d)

    def nearest(self, points: ArrayLike, reach: ArrayLike = np.inf) -> Nearest:
        """The nearest point of the surface to each point.

        Parameters
        ----------
        points : (N, 3) or (N, 2) array_like
            m, world frame; in the plane, z is 0.
        reach : float or (N,) array_like
            How far to look, m.

        Returns
        -------
        Nearest
            With the number of the triangle as part. The normal leads to the point; if that lies on
            the surface, it is the normal of the face.

        Raises
        ------
        InputError
            If shapes do not fit, or a number cannot be used.

        Examples
        --------
        >>> floor = TriangleMesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> floor.nearest([[-3.0, 1.0, 4.0]]).distance
        array([5.])
        """
        flat, far, shape = read_points(points, reach)
        found = empty_nearest(shape)
        bad = find_nearest_of_mesh(
            *self._bvh, flat, far, shape[1],
            found.distance, found.point.ravel(), found.normal.ravel(), found.part,
        )  # fmt: skip
        if bad >= 0:
            refuse_points(flat, far, shape[1])
        return found

    def overlaps(self, lowest: ArrayLike, highest: ArrayLike) -> NDArray[np.bool_]:
        """Tell which boxes along the axes touch the surface.

        Parameters
        ----------
        lowest, highest : (M, 3) or (M, 2) array_like
            Two corners of each box, m, world frame; in the plane, z is 0.

        Returns
        -------
        (M,) ndarray of bool
            A surface that lies inside of a box touches it.

        Raises
        ------
        InputError
            If shapes do not fit, a number cannot be used, or corners are the wrong way round.

        Examples
        --------
        >>> floor = TriangleMesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> floor.overlaps([[1, 1, -1], [3, 3, -1]], [[2, 2, 1], [4, 4, 1]])
        array([ True, False])
        """
        low, high, shape = read_boxes(lowest, highest)
        overlap = np.empty(shape[0], np.bool_)
        find_overlaps_of_mesh(*self._bvh[:3], low, high, shape[1], overlap)
        return overlap

    def ray(self, start: ArrayLike, direction: ArrayLike, reach: ArrayLike = np.inf) -> Hits:
        """What rays hit first: a sweep of radius 0.

        Parameters
        ----------
        start : (N, 3) or (N, 2) array_like
            As for `sweep`, like the others.
        direction : (N, 3) or (N, 2) array_like
        reach : float or (N,) array_like

        Returns
        -------
        Hits
            With the normal of the face, turned against the ray.

        Raises
        ------
        InputError
            If shapes do not fit, or a number cannot be used.

        Examples
        --------
        >>> floor = TriangleMesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> floor.ray([[1.0, 1.0, -2.0]], [[0.0, 0.0, 1.0]]).normal
        array([[ 0.,  0., -1.]])
        """
        return self.sweep(start, direction, 0.0, reach)


def _checked(
    vertices: ArrayLike, triangles: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Copies of both; raises if they are no mesh."""
    try:
        points, corners = np.array(vertices, np.float64, order="C"), np.asarray(triangles)
    except (TypeError, ValueError) as error:
        raise InputError(f"the mesh cannot be read as arrays of numbers ({error}).") from error
    if corners.size == 0:
        corners = np.empty((0, 3), np.int64)
    if points.size == 0:
        points = np.empty((0, 3))
    for name, array in (("vertices", points), ("triangles", corners)):
        if array.ndim != 2 or array.shape[1] != 3:
            raise InputError(f"{name} have shape {array.shape}: give rows of three, (N, 3).")
    if corners.dtype.kind not in "iu":
        raise InputError(f"triangles hold {corners.dtype}: give whole numbers.")
    wrong = ~(np.abs(points) <= LARGEST).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        problem = f"vertex {row} is {tuple(points[row].tolist())}"
        raise InputError(f"{problem}: give finite numbers below {LARGEST:g}.")
    wrong = ((corners < 0) | (corners >= len(points))).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        problem = f"triangle {row} is {tuple(corners[row].tolist())}"
        raise InputError(f"{problem}: there are {len(points)} vertices, from 0.")
    return points, np.array(corners, np.int64, order="C")
