"""Reading what `Obstacles.of` is given, and saying what is wrong with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from headway.errors import InputError
from headway.world import obstacle_shapes as shapes
from headway.world.obstacle_shapes import Bodies, Floats, raised


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
    one = rows(f"{name}: end", a, ((2, 3),))
    two = rows(f"{name}: end", b, (one.shape[1],))
    size = rows(f"{name}: radius", radius, ())
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
    middle = rows("boxes: centre", centres, ((2, 3),))
    count, d = middle.shape
    half = rows("boxes: half size", half_sizes, (d,))
    angle = np.zeros(count) if turn is None else np.asarray(turn, np.float64)
    matrix = rows("boxes: rotation", angle, (3, 3)) if angle.ndim == 3 else None
    axes = turned(rows("boxes: yaw", angle, ())) if matrix is None else matrix
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
    return shapes.join([shapes.polygon(each, f"box {k}") for k, each in enumerate(outlines)])


def behind_planes(points: ArrayLike, normals: ArrayLike) -> Bodies:
    """Read half spaces.

    Parameters
    ----------
    points, normals : (K, 2|3) array_like
        m; normals of any length above zero.
    """
    on = rows("planes: point", points, ((2, 3),))
    out = rows("planes: normal", normals, (on.shape[1],))
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


def rows(name: str, value: ArrayLike, shape: tuple[int | tuple[int, ...], ...]) -> Floats:
    """Read an array of finite numbers whose shape is known but for the first length.

    Parameters
    ----------
    name : str
    value : array_like of shape (K, ...)
    shape : tuple
        The lengths after the first; where several will do, a tuple of them.
    """
    try:
        array = np.ascontiguousarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as numbers ({error}).") from error
    if array.size == 0:
        first = shape[0] if shape else 0
        width = first[-1] if isinstance(first, tuple) else first
        array = array.reshape(0, *((width, *shape[1:]) if shape else ()))
    fits = array.ndim == 1 + len(shape) and all(
        length in (allowed if isinstance(allowed, tuple) else (allowed,))
        for length, allowed in zip(array.shape[1:], shape, strict=True)
    )
    if not fits:
        wanted = ", ".join(
            " or ".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in shape
        )
        raise InputError(f"{name} has shape {array.shape}: give (K, {wanted}).")
    if not np.isfinite(array).all():
        k = int(np.argwhere(~np.isfinite(array))[0][0])
        raise InputError(f"{name} {k} has a number that is not finite: give finite numbers.")
    return array
