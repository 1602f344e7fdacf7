"""The few nearest agents around an agent, by a grid without edges.

Agents are sorted into square cells, row by row, and all that others ask of them is copied in that
order, so that a stretch of cells of one row is a stretch of memory. The table of cells is a ring:
cell (column, row) has the place row · stride + column, modulo its size. With a stride of the golden
section of the size, rows that lie together lie apart in the ring, whatever the shape of the crowd,
and the cost does not depend on how far agents are spread.

Agents at exactly the same distance come in the order of cells, and in one cell by index.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.vectors import number, vector

MOST = 64
"""No agent minds more neighbours than this."""
KEPT = 128  # candidates at hand, a power of two above MOST
LAST = KEPT - 1
FARTHEST = 1e12
"""Cells farther from the origin are out of reach of exact whole numbers."""
NOTHING = np.int64(2**63 - 1)
GOLDEN = 0.6180339887498949

X, Y, VX, VY, RADIUS, SHARE, LOW, HIGH = range(8)
"""Columns that others ask for: m, m/s, m, responsibility, m; one cache line."""
PX, PY, SPEED, HORIZON, WALL_HORIZON, REACH, COUNT = range(8, 15)
"""Columns of an agent's own: preferred velocity and so on."""
COLUMNS = 16


@kernel
def cell_of(x: float, y: float, width: float, stride: int, mask: int) -> int:
    """Place in the ring of the cell that holds a point."""
    return (math.floor(y / width) * stride + math.floor(x / width)) & mask


@kernel(
    example=lambda: (
        np.zeros(4), 1.0, np.empty(2, np.int64), np.empty(17, np.int64), np.empty(2, np.int64),
    ),
)  # fmt: skip
def sort_into_cells(
    position: NDArray, width: float, cells: NDArray, start: NDArray, order: NDArray
) -> float:
    """Sort agents by cell (counting sort); returns how many share a cell, as an agent sees it."""
    size = len(start) - 1
    stride = ring_stride(size)
    start[:] = 0
    for i in range(len(cells)):
        cell = cell_of(position[2 * i], position[2 * i + 1], width, stride, size - 1)
        cells[i] = cell
        start[cell] += 1
    total, sharing = 0, 0.0
    for cell in range(size):
        sharing += float(start[cell]) ** 2
        total += start[cell]
        start[cell] = total
    start[size] = total
    for i in range(len(cells) - 1, -1, -1):
        start[cells[i]] -= 1
        order[start[cells[i]]] = i
    return sharing / max(1, total)


@kernel
def ring_stride(size: int) -> int:
    """How far apart two neighbouring rows lie in the ring: odd, near the golden section."""
    return int(GOLDEN * size) | 1


def _example() -> tuple:
    each = (np.ones(1) for _ in range(7))
    return (
        np.zeros(1, np.int64), 1.0, np.zeros(1), np.zeros(1), np.zeros(1, np.bool_),
        np.zeros((1, COLUMNS)), np.zeros(1), np.zeros(1), np.zeros(1, np.int64),
        np.zeros(2), np.zeros(2), np.zeros(2), *each,
    )  # fmt: skip


@kernel(example=_example)
def lay_out(
    order: NDArray, width: float, low: NDArray, high: NDArray, static: NDArray,
    block: NDArray, xs: NDArray, ys: NDArray, rows: NDArray,
    position: NDArray, velocity: NDArray, preferred: NDArray, radius: NDArray, speed: NDArray,
    horizon: NDArray, wall_horizon: NDArray, reach: NDArray, count: NDArray, share: NDArray,
) -> int:  # fmt: skip
    """Copy agents in order of cells; returns one with numbers that are of no use, or -1."""
    bad = -1
    for k in range(len(order)):
        i = order[k]
        row, still = block[k], static[i]
        xs[k], ys[k], _ = vector(position, i, 2)
        rows[k] = math.floor(ys[k] / width)
        row[X], row[Y] = xs[k], ys[k]
        row[VX], row[VY], _ = vector(velocity, i, 2)
        row[PX], row[PY], _ = vector(preferred, i, 2)
        row[RADIUS], row[SPEED] = number(radius, i), number(speed, i)
        row[HORIZON], row[WALL_HORIZON] = number(horizon, i), number(wall_horizon, i)
        row[REACH], row[COUNT], row[SHARE] = number(reach, i), number(count, i), number(share, i)
        row[LOW], row[HIGH] = number(low, i), number(high, i)
        total = row[X] + row[Y] + row[VX] + row[VY] + row[PX] + row[PY] + row[RADIUS] + row[SHARE]
        total += row[SPEED] + row[HORIZON] + row[WALL_HORIZON] + row[REACH]
        least = min(row[RADIUS], row[SPEED], row[REACH], row[SHARE], row[COUNT], MOST - row[COUNT])
        whole = row[COUNT] == math.floor(row[COUNT])
        horizons = row[HORIZON] > 0.0 and row[WALL_HORIZON] > 0.0
        if not (math.isfinite(total) and least >= 0.0 and whole and horizons):
            bad = i
        if still:
            row[VX] = row[VY] = row[PX] = row[PY] = row[SHARE] = 0.0
    return bad


