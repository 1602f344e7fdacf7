"""What a command prints: its table, and the files that it wrote or is about to write."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def announce(what: str) -> None:
    """Tell who waits at a terminal what is going on."""
    if sys.stderr.isatty():
        print(f"{what} …", file=sys.stderr)


def print_table(table: Table, written: Sequence[Path]) -> None:
    """Print a table and the names of files."""
    from rich.console import Console

    Console(highlight=False).print(table)
    for file in written:
        print(f"wrote {file}")
