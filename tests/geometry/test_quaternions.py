"""Quaternions, against SciPy."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from headway.geometry.quaternions import rotated, turned_by, unrotated


def some(n=20):
    rng = np.random.default_rng(0)
    q = rng.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True), rng.normal(size=(n, 3))


def rotation(q):
    return Rotation.from_quat(np.roll(q, -1))


def test_body_axes_turn_to_world_axes_and_back():
    for q, v in zip(*some(), strict=True):
        there = rotated(tuple(q), tuple(v))
        np.testing.assert_allclose(there, rotation(q).apply(v), atol=1e-14)
        np.testing.assert_allclose(unrotated(tuple(q), there), v, atol=1e-14)


def test_a_cayley_rotation_turns_about_its_vector_in_the_body_frame():
    for q, half in zip(*some(), strict=True):
        size = np.linalg.norm(half)
        turn = Rotation.from_rotvec(half / size * 2.0 * math.atan(size))
        after = turned_by(tuple(q), tuple(half))
        np.testing.assert_allclose(np.linalg.norm(after), 1.0, rtol=1e-14)
        wanted = (rotation(q) * turn).as_matrix()
        np.testing.assert_allclose(rotation(np.array(after)).as_matrix(), wanted, atol=1e-14)
