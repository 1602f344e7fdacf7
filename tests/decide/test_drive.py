from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from made_drive import DT, Seen, drive_on, on_track, seen

from headway.decide.memory import (
    ASIDE,
    MEMORY_WIDTH,
    OFFSET,
    PROGRESS_S,
    STEERING_INTEGRAL,
    WAYPOINT,
)
from headway.decide.route_driver import CHOICES, RouteDriver
from headway.decide.route_drivers import RouteDrivers
from headway.move.car import CARS
from headway.move.single_track import step_cars
from headway.world.circuits import circuit
from headway.world.state import BRAKE, STATE_WIDTH, STEERING, THROTTLE, VX, YAW, X, Y
from headway.world.track import Track

CLUB = circuit("club")
CALM = RouteDriver(line="centre", lateral_wander=0.0, throttle_wander=0.0)
HALF_WIDTH = CARS["road"].width / 2


def straight(length: float = 1000.0, side: float = 6.0) -> Track:
    x = np.linspace(0.0, length, int(length / 10) + 1)
    return Track.from_arrays(np.column_stack((x, 0 * x)), side, side, closed=False)


def ring(radius: float) -> Track:
    angle = np.arange(120) * 2 * math.pi / 120
    return Track.from_arrays(radius * np.column_stack((np.cos(angle), np.sin(angle))), 6.0, 6.0)


def winding() -> Track:
    x = np.linspace(0.0, 400.0, 81)
    return Track.from_arrays(np.column_stack((x, 8 * np.sin(x / 40))), 5.0, 5.0, closed=False)


def team_of(track: Track, driver: RouteDriver, count: int = 1, seed: int = 0) -> RouteDrivers:
    numbers = np.arange(count, dtype=np.int64)
    return RouteDrivers(
        track, [driver] * count, [CARS["road"]] * count, numbers, seed, DT, see_others=False
    )


def first_controls(track: Track, driver: RouteDriver, car: np.ndarray) -> np.ndarray:
    """What a driver does at first sight."""
    team, cars = team_of(track, driver), car[None].copy()
    return team(seen(track, cars), team.start(cars))[0][0]


# ---------------------------------------------------------------------------------------------
# Every law takes a road car round


def laws(*names: str, **fixed) -> list[RouteDriver]:
    """A driver at moderate speed for each combination of the rules named."""
    speeds = {"never": 9.0, "direction": 20.0, "distance": 24.0, "corner": 22.0}
    drivers = []
    for choice in itertools.product(*(CHOICES[name] for name in names)):
        rules = fixed | dict(zip(names, choice, strict=True))
        drivers.append(
            RouteDriver(
                **rules,
                max_speed=speeds[rules["brake_condition"]],
                cautious_speed_factor=0.4 if rules["brake_condition"] == "distance" else 0.05,
            )
        )
    return drivers


EVERY_LAW = laws(
    "progress", "progress_rule", "brake_condition", "steering_law", "speed_law", line="centre"
)
EVERY_LINE = laws("line", "brake_condition", "steering_law")


def test_every_combination_of_laws_keeps_the_whole_car_on_the_road():
    drive = drive_on(CLUB, EVERY_LAW, on_track(CLUB, 5.0), 50.0)
    left = drive.room.min(axis=0) < HALF_WIDTH
    assert [driver for driver, out in zip(EVERY_LAW, left, strict=True) if out] == []
    assert drive.distance[-1].min() > 300.0


def test_every_line_is_followed_on_the_road():
    drive = drive_on(CLUB, EVERY_LINE, on_track(CLUB, 5.0), 80.0)
    assert drive.distance[-1].min() > 500.0
    for driver, room in zip(EVERY_LINE, drive.room.min(axis=0), strict=True):
        # the racing line itself comes within 0.63 m of the edge, and a look-ahead cuts corners
        assert room > (0.0 if driver.line == "racing" else HALF_WIDTH), driver


