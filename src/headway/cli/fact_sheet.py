"""What a command leaves behind: files, then a table that names those which were written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def announce(what: str) -> None:
    """Tell who waits at a terminal what is going on."""
    if sys.stderr.isatty():
        print(f"{what} …", file=sys.stderr)


def write_then_tell(
    files: dict[Path, Callable[[Path], object]], tell: Callable[[list[Path]], None]
) -> None:
    """Write files, then tell of the result and of those that were written; raise faults last.

    So no fault of a file takes the result away, nor is any file named that is not there.

    Parameters
    ----------
    files : dict of Path to callable
        What writes each of them.
    tell : callable
        Takes the list of files that were written.

    Raises
    ------
    Exception
        The first one that a file met with.
    """
    written: list[Path] = []
    faults: list[Exception] = []
    try:
        for file, write in files.items():
            try:
                write(file)
            except Exception as fault:
                faults.append(fault)
            else:
                written.append(file)
    finally:
        tell(written)
    if faults:
        raise faults[0]


def print_table(table: Table, written: Sequence[Path]) -> None:
    """Print a table and the names of files."""
    from rich.console import Console

    Console(highlight=False).print(table)
    for file in written:
        print(f"wrote {file}")
