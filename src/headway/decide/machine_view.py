"""What a state machine is told in a step: of guards and of events, an array with all agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.decide.machine import Machine
from headway.decide.machine_states import Guard, guard_name
from headway.decide.machine_tables import NOBODY
from headway.errors import InputError

Ints = NDArray[np.int64]
NO_EVENT = np.full(1, NOBODY)


def guard_column(guard: Guard, view: Any, n: int) -> NDArray[np.bool_]:
    """What a guard says of each agent.

    Parameters
    ----------
    guard : str or callable
        The name of a column of the view, or a function of it.
    view : mapping or object
        What it looks at.
    n : int
        Number of agents.

    Returns
    -------
    () or (N,) ndarray of bool

    Raises
    ------
    InputError
        If the view has no such column, or no bools come of it.
    """
    if isinstance(guard, str):
        missing = view is None or (isinstance(view, Mapping) and guard not in view)
        if missing or not (isinstance(view, Mapping) or hasattr(view, guard)):
            raise InputError(f"the view has no {guard!r}: give a bool, or one for each agent.")
        said = view[guard] if isinstance(view, Mapping) else getattr(view, guard)
    else:
        said = guard(view)
    try:
        column = np.asarray(said)
    except ValueError as error:
        raise InputError(f"guard {guard_name(guard)!r} gave no array ({error}).") from error
    if column.dtype != np.bool_ or column.shape not in ((), (n,)):
        raise InputError(
            f"guard {guard_name(guard)!r} gave {column.dtype} of shape {column.shape}: "
            f"it must give a bool, or ({n},) of them."
        )
    return column


def event_codes(machine: Machine, events: str | ArrayLike | None, n: int) -> Ints:
    """The event of each agent, or that of all, as numbers.

    Parameters
    ----------
    machine : Machine
    events : str or int or (N,) array_like of int, optional
        As for `headway.decide.machine_run.step`.
    n : int
        Number of agents.

    Returns
    -------
    (1,) or (N,) ndarray of int64
        −1 for nothing.

    Raises
    ------
    InputError
        If they are no whole numbers, or not N.
    """
    if events is None:
        return NO_EVENT
    if isinstance(events, str):
        return np.full(1, machine.event(events))
    try:
        codes = np.asarray(events)
    except ValueError as error:
        raise InputError(f"events cannot be read as whole numbers ({error}).") from error
    if codes.size == 0 == n:
        return NO_EVENT
    if codes.dtype.kind not in "iu" or codes.shape not in ((), (n,)):
        raise InputError(
            f"events are {codes.dtype} of shape {codes.shape}: give whole numbers, ({n},) of them."
        )
    return np.ascontiguousarray(codes, np.int64).reshape(-1)
