"""Cars against walls."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.move.car import CARS, car_array
from headway.move.walls import FRICTION, RESTITUTION, resolve_walls

GT = CARS["gt"]


def energy(state, car=GT):
    speed2 = state[:, 3] ** 2 + state[:, 4] ** 2
    return 0.5 * (car.mass * speed2 + car.yaw_inertia * state[:, 5] ** 2)


def lateral_corners(yaw, road_yaw, offset):
    """Offsets of the four corners from the centre line."""
    c, s = math.cos(yaw - road_yaw), math.sin(yaw - road_yaw)
    along, across = 0.5 * GT.length, 0.5 * GT.width
    return [offset + s * a + c * b for a in (along, -along) for b in (across, -across)]


def test_flat_on_the_wall():
    state = np.array([[10.0, 4.1, 0, 30, 5, 0, 0]])
    new, hit = resolve_walls(state, car_array([GT]), [4.1], [5.0], [5.0], [0.0])
    assert hit.tolist() == [True]
    assert new[0, 4] == pytest.approx(-5 * RESTITUTION)
    assert 30 - new[0, 3] == pytest.approx(FRICTION * 5 * (1 + RESTITUTION))
    assert new[0, 1] == pytest.approx(5 - 0.5 * GT.width)
    assert new[0, 0] == 10


def test_a_nose_in_the_wall_turns_the_car_along_it():
    state = np.array([[0.0, 0.0, 0.5, 20, 0, 0, 0]])
    new, hit = resolve_walls(state, car_array([GT]), [3.0], [4.5], [9.0], [0.0])
    assert hit[0]
    assert new[0, 5] < 0


walls = st.one_of(st.floats(0, 8), st.just(math.inf))


@given(
    rows=st.lists(
        st.tuples(
            st.floats(-3, 3),
            st.floats(-50, 80),
            st.floats(-20, 20),
            st.floats(-4, 4),
            st.floats(-8, 8),
            walls,
            walls,
            st.floats(-3, 3),
        ),
        max_size=8,
    )
)
def test_cars_end_inside_with_no_more_energy(rows):
    values = np.array(rows).reshape(-1, 8)
    yaw, vx, vy, r, offset, left, right, road = values.T
    zero = np.zeros(len(rows))
    state = np.column_stack([zero, zero, yaw, vx, vy, r, zero])
    new, hit = resolve_walls(state, car_array([GT] * len(rows)), offset, left, right, road)
    assert (energy(new) <= energy(state) * (1 + 1e-12) + 1e-12).all()
    for i in range(len(rows)):
        before = lateral_corners(yaw[i], road[i], offset[i])
        assert hit[i] == (max(before) > left[i] or min(before) < -right[i])
        if not hit[i]:
            assert np.array_equal(new[i], state[i])
            continue
        along = new[i, 0] * math.cos(road[i]) + new[i, 1] * math.sin(road[i])
        across = new[i, 1] * math.cos(road[i]) - new[i, 0] * math.sin(road[i])
        assert along == pytest.approx(0, abs=1e-9)
        after = lateral_corners(yaw[i], road[i], offset[i] + across)
        if max(before) - min(before) <= left[i] + right[i]:
            assert max(after) <= left[i] + 1e-9
            assert min(after) >= -right[i] - 1e-9
        else:
            assert max(after) - left[i] == pytest.approx(-right[i] - min(after), abs=1e-9)


def test_the_mirrored_crash_is_the_mirror_image():
    rng = np.random.default_rng(1)
    count = 200
    state = rng.normal(0, [9, 9, 1, 20, 5, 2, 0.1], (count, 7))
    offset, road = rng.uniform(-6, 6, count), rng.uniform(-3, 3, count)
    left, right = rng.uniform(0, 7, (2, count))
    mirror = np.array([1, -1, -1, 1, -1, -1, -1.0])
    cars = car_array([GT] * count)
    new, hit = resolve_walls(state, cars, offset, left, right, road)
    # The side met first differs where a gap is narrower than the car.
    wide = left + right > 6
    mirrored, hit_there = resolve_walls(state * mirror, cars, -offset, right, left, -road)
    assert np.array_equal(hit, hit_there)
    np.testing.assert_allclose(mirrored[wide], (new * mirror)[wide], atol=1e-12)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"state": np.zeros((1, 5))}, "state"),
        ({"cars": np.zeros((2, 3))}, "cars"),
        ({"offset": [math.inf]}, "offset"),
        ({"left": [math.nan]}, "left"),
        ({"right": [1.0, 2.0]}, "right"),
        ({"road_yaw": [math.nan]}, "road_yaw"),
    ],
)
def test_misuse_is_refused_by_name(change, word):
    arguments = {
        "state": np.zeros((1, 7)),
        "cars": car_array([GT]),
        "offset": [0.0],
        "left": [5.0],
        "right": [5.0],
        "road_yaw": [0.0],
    }
    with pytest.raises(InputError, match=word):
        resolve_walls(**{**arguments, **change})
