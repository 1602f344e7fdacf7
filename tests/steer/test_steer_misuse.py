"""Misuse of behaviours: each wrong argument is named in one sentence, whatever it is."""

# pyright: reportArgumentType=false, reportCallIssue=false
from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from headway.errors import InputError
from headway.steer.arrive import arrive
from headway.steer.avoid import avoid
from headway.steer.bounds import contain_in_ball, contain_in_box
from headway.steer.classic_arrival import arrive_in
from headway.steer.classic_avoidance import yuka_avoid_spheres
from headway.steer.classic_paths import opensteer_follow_path, yuka_follow_path
from headway.steer.combine import Budget, Dither, Priority, Sum
from headway.steer.context import Context
from headway.steer.cover import hide
from headway.steer.dangers import crowd_danger, obstacle_danger
from headway.steer.evade import evade
from headway.steer.explore import explore, unvisited
from headway.steer.facing import align, face
from headway.steer.flock import FlockRule, flock
from headway.steer.flow import follow_flow
from headway.steer.force import force_for
from headway.steer.formation import Formation
from headway.steer.groups import alignment, cohesion, flocking, separation
from headway.steer.leader import follow_leader, queue
from headway.steer.neighbour_sums import View
from headway.steer.orbit import orbit
from headway.steer.path_steering import follow_path, stay_on_path
from headway.steer.pathway import Pathway
from headway.steer.pursuit import pursue
from headway.steer.seek import flee, seek
from headway.steer.slot_assignment import assign
from headway.steer.slots import circle, column, line, square
from headway.steer.unaligned import avoid_neighbours, closest_approach
from headway.steer.walls import contain, follow_wall
from headway.steer.wander import wander, wander_memory
from headway.world.agents import Agents
from headway.world.cells import in_cell_order
from headway.world.neighbour_lists import NeighbourLists, neighbours
from headway.world.obstacles import Obstacles

REST, E, TWO = (0.0, 0.0), (1.0, 0.0), [(0.0, 0.0), (3.0, 0.0)]
BALL = Obstacles.of(spheres=([(3.0, 0.5)], [1.0]))
NEAR = neighbours(TWO, 5.0)
SHORT = neighbours(TWO, 1.0)
PATH = [(0.0, 0.0), (9.0, 0.0)]
NO_NUMBERS = (None, "much", np.zeros(2), math.nan, -1.0, 10**400, [])
NO_WHOLES = (None, "x", 1.5, math.nan, math.inf, 2**64, np.zeros(2))

CALLS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "arrive": (partial(arrive, REST, REST, E, 1.0, 1.0), ("dt", "keep_off", "tolerance")),
    "avoid": (partial(avoid, REST, E, BALL, radius=0.4, max_force=2.0), ("dt",)),
    "box": (partial(contain_in_box, REST, E, REST, E, 1.0), ("prediction_time", "rounding")),
    "ball": (partial(contain_in_ball, REST, E, REST, max_speed=1.0), ("radius",)),
    "arrive_in": (partial(arrive_in, REST, REST, E, 1.0, 1.0), ("tolerance",)),
    "opensteer path": (
        partial(opensteer_follow_path, REST, E, PATH),
        ("prediction_time", "radius"),
    ),
    "yuka path": (
        partial(yuka_follow_path, REST, E, PATH, 0, 1.0),
        ("next_waypoint_distance", "arrival_time"),
    ),
    "hide": (partial(hide, REST, REST, E, REST, [E], [1.0], 1.0, 1.0), ("dt", "margin")),
    "obstacle_danger": (partial(obstacle_danger, BALL), ("margin", "reach")),
    "crowd_danger": (crowd_danger, ("margin", "horizon")),
    "evade": (partial(evade, REST, REST, E, REST, 1.0), ("factor", "max_time")),
    "pursue": (partial(pursue, REST, REST, E, REST, 1.0), ("factor", "max_time")),
    "explore": (partial(explore, REST, REST, unvisited((3, 3)), 1.0, tick=0), ("cell",)),
    "align": (partial(align, 0.0, 0.0, 1.0, 1.0, 1.0), ("dt", "tolerance")),
    "face": (partial(face, REST, 0.0, 0.0, E, 1.0, 1.0), ("dt", "tolerance")),
    "flow": (
        partial(follow_flow, REST, REST, np.ones((2, 2, 2)), 1.0),
        ("cell", "prediction_time"),
    ),
    "force": (partial(force_for, REST, 1.0, 1.0), ("response",)),
    "leader": (
        partial(follow_leader, REST, REST, E, REST, 1.0, 1.0),
        ("dt", "behind", "clearance", "look_ahead"),
    ),
    "queue": (partial(queue, TWO, TWO), ("reach", "width")),
    "orbit": (partial(orbit, E, REST, REST, 1.0, 1.0, 1.0), ("dt",)),
    "follow_path": (
        partial(follow_path, REST, E, PATH, 1.0, 1.0),
        ("dt", "prediction_time", "radius"),
    ),
    "stay_on_path": (partial(stay_on_path, REST, E, PATH, 1.0), ("prediction_time", "radius")),
    "assign": (partial(assign, TWO, TWO), ("patience",)),
    "column": (partial(column, 3), ("spacing",)),
    "closest": (partial(closest_approach, REST, E), ("horizon",)),
    "unaligned": (partial(avoid_neighbours, TWO, E, 1.0, 1.0, NEAR), ("horizon", "margin")),
    "wander": (
        partial(wander, E, REST, 0.0, 1.0, tick=0),
        ("dt", "sigma", "distance", "radius"),
    ),
    "follow_wall": (
        partial(follow_wall, REST, E, BALL, 1.0),
        ("offset", "prediction_time", "reach"),
    ),
    "contain": (partial(contain, REST, E, BALL, 1.0), ("prediction_time",)),
    "cells": (partial(in_cell_order, TWO), ("width",)),
    "neighbours": (partial(neighbours, TWO), ("radius",)),
    "priority": (partial(Priority, {}), ("least",)),
    "context": (partial(Context, {}), ("tolerance", "response")),
    "flock rule": (FlockRule, tuple(f"{n}_radius" for n in ("separation", "cohesion"))),
}
NEEDED = {"dt": 0.1, "prediction_time": 1.0, "radius": 1.0, "margin": 0.1, "reach": 1.0,
          "horizon": 1.0, "offset": 1.0}  # fmt: skip
