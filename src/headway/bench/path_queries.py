"""How fast one path is found: jump point search, A* and the automatic choice, against peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from headway.bench.headline import Figure, at_least, at_most, failed, skipped
from headway.bench.parts import Say
from headway.bench.path_maps import Query, bench_maps
from headway.bench.path_peers import Ask, nano_astar, pyastar2d, w9_pathfinding
from headway.bench.query_times import geometric_mean, query_times
from headway.plan.a_star import a_star
from headway.plan.find_path import find_path
from headway.plan.jump_points import jump_point_search
from headway.world.grid import Grid

PEERS: dict[str, tuple[Callable[[Grid], Ask], float]] = {
    "nano-astar": (nano_astar, 40.0),
    "w9-pathfinding": (w9_pathfinding, 55.0),
    "pyastar2d": (pyastar2d, 20.0),
}
"""How each is asked, and how many times its speed jump point search should have."""
OTHER_RULES = ("pyastar2d",)
"""Peers whose paths have other lengths, because they cut corners or count diagonals as one."""
OURS = {"jps": jump_point_search, "astar": a_star, "auto": find_path}
SLOWER = 1.15
"""How much slower than the better search the automatic choice may be."""


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure the same queries with our searches and with each peer that is installed.

    Yields
    ------
    Figure
        Times on each map, the worst automatic choice, and how many times a peer's speed ours is.
    """
    count, turns = (12, 3) if quick else (40, 5)
    ours: dict[str, dict[str, float]] = {}
    peers: dict[str, dict[str, float]] = {}
    for bench_map in bench_maps():
        name, queries = bench_map.name, bench_map.spread(count)
        say(f"queries on {name}")
        ours[name] = _medians(our_searches(bench_map.grid), queries, 3 * turns)
        say(f"queries on {name}, against peers")
        peers[name] = _medians(peer_searches(bench_map.grid, queries), queries, turns)
        yield _map_figure(name, ours[name], peers[name])
    yield _choice(ours)
    for peer, (_, bound) in PEERS.items():
        yield _against(peer, bound, peers)


def _medians(
    runs: dict[str, Callable[..., object]], queries: list[Query], turns: int
) -> dict[str, float]:
    times = query_times(runs, queries, turns)
    return {name: float(np.median(each)) for name, each in times.items()}


def our_searches(grid: Grid) -> dict[str, Callable[..., object]]:
    """Return our searches on a grid, by name; they take start and goal."""
    return {name: partial(search, grid) for name, search in OURS.items()}


def peer_searches(grid: Grid, queries: list[Query]) -> dict[str, Callable[..., object]]:
    """Return jump point search and the peers that are installed, by name.

    Parameters
    ----------
    grid : Grid
    queries : list
        A peer that has our corner rule but finds paths of other lengths for them is left out.
    """
    runs: dict[str, Callable[..., object]] = {"jps": partial(jump_point_search, grid)}
    for name, (prepare, _) in PEERS.items():
        try:
            ask = prepare(grid)
        except ImportError:
            continue
        if name in OTHER_RULES or _as_short(grid, ask, queries):
            runs[name] = ask
    return runs


def _map_figure(name: str, ours: dict[str, float], peers: dict[str, float]) -> Figure:
    told = [f"{search} {1e6 * time:.3g} µs" for search, time in ours.items()]
    told += [f"{peer} {peers[peer] / peers['jps']:.3g} x" for peer in PEERS if peer in peers]
    values = {f"{search}_s": time for search, time in {**peers, **ours}.items()}
    return Figure(f"{name}, median query", ", ".join(told), values=values)


def _as_short(grid: Grid, ask: Ask, queries: list[Query]) -> bool:
    """Whether a peer's paths are as long as ours."""
    ours = [jump_point_search(grid, *query).length for query in queries]
    theirs = [length_of(ask(*query)) for query in queries]
    return np.allclose(ours, theirs, rtol=1e-9)


def length_of(cells: object) -> float:
    """Return the length of a path of neighbouring cells, in cells.

    Examples
    --------
    >>> round(length_of([(0, 0), (0, 1), (1, 2)]), 6)
    2.414214
    """
    return float(np.hypot(*np.diff(np.asarray(cells), axis=0).T).sum())


def _choice(times: dict[str, dict[str, float]]) -> Figure:
    ratios = {
        name: found["auto"] / min(found["jps"], found["astar"]) for name, found in times.items()
    }
    worst = max(ratios, key=lambda name: ratios[name])
    name = f"automatic choice to the better of jps and A*, worst map ({worst})"
    return at_most(name, ratios[worst], SLOWER, " x its time", maps=ratios)


def _against(peer: str, bound: float, times: dict[str, dict[str, float]]) -> Figure:
    label = f"jps against {peer}, mean over maps"
    ratios = {name: each[peer] / each["jps"] for name, each in times.items() if peer in each}
    try:
        PEERS[peer][0](Grid([[1, 1]]))
    except ImportError:
        return skipped(label, f"{peer} is not installed")
    if len(ratios) < len(times):
        others = ", ".join(name for name in times if name not in ratios)
        return failed(label, "same lengths", f"its paths have other lengths on {others}")
    mean = geometric_mean(ratios.values())
    return at_least(label, mean, bound, " x its speed", maps=ratios)
