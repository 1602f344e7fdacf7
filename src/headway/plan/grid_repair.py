"""The inner loops of D* Lite on a grid: absorb changes, repair costs to the goal, trace the path.

Costs are whole numbers, so that sums are exact whatever their order: keys that should be equal
are, and the search can neither stop too soon nor turn in circles for a rounding error.

Two numbers are kept for each cell: ``known[cell, G]``, the cost to the goal the search acted on
last, and ``known[cell, RHS]``, the one that follows from its neighbours now. Cells where the two
differ wait in a heap. Their key is the smaller of both plus a lower bound of the cost from the
start, with one bit behind it: 0 where the cost must rise, 1 where it falls. Rises go first
among equals, which is all that order among equals is needed for, so that falls of the
best key need not be carried out at all once the start has its cost.

The kernels make no arrays, and say so: counting who uses those they are given would take almost
half of the time. What they look up for each neighbour they look up by unsigned numbers: signed ones
are looked at first, for counting from the end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.canonical_moves import MOVES
from headway.plan.key_heap import put, take
from headway.plan.moves import DIAGONALS, NOWHERE, neighbourhood

INFINITE = 2**60
G, RHS = 0, 1
SIZE, OFFSET, START, GOAL, RULE, EXPANDED, H_STRAIGHT, H_DIAGONAL, STEPS = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""What ``state`` holds: entries in the heap; what is added to keys since the start moved; start
and goal cell; corner rule; cells expanded; the lower bound of a straight and of a diagonal step;
and the eight steps in terms of cells, in the order of `headway.plan.moves`."""
STRAIGHT_SCALE, DIAGONAL_SCALE, ROW_SCALE = 0, 1, 2
"""What ``scales`` holds: the cost of a step per cost of its two cells; rows per cell number."""
UNKNOWN = -1


@kernel(allocates=False)
def _moves_from(free: NDArray, cell: int, state: NDArray) -> int:
    """Find the steps that may be taken from a cell, one bit each."""
    if free[cell] == 0:
        return 0
    around = neighbourhood(free, state[STEPS + 2], cell)
    return int(np.int64(MOVES[(state[RULE] * 9 + NOWHERE) << 8 | around]))


@kernel(allocates=False, forceinline=True)
def _moves(free: NDArray, moves: NDArray, cell: int, state: NDArray) -> int:
    """Look up the steps from a cell; they are worked out when first asked for."""
    allowed = int(np.int64(moves[np.uint64(cell)]))
    if allowed == UNKNOWN:
        allowed = moves[np.uint64(cell)] = _moves_from(free, cell, state)
    return allowed


@kernel(allocates=False, forceinline=True)
def _step_cost(terrain: NDArray, scales: NDArray, a: int, b: int, step: int) -> int:
    both = terrain[np.uint64(a)] + terrain[np.uint64(b)] if len(terrain) > 1 else 2.0
    return int(both * scales[DIAGONAL_SCALE if step >= DIAGONALS else STRAIGHT_SCALE])


@kernel(allocates=False, forceinline=True)
def _estimate(cell: int, state: NDArray, scales: NDArray) -> int:
    """Find a lower bound of the cost between the start and a cell (octile distance)."""
    stride, start = state[STEPS + 2], state[START]
    row = int((cell + 0.5) * scales[ROW_SCALE])
    start_row = int((start + 0.5) * scales[ROW_SCALE])
    down = abs(row - start_row)
    across = abs((cell - row * stride) - (start - start_row * stride))
    less, more = min(down, across), max(down, across)
    return state[H_STRAIGHT] * (more - less) + state[H_DIAGONAL] * less


@kernel(allocates=False, forceinline=True)
def _key(known: NDArray, cell: int, state: NDArray, scales: NDArray) -> int:
    g, rhs = known[np.uint64(cell), G], known[np.uint64(cell), RHS]
    bound = _estimate(cell, state, scales) + state[OFFSET]
    return (rhs + bound) << 1 | 1 if g > rhs else (g + bound) << 1


@kernel(allocates=False)
def _requeue(
    known: NDArray, keys: NDArray, cells: NDArray, place: NDArray, state: NDArray, scales: NDArray,
    cell: int,
) -> None:  # fmt: skip
    """Let a cell wait if its two costs differ, and only then."""
    if known[np.uint64(cell), G] == known[np.uint64(cell), RHS]:
        state[SIZE] = take(keys, cells, place, state[SIZE], cell)
    else:
        key = _key(known, cell, state, scales)
        state[SIZE] = put(keys, cells, place, state[SIZE], cell, key)


