"""Reading what `Obstacles.of` is given, and saying what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headway.errors import InputError
from headway.geometry.options import shown
from headway.geometry.rows import finite_rows, raised, read
from headway.world import obstacle_shapes as shapes
from headway.world.obstacle_shapes import Bodies, Floats


def read_bodies(
    spheres: tuple[ArrayLike, ArrayLike] | None,
    boxes: tuple[ArrayLike, ...] | None,
    capsules: tuple[ArrayLike, ArrayLike, ArrayLike] | None,
    hulls: Sequence[ArrayLike],
    polygons: Sequence[ArrayLike],
    walls: ArrayLike,
    planes: tuple[ArrayLike, ArrayLike] | None,
) -> Bodies:
    """Read obstacles of all kinds, in the order of the arguments.

    Parameters
    ----------
    spheres, boxes, capsules : tuple of (K, ...) array_like, optional
    hulls : sequence of (V, 3) array_like
    polygons : sequence of (V, 2) array_like
    walls : (K, 2, 2) array_like
    planes : tuple of (K, 2|3) array_like, optional
        All as for `Obstacles.of`.
    """
    lots = [
        *(rounded("spheres", at, at, size) for at, size in _lot("spheres", spheres)),
        *(turned_boxes(*lot) for lot in _lot("boxes", boxes)),
        *(rounded("capsules", *lot) for lot in _lot("capsules", capsules)),
        *(
            shapes.hull(finite_rows(f"hull {k}, point", points, (3,)), f"hull {k}")
            for k, points in enumerate(_each("hulls", hulls))
        ),
        *(
            shapes.polygon(finite_rows(f"polygon {k}, corner", points, (2,)), f"polygon {k}")
            for k, points in enumerate(_each("polygons", polygons))
        ),
        shapes.walls(finite_rows("walls", walls, (2, 2))),
        *(behind_planes(*lot) for lot in _lot("planes", planes)),
    ]
    return shapes.join(lots)


LOTS = {
    "spheres": "(centres, radii)", "boxes": "(centres, half sizes) or (centres, half sizes, yaws)",
    "capsules": "(ends, other ends, radii)", "planes": "(points, normals)",
}  # fmt: skip


def _lot(name: str, given: Any) -> list[tuple[Any, ...]]:
    """The arrays of one kind, if there are any."""
    if given is None:
        return []
    sizes = {"boxes": (2, 3), "capsules": (3,)}.get(name, (2,))
    if not isinstance(given, tuple | list) or len(given) not in sizes:
        count = f" of {len(given)}" if isinstance(given, tuple | list) else ""
        raise InputError(f"{name} is a {type(given).__name__}{count}: give {LOTS[name]}.")
    return [tuple(given)]


def _each(name: str, given: Any) -> Iterable[Any]:
    if (
        isinstance(given, str | dict)
        or getattr(given, "ndim", 1) == 0
        or not isinstance(given, Iterable)
    ):
        raise InputError(f"{name} is {shown(given)}: give a sequence of arrays of points.")
    return given


def rounded(name: str, a: ArrayLike, b: ArrayLike, radius: ArrayLike) -> Bodies:
    """Read spheres and capsules.

    Parameters
    ----------
    name : str
    a, b : (K, 2|3) array_like
        Ends of the middle lines, m.
    radius : (K,) array_like
        m.
    """
    one = finite_rows(f"{name}: end", a, ((2, 3),))
    two = finite_rows(f"{name}: end", b, (one.shape[1],))
    size = finite_rows(f"{name}: radius", radius, ())
    if not len(one) == len(two) == len(size):
        raise InputError(f"{name}: {len(one)} centres do not fit {len(size)} radii.")
    if (size < 0.0).any():
        raise InputError(f"radius of {name} {np.argmin(size)} is {size.min()}: give zero or more.")
    return shapes.segments(raised(one), raised(two), size, flat=one.shape[1] == 2)


def turned_boxes(
    centres: ArrayLike, half_sizes: ArrayLike, turn: ArrayLike | None = None
) -> Bodies:
    """Read boxes in space, or upright ones given in the plane.

    Parameters
    ----------
    centres, half_sizes : (K, 2|3) array_like
        m.
    turn : (K,) or (K, 3, 3) array_like, optional
        Yaws, rad, or rotation matrices.
    """
    middle = finite_rows("boxes: centre", centres, ((2, 3),))
    count, d = middle.shape
    half = finite_rows("boxes: half size", half_sizes, (d,))
    angle = np.zeros(count) if turn is None else read("boxes: yaw", turn)
    matrix = finite_rows("boxes: rotation", angle, (3, 3)) if angle.ndim == 3 else None
    axes = turned(finite_rows("boxes: yaw", angle, ())) if matrix is None else matrix
    if not count == len(half) == len(axes):
        raise InputError(f"boxes: {count} centres, {len(half)} half sizes, {len(axes)} rotations.")
    if (half < 0.0).any():
        raise InputError(f"half size of box {np.argmin(half.min(axis=1))} is negative.")
    if not np.allclose(axes @ np.swapaxes(axes, 1, 2), np.eye(3), atol=1e-9):
        raise InputError("boxes: a rotation is not orthonormal: give unit columns at right angles.")
    if d == 3:
        return shapes.boxes(middle, half, axes)
    if matrix is not None:
        raise InputError("boxes in the plane have a yaw: give (K,) angles in rad.")
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half[:, None]
    outlines = middle[:, None] + np.einsum("kij,kcj->kci", axes[:, :2, :2], corners)
    return shapes.join(
        [
            _upright(each, size, f"box {k}")
            for k, (each, size) in enumerate(zip(outlines, half, strict=True))
        ]
    )


def _upright(outline: Floats, half_size: Floats, name: str) -> Bodies:
    """A box in the plane; without thickness it is a wall."""
    if not half_size.any():
        raise InputError(f"{name} has no size: give a half size above zero, or a sphere.")
    return shapes.polygon(outline, name) if half_size.all() else shapes.walls(outline[None, ::2])


def behind_planes(points: ArrayLike, normals: ArrayLike) -> Bodies:
    """Read half spaces.

    Parameters
    ----------
    points, normals : (K, 2|3) array_like
        m; normals of any length above zero.
    """
    on = finite_rows("planes: point", points, ((2, 3),))
    out = finite_rows("planes: normal", normals, (on.shape[1],))
    if len(on) != len(out):
        raise InputError(f"planes: {len(on)} points do not fit {len(out)} normals.")
    return shapes.half_spaces(on, out)


def turned(yaw: Floats) -> Floats:
    """Rotation matrices about z, (K, 3, 3).

    Parameters
    ----------
    yaw : (K,) ndarray
        rad, counter-clockwise.
    """
    cosine, sine = np.cos(yaw), np.sin(yaw)
    zero, one = np.zeros_like(yaw), np.ones_like(yaw)
    rows = np.stack((cosine, -sine, zero, sine, cosine, zero, zero, zero, one), axis=-1)
    return rows.reshape(*yaw.shape, 3, 3)
