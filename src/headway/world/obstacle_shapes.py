"""From spheres, boxes, hulls… to convex bodies: half spaces, edges and rounding.

Each shape is read as in `headway.geometry.convex_sweep`. What is given in the plane, by (x, y),
stands upright and has no top and no bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError
from headway.geometry.rows import raised

Floats = NDArray[np.float64]

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
BOX_EDGES = np.array([(i, j) for i in range(8) for j in range(i) if (i ^ j).bit_count() == 1])
SAME_FACE = 1e-9
"""Triangles of a hull are one face if their unit normals differ by less."""


@dataclass(frozen=True, slots=True)
class Bodies:
    """Convex bodies as arrays: body k has the half spaces and edges after those of body k − 1.

    Parameters
    ----------
    normals : (P, 3) ndarray
        Outward unit normals of half spaces.
    offsets : (P,) ndarray
        Their c in n·x ≤ c, m.
    planes : (M,) ndarray of int64
        How many half spaces each body has.
    edges : (E, 6) ndarray
        Two ends of each edge, m.
    edge_counts : (M,) ndarray of int64
        How many edges each body has.
    rounding : (M,) ndarray
        How far the surface is moved out, m.
    flat : (M,) ndarray of bool
        Whether it stands upright without end.
    lowest, highest : (M, 3) ndarray
        Corners of the boxes around them, m; may be infinite.
    """

    normals: Floats
    offsets: Floats
    planes: NDArray[np.int64]
    edges: Floats
    edge_counts: NDArray[np.int64]
    rounding: Floats
    flat: NDArray[np.bool_]
    lowest: Floats
    highest: Floats


def join(parts: Sequence[Bodies]) -> Bodies:
    """All bodies of several lots, one lot after the other."""
    if not parts:
        return segments(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), flat=False)
    columns = ([getattr(part, name) for part in parts] for name in Bodies.__dataclass_fields__)
    return Bodies(*(np.concatenate(arrays) for arrays in columns))


def segments(a: Floats, b: Floats, rounding: Floats, flat: bool) -> Bodies:
    """Spheres and capsules: everything within a distance of segments a–b, both (K, 3).

    Parameters
    ----------
    a, b : (K, 3) ndarray
        m.
    rounding : (K,) ndarray
        m.
    flat : bool
    """
    count = len(a)
    return _bodies(
        np.zeros((0, 3)), np.zeros(0), np.zeros(count, np.int64),
        np.hstack((a, b)), np.ones(count, np.int64), rounding, flat,
    )  # fmt: skip


def boxes(centres: Floats, half_sizes: Floats, rotations: Floats) -> Bodies:
    """Boxes, turned.

    Parameters
    ----------
    centres, half_sizes : (K, 3) ndarray
        m.
    rotations : (K, 3, 3) ndarray
        Columns are the directions of the sides.
    """
    count = len(centres)
    axes = np.swapaxes(rotations, 1, 2)
    normals = np.concatenate((axes, -axes), axis=1)
    reach = np.concatenate((half_sizes, half_sizes), axis=1)
    offsets = np.einsum("kij,kj->ki", normals, centres) + reach
    corners = centres[:, None] + np.einsum("kij,kcj->kci", rotations, CORNERS * half_sizes[:, None])
    edges = corners[:, BOX_EDGES].reshape(-1, 6)
    return _bodies(
        normals.reshape(-1, 3), offsets.ravel(), np.full(count, 6), edges,
        np.full(count, 12), np.zeros(count), flat=False,
    )  # fmt: skip


def hull(points: Floats, name: str) -> Bodies:
    """The convex hull of points in space.

    Parameters
    ----------
    points : (V, 3) ndarray
        m.
    name : str
        What to call it in an error.
    """
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415  (only hulls need it)

    if len(points) < 4:
        raise InputError(f"{name} has {len(points)} points: give four or more, not in one plane.")
    middle = points.mean(axis=0)
    try:
        solid = ConvexHull(points - middle)
    except QhullError as error:
        raise InputError(
            f"{name} has no volume: give points that are not in one plane (a panel is a box with a "
            f"half size of zero)."
        ) from error
    normals, offsets = solid.equations[:, :3], -solid.equations[:, 3]
    faces = _first_alike(normals)
    triangle, corner = np.nonzero(faces[solid.neighbors] > faces[:, None])
    ends = solid.simplices[triangle[:, None], (corner[:, None] + (1, 2)) % 3]
    keep = np.unique(faces)
    edges = solid.points[ends].reshape(-1, 6) + np.tile(middle, 2)
    return _bodies(
        normals[keep], offsets[keep] + normals[keep] @ middle, np.array([len(keep)]),
        edges, np.array([len(edges)]), np.zeros(1), flat=False,
    )  # fmt: skip


def polygon(points: Floats, name: str) -> Bodies:
    """An upright prism over a convex polygon.

    Parameters
    ----------
    points : (M, 2) ndarray
        m, counter-clockwise.
    name : str
        What to call it in an error.
    """
    if len(points) > 1 and (points[0] == points[-1]).all():
        points = points[:-1]  # a closed ring
    sides = np.roll(points, -1, axis=0) - points
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    if len(points) < 3 or not (lengths > 0.0).all():
        _refuse_corners(lengths, name)
    _check_turns(sides, lengths, name)
    outward = np.column_stack((sides[:, 1], -sides[:, 0])) / lengths[:, None]
    stand = raised(points)
    return _bodies(
        raised(outward), (outward * points).sum(axis=1), np.array([len(points)]),
        np.hstack((stand, stand)), np.array([len(points)]), np.zeros(1), flat=True,
    )  # fmt: skip


def _refuse_corners(lengths: Floats, name: str) -> NoReturn:
    """Say which corners of a polygon are too few, or the same."""
    if len(lengths) < 3:
        raise InputError(f"{name} has {len(lengths)} corners: give three or more (two are a wall).")
    k = int(np.argmin(lengths))
    raise InputError(f"corners {k} and {(k + 1) % len(lengths)} of {name} are the same: drop one.")


def _check_turns(sides: Floats, lengths: Floats, name: str) -> None:
    """Make sure that a polygon turns left at all corners, and once around."""
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    slack = 1e-12 * lengths * np.roll(lengths, -1)
    around = np.arctan2(turns, (sides * after).sum(axis=1)).sum()
    if (abs(turns) <= slack).all():
        raise InputError(f"{name} has no area, its corners are in line: give walls.")
    if around < 0.0 and (turns <= slack).all():
        raise InputError(f"{name} is clockwise: give its corners counter-clockwise.")
    if (turns < -slack).any():
        inward = -turns if around < 0.0 else turns  # of a clockwise one, that is concave too
        k = (int(np.argmin(inward)) + 1) % len(sides)
        raise InputError(
            f"{name} is not convex at corner {k}: split it into convex ones, counter-clockwise."
        )
    if around > 7.0:
        raise InputError(f"{name} goes around more than once: give each corner once, in order.")


def walls(ends: Floats) -> Bodies:
    """Upright walls without thickness.

    Parameters
    ----------
    ends : (K, 2, 2) ndarray
        m.
    """
    count = len(ends)
    along = ends[:, 1] - ends[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])
    if not (length > 0.0).all():
        raise InputError(f"wall {np.argmin(length)} has no length: give two different ends.")
    along = along / length[:, None]
    aside = np.stack((-along[:, 1], along[:, 0]), axis=1)
    outward = np.stack((aside, -aside, -along, along), axis=1)
    on = ends[:, (0, 0, 0, 1)]
    stand = raised(ends.reshape(-1, 2))
    return _bodies(
        raised(outward.reshape(-1, 2)), (outward * on).sum(axis=2).ravel(), np.full(count, 4),
        np.hstack((stand, stand)), np.full(count, 2), np.zeros(count), flat=True,
    )  # fmt: skip


def half_spaces(points: Floats, normals: Floats) -> Bodies:
    """Everything behind planes; given in the plane, behind lines.

    Parameters
    ----------
    points : (K, 2|3) ndarray
        One on each plane, m.
    normals : (K, 2|3) ndarray
        Out of it, of any length above zero.
    """
    size = np.sqrt((normals * normals).sum(axis=1))
    if not (size > 0.0).all():
        raise InputError(f"normal of plane {np.argmin(size)} is zero: give a direction.")
    out, count = normals / size[:, None], len(points)
    endless = np.full((count, 3), np.inf)
    return Bodies(
        raised(out), (out * points).sum(axis=1), np.ones(count, np.int64),
        np.zeros((0, 6)), np.zeros(count, np.int64), np.zeros(count),
        np.full(count, points.shape[1] == 2), -endless, endless,
    )  # fmt: skip


def _first_alike(normals: Floats) -> NDArray[Any]:
    """For each triangle the first one whose normal is the same."""
    alike = np.round(normals / SAME_FACE) + 0.0
    _, first, which = np.unique(alike, axis=0, return_index=True, return_inverse=True)
    return first[which.ravel()]


def _bodies(
    normals: Floats, offsets: Floats, planes: NDArray[Any], edges: Floats,
    edge_counts: NDArray[Any], rounding: Floats, flat: bool,
) -> Bodies:  # fmt: skip
    """Bodies with the boxes around them; each has an edge or more."""
    count = len(planes)
    lowest, highest = np.zeros((count, 3)), np.zeros((count, 3))
    if count:
        first = np.concatenate(([0], np.cumsum(edge_counts)[:-1]))
        ends = edges.reshape(-1, 2, 3)
        lowest = np.minimum.reduceat(ends.min(axis=1), first) - rounding[:, None]
        highest = np.maximum.reduceat(ends.max(axis=1), first) + rounding[:, None]
    if flat:
        lowest[:, 2], highest[:, 2] = -np.inf, np.inf
    return Bodies(
        normals, offsets, planes.astype(np.int64), edges, edge_counts.astype(np.int64),
        rounding, np.full(count, flat), lowest, highest,
    )  # fmt: skip
