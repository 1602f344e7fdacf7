"""One tick of a race: drivers decide, cars move, contacts part, stewards write.

`step` takes a state and returns the next one and changes nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from headway.decide.route_drivers import RouteDrivers
from headway.errors import InputError
from headway.move.contact import resolve_contacts_into
from headway.move.single_track import step_cars_into
from headway.move.walls import resolve_walls_into
from headway.sim.race import Race, RaceState
from headway.sim.rescue import rescue
from headway.sim.timing import (
    DISTANCE,
    FURTHEST,
    NEEDS_RESCUE,
    OFF_SINCE,
    TIMING_WIDTH,
    keep_time,
)
from headway.world.place import (
    HEIGHT,
    OFFSET,
    PLACE_WIDTH,
    ROAD_YAW,
    ROOM_LEFT,
    ROOM_RIGHT,
    S,
    locate,
)
from headway.world.state import BRAKE, GEAR, GROUND_WIDTH, STEERING, THROTTLE, YAW, X, Y

PARTINGS = 8
"""Times that cars are parted from cars and walls in turn, where they are pressed between them."""


def start(race: Race) -> RaceState:
    """Return the state on the grid."""
    count = race.car_count
    cars = race.grid.copy()
    places = np.zeros((count, PLACE_WIDTH))
    places[:, S] = race.track.route.project(cars[:, [X, Y]], yaw=cars[:, YAW]).s
    timing = np.zeros((count, TIMING_WIDTH))
    timing[:, OFF_SINCE] = -1.0
    ground = np.zeros((count, GROUND_WIDTH))
    _locate(race, cars, places, ground)
    length = race.track.length
    distance = places[:, S] - race.start_s
    if race.track.closed:
        distance -= length * np.where(distance > 0.0, 1.0, 0.0)
    timing[:, DISTANCE] = timing[:, FURTHEST] = distance
    return RaceState(
        tick=0,
        time=0.0,
        cars=cars,
        controls=np.zeros((count, 4)),
        places=places,
        ground=ground,
        hits=np.full(count, -1, dtype=np.int64),
        timing=timing,
        crossings=np.full((count, race.laps, len(race.sectors)), np.nan),
        memory=race.driver.start(cars),
    )


def step(race: Race, state: RaceState) -> RaceState:
    """Return the state one tick later.

    Drivers decide from the old state, so that none sees where another has moved; then all cars
    move, then those that overlap are parted, then the stewards write it down.

    Raises
    ------
    InputError
        If a driver of one's own commands something that is not an (N, 4) array of finite numbers.

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> race = Race(circuit("oval"), cars=2, laps=1)
    >>> state = step(race, start(race))
    >>> state.tick, state.time
    (1, 0.02)
    """
    active = state.active
    if isinstance(race.driver, RouteDrivers):
        controls, memory = race.driver(state, state.memory)
    else:
        controls, memory = _ask(race, state)
    cars = np.empty_like(state.cars)
    step_cars_into(
        state.cars, controls, state.ground, race.vehicle_rows, race.dt, race.substeps, cars
    )
    if not active.all():
        cars[~active] = state.cars[~active]
    hits = _part_cars(race, cars, state.places[:, HEIGHT].copy(), active)
    places, ground = state.places.copy(), np.empty_like(state.ground)
    _locate(race, cars, places, ground)
    wall_hits = _part_walls(race, cars, places)
    for _ in range(PARTINGS if wall_hits.any() else 0):
        # who was pushed off a wall may now touch a car, and who parted from it a wall
        again = _part_cars(race, cars, places[:, HEIGHT].copy(), active)
        hits = np.where(hits < 0, again, hits)
        _locate(race, cars, places, ground)
        walls = _part_walls(race, cars, places)
        wall_hits |= walls
        if not walls.any():
            break
    timing, crossings = state.timing.copy(), state.crossings.copy()
    keep_time(
        state.places, places, hits, wall_hits, race.half_width, race.track.length,
        race.track.closed, race.lap_length, race.sectors, state.time, race.dt, timing, crossings,
    )  # fmt: skip
    after = RaceState(
        state.tick + 1, (state.tick + 1) * race.dt, cars, controls, places, ground, hits,
        timing, crossings, memory,
    )  # fmt: skip
    if timing[:, NEEDS_RESCUE].any():
        after = rescue(race, after)
        _locate(race, after.cars, after.places, after.ground)
    return after


def _ask(race: Race, state: RaceState) -> tuple[np.ndarray, Any]:
    """Ask a driver of the user's own, who may look at the state but not touch it.

    What it commands is checked and brought within what a car has.
    """
    count, tick = race.car_count, state.tick
    answer = race.driver(_read_only(state), state.memory)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise InputError(f"at tick {tick} the driver returned {answer!r}: return controls, memory.")
    try:
        array = np.array(answer[0], dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != (count, 4) or not np.isfinite(array).all():
        raise InputError(
            f"at tick {tick} the driver's controls are of shape {array.shape} or not all finite: "
            f"return ({count}, 4) numbers, throttle, brake, steering and gear of each car."
        )
    array[:, [THROTTLE, BRAKE]] = np.clip(array[:, [THROTTLE, BRAKE]], 0.0, 1.0)
    array[:, STEERING] = np.clip(array[:, STEERING], -1.0, 1.0)
    array[:, GEAR] = np.where(array[:, GEAR] < 0.0, -1.0, 1.0)
    return array, answer[1]


def _read_only(state: RaceState) -> RaceState:
    """Return the state with views of its arrays that cannot be written."""
    views = {}
    for name, value in vars(state).items():
        if isinstance(value, np.ndarray) and name != "memory":
            views[name] = value.view()
            views[name].flags.writeable = False
    return replace(state, **views)


def _part_cars(race: Race, cars: np.ndarray, height: np.ndarray, active: np.ndarray) -> np.ndarray:
    """Part the cars that overlap, in place; return the row of the car that each touched, or -1."""
    hits = np.full(race.car_count, -1, dtype=np.int64)
    if race.interact and race.car_count > 1:
        impulse = np.empty(race.car_count)
        resolve_contacts_into(cars, race.vehicle_rows, height, active, cars, hits, impulse)
    return hits


def _part_walls(race: Race, cars: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Part the cars, in place, from the walls that stand beside the track; return who touched."""
    hits = np.zeros(race.car_count, dtype=np.bool_)
    if np.isfinite(race.track.wall_distance):
        offset = places[:, OFFSET].copy()
        left = places[:, ROOM_LEFT] + offset + race.track.wall_distance
        right = places[:, ROOM_RIGHT] - offset + race.track.wall_distance
        yaw = places[:, ROAD_YAW].copy()
        resolve_walls_into(cars, race.vehicle_rows, offset, left, right, yaw, cars, hits)
    return hits


def _locate(race: Race, cars: np.ndarray, places: np.ndarray, ground: np.ndarray) -> None:
    table = race.table
    locate(
        cars, race.half_width, *race.track.route.curve, table.rows, table.step, table.window,
        places, ground,
    )  # fmt: skip
