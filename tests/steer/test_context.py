"""Context steering: directions chosen, not forces added."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.behaviours import traced
from headway.steer.combine import Sum
from headway.steer.context import Context, slots_on_circle, slots_on_sphere
from headway.steer.dangers import crowd_danger, obstacle_danger
from headway.steer.force import force_for
from headway.world.agents import Agents
from headway.world.hits import Hits


def constant(*force):
    return lambda agents: np.tile(force, (len(agents), 1)).astype(float)


def angle(a, b):
    return np.arccos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1.0, 1.0))


class Ball:
    """A ball as a surface: enough of one to be swept against."""

    def __init__(self, centre, radius):
        self.centre, self.radius = np.asarray(centre, float), radius

    def sweep(self, start, direction, radius, reach):
        offset = start - self.centre
        r = self.radius + radius
        b, c = (offset * direction).sum(axis=1), (offset**2).sum(axis=1) - r**2
        root = b * b - c
        t = np.where(root >= 0.0, -b - np.sqrt(np.maximum(root, 0.0)), np.inf)
        t = np.where(c <= 0.0, 0.0, np.where((t < 0.0) | (t > reach), np.inf, t))
        normal = offset + np.where(np.isfinite(t), t, 0.0)[:, None] * direction
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        normal[~np.isfinite(t)] = 0.0
        none = np.zeros(len(t))
        return Hits(t, start, normal, none.astype(int), none)


@pytest.mark.parametrize("count", [4, 24, 96, 160])
def test_slots_are_unit_vectors_evenly_spread(count):
    for slots in (slots_on_circle(count), slots_on_sphere(count)):
        np.testing.assert_allclose(np.linalg.norm(slots, axis=1), 1.0, rtol=1e-14)
        cosines = slots @ slots.T - 3.0 * np.eye(count)
        nearest = np.arccos(cosines.max(axis=1))
        assert nearest.max() < 1.8 * nearest.min()


@given(
    d=st.sampled_from((2, 3)),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=60, deadline=None)
def test_one_force_comes_out_as_it_went_in(d, seed):
    """Between slots the direction is found exactly, whatever way the agent looks."""
    rng = np.random.default_rng(seed)
    force, look = rng.normal(size=d), rng.normal(size=(1, d))
    agents = Agents.at(np.zeros((1, d)), rng.normal(size=d), forward=look, mass=2.0, max_force=1e9)
    np.testing.assert_allclose(Context({"go": constant(*force)})(agents)[0], force, atol=1e-9)


def test_never_above_the_largest_force_and_zero_without_interest():
    agents = Agents.at(np.zeros((3, 2)), max_force=(0.0, 0.5, 2.0))
    force = Context({"go": constant(3.0, 4.0)})(agents)
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), (0.0, 0.5, 2.0))
    trace = traced(Context({"none": constant(0.0, 0.0)}), agents)
    assert not trace.force.any()
    assert trace.chosen.tolist() == [-1, -1, -1]
    assert Context({"go": constant(3.0, 4.0)})(Agents.at(np.empty((0, 2)))).shape == (0, 2)


def test_forces_that_cancel_in_a_sum_do_not_paralyse():
    agents = Agents.at(np.zeros((1, 2)), max_force=9.0)
    parts = {"left": constant(0.0, 2.0), "right": constant(0.0, -2.0)}
    assert not Sum(parts)(agents).any()
    assert np.linalg.norm(Context(parts)(agents)) == pytest.approx(2.0)


@pytest.mark.parametrize("d", [2, 3])
def test_goes_around_what_is_in_the_way_as_near_to_the_goal_as_it_can(d):
    ball = Ball(np.eye(d)[0] * 5.0 + np.eye(d)[1] * 0.3, 1.0)
    agents = Agents.at(np.zeros((1, d)), radius=0.5, max_force=9.0)
    go = {"go": constant(*np.eye(d)[0] * 3.0)}
    force = Context(go, {"ball": obstacle_danger(ball, 0.2, 10.0)}, slots=200)(agents)[0]
    towards = ball.centre / np.linalg.norm(ball.centre)
    tangent = np.arcsin(1.7 / np.linalg.norm(ball.centre))
    assert tangent - 0.1 < angle(force, towards) < tangent + 0.25
    assert force[1] < 0.0  # the shorter way
    free = Context(go, {"ball": obstacle_danger(ball, 0.2, 2.0)})(agents)[0]
    np.testing.assert_allclose(free, np.eye(d)[0] * 3.0, atol=1e-9)


def test_an_agent_in_touch_gets_away():
    agents = Agents.at([(0.0, 0.0)], radius=0.5, max_force=9.0)
    ball = Ball((1.0, 0.0), 1.0)
    danger = {"ball": obstacle_danger(ball, 0.0, 3.0)}
    into = Context({"go": constant(2.0, 1.0)}, danger)(agents)[0]
    assert into[0] <= 1e-9
    assert into[1] > 0.5


@given(n=st.integers(1, 12), d=st.sampled_from((2, 3)), seed=st.integers(0, 999))
@settings(max_examples=30, deadline=None)
def test_danger_of_a_crowd_is_when_bodies_first_touch(n, d, seed):
    """Against small steps of time."""
    rng = np.random.default_rng(seed)
    agents = Agents.at(
        rng.uniform(-4, 4, (n, d)), rng.normal(size=(n, d)), radius=rng.uniform(0.1, 0.6, n),
        max_speed=rng.uniform(0.5, 3.0, n),
    )  # fmt: skip
    directions = rng.normal(size=(n, 5, d))
    directions /= np.linalg.norm(directions, axis=2, keepdims=True)
    found = crowd_danger(0.1, 2.0)(agents, directions)
    times = np.linspace(0.0, 2.0, 4001)
    for i in range(n):
        for m in range(5):
            own = directions[i, m] * agents.max_speed[i]
            soonest = 2.0
            for j in set(range(n)) - {i}:
                offset = agents.position[j] - agents.position[i]
                way = offset + times[:, None] * (agents.velocity[j] - own)
                gap = np.linalg.norm(way, axis=1) - agents.radius[i] - agents.radius[j] - 0.1
                touching = (gap[:-1] <= 0.0) & (np.diff(gap) < 0.0)
                if touching.any():
                    soonest = min(soonest, times[np.argmax(touching)])
            assert found[i, m] == pytest.approx(1.0 - soonest / 2.0, abs=2e-3)


def test_a_crowd_is_evaded_and_not_stopped_by():
    """Head-on, both with context steering: they pass without touching."""
    agents = Agents.at(
        [(0.0, 0.0), (8.0, 0.02)], [(1.0, 0.0), (-1.0, 0.0)], radius=0.4, max_speed=1.0,
        max_force=4.0, dt=0.05,
    )  # fmt: skip
    goal = np.array([(8.0, 0.0), (0.0, 0.0)])

    def go(a):
        way = goal - a.position
        wanted = way / np.linalg.norm(way, axis=1, keepdims=True)
        return force_for(wanted - a.velocity, a.mass, a.max_force, 0.1)

    steer = Context({"go": go}, {"crowd": crowd_danger(0.2, 4.0)}, slots=36)
    nearest = np.inf
    for _ in range(200):
        velocity = agents.velocity + agents.dt * steer(agents)
        velocity /= np.maximum(np.linalg.norm(velocity, axis=1, keepdims=True), 1.0)
        agents = agents.where(
            position=agents.position + agents.dt * velocity, velocity=velocity,
            forward=velocity / np.maximum(np.linalg.norm(velocity, axis=1, keepdims=True), 1e-9),
        )  # fmt: skip
        nearest = min(nearest, float(np.linalg.norm(agents.position[0] - agents.position[1])))
    assert nearest > 0.8
    assert (np.sign(agents.position[:, 0] - 4.0) == (1.0, -1.0)).all()


def test_misuse_is_named():
    agents = Agents.at(np.zeros((2, 2)))
    with pytest.raises(InputError, match="odd returned shape"):
        Context({"go": constant(1.0, 0.0)}, {"odd": lambda a, u: np.zeros(3)})(agents)
    with pytest.raises(InputError, match="slots"):
        Context({"go": constant(1.0, 0.0)}, slots=2)
    with pytest.raises(InputError, match="tolerance"):
        Context({"go": constant(1.0, 0.0)}, tolerance=2.0)
    with pytest.raises(InputError, match="reach"):
        obstacle_danger(Ball((0.0, 0.0), 1.0), 0.1, 0.0)
    with pytest.raises(InputError, match="horizon"):
        crowd_danger(0.1, np.inf)


@pytest.mark.parametrize(("tolerance", "straight"), [(0.05, True), (0.03, False)])
def test_dangers_that_differ_by_less_than_the_tolerance_are_alike(tolerance, straight):
    agents = Agents.at([(0.0, 0.0)], forward=(1.0, 0.0), max_speed=5.0, max_force=100.0)

    def slight(agents, directions):
        return np.where(directions[:, :, 0] > 0.9, 0.04, 0.0)

    both = Context({"go": constant(1.0, 0.0)}, {"slight": slight}, tolerance=tolerance)
    trace = traced(both, agents)
    assert (trace.chosen[0] == 0) == straight
    assert (abs(angle(trace.force[0], np.array((1.0, 0.0)))) < 1e-9) == straight


def test_danger_of_an_obstacle_falls_with_the_gap_to_the_margin():
    agents = Agents.at([(0.0, 0.0), (2.0, 0.0)], radius=[0.5, 0.25])
    ways = np.tile(((1.0, 0.0), (-1.0, 0.0)), (2, 1, 1)).reshape(2, 2, 2)
    danger = obstacle_danger(Ball((5.0, 0.0), 1.0), 0.3, 8.0)(agents, ways)
    expected = 1.0 - (4.0 - 0.5 - 0.3) / 8.0, 1.0 - (2.0 - 0.25 - 0.3) / 8.0
    np.testing.assert_allclose(danger, [(expected[0], 0.0), (expected[1], 0.0)], atol=1e-12)


def test_large_bodies_are_a_danger_from_farther_away():
    agents = Agents.at([(0.0, 0.0), (4.8, 0.0)], radius=2.0, max_speed=0.5)
    danger = crowd_danger(0.3, 2.0)(agents, np.tile((1.0, 0.0), (2, 1, 1)))
    np.testing.assert_allclose(danger, [[0.5], [0.0]], atol=1e-12)  # half a metre, half a m/s


def test_a_crowd_of_points_that_cannot_move_is_no_danger():
    agents = Agents.at([(0.0, 0.0), (3.0, 0.0)], radius=0.0, max_speed=0.0)
    ways = np.tile(((1.0, 0.0), (-1.0, 0.0)), (2, 1, 1))
    assert not crowd_danger(0.0, 1.0)(agents, ways).any()
