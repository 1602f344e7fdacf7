"""Engines fixed to a body: the force and the torque they give together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import shown, zero_or_more
from headway.geometry.rows import read

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thruster:
    """An engine fixed to a body.

    Attributes
    ----------
    position : (x, y, z)
        m, in the frame of the body's points.
    direction : (x, y, z)
        Of the force on the body; its length does not matter.
    max_force : float
        N, zero or more.
    """

    position: tuple[float, float, float]
    direction: tuple[float, float, float]
    max_force: float

    def __post_init__(self) -> None:
        for name in ("position", "direction"):
            value = getattr(self, name)
            numbers = read(f"thruster: {name}", value)
            if numbers.shape != (3,) or not np.isfinite(numbers).all():
                raise InputError(f"thruster: {name} is {shown(value)}: give three finite numbers.")
        if not any(self.direction):
            raise InputError("thruster: direction is zero: give another.")
        zero_or_more("thruster: max_force", self.max_force, "newtons")


def force_and_torque(
    thrusters: list[Thruster], levels: ArrayLike, centre: ArrayLike = (0.0, 0.0, 0.0)
) -> tuple[Floats, Floats]:
    """What thrusters do to a body: their force, and their torque about its centre of mass.

    Parameters
    ----------
    thrusters : list of T Thruster
        The engines.
    levels : (T,) or (N, T) array_like
        Share of each one's largest force; limited to 0..1.
    centre : (3,) array_like
        Centre of mass, m, in the frame the thrusters are given in.

    Returns
    -------
    force, torque : (3,) or (N, 3) ndarray
        N and N m, body frame.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite.

    Examples
    --------
    An engine half a metre to the right of the centre pushes forward and turns left.

    >>> force, torque = force_and_torque([Thruster((0.0, -0.5, 0.0), (1.0, 0.0, 0.0), 8.0)], [1.0])
    >>> force.tolist(), torque.tolist()
    ([8.0, 0.0, 0.0], [0.0, 0.0, 4.0])
    """
    if not (isinstance(thrusters, Sequence) and all(isinstance(t, Thruster) for t in thrusters)):
        raise InputError("thrusters: give a list with nothing but Thruster.")
    share, middle = read("levels", levels), read("centre", centre)
    if share.ndim not in (1, 2) or share.shape[-1] != len(thrusters) or middle.shape != (3,):
        raise InputError(
            f"levels have shape {share.shape} and centre {middle.shape}: give one level for each "
            f"of {len(thrusters)} thrusters, and (3,)."
        )
    if not (np.isfinite(share).all() and np.isfinite(middle).all()):
        raise InputError("levels and centre: give finite numbers.")
    places = np.array([each.position for each in thrusters]).reshape(-1, 3)
    pushes = np.array([each.direction for each in thrusters], np.float64).reshape(-1, 3)
    pushes *= np.array([[each.max_force] for each in thrusters]).reshape(-1, 1)
    pushes /= np.array([[math.hypot(*each.direction)] for each in thrusters]).reshape(-1, 1)
    share = np.clip(share, 0.0, 1.0)
    return share @ pushes, share @ np.cross(places - middle, pushes)
