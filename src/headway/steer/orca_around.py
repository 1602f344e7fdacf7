"""A way around the end of a wall that an agent meets squarely.

The velocity nearest to the wanted one is none at all for an agent that faces a wall, however near
the wall's end. Such an agent makes for the nearer end that it can pass, as far as it sees: along
edges that bend away from it, up to where the wanted way leads past. The side it already moves to
counts as nearer, so that it does not dither.
"""

from __future__ import annotations

import math

from numpy.typing import NDArray

from headway._jit import kernel
from headway.steer.orca_wall_lines import MOST, gap_to_edge
from headway.steer.orca_walls import (
    CONVEX,
    END_X,
    END_Y,
    NEXT,
    PREVIOUS,
    START_X,
    START_Y,
    WAY_X,
    WAY_Y,
)

BLOCKED = 0.3  # of the wanted speed: who is left less by walls looks for a way around
PAST = 0.5  # cosine between the wanted way and an edge that is good to walk along
FLUSH = 0.9  # cosine between edges of two walls that are followed like one
OFF = 0.9  # radii that the point to pass is off the edge: where another goes on flush, too few
TIGHT = 0.99  # of the radius, squared: less room is none
KEEP_SIDE = 1.0  # s: an end counts as nearer by the way made towards it in this time
RIGHT_FIRST = 0.01  # radii by which the right end counts as nearer, for ties


@kernel(allocates=False)
def blocking_edge(
    count: int, found: NDArray, edges: NDArray, x: float, y: float, radius: float,
    ux: float, uy: float,
) -> int:  # fmt: skip
    """Find the edge that an agent on its way (unit vector u) meets first; -1 if there is none."""
    nearest, blocking = math.inf, -1
    for k in range(count):
        row = found[k]
        ax, ay = edges[row, START_X], edges[row, START_Y]
        wx, wy = edges[row, WAY_X], edges[row, WAY_Y]
        into = wx * uy - wy * ux
        before = (x - ax) * wy - (y - ay) * wx
        if into <= 0.0 or before < OFF * radius:  # beside it, not in front
            continue
        ahead = before / into
        along = (x + ahead * ux - ax) * wx + (y + ahead * uy - ay) * wy
        size = (edges[row, END_X] - ax) * wx + (edges[row, END_Y] - ay) * wy
        if ahead < nearest and -radius <= along <= size + radius:
            nearest, blocking = ahead, row
    return blocking


@kernel(allocates=False)
def edge_within(
    count: int, found: NDArray, edges: NDArray, x: float, y: float, radius: float
) -> int:
    """Find an edge that leaves an agent no room at a point; -1 if there is none."""
    for k in range(count):
        gx, gy = gap_to_edge(edges, found[k], x, y)
        if gx * gx + gy * gy < TIGHT * radius * radius:
            return found[k]
    return -1


@kernel(allocates=False)
def past_the_end(
    row: int, right: bool, count: int, found: NDArray, edges: NDArray, links: NDArray,
    radius: float, ux: float, uy: float,
) -> tuple[bool, float, float]:  # fmt: skip
    """Follow edges to one side; whether there is a way past their end, and the point to pass."""
    sign = 1.0 if right else -1.0
    for _ in range(MOST):
        after = links[row, NEXT] if right else links[row, PREVIOUS]
        if edges[after if right else row, CONVEX] == 0.0:
            break
        wx, wy = edges[row, WAY_X], edges[row, WAY_Y]
        nx, ny = edges[after, WAY_X], edges[after, WAY_Y]
        if sign * (nx * ux + ny * uy) < PAST and ny * ux - nx * uy < 0.0:
            row = after
            continue
        x = (edges[row, END_X] if right else edges[row, START_X]) + radius * (sign * wx + OFF * wy)
        y = (edges[row, END_Y] if right else edges[row, START_Y]) + radius * (sign * wy - OFF * wx)
        row = edge_within(count, found, edges, x, y, radius)
        if row < 0:
            return True, x, y
        if edges[row, WAY_X] * wx + edges[row, WAY_Y] * wy < FLUSH:
            break
    return False, 0.0, 0.0


@kernel(allocates=False)
def around_the_wall(
    count: int, found: NDArray, edges: NDArray, links: NDArray, x: float, y: float,
    vx: float, vy: float, radius: float, reach: float, px: float, py: float,
) -> tuple[bool, float, float]:  # fmt: skip
    """Turn a wanted velocity towards the end of the wall ahead; whether there is one in reach."""
    size = math.sqrt(px * px + py * py)
    if size == 0.0:
        return False, px, py
    ux, uy = px / size, py / size
    row = blocking_edge(count, found, edges, x, y, radius, ux, uy)
    if row < 0:
        return False, px, py
    least, wx, wy = math.inf, px, py
    for side in range(2):
        open_, tx, ty = past_the_end(row, side == 0, count, found, edges, links, radius, ux, uy)
        tx, ty = tx - x, ty - y
        far = math.sqrt(tx * tx + ty * ty)
        if not open_ or far == 0.0 or far > reach:
            continue
        detour = far - tx * ux - ty * uy - KEEP_SIDE * (vx * tx + vy * ty) / far
        if side == 0:
            detour -= RIGHT_FIRST * radius
        if detour < least:
            least, wx, wy = detour, tx * size / far, ty * size / far
    return least < math.inf, wx, wy
