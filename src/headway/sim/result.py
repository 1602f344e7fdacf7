"""What a race came to: standings, lap times, positions and traces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headway.sim.race import Race, RaceState
from headway.sim.state_hash import state_hash
from headway.sim.timing import (
    CONTACTS,
    DISTANCE,
    FINISH,
    FINISHED,
    LAPS,
    LONGEST_HALT,
    OFF_TRACK,
    RESCUES,
    RETIRED,
    STATUS,
)
from headway.world.track import Track


@dataclass(frozen=True)
class Standing:
    """One row of the standings.

    Parameters
    ----------
    position : int
        From 1.
    car : int
        Number of the car, from 1.
    vehicle : str
        Name of its kind.
    laps : int
        Completed.
    total_s, gap_s, best_lap_s : float or None
        Time from the start to the finish, behind the winner, and of the best lap, s.
    contacts, off_track, respawns : int
        Times it touched another car or a wall, left the road whole, and was put back.
    longest_halt_s : float
        Longest time in which it got no further, s.
    status : {"finished", "dnf"}
        Whether it finished.
    reason : str
        Why it did not.
    """

    position: int
    car: int
    vehicle: str
    laps: int
    total_s: float | None
    gap_s: float | None
    best_lap_s: float | None
    contacts: int
    off_track: int
    respawns: int
    longest_halt_s: float
    status: str
    reason: str = ""


@dataclass(frozen=True)
class Trace:
    """Where the cars were, every few ticks.

    Parameters
    ----------
    time : (T,) ndarray
        s.
    state : (T, N, 7) ndarray
        States; see `headway.world.state`.
    distance : (T, N) ndarray
        Distance from the start line over all laps, m; negative on the grid.
    """

    time: np.ndarray
    state: np.ndarray
    distance: np.ndarray


@dataclass(frozen=True)
class RaceResult:
    """What a race came to.

    Parameters
    ----------
    track : Track
        The track.
    laps, seed : int
        Laps of the race, and its seed.
    start_s, lap_length : float
        Arc length of the start line, and distance of a lap, m.
    cars : (N,) ndarray of int64
        Number of the car in each row of the arrays below, from 1.
    standings : list of Standing
        In order of position.
    lap_times : (N, laps) ndarray
        s; NaN where not driven.
    sector_times : (N, laps, C) ndarray
        s; NaN where not driven.
    positions_by_lap : (laps + 1, N) ndarray of int64
        Position of each car on the grid and at the end of each lap; 0 where it did not get.
    fastest_lap : tuple of (int, int, float) or None
        Number of the car, lap (both from 1) and seconds.
    trace : Trace
        Where the cars were.
    state_hash : str
        Hash of the last state: equal for equal races.
    real_time_factor : float
        Simulated seconds per second of computing.
    """

    track: Track
    laps: int
    seed: int
    start_s: float
    lap_length: float
    cars: np.ndarray
    standings: list[Standing]
    lap_times: np.ndarray
    sector_times: np.ndarray
    positions_by_lap: np.ndarray
    fastest_lap: tuple[int, int, float] | None
    trace: Trace
    state_hash: str
    real_time_factor: float


def hash_of(state: RaceState) -> str:
    """Hash of all of a state that the rest of the race depends on, but memory that is no array."""
    arrays = (
        state.cars,
        state.controls,
        state.places,
        state.hits,
        state.timing,
        state.crossings,
    )
    memory = (state.memory,) if isinstance(state.memory, np.ndarray) else ()
    return state_hash(np.array(state.tick), *arrays, *memory)


def result_of(race: Race, state: RaceState, trace: Trace, real_time_factor: float) -> RaceResult:
    """Sum up a race from its last state."""
    ends = state.crossings[:, :, -1]
    lap_times = np.diff(ends, axis=1, prepend=0.0)
    all_ends = state.crossings.reshape(race.car_count, -1)
    sector_times = np.diff(all_ends, axis=1, prepend=0.0).reshape(state.crossings.shape)
    return RaceResult(
        track=race.track,
        laps=race.laps,
        seed=race.seed,
        start_s=race.start_s,
        lap_length=race.lap_length,
        cars=race.identities + 1,
        standings=_standings(race, state, lap_times),
        lap_times=lap_times,
        sector_times=sector_times,
        positions_by_lap=_positions_by_lap(race, ends),
        fastest_lap=_fastest_lap(race, lap_times),
        trace=trace,
        state_hash=hash_of(state),
        real_time_factor=real_time_factor,
    )


def ranking(state: RaceState) -> np.ndarray:
    """Rows of the cars in order of position: by finish, then by distance, then by row."""
    finished = state.timing[:, STATUS] == FINISHED
    finish = np.where(finished, state.timing[:, FINISH], np.inf)
    return np.lexsort((-state.timing[:, DISTANCE], finish))


def _standings(race: Race, state: RaceState, lap_times: np.ndarray) -> list[Standing]:
    rows = ranking(state)
    first = float(state.timing[rows[0], FINISH])
    standings = []
    for position, i in enumerate(rows, start=1):
        book = state.timing[i]
        finished = book[STATUS] == FINISHED
        driven = lap_times[i][np.isfinite(lap_times[i])]
        standings.append(
            Standing(
                position=position,
                car=int(race.identities[i]) + 1,
                vehicle=race.vehicles[i].name,
                laps=int(book[LAPS]),
                total_s=float(book[FINISH]) if finished else None,
                gap_s=float(book[FINISH]) - first if finished else None,
                best_lap_s=float(driven.min()) if len(driven) else None,
                contacts=int(book[CONTACTS]),
                off_track=int(book[OFF_TRACK]),
                respawns=int(book[RESCUES]),
                longest_halt_s=float(book[LONGEST_HALT]),
                status="finished" if finished else "dnf",
                reason="" if finished else _reason(book),
            )
        )
    return standings


def _reason(book: np.ndarray) -> str:
    if book[STATUS] == RETIRED:
        return f"put back {book[RESCUES]:.0f} times"
    return "did not finish within the time limit"


def _positions_by_lap(race: Race, ends: np.ndarray) -> np.ndarray:
    positions = np.zeros((race.laps + 1, race.car_count), dtype=np.int64)
    positions[0] = np.argsort(np.argsort(race.identities)) + 1
    for lap in range(race.laps):
        order = np.argsort(ends[:, lap], kind="stable")
        there = order[np.isfinite(ends[order, lap])]
        positions[lap + 1, there] = np.arange(1, len(there) + 1)
    return positions


def _fastest_lap(race: Race, lap_times: np.ndarray) -> tuple[int, int, float] | None:
    if not np.isfinite(lap_times).any():
        return None
    car, lap = np.unravel_index(np.nanargmin(lap_times), lap_times.shape)
    return int(race.identities[car]) + 1, int(lap) + 1, float(lap_times[car, lap])
