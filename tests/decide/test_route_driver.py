from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.decide.route_driver import (
    CHOICES,
    CLASSIC,
    DRIVERS,
    RouteDriver,
    driver,
)
from headway.errors import InputError
from headway.follow.pid import Gains

NUMBERS = [
    each.name
    for each in fields(RouteDriver)
    if isinstance(each.default, float) and not isinstance(each.default, bool)
]


def is_one_sentence(text: str) -> bool:
    """Ends in a full stop, and holds no other that ends a sentence."""
    return text.endswith(".") and ". " not in text


# ---------------------------------------------------------------------------------------------
# Refusals


@pytest.mark.parametrize("name", list(CHOICES))
@pytest.mark.parametrize("value", ["", "sideways", None, 0, ["smooth"]])
def test_a_rule_that_is_not_among_those_named_is_refused(name, value):
    with pytest.raises(InputError, match=rf"^{name} is ") as caught:
        RouteDriver(**{name: value})
    message = str(caught.value)
    assert is_one_sentence(message)
    assert all(choice in message for choice in CHOICES[name])


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [-1.0, -1e-9, math.nan, -math.inf])
def test_a_number_below_zero_or_not_a_number_is_refused(name, value):
    with pytest.raises(InputError, match=rf"^{name} is ") as caught:
        RouteDriver(**{name: value})
    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("name", [name for name in NUMBERS if name != "max_speed"])
def test_only_the_largest_speed_may_be_infinite(name):
    with pytest.raises(InputError, match=rf"^{name} is infinite"):
        RouteDriver(**{name: math.inf})


def test_an_infinite_largest_speed_means_that_of_the_car():
    assert RouteDriver(max_speed=math.inf).max_speed == math.inf


@pytest.mark.parametrize("name", ["cautious_angle", "cautious_distance"])
def test_full_caution_needs_an_angle_and_a_distance(name):
    with pytest.raises(InputError, match=name):
        RouteDriver(**{name: 0.0})


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["5", "fast", None, [1.0]])
def test_what_is_no_number_is_refused(name, value):
    with pytest.raises(InputError, match=rf"^{name} is "):
        RouteDriver(**{name: value})


@pytest.mark.parametrize("name", ["steering_gains", "speed_gains"])
@pytest.mark.parametrize("value", [None, 1.0, (1.0, 0.2, 0.0, 0.1, 0.2)])
def test_gains_must_be_gains(name, value):
    with pytest.raises(InputError, match=rf"^{name} "):
        RouteDriver(**{name: value})


@pytest.mark.parametrize("name", ["reach_braking_distance", "stop_at_target"])
@pytest.mark.parametrize("value", [None, "no"])
def test_a_switch_is_on_or_off(name, value):
    with pytest.raises(InputError, match=rf"^{name} is "):
        RouteDriver(**{name: value})


def test_a_driver_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        RouteDriver().max_speed = 3.0


# ---------------------------------------------------------------------------------------------
# As a dictionary


drivers = st.builds(
    RouteDriver,
    **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
    **{name: st.floats(0.01, 200) for name in NUMBERS},
    reach_braking_distance=st.booleans(),
    stop_at_target=st.booleans(),
    steering_gains=st.builds(Gains, *[st.floats(0, 9)] * 5),
    speed_gains=st.builds(Gains, *[st.floats(0, 9)] * 5),
)


def test_a_driver_of_a_model_car_scales_lengths_and_times():
    """Lengths by the factor and times by its root: then speeds scale by the root, too (Froude)."""
    usual, small = RouteDriver(), RouteDriver().scaled(0.25)
    for name in ("target_offset", "speed_offset", "waypoint_radius", "lateral_wander"):
        assert getattr(small, name) == pytest.approx(0.25 * getattr(usual, name))
    for name in ("target_time", "speed_time", "reaction_time", "following_time"):
        assert getattr(small, name) == pytest.approx(0.5 * getattr(usual, name))
    for name in ("cautious_angle", "throttle_wander", "corner_grip", "steering_gain"):
        assert getattr(small, name) == getattr(usual, name)
    assert usual.scaled(1.0) == usual


