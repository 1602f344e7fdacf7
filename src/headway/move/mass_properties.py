"""Mass, centre of mass and inertia of a body made of point masses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.rows import read

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MassProperties:
    """What the motion of a rigid body needs to know of how its mass is spread.

    Attributes
    ----------
    mass : float
        kg.
    centre : (3,) ndarray
        Centre of mass, m, in the frame the points were given in.
    inertia : (3, 3) ndarray
        Tensor about the centre of mass, kg m².
    moments : (3,) ndarray
        Principal moments, kg m², rising.
    axes : (3, 3) ndarray
        Principal axes as columns, right-handed.
    """

    mass: float
    centre: Floats
    inertia: Floats
    moments: Floats
    axes: Floats


def mass_properties(points: ArrayLike, masses: ArrayLike) -> MassProperties:
    """Total mass, centre and inertia of a body made of point masses.

    Parameters
    ----------
    points : (K, 2) or (K, 3) array_like
        m; in the plane z = 0.
    masses : (K,) array_like
        kg, zero or more, not all zero.

    Returns
    -------
    MassProperties
        Points on a line have no inertia about it: such a body cannot be stepped.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    Examples
    --------
    >>> dumbbell = mass_properties([(-1.0, 0.0), (2.0, 0.0)], [2.0, 1.0])
    >>> dumbbell.centre.tolist(), dumbbell.inertia.diagonal().tolist()
    ([0.0, 0.0, 0.0], [0.0, 6.0, 6.0])
    """
    places, weights = read("points", points), read("masses", masses)
    if places.ndim != 2 or places.shape[1] not in (2, 3) or weights.shape != places.shape[:1]:
        raise InputError(
            f"points have shape {places.shape} and masses {weights.shape}: "
            "give (K, 2) or (K, 3) and (K,)."
        )
    if not (np.isfinite(places).all() and np.isfinite(weights).all() and (weights >= 0.0).all()):
        raise InputError("points and masses: give finite numbers, masses of zero or more.")
    total = float(weights.sum())
    if total == 0.0:
        raise InputError("masses are all zero: give at least one point some mass.")
    places = np.pad(places, ((0, 0), (0, 3 - places.shape[1])))
    centre = weights @ places / total
    arms = places - centre
    inertia = np.eye(3) * (weights @ (arms * arms).sum(axis=1)) - (arms.T * weights) @ arms
    moments, axes = np.linalg.eigh(inertia)
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return MassProperties(total, centre, inertia, moments, axes)


def inertia_rows(inertia: ArrayLike, count: int) -> tuple[Floats, Floats]:
    """Read inertia tensors for kernels.

    Parameters
    ----------
    inertia : (3, 3) or (N, 3, 3) array_like
        kg m², positive definite: one for all, or one for each.
    count : int
        N.

    Returns
    -------
    tensors, inverses : (9,) or (9 N,) ndarray
        Flat, row by row; not to be changed.

    Raises
    ------
    InputError
        If the shape does not fit, or a tensor is not positive definite.
    """
    tensors = read("inertia", inertia)
    if tensors.shape not in ((3, 3), (count, 3, 3)):
        raise InputError(f"inertia has shape {tensors.shape}: give (3, 3) or ({count}, 3, 3).")
    return _one_tensor(tensors.tobytes()) if tensors.ndim == 2 else _inverted(tensors)


@lru_cache(maxsize=64)
def _one_tensor(tensor: bytes) -> tuple[Floats, Floats]:
    """A tensor that is the same in every step is looked at once."""
    return _inverted(np.frombuffer(tensor).reshape(1, 3, 3).copy())


def _inverted(tensors: Floats) -> tuple[Floats, Floats]:
    uneven = np.abs(tensors - tensors.swapaxes(1, 2)) > 1e-6 * np.abs(tensors).max(initial=0.0)
    if (
        not np.isfinite(tensors).all()
        or uneven.any()
        or not (np.linalg.eigvalsh(tensors) > 0.0).all()
    ):
        raise InputError(
            "inertia is not positive definite: give the tensor of a body that is no line or point."
        )
    inverse = np.empty_like(tensors)
    inverse[:] = np.linalg.inv(tensors)
    return tensors.ravel(), inverse.ravel()
