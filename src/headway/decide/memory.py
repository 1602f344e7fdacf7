"""What each route driver remembers from tick to tick: the columns of an (N, MEMORY_WIDTH) array."""

from __future__ import annotations

(
    PROGRESS_S,  # m along the line
    OFFSET,  # m left of the line
    WAYPOINT,  # index of the waypoint aimed at
    EVADE_UNTIL,  # s
    EVADE_SLOWDOWN,
    EVADE_OFFSET,  # m
    BACKING_UNTIL,  # s; backs up until then
    BACKING_TURN,  # rad of angle to the target below which backing up may end
    STUCK_FOR,  # s
    STEERING_INTEGRAL,
    STEERING_FILTERED,
    SPEED_INTEGRAL,
    SPEED_FILTERED,
    STOPPED,  # 1 once the target was reached
    PASS_SIDE,  # +1 to pass on the left, -1 on the right, 0 not passing
    PASS_UNTIL,  # s
    ASIDE,  # m left of the line that the target is at
) = range(17)
MEMORY_WIDTH = 17
