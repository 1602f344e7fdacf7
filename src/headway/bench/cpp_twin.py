"""The single-track car once more, in C++: how much speed is left on the table by writing Python.

``single_track.cpp`` beside this file computes what `headway.move.single_track` does. It is built
when asked for, in a temporary folder, with whatever C++ compiler the machine has.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from headway.move import axles, car_parameters, single_track
from headway.world import state as columns

SOURCE = Path(__file__).with_name("single_track.cpp")
COMPILERS = ("c++", "g++", "clang++")


class TwinMissing(Exception):  # noqa: N818 - an expected outcome, not an error
    """The twin cannot be built here; the message says why."""


class Twin:
    """The C++ twin, loaded; a context manager that removes what was built.

    Parameters
    ----------
    folder : TemporaryDirectory
        Where it was built.
    library : Path
        The shared library.
    """

    def __init__(self, folder: tempfile.TemporaryDirectory[str], library: Path):
        self._folder = folder
        self._step = ctypes.CDLL(str(library)).step_cars
        double, integer, pointer = ctypes.c_double, ctypes.c_int64, ctypes.c_void_p
        self._step.argtypes = [*[pointer] * 4, integer, double, integer, pointer]
        self._step.restype = None

    def __enter__(self) -> Twin:
        """Return the twin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was built; a library in use may stay until the process ends."""
        self._folder.cleanup()

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
    compiler = _compiler()
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    library = Path(folder.name) / "single_track.so"
    try:
        (Path(folder.name) / "columns.h").write_text(columns_header(), encoding="utf-8")
        subprocess.run(  # noqa: S603 - the user's own compiler, on our own file
            [compiler, "-std=c++17", *options, "-shared", "-fPIC", f"-I{folder.name}",
             str(SOURCE), "-o", str(library)],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        return Twin(folder, library)
    except (OSError, subprocess.SubprocessError) as error:
        folder.cleanup()
        raise TwinMissing(f"the C++ compiler failed ({type(error).__name__})") from error


def _compiler() -> str:
    chosen = os.environ.get("CXX")
    for name in (chosen,) if chosen else COMPILERS:
        if found := shutil.which(name):
            return found
    raise TwinMissing("no C++ compiler found")


def columns_header() -> str:
    """Give C++ the columns and constants that the Python model uses, under their names."""
    lines = []
    for module in (columns, car_parameters, axles, single_track):
        for name, value in vars(module).items():
            if name.isupper() and isinstance(value, int | float):
                kind = "long" if isinstance(value, int) else "double"
                lines.append(f"constexpr {kind} {name} = {value!r};")
    return "#pragma once\n" + "\n".join(dict.fromkeys(lines)) + "\n"
