from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from headway.decide import driver_row as columns
from headway.decide.driver_row import DRIVER_WIDTH, GAINS_WIDTH, driver_row
from headway.decide.route_driver import CHOICES, RouteDriver
from headway.follow.pid import Gains
from headway.move.car import CARS

NUMBERS = [each.name for each in fields(RouteDriver) if isinstance(each.default, float)]


def column(name: str) -> int:
    return getattr(columns, name.upper())


def test_every_column_holds_what_it_is_called():
    """Each parameter, given a value of its own, is found in its column and nowhere else."""
    road = CARS["road"]
    plain = driver_row(RouteDriver(), road)
    assert plain.shape == (DRIVER_WIDTH,)
    planned_elsewhere = {"corner_grip", "brake_grip"}  # the speed profile's, not the kernels'
    for name in set(NUMBERS) - planned_elsewhere:
        row = driver_row(replace(RouteDriver(), **{name: 0.123}), road)
        assert np.flatnonzero(row != plain).tolist() == [column(name)], name
        assert row[column(name)] == 0.123


def test_rules_are_numbered_as_they_are_listed():
    for name, choices in CHOICES.items():
        if name == "line":
            continue
        for number, choice in enumerate(choices):
            row = driver_row(replace(RouteDriver(), **{name: choice}), CARS["road"])
            assert row[column(name)] == number


def test_gains_take_five_columns_each():
    steering, speed = Gains(1.1, 1.2, 1.3, 1.4, 1.5), Gains(2.1, 2.2, 2.3, 2.4, 2.5)
    row = driver_row(RouteDriver(steering_gains=steering, speed_gains=speed), CARS["road"])
    assert row[column("steering_gains") :][:5].tolist() == [1.1, 1.2, 1.3, 1.4, 1.5]
    assert row[column("speed_gains") :][:5].tolist() == [2.1, 2.2, 2.3, 2.4, 2.5]


def test_what_the_driver_knows_of_its_car():
    car = CARS["gt"]
    row = driver_row(RouteDriver(), car)
    assert row[column("wheelbase")] == car.wheelbase
    assert row[column("half_width")] == car.width / 2
    assert row[column("max_wheel_angle")] == car.max_wheel_angle
    assert row[column("top_speed")] == row[column("max_speed")] == car.top_speed
    slower = driver_row(RouteDriver(max_speed=20.0), car)
    assert slower[column("max_speed")] == 20.0


def test_the_columns_do_not_overlap():
    numbers = [
        value
        for name, value in vars(columns).items()
        if name.isupper()
        and isinstance(value, int)
        and name not in ("DRIVER_WIDTH", "GAINS_WIDTH", "USUAL_LENGTH", "CHOICES")
    ]
    taken = sorted(numbers)
    assert len(set(taken)) == len(taken)
    assert max(taken) < DRIVER_WIDTH
    for gains in ("steering_gains", "speed_gains"):
        first = column(gains)
        assert not set(range(first + 1, first + GAINS_WIDTH)) & set(taken)


def test_a_model_car_is_driven_by_a_scaled_driver():
    model = CARS["f1tenth"]
    scaled = RouteDriver().scaled(model.length / 4.0)
    row = driver_row(RouteDriver(), model)
    for name in set(NUMBERS) - {"corner_grip", "brake_grip", "max_speed"}:
        assert row[column(name)] == pytest.approx(getattr(scaled, name)), name
