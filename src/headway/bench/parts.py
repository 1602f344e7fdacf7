"""Parts of a benchmark: some figures measured together, and how to measure one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from headway.bench.headline import Figure, failed
from headway.errors import FileError, HeadwayError

Say = Callable[[str], None]
"""Takes what is done next."""
Measure = Callable[[bool, Say], Iterator[Figure]]
"""Takes whether to be quick and whom to tell what is being done; yields figures."""


class Part(NamedTuple):
    """Some figures that are measured together."""

    title: str
    measure: Measure


def measure_parts(
    parts: Mapping[str, Part], names: Sequence[str], quick: bool, say: Say
) -> Iterator[tuple[str, Figure]]:
    """Measure some parts, one after the other.

    Parameters
    ----------
    parts : mapping of str to Part
    names : sequence of str
        Those to measure.
    quick : bool
        Fewer repetitions: less exact, and much shorter.
    say : callable
        Called with what is done next.

    Yields
    ------
    tuple of str and Figure
        The part's name and one of its figures.
    """
    for name in names:
        try:
            for figure in parts[name].measure(quick, say):
                yield name, figure
        except HeadwayError as error:
            reason = error.problem if isinstance(error, FileError) else str(error)
            yield name, failed(parts[name].title, "can be measured", reason)
