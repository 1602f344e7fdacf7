"""Measuring: what is called how often, in which order, and what the median makes of it."""

from __future__ import annotations

import gc

import pytest

from headway.bench import measure
from headway.bench.measure import collector_off, medians


class FakeClock:
    """A clock that only moves when a function that is measured moves it."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    made = FakeClock()
    monkeypatch.setattr(measure, "clock", made)
    return made


def taking(clock: FakeClock, *times: int, calls: list[str] | None = None, name: str = ""):
    """A function that takes these times, ns, and after that the last of them for ever."""
    left = list(times)

    def run() -> None:
        clock.now += left.pop(0) if len(left) > 1 else left[0]
        if calls is not None:
            calls.append(name)

    return run


def test_the_median_of_one_call_is_found(clock: FakeClock) -> None:
    runs = {"short": taking(clock, 250), "long": taking(clock, 4_000_000)}
    spent = medians(runs, turns=5, at_least=0.01)
    assert spent["short"] == pytest.approx(250e-9)
    assert spent["long"] == pytest.approx(4e-3)


def test_neither_the_first_call_nor_an_outlier_counts(clock: FakeClock) -> None:
    run = taking(clock, 10**9, 10**6, 10**8, 10**6, 10**6, 10**6)
    assert medians({"run": run}, turns=5, at_least=0.0)["run"] == pytest.approx(1e-3)


def test_competitors_take_turns_and_nobody_is_always_first(clock: FakeClock) -> None:
    calls: list[str] = []
    runs = {name: taking(clock, 1, calls=calls, name=name) for name in "abc"}
    medians(runs, turns=3, at_least=0.0)
    assert "".join(calls) == "abc" + "abc" + "bca" + "cab"


def test_the_collector_rests_and_is_on_again_even_after_an_error() -> None:
    seen = []

    def fail() -> None:
        with collector_off():
            seen.append(gc.isenabled())
            raise ZeroDivisionError

    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        fail()
    assert seen == [False]
    assert gc.isenabled()
    gc.disable()
    try:
        with collector_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
