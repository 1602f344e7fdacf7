"""Reports of what went wrong elsewhere in groups of agents: none of it may happen here."""

from __future__ import annotations

import numpy as np
import pytest

from headway.steer.flock import flock
from headway.steer.groups import cohesion, flocking, separation
from headway.steer.settled import settled
from headway.steer.unaligned import avoid_neighbours, closest_approach
from headway.world.neighbour_lists import neighbours


def limited(rows, longest):
    size = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * np.minimum(1.0, longest / np.maximum(size, 1e-300))


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("rule", ["separation", "flocking", "fused", "avoidance"])
def test_opensteer_6_gdx_ai_45_unitysteer_9_two_at_one_spot_part(rule, d):
    """Two agents at one spot, at rest: elsewhere the position became NaN and bodies vanished."""
    position, velocity = np.full((2, d), 5.0), np.zeros((2, d))
    forward = np.zeros((2, d))
    forward[:, 0] = 1.0
    for _ in range(100):
        near = neighbours(position, 9.0)
        if rule == "separation":
            force = separation(position, near)
        elif rule == "flocking":
            force = flocking(position, forward, near)
        elif rule == "fused":
            force = flock(position, forward)
        else:
            force = avoid_neighbours(position, velocity, 0.5, 1.0, near)
        velocity = limited(velocity + limited(force, 10.0) * 0.02, 1.0)
        position = position + velocity * 0.02
        assert np.isfinite(position).all()
    assert np.linalg.norm(position[1] - position[0]) > 0.9
    np.testing.assert_allclose(position.sum(axis=0), 10.0, atol=1e-9)  # each the opposite way


def test_gdx_ai_collision_formula():
    """At (10, 5) with relative velocity (-1, 0) two pass 5 m apart, not 1.18: no alarm."""
    time, distance = closest_approach((10.0, 5.0), (-1.0, 0.0))
    assert (float(time), float(distance)) == (10.0, 5.0)
    position, velocity = [(0.0, 0.0), (10.0, 5.0)], [(1.0, 0.0), (0.0, 0.0)]
    near = neighbours(position, 20.0)
    assert not avoid_neighbours(position, velocity, 1.0, 1.0, near, horizon=20.0).any()
    assert avoid_neighbours(position, velocity, 2.6, 1.0, near, horizon=20.0).any()


def unrest(dead_band, seed):
    """The greatest part of their maximum speed that any of 50 has from 3 to 4 s.

    They start overlapping, and while they part each is drawn a little towards the others.
    """
    position = np.random.default_rng(seed).uniform(-2.5, 2.5, (50, 2))
    position[:3] = position[0]
    velocity = np.zeros((50, 2))
    fastest = 0.0
    for step in range(200):
        wanted = limited(3.0 * separation(position, neighbours(position, 1.0)), 2.0)
        together = cohesion(position, neighbours(position, 20.0))
        force = limited((wanted - velocity) / 0.1 + 0.1 * together, 10.0)
        if dead_band:
            force = settled(force, velocity, 10.0, 2.0, False)
        velocity = velocity + force * 0.02
        position = position + velocity * 0.02
        if step >= 150:
            fastest = max(fastest, np.linalg.norm(velocity, axis=1).max() / 2.0)
    return fastest


@pytest.mark.parametrize("seed", range(4))
def test_gdquest_37_dodgy_12_a_standing_crowd_comes_to_rest(seed):
    assert unrest(True, seed) < 0.01
    assert unrest(False, seed) > 0.05  # the dead band is what does it
