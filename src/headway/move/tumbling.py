"""How a rigid body moves over one step: tumbling that keeps its energy and its momentum.

Rotation is integrated in angular momentum by the implicit midpoint rule, whose step is a Cayley
rotation: the momentum in the world and the energy of a free body stay what they are, however long
it tumbles. Suzuki's composition of five such steps, forwards and back, makes the method fourth
order.
"""

from __future__ import annotations

from typing import TypeAlias

from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.quaternions import Quaternion, rotated, turned_by
from headway.geometry.vectors import Vector, cross, dot, length, minus, plus, times, vector

Matrix: TypeAlias = tuple[Vector, Vector, Vector]
"""By rows."""

OUTER = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
"""Share of the four outer of five steps that Suzuki's composition makes of one."""
MOST_TURN = 0.25
"""rad: a step that turns a body further is split."""
MOST_PARTS = 256


@kernel(forceinline=True)
def through(m: Matrix, v: Vector) -> Vector:
    """Product of a matrix and a vector."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


@kernel(forceinline=True)
def matrix(flat: NDArray, i: int) -> Matrix:
    """Matrix i of a flat array, or its only one."""
    at = 3 * i if len(flat) > 9 else 0
    return vector(flat, at, 3), vector(flat, at + 1, 3), vector(flat, at + 2, 3)


@kernel
def _spun(momentum: Vector, inverse: Matrix, h: float) -> tuple[Vector, Vector]:
    """The momentum, body frame, of a free body after h, and half of how it has turned."""
    after = momentum
    size = 1e-15 * length(momentum)
    half = (0.0, 0.0, 0.0)
    for _ in range(30):
        middle = times(plus(momentum, after), 0.5)
        half = times(through(inverse, middle), 0.5 * h)
        again = plus(momentum, cross(times(middle, 2.0), half))
        change = length(minus(again, after))
        after = again
        if change <= size:
            break
    # the Cayley rotation by what was found keeps the size of the momentum to the last bit
    x = minus(momentum, cross(half, momentum))
    square = dot(half, half)
    turned = minus(plus(x, times(half, dot(half, x))), cross(half, x))
    return times(turned, 1.0 / (1.0 + square)), half


@kernel
def moved_body(
    state: tuple[Vector, Vector, Quaternion, Vector], inertia: Matrix, inverse: Matrix,
    push: Vector, fall: Vector, torque: Vector, dt: float,
) -> tuple[Vector, Vector, Quaternion, Vector]:  # fmt: skip
    """Position, velocity, attitude and rates of one body after a step, within a kernel.

    Acceleration `push` and `torque` are in the body frame and turn with it, acceleration `fall`
    is in the world frame.
    """
    p, v, q, rates = state
    momentum = through(inertia, rates)
    gained = length(through(inverse, times(torque, dt)))
    turns = (length(rates) + gained) * dt / MOST_TURN
    parts = 1 + int(turns) if turns < MOST_PARTS else MOST_PARTS
    for part in range(5 * parts):
        h = dt / parts * (1.0 - 4.0 * OUTER if part % 5 == 2 else OUTER)
        half = 0.5 * h
        v = plus(v, times(plus(rotated(q, push), fall), half))
        momentum = plus(momentum, times(torque, half))
        p = plus(p, times(v, h))
        momentum, turn = _spun(momentum, inverse, h)
        q = turned_by(q, turn)
        v = plus(v, times(plus(rotated(q, push), fall), half))
        momentum = plus(momentum, times(torque, half))
    return p, v, q, through(inverse, momentum)
