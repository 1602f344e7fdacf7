"""The stewards: laps, sectors, contacts, excursions, cars that need help, and who has finished.

A lap ends when the distance driven from the start line reaches the next whole lap; distance
counts down when a car goes backwards, so crossing the line the wrong way gains nothing. The time
of a crossing is interpolated within the tick.
"""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from headway._jit import kernel
from headway.world.place import PLACE_WIDTH, ROOM_LEFT, ROOM_RIGHT, S

# timing (N, 17)
(
    DISTANCE,  # m from the start line, over all laps
    LAPS,  # completed
    SECTOR,  # index of the sector the car is in
    LAP_START,  # s
    SECTOR_START,  # s
    STATUS,
    FINISH,  # s
    OFF_TRACK,  # times the whole car left the road
    OFF_SINCE,  # s; -1 on the road
    CONTACTS,  # times the car touched another or a wall
    TOUCHED,  # s of the last touch
    FURTHEST,  # m, largest DISTANCE so far
    FURTHEST_AT,  # s
    LONGEST_HALT,  # s without getting further, rescues or not
    RESCUES,
    RESCUED_AT,  # s
    NEEDS_RESCUE,
) = range(17)
TIMING_WIDTH = 17

RACING, FINISHED, RETIRED = range(3)
"""values of STATUS"""

SAME_TOUCH = 0.5
"""A touch within this time of the last one is the same one, s."""
RESCUE_AFTER = 7.0
"""A car that got no further, or was off the road, for this long is put back, s."""
STEP_ON = 1.0
"""Getting further means by this much, m."""


def _example() -> tuple[object, ...]:
    return (
        np.zeros((1, PLACE_WIDTH)),
        np.zeros((1, PLACE_WIDTH)),
        np.full(1, -1, dtype=np.int64),
        np.zeros(1, dtype=np.bool_),
        np.ones(1),
        100.0,
        True,
        100.0,
        np.array([0.5, 1.0]),
        0.0,
        0.02,
        np.zeros((1, TIMING_WIDTH)),
        np.zeros((1, 1, 2)),
    )


@kernel(example=_example)
def keep_time(
    before: ndarray,
    after: ndarray,
    hits: ndarray,
    wall_hits: ndarray,
    half_width: ndarray,
    length: float,
    closed: bool,
    lap_length: float,
    sectors: ndarray,
    time: float,
    dt: float,
    timing: ndarray,
    crossings: ndarray,
) -> None:
    """Bring the stewards' book up to date after one tick.

    Parameters
    ----------
    before, after : (N, 7) ndarray
        Places at the start and the end of the tick.
    hits : (N,) ndarray of int64
        Row of the car that each car touched; -1 for none.
    wall_hits : (N,) ndarray of bool
        Cars that touched a wall.
    half_width : (N,) ndarray
        Half the width of each car, m.
    length, closed
        Length of the track, m, and whether it leads back to its start.
    lap_length : float
        Distance of one lap, m.
    sectors : (C,) ndarray
        Ends of the sectors as shares of the lap, the last one 1.
    time, dt : float
        Time at the start of the tick, and its length, s.
    timing : (N, 17) ndarray
        The book, changed in place.
    crossings : (N, laps, C) ndarray
        Time at which each car left each sector of each lap, NaN before; changed in place.
    """
    now = time + dt
    for i in range(len(timing)):
        book = timing[i]
        if book[STATUS] != RACING:
            continue
        moved = after[i, S] - before[i, S]
        if closed:
            moved -= length * math.floor(moved / length + 0.5)
        old = book[DISTANCE]
        book[DISTANCE] = old + moved
        _cross_lines(book, old, lap_length, sectors, time, dt, crossings[i])
        _note_contact(book, hits[i] >= 0 or wall_hits[i], now)
        _note_excursion(book, after[i], half_width[i], now)
        if book[DISTANCE] > book[FURTHEST] + STEP_ON:
            book[FURTHEST] = book[DISTANCE]
            book[FURTHEST_AT] = now
        halt = now - book[FURTHEST_AT]
        book[LONGEST_HALT] = max(book[LONGEST_HALT], halt)
        waits = now - max(book[FURTHEST_AT], book[RESCUED_AT])
        off_for = now - book[OFF_SINCE] if book[OFF_SINCE] >= 0.0 else 0.0
        if book[STATUS] == RACING and max(waits, off_for) > RESCUE_AFTER:
            book[NEEDS_RESCUE] = 1.0


@kernel
def _cross_lines(
    book: ndarray,
    old: float,
    lap_length: float,
    sectors: ndarray,
    time: float,
    dt: float,
    crossings: ndarray,
) -> None:
    """Note each sector line that the distance passed in this tick, at its time within the tick."""
    while book[STATUS] == RACING:
        lap, sector = int(book[LAPS]), int(book[SECTOR])
        line = (lap + sectors[sector]) * lap_length
        if book[DISTANCE] < line:
            return
        moved = book[DISTANCE] - old
        at = time + (dt * min(max((line - old) / moved, 0.0), 1.0) if moved > 0.0 else dt)
        crossings[lap, sector] = at
        book[SECTOR_START] = at
        book[SECTOR] = sector + 1
        if sector + 1 == len(sectors):
            book[SECTOR] = 0
            book[LAPS] = lap + 1
            book[LAP_START] = at
            if lap + 1 == len(crossings):
                book[STATUS] = FINISHED
                book[FINISH] = at


@kernel
def _note_contact(book: ndarray, touched: bool, now: float) -> None:
    if touched:
        if book[CONTACTS] == 0.0 or now - book[TOUCHED] > SAME_TOUCH:
            book[CONTACTS] += 1.0
        book[TOUCHED] = now


@kernel
def _note_excursion(book: ndarray, place: ndarray, half_width: float, now: float) -> None:
    """Count the times the whole car is off; it is back on when its middle is over the road."""
    room = min(place[ROOM_LEFT], place[ROOM_RIGHT])
    if book[OFF_SINCE] < 0.0 and room < -half_width:
        book[OFF_TRACK] += 1.0
        book[OFF_SINCE] = now
    elif room > 0.0:
        book[OFF_SINCE] = -1.0
