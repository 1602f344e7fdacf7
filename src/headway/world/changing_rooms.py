"""A made world that changes on a schedule: rooms where doors close for a while and walls appear."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError
from headway.geometry.noise import uniform
from headway.world.grid import Grid
from headway.world.worlds import room_doors, rooms

ROOMS_DOWN, ROOMS_ACROSS, WALL_LENGTH = 4, 7, 5
LARGEST_RADIUS = 2.5
"""m, of an agent; the rooms grow with it."""
EVENT_COUNT, EVENT_EVERY, FIRST_EVENT = 30, 4, 3
EVENTS_AHEAD, TICKS_ACROSS = 12, 70
DOORS_IN_REACH = 5
WALL_SHARE = 0.45
LEAST_CLOSED = 14
"""Ticks, in the smallest rooms; in larger ones, which take longer to cross, in proportion."""
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


def changing_rooms(seed: int = 0, radius: float = 0.0) -> ChangingWorld:
    """Make rooms where doors close for a while and walls appear.

    Most happens where an agent is likely to go that leaves the start at tick 0, one cell a tick.
    Walls leave a way round along the sides of their room, and every door opens again, so that
    the goal can always be reached in the end.

    Parameters
    ----------
    seed : int
    radius : float
        m, of the agent, at most 2.5: doors, and the ways round walls, are wide enough for it.

    Returns
    -------
    ChangingWorld

    Raises
    ------
    InputError
        If the seed is not a whole number, or the radius is not from 0 to 2.5 m.

    Examples
    --------
    >>> world = changing_rooms(seed=1)
    >>> world.grid.shape, world.start, world.goal
    ((33, 57), (4, 4), (28, 52))
    >>> changing_rooms(seed=1, radius=0.8).grid.shape
    (49, 85)
    """
    gap = _gap(radius)
    size = WALL_LENGTH + 2 * gap
    across_a_room = (size + 1) / (WALL_LENGTH + 3)  # in those of the smallest rooms
    grid = rooms(ROOMS_DOWN, ROOMS_ACROSS, size, seed, gap)
    doors = room_doors(ROOMS_DOWN, ROOMS_ACROSS, size, seed, gap)
    start = np.array((size // 2 + 1, size // 2 + 1))
    goal = np.array(grid.shape) - 1 - start
    changes: list[Change] = []
    chance = _chances(seed)
    opens_at = np.zeros(len(doors), np.int64)
    for event, (kind, which, where, how_long) in enumerate(chance):
        moment = FIRST_EVENT + EVENT_EVERY * event
        near = start + (goal - start) * min(1.0, (moment + EVENTS_AHEAD) / TICKS_ACROSS)
        tick = int(across_a_room * moment)
        if kind < WALL_SHARE:
            room = _room_near(near, which, size)
            if room not in ((0, 0), (ROOMS_DOWN - 1, ROOMS_ACROSS - 1)):  # start, goal
                wall = _wall_in_room(room, where, how_long < 0.5, gap)
                changes.append(Change(tick, wall, False, "a wall appears"))
            continue
        by_distance = np.argsort(np.hypot(*(doors[:, gap // 2] - near).T), kind="stable")
        door = by_distance[int(DOORS_IN_REACH * which)]
        if opens_at[door] < tick:
            closed = across_a_room * (LEAST_CLOSED + int(LEAST_CLOSED * how_long))
            opens_at[door] = tick + int(closed)
            changes.append(Change(tick, doors[door], False, "a door closes"))
            changes.append(Change(int(opens_at[door]), doors[door], True, "a door opens"))
    changes.sort(key=lambda change: change.tick)
    ends = [(int(row), int(column)) for row, column in (start, goal)]
    return ChangingWorld(grid, ends[0], ends[1], tuple(changes))


def _gap(radius: float) -> int:
    """Cells across the narrowest gap that an agent must fit through: odd, to have a middle."""
    if not 0.0 <= radius <= LARGEST_RADIUS:
        raise InputError(
            f"radius is {radius:g}: give 0 to {LARGEST_RADIUS:g} m, the largest that fits through "
            "the doors of the changing rooms."
        )
    return 2 * math.ceil(max(radius - 0.5, 0.0)) + 1


def _room_near(place: NDArray[np.float64], which: float, size: int) -> tuple[int, int]:
    """One of the nine rooms at and around a place."""
    down, across = divmod(int(9 * which), 3)
    row, column = place // (size + 1)
    return (
        min(max(int(row) + down - 1, 0), ROOMS_DOWN - 1),
        min(max(int(column) + across - 1, 0), ROOMS_ACROSS - 1),
    )


def _wall_in_room(room: tuple[int, int], where: float, level: bool, gap: int) -> NDArray[np.int64]:
    """A wall in a room that leaves a way round it along all sides."""
    along = 1 + gap + np.arange(WALL_LENGTH)
    across = np.full_like(along, 1 + gap + int(WALL_LENGTH * where))
    inside = (across, along) if level else (along, across)
    return np.array(room) * (WALL_LENGTH + 2 * gap + 1) + np.column_stack(inside)


def _chances(seed: int) -> list[list[float]]:
    """Four random numbers for each event."""
    return [[uniform(seed, EVENTS, event, n) for n in range(4)] for event in range(EVENT_COUNT)]
