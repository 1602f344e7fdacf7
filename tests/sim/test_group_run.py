"""Running groups: samples, determinism, and bodies that are lost."""

from dataclasses import replace

import numpy as np
import pytest

from headway.errors import HeadwayError, InputError
from headway.sim.group_run import Scenario, Stage, run_group
from headway.world.agents import Agents

STAGE = Stage(np.array((0.0, 0.0)), np.array((1.0, 1.0)))


def drifting(seconds=1.0, step=None, **kwargs):
    agents = Agents.at([(0.0, 0.0), (1.0, 0.0)], (0.5, 0.0), dt=0.02)

    def drift(agents, memory):
        return agents.where(position=agents.position + agents.dt * agents.velocity), memory + 1

    return Scenario("Drift", "Two drift.", agents, 0, step or drift, seconds, STAGE, **kwargs)


def test_samples_are_evenly_spaced_and_hold_start_and_end():
    run = run_group(drifting(), every=7)
    assert run.time[0] == 0.0
    assert run.time[-1] == pytest.approx(1.0)
    np.testing.assert_allclose(np.diff(run.time)[:-1], 0.14)
    np.testing.assert_allclose(run.position[:, 0, 0], 0.5 * run.time)
    assert run.memory == 50
    assert run.state.tolist() == [[-1, -1]] * len(run.time)


def test_equal_runs_have_equal_hashes_and_others_not():
    assert run_group(drifting()).state_hash == run_group(drifting()).state_hash
    assert run_group(drifting()).state_hash != run_group(drifting(seconds=0.5)).state_hash


def test_states_and_numbers_come_from_the_scenario():
    run = run_group(
        drifting(
            states=("rest", "drift"),
            state_of=lambda memory: np.full(2, memory > 10),
            numbers=lambda run: {"end, m": float(run.position[-1, 0, 0])},
        )
    )
    assert run.state[0].tolist() == [0, 0]
    assert run.state[-1].tolist() == [1, 1]
    assert run.numbers == {"end, m": pytest.approx(0.5)}


def test_a_body_that_is_lost_stops_the_run_and_is_named():
    def lose(agents, memory):
        gone = agents.position.copy()
        gone[1] = np.nan if agents.tick == 4 else 0.0
        return agents.where(position=gone), memory

    with pytest.raises(HeadwayError, match="Drift: agent 1 has no finite position after tick 5"):
        run_group(drifting(step=lose))
    with pytest.raises(InputError, match="every is 0"):
        run_group(drifting(), every=0)


def stepping(result):
    return run_group(drifting(step=lambda agents, memory: result(agents)))


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda a: (a.take([0]), 0), "Drift: a step returned agents of shape .* use `alive`"),
        (lambda a: (a.take([0, 1, 1]), 0), "number must stay"),
        (lambda a: None, "Drift: a step returned None: give agents and memory"),
        (lambda a: a, "give agents and memory"),
        (lambda a: (a, 0, 0), "give agents and memory"),
    ],
)
def test_a_step_returns_as_many_agents_and_a_memory(result, message):
    with pytest.raises(InputError, match=message):
        stepping(result)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seconds": np.nan}, "seconds is nan"),
        ({"seconds": -1.0}, "seconds is -1.0"),
        ({"seconds": np.inf}, "seconds is inf"),
        ({"agents": None}, "agents is None"),
        ({"stage": None}, "stage is None"),
        ({"step": None}, "step is None"),
        ({"state_of": 3}, "state_of is 3"),
        ({"teams": "birds"}, "teams is 'birds'"),
        ({"agents": Agents.at(np.zeros((2, 2)), team=(0, 5))}, "agent 1 is of team 5"),
        ({"agents": Agents.at(np.zeros((2, 2)), team=-1)}, "agent 0 is of team -1"),
    ],
)
def test_what_is_no_scenario_is_named(changes, message):
    with pytest.raises(InputError, match=message):
        replace(drifting(), **changes)


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (lambda memory: np.zeros(3, int), "shape"),
        (lambda memory: np.zeros(2), "whole number"),
        (lambda memory: np.full(2, 2), "places in `states`"),
    ],
)
def test_states_have_a_name_each(states, message):
    with pytest.raises(InputError, match=message):
        run_group(drifting(states=("rest", "drift"), state_of=states))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"high": (0.0, 0.0)}, "give low below high"),
        ({"low": (5.0, 0.0)}, "give low below high"),
        ({"low": None}, "low of the stage"),
        ({"high": (1.0, np.nan)}, "high of the stage"),
        ({"circles": [(1.0, 2.0)]}, "circle has shape"),
        ({"polygons": 3}, "polygons of the stage is 3"),
        ({"lines": [np.zeros((2, 4))]}, "line 0, point has shape"),
        ({"places": {"home": (1.0,)}}, "place 'home'"),
        ({"places": [(0.0, 0.0)]}, "places of the stage"),
    ],
)
def test_what_is_no_stage_is_named(changes, message):
    with pytest.raises(InputError, match=message):
        replace(STAGE, **changes)


def test_a_stage_may_be_given_by_tuples():
    stage = Stage((0, 0), (4, 2), lines=[[(0, 0), (1, 1)]], places={"home": (1, 1, 5)})
    assert stage.high.tolist() == [4.0, 2.0]
    assert stage.lines[0].shape == (2, 2)
    assert stage.places["home"].tolist() == [1.0, 1.0]
