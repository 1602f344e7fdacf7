"""What each bundled scenario promises, as an outcome of its run."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.spatial import cKDTree

from headway.errors import InputError
from headway.sim.flocks import SCENARIOS, avoid, crossing, docking, predators, rabbits, scenario
from headway.sim.group_run import run_group

CHANCE = sorted(set(SCENARIOS) - {"seek"})


@cache
def ran(name, seed=0):
    return run_group(scenario(name, seed), every=5)


def outside(stage, points):
    """How far points are off the stage, m."""
    return max((stage.low - points).max(), (points - stage.high).max(), 0.0)


@pytest.mark.parametrize("name", SCENARIOS)
def test_nobody_leaves_the_stage_or_is_faster_than_allowed(name):
    run = ran(name)
    assert outside(run.scenario.stage, run.position[..., :2]) == 0.0
    speed = np.linalg.norm(run.velocity, axis=2)
    assert (speed <= run.scenario.agents.max_speed * (1.0 + 1e-9)).all()
    np.testing.assert_allclose(np.linalg.norm(run.forward, axis=2), 1.0, atol=1e-9)


@pytest.mark.parametrize("name", SCENARIOS)
def test_numbers_and_labels_fit_the_run(name):
    run = ran(name)
    assert run.numbers
    assert all(isinstance(value, (int, float, str)) for value in run.numbers.values())
    assert run.scenario.agents.team.max() < len(run.scenario.teams)
    assert run.state.max() < max(len(run.scenario.states), 1)
    assert 10.0 <= run.scenario.seconds <= 60.0


@pytest.mark.parametrize("seed", [2**70, 0.5, "x", None])
def test_seeds_are_whole_numbers_of_64_bits(seed):
    with pytest.raises(InputError, match="seed is"):
        scenario("boids", seed)


@pytest.mark.parametrize("name", CHANCE)
def test_the_seed_decides_and_nothing_else(name):
    first, again, other = (scenario(name, seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.agents.position, again.agents.position)
    assert not np.array_equal(first.agents.position, other.agents.position)


def test_a_flock_forms_out_of_disorder():
    run = ran("boids")
    agree = []
    for position, forward in zip(run.position, run.forward, strict=True):
        nearest = cKDTree(position).query(position, 2)[1][:, 1]
        agree.append((forward * forward[nearest]).sum(axis=1).mean())
    assert agree[0] < 0.2
    assert agree[-1] > 0.7


def test_seek_passes_its_target_and_arrive_stops_at_it():
    words = ran("seek").numbers
    assert words["times seek passed the target"] > 2
    assert words["overshoot of seek, m"] > 0.05
    assert words["overshoot of arrive, m"] < 1e-12
    assert words["distance of arrive from the target at the end, m"] < 1e-9


@pytest.mark.parametrize("seed", [0, 1])
def test_who_avoids_by_the_lateral_rule_arrives_and_nobody_touches(seed):
    run = ran("avoid", seed)
    team = run.scenario.agents.team
    left = np.linalg.norm(run.position[-1] - avoid.PLACES, axis=1)
    assert (left[team == 0] < avoid.THERE).all()
    gap = avoid.OBSTACLES.nearest(run.position.reshape(-1, 2)).distance
    assert gap.min() >= avoid.RADIUS
    assert run.numbers["least gap to an obstacle, lateral rule, m"] >= 0.5 * avoid.MARGIN


def test_the_normal_rule_can_get_stuck_where_the_lateral_rule_does_not():
    run = ran("avoid")
    left = np.linalg.norm(run.position[-1] - avoid.PLACES, axis=1)[run.scenario.agents.team == 1]
    assert left.min() < avoid.THERE < 1.0 < left.max()


@pytest.mark.parametrize("seed", [0, 1])
def test_who_is_caught_was_chased_and_stays_where_it_fell(seed):
    run = ran("predators", seed)
    hunters, alive = predators.HUNTERS, run.alive
    assert alive[:, :hunters].all()
    dead = int((~alive[-1]).sum())
    assert dead == run.memory.catches
    assert 1 <= dead <= run.memory.chases
    assert not (alive[1:] & ~alive[:-1]).any()
    fallen = ~alive[:-1] & ~alive[1:]
    moved = np.linalg.norm(np.diff(run.position, axis=0), axis=2)
    assert (moved[fallen] == 0.0).all()


@pytest.mark.parametrize("seed", [0, 1])
def test_nobody_runs_through_a_tree(seed):
    run = ran("predators", seed)
    gap = predators.WOOD.nearest(run.position.reshape(-1, 2)).distance
    assert gap.reshape(run.alive.shape)[run.alive].min() > 0.0


def test_predators_and_prey_do_all_that_they_can_do():
    run = ran("predators")
    seen = {run.scenario.states[state] for state in np.unique(run.state)}
    assert seen == set(run.scenario.states)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_crowds_cross_without_touching_anybody_or_anything(seed):
    run = ran("crossing", seed)
    plan = run.memory
    assert plan.overlap <= 1e-3 * crossing.RADIUS
    for position in run.position:
        assert cKDTree(position).query(position, 2)[0][:, 1].min() >= 1.998 * crossing.RADIUS
    gap = crossing.SOLID.nearest(run.position.reshape(-1, 2)).distance
    assert gap.min() >= 0.999 * crossing.RADIUS
    there = np.isfinite(plan.arrival)
    assert there.mean() > 0.97
    straight = np.linalg.norm(plan.goal - run.position[0], axis=1) / crossing.PACE
    assert plan.arrival[there].mean() < 1.5 * straight.mean()
    assert (plan.arrival > 0.9 * straight).all()


@pytest.mark.parametrize("seed", [0, 1])
def test_the_convoy_forms_up_on_the_way_and_rests_at_the_goal(seed):
    run = ran("convoy", seed)
    words = run.numbers
    assert words["leader's deviation from its path, greatest, m"] < 0.2
    assert words["the same from 5 s after each change, m"] < 0.3
    assert words["distance from slots at the end, greatest, m"] < 1e-3
    assert np.linalg.norm(run.velocity[-1], axis=1).max() < 1e-6
    formations = run.state[:, 1]
    assert (np.diff(formations) >= 0).all()
    assert set(formations) == {0, 1, 2}
    assert (run.state[:, 0] == -1).all()
    near = cKDTree(run.position[-1]).query(run.position[-1], 2)[0][:, 1]
    assert near.min() > 1.0  # bodies of half a metre do not touch


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_craft_docks_at_its_port_at_rest(seed):
    run = ran("docking", seed)
    left = np.linalg.norm(run.position[-1] - docking.PORTS, axis=1)
    assert left.max() <= 0.1
    assert np.linalg.norm(run.velocity[-1], axis=1).max() <= 0.05
    assert (run.state[-1] == docking.STATES.index("docked")).all()
    assert np.ptp(run.position[..., 2]) > 5.0  # in space, not in a plane
    middle = np.linalg.norm(run.position[..., :2], axis=2)
    assert middle.min() >= docking.RING - 0.1  # nobody flies through the station
    assert outside(run.scenario.stage, run.position[..., :2]) == 0.0


def test_a_craft_turns_its_back_to_where_it_goes_before_it_brakes():
    run = ran("docking")
    brakes = run.state == docking.STATES.index("brake")
    burns = run.state == docking.STATES.index("burn")
    to_port = docking.PORTS - run.position
    ahead = (run.forward * to_port).sum(axis=2) / np.linalg.norm(to_port, axis=2).clip(1e-9)
    assert brakes.any(axis=0).all()
    assert burns.any(axis=0).all()
    assert ahead[brakes].mean() < -0.9


@pytest.mark.parametrize("seed", [0, 3])
def test_rabbits_graze_flee_and_come_home(seed):
    run = ran("rabbits", seed)
    words = run.numbers
    shares = [words[f"time that rabbits {name}, %"] for name in ("graze", "flee", "return")]
    assert sum(shares) == pytest.approx(100.0)
    assert shares[0] > 60.0
    assert min(shares) > 1.0
    assert words["flights"] > 50
    assert words["distance from home, mean, m"] < rabbits.GRAZING
    assert words["rabbits caught"] == int((~run.alive[-1]).sum()) <= run.memory.chases


def test_a_rabbit_near_the_fox_flees():
    run = ran("rabbits")
    fear = np.linalg.norm(run.position[:, :-1] - run.position[:, -1:], axis=2)
    alive, flees = run.alive[:, :-1], run.state[:, :-1] == rabbits.FLEE
    assert flees[(fear < 6.0) & alive].all()
    assert not flees[fear > 40.0].any()
