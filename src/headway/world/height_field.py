"""A surface given by heights on a grid: the ground, as spheres, rays and boxes meet it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import real, shown
from headway.geometry.rows import read
from headway.world.bvh import box_node
from headway.world.height_kernels import (
    find_nearest_of_field,
    find_overlaps_of_field,
    sweep_field,
    sweep_field_for_all,
)
from headway.world.hits import AllHits, Hits, Nearest
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
from headway.world.triangle_mesh import TriangleMesh

Field = tuple[NDArray[np.float64], int, float, tuple[float, float, float], NDArray, float]


@dataclass(frozen=True, eq=False)
class HeightField:
    """A surface of heights on a grid; beyond the grid there is nothing.

    Each cell between four heights is two triangles, cut from the corner of lowest row and column
    to the one across: triangles 2k and 2k + 1 for cell k, row by row, their normals up. Queries
    walk over the cells below the way, so nothing has to be built. The surface has two sides, but
    no inside.

    Parameters
    ----------
    heights : (R, C) array_like
        m; at least two rows and columns. Row r and column c are at y = r and x = c, times the cell
        size.
    cell_size : float
        m, above 0.
    origin : sequence of three floats
        Where row 0, column 0 and height 0 are, m, world frame.

    Raises
    ------
    InputError
        If shapes or numbers cannot be used.

    Examples
    --------
    >>> slope = HeightField([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]], cell_size=1.0)
    >>> slope.ray([[1.5, 0.5, 9.0]], [[0.0, 0.0, -1.0]]).distance.tolist()
    [7.5]
    """

    heights: NDArray[np.float64]
    cell_size: float
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    _field: Field = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Take a copy that nobody can change."""
        heights, cell, origin = _checked(self.heights, self.cell_size, self.origin)
        rows, columns = heights.shape
        low = np.add(origin, (0.0, 0.0, heights.min()))
        high = np.add(origin, ((columns - 1) * cell, (rows - 1) * cell, heights.max()))
        span = float(np.abs((low, high)).max())
        flat = heights.ravel().copy()
        heights.setflags(write=False)
        values = heights, cell, origin, (flat, columns, cell, origin, box_node(low, high), span)
        for name, value in zip(("heights", "cell_size", "origin", "_field"), values, strict=True):
            object.__setattr__(self, name, value)

    @cached_property
    def _adjacency(self) -> Adjacency:
        mesh = self.mesh
        return build_adjacency(mesh.vertices, mesh.triangles)

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The same surface as a mesh, its triangles in the same order."""
        rows, columns = self.heights.shape
        row, column = np.indices((rows, columns)).reshape(2, -1)
        vertices = np.empty((rows * columns, 3))
        vertices[:, 0] = self.origin[0] + column * self.cell_size
        vertices[:, 1] = self.origin[1] + row * self.cell_size
        vertices[:, 2] = self.origin[2] + self.heights.ravel()
        a = np.arange(rows * columns).reshape(rows, columns)[:-1, :-1].ravel()
        b, c, d = a + 1, a + columns + 1, a + columns
        return TriangleMesh(vertices, np.stack((a, b, c, a, c, d), axis=1).reshape(-1, 3))

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
        >>> floor = HeightField(np.zeros((5, 5)), cell_size=1.0)
        >>> floor.sweep([[1.0, 1.0, 2.0], [1.0, 1.0, 0.25]], [0, 0, -1], 0.5, 9.0).distance
        array([1.5, 0. ])
        """
        casts = read_casts(start, direction, radius, reach)
        hits = empty_hits(casts.shape)
        bad = sweep_field(
            *self._field, *casts.flat, casts.shape[1],
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
        >>> ridges = HeightField([[0.0, 2.0, 0.0, 2.0, 0.0]] * 3, cell_size=1.0)
        >>> len(ridges.sweep_all([[-2.0, 1.0, 1.0]], [[1.0, 0.0, 0.0]], 0.25, 9.0).distance)
        4
        """
        casts = read_casts(start, direction, radius, reach)
        count, d = casts.shape
        begin = np.zeros(count + 1, np.int64)
        bad, hits = sweep_field_for_all(*self._field, *self._adjacency, *casts.flat, d, begin)
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
        >>> floor = HeightField(np.zeros((5, 5)), cell_size=1.0)
        >>> floor.nearest([[-3.0, 1.0, 4.0]]).distance
        array([5.])
        """
        flat, far, shape = read_points(points, reach)
        found = empty_nearest(shape)
        bad = find_nearest_of_field(
            *self._field, flat, far, shape[1],
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
        >>> floor = HeightField(np.zeros((5, 5)), cell_size=1.0)
        >>> floor.overlaps([[1, 1, -1], [5, 3, -1]], [[2, 2, 1], [6, 4, 1]])
        array([ True, False])
        """
        low, high, shape = read_boxes(lowest, highest)
        overlap = np.empty(shape[0], np.bool_)
        find_overlaps_of_field(*self._field[:4], low, high, shape[1], overlap)
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
        >>> floor = HeightField(np.zeros((5, 5)), cell_size=1.0)
        >>> floor.ray([[1.0, 1.0, -2.0]], [[0.0, 0.0, 1.0]]).normal
        array([[ 0.,  0., -1.]])
        """
        return self.sweep(start, direction, 0.0, reach)


def _checked(
    heights: ArrayLike, cell_size: float, origin: ArrayLike
) -> tuple[NDArray[np.float64], float, tuple[float, float, float]]:
    """All of it, understood; raises if it is no field."""
    grid, corner = np.array(read("heights", heights), order="C"), read("origin", origin)
    cell = real("cell_size", cell_size, "a finite number above 0")
    if grid.ndim != 2 or min(grid.shape) < 2:
        raise InputError(f"heights have shape {grid.shape}: give at least two rows and columns.")
    if not 0.0 < cell < math.inf or cell * max(grid.shape) > LARGEST:
        raise InputError(f"cell_size is {shown(cell_size)}: give a finite number above 0.")
    if corner.shape != (3,) or not (np.abs(corner) <= LARGEST).all():
        raise InputError(f"origin is {shown(origin)}: give three finite numbers.")
    wrong = ~(np.abs(grid) <= LARGEST)
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        problem = f"the height in row {row}, column {column} is {grid[row, column]}"
        raise InputError(f"{problem}: give finite numbers below {LARGEST:g}.")
    return grid, cell, (float(corner[0]), float(corner[1]), float(corner[2]))
