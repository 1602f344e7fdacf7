"""The ready-made cars, by name."""

from __future__ import annotations

from typing import Any

from headway.errors import InputError
from headway.move.car_parameters import CAR_WIDTH, GRAVITY, Car, car_array
from headway.move.commonroad_sets import COMMONROAD_SETS

__all__ = ["CARS", "CAR_WIDTH", "GRAVITY", "Car", "car", "car_array"]

ROAD = Car(
    name="road",
    source="Chosen here: a front-driven compact car on summer tyres.",
    mass=1400.0,
    yaw_inertia=2200.0,
    front_axle=1.10,
    rear_axle=1.55,
    cg_height=0.55,
    length=4.40,
    width=1.80,
    box_offset=-0.20,
    max_wheel_angle=0.60,
    steering_rate=0.80,
    front_friction=1.0,
    rear_friction=1.15,
    front_stiffness=15.0,
    rear_stiffness=18.0,
    drag=0.40,
    rolling_resistance=0.12,
    max_drive_force=6500.0,
    max_power=110e3,
    drive_front=1.0,
    max_brake_force=15e3,
    brake_front=0.80,
    top_speed=55.0,
    reverse_speed=10.0,
)

GT = Car(
    name="gt",
    source="Chosen here: a rear-driven GT3-like race car on slick tyres.",
    mass=1300.0,
    yaw_inertia=1900.0,
    front_axle=1.40,
    rear_axle=1.30,
    cg_height=0.38,
    length=4.60,
    width=1.95,
    max_wheel_angle=0.50,
    steering_rate=1.2,
    front_friction=1.50,
    rear_friction=1.70,
    front_stiffness=22.0,
    rear_stiffness=26.0,
    drag=0.65,
    front_downforce=0.65,
    rear_downforce=0.85,
    rolling_resistance=0.15,
    max_drive_force=11e3,
    max_power=400e3,
    drive_front=0.0,
    max_brake_force=28e3,
    brake_front=0.72,
    top_speed=80.0,
    reverse_speed=10.0,
)

FORMULA = Car(
    name="formula",
    source="Chosen here: a single-seater with strong downforce.",
    mass=750.0,
    yaw_inertia=1000.0,
    front_axle=1.75,
    rear_axle=1.45,
    cg_height=0.30,
    length=5.20,
    width=1.95,
    max_wheel_angle=0.40,
    steering_rate=1.5,
    front_friction=1.60,
    rear_friction=1.80,
    front_stiffness=28.0,
    rear_stiffness=32.0,
    drag=1.0,
    front_downforce=1.3,
    rear_downforce=1.7,
    rolling_resistance=0.15,
    max_drive_force=11e3,
    max_power=600e3,
    drive_front=0.0,
    max_brake_force=42e3,
    brake_front=0.58,
    top_speed=88.0,
    reverse_speed=8.0,
    blend_speed=3.0,
)

F1TENTH = Car(
    name="f1tenth",
    source="Default parameters of the F1TENTH gym (O'Kelly et al. 2020), a 1:10 car; drag, rolling "
    "resistance, drive and brake split are assumed.",
    mass=3.74,
    yaw_inertia=0.04712,
    front_axle=0.15875,
    rear_axle=0.17145,
    cg_height=0.074,
    length=0.58,
    width=0.31,
    max_wheel_angle=0.4189,
    steering_rate=3.2,
    front_friction=1.0489,
    rear_friction=1.0489,
    front_stiffness=1.0489 * 4.718,
    rear_stiffness=1.0489 * 5.4562,
    drag=0.015,
    rolling_resistance=0.15,
    max_drive_force=3.74 * 9.51,
    max_power=3.74 * 9.51 * 7.319,
    drive_front=0.4,
    max_brake_force=3.74 * 9.51,
    brake_front=0.65,
    top_speed=20.0,
    reverse_speed=5.0,
    blend_speed=0.8,
)

_REFERENCE_DRIVE = (
    (0.0, 5.3),
    (36.0, 5.3),
    (40.0, 5.1),
    (44.0, 5.0),
    (48.0, 4.6),
    (52.0, 4.1),
    (56.0, 3.7),
    (60.0, 2.7),
    (66.0, 2.2),
    (72.0, 1.5),
)