@kernel(allocates=False)
def sort_keys(keys: NDArray, count: int, ranked: NDArray) -> None:
    """Put keys in order: each goes where the number of smaller ones says."""
    full = (count + 15) & ~15
    for k in range(count, full):
        keys[np.uint64(k)] = NOTHING
    for k in range(count):
        key, rank = keys[np.uint64(k)], 0
        for block in range(0, full, 16):
            for other in range(16):
                rank += int(keys[np.uint64(block + other)] < key)
        ranked[np.uint64(rank)] = key


@kernel(allocates=False)
def keep_nearest(keys: NDArray, most: int, ranked: NDArray, who: NDArray) -> float:
    """Of too many candidates keep the nearest few; returns how far (squared) the last is."""
    sort_keys(keys, KEPT, ranked)
    for k in range(most):
        who[KEPT + k] = who[ranked[k] & LAST]
    for k in range(most):
        who[k] = who[KEPT + k]
        keys[k] = (ranked[k] & ~LAST) | k
    return np.int64(ranked[most - 1] | LAST).view(np.float64)


@kernel(allocates=False)
def may_meet(block: NDArray, layers: NDArray, me: int, other: int) -> bool:
    """Tell whether two agents have a layer in common and are at heights in common."""
    return (
        (layers[me] & layers[other]) != 0
        and block[me, LOW] <= block[other, HIGH]
        and block[other, LOW] <= block[me, HIGH]
    )


@kernel(forceinline=True, allocates=False)
def _scan(
    begin: int, end: int, me: int, row: int, reach: float, most: int, layered: bool,
    block: NDArray, layers: NDArray, xs: NDArray, ys: NDArray, rows: NDArray,
    keys: NDArray, ranked: NDArray, who: NDArray, count: int,
) -> tuple[int, float]:  # fmt: skip
    """Keep those of a stretch of agents that are within reach; returns their number and reach.

    No branch depends on who is. A key is the squared distance with its last bits replaced by the
    place in ``who``: keys are compared as whole numbers, and no two are equal.
    """
    x, y = xs[np.uint64(me)], ys[np.uint64(me)]
    for k in range(begin, end):
        if layered and not may_meet(block, layers, me, k):
            continue
        dx, dy = xs[np.uint64(k)] - x, ys[np.uint64(k)] - y
        apart = np.float64(dx * dx + dy * dy)
        keys[np.uint64(count)] = (apart.view(np.int64) & ~LAST) | count
        who[np.uint64(count)] = k
        count += int((apart < reach) & (rows[np.uint64(k)] == row) & (k != me))
        if count == KEPT:
            reach = keep_nearest(keys, most, ranked, who)
            count = most
    return count, reach


@kernel(allocates=False)
def _within(
    me: int, reach: float, most: int, width: float, layered: bool, block: NDArray,
    layers: NDArray, xs: NDArray, ys: NDArray, rows: NDArray, start: NDArray,
    keys: NDArray, ranked: NDArray, who: NDArray,
) -> int:  # fmt: skip
    """Collect agents within reach (squared), row by row from the middle outwards."""
    size = len(start) - 1
    stride = ring_stride(size)
    x, y, count = xs[me], ys[me], 0
    last = int(math.sqrt(reach) / width) + 1
    for step in range(2 * last + 1):
        row = rows[me] + (-(step + 1) // 2 if step % 2 else step // 2)
        edge = max(0.0, row * width - y, y - (row + 1) * width)
        room = reach - edge * edge
        if room <= 0.0:
            continue
        half = math.sqrt(room) * (1.0 + 1e-9)
        left = math.floor((x - half) / width)
        span = min(math.floor((x + half) / width) - left + 1, size)
        cell = (row * stride + left) & (size - 1)
        while span > 0:  # twice where the ring closes
            take = min(span, size - cell)
            count, reach = _scan(
                start[np.uint64(cell)], start[np.uint64(cell + take)], me, row, reach, most,
                layered, block, layers, xs, ys, rows, keys, ranked, who, count,
            )  # fmt: skip
            span -= take
            cell = 0
    return count


@kernel(allocates=False)
def find_nearest(
    me: int, guess: float, width: float, layered: bool, block: NDArray, layers: NDArray,
    xs: NDArray, ys: NDArray, rows: NDArray, start: NDArray,
    keys: NDArray, ranked: NDArray, who: NDArray,
) -> int:  # fmt: skip
    """Find the nearest agents; returns how many, in order in ``ranked``.

    ``guess`` is how far (squared) they are thought to be; it is doubled until it suffices.
    """
    reach, most = block[me, REACH] ** 2, int(block[me, COUNT])
    if most <= 0:
        return 0
    while True:
        near = min(guess, reach)
        count = _within(
            me, near, most, width, layered, block, layers, xs, ys, rows, start, keys, ranked, who
        )
        if count >= most or near >= reach:
            break
        guess *= 4.0
    sort_keys(keys, count, ranked)
    return min(count, most)
