"""The classic path followers: their quirks on purpose, and rows as agents alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariance_checks import (
    check_nobody,
    check_one_as_in_a_crowd,
    check_order_does_not_matter,
    rotation,
)

from headway.errors import InputError
from headway.steer.classic_paths import (
    opensteer_follow_path,
    opensteer_stay_on_path,
    yuka_follow_path,
)
from headway.steer.pathway import Pathway

LOOK: dict[str, Any] = {"prediction_time": 0.8, "radius": 1.0}


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("closed", [False, True])
def test_invariances(d: int, closed: bool) -> None:
    rng = np.random.default_rng(8)
    points = 4.0 * rng.normal(size=(6, d))
    position, velocity = 4.0 * rng.normal(size=(2, 30, d))
    turn, shift = rotation(d, rng), 10.0 * rng.normal(size=d)
    moved = Pathway.through(points @ turn.T + shift, closed)
    path = Pathway.through(points, closed)
    for direction in (1, -1, 0):

        def behaviour(p, v, path=path, direction=direction):
            if direction == 0:
                return opensteer_stay_on_path(p, v, path, **LOOK)
            return opensteer_follow_path(p, v, path, direction=direction, **LOOK)

        check_one_as_in_a_crowd(behaviour, position, velocity)
        check_order_does_not_matter(behaviour, position, velocity)
        check_nobody(behaviour, d)
        turned = behaviour(position @ turn.T + shift, velocity @ turn.T, moved)
        np.testing.assert_allclose(turned, behaviour(position, velocity) @ turn.T, atol=1e-9)

    waypoint = rng.integers(0, 6, 30)

    def yuka(p, v, k, points=points):
        return yuka_follow_path(p, v, points, k, 2.0, closed=closed)[0]

    check_one_as_in_a_crowd(yuka, position, velocity, waypoint)
    check_order_does_not_matter(yuka, position, velocity, waypoint)
    turned = yuka(position @ turn.T + shift, velocity @ turn.T, waypoint, points @ turn.T + shift)
    np.testing.assert_allclose(turned, yuka(position, velocity, waypoint) @ turn.T, atol=1e-9)


def test_opensteer_stands_still_where_it_is_at_rest_on_a_path() -> None:
    path = [(0.0, 0.0), (10.0, 0.0)]
    assert opensteer_follow_path((3.0, 0.0), (0.0, 0.0), path, **LOOK).tolist() == [0.0, 0.0]


def test_opensteer_wants_to_be_at_its_target_within_a_second() -> None:
    path = [(0.0, 0.0), (100.0, 0.0)]
    steering = opensteer_stay_on_path((3.0, 40.0), (0.0, 0.0), path, **LOOK)
    assert steering.tolist() == [0.0, -40.0]


def test_yuka_goes_from_waypoint_to_waypoint() -> None:
    points = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)]
    rest = (0.0, 0.0)
    for place, before, closed, wanted, after in (
        ((2.0, 0.0), 0, False, (-1.0, 0.0), 0),  # not near: seek it
        ((0.5, 0.0), 0, False, (1.0, 0.0), 1),  # near: seek the next
        ((4.0, 1.0), 2, False, (0.0, 1.0), 2),  # the last: arrive, 3 m in 3 s
        ((4.0, 3.4), 2, False, (0.0, 0.2), 2),  # near the last of an open path: still that
        ((4.0, 3.4), 2, True, (-0.7619, -0.6476), 0),  # of a closed one: seek the first
    ):
        steering, waypoint = yuka_follow_path(place, rest, points, before, 1.0, closed=closed)
        np.testing.assert_allclose(steering, wanted, atol=1e-4)
        assert int(waypoint) == after


@pytest.mark.parametrize("path", [[], [(2.0, 2.0)], [(2.0, 2.0)] * 3])
@given(st.sampled_from((0.0, 2.0, -3.0)), st.sampled_from((0.0, 1.0)))
def test_degenerate_paths_give_numbers(path: list, x: float, v: float) -> None:
    for closed in (False, True):
        way = Pathway.through(path, closed)
        for direction in (1, -1):
            steering = opensteer_follow_path((x, 2.0), (v, 0.0), way, direction=direction, **LOOK)
            assert np.isfinite(steering).all()
        assert np.isfinite(opensteer_stay_on_path((x, 2.0), (v, 0.0), way, **LOOK)).all()
        steering, waypoint = yuka_follow_path((x, 2.0), (v, 0.0), path, 0, 1.0, closed=closed)
        assert np.isfinite(steering).all()
        if not path:
            assert (steering.tolist(), int(waypoint)) == ([0.0, 0.0], 0)


def test_what_cannot_be_used_is_named() -> None:
    path, rest = [(0.0, 0.0), (1.0, 0.0)], np.zeros(2)
    with pytest.raises(InputError, match="direction"):
        opensteer_follow_path(rest, rest, path, direction=0, **LOOK)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="radius"):
        opensteer_stay_on_path(rest, rest, path, prediction_time=1.0, radius=-1.0)
    with pytest.raises(InputError, match="position"):
        opensteer_stay_on_path((np.nan, 0.0), rest, path, **LOOK)
    with pytest.raises(InputError, match="waypoint"):
        yuka_follow_path(rest, rest, path, 0.5, 1.0)
    with pytest.raises(InputError, match="arrival_time"):
        yuka_follow_path(rest, rest, path, 0, 1.0, arrival_time=0.0)
    with pytest.raises(InputError, match="waypoints"):
        yuka_follow_path(rest, rest, [(0.0, 0.0, 0.0)], 0, 1.0)
    with pytest.raises(InputError, match="max_speed"):
        yuka_follow_path(rest, rest, path, 0, -1.0)