@kernel(allocates=False)
def _best(
    free: NDArray, terrain: NDArray, moves: NDArray, known: NDArray, state: NDArray,
    scales: NDArray, cell: int,
) -> int:  # fmt: skip
    """Find the least cost to the goal by way of a neighbour."""
    best = INFINITE
    allowed = _moves(free, moves, cell, state)
    for step in range(8):
        if allowed >> step & 1:
            other = cell + state[STEPS + step]
            g = known[np.uint64(other), G]
            if g < best:
                best = min(best, g + _step_cost(terrain, scales, cell, other, step))
    return best


@kernel(allocates=False, forceinline=True)
def _fall(
    free: NDArray, terrain: NDArray, moves: NDArray, known: NDArray, keys: NDArray, cells: NDArray,
    place: NDArray, state: NDArray, scales: NDArray, cell: int,
) -> None:  # fmt: skip
    """Let the cost of a cell fall to what its neighbours say, and tell them."""
    g = known[np.uint64(cell), G] = known[np.uint64(cell), RHS]
    state[SIZE] = take(keys, cells, place, state[SIZE], cell)
    allowed = _moves(free, moves, cell, state)
    for step in range(8):
        if allowed >> step & 1:
            other = cell + state[STEPS + step]
            rhs = known[np.uint64(other), RHS]
            if rhs > g:
                through = g + _step_cost(terrain, scales, cell, other, step)
                if through < rhs:
                    known[np.uint64(other), RHS] = through
                    _requeue(known, keys, cells, place, state, scales, other)


@kernel(allocates=False)
def _rise(
    free: NDArray, terrain: NDArray, moves: NDArray, known: NDArray, keys: NDArray, cells: NDArray,
    place: NDArray, state: NDArray, scales: NDArray, cell: int,
) -> None:  # fmt: skip
    """Forget the cost of a cell, and let those who came this way look for another."""
    g = known[cell, G]
    known[cell, G] = INFINITE
    _requeue(known, keys, cells, place, state, scales, cell)
    allowed = _moves(free, moves, cell, state)
    for step in range(8):
        if allowed >> step & 1:
            other = cell + state[STEPS + step]
            through = g + _step_cost(terrain, scales, cell, other, step)
            if known[other, RHS] == through and other != state[GOAL]:
                known[other, RHS] = _best(free, terrain, moves, known, state, scales, other)
                _requeue(known, keys, cells, place, state, scales, other)


def _example(*last: object) -> tuple:
    free = np.zeros(9, np.uint8)
    state = np.zeros(16, np.int64)
    arrays = np.ones(1), np.zeros(9, np.int16), np.zeros((9, 2), np.int64), np.zeros(9, np.int64)
    heap = np.zeros(9, np.int32), np.full(9, -1, np.int32)
    return (free, *arrays, *heap, state, np.ones(3), *last)


@kernel(allocates=False, example=lambda: _example(4, 10))
def repair(
    free: NDArray, terrain: NDArray, moves: NDArray, known: NDArray, keys: NDArray, cells: NDArray,
    place: NDArray, state: NDArray, scales: NDArray, start: int, budget: int,
) -> bool:  # fmt: skip
    """Carry on until the cost of the start is right; return whether the budget was enough.

    It may be called again after it was not: whatever was done so far counts.
    """
    state[OFFSET] += _estimate(start, state, scales)  # so that waiting keys stay lower bounds
    state[START] = start
    while state[SIZE] > 0:
        cost = min(known[start, G], known[start, RHS])
        if keys[0] >= ((cost + state[OFFSET]) << 1 | 1):
            break
        if budget <= 0:
            return False
        budget -= 1
        cell = int(np.int64(cells[0]))
        key = _key(known, cell, state, scales)
        if keys[0] < key:
            state[SIZE] = put(keys, cells, place, state[SIZE], cell, key)
            continue
        state[EXPANDED] += 1
        if known[cell, G] > known[cell, RHS]:
            _fall(free, terrain, moves, known, keys, cells, place, state, scales, cell)
        else:
            _rise(free, terrain, moves, known, keys, cells, place, state, scales, cell)
    return True


@kernel(allocates=False)
def _renew_moves(
    free: NDArray, moves: NDArray, known: NDArray, state: NDArray, changed: NDArray,
    near: NDArray, before: NDArray,
) -> int:  # fmt: skip
    """Renew the steps from changed cells and around them, and list those that had another cost.

    Around them too, for a blocked cell takes away diagonal steps between others. Cells whose steps
    nobody asked for yet are passed over: nothing is known there that could be wrong.
    """
    count = 0
    for changed_cell in changed:
        for step in range(-1, 8):
            cell = changed_cell + (state[STEPS + step] if step >= 0 else 0)
            if moves[cell] == UNKNOWN:
                continue
            now = _moves_from(free, cell, state)
            if now != moves[cell]:
                if known[cell, G] < INFINITE:
                    near[count] = cell
                    before[count] = moves[cell]
                    count += 1
                moves[cell] = now
    return count