@pytest.mark.parametrize("vehicle", ["road", "gt", "formula", "reference", "commonroad2"])
def test_the_usual_driver_laps_in_any_car(vehicle):
    track = circuit("oval")
    drive = drive_on(track, [RouteDriver()], on_track(track, 0.0), 75.0, vehicle)
    assert drive.distance[-1, 0] > track.length
    assert drive.room.min() > CARS[vehicle].width / 2


def test_a_model_car_laps_a_model_circuit():
    track = CLUB.scaled(0.12)
    drive = drive_on(track, [RouteDriver()], on_track(track, 0.0), 90.0, "f1tenth")
    assert drive.distance[-1, 0] > track.length
    assert drive.room.min() > 0.0


# ---------------------------------------------------------------------------------------------
# Speed


def test_without_brake_condition_the_largest_speed_is_kept():
    drive = drive_on(straight(), [replace(CALM, brake_condition="never", max_speed=18.0)],
                     on_track(straight(), 10.0), 30.0)  # fmt: skip
    assert drive.cars[-500:, 0, VX] == pytest.approx(18.0, abs=0.3)


@pytest.mark.parametrize("grip", [0.9, 0.6])
def test_a_ring_is_driven_at_the_drivers_share_of_the_grip(grip):
    track, car = ring(60.0), CARS["road"]
    drive = drive_on(track, [replace(CALM, corner_grip=grip)], on_track(track, 0.0), 60.0)
    speed = drive.cars[-1000:, 0, VX]
    wanted = math.sqrt(grip * car.corner_acceleration(20.0) * 60.0)
    assert speed == pytest.approx(wanted, rel=0.05)
    assert np.abs(drive.memory[-1000:, 0, OFFSET]).max() < 1.0


def test_under_distance_the_speed_is_where_caution_balances():
    """v = max (1 - c (1 - f)) with c = (100 - d) / 100 and d the distance to the target."""
    driver = replace(
        CALM, brake_condition="distance", max_speed=40.0, cautious_speed_factor=0.2,
        target_offset=20.0, target_time=0.5,
    )  # fmt: skip
    drive = drive_on(straight(), [driver], on_track(straight(), 10.0), 40.0)
    speed = drive.cars[-500:, 0, VX]
    # v = 40 (1 - 0.8 (1 - (20 + v/2) / 100))
    wanted = 40 * (1 - 0.8 * 0.8) / (1 - 40 * 0.8 / 200)
    assert speed == pytest.approx(wanted, rel=0.02)


def test_under_direction_a_fast_car_slows_before_a_right_angle():
    arc = np.linspace(0.0, math.pi / 2, 10)[1:-1]
    bend = np.column_stack((400 + 20 * np.sin(arc), 20 * (1 - np.cos(arc))))
    entry = np.column_stack((np.linspace(0, 400, 41), np.zeros(41)))
    leave = np.column_stack((np.full(21, 420.0), np.linspace(20, 220, 21)))
    track = Track.from_arrays(np.concatenate((entry, bend, leave)), 5.0, 5.0, closed=False)
    far, near = (
        replace(CALM, brake_condition="direction", max_speed=60.0, reach_braking_distance=reach)
        for reach in (True, False)
    )
    drive = drive_on(track, [far, near], on_track(track, 200.0, speed=60.0), 11.0, "gt")
    at_corner = [drive.cars[np.argmax(drive.cars[:, i, X] > 400.0), i, VX] for i in range(2)]
    assert at_corner[0] < 17.0
    assert at_corner[1] > 25.0
    assert drive.room[:, 0].min() > CARS["gt"].width / 2
    assert drive.room[:, 1].min() < 0.0


@pytest.mark.parametrize("speed_law", CHOICES["speed_law"])
def test_no_car_is_faster_than_its_driver_wants(speed_law):
    driver = replace(CALM, max_speed=16.0, speed_law=speed_law)
    drive = drive_on(CLUB, [driver], on_track(CLUB, 5.0), 60.0)
    assert 15.0 < drive.cars[:, 0, VX].max() < 16.5


