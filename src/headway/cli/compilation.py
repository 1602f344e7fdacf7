"""Shows what is compiled while a command runs: never a silent wait."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from headway._compiling import on_compile


@contextmanager
def compilation_shown() -> Iterator[None]:
    """Within the block, print a line to stderr for each kernel that has to be compiled.

    A kernel compiled on the way to another counts towards that one. Where every kernel comes
    from the cache, nothing is printed, and where no kernel is used, Numba is not imported.

    Yields
    ------
    None
        The lines are printed as long as the ``with`` block lasts.

    Examples
    --------
    >>> with compilation_shown():
    ...     pass
    """
    depth = lines = 0

    def started(name: str) -> None:
        nonlocal depth, lines
        if depth == 0:
            if lines == 0:
                _write("Compiling to machine code; this happens once.\n")
            _write(f"compiling {name.removeprefix('headway.')} … ")
            lines += 1
        depth += 1

    def ended(name: str, seconds: float) -> None:
        nonlocal depth
        depth -= 1
        # A progress bar puts itself in the place of stderr, and each piece on a line of its own.
        if depth == 0 and sys.stderr is sys.__stderr__:
            _write(f"{seconds:.1f} s\n")

    with on_compile(started, ended):
        yield


def _write(text: str) -> None:
    if sys.stderr:
        sys.stderr.write(text)
        sys.stderr.flush()
