"""What keeps crowds under ORCA from overlapping and from getting stuck.

- Contact lines: in one step an agent may use up its share of the gap to each neighbour and no
  more. All agents at rest keep to these lines, so that there is always a velocity that does, and
  whatever the crowd wants, nobody touches anybody.
- Those who overlap part at a speed within their limits instead of all at once.
- Keep right: whoever is hindered tries a little to the right, then to the left. A crowd that
  meets in the middle becomes a roundabout, and two who meet head-on pass each other. Of those who
  find no way at all, some step back for a second and let others through.
- Those who want little, such as all who stand near where they want to be, settle: they neither
  turn nor step back, and hurry no more than others press them.
- Walls push out those who are in them. Who meets a wall squarely looks for its end (orca_around).
"""

from __future__ import annotations

import math

from numpy import uint64
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.noise import uniform
from headway.steer.orca_lines import GAP_X, GAP_Y, PART, RATE_X, RATE_Y, REACH
from headway.steer.orca_neighbours import LAST, PX, PY, RADIUS, SPEED
from headway.steer.orca_program import (
    ALONG_X,
    ALONG_Y,
    HALF,
    MOVED,
    POINT_X,
    POINT_Y,
    best_velocity,
    broken,
    least_broken,
    nearest_velocity,
)
from headway.steer.orca_wall_lines import gap_to_edge, side_of
from headway.steer.orca_walls import WAY_X, WAY_Y

APART_STREAM, TURN_STREAM, YIELD_STREAM = 0x0A9A, 0x0A9B, 0x0A9C
"""Of the chance which way two at one spot part, how far agents turn, and who steps back."""

TURN = 0.5  # rad, to the right and to the left, then twice that
TURNS = 4
UNEVEN = 0.2  # of the turn, left to chance, so that no ring of agents locks like an arch
HINDERED = 0.999  # of the wanted speed: with less an agent turns ...
FULLY = 0.05  # ... and by all of TURN when it lacks so much
WORTH_IT = 0.1  # of the wanted speed: less is not worth turning for
DETOUR = 0.05  # of the wanted speed, away from where it is wanted: more is no way to get there
GIVE_WAY = 0.3  # part of those without a way who step back, drawn anew every second
BACK = 0.5  # of the wanted speed
DEEP = 1e-3  # of the sum of radii: who overlaps by more cannot keep to contact lines
PART_SPEED = 0.9  # of the greatest speed, for those who overlap
PART_TIME = 0.1  # s, in which overlaps shrink to a third ...
PART_LEAST = 0.05  # ... but at this part of the greatest speed at least
LEAST = 0.1  # of the greatest speed: who wants less settles
LITTLE = 0.45  # of the greatest speed: who wants less, and less than ...
WIDE = 2.5  # ... times its radius a second, settles if another wants the same place
PRESSED = 2.0  # times as fast as one neighbour asks for, to satisfy others as well
LOOSE = 0.003  # of the greatest speed: lines broken by so little more are as good, which calms ...
SLACK = 0.1  # ... but of the speed asked for at most


