"""CPU time of single queries, each asked of all competitors in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.bench.measure import clock, collector_off

WARM_UP = 5_000_000
"""ns"""


def query_times(
    runs: Mapping[str, Callable[..., object]], queries: Sequence[tuple[Any, ...]], turns: int
) -> dict[str, NDArray[np.float64]]:
    """Measure how long each query takes each competitor.

    In each turn, each competitor is asked all queries, one after the other, as a program in use
    would be. What the one before it did to the caches is made up for by some queries at the
    beginning that are not counted.

    Parameters
    ----------
    runs : mapping of str to callable
        The competitors, by name; they take what a query holds. Each is asked all queries once
        beforehand, so that what it compiles, loads or makes once is not counted.
    queries : sequence of tuples
    turns : int
        How many times each is asked each query.

    Returns
    -------
    dict of str to (N,) ndarray
        Median time of each query, s.

    Examples
    --------
    >>> times = query_times({"list": lambda n: list(range(n))}, [(10,), (100_000,)], turns=3)
    >>> bool(times["list"][0] < times["list"][1])
    True
    """
    names = list(runs)
    spent = {name: np.empty((turns, len(queries))) for name in names}
    with collector_off():
        for name in names:
            _ask_all(runs[name], queries)
        for turn in range(turns):
            first = turn % len(names)
            for name in names[first:] + names[:first]:
                _warm_up(runs[name], queries)
                spent[name][turn] = _ask_all(runs[name], queries)
    return {name: np.median(times, axis=0) for name, times in spent.items()}


def _ask_all(run: Callable[..., object], queries: Sequence[tuple[Any, ...]]) -> list[float]:
    spent = []
    for query in queries:
        began = clock()
        run(*query)
        spent.append(1e-9 * (clock() - began))
    return spent


def _warm_up(run: Callable[..., object], queries: Sequence[tuple[Any, ...]]) -> None:
    began = clock()
    for query in queries:
        run(*query)
        if clock() - began > WARM_UP:
            break


def geometric_mean(values: Iterable[float]) -> float:
    """Return the mean that fits ratios.

    Examples
    --------
    >>> geometric_mean([1.0, 4.0])
    2.0
    """
    logarithms = [log(value) for value in values]
    return exp(sum(logarithms) / len(logarithms))
