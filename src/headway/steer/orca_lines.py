"""Half planes of velocities that keep clear of other agents (ORCA).

Two agents collide within a horizon if their relative velocity lies in a cone with a rounded tip.
The shortest way out of it is shared between the two: each may use the velocities beyond its share.
Agents that overlap already use the time step for the horizon.
"""

from __future__ import annotations

import math

from numpy import uint64
from numpy.typing import NDArray

from headway._jit import kernel
from headway.steer.orca_neighbours import LAST, RADIUS, SHARE, VX, VY, X, Y
from headway.steer.orca_program import ALONG_X, ALONG_Y, HALF, LINES, POINT_X, POINT_Y, SCRATCH

GAP_X, GAP_Y, RATE_X, RATE_Y, REACH, PART = (SCRATCH + k * LINES for k in range(6))


@kernel(allocates=False)
def gather(me: int, count: int, block: NDArray, ranked: NDArray, who: NDArray, w: NDArray) -> None:
    """Lay out what is to be known of the neighbours, by attribute."""
    x, y, vx, vy = block[me, X], block[me, Y], block[me, VX], block[me, VY]
    radius, share = block[me, RADIUS], block[me, SHARE]
    for k in range(count):
        other = uint64(who[uint64(ranked[uint64(k)] & LAST)])
        w[uint64(GAP_X + k)] = block[other, X] - x
        w[uint64(GAP_Y + k)] = block[other, Y] - y
        w[uint64(RATE_X + k)] = vx - block[other, VX]
        w[uint64(RATE_Y + k)] = vy - block[other, VY]
        w[uint64(REACH + k)] = radius + block[other, RADIUS]
        both = share + block[other, SHARE]
        w[uint64(PART + k)] = share / both if both > 0.0 else 0.0


@kernel(allocates=False)
def lines_of_agents(
    count: int, vx: float, vy: float, per_horizon: float, per_step: float, w: NDArray
) -> None:
    """Make the half planes from what was gathered, eight at a time and without branches."""
    for block in range(0, count, 8):
        for lane in range(8):
            k = block + lane
            gx, gy = w[uint64(GAP_X + k)], w[uint64(GAP_Y + k)]
            rx, ry = w[uint64(RATE_X + k)], w[uint64(RATE_Y + k)]
            reach, part = w[uint64(REACH + k)], w[uint64(PART + k)]
            gap, beyond = gx * gx + gy * gy, gx * gx + gy * gy - reach * reach
            per = per_horizon if beyond > 0.0 else per_step
            wx, wy = rx - per * gx, ry - per * gy
            size = math.sqrt(wx * wx + wy * wy)
            inverse = 1.0 / size if size > 0.0 else 0.0
            ahead = wx * gx + wy * gy
            tip = (beyond <= 0.0) | ((ahead < 0.0) & (ahead * ahead > reach * reach * size * size))
            leg = math.sqrt(beyond if beyond > 0.0 else 0.0)
            leg = leg if gx * wy - gy * wx > 0.0 else -leg
            per_gap = 1.0 / gap if gap > 0.0 else 0.0
            lx, ly = (gx * leg - gy * reach) * per_gap, (gx * reach + gy * leg) * per_gap
            along = rx * lx + ry * ly
            push = (reach * per - size) * inverse
            ux = push * wx if tip else along * lx - rx
            uy = push * wy if tip else along * ly - ry
            w[uint64(HALF + POINT_X + k)] = vx + part * ux
            w[uint64(HALF + POINT_Y + k)] = vy + part * uy
            mine = 1.0 if part > 0.0 else 0.0
            w[uint64(HALF + ALONG_X + k)] = mine * (wy * inverse if tip else lx)
            w[uint64(HALF + ALONG_Y + k)] = mine * (-wx * inverse if tip else ly)
