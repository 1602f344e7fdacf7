"""Running a race to its end: the clock, the trace and the recording."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict

import numpy as np

from headway.decide.route_drivers import RouteDrivers
from headway.sim.description import describe
from headway.sim.race import Race, RaceState
from headway.sim.recorder import Recorder
from headway.sim.result import RaceResult, Trace, hash_of, result_of
from headway.sim.step import start, step
from headway.sim.timing import DISTANCE, LAP_START, LAPS
from headway.world.place import OFFSET, S

TRACE_EVERY = 5
"""Ticks from one row of the trace, and of a recording, to the next."""
HASH_EVERY = 50
"""Ticks from one state hash in a recording to the next."""

COLUMNS = (
    "x", "y", "yaw", "vx", "vy", "yaw_rate", "steer",
    "throttle", "brake", "steering", "gear", "s", "offset", "distance", "laps",
)  # fmt: skip
"""What a recording holds of each car."""


def run(
    race: Race,
    record: str | os.PathLike[str] | None = None,
    progress: Callable[[RaceState], None] | None = None,
) -> RaceResult:
    """Run a race until every car has finished or retired, or the time limit has passed.

    Parameters
    ----------
    race : Race
        The race.
    record : path-like, optional
        File to record to; see `headway.sim.recording`.
    progress : callable, optional
        Called with the state every simulated second.

    Returns
    -------
    RaceResult
        What it came to.

    Raises
    ------
    FileError
        If the recording cannot be written.

    Examples
    --------
    >>> from headway.world.circuits import circuit
    >>> result = run(Race(circuit("oval"), cars=2, laps=1))
    >>> [row.status for row in result.standings]
    ['finished', 'finished']
    """
    trace: list[tuple[float, np.ndarray, np.ndarray]] = []
    with ExitStack() as stack:
        recorder = None
        if record is not None:
            recorder = stack.enter_context(
                Recorder(
                    record, describe(race), COLUMNS, race.car_count, chunk=HASH_EVERY // TRACE_EVERY
                )
            )
        state = start(race)
        if isinstance(race.driver, RouteDrivers):
            step(race, state)  # compiles what is not compiled yet, before the clock starts
        began = time.perf_counter()
        while True:
            over = not state.active.any() or state.time > race.time_limit
            if state.tick % TRACE_EVERY == 0 or over:
                trace.append((state.time, state.cars, state.timing[:, DISTANCE].copy()))
                if recorder is not None:
                    recorder.frame(state.tick, frame_of(state))
            if recorder is not None and (state.tick % HASH_EVERY == 0 or over):
                recorder.hash(state.tick, hash_of(state))
            if progress is not None and state.tick % HASH_EVERY == 0:
                progress(state)
            if over:
                break
            before, state = state, step(race, state)
            if recorder is not None:
                _record_laps(recorder, race, before, state)
        spent = max(time.perf_counter() - began, 1e-9)
        result = result_of(race, state, _trace(trace), state.time / spent)
        if recorder is not None:
            recorder.finish(
                {
                    "standings": [asdict(row) for row in result.standings],
                    "fastest_lap": result.fastest_lap,
                    "state_hash": result.state_hash,
                }
            )
    return result


def _record_laps(recorder: Recorder, race: Race, before: RaceState, state: RaceState) -> None:
    for i in np.flatnonzero(state.timing[:, LAPS] > before.timing[:, LAPS]):
        lap = int(state.timing[i, LAPS])
        data = {"car": int(race.identities[i]) + 1, "lap": lap, "at_s": state.timing[i, LAP_START]}
        recorder.event(state.tick, "lap", data)


def frame_of(state: RaceState) -> np.ndarray:
    """Lay out a state as the frame of a recording, (N, columns)."""
    return np.column_stack(
        (
            state.cars,
            state.controls,
            state.places[:, [S, OFFSET]],
            state.timing[:, [DISTANCE, LAPS]],
        )
    )


def _trace(rows: list[tuple[float, np.ndarray, np.ndarray]]) -> Trace:
    time, state, distance = zip(*rows, strict=True)
    return Trace(np.array(time), np.stack(state), np.stack(distance))
