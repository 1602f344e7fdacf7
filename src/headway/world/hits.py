"""What queries of surfaces answer, and what whoever asks may rely on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Hits:
    """Where spheres that move straight ahead first touch a surface; a row for each sphere.

    Parameters
    ----------
    distance : (N,) ndarray
        m, how far the centre moves until contact; 0 where sphere and surface touch or overlap at
        the start, inf where they do not meet within reach.
    point : (N, 3) ndarray
        m, world frame, of contact; where there is none, zero.
    normal : (N, 3) ndarray
        Unit vector out of the surface at the point, towards the centre of the sphere; zero where
        there is no contact.
    part : (N,) ndarray of int64
        Which part of the surface was hit: obstacle or triangle; −1 for none.
    depth : (N,) ndarray
        m, how deep the sphere overlaps the surface at the start; 0 where it does not.
    """

    distance: NDArray[np.float64]
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    part: NDArray[np.int64]
    depth: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Nearest:
    """The points of a surface next to other points; a row for each.

    Parameters
    ----------
    distance : (N,) ndarray
        m, from point to surface; negative inside of solids (meshes and height fields have no
        inside), inf where there is no surface within reach.
    point : (N, 3) ndarray
        m, world frame, on the surface.
    normal : (N, 3) ndarray
        Unit vector out of the surface: towards the point asked for, if that is outside.
    part : (N,) ndarray of int64
        Which part it is: obstacle or triangle; −1 for none.
    """

    distance: NDArray[np.float64]
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    part: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AllHits:
    """All surface patches that moving spheres touch: hits of sphere i stand in a row.

    Parameters
    ----------
    start : (N + 1,) ndarray of int64
        Hits of sphere i are start[i] to start[i + 1], nearest first.
    distance : (K,) ndarray
        m, as in `Hits`.
    point, normal : (K, 3) ndarray
        As in `Hits`.
    part : (K,) ndarray of int64
        As in `Hits`; of a patch of a mesh, the triangle that is hit first.
    """

    start: NDArray[np.int64]
    distance: NDArray[np.float64]
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    part: NDArray[np.int64]


class Surface(Protocol):
    """Whatever can be asked what is in the way: obstacles, meshes, height fields.

    Points are (N, 3), m, world frame. Points in the plane (N, 2) lie at z = 0, and what is
    answered is (N, 2) too.
    """

    def sweep(
        self,
        start: NDArray[np.float64],
        direction: NDArray[np.float64],
        radius: float | NDArray[np.float64],
        reach: float | NDArray[np.float64],
    ) -> Hits:
        """First contact of spheres that move from start along direction, at most reach metres.

        Directions need not have unit length; a zero direction asks for overlap only. A sphere
        that touches or overlaps at the start is hit at distance 0, with the normal that leads
        out, even if it moves away. Radius 0 is a ray.
        """
        ...

    def sweep_all(
        self,
        start: NDArray[np.float64],
        direction: NDArray[np.float64],
        radius: float | NDArray[np.float64],
        reach: float | NDArray[np.float64],
    ) -> AllHits:
        """Contacts with all patches of surface on the way: one for each obstacle or patch."""
        ...

    def nearest(
        self, points: NDArray[np.float64], reach: float | NDArray[np.float64] = np.inf
    ) -> Nearest:
        """The nearest point of the surface to each point."""
        ...

    def overlaps(
        self, lowest: NDArray[np.float64], highest: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Whether boxes along the axes, given by two corners each (M, 3), touch the surface."""
        ...
