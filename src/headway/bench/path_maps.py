"""The maps that path search is measured on, with queries.

They are those of the folder ``movingai`` in the folder that the variable HEADWAY_DATA names, or
``../shared/data``: any ``NAME.map`` with its ``NAME.map.scen`` beside it, both with or without
``.gz``. Where there is none, made worlds serve, the same on any machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headway.plan.jump_points import jump_point_search
from headway.world.grid import Grid
from headway.world.movingai import Scenarios, read_movingai_map, read_scenarios
from headway.world.worlds import maze, rooms, scattered

Query = tuple[tuple[int, int], tuple[int, int]]
"""Start and goal, each row and column."""

NO_DATA = "no maps here; HEADWAY_DATA names the folder that movingai is in"
MADE: dict[str, Callable[[], Grid]] = {
    "rooms": lambda: rooms(32, 32, size=15),
    "large rooms": lambda: rooms(8, 8, size=63),
    "maze": lambda: maze(128, 128),
    "scattered 10 %": lambda: scattered(512, 512, 0.1),
    "scattered 35 %": lambda: scattered(512, 512, 0.35),
}
MADE_QUERIES = 200


@dataclass(frozen=True)
class BenchMap:
    """A map and queries on it that have a path, from short to long."""

    name: str
    grid: Grid
    starts: NDArray[np.int64]
    """(N, 2) row and column."""
    goals: NDArray[np.int64]
    """(N, 2) row and column."""

    def spread(self, count: int) -> list[Query]:
        """Choose so many queries, or all if there are fewer, evenly spaced over all lengths."""
        chosen = np.unique(np.linspace(0, len(self.starts) - 1, count).astype(int))
        starts, goals = self.starts[chosen].tolist(), self.goals[chosen].tolist()
        return [((a, b), (c, d)) for (a, b), (c, d) in zip(starts, goals, strict=True)]


def maps_folder() -> Path | None:
    """Return the folder ``movingai`` of the real inputs, or None where there is none."""
    folder = Path(os.environ.get("HEADWAY_DATA") or "../shared/data") / "movingai"
    return folder if folder.is_dir() else None


def real_maps() -> Iterator[tuple[str, Grid, Scenarios]]:
    """Read the real maps and all their queries.

    Yields
    ------
    tuple of str, Grid and Scenarios
        The name of the map, the map, and its queries.

    Raises
    ------
    FileError
        If one of them cannot be read.
    """
    folder = maps_folder()
    for file in sorted(folder.rglob("*.map*")) if folder else ():
        name = file.name.removesuffix(".gz")
        queries = [file.with_name(f"{name}.scen"), file.with_name(f"{name}.scen.gz")]
        queries = [each for each in queries if each.is_file()]
        if name.endswith(".map") and queries:
            yield name.removesuffix(".map"), read_movingai_map(file), read_scenarios(queries[0])


def bench_maps() -> Iterator[BenchMap]:
    """Read the real maps; make some where there are none.

    Yields
    ------
    BenchMap
        The map and its queries.

    Raises
    ------
    FileError
        If a file cannot be read.
    """
    none = True
    for name, grid, queries in real_maps():
        none = False
        worth = (queries.start != queries.goal).any(axis=1) & np.isfinite(queries.length)
        chosen = np.flatnonzero(worth)[np.argsort(queries.length[worth], kind="stable")]
        yield BenchMap(name, grid, queries.start[chosen], queries.goal[chosen])
    if none:
        for name, make in MADE.items():
            yield made_map(name, make())


def made_map(name: str, grid: Grid, count: int = MADE_QUERIES) -> BenchMap:
    """Choose queries on a map by chance, always the same.

    Parameters
    ----------
    name : str
        What to call it.
    grid : Grid
        A map with free cells, most of which are connected.
    count : int
        How many queries.

    Returns
    -------
    BenchMap
        Its queries have paths; there may be fewer of them.

    Examples
    --------
    >>> made_map("field", Grid(np.ones((9, 9))), count=5).starts.shape
    (5, 2)
    """
    cells = np.argwhere(grid.free)
    picks = np.random.default_rng(0).integers(len(cells), size=(2 * count, 2))
    found = []
    for start, goal in cells[picks[picks[:, 0] != picks[:, 1]]].tolist():
        path = jump_point_search(grid, start, goal)
        if path.found:
            found.append((path.length, start, goal))
    ends = np.array([(start, goal) for _, start, goal in sorted(found[:count])])
    ends = ends.reshape(-1, 2, 2)
    return BenchMap(name, grid, ends[:, 0].copy(), ends[:, 1].copy())
