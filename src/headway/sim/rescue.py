"""Putting a car that needs help back on the road, standing, where there is room."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from headway.sim.timing import (
    DISTANCE,
    FURTHEST_AT,
    NEEDS_RESCUE,
    OFF_SINCE,
    RESCUES,
    RETIRED,
    STATUS,
)
from headway.world.place import OFFSET, ROOM_LEFT, ROOM_RIGHT, S
from headway.world.state import YAW, X, Y

if TYPE_CHECKING:
    from headway.sim.race import Race, RaceState

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
        timing[i, FURTHEST_AT] = state.time
        timing[i, OFF_SINCE] = -1.0
        timing[i, RESCUES] += 1.0
        if timing[i, RESCUES] > MOST_RESCUES:
            timing[i, STATUS] = RETIRED
            continue
        back = _put_back(race, cars, places, state.active, int(i))
        timing[i, DISTANCE] -= back
        moved.append(i)
    after = replace(state, cars=cars, places=places, timing=timing)
    if moved and hasattr(race.driver, "find_again"):
        memory = after.memory.copy()
        race.driver.find_again(cars, memory, np.array(moved))
        after = replace(after, memory=memory)
    return after


def _put_back(
    race: Race, cars: np.ndarray, places: np.ndarray, active: np.ndarray, i: int
) -> float:
    """Place car i, in place; return how far back along the track it went, m."""
    length = race.vehicles[i].length
    others = active.copy()
    others[i] = False
    here = places[i, S]
    best = None
    for steps in range(STEPS_BACK):
        back = 1.5 * length * steps
        s = float(race.track.route.wrap(here - back)) if race.track.closed else max(here - back, 0.0)
        for aside in (0.0, 0.5, -0.5):
            pose = _pose(race.track, s, aside)
            gaps = np.hypot(cars[others, X] - pose[0], cars[others, Y] - pose[1])
            gap = gaps.min() if len(gaps) and race.interact else np.inf
            if best is None or gap > best[0]:
                best = gap, pose, s, here - s if not race.track.closed else back
            if gap > 1.5 * length:
                break
        if best is not None and best[0] > 1.5 * length:
            break
    assert best is not None
    _, pose, s, back = best
    cars[i] = 0.0
    cars[i, [X, Y, YAW]] = pose[:3]
    places[i, S] = s
    places[i, OFFSET] = pose[3]
    width = race.track.route.width(s)
    places[i, ROOM_LEFT] = width[0] - pose[3]
    places[i, ROOM_RIGHT] = width[1] + pose[3]
    return back


def _pose(track, s: float, aside: float) -> tuple[float, float, float, float]:
    """Place at s, a share of the width to the left: x, y, yaw and offset."""
    position, yaw, width = track.route.position(s), float(track.route.yaw(s)), track.route.width(s)
    offset = float(aside * (width[0] if aside > 0 else width[1]))
    x = float(position[0] - offset * np.sin(yaw))
    y = float(position[1] + offset * np.cos(yaw))
    return x, y, yaw, offset
