"""Drives to look at: route drivers in cars of the real model, on a dry track, without a race."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from headway.decide.route_driver import RouteDriver
from headway.decide.route_drivers import RouteDrivers
from headway.move.car import CARS
from headway.move.single_track import step_cars
from headway.world.place import PLACE_WIDTH, ROOM_LEFT, ROOM_RIGHT, S, TrackTable, locate
from headway.world.state import GROUND_WIDTH, STATE_WIDTH, VX, YAW, X, Y
from headway.world.track import Track

DT = 0.02


@dataclass(frozen=True)
class Seen:
    """What drivers see at one tick."""

    time: float
    cars: np.ndarray
    places: np.ndarray
    hits: np.ndarray
    active: np.ndarray


@dataclass(frozen=True)
class Drive:
    """What N cars did over T ticks: states, controls, places on the track, drivers' memory."""

    track: Track
    cars: np.ndarray
    controls: np.ndarray
    places: np.ndarray
    memory: np.ndarray

    @property
    def room(self) -> np.ndarray:
        """(T, N) m from the middle of each car to the nearer edge; negative beyond it."""
        return np.minimum(self.places[:, :, ROOM_LEFT], self.places[:, :, ROOM_RIGHT])

    @property
    def distance(self) -> np.ndarray:
        """(T, N) m along the track from where each car began, laps added up."""
        s = self.places[:, :, S]
        if self.track.closed:
            s = np.unwrap(s, axis=0, period=self.track.length)
        return s - s[0]


def on_track(track: Track, s: float, offset: float = 0.0, speed: float = 0.0, turn: float = 0.0):
    """State (7,) of a car at s, m left of the centre line, turned out of the track's direction."""
    yaw = track.route.yaw(s)
    position = track.route.position(s)
    car = np.zeros(STATE_WIDTH)
    car[X] = position[0] - offset * np.sin(yaw)
    car[Y] = position[1] + offset * np.cos(yaw)
    car[YAW] = np.angle(np.exp(1j * (yaw + turn)))
    car[VX] = speed
    return car


def seen(track: Track, cars: np.ndarray, places=None, time=0.0, half_width=1.0, hits=None) -> Seen:
    """What drivers of cars (N, 7) see, found from where they were last, or anywhere."""
    count = len(cars)
    if places is None:
        places = np.zeros((count, PLACE_WIDTH))
        places[:, S] = track.route.project(cars[:, [X, Y]], yaw=cars[:, YAW]).s
    places = places.copy()
    table = TrackTable.of(track, 10.0)
    locate(
        cars, np.full(count, half_width), *track.route.curve, table.rows, table.step, table.window,
        places, np.zeros((count, GROUND_WIDTH)),
    )  # fmt: skip
    hits = np.full(count, -1, dtype=np.int64) if hits is None else hits
    return Seen(float(time), cars, places, hits, np.ones(count, dtype=np.bool_))


def drive_on(
    track: Track,
    drivers: Sequence[RouteDriver],
    start: np.ndarray,
    seconds: float,
    vehicles: str | Sequence[str] = "road",
    seed: int = 0,
    see_others: bool = False,
    identities: Sequence[int] | None = None,
    hold: Callable[[int, np.ndarray], None] | None = None,
) -> Drive:
    """Let N drivers drive from their start (N, 7) or (7,); `hold` may keep cars back each tick."""
    count = len(drivers)
    names = [vehicles] * count if isinstance(vehicles, str) else list(vehicles)
    kinds = [CARS[name] for name in names]
    numbers = np.array(range(count) if identities is None else identities, dtype=np.int64)
    team = RouteDrivers(track, drivers, kinds, numbers, seed, DT, see_others)
    rows = np.stack([kind.vector() for kind in kinds])
    half_width = np.array([0.5 * kind.width for kind in kinds])
    dry = np.zeros((count, GROUND_WIDTH))
    dry[:, 0] = 1.0
    cars = np.broadcast_to(start, (count, STATE_WIDTH)).copy()
    places = seen(track, cars).places
    table = TrackTable.of(track, 10.0)
    memory, history = team.start(cars), []
    for tick in range(round(seconds / DT)):
        places = places.copy()
        locate(
            cars, half_width, *track.route.curve, table.rows, table.step, table.window, places,
            np.zeros((count, GROUND_WIDTH)),
        )  # fmt: skip
        hits, active = np.full(count, -1, dtype=np.int64), np.ones(count, dtype=np.bool_)
        controls, memory = team(Seen(tick * DT, cars, places, hits, active), memory)
        history.append((cars, controls, places, memory))
        cars = step_cars(cars, controls, dry, rows, DT, 2)
        if hold is not None:
            hold(tick, cars)
    return Drive(track, *(np.stack(column) for column in zip(*history, strict=True)))
