"""Takes any simulated agent or vehicle where it is going in a world that changes.

``import headway as hw`` costs next to nothing: each public name is imported from its module when
it is first used. ``_HOME`` below lists them all, with where each one lives.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "CARS": "headway.move.car",
    "CIRCUITS": "headway.world.circuits",
    "Car": "headway.move.car",
    "FileError": "headway.errors",
    "HeadwayError": "headway.errors",
    "InputError": "headway.errors",
    "MissingExtraError": "headway.errors",
    "Race": "headway.sim.race",
    "RaceResult": "headway.sim.result",
    "Route": "headway.world.route",
    "RouteDriver": "headway.decide.route_driver",
    "Track": "headway.world.track",
    "car": "headway.move.car",
    "circuit": "headway.world.circuits",
    "find_track": "headway.world.circuits",
    "plot_race": "headway.view.race_picture",
    "plot_track": "headway.view.track_picture",
    "read_map": "headway.world.map_files",
    "read_track": "headway.world.circuit_files",
    "relaxed_line": "headway.plan.racing_line",
    "replay": "headway.sim.replay",
    "run": "headway.sim.run",
    "start": "headway.sim.step",
    "step": "headway.sim.step",
    "write_track": "headway.world.circuit_files",
}

if TYPE_CHECKING:  # the same list, for type checkers and editors
    from headway.decide.route_driver import RouteDriver as RouteDriver
    from headway.errors import FileError as FileError
    from headway.errors import HeadwayError as HeadwayError
    from headway.errors import InputError as InputError
    from headway.errors import MissingExtraError as MissingExtraError
    from headway.move.car import CARS as CARS
    from headway.move.car import Car as Car
    from headway.move.car import car as car
    from headway.plan.racing_line import relaxed_line as relaxed_line
    from headway.sim.race import Race as Race
    from headway.sim.replay import replay as replay
    from headway.sim.result import RaceResult as RaceResult
    from headway.sim.run import run as run
    from headway.sim.step import start as start
    from headway.sim.step import step as step
    from headway.view.race_picture import plot_race as plot_race
    from headway.view.track_picture import plot_track as plot_track
    from headway.world.circuit_files import read_track as read_track
    from headway.world.circuit_files import write_track as write_track
    from headway.world.circuits import CIRCUITS as CIRCUITS
    from headway.world.circuits import circuit as circuit
    from headway.world.circuits import find_track as find_track
    from headway.world.map_files import read_map as read_map
    from headway.world.route import Route as Route
    from headway.world.track import Track as Track


def __getattr__(name: str) -> Any:
    """Import a public name from its module, on first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'headway' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Every public name, imported yet or not."""
    return sorted({*globals(), *_HOME})
