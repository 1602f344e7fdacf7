"""Races on every circuit there is: who gets to the finish, and how roughly.

Twenty GT cars, on short circuits one per 30 m; on tracks where two of them have no room abreast,
model cars of a tenth of the size, one per 3 m.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from headway.bench.headline import Figure, failed, skipped
from headway.bench.measure import clock, collector_off
from headway.bench.tracks import bundled_tracks, narrowest, track_files
from headway.errors import FileError, HeadwayError
from headway.move.car import car
from headway.sim.race import Race
from headway.sim.result import RaceResult
from headway.sim.run import run
from headway.sim.step import start, step
from headway.world.circuit_files import read_track
from headway.world.track import Track

FIELD = 20
FULL_SIZE, MODEL = ("gt", 30.0), ("f1tenth", 3.0)
"""Kinds of car, and metres of track for each of them."""
LAPS = 5
LONGEST_HALT = 10.0
TARGET = f"all finish, halts ≤ {LONGEST_HALT:g} s"


def figures(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    """Race on each circuit, bundled and real.

    Yields
    ------
    Figure
        Who finished, the longest halt, cars off the road, rescues, contacts and speed.
    """
    laps = 1 if quick else LAPS
    for track in bundled_tracks():
        say(f"race on {track.name}")
        yield survey(track, laps)
    for file in track_files():
        say(f"race on {file.stem}")
        yield _survey_file(file, laps)
    if not track_files():
        yield skipped("real tracks", "none here; HEADWAY_DATA names their folder")


def _survey_file(file: Path, laps: int) -> Figure:
    name = f"{file.parent.name}/{file.name}"
    try:
        return survey(read_track(file), laps, name)
    except FileError as error:
        return failed(name, TARGET, error.problem)


def survey(track: Track, laps: int, name: str | None = None) -> Figure:
    """Race on one track and sum up.

    Parameters
    ----------
    track : Track
        The track.
    laps : int
        Laps to drive; an open track has one.
    name : str, optional
        What to call it; its own name if not given.

    Returns
    -------
    Figure
        The sum of it.
    """
    vehicle, room = FULL_SIZE if narrowest(track) > 2.0 * car("gt").width else MODEL
    cars = max(1, min(FIELD, int(track.length // room)))
    name = f"{name or track.name}, {cars} {vehicle}"
    try:
        race = Race(track, cars=cars, laps=laps if track.closed else 1, vehicle=vehicle)
        step(race, start(race))  # so that what it compiles is not counted
        with collector_off():
            began = clock()
            result = run(race)
            spent = (clock() - began) * 1e-9
    except HeadwayError as error:
        return failed(name, TARGET, str(error))
    return _figure(name, summary(result, float(result.trace.time[-1]) / spent))


def summary(result: RaceResult, speed: float) -> dict[str, float | int]:
    """Sum up a race that ran at some multiple of real time, as plain numbers."""
    rows = result.standings
    return {
        "cars": len(rows),
        "laps": result.laps,
        "finished": sum(row.status == "finished" for row in rows),
        "longest_halt_s": max(row.longest_halt_s for row in rows),
        "off_track": sum(row.off_track for row in rows),
        "rescues": sum(row.respawns for row in rows),
        "contacts": sum(row.contacts for row in rows),
        "real_time_factor": speed,
    }


def _figure(name: str, values: dict[str, float | int]) -> Figure:
    return Figure(
        name,
        f"{values['finished']} finish, halt {values['longest_halt_s']:.1f} s, "
        f"off {values['off_track']}, rescues {values['rescues']}, "
        f"contacts {values['contacts']}, {values['real_time_factor']:.0f} x",
        TARGET,
        values["finished"] == values["cars"] and values["longest_halt_s"] <= LONGEST_HALT,
        values,
    )
