"""A race: what does not change in it, and the state that does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np

from headway.decide.route_driver import RouteDriver, driver
from headway.decide.route_drivers import RouteDrivers, View
from headway.errors import InputError
from headway.move.car import Car, car
from headway.sim.grid import grid, start_line
from headway.sim.timing import RACING, STATUS
from headway.world.place import TrackTable
from headway.world.track import Track


class Driver(Protocol):
    """Anything that drives: all cars at once, from the old state."""

    def start(self, cars: np.ndarray) -> Any:
        """Return the first memory, from the states (N, 7) on the grid."""
        ...

    def __call__(self, view: View, memory: Any) -> tuple[np.ndarray, Any]:
        """Return controls (N, 4) and the new memory."""
        ...


@dataclass(frozen=True)
class RaceState:
    """Everything that changes in a race, at one tick.

    Parameters
    ----------
    tick : int
        Ticks since the start.
    time : float
        Seconds since the start.
    cars : (N, 7) ndarray
        States of the cars; see `headway.world.state`.
    controls : (N, 4) ndarray
        What the drivers last commanded.
    places : (N, 7) ndarray
        Where the cars are on the track; see `headway.world.place`.
    ground : (N, 4) ndarray
        The ground under them.
    hits : (N,) ndarray of int64
        Row of the car each car touched in the last tick; -1 for none.
    timing : (N, 17) ndarray
        The stewards' book; see `headway.sim.timing`.
    crossings : (N, laps, C) ndarray
        Time at which each car left each sector of each lap, s; NaN where it has not yet.
    memory : object
        What the drivers remember.
    """

    tick: int
    time: float
    cars: np.ndarray
    controls: np.ndarray
    places: np.ndarray
    ground: np.ndarray
    hits: np.ndarray
    timing: np.ndarray
    crossings: np.ndarray
    memory: Any

    @property
    def active(self) -> np.ndarray:
        """(N,) whether each car is on the track: neither finished nor retired."""
        return self.timing[:, STATUS] == RACING


class Race:
    """What does not change in a race.

    Parameters
    ----------
    track : Track
        The track.
    cars : int or sequence of int
        How many cars, or the number of each: a car's slot on the grid and its wander depend on
        its number only.
    laps : int
        Laps to drive; an open track has one.
    vehicle : str, Car, or a sequence of them
        The kind of car: a name such as "gt", a `Car`, or one for each car in turn.
    driver : str, RouteDriver, Driver, or a sequence of RouteDriver
        Who drives: a name such as "racer", a `RouteDriver`, one for each car in turn, or any
        object with the two methods of `Driver`, for all cars.
    seed : int
        Seed of everything random.
    rolling_speed : float, optional
        Speed of a rolling start, m/s; without it the cars start from standing.
    grid_slots : int, optional
        Slots of the grid, by default as many as the cars' numbers need; where the start line of an
        open track lies depends on it.
    interact : bool
        Whether the cars see and touch one another; without, each drives as if alone.
    dt : float
        Time step, s.
    substeps : int
        Steps of the vehicle model in one time step.

    Raises
    ------
    InputError
        If an argument cannot be used, or the cars do not fit on the track.

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> race = Race(circuit("oval"), cars=2, laps=1)
    >>> race.car_count, [car.name for car in race.vehicles]
    (2, ['gt', 'gt'])
    """

    def __init__(
        self,
        track: Track,
        cars: int | Sequence[int] = 8,
        laps: int = 3,
        vehicle: str | Car | Sequence[str | Car] = "gt",
        driver: str | RouteDriver | Driver | Sequence[str | RouteDriver] = "racer",
        seed: int = 0,
        rolling_speed: float | None = None,
        grid_slots: int | None = None,
        interact: bool = True,
        dt: float = 0.02,
        substeps: int = 2,
    ):
        if not isinstance(track, Track):
            raise InputError(f"track is {track!r}: give a Track, such as circuit('club').")
        self.track = track
        self.identities = _identities(cars)
        self.laps = _whole("laps", laps, 1, 10_000)
        if self.laps > 1 and not track.closed:
            raise InputError(f"{track.name} is open, so it has one lap: set laps to 1.")
        self.seed = _whole("seed", seed, 0, 2**31 - 1)
        self.rolling_speed = rolling_speed
        if not isinstance(interact, bool):
            raise InputError(f"interact is {interact!r}: give True or False.")
        self.interact = interact
        self.dt = _number("dt", dt, 1e-4, 0.1)
        self.substeps = _whole("substeps", substeps, 1, 100)
        if rolling_speed is not None:
            self.rolling_speed = _number("rolling_speed", rolling_speed, 0.0, 150.0)
        self.vehicles = [_car(each) for each in _one_each(vehicle, self.car_count, "vehicle")]
        slowest = min(each.top_speed for each in self.vehicles)
        if (self.rolling_speed or 0.0) > slowest:
            raise InputError(f"rolling_speed is {rolling_speed}: a car tops out at {slowest} m/s.")
        self.vehicle_rows = np.stack([each.vector() for each in self.vehicles])
        self.half_width = np.array([0.5 * each.width for each in self.vehicles])
        self._longest = max(each.length for each in self.vehicles)
        needed = int(self.identities.max()) + 1
        self.grid_slots = _whole(
            "grid_slots", needed if grid_slots is None else grid_slots, needed, 10_000
        )
        self.grid = grid(
            track,
            self.identities,
            self.grid_slots,
            self._longest,
            2 * self.half_width.max(),
            self.rolling_speed,
        )
        self.table = TrackTable.of(track, window=2.0 * self._longest)
        self.start_s = start_line(
            track, self.grid_slots, self._longest, self.rolling_speed is not None
        )
        self.lap_length = _lap_length(track, self.start_s, self._longest)
        self.sectors = np.array([*track.sectors, 1.0])
        self.time_limit = 120.0 + self.laps * self.lap_length / 2.0
        self.driver = self._driver(driver)

    @property
    def car_count(self) -> int:
        """Number of cars."""
        return len(self.identities)

    def _driver(self, chosen: Any) -> Driver:
        if callable(chosen) and hasattr(chosen, "start"):
            return cast(Driver, chosen)
        drivers = [
            driver(each) if isinstance(each, str) else each
            for each in _one_each(chosen, self.car_count, "driver")
        ]
        for each in drivers:
            if not isinstance(each, RouteDriver):
                raise InputError(
                    f"driver is {each!r}: give names, RouteDrivers, or one Driver for all."
                )
        return RouteDrivers(
            self.track, drivers, self.vehicles, self.identities, self.seed, self.dt, self.interact
        )


def _identities(cars: int | Sequence[int]) -> np.ndarray:
    if isinstance(cars, (int, np.integer)):
        return np.arange(_whole("cars", cars, 1, 10_000), dtype=np.int64)
    if not isinstance(cars, Sequence):
        raise InputError(f"cars is {cars!r}: give a count, or a list of the cars' numbers.")
    numbers = [_whole("a car's number", each, 0, 9_999) for each in cars]
    if not numbers or len(set(numbers)) < len(numbers):
        raise InputError("cars must be a count, or the numbers of the cars, each once.")
    return np.array(numbers, dtype=np.int64)


def _one_each(value: Any, count: int, name: str) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) == 0:
        raise InputError(f"{name} is an empty list: give at least one.")
    return [value[i % len(value)] for i in range(count)]


def _car(chosen: str | Car) -> Car:
    if isinstance(chosen, str):
        return car(chosen)
    if not isinstance(chosen, Car):
        raise InputError(f"vehicle is {chosen!r}: give a name or a Car.")
    return chosen


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputError(f"{name} is {value!r}: give a whole number from {low} to {high}.")
    if not low <= value <= high:
        raise InputError(f"{name} is {value}: give a whole number from {low} to {high}.")
    return int(value)


def _number(name: str, value: Any, low: float, high: float) -> float:
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not real or not low <= value <= high:
        raise InputError(f"{name} is {value!r}: give a number from {low} to {high}.")
    return float(value)


def _lap_length(track: Track, start_s: float, longest: float) -> float:
    """Length of a lap: the whole of a closed track; of an open one, all but a short run-out."""
    if track.closed:
        return track.length
    length = track.length - start_s - 4.0 * longest
    if length <= 0.0:
        raise InputError(
            f"{track.name} is {track.length:.0f} m long, which leaves no road behind the grid: "
            "start fewer cars."
        )
    return length
