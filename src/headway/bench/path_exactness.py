"""Whether every answer is right: all queries of all real maps, with the lengths that are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from headway.bench.headline import Figure, at_most, noted, skipped
from headway.bench.parts import Say
from headway.bench.path_maps import NO_DATA, maps_folder, real_maps
from headway.bench.scenarios import RELATIVE_TOLERANCE, TOLERANCE, Find, fault_of, run_scenarios
from headway.bench.scenarios import run_replay as run
from headway.plan.a_star import a_star
from headway.plan.dstar_lite import DStarLite
from headway.plan.field import distance_field
from headway.plan.find_path import find_path
from headway.plan.find_paths import find_paths
from headway.plan.jump_points import jump_point_search
from headway.plan.path import Path as Route
from headway.world.grid import Grid
from headway.world.movingai import Scenarios, read_replay

Cell = tuple[int, int]


def by_dstar_lite(grid: Grid, start: Cell, goal: Cell) -> Route:
    """Search from scratch with D* Lite."""
    return DStarLite(grid, start, goal).replan()


def by_field(grid: Grid, start: Cell, goal: Cell) -> Route:
    """Flood from the goal and walk down from the start."""
    return distance_field(grid, [goal]).descend(start)


SINGLE: dict[str, tuple[Find, int, int]] = {
    "jps": (jump_point_search, 100_000, 200),
    "A*": (a_star, 100_000, 100),
    "D* Lite": (by_dstar_lite, 40, 5),
    "field descent": (by_field, 40, 5),
}
"""Each search, how many queries of a map it answers, and how many if time is short.

Beyond that number, they are evenly spaced.
"""


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Answer queries of all real maps, and look at every cell of each path.

    Yields
    ------
    Figure
        How many answers of each search are wrong.
    """
    if maps_folder() is None:
        yield skipped("exactness", NO_DATA)
        return
    wrong: dict[str, list[int]] = {name: [] for name in (*SINGLE, "batch")}
    asked: dict[str, int] = dict.fromkeys(wrong, 0)
    for name, grid, queries in real_maps():
        for search, (find, full, few) in SINGLE.items():
            say(f"{search} on {name}")
            chosen = spread(queries, few if quick else full)
            wrong[search].append(run_scenarios(grid, chosen, find).wrong)
            asked[search] += len(chosen)
        say(f"batch on {name}")
        wrong["batch"].append(wrong_in_batch(grid, queries))
        asked["batch"] += len(queries)
    for search, counts in wrong.items():
        yield told(search, sum(counts), asked[search], f"{len(counts)} maps")


def told(search: str, wrong: int, asked: int, where: str) -> Figure:
    """Say how many answers were wrong."""
    name = f"{search}, {where}"
    values = {"value": wrong, "queries": asked, "bound": 0}
    return Figure(name, f"{wrong} wrong of {asked:,}", "0 wrong", wrong == 0, values)


def spread(queries: Scenarios, count: int) -> Scenarios:
    """Choose so many queries, or all if there are fewer, evenly spaced."""
    chosen = np.unique(np.linspace(0, len(queries) - 1, count).astype(int))
    return Scenarios(
        queries.bucket[chosen], queries.start[chosen], queries.goal[chosen],
        queries.length[chosen], queries.height, queries.width,
    )  # fmt: skip


def wrong_in_batch(grid: Grid, queries: Scenarios) -> int:
    """Answer all queries in one call; return how many answers are wrong."""
    paths = find_paths(grid, queries.start, queries.goal)
    bound = TOLERANCE + RELATIVE_TOLERANCE * queries.length
    with np.errstate(invalid="ignore"):
        apart = np.abs(paths.length / grid.cell_size - queries.length)
    right = (paths.length == queries.length) | (apart <= bound)
    ends = zip(queries.start.tolist(), queries.goal.tolist(), strict=True)
    faults = [
        fault_of(grid, path, tuple(start), tuple(goal)) is not None
        for path, (start, goal) in zip(paths, ends, strict=True)
    ]
    return int((~right | faults).sum())


REPLAY_MEAN, PATCH_MEAN = 45.0, 5.0


def replay_figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Answer the queries of each replay of a changing world, while it changes.

    Yields
    ------
    Figure
        Wrong answers, the mean time of a query and of a patch, and A*'s time beside it.
    """
    folder = maps_folder()
    files = sorted((folder / "dynamic").glob("*.scen*")) if folder else []
    if not files:
        yield skipped("replays of changing worlds", NO_DATA)
    for file in files:
        yield from _replay(file, 1 if quick else 3, say)


def _replay(file: Path, turns: int, say: Say) -> Iterator[Figure]:
    replay = read_replay(file)
    name = file.name.partition(".")[0]
    searches: dict[str, Callable[..., Route]] = {"automatic": find_path, "A*": a_star}
    reports = {search: [] for search in searches}
    for turn in range(turns):
        for search, find in searches.items():
            say(f"replay of {name}, {search} ({turn + 1} of {turns})")
            reports[search].append(run(replay, find))
    queries, patches = len(replay.queries), len(replay.patches)
    for search, found in reports.items():
        yield told(search, max(each.wrong for each in found), queries, f"replay of {name}")
    mean, slow = (np.median([each.mean_us for each in found]) for found in reports.values())
    patch = np.median([each.patch_mean_us for found in reports.values() for each in found])
    yield at_most(f"replay of {name}, mean query", float(mean), REPLAY_MEAN, " µs")
    yield at_most(f"replay of {name}, mean of {patches} patches", float(patch), PATCH_MEAN, " µs")
    yield noted(f"replay of {name}, A* to the automatic choice", float(slow / mean), " x its time")