REFERENCE = Car(
    name="reference",
    source="The common vehicle of the reference racing lines: mass, drag, top speed, drive limits "
    "(TUM ax_max_machines) and a friction circle of 12 m/s²; axles and yaw inertia of the TUM race "
    "car. Assumed: body and stiffness; no load transfer (height 0) and drive and brakes split as "
    "the axle loads, so that friction counts for the whole car as for a point mass; 6 % more "
    "friction at the rear, so that the front slides first.",
    mass=1200.0,
    yaw_inertia=1200.0,
    front_axle=1.6,
    rear_axle=1.4,
    cg_height=0.0,
    length=4.7,
    width=1.9,
    max_wheel_angle=0.35,
    steering_rate=1.2,
    front_friction=12.0 / GRAVITY,
    rear_friction=1.06 * 12.0 / GRAVITY,
    front_stiffness=22.0,
    rear_stiffness=26.0,
    front_grip_share=0.98,
    rear_grip_share=0.95,
    drag=0.75,
    rolling_resistance=1e-3,
    drive_table=tuple((speed, 1200.0 * limit) for speed, limit in _REFERENCE_DRIVE),
    drive_front=0.47,
    max_brake_force=1200.0 * 12.0,
    brake_front=0.48,
    top_speed=70.0,
    reverse_speed=10.0,
)


def _commonroad(number: int, vehicle: str, **body: Any) -> Car:
    """A car whose axles, tyres and limits are those of a CommonRoad set."""
    shared = COMMONROAD_SETS[number]
    mass = body.pop("mass", shared.mass)
    force = mass * shared.acceleration_max
    return Car(
        name=f"commonroad{number}",
        source=f"CommonRoad vehicle {number} ({vehicle}), Althoff and Würsching 2020; "
        "drag and rolling resistance are assumed.",
        mass=mass,
        yaw_inertia=body.pop("yaw_inertia", shared.yaw_inertia),
        front_axle=shared.front_axle,
        rear_axle=shared.rear_axle,
        max_wheel_angle=shared.steer_max,
        steering_rate=shared.steer_rate_max,
        front_friction=shared.peak_friction,
        rear_friction=shared.peak_friction,
        front_stiffness=shared.peak_friction * shared.stiffness,
        rear_stiffness=shared.peak_friction * shared.stiffness,
        max_drive_force=force,
        max_power=force * shared.switch_speed,
        max_brake_force=force,
        top_speed=shared.speed_max,
        reverse_speed=-shared.speed_min,
        **body,
    )


COMMONROAD1 = _commonroad(
    1,
    "Ford Escort",
    cg_height=0.557784,
    length=4.298,
    width=1.674,
    drag=0.40,
    drive_front=1.0,
    brake_front=0.76,
)
COMMONROAD2 = _commonroad(
    2,
    "BMW 320i",
    cg_height=0.5748689544,
    length=4.508,
    width=1.61,
    drag=0.38,
    drive_front=0.0,
    brake_front=0.66,
)
COMMONROAD3 = _commonroad(
    3,
    "VW Vanagon",
    cg_height=0.7478167416,
    length=4.569,
    width=1.844,
    drag=0.80,
    drive_front=0.0,
    brake_front=0.64,
)
COMMONROAD4 = _commonroad(
    4,
    "truck without its trailer; mass, inertia and height are assumed, as none are published",
    mass=7500.0,
    yaw_inertia=20e3,
    cg_height=1.0,
    length=5.1,
    width=2.55,
    drag=3.0,
    drive_front=0.0,
    brake_front=0.60,
)

CARS: dict[str, Car] = {
    each.name: each
    for each in (
        ROAD,
        GT,
        FORMULA,
        F1TENTH,
        REFERENCE,
        COMMONROAD1,
        COMMONROAD2,
        COMMONROAD3,
        COMMONROAD4,
    )
}
"""Every ready-made car by its name."""


def car(name: str) -> Car:
    """Return one of the ready-made cars.

    Parameters
    ----------
    name : str
        A key of ``CARS``.

    Returns
    -------
    Car
        Its parameters.

    Raises
    ------
    InputError
        If no car has that name; the message lists those there are.

    Examples
    --------
    >>> car("f1tenth").mass
    3.74
    """
    if name not in CARS:
        raise InputError(f"no car is called {name!r}; there are {', '.join(CARS)}.")
    return CARS[name]
