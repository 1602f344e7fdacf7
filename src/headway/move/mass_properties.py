"""Mass, centre of mass and inertia of a body made of point masses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError

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
    places, weights = np.asarray(points, np.float64), np.asarray(masses, np.float64)
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
