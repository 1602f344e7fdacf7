"""The state of N cars, what their drivers may command, and the ground under them.

Each is one float64 array with a row per car, so that a kernel takes three arrays instead of
fifteen; the constants below name the columns.
"""

from __future__ import annotations

# state (N, 7): pose of the centre of gravity in the world frame, velocity in the body frame
X, Y, YAW, VX, VY, YAW_RATE, STEER = range(7)
"""m, m, rad, m/s forward, m/s left, rad/s, rad of front wheel angle (left positive)"""
STATE_WIDTH = 7

# controls (N, 4): all that a driver may touch
THROTTLE, BRAKE, STEERING, GEAR = range(4)
"""0..1, 0..1, -1..1 of the largest wheel angle (left positive), +1 forward or -1 reverse"""
CONTROLS_WIDTH = 4

# ground (N, 4): what the road does to each car
GRIP, ROLLING, GRAVITY_X, GRAVITY_Y = range(4)
"""factor on friction, extra deceleration in m/s², downhill acceleration in the world frame, m/s²"""
GROUND_WIDTH = 4
