"""Takes any simulated agent or vehicle where it is going in a world that changes.

``import headway as hw`` costs next to nothing: each public name is imported from its module when
it is first used. ``_HOME`` below lists them all, with where each one lives.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Agents": "headway.world.agents",
    "AvoidMemory": "headway.steer.avoid_memory",
    "Budget": "headway.steer.combine",
    "CARS": "headway.move.car",
    "CIRCUITS": "headway.world.circuits",
    "Car": "headway.move.car",
    "Context": "headway.steer.context",
    "CornerRule": "headway.world.corner_rule",
    "DStarLite": "headway.plan.dstar_lite",
    "Dither": "headway.steer.combine",
    "FileError": "headway.errors",
    "FlockRule": "headway.steer.flock",
    "Formation": "headway.steer.formation",
    "FuzzyVariable": "headway.decide.fuzzy_sets",
    "Grid": "headway.world.grid",
    "GroupRun": "headway.sim.group_run",
    "HeadwayError": "headway.errors",
    "HeightField": "headway.world.height_field",
    "Hits": "headway.world.hits",
    "Hover": "headway.move.hover",
    "InputError": "headway.errors",
    "Machine": "headway.decide.machine",
    "MissingExtraError": "headway.errors",
    "Obstacles": "headway.world.obstacles",
    "Path": "headway.plan.path",
    "Pathway": "headway.steer.pathway",
    "Planner": "headway.plan.planner",
    "Priority": "headway.steer.combine",
    "Race": "headway.sim.race",
    "RaceResult": "headway.sim.result",
    "Route": "headway.world.route",
    "RouteDriver": "headway.decide.route_driver",
    "SCENARIOS": "headway.sim.flocks",
    "Scenario": "headway.sim.group_run",
    "Scene": "headway.world.scene",
    "Spacecraft": "headway.move.spacecraft",
    "Stage": "headway.sim.group_run",
    "State": "headway.decide.machine_states",
    "Status": "headway.plan.path",
    "Sum": "headway.steer.combine",
    "Track": "headway.world.track",
    "Transition": "headway.decide.machine_states",
    "TriangleMesh": "headway.world.triangle_mesh",
    "Walker": "headway.move.walker",
    "Walls": "headway.steer.orca_walls",
    "WaypointGraph": "headway.world.waypoint_graph",
    "align": "headway.steer.facing",
    "alignment": "headway.steer.groups",
    "animate_group": "headway.view.group_animation",
    "arrive": "headway.steer.arrive",
    "avoid": "headway.steer.avoid",
    "avoid_neighbours": "headway.steer.unaligned",
    "car": "headway.move.car",
    "circuit": "headway.world.circuits",
    "clearance": "headway.world.clearance",
    "cohesion": "headway.steer.groups",
    "contain": "headway.steer.walls",
    "contain_in_ball": "headway.steer.bounds",
    "contain_in_box": "headway.steer.bounds",
    "crowd_danger": "headway.steer.dangers",
    "distance_field": "headway.plan.field",
    "drive_by_force": "headway.decide.drive_by_force",
    "drive_to": "headway.decide.drive_by_force",
    "evade": "headway.steer.evade",
    "explore": "headway.steer.explore",
    "face": "headway.steer.facing",
    "find_joined_path": "headway.plan.joined",
    "find_path": "headway.plan.find_path",
    "find_paths": "headway.plan.find_paths",
    "find_track": "headway.world.circuits",
    "flee": "headway.steer.seek",
    "flock": "headway.steer.flock",
    "fly_to": "headway.decide.fly",
    "follow_flow": "headway.steer.flow",
    "follow_leader": "headway.steer.leader",
    "follow_path": "headway.steer.path_steering",
    "follow_wall": "headway.steer.walls",
    "forage": "headway.steer.explore",
    "force_for": "headway.steer.force",
    "hide": "headway.steer.cover",
    "in_cell_order": "headway.world.cells",
    "inflated": "headway.world.inflation",
    "intercept_time": "headway.geometry.intercept",
    "interpose": "headway.steer.interpose",
    "match_velocity": "headway.steer.facing",
    "nearest_free": "headway.plan.nearest",
    "neighbours": "headway.world.neighbour_lists",
    "obstacle_danger": "headway.steer.dangers",
    "offset_pursue": "headway.steer.offset_pursuit",
    "orbit": "headway.steer.orbit",
    "orca": "headway.steer.orca",
    "orca_step": "headway.steer.orca",
    "plot_group": "headway.view.group_picture",
    "plot_path": "headway.view.path_picture",
    "plot_race": "headway.view.race_picture",
    "plot_track": "headway.view.track_picture",
    "pursue": "headway.steer.pursuit",
    "queue": "headway.steer.leader",
    "read_grid": "headway.world.grid_files",
    "read_map": "headway.world.map_files",
    "read_mesh": "headway.world.mesh_files",
    "read_track": "headway.world.circuit_files",
    "relaxed_line": "headway.plan.racing_line",
    "replay": "headway.sim.replay",
    "roadmap": "headway.plan.roadmap",
    "run": "headway.sim.run",
    "run_group": "headway.sim.group_run",
    "scenario": "headway.sim.flocks",
    "seek": "headway.steer.seek",
    "sees": "headway.perceive.vision",
    "separation": "headway.steer.groups",
    "settled": "headway.steer.settled",
    "shadow": "headway.steer.cover",
    "shortest_path": "headway.plan.graph_search",
    "soft_buffer": "headway.world.clearance",
    "start": "headway.sim.step",
    "stay_on_path": "headway.steer.path_steering",
    "step": "headway.sim.step",
    "step_bodies": "headway.move.rigid_body",
    "step_hover": "headway.move.hover",
    "step_points": "headway.move.point_mass",
    "step_spacecraft": "headway.move.spacecraft",
    "step_walkers": "headway.move.walker",
    "straighten": "headway.plan.straighten",
    "traced": "headway.steer.behaviours",
    "turned": "headway.move.heading",
    "unvisited": "headway.steer.explore",
    "velocity_for": "headway.move.point_mass",
    "visible": "headway.plan.line_of_sight",
    "visible_pairs": "headway.world.visibility",
    "wander": "headway.steer.wander",
    "wander_memory": "headway.steer.wander",
    "write_grid": "headway.world.grid_files",
    "write_track": "headway.world.circuit_files",
}

if TYPE_CHECKING:  # the same list, for type checkers and editors
    from headway.decide.drive_by_force import drive_by_force as drive_by_force
    from headway.decide.drive_by_force import drive_to as drive_to
    from headway.decide.fly import fly_to as fly_to
    from headway.decide.fuzzy_sets import FuzzyVariable as FuzzyVariable
    from headway.decide.machine import Machine as Machine
    from headway.decide.machine_states import State as State
    from headway.decide.machine_states import Transition as Transition
    from headway.decide.route_driver import RouteDriver as RouteDriver
    from headway.errors import FileError as FileError
    from headway.errors import HeadwayError as HeadwayError
    from headway.errors import InputError as InputError
    from headway.errors import MissingExtraError as MissingExtraError
    from headway.geometry.intercept import intercept_time as intercept_time
    from headway.move.car import CARS as CARS
    from headway.move.car import Car as Car
    from headway.move.car import car as car
    from headway.move.heading import turned as turned
    from headway.move.hover import Hover as Hover
    from headway.move.hover import step_hover as step_hover
    from headway.move.point_mass import step_points as step_points
    from headway.move.point_mass import velocity_for as velocity_for
    from headway.move.rigid_body import step_bodies as step_bodies
    from headway.move.spacecraft import Spacecraft as Spacecraft
    from headway.move.spacecraft import step_spacecraft as step_spacecraft
    from headway.move.walker import Walker as Walker
    from headway.move.walker import step_walkers as step_walkers
    from headway.perceive.vision import sees as sees
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
    from headway.sim.flocks import SCENARIOS as SCENARIOS
    from headway.sim.flocks import scenario as scenario
    from headway.sim.group_run import GroupRun as GroupRun
    from headway.sim.group_run import Scenario as Scenario
    from headway.sim.group_run import Stage as Stage
    from headway.sim.group_run import run_group as run_group
    from headway.sim.race import Race as Race
    from headway.sim.replay import replay as replay
    from headway.sim.result import RaceResult as RaceResult
    from headway.sim.run import run as run
    from headway.sim.step import start as start
    from headway.sim.step import step as step
    from headway.steer.arrive import arrive as arrive
    from headway.steer.avoid import avoid as avoid
    from headway.steer.avoid_memory import AvoidMemory as AvoidMemory
    from headway.steer.behaviours import traced as traced
    from headway.steer.bounds import contain_in_ball as contain_in_ball
    from headway.steer.bounds import contain_in_box as contain_in_box
    from headway.steer.combine import Budget as Budget
    from headway.steer.combine import Dither as Dither
    from headway.steer.combine import Priority as Priority
    from headway.steer.combine import Sum as Sum
    from headway.steer.context import Context as Context
    from headway.steer.cover import hide as hide
    from headway.steer.cover import shadow as shadow
    from headway.steer.dangers import crowd_danger as crowd_danger
    from headway.steer.dangers import obstacle_danger as obstacle_danger
    from headway.steer.evade import evade as evade
    from headway.steer.explore import explore as explore
    from headway.steer.explore import forage as forage
    from headway.steer.explore import unvisited as unvisited
    from headway.steer.facing import align as align
    from headway.steer.facing import face as face
    from headway.steer.facing import match_velocity as match_velocity
    from headway.steer.flock import FlockRule as FlockRule
    from headway.steer.flock import flock as flock
    from headway.steer.flow import follow_flow as follow_flow
    from headway.steer.force import force_for as force_for
    from headway.steer.formation import Formation as Formation
    from headway.steer.groups import alignment as alignment
    from headway.steer.groups import cohesion as cohesion
    from headway.steer.groups import separation as separation
    from headway.steer.interpose import interpose as interpose
    from headway.steer.leader import follow_leader as follow_leader
    from headway.steer.leader import queue as queue
    from headway.steer.offset_pursuit import offset_pursue as offset_pursue
    from headway.steer.orbit import orbit as orbit
    from headway.steer.orca import orca as orca
    from headway.steer.orca import orca_step as orca_step
    from headway.steer.orca_walls import Walls as Walls
    from headway.steer.path_steering import follow_path as follow_path
    from headway.steer.path_steering import stay_on_path as stay_on_path
    from headway.steer.pathway import Pathway as Pathway
    from headway.steer.pursuit import pursue as pursue
    from headway.steer.seek import flee as flee
    from headway.steer.seek import seek as seek
    from headway.steer.settled import settled as settled
    from headway.steer.unaligned import avoid_neighbours as avoid_neighbours
    from headway.steer.walls import contain as contain
    from headway.steer.walls import follow_wall as follow_wall
    from headway.steer.wander import wander as wander
    from headway.steer.wander import wander_memory as wander_memory
    from headway.view.group_animation import animate_group as animate_group
    from headway.view.group_picture import plot_group as plot_group
    from headway.view.path_picture import plot_path as plot_path
    from headway.view.race_picture import plot_race as plot_race
    from headway.view.track_picture import plot_track as plot_track
    from headway.world.agents import Agents as Agents
    from headway.world.cells import in_cell_order as in_cell_order
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
    from headway.world.height_field import HeightField as HeightField
    from headway.world.hits import Hits as Hits
    from headway.world.inflation import inflated as inflated
    from headway.world.map_files import read_map as read_map
    from headway.world.mesh_files import read_mesh as read_mesh
    from headway.world.neighbour_lists import neighbours as neighbours
    from headway.world.obstacles import Obstacles as Obstacles
    from headway.world.route import Route as Route
    from headway.world.scene import Scene as Scene
    from headway.world.track import Track as Track
    from headway.world.triangle_mesh import TriangleMesh as TriangleMesh
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
