"""The parameters of a car: what it weighs, how it grips, what its engine and brakes can do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from headway.errors import InputError

GRAVITY = 9.81
"""m/s²"""

# columns of a car's parameter vector
(
    MASS,
    YAW_INERTIA,
    FRONT_AXLE,
    REAR_AXLE,
    CG_HEIGHT,
    LENGTH,
    WIDTH,
    BOX_OFFSET,
    MAX_WHEEL_ANGLE,
    STEERING_RATE,
    FRONT_FRICTION,
    REAR_FRICTION,
    FRONT_STIFFNESS,
    REAR_STIFFNESS,
    FRONT_GRIP_SHARE,
    REAR_GRIP_SHARE,
    DRAG,
    FRONT_DOWNFORCE,
    REAR_DOWNFORCE,
    ROLLING_RESISTANCE,
    DRIVE_FRONT,
    BRAKE_FORCE,
    BRAKE_FRONT,
    TOP_SPEED,
    REVERSE_SPEED,
    BLEND_SPEED,
    KINEMATIC,
    DRIVE_STEP,
    DRIVE_TABLE,
) = range(29)
DRIVE_TABLE_SIZE = 37
CAR_WIDTH = DRIVE_TABLE + DRIVE_TABLE_SIZE

_SIGNED = ("box_offset",)
_MAY_BE_ZERO = (
    "cg_height",
    "drag",
    "front_downforce",
    "rear_downforce",
    "rolling_resistance",
    "max_drive_force",
    "max_power",
    "reverse_speed",
)
_SHARES = ("brake_front", "drive_front", "front_grip_share", "rear_grip_share")


@dataclass(frozen=True, kw_only=True)
class Car:
    """A car as the single-track model sees it.

    Attributes
    ----------
    name, source : str
        What it is called, and where its numbers come from.
    mass : float
        kg.
    yaw_inertia : float
        About the vertical axis through the centre of gravity, kg m².
    front_axle, rear_axle : float
        Distance of the axles from the centre of gravity, m.
    cg_height : float
        Height of the centre of gravity, m.
    length, width : float
        The body's box, m.
    box_offset : float
        How far the centre of that box lies ahead of the centre of gravity, m.
    max_wheel_angle : float
        Largest angle of the front wheels, rad.
    steering_rate : float
        Largest rate of that angle, rad/s.
    front_friction, rear_friction : float
        Peak friction of each axle's tyres on dry road.
    front_stiffness, rear_stiffness : float
        Cornering stiffness of an axle per newton of static load and downforce, 1/rad.
    front_grip_share, rear_grip_share : float
        Largest share of an axle's friction that drive or brakes may use, as anti-lock brakes
        and traction control see to; the rest is left for the side. 1 lets wheels lock.
    drag : float
        Aerodynamic drag over speed squared, N s²/m².
    front_downforce, rear_downforce : float
        Downforce of each axle over speed squared, N s²/m².
    rolling_resistance : float
        Deceleration of the rolling tyres, m/s².
    max_drive_force : float
        Largest force of the engine at the wheels, N.
    max_power : float
        Power at the wheels, W: at speed v the force is at most max_power / v.
    drive_table : tuple of (float, float)
        Explicit (speed in m/s, drive force in N), linear between and constant beyond; replaces
        force and power where it is given.
    drive_front, brake_front : float
        Share of the drive and of the brake force at the front axle.
    max_brake_force : float
        N, of all four wheels.
    top_speed, reverse_speed : float
        Speeds beyond which the engine does not drive, m/s.
    blend_speed : float
        About this speed the model passes from rolling without slip to slipping tyres, m/s.
    model : "dynamic" or "kinematic"
        Whether the tyres slip at all.

    Raises
    ------
    InputError
        If a parameter is not finite or out of its range.

    Examples
    --------
    >>> from headway.move.car import CARS
    >>> gt = CARS["gt"]
    >>> gt.wheelbase
    2.7
    >>> float(round(gt.corner_acceleration(60.0), 2))  # with downforce
    20.32
    """

    name: str
    source: str
    mass: float
    yaw_inertia: float
    front_axle: float
    rear_axle: float
    cg_height: float
    length: float
    width: float
    box_offset: float = 0.0
    max_wheel_angle: float
    steering_rate: float
    front_friction: float
    rear_friction: float
    front_stiffness: float
    rear_stiffness: float
    front_grip_share: float = 0.95
    rear_grip_share: float = 0.80
    drag: float = 0.0
    front_downforce: float = 0.0
    rear_downforce: float = 0.0
    rolling_resistance: float = 0.12
    max_drive_force: float = 0.0
    max_power: float = 0.0
    drive_table: tuple[tuple[float, float], ...] = ()
    drive_front: float
    max_brake_force: float
    brake_front: float
    top_speed: float
    reverse_speed: float
    blend_speed: float = 2.5
    model: str = "dynamic"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "float":
                _check_number(self.name, field.name, value)
            elif field.type == "str" and not isinstance(value, str):
                raise InputError(f"car: {field.name} is {value!r}; give a text.")
        if self.model not in ("dynamic", "kinematic"):
            raise InputError(
                f"car {self.name!r}: model is {self.model!r}; give 'dynamic' or 'kinematic'."
            )
        if self.max_wheel_angle > 1.4:
            raise InputError(
                f"car {self.name!r}: max_wheel_angle is {self.max_wheel_angle}; "
                "give radians, at most 1.4."
            )
        _check_table(self.name, self.drive_table)

    @property
    def wheelbase(self) -> float:
        """Distance between the axles, m."""
        return self.front_axle + self.rear_axle

    def vector(self) -> np.ndarray:
        """Return the parameters as the row (CAR_WIDTH,) that the kernels take."""
        row = np.empty(CAR_WIDTH)
        for column, name in enumerate(_COLUMNS):
            row[column] = getattr(self, name)
        row[KINEMATIC] = float(self.model == "kinematic")
        reach = max([self.top_speed, *(speed for speed, _ in self.drive_table)])
        row[DRIVE_STEP] = reach / (DRIVE_TABLE_SIZE - 1)
        row[DRIVE_TABLE:] = self.drive_force(row[DRIVE_STEP] * np.arange(DRIVE_TABLE_SIZE))
        return row

    def drive_force(self, speed: float | np.ndarray) -> Any:
        """Force of the engine at the wheels at full throttle and a speed (m/s), N."""
        speed = np.asarray(speed, dtype=np.float64)
        if self.drive_table:
            knots, forces = np.array(self.drive_table).T
            return np.interp(speed, knots, forces)[()]
        slow = self.max_drive_force * speed <= self.max_power
        return np.where(slow, self.max_drive_force, self.max_power / np.where(slow, 1, speed))[()]

    def corner_acceleration(self, speed: float | np.ndarray) -> Any:
        """Largest steady lateral acceleration on a flat dry road at a speed (m/s), m/s².

        That at which the first of the two axles slides.
        """
        front, rear = self._loads(speed)
        front_limit = self.front_friction * front * self.wheelbase / self.rear_axle
        rear_limit = self.rear_friction * rear * self.wheelbase / self.front_axle
        return np.minimum(front_limit, rear_limit) / self.mass

    def brake_deceleration(self, speed: float | np.ndarray) -> Any:
        """Deceleration at full brake on a straight flat dry road at a speed (m/s), m/s²."""
        front, rear = self._grip(speed, -self.max_brake_force)
        force = np.minimum(self.brake_front * self.max_brake_force, front)
        force = force + np.minimum((1 - self.brake_front) * self.max_brake_force, rear)
        return (force + self.drag * np.square(speed)) / self.mass + self.rolling_resistance

    def drive_acceleration(self, speed: float | np.ndarray) -> Any:
        """Acceleration at full throttle on a straight flat dry road at a speed (m/s), m/s².

        Drag and rolling resistance are taken off; the car gains speed where it is positive.
        """
        wanted = self.drive_force(speed) * (np.asarray(speed) < self.top_speed)
        front, rear = self._grip(speed, wanted)
        force = np.minimum(self.drive_front * wanted, front)
        force = force + np.minimum((1 - self.drive_front) * wanted, rear)
        return (force - self.drag * np.square(speed)) / self.mass - self.rolling_resistance

    def traction(self, speed: float | np.ndarray) -> Any:
        """Acceleration that the driven wheels can put down at a speed (m/s), m/s²."""
        front, rear = self._grip(speed, self.mass * GRAVITY)
        driven = [front / self.drive_front] if self.drive_front > 0 else []
        driven += [rear / (1 - self.drive_front)] if self.drive_front < 1 else []
        return np.minimum.reduce(driven) / self.mass

    def _loads(self, speed: Any) -> tuple[Any, Any]:
        """Weight and downforce on the front and on the rear axle, N."""
        weight = self.mass * GRAVITY / self.wheelbase
        front = weight * self.rear_axle + self.front_downforce * np.square(speed)
        return front, weight * self.front_axle + self.rear_downforce * np.square(speed)

    def _grip(self, speed: Any, wanted: Any) -> tuple[Any, Any]:
        """Force that drive or brakes may use at the front and at the rear axle, N."""
        front, rear = self._loads(speed)
        most = self.front_friction * front + self.rear_friction * rear
        shift = np.clip(wanted, -most, most) * self.cg_height / self.wheelbase
        front_grip = self.front_grip_share * self.front_friction * np.maximum(front - shift, 0)
        rear_grip = self.rear_grip_share * self.rear_friction * np.maximum(rear + shift, 0)
        return front_grip, rear_grip

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, texts and lists, ready for JSON."""
        return {**asdict(self), "drive_table": [list(pair) for pair in self.drive_table]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Car:
        """Make a car of what ``to_dict`` returned.

        Raises
        ------
        InputError
            If a key is unknown or missing, or a value cannot be used.
        """
        known = {field.name for field in fields(cls)}
        if not isinstance(values, Mapping):
            raise InputError("car: give a dictionary of parameters, as Car.to_dict returns.")
        if unknown := sorted(set(values) - known):
            raise InputError(
                f"car: no parameter is called {unknown[0]!r}; see Car for their names."
            )
        try:
            table = tuple((speed, force) for speed, force in values.get("drive_table", ()))
            return cls(**{**values, "drive_table": table})
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"car: a parameter is missing or malformed ({error}).") from error


