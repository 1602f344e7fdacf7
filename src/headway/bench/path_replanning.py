"""What replanning costs while an agent walks: `Planner` next to each single algorithm.

All plan at the same moments, from the same cell, on the same grid; the agent follows the planner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import fmean

import numpy as np

from headway.bench.changing_walks import PATTERNS, Cell, ChangingWalk, Pattern
from headway.bench.headline import Figure, at_most, failed
from headway.bench.measure import clock, collector_off
from headway.bench.parts import Say
from headway.bench.path_floods import with_terrain
from headway.bench.path_maps import BenchMap, bench_maps
from headway.bench.query_times import geometric_mean
from headway.plan.a_star import a_star
from headway.plan.dstar_lite import DStarLite
from headway.plan.jump_points import jump_point_search
from headway.plan.path import Path
from headway.plan.planner import Planner
from headway.world.grid import Grid

MAPS = 5
ROUTES = (0.6, 0.9)
"""Which queries of a map are walked, from the shortest (0) to the longest (1)."""
TIMES = 40
"""How often a walk plans at most."""
LOCAL = PATTERNS[1]
PLANNER, A_STAR, D_STAR_LITE, JPS = "Planner", "A*", "D* Lite", "jps"
Plan = Callable[[Cell], Path]


@dataclass
class Tally:
    """What a walk cost, and answers of exact searches that differ."""

    first: dict[str, float]
    """Seconds that each took for its first plan."""
    seconds: dict[str, float]
    """Seconds that each took for all later ones."""
    plans: int = 0
    differ: int = 0
    excess: list[float] = field(default_factory=list)
    """By how much the planner's paths cost more than the cheapest ones, as a share of these."""


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Walk through changing maps, without and with terrain cost.

    Yields
    ------
    Figure
        The planner's time to that of the best single algorithm, for each pattern of changes, and
        to that of A* for local changes of maps with terrain cost.
    """
    maps = list(bench_maps())
    maps = maps[:: max(1, -(-len(maps) // (2 if quick else MAPS)))]
    for pattern in PATTERNS:
        yield _figure(pattern.name, _walks(maps, pattern, quick, say))
    say("maps with terrain cost")
    costly = [replace(each, grid=with_terrain(each)) for each in maps]
    tallies = _walks(costly, LOCAL, quick, say)
    yield _figure(f"{LOCAL.name}, terrain cost", tallies)
    ratio = ratios(tallies)[A_STAR]
    yield at_most(f"{LOCAL.name}, terrain cost: Planner to A*", ratio, 0.1, " x its time")


def _walks(maps: list[BenchMap], pattern: Pattern, quick: bool, say: Say) -> list[Tally]:
    """Walk some routes of each map; those that took a second plan."""
    tallies = []
    times = TIMES // 2 if quick else TIMES
    for bench_map in maps:
        say(f"{pattern.name} on {bench_map.name}")
        queries = bench_map.spread(101)
        for place in ROUTES[-1 if quick else None :]:
            query = queries[round(place * (len(queries) - 1))]
            tallies.append(walk(bench_map.grid, *query, pattern, times))
    return [tally for tally in tallies if tally.plans > 1]


def walk(truth: Grid, start: Cell, goal: Cell, pattern: Pattern, times: int) -> Tally:
    """Walk from start to goal, planning with all of them at each change.

    Parameters
    ----------
    truth : Grid
    start, goal : tuple of int
        Row and column.
    pattern : Pattern
        What changes on the way.
    times : int
        How often to plan at most.
    """
    names = [PLANNER, A_STAR, D_STAR_LITE, *([] if truth.weighted else [JPS])]
    on = ChangingWalk(truth, start, goal, pattern, len(names))
    plans = {}
    for name, grid in zip(names, on.grids, strict=True):
        _rehearse(name, truth.weighted)
        plans[name] = planning(name, grid, start, goal)
    tally = Tally(dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0))
    with collector_off():
        while tally.plans < times and not on.arrived:
            paths = {}
            first = tally.plans % len(names)
            for name in names[first:] + names[:first]:
                began = clock()
                paths[name] = plans[name](on.agent)
                spent = tally.seconds if tally.plans else tally.first
                spent[name] += 1e-9 * (clock() - began)
            _compare(paths, tally)
            _walk_on(on, paths[PLANNER])
    return tally


def _walk_on(on: ChangingWalk, path: Path) -> None:
    """Go along a path until something changes."""
    cells = path.cells
    while not on.arrived:
        on.go(cells)
        if on.change():
            return
        if not len(cells):
            return
        cells = cells[min(on.pattern.steps, len(cells) - 1) :]


def planning(name: str, grid: Grid, start: Cell, goal: Cell) -> Plan:
    """Return what plans from a cell to the goal on a grid that changes."""
    if name == PLANNER:
        planner = Planner(grid, start, goal)
        return lambda cell: planner.update(cell).path
    if name == D_STAR_LITE:
        return DStarLite(grid, start, goal).replan
    search = a_star if name == A_STAR else jump_point_search
    return lambda cell: search(grid, cell, goal)


def _rehearse(name: str, weighted: bool) -> None:
    """Replan on a map of its own, so that what is compiled or loaded is not counted."""
    grid = Grid(np.ones((9, 30)), np.ones((9, 30)) if weighted else None)
    plan = planning(name, grid, (4, 0), (4, 29))
    plan((4, 0))
    for column in (3, 12, 21):
        grid.fill((0, column), (8, 1), free=False)
        plan((4, column - 1))
        grid.fill((0, column), (8, 1), free=True)
        plan((4, column - 1))


def _compare(paths: dict[str, Path], tally: Tally) -> None:
    tally.plans += 1
    exact = paths[A_STAR].cost
    for name, path in paths.items():
        if name == PLANNER and path.found and exact > 0.0:
            tally.excess.append(path.cost / exact - 1.0)
        same = path.cost == exact or abs(path.cost - exact) <= 1e-6 * exact
        tally.differ += not (same or (name == PLANNER and path.found and path.cost > exact))


def ratios(tallies: list[Tally]) -> dict[str, float]:
    """How the planner's time compares with that of each single algorithm, in the mean of walks."""
    others = tallies[0].seconds.keys() - {PLANNER}
    return {
        name: geometric_mean(each.seconds[PLANNER] / each.seconds[name] for each in tallies)
        for name in sorted(others)
    }


def _figure(name: str, tallies: list[Tally]) -> Figure:
    label = f"{name}: Planner to the best single one"
    differ, plans = sum(each.differ for each in tallies), sum(each.plans for each in tallies)
    if differ or not tallies:
        return failed(label, "same costs", f"{differ} of {plans} plans differ in cost")
    found = ratios(tallies)
    best = max(found, key=lambda other: found[other])
    excess = [each for tally in tallies for each in tally.excess]
    values: dict[str, float] = {f"to_{other}": ratio for other, ratio in found.items()}
    for searcher in tallies[0].first:
        values[f"first_{searcher}_s"] = fmean(each.first[searcher] for each in tallies)
    values |= {"plans": plans, "mean_excess": fmean(excess)}
    return at_most(f"{label} ({best})", found[best], 1.1, " x its time", **values)
