"""A tree of boxes around triangles, split in two again and again.

Boxes are split where the expected cost of a query is least: the surface area heuristic, over 16
bins along each axis. Deep down, where bad luck could make a tree without end, boxes are split into
halves of equal number instead.

References
----------
Wald, I. (2007). On fast construction of SAH-based bounding volume hierarchies. IEEE Symposium on
Interactive Ray Tracing, 33-40.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel

BINS = 16
LEAF = 8
"""Most triangles in a box that is not split."""
NODE = 8
"""Numbers of a node: the lowest corner of its box, the highest, and two links, which are integers:
its first child and -1 where it has two children (next to each other), its first triangle and how
many there are where it has none."""
DEEP = 30
"""From here on boxes are halved, so that no path is longer than this and 32 more."""
SINGLE = 1.2e-7
"""Precision of a number of 32 bits: its last digit, as part of it."""
STACK = 64
"""Room for the boxes that are yet to be split."""


class Tree(NamedTuple):
    """Boxes within boxes, two in each, down to a few triangles."""

    nodes: NDArray[np.float32]
    """Flat, `NODE` numbers each; the first is the root."""
    links: NDArray[np.int32]
    """The same memory, as integers."""
    order: NDArray[np.int64]
    """The triangles, sorted by the box they are in."""


def split_triangles(corners: NDArray[np.float64]) -> Tree:
    """Split boxes until there are few triangles in each.

    Parameters
    ----------
    corners : (T, 3, 3) ndarray
        The three corners of each triangle, m, finite.

    Returns
    -------
    Tree
        Of no triangles too.

    Examples
    --------
    >>> split_triangles(np.eye(3)[np.newaxis]).nodes[:6].tolist()
    [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    """
    count = len(corners)
    boxes = np.concatenate((corners.min(axis=1), corners.max(axis=1)), axis=1).ravel()
    order = np.arange(count)
    nodes = np.empty((2 * count + 1) * NODE, np.float32)
    used = _build(boxes, order, nodes, nodes.view(np.int32))
    nodes = nodes[: used * NODE]
    return Tree(nodes, nodes.view(np.int32), order)


def box_node(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float32]:
    """A single box, laid out like a node.

    Parameters
    ----------
    low, high : (3,) ndarray
        Its corners, m.

    Returns
    -------
    (8,) ndarray of float32
        Rounded outwards.

    Examples
    --------
    >>> box_node(np.zeros(3), np.ones(3))[:6]
    array([0., 0., 0., 1., 1., 1.], dtype=float32)
    """
    node = np.zeros(NODE, np.float32)
    node[:3], node[3:6] = low, high
    node[:3] = np.where(node[:3] > low, np.nextafter(node[:3], np.float32(-np.inf)), node[:3])
    node[3:6] = np.where(node[3:6] < high, np.nextafter(node[3:6], np.float32(np.inf)), node[3:6])
    return node


def _example() -> tuple[NDArray, NDArray, NDArray, NDArray]:
    nodes = np.empty(8 * NODE, np.float32)
    return (
        np.tile(np.array((0.0, 0.0, 0.0, 1.0, 1.0, 1.0)), 2),
        np.arange(2),
        nodes,
        nodes.view(np.int32),
    )


@kernel(example=_example)
def _build(boxes: NDArray, order: NDArray, nodes: NDArray, links: NDArray) -> int:
    """Fill in the nodes, and sort the order by leaves; returns how many nodes there are."""
    todo, bins, found = np.empty((STACK, 4), np.int64), np.empty((3 * BINS, 7)), np.empty((4, 3))
    suffix = np.empty((BINS, 2))
    todo[0] = 0, 0, len(order), 0
    waiting, used = 1, 1
    while waiting:
        waiting -= 1
        node, first, last, depth = todo[waiting]
        _enclose(boxes, order, first, last, found)
        for k in range(3):
            nodes[node * NODE + k] = _rounded(found[0, k], -1.0)
            nodes[node * NODE + 3 + k] = _rounded(found[1, k], 1.0)
        count = last - first
        if count <= LEAF:
            links[node * NODE + 6] = first
            links[node * NODE + 7] = count
            continue
        axis, cut = -1, 0
        if depth < DEEP:
            _fill_bins(boxes, order, first, last, found, bins)
            axis, cut = _best_cut(found, bins, suffix)
        middle = (first + last) // 2
        if axis >= 0:
            middle = _part(boxes, order, first, last, found, axis, cut)
        links[node * NODE + 6] = used
        links[node * NODE + 7] = -1
        todo[waiting] = used, first, middle, depth + 1
        todo[waiting + 1] = used + 1, middle, last, depth + 1
        waiting += 2
        used += 2
    return used


@kernel(forceinline=True)
def _rounded(value: float, outward: float) -> np.float32:
    """A number of single precision that is no smaller, or for outward -1 no larger."""
    single = np.float32(value)
    if (value - single) * outward > 0.0:
        single = np.float32(value + outward * abs(value) * SINGLE + outward * 1e-38)
    return single


@kernel
def _enclose(boxes: NDArray, order: NDArray, first: int, last: int, found: NDArray) -> None:
    """Find the box of some triangles (rows 0 and 1), and that of the centres of theirs (2, 3)."""
    found[::2] = np.inf
    found[1::2] = -np.inf
    for i in range(first, last):
        at = np.uint64(order[np.uint64(i)] * 6)
        for k in range(3):
            low, high = boxes[at + np.uint64(k)], boxes[at + np.uint64(3 + k)]
            found[0, k] = min(found[0, k], low)
            found[1, k] = max(found[1, k], high)
            found[2, k] = min(found[2, k], low + high)
            found[3, k] = max(found[3, k], low + high)


@kernel(forceinline=True)
def _bin(boxes: NDArray, triangle: int, axis: int, low: float, scale: float) -> int:
    at = np.uint64(triangle * 6 + axis)
    return min(int((boxes[at] + boxes[at + np.uint64(3)] - low) * scale), BINS - 1)


@kernel(forceinline=True)
def _scale(found: NDArray, axis: int) -> float:
    """Bins for each metre; 0 if all centres are the same there."""
    width = found[3, axis] - found[2, axis]
    return BINS / width if width > 1e-300 else 0.0


@kernel
def _fill_bins(
    boxes: NDArray, order: NDArray, first: int, last: int, found: NDArray, bins: NDArray
) -> None:
    """Count the triangles of each bin of each axis, and find their boxes."""
    for i in range(3 * BINS):
        for k in range(3):
            bins[i, k] = np.inf
            bins[i, k + 3] = -np.inf
        bins[i, 6] = 0.0
    for axis in range(3):
        low, scale = found[2, axis], _scale(found, axis)
        for i in range(first, last):
            triangle = order[np.uint64(i)]
            row = np.uint64(axis * BINS + _bin(boxes, triangle, axis, low, scale))
            at = np.uint64(triangle * 6)
            for k in range(3):
                here, there = np.uint64(k), np.uint64(k + 3)
                bins[row, here] = min(bins[row, here], boxes[at + here])
                bins[row, there] = max(bins[row, there], boxes[at + there])
            bins[row, np.uint64(6)] += 1.0


@kernel(forceinline=True)
def _half_area(low: NDArray, high: NDArray) -> float:
    """Half the surface of a box."""
    x, y, z = high[0] - low[0], high[1] - low[1], high[2] - low[2]
    return x * y + y * z + z * x


@kernel
def _best_cut(found: NDArray, bins: NDArray, suffix: NDArray) -> tuple[int, int]:
    """Axis and bin before which to cut; axis -1 if all are in one place."""
    best_axis, best_cut, best_cost = -1, 0, np.inf
    box = np.empty(6)
    for axis in range(3):
        if _scale(found, axis) == 0.0:
            continue
        box[:3], box[3:] = np.inf, -np.inf
        count = 0.0
        for i in range(BINS - 1, 0, -1):
            count += _join(box, bins[axis * BINS + i])
            suffix[i, 0] = count
            suffix[i, 1] = _half_area(box[:3], box[3:]) if count > 0.0 else 0.0
        box[:3], box[3:] = np.inf, -np.inf
        count = 0.0
        for i in range(1, BINS):
            count += _join(box, bins[axis * BINS + i - 1])
            if count > 0.0 and suffix[i, 0] > 0.0:
                cost = _half_area(box[:3], box[3:]) * count + suffix[i, 1] * suffix[i, 0]
                if cost < best_cost:
                    best_axis, best_cut, best_cost = axis, i, cost
    return best_axis, best_cut


@kernel(forceinline=True)
def _join(box: NDArray, part: NDArray) -> float:
    """Let a box grow by that of a bin; returns how many triangles are in it."""
    for k in range(3):
        box[k] = min(box[k], part[k])
        box[k + 3] = max(box[k + 3], part[k + 3])
    return part[6]


@kernel
def _part(
    boxes: NDArray, order: NDArray, first: int, last: int, found: NDArray, axis: int, cut: int
) -> int:
    """Sort triangles by the side of the cut they are on; returns where the second side begins."""
    low, scale = found[2, axis], _scale(found, axis)
    left, right = first, last - 1
    while left <= right:
        triangle = order[np.uint64(left)]
        if _bin(boxes, triangle, axis, low, scale) < cut:
            left += 1
        else:
            order[np.uint64(left)] = order[np.uint64(right)]
            order[np.uint64(right)] = triangle
            right -= 1
    return left
