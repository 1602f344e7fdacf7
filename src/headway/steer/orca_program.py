"""The velocity nearest to a wanted one that keeps to half planes and a greatest speed.

A half plane is a line, by a point and a unit direction, with what is allowed to the left of it; a
line with the direction zero forbids nothing. A
linear program in two dimensions adds lines one after another: if the best velocity so far breaks
one, the new best lies on that line (Seidel's algorithm). Where no velocity keeps to all, the lines
of agents, not those of walls, are moved outwards together until one does: a program in three.

The lines live in one flat array of numbers, by attribute, so that loops over them are vectors.
Walls' lines end where agents' lines begin.
"""

from __future__ import annotations

import math

from numpy import uint64
from numpy.typing import NDArray

from headway._jit import kernel

HALF = 128
"""Place of the first agent's line; walls' lines come before it."""
LINES = 2 * HALF
POINT_X, POINT_Y, ALONG_X, ALONG_Y = 0, LINES, 2 * LINES, 3 * LINES
MOVED = 4 * LINES  # the lines of the program in three dimensions
SCRATCH = 8 * LINES  # whatever comes behind belongs to those who make lines
WORK = 16 * LINES
"""Numbers in the array."""

PARALLEL = 9.999999747378752e-06  # what RVO2 takes for parallel: 1e-5 in single precision


@kernel(forceinline=True, allocates=False)
def broken(w: NDArray, line: int, x: float, y: float) -> float:
    """How far a velocity lies on the forbidden side of a line; negative if it is allowed."""
    dx, dy = w[uint64(line + ALONG_X)], w[uint64(line + ALONG_Y)]
    return dx * (w[uint64(line + POINT_Y)] - y) - dy * (w[uint64(line + POINT_X)] - x)


@kernel(allocates=False)
def best_on_line(
    w: NDArray, first: int, line: int, speed: float, wx: float, wy: float, far: bool
) -> tuple[bool, float, float]:
    """Find the best velocity on one line that keeps to those before it; whether there is one.

    The best is the nearest to the wanted velocity, or with ``far`` the farthest that way.
    """
    px, py = w[uint64(line + POINT_X)], w[uint64(line + POINT_Y)]
    dx, dy = w[uint64(line + ALONG_X)], w[uint64(line + ALONG_Y)]
    middle = px * dx + py * dy
    room = middle * middle + speed * speed - (px * px + py * py)
    if not room >= 0.0:
        return False, 0.0, 0.0
    half = math.sqrt(room)
    low, high, shut = -middle - half, -middle + half, False
    for other in range(first, line):
        ex, ey = w[uint64(other + ALONG_X)], w[uint64(other + ALONG_Y)]
        qx, qy = px - w[uint64(other + POINT_X)], py - w[uint64(other + POINT_Y)]
        turn, apart = dx * ey - dy * ex, ex * qy - ey * qx
        askew = abs(turn) > PARALLEL
        at = apart / turn
        high = at if askew and turn > 0.0 and at < high else high
        low = at if askew and turn < 0.0 and at > low else low
        shut |= not askew and apart < 0.0
    if shut or low > high:
        return False, 0.0, 0.0
    if far:
        at = high if wx * dx + wy * dy > 0.0 else low
    else:
        at = min(max(dx * (wx - px) + dy * (wy - py), low), high)
    return True, px + at * dx, py + at * dy


@kernel(allocates=False)
def nearest_velocity(
    w: NDArray, first: int, end: int, speed: float, wx: float, wy: float, far: bool
) -> tuple[int, float, float]:
    """Solve the program; returns the line it failed at, or ``end``, and the velocity there.

    ``far``: (wx, wy) is a unit vector, and the velocity farthest that way is asked for.
    """
    wanted = math.sqrt(wx * wx + wy * wy)
    scale = speed if far else (speed / wanted if wanted > speed else 1.0)
    x, y = wx * scale, wy * scale
    for line in range(first, end):
        if broken(w, line, x, y) > 0.0:
            found, nx, ny = best_on_line(w, first, line, speed, wx, wy, far)
            if not found:
                return line, x, y
            x, y = nx, ny
    return end, x, y


@kernel(allocates=False)
def move_lines(w: NDArray, first: int, line: int) -> None:
    """Make the lines along which others are broken as much as this one; walls' stay."""
    px, py = w[uint64(line + POINT_X)], w[uint64(line + POINT_Y)]
    dx, dy = w[uint64(line + ALONG_X)], w[uint64(line + ALONG_Y)]
    for wall in range(first, HALF):
        for attribute in range(POINT_X, MOVED, LINES):
            w[uint64(MOVED + attribute + wall)] = w[uint64(attribute + wall)]
    for other in range(HALF, line):
        qx, qy = w[uint64(other + POINT_X)], w[uint64(other + POINT_Y)]
        ex, ey = w[uint64(other + ALONG_X)], w[uint64(other + ALONG_Y)]
        turn = dx * ey - dy * ex
        if abs(turn) > PARALLEL:
            at = (ex * (py - qy) - ey * (px - qx)) / turn
            x, y = px + at * dx, py + at * dy
        else:
            x, y = 0.5 * (px + qx), 0.5 * (py + qy)
        vx, vy = ex - dx, ey - dy
        size = math.sqrt(vx * vx + vy * vy)
        alike = abs(turn) <= PARALLEL and dx * ex + dy * ey >= 0.0
        scale = 0.0 if alike else 1.0 / size
        w[uint64(MOVED + other + POINT_X)], w[uint64(MOVED + other + POINT_Y)] = x, y
        w[uint64(MOVED + other + ALONG_X)] = vx * scale
        w[uint64(MOVED + other + ALONG_Y)] = vy * scale


@kernel(allocates=False)
def least_broken(
    w: NDArray, first: int, failed: int, end: int, speed: float, x: float, y: float
) -> tuple[float, float]:
    """Find the velocity that breaks agents' lines least, where the program failed at a line."""
    worst = 0.0
    for line in range(failed, end):
        if broken(w, line, x, y) > worst:
            move_lines(w, first, line)
            ux, uy = -w[uint64(line + ALONG_Y)], w[uint64(line + ALONG_X)]
            last = max(line, HALF)
            failed_at, nx, ny = nearest_velocity(w[MOVED:], first, last, speed, ux, uy, True)
            if failed_at == last:  # otherwise rounding: what is known so far is as good
                x, y = nx, ny
            worst = broken(w, line, x, y)
    return x, y


@kernel(allocates=False)
def best_velocity(
    w: NDArray, first: int, end: int, speed: float, wx: float, wy: float
) -> tuple[float, float]:
    """Find the velocity nearest to the wanted one, or else the one that breaks least."""
    failed, x, y = nearest_velocity(w, first, end, speed, wx, wy, False)
    if failed < end:
        return least_broken(w, first, failed, end, speed, x, y)
    return x, y
