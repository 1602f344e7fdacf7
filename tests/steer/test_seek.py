from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headway.errors import InputError
from headway.steer.seek import flee, seek

vectors = arrays(np.float64, 3, elements=st.floats(-1e3, 1e3))


@given(position=vectors, velocity=vectors, target=vectors, speed=st.floats(0.0, 50.0))
def test_seek_is_full_speed_to_the_target(
    position: np.ndarray, velocity: np.ndarray, target: np.ndarray, speed: float
) -> None:
    way = target - position
    size = np.linalg.norm(way)
    wanted = way / size * speed if size > 1e-12 else np.zeros(3)
    got = seek(position, velocity, target, speed)
    np.testing.assert_allclose(got, wanted - velocity, rtol=1e-12, atol=1e-10)


@given(position=vectors, velocity=vectors, threat=vectors, reach=st.floats(0.0, 2e3))
def test_flee_is_seek_the_other_way_within_the_panic_distance(
    position: np.ndarray, velocity: np.ndarray, threat: np.ndarray, reach: float
) -> None:
    distance = np.linalg.norm(threat - position)
    got = flee(position, velocity, threat, 3.0, panic_distance=reach, escape=(0.0, 0.0, 1.0))
    if distance > reach * (1.0 + 1e-12):
        assert not got.any()
    elif 1e-12 < distance < reach * (1.0 - 1e-12):
        expected = seek(position, velocity, 2.0 * position - threat, 3.0)
        np.testing.assert_allclose(got, expected, atol=1e-8)


@pytest.mark.parametrize("d", [2, 3])
def test_agents_on_a_threat_part(d: int) -> None:
    here = np.zeros((1500, d))
    ways = flee(here, here, here, 2.0)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 2.0, rtol=1e-12)
    assert np.linalg.norm(ways.mean(axis=0)) < 0.2, "they go all ways"
    assert len(np.unique(ways, axis=0)) == 1500
    np.testing.assert_array_equal(flee(here, here, here, 2.0), ways)


def test_the_way_out_may_be_given() -> None:
    assert flee((1.0, 1.0), (0.0, 0.0), (1.0, 1.0), 2.0, escape=(0.0, -5.0)).tolist() == [0.0, -2.0]
    here = np.zeros((2, 2))
    drawn = flee(here, here, here, 2.0)
    mixed = flee(here, here, here, 2.0, escape=[(0.0, 0.0), (1.0, 0.0)])
    np.testing.assert_array_equal(mixed[0], drawn[0])
    assert mixed[1].tolist() == [2.0, 0.0]


def test_panic_distance_may_be_infinite_but_not_undefined() -> None:
    assert flee((0.0, 0.0), (0.0, 0.0), (5.0, 0.0), 2.0, panic_distance=math.inf)[0] == -2.0
    for bad in (math.nan, -1.0):
        with pytest.raises(InputError, match="panic_distance"):
            flee((0.0, 0.0), (0.0, 0.0), (5.0, 0.0), 2.0, panic_distance=bad)
    with pytest.raises(InputError, match="threat"):
        flee((0.0, 0.0), (0.0, 0.0), (math.nan, 0.0), 2.0, panic_distance=math.inf)
    with pytest.raises(InputError, match="escape"):
        flee((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), 2.0, escape=(math.nan, 0.0))


def test_shapes_are_checked() -> None:
    with pytest.raises(InputError, match="position has shape"):
        seek(np.zeros((2, 2, 2)), (0, 0), (0, 0), 1.0)
    with pytest.raises(InputError, match="target has shape"):
        seek(np.zeros((3, 2)), (0, 0), np.zeros((2, 2)), 1.0)
    with pytest.raises(InputError, match="cannot be read"):
        seek("here", (0, 0), (0, 0), 1.0)


def test_a_threat_exactly_at_the_panic_distance_is_not_beyond_it() -> None:
    got = flee((3.0, 4.0), (0.0, 0.0), (0.0, 0.0), 2.0, panic_distance=5.0)
    np.testing.assert_allclose(got, (1.2, 1.6), rtol=1e-12)
