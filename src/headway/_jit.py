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
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, ParamSpec, TypeVar, overload

import numba
from numba.core import config as numba_config
from numba.core import event, types
from numba.core.caching import FunctionCache

from headway._compiling import LISTENERS
from headway._kernel_cache import cache_folder, kernel_digest

config: Any = numba_config

P = ParamSpec("P")
R = TypeVar("R")

KERNELS: list[Kernel] = []
"""Every kernel of the modules imported so far, in order of definition."""

OPTIONS = {
    "error_model": "numpy",
    "nogil": True,
    "boundscheck": False,
    "no_cfunc_wrapper": True,  # nothing calls a kernel as a C function, so that code is not made
}


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
    *,
    example: Callable[[], tuple[Any, ...]] | None = None,
    allocates: bool = True,
    direct: bool = False,
    **options: Any,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def kernel(
    function: Any = None,
    /,
    *,
    example: Any = None,
    allocates: bool = True,
    direct: bool = False,
    **options: Any,
) -> Any:
    """Compile a function of arrays and scalars to machine code, on first use, and remember it.

    Parameters
    ----------
    function : callable
        A module-level function within Numba's subset of Python.
    example : callable, optional
        Returns arguments of the one signature this kernel is called with from Python;
        ``headway warm`` calls the kernel with them. Leave it out for kernels that only
        other kernels call.
    allocates : bool
        Whether it, or a kernel it calls, makes arrays. Without, Numba need not count who uses the
        arrays handed around, which is worth a third of the time where they travel in tuples.
    direct : bool
        Whether calls from its own module skip the check of types, which takes half a microsecond:
        for functions that serve one agent at a time. Whoever calls must make sure that arrays
        have the types and dimensions of the one signature and are contiguous.
    **options
        Numba options that differ from the house defaults.

    Returns
    -------
    callable
        The compiled function, with the type of the original.
    """

    def compile_later(function: Callable[P, R]) -> Callable[P, R]:
        make = _inner if example is None else _with_cache
        counted = {} if allocates else {"_nrt": False}
        dispatcher = make(function, {**OPTIONS, **counted, **options})
        KERNELS.append(Kernel(dispatcher, example))
        if direct and not config.DISABLE_JIT:
            _call_directly(dispatcher, function)
        return dispatcher

    return compile_later if function is None else compile_later(function)


def _call_directly(dispatcher: Any, function: Any) -> None:
    """Once compiled, put the bare machine code in the place of the kernel in its module.

    Numba looks at the type of each argument to find the signature; here there is only one.
    """
    compile_for_args, names = dispatcher._compile_for_args, function.__globals__

    def compile_once(*args: Any, **kws: Any) -> Any:
        result = compile_for_args(*args, **kws)
        if len(dispatcher.overloads) == 1 and names.get(function.__name__) is dispatcher:
            (compiled,) = dispatcher.overloads.values()
            names[function.__name__] = compiled.entry_point
        return result

    dispatcher._compile_for_args = compile_once


def _with_cache(function: Any, options: dict[str, Any]) -> Any:
    dispatcher: Any = numba.njit(**options)(function)
    if config.DISABLE_JIT:
        return dispatcher
    _ignore_literals(dispatcher)
    folder = cache_folder(kernel_digest(function, options, numba.__version__))
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
    bare: dict[str, Any] = {**options, "no_cpython_wrapper": True}
    dispatcher: Any = numba.njit(**bare)(function)
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