def test_throttle_and_brake_are_never_pressed_together():
    drive = drive_on(CLUB, EVERY_LAW[::3], on_track(CLUB, 5.0), 15.0)
    throttle, brake = drive.controls[:, :, THROTTLE], drive.controls[:, :, BRAKE]
    assert (throttle * brake == 0).all()
    assert drive.controls[:, :, :2].min() >= 0.0
    assert drive.controls[:, :, :2].max() <= 1.0
    assert np.abs(drive.controls[:, :, STEERING]).max() <= 1.0


@pytest.mark.parametrize("line", CHOICES["line"])
def test_the_start_of_an_open_road_does_not_slow_down_its_end(line):
    """A hairpin at the start, and full speed to the end."""
    arc = np.linspace(math.pi, 0, 15)
    bend = np.column_stack((-12 * np.sin(arc), -12 - 12 * np.cos(arc)))
    points = np.concatenate(
        (bend[:-1], np.column_stack((np.linspace(0, 400, 41), np.full(41, -24))))
    )
    track = Track.from_arrays(points, 5.0, 5.0, closed=False)
    start = on_track(track, track.length - 60.0, speed=30.0)
    drive = drive_on(track, [replace(CALM, line=line, max_speed=40.0)], start, 4.0)
    before_the_end = drive.places[:, 0, 0] < track.length - 0.01
    assert before_the_end[:50].all()
    assert (drive.controls[before_the_end, 0, BRAKE] == 0.0).all()


# ---------------------------------------------------------------------------------------------
# Stopping at the end


STOPPERS = [
    replace(driver, stop_at_target=True, lateral_wander=0.0)
    for driver in laws(
        "progress", "progress_rule", "brake_condition", "speed_law", line="centre",
    )
]  # fmt: skip


def test_who_stops_at_the_target_stops_at_the_end_of_an_open_road_for_good():
    track = winding()
    drive = drive_on(track, STOPPERS, on_track(track, 5.0), 70.0)
    rest = drive.cars[-1, :, [X, Y]].T - track.route.position(track.length)
    distance = np.hypot(*rest.T)
    assert [d for d, far in zip(STOPPERS, distance > 2.0, strict=True) if far] == []
    last = drive.cars[-250:]
    assert np.ptp(last[:, :, X], axis=0).max() < 1e-6
    assert np.abs(last[:, :, VX]).max() < 1e-6
    assert (drive.controls[-250:, :, THROTTLE] == 0).all()
    assert (drive.controls[-250:, :, BRAKE] == 1).all()


def test_a_fast_car_brakes_in_time_for_the_end():
    track = straight(800.0)
    driver = replace(CALM, stop_at_target=True)
    drive = drive_on(track, [driver], on_track(track, 100.0, speed=45.0), 40.0, "gt")
    assert drive.cars[:, 0, VX].max() > 55.0
    assert drive.cars[-1, 0, X] == pytest.approx(800.0, abs=2.0)


def test_a_car_at_rest_at_its_target_keeps_its_hands_still():
    track = straight(200.0)
    drive = drive_on(
        track, [replace(CALM, stop_at_target=True, max_speed=12.0)], on_track(track, 100.0), 40.0
    )
    assert np.ptp(drive.controls[-500:, 0], axis=0).max() == 0.0
    assert drive.controls[-1, 0, 3] == 1.0


def test_the_target_of_an_open_road_is_its_end_and_nothing_before():
    """However wide the circle, the points aimed at on the way are no targets to stop at."""
    track = straight(200.0)
    driver = replace(CALM, stop_at_target=True, reach_radius=9.0, max_speed=12.0)
    for progress in CHOICES["progress"]:
        drive = drive_on(track, [replace(driver, progress=progress)], on_track(track, 20.0), 40.0)
        assert 190.0 < drive.cars[-1, 0, X] < 201.0


def test_who_does_not_stop_drives_on_past_the_end():
    track = straight(200.0)
    drive = drive_on(track, [replace(CALM, max_speed=12.0)], on_track(track, 100.0), 14.0)
    assert drive.cars[:, 0, X].max() > 202.0


# ---------------------------------------------------------------------------------------------
# Steering


