"""Context steering: directions chosen, not forces added."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.combine import Sum, traced
from headway.steer.context import Context, obstacle_danger, slots_on_circle, slots_on_sphere
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
    agents = Agents.at(np.zeros((1, d)), forward=look, max_force=1e9)
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
