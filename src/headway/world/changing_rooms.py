"""A made world that changes on a schedule: rooms where doors close for a while and walls appear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.geometry.noise import uniform
from headway.world.grid import Grid
from headway.world.worlds import room_doors, rooms

ROOMS_DOWN, ROOMS_ACROSS, ROOM_SIZE = 4, 7, 7
EVENT_COUNT, EVENT_EVERY, FIRST_EVENT = 30, 4, 3
EVENTS_AHEAD, TICKS_ACROSS = 12, 70
DOORS_IN_REACH = 5
WALL_SHARE = 0.45
LEAST_CLOSED = 14
EVENTS = 100
"""Stream of random numbers, apart from those that make the rooms."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happens to a world.

    Parameters
    ----------
    tick : int
        When.
    cells : (K, 2) ndarray of int64
        Row and column of the cells it happens to.
    free : bool
        Whether they are free from then on, or blocked.
    why : str
        What it is, in a few words.
    """

    tick: int
    cells: NDArray[np.int64]
    free: bool
    why: str


@dataclass(frozen=True)
class ChangingWorld:
    """A world at the beginning, what will happen to it, and a way to go in it.

    Parameters
    ----------
    grid : Grid
        As it is at the beginning.
    start, goal : tuple of int
        Row and column of a free cell that no wall will cover.
    changes : tuple of Change
        In the order of time.
    """

    grid: Grid
    start: tuple[int, int]
    goal: tuple[int, int]
    changes: tuple[Change, ...]


def changing_rooms(seed: int = 0) -> ChangingWorld:
    """Make rooms where doors close for a while and walls appear.

    Most happens where an agent is likely to go that leaves the start at tick 0, one cell a tick.
    Walls leave a way round along the sides of their room, and every door opens again, so that
    the goal can always be reached in the end.

    Parameters
    ----------
    seed : int

    Returns
    -------
    ChangingWorld

    Examples
    --------
    >>> world = changing_rooms(seed=1)
    >>> world.grid.shape, world.start, world.goal
    ((33, 57), (4, 4), (28, 52))
    """
    size = (ROOMS_DOWN, ROOMS_ACROSS, ROOM_SIZE, seed)
    grid, doors = rooms(*size), room_doors(*size)
    start = np.array((ROOM_SIZE // 2 + 1, ROOM_SIZE // 2 + 1))
    goal = np.array(grid.shape) - 1 - start
    changes: list[Change] = []
    chance = _chances(seed)
    opens_at = np.zeros(len(doors), np.int64)
    for event, (kind, which, where, how_long) in enumerate(chance):
        tick = FIRST_EVENT + EVENT_EVERY * event
        near = start + (goal - start) * min(1.0, (tick + EVENTS_AHEAD) / TICKS_ACROSS)
        if kind < WALL_SHARE:
            room = _room_near(near, which)
            if room not in ((0, 0), (ROOMS_DOWN - 1, ROOMS_ACROSS - 1)):  # start, goal
                wall = _wall_in_room(room, where, how_long < 0.5)
                changes.append(Change(tick, wall, False, "a wall appears"))
            continue
        by_distance = np.argsort(np.hypot(*(doors[:, 0] - near).T), kind="stable")
        door = by_distance[int(DOORS_IN_REACH * which)]
        if opens_at[door] < tick:
            opens_at[door] = tick + LEAST_CLOSED + int(LEAST_CLOSED * how_long)
            changes.append(Change(tick, doors[door], False, "a door closes"))
            changes.append(Change(int(opens_at[door]), doors[door], True, "a door opens"))
    changes.sort(key=lambda change: change.tick)
    ends = [(int(row), int(column)) for row, column in (start, goal)]
    return ChangingWorld(grid, ends[0], ends[1], tuple(changes))


def _room_near(place: NDArray[np.float64], which: float) -> tuple[int, int]:
    """One of the nine rooms at and around a place."""
    down, across = divmod(int(9 * which), 3)
    row, column = place // (ROOM_SIZE + 1)
    return (
        min(max(int(row) + down - 1, 0), ROOMS_DOWN - 1),
        min(max(int(column) + across - 1, 0), ROOMS_ACROSS - 1),
    )


def _wall_in_room(room: tuple[int, int], where: float, level: bool) -> NDArray[np.int64]:
    """A wall in a room that leaves a way round it along all sides."""
    along = np.arange(2, ROOM_SIZE)
    across = np.full_like(along, 2 + int((ROOM_SIZE - 2) * where))
    inside = (across, along) if level else (along, across)
    return np.array(room) * (ROOM_SIZE + 1) + np.column_stack(inside)


def _chances(seed: int) -> list[list[float]]:
    """Four random numbers for each event."""
    return [[uniform(seed, EVENTS, event, n) for n in range(4)] for event in range(EVENT_COUNT)]
