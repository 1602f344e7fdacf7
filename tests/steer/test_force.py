"""From a change of velocity to a force."""

import numpy as np
import pytest

from headway.errors import InputError
from headway.steer.force import force_for


def test_the_force_brings_the_change_about_within_the_response_time():
    rng = np.random.default_rng(1)
    change, mass = rng.normal(size=(40, 3)), rng.uniform(0.5, 3.0, 40)
    force = force_for(change, mass, 1e9, response=0.25)
    np.testing.assert_allclose(force * 0.25 / mass[:, None], change, rtol=1e-14)
    np.testing.assert_array_equal(force_for(change[7], mass[7], 1e9, response=0.25), force[7])


def test_it_is_never_above_the_limit_and_keeps_its_direction():
    change = np.array([(30.0, 40.0), (0.3, 0.4), (0.0, 0.0)])
    force = force_for(change, 1.0, (5.0, 5.0, 0.0), response=1.0)
    np.testing.assert_allclose(force, [(3.0, 4.0), (0.3, 0.4), (0.0, 0.0)], rtol=1e-14)
    assert force_for(np.empty((0, 2)), 1.0, 1.0, 0.1).shape == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((np.nan, 0.0), 1.0, 1.0, 0.1), "change is"),
        (((1.0, 0.0), -1.0, 1.0, 0.1), "mass is -1.0"),
        (([(1.0, 0.0), (np.nan, 0.0)], 1.0, 1.0, 0.1), "change of agent 1 is"),
        (((1.0, 0.0), 1.0, 1.0, 0.0), "response is 0.0"),
        (((1.0,), 1.0, 1.0, 0.1), "change has shape"),
        (("far", 1.0, 1.0, 0.1), "change cannot be read"),
    ],
)
def test_misuse_is_named(arguments, message):
    with pytest.raises(InputError, match=message):
        force_for(*arguments)
