"""What a map's size costs: time per cell looked from, memory, and the first query of a process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from headway.bench.headline import Figure, at_most, failed, noted, skipped
from headway.bench.measure import medians
from headway.bench.parts import Say
from headway.bench.start_up import BARE, CommandFailed, cpu_seconds
from headway.plan.a_star import a_star
from headway.world.worlds import rooms

SIZES = (256, 512, 1024, 2048, 4096)
"""Cells along a side."""
ROOM = 16
"""Cells along a side of a room and one of its walls."""
LARGE = 4096

MEMORY = """
import pathlib, resource, sys
import numpy as np
from headway.plan.find_path import find_path
from headway.world.grid import Grid

side = {side}
prices = np.random.default_rng(0).integers(1, 6, (side, side)).astype(float)
path = find_path(Grid(np.ones((side, side)), prices), (0, 0), (side - 1, side - 1))
assert path.found
unit = 1 if sys.platform == "darwin" else 1024
peak = unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
pathlib.Path("memory").write_text(str(peak))
"""
IMPORT = "from headway.plan.find_path import find_path; from headway.world.grid import Grid"
QUERY = f"""
{IMPORT}
grid = Grid([[1] * 200] * 100)
grid.fill((10, 100), (90, 1), free=False)
assert find_path(grid, (99, 0), (99, 199)).found
"""


def growth_figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure A* from corner to corner of small and large maps of rooms.

    Yields
    ------
    Figure
        ns per cell it looks from, and their ratio between the largest and the smallest map.
    """
    sizes = SIZES[: 3 if quick else None]
    cost = {}
    for size in sizes:
        say(f"A* on {size} x {size} cells")
        count = max(size // ROOM, 1)
        grid = rooms(count, count, size=ROOM - 1)
        search = partial(a_star, grid, (1, 1), (grid.rows - 2, grid.columns - 2))
        spent = medians({"search": search}, 3 if quick else 7, at_least=0.05)["search"]
        cost[size] = 1e9 * spent / search().expanded
        yield noted(f"A* on {size}² cells", cost[size], " ns per cell looked from")
    name = f"cost per cell, {sizes[-1]}² to {sizes[0]}²"
    yield at_most(name, cost[sizes[-1]] / cost[sizes[0]], 1.5, " x")


def process_figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure whole processes: those that ask one query, and one with a large map.

    Yields
    ------
    Figure
        CPU time from the start of Python to its end, and the memory of a large weighted map.
    """
    try:
        import resource  # noqa: F401, PLC0415 - not on every system
    except ImportError:
        yield skipped("processes", "this system does not tell what other processes used")
        return
    with tempfile.TemporaryDirectory() as folder:
        run = partial(cpu_seconds, folder=Path(folder), kernels=Path(folder) / "kernels")
        try:
            yield from _first_query(run, 3 if quick else 7, say)
            yield _memory(run, Path(folder), 1024 if quick else LARGE, say)
        except CommandFailed as error:
            yield failed("processes", "queries work", str(error))


def _first_query(run: Callable[..., float], turns: int, say: Say) -> Iterator[Figure]:
    say("the first query, with its kernels to compile")
    cold = run(("-c", QUERY))
    codes = {"bare": BARE, "import": ("-c", IMPORT), "query": ("-c", QUERY)}
    spent: dict[str, list[float]] = {name: [] for name in codes}
    for turn in range(turns):
        for name, arguments in codes.items():
            say(f"the first query: {name} ({turn + 1} of {turns})")
            spent[name].append(run(arguments))
    middle = {name: median(times) for name, times in spent.items()}
    yield at_most("process with one query", middle["query"], 1.0, " s", python_s=middle["bare"])
    yield noted("importing find_path, beyond Python itself", middle["import"] - middle["bare"],
                " s")  # fmt: skip
    yield noted("process with one query, its kernels to compile", cold, " s")


def _memory(run: Callable[..., float], folder: Path, side: int, say: Say) -> Figure:
    for cells in (64, side):  # what compiling needs is not counted
        say(f"memory of a weighted map of {cells} x {cells} cells")
        run(("-c", MEMORY.format(side=cells)))
    peak = int((folder / "memory").read_text())
    name = f"peak memory, query across a weighted map of {side}² cells"
    return at_most(name, peak * 1e-9, 2.0, " GB")
