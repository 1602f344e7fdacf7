"""State machines for action selection: one definition for one agent or for a hundred thousand.

A `Machine` says what states there are and what leads from one to another; it holds nothing of any
agent. `headway.decide.machine_run` runs it, `headway.decide.machine_dot` draws it and
`headway.decide.machine_json` writes and reads it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from headway.decide.machine_states import ANY, PREVIOUS, Guard, State, Transition
from headway.decide.machine_tables import (
    NOBODY,
    TARGET,
    TRANSITION,
    Arrow,
    Tables,
    chains_of,
    compile_tables,
)
from headway.errors import InputError
from headway.geometry.options import flag, instance, shown, wrong, zero_or_more

MOST_STATES = 1_000
"""Larger machines are refused: their tables grow with the square of the states."""


@dataclass(frozen=True)
class Machine:
    """States and the transitions between them, checked and compiled to tables.

    Parameters
    ----------
    states : sequence of State or str
        A name alone is a state that does nothing by itself.
    transitions : sequence of Transition
    start : str or sequence of str, optional
        Where agents may begin, the first being where they do if nothing is said; by default the
        first state.
    history : int
        How many states an agent remembers to have come from, for `PREVIOUS`.

    Attributes
    ----------
    names, events, guards : tuple
        Of the states; of the events and guards that transitions ask for, each once, in order.
        Their positions here are their numbers everywhere else.

    Raises
    ------
    InputError
        If a name is not that of a state; if a number is out of range; if a state cannot be
        reached; if a transition can never happen, since another comes before it that asks for no
        more.

    References
    ----------
    Harel, "Statecharts: a visual formalism for complex systems", Science of Computer Programming
    1987. Buckland, "Programming Game AI by Example", 2005, chapter 2.

    Examples
    --------
    A rabbit grazes, flees from predators that come near, and returns when none has been around
    for a while. It flees from nearer than it dares to return, so that it does not waver.

    >>> rabbit = Machine(
    ...     ["graze", "flee", State("return", min_dwell=0.5)],
    ...     [
    ...         Transition(ANY, "flee", when="predator_near", at_once=True),
    ...         Transition("flee", "return", when="predator_far", after=2.0),
    ...         Transition("return", "graze", when="home"),
    ...         Transition("return", "graze", after=60.0),
    ...     ],
    ... )
    >>> rabbit.names
    ('graze', 'flee', 'return')

    Three rabbits, of which the last has a predator beside it:

    >>> from headway.decide.machine_run import begin, step
    >>> memory, _ = begin(rabbit, 3)
    >>> view = {"predator_near": [False, False, True], "predator_far": True, "home": True}
    >>> memory, changes = step(rabbit, memory, view, 0.1)
    >>> changes.trace()
    [(2, 'graze', 'flee', '[predator_near]')]
    >>> [rabbit.names[state] for state in memory.state]
    ['graze', 'graze', 'flee']
    """

    states: Sequence[State | str]
    transitions: Sequence[Transition]
    start: str | Sequence[str] | None = None
    history: int = 1
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    events: tuple[str, ...] = field(init=False, repr=False, compare=False)
    guards: tuple[Guard, ...] = field(init=False, repr=False, compare=False)
    tables: Tables = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for what, given in (("states", self.states), ("transitions", self.transitions)):
            if not isinstance(given, Iterable) or isinstance(given, str):
                raise InputError(f"{what} are {shown(given)}: give a list of them.")
        states = tuple(State(s) if isinstance(s, str) else s for s in self.states)
        transitions = tuple(self.transitions)
        _check_kinds(states, transitions)
        names = {state.name: i for i, state in enumerate(states)}
        _check_states(states, names)
        chains = chains_of([names[s.parent] if s.parent else NOBODY for s in states])
        leaf = _starting_parts(states, names, chains)
        starts = (self.start,) if isinstance(self.start, str) else self.start
        if not isinstance(starts, Iterable | None):
            wrong("start", starts, "the name of a state, or several")
        starts = tuple(() if starts is None else starts) or (states[0].name,)
        for name in starts:
            _known(name, names, "start")
        if not (isinstance(self.history, int) and 0 <= self.history <= 100):
            wrong("history", self.history, "a whole number from 0 to 100")
        _check_transitions(transitions, names, self.history)
        events = tuple(dict.fromkeys(t.event for t in transitions if t.event is not None))
        guards = tuple(dict.fromkeys(t.when for t in transitions if t.when is not None))
        arrows = _arrows(transitions, names, events, guards)
        dwell = [state.min_dwell for state in states]
        tables = compile_tables(chains, leaf, dwell, arrows, len(events))
        self.__dict__.update(
            states=states, transitions=transitions, start=starts,
            names=tuple(names), events=events, guards=guards, tables=tables,
        )  # fmt: skip
        _check_all_can_happen(self)

    def state(self, name: str) -> int:
        """The number of a state; an InputError if there is none of that name."""
        instance("state", name, str)
        if name not in self.names:
            raise InputError(f"state {name!r} is unknown: give one of {_listed(self.names)}.")
        return self.names.index(name)

    def event(self, name: str) -> int:
        """The number of an event; an InputError if no transition asks for it."""
        instance("event", name, str)
        if name not in self.events:
            raise InputError(f"event {name!r} is unknown: give one of {_listed(self.events)}.")
        return self.events.index(name)


def _listed(names: Iterable[str]) -> str:
    quoted = [repr(name) for name in names]
    more = f" and {len(quoted) - 10} more" if len(quoted) > 10 else ""
    return (", ".join(quoted[:10]) or "none") + more


def _known(name: str, names: Mapping[str, int], where: str) -> int:
    instance(where, name, str)
    if name not in names:
        raise InputError(f"{where} is {name!r}, which is no state: give one of {_listed(names)}.")
    return names[name]


def _check_kinds(states: Sequence[object], transitions: Sequence[object]) -> None:
    for what, kind, parts in (("state", State, states), ("transition", Transition, transitions)):
        for i, part in enumerate(parts):
            if not isinstance(part, kind):
                raise InputError(f"{what} {i} is {shown(part)}: give a {kind.__name__}.")
            if isinstance(part, State) and not isinstance(part.name, str):
                raise InputError(f"state {i} has the name {shown(part.name)}: give it another.")


def _check_states(states: Sequence[State], names: Mapping[str, int]) -> None:
    if not 0 < len(states) <= MOST_STATES:
        raise InputError(f"there are {len(states)} states: give 1 to {MOST_STATES:,}.")
    for i, state in enumerate(states):
        for action in (state.enter, state.update, state.exit):
            if action is not None and not callable(action):
                raise InputError(f"an action of state {i} is {shown(action)}: give a function.")
        if state.name in ("", ANY, PREVIOUS):
            raise InputError(f"state {i} has the name {state.name!r}: give it another.")
        if names[state.name] != i:
            raise InputError(f"two states have the name {state.name!r}: rename one.")
        _check_seconds(f"min_dwell of state {state.name!r}", state.min_dwell)
        if state.parent is not None:
            _known(state.parent, names, f"parent of state {state.name!r}")


def _check_seconds(what: str, value: float) -> None:
    zero_or_more(what, value, "seconds")


def _starting_parts(
    states: Sequence[State], names: Mapping[str, int], chains: Sequence[Sequence[int]]
) -> list[int]:
    """The innermost state that agents come to on entering each."""
    first = list(range(len(states)))
    for i in reversed(range(len(states))):
        if not chains[i]:
            raise InputError(f"state {states[i].name!r} lies within itself: change a parent.")
        if len(chains[i]) > 1:
            first[chains[i][-2]] = i
    for i, state in enumerate(states):
        if state.start is not None:
            part = _known(state.start, names, f"start of state {state.name!r}")
            if part == i or i not in chains[part][-2:]:
                raise InputError(f"state {state.name!r} starts with {state.start!r}, not its part.")
            first[i] = part
    leaf = list(range(len(states)))
    for i in sorted(leaf, key=lambda i: -len(chains[i])):
        leaf[i] = leaf[first[i]]
    return leaf


def _check_transitions(
    transitions: Sequence[Transition], names: Mapping[str, int], history: int
) -> None:
    for i, t in enumerate(transitions):
        where = f"transition {i}"
        instance(f"source of {where}", t.source, str)
        instance(f"target of {where}", t.target, str)
        if t.source != ANY:
            _known(t.source, names, f"source of {where}")
        if t.target != PREVIOUS:
            _known(t.target, names, f"target of {where}")
        elif history == 0:
            raise InputError(f"{where} leads to the previous state: give history of 1 or more.")
        _check_seconds(f"after of {where}", t.after)
        if not (
            isinstance(t.when, str | None) or (callable(t.when) and isinstance(t.when, Hashable))
        ):
            wrong(f"when of {where}", t.when, "a name or a function")
        if t.event is not None:
            instance(f"event of {where}", t.event, str)
        flag(f"at_once of {where}", t.at_once)
        if not isinstance(t.priority, int):
            wrong(f"priority of {where}", t.priority, "a whole number")


def _arrows(
    transitions: Sequence[Transition],
    names: Mapping[str, int],
    events: Sequence[str],
    guards: Sequence[Guard],
) -> list[Arrow]:
    event_of = {name: i for i, name in enumerate(events)}
    guard_of = {guard: i for i, guard in enumerate(guards)}
    return [
        Arrow(
            source=names.get(t.source, NOBODY),
            target=names.get(t.target, NOBODY),
            event=NOBODY if t.event is None else event_of[t.event],
            guard=NOBODY if t.when is None else guard_of[t.when],
            after=float(t.after),
            priority=t.priority,
            at_once=bool(t.at_once),
        )
        for t in transitions
    ]


def _check_all_can_happen(machine: Machine) -> None:
    """Refuse transitions that never happen and states that nobody comes to."""
    entries, tables = machine.tables.entries, machine.tables
    idle = set(range(len(machine.transitions))) - set(entries[:, TRANSITION].tolist())
    for i in sorted(idle):
        t = machine.transitions[i]
        raise InputError(
            f"transition {i} ({t.source!r} to {t.target!r}, {t.why}) can never happen: whoever "
            "could take it is there already, or takes another that comes before it and asks for "
            "no more; change its priority or remove it."
        )
    span = tables.rows.reshape(len(machine.names), -1, 2)
    waiting = [int(tables.leaf[machine.state(name)]) for name in machine.start or ()]
    reached = set(waiting)
    while waiting:
        for first, last in span[waiting.pop()].tolist():
            new = set(entries[first:last, TARGET].tolist()) - reached - {NOBODY}
            reached |= new
            waiting += sorted(new)
    for i, name in enumerate(machine.names):
        if tables.leaf[i] == i and i not in reached:
            raise InputError(
                f"state {name!r} cannot be reached from {_listed(machine.start or ())}: "
                "add a transition that leads there, or name it in start."
            )