def test_the_proportional_law_by_hand():
    """From 3 m beside a straight, the target 20 m on is seen at atan(3/20)."""
    driver = replace(
        CALM, steering_law="proportional", steering_gain=0.8, target_offset=20.0, target_time=0.0
    )
    controls = first_controls(
        straight(), replace(driver, lateral_speed=1e3), on_track(straight(), 50.0, 3.0)
    )
    assert controls[STEERING] == pytest.approx(-0.8 * math.atan2(3, 20), rel=1e-6)


@pytest.mark.parametrize("offset", [2.0, -2.0])
def test_in_reverse_the_proportional_law_steers_the_other_way(offset):
    driver = replace(CALM, steering_law="proportional", stuck_time=0.0, lateral_speed=1e3)
    forward, back = (
        first_controls(straight(), driver, on_track(straight(), 50.0, offset, speed=speed))
        for speed in (3.0, -3.0)
    )
    assert forward[STEERING] * offset < 0.0
    assert back[STEERING] == pytest.approx(-forward[STEERING])


@pytest.mark.parametrize("steering_law", CHOICES["steering_law"])
@pytest.mark.parametrize("offset", [2.0, -2.0])
def test_a_car_beside_its_line_steers_back_to_it(steering_law, offset):
    driver = replace(CALM, steering_law=steering_law, lateral_speed=1e3)
    controls = first_controls(straight(), driver, on_track(straight(), 50.0, offset, speed=15.0))
    assert controls[STEERING] * offset < 0.0


def weave(driver: RouteDriver, speed: float) -> tuple[float, float]:
    """RMS and largest offset, m, from a straight driven at a speed from 1 m beside it."""
    track = straight(3000.0, side=40.0)
    driver = replace(driver, brake_condition="never", max_speed=speed, lateral_speed=1e3)
    drive = drive_on(track, [driver], on_track(track, 10.0, 1.0, speed), 40.0)
    y = drive.cars[150:, 0, Y]
    return float(np.sqrt((y**2).mean())), float(np.abs(y).max())


def test_the_proportional_law_weaves_at_speed_and_pid_does_not():
    classic = replace(CALM, steering_law="proportional", target_offset=5.0, target_time=0.1)
    wide, _ = weave(classic, 22.0)
    rms, most = weave(CALM, 22.0)
    assert wide > 1.0
    assert rms < 0.02
    assert most < 0.1


def test_pid_does_not_weave_even_with_the_short_look_ahead():
    rms, _ = weave(replace(CALM, target_offset=5.0, target_time=0.1), 22.0)
    assert rms < 0.05


def test_a_long_look_ahead_calms_the_proportional_law():
    rms, _ = weave(replace(CALM, steering_law="proportional", target_time=0.4), 22.0)
    assert rms < 0.02


def test_pid_steering_keeps_to_a_slalom():
    """Amplitude 4 m over 100 m at 15 m/s: measured elsewhere at 0.1 to 0.2 m RMS."""
    x = np.linspace(0.0, 1500.0, 301)
    track = Track.from_arrays(
        np.column_stack((x, 4 * np.sin(x * 2 * math.pi / 100))), 6.0, 6.0, closed=False
    )
    driver = replace(CALM, brake_condition="never", max_speed=15.0)
    drive = drive_on(track, [driver], on_track(track, 10.0, speed=15.0), 60.0)
    offset = drive.memory[150:, 0, OFFSET]
    assert np.sqrt((offset**2).mean()) < 0.25


def test_a_car_held_at_full_lock_winds_nothing_up():
    """The integral is for small lasting errors, not for what the wheel cannot steer away."""
    track = straight()
    start = on_track(track, 100.0, turn=0.9)

    def held(tick: int, cars: np.ndarray) -> None:
        cars[0] = start

    driver = replace(CALM, stuck_time=0.0)
    drive = drive_on(track, [driver], start, 8.0, hold=held)
    assert np.abs(drive.controls[-1, 0, STEERING]) == 1.0
    assert np.abs(drive.memory[-1, 0, STEERING_INTEGRAL]) < 0.02


# ---------------------------------------------------------------------------------------------
# Wander


WANDERER = RouteDriver(line="centre", lateral_wander=2.0, throttle_wander=0.3, max_speed=14.0)


