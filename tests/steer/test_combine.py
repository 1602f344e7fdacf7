"""Ways to combine behaviours, against what each of them promises."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.behaviours import traced
from headway.steer.combine import Budget, Dither, Priority, Sum
from headway.world.agents import Agents


def crowd(n=50, d=2, seed=0, **kwargs):
    rng = np.random.default_rng(seed)
    limits = {"max_force": rng.uniform(0.0, 3.0, n)} | kwargs
    return Agents.at(rng.normal(size=(n, d)), rng.normal(size=(n, d)), seed=seed, **limits)


def push(seed, scale=1.0):
    """A behaviour with a force of its own for each agent, by its id."""

    def behaviour(agents):
        rng = np.random.default_rng(seed)
        return scale * rng.normal(size=(10_000, agents.d))[agents.id]

    return behaviour


def size(vectors):
    return np.linalg.norm(vectors, axis=-1)


COMBINED = {
    "sum": Sum({"a": (push(1), 2.0), "b": push(2)}),
    "budget": Budget({"a": push(1), "b": (push(2), 0.5)}),
    "priority": Priority({"a": push(1, 1e-3), "b": push(2)}),
    "dither": Dither({"a": (push(1), 0.3), "b": (push(2), 0.9)}),
    "nested": Budget({"a": Sum({"x": push(3), "y": push(4)}), "b": Dither({"z": (push(5), 0.5)})}),
}


@pytest.mark.parametrize("name", COMBINED)
@given(n=st.integers(0, 40), d=st.sampled_from((2, 3)), seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_no_combination_is_stronger_than_the_body_and_order_does_not_matter(name, n, d, seed):
    agents, combined = crowd(n, d, seed), COMBINED[name]
    force = combined(agents)
    assert force.shape == agents.position.shape
    assert (size(force) <= agents.max_force * (1.0 + 1e-12)).all()
    order = np.random.default_rng(seed).permutation(n)
    np.testing.assert_array_equal(combined(agents.take(order)), force[order])
    for i in range(min(n, 3)):
        np.testing.assert_array_equal(combined(agents.take(np.array([i])))[0], force[i])
    np.testing.assert_array_equal(traced(combined, agents).force, force)


def test_sum_adds_with_weights_until_the_limit():
    agents = crowd(200, max_force=1e9)
    np.testing.assert_allclose(
        COMBINED["sum"](agents), 2.0 * push(1)(agents) + push(2)(agents), rtol=1e-14
    )
    short = agents.where(max_force=np.full(200, 0.5))
    whole = 2.0 * push(1)(agents) + push(2)(agents)
    np.testing.assert_allclose(size(COMBINED["sum"](short)), np.minimum(size(whole), 0.5))
    assert (size(whole) > 0.5).any()


def test_budget_serves_the_first_in_full_and_the_last_with_what_is_left():
    agents = Agents.at(np.zeros((1, 2)), max_force=5.0)
    first, second = np.array([(3.0, 0.0)]), np.array([(0.0, 7.0)])
    both = Budget({"first": lambda a: first, "second": lambda a: second})
    np.testing.assert_allclose(both(agents), [(3.0, 2.0)])
    asked = Budget({"first": lambda a: 2.0 * first, "second": lambda a: second})
    np.testing.assert_allclose(asked(agents), [(5.0, 0.0)])


def test_priority_takes_the_first_part_that_says_something():
    agents = Agents.at(np.zeros((3, 2)), max_force=9.0)
    one = np.array([(1e-4, 0.0), (2.0, 0.0), (0.0, 0.0)])
    two = np.array([(1.0, 1.0), (5.0, 5.0), (1e-9, 0.0)])
    combined = Priority({"one": lambda a: one, "two": lambda a: two})
    trace = traced(combined, agents)
    assert trace.chosen.tolist() == [1, 0, -1]
    assert trace.force.tolist() == [[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]]


def test_priority_does_not_ask_parts_that_nobody_needs():
    def never(agents):
        raise AssertionError("asked")

    agents = Agents.at(np.zeros((2, 2)), max_force=9.0)
    combined = Priority({"first": lambda a: np.ones((2, 2)), "never": never})
    assert combined(agents).tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_dither_is_right_on_average_and_differs_by_tick():
    agents = Agents.at(np.zeros((20_000, 2)), max_force=1e9, seed=4)
    east, north = np.tile((1.0, 0.0), (20_000, 1)), np.tile((0.0, 1.0), (20_000, 1))
    combined = Dither({"east": (lambda a: east, 0.25), "north": (lambda a: north, 0.5)})
    force = combined(agents)
    assert np.isin(force[:, 0], (0.0, 4.0)).all()
    assert np.isin(force[:, 1], (0.0, 2.0)).all()
    assert abs(force[:, 0].mean() - 1.0) < 0.06
    assert abs((force[:, 1] > 0).mean() - 0.75 * 0.5) < 0.02
    assert (combined(agents.where(tick=1)) != force).any()
    np.testing.assert_array_equal(combined(agents), force)


def test_trace_shows_what_each_part_said():
    agents = crowd(5)
    trace = traced(COMBINED["nested"], agents)
    np.testing.assert_array_equal(trace.parts["a"].parts["x"].force, push(3)(agents))
    assert set(trace.parts["b"].parts) == {"z"}
    assert trace.parts["b"].chosen.shape == (5,)


def test_misuse_is_named():
    agents = crowd(3)
    with pytest.raises(InputError, match="few returned shape"):
        Sum({"few": lambda a: np.zeros((2, 2))})(agents)
    with pytest.raises(InputError, match=r"lost returned \[nan nan\] for agent 0"):
        Budget({"lost": lambda a: np.full((3, 2), np.nan)})(agents)
    with pytest.raises(InputError, match="seek is 3"):
        Sum({"seek": 3})
    with pytest.raises(InputError, match="weight of seek is nan"):
        Sum({"seek": (push(1), np.nan)})
    with pytest.raises(InputError, match="probability of seek is 0"):
        Dither({"seek": (push(1), 0.0)})
    with pytest.raises(InputError, match="least"):
        Priority({"seek": push(1)}, least=-1.0)


def yuka_parts(order):
    """The behaviours of a case: each changes the velocity, taken for a force as Yuka does."""
    from headway.steer.classic_arrival import arrive_in
    from headway.steer.seek import flee, seek

    parts = {}
    for place, step in enumerate(order):
        (kind,) = set(step) - {"weight"}
        given, weight = step[kind], step["weight"]
        target = np.array(given["target"])
        if kind == "seek":

            def behaviour(a, target=target):
                return seek(a.position, a.velocity, target, a.max_speed)
        elif kind == "flee":

            def behaviour(a, target=target, given=given):
                far = given["panic_distance"]
                return flee(a.position, a.velocity, target, a.max_speed, panic_distance=far)
        elif kind == "arrive":

            def behaviour(a, target=target, given=given):
                time, near = given["deceleration_time"], given["tolerance"]
                return arrive_in(a.position, a.velocity, target, a.max_speed, time, tolerance=near)
        else:
            raise AssertionError(f"no behaviour for {kind}")
        parts[f"{place} {kind}"] = (behaviour, weight)
    return parts


def test_budget_equals_the_running_sum_of_yuka(data_folder: Path):
    cases = [
        case
        for file in sorted((data_folder / "steering").glob("*.json"))
        for case in json.loads(file.read_text()).get("weighted_prioritised_running_sum", ())
    ]
    if not cases:
        pytest.skip("no cases of weighted_prioritised_running_sum in HEADWAY_DATA/steering")
    for case in cases:
        given = case["agent"]
        agents = Agents.at(
            [given["position"]], [given["velocity"]], max_speed=given["max_speed"],
            max_force=given["max_force"],
        )  # fmt: skip
        force = Budget(yuka_parts(case["order"]))(agents)[0]
        expected = np.array(case["force"])
        assert size(force - expected) <= 1e-9 * max(size(expected), 1e-3)


def test_dither_differs_by_seed():
    def north(agents):
        return np.tile((0.0, 1.0), (len(agents), 1))

    agents = Agents.at(np.zeros((200, 2)), max_force=9.0)
    half = Dither({"north": (north, 0.5)})
    assert (half(agents) != half(agents.where(seed=1))).any()


def test_what_cannot_be_a_part_is_named():
    agents = Agents.at([(0.0, 0.0)])
    still = np.zeros_like

    def push(agents):
        return still(agents.position)

    for part in ((push, "much"), (push, 1.0, 2.0)):
        with pytest.raises(InputError, match="push"):
            Sum({"push": part})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="push"):
        Sum({"push": lambda agents: "north"})(agents)
