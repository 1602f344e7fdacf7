"""How fast many paths are found in one call, and how fast one kernel is next to its C++ twin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from headway.bench.cpp_library import Library, TwinMissing
from headway.bench.headline import Figure, at_least, at_most, failed, noted, skipped
from headway.bench.jump_twin import JumpQueries, build_jump_twin
from headway.bench.measure import medians
from headway.bench.parts import Say
from headway.bench.path_maps import BenchMap, bench_maps, made_map
from headway.bench.query_times import geometric_mean
from headway.plan.find_paths import find_paths
from headway.plan.jump_points import jump_point_search
from headway.world.worlds import rooms

SHORT = 44.0
"""Cells: queries of the first eleven buckets of a scenario file, four cells each, are shorter."""
WHERE = "arena2"


def batch_figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure short queries, all in one call, on one core.

    Yields
    ------
    Figure
        Queries per second.
    """
    bench_map = _short_queries()
    say(f"short queries on {bench_map.name}")
    grid, starts, goals = bench_map.grid, bench_map.starts, bench_map.goals
    # enough of them that what the call itself costs does not matter
    often = -(-2000 // len(starts))
    starts, goals = np.tile(starts, (often, 1)), np.tile(goals, (often, 1))
    spent = medians({"batch": lambda: find_paths(grid, starts, goals)}, 5 if quick else 15)
    rate = 1e-3 * len(starts) / spent["batch"]
    name = f"batch of {len(starts)} short queries on {bench_map.name}, one core"
    yield at_least(name, rate, 100.0, " k/s")


def _short_queries() -> BenchMap:
    """Queries shorter than 44 cells, on arena2 if it is there."""
    found = {each.name: each for each in bench_maps() if each.name == WHERE}
    bench_map = found.get(WHERE) or made_map("rooms", rooms(12, 16, size=15), count=2000)
    pairs = zip(bench_map.starts, bench_map.goals, strict=True)
    lengths = np.array([jump_point_search(bench_map.grid, a, b).length for a, b in pairs])
    short = lengths < SHORT
    starts, goals = bench_map.starts[short], bench_map.goals[short]
    return BenchMap(bench_map.name, bench_map.grid, starts, goals)


def twin_figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure the kernel of jump point search and the same steps in C++, on the same queries.

    Yields
    ------
    Figure
        The time of ours to that of ``-O3 -march=native``, on each map and in the mean.
    """
    label = "jps kernel to the same in C++, mean over maps"
    try:
        twin = build_jump_twin()
    except TwinMissing as reason:
        yield skipped(label, str(reason))
        return
    count, turns = (12, 3) if quick else (40, 9)
    ratios = {}
    with twin:
        for bench_map in bench_maps():
            say(f"jump points in C++ on {bench_map.name}")
            queries = bench_map.spread(count)
            jumps = JumpQueries(bench_map.grid, *zip(*queries, strict=True))
            if not _same(jumps, twin):
                yield failed(f"{label}: {bench_map.name}", "same paths", "other paths")
                continue
            spent = medians({"ours": jumps.in_python(), "theirs": jumps.in_cpp(twin)}, turns)
            ratios[bench_map.name] = spent["ours"] / spent["theirs"]
            mean = 1e6 * spent["ours"] / len(queries)
            name = f"{bench_map.name}, kernel of jps, mean of {len(queries)} queries"
            yield noted(name, mean, " µs", to_cpp=ratios[bench_map.name])
    if ratios:
        yield at_most(label, geometric_mean(ratios.values()), 1.10, " x its time", maps=ratios)


def _same(jumps: JumpQueries, twin: Library) -> bool:
    """Whether both give paths of the same numbers of steps."""
    jumps.in_python()()
    ours = jumps.answers.copy()
    jumps.answers.fill(0)
    jumps.in_cpp(twin)()
    return np.array_equal(ours, jumps.answers)