def test_each_car_wanders_its_own_way_and_the_same_way_each_time():
    track = straight(1500.0, side=15.0)
    drive = drive_on(track, [WANDERER] * 4, on_track(track, 10.0), 60.0)
    again = drive_on(track, [WANDERER] * 4, on_track(track, 10.0), 60.0)
    other = drive_on(track, [WANDERER] * 4, on_track(track, 10.0), 60.0, seed=1)
    assert np.array_equal(drive.cars, again.cars)
    y = drive.cars[:, :, Y]
    for i, j in itertools.combinations(range(4), 2):
        assert np.abs(y[:, i] - y[:, j]).max() > 0.3
    assert (np.abs(other.cars[:, :, Y] - y).max(axis=0) > 0.3).all()


def test_the_wander_belongs_to_the_number_of_the_car_not_to_its_row():
    track = straight(1500.0, side=15.0)
    drive = drive_on(track, [WANDERER] * 3, on_track(track, 10.0), 20.0, identities=[7, 2, 5])
    other = drive_on(track, [WANDERER] * 3, on_track(track, 10.0), 20.0, identities=[5, 7, 2])
    assert np.array_equal(drive.cars[:, [2, 0, 1]], other.cars)


def test_the_wander_keeps_its_size():
    track = straight(1500.0, side=15.0)
    drive = drive_on(track, [WANDERER] * 12, on_track(track, 10.0), 100.0)
    aside = drive.memory[500:, :, ASIDE]
    assert np.abs(aside).max() <= 2.0
    assert np.abs(aside).max() > 0.8  # and it is used
    assert abs(aside.mean()) < 0.4
    assert np.abs(drive.cars[500:, :, Y]).max() < 2.2


def test_the_target_moves_aside_no_faster_than_the_driver_lets_it():
    track = straight(1500.0, side=15.0)
    driver = replace(WANDERER, lateral_speed=0.5, lateral_wander_rate=2.0)
    drive = drive_on(track, [driver] * 4, on_track(track, 10.0, 3.0), 30.0)
    aside = drive.memory[:, :, ASIDE]
    assert np.abs(np.diff(aside, axis=0)).max() <= 0.5 * DT + 1e-12
    assert np.abs(3.0 - aside[0]).max() <= 0.5 * DT + 1e-12  # from where the car is


def test_no_wander_leads_off_a_narrow_road():
    track = straight(1500.0, side=2.0)
    driver = replace(WANDERER, lateral_wander=8.0)
    drive = drive_on(track, [driver] * 4, on_track(track, 10.0), 60.0)
    assert drive.room.min() > HALF_WIDTH
    assert np.abs(drive.memory[:, :, ASIDE]).max() > 0.5  # it would like to


def test_the_wander_of_the_pedals_takes_at_most_its_share():
    track = straight(1500.0)
    start = on_track(track, 10.0)
    driver = replace(CALM, speed_law="proportional", max_speed=50.0, brake_condition="never")
    eased = [replace(driver, throttle_wander=0.3)] * 8
    drive = drive_on(track, [driver, *eased], start, 12.0)
    throttle = drive.controls[:200, :, THROTTLE]  # all want far more than they have
    assert (throttle[:, 0] == 1.0).all()
    assert (throttle[:, 1:] >= 0.7 - 1e-12).all()
    assert (throttle[:, 1:] <= 1.0).all()
    assert np.ptp(throttle[:, 1:]) > 0.03


# ---------------------------------------------------------------------------------------------
# Alone or in company


def mixed_field() -> tuple[list[RouteDriver], np.ndarray, list[str]]:
    drivers = [
        RouteDriver(),
        RouteDriver(line="centre", progress="point_to_point"),
        RouteDriver(line="waypoints", progress_rule="stepped", steering_law="proportional",
                    brake_condition="direction", max_speed=20.0),
        RouteDriver(corner_grip=0.6),
        RouteDriver(line="centre", speed_law="proportional", max_speed=15.0),
    ]  # fmt: skip
    start = np.stack([on_track(CLUB, 400.0 * k + 10.0, 0.5 * k - 1, 5.0) for k in range(5)])
    return drivers, start, ["road", "gt", "road", "formula", "gt"]


