"""The parameters of cars."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace

import numpy as np
import pytest

from headway.errors import InputError
from headway.move import car_parameters
from headway.move.car import CAR_WIDTH, CARS, Car, car, car_array
from headway.move.car_parameters import DRIVE_STEP, DRIVE_TABLE, DRIVE_TABLE_SIZE, KINEMATIC
from headway.move.commonroad_sets import COMMONROAD_SETS

EVERY_CAR = sorted(CARS)
NUMBERS = [field.name for field in fields(Car) if field.type == "float"]


def test_the_promised_cars_are_there_with_their_sources():
    assert {"road", "gt", "formula", "f1tenth", "reference"} <= set(CARS)
    assert {f"commonroad{number}" for number in COMMONROAD_SETS} <= set(CARS)
    for name, each in CARS.items():
        assert each.name == name
        assert len(each.source) > 20
        assert car(name) is each


def test_an_unknown_car_is_refused_with_the_names_there_are():
    with pytest.raises(InputError, match="gt"):
        car("cart")


@pytest.mark.parametrize("name", EVERY_CAR)
def test_every_column_holds_the_field_of_its_name(name):
    row = CARS[name].vector()
    assert row.shape == (CAR_WIDTH,)
    assert np.isfinite(row).all()
    for field in set(NUMBERS) - {"max_drive_force", "max_power"}:
        constant = "BRAKE_FORCE" if field == "max_brake_force" else field.upper()
        assert row[getattr(car_parameters, constant)] == getattr(CARS[name], field), field
    assert row[KINEMATIC] == 0
    assert replace(CARS[name], model="kinematic").vector()[KINEMATIC] == 1


def test_drive_table_of_the_kernel_is_force_or_power_or_the_explicit_table():
    gt = CARS["gt"].vector()
    speeds = gt[DRIVE_STEP] * np.arange(DRIVE_TABLE_SIZE)
    with np.errstate(divide="ignore"):
        expected = np.minimum(CARS["gt"].max_drive_force, CARS["gt"].max_power / speeds)
    np.testing.assert_allclose(gt[DRIVE_TABLE:], expected)
    reference = CARS["reference"]
    row = reference.vector()
    for speed, force in reference.drive_table:
        knot = speed / row[DRIVE_STEP]
        assert knot == pytest.approx(round(knot), abs=1e-9)
        assert row[DRIVE_TABLE + round(knot)] == pytest.approx(force)


def test_the_reference_car_is_the_common_vehicle():
    reference = CARS["reference"]
    assert (reference.mass, reference.drag, reference.top_speed) == (1200, 0.75, 70)
    assert reference.corner_acceleration(50.0) == pytest.approx(12)
    drag = 0.75 * 52**2 / 1200
    assert reference.drive_acceleration(52.0) == pytest.approx(4.1 - drag, abs=0.01)
    assert reference.brake_deceleration(1.0) == pytest.approx(12, rel=0.05)


@pytest.mark.parametrize("name", EVERY_CAR)
def test_limits_are_sane_and_vectorised(name):
    each = CARS[name]
    speeds = np.linspace(0, each.top_speed, 20)
    for limit in (each.corner_acceleration, each.brake_deceleration, each.drive_acceleration):
        values = limit(speeds)
        assert values.shape == (20,)
        assert values[7] == limit(speeds[7])
    assert (each.corner_acceleration(speeds) > 0).all()
    assert (np.diff(each.corner_acceleration(speeds)) >= -1e-9).all()
    assert (each.brake_deceleration(speeds) > 5).all()
    assert each.drive_acceleration(0.0) > 1


@pytest.mark.parametrize("name", EVERY_CAR)
def test_json_round_trip(name):
    text = json.dumps(CARS[name].to_dict())
    assert Car.from_dict(json.loads(text)) == CARS[name]


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -1.5, "fast", None, True])
def test_unusable_numbers_are_refused_by_name(field, value):
    if field == "box_offset" and value == -1.5:
        return
    with pytest.raises(InputError, match=field):
        replace(CARS["gt"], **{field: value})


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"mass": 0.0}, "mass"),
        ({"drive_front": 1.2}, "drive_front"),
        ({"max_wheel_angle": 1.6}, "max_wheel_angle"),
        ({"model": "magic"}, "model"),
        ({"name": 3}, "name"),
        ({"drive_table": ((0.0, 1.0), (0.0, 2.0))}, "drive_table"),
        ({"drive_table": ((0.0, math.nan),)}, "drive_table"),
        ({"drive_table": ((0.0, 1.0, 2.0),)}, "drive_table"),
        ({"drive_table": "table"}, "drive_table"),
        ({"drive_table": 5}, "drive_table"),
    ],
)
def test_other_misuse_is_refused_by_name(change, word):
    with pytest.raises(InputError, match=word):
        replace(CARS["gt"], **change)


@pytest.mark.parametrize(
    "change",
    [
        {"wheels": 4},
        {"drive_table": [1, 2]},
        {"drive_table": 3},
        {"mass": [1]},
        {"drive_table": None},
    ],
)
def test_unusable_dictionaries_are_refused(change):
    with pytest.raises(InputError):
        Car.from_dict({**CARS["gt"].to_dict(), **change})


def test_incomplete_dictionaries_are_refused():
    for broken in ({}, {"name": "x"}, 3, None, []):
        with pytest.raises(InputError):
            Car.from_dict(broken)


def test_stacked_rows():
    rows = car_array([CARS["gt"], CARS["road"]])
    assert np.array_equal(rows[1], CARS["road"].vector())
    assert car_array([]).shape == (0, CAR_WIDTH)
