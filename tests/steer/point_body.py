"""A body to try behaviours with: it makes what change it can, then moves with the new velocity."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

Steer = Callable[[np.ndarray, np.ndarray, float], np.ndarray]


def moves(
    steer: Steer,
    position: np.ndarray,
    velocity: np.ndarray,
    acceleration: float | np.ndarray,
    dt: float,
    steps: int,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """States after each step; steer takes position, velocity and time."""
    position, velocity = np.array(position, float), np.array(velocity, float)
    most = np.asarray(acceleration, float)[..., None] * dt
    for k in range(steps):
        change = steer(position, velocity, k * dt)
        size = np.linalg.norm(change, axis=-1, keepdims=True)
        velocity = velocity + change * np.minimum(1.0, most / np.maximum(size, 1e-300))
        position = position + velocity * dt
        yield position, velocity


def recorded(*arguments: object, **named: object) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of `moves`, stacked."""
    positions, velocities = zip(*moves(*arguments, **named), strict=True)  # type: ignore[arg-type]
    return np.stack(positions), np.stack(velocities)
