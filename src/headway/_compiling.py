"""Who wants to know what is being compiled; apart from ``_jit``, so that asking is free of Numba.

A command line or a viewer asks before it knows whether any kernel will be used at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

LISTENERS: list[tuple[Callable[[str], None], Callable[[str, float], None]]] = []


@contextmanager
def on_compile(
    started: Callable[[str], None],
    ended: Callable[[str, float], None] = lambda name, seconds: None,
) -> Iterator[None]:
    """Be told of every kernel that has to be compiled (not of those found in the cache).

    A kernel that calls others compiles them on the way: their calls come between its own two.

    Parameters
    ----------
    started : callable
        Called with the kernel's dotted name before it is compiled.
    ended : callable, optional
        Called with the name and the seconds it took.

    Yields
    ------
    None
        The listening lasts as long as the ``with`` block.

    Examples
    --------
    >>> with on_compile(lambda name: print("compiling", name)):
    ...     pass
    """
    listener = (started, ended)
    LISTENERS.append(listener)
    try:
        yield
    finally:
        LISTENERS.remove(listener)
