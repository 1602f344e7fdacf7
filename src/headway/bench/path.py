"""The headline figures of path search: what is measured for ``headway bench path``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headway.bench import (
    path_any_angle,
    path_bulk,
    path_exactness,
    path_floods,
    path_growth,
    path_queries,
    path_replanning,
)
from headway.bench.headline import Figure
from headway.bench.parts import Part, Say, measure_parts

PARTS = {
    "exact": Part("Answers against published lengths", path_exactness.figures),
    "queries": Part("One path at a time", path_queries.figures),
    "batch": Part("Many paths in one call", path_bulk.batch_figures),
    "twin": Part("Jump point search in Python and in C++", path_bulk.twin_figures),
    "fields": Part("Distance fields", path_floods.field_figures),
    "terrain": Part("Maps with terrain cost", path_floods.terrain_figures),
    "dynamic": Part("Replay of a changing world", path_exactness.replay_figures),
    "replanning": Part("Replanning while the agent moves", path_replanning.figures),
    "any-angle": Part("Paths of any angle", path_any_angle.figures),
    "growth": Part("Cost per cell on small and large maps", path_growth.growth_figures),
    "process": Part("Whole processes", path_growth.process_figures),
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
        Fewer queries and turns: less exact, and much shorter.
    say : callable, optional
        Called with what is done next.

    Yields
    ------
    tuple of str and Figure
        The part's name and one of its figures.
    """
    yield from measure_parts(PARTS, names, quick, say)
