"""A tree of boxes along the axes: what is near a place, or on a way, without asking all.

The tree is complete and lies in one array, like a heap: node 1 is the root, the children of node i
are 2i and 2i + 1, and the leaves, one box each, fill the second half. So a walk needs no stack:
the node after the whole branch of i is found by arithmetic alone.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import Vector

FAR = 1e300
"""Stands for 1 / 0, such that its product with zero is zero."""


def box_tree(
    lowest: NDArray[np.float64], highest: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Arrange boxes in a tree; each branch is split in half along the way its boxes spread most.

    Parameters
    ----------
    lowest, highest : (M, 3) ndarray
        Two corners of each box, m; may be infinite.

    Returns
    -------
    nodes : (2 * L * 6,) ndarray
        Two corners of all nodes; node 0 is not used. L, the number of leaves, is a power of two.
    leaves : (L,) ndarray of int64
        Which box each leaf holds, or −1.

    Examples
    --------
    >>> lowest = np.array([[5.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    >>> nodes, leaves = box_tree(lowest, lowest + 1.0)
    >>> leaves.tolist(), nodes.reshape(-1, 6)[1].tolist()
    ([1, 0], [1.0, 0.0, 0.0, 6.0, 1.0, 1.0])
    """
    count = len(lowest)
    size = 1 << max(count - 1, 0).bit_length()
    bounded = np.isfinite(lowest) & np.isfinite(highest)
    middle = np.where(bounded, lowest, 0.0) / 2.0 + np.where(bounded, highest, 0.0) / 2.0
    leaves = np.full(size, -1, np.int64)
    leaves[:count] = np.arange(count)
    width = size
    while width > 1:
        groups = leaves.reshape(-1, width)
        held = (groups >= 0)[:, :, None]
        at = middle[groups] if count else np.zeros((1, width, 3))
        spread = np.where(held, at, -np.inf).max(axis=1) - np.where(held, at, np.inf).min(axis=1)
        axis = np.argmax(spread, axis=1)
        key = np.take_along_axis(at, axis[:, None, None], axis=2)[:, :, 0]
        key = np.where(groups >= 0, key, np.inf)
        leaves = np.take_along_axis(groups, np.argsort(key, axis=1, kind="stable"), axis=1).ravel()
        width //= 2
    nodes = np.empty((2 * size, 6))
    nodes[:, :3], nodes[:, 3:] = np.inf, -np.inf
    held = leaves >= 0
    nodes[size:, :3][held], nodes[size:, 3:][held] = lowest[leaves[held]], highest[leaves[held]]
    while size > 1:
        pairs = nodes[size : 2 * size].reshape(-1, 2, 6)
        size //= 2
        nodes[size : 2 * size, :3] = pairs[:, :, :3].min(axis=1)
        nodes[size : 2 * size, 3:] = pairs[:, :, 3:].max(axis=1)
    return nodes.ravel(), leaves


@kernel(forceinline=True)
def past(node: int) -> int:
    """The node that comes after a node and all below it; 1 at the end of the walk."""
    node += 1
    while node & 1 == 0:
        node >>= 1
    return node


@kernel(forceinline=True)
def inverse(way: Vector) -> Vector:
    """One over each component of a vector, for `entry`."""
    x = 1.0 / way[0] if abs(way[0]) > 1.0 / FAR else FAR
    y = 1.0 / way[1] if abs(way[1]) > 1.0 / FAR else FAR
    z = 1.0 / way[2] if abs(way[2]) > 1.0 / FAR else FAR
    return x, y, z


@kernel(forceinline=True)
def entry(point: Vector, inverse_way: Vector, nodes: NDArray, node: int, grown: float) -> float:
    """When a moving point enters the box of a node, grown on all sides; inf if never.

    Parameters
    ----------
    point, inverse_way : tuple of float
    nodes : (2 * L * 6,) ndarray
        Of the tree.
    node : int
    grown : float
        m.
    """
    enter = 0.0
    leave = math.inf
    at = np.uint64(6 * node)
    if nodes[at] > nodes[at + np.uint64(3)]:  # a branch that holds no box
        return math.inf
    for k in range(3):
        low = (nodes[at + np.uint64(k)] - grown - point[k]) * inverse_way[k]
        high = (nodes[at + np.uint64(k + 3)] + grown - point[k]) * inverse_way[k]
        enter = max(enter, min(low, high))
        leave = min(leave, max(low, high))
    return enter if enter <= leave else math.inf


@kernel(forceinline=True)
def box_distance(point: Vector, nodes: NDArray, node: int) -> float:
    """Distance from a point to the box of a node; 0 inside.

    Parameters
    ----------
    point : tuple of float
    nodes : (2 * L * 6,) ndarray
        Of the tree.
    node : int
    """
    square = 0.0
    at = np.uint64(6 * node)
    for k in range(3):
        below = nodes[at + np.uint64(k)] - point[k]
        above = point[k] - nodes[at + np.uint64(k + 3)]
        out = max(below, above, 0.0)
        square += out * out
    return math.sqrt(square)


@kernel(forceinline=True)
def nearest_leaf(point: Vector, nodes: NDArray, leaves: int) -> int:
    """A leaf that is probably near a point: down the nearer branch at each fork.

    Parameters
    ----------
    point : tuple of float
    nodes : (2 * L * 6,) ndarray
        Of the tree.
    leaves : int
        L.
    """
    node = 1
    while node < leaves:
        left = box_distance(point, nodes, 2 * node)
        node = 2 * node + (1 if box_distance(point, nodes, 2 * node + 1) < left else 0)
    return node - leaves
