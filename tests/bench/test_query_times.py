"""Times of single queries: who is asked what, how often, and what counts."""

from __future__ import annotations

import pytest

from headway.bench import measure, query_times
from headway.bench.query_times import geometric_mean


def test_each_is_asked_each_query_and_the_median_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0
    asked = []

    def run(name: str, cost: int):
        def ask(query: int) -> None:
            nonlocal now
            asked.append((name, query))
            now += cost * query

        return ask

    monkeypatch.setattr(query_times, "clock", lambda: now)
    runs = {"fast": run("fast", 1000), "slow": run("slow", 3000)}
    times = query_times.query_times(runs, [(1,), (5,)], turns=3)
    assert times["fast"] == pytest.approx([1e-6, 5e-6])
    assert times["slow"] == pytest.approx([3e-6, 15e-6])
    # once beforehand, and in each turn once to warm up and once to measure
    assert asked.count(("fast", 5)) == asked.count(("slow", 1)) == 7


def test_what_takes_long_is_not_warmed_up_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0
    asked = []

    def ask(query: int) -> None:
        nonlocal now
        asked.append(query)
        now += 10 * query_times.WARM_UP

    monkeypatch.setattr(query_times, "clock", lambda: now)
    query_times.query_times({"slow": ask}, [(1,), (2,), (3,)], turns=1)
    assert asked == [1, 2, 3, 1, 1, 2, 3]


def test_the_clock_is_that_of_all_measurements() -> None:
    assert query_times.clock is measure.clock


def test_ratios_have_a_geometric_mean() -> None:
    assert geometric_mean(iter([2.0, 8.0])) == pytest.approx(4.0)
    assert geometric_mean([3.0]) == pytest.approx(3.0)
