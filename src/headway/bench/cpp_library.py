"""Builds a C++ file beside this one in a temporary folder, with whatever compiler there is."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

COMPILERS = ("c++", "g++", "clang++")


class TwinMissing(Exception):  # noqa: N818 - an expected outcome, not an error
    """A twin in C++ cannot be built here; the message says why."""


class Library:
    """A shared library that was built here; a context manager that removes it.

    Parameters
    ----------
    folder : TemporaryDirectory
        Where it was built.
    file : Path
        The shared library.
    """

    def __init__(self, folder: tempfile.TemporaryDirectory[str], file: Path):
        self._folder = folder
        self._functions = ctypes.CDLL(str(file))

    def __enter__(self) -> Library:
        """Return the library."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was built; a library in use may stay until the process ends."""
        self._folder.cleanup()

    def function(self, name: str, types: Iterable[Any]) -> Any:
        """Return a function of it that returns nothing and takes arguments of these C types."""
        found = getattr(self._functions, name)
        found.argtypes = list(types)
        found.restype = None
        return found


def build_library(source: Path, header: str, options: tuple[str, ...]) -> Library:
    """Compile a C++ file and load it.

    Parameters
    ----------
    source : Path
        The file.
    header : str
        The text of ``columns.h``, which it may include.
    options : tuple of str
        Options of the compiler that say how hard to optimise.

    Returns
    -------
    Library
        Use it in a ``with`` block.

    Raises
    ------
    TwinMissing
        If there is no compiler, or it cannot compile or load the file.
    """
    compiler = _compiler()
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    file = Path(folder.name) / f"{source.stem}.so"
    try:
        (Path(folder.name) / "columns.h").write_text(header, encoding="utf-8")
        subprocess.run(  # noqa: S603 - the user's own compiler, on our own file
            [compiler, "-std=c++17", *options, "-shared", "-fPIC", f"-I{folder.name}",
             str(source), "-o", str(file)],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        return Library(folder, file)
    except (OSError, subprocess.SubprocessError) as error:
        folder.cleanup()
        raise TwinMissing(f"the C++ compiler failed ({type(error).__name__})") from error


def _compiler() -> str:
    chosen = os.environ.get("CXX")
    for name in (chosen,) if chosen else COMPILERS:
        if found := shutil.which(name):
            return found
    raise TwinMissing("no C++ compiler found")


def constants_header(*modules: ModuleType) -> str:
    """Give C++ the constants of some modules that are plain numbers, under their names.

    Examples
    --------
    >>> from headway.plan import path
    >>> "constexpr long DIAGONAL = 1855077841;" in constants_header(path)
    True
    """
    lines = []
    for module in modules:
        for name, value in vars(module).items():
            if name.isupper() and isinstance(value, int | float):
                kind = "long" if isinstance(value, int) else "double"
                lines.append(f"constexpr {kind} {name} = {value!r};")
    return "#pragma once\n" + "\n".join(dict.fromkeys(lines)) + "\n"
