"""A driver that follows a route: what it heeds, and how strongly.

The family of laws is that of game racing: aim at a point that runs ahead on the route, slow for
the turn that comes, wander a little like a person, give way after a touch. `RouteDriver()` is a
competent driver of real circuits. `CLASSIC` holds the well-known numbers of the car AI in Unity's
Standard Assets, in SI units, for those who port a game.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from headway.errors import InputError
from headway.follow.pid import Gains

USUAL_LENGTH = 4.0
"""Drivers of cars shorter than this, m, scale their distances and times down with the car."""

CHOICES = {
    "line": ("racing", "centre", "waypoints"),
    "progress": ("smooth", "point_to_point"),
    "progress_rule": ("projected", "stepped"),
    "brake_condition": ("never", "direction", "distance", "corner"),
    "steering_law": ("proportional", "pid"),
    "speed_law": ("proportional", "pid"),
}
"""What the fields that name a rule may be; kernels see the place in the tuple."""


@dataclass(frozen=True)
class RouteDriver:
    """How one driver drives.

    Distances are meant for cars of usual size: in a car shorter than 4 m (a model car) the driver
    scales them down; see `scaled`.

    Parameters
    ----------
    line : {"racing", "centre", "waypoints"}
        Follow the relaxed line, the centre line, or the centre line's waypoints joined by the
        uniform Catmull-Rom curve over chord lengths that games use.
    progress : {"smooth", "point_to_point"}
        Aim at a point that runs smoothly ahead, or at the next waypoint until it is reached.
    progress_rule : {"projected", "stepped"}
        Where the driver thinks it is: its position projected onto the route, or the last value
        stepped forward whenever it is ahead of it (never back; the rule of `CLASSIC`).
    waypoint_radius : float
        A waypoint counts as reached within this distance, m.
    target_offset, target_time : float
        Look-ahead of the point to steer for: m, and s (metres per m/s of speed).
    speed_offset, speed_time : float
        Look-ahead of the direction to slow for: m, and s.
    reaction_time : float
        Speed and curvature of the line are read this far ahead, s, to make up for the lag of
        wheel and car.
    reach_braking_distance : bool
        Look at least as far ahead as the car needs to stop, whatever the look-ahead says.
    brake_condition : {"never", "direction", "distance", "corner"}
        Slow down for nothing; for a target direction that differs from where the car moves; for
        a target that comes near (it stops there); or for the bends of the line, at the speed
        that the car's grip allows.
    max_speed : float
        Speed when nothing asks for caution, m/s; infinite means the car's top speed.
    cautious_speed_factor : float
        Share of `max_speed` left at full caution.
    cautious_angle : float
        Difference of direction at which caution is full, rad.
    cautious_distance : float
        Distance at which caution begins under "distance", m.
    cautious_spin_time : float
        A spin counts as the angle it turns in this time, s.
    corner_grip, brake_grip : float
        Shares of the car's lateral and braking grip that "corner" plans with.
    steering_law : {"proportional", "pid"}
        Turn the wheel in proportion to the angle to the target, or by feed-forward of the
        route's curvature and a PID law on the angle that is left.
    steering_gain : float
        Proportional law: share of full lock per rad.
    steering_gains : Gains
        PID law: rad of wheel angle per rad.
    yaw_damping : float
        PID law: rad of wheel angle per rad/s of yaw rate that the route does not ask for.
    speed_law : {"proportional", "pid"}
        Pedals in proportion to the speed error, or by the acceleration that the line asks for
        and a PID law on the speed error, within the grip left beside the turning.
    throttle_gain, brake_gain : float
        Proportional law: pedal per m/s.
    speed_gains : Gains
        PID law: m/s² per m/s.
    lateral_wander, lateral_wander_rate : float
        Size, m, and pace, 1/s, of the wander to either side.
    lateral_speed : float
        How fast the point aimed at may move to the side, m/s: a jump of it would be a jerk at the
        wheel.
    throttle_wander, throttle_wander_rate : float
        Share of the pedals lost to wander, and its pace, 1/s.
    evasion_time : float
        How long to give way after contact, s.
    evasion_slowdown : float
        Factor on the speed while giving way to a car ahead.
    evasion_offset : float
        Distance to veer to the free side while giving way, m.
    stop_at_target : bool
        Stop for good when the target is reached; on an open route the target is its end.
    reach_radius : float
        The target counts as reached within this distance, m.
    following_time : float
        Time gap to keep to the car ahead, s; 0 takes no notice of others before contact.
    stuck_time : float
        Back up after standing for this long against one's will, s; 0 never backs up.

    Raises
    ------
    InputError
        If a number is not finite or is negative, or a rule is not among those named.

    Examples
    --------
    >>> careful = RouteDriver(corner_grip=0.6, lateral_wander=0.0)
    >>> careful.brake_condition
    'corner'
    """

    line: str = "racing"
    progress: str = "smooth"
    progress_rule: str = "projected"
    waypoint_radius: float = 4.0
    target_offset: float = 5.0
    target_time: float = 0.35
    speed_offset: float = 10.0
    speed_time: float = 0.2
    reaction_time: float = 0.1
    reach_braking_distance: bool = True
    brake_condition: str = "corner"
    max_speed: float = math.inf
    cautious_speed_factor: float = 0.05
    cautious_angle: float = math.radians(50.0)
    cautious_distance: float = 100.0
    cautious_spin_time: float = math.radians(30.0)
    corner_grip: float = 0.9
    brake_grip: float = 0.8
    steering_law: str = "pid"
    steering_gain: float = math.degrees(0.05)
    steering_gains: Gains = field(default_factory=Gains)
    yaw_damping: float = 0.1
    speed_law: str = "pid"
    throttle_gain: float = 0.0895
    brake_gain: float = 2.237
    speed_gains: Gains = field(default_factory=lambda: Gains(2.0, 0.2, 0.0, 0.1, 1.0))
    lateral_wander: float = 0.4
    lateral_wander_rate: float = 0.1
    lateral_speed: float = 2.0
    throttle_wander: float = 0.05
    throttle_wander_rate: float = 0.1
    evasion_time: float = 1.0
    evasion_slowdown: float = 0.7
    evasion_offset: float = 1.5
    stop_at_target: bool = False
    reach_radius: float = 2.0
    following_time: float = 0.2
    stuck_time: float = 1.5

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise InputError(f"{name} is {value!r}: choose one of {', '.join(choices)}.")
        for each in fields(self):
            if each.name not in CHOICES:
                _check(each.name, getattr(self, each.name), type(each.default))
        if self.cautious_angle == 0 or self.cautious_distance == 0:
            raise InputError("cautious_angle and cautious_distance must be above 0.")

    def scaled(self, factor: float) -> RouteDriver:
        """Return this driver for a model car: lengths scaled, times by the root of the factor.

        Speeds then scale as they do in a model under the same gravity (Froude's law).
        """
        lengths = ("waypoint_radius", "target_offset", "speed_offset", "cautious_distance")
        lengths += ("lateral_wander", "evasion_offset", "reach_radius")
        rooted = ("target_time", "speed_time", "reaction_time", "following_time", "yaw_damping")
        rooted += ("lateral_speed",)
        changes = {name: getattr(self, name) * factor for name in lengths}
        changes |= {name: getattr(self, name) * math.sqrt(factor) for name in rooted}
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters as plain numbers and strings; an infinite speed becomes None."""
        plain = asdict(self)
        plain["max_speed"] = None if math.isinf(self.max_speed) else self.max_speed
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> RouteDriver:
        """Return the driver that `to_dict` described.

        Raises
        ------
        InputError
            If a parameter is unknown or not usable.
        """
        if not isinstance(plain, dict):
            raise InputError(f"the driver's parameters are {plain!r}: give a dictionary.")
        try:
            values = dict(plain)
            for name in ("steering_gains", "speed_gains"):
                if name in values:
                    values[name] = Gains(**values[name])
            if values.get("max_speed", 0.0) is None:
                values["max_speed"] = math.inf
            return cls(**values)
        except TypeError as error:
            raise InputError(f"the driver's parameters cannot be used: {error}.") from error


def _check(name: str, value: Any, kind: type) -> None:
    """Refuse what cannot be a parameter: a switch, a number or, without a default, gains."""
    if kind is bool:
        if not isinstance(value, bool):
            raise InputError(f"{name} is {value!r}: give True or False.")
    elif kind is not float:
        if not isinstance(value, Gains):
            raise InputError(f"{name} is {value!r}: give Gains.")
    elif isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        raise InputError(f"{name} is {value!r}: give a number, 0 or more.")
    elif math.isinf(value) and name != "max_speed":
        raise InputError(f"{name} is infinite: give a finite number.")


CLASSIC = RouteDriver(
    line="waypoints",
    progress_rule="stepped",
    target_time=0.1,
    reach_braking_distance=False,
    brake_condition="direction",
    max_speed=25.0,
    corner_grip=1.0,
    brake_grip=1.0,
    steering_law="proportional",
    speed_law="proportional",
    lateral_wander=3.0,
    lateral_speed=1000.0,
    throttle_wander=0.1,
    evasion_slowdown=0.5,
    evasion_offset=3.0,
    following_time=0.0,
)
"""The numbers and laws that games have long used, in SI units, for a car of 25 m/s."""

DRIVERS = {
    "racer": RouteDriver(),
    "careful": RouteDriver(corner_grip=0.7, brake_grip=0.6, lateral_wander=0.2),
    "classic": CLASSIC,
}
"""Drivers by name, as `headway race --driver` knows them."""


def driver(name: str) -> RouteDriver:
    """Return a driver by name.

    Raises
    ------
    InputError
        If there is no driver of that name; the message lists those there are.

    Examples
    --------
    >>> driver("classic").max_speed
    25.0
    """
    if name not in DRIVERS:
        raise InputError(f"there is no driver {name!r}: choose one of {', '.join(DRIVERS)}.")
    return DRIVERS[name]
