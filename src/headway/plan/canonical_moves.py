"""Which steps of a unit-cost search are worth taking from a cell, given how it was reached.

Of all the shortest paths between two cells a search needs only one. So it may leave out a step if
the cell before could reach the same place without coming here: at a lower cost, or at the same
cost by an earlier diagonal. Paths so ordered are called canonical. In the open, a cell reached by
a diagonal is left by three steps and one reached straight on by a single one, not by eight.

Every cell still gets its exact cost, whatever order a search takes cells in. What is left out at
equal cost has a substitute that ends with a straight step from a cell nearer to the start, and
straight steps are left out only where there is a cheaper way.

Sources: D. Harabor and A. Grastien, "Online graph pruning for pathfinding on grid maps", AAAI
2011 (what may be left out); N. Sturtevant and S. Rabin, "Canonical orderings on grids", IJCAI
2016 (A* and Dijkstra's algorithm on canonical paths).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from headway.plan.moves import DOWN, NOWHERE, RIGHT
from headway.world.corner_rule import CornerRule

Offset = tuple[int, int]
OFFSETS: list[Offset] = list(zip(DOWN.tolist(), RIGHT.tolist(), strict=True))
EVERY = np.arange(256)
"""All neighbourhoods of a cell: bit ``way`` is set if the cell in this direction is free."""


def _free(place: Offset) -> NDArray[np.bool_]:
    """In which neighbourhoods a cell is free; the one in the middle always is."""
    return ((EVERY | 256) >> OFFSETS.index(place)) & 1 == 1


def _legal(rule: CornerRule, place: Offset, end: Offset) -> NDArray[np.bool_]:
    """In which neighbourhoods a step from one cell to the next is allowed."""
    if place[0] == end[0] or place[1] == end[1] or rule == CornerRule.ALWAYS:
        return _free(end)
    beside, other = _free((end[0], place[1])), _free((place[0], end[1]))
    if rule == CornerRule.NO_DIAGONAL:
        return EVERY < 0
    return _free(end) & (beside | other if rule == CornerRule.ONE_FREE else beside & other)


def _ways(start: Offset, end: Offset) -> Iterator[list[Offset]]:
    """All ways of one or two steps between two cells around the middle that avoid it."""
    if math.dist(start, end) < 2:
        yield [start, end]
    for stop in OFFSETS[:NOWHERE]:
        if 0 < math.dist(start, stop) < 2 and 0 < math.dist(stop, end) < 2:
            yield [start, stop, end]


def _preferred(rule: CornerRule, way: list[Offset], other: list[Offset]) -> bool:
    """Whether one way is shorter, or as long and canonical."""
    length = sum(math.dist(a, b) for a, b in pairwise(way))
    longer = sum(math.dist(a, b) for a, b in pairwise(other))
    if length != longer:
        return length < longer
    if rule == CornerRule.NO_DIAGONAL:
        return way[0][0] == way[1][0] and other[0][0] != other[1][0]
    return math.dist(*way[:2]) > math.dist(*other[:2])


def _worth_taking(rule: CornerRule, came: int, way: int) -> NDArray[np.bool_]:
    """In which neighbourhoods a step is to be taken, after one in the direction ``came``."""
    middle, end = OFFSETS[NOWHERE], OFFSETS[way]
    taken = _legal(rule, middle, end)
    if came == NOWHERE:
        return taken
    before = (-OFFSETS[came][0], -OFFSETS[came][1])
    for other in _ways(before, end):
        if _preferred(rule, other, [before, middle, end]):
            allowed = [_legal(rule, a, b) for a, b in pairwise(other)]
            taken = taken & ~np.logical_and.reduce(allowed)
    return taken & (end != before)


def _table() -> NDArray[np.uint8]:
    table = np.zeros((len(CornerRule), 9, 256), np.uint8)
    for rule in CornerRule:
        for came in range(9):
            for way in range(NOWHERE):
                table[rule, came] |= _worth_taking(rule, came, way).astype(np.uint8) << way
    return table.ravel()


MOVES = _table()
"""Bit ``way`` of ``MOVES[(rule * 9 + came) * 256 + neighbourhood]``: take a step that way."""