@kernel(allocates=False)
def keep_right(
    w: NDArray, first: int, end: int, speed: float, px: float, py: float,
    chance: float, yields: bool,
) -> tuple[float, float]:  # fmt: skip
    """Find the best velocity, or if it is slow, one to the right or left that is not.

    ``chance``, in [0, 1), makes turns uneven; ``yields``: step back if there is no way at all.
    """
    x, y = best_velocity(w, first, end, speed, px, py)
    wanted = px * px + py * py
    got = x * px + y * py
    if got >= HINDERED * wanted:
        return x, y
    for turn in range(TURNS):
        angle = TURN * (1 + turn // 2) * (1.0 if turn % 2 else -1.0)
        angle *= 1.0 + UNEVEN * (2.0 * chance - 1.0)
        if turn == 0:
            angle *= min(1.0, (1.0 - got / wanted) / FULLY)
        c, s = math.cos(angle), math.sin(angle)
        qx, qy = c * px - s * py, s * px + c * py
        tx, ty = best_velocity(w, first, end, speed, qx, qy)
        if tx * qx + ty * qy >= WORTH_IT * wanted and tx * px + ty * py >= -DETOUR * wanted:
            return tx, ty
    if yields:
        return best_velocity(w, first, end, speed, -BACK * px, -BACK * py)
    return x, y


@kernel(allocates=False)
def settles(
    me: int, count: int, px: float, py: float, block: NDArray, ranked: NDArray, who: NDArray,
    w: NDArray,
) -> bool:  # fmt: skip
    """Tell whether an agent is where it wants to be, or another wants the same place.

    Near its place an agent is taken to want to be there in a second.
    """
    wanted, speed = px * px + py * py, block[me, SPEED]
    if wanted >= min(LITTLE * speed, WIDE * block[me, RADIUS]) ** 2:
        return wanted == 0.0
    same = wanted < (LEAST * speed) ** 2
    for k in range(count):
        other = uint64(who[uint64(ranked[uint64(k)] & LAST)])
        dx = w[uint64(GAP_X + k)] + block[other, PX] - px
        dy = w[uint64(GAP_Y + k)] + block[other, PY] - py
        same |= dx * dx + dy * dy < w[uint64(REACH + k)] ** 2
    return same


@kernel(allocates=False)
def settle(
    w: NDArray, first: int, end: int, speed: float, px: float, py: float
) -> tuple[float, float]:
    """Find the best velocity no faster than is wanted or others ask for."""
    asked = 0.0
    for line in range(first, end):
        asked = max(asked, broken(w, line, 0.0, 0.0))
    limit = min(speed, max(math.sqrt(px * px + py * py), PRESSED * asked))
    failed, x, y = nearest_velocity(w, first, end, limit, px, py, False)
    if failed < end:
        x, y = least_broken(w, first, failed, end, limit, x, y)
        x, y = _nearest_as_good(w, first, end, speed, limit, px, py, x, y)
    return x, y


@kernel(allocates=False)
def _nearest_as_good(
    w: NDArray, first: int, end: int, speed: float, limit: float, px: float, py: float,
    x: float, y: float,
) -> tuple[float, float]:  # fmt: skip
    """Find the velocity nearest to a wanted one that breaks lines no more than (x, y) does.

    Between two who press from opposite sides such velocities are a whole strip.
    """
    slack = min(SLACK * limit, LOOSE * speed)
    worst = slack
    for line in range(HALF, end):
        worst = max(worst, broken(w, line, x, y) + slack)
    for line in range(first, end):
        shift = worst if line >= HALF else 0.0
        dx, dy = w[uint64(line + ALONG_X)], w[uint64(line + ALONG_Y)]
        w[uint64(MOVED + line + POINT_X)] = w[uint64(line + POINT_X)] + shift * dy
        w[uint64(MOVED + line + POINT_Y)] = w[uint64(line + POINT_Y)] - shift * dx
        w[uint64(MOVED + line + ALONG_X)], w[uint64(MOVED + line + ALONG_Y)] = dx, dy
    failed, qx, qy = nearest_velocity(w[MOVED:], first, end, limit, px, py, False)
    return (qx, qy) if failed == end else (x, y)


@kernel(forceinline=True, allocates=False)
def _store_bound(line: int, nx: float, ny: float, bound: float, w: NDArray) -> None:
    """Make a line of the velocities whose part along n is at least a bound."""
    w[uint64(line + POINT_X)], w[uint64(line + POINT_Y)] = bound * nx, bound * ny
    w[uint64(line + ALONG_X)], w[uint64(line + ALONG_Y)] = ny, -nx


@kernel(allocates=False)
def contact_lines(count: int, vx: float, vy: float, speed: float, dt: float, w: NDArray) -> int:
    """Add the lines that no step may break, up to HALF; returns the place of the first."""
    first = HALF
    for k in range(count):
        gx, gy, part = w[uint64(GAP_X + k)], w[uint64(GAP_Y + k)], w[uint64(PART + k)]
        size = math.sqrt(gx * gx + gy * gy)
        room = size - w[uint64(REACH + k)]
        if part == 0.0 or size == 0.0 or room < -DEEP * w[uint64(REACH + k)]:
            continue
        bound = -part * max(0.0, room) / dt
        nx, ny = -gx / size, -gy / size
        if part == 1.0:  # the other does not care: what counts is how it moves
            bound += (vx - w[uint64(RATE_X + k)]) * nx + (vy - w[uint64(RATE_Y + k)]) * ny
        if bound > -speed:
            first -= 1
            _store_bound(first, nx, ny, bound, w)
    return first


@kernel(allocates=False)
def part_overlapping(
    me: int, count: int, vx: float, vy: float, speed: float, dt: float, seed: int,
    ids: NDArray, ranked: NDArray, who: NDArray, w: NDArray,
) -> None:  # fmt: skip
    """Replace the lines of those who overlap: apart, each its share, at a bearable speed."""
    for k in range(count):
        gx, gy, part = w[uint64(GAP_X + k)], w[uint64(GAP_Y + k)], w[uint64(PART + k)]
        size = math.sqrt(gx * gx + gy * gy)
        deep = w[uint64(REACH + k)] - size
        if deep <= 0.0 or part == 0.0:
            continue
        if size > 1e-9 * w[uint64(REACH + k)]:
            nx, ny = -gx / size, -gy / size
        else:
            i, j = ids[me], ids[who[uint64(ranked[uint64(k)] & LAST)]]
            angle = 2.0 * math.pi * uniform(seed, APART_STREAM, min(i, j), max(i, j))
            sign = 1.0 if i < j else -1.0
            nx, ny = sign * math.cos(angle), sign * math.sin(angle)
        bound = min(part * deep / dt, max(part * deep / PART_TIME, PART_LEAST * speed))
        bound = min(bound, PART_SPEED * speed)
        if part == 1.0:
            bound += (vx - w[uint64(RATE_X + k)]) * nx + (vy - w[uint64(RATE_Y + k)]) * ny
        _store_bound(HALF + k, nx, ny, min(bound, PART_SPEED * speed), w)


@kernel(allocates=False)
def off_the_wall(
    row: int, edges: NDArray, x: float, y: float, radius: float, speed: float, dt: float,
    px: float, py: float,
) -> tuple[float, float]:  # fmt: skip
    """Turn a wanted velocity away from the nearest edge, if the agent reaches into it."""
    gx, gy = gap_to_edge(edges, row, x, y)
    size = math.sqrt(gx * gx + gy * gy)
    if size >= radius:
        return px, py
    nx, ny = edges[row, WAY_Y], -edges[row, WAY_X]
    if size > 0.0:
        nx, ny = -gx / size, -gy / size
    out = max(px * nx + py * ny, min((radius - size) / dt, speed)) - px * nx - py * ny
    return px + out * nx, py + out * ny


@kernel(allocates=False)
def way_out(edges: NDArray, x: float, y: float, speed: float) -> tuple[float, float]:
    """Velocity towards the nearest edge, for an agent whose centre is inside a wall."""
    nearest, ux, uy = math.inf, 0.0, 0.0
    for row in range(len(edges)):
        gx, gy = gap_to_edge(edges, row, x, y)
        size = math.sqrt(gx * gx + gy * gy)
        if side_of(edges, row, x, y) >= 0.0 and size < nearest:
            nearest = size
            deep = size > 1e-9
            ux = gx / size if deep else edges[row, WAY_Y]
            uy = gy / size if deep else -edges[row, WAY_X]
    return speed * ux, speed * uy
