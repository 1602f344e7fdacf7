"""Running groups: samples, determinism, and bodies that are lost."""

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
