"""The classic preset against the published laws, written out plainly, and on the road."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from made_drive import DT, Seen, drive_on, on_track

from headway.decide.aim import LATERAL_STREAM, THROTTLE_STREAM
from headway.decide.memory import EVADE_OFFSET, EVADE_SLOWDOWN, EVADE_UNTIL, PROGRESS_S
from headway.decide.route_driver import CLASSIC
from headway.decide.route_drivers import RouteDrivers
from headway.geometry.noise import gradient_noise
from headway.move.car import CARS
from headway.sim.race import Race
from headway.sim.run import run
from headway.world.circuits import circuit
from headway.world.state import BRAKE, STEERING, THROTTLE, VX, VY, YAW, YAW_RATE, X, Y
from headway.world.track import Track

CLUB = circuit("club")
BARE = replace(CLASSIC, stuck_time=0.0)
"""Without getting going again, which the published laws do not know."""
COUNT = 300


def plain(points, widths=60.0) -> Track:
    """A track so wide that no wander has to be held back."""
    return Track.from_arrays(np.asarray(points), widths, widths)


WIDE = plain(CLUB.route.waypoints[:, :2])


class Circuit:
    """Waypoints joined by uniform Catmull-Rom curves over the cumulated chords between them."""

    def __init__(self, points: np.ndarray):
        self.points = points
        self.chords = np.concatenate(
            ([0.0], np.cumsum(np.hypot(*(np.roll(points, -1, axis=0) - points).T)))
        )

    def at(self, s: float) -> tuple[np.ndarray, np.ndarray]:
        """Position and unit direction at s."""
        s %= self.chords[-1]
        k = int(np.searchsorted(self.chords, s, side="right"))
        t = (s - self.chords[k - 1]) / (self.chords[k] - self.chords[k - 1])
        p0, p1, p2, p3 = (self.points[(k + i) % len(self.points)] for i in (-2, -1, 0, 1))
        b, c, d = p2 - p0, 2 * p0 - 5 * p1 + 4 * p2 - p3, -p0 + 3 * p1 - 3 * p2 + p3
        tangent = 0.5 * (b + 2 * c * t + 3 * d * t**2)
        return 0.5 * (2 * p1 + b * t + c * t**2 + d * t**3), tangent / np.hypot(*tangent)


def clamp(value: float, low: float = 0.0, high: float = 1.0) -> float:
    return min(max(value, low), high)


def angle_between(a: np.ndarray, b: np.ndarray) -> float:
    """Degrees, without sign."""
    return math.degrees(abs(math.atan2(a[0] * b[1] - a[1] * b[0], a @ b)))


def car_ai(road, car, progress, time, number, condition, avoid=None, wander=3.0):
    """Steps 2 to 6 of the published car AI for a 25 m/s car, in metres and seconds.

    Speeds were in miles per hour there, which only shows in the sensitivities. Right became left
    (y up instead of down), and the wander's random numbers are Headway's own.
    """
    position, nose = car[[X, Y]], np.array([math.cos(car[YAW]), math.sin(car[YAW])])
    side = np.array([-nose[1], nose[0]])
    velocity, speed = car[VX] * nose + car[VY] * side, math.hypot(car[VX], car[VY])
    # the progress tracker
    point, along = road.at(progress)
    if (point - position) @ along < 0:
        progress += 0.5 * math.dist(point, position)
    target, across = road.at(progress + 5 + 0.1 * speed)
    ahead = road.at(progress + 10 + 0.2 * speed)[1]
    # caution
    forward = velocity if speed > 0.1 * 25 else nose
    spin = abs(car[YAW_RATE]) * 30
    if condition == "direction":
        caution = clamp(max(spin, angle_between(ahead, forward)) / 50)
    elif condition == "distance":
        distance = math.dist(target, position)
        caution = max(clamp((100 - distance) / 100), clamp(spin / 50))
    else:
        caution = 0.0
    desired = 25 * (1 - caution * (1 - 0.05))
    # evasion, or wander, across the road at the target
    left = np.array([-across[1], across[0]])
    if avoid and time < avoid[0]:
        desired *= avoid[1]
        target = target + left * avoid[2]
    else:
        noise = gradient_noise(0, LATERAL_STREAM, number, time * 0.1)
        target = target + left * noise * wander
    # pedals
    error = desired - speed
    gain = CLASSIC.brake_gain if desired < speed else CLASSIC.throttle_gain
    noise = 0.5 + 0.5 * gradient_noise(0, THROTTLE_STREAM, number, time * 0.1)
    pedal = clamp(error * gain, -1, 1) * ((1 - 0.1) + 0.1 * noise)
    # wheel
    bearing = target - position
    degrees = math.degrees(math.atan2(bearing @ side, bearing @ nose))
    steering = clamp(degrees * 0.05, -1, 1) * (1 if car[VX] > -0.1 else -1)
    return max(pedal, 0.0), max(-pedal, 0.0), steering


def random_cars(seed: int, yaw_rate: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Cars about the track, and the progress that each believes it has."""
    random = np.random.default_rng(seed)
    route = (
        RouteDrivers(WIDE, [BARE], [CARS["road"]], np.zeros(1, dtype=np.int64), 0, DT, False)
        .groups[0]
        .line.route
    )
    progress = random.uniform(0, route.length, COUNT)
    cars = np.zeros((COUNT, 7))
    cars[:, [X, Y]] = route.position(progress)[:, :2] + random.uniform(-4, 4, (COUNT, 2))
    cars[:, YAW] = route.yaw(progress) + random.uniform(-1.5, 1.5, COUNT)
    cars[:, VX] = random.uniform(-2, 30, COUNT)
    cars[:, VY] = random.uniform(-2, 2, COUNT)
    cars[:, YAW_RATE] = random.uniform(-yaw_rate, yaw_rate, COUNT)
    cars[::10, VX:] *= 0.05  # slow, where the nose counts
    return cars, progress


