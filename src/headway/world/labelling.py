"""Connected components of cells, how they join when cells open and may split when cells close.

Cells are labelled in one pass over the map, and labels that meet are joined in a union-find forest
in which no parent is above its child. All arrays are flat and padded as in `world.grid`; label 0 is
that of blocked cells.

References
----------
Labelling: A. Rosenfeld and J. Pfaltz, "Sequential operations in digital picture processing",
JACM 13(4), 1966. Splits: S. Yokoi, J. Toriwaki and T. Fukumura, "An analysis of topological
properties of digitized binary pictures using local features", CGIP 4(1), 1975.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel

Label = int | np.int64
"""Labels are stored in 32 bits and handled in 64, so that all kernels take them in one form."""
USED, COUNT, COARSE = range(3)
"""Places in the tally: labels in use, components, whether a component may have split."""


@kernel
def _root(parent: NDArray, label: Label) -> Label:
    while parent[label] != label:
        parent[label] = parent[parent[label]]
        label = parent[label]
    return label


@kernel
def _join(parent: NDArray, a: Label, b: Label) -> Label:
    """Join two labels under the lower, so that no parent is ever above its child."""
    first, second = _root(parent, a), _root(parent, b)
    low, high = min(first, second), max(first, second)
    parent[high] = low
    return low


@kernel
def _flatten(parent: NDArray, sizes: NDArray, tally: NDArray) -> None:
    """Hang all labels directly under their roots and add up the sizes there."""
    tally[COUNT] = 0
    for label in range(1, tally[USED] + 1):
        root = parent[parent[label]]
        parent[label] = root
        if root == label:
            tally[COUNT] += 1
        else:
            sizes[root] += sizes[label]
            sizes[label] = 0


def _example_arrays() -> tuple:
    names = np.zeros(25, np.int32), np.zeros(16, np.int32), np.zeros(16, np.int32)
    return (*names, np.zeros(3, np.int64))


@kernel(example=lambda: (np.zeros(25, np.uint8), 5, False, *_example_arrays()))
def label_grid(
    free: NDArray, stride: int, diagonal: bool, labels: NDArray, parent: NDArray, sizes: NDArray,
    tally: NDArray,
) -> None:  # fmt: skip
    """Label all cells anew. ``parent`` and ``sizes`` need a place for every second cell."""
    used = 0
    label = 0
    parent[0] = 0
    sizes[0] = 0
    for cell in range(stride, len(free) - stride):
        if free[cell] == 0:
            label = 0
            labels[cell] = 0
            continue
        above = np.int64(labels[cell - stride])
        if label != 0:
            # A run of cells meets each run above it once: where that begins.
            met = above if labels[cell - stride - 1] == 0 else 0
            if diagonal:
                met = np.int64(labels[cell - stride + 1]) if above == 0 else 0
            if met not in (0, label):
                _join(parent, label, met)
        else:
            label = above
            if diagonal and above == 0:
                label = np.int64(labels[cell - stride - 1])
                right = np.int64(labels[cell - stride + 1])
                if label == 0:
                    label = right
                elif right != 0:
                    _join(parent, label, right)
        if label == 0:
            used += 1
            label = used
            parent[label] = label
            sizes[label] = 0
        labels[cell] = label
        sizes[label] += 1
    tally[USED] = used
    tally[COARSE] = 0
    _flatten(parent, sizes, tally)


@kernel
def _parts(labels: NDArray, cell: int, stride: int, diagonal: bool) -> int:
    """Count into how many parts the neighbours of a cell fall without it (Yokoi's number).

    0 or 1 means that closing the cell splits nothing.
    """
    around = (1, 1 - stride, -stride, -1 - stride, -1, stride - 1, stride, stride + 1, 1)
    parts = 0
    for k in range(0, 8, 2):
        if (labels[cell + around[k]] != 0) != diagonal:
            corner = (labels[cell + around[k + 1]] != 0) != diagonal
            following = (labels[cell + around[k + 2]] != 0) != diagonal
            if not (corner and following):
                parts += 1
    return parts


@kernel
def _open(
    cell: int, stride: int, diagonal: bool, labels: NDArray, parent: NDArray, sizes: NDArray,
    tally: NDArray,
) -> None:  # fmt: skip
    """Give an opened cell the label of its neighbours, which it joins, or one of its own."""
    around = (1, -stride, -1, stride, 1 - stride, -1 - stride, stride - 1, stride + 1)
    label = 0
    for k in range(8 if diagonal else 4):
        other = np.int64(labels[cell + around[k]])
        if other == 0:
            continue
        other = _root(parent, other)
        if label == 0:
            label = other
        elif other != label:
            size = sizes[label] + sizes[other]
            label = _join(parent, label, other)
            sizes[label] = size
            tally[COUNT] -= 1
    if label == 0:
        tally[USED] += 1
        tally[COUNT] += 1
        label = tally[USED]
        parent[label] = label
        sizes[label] = 0
    labels[cell] = label
    sizes[label] += 1


@kernel(
    example=lambda: (np.zeros(25, np.uint8), 5, False, np.zeros(1, np.int64), *_example_arrays())
)
def follow_changes(
    free: NDArray, stride: int, diagonal: bool, changed: NDArray, labels: NDArray, parent: NDArray,
    sizes: NDArray, tally: NDArray,
) -> bool:  # fmt: skip
    """Apply changes of cells one by one; False if labels ran out, and all must be done anew."""
    for i in range(len(changed)):
        cell = changed[i]
        if (labels[cell] != 0) == (free[cell] != 0):
            continue
        if free[cell] != 0:
            if tally[USED] + 1 >= len(parent):
                return False
            _open(cell, stride, diagonal, labels, parent, sizes, tally)
            continue
        root = _root(parent, np.int64(labels[cell]))
        labels[cell] = 0
        sizes[root] -= 1
        if sizes[root] == 0:
            tally[COUNT] -= 1
        elif _parts(labels, cell, stride, diagonal) > 1:
            tally[COARSE] = 1
    return True
