"""All route drivers of a race as one driver: N cars in, N rows of controls out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from headway.decide import memory as mem
from headway.decide.drive import drive
from headway.decide.driver_row import driver_row
from headway.decide.line import BESIDE, Line, car_limits, line_for, planned_speed
from headway.decide.route_driver import RouteDriver
from headway.decide.traffic import see_traffic
from headway.move.car import Car
from headway.world.place import S
from headway.world.state import CONTROLS_WIDTH, YAW, X, Y
from headway.world.track import Track


class View(Protocol):
    """What a driver may see of the world at one tick: N cars, none of which has moved yet."""

    @property
    def time(self) -> float:
        """Now, s."""
        ...

    @property
    def cars(self) -> np.ndarray:
        """(N, 7) states; see `headway.world.state`."""
        ...

    @property
    def places(self) -> np.ndarray:
        """(N, 7) places on the track; see `headway.world.place`."""
        ...

    @property
    def hits(self) -> np.ndarray:
        """(N,) row of the car that each car touched in the last tick, or -1."""
        ...

    @property
    def active(self) -> np.ndarray:
        """(N,) whether each car is on the track."""
        ...


@dataclass(frozen=True)
class Group:
    """Cars that follow the same line: their rows, and the line's tables for the kernel."""

    members: np.ndarray
    line: Line
    planned: np.ndarray


class RouteDrivers:
    """The route drivers of all cars of a race.

    Parameters
    ----------
    track : Track
        The track.
    drivers : sequence of RouteDriver
        One per car.
    cars : sequence of Car
        One per car.
    identities : (N,) ndarray of int64
        Number of each car; its wander depends on it and not on its row.
    seed : int
        Seed of the wander.
    dt : float
        Time step, s.
    see_others : bool
        Whether cars take notice of one another before they touch.
    """

    def __init__(
        self,
        track: Track,
        drivers: Sequence[RouteDriver],
        cars: Sequence[Car],
        identities: np.ndarray,
        seed: int,
        dt: float,
        see_others: bool = True,
    ):
        self.track = track
        self.identities = identities
        self.drivers = list(drivers)
        self.seed = seed
        self.dt = dt
        self.see_others = see_others
        pairs = list(zip(drivers, cars, strict=True))
        self.rows = np.stack([driver_row(driver, car) for driver, car in pairs])
        kinds = list(dict.fromkeys(pairs))
        self.kinds = np.array([kinds.index(pair) for pair in pairs], dtype=np.int64)
        self.limits = np.stack([car_limits(car) for _, car in kinds])
        self.groups = self._groups(kinds)

    def _groups(self, kinds: list[tuple[RouteDriver, Car]]) -> list[Group]:
        keys = [(driver.line, car.width) for driver, car in kinds]
        groups = []
        for key in dict.fromkeys(keys):
            line = line_for(self.track, *kinds[keys.index(key)])
            planned = np.zeros((len(kinds), 2, len(line.curvature)))
            for kind, (driver, car) in enumerate(kinds):
                if keys[kind] == key:
                    for row, aside in enumerate((0.0, BESIDE * car.width)):
                        planned[kind, row] = planned_speed(
                            line, driver, self.limits[kind], car.top_speed, aside
                        )
            mine = np.array([keys[kind] == key for kind in self.kinds])
            groups.append(Group(np.flatnonzero(mine), line, planned))
        return groups

    def start(self, cars: np.ndarray) -> np.ndarray:
        """Return the drivers' first memory, from the states (N, 7) of their cars."""
        memory = np.zeros((len(cars), mem.MEMORY_WIDTH))
        self.find_again(cars, memory, np.arange(len(cars)))
        return memory

    def find_again(self, cars: np.ndarray, memory: np.ndarray, rows: np.ndarray) -> None:
        """Let the drivers of some rows look for their place on their line anew, in place."""
        for group in self.groups:
            mine = np.intersect1d(group.members, rows)
            if not len(mine):
                continue
            found = group.line.route.project(cars[mine][:, [X, Y]], yaw=cars[mine, YAW])
            memory[mine] = 0.0
            memory[mine, mem.PROGRESS_S] = found.s
            memory[mine, mem.OFFSET] = memory[mine, mem.ASIDE] = found.offset
            count = len(group.line.waypoint_s)
            after = np.searchsorted(group.line.waypoint_s, found.s, side="right")
            after = after % count if self.track.closed else np.minimum(after, count - 1)
            memory[mine, mem.WAYPOINT] = after

    def __call__(self, view: View, memory: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Choose the controls of all cars.

        Parameters
        ----------
        view : View
            What there is to see.
        memory : (N, MEMORY_WIDTH) ndarray
            What the drivers remember.

        Returns
        -------
        controls : (N, 4) ndarray
            Throttle, brake, steering, gear.
        memory : (N, MEMORY_WIDTH) ndarray
            What they remember now.
        """
        memory = memory.copy()
        count = len(memory)
        controls = np.zeros((count, CONTROLS_WIDTH))
        bounds = np.empty((count, 3))
        bounds[:] = np.inf, -np.inf, np.inf
        if self.see_others and count > 1:
            order = np.argsort(view.places[:, S], kind="stable")
            see_traffic(
                order, view.places, view.active, self.rows, self.track.length, self.track.closed,
                view.time, memory, bounds,
            )  # fmt: skip
        for group in self.groups:
            line, members = group.line, group.members[view.active[group.members]]
            drive(
                members, view.time, self.seed, self.identities, view.cars, view.hits, bounds,
                self.rows, *line.route.curve, line.waypoint_s, line.room, line.curvature,
                group.planned, self.limits, self.kinds, line.step, self.dt, controls, memory,
            )  # fmt: skip
        return controls, memory