@kernel(allocates=False)
def _any_repriced(terrain: NDArray, seen: NDArray, changed: NDArray) -> bool:
    found = False
    for cell in changed:
        found |= seen[cell] != terrain[cell]
    return found


@kernel(
    allocates=False,
    example=lambda: _example(
        np.full(1, 4), np.empty(9, np.int64), np.empty(9, np.int64), np.ones(9)
    ),
)
def absorb(
    free: NDArray, terrain: NDArray, moves: NDArray, known: NDArray, keys: NDArray, cells: NDArray,
    place: NDArray, state: NDArray, scales: NDArray, changed: NDArray, near: NDArray,
    before: NDArray, seen: NDArray,
) -> None:  # fmt: skip
    """Take note of changed cells: of steps that opened, that closed and that cost another price.

    ``near`` and ``before`` are room for nine entries a changed cell, and ``seen`` is what
    ``terrain`` was before.
    """
    repriced = len(terrain) > 1 and _any_repriced(terrain, seen, changed)
    count = _renew_moves(free, moves, known, state, changed, near, before)
    for i in range(count):
        cell, g = near[i], known[near[i], G]
        differing = before[i] ^ moves[cell]
        for step in range(8):
            if not differing >> step & 1:
                continue
            other = cell + state[STEPS + step]
            rhs = known[other, RHS]
            through = g + _step_cost(terrain, scales, cell, other, step)
            if moves[cell] >> step & 1:
                rhs = min(rhs, through)
            elif rhs == through or repriced:  # what it was through may cost another price now
                rhs = _best(free, terrain, moves, known, state, scales, other)
            if rhs != known[other, RHS] and other != state[GOAL]:
                known[other, RHS] = rhs
                _requeue(known, keys, cells, place, state, scales, other)
    for cell in changed:
        if free[cell] == 0:
            known[cell, G] = known[cell, RHS] = INFINITE
            _requeue(known, keys, cells, place, state, scales, cell)
        elif repriced and seen[cell] != terrain[cell]:
            _reprice(free, terrain, moves, known, keys, cells, place, state, scales, cell)
    if repriced:
        for cell in changed:
            seen[cell] = terrain[cell]


@kernel(allocates=False)
def _reprice(
    free: NDArray, terrain: NDArray, moves: NDArray, known: NDArray, keys: NDArray, cells: NDArray,
    place: NDArray, state: NDArray, scales: NDArray, cell: int,
) -> None:  # fmt: skip
    """Look again at the costs of a cell whose price changed, and of those that may lead by it."""
    if min(known[cell, G], known[cell, RHS]) == INFINITE:
        return
    allowed = _moves(free, moves, cell, state) if known[cell, G] < INFINITE else 0
    for step in range(-1, 8):
        if step < 0 or allowed >> step & 1:
            other = cell + (state[STEPS + step] if step >= 0 else 0)
            if other != state[GOAL]:
                known[other, RHS] = _best(free, terrain, moves, known, state, scales, other)
                _requeue(known, keys, cells, place, state, scales, other)


@kernel(allocates=False, example=lambda: _example(np.empty(9, np.int32)))
def trace(
    free: NDArray, terrain: NDArray, moves: NDArray, known: NDArray, keys: NDArray, cells: NDArray,
    place: NDArray, state: NDArray, scales: NDArray, trail: NDArray,
) -> int:  # fmt: skip
    """Follow falling costs from the start to the goal into ``trail``; return the cells on it.

    Of neighbours that are equally good the one straight ahead is taken. Zero if the costs do not
    lead to the goal, which cannot be after a repair that ended.
    """
    cell, ahead, count = state[START], 0, 1
    trail[0] = cell
    while cell != state[GOAL]:
        allowed = _moves(free, moves, cell, state)
        least, chosen = INFINITE, -1
        for i in range(-1, 8):
            step = i if i >= 0 else ahead
            if allowed >> step & 1:
                other = cell + state[STEPS + step]
                cost = known[other, G] + _step_cost(terrain, scales, cell, other, step)
                if cost < least:
                    least, chosen = cost, step
        if chosen < 0 or count == len(trail):
            return 0
        ahead = chosen
        cell += state[STEPS + chosen]
        trail[count] = cell
        count += 1
    return count
