"""A recording of a simulation: frames of numbers, state hashes and events, readable after a kill.

It is a file of checked blocks (`headway.sim.block_file`) of these kinds::

    HEAD  JSON {"header": {...}, "columns": [...], "rows": N}; always the first block
    FRAM  n ticks (int64), then n frames (rows x columns float64 each), little-endian
    NOTE  JSON {"hashes": [[tick, digest], ...], "events": [[tick, name, {...}], ...]}
    DONE  JSON summary; only a finished recording has it, and nothing follows

Frames are stored as they are: compressing their shuffled differences saves 40 % of the file but
takes forty times as long as writing it.
"""

from __future__ import annotations

import json
import operator
import os
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.errors import FileError, InputError
from headway.sim.block_file import Block, DamagedBlockError, read_blocks

HEAD, FRAMES, NOTES, DONE = b"HEAD", b"FRAM", b"NOTE", b"DONE"
MAX_VALUES = 1 << 24
"""Most numbers in one frame; a block holds fewer frames where it would have more."""


class Event(NamedTuple):
    """Something that happened at a tick: a lap, a contact, a retirement."""

    tick: int
    name: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Recording:
    """What a recording holds, or the whole part of one that was cut short or damaged.

    Attributes
    ----------
    header : dict
        What was known before the first frame.
    columns : tuple of str
        Names of the C columns of a frame; units and frames of reference are the recorder's.
    ticks : (T,) int64
        Tick of each frame, increasing.
    frames : (T, rows, C) float64
        The frames, all finite.
    hashes : dict of int to str
        State hash by tick.
    events : tuple of Event
        In the order recorded.
    summary : dict or None
        What was known at the end; None if the recorder did not get there.
    complete : bool
        Whether the file is finished and whole.
    problem : str or None
        Why and where reading stopped if it is not complete, without a final stop.
    """

    header: dict[str, Any]
    columns: tuple[str, ...]
    ticks: NDArray[np.int64]
    frames: NDArray[np.float64]
    hashes: dict[int, str]
    events: tuple[Event, ...]
    summary: dict[str, Any] | None
    complete: bool
    problem: str | None


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Read a recording, finished or not.

    A file that was cut short or damaged gives all that comes before the fault, which
    `Recording.problem` describes; so does a file that is still being written.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    Recording
        Its contents up to the first fault.

    Raises
    ------
    FileError
        If there is no such file, it is not a recording, its very beginning is damaged, or a
        newer Headway wrote it.
    """
    contents = _Contents()
    problem = None
    try:
        with closing(read_blocks(path)) as blocks:
            for block in blocks:
                contents.take(block)
        if contents.summary is None:
            problem = "the recording breaks off"
    except DamagedBlockError as fault:
        problem = str(fault)
    if contents.head is None:
        raise FileError(path, f"holds no frames; {problem}")
    if problem is not None:
        tick = contents.last_tick
        problem += f" after tick {tick}" if tick >= 0 else " before the first frame"
    return contents.recording(contents.head, problem)


class _Contents:
    """What has been read so far."""

    def __init__(self) -> None:
        self.head: dict[str, Any] | None = None
        self.last_tick = -1
        self.ticks: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        self.frames: list[NDArray[np.float64]] = []
        self.hashes: dict[int, str] = {}
        self.events: list[Event] = []
        self.summary: dict[str, Any] | None = None

    def take(self, block: Block) -> None:
        """Add a block; a file made to mislead may hold a wrong one although its check is right."""
        try:
            if (block.kind == HEAD) != (self.head is None) or self.summary is not None:
                raise ValueError("out of order")
            if block.kind == HEAD:
                self._take_head(_from_json(block.payload))
            elif block.kind == FRAMES:
                self._take_frames(block.payload)
            elif block.kind == NOTES:
                self._take_notes(_from_json(block.payload))
            elif block.kind == DONE:
                self.summary = _from_json(block.payload)
            else:
                raise ValueError("unknown kind")
        except (ValueError, TypeError, LookupError, RecursionError) as problem:
            raise DamagedBlockError("there is an invalid block", block.start) from problem

    def _take_head(self, head: dict[str, Any]) -> None:
        check_head(head["header"], head["columns"], head["rows"])
        self.head = head
        self.frames.append(np.empty((0, head["rows"], len(head["columns"]))))

    def _take_frames(self, payload: bytes) -> None:
        shape = self.frames[0].shape[1:]
        count, rest = divmod(len(payload), 8 + 8 * shape[0] * shape[1])
        if rest or not count:
            raise ValueError("not a whole number of frames")
        ticks = np.frombuffer(payload, "<i8", count)
        frames = np.frombuffer(payload, "<f8", offset=8 * count).reshape(count, *shape)
        if ticks[0] <= self.last_tick or (ticks[1:] <= ticks[:-1]).any():
            raise ValueError("ticks must increase")
        if not np.isfinite(frames).all():
            raise ValueError("frames must be finite")
        self.ticks.append(ticks)
        self.frames.append(frames)
        self.last_tick = int(ticks[-1])

    def _take_notes(self, notes: dict[str, Any]) -> None:
        hashes = {as_tick(tick): digest for tick, digest in notes["hashes"]}
        events = [Event(as_tick(tick), name, data) for tick, name, data in notes["events"]]
        if not all(isinstance(digest, str) for digest in hashes.values()):
            raise TypeError("a state hash must be a str")
        if not all(isinstance(name, str) and isinstance(data, dict) for _, name, data in events):
            raise TypeError("an event must have a name and data")
        self.hashes |= hashes
        self.events += events

    def recording(self, head: dict[str, Any], problem: str | None) -> Recording:
        return Recording(
            header=head["header"],
            columns=tuple(head["columns"]),
            ticks=np.concatenate(self.ticks, dtype=np.int64),
            frames=np.concatenate(self.frames, dtype=np.float64),
            hashes=self.hashes,
            events=tuple(self.events),
            summary=self.summary,
            complete=problem is None,
            problem=problem,
        )


def check_head(header: Any, columns: Any, rows: Any) -> None:
    """Raise InputError if a recording cannot begin so."""
    if not isinstance(header, dict):
        raise InputError(f"the header of a recording must be a dict, not {header!r}.")
    if not columns or not all(_is_name(name) for name in columns):
        raise InputError(f"the columns of a recording must have plain names, not {columns!r}.")
    if len(set(columns)) < len(columns):
        raise InputError(f"the columns of a recording must have distinct names, not {columns!r}.")
    if as_whole("rows", rows, least=1) * len(columns) > MAX_VALUES:
        raise InputError(f"a frame of a recording holds at most {MAX_VALUES} numbers.")


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name != "" and name.isprintable()


def as_tick(tick: Any) -> int:
    """Return a tick as an int, or raise InputError."""
    return as_whole("tick", tick, least=0)


def as_whole(name: str, value: Any, least: int) -> int:
    """Return a whole number within int64 as an int, or raise InputError."""
    try:
        whole = operator.index(value)
    except TypeError:
        whole = -1
    if not least <= whole < 1 << 63:
        raise InputError(f"{name} must be a whole number of at least {least}, not {value!r}.")
    return whole


def _from_json(payload: bytes) -> dict[str, Any]:
    value = json.loads(payload, parse_constant=_refuse_constant)
    if not isinstance(value, dict):
        raise TypeError("a JSON object must be at the top")
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