@pytest.mark.parametrize("see_others", [False, True])
def test_a_car_alone_drives_as_it_does_far_from_others(see_others):
    drivers, start, vehicles = mixed_field()
    drive = drive_on(CLUB, drivers, start, 8.0, vehicles, see_others=see_others)
    for i in range(5):
        alone = drive_on(
            CLUB, [drivers[i]], start[i], 8.0, vehicles[i], see_others=see_others, identities=[i]
        )
        assert np.array_equal(alone.cars[:, 0], drive.cars[:, i])
        assert np.array_equal(alone.controls[:, 0], drive.controls[:, i])
        assert np.array_equal(alone.memory[:, 0], drive.memory[:, i])


@pytest.mark.parametrize("see_others", [False, True])
def test_the_order_of_the_rows_changes_nothing(see_others):
    drivers, start, vehicles = mixed_field()
    start[:, [X, Y]] = np.stack(
        [on_track(CLUB, 12.0 * k + 20.0, k - 2.0)[[X, Y]] for k in range(5)]
    )
    start[:, YAW] = [CLUB.route.yaw(12.0 * k + 20.0) for k in range(5)]
    rows = [3, 0, 4, 2, 1]
    drive = drive_on(CLUB, drivers, start, 8.0, vehicles, see_others=see_others)
    other = drive_on(
        CLUB, [drivers[r] for r in rows], start[rows], 8.0, [vehicles[r] for r in rows],
        see_others=see_others, identities=rows,
    )  # fmt: skip
    assert np.array_equal(other.cars, drive.cars[:, rows])
    assert np.array_equal(other.memory, drive.memory[:, rows])


def test_memory_and_view_are_left_as_they_were():
    team, cars = team_of(CLUB, RouteDriver(), 2), np.stack([on_track(CLUB, s) for s in (9.0, 60.0)])
    view, memory = seen(CLUB, cars), team.start(cars)
    before = memory.copy(), cars.copy(), view.places.copy()
    _, after = team(view, memory)
    assert np.array_equal(memory, before[0])
    assert np.array_equal(view.cars, before[1])
    assert np.array_equal(view.places, before[2])
    assert after is not memory


def test_who_is_off_the_track_is_not_driven():
    team, cars = team_of(CLUB, RouteDriver(), 2), np.stack([on_track(CLUB, s) for s in (9.0, 60.0)])
    view, memory = seen(CLUB, cars), team.start(cars)
    active = np.array([True, False])
    controls, after = team(Seen(0.0, cars, view.places, view.hits, active), memory)
    assert controls[0, THROTTLE] > 0.0
    assert not controls[1, :3].any()
    assert np.array_equal(after[1], memory[1])


# ---------------------------------------------------------------------------------------------
# Others


def overlap(drive, length: float, width: float) -> bool:
    """Whether two cars on a straight along x ever touch, as boxes along the road."""
    apart = np.abs(drive.cars[:, 0, :2] - drive.cars[:, 1, :2])
    return bool(((apart[:, 0] < length) & (apart[:, 1] < width)).any())


def test_a_faster_car_passes_a_slower_one_where_there_is_room():
    track = straight(1500.0, side=6.0)
    drivers = [replace(CALM, max_speed=25.0), replace(CALM, max_speed=12.0)]
    start = np.stack([on_track(track, 20.0, 0.1, 20.0), on_track(track, 100.0, 0.0, 12.0)])
    drive = drive_on(track, drivers, start, 35.0, see_others=True)
    assert drive.cars[-1, 0, X] > drive.cars[-1, 1, X] + 50.0
    assert not overlap(drive, CARS["road"].length, CARS["road"].width)
    assert drive.room.min() > HALF_WIDTH
    assert abs(drive.cars[-1, 0, Y]) < 0.3  # and back on its line


