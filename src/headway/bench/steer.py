"""The headline figures of steering: what is measured for ``headway bench steer``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headway.bench import (
    steer_arrival,
    steer_calls,
    steer_crowds,
    steer_decisions,
    steer_flocking,
    steer_sweeps,
)
from headway.bench.headline import Figure
from headway.bench.parts import Part, Say, measure_parts

PARTS = {
    "flocking": Part("Flocks of a hundred to a million agents", steer_flocking.figures),
    "crowds": Part("Crowds that avoid each other", steer_crowds.figures),
    "arrival": Part("Arriving in time and nowhere beyond", steer_arrival.figures),
    "calls": Part("Calls of single behaviours", steer_calls.figures),
    "sweeps": Part("Spheres swept against surfaces", steer_sweeps.figures),
    "decisions": Part("State machines, vision and fuzzy rules", steer_decisions.figures),
}
"""Name: what is measured, and how."""


def measure(
    names: Sequence[str], quick: bool, say: Say = lambda text: None
) -> Iterator[tuple[str, Figure]]:
    """Measure some parts, one after the other.

    Parameters
    ----------
    names : sequence of str
        Keys of `PARTS`.
    quick : bool
        Fewer repetitions: less exact, and much shorter.
    say : callable, optional
        Called with what is done next.

    Yields
    ------
    tuple of str and Figure
        The part's name and one of its figures.
    """
    yield from measure_parts(PARTS, names, quick, say)
