"""The one place that meets Numba: the ``kernel`` decorator.

Numba's own cache is unsafe for a package of several modules: it notices an edit in the file of
a kernel but not in the files that kernel calls into, and neither compiler options nor ``NUMBA_*``
settings are part of its key, so old machine code runs silently. It also refuses to import where
no cache folder can be written. ``kernel`` gives every kernel a cache folder named by a digest of
all that its machine code depends on, and runs without a cache, with one warning, where no folder
can be made.

House rules for kernels: module-level functions, float64 C-contiguous arrays and plain scalars in,
no closures over other kernels, exactly one signature each.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, overload

import numba
from numba.core import event

config: Any = numba.config

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).parent
KERNELS: list[Kernel] = []
"""Every kernel of the modules imported so far, in order of definition."""

OPTIONS = {"error_model": "numpy", "nogil": True, "boundscheck": False}
KEEP_DAYS = 30
KEEP_FOLDERS = 200


class Kernel:
    """What is known of one kernel: its dispatcher and how to make arguments to warm it with."""

    def __init__(self, dispatcher: Any, example: Callable[[], tuple[Any, ...]] | None):
        self.dispatcher = dispatcher
        self.example = example
        self.name = f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__name__}"


@overload
def kernel(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def kernel(
    *, example: Callable[[], tuple[Any, ...]] | None = None, **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def kernel(function: Any = None, /, *, example: Any = None, **options: Any) -> Any:
    """Compile a function of arrays and scalars to machine code, on first use, and remember it.

    Parameters
    ----------
    function : callable
        A module-level function within Numba's subset of Python.
    example : callable, optional
        Returns arguments of the one signature this kernel is called with from Python;
        ``headway warm`` calls the kernel with them. Leave it out for kernels that only
        other kernels call.
    **options
        Numba options that differ from the house defaults.

    Returns
    -------
    callable
        The compiled function, with the type of the original.
    """

    def compile_later(function: Callable[P, R]) -> Callable[P, R]:
        dispatcher = _with_cache(function, {**OPTIONS, **options})
        KERNELS.append(Kernel(dispatcher, example))
        return dispatcher

    return compile_later if function is None else compile_later(function)


def _with_cache(function: Any, options: dict[str, Any]) -> Any:
    folder = _cache_folder(_digest(function, options))
    if folder is None:
        return numba.njit(**options)(function)
    # Numba picks the folder while it decorates, so the setting need not outlive this call.
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        return numba.njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before


def _digest(function: Any, options: dict[str, Any]) -> str:
    """Digest of everything the machine code of a kernel depends on, except the processor.

    Numba itself adds the processor's name and features to its key.
    """
    settings = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name not in {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}
    )
    digest = hashlib.sha256(repr((numba.__version__, sys.version, _package_version())).encode())
    digest.update(repr((sorted(options.items()), settings)).encode())
    for source in _sources_behind(Path(function.__code__.co_filename)):
        digest.update(_read(source))
    return digest.hexdigest()[:24]


@cache
def _package_version() -> str:
    try:
        return version("headway")
    except Exception:  # a copied source tree has no metadata
        return "source"


@cache
def _read(source: Path) -> bytes:
    return source.read_bytes()


_MENTION = re.compile(rb"\bheadway(?:\.\w+)+")


@cache
def _sources_behind(source: Path) -> tuple[Path, ...]:
    """The files a module may take code from: itself and, onwards, those it mentions.

    A mention counts wherever it stands, even in a comment: one file too many costs a
    compilation, one too few costs correctness. Relative imports are banned for the same reason.
    """
    found: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        for mention in _MENTION.findall(_read(path)):
            waiting += _files_of(mention.decode().split(".")[1:])
    return tuple(sorted(found))


def _files_of(parts: list[str]) -> list[Path]:
    """The files behind a dotted name: one module, or all of a folder named as a whole."""
    path = PACKAGE
    for depth, part in enumerate(parts):
        module = path / f"{part}.py"
        if module.is_file():
            return [module]
        if not (path / part).is_dir():
            return [path / "__init__.py"]
        path = path / part
        if depth == len(parts) - 1:
            return sorted(path.glob("*.py"))
    return []


@cache
def _cache_folder(digest: str) -> Path | None:
    """A writable folder for one digest; None (after one warning) where there is none."""
    root = _cache_root()
    if root is None:
        return None
    folder = root / digest
    try:
        if folder.is_dir():
            os.utime(folder)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            _forget_old_folders(root)
    except OSError:
        return folder if folder.is_dir() else None
    return folder


@cache
def _cache_root() -> Path | None:
    wanted = _user_cache() / "headway"
    if _writable(wanted):
        return wanted
    # Cached machine code is run, so a shared temporary folder must be ours alone.
    spare = Path(tempfile.gettempdir()) / f"headway-{getattr(os, 'getuid', int)()}"
    kept = _writable(spare) and _private(spare)
    warnings.warn(
        f"cannot write the kernel cache {wanted}: compiled kernels are kept in {spare}"
        if kept
        else f"cannot write the kernel cache {wanted}: kernels are compiled anew in each process; "
        "set HEADWAY_CACHE_DIR to a folder that can be written",
        stacklevel=2,
    )
    return spare if kept else None


def _user_cache() -> Path:
    home = Path(os.path.expanduser("~"))
    if chosen := os.environ.get("HEADWAY_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home))
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _private(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    found = folder.lstat()
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return mine and not found.st_mode & 0o077


def _forget_old_folders(root: Path) -> None:
    """Drop folders unused for a month, and the least recently used beyond a fixed number."""
    now = time.time()
    by_age = sorted((now - folder.stat().st_mtime, folder) for folder in root.iterdir())
    for rank, (age, folder) in enumerate(by_age):
        days = age / 86400
        if days > KEEP_DAYS or (rank >= KEEP_FOLDERS and days > 1):
            shutil.rmtree(folder, ignore_errors=True)


class _CompileListener(event.Listener):
    def __init__(self, started: Callable[[str], None], ended: Callable[[str, float], None]):
        self.started = started
        self.ended = ended
        self.running: list[tuple[str, float]] = []

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__name__}"
        self.running.append((name, time.perf_counter()))
        self.started(name)

    def on_end(self, event: Any) -> None:
        name, start = self.running.pop()
        self.ended(name, time.perf_counter() - start)


def on_compile(
    started: Callable[[str], None],
    ended: Callable[[str, float], None] = lambda name, seconds: None,
) -> None:
    """Be told of every kernel that has to be compiled (not of those found in the cache).

    Parameters
    ----------
    started : callable
        Called with the kernel's dotted name before it is compiled.
    ended : callable, optional
        Called with the name and the seconds it took.
    """
    event.register("numba:compile", _CompileListener(started, ended))
