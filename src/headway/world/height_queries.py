"""Queries against a grid of heights: triangles are made up on the way, cell by cell.

A cell between four heights is two triangles, cut from its corner of lowest row and column to the
one across. A field is its heights, flat, with the number of columns; the cell size; the origin; and
one node like those of a hierarchy of boxes, which holds the box of it all.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.boxes3d import Aim, box_span, triangle_meets_box
from headway.geometry.swept_sphere import face_normal, triangle_entry
from headway.geometry.vectors import Vector, minus
from headway.world.bvh_queries import Triangle, triangle_distance

Range: TypeAlias = tuple[int, int]

RIM = 1e-9
"""How far from a cell a box still touches it, as part of its size."""


@kernel(forceinline=True)
def place_of(
    heights: NDArray, columns: int, cell: float, origin: Vector, row: int, column: int
) -> Vector:
    """Where the height of a row and a column is."""
    height = heights[np.uint64(row * columns + column)]
    return origin[0] + column * cell, origin[1] + row * cell, origin[2] + height


@kernel(forceinline=True)
def triangle_of_field(
    heights: NDArray, columns: int, cell: float, origin: Vector, i: int
) -> Triangle:
    """Triangle i: two for each cell, cells row by row."""
    row, column = i // 2 // (columns - 1), i // 2 % (columns - 1)
    a = place_of(heights, columns, cell, origin, row, column)
    c = place_of(heights, columns, cell, origin, row + 1, column + 1)
    side = 1 - i % 2
    other = place_of(heights, columns, cell, origin, row + 1 - side, column + side)
    ab, ac = minus(other, a), minus(c, a)
    if side == 0:
        ab, ac = ac, ab
    return a, ab, ac, face_normal(ab, ac)


@kernel(forceinline=True)
def height_range(heights: NDArray, columns: int, row: int, column: int) -> tuple[float, float]:
    """The lowest and the highest corner of a cell, above the origin."""
    at = np.uint64(row * columns + column)
    up = at + np.uint64(columns)
    a, b = heights[at], heights[at + np.uint64(1)]
    c, d = heights[up], heights[up + np.uint64(1)]
    return min(a, b, c, d), max(a, b, c, d)


@kernel(forceinline=True)
def cells_between(low: float, high: float, cell: float, count: int) -> Range:
    """The cells, of so many, that an interval touches: the first, and the one behind the last."""
    first = math.floor(min(max(low / cell, 0.0), float(count)))
    last = math.floor(min(max(high / cell, -1.0), count - 1.0)) + 1
    return int(first), int(last)


@kernel(forceinline=True)
def stretch(start: float, way: float, begin: float, end: float, grow: float) -> tuple[float, float]:
    """What a sphere covers along an axis between two distances of its way."""
    a, b = start + way * begin, start + way * end
    return min(a, b) - grow, max(a, b) + grow


@kernel(forceinline=True)
def time_within(
    start: float, way: float, low: float, high: float, begin: float, end: float
) -> tuple[float, float]:
    """Which part of a stretch of the way is between two bounds of an axis."""
    if way == 0.0:
        return begin, end
    a, b = (low - start) / way, (high - start) / way
    return max(min(a, b), begin), min(max(a, b), end)


@kernel
def touch_field(
    heights: NDArray, columns: int, cell: float, origin: Vector, box: NDArray, aim: Aim,
    centre: Vector, way: Vector, radius: float, grow: float, limit: float,
    hit: NDArray, when: NDArray,
) -> tuple[float, int, int]:  # fmt: skip
    """Find what a sphere touches before a limit, as `touch` does, but by triangles.

    The way is followed strip by strip of cells, across the axis along which it is longer.
    """
    every = len(hit) > 0
    best, found, count = limit, -1, 0
    begin, end = box_span(box, 0, aim, limit)
    u, v = (0, 1) if abs(way[0]) >= abs(way[1]) else (1, 0)
    across, along = columns - 1, len(heights) // columns - 1
    size_u, size_v = (across, along) if u == 0 else (along, across)
    from_u, from_v, from_z = centre[u] - origin[u], centre[v] - origin[v], centre[2] - origin[2]
    low, high = stretch(from_u, way[u], begin, end, grow)
    first, last = cells_between(low, high, cell, size_u) if begin <= end else (0, 0)
    for k in range(last - first):
        strip = first + k if way[u] >= 0.0 else last - 1 - k
        enter, leave = time_within(
            from_u, way[u], strip * cell - grow, (strip + 1) * cell + grow, begin, end
        )
        if enter > leave or not enter < (limit if every else best):
            continue
        low, high = stretch(from_v, way[v], enter, leave, grow)
        bottom, top = stretch(from_z, way[2], enter, leave, grow)
        first_v, last_v = cells_between(low, high, cell, size_v)
        for other in range(first_v, last_v):
            row, column = (other, strip) if u == 0 else (strip, other)
            lowest, highest = height_range(heights, columns, row, column)
            if lowest > top or highest < bottom:
                continue
            for i in range(2 * (row * across + column), 2 * (row * across + column) + 2):
                a, ab, ac, normal = triangle_of_field(heights, columns, cell, origin, i)
                farthest = limit if every else best
                entry = triangle_entry(minus(centre, a), ab, ac, normal, way, radius, farthest)
                if entry < best:
                    best, found = entry, i
                if entry < limit and every:
                    hit[count], when[count] = i, entry
                    count += 1
        if best == 0.0 and not every:
            break
    return best, found, count


@kernel
def closest_in_field(
    heights: NDArray, columns: int, cell: float, origin: Vector, box: NDArray,
    here: Vector, limit: float,
) -> tuple[float, int]:  # fmt: skip
    """Find the triangle closest to a point, as `closest` does: rings of cells around it."""
    best, found = limit, -1
    across, along = columns - 1, len(heights) // columns - 1
    x, y, z = minus(here, origin)
    column = int(min(max(x / cell, 0.0), across - 1.0))
    row = int(min(max(y / cell, 0.0), along - 1.0))
    away = max(float(box[2]) - here[2], here[2] - float(box[5]), 0.0)
    for ring in range(max(across, along)):
        gap = max(ring - 1, 0) * cell
        if gap * gap + away * away > best:
            break
        for r in range(max(row - ring, 0), min(row + ring + 1, along)):
            end = abs(r - row) == ring
            step = 1 if end or ring == 0 else 2 * ring
            for c in range(column - ring, column + ring + 1, step):
                if not 0 <= c < across:
                    continue
                lowest, highest = height_range(heights, columns, r, c)
                dx = max(c * cell - x, x - (c + 1) * cell, 0.0)
                dy = max(r * cell - y, y - (r + 1) * cell, 0.0)
                dz = max(lowest - z, z - highest, 0.0)
                if (dx * dx + dy * dy + dz * dz) * (1.0 - 1e-12) > best:
                    continue
                for i in range(2 * (r * across + c), 2 * (r * across + c) + 2):
                    triangle = triangle_of_field(heights, columns, cell, origin, i)
                    square = triangle_distance(triangle, here)
                    if square < best or (square == best and found < 0):
                        best, found = square, i
    return best, found


@kernel
def field_meets_box(
    heights: NDArray, columns: int, cell: float, origin: Vector, low: Vector, high: Vector
) -> bool:
    """Tell whether a box along the axes touches any triangle."""
    across, along = columns - 1, len(heights) // columns - 1
    grow = RIM * cell
    bottom, top = minus(low, origin), minus(high, origin)
    first_row, last_row = cells_between(bottom[1] - grow, top[1] + grow, cell, along)
    first, last = cells_between(bottom[0] - grow, top[0] + grow, cell, across)
    for row in range(first_row, last_row):
        for column in range(first, last):
            lowest, highest = height_range(heights, columns, row, column)
            if origin[2] + lowest > high[2] or origin[2] + highest < low[2]:
                continue
            for i in range(2 * (row * across + column), 2 * (row * across + column) + 2):
                a, ab, ac, normal = triangle_of_field(heights, columns, cell, origin, i)
                if triangle_meets_box(a, ab, ac, normal, low, high):
                    return True
    return False
