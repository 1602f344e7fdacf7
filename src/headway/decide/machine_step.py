"""The loop over agents that a state machine runs in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.decide.machine_tables import (
    AFTER_SLACK,
    AT_ONCE,
    ENTRY_WIDTH,
    GUARD,
    KEPT,
    LEVEL,
    NOBODY,
    TARGET,
    TRANSITION,
)


def _example() -> tuple[object, ...]:
    none, one = np.full(1, NOBODY), np.zeros(1, np.int64)
    return (
        one, np.zeros((1, 1)), np.zeros((1, 1), np.int64), none, np.ones((1, 1), np.bool_), 0.1,
        np.zeros((1, 2), np.int64), np.zeros((1, ENTRY_WIDTH), np.int64), np.zeros(1),
        np.zeros((1, 1)), np.zeros((1, 1), np.int64),
        one.copy(), np.zeros((1, 1)), np.zeros((1, 1), np.int64), one.copy(),
    )  # fmt: skip


@kernel(forceinline=True)
def _may_leave(elapsed: NDArray, i: int, dt: float, dwell: NDArray, state: int, kept: int) -> bool:
    """Whether an agent has been long enough in all states that it would leave."""
    for level in range(kept + 1, dwell.shape[1]):
        if elapsed[i, level] + dt * AFTER_SLACK < dwell[state, level]:
            return False
    return True


@kernel(forceinline=True)
def _chosen(
    i: int,
    state: int,
    first: int,
    last: int,
    elapsed: NDArray,
    previous: NDArray,
    guards: NDArray,
    dt: float,
    entries: NDArray,
    after: NDArray,
    dwell: NDArray,
    common: NDArray,
) -> int:
    """The first of some entries of which all holds, or NOBODY."""
    for k in range(first, last):
        guard = entries[k, GUARD]
        if guard >= 0 and not guards[guard, i]:
            continue
        if after[k] > 0.0 and elapsed[i, entries[k, LEVEL]] + dt * AFTER_SLACK < after[k]:
            continue
        kept = entries[k, KEPT]
        if entries[k, TARGET] == NOBODY:
            if previous[i, 0] < 0 or previous[i, 0] >= len(common):
                continue
            kept = common[state, previous[i, 0]]
        if entries[k, AT_ONCE] == 1 or _may_leave(elapsed, i, dt, dwell, state, kept):
            return k
    return NOBODY


@kernel(forceinline=True)
def _remember(previous: NDArray, i: int, state: int, back: bool, out: NDArray) -> None:
    """Lay a state on the pile of previous ones, or take the uppermost away."""
    size = previous.shape[1]
    for slot in range(size):
        if back:
            out[i, slot] = previous[i, slot + 1] if slot + 1 < size else NOBODY
        else:
            out[i, slot] = previous[i, slot - 1] if slot > 0 else state


@kernel(example=_example, allocates=False)
def step_agents(
    states: NDArray,
    elapsed: NDArray,
    previous: NDArray,
    events: NDArray,
    guards: NDArray,
    dt: float,
    rows: NDArray,
    entries: NDArray,
    after: NDArray,
    dwell: NDArray,
    common: NDArray,
    new_states: NDArray,
    new_elapsed: NDArray,
    new_previous: NDArray,
    fired: NDArray,
) -> int:
    """Let every agent make the first transition that it may.

    Parameters
    ----------
    states : (N,) ndarray of int64
        Innermost states.
    elapsed : (N, D) ndarray
        s, in the state on each level.
    previous : (N, H) ndarray of int64
        States before, latest first.
    events : (N,) or (1,) ndarray of int64
        Of each agent, or of all.
    guards : (G, N) ndarray of bool
    dt : float
        s.
    rows, entries, after, dwell, common : (S * (E + 1), 2), (K, 6), (K,), (S, D), (S, S) ndarray
        As in `headway.decide.machine_tables.Tables`.
    new_states, new_elapsed, new_previous : (N,), (N, D), (N, H) ndarray
        Where the result goes.
    fired : (N,) ndarray of int64
        Where the numbers of the transitions go, −1 for none.

    Returns
    -------
    int
        An agent whose state or event does not exist, or −1.
    """
    bad, kinds = NOBODY, len(rows) // len(common)
    for i in range(len(states)):
        state = states[i]
        event = events[i] if len(events) > 1 else events[0]
        if state < 0 or state >= len(common) or event < NOBODY or event + 1 >= kinds:
            bad = i
            continue
        row = state * kinds + event + 1
        k = _chosen(
            i, state, rows[row, 0], rows[row, 1], elapsed, previous, guards, dt,
            entries, after, dwell, common,
        )  # fmt: skip
        target, kept, back = state, common[state, state], False
        if k != NOBODY:
            back = entries[k, TARGET] == NOBODY
            target = previous[i, 0] if back else entries[k, TARGET]
            kept = common[state, target] if back else entries[k, KEPT]
        new_states[i] = target
        fired[i] = entries[k, TRANSITION] if k != NOBODY else NOBODY
        for level in range(elapsed.shape[1]):
            new_elapsed[i, level] = elapsed[i, level] + dt if level <= kept else 0.0
        if back or target != state:
            _remember(previous, i, state, back, new_previous)
        else:
            for slot in range(previous.shape[1]):
                new_previous[i, slot] = previous[i, slot]
    return bad
