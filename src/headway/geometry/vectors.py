"""Vectors as tuples of three numbers, for kernels that handle one agent at a time.

Agents in the plane are agents in space whose third coordinate is zero, so each formula is written
once. Tuples of numbers live in registers: a kernel written with them is as fast as one that spells
out x, y and z.

Arrays come to kernels flat: (N, d) as N·d numbers. An array that holds one row, or one number,
stands for all agents: `vector` and `number` see to it.

A loop of arithmetic only is three to nine times as fast where the compiler can handle several
agents at once. `steer.seek` is an example of how to write one:

- it goes block by block, and reads arguments, as `rows.each_vector` and `rows.each_number` lay
  them out, by `vector_of` and `number_of`;
- it is a function of its own that is called with d = 3 or else with d = 2, as constants;
- it gathers what is wrong in a number, and does not remember where: ``wrong |= int(...)``;
- it calls no other function than sqrt, and reads and writes at most nine arrays.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel

Vector: TypeAlias = tuple[float, float, float]

TINY = 1e-12
"""Shorter vectors have no direction."""

BLOCK = 512
"""Agents that loops handle between two looks at which arguments are the same for all."""


@kernel(forceinline=True)
def vector(flat: NDArray, i: int, d: int) -> Vector:
    """Row i of a flat array, or its only row."""
    at = np.uint64(i * d) if len(flat) > d else np.uint64(0)
    z = flat[at + np.uint64(2)] if d == 3 else 0.0
    return flat[at], flat[at + np.uint64(1)], z


@kernel(forceinline=True)
def number(values: NDArray, i: int) -> float:
    """Value i of an array, or its only value."""
    return values[np.uint64(i)] if len(values) > 1 else values[np.uint64(0)]


@kernel(forceinline=True)
def vector_of(flat: NDArray, i: int, start: int, d: int) -> Vector:
    """Row i, in the block from start on, of a flat array; one for all fills only one block."""
    at = np.uint64((i - (0 if len(flat) > BLOCK * d else start)) * d)
    return flat[at], flat[at + np.uint64(1)], flat[at + np.uint64(2)] if d == 3 else 0.0


@kernel(forceinline=True)
def number_of(values: NDArray, i: int, start: int) -> float:
    """Value i, in the block from start on, of an array; one for all fills only one block."""
    return values[np.uint64(i - (0 if len(values) > BLOCK else start))]


@kernel(forceinline=True)
def store(flat: NDArray, i: int, d: int, v: Vector) -> bool:
    """Write row i of a flat array; returns whether all of it is finite."""
    at = np.uint64(i * d)
    flat[at] = v[0]
    flat[at + np.uint64(1)] = v[1]
    if d == 3:
        flat[at + np.uint64(2)] = v[2]
    return math.isfinite(v[0]) and math.isfinite(v[1]) and math.isfinite(v[2])


@kernel(forceinline=True)
def stored(flat: NDArray, i: int, d: int) -> Vector:
    """Row i of a flat array, as `store` has written it."""
    at = np.uint64(i * d)
    return flat[at], flat[at + np.uint64(1)], flat[at + np.uint64(2)] if d == 3 else 0.0


@kernel(forceinline=True)
def plus(a: Vector, b: Vector) -> Vector:
    """Sum of a and b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(forceinline=True)
def minus(a: Vector, b: Vector) -> Vector:
    """Difference of a and b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(forceinline=True)
def times(a: Vector, factor: float) -> Vector:
    """Product of a and a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


@kernel(forceinline=True)
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(forceinline=True)
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product, right-handed."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel(forceinline=True)
def length(a: Vector) -> float:
    """Euclidean length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel(forceinline=True)
def unit(a: Vector) -> Vector:
    """The direction of a; zero if a is too short to have one, NaN if too long."""
    size = length(a)
    factor = 1.0 / size + 0.0 * size if size > TINY else 0.0  # NaN, not 0, where size is infinite
    return a[0] * factor, a[1] * factor, a[2] * factor


@kernel(forceinline=True)
def left_of(forward: Vector) -> Vector:
    """Horizontal unit vector to the left of a direction; +y if that is vertical."""
    left = unit((-forward[1], forward[0], 0.0))
    return left if dot(left, left) > 0.5 else (0.0, 1.0, 0.0)


@kernel(forceinline=True)
def limited(a: Vector, longest: float) -> Vector:
    """The vector a, shortened if it is longer than a limit; NaN if too long to be measured."""
    size = length(a)
    factor = longest / size + 0.0 * size if size > longest else 1.0
    return a[0] * factor, a[1] * factor, a[2] * factor
