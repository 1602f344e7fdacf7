"""A hierarchy of boxes around triangles, eight in each, so that a query looks only at those near.

Of a tree of boxes split in two, each keeps the eight below it that are largest. What a query needs
of eight boxes, or of eight triangles, lies next to each other, so that the processor works on
several at once.

References
----------
Dammertz, H., Hanika, J. and Keller, A. (2008). Shallow bounding volume hierarchies for fast SIMD
ray tracing of incoherent rays. Computer Graphics Forum 27(4), 1225-1233.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.swept_sphere import face_normal
from headway.geometry.vectors import minus, vector
from headway.world.bvh import NODE, split_triangles

WIDE = 8
"""Boxes in a box, and triangles in a block."""
ROW = 12
"""Numbers of a triangle: a corner, the edges to the other two, and its unit normal."""
STACK = 512
"""Room for the boxes that a query has yet to visit."""


class Bvh(NamedTuple):
    """Boxes within boxes, down to blocks of triangles."""

    boxes: NDArray[np.float32]
    """Flat, of each eight boxes their lowest x, lowest y and so on; the first are at the top.
    Those left over are infinitely far away."""
    links: NDArray[np.int32]
    """What is in each box: which eight boxes, or below zero, -1 minus which block."""
    rows: NDArray[np.float64]
    """Flat, of each block the first number of all triangles, the second, and so on up to `ROW`.
    Those left over are infinitely far away."""
    order: NDArray[np.int32]
    """Which triangle of the mesh each of a block is; -1 for those left over."""
    lanes: int
    """`WIDE`. Compilers do not look at several numbers at once in loops known to be that short."""
    span: float
    """The largest coordinate, m, without sign: how precise boxes are."""


def build_bvh(corners: NDArray[np.float64]) -> Bvh:
    """Build the hierarchy.

    Parameters
    ----------
    corners : (T, 3, 3) ndarray
        The three corners of each triangle, m, finite.

    Returns
    -------
    Bvh
        Of no triangles too.

    Examples
    --------
    >>> build_bvh(np.eye(3)[np.newaxis]).boxes.reshape(6, 8)[:, 0].tolist()
    [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    """
    tree = split_triangles(corners)
    most = len(tree.nodes) // NODE
    memory = np.empty(6 * WIDE * most + 2 * WIDE, np.float32)
    skip = -(memory.ctypes.data // 4) % (2 * WIDE)  # whole cache lines
    boxes = memory[skip : skip + 6 * WIDE * most]
    links, leaves = np.empty(WIDE * most, np.int32), np.empty(2 * most, np.int64)
    used, blocks = _widen(tree.nodes, tree.links, boxes, links, leaves)
    rows, order = np.empty(blocks * WIDE * ROW), np.full(blocks * WIDE, -1, np.int32)
    _lay_out(np.ascontiguousarray(corners).ravel(), tree.order, leaves, rows, order)
    span = float(np.abs(corners).max()) if len(corners) else 0.0
    return Bvh(boxes[: used * 6 * WIDE], links[: used * WIDE].copy(), rows, order, WIDE, span)


def _example() -> tuple[Any, ...]:
    tree = split_triangles(np.eye(3)[np.newaxis])
    return (
        tree.nodes, tree.links, np.empty(6 * WIDE, np.float32), np.empty(WIDE, np.int32),
        np.empty(2, np.int64),
    )  # fmt: skip


@kernel(example=_example)
def _widen(
    nodes: NDArray, links: NDArray, boxes: NDArray, wide_links: NDArray, leaves: NDArray
) -> tuple[int, int]:
    """Fill in boxes, their links, and first and number of the triangles of each block.

    Returns how many times eight boxes there are, and how many blocks.
    """
    todo, inside = np.empty((STACK, 2), np.int64), np.empty(WIDE, np.int64)
    todo[0] = 0, 0
    waiting, used, blocks = 1, 1, 0
    below = np.empty(len(nodes) // NODE, np.int64)
    _count_below(links, below)
    while waiting:
        waiting -= 1
        node, mine = todo[waiting]
        count = _open(nodes, links, below, node, inside)
        for lane in range(WIDE):
            at = mine * WIDE + lane
            for k in range(3):
                low = high = np.float32(np.inf)
                if lane < count:
                    low = nodes[inside[lane] * NODE + k]
                    high = nodes[inside[lane] * NODE + 3 + k]
                boxes[(6 * mine + k) * WIDE + lane] = low
                boxes[(6 * mine + 3 + k) * WIDE + lane] = high
            wide_links[at] = 0
            if lane >= count:
                continue
            first, size = links[inside[lane] * NODE + 6], links[inside[lane] * NODE + 7]
            if size < 0:
                wide_links[at] = used
                todo[waiting] = inside[lane], used
                used, waiting = used + 1, waiting + 1
            else:
                wide_links[at] = -1 - blocks
                leaves[2 * blocks], leaves[2 * blocks + 1] = first, size
                blocks += 1
    return used, blocks


@kernel
def _open(nodes: NDArray, links: NDArray, below: NDArray, node: int, inside: NDArray) -> int:
    """Find up to eight boxes in one, by opening the largest again and again.

    Those that are going to fill eight boxes or fewer stay closed, the smallest the shortest: they
    are opened if there is room for all of what is in them.
    """
    inside[0] = node
    count = 0 if links[node * NODE + 7] == 0 else 1
    while 0 < count < WIDE:
        largest, which = -np.inf, -1
        for i in range(count):
            inner = below[inside[i]]
            rank = float(_half_area(nodes, inside[i] * NODE)) if inner > WIDE else -float(inner)
            if rank > largest and inner > 1 and (inner > WIDE or inner <= WIDE + 1 - count):
                largest, which = rank, i
        if which < 0:
            break
        first = links[inside[which] * NODE + 6]
        inside[which], inside[count] = first, first + 1
        count += 1
    return count


@kernel(forceinline=True)
def _half_area(nodes: NDArray, at: int) -> float:
    """Half the surface of a box."""
    x, y, z = (
        nodes[at + 3] - nodes[at],
        nodes[at + 4] - nodes[at + 1],
        nodes[at + 5] - nodes[at + 2],
    )
    return x * y + y * z + z * x


@kernel
def _count_below(links: NDArray, below: NDArray) -> None:
    """Count the boxes of triangles in each box; what is in a box comes after it."""
    for node in range(len(below) - 1, -1, -1):
        below[node] = 1
        if links[node * NODE + 7] < 0:
            first = links[node * NODE + 6]
            below[node] = below[first] + below[first + 1]


@kernel(
    example=lambda: (
        np.zeros(9), np.arange(1), np.array((0, 1)), np.empty(WIDE * ROW),
        np.full(WIDE, -1, np.int32),
    )
)  # fmt: skip
def _lay_out(
    corners: NDArray, sorted_by_box: NDArray, leaves: NDArray, rows: NDArray, order: NDArray
) -> None:
    """Write the rows of each block, and which triangles they are."""
    for block in range(len(order) // WIDE):
        for lane in range(WIDE):
            a, ab, ac = (np.inf, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            normal = (1.0, 0.0, 0.0)
            if lane < leaves[2 * block + 1]:
                triangle = int(sorted_by_box[leaves[2 * block] + lane])
                order[block * WIDE + lane] = triangle
                a = vector(corners, 3 * triangle, 3)
                ab = minus(vector(corners, 3 * triangle + 1, 3), a)
                ac = minus(vector(corners, 3 * triangle + 2, 3), a)
                normal = face_normal(ab, ac)
            for k in range(3):
                at = (block * ROW + k) * WIDE + lane
                rows[at], rows[at + 3 * WIDE] = a[k], ab[k]
                rows[at + 6 * WIDE], rows[at + 9 * WIDE] = ac[k], normal[k]
