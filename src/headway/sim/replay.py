"""Running a recorded race again and finding where, if anywhere, it goes another way."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headway.errors import InputError
from headway.sim.description import race_from
from headway.sim.race import Race, RaceState
from headway.sim.recording import Recording, read_recording
from headway.sim.result import hash_of
from headway.sim.run import COLUMNS, HASH_EVERY, frame_of
from headway.sim.state_hash import first_difference
from headway.sim.step import start, step


@dataclass(frozen=True)
class Replay:
    """What running a recorded race again came to.

    Parameters
    ----------
    recording : Recording
        The recording.
    ticks : int
        Ticks that were run again.
    hashes : int
        State hashes that were compared.
    diverged_at : int or None
        First tick at which the races differ; None if they are the same.
    difference : str
        Where they differ, in words.
    """

    recording: Recording
    ticks: int
    hashes: int
    diverged_at: int | None
    difference: str

    @property
    def same(self) -> bool:
        """Whether the race went the same way."""
        return self.diverged_at is None


def replay(
    recording: Recording | str | os.PathLike[str],
    progress: Callable[[RaceState], None] | None = None,
) -> Replay:
    """Run a recorded race again and compare every recorded frame and state hash.

    Parameters
    ----------
    recording : Recording or path-like
        The recording; one that was cut off is compared as far as it goes.
    progress : callable, optional
        Called with the state every simulated second.

    Returns
    -------
    Replay
        Whether it went the same way, or else where it first did not.

    Raises
    ------
    FileError
        If the file cannot be read.
    InputError
        If it is not of a race that can be run again.
    """
    if not isinstance(recording, Recording):
        recording = read_recording(recording)
    race = race_from(recording.header)
    if tuple(recording.columns) != COLUMNS:
        raise InputError("the recording has other columns than this version of Headway writes.")
    rows = {int(tick): row for row, tick in enumerate(recording.ticks)}
    last = max([0, *rows, *recording.hashes])
    compared = 0
    state = start(race)
    while True:
        difference = ""
        if state.tick in rows:
            difference = _difference(race, recording.frames[rows[state.tick]], frame_of(state))
        if not difference and state.tick in recording.hashes:
            compared += 1
            if recording.hashes[state.tick] != hash_of(state):
                difference = "the state hashes differ"
        if difference:
            return Replay(recording, state.tick, compared, state.tick, difference)
        if progress is not None and state.tick % HASH_EVERY == 0:
            progress(state)
        if state.tick >= last:
            return Replay(recording, state.tick, compared, None, "")
        if not state.active.any() or state.time > race.time_limit:
            difference = f"the race ends here and the recording goes on to tick {last}"
            return Replay(recording, state.tick, compared, state.tick, difference)
        state = step(race, state)


def _difference(race: Race, recorded: np.ndarray, found: np.ndarray) -> str:
    place = first_difference(recorded, found)
    if place is None:
        return ""
    row, column = place
    return (
        f"car {race.identities[row] + 1}: {COLUMNS[column]} was {float(recorded[row, column])!r} "
        f"and is now {float(found[row, column])!r}"
    )