def _check_number(car_name: str, name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"car {car_name!r}: {name} is {value!r}; give a finite number.")
    if name in _SHARES and not 0 <= value <= 1:
        raise InputError(f"car {car_name!r}: {name} is {value}; give a share from 0 to 1.")
    if name in _MAY_BE_ZERO + _SHARES and value < 0:
        raise InputError(f"car {car_name!r}: {name} is {value}; give zero or more.")
    if name not in _MAY_BE_ZERO + _SIGNED + _SHARES and value <= 0:
        raise InputError(f"car {car_name!r}: {name} is {value}; give more than zero.")


def _check_table(car_name: str, table: Any) -> None:
    try:
        values = np.array(table, dtype=np.float64).reshape(-1, 2)
        sound = (
            np.isfinite(values).all() and (values >= 0).all() and (np.diff(values[:, 0]) > 0).all()
        )
        sound = sound and isinstance(table, tuple) and len(table) == len(values)
    except (TypeError, ValueError):
        sound = False
    if not sound:
        raise InputError(
            f"car {car_name!r}: drive_table is not usable; give a tuple of (speed, force) pairs "
            "with rising speeds and forces of zero or more."
        )


_COLUMNS = [
    field.name
    for field in fields(Car)
    if field.type == "float" and field.name not in ("max_drive_force", "max_power")
]
"""The fields that are columns of the vector, in its order."""


def car_array(cars: Sequence[Car]) -> np.ndarray:
    """Stack the parameter rows of cars: (N, CAR_WIDTH)."""
    return np.array([car.vector() for car in cars]).reshape(-1, CAR_WIDTH)
