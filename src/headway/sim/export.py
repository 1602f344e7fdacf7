"""A recording as one long table, for spreadsheets and data frames: CSV or Parquet.

The table has a row per car and frame, in the order of the recording, and the columns

    time   s since tick 0, to the nanosecond
    tick   of the frame
    car    id from 1, as in the standings
    ...    the columns of the recording, with its names and units

Every number in it reads back as exactly the number recorded.
"""

from __future__ import annotations

import csv
import io
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from headway.errors import FileError, InputError, MissingExtraError
from headway.sim.recording import Recording

Batches = Iterator[list[NDArray[Any]]]
KEYS = ("time", "tick", "car")
BATCH_ROWS = 1 << 16
"""About how many rows of the table are made and written at a time."""


def export_recording(
    recording: Recording,
    path: str | os.PathLike[str],
    progress: Callable[[float], None] = lambda done: None,
) -> int:
    """Write a recording as a table, CSV or Parquet by the suffix of the file.

    The file appears, or replaces an older one, only when all of it is written.

    Parameters
    ----------
    recording : Recording
        Its header must give the time step ``dt`` in s, and may list the ``cars`` in its rows by
        number from 0; without that they are all cars in order.
    path : str or path-like
        Ends in ``.csv`` or ``.parquet``.
    progress : callable, optional
        Told now and then which fraction is done.

    Returns
    -------
    int
        Rows of the table.

    Raises
    ------
    InputError
        If the suffix is another, or the recording has no time step or a column named like one
        of the first three of the table.
    FileError
        If the file cannot be written.
    MissingExtraError
        If Parquet is wanted and pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from headway.sim.recorder import Recorder
    >>> from headway.sim.recording import read_recording
    >>> folder = tempfile.mkdtemp()
    >>> with Recorder(folder + "/race.hwy", {"dt": 0.02}, ["x"], rows=1) as recorder:
    ...     recorder.frame(50, [[2.5]])
    >>> export_recording(read_recording(folder + "/race.hwy"), folder + "/race.csv")
    1
    >>> print(Path(folder, "race.csv").read_text(), end="")
    time,tick,car,x
    1.0,50,1,2.5
    """
    write = {".csv": _write_csv, ".parquet": _write_parquet}.get(Path(path).suffix.lower())
    if write is None:
        raise InputError(
            f"{os.fspath(path)!r} names no format to export to: end it in .csv or .parquet."
        )
    clash = sorted(set(KEYS).intersection(recording.columns))
    if clash:
        raise InputError(f"the recording has a column {clash[0]!r}, which the table has already.")
    dt, ids = _time_step(recording), _car_ids(recording)
    write(recording, _batches(recording, dt, ids, progress), Path(path))
    return recording.frames.shape[0] * recording.frames.shape[1]


def _time_step(recording: Recording) -> float:
    dt = recording.header.get("dt")
    if isinstance(dt, bool) or not isinstance(dt, int | float) or not 0 < dt < 1e9:
        raise InputError(f"the recording gives no time step: 'dt' in its header is {dt!r}.")
    return float(dt)


def _car_ids(recording: Recording) -> NDArray[np.int64]:
    rows = recording.frames.shape[1]
    numbers = recording.header.get("cars", list(range(rows)))
    whole = isinstance(numbers, list) and all(type(number) is int for number in numbers)
    if not whole or len(numbers) != rows or not all(0 <= number < 1 << 62 for number in numbers):
        raise InputError(f"'cars' in the recording's header does not name its {rows} rows.")
    return np.array(numbers, dtype=np.int64) + 1


def _batches(
    recording: Recording, dt: float, ids: NDArray[np.int64], progress: Callable[[float], None]
) -> Batches:
    """The columns of the table, some rows at a time."""
    total, rows, width = recording.frames.shape
    step = max(1, BATCH_ROWS // rows)
    for start in range(0, total, step):
        frames = recording.frames[start : start + step]
        ticks = recording.ticks[start : start + step]
        yield [
            np.repeat(np.round(ticks * dt, 9), rows),
            np.repeat(ticks, rows),
            np.tile(ids, len(ticks)),
            *np.ascontiguousarray(frames.reshape(-1, width).T),
        ]
        progress(min(1.0, (start + step) / total))


def _write_csv(recording: Recording, batches: Batches, path: Path) -> None:
    with _replacing(path) as file:
        file.write(_csv_lines([[*KEYS, *recording.columns]]))
        for columns in batches:
            file.write(_csv_lines(zip(*(column.tolist() for column in columns), strict=True)))


def _csv_lines(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _write_parquet(recording: Recording, batches: Batches, path: Path) -> None:
    try:
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as problem:
        raise MissingExtraError("export", "Parquet export") from problem
    types = [pa.float64(), pa.int64(), pa.int64(), *[pa.float64()] * len(recording.columns)]
    names = [*KEYS, *recording.columns]
    about = {"headway": json.dumps({"header": recording.header, "summary": recording.summary})}
    schema = pa.schema(list(zip(names, types, strict=True)), metadata=about)
    options: dict[str, Any] = {
        "compression": "zstd",
        "use_dictionary": list(KEYS),
        "use_byte_stream_split": list(recording.columns),
    }
    with _replacing(path) as file, pq.ParquetWriter(file, schema, **options) as writer:
        for columns in batches:
            writer.write_table(pa.table(columns, schema=schema))


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of another only when it is whole and on the disk."""
    if "\0" in str(path):
        raise FileError(path, "cannot be written (a NUL character in its name)")
    spare = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        if path.is_dir():
            raise FileError(path, "is a folder; name a file inside it")
        with spare.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        spare.replace(path)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise FileError(path, f"cannot be written ({reason.lower()})") from problem
    finally:
        with suppress(OSError):
            spare.unlink()
