"""State machines as pictures: the DOT language of Graphviz."""

from __future__ import annotations

from headway.decide.machine import Machine
from headway.decide.machine_states import ANY, PREVIOUS, Transition
from headway.geometry.options import instance


def to_dot(machine: Machine) -> str:
    """Write a machine as a graph that Graphviz can draw.

    Parameters
    ----------
    machine : Machine

    Returns
    -------
    str
        States with parts are boxes around them. A dot leads to where agents begin, and in each
        box one to the part that it starts with. The same machine always gives the same text.

    Raises
    ------
    InputError
        If it is no machine.

    References
    ----------
    Gansner and North, "An open graph visualization system and its applications to software
    engineering", Software: Practice and Experience 2000.

    Examples
    --------
    >>> print(to_dot(Machine(["off", "on"], [Transition("off", "on", event="press")])))
    digraph machine {
      compound=true;
      node [shape=box, style=rounded];
      s0 [label="off"];
      s1 [label="on"];
      start0 [shape=point];
      start0 -> s0;
      s0 -> s1 [label="press"];
    }
    """
    instance("machine", machine, Machine)
    lines = ["digraph machine {", "  compound=true;", "  node [shape=box, style=rounded];"]
    for i in range(len(machine.names)):
        if machine.tables.common[i, i] == 0:
            lines += _state(machine, i, "  ")
    for k, name in enumerate(machine.start or ()):
        lines += [f"  start{k} [shape=point];", f"  start{k} -> {_node(machine, name)};"]
    if any(t.source == ANY for t in machine.transitions):
        lines.append('  any [label="any state", shape=plaintext];')
    if any(t.target == PREVIOUS for t in machine.transitions):
        lines.append('  previous [label="previous state", shape=plaintext];')
    lines += [_edge(machine, transition) for transition in machine.transitions]
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\0", "") + '"'


def _state(machine: Machine, i: int, indent: str) -> list[str]:
    """A state; one with parts as a box, with a dot that stands for it and shows how it starts."""
    label = _quoted(machine.names[i])
    inside, common = machine.tables.inside, machine.tables.common
    level = common[i, i] + 1
    parts = [j for j in range(len(machine.names)) if inside[i, j] and common[j, j] == level]
    if not parts:
        return [f"{indent}s{i} [label={label}];"]
    lines = [f"{indent}subgraph cluster_{i} {{", f"{indent}  label={label};"]
    lines += [f"{indent}  s{i} [shape=point];", f"{indent}  s{i} -> s{machine.tables.leaf[i]};"]
    for part in parts:
        lines += _state(machine, part, indent + "  ")
    return [*lines, f"{indent}}}"]


def _node(machine: Machine, name: str) -> str:
    named = {ANY: "any", PREVIOUS: "previous"}
    return named.get(name) or f"s{machine.state(name)}"


def _edge(machine: Machine, transition: Transition) -> str:
    """An edge; one that holds in all parts of a box starts at its border."""
    tail, head = _node(machine, transition.source), _node(machine, transition.target)
    options = f"label={_quoted(transition.why)}"
    if tail.startswith("s"):
        i = machine.state(transition.source)
        options += f", ltail=cluster_{i}" if machine.tables.leaf[i] != i else ""
    return f"  {tail} -> {head} [{options}];"