def compare(driver, condition, cars, progress, time=4.3, avoid=None):
    road = Circuit(np.array(WIDE.route.waypoints)[:, :2])
    numbers = np.arange(COUNT, dtype=np.int64)
    team = RouteDrivers(
        WIDE, [driver] * COUNT, [CARS["road"]] * COUNT, numbers, 0, DT, see_others=False
    )
    memory = team.start(cars)
    memory[:, PROGRESS_S] = progress
    if avoid:
        memory[:, [EVADE_UNTIL, EVADE_SLOWDOWN, EVADE_OFFSET]] = avoid
    nobody, active = np.full(COUNT, -1, dtype=np.int64), np.ones(COUNT, dtype=np.bool_)
    controls, _ = team(Seen(time, cars, np.zeros((COUNT, 7)), nobody, active), memory)
    wanted = np.array(
        [
            car_ai(road, cars[i], progress[i], time, i, condition, avoid, driver.lateral_wander)
            for i in range(COUNT)
        ]
    )
    assert wanted.std(axis=0).min() > 0.01  # the states ask for all kinds of things
    assert np.abs(controls[:, [THROTTLE, BRAKE, STEERING]] - wanted).max() < 1e-9


# ---------------------------------------------------------------------------------------------
# The laws


@pytest.mark.parametrize("condition", ["direction", "distance"])
def test_controls_are_those_of_the_published_laws(condition):
    driver = replace(BARE, brake_condition=condition, lateral_wander=0.0)
    compare(driver, condition, *random_cars(1))


def test_the_wander_moves_the_target_across_the_road():
    compare(BARE, "direction", *random_cars(2))


@pytest.mark.parametrize("condition", ["direction", "distance"])
def test_a_spin_counts_with_all_of_its_yaw_rate(condition):
    """|ω| times 30, as degrees, whatever the road asks for."""
    driver = replace(BARE, brake_condition=condition, lateral_wander=0.0)
    compare(driver, condition, *random_cars(3, yaw_rate=1.5))


@pytest.mark.parametrize("slowdown", [1.0, 0.5])
@pytest.mark.parametrize("offset", [3.0, -3.0])
def test_evasion_replaces_the_wander_for_its_time(slowdown, offset):
    compare(BARE, "direction", *random_cars(4), avoid=(5.0, slowdown, offset))
    compare(BARE, "direction", *random_cars(5), avoid=(4.0, slowdown, offset))  # over by now


def test_without_brake_condition_there_is_no_caution():
    driver = replace(BARE, brake_condition="never", max_speed=25.0)
    compare(driver, "never", *random_cars(6, yaw_rate=1.5))


# ---------------------------------------------------------------------------------------------
# On the road


@pytest.mark.parametrize("seed", [0, 1])
def test_the_classic_driver_laps_the_club_circuit_without_leaving_it(seed):
    result = run(Race(CLUB, cars=1, laps=2, vehicle="road", driver="classic", seed=seed))
    (row,) = result.standings
    assert row.status == "finished"
    assert row.laps == 2
    assert row.off_track == 0
    assert row.respawns == 0
    assert row.total_s < 400.0


def test_the_whole_of_its_car_stays_on_the_road():
    drive = drive_on(CLUB, [CLASSIC] * 6, on_track(CLUB, 0.0), 150.0)
    assert drive.distance[-1].min() > CLUB.length
    assert drive.room.min() > 0.5 * CARS["road"].width
    assert drive.cars[:, :, VX].max() < 25.5


def test_it_wanders_over_more_of_the_road_than_a_racer():
    drive = drive_on(
        CLUB, [CLASSIC, replace(CLASSIC, lateral_wander=0.0)], on_track(CLUB, 0.0), 60.0
    )
    wandering, steady = np.abs(drive.places[:, :, 1]).mean(axis=0)
    assert wandering > 1.5 * steady


def test_at_its_speed_it_weaves_on_a_long_straight():
    """Known of the published laws: the look-ahead is too short for 25 m/s."""
    x = np.linspace(0.0, 2000.0, 201)
    track = Track.from_arrays(np.column_stack((x, 0 * x)), 40.0, 40.0, closed=False)
    driver = replace(CLASSIC, lateral_wander=0.0, brake_condition="never")
    drive = drive_on(track, [driver], on_track(track, 10.0, 1.0, 24.0), 40.0)
    assert np.sqrt((drive.cars[150:, 0, Y] ** 2).mean()) > 0.5
