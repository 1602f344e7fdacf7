"""Where each car is on the track, and what the ground does to it there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from headway._jit import kernel
from headway.geometry.curves import project
from headway.world.state import (
    GRAVITY_X,
    GRAVITY_Y,
    GRIP,
    GROUND_WIDTH,
    ROLLING,
    STATE_WIDTH,
    VX,
    VY,
    YAW,
    X,
    Y,
)
from headway.world.track import Track

# places (N, 7): on the track's centre line
S, OFFSET, SPEED, ROOM_LEFT, ROOM_RIGHT, HEIGHT, ROAD_YAW = range(7)
"""m, m left, m/s along the track, m to the left and right edge, m up, rad"""
PLACE_WIDTH = 7

GRAVITY = 9.81
GRASS_GRIP = 0.6
GRASS_ROLLING = 1.5
"""Deceleration on grass, m/s²."""


@dataclass(frozen=True)
class TrackTable:
    """A track sampled at equal steps: rows of left width, right width, height, slope, yaw."""

    step: float
    rows: np.ndarray
    window: float

    @classmethod
    def of(cls, track: Track, window: float) -> TrackTable:
        """Sample a track; positions are looked for within `window` metres of the last one."""
        count = max(int(np.ceil(track.length / min(max(track.length / 1500, 0.05), 2.0))), 8)
        step = track.length / count
        s = np.arange(count + 1) * step
        position = track.route.position(s)
        height = position[:, 2] if position.shape[1] == 3 else np.zeros(count + 1)
        slope = np.gradient(height, step)
        # yaw runs on without jumps, so that it can be interpolated
        yaw = np.unwrap(track.route.yaw(s))
        return cls(step, np.column_stack((track.route.width(s), height, slope, yaw)), window)


def _example() -> tuple[object, ...]:
    line = np.zeros((4, 4, 3))
    line[:, 1, 0] = 10.0
    line[:, 0, 0] = np.arange(4) * 10.0
    return (
        np.zeros((1, STATE_WIDTH)),
        np.ones(1),
        line,
        np.linspace(0.0, 40.0, 33),
        False,
        False,
        np.ones((41, 5)),
        1.0,
        5.0,
        np.zeros((1, PLACE_WIDTH)),
        np.zeros((1, GROUND_WIDTH)),
    )


@kernel(example=_example)
def locate(
    cars: ndarray,
    half_width: ndarray,
    coefficients: ndarray,
    knots: ndarray,
    linear: bool,
    closed: bool,
    table: ndarray,
    step: float,
    window: float,
    places: ndarray,
    ground: ndarray,
) -> None:
    """Move each car's place on the track along with it, and find the ground there.

    Parameters
    ----------
    cars : (N, 7) ndarray
        States.
    half_width : (N,) ndarray
        Half the width of each car, m.
    coefficients, knots : (S, 4, 3) and (8 S + 1,) ndarray
        Curve of the track's centre line.
    linear, closed : bool
        How the curve is measured, and whether it leads back to its start.
    table : (K, 5) ndarray
        Rows of a `TrackTable`.
    step, window : float
        Its step and window, m.
    places : (N, 7) ndarray
        Places before, and on return now.
    ground : (N, 4) ndarray
        The ground, written in place.
    """
    last = len(table) - 1
    for i in range(len(cars)):
        s, offset = project(
            coefficients, knots, linear, closed, cars[i, X], cars[i, Y], places[i, S], window
        )
        row = min(int(s / step), last - 1)
        share = s / step - row
        left = table[row, 0] * (1.0 - share) + table[row + 1, 0] * share
        right = table[row, 1] * (1.0 - share) + table[row + 1, 1] * share
        slope = table[row, 3] * (1.0 - share) + table[row + 1, 3] * share
        yaw = table[row, 4] * (1.0 - share) + table[row + 1, 4] * share
        ahead = cars[i, YAW] - yaw
        places[i, S] = s
        places[i, OFFSET] = offset
        places[i, SPEED] = cars[i, VX] * math.cos(ahead) - cars[i, VY] * math.sin(ahead)
        places[i, ROOM_LEFT] = left - offset
        places[i, ROOM_RIGHT] = right + offset
        places[i, HEIGHT] = table[row, 2] * (1.0 - share) + table[row + 1, 2] * share
        places[i, ROAD_YAW] = yaw
        beyond = -min(places[i, ROOM_LEFT], places[i, ROOM_RIGHT]) / half_width[i]
        grass = min(max(0.5 + 0.5 * beyond, 0.0), 1.0)  # the share of the car beyond the edge
        ground[i, GRIP] = 1.0 - grass * (1.0 - GRASS_GRIP)
        ground[i, ROLLING] = grass * GRASS_ROLLING
        pull = -GRAVITY * slope / math.sqrt(1.0 + slope * slope)
        ground[i, GRAVITY_X] = pull * math.cos(yaw)
        ground[i, GRAVITY_Y] = pull * math.sin(yaw)
