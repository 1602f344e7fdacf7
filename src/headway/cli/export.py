"""``headway export``: a recording as a table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def export(
    recording: Path,
    table: Path,
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Write a recording as a table, CSV or Parquet.

    Parameters
    ----------
    recording
        A file made with --record. One that was cut short gives all that it holds.
    table
        The file to write; it ends in .csv or .parquet.
    as_json
        Print what was written as JSON.
    """
    from rich.console import Console
    from rich.progress import Progress

    from headway.errors import InputError
    from headway.sim.export import export_recording
    from headway.sim.recording import read_recording

    contents = read_recording(recording)
    if table.exists() and table.samefile(recording):
        raise InputError("the table would overwrite the recording: name another file.")
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"Writing {table.name}", total=1.0)
        rows = export_recording(contents, table, lambda done: progress.update(task, completed=done))
    if contents.problem is not None:
        print(f"Not the whole recording: {contents.problem}.", file=sys.stderr)
    cars = contents.frames.shape[1]
    if as_json:
        written = {"path": str(table), "rows": rows, "cars": cars, "complete": contents.complete}
        print(json.dumps(written))
    else:
        print(f"{rows:,} rows ({len(contents.ticks):,} frames of {cars} cars) in {table}")
