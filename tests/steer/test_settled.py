"""The dead band of agents that stand, case by case."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.steer.settled import settled


@given(
    push=st.floats(0.0, 2.0),
    speed=st.floats(0.0, 0.5),
    wants=st.booleans(),
    d=st.sampled_from((2, 3)),
)
def test_the_dead_band(push, speed, wants, d):
    force, velocity = np.zeros(d), np.zeros(d)
    force[0], velocity[1] = push, speed
    got = settled(force, velocity, 10.0, 5.0, wants)
    if push <= 0.5 and speed <= 0.1 and not wants:
        np.testing.assert_array_equal(got, velocity * -(10.0 / 5.0))
    else:
        np.testing.assert_array_equal(got, force)
    batch = settled([force] * 3, [velocity] * 3, 10.0, 5.0, [wants] * 3)
    assert np.array_equal(batch, [got] * 3)


def test_the_dead_band_of_none_and_of_those_who_cannot_move():
    assert settled(np.empty((0, 3)), (0.0, 0.0, 0.0), 1.0, 1.0, False).shape == (0, 3)
    assert settled((0.0, 0.0), (0.0, 0.0), 0.0, 0.0, False).tolist() == [0.0, 0.0]
    for arguments, words in (
        ((np.nan, 0.0), "force"),
        ((0.0, 0.0, 0.0, 0.0), "force has shape"),
    ):
        with pytest.raises(InputError, match=words):
            settled(arguments, (0.0, 0.0), 1.0, 1.0, False)
    with pytest.raises(InputError, match="max_speed is -1"):
        settled((0.0, 0.0), (0.0, 0.0), 1.0, -1.0, False)
