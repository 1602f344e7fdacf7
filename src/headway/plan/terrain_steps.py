"""Which steps a search over terrain should try from a cell.

Those that lead to a cell more cheaply than known. Where a cell and all free cells around it cost
the same, only those of canonical paths, as on grids of unit cost (see
`headway.plan.canonical_moves`). Every cell still gets its exact cost. Of the cells before it on
cheapest paths, take one that costs most to get to, if possible one from which a straight step leads
on. Were that step left out, then for the sake of a path on which the cell before is one that should
have been taken instead.

Source: M. Carlson, S. Moghadam, D. Harabor, P. Stuckey and M. Ebrahimi, "Optimal pathfinding on
weighted grid maps", AAAI 2023.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.plan.canonical_moves import MOVES
from headway.plan.moves import NOWHERE, around, neighbourhood

LONGEST = 1.9
"""Diagonals up to here, in cells, are worth leaving out steps for.

One about as long as two straight steps could be left out for their sake and they for its.
"""


@kernel(allocates=False, forceinline=True)
def cheaper(
    reached: NDArray, price: NDArray, stride: int, cell: int, leave: float, entering: float,
    diagonal: float,
) -> int:  # fmt: skip
    """To which neighbours there is a cheaper way from here, as bits, whether allowed or not.

    To look at all eight without a branch takes a fraction of the time that guesses gone wrong do.
    """
    e, w, s, n, se, sw, ne, nw = around(stride, cell)
    g = reached[np.uint64(cell)]
    base = g + leave
    near = (
        (base + entering * price[e] < reached[e])
        | (base + entering * price[w] < reached[w]) << 1
        | (base + entering * price[s] < reached[s]) << 2
        | (base + entering * price[n] < reached[n]) << 3
    )
    base, entering = g + diagonal * leave, diagonal * entering
    far = (
        (base + entering * price[se] < reached[se])
        | (base + entering * price[sw] < reached[sw]) << 1
        | (base + entering * price[ne] < reached[ne]) << 2
        | (base + entering * price[nw] < reached[nw]) << 3
    )
    return near | far << 4


@kernel(allocates=False, forceinline=True)
def _differing(price: NDArray, stride: int, cell: int) -> int:
    """Which of the eight cells around one don't cost what it does, as bits."""
    e, w, s, n, se, sw, ne, nw = around(stride, cell)
    own = price[np.uint64(cell)]
    near = (
        (price[e] != own) | (price[w] != own) << 1 | (price[s] != own) << 2 | (price[n] != own) << 3
    )
    far = (
        (price[se] != own)
        | (price[sw] != own) << 1
        | (price[ne] != own) << 2
        | (price[nw] != own) << 3
    )
    return near | far << 4


@kernel(allocates=False, forceinline=True)
def worth_taking(
    free: NDArray, price: NDArray, stride: int, rule: int, diagonal: float, cell: int, way: int
) -> int:  # fmt: skip
    """The steps to try from a cell that was reached by a step ``way``, as bits."""
    beside = neighbourhood(free, stride, cell)
    if beside & _differing(price, stride, cell) or diagonal > LONGEST:
        way = NOWHERE
    return int(np.int64(MOVES[np.uint64((rule * 9 + way) << 8 | beside)]))
