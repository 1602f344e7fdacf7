from __future__ import annotations

import gc
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_machines import DT, EVENTS, GUARDS, Agent, machines

from headway.decide.machine import Machine
from headway.decide.machine_run import Memory, act, begin, step
from headway.decide.machine_states import ANY, PREVIOUS, State, Transition
from headway.errors import InputError

T = Transition


@given(machines(), st.integers(0, 6), st.integers(0, 2**32 - 1))
def test_many_agents_do_what_each_would_alone(machine: Machine, n: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    first = [str(name) for name in chance.choice(machine.names, n)]
    agents = [Agent(machine, name) for name in first]
    memory, _ = begin(machine, n, first)
    alone = [begin(machine, 1, name)[0] for name in first]
    for _ in range(12):
        view = {name: chance.random(n) < 0.5 for name in GUARDS}
        events = chance.integers(-1, len(machine.events), n)
        memory, changes = step(machine, memory, view, DT, events)
        for i, agent in enumerate(agents):
            said = {name: bool(view[name][i]) for name in GUARDS}
            code = int(events[i])
            event = None if code < 0 else machine.events[code]
            fired, left, entered = agent.step(said, event)
            one = step(machine, alone[i], said, DT, event)
            alone[i] = one[0]
            pile = [machine.names[s] for s in memory.previous[i] if s >= 0]
            times = [agent.since[s] for s in agent.path(agent.state)[::-1]]
            assert machine.names[memory.state[i]] == agent.state
            assert changes.fired[i] == one[1].fired[0] == fired
            assert pile == agent.came_from
            assert memory.elapsed[i].tolist()[: len(times)] == times
            assert not memory.elapsed[i, len(times) :].any()
            assert [s for s in machine.names if changes.left(s)[i]] == sorted(left)
            assert [s for s in machine.names if changes.entered(s)[i]] == sorted(entered)
            for name in ("state", "elapsed", "previous"):
                assert getattr(one[0], name).tolist() == [getattr(memory, name)[i].tolist()]


@given(machines(), st.permutations(range(5)))
def test_the_order_of_agents_does_not_matter(machine: Machine, order: list[int]) -> None:
    chance = np.random.default_rng(1)
    first = [str(name) for name in chance.choice(machine.names, 5)]
    memory, _ = begin(machine, 5, first)
    other, _ = begin(machine, 5, [first[i] for i in order])
    for _ in range(8):
        view = {name: chance.random(5) < 0.5 for name in GUARDS}
        events = chance.integers(-1, len(machine.events), 5)
        memory, _ = step(machine, memory, view, DT, events)
        mixed = {name: view[name][order] for name in GUARDS}
        other, _ = step(machine, other, mixed, DT, events[order])
        assert other.state.tolist() == memory.state[order].tolist()
        assert other.elapsed.tolist() == memory.elapsed[order].tolist()


def rabbit() -> Machine:
    return Machine(
        ["graze", "flee", State("return", min_dwell=0.5)],
        [
            T(ANY, "flee", when="predator_near", at_once=True),
            T("flee", "return", when="predator_far", after=2.0),
            T("return", "graze", when="home"),
            T("return", "graze", after=60.0),
        ],
    )


def test_the_rabbit_flees_and_returns_without_wavering() -> None:
    # The fox walks up to the rabbit and stops between the two distances, then leaves.
    fox = np.concatenate((np.linspace(30, 8, 100), np.full(400, 15.0), np.linspace(15, 40, 100)))
    machine, dt = rabbit(), 0.1
    memory, _ = begin(machine)
    told = []
    for i, distance in enumerate(fox):
        view = {"predator_near": distance < 10, "predator_far": distance > 20, "home": i > 590}
        memory, changes = step(machine, memory, view, dt)
        told += [(i, *move[1:3]) for move in changes.trace()]
    near = int(np.flatnonzero(fox < 10)[0])
    far = int(np.flatnonzero(fox[200:] > 20)[0]) + 200
    assert told == [(near, "graze", "flee"), (far, "flee", "return"), (591, "return", "graze")]


def test_a_timeout_comes_after_whole_steps_whatever_their_rounding() -> None:
    machine = Machine(["a", "b"], [T("a", "b", after=60.0)])
    for dt in (0.1, 0.02, 1 / 60, 1 / 3):
        memory, _ = begin(machine)
        steps = 0
        while memory.state[0] == 0:
            memory, _ = step(machine, memory, None, dt)
            steps += 1
        assert steps == round(60.0 / dt)


def test_a_predator_breaks_the_least_dwell_and_nothing_else_does() -> None:
    memory, _ = begin(rabbit(), 2, "return")
    view = {"predator_near": [False, True], "predator_far": False, "home": True}
    states = []
    for _ in range(5):
        memory, _ = step(rabbit(), memory, view, 0.1)
        states.append(memory.state.tolist())
    assert states == [[2, 1]] * 4 + [[0, 1]]


def test_an_event_that_a_part_does_not_handle_goes_to_its_parent() -> None:
    machine = Machine(
        [
            "idle",
            State("fight", start="shoot"),
            State("reload", parent="fight"),
            State("shoot", parent="fight"),
        ],
        [
            T("fight", "idle", event="whistle"),
            T("idle", "fight", event="bang"),
            T("shoot", "reload", event="empty"),
            T("reload", "shoot", event="whistle"),
        ],
    )
    memory, _ = begin(machine)
    seen = []
    for event in ("empty", "bang", "empty", "whistle", "whistle", "whistle"):
        memory, changes = step(machine, memory, None, DT, event)
        seen.append((machine.names[memory.state[0]], bool(changes.within("fight")[0])))
    assert seen == [
        ("idle", False), ("shoot", True), ("reload", True), ("shoot", True), ("idle", False),
        ("idle", False),
    ]  # fmt: skip


def test_after_a_fight_everyone_goes_back_to_what_they_did() -> None:
    machine = Machine(
        ["patrol", "rest", "fight"],
        [
            T(ANY, "fight", when="enemy"),
            T("fight", PREVIOUS, when="safe"),
            T("patrol", "rest", event="tired"),
        ],
    )
    memory, _ = begin(machine, 3, ["patrol", "rest", "fight"])
    memory, _ = step(machine, memory, {"enemy": True, "safe": False}, DT)
    assert memory.state.tolist() == [2, 2, 2]
    memory, _ = step(machine, memory, {"enemy": False, "safe": True}, DT)
    assert memory.state.tolist() == [0, 1, 2]  # the last one knows of nothing before
    assert memory.previous.tolist() == [[-1], [-1], [-1]]


def test_who_knows_of_no_previous_state_takes_what_comes_next() -> None:
    machine = Machine(
        ["patrol", "fight"],
        [
            T("patrol", "fight", "enemy"),
            T("fight", PREVIOUS, "safe"),
            T("fight", "patrol", "safe"),
        ],
    )
    memory, _ = begin(machine, 1, "fight")
    memory, changes = step(machine, memory, {"enemy": False, "safe": True}, DT)
    assert changes.fired.tolist() == [2]


def test_going_back_within_a_whole_does_not_leave_it() -> None:
    machine = Machine(
        [State("home", min_dwell=9.0), State("eat", "home"), State("sleep", "home")],
        [T("eat", "sleep", "dark"), T("sleep", PREVIOUS, "light")],
    )
    memory, _ = begin(machine)
    memory, _ = step(machine, memory, {"dark": True, "light": False}, DT)
    memory, changes = step(machine, memory, {"dark": False, "light": True}, DT)
    assert changes.trace() == [(0, "sleep", "eat", "[light]")]
    assert memory.elapsed.tolist() == [[2 * DT, 0.0]]


def test_time_in_a_part_is_not_time_in_the_whole() -> None:
    machine = Machine(
        ["out", State("home"), State("eat", "home"), State("sleep", "home")],
        [
            T("out", "home", event="rain"),
            T("eat", "sleep", after=1.0),
            T("sleep", "out", after=0.75),
            T("home", "out", after=1.5),
        ],
    )
    memory, _ = begin(machine, 1, "home")
    states = []
    for _ in range(6):
        memory, changes = step(machine, memory, None, DT)
        states.append(machine.names[memory.state[0]])
    assert states == ["eat"] * 3 + ["sleep"] * 2 + ["out"]
    assert changes.fired.tolist() == [3]


def test_no_agent_goes_further_than_one_transition_in_a_step() -> None:
    machine = Machine(["a", "b", "c"], [T("a", "b"), T("b", "c"), T("c", "a")])
    memory, _ = begin(machine)
    seen = []
    for _ in range(4):
        memory, _ = step(machine, memory, None, DT)
        seen.append(memory.state.item())
    assert seen == [1, 2, 0, 1]


def test_actions_are_called_once_for_all_concerned_from_parts_to_wholes_and_back() -> None:
    told = []

    def tell(kind: str, name: str):
        return lambda world, who: told.append((world, kind, name, who.tolist()))

    def state(name: str, **more) -> State:
        calls = {kind: tell(kind, name) for kind in ("enter", "update", "exit")}
        return State(name, **calls, **more)

    machine = Machine(
        [state("out"), state("in"), state("bed", parent="in")],
        [T("out", "in", "cold"), T("in", "out", "warm")],
    )
    memory, changes = begin(machine, 3, ["out", "in", "out"])
    act(changes, "w")
    assert told == [
        ("w", "enter", "out", [0, 2]), ("w", "enter", "in", [1]), ("w", "enter", "bed", [1]),
        ("w", "update", "out", [0, 2]), ("w", "update", "in", [1]), ("w", "update", "bed", [1]),
    ]  # fmt: skip
    told.clear()
    memory, changes = step(machine, memory, {"cold": [True, False, True], "warm": True}, DT)
    act(changes, "w")
    assert told == [
        ("w", "exit", "bed", [1]), ("w", "exit", "out", [0, 2]), ("w", "exit", "in", [1]),
        ("w", "enter", "out", [1]), ("w", "enter", "in", [0, 2]), ("w", "enter", "bed", [0, 2]),
        ("w", "update", "out", [1]), ("w", "update", "in", [0, 2]), ("w", "update", "bed", [0, 2]),
    ]  # fmt: skip


def test_guards_may_be_functions_of_the_view_and_columns_its_attributes() -> None:
    def hungry(view) -> np.ndarray:
        return view.food < 1.0

    machine = Machine(["rest", "eat"], [T("rest", "eat", hungry), T("eat", "rest", "alarm")])
    memory, _ = begin(machine, 2)
    view = SimpleNamespace(food=np.array([0.0, 2.0]), alarm=np.array([True, True]))
    memory, changes = step(machine, memory, view, DT)
    assert memory.state.tolist() == [1, 0]
    assert changes.trace() == [(0, "rest", "eat", "[hungry]")]


def test_a_step_changes_nothing_that_it_is_given() -> None:
    machine = rabbit()
    memory, _ = begin(machine, 4)
    before = [memory.state.copy(), memory.elapsed.copy(), memory.previous.copy()]
    step(machine, memory, {"predator_near": True, "predator_far": True, "home": True}, DT)
    for old, now in zip(before, (memory.state, memory.elapsed, memory.previous), strict=True):
        assert old.tolist() == now.tolist()


def test_transitions_434_a_hundred_thousand_machines_are_arrays_and_no_objects() -> None:
    """Report: a hundred thousand machines of pytransitions took half a minute to build."""
    machine = rabbit()
    view = {"predator_near": False, "predator_far": False, "home": False}

    def objects(n: int) -> int:
        gc.collect()
        before = len(gc.get_objects())
        memory, _ = begin(machine, n)
        made = step(machine, memory, view, DT)
        after = len(gc.get_objects())
        assert len(made[0]) == n
        return after - before

    objects(1)  # whatever is made only once
    assert objects(100_000) == objects(1)
    memory, _ = begin(machine, 100_000)
    total = memory.state.nbytes + memory.elapsed.nbytes + memory.previous.nbytes
    assert total == 100_000 * 3 * 8


def test_nobody_and_nothing_are_fine() -> None:
    memory, _ = begin(rabbit(), 0)
    view = {"predator_near": True, "predator_far": True, "home": True}
    memory, changes = step(rabbit(), memory, view, DT, [])
    assert len(memory) == 0
    assert changes.trace() == []


@pytest.mark.parametrize(
    ("view", "dt", "events", "said"),
    [
        (None, 0.1, None, "no 'x'"),
        ({}, 0.1, None, "no 'x'"),
        (SimpleNamespace(), 0.1, None, "no 'x'"),
        ({"x": [1.0, 0.0]}, 0.1, None, "'x' gave float64"),
        ({"x": [True]}, 0.1, None, r"\(2,\) of them"),
        ({"x": True}, 0.0, None, "dt is 0.0"),
        ({"x": True}, float("nan"), None, "dt is nan"),
        ({"x": True}, 0.1, "f", "event 'f' is unknown"),
        ({"x": True}, 0.1, [0], r"shape \(1,\)"),
        ({"x": True}, 0.1, [0.0, 1.0], "float64"),
        ({"x": True}, 0.1, [0, 1], "agent 1 is in state 0 and met event 1"),
        ({"x": True}, 0.1, [-2, 0], "agent 0 is in state 0 and met event -2"),
    ],
)
def test_what_cannot_be_judged_is_refused(view, dt, events, said) -> None:
    machine = Machine(["a", "b"], [T("a", "b", "x", event="e")])
    memory, _ = begin(machine, 2)
    with pytest.raises(InputError, match=said):
        step(machine, memory, view, dt, events)


def test_a_memory_of_something_else_is_refused() -> None:
    machine = Machine(["a", "b"], [T("a", "b", event="e")])
    memory, _ = begin(machine, 2)
    with pytest.raises(InputError, match="another machine"):
        step(machine, Memory(memory.state[:1], memory.elapsed, memory.previous), None, DT)
    odd = Memory(np.array([0, 7]), memory.elapsed, memory.previous)
    with pytest.raises(InputError, match="agent 1 is in state 7"):
        step(machine, odd, None, DT)


@pytest.mark.parametrize(
    ("agents", "state", "said"),
    [
        (-1, None, "agents is -1"),
        (1.5, None, "agents is 1.5"),
        (2, "c", "state 'c' is unknown"),
        (2, ["a"], "1 names for 2 agents"),
    ],
)
def test_beginnings_that_cannot_be_are_refused(agents, state, said) -> None:
    with pytest.raises(InputError, match=said):
        begin(Machine(["a"], []), agents, state)


def test_events_are_known_by_the_order_in_which_transitions_ask_for_them() -> None:
    machine = Machine(["a", "b"], [T("a", "b", event=EVENTS[1]), T("b", "a", event=EVENTS[0])])
    assert machine.events == (EVENTS[1], EVENTS[0])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda machine, memory: begin(None), "machine is None"),
        (lambda machine, memory: begin(machine, 2, 3), "state is 3"),
        (lambda machine, memory: begin(machine, 2, [1, 2]), "state is 1"),
        (lambda machine, memory: begin(machine, None), "agents is None"),
        (lambda machine, memory: step(None, memory, {"g": True}, 0.1), "machine is None"),
        (lambda machine, memory: step(machine, None, {"g": True}, 0.1), "memory is None"),
        (lambda machine, memory: step(machine, memory, {"g": True}, None), "dt is None"),
        (lambda machine, memory: step(machine, memory, {"g": [[True], []]}, 0.1), "guard 'g'"),
        (lambda machine, memory: step(machine, memory, {"g": True}, 0.1, [[1], []]), "events"),
        (lambda machine, memory: act(None, None), "changes is None"),
    ],
)
def test_what_is_of_another_kind_is_refused_at_once(wrong, said) -> None:
    machine = Machine(["a", "b"], [T("a", "b", when="g")])
    memory, _ = begin(machine, 2)
    with pytest.raises(InputError, match=said):
        wrong(machine, memory)