def test_who_has_pulled_out_to_pass_neither_lifts_nor_weaves():
    track = straight(1500.0, side=6.0)
    drivers = [replace(CALM, max_speed=25.0), replace(CALM, max_speed=18.0)]
    start = np.stack([on_track(track, 20.0, 0.1, 20.0), on_track(track, 100.0, 0.0, 18.0)])
    drive = drive_on(track, drivers, start, 30.0, see_others=True)
    y = np.abs(drive.cars[:, 0, Y])
    out = int(np.argmax(y > 1.2 * CARS["road"].width))
    level = int(np.argmax(drive.cars[:, 0, X] > drive.cars[:, 1, X]))
    assert 0 < out < level
    assert np.ptp(y[out:level]) < 0.4
    assert drive.cars[out + 50 : level, 0, VX].min() > 24.0


def test_it_stays_behind_where_there_is_none():
    track = straight(1500.0, side=2.0)
    drivers = [replace(CALM, max_speed=25.0), replace(CALM, max_speed=12.0)]
    start = np.stack([on_track(track, 20.0, 0.1, 20.0), on_track(track, 100.0, 0.0, 12.0)])
    drive = drive_on(track, drivers, start, 40.0, see_others=True)
    gap = drive.cars[:, 1, X] - drive.cars[:, 0, X]
    assert gap.min() > CARS["road"].length
    assert gap[-1] < 5 * CARS["road"].length
    assert drive.cars[-500:, 0, VX] == pytest.approx(12.0, abs=1.0)
    assert drive.room.min() > HALF_WIDTH


def test_unseen_cars_are_driven_into():
    """The counterpart: without looking, the same car does run into the other."""
    track = straight(1500.0, side=2.0)
    drivers = [replace(CALM, max_speed=25.0), replace(CALM, max_speed=12.0)]
    start = np.stack([on_track(track, 20.0, 0.1, 20.0), on_track(track, 100.0, 0.0, 12.0)])
    drive = drive_on(track, drivers, start, 20.0, see_others=False)
    assert overlap(drive, CARS["road"].length, CARS["road"].width)


def after_a_touch(driver: RouteDriver, other: tuple[float, float], seconds: float) -> np.ndarray:
    """States (T, 7) of a car at 15 m/s on a straight that touched another at (ahead, left)."""
    track = straight(800.0, side=15.0)
    cars = np.stack((on_track(track, 50.0, 0.0, 15.0), on_track(track, 50.0 + other[0], other[1])))
    numbers, kinds = np.arange(2, dtype=np.int64), [CARS["road"]] * 2
    team = RouteDrivers(track, [driver] * 2, kinds, numbers, 0, DT, see_others=False)
    hits = np.array([1, -1], dtype=np.int64)
    view = seen(track, cars, hits=hits)
    _, memory = team(view, team.start(cars))
    rows = np.stack([CARS["road"].vector()] * 2)
    dry = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    history = []
    for tick in range(round(seconds / DT)):
        controls, memory = team(seen(track, cars, time=tick * DT), memory)
        history.append(cars[0])
        cars = step_cars(cars, controls, dry, rows, DT, 2)
    return np.array(history)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_after_a_touch_a_car_veers_to_the_free_side_slows_and_returns(side):
    driver = replace(
        CALM, max_speed=15.0, evasion_time=2.0, evasion_slowdown=0.5, evasion_offset=3.0,
        lateral_speed=4.0, brake_condition="never",
    )  # fmt: skip
    ahead = after_a_touch(driver, (4.0, side), 12.0)
    beside = after_a_touch(driver, (-1.0, 2.0 * side), 12.0)
    for states in (ahead, beside):
        veered = -side * states[:, Y]
        assert veered.max() > 1.5
        assert 0.5 < np.argmax(veered) * DT < 4.0
        assert abs(states[-1, Y]) < 0.3
    assert ahead[:, VX].min() < 10.0  # it was behind the other
    assert beside[:100, VX].min() > 13.0
    assert ahead[-1, VX] == pytest.approx(15.0, abs=0.5)


# ---------------------------------------------------------------------------------------------
# Finding one's place


