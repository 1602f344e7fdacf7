from __future__ import annotations

import pytest

from headway.decide.machine import Machine
from headway.decide.machine_run import begin, step
from headway.decide.machine_states import ANY, PREVIOUS, State, Transition
from headway.errors import InputError

T = Transition


@pytest.mark.parametrize(
    ("states", "transitions", "options", "said"),
    [
        ([], [], {}, "0 states"),
        (["a", "a"], [], {}, "two states have the name 'a'"),
        ([""], [], {}, "has the name ''"),
        ([ANY], [], {}, "has the name '*'"),
        ([PREVIOUS], [], {}, "has the name 'previous'"),
        ([State("a", parent="b")], [], {}, "parent of state 'a' is 'b'"),
        ([State("a", parent="a")], [], {}, "lies within itself"),
        ([State("a", parent="b"), State("b", parent="a")], [], {}, "lies within itself"),
        ([State("a", start="b"), "b"], [T("a", "b", "x")], {}, "not its part"),
        ([State("a", start="a")], [], {}, "not its part"),
        ([State("a", min_dwell=-1.0)], [], {}, "min_dwell of state 'a' is -1.0"),
        ([State("a", min_dwell=float("nan"))], [], {}, "min_dwell of state 'a' is nan"),
        (["a"], [T("a", "nowhere", "x")], {}, "target of transition 0 is 'nowhere'"),
        (["a"], [T("nowhere", "a", "x")], {}, "source of transition 0 is 'nowhere'"),
        (["a", "b"], [T("a", "b", after=float("inf"))], {}, "after of transition 0 is inf"),
        (["a", "b"], [T("a", "b", when=3)], {}, "when of transition 0 is 3"),
        (["a", "b"], [T("a", "b", priority=0.5)], {}, "priority of transition 0 is 0.5"),
        (["a"], [], {"start": "c"}, "start is 'c'"),
        (["a"], [], {"history": -1}, "history is -1"),
        (["a"], [T("a", PREVIOUS, "x")], {"history": 0}, "give history of 1 or more"),
        ([3], [], {}, "state 0 is 3"),
        (["a"], ["b"], {}, "transition 0 is 'b'"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_machine_is_refused(states, transitions, options, said) -> None:
    with pytest.raises(InputError, match=said.replace("*", r"\*")):
        Machine(states, transitions, **options)


def test_a_state_that_nobody_can_reach_is_named() -> None:
    with pytest.raises(InputError, match="state 'lost' cannot be reached from 'a'"):
        Machine(["a", "b", "lost"], [T("a", "b", "x"), T("lost", "a", "x")])
    assert Machine(["a", "b"], [T("b", "a", "x")], start=["a", "b"]).names == ("a", "b")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (T("a", "b", "x"), T("a", "c", "x")),
        (T("a", "b"), T("a", "c", "x", event="e")),
        (T("a", "b", "x"), T("a", "c", "x", after=3.0)),
        (T("a", "b", after=2.0), T("a", "c", after=2.0)),
        (T("a", "b", event="e"), T("a", "c", "y", event="e")),
        (T("a", "b", "x", priority=1), T(ANY, "b", "x")),
    ],
)
def test_a_transition_that_another_always_forestalls_is_named(first, second) -> None:
    others = [T("a", "c", "never else"), T("b", "a", "x"), T("c", "a", "x")]
    if second.source == ANY:
        others.append(T("c", "b", "x", priority=1))
    with pytest.raises(InputError, match="can never happen"):
        Machine(["a", "b", "c"], [first, second, *others])


def test_a_transition_with_a_condition_of_its_own_is_kept() -> None:
    machine = Machine(
        ["a", "b", "c"],
        [T("a", "b", "x", after=3.0), T("a", "c", "x"), T("a", "c", event="e"), T("a", "b", "y")],
    )
    assert len(machine.transitions) == 4


def test_least_dwell_does_not_hide_what_goes_at_once() -> None:
    machine = Machine(
        [State("a", min_dwell=1.0), "b", "c"], [T("a", "b"), T("a", "c", "x", at_once=True)]
    )
    memory, _ = begin(machine)
    assert step(machine, memory, {"x": True}, 0.1)[0].state.tolist() == [2]


def test_unknown_names_are_told_apart() -> None:
    machine = Machine(["a", "b"], [T("a", "b", event="e")])
    assert (machine.state("b"), machine.event("e")) == (1, 0)
    with pytest.raises(InputError, match="state 'z' is unknown: give one of 'a', 'b'"):
        machine.state("z")
    with pytest.raises(InputError, match="event 'z' is unknown: give one of 'e'"):
        machine.event("z")


def test_equal_definitions_are_equal() -> None:
    assert Machine(["a"], []) == Machine((State("a"),), ())
    assert Machine(["a"], []) != Machine(["b"], [])


def test_a_machine_is_made_of_lists_of_its_parts() -> None:
    for parts, said in [
        ((None, []), "states are None"),
        (("ab", []), "states are 'ab'"),
        ((["a"], 3), "transitions are 3"),
        (([State(None)], []), "name None"),
    ]:
        with pytest.raises(InputError, match=said):
            Machine(*parts)
    with pytest.raises(InputError, match="start is 3"):
        Machine(["a"], [], 3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"event": 3}, "event of transition 1 is 3"),
        ({"source": None}, "source of transition 1 is None"),
        ({"target": []}, "target of transition 1"),
        ({"at_once": "yes"}, "at_once of transition 1"),
        ({"after": None}, "after of transition 1 is None"),
        ({"priority": "high"}, "priority of transition 1"),
        ({"when": 3}, "when of transition 1"),
    ],
)
def test_a_transition_is_made_of_names_and_numbers(change, said) -> None:
    with pytest.raises(InputError, match=said):
        Machine(["a", "b"], [T("a", "b"), T(**({"source": "b", "target": "a"} | change))])


@pytest.mark.parametrize("name", ["enter", "update", "exit"])
def test_actions_are_functions(name) -> None:
    with pytest.raises(InputError, match="an action of state 0 is 'run'"):
        Machine([State("a", **{name: "run"})], [])