FREE = {"response"}  # None is allowed


@pytest.mark.parametrize(
    ("call", "names", "name"),
    [
        pytest.param(call, names, name, id=f"{key}-{name}")
        for key, (call, names) in CALLS.items()
        for name in names
    ],
)
def test_options_that_are_no_numbers_are_named(call: Any, names: Any, name: str) -> None:
    others = {other: NEEDED[other] for other in names if other in NEEDED}
    call(**{**others, name: 1})  # whole numbers will do
    for value in NO_NUMBERS:
        with pytest.raises(InputError, match=rf"^{name}\b[^\n]*: give [^\n]*\.$"):
            call(**{**others, name: value})


@pytest.mark.parametrize("value", NO_WHOLES)
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (partial(avoid, REST, E, BALL, radius=0.4, max_force=2.0), "seed"),
        (partial(flock, TWO, [E, E]), "seed"),
        (partial(wander, E, REST, 0.0, 1.0, dt=0.1, tick=0), "seed"),
        (partial(wander, E, REST, 0.0, 1.0, dt=0.1), "tick"),
        (partial(separation, TWO, NEAR), "seed"),
        (partial(avoid_neighbours, TWO, E, 1.0, 1.0, NEAR), "seed"),
        (partial(explore, REST, REST, unvisited((3, 3)), 1.0), "tick"),
        (partial(line), "n"),
        (NEAR.of, "agent"),
    ],
)
def test_what_is_no_whole_number_is_named(call: Any, name: str, value: Any) -> None:
    with pytest.raises(InputError, match=rf"^{name} is [^\n]*: give [^\n]*\.$"):
        call(**{name: value})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: avoid(REST, E, x, radius=0.4, max_force=2.0), "surface is"),
        (lambda x: avoid(REST, E, BALL, radius=0.4, max_force=2.0, memory=x or 1), "memory is"),
        (lambda x: avoid(REST, E, BALL, radius=0.4, max_force=2.0, rule=x), "rule is"),
        (lambda x: follow_wall(REST, E, x, 1.0, offset=1.0), "wall is"),
        (lambda x: contain(REST, E, x, 1.0), "region is"),
        (lambda x: obstacle_danger(x, 0.1, 1.0), "surface is"),
        (lambda x: separation(TWO, x), "near is"),
        (lambda x: separation(TWO, NEAR, view=x), "view is"),
        (lambda x: separation(TWO, NEAR, normalised=x), "normalised is"),
        (lambda x: alignment([E, E], x), "near is"),
        (lambda x: cohesion(TWO, x), "near is"),
        (lambda x: flocking(TWO, E, x), "near is"),
        (lambda x: flocking(TWO, E, NEAR, x), "rule is"),
        (lambda x: avoid_neighbours(TWO, E, 1.0, 1.0, x), "near is"),
        (lambda x: queue(TWO, TWO, neighbours=x or 1), "neighbours is"),
        (lambda x: flock(TWO, [E, E], x), "rule is"),
        (lambda x: evade(REST, REST, E, REST, 1.0, predict=x), "predict is"),
        (lambda x: pursue(REST, REST, E, REST, 1.0, predict=x), "predict is"),
        (lambda x: follow_flow(REST, REST, np.ones((2, 2, 2)), 1.0, outside=x), "outside is"),
        (lambda x: follow_path(REST, E, PATH, 1.0, 1.0, 0.1, direction=x), "direction is"),
        (lambda x: Pathway.through(PATH, closed=x), "closed is"),
        (lambda x: yuka_follow_path(REST, E, PATH, 0, 1.0, closed=x), "closed is"),
        (lambda x: Sum({"push": x}), "push is"),
        (lambda x: Sum({"push": (seek, x or "much")}), "weight of push is"),
        (Sum, "parts is"),
        (lambda x: Budget({"push": (seek, 1.0, x)}), "push is"),
        (Priority, "parts is"),
        (lambda x: Dither({"push": (seek, x)}), "weight of push is|probability of push is"),
        (Sum({}), "agents is"),
        (lambda x: Sum({"push": lambda agents: x})(Agents.at(TWO)), "push returned"),
        (lambda x: Context({}, {"d": x}), "d is"),
        (lambda x: Context({}, slots=x or 8.5), "slots is"),
    ],
)
@pytest.mark.parametrize("wrong", [None, "x", range(3)])
def test_what_is_something_else_is_named(call: Any, words: str, wrong: Any) -> None:
    with pytest.raises(InputError, match=rf"{words}[^\n]*$"):
        call(wrong)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: avoid(REST, E, BALL, radius=0.4, max_force=2.0, memory=[]), "memory is"),  # type: ignore
        (lambda: pursue(REST, REST, E, REST, 1.0, predict=[]), "predict is"),  # type: ignore
        (lambda: avoid(REST, E, BALL, radius=0.4, max_force=2.0, rule="normal", target=(np.nan, 0)),
         "target is"),
        (lambda: evade(REST, REST, E, REST, 1.0, escape=(np.nan, 0.0)), "escape is"),
        (lambda: flee(REST, REST, E, 1.0, escape=(np.nan, 0.0)), "escape is"),
        (lambda: pursue(REST, REST, E, REST, 1.0, forward=(np.nan, 0.0)), "forward is"),
        (lambda: pursue(REST, REST, E, REST, 1.0, target_forward=(np.nan, 0)), "target_forward is"),
        (lambda: follow_leader(REST, REST, (9, 9), REST, 1.0, 1.0, 0.1, leader_forward=(np.nan, 0)),
         "leader_forward is"),
        (lambda: wander((1, 0, 0), (0, 0, 0), (np.nan, 0, 0), 1.0, dt=0.1, tick=0), "memory is"),
        (lambda: wander(E, REST, 0.0, 1.0, dt=0.1, tick=0, agent=0.5), "agent is"),
        (lambda: queue(TWO, TWO, neighbours=SHORT, reach=2.0), "beyond the 1.0 m"),
        (lambda: NEAR.of(-1), "agent is -1"),
        (lambda: NEAR.of(2), "agent is 2"),
        (lambda: NeighbourLists(np.array([0, 0]), np.array([]), None), "radius is"),  # type: ignore
        (lambda: neighbours(TWO, 1e200), "too large"),
        (lambda: neighbours(TWO, 1.0, most="x"), "most is"),  # type: ignore
        (lambda: FlockRule(cohesion_weight="x"), "cohesion_weight is"),  # type: ignore
        (lambda: Formation.of(column, [(1e308, 0), (-1e308, 0)], E), "position: .* too large"),
        (lambda: Formation.of(column, TWO, (1.7e308, 1.7e308)), "forward is"),
        (lambda: Formation.of(column, TWO, E).moved(TWO, np.ones((50, 2)), 1.0, 0.1),
         r"velocity is an array of shape \(50, 2\): give \(2,\)"),
        (lambda: Formation.of(column, TWO, "north"), "forward cannot be read"),
        (lambda: assign([(1e308, 0)], [(-1e308, 0)]), "too large"),
        (lambda: column(3, 1e308), "spacing is 1e.308"),
        (lambda: seek([(0, 0), (0,)], REST, E, 1.0), "position cannot be read"),  # type: ignore
        (lambda: seek(REST, (10**400, 0), E, 1.0), "velocity cannot be read"),
        (lambda: seek(REST, REST, ("1", "2"), 1.0), "target cannot be read"),  # type: ignore
        (lambda: yuka_avoid_spheres(*[(0, 0, 0)] * 2, (0, 0, 0, 1), 1.0, 0.0, [], []),
         "max_speed is"),
    ],
)  # fmt: skip
def test_single_cases(call: Any, words: str) -> None:
    with pytest.raises(InputError, match=rf"{words}[^\n]*$"):
        call()


def test_nobody_in_no_slots() -> None:
    assert assign(np.empty((0, 2)), TWO, held=[]).shape == (0,)
    assert len(square(4.0)) == len(circle(4.0)) == 4  # type: ignore[arg-type]
    assert View(max_distance=math.inf) == View()
    assert wander_memory(E) == 0.0


def test_a_target_that_cannot_be_reached_is_reported() -> None:
    how: dict[str, Any] = {"radius": 0.4, "max_force": 2.0, "margin": 0.1}
    targets = [(3.0, 0.5), (3.0, 1.6), (3.0, 2.1), (-9.0, 0.0)]
    at, away = [(1.2, 0.0)] * 4, [(-1.0, 0.0)] * 4
    blocked = avoid(at, away, BALL, target=targets, **how).blocked
    assert blocked.tolist() == [True, True, False, False]
    assert avoid(at[0], away[0], BALL, target=targets[0], **how).blocked
    assert avoid(at, away, BALL, target=targets[0], **how).blocked.all()
    assert not avoid(at, away, BALL, **how).blocked.any()
