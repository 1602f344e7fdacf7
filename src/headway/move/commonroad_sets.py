"""The four vehicles published with the CommonRoad vehicle models.

Source: M. Althoff and G. Würsching, "CommonRoad: Vehicle Models", TU München, 2020, with the
parameter files of its release 3.0 (BSD licence).
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

# columns of the vector that the CommonRoad kernels take
(
    FRONT_AXLE,
    REAR_AXLE,
    STEER_MIN,
    STEER_MAX,
    STEER_RATE_MIN,
    STEER_RATE_MAX,
    SPEED_MIN,
    SPEED_MAX,
    SWITCH_SPEED,
    ACCELERATION_MAX,
    MASS,
    YAW_INERTIA,
    SPRUNG_HEIGHT,
    PEAK_FRICTION,
    STIFFNESS,
) = range(15)


@dataclass(frozen=True)
class CommonRoadSet:
    """Parameters of the CommonRoad kinematic (KS) and single-track (ST) models.

    Attributes
    ----------
    front_axle, rear_axle : float
        Distance of the axles from the centre of gravity, m.
    steer_min, steer_max : float
        Limits of the wheel angle, rad.
    steer_rate_min, steer_rate_max : float
        Limits of its rate, rad/s.
    speed_min, speed_max : float
        Limits of the speed, m/s.
    switch_speed : float
        Above it the largest acceleration falls as 1 / speed, m/s.
    acceleration_max : float
        Largest acceleration either way, m/s².
    mass : float
        kg; not published for the truck (set 4), which has no single-track model.
    yaw_inertia : float
        kg m².
    sprung_height : float
        Height of the sprung mass above the ground, m.
    peak_friction : float
        Tyre parameter p_dy1.
    stiffness : float
        Cornering stiffness per unit of load and friction, p_ky1 / p_dy1 with its sign
        reversed, 1/rad.
    """

    front_axle: float
    rear_axle: float
    steer_min: float
    steer_max: float
    steer_rate_min: float
    steer_rate_max: float
    speed_min: float
    speed_max: float
    switch_speed: float
    acceleration_max: float = 11.5
    mass: float = float("nan")
    yaw_inertia: float = float("nan")
    sprung_height: float = float("nan")
    peak_friction: float = 1.0489
    stiffness: float = 21.92 / 1.0489

    def vector(self) -> np.ndarray:
        """All parameters as the vector (15,) that the kernels take."""
        return np.array(astuple(self), dtype=np.float64)


FORD_ESCORT = CommonRoadSet(
    front_axle=0.88392,
    rear_axle=1.50876,
    steer_min=-0.91,
    steer_max=0.91,
    steer_rate_min=-0.4,
    steer_rate_max=0.4,
    speed_min=-13.9,
    speed_max=45.8,
    switch_speed=4.755,
    mass=1225.8878467253344,
    yaw_inertia=1538.8533713561394,
    sprung_height=0.59436,
)
BMW_320I = CommonRoadSet(
    front_axle=1.1561957064,
    rear_axle=1.4227170936,
    steer_min=-1.066,
    steer_max=1.066,
    steer_rate_min=-0.4,
    steer_rate_max=0.4,
    speed_min=-13.9,
    speed_max=50.8,
    switch_speed=7.319,
    mass=1093.2952334674046,
    yaw_inertia=1791.5995300122856,
    sprung_height=0.61373004,
)
VW_VANAGON = CommonRoadSet(
    front_axle=1.1507916024,
    rear_axle=1.3211363976000001,
    steer_min=-1.023,
    steer_max=1.023,
    steer_rate_min=-0.4,
    steer_rate_max=0.4,
    speed_min=-11.2,
    speed_max=41.7,
    switch_speed=7.824,
    mass=1478.8979637767998,
    yaw_inertia=2473.1176915564442,
    sprung_height=0.804490644,
)
TRUCK = CommonRoadSet(
    front_axle=1.8,
    rear_axle=1.8,
    steer_min=-0.55,
    steer_max=0.55,
    steer_rate_min=-0.7103,
    steer_rate_max=0.7103,
    speed_min=-2.78,
    speed_max=22.22,
    switch_speed=7.824,
)
COMMONROAD_SETS = {1: FORD_ESCORT, 2: BMW_320I, 3: VW_VANAGON, 4: TRUCK}
"""The published sets by their CommonRoad number."""
