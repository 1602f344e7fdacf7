from __future__ import annotations

import re
from collections import Counter

from hypothesis import given
from made_machines import machines

from headway.decide.machine import Machine
from headway.decide.machine_dot import to_dot
from headway.decide.machine_states import ANY, PREVIOUS, State, Transition

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def edges(text: str) -> Counter[tuple[str, str]]:
    """Edges of a graph, whatever its labels say."""
    bare = QUOTED.sub('""', text)
    return Counter(re.findall(r"^ *(\w+) -> (\w+)[ ;]", bare, re.MULTILINE))


@given(machines())
def test_every_state_and_every_transition_is_drawn(machine: Machine) -> None:
    text = to_dot(machine)
    assert text == to_dot(machine)
    number = {name: f"s{i}" for i, name in enumerate(machine.names)}
    number |= {ANY: "any", PREVIOUS: "previous"}
    drawn = edges(text)
    for t in machine.transitions:
        drawn[number[t.source], number[t.target]] -= 1
    parents = {state.parent for state in machine.states} - {None}
    for k, name in enumerate(machine.start):
        drawn[f"start{k}", number[name]] -= 1
    inner = dict(drawn.elements())
    assert inner.keys() == {number[name] for name in parents}
    assert sum(drawn.values()) == len(parents)
    assert text.count("{") == text.count("}") == 1 + len(parents)
    assert text.count("subgraph") == len(parents)
    for state in machine.states:
        assert f'label="{state.name}"' in text


def test_parts_stand_in_the_box_of_their_whole() -> None:
    machine = Machine(
        [State("fight"), State("aim", "fight"), State("hold", "aim"), "rest"],
        [Transition("fight", "rest", "calm"), Transition("rest", PREVIOUS, after=1.5)],
    )
    assert to_dot(machine).splitlines() == [
        "digraph machine {",
        "  compound=true;",
        "  node [shape=box, style=rounded];",
        "  subgraph cluster_0 {",
        '    label="fight";',
        "    s0 [shape=point];",
        "    s0 -> s2;",
        "    subgraph cluster_1 {",
        '      label="aim";',
        "      s1 [shape=point];",
        "      s1 -> s2;",
        '      s2 [label="hold"];',
        "    }",
        "  }",
        '  s3 [label="rest"];',
        "  start0 [shape=point];",
        "  start0 -> s0;",
        '  previous [label="previous state", shape=plaintext];',
        '  s0 -> s3 [label="[calm]", ltail=cluster_0];',
        '  s3 -> previous [label="after 1.5 s"];',
        "}",
    ]


def test_names_cannot_break_out_of_their_quotes() -> None:
    names = ['"', "\\", 'a"]; evil -> b [label="', "two\nlines", "\\" + '"', "end\\"]
    machine = Machine(names, [], start=names)
    text = to_dot(machine)
    labels = [line for line in text.splitlines() if "label=" in line]
    assert len(labels) == len(names)
    for line, name in zip(labels, names, strict=True):
        (quoted,) = QUOTED.findall(line)
        assert re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], quoted[1:-1]) == name
    assert edges(text).keys() == {(f"start{i}", f"s{i}") for i in range(len(names))}
