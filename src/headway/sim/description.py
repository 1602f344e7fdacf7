"""A race as plain JSON, and back: what a recording needs to be run again."""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.decide.route_driver import RouteDriver
from headway.decide.route_drivers import RouteDrivers
from headway.errors import InputError
from headway.move.car import Car
from headway.sim.race import Race
from headway.world.route import Route
from headway.world.track import Track

KIND = "race"


def describe(race: Race) -> dict[str, Any]:
    """Describe a race completely, unless its drivers are the user's own code."""
    known = race.driver.drivers if isinstance(race.driver, RouteDrivers) else None
    return {
        "kind": KIND,
        "track": _describe_track(race.track),
        "cars": [int(number) for number in race.identities],
        "laps": race.laps,
        "vehicles": [each.to_dict() for each in race.vehicles],
        "drivers": None if known is None else [each.to_dict() for each in known],
        "seed": race.seed,
        "rolling_speed": race.rolling_speed,
        "grid_slots": race.grid_slots,
        "interact": race.interact,
        "dt": race.dt,
        "substeps": race.substeps,
    }


def race_from(description: dict[str, Any]) -> Race:
    """Build the race that `describe` described.

    Raises
    ------
    InputError
        If it describes something else, or the drivers are not known.
    """
    if description.get("kind") != KIND:
        raise InputError("this recording is not of a race: give one that `headway race` made.")
    if description.get("drivers") is None:
        raise InputError("the race was driven by drivers of one's own: run it again in Python.")
    try:
        return Race(
            _track_from(description["track"]),
            cars=description["cars"],
            laps=description["laps"],
            vehicle=[Car.from_dict(each) for each in description["vehicles"]],
            driver=[RouteDriver.from_dict(each) for each in description["drivers"]],
            seed=description["seed"],
            rolling_speed=description["rolling_speed"],
            grid_slots=description["grid_slots"],
            interact=description["interact"],
            dt=description["dt"],
            substeps=description["substeps"],
        )
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the description of the race lacks or garbles {error}.") from error


def _describe_track(track: Track) -> dict[str, Any]:
    route = track.route
    return {
        "name": track.name,
        "points": route.waypoints.tolist(),
        "widths": np.asarray(route.widths).tolist(),
        "closed": route.closed,
        "smooth": route.smooth,
        "parametrisation": route.parametrisation,
        "wall_distance": track.wall_distance if np.isfinite(track.wall_distance) else None,
        "sectors": list(track.sectors),
    }


def _track_from(plain: dict[str, Any]) -> Track:
    for key, kind in (("closed", bool), ("smooth", bool), ("name", str)):
        if not isinstance(plain[key], kind):
            raise InputError(f"the track's {key} is {plain[key]!r}, not a {kind.__name__}.")
    wall = plain["wall_distance"]
    return Track(
        name=plain["name"],
        route=Route.through(
            np.array(plain["points"], dtype=np.float64),
            closed=plain["closed"],
            smooth=plain["smooth"],
            parametrisation=plain["parametrisation"],
            widths=np.array(plain["widths"], dtype=np.float64),
        ),
        wall_distance=np.inf if wall is None else wall,
        sectors=tuple(plain["sectors"]),
    )
