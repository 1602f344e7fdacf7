"""Machines made at random, and a plain interpreter of machines for one agent at a time.

The interpreter is written from what the documentation says, with names and dictionaries, and
shares nothing with the tables that it is compared with.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from headway.decide.machine import Machine
from headway.decide.machine_states import ANY, PREVIOUS, State, Transition
from headway.errors import InputError

GUARDS = ("hungry", "afraid", "tired")
EVENTS = ("bang", "whistle")
DT = 0.25


class Agent:
    """One agent of a machine, which tells what it left and entered."""

    def __init__(self, machine: Machine, state: str):
        self.states = {s.name: s for s in machine.states}
        self.transitions = list(machine.transitions)
        self.history = machine.history
        self.state = self.initial(state)
        self.since = dict.fromkeys(self.path(self.state), 0.0)
        self.came_from: list[str] = []

    def path(self, state: str) -> list[str]:
        """From a state outwards."""
        found: list[str] = []
        name: str | None = state
        while name is not None:
            found.append(name)
            name = self.states[name].parent
        return found

    def initial(self, state: str) -> str:
        parts = [s.name for s in self.states.values() if s.parent == state]
        return self.initial(self.states[state].start or parts[0]) if parts else state

    def step(self, guards: dict[str, bool], event: str | None) -> tuple[int, list[str], list[str]]:
        path = self.path(self.state)

        def order(i: int) -> tuple[int, int, int]:
            t = self.transitions[i]
            return -t.priority, len(path) if t.source == ANY else path.index(t.source), i

        known = [i for i, t in enumerate(self.transitions) if t.source in (ANY, *path)]
        for i in sorted(known, key=order):
            t = self.transitions[i]
            back = t.target == PREVIOUS
            again = t.source == t.target
            stayed = self.since[self.state if t.source == ANY else t.source] + DT
            if t.event not in (None, event) or (t.when is not None and not guards[t.when]):
                continue
            if stayed < t.after or (back and not self.came_from):
                continue
            if not back and not again and t.target in path:
                continue
            target = self.came_from[0] if back else self.initial(t.target)
            ahead = self.path(target)
            kept = [s for s in path if s in ahead]
            if again:
                kept = self.path(t.target)[1:]
            left = [s for s in path if s not in kept]
            if not t.at_once and any(self.since[s] + DT < self.states[s].min_dwell for s in left):
                continue
            entered = [s for s in ahead if s not in kept]
            if back:
                self.came_from.pop(0)
            elif target != self.state:
                self.came_from = [self.state, *self.came_from][: self.history]
            self.since = {s: self.since[s] + DT for s in kept} | dict.fromkeys(entered, 0.0)
            self.state = target
            return i, left, entered
        self.since = {s: self.since[s] + DT for s in path}
        return -1, [], []


def _accepted(states: list[State], transitions: list[Transition], history: int) -> Machine:
    """The machine of as many of the transitions as can all happen."""
    kept: list[Transition] = []
    names = [s.name for s in states]
    machine = Machine(states, [], names, history)
    for transition in transitions:
        try:
            machine = Machine(states, [*kept, transition], names, history)
        except InputError:
            continue
        kept.append(transition)
    return machine


@st.composite
def machines(draw: Any) -> Machine:
    """A machine of one to three levels."""
    count = draw(st.integers(1, 7))
    names = [f"s{i}" for i in range(count)]
    parents = [draw(st.sampled_from([None, *names[:i]])) if i else None for i in range(count)]
    states = []
    for name, parent in zip(names, parents, strict=True):
        parts = [n for n, p in zip(names, parents, strict=True) if p == name]
        start = draw(st.sampled_from([None, *parts])) if parts else None
        dwell = draw(st.sampled_from([0.0, 0.0, 0.5]))
        states.append(State(name, parent, start, min_dwell=dwell))
    transition = st.builds(
        Transition,
        source=st.sampled_from([ANY, *names, *names]),
        target=st.sampled_from([PREVIOUS, *names, *names]),
        when=st.sampled_from([None, *GUARDS]),
        event=st.sampled_from([None, *EVENTS]),
        after=st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0]),
        priority=st.integers(-1, 1),
        at_once=st.booleans(),
    )
    history = draw(st.integers(1, 3))
    return _accepted(states, draw(st.lists(transition, max_size=12)), history)
