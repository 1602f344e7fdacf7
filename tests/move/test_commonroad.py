"""The CommonRoad models, against the published package."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.move.commonroad import kinematic_derivative, single_track_derivative
from headway.move.commonroad_sets import BMW_320I, COMMONROAD_SETS, TRUCK

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from vehiclemodels.vehicle_dynamics_ks import vehicle_dynamics_ks
    from vehiclemodels.vehicle_dynamics_st import vehicle_dynamics_st
    from vehiclemodels.vehicle_parameters import setup_vehicle_parameters

    PUBLISHED = {number: setup_vehicle_parameters(number) for number in COMMONROAD_SETS}

angles = st.floats(-1.2, 1.2)
speeds = st.one_of(
    st.floats(-15, 60),
    st.floats(-0.2, 0.2),
    st.sampled_from([0.0, 0.1, -0.1, 45.8, 50.8, 41.7, 22.22, -13.9, -11.2, -2.78, 7.319]),
)
places = st.floats(-1e3, 1e3)
inputs = st.tuples(st.floats(-1, 1), st.floats(-20, 20))


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@given(
    number=st.sampled_from(sorted(COMMONROAD_SETS)),
    state=st.tuples(places, places, angles, speeds, st.floats(-4, 4)),
    command=inputs,
)
def test_kinematic_rates_are_the_published_ones(number, state, command):
    found = kinematic_derivative([state], [command], COMMONROAD_SETS[number])[0]
    assert_close(found, vehicle_dynamics_ks(list(state), list(command), PUBLISHED[number]))


@given(
    number=st.sampled_from([1, 2, 3]),
    state=st.tuples(
        places, places, angles, speeds, st.floats(-4, 4), st.floats(-5, 5), st.floats(-1, 1)
    ),
    command=inputs,
)
def test_single_track_rates_are_the_published_ones(number, state, command):
    found = single_track_derivative([state], [command], COMMONROAD_SETS[number])[0]
    assert_close(found, vehicle_dynamics_st(list(state), list(command), PUBLISHED[number]))


@pytest.mark.parametrize("number", sorted(COMMONROAD_SETS))
def test_limits_and_axles_are_the_published_ones(number):
    ours, theirs = COMMONROAD_SETS[number], PUBLISHED[number]
    assert (ours.front_axle, ours.rear_axle) == (theirs.a, theirs.b)
    assert (ours.steer_min, ours.steer_max) == (theirs.steering.min, theirs.steering.max)
    assert (ours.speed_min, ours.speed_max) == (
        theirs.longitudinal.v_min,
        theirs.longitudinal.v_max,
    )


def test_rows_do_not_depend_on_each_other():
    rng = np.random.default_rng(3)
    states = rng.normal(size=(50, 7)) * [9, 9, 0.3, 20, 2, 1, 0.1]
    commands = rng.normal(size=(50, 2))
    together = single_track_derivative(states, commands, BMW_320I)
    for row in range(50):
        alone = single_track_derivative(states[row : row + 1], commands[row : row + 1], BMW_320I)
        assert np.array_equal(alone[0], together[row])


def test_misuse_is_refused_by_name():
    with pytest.raises(InputError, match="mass"):
        single_track_derivative(np.zeros((1, 7)), np.zeros((1, 2)), TRUCK)
    with pytest.raises(InputError, match="states"):
        kinematic_derivative(np.zeros((1, 7)), np.zeros((1, 2)), TRUCK)
    with pytest.raises(InputError, match="inputs"):
        kinematic_derivative(np.zeros((2, 5)), np.zeros((1, 2)), TRUCK)
    with pytest.raises(InputError, match="finite"):
        kinematic_derivative([[0, 0, 0, math.nan, 0]], [[0, 0]], TRUCK)
    assert kinematic_derivative(np.zeros((0, 5)), np.zeros((0, 2)), TRUCK).shape == (0, 5)
