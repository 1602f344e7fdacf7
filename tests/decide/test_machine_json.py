from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_machines import machines

from headway.decide.machine import Machine
from headway.decide.machine_json import from_json, to_json
from headway.decide.machine_states import State, Transition
from headway.errors import InputError


@given(machines())
def test_a_machine_comes_back_as_it_was(machine: Machine) -> None:
    text = to_json(machine)
    again = from_json(text)
    assert again == machine
    assert to_json(again) == text


def near(view) -> bool:
    return view["near"]


def hide(world, who) -> None: ...


def test_functions_are_written_by_name_and_found_again() -> None:
    machine = Machine([State("out", exit=hide), "in"], [Transition("out", "in", near)])
    text = to_json(machine)
    assert from_json(text, {"near": near, "hide": hide}) == machine
    with pytest.raises(InputError, match="exit of state 0 is 'hide': give the function"):
        from_json(text)


def test_a_guard_that_is_not_given_is_a_column() -> None:
    machine = Machine([State("out"), "in"], [Transition("out", "in", near)])
    assert from_json(to_json(machine)).transitions[0].when == "near"


def test_a_function_without_a_name_cannot_be_written() -> None:
    machine = Machine(["out", "in"], [Transition("out", "in", lambda view: True)])
    with pytest.raises(InputError, match="function without a name"):
        to_json(machine)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cannot be read as JSON"),
        ("[" * 100_000, "cannot be read as JSON"),
        ("3", "the machine is 3"),
        ("{}", "states is None"),
        ('{"states": [], "more": 1}', "has 'more'"),
        ('{"states": [3]}', "state 0 is 3"),
        ('{"states": [{}]}', "state 0 has no 'name'"),
        ('{"states": [{"name": 3}]}', "name of state 0 is 3"),
        ('{"states": [{"name": "a", "min_dwell": "1"}]}', "min_dwell of state 0 is '1'"),
        ('{"states": [{"name": "a", "min_dwell": true}]}', "min_dwell of state 0 is True"),
        ('{"states": [{"name": "a", "min_dwell": 1e999}]}', "min_dwell of state 'a' is inf"),
        ('{"states": [{"name": "a", "age": 3}]}', "state 0 has 'age'"),
        ('{"states": [{"name": "a"}], "start": [3]}', "start is"),
        ('{"states": [{"name": "a"}], "start": 3}', "start is 3"),
        ('{"states": [{"name": "a"}], "history": "3"}', "history is '3'"),
        ('{"states": [{"name": "a"}], "transitions": {}}', "transitions is {}"),
        ('{"states": [{"name": "a"}], "transitions": [{}]}', "transition 0 has no 'source'"),
        (
            '{"states": [{"name": "a"}], "transitions": [{"source": "a", "target": "b"}]}',
            "target of transition 0 is 'b'",
        ),
    ],
)
def test_what_is_no_machine_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        from_json(text)


KEYS = ("states", "name", "transitions", "source", "target", "start", "history", "after", "when")
LEAVES = st.none() | st.booleans() | st.floats() | st.text()
ANY_JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=12,
)


@given(ANY_JSON)
def test_no_other_error_comes_from_any_json(value) -> None:
    with suppress(InputError):
        from_json(json.dumps(value))
