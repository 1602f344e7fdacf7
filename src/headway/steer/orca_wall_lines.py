"""Half planes of velocities that keep clear of walls (ORCA).

An edge of a wall, as wide as the agent, is a cone of velocities that hit it within the horizon,
with a blunt tip. The line touches the cone where it is nearest to the velocity the agent has. All
of the avoiding is the agent's. Edges that lie behind lines of nearer ones need no line.
"""

from __future__ import annotations

import math

from numpy import uint64
from numpy.typing import NDArray

from headway._jit import kernel
from headway.steer.orca_program import ALONG_X, ALONG_Y, LINES, POINT_X, POINT_Y, SCRATCH
from headway.steer.orca_walls import (
    CONVEX,
    END_X,
    END_Y,
    LEFT,
    NEXT,
    PREVIOUS,
    RIGHT,
    START_X,
    START_Y,
    WALL_VX,
    WALL_VY,
    WAY_X,
    WAY_Y,
)

MOST = 64
"""No agent minds more edges than this."""
NEAR = SCRATCH  # squared distances of the edges found
COVERED = -9.999999747378752e-06  # as far may an edge reach over a nearer one's line


@kernel(allocates=False)
def side_of(edges: NDArray, row: int, x: float, y: float) -> float:
    """Twice the area between an edge and a point; positive to the left, where the solid is."""
    ax, ay = edges[row, START_X], edges[row, START_Y]
    return (edges[row, END_X] - ax) * (y - ay) - (edges[row, END_Y] - ay) * (x - ax)


@kernel(allocates=False)
def gap_to_edge(edges: NDArray, row: int, x: float, y: float) -> tuple[float, float]:
    """From a point to the nearest point of an edge."""
    ax, ay = edges[row, START_X] - x, edges[row, START_Y] - y
    bx, by = edges[row, END_X] - edges[row, START_X], edges[row, END_Y] - edges[row, START_Y]
    part = min(max(-(ax * bx + ay * by) / (bx * bx + by * by), 0.0), 1.0)
    return ax + part * bx, ay + part * by


@kernel(allocates=False)
def find_walls(
    x: float, y: float, reach: float, edges: NDArray, links: NDArray, root: int,
    stack: NDArray, found: NDArray, w: NDArray,
) -> tuple[int, bool]:  # fmt: skip
    """Find the edges within reach that face a point, nearest first, and whether it is inside."""
    count, top, inside, undecided = 0, 1 if root >= 0 else 0, False, True
    stack[0] = 2 * root
    while top > 0:
        top -= 1
        row, near_done = stack[top] >> 1, stack[top] & 1
        side = side_of(edges, row, x, y)
        near, far = (LEFT, RIGHT) if side >= 0.0 else (RIGHT, LEFT)
        if not near_done:
            stack[top] += 1
            top += 1
            if links[row, near] >= 0:
                stack[top] = 2 * links[row, near]
                top += 1
            elif undecided:
                inside, undecided = side >= 0.0, False
            continue
        ex = edges[row, END_X] - edges[row, START_X]
        ey = edges[row, END_Y] - edges[row, START_Y]
        if side * side < reach * (ex * ex + ey * ey):
            if side < 0.0:
                gx, gy = gap_to_edge(edges, row, x, y)
                count = _insert(gx * gx + gy * gy, reach, row, count, found, w)
            if links[row, far] >= 0:
                stack[top] = 2 * links[row, far]
                top += 1
    return count, inside


@kernel(allocates=False)
def _insert(gap: float, reach: float, row: int, count: int, found: NDArray, w: NDArray) -> int:
    """Keep an edge in order of distance; of too many, the nearest."""
    if gap >= reach or (count == MOST and gap >= w[NEAR + MOST - 1]):
        return count
    place = count if count < MOST else MOST - 1
    while place > 0 and gap < w[NEAR + place - 1]:
        w[NEAR + place] = w[NEAR + place - 1]
        found[place] = found[place - 1]
        place -= 1
    w[NEAR + place] = gap
    found[place] = row
    return min(count + 1, MOST)


@kernel(allocates=False)
def tangent(x: float, y: float, radius: float) -> tuple[float, float]:
    """Direction past a circle around (x, y), on its left for a positive radius."""
    square = x * x + y * y
    leg = math.sqrt(max(0.0, square - radius * radius))
    return (x * leg - y * radius) / square, (x * radius + y * leg) / square


