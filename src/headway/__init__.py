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
    "CornerRule": "headway.world.corner_rule",
    "DStarLite": "headway.plan.dstar_lite",
    "FileError": "headway.errors",
    "Grid": "headway.world.grid",
    "HeadwayError": "headway.errors",
    "InputError": "headway.errors",
    "MissingExtraError": "headway.errors",
    "Path": "headway.plan.path",
    "Planner": "headway.plan.planner",
    "Race": "headway.sim.race",
    "RaceResult": "headway.sim.result",
    "Route": "headway.world.route",
    "RouteDriver": "headway.decide.route_driver",
    "Status": "headway.plan.path",
    "Track": "headway.world.track",
    "WaypointGraph": "headway.world.waypoint_graph",
    "car": "headway.move.car",
    "circuit": "headway.world.circuits",
    "clearance": "headway.world.clearance",
    "distance_field": "headway.plan.field",
    "find_joined_path": "headway.plan.joined",
    "find_path": "headway.plan.find_path",
    "find_paths": "headway.plan.find_paths",
    "find_track": "headway.world.circuits",
    "inflated": "headway.world.inflation",
    "nearest_free": "headway.plan.nearest",
    "plot_path": "headway.view.path_picture",
    "plot_race": "headway.view.race_picture",
    "plot_track": "headway.view.track_picture",
    "read_grid": "headway.world.grid_files",
    "read_map": "headway.world.map_files",
    "read_track": "headway.world.circuit_files",
    "relaxed_line": "headway.plan.racing_line",
    "replay": "headway.sim.replay",
    "roadmap": "headway.plan.roadmap",
    "run": "headway.sim.run",
    "shortest_path": "headway.plan.graph_search",
    "soft_buffer": "headway.world.clearance",
    "start": "headway.sim.step",
    "step": "headway.sim.step",
    "straighten": "headway.plan.straighten",
    "visible": "headway.plan.line_of_sight",
    "visible_pairs": "headway.world.visibility",
    "write_grid": "headway.world.grid_files",
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
    from headway.plan.dstar_lite import DStarLite as DStarLite
    from headway.plan.field import distance_field as distance_field
    from headway.plan.find_path import find_path as find_path
    from headway.plan.find_paths import find_paths as find_paths
    from headway.plan.graph_search import shortest_path as shortest_path
    from headway.plan.joined import find_joined_path as find_joined_path
    from headway.plan.line_of_sight import visible as visible
    from headway.plan.nearest import nearest_free as nearest_free
    from headway.plan.path import Path as Path
    from headway.plan.path import Status as Status
    from headway.plan.planner import Planner as Planner
    from headway.plan.racing_line import relaxed_line as relaxed_line
    from headway.plan.roadmap import roadmap as roadmap
    from headway.plan.straighten import straighten as straighten
    from headway.sim.race import Race as Race
    from headway.sim.replay import replay as replay
    from headway.sim.result import RaceResult as RaceResult
    from headway.sim.run import run as run
    from headway.sim.step import start as start
    from headway.sim.step import step as step
    from headway.view.path_picture import plot_path as plot_path
    from headway.view.race_picture import plot_race as plot_race
    from headway.view.track_picture import plot_track as plot_track
    from headway.world.circuit_files import read_track as read_track
    from headway.world.circuit_files import write_track as write_track
    from headway.world.circuits import CIRCUITS as CIRCUITS
    from headway.world.circuits import circuit as circuit
    from headway.world.circuits import find_track as find_track
    from headway.world.clearance import clearance as clearance
    from headway.world.clearance import soft_buffer as soft_buffer
    from headway.world.corner_rule import CornerRule as CornerRule
    from headway.world.grid import Grid as Grid
    from headway.world.grid_files import read_grid as read_grid
    from headway.world.grid_files import write_grid as write_grid
    from headway.world.inflation import inflated as inflated
    from headway.world.map_files import read_map as read_map
    from headway.world.route import Route as Route
    from headway.world.track import Track as Track
    from headway.world.visibility import visible_pairs as visible_pairs
    from headway.world.waypoint_graph import WaypointGraph as WaypointGraph


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
