"""Running a state machine: from what agents remember and what holds now to what they do next.

All agents are looked at once, in a kernel: whatever guards are asked for is worked out for
everyone first. Each agent makes at most one transition in a step, and then enters the part that
the new state starts with, so that no chain of transitions can go on for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.decide.machine import Machine
from headway.decide.machine_step import step_agents
from headway.decide.machine_tables import NOBODY
from headway.decide.machine_view import event_codes, guard_column
from headway.errors import InputError
from headway.geometry.options import instance, seconds, shown, whole

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What N agents remember of a machine of D levels.

    Parameters
    ----------
    state : (N,) ndarray of int64
        The innermost state each is in: a number, to be looked up in the machine's names.
    elapsed : (N, D) ndarray
        s since it entered the state that it is in on each level, outermost first; 0 on levels
        that it is not on.
    previous : (N, H) ndarray of int64
        The innermost states it came from, latest first; −1 for none.
    """

    state: Ints
    elapsed: NDArray[np.float64]
    previous: Ints

    def __len__(self) -> int:
        return len(self.state)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Who went from where to where in a step, and why.

    Parameters
    ----------
    machine : Machine
    before, after : (N,) ndarray of int64
        Innermost states at the start of the step (−1 for those who had none yet) and at its end.
    fired : (N,) ndarray of int64
        Number of the transition that each made; −1 for none.
    """

    machine: Machine
    before: Ints
    after: Ints
    fired: Ints

    def _within(self, states: Ints, i: int) -> NDArray[np.bool_]:
        return self.machine.tables.inside[i][states]

    def _restarted(self, i: int) -> NDArray[np.bool_] | np.bool_:
        """Who left a state and entered it again."""
        inside = self.machine.tables.inside
        whole = [
            t.source == t.target and bool(inside[self.machine.state(t.target), i])
            for t in self.machine.transitions
        ]
        return np.array([*whole, False])[self.fired] if any(whole) else np.False_

    def entered(self, name: str) -> NDArray[np.bool_]:
        """(N,): who entered a state in this step."""
        i = self.machine.state(name)
        new = ~self._within(self.before, i) | self._restarted(i)
        return self._within(self.after, i) & new

    def left(self, name: str) -> NDArray[np.bool_]:
        """(N,): who left a state in this step."""
        i = self.machine.state(name)
        gone = ~self._within(self.after, i) | self._restarted(i)
        return self._within(self.before, i) & gone

    def within(self, name: str) -> NDArray[np.bool_]:
        """(N,): who is in a state now, or in a part of it."""
        return self._within(self.after, self.machine.state(name))

    def trace(self) -> list[tuple[int, str, str, str]]:
        """Tell who went where: agent, state before, state after, and what it was that asked."""
        names, transitions = self.machine.names, self.machine.transitions
        who = np.flatnonzero(self.fired != NOBODY)
        moves = zip(who, self.before[who], self.after[who], self.fired[who], strict=True)
        return [(int(i), names[a], names[b], transitions[t].why) for i, a, b, t in moves]


def begin(
    machine: Machine, agents: int = 1, state: str | Sequence[str] | None = None
) -> tuple[Memory, Changes]:
    """Put agents into the states they start in.

    Parameters
    ----------
    machine : Machine
    agents : int
        N, how many there are.
    state : str or sequence of N str, optional
        Where they begin; by default where the machine starts.

    Returns
    -------
    Memory, Changes
        As from `step`: everyone has just entered, which `act` tells the states' actions.

    Raises
    ------
    InputError
        If there is no such state, or the number of agents is wrong.

    Examples
    --------
    >>> memory, changes = begin(Machine(["asleep"], []), 2)
    >>> memory.state.tolist(), changes.entered("asleep").tolist()
    ([0, 0], [True, True])
    """
    instance("machine", machine, Machine)
    agents = whole("agents", agents, 0, "a whole number, zero or more")
    chosen = (machine.start or machine.names)[0] if state is None else state
    if not isinstance(chosen, Sequence | np.ndarray):
        raise InputError(f"state is {shown(state)}: give the name of one, or one for each agent.")
    given = [chosen] if isinstance(chosen, str) else list(chosen)
    if not isinstance(chosen, str) and len(given) != agents:
        raise InputError(f"state has {len(given)} names for {agents} agents: give one, or as many.")
    for name in given:
        instance("state", name, str)
    number = {name: machine.state(name) for name in dict.fromkeys(given)}
    leaves = machine.tables.leaf[np.array([number[name] for name in given], np.int64)]
    states = np.broadcast_to(leaves, agents).copy()
    nothing = np.full(agents, NOBODY)
    memory = Memory(
        states,
        np.zeros((agents, machine.tables.dwell.shape[1])),
        np.full((agents, machine.history), NOBODY),
    )
    return memory, Changes(machine, nothing, states, nothing)


def step(
    machine: Machine,
    memory: Memory,
    view: Any,
    dt: float,
    events: str | ArrayLike | None = None,
) -> tuple[Memory, Changes]:
    """Let every agent make the first transition that it may, if any.

    An agent tries what its state and all states around it list, in the order that
    `headway.decide.machine_states.Transition` tells, and makes the first of which all holds: the
    event, the guard, the time in the source, the least dwell of every state that would be left.
    All is judged at the end of the step: whoever entered a state k steps ago has been there for
    k·dt seconds.

    Parameters
    ----------
    machine : Machine
    memory : Memory
        From `begin` or the last step. It is not changed.
    view : mapping or object
        What guards look at. For guards that are names it has (N,) arrays of bool, or one bool for
        all, by those names, as keys or attributes; guards that are functions are given all of it.
    dt : float
        s, above zero.
    events : str or int or (N,) array_like of int, optional
        What happened to each agent: the number of an event (`Machine.event`), −1 for nothing; or
        the name of what happened to all.

    Returns
    -------
    Memory, Changes

    Raises
    ------
    InputError
        If a guard is missing or gives no bools, or there is no such event or state.

    Examples
    --------
    >>> from headway.decide.machine_states import Transition
    >>> door = Machine(
    ...     ["shut", "open"],
    ...     [Transition("shut", "open", event="knock"), Transition("open", "shut", after=0.3)],
    ... )
    >>> memory, _ = begin(door, 2)
    >>> memory, _ = step(door, memory, None, 0.1, events=[door.event("knock"), -1])
    >>> memory.state.tolist()
    [1, 0]
    >>> for _ in range(3):
    ...     memory, changes = step(door, memory, None, 0.1)
    >>> changes.trace()
    [(0, 'open', 'shut', 'after 0.3 s')]
    """
    instance("machine", machine, Machine)
    instance("memory", memory, Memory)
    tables, n = machine.tables, len(memory)
    dt = seconds("dt", dt)
    if memory.elapsed.shape != (n, tables.dwell.shape[1]) or (
        memory.previous.shape != (n, machine.history)
    ):
        raise InputError("the memory is that of another machine: make it with begin.")
    columns = np.empty((len(machine.guards), n), np.bool_)
    for i, guard in enumerate(machine.guards):
        columns[i] = guard_column(guard, view, n)
    happened = event_codes(machine, events, n)
    new = np.empty(n, np.int64), np.empty_like(memory.elapsed), np.empty_like(memory.previous)
    fired = np.empty(n, np.int64)
    bad = step_agents(
        memory.state, memory.elapsed, memory.previous, happened, columns, dt,
        tables.rows, tables.entries, tables.after, tables.dwell, tables.common,
        *new, fired,
    )  # fmt: skip
    if bad >= 0:
        state, event = memory.state[bad], happened[bad if len(happened) > 1 else 0]
        raise InputError(
            f"agent {bad} is in state {state} and met event {event}: give states from 0 to "
            f"{len(machine.names) - 1} and events from -1 to {len(machine.events) - 1}."
        )
    return Memory(*new), Changes(machine, memory.state, new[0], fired)


def act(changes: Changes, world: Any) -> None:
    """Call the actions of the states: each once for all agents concerned.

    First what agents left is told, parts before wholes, then what they entered, wholes before
    parts, then all that they are in now is updated, wholes before parts; within these, states come
    in order of definition.

    Parameters
    ----------
    changes : Changes
        From `step` or `begin`.
    world : object
        Handed to the actions.
    """
    instance("changes", changes, Changes)
    states, common = changes.machine.states, changes.machine.tables.common
    inwards = sorted(range(len(states)), key=lambda i: common[i, i])
    outwards = sorted(range(len(states)), key=lambda i: -common[i, i])
    for kind, order, which in (
        ("exit", outwards, changes.left),
        ("enter", inwards, changes.entered),
        ("update", inwards, changes.within),
    ):
        for i in order:
            _tell(getattr(states[i], kind), which, changes.machine.names[i], world)


def _tell(action: Any, which: Callable[[str], NDArray[np.bool_]], name: str, world: Any) -> None:
    if action is not None:
        who = np.flatnonzero(which(name))
        if len(who):
            action(world, who)
