"""CPU time per call: competitors in turn, medians, and nothing else going on.

CPU time of the calling thread is what a machine shared with others disturbs least, but caches
and clock rates still drift. Competitors are therefore called turn by turn, so that a drift hits
all of them, and the median of many turns is taken, so that a single disturbance hits none.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import repeat

clock: Callable[[], int] = getattr(time, "thread_time_ns", time.process_time_ns)
"""CPU time of this thread, ns; of the whole process where threads have no clock of their own."""


def medians(
    runs: Mapping[str, Callable[[], object]], turns: int = 15, at_least: float = 0.01
) -> dict[str, float]:
    """Measure the CPU time of one call of each of some functions.

    Parameters
    ----------
    runs : mapping of str to callable
        The functions, by name. Each is called once beforehand, so that what it compiles or loads
        is not counted.
    turns : int
        How many times each is measured.
    at_least : float
        Shortest time to measure, s: a function is called so many times in a row per turn.

    Returns
    -------
    dict of str to float
        Median time of one call, s.

    Examples
    --------
    >>> spent = medians({"short": lambda: sum(range(10)), "long": lambda: sum(range(10_000))})
    >>> spent["short"] < spent["long"]
    True
    """
    with collector_off():
        calls = {name: _calls_that_take(run, at_least) for name, run in runs.items()}
        spent: dict[str, list[float]] = {name: [] for name in runs}
        names = list(runs)
        for turn in range(turns):
            first = turn % len(names)  # so that nobody always follows the same competitor
            for name in names[first:] + names[:first]:
                spent[name].append(_seconds(runs[name], calls[name]) / calls[name])
    return {name: statistics.median(times) for name, times in spent.items()}


@contextmanager
def collector_off() -> Iterator[None]:
    """Keep Python's garbage collector from running within the block.

    Yields
    ------
    None
        It is off as long as the ``with`` block lasts.
    """
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _calls_that_take(run: Callable[[], object], at_least: float) -> int:
    """How many calls in a row take at least so many seconds."""
    run()
    calls = 1
    while at_least > 0.0 and (spent := _seconds(run, calls)) < at_least:
        calls = max(2 * calls, min(100 * calls, int(1.2 * calls * at_least / max(spent, 1e-9))))
    return calls


def _seconds(run: Callable[[], object], calls: int) -> float:
    began = clock()
    for _ in repeat(None, calls):
        run()
    return (clock() - began) * 1e-9
