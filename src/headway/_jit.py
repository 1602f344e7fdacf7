"""The one place that meets Numba: the ``kernel`` decorator.

Numba's own cache is unsafe for a package of several modules: it notices an edit in the file of
a kernel but not in the files that kernel calls into, and neither compiler options nor ``NUMBA_*``
settings are part of its key, so old machine code runs silently. It also refuses to import where
no cache folder can be written. ``kernel`` gives every kernel a cache folder named by a digest of
all that its machine code depends on, and runs without a cache, with one warning, where no folder
can be made. A cache that was damaged or has no room left costs a compilation, never an error.

House rules for kernels: module-level functions, float64 C-contiguous arrays and plain scalars in,
no closures over other kernels, exactly one signature each.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, overload

import numba
from numba.core import config as numba_config
from numba.core import event, types
from numba.core.caching import FunctionCache

from headway._compiling import LISTENERS

config: Any = numba_config

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).parent
KERNELS: list[Kernel] = []
"""Every kernel of the modules imported so far, in order of definition."""

OPTIONS = {
    "error_model": "numpy",
    "nogil": True,
    "boundscheck": False,
    "no_cfunc_wrapper": True,  # nothing calls a kernel as a C function, so that code is not made
}
KEEP_DAYS = 30
KEEP_FOLDERS = 200


class Kernel:
    """What is known of one kernel: its dispatcher and how to make arguments to warm it with."""

    def __init__(self, dispatcher: Any, example: Callable[[], tuple[Any, ...]] | None):
        function = getattr(dispatcher, "py_func", dispatcher)  # plain under NUMBA_DISABLE_JIT
        self.dispatcher = dispatcher
        self.example = example
        self.name = f"{function.__module__}.{function.__name__}"


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
        make = _inner if example is None else _with_cache
        dispatcher = make(function, {**OPTIONS, **options})
        KERNELS.append(Kernel(dispatcher, example))
        return dispatcher

    return compile_later if function is None else compile_later(function)


def _with_cache(function: Any, options: dict[str, Any]) -> Any:
    dispatcher: Any = numba.njit(**options)(function)
    if config.DISABLE_JIT:
        return dispatcher
    _ignore_literals(dispatcher)
    folder = _cache_folder(_digest(function, options))
    if folder is None:
        return dispatcher
    # Numba picks the folder when it makes the cache, so the setting need not outlive this call.
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        with suppress(RuntimeError):  # typed at a prompt: no file, so no cache
            dispatcher._cache = _PatientCache(function)
    finally:
        config.CACHE_DIR = before
    return dispatcher


def _inner(function: Any, options: dict[str, Any]) -> Any:
    """Make a kernel that kernels call: what lets Python call it is compiled only if Python does.

    Most kernels are such parts of others and are never called otherwise. Leaving out the wrapper
    and the cache file of each saves a sixth of the first compilation.
    """
    if config.DISABLE_JIT:
        return function
    dispatcher: Any = numba.njit(**options, no_cpython_wrapper=True)(function)
    _ignore_literals(dispatcher)

    @cache
    def for_python() -> Any:
        return _with_cache(function, options)

    # Numba must not find the wrapper that is not there; it asks for one to be compiled instead.
    dispatcher._insert = lambda *_: None
    dispatcher._compile_for_args = lambda *_, **__: for_python()
    return dispatcher


def _ignore_literals(dispatcher: Any) -> None:
    """Take a constant in a call for the number it is.

    For a kernel that is called from another, Numba compiles a variant for each constant argument.
    """
    resolve = dispatcher.get_call_template

    def resolve_plainly(args: Any, kws: dict[str, Any]) -> Any:
        plain = {name: types.unliteral(value) for name, value in kws.items()}
        return resolve(tuple(types.unliteral(value) for value in args), plain)

    dispatcher.get_call_template = resolve_plainly


class _PatientCache(FunctionCache):
    """Numba's cache, which for trouble with its files starts anew instead of raising.

    The only thing added is what ``njit(cache=True)`` lacks: a file cut short by a power failure,
    a full disk or a folder that vanished must not end a race.
    """

    @contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        try:
            yield
        except Warning:  # made an error by the caller: Numba saying why it cannot cache
            raise
        except Exception:
            with suppress(OSError):
                self.flush()


def _digest(function: Any, options: dict[str, Any]) -> str:
    """Digest of everything the machine code of a kernel depends on, except the processor.

    Numba itself adds the processor's name and features to its key.
    """
    settings = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name not in {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}
    )
    digest = hashlib.sha256(repr((numba.__version__, sys.version)).encode())
    digest.update(repr((sorted(options.items()), settings)).encode())
    for source in _sources_behind(Path(function.__code__.co_filename)):
        digest.update(_look_into(source)[0])
    return digest.hexdigest()[:24]


_MENTION = re.compile(rb"\bheadway(?:\.\w+)+|^\s*(?:from|import) headway\b(?!\.)", re.MULTILINE)


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
        waiting += _look_into(path)[1]
    return tuple(sorted(found))


@cache
def _look_into(source: Path) -> tuple[bytes, list[Path]]:
    """The digest of a file, and the files that it mentions."""
    text = source.read_bytes()
    mentions = {mention.decode() for mention in _MENTION.findall(text)}
    files = [file for mention in mentions for file in _files_of(mention.split(".")[1:])]
    return hashlib.sha256(text).digest(), files


def _files_of(parts: list[str]) -> list[Path]:
    """The files behind a dotted name: one module, or all of a folder named as a whole."""
    if not parts:
        return sorted(PACKAGE.rglob("*.py"))
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
    root = cache_root()
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
def cache_root() -> Path | None:
    """The folder that holds all cached kernels; None (after one warning) where there is none.

    ``HEADWAY_CACHE_DIR`` chooses it; otherwise it lies in the user's cache folder, or, where that
    cannot be written, in a temporary folder of the user's own.
    """
    wanted = _user_cache() / "headway"
    if _writable(wanted):
        return wanted
    spare = _spare_cache()
    warnings.warn(
        f"cannot write the kernel cache {wanted}: compiled kernels are kept in {spare}"
        if spare
        else f"cannot write the kernel cache {wanted}: kernels are compiled anew in each process; "
        "set HEADWAY_CACHE_DIR to a folder that can be written",
        stacklevel=2,
    )
    return spare


def _spare_cache() -> Path | None:
    """A temporary folder that is ours alone, since the machine code in it will be run."""
    try:
        folder = Path(tempfile.gettempdir()) / f"headway-{getattr(os, 'getuid', int)()}"
    except OSError:
        return None
    return folder if _writable(folder) and _private(folder) else None


def _user_cache() -> Path:
    home = Path(os.path.expanduser("~"))
    if chosen := os.environ.get("HEADWAY_CACHE_DIR"):
        return Path(chosen).absolute()
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home))
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


def _writable(folder: Path) -> bool:
    if not folder.is_absolute():  # nobody's home
        return False
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
    """Passes Numba's news of compilations on to those who asked ``headway._compiling``.

    Meanwhile Python collects no garbage: a compilation makes a great many small objects, and
    looking through them again and again takes a tenth of its time.
    """

    def __init__(self) -> None:
        self.running: list[tuple[str, float]] = []
        self.collected = False

    def on_start(self, event: Any) -> None:
        if not self.running:
            self.collected = gc.isenabled()
            gc.disable()
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__name__}"
        self.running.append((name, time.perf_counter()))
        for started, _ in LISTENERS:
            started(name)

    def on_end(self, event: Any) -> None:
        name, start = self.running.pop()
        if not self.running and self.collected:
            gc.enable()
        for _, ended in LISTENERS:
            ended(name, time.perf_counter() - start)


event.register("numba:compile", _CompileListener())
