"""Records a simulation while it runs, so that a kill loses at most a second of it."""

from __future__ import annotations

import json
import operator
import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import FileError, InputError
from headway.sim.block_file import BlockWriter
from headway.sim.recording import (
    DONE,
    FRAMES,
    HEAD,
    MAX_VALUES,
    NOTES,
    as_tick,
    as_whole,
    check_head,
)

HOLD_SECONDS = 0.5
"""Longest wall time for which frames are held back while others come."""


class Recorder:
    """Writes a recording, a block per second of simulation or half second of wall time.

    Leaving its ``with`` block writes what is held back, whatever the reason for leaving; only
    `finish` marks the recording as complete. Wall time decides where blocks begin, never what is
    in them.

    Parameters
    ----------
    path : str or path-like
        The file. A recording that is there already is overwritten, any other file is not.
    header : dict
        What is known before the first frame, as plain JSON.
    columns : sequence of str
        Distinct names of the columns of a frame.
    rows : int
        Rows of a frame, one per car.
    chunk : int, optional
        Frames per block; the default is one second in steps of 0.02 s.

    Raises
    ------
    FileError
        If the file cannot be written. Blocks written before stay whole and the recorder closes.
    InputError
        If an argument cannot be recorded.

    Examples
    --------
    >>> import tempfile
    >>> from headway.sim.recording import read_recording
    >>> path = tempfile.mkdtemp() + "/race.hwy"
    >>> with Recorder(path, {"dt": 0.02}, ["x", "y"], rows=2) as recorder:
    ...     recorder.frame(0, [[0.0, 1.0], [2.0, 3.0]])
    ...     recorder.event(0, "lap", {"car": 1})
    ...     recorder.finish({"winner": 1})
    >>> recording = read_recording(path)
    >>> recording.frames.shape, recording.summary, recording.complete
    ((1, 2, 2), {'winner': 1}, True)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: dict[str, Any],
        columns: Sequence[str],
        rows: int,
        *,
        chunk: int = 50,
    ):
        columns = list(columns)
        check_head(header, columns, rows)
        rows = operator.index(rows)
        held = min(as_whole("chunk", chunk, least=1), MAX_VALUES // (rows * len(columns)))
        head = _to_json("the header", {"header": header, "columns": columns, "rows": rows})
        self._ticks = np.empty(held, "<i8")
        self._frames = np.empty((held, rows, len(columns)), "<f8")
        self._count = 0
        self._last_tick = -1
        self._hashes: list[bytes] = []
        self._events: list[bytes] = []
        self._flushed_at = time.monotonic()
        self._columns = columns
        self._file = BlockWriter(path)
        self._file.append(HEAD, head)

    def __enter__(self) -> Recorder:
        """Return the recorder itself."""
        return self

    def __exit__(self, kind: Any, problem: BaseException | None, traceback: Any) -> None:
        """Write what is held back and close the file."""
        try:
            self.close()
        except FileError:
            if problem is None:  # else the first problem is the one to hear of
                raise

    def frame(self, tick: int, values: ArrayLike) -> None:
        """Record one frame; it is copied, so the array may be reused.

        Parameters
        ----------
        tick : int
            Greater than that of the last frame.
        values : (rows, C) array_like of float
            The frame, all finite.

        Raises
        ------
        InputError
            If the tick does not increase, the shape is wrong or a value is not finite.
        FileError
            If a block had to be written and could not be.
        """
        tick = as_tick(tick)
        if tick <= self._last_tick:
            raise InputError(f"ticks must increase: {tick} came after {self._last_tick}.")
        frame = self._as_frame(tick, values)
        self._require_open()
        self._ticks[self._count] = tick
        self._frames[self._count] = frame
        self._count += 1
        self._last_tick = tick
        self._flush_if_due()

    def hash(self, tick: int, digest: str) -> None:
        """Record the hash of the simulation's state at a tick, for a replay to check.

        Parameters
        ----------
        tick : int
            Any from 0.
        digest : str
            For example a `headway.sim.state_hash.state_hash`.

        Raises
        ------
        InputError
            If the tick is not a whole number or the digest not a str.
        FileError
            If a block had to be written and could not be.
        """
        if not isinstance(digest, str):
            raise InputError(f"the state hash of tick {tick} must be a str, not {digest!r}.")
        self._require_open()
        self._hashes.append(_to_json("a state hash", [as_tick(tick), digest]))
        self._flush_if_due()

    def event(self, tick: int, name: str, data: dict[str, Any]) -> None:
        """Record something that happened.

        Parameters
        ----------
        tick : int
            When, any from 0.
        name : str
            What: a lap, a contact.
        data : dict
            The rest, as plain JSON.

        Raises
        ------
        InputError
            If one of them is of another type.
        FileError
            If a block had to be written and could not be.
        """
        if not isinstance(name, str) or not isinstance(data, dict):
            raise InputError(f"an event has a name (str) and data (dict), not {name!r}, {data!r}.")
        self._require_open()
        self._events.append(_to_json(f"event {name!r}", [as_tick(tick), name, data]))
        self._flush_if_due()

    def flush(self) -> None:
        """Write all that is held back.

        Raises
        ------
        FileError
            If that fails; the recorder is then closed.
        """
        self._require_open()
        self._flushed_at = time.monotonic()
        # Forgotten before they are written: after an interrupt nothing may come twice.
        count, self._count = self._count, 0
        hashes, self._hashes = self._hashes, []
        events, self._events = self._events, []
        if count:
            payload = self._ticks[:count].tobytes() + self._frames[:count].tobytes()
            self._file.append(FRAMES, payload)
        if hashes or events:
            lists = b",".join(hashes), b",".join(events)
            self._file.append(NOTES, b'{"hashes":[%b],"events":[%b]}' % lists)

    def finish(self, summary: dict[str, Any]) -> None:
        """Mark the recording as complete, wait until it is on the disk, and close it.

        Parameters
        ----------
        summary : dict
            What is known at the end, as plain JSON.

        Raises
        ------
        InputError
            If the summary is not a dict of plain JSON.
        FileError
            If it cannot be written.
        """
        if not isinstance(summary, dict):
            raise InputError(f"the summary of a recording must be a dict, not {summary!r}.")
        payload = _to_json("the summary", summary)
        self.flush()
        self._file.append(DONE, payload)
        try:
            self._file.sync()
        finally:
            self._file.close()

    def close(self) -> None:
        """Write what is held back and close the file; once closed, do nothing."""
        if self._file.closed:
            return
        try:
            self.flush()
        finally:
            self._file.close()

    def _as_frame(self, tick: int, values: ArrayLike) -> NDArray[Any]:
        shape = self._frames.shape[1:]
        try:
            frame = np.asarray(values)
        except ValueError:  # rows of different lengths
            frame = np.empty(0)
        if frame.shape != shape or frame.dtype.kind not in "fiu":
            raise InputError(
                f"the frame of tick {tick} must be {shape[0]} rows of {shape[1]} real numbers, "
                f"not an array of shape {frame.shape} and type {frame.dtype}."
            )
        if not np.isfinite(frame).all():
            row, column = np.argwhere(~np.isfinite(frame))[0]
            raise InputError(
                f"row {row}, column {self._columns[column]!r} of the frame of tick {tick} is "
                f"{frame[row, column]}: only finite numbers are recorded."
            )
        return frame

    def _require_open(self) -> None:
        if self._file.closed:
            raise InputError(f"the recording {self._file.path} is closed: nothing can be added.")

    def _flush_if_due(self) -> None:
        full = self._count == len(self._ticks)
        if full or time.monotonic() - self._flushed_at > HOLD_SECONDS:
            self.flush()


def _to_json(name: str, value: Any) -> bytes:
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as problem:
        raise InputError(
            f"{name} of a recording must be plain JSON (dict, list, str, finite number, bool, "
            f"None), but: {problem}."
        ) from problem
