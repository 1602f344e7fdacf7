"""``headway warm``: compile every kernel now, in several processes, so that nothing waits later."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from importlib import import_module
from json import dumps
from pkgutil import walk_packages

from headway.errors import HeadwayError, InputError

LAYERS = (
    "geometry",
    "world",
    "perceive",
    "plan",
    "follow",
    "steer",
    "move",
    "decide",
    "sim",
)
"""The folders that hold kernels, lowest first: what many kernels call is then compiled once."""


def warm(*, jobs: int | None = None, json: bool = False) -> None:
    """Compile every kernel now, so that no later command has to wait.

    Run it once after installing or upgrading. What is compiled already costs next to nothing.

    Parameters
    ----------
    jobs
        Processes that compile at the same time; as many as there are processors if not given.
    json
        Print the result as JSON instead of a table.
    """
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs is {jobs}: it must be 1 or more.")
    start = time.perf_counter()
    names = _kernels_to_warm()
    compiled = {}
    with _progress(len(names)) as advance:
        for name, seconds in _compile_all(names, min(jobs or os.cpu_count() or 1, len(names))):
            if seconds > 0.0:
                compiled[name] = seconds
            advance(name, seconds)
    _report(compiled, len(names), time.perf_counter() - start, json)


def _kernels_to_warm() -> list[str]:
    """Names of the kernels that are called from Python; what they call is compiled with them."""
    from headway import _jit, _kernel_cache

    if _kernel_cache.cache_root() is None:
        raise HeadwayError(
            "there is no folder to keep compiled kernels in: "
            "set HEADWAY_CACHE_DIR to a folder that can be written."
        )
    for layer in LAYERS:
        package = import_module(f"headway.{layer}")
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    return [kernel.name for kernel in _jit.KERNELS if kernel.example]


def _compile_all(names: list[str], jobs: int) -> Iterator[tuple[str, float]]:
    """Each name with the seconds its compilation took, 0 if it was compiled before."""
    # Spawned, not forked: a child forked from a process that has run kernels may hang.
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), initializer=_leave_interrupts_to_the_parent
    )
    try:
        waiting = {pool.submit(_compile, name): name for name in names}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _compile(name: str) -> float:
    """Call one kernel with its example arguments; the seconds spent compiling."""
    from headway import _jit
    from headway._compiling import on_compile

    import_module(name.rpartition(".")[0])
    spent: dict[str, float] = {}
    with on_compile(lambda name: None, spent.__setitem__):
        for kernel in _jit.KERNELS:
            if kernel.name == name and kernel.example:
                kernel.dispatcher(*kernel.example())
    return max(spent.values(), default=0.0)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str, float], None]]:
    """A bar on a terminal, otherwise a line for each kernel compiled."""
    if not sys.stderr.isatty():

        def say(name: str, seconds: float) -> None:
            if seconds > 0.0:
                print(f"compiled {name.removeprefix('headway.')} {seconds:.1f} s", file=sys.stderr)

        yield say
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Compiling", total=total)

        def advance(name: str, seconds: float) -> None:
            progress.update(task, advance=1, description=name.removeprefix("headway."))

        yield advance


def _report(compiled: dict[str, float], total: int, seconds: float, as_json: bool) -> None:
    cached = total - len(compiled)
    if as_json:
        print(dumps({"compiled": compiled, "cached": cached, "seconds": round(seconds, 3)}))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("kernels compiled", "already cached", "seconds"):
        table.add_column(heading, justify="right")
    table.add_row(str(len(compiled)), str(cached), f"{seconds:.1f}")
    Console().print(table)
