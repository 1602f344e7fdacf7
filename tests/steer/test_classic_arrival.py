from __future__ import annotations

import numpy as np
import pytest

from headway.errors import InputError
from headway.steer.classic_arrival import arrive_in, arrive_within


def test_speed_falls_linearly_within_the_radius() -> None:
    goals = np.array([(1.0, 0.0), (0.0, -2.0), (4.0, 0.0), (0.0, 9.0)])
    got = arrive_within(np.zeros((4, 2)), (0.0, 0.0), goals, 3.0, 4.0)
    np.testing.assert_allclose(got, [(0.75, 0.0), (0.0, -1.5), (3.0, 0.0), (0.0, 3.0)], atol=1e-15)


def test_speed_is_distance_over_time() -> None:
    goals = np.array([(1.0, 0.0), (0.0, -2.0), (40.0, 0.0)])
    got = arrive_in(np.zeros((3, 2)), (1.0, 0.0), goals, 3.0, 2.0)
    np.testing.assert_allclose(got, [(-0.5, 0.0), (-1.0, -1.0), (2.0, 0.0)], atol=1e-15)


@pytest.mark.parametrize("law", [arrive_within, arrive_in])
def test_without_room_or_time_it_goes_at_full_speed(law) -> None:
    assert law((0.0, 0.0), (0.0, 0.0), (1e-3, 0.0), 3.0, 0.0).tolist() == [3.0, 0.0]


@pytest.mark.parametrize("law", [arrive_within, arrive_in])
def test_within_the_tolerance_it_stops(law) -> None:
    at_edge = law((0.0, 0.0), (1.0, 2.0), (0.5, 0.0), 3.0, 4.0, tolerance=0.5)
    assert at_edge.tolist() == [-1.0, -2.0]
    with pytest.raises(InputError, match="tolerance"):
        law((0.5, 0.0), (1.0, 2.0), (0.5, 0.0), 3.0, 4.0, tolerance=-1.0)
    at_target = law((0.5, 0.0), (1.0, 2.0), (0.5, 0.0), 3.0, 4.0)
    assert at_target.tolist() == [-1.0, -2.0]