@kernel(allocates=False)
def line_of_wall(
    edges: NDArray, links: NDArray, row: int, x: float, y: float, vx: float, vy: float,
    radius: float, per: float,
) -> tuple[bool, float, float, float, float]:  # fmt: skip
    """Make the line of an edge: whether there is one, its point and its direction."""
    none = False, 0.0, 0.0, 0.0, 0.0
    after = links[row, NEXT]
    ax, ay = edges[row, START_X] - x, edges[row, START_Y] - y
    bx, by = edges[row, END_X] - x, edges[row, END_Y] - y
    wx, wy = edges[row, WAY_X], edges[row, WAY_Y]
    nx, ny = edges[after, WAY_X], edges[after, WAY_Y]
    convex_a, convex_b = edges[row, CONVEX] > 0.0, edges[after, CONVEX] > 0.0
    ex, ey = bx - ax, by - ay
    part = -(ax * ex + ay * ey) / (ex * ex + ey * ey)
    aside = (ax + part * ex) ** 2 + (ay + part * ey) ** 2 <= radius * radius
    if part < 0.0 and ax * ax + ay * ay <= radius * radius:
        size = math.sqrt(ax * ax + ay * ay)
        return convex_a, 0.0, 0.0, -ay / size, ax / size
    if part > 1.0 and bx * bx + by * by <= radius * radius:
        size = math.sqrt(bx * bx + by * by)
        return convex_b and bx * ny - by * nx >= 0.0, 0.0, 0.0, -by / size, bx / size
    if 0.0 <= part <= 1.0 and aside:
        return True, 0.0, 0.0, -wx, -wy
    before = links[row, PREVIOUS]
    mx, my = edges[before, WAY_X], edges[before, WAY_Y]
    if part < 0.0 and aside:  # so oblique that only the start is seen
        if not convex_a:
            return none
        bx, by, convex_b, nx, ny = ax, ay, convex_a, wx, wy
    elif part > 1.0 and aside:
        if not convex_b:
            return none
        ax, ay, convex_a, mx, my = bx, by, convex_b, wx, wy
    lx, ly = tangent(ax, ay, radius) if convex_a else (-wx, -wy)
    rx, ry = tangent(bx, by, -radius) if convex_b else (wx, wy)
    foreign_left = convex_a and my * lx - mx * ly <= 0.0
    foreign_right = convex_b and rx * ny - ry * nx <= 0.0
    if foreign_left:  # the next edge covers that side
        lx, ly = -mx, -my
    if foreign_right:
        rx, ry = nx, ny
    return project(
        ax * per, ay * per, bx * per, by * per, lx, ly, rx, ry, wx, wy,
        foreign_left, foreign_right, vx, vy, radius * per,
    )  # fmt: skip


@kernel(allocates=False)
def project(
    ax: float, ay: float, bx: float, by: float, lx: float, ly: float, rx: float, ry: float,
    wx: float, wy: float, foreign_left: bool, foreign_right: bool, vx: float, vy: float,
    width: float,
) -> tuple[bool, float, float, float, float]:  # fmt: skip
    """Touch the cone with tip a–b and legs l, r where it is nearest to a velocity."""
    single = ax == bx and ay == by
    ex, ey = bx - ax, by - ay
    part = 0.5 if single else ((vx - ax) * ex + (vy - ay) * ey) / (ex * ex + ey * ey)
    left = (vx - ax) * lx + (vy - ay) * ly
    right = (vx - bx) * rx + (vy - by) * ry
    if (part < 0.0 and left < 0.0) or (single and left < 0.0 and right < 0.0):
        return round_tip(ax, ay, vx, vy, width)
    if part > 1.0 and right < 0.0:
        return round_tip(bx, by, vx, vy, width)
    cut = math.inf
    if 0.0 <= part <= 1.0 and not single:
        cut = (vx - ax - part * ex) ** 2 + (vy - ay - part * ey) ** 2
    to_left = (vx - ax - left * lx) ** 2 + (vy - ay - left * ly) ** 2 if left >= 0.0 else math.inf
    to_right = math.inf
    if right >= 0.0:
        to_right = (vx - bx - right * rx) ** 2 + (vy - by - right * ry) ** 2
    if cut <= to_left and cut <= to_right:
        return True, ax + width * wy, ay - width * wx, -wx, -wy
    if to_left <= to_right:
        return not foreign_left, ax - width * ly, ay + width * lx, lx, ly
    return not foreign_right, bx + width * ry, by - width * rx, -rx, -ry


@kernel(allocates=False)
def round_tip(
    x: float, y: float, vx: float, vy: float, width: float
) -> tuple[bool, float, float, float, float]:
    """Touch the circle around a corner of the tip."""
    dx, dy = vx - x, vy - y
    size = math.sqrt(dx * dx + dy * dy)
    if size == 0.0:
        dx, dy, size = -x, -y, math.sqrt(x * x + y * y)
    ux, uy = dx / size, dy / size
    return True, x + width * ux, y + width * uy, uy, -ux


@kernel(allocates=False)
def covered(
    edges: NDArray, row: int, x: float, y: float, radius: float, per: float, end: int, w: NDArray
) -> bool:
    """Tell whether an edge lies behind one of the lines made so far."""
    sx, sy = edges[row, WALL_VX], edges[row, WALL_VY]
    ax, ay = per * (edges[row, START_X] - x) + sx, per * (edges[row, START_Y] - y) + sy
    bx, by = per * (edges[row, END_X] - x) + sx, per * (edges[row, END_Y] - y) + sy
    for line in range(end):
        px, py = w[uint64(POINT_X + line)], w[uint64(POINT_Y + line)]
        dx, dy = w[uint64(ALONG_X + line)], w[uint64(ALONG_Y + line)]
        at_a, at_b = (ax - px) * dy - (ay - py) * dx, (bx - px) * dy - (by - py) * dx
        if min(at_a, at_b) - per * radius >= COVERED:
            return True
    return False


@kernel(allocates=False)
def lines_of_walls(
    count: int, end: int, edges: NDArray, links: NDArray, x: float, y: float,
    vx: float, vy: float, radius: float, per: float, found: NDArray, w: NDArray,
) -> int:  # fmt: skip
    """Make the lines of the edges found, up to a place; returns the place of the first."""
    made = 0
    for k in range(count):
        row = found[k]
        if covered(edges, row, x, y, radius, per, made, w):
            continue
        sx, sy = edges[row, WALL_VX], edges[row, WALL_VY]
        needed, px, py, dx, dy = line_of_wall(
            edges, links, row, x, y, vx - sx, vy - sy, radius, per
        )
        if needed:
            w[uint64(POINT_X + made)], w[uint64(POINT_Y + made)] = px + sx, py + sy
            w[uint64(ALONG_X + made)], w[uint64(ALONG_Y + made)] = dx, dy
            made += 1
    first = end - made
    for k in range(made - 1, -1, -1):
        for attribute in range(POINT_X, ALONG_Y + LINES, LINES):
            w[uint64(attribute + first + k)] = w[uint64(attribute + k)]
    return first
