from __future__ import annotations

import math

import numpy as np
import pytest

from headway.errors import InputError
from headway.steer.evade import evade
from headway.steer.pursuit import pursuit_point
from headway.steer.seek import flee


@pytest.mark.parametrize("d", [2, 3])
def test_it_is_fleeing_from_the_point_where_they_could_meet(d: int) -> None:
    draw = np.random.default_rng(d)
    p, v, t, w = draw.normal(0.0, 8.0, (4, 80, d))
    speed, reach = draw.uniform(0.5, 12.0, 80), draw.uniform(5.0, 40.0, 80)
    point = pursuit_point(p, v, t, w, speed)
    expected = flee(p, v, point, speed, panic_distance=reach)
    got = evade(p, v, t, w, speed, panic_distance=reach)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)
    assert 0 < (~expected.any(axis=1)).sum() < 80
    time = np.linalg.norm(t - p, axis=1) / (speed + np.linalg.norm(w, axis=1))
    for factor, longest in ((1.0, math.inf), (0.4, math.inf), (1.0, 0.2)):
        ahead = np.minimum(time * factor, longest)[:, None]
        got = evade(p, v, t, w, speed, predict="closing", factor=factor, max_time=longest)
        np.testing.assert_allclose(got, flee(p, v, t + w * ahead, speed), rtol=1e-9, atol=1e-9)


def test_at_the_meeting_point_it_goes_some_way() -> None:
    here = np.zeros((50, 2))
    ways = evade(here, here, here, here, 3.0)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 3.0)
    assert len(np.unique(ways, axis=0)) == 50
    assert evade(here, here, here, here, 3.0, escape=(0.0, 1.0))[7].tolist() == [0.0, 3.0]


def test_the_table_is_for_pursuers() -> None:
    with pytest.raises(InputError, match="give 'exact' or 'closing'"):
        evade((0, 0), (0, 0), (1, 0), (0, 0), 1.0, predict="table")


def test_without_a_panic_distance_it_is_not_to_blame() -> None:
    here = (1.0, 2.0)
    with pytest.raises(InputError, match="escape is"):
        evade(here, (0.0, 0.0), here, (0.0, 0.0), 3.0, escape=(np.nan, 0.0))
