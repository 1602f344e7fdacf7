"""Putting a car that needs help back on the road, standing, where there is room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from headway.decide.route_drivers import RouteDrivers
from headway.sim.race import Race, RaceState
from headway.sim.timing import (
    DISTANCE,
    NEEDS_RESCUE,
    OFF_SINCE,
    RESCUED_AT,
    RESCUES,
    RETIRED,
    STATUS,
)
from headway.world.place import OFFSET, ROOM_LEFT, ROOM_RIGHT, S
from headway.world.state import YAW, X, Y
from headway.world.track import Track

MOST_RESCUES = 20
"""A car that needs help more often retires."""
STEPS_BACK = 12


def rescue(race: Race, state: RaceState) -> RaceState:
    """Put the cars that need it back on the road and return the state after that.

    A car goes where it last was along the track, in the middle or to a side, or a few car
    lengths further back: the first place that is clear of all others.
    """
    cars, places, timing = state.cars.copy(), state.places.copy(), state.timing.copy()
    moved = []
    for i in np.flatnonzero(timing[:, NEEDS_RESCUE]):
        timing[i, NEEDS_RESCUE] = 0.0
        timing[i, RESCUED_AT] = state.time
        timing[i, OFF_SINCE] = -1.0
        if timing[i, RESCUES] >= MOST_RESCUES:
            timing[i, STATUS] = RETIRED
            continue
        timing[i, RESCUES] += 1.0
        back = _put_back(race, cars, places, state.active, int(i))
        timing[i, DISTANCE] -= back
        moved.append(i)
    after = replace(state, cars=cars, places=places, timing=timing)
    if moved and isinstance(race.driver, RouteDrivers):
        memory = after.memory.copy()
        race.driver.find_again(cars, memory, np.array(moved))
        after = replace(after, memory=memory)
    return after


def _put_back(
    race: Race, cars: np.ndarray, places: np.ndarray, active: np.ndarray, i: int
) -> float:
    """Place car i, in place; return how far back along the track it went, m."""
    length = race.vehicles[i].length
    others = active & (np.arange(len(cars)) != i)
    if not race.interact:
        others[:] = False
    slots = [(1.5 * length * k, aside) for k in range(STEPS_BACK) for aside in (0.0, 0.5, -0.5)]
    poses = np.array([_pose(race.track, places[i, S] - back, aside) for back, aside in slots])
    gaps = np.full(len(slots), np.inf)
    for other in np.flatnonzero(others):
        gap = np.hypot(poses[:, 0] - cars[other, X], poses[:, 1] - cars[other, Y])
        gaps = np.minimum(gaps, gap)
    clear = np.flatnonzero(gaps > 1.5 * length)
    chosen = clear[0] if len(clear) else np.argmax(gaps)
    x, y, yaw, s, offset = poses[chosen]
    cars[i] = 0.0
    cars[i, [X, Y, YAW]] = x, y, yaw
    left, right = race.track.route.width(s)
    places[i, [S, OFFSET, ROOM_LEFT, ROOM_RIGHT]] = s, offset, left - offset, right + offset
    return slots[chosen][0]


def _pose(track: Track, s: float, aside: float) -> tuple[float, float, float, float, float]:
    """Place at s, a share of the width to the left: x, y, yaw, s on the track, offset."""
    s = float(track.route.wrap(s))
    position, yaw, width = track.route.position(s), float(track.route.yaw(s)), track.route.width(s)
    offset = float(aside * width[0 if aside > 0 else 1])
    x = float(position[0] - offset * np.sin(yaw))
    y = float(position[1] + offset * np.cos(yaw))
    return x, y, yaw, s, offset