@given(drivers | st.just(RouteDriver()) | st.just(CLASSIC))
def test_a_dictionary_through_json_gives_the_driver_back(one):
    text = json.dumps(one.to_dict(), allow_nan=False)
    assert RouteDriver.from_dict(json.loads(text)) == one


def test_a_dictionary_may_leave_out_what_is_usual():
    assert RouteDriver.from_dict({}) == RouteDriver()
    assert RouteDriver.from_dict({"max_speed": 9.0}) == RouteDriver(max_speed=9.0)


@pytest.mark.parametrize(
    "plain",
    [
        {"colour": "red"},
        {"max_speed": -1.0},
        {"line": "river"},
        {"steering_gains": {"proportional": -1.0}},
        {"steering_gains": {"strength": 1.0}},
        {"steering_gains": None},
        {"steering_gains": [1.0]},
        {"target_offset": "far"},
        {"target_offset": None},
        "racer",
        [1.0],
        None,
        7,
    ],
)
def test_a_dictionary_that_cannot_be_a_driver_is_refused(plain):
    with pytest.raises(InputError) as caught:
        RouteDriver.from_dict(plain)
    assert is_one_sentence(str(caught.value))


def test_an_unknown_parameter_is_named():
    with pytest.raises(InputError, match="colour"):
        RouteDriver.from_dict({"colour": "red"})


# ---------------------------------------------------------------------------------------------
# By name


@pytest.mark.parametrize("name", list(DRIVERS))
def test_drivers_are_found_by_name(name):
    assert driver(name) is DRIVERS[name]


def test_the_usual_driver_is_the_racer():
    assert driver("racer") == RouteDriver()


@pytest.mark.parametrize("name", ["", "Racer", "stig", None, 3])
def test_an_unknown_name_is_answered_with_those_there_are(name):
    with pytest.raises(InputError) as caught:
        driver(name)
    message = str(caught.value)
    assert is_one_sentence(message)
    assert all(known in message for known in DRIVERS)


def test_the_classic_numbers_in_si():
    """The published defaults, converted: angles from degrees, pedals from miles per hour."""
    mph = 2.2369362920544  # mph in one m/s
    assert CLASSIC.target_offset == 5.0
    assert CLASSIC.target_time == 0.1
    assert CLASSIC.speed_offset == 10.0
    assert CLASSIC.speed_time == 0.2
    assert CLASSIC.waypoint_radius == 4.0
    assert CLASSIC.cautious_speed_factor == 0.05
    assert math.degrees(CLASSIC.cautious_angle) == pytest.approx(50.0)
    assert CLASSIC.cautious_distance == 100.0
    assert math.degrees(CLASSIC.cautious_spin_time) == pytest.approx(30.0)
    assert CLASSIC.steering_gain == pytest.approx(0.05 * 180 / math.pi)  # per degree
    assert CLASSIC.throttle_gain == pytest.approx(0.04 * mph, rel=1e-3)
    assert CLASSIC.brake_gain == pytest.approx(1.0 * mph, rel=1e-3)
    assert CLASSIC.lateral_wander == 3.0
    assert CLASSIC.lateral_wander_rate == 0.1
    assert CLASSIC.throttle_wander == 0.1
    assert CLASSIC.throttle_wander_rate == 0.1
    assert CLASSIC.evasion_time == 1.0
    assert CLASSIC.evasion_slowdown == 0.5
    assert CLASSIC.evasion_offset == 3.0
    assert CLASSIC.reach_radius == 2.0
    assert CLASSIC.max_speed == 25.0
    assert CLASSIC.progress == "smooth"
    assert not CLASSIC.stop_at_target