@pytest.mark.parametrize("line", CHOICES["line"])
def test_a_driver_begins_where_its_car_is(line):
    drivers = [RouteDriver(line=line)] * 6
    places = np.linspace(0.0, CLUB.length, 6, endpoint=False) + 30.0
    cars = np.stack([on_track(CLUB, s, 1.0) for s in places])
    team = RouteDrivers(
        CLUB, drivers, [CARS["road"]] * 6, np.arange(6, dtype=np.int64), 0, DT, False
    )
    memory = team.start(cars)
    assert memory.shape == (6, MEMORY_WIDTH)
    at = team.groups[0].line.route.position(memory[:, PROGRESS_S])[:, :2]
    assert np.hypot(*(at - cars[:, [X, Y]]).T).max() < 7.0
    ahead = memory[:, WAYPOINT].astype(int)
    waypoints = team.groups[0].line.route.waypoints[ahead][:, :2]
    forward = np.column_stack((np.cos(cars[:, YAW]), np.sin(cars[:, YAW])))
    assert (((waypoints - cars[:, [X, Y]]) * forward).sum(axis=1) > -1.0).all()


def test_at_a_crossing_the_heading_tells_which_way():
    track = circuit("eight")
    s = np.arange(0.0, track.length, 1.0)
    points = track.route.position(s)[:, :2]
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    along = np.abs(s[:, None] - s[None])
    along = np.minimum(along, track.length - along)
    apart[along < 100.0] = np.inf
    first, second = s[list(np.unravel_index(np.argmin(apart), apart.shape))]
    cars = np.stack([on_track(track, first), on_track(track, second)])
    cars[:, [X, Y]] = cars[:, [X, Y]].mean(axis=0)  # one place, two ways to go
    memory = team_of(track, CALM, 2).start(cars)
    assert memory[:, PROGRESS_S] == pytest.approx([first, second], abs=1.0)


def test_at_the_end_of_an_open_road_the_last_waypoint_is_aimed_at():
    track = straight(200.0)
    team = team_of(track, replace(CALM, progress="point_to_point"), 2)
    cars = np.stack([on_track(track, 200.0), on_track(track, 195.0)])
    assert team.start(cars)[:, WAYPOINT].tolist() == [20.0, 20.0]


def test_a_lost_car_finds_its_place_again_and_the_others_keep_theirs():
    team, cars = team_of(CLUB, CALM, 3), np.stack([on_track(CLUB, s) for s in (50.0, 300.0, 700.0)])
    memory = team.start(cars)
    memory[:, ASIDE] = 0.7
    kept = memory.copy()
    cars[1] = on_track(CLUB, 1500.0, 2.0)
    team.find_again(cars, memory, np.array([1]))
    assert memory[1, PROGRESS_S] == pytest.approx(1500.0, abs=0.01)
    assert memory[1, OFFSET] == pytest.approx(2.0, abs=0.01)
    assert np.array_equal(memory[[0, 2]], kept[[0, 2]])


def test_nothing_is_ever_not_a_number():
    """Whatever state a car is in, its driver answers with usable controls."""
    random = np.random.default_rng(3)
    count = 200
    cars = np.stack([on_track(CLUB, s) for s in random.uniform(0, CLUB.length, count)])
    cars[:, [X, Y]] += random.uniform(-60, 60, (count, 2))
    cars[:, YAW] = random.uniform(-math.pi, math.pi, count)
    cars[:, VX:] = random.uniform(-1, 1, (count, STATE_WIDTH - VX)) * (90, 30, 6, 0.6)
    cars[:5, VX:] = 0.0
    drivers = (EVERY_LAW * 4)[:count]
    numbers = np.arange(count, dtype=np.int64)
    team = RouteDrivers(CLUB, drivers, [CARS["road"]] * count, numbers, 0, DT)
    memory = team.start(cars)
    for tick in range(20):
        controls, memory = team(seen(CLUB, cars, time=tick * DT), memory)
        assert np.isfinite(controls).all()
        assert np.isfinite(memory).all()
        assert (controls[:, :2] >= 0).all()
        assert (controls[:, :2] <= 1).all()
        assert (np.abs(controls[:, STEERING]) <= 1).all()
        assert np.isin(controls[:, 3], (-1.0, 1.0)).all()
