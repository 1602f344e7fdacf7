"""What has to hold for every behaviour: one agent as in a crowd, wherever and however turned."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Behaviour = Callable[..., Floats]


def rotation(d: int, rng: np.random.Generator, level: bool = False) -> Floats:
    """A random rotation (d, d); level: about the vertical."""
    if d == 2 or level:
        angle = rng.uniform(-np.pi, np.pi)
        turn = np.eye(d)
        turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        return turn
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def check_one_as_in_a_crowd(behaviour: Behaviour, *arrays: Floats) -> None:
    """``behaviour`` of arrays (N, ...) gives the same bits for each row alone."""
    together = behaviour(*arrays)
    for i in range(len(arrays[0])):
        alone = behaviour(*(array[i] for array in arrays))
        assert np.array_equal(alone, together[i])


def check_order_does_not_matter(behaviour: Behaviour, *arrays: Floats, seed: int = 0) -> None:
    order = np.random.default_rng(seed).permutation(len(arrays[0]))
    assert np.array_equal(behaviour(*(array[order] for array in arrays)), behaviour(*arrays)[order])


def check_nobody(behaviour: Behaviour, d: int, arrays: int = 2) -> None:
    assert behaviour(*[np.empty((0, d))] * arrays).shape == (0, d)
