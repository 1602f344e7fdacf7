"""The single-track car once more, in C++: how much speed is left on the table by writing Python.

``single_track.cpp`` beside this file computes what `headway.move.single_track` does. It is built
when asked for, in a temporary folder, with whatever C++ compiler the machine has.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from headway.bench.cpp_library import Library, TwinMissing, build_library, constants_header
from headway.move import axles, car_parameters, single_track
from headway.world import state as columns

__all__ = ["Twin", "TwinMissing", "build_twin", "columns_header"]

SOURCE = Path(__file__).with_name("single_track.cpp")


class Twin:
    """The C++ twin, loaded; a context manager that removes what was built.

    Parameters
    ----------
    library : Library
        What was built from the source.
    """

    def __init__(self, library: Library):
        self._library = library
        double, integer, pointer = ctypes.c_double, ctypes.c_int64, ctypes.c_void_p
        types = [*[pointer] * 4, integer, double, integer, pointer]
        self._step = library.function("step_cars", types)

    def __enter__(self) -> Twin:
        """Return the twin."""
        return self

    def __exit__(self, *error: object) -> None:
        """Remove what was built."""
        self._library.__exit__(*error)

    def prepared(
        self,
        state: np.ndarray,
        controls: np.ndarray,
        ground: np.ndarray,
        cars: np.ndarray,
        dt: float,
        substeps: int,
        out: np.ndarray | None = None,
    ) -> Callable[[], object]:
        """Return a function that takes one step of the same cars over and over.

        Parameters
        ----------
        state, controls, ground, cars : ndarray
            (N, 7), (N, 4), (N, 4) and (N, CAR_WIDTH), as `step_cars` takes them.
        dt, substeps
            As `step_cars` takes them.
        out : (N, 7) ndarray, optional
            Where to write the new state.
        """
        out = np.empty_like(state) if out is None else out
        arrays = [np.require(each, np.float64, "C") for each in (state, controls, ground, cars)]
        # these pointers keep their arrays alive
        pointers = [each.ctypes.data_as(ctypes.c_void_p) for each in (*arrays, out)]
        return partial(self._step, *pointers[:4], len(state), dt, substeps, pointers[4])

    def step(
        self,
        state: np.ndarray,
        controls: np.ndarray,
        ground: np.ndarray,
        cars: np.ndarray,
        dt: float,
        substeps: int,
    ) -> np.ndarray:
        """Return the new state (N, 7), from arrays as `step_cars` takes them.

        Parameters
        ----------
        state, controls, ground, cars : ndarray
            (N, 7), (N, 4), (N, 4) and (N, CAR_WIDTH).
        dt, substeps
            As `step_cars` takes them.
        """
        out = np.empty_like(state)
        self.prepared(state, controls, ground, cars, dt, substeps, out)()
        return out


def build_twin(options: tuple[str, ...] = ("-O3",)) -> Twin:
    """Compile the twin and load it.

    Parameters
    ----------
    options : tuple of str
        Options of the compiler that say how hard to optimise.

    Raises
    ------
    TwinMissing
        If there is no compiler, or it cannot compile or load the twin.
    """
    return Twin(build_library(SOURCE, columns_header(), options))


def columns_header() -> str:
    """Give C++ the columns and constants that the Python model uses, under their names."""
    return constants_header(columns, car_parameters, axles, single_track)
