"""Seeing the cars around before touching them: follow, pass, and leave room beside one another.

Every car looks at those a little ahead and beside it along the track. One that blocks its lane
caps its speed, so that it can still brake to the other's; if there is room beside, it is passed,
on the side first chosen until it is behind. Cars alongside are given their width.
"""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from headway._jit import kernel
from headway.decide.driver_row import DRIVER_WIDTH, FOLLOWING_TIME, HALF_WIDTH, LENGTH
from headway.decide.memory import MEMORY_WIDTH, PASS_SIDE, PASS_UNTIL
from headway.world.place import OFFSET, PLACE_WIDTH, ROOM_LEFT, ROOM_RIGHT, SPEED, S

CAP, LOW, HIGH = range(3)
"""columns of the result: m/s, and the lateral moves (left positive) that are free, m"""

FOLLOWER_BRAKING = 5.0
"""Deceleration that a follower counts on, m/s²: well within every car's brakes."""
ALONGSIDE = 0.25
"""Share of a car's length, before and behind, within which two cars are alongside."""
SIDE_ROOM = 0.25
"""Room between two cars abreast, as a share of a car's width."""
PULLS_AWAY = 2.0
"""A car that is faster by this, m/s, is not passed."""
KEEP_SIDE = 1.0
"""How long the chosen side is kept after the other was last in the way, s."""
MOST_SEEN = 12
"""Cars looked at to the front, and to the back: a crowd further off changes nothing."""


def _example() -> tuple[object, ...]:
    return (
        np.zeros(2, dtype=np.int64),
        np.zeros((2, PLACE_WIDTH)),
        np.zeros(2, dtype=np.bool_),
        np.ones((2, DRIVER_WIDTH)),
        100.0,
        True,
        0.0,
        np.zeros((2, MEMORY_WIDTH)),
        np.zeros((2, 3)),
    )


@kernel(example=_example)
def see_traffic(
    order: ndarray,
    places: ndarray,
    active: ndarray,
    drivers: ndarray,
    length: float,
    closed: bool,
    time: float,
    memory: ndarray,
    bounds: ndarray,
) -> None:
    """Find what the cars around leave each car: a speed, and room to either side.

    Parameters
    ----------
    order : (N,) ndarray of int64
        Cars in the order of their arc length on the track.
    places : (N, 7) ndarray
        Where the cars are on the track; see `headway.world.place`.
    active : (N,) ndarray of bool
        Cars that are on the track.
    drivers : (N, DRIVER_WIDTH) ndarray
        The drivers.
    length : float
        Length of the track, m.
    closed : bool
        Whether the track leads back to its start.
    time : float
        Now, s.
    memory : (N, MEMORY_WIDTH) ndarray
        What the drivers remember; the side to pass on is changed in place.
    bounds : (N, 3) ndarray
        The result, written in place; see CAP, LOW and HIGH.
    """
    count = len(order)
    for rank in range(count):
        i = order[rank]
        bounds[i, CAP] = np.inf
        bounds[i, LOW] = -np.inf
        bounds[i, HIGH] = np.inf
        if not active[i] or drivers[i, FOLLOWING_TIME] <= 0.0:
            continue
        for way in (1, -1):
            seen, k = 0, 0
            while seen < MOST_SEEN and k < count - 1:
                k += 1
                other_rank = rank + way * k
                if not closed and (other_rank < 0 or other_rank >= count):
                    break
                j = order[other_rank % count]
                if not active[j]:
                    continue
                seen += 1
                gap = places[j, S] - places[i, S]
                if closed:
                    gap -= length * math.floor(gap / length + 0.5)
                if _beyond_sight(i, j, gap, places, drivers):
                    break
                _heed(i, j, gap, places, drivers, time, memory, bounds)


@kernel
def _beyond_sight(i: int, j: int, gap: float, places: ndarray, drivers: ndarray) -> bool:
    """Tell whether car j, and so every car further that way, is too far to matter to car i."""
    lengths = 0.5 * (drivers[i, LENGTH] + drivers[j, LENGTH])
    speed = max(places[i, SPEED], 0.0)
    farthest = 2.0 * lengths + speed + speed**2 / (2.0 * FOLLOWER_BRAKING)
    return gap > farthest or gap < -lengths * (1.0 + ALONGSIDE)


@kernel
def _heed(
    i: int,
    j: int,
    gap: float,
    places: ndarray,
    drivers: ndarray,
    time: float,
    memory: ndarray,
    bounds: ndarray,
) -> None:
    """Heed car j from car i: leave it its width, follow it, or choose a side to pass it on."""
    lengths = 0.5 * (drivers[i, LENGTH] + drivers[j, LENGTH])
    speed, other_speed = places[i, SPEED], places[j, SPEED]
    closing = max(speed - other_speed, 0.0)
    clear = (drivers[i, HALF_WIDTH] + drivers[j, HALF_WIDTH]) * (1.0 + SIDE_ROOM)
    aside = places[j, OFFSET] - places[i, OFFSET]
    blocks = abs(aside) < clear / (1.0 + 0.5 * SIDE_ROOM)
    if abs(gap) < lengths * (1.0 + ALONGSIDE):
        if aside > 0.0:
            bounds[i, HIGH] = min(bounds[i, HIGH], aside - clear)
        else:
            bounds[i, LOW] = max(bounds[i, LOW], aside + clear)
        if not blocks:
            return
    horizon = 2.0 * lengths + speed + closing**2 / (2.0 * FOLLOWER_BRAKING)
    if not 0.0 < gap < horizon:
        return
    if blocks:
        free = gap - lengths * (1.0 + ALONGSIDE) - drivers[i, FOLLOWING_TIME] * max(speed, 0.0)
        cap = math.sqrt(max(other_speed, 0.0) ** 2 + 2.0 * FOLLOWER_BRAKING * max(free, 0.0))
        bounds[i, CAP] = min(bounds[i, CAP], cap if free > 0.0 else 0.95 * cap)
    # one settles beside the other's lane at just `clear`: that is to be held, and is no longer slow
    if abs(aside) < 1.05 * clear and other_speed < speed + PULLS_AWAY:
        _choose_side(i, j, aside, clear, drivers[i, HALF_WIDTH], places, time, memory, bounds)


@kernel
def _choose_side(
    i: int,
    j: int,
    aside: float,
    clear: float,
    half_width: float,
    places: ndarray,
    time: float,
    memory: ndarray,
    bounds: ndarray,
) -> None:
    """Ask for the lateral move that passes car j: on the side chosen before, while it has room."""
    before = memory[i, PASS_SIDE] if time < memory[i, PASS_UNTIL] else 0.0
    nearer = -1.0 if aside > 0.0 else 1.0
    for side in (before, nearer, -nearer):
        room = places[j, ROOM_LEFT] if side > 0.0 else places[j, ROOM_RIGHT]
        if side == 0.0 or room < half_width + clear:
            continue
        memory[i, PASS_SIDE] = side
        memory[i, PASS_UNTIL] = time + KEEP_SIDE
        if side > 0.0:
            bounds[i, LOW] = max(bounds[i, LOW], aside + clear)
        else:
            bounds[i, HIGH] = min(bounds[i, HIGH], aside - clear)
        return
