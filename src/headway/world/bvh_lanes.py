"""Eight boxes or triangles at once, for kernels: what a query needs of each.

Loops without a branch, over numbers that lie next to each other, are what compilers turn into
instructions for several numbers at once.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.boxes3d import Aim, distance_between, span_between
from headway.geometry.swept_sphere import plane_entry, square_apart
from headway.geometry.vectors import Vector, minus
from headway.world.wide_bvh import ROW, WIDE

Triangle: TypeAlias = tuple[Vector, Vector, Vector, Vector]
"""A corner, the edges to the other two, and the unit normal."""


@kernel(forceinline=True)
def lane_vector(flat: NDArray, at: int) -> Vector:
    """Three numbers of one lane."""
    first, step = np.uint64(at), np.uint64(WIDE)
    return flat[first], flat[first + step], flat[first + step + step]


@kernel(forceinline=True)
def box_of(boxes: NDArray, node: int, lane: int) -> tuple[Vector, Vector]:
    """The lowest and the highest corner of one of eight boxes."""
    first, step = np.uint64(node * (6 * WIDE) + lane), np.uint64(WIDE)
    second = first + np.uint64(3 * WIDE)
    return (
        (boxes[first], boxes[first + step], boxes[first + step + step]),
        (boxes[second], boxes[second + step], boxes[second + step + step]),
    )


@kernel(forceinline=True)
def triangle_of(rows: NDArray, i: int) -> Triangle:
    """Triangle i of all blocks."""
    at = (i // WIDE) * (WIDE * ROW) + i % WIDE
    return (
        lane_vector(rows, at), lane_vector(rows, at + 3 * WIDE), lane_vector(rows, at + 6 * WIDE),
        lane_vector(rows, at + 9 * WIDE),
    )  # fmt: skip


@kernel(forceinline=True)
def lanes_below(values: NDArray, limit: float) -> np.uint64:
    """Which of eight numbers are below a limit, as the bits of a word."""
    which = np.uint64(0)
    for lane in range(WIDE):
        which |= np.uint64(values[np.uint64(lane)] < limit) << np.uint64(lane)
    return which


@kernel(forceinline=True)
def enter_boxes(
    boxes: NDArray, node: int, lanes: int, aim: Aim, limit: float, entries: NDArray
) -> None:
    """Find where a sphere enters each of eight boxes; inf if not before the limit."""
    for lane in range(lanes):
        low, high = box_of(boxes, node, lane)
        entry, leave = span_between(low, high, aim, limit)
        entries[np.uint64(lane)] = entry if entry <= leave else math.inf


@kernel(forceinline=True)
def approach_boxes(boxes: NDArray, node: int, lanes: int, point: Vector, squares: NDArray) -> None:
    """Find the squared distance of a point from each of eight boxes."""
    for lane in range(lanes):
        low, high = box_of(boxes, node, lane)
        squares[np.uint64(lane)] = distance_between(low, high, point)


@kernel(forceinline=True)
def enter_planes(
    rows: NDArray, block: int, lanes: int, centre: Vector, way: Vector, radius: float,
    limit: float, soonest: NDArray, on_face: NDArray,
) -> None:  # fmt: skip
    """Find when a sphere may touch each triangle of a block, at the soonest; inf for never.

    The same where it does then touch the face, inf elsewhere.
    """
    first = block * (ROW * WIDE)
    for lane in range(lanes):
        a, ab = lane_vector(rows, first + lane), lane_vector(rows, first + lane + 3 * WIDE)
        ac = lane_vector(rows, first + lane + 6 * WIDE)
        normal = lane_vector(rows, first + lane + 9 * WIDE)
        p = minus(centre, a)
        start, face = plane_entry(p, ab, ac, normal, way, radius, limit)
        soonest[np.uint64(lane)] = start
        on_face[np.uint64(lane)] = start if face else math.inf


@kernel(forceinline=True)
def approach_triangles(
    rows: NDArray, block: int, lanes: int, point: Vector, squares: NDArray
) -> None:
    """Find the squared distance of a point from each triangle of a block."""
    first = block * (ROW * WIDE)
    for lane in range(lanes):
        a, ab = lane_vector(rows, first + lane), lane_vector(rows, first + lane + 3 * WIDE)
        ac = lane_vector(rows, first + lane + 6 * WIDE)
        normal = lane_vector(rows, first + lane + 9 * WIDE)
        squares[np.uint64(lane)] = square_apart(minus(point, a), ab, ac, normal)
