"""Jump point search once more, in C++: how much speed is left on the table by writing Python.

``jump_points.cpp`` beside this file does what `headway.plan.jump_points` and its scans do, step by
step, on the very same work arrays. It is built when asked for, with whatever C++ compiler the
machine has. Both are given many queries per call, so that what a call costs does not matter.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.bench.cpp_library import Library, build_library, constants_header
from headway.errors import InputError
from headway.plan import jump_points, jump_scans, path
from headway.plan.jump_points import CELLS, HEADS, NO_ROOM, QUEUE, RANGE_SPENT
from headway.world.grid import Grid

SOURCE = Path(__file__).with_name("jump_points.cpp")


def build_jump_twin(options: tuple[str, ...] = ("-O3", "-march=native")) -> Library:
    """Compile the twin and load it.

    Parameters
    ----------
    options : tuple of str
        Options of the compiler that say how hard to optimise.

    Returns
    -------
    Library
        For `JumpQueries.in_cpp`; use it in a ``with`` block.

    Raises
    ------
    TwinMissing
        If there is no compiler, or it cannot compile or load the twin.
    """
    return build_library(SOURCE, constants_header(path, jump_scans, jump_points), options)


class JumpQueries:
    """Queries on one grid, ready to be answered over and over in either language.

    Parameters
    ----------
    grid : Grid
        Of unit cost.
    starts, goals : (N, 2) array_like
        Row and column of free cells, those of a query connected and not the same.

    Raises
    ------
    InputError
        If a query has no path.

    Examples
    --------
    >>> queries = JumpQueries(Grid(np.ones((3, 4))), [(0, 0)], [(2, 3)])
    >>> queries.in_python()()
    >>> queries.answers.tolist()
    [[4, 1, 2]]
    """

    def __init__(self, grid: Grid, starts: ArrayLike, goals: ArrayLike):
        self._grid = grid
        self._ends = [_flat(grid, starts), _flat(grid, goals)]
        self.work = jump_points.work_arrays(grid)
        self._room = jump_points.highest_cost(grid)
        self.answers = np.zeros((len(self._ends[0]), 3), np.int64)
        """(N, 3) cells of each path, its straight and its diagonal steps, as last answered."""
        while self._too_small():
            pass

    @property
    def last_path(self) -> NDArray[np.int64]:
        """(K, 2) row and column of the cells of the path of the last query."""
        return self.work[CELLS][: self.answers[-1, 0]].copy()

    def _too_small(self) -> bool:
        """Answer all queries; where the work arrays do not do, make them larger."""
        self.in_python()()
        counts, work = self.answers[:, 0], self.work
        if (counts == 0).any():
            raise InputError(f"query {int(counts.argmin())} has no path; give queries that have.")
        lacking = counts.min() < 0 or counts.max() > len(work[CELLS])
        if (counts == NO_ROOM).any():
            work[QUEUE] = np.empty((2 * len(work[QUEUE]), 3), np.int64)
        if (counts == RANGE_SPENT).any():
            self._room *= 4
        if counts.max() > len(work[CELLS]):
            work[CELLS] = np.empty((counts.max(), 2), np.int64)
        return bool(lacking)

    def in_python(self) -> Callable[[], object]:
        """Return a function that answers all queries with Headway's kernel."""
        return partial(_answer_queries, *self.arguments())

    def arguments(self) -> tuple[Any, ...]:
        """Return what the kernel takes."""
        grid = self._grid
        return (grid.bits, *self.work, grid.rows, grid.columns, *self._ends, self._room,
                self.answers)  # fmt: skip

    def in_cpp(self, twin: Library) -> Callable[[], object]:
        """Return a function that answers all queries with the C++ twin.

        Parameters
        ----------
        twin : Library
            From `build_jump_twin`.
        """
        integer, pointer, grid = ctypes.c_int64, ctypes.c_void_p, self._grid
        kinds = [*[pointer] * 10, integer, integer, pointer, pointer, integer, integer, pointer]
        function = twin.function("answer_queries", kinds)
        sizes = np.array([len(self.work[kind]) for kind in (QUEUE, HEADS, CELLS)])
        arrays = grid.bits, *self.work, sizes, *self._ends, self.answers
        # these pointers keep their arrays alive
        pointers = [each.ctypes.data_as(pointer) for each in arrays]
        return partial(
            function, *pointers[:10], grid.rows, grid.columns, *pointers[10:12], self._room,
            len(self.answers), pointers[12],
        )  # fmt: skip


def _flat(grid: Grid, cells: ArrayLike) -> NDArray[np.int64]:
    row, column = np.array(cells, np.int64).reshape(-1, 2).T
    return np.ascontiguousarray((row + 1) * grid.stride + column + 1)


@kernel(
    allocates=False,
    example=lambda: JumpQueries(Grid(np.ones((4, 4))), [(0, 0)], [(3, 3)]).arguments(),
)
def _answer_queries(
    bits: NDArray, cost: NDArray, link: NDArray, queue: NDArray, heads: NDArray,
    occupied: NDArray, found: NDArray, numbers: NDArray, cells: NDArray, rows: int,
    columns: int, starts: NDArray, goals: NDArray, room: int, answers: NDArray,
) -> None:  # fmt: skip
    """Answer queries one after the other; the path of the last stays in ``cells``."""
    for i in range(len(starts)):
        count, straight, diagonal = jump_points.search_jump_points(
            bits, cost, link, queue, heads, occupied, found, numbers, cells, rows, columns,
            starts[i], goals[i], room,
        )  # fmt: skip
        answers[i, 0], answers[i, 1], answers[i, 2] = count, straight, diagonal
