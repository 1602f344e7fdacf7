"""The headline figures of racing: what is measured for ``headway bench race``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headway.bench import race_speed, reference_laps, start_up, survey, vehicle_steps
from headway.bench.headline import Figure
from headway.bench.parts import Part, Say, measure_parts

PARTS = {
    "steps": Part("Single-track steps on one core", vehicle_steps.figures),
    "speed": Part("Race speed on one core", race_speed.race_figures),
    "scaling": Part("Cost per car in small and large fields", race_speed.scaling_figures),
    "reference": Part("Flying lap against the best reference line", reference_laps.figures),
    "survey": Part("Races on every circuit", survey.figures),
    "startup": Part("CPU time of commands", start_up.figures),
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
        Fewer turns and laps: less exact, and much shorter.
    say : callable, optional
        Called with what is done next.

    Yields
    ------
    tuple of str and Figure
        The part's name and one of its figures.
    """
    yield from measure_parts(PARTS, names, quick, say)
