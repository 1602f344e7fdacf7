"""How fast whole maps are flooded, and maps with terrain cost searched, against peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from headway.bench.headline import Figure, at_least, failed, noted, skipped
from headway.bench.parts import Say
from headway.bench.path_maps import BenchMap, Query, bench_maps
from headway.bench.path_peers import pyastar2d, scipy_field, skimage_field
from headway.bench.query_times import geometric_mean, query_times
from headway.plan.field import distance_field
from headway.plan.path import Path
from headway.plan.weighted_a_star import weighted_a_star
from headway.world.grid import Grid

FIELD_PEERS = {"SciPy csgraph": (scipy_field, 5.0), "scikit-image": (skimage_field, 8.0)}
"""How each is asked for the distances of all cells, and how many times its speed ours should be."""
PATCH, PRICES = 8, 5
"""Terrain: square patches of so many cells a side that cost 1, 2, … or so much."""
PYASTAR2D = 5.0


def field_figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure distance fields, from a few goals of each map.

    Yields
    ------
    Figure
        The time of ours per free cell, and how many times a peer's speed it has.
    """
    goals, turns = (1, 2) if quick else (3, 5)
    ratios: dict[str, dict[str, float]] = {name: {} for name in FIELD_PEERS}
    missing: dict[str, str] = {}
    per_cell = []
    for bench_map in bench_maps():
        say(f"distance fields of {bench_map.name}")
        grid = bench_map.grid
        runs: dict[str, Callable[..., object]] = {"ours": partial(_flood, grid)}
        for name, (prepare, _) in FIELD_PEERS.items():
            try:
                runs[name] = prepare(grid)
            except ImportError:
                missing[name] = "it is not installed"
        wanted = [(goal,) for _, goal in bench_map.spread(goals)]
        if not _same_distances(grid, runs["SciPy csgraph"], wanted[0][0]):
            missing["SciPy csgraph"] = f"distances differ on {bench_map.name}"
        times = {name: np.median(each) for name, each in query_times(runs, wanted, turns).items()}
        per_cell.append(1e9 * times["ours"] / np.count_nonzero(grid.free))
        for name in runs.keys() - {"ours"}:
            ratios[name][bench_map.name] = float(times[name] / times["ours"])
    yield noted("distance field, mean over maps", geometric_mean(per_cell), " ns per free cell")
    for name, (_, bound) in FIELD_PEERS.items():
        label = f"distance field against {name}, mean over maps"
        if name in missing:
            yield skipped(label, missing[name])
        else:
            mean = geometric_mean(ratios[name].values())
            yield at_least(label, mean, bound, " x its speed", maps=ratios[name])


def _flood(grid: Grid, goal: tuple[int, int]) -> np.ndarray:
    return distance_field(grid, [goal]).distance


def _same_distances(grid: Grid, ask: Callable[..., object], goal: tuple[int, int]) -> bool:
    theirs = np.asarray(ask(goal)).reshape(grid.shape)
    return np.allclose(_flood(grid, goal)[grid.free], theirs[grid.free], rtol=1e-9)


def terrain_figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure weighted A* by the rules of pyastar2d: corners cut, a diagonal as one step.

    Yields
    ------
    Figure
        How many times its speed ours is, and the time of ours by our own rules.
    """
    count, turns = (6, 2) if quick else (24, 5)
    label = "weighted A* against pyastar2d by its rules, mean over maps"
    ratios, own = {}, []
    for bench_map in bench_maps():
        say(f"terrain on {bench_map.name}")
        grid = with_terrain(bench_map)
        runs: dict[str, Callable[..., object]] = {
            "own rules": partial(weighted_a_star, grid),
            "its rules": partial(by_entered_cell, grid),
        }
        queries = bench_map.spread(count)
        try:
            runs["pyastar2d"] = ask = pyastar2d(grid)
        except ImportError:
            yield skipped(label, "pyastar2d is not installed")
            return
        if not _as_cheap(grid, ask, queries):
            yield failed(label, "same costs", f"costs differ on {bench_map.name}")
            return
        times = {name: np.median(each) for name, each in query_times(runs, queries, turns).items()}
        ratios[bench_map.name] = float(times["pyastar2d"] / times["its rules"])
        own.append(1e6 * times["own rules"])
    yield at_least(label, geometric_mean(ratios.values()), PYASTAR2D, " x its speed", maps=ratios)
    yield noted("weighted A* by our rules, mean over maps", geometric_mean(own), " µs")


def with_terrain(bench_map: BenchMap) -> Grid:
    """Return a map with square patches of terrain of different cost."""
    rows, columns = bench_map.grid.shape
    coarse = -(-rows // PATCH), -(-columns // PATCH)
    prices = np.random.default_rng(1).integers(1, PRICES + 1, coarse)
    prices = np.kron(prices, np.ones((PATCH, PATCH)))[:rows, :columns]
    return Grid(bench_map.grid.free, prices)


def by_entered_cell(grid: Grid, start: tuple[int, int], goal: tuple[int, int]) -> Path:
    """Search with the rules of pyastar2d."""
    return weighted_a_star(grid, start, goal, "always", charge="entered", diagonal=1.0)


def _as_cheap(grid: Grid, ask: Callable[..., object], queries: list[Query]) -> bool:
    """Whether the peer's paths cost what ours do."""

    def cost(cells: object) -> float:
        row, column = np.asarray(cells)[1:].T
        assert grid.cost is not None  # noqa: S101 - it was made with costs
        return float(grid.cost[row, column].sum())

    return all(
        abs(cost(ask(*query)) - cost(by_entered_cell(grid, *query).cells)) < 1e-6
        for query in queries
    )
