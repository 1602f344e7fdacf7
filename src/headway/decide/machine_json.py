"""State machines as JSON: all but the functions themselves, which are written by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from headway.decide.machine import Machine
from headway.decide.machine_states import State, Transition
from headway.errors import InputError
from headway.geometry.options import instance, shown

FUNCTIONS = ("enter", "update", "exit", "when")
TYPES: dict[str, tuple[type, ...]] = {
    "min_dwell": (int, float),
    "after": (int, float),
    "priority": (int,),
    "at_once": (bool,),
}
"""What fields hold that do not hold a name."""


def to_json(machine: Machine) -> str:
    """Write a machine as JSON text; what is as by default is left out.

    Parameters
    ----------
    machine : Machine

    Returns
    -------
    str

    Raises
    ------
    InputError
        If a guard or an action is a function without a name of its own.

    Examples
    --------
    >>> text = to_json(Machine(["off", "on"], [Transition("off", "on", when="dark")]))
    >>> from_json(text).transitions[0].when
    'dark'
    """
    instance("machine", machine, Machine)
    whole = {
        "states": [_written(state) for state in machine.states],
        "transitions": [_written(transition) for transition in machine.transitions],
        "start": machine.start,
        "history": machine.history,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False)


def from_json(text: str, functions: Mapping[str, Callable[..., Any]] | None = None) -> Machine:
    """Read a machine from JSON text.

    Parameters
    ----------
    text : str
        As `to_json` writes it.
    functions : mapping of str to callable, optional
        Guards and actions by name. A guard that is not among them is taken for the name of a
        column; an action must be among them.

    Returns
    -------
    Machine

    Raises
    ------
    InputError
        If the text is not that of a machine.
    """
    try:
        whole = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the machine cannot be read as JSON: {error}.") from error
    entries = _object("the machine", whole, {"states", "transitions", "start", "history"})
    if functions is not None:
        instance("functions", functions, Mapping)
    known = dict(functions or {})
    states = [
        State(**_read(State, f"state {i}", entry, known))
        for i, entry in enumerate(_list("states", entries.get("states")))
    ]
    transitions = [
        Transition(**_read(Transition, f"transition {i}", entry, known))
        for i, entry in enumerate(_list("transitions", entries.get("transitions", [])))
    ]
    start = entries.get("start")
    names = [start] if isinstance(start, str) else _list("start", start or [])
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"start is {start!r}: give names of states.")
    return Machine(states, transitions, names, entries.get("history", 1))


def _written(part: Any) -> dict[str, Any]:
    """What differs from the defaults of a state or a transition."""
    values = {f.name: getattr(part, f.name) for f in fields(part)}
    kept = {f.name: values[f.name] for f in fields(part) if values[f.name] != f.default}
    for name in FUNCTIONS:
        if callable(kept.get(name)):
            kept[name] = getattr(kept[name], "__name__", "<nameless>")
            if not kept[name].isidentifier():
                raise InputError(f"{name} of {part} is a function without a name: define it.")
    return kept


def _object(what: str, value: Any, keys: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{what} is {shown(value)}: give an object with names and values.")
    if unknown := sorted(value.keys() - keys):
        raise InputError(f"{what} has {unknown[0]!r}: give only {', '.join(sorted(keys))}.")
    return value


def _list(what: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{what} is {shown(value)}: give a list.")
    return value


def _read(
    kind: type, what: str, value: Any, functions: Mapping[str, Callable[..., Any]]
) -> dict[str, Any]:
    """The fields of a state or a transition, checked for their type, with functions found."""
    names = [f.name for f in fields(kind)]
    entry = dict(_object(what, value, set(names)))
    needed = ("name",) if kind is State else ("source", "target")
    for name in needed:
        if name not in entry:
            raise InputError(f"{what} has no {name!r}: give it one.")
    for name, given in entry.items():
        types = TYPES.get(name, (str,))
        if not isinstance(given, types) or (isinstance(given, bool) and bool not in types):
            raise InputError(f"{name} of {what} is {shown(given)}: give a {types[-1].__name__}.")
        if isinstance(given, str) and name in FUNCTIONS:
            if given not in functions and name != "when":
                raise InputError(f"{name} of {what} is {given!r}: give the function of that name.")
            entry[name] = functions.get(given, given)
    return entry
