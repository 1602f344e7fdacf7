"""A state machine as tables of numbers, which a kernel can walk for any number of agents.

For each state and each event there is a list of the transitions to try, in order. It holds what
the state itself and all states around it have to say, so that while running nothing is searched:
an event that a state does not handle has bubbled to its parents already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NOBODY = -1
"""Stands for no state, no event, no guard, no transition."""

AFTER_SLACK = 1.0 + 1e-6
"""Seconds are sums of steps: a time that is over but for a millionth of a step is over."""

(
    TRANSITION,  # number of the transition, in order of definition
    GUARD,  # number of the guard, or NOBODY
    LEVEL,  # of the state whose time counts for AFTER
    TARGET,  # the innermost state entered, or NOBODY for the state before this one
    KEPT,  # level of the innermost state that is not left
    AT_ONCE,  # 1 if the least dwell does not hold it back
) = range(6)
ENTRY_WIDTH = 6
"""Columns of what is to be tried."""


class Arrow(NamedTuple):
    """A transition with numbers for names."""

    source: int
    target: int
    event: int
    guard: int
    after: float
    priority: int
    at_once: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """A machine of S states on D levels, compiled.

    Parameters
    ----------
    rows : (S * (E + 1), 2) ndarray of int64
        For state s and event e, row s * (E + 1) + e + 1 (e = −1 for none) says from which entry
        to which, the last left out, there are transitions to try.
    entries : (K, 6) ndarray of int64
        Columns TRANSITION to AT_ONCE.
    after : (K,) ndarray
        s, of each entry.
    dwell : (S, D) ndarray
        s, least stay in the state around s on each level.
    common : (S, S) ndarray of int64
        Level of the innermost state around both, −1 for none; with itself, the level of a state.
    inside : (S, S + 1) ndarray of bool
        Whether the second state is the first or lies in it. The last column, for no state, is
        False.
    leaf : (S,) ndarray of int64
        The innermost state that agents come to on entering s.
    """

    rows: NDArray[np.int64]
    entries: NDArray[np.int64]
    after: NDArray[np.float64]
    dwell: NDArray[np.float64]
    common: NDArray[np.int64]
    inside: NDArray[np.bool_]
    leaf: NDArray[np.int64]


def chains_of(parents: Sequence[int]) -> list[list[int]]:
    """The states around each state, outermost first, and itself last.

    Parameters
    ----------
    parents : sequence of int
        The parent of each state, or NOBODY.

    Returns
    -------
    list of list of int
        Empty for a state that lies within itself.
    """
    chains: list[list[int]] = []
    for state in range(len(parents)):
        chain = [state]
        while parents[chain[-1]] != NOBODY and len(chain) <= len(parents):
            chain.append(parents[chain[-1]])
        chains.append(chain[::-1] if len(chain) <= len(parents) else [])
    return chains


def compile_tables(
    chains: Sequence[Sequence[int]],
    leaf: Sequence[int],
    dwell: Sequence[float],
    arrows: Sequence[Arrow],
    events: int,
) -> Tables:
    """Make the tables of a machine.

    Parameters
    ----------
    chains : sequence of sequence of int
        What `chains_of` gives.
    leaf : sequence of int
        The innermost state that agents come to on entering each state.
    dwell : sequence of float
        s, least stay in each state.
    arrows : sequence of Arrow
    events : int
        How many there are.

    Returns
    -------
    Tables
    """
    n = len(chains)
    levels = max(map(len, chains))
    around = np.array([(*chain, *[NOBODY] * (levels - len(chain))) for chain in chains])
    alike = (around[:, None] == around) & (around[:, None] != NOBODY)
    common = np.logical_and.accumulate(alike, axis=2).sum(axis=2) - 1
    dwells = np.zeros((n, levels))
    for state, chain in enumerate(chains):
        dwells[state, : len(chain)] = [dwell[s] for s in chain]
    inside = np.zeros((n, n + 1), np.bool_)
    for state, chain in enumerate(chains):
        inside[chain, state] = True
    rows = np.zeros((n, events + 1, 2), np.int64)
    entries: list[tuple[int, ...]] = []
    after: list[float] = []
    for state in range(n):
        if leaf[state] != state:  # nobody is in a state that has states inside
            continue
        held = bool(np.any(dwells[state] > 0.0))
        found = _transitions_of(chains, inside, common, leaf, arrows, state)
        named = sorted({arrows[t].event for t, _ in found} - {NOBODY})
        for event in (NOBODY, *named):
            tried = _in_order([e for e in found if arrows[e[0]].event in (NOBODY, event)], arrows)
            listed = _without_covered(tried, arrows, held)
            # Events that a state does not know share the list of no event.
            span = len(entries), len(entries) + len(listed)
            rows[state, slice(None) if event == NOBODY else event + 1] = span
            entries += listed
            after += [arrows[entry[TRANSITION]].after for entry in listed]
    return Tables(
        rows.reshape(-1, 2),
        np.array(entries, np.int64).reshape(-1, ENTRY_WIDTH),
        np.array(after, np.float64),
        dwells,
        common,
        inside,
        np.array(leaf, np.int64),
    )


def _transitions_of(
    chains: Sequence[Sequence[int]],
    inside: NDArray[np.bool_],
    common: NDArray[np.int64],
    leaf: Sequence[int],
    arrows: Sequence[Arrow],
    state: int,
) -> list[tuple[int, tuple[int, ...]]]:
    """The transitions that hold in a state: their number, and the entry for the table.

    What a state takes over from around it does not lead to where it is already.
    """
    chain = chains[state]
    found = []
    for t, arrow in enumerate(arrows):
        if arrow.source != NOBODY and arrow.source not in chain:
            continue
        again = arrow.source == arrow.target != NOBODY
        known = arrow.target != NOBODY
        if known and inside[arrow.target, state] and not again:
            continue
        level = len(chain) - 1 if arrow.source == NOBODY else chain.index(arrow.source)
        target = leaf[arrow.target] if known else NOBODY
        kept = int(common[state, target]) if known else NOBODY
        kept = level - 1 if again else kept
        found.append((t, (t, arrow.guard, level, target, kept, int(arrow.at_once))))
    return found


def _in_order(
    found: list[tuple[int, tuple[int, ...]]], arrows: Sequence[Arrow]
) -> list[tuple[int, ...]]:
    """By priority, then from the innermost source to the outermost, then as they were defined."""

    def key(item: tuple[int, tuple[int, ...]]) -> tuple[int, int, int]:
        t, entry = item
        level = NOBODY if arrows[t].source == NOBODY else entry[LEVEL]
        return -arrows[t].priority, -level, t

    return [entry for _, entry in sorted(found, key=key)]


def _without_covered(
    tried: list[tuple[int, ...]], arrows: Sequence[Arrow], held: bool
) -> list[tuple[int, ...]]:
    """Leave out what can never come to pass, since something before it asks for no more."""
    listed: list[tuple[int, ...]] = []
    for entry in tried:
        after = arrows[entry[TRANSITION]].after
        if not any(_covers(earlier, entry, after, arrows, held) for earlier in listed):
            listed.append(entry)
    return listed


def _covers(
    earlier: tuple[int, ...],
    entry: tuple[int, ...],
    after: float,
    arrows: Sequence[Arrow],
    held: bool,
) -> bool:
    waits = arrows[earlier[TRANSITION]].after
    sure = earlier[TARGET] != NOBODY and (bool(earlier[AT_ONCE]) or not held)
    sooner = waits == 0.0 or (earlier[LEVEL] == entry[LEVEL] and waits <= after)
    return sure and sooner and earlier[GUARD] in (NOBODY, entry[GUARD])
