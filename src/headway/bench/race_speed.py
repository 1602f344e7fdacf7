"""How fast races run on one core: in multiples of real time, and per car and tick."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from headway.bench.headline import Figure, at_least, at_most, noted
from headway.bench.measure import medians
from headway.bench.tracks import longest_track
from headway.sim.race import Race
from headway.sim.run import run
from headway.sim.step import start, step
from headway.world.circuits import circuit
from headway.world.track import Track

FIELD = 20
FIELDS = (2, 20, 200)
BEFORE = 1000
"""Ticks driven before a tick is measured, so that the cars are at speed."""
TICKS = 10
"""Ticks per measured call."""
LAPS_TO_GO = 10
"""Enough for the smallest field not to finish while it is measured."""


def race_figures(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    """Measure whole races of 20 cars, from start to finish, with and without a recording.

    Yields
    ------
    Figure
        Simulated seconds per second of CPU time; laying the plan before the start is apart.
    """
    track = circuit("grandprix")
    say(f"{FIELD} cars on {track.name}")
    laps = 1 if quick else 2
    race = Race(track, cars=FIELD, laps=laps)
    seconds = float(run(race).trace.time[-1])
    with tempfile.TemporaryDirectory() as folder:
        runs = {
            "race": partial(run, race),
            "recorded": partial(run, race, record=Path(folder) / "race.hwy"),
            "prepare": partial(Race, track, cars=FIELD, laps=laps),
        }
        spent = medians(runs, 1 if quick else 5, at_least=0.0)
    name = f"{FIELD} cars on {track.name}, laps: {laps}"
    yield at_least(name, seconds / spent["race"], 100.0, " x real time", simulated_s=seconds)
    yield at_least(f"{name}, recorded", seconds / spent["recorded"], 100.0, " x real time")
    yield noted("preparing that race", spent["prepare"], " s CPU")


def scaling_figures(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    """Measure the cost of a tick with few and many cars on the longest circuit there is.

    Yields
    ------
    Figure
        CPU time per car and tick, µs, and its ratio between the largest and smallest field.
    """
    track = longest_track()
    runs = {}
    for count in FIELDS:
        say(f"{count} cars on {track.name}")
        runs[str(count)] = _under_way(track, count)
    spent = medians(runs, 5 if quick else 25)
    cost = {count: 1e6 * spent[str(count)] / (TICKS * count) for count in FIELDS}
    for count in FIELDS:
        yield noted(f"{count} cars on {track.name}", cost[count], " µs per car and tick")
    few, many = FIELDS[0], FIELDS[-1]
    yield at_most(f"cost per car, {many} cars to {few}", cost[many] / cost[few], 1.3, " x")


def _under_way(track: Track, count: int) -> Callable[[], None]:
    """Start a race; return a function that runs it a few ticks further."""
    race = Race(track, cars=count, laps=LAPS_TO_GO)
    state = start(race)

    def go_on(ticks: int = TICKS) -> None:
        nonlocal state
        for _ in range(ticks):
            state = step(race, state)

    go_on(BEFORE)
    return go_on
