"""How short and how fast paths are that may turn by any angle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from headway.bench.headline import Figure, at_most, noted
from headway.bench.parts import Say
from headway.bench.path_maps import BenchMap, bench_maps
from headway.bench.query_times import geometric_mean, query_times
from headway.plan.anya import anya
from headway.plan.jump_points import jump_point_search
from headway.plan.lazy_theta import lazy_theta_star
from headway.plan.path import Path
from headway.plan.straighten import straighten
from headway.world.grid import Grid

LONGER = 0.5
Search = Callable[..., object]


def pulled(grid: Grid, start: tuple[int, int], goal: tuple[int, int]) -> Path:
    """Search for jump points and pull the path straight."""
    return straighten(grid, jump_point_search(grid, start, goal))


SEARCHES = {"ANYA": anya, "Lazy Theta*": lazy_theta_star, "jps, pulled straight": pulled,
            "jps": jump_point_search}  # fmt: skip


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure paths of any angle next to the exact shortest ones, those of ANYA.

    Yields
    ------
    Figure
        How much longer than the shortest they are in the mean, and the mean of the median times.
    """
    count, turns = (6, 1) if quick else (24, 3)
    lengths: dict[str, list[float]] = {name: [] for name in SEARCHES}
    times: dict[str, list[float]] = {name: [] for name in SEARCHES}
    for bench_map in bench_maps():
        say(f"any angle on {bench_map.name}")
        _measure(bench_map, count, turns, lengths, times)
    exact = np.array(lengths["ANYA"])
    for name in list(SEARCHES)[1:]:
        longer = 100.0 * (np.array(lengths[name]) / exact - 1.0)
        label = f"{name}, mean excess over ANYA, {len(exact)} queries"
        values = {"least": float(longer.min()), "most": float(longer.max())}
        mean = float(longer.mean())
        if name == "Lazy Theta*":
            yield at_most(label, mean, LONGER, " % of length", **values)
        else:
            yield noted(label, mean, " % of length", **values)
    for name, each in times.items():
        mean = 1e6 * geometric_mean(each)
        yield noted(f"{name}, median query, mean over maps", mean, " µs")


def _measure(
    bench_map: BenchMap, count: int, turns: int, lengths: dict[str, list[float]],
    times: dict[str, list[float]],
) -> None:  # fmt: skip
    queries, grid = bench_map.spread(count), bench_map.grid
    runs: dict[str, Search] = {name: partial(search, grid) for name, search in SEARCHES.items()}
    for name, search in SEARCHES.items():
        lengths[name] += [search(grid, *query).length for query in queries]
    for name, each in query_times(runs, queries, turns).items():
        times[name].append(float(np.median(each)))
