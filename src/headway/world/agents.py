"""Agents that are steered: a struct of arrays with a row for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import seconds, shown, whole
from headway.geometry.rows import read

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agents:
    """The state of N agents in d = 2 or 3 dimensions, and what their bodies can do.

    Make it with `Agents.at`, which takes one value for all agents where they are alike. Arrays
    are not copied on the way from step to step: take them as read-only.

    Parameters
    ----------
    position : (N, d) ndarray
        m, world frame.
    velocity : (N, d) ndarray
        m/s, world frame.
    forward : (N, d) ndarray
        Unit vectors, world frame: where each agent looks.
    radius : (N,) ndarray
        m.
    mass : (N,) ndarray
        kg.
    max_speed : (N,) ndarray
        m/s.
    max_force : (N,) ndarray
        N.
    team : (N,) ndarray of int64
        Who belongs together; 0 unless given.
    alive : (N,) ndarray of bool
        Who takes part.
    id : (N,) ndarray of int64
        Who is who, for chance: an agent keeps its number when others come, go or change places.
    seed : int
        Of all chance in what the agents do.
    tick : int
        Steps done.
    dt : float
        s, of one step.
    """

    position: Floats
    velocity: Floats
    forward: Floats
    radius: Floats
    mass: Floats
    max_speed: Floats
    max_force: Floats
    team: NDArray[np.int64]
    alive: NDArray[np.bool_]
    id: NDArray[np.int64]
    seed: int = 0
    tick: int = 0
    dt: float = 0.02

    @classmethod
    def at(
        cls,
        position: ArrayLike,
        velocity: ArrayLike = 0.0,
        *,
        forward: ArrayLike | None = None,
        radius: ArrayLike = 0.5,
        mass: ArrayLike = 1.0,
        max_speed: ArrayLike = 1.0,
        max_force: ArrayLike = 1.0,
        team: ArrayLike = 0,
        alive: ArrayLike = True,
        id: ArrayLike | None = None,
        seed: int = 0,
        dt: float = 0.02,
    ) -> Agents:
        """Make agents; what is given once holds for all.

        Parameters
        ----------
        position : (N, d) array_like
            m, world frame; d = 2 or 3.
        velocity : (d,) or (N, d) array_like
            m/s, world frame.
        forward : (d,) or (N, d) array_like, optional
            Where they look; by default along the velocity, or +x for those at rest.
        radius, mass, max_speed, max_force : float or (N,) array_like
            m, kg, m/s, N. Mass must be above zero, the others zero or more.
        team : int or (N,) array_like
        alive : bool or (N,) array_like
        id : (N,) array_like of int, optional
            By default the number of the row.
        seed : int
        dt : float
            s, above zero.

        Returns
        -------
        Agents

        Raises
        ------
        InputError
            If shapes do not fit, or a number is not finite or out of range.

        Examples
        --------
        >>> Agents.at([(0.0, 0.0), (2.0, 0.0)], max_speed=3.0).max_speed.tolist()
        [3.0, 3.0]
        """
        points = read("position", position)
        if points.ndim != 2 or points.shape[1] not in (2, 3):
            raise InputError(f"position has shape {points.shape}: give (N, 2) or (N, 3).")
        points = _array("position", points, points.shape, np.float64)
        n, shape = len(points), points.shape
        speed = _array("velocity", velocity, shape, np.float64)
        look = speed if forward is None else _array("forward", forward, shape, np.float64)
        dt = seconds("dt", dt)
        bounds = {"radius": radius, "mass": mass, "max_speed": max_speed, "max_force": max_force}
        limits = {name: _array(name, value, (n,), np.float64) for name, value in bounds.items()}
        for name, values in limits.items():
            low = ~(values > 0.0) if name == "mass" else ~(values >= 0.0)
            if low.any():
                least = "above zero" if name == "mass" else "zero or more"
                i = int(np.flatnonzero(low)[0])
                raise InputError(f"{name} of agent {i} is {values[i]}: give a number {least}.")
        return cls(
            points, speed, _unit(look), **limits,
            team=_array("team", team, (n,), np.int64),
            alive=_array("alive", alive, (n,), np.bool_),
            id=_array("id", np.arange(n) if id is None else id, (n,), np.int64),
            seed=whole("seed", seed), dt=dt,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.position)

    @property
    def d(self) -> int:
        """Dimensions: 2 or 3."""
        return self.position.shape[1]

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.tick * self.dt

    def where(self, **changes: Any) -> Agents:
        """The same agents with some arrays replaced; their numbers are not looked at.

        Parameters
        ----------
        **changes : (N,) or (N, d) ndarray
            By the names of the fields, as long as those that they replace.

        Raises
        ------
        InputError
            If there is no such field, or a shape differs.
        """
        return replace(self, **{name: self._new(name, changes[name]) for name in changes})

    def _new(self, name: str, value: Any) -> Any:
        """What a field is to be; arrays of the right type are taken as they are."""
        if name in COMMON:
            return COMMON[name](name, value)
        if name not in ARRAYS:
            raise InputError(f"agents have no {name!r}: give {', '.join((*ARRAYS, *COMMON))}.")
        if type(value) is not np.ndarray or value.dtype is not ARRAYS[name]:
            value = _typed(name, value, ARRAYS[name])
        shape = getattr(self, name).shape
        if value.shape != shape:
            raise InputError(f"{name} has shape {value.shape}: give {shape}, as it was.")
        return value

    def take(self, rows: ArrayLike | slice) -> Agents:
        """Some of the agents: those at the given rows, or where a mask is true.

        Parameters
        ----------
        rows : (K,) array_like of int, (N,) array_like of bool, or slice

        Raises
        ------
        InputError
            If they are anything else, or there is no such row.
        """
        chosen = rows if isinstance(rows, slice) else np.asarray(rows)
        try:
            if not isinstance(chosen, slice) and chosen.size == 0:
                chosen = np.zeros(0, np.int64)
            arrays = {name: getattr(self, name)[chosen] for name in ARRAYS}
        except (IndexError, TypeError, ValueError) as error:
            raise InputError(f"rows cannot be taken of {len(self)} agents ({error}).") from error
        if arrays["position"].ndim != 2:
            raise InputError(f"rows is {shown(rows)}: give a list of rows, or a mask.")
        return replace(self, **arrays)


COMMON: dict[str, Callable[[str, Any], Any]] = {"seed": whole, "tick": whole, "dt": seconds}
"""The fields that all agents have in common, and what checks them."""
OTHER_TYPES = {"team": np.int64, "id": np.int64, "alive": np.bool_}
ARRAYS = {
    field.name: np.dtype(OTHER_TYPES.get(field.name, np.float64))
    for field in fields(Agents)
    if field.name not in COMMON
}
"""The fields with a row for each agent, and what they hold."""


def _typed(name: str, value: ArrayLike, dtype: Any) -> NDArray[Any]:
    """Read an argument as an array of a type, without a loss."""
    array = read(name, value)
    if dtype.kind != "f" and not ((abs(array) < 2.0**63) & (np.trunc(array) == array)).all():
        raise InputError(f"{name} has numbers that are not whole: give whole numbers below 2^63.")
    return np.asarray(value, dtype)


def _array(name: str, value: ArrayLike, shape: tuple[int, ...], dtype: Any) -> Any:
    """Read an argument, repeated for all agents, as finite numbers."""
    array = _typed(name, value, np.dtype(dtype))
    try:
        array = np.array(np.broadcast_to(array, shape), order="C")
    except ValueError as error:
        raise InputError(
            f"{name} cannot be read as an array ({error}); give one value, or {shape}."
        ) from error
    if dtype is np.float64 and not np.isfinite(array).all():
        i = int(np.argwhere(~np.isfinite(array))[0][0])
        raise InputError(f"{name} of agent {i} is {array[i]}: give finite numbers.")
    return array


def _unit(look: Floats) -> Floats:
    """Directions of unit length; +x where there is none."""
    size = np.sqrt((look * look).sum(axis=1, keepdims=True))
    ahead = np.zeros(look.shape[1])
    ahead[0] = 1.0
    return np.where(size > 1e-12, look / np.where(size > 1e-12, size, 1.0), ahead)
