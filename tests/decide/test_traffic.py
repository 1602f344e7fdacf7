from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from headway.decide import traffic
from headway.decide.driver_row import driver_row
from headway.decide.memory import MEMORY_WIDTH, PASS_SIDE, PASS_UNTIL
from headway.decide.route_driver import RouteDriver
from headway.decide.traffic import CAP, HIGH, LOW, see_traffic
from headway.move.car import CARS
from headway.world.place import OFFSET, PLACE_WIDTH, ROOM_LEFT, ROOM_RIGHT, SPEED, S

GT = CARS["gt"]
LENGTH, WIDTH = GT.length, GT.width
CLEAR = 1.25 * WIDTH
"""From centre to centre of two cars abreast, a quarter of a car's width between them."""
NEAR = 1.25 * LENGTH
"""From centre to centre of two cars in a row, below which they are alongside."""
FREE = (math.inf, -math.inf, math.inf)


def look(
    cars,
    road=(6.0, 6.0),
    length=1000.0,
    closed=True,
    active=None,
    memory=None,
    vehicles=None,
    time=0.0,
    driver=None,
):
    """Bounds (N, 3) and memory of cars given as (s, offset, speed) on a road of two widths."""
    count = len(cars)
    places = np.zeros((count, PLACE_WIDTH))
    places[:, [S, OFFSET, SPEED]] = cars
    places[:, ROOM_LEFT] = road[0] - places[:, OFFSET]
    places[:, ROOM_RIGHT] = road[1] + places[:, OFFSET]
    vehicles = vehicles or [GT] * count
    rows = np.stack([driver_row(driver or RouteDriver(), vehicle) for vehicle in vehicles])
    memory = np.zeros((count, MEMORY_WIDTH)) if memory is None else memory
    bounds = np.full((count, 3), np.nan)
    active = np.ones(count, dtype=np.bool_) if active is None else np.array(active, dtype=np.bool_)
    order = np.argsort(places[:, S], kind="stable")
    see_traffic(
        order, places, active, rows, float(length), bool(closed), float(time), memory, bounds
    )
    return bounds, memory


# ---------------------------------------------------------------------------------------------
# Nobody in the way


@pytest.mark.parametrize(
    "cars",
    [
        [(100.0, 0.0, 50.0)],
        [(100.0, 0.0, 20.0), (400.0, 0.0, 20.0)],
        [(100.0, 0.0, 20.0), (80.0, 0.0, 60.0)],  # who comes from behind is not one's business
    ],
)
def test_a_clear_road_leaves_all(cars):
    bounds, _ = look(cars)
    assert tuple(bounds[0]) == FREE


def test_a_car_ahead_in_another_lane_leaves_all():
    bounds, _ = look([(100.0, 3.0, 40.0), (120.0, 3.0 - 1.2 * CLEAR, 20.0)])
    assert tuple(bounds[0]) == FREE


# ---------------------------------------------------------------------------------------------
# Following


def test_the_speed_behind_a_slower_car_is_what_can_still_be_braked_off():
    bounds, _ = look([(100.0, 0.0, 30.0), (130.0, 0.0, 20.0)])
    free = 30.0 - NEAR - 0.2 * 30.0  # less the time gap to keep
    assert bounds[0, CAP] == pytest.approx(math.sqrt(20.0**2 + 2 * 5.0 * free))
    assert tuple(bounds[1]) == FREE


def test_too_close_behind_one_drops_back():
    kept = NEAR + 0.2 * 20.0
    bounds, _ = look([(100.0, 0.0, 20.0), (100.0 + kept + 0.001, 0.0, 20.0)])
    assert bounds[0, CAP] == pytest.approx(20.0, abs=0.1)
    bounds, _ = look([(100.0, 0.0, 20.0), (100.0 + kept - 0.5, 0.0, 20.0)])
    assert 15.0 < bounds[0, CAP] < 20.0


def test_the_nearer_of_two_ahead_does_not_hide_a_standing_one():
    """A car of one's own speed is no trouble; the wreck just beyond it is."""
    cars = [(100.0, 0.0, 60.0), (172.0, 0.0, 60.0), (190.0, 0.0, 0.0)]
    bounds, _ = look(cars, road=(2.0, 2.0), closed=False)
    alone, _ = look([cars[0], cars[2]], road=(2.0, 2.0), closed=False)
    assert alone[0, CAP] < 50.0
    assert bounds[0, CAP] == alone[0, CAP]


@pytest.mark.parametrize("start_gap", [60.0, 150.0, 300.0])
@pytest.mark.parametrize("lead_speed", [0.0, 20.0])
def test_who_keeps_to_the_bound_never_runs_into_the_car_ahead(start_gap, lead_speed):
    """A follower at up to 50 m/s, with 6 m/s² of brakes, on a road too narrow to pass."""
    dt, s, lead = 0.02, 0.0, start_gap
    v = min(50.0, math.sqrt(lead_speed**2 + 2 * 5.0 * (start_gap - 3 * LENGTH)))
    gaps = []
    for _ in range(3000):
        bounds, _ = look(
            [(s, 0.0, v), (lead, 0.0, lead_speed)], road=(1.5, 1.5), length=9000.0, closed=False
        )
        v = max(min(bounds[0, CAP], v + 4.0 * dt), v - 6.0 * dt)
        s, lead = s + v * dt, lead + lead_speed * dt
        gaps.append(lead - s)
    assert min(gaps) > LENGTH
    assert v == pytest.approx(lead_speed, abs=1.0)
    assert gaps[-1] < 4 * LENGTH  # and it does close up


# ---------------------------------------------------------------------------------------------
# Passing


def test_a_slower_car_is_passed_on_the_side_it_leaves():
    bounds, memory = look([(100.0, 0.0, 30.0), (125.0, 1.0, 20.0)])
    assert memory[0, PASS_SIDE] == -1.0
    assert bounds[0, HIGH] == pytest.approx(1.0 - CLEAR)
    assert bounds[0, LOW] == -math.inf
    bounds, memory = look([(100.0, 0.0, 30.0), (125.0, -1.0, 20.0)])
    assert memory[0, PASS_SIDE] == 1.0
    assert bounds[0, LOW] == pytest.approx(-1.0 + CLEAR)
    assert bounds[0, HIGH] == math.inf


def test_it_is_passed_on_the_other_side_where_that_alone_has_room():
    # 1 m to the left, yet only 2 m of road to the right of its centre
    bounds, memory = look([(100.0, 0.0, 30.0), (125.0, 1.0, 20.0)], road=(9.0, 1.0))
    assert memory[0, PASS_SIDE] == 1.0
    assert bounds[0, LOW] == pytest.approx(1.0 + CLEAR)


def test_without_room_on_either_side_one_stays_behind():
    bounds, memory = look([(100.0, 0.0, 30.0), (125.0, 0.5, 20.0)], road=(2.5, 2.5))
    assert memory[0, PASS_SIDE] == 0.0
    assert bounds[0, LOW] == -math.inf
    assert bounds[0, HIGH] == math.inf
    assert bounds[0, CAP] < 30.0


@pytest.mark.parametrize(("mine", "theirs"), [(3.0, 1.0), (1.0, 3.0), (1.95, 1.95)])
def test_the_room_to_pass_is_that_for_the_passing_car(mine, theirs):
    """Beside the other's centre it takes a gap and the whole of one's own width."""
    vehicles = [replace(GT, width=mine), replace(GT, width=theirs)]
    needed = 1.25 * (mine + theirs) / 2 + mine / 2
    for extra, passes in ((0.05, True), (-0.05, False)):
        cars = [(100.0, 0.0, 30.0), (125.0, 0.0, 20.0)]
        _, memory = look(cars, road=(needed + extra, 1.0), vehicles=vehicles)
        assert memory[0, PASS_SIDE] == (1.0 if passes else 0.0)


def test_a_car_that_pulls_away_is_not_passed():
    """Whoever has just been passed has no reason to swerve."""
    bounds, memory = look([(100.0, 0.0, 18.0), (118.0, 0.3, 25.0)])
    assert bounds[0, LOW] == -math.inf
    assert bounds[0, HIGH] == math.inf
    assert bounds[0, CAP] > 18.0
    assert memory[0, PASS_SIDE] == 0.0


def test_the_side_once_chosen_is_kept():
    _, memory = look([(100.0, 0.0, 30.0), (125.0, 0.3, 20.0)])
    assert memory[0, PASS_SIDE] == -1.0
    # a moment later the other has moved across; without memory one would now go left
    bounds, memory = look([(106.0, 0.0, 30.0), (129.0, -0.3, 20.0)], memory=memory, time=0.2)
    assert memory[0, PASS_SIDE] == -1.0
    assert bounds[0, HIGH] == pytest.approx(-0.3 - CLEAR)
    # long after, the choice is free again
    _, memory = look([(106.0, 0.0, 30.0), (129.0, -0.3, 20.0)], memory=memory, time=9.0)
    assert memory[0, PASS_SIDE] == 1.0


def test_the_choice_of_side_lasts_a_second_from_when_the_other_was_last_in_the_way():
    _, memory = look([(100.0, 0.0, 30.0), (125.0, 0.3, 20.0)], time=3.0)
    assert memory[0, PASS_UNTIL] == pytest.approx(4.0)


# ---------------------------------------------------------------------------------------------
# Alongside


@pytest.mark.parametrize("gap", [-3.0, 0.5, 3.0])
def test_a_car_alongside_is_given_its_width(gap):
    bounds, _ = look([(100.0, 0.0, 30.0), (100.0 + gap, 3.5, 28.0)])
    assert bounds[0] == pytest.approx([math.inf, -math.inf, 3.5 - CLEAR])
    assert bounds[1] == pytest.approx([math.inf, -3.5 + CLEAR, math.inf])


def test_a_car_too_near_alongside_is_moved_away_from():
    bounds, _ = look([(100.0, 0.0, 30.0), (101.0, 2.0, 30.0)])
    assert bounds[0, HIGH] == pytest.approx(2.0 - CLEAR)
    assert bounds[0, HIGH] < 0.0


def test_between_two_cars_one_has_what_both_leave():
    bounds, _ = look([(100.0, 0.0, 30.0), (101.0, 3.5, 30.0), (99.0, -3.0, 30.0)])
    assert bounds[0] == pytest.approx([math.inf, -3.0 + CLEAR, 3.5 - CLEAR])


def test_a_car_well_behind_is_left_alone():
    bounds, _ = look([(100.0, 0.0, 30.0), (100.0 - NEAR - 0.1, 0.5, 50.0)])
    assert tuple(bounds[0]) == FREE


# ---------------------------------------------------------------------------------------------
# The ends of the track, and who does not count


def test_a_closed_track_goes_on_across_its_start_line():
    bounds, _ = look([(995.0, 0.0, 30.0), (20.0, 0.0, 20.0)])
    level, _ = look([(500.0, 0.0, 30.0), (525.0, 0.0, 20.0)])
    assert np.array_equal(bounds, level)
    beside, _ = look([(999.0, 0.0, 30.0), (1.0, 3.5, 30.0)])
    assert beside[0, HIGH] == pytest.approx(3.5 - CLEAR)
    assert beside[1, LOW] == pytest.approx(-3.5 + CLEAR)


def test_an_open_track_does_not():
    bounds, _ = look([(995.0, 0.0, 30.0), (20.0, 0.0, 20.0)], closed=False)
    assert tuple(bounds[0]) == FREE
    bounds, _ = look([(999.0, 0.0, 30.0), (1.0, 3.5, 30.0)], closed=False)
    assert tuple(bounds[0]) == tuple(bounds[1]) == FREE


def test_cars_off_the_track_are_not_seen_and_see_nothing():
    cars = [(100.0, 0.0, 30.0), (120.0, 0.0, 0.0), (104.0, 3.0, 30.0)]
    bounds, memory = look(cars, active=[True, False, True])
    alone, _ = look([cars[0], cars[2]])
    assert np.array_equal(bounds[[0, 2]], alone)
    assert tuple(bounds[1]) == FREE
    assert memory[0, PASS_SIDE] == 0.0


def test_many_parked_cars_do_not_hide_one_that_drives():
    """Cars that have finished stand on the line for good: the last ones still see each other."""
    driving = [(990.0, 0.0, 30.0), (15.0, 0.0, 20.0), (500.0, 0.0, 30.0)]
    parked = [(s, 0.0, 0.0) for s in np.linspace(0.0, 10.0, 17)]
    bounds, _ = look(driving + parked, active=[True] * 3 + [False] * 17)
    alone, _ = look(driving)
    assert alone[0, CAP] < 30.0
    assert np.array_equal(bounds[:3], alone)


def test_a_driver_without_a_following_time_takes_no_notice():
    bounds, _ = look(
        [(100.0, 0.0, 30.0), (120.0, 0.0, 0.0)], driver=RouteDriver(following_time=0.0)
    )
    assert tuple(bounds[0]) == FREE


# ---------------------------------------------------------------------------------------------
# Any crowd


crowds = st.lists(
    st.tuples(
        st.integers(0, 399).map(float),
        st.integers(-40, 40).map(lambda k: k / 8),
        st.integers(-10, 140).map(lambda k: k / 2),
    ),
    min_size=1,
    max_size=16,
    unique_by=lambda car: car[0],
)


@given(crowds, st.booleans(), st.lists(st.booleans(), min_size=16, max_size=16))
def test_bounds_are_numbers(cars, closed, active):
    bounds, memory = look(cars, length=400.0, closed=closed, active=active[: len(cars)])
    assert not np.isnan(bounds).any()
    assert (bounds[:, CAP] >= 0).all()
    assert (bounds[:, LOW] < math.inf).all()
    assert (bounds[:, HIGH] > -math.inf).all()
    assert np.isfinite(memory).all()
    assert np.isin(memory[:, PASS_SIDE], (-1.0, 0.0, 1.0)).all()


@given(crowds, st.booleans())
def test_left_and_right_are_treated_alike(cars, closed):
    offsets = [car[1] for car in cars]
    assume(len(set(offsets)) == len(offsets))  # straight behind, there is no side to prefer
    bounds, memory = look(cars, road=(6.0, 5.0), length=400.0, closed=closed)
    mirrored, reflected = look(
        [(s, -offset, v) for s, offset, v in cars], road=(5.0, 6.0), length=400.0, closed=closed
    )
    assert np.array_equal(mirrored[:, CAP], bounds[:, CAP])
    assert np.array_equal(mirrored[:, LOW], -bounds[:, HIGH])
    assert np.array_equal(mirrored[:, HIGH], -bounds[:, LOW])
    assert np.array_equal(reflected[:, PASS_SIDE], -memory[:, PASS_SIDE])


@given(crowds, st.integers(0, 399))
def test_where_a_closed_track_begins_does_not_matter(cars, shift):
    bounds, _ = look(cars, length=400.0)
    moved, _ = look([((s + shift) % 400.0, offset, v) for s, offset, v in cars], length=400.0)
    assert np.array_equal(moved, bounds)


@given(crowds, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(cars, random):
    rows = list(range(len(cars)))
    random.shuffle(rows)
    bounds, memory = look(cars, length=400.0)
    shuffled, remembered = look([cars[row] for row in rows], length=400.0)
    assert np.array_equal(shuffled, bounds[rows])
    assert np.array_equal(remembered, memory[rows])


def count_looks(monkeypatch, cars) -> int:
    looks, look_at = [], traffic._beyond_sight

    def counted(*arguments):
        looks.append(1)
        return look_at(*arguments)

    monkeypatch.setattr(traffic, "_beyond_sight", counted)
    plain = getattr(see_traffic, "py_func", see_traffic)
    monkeypatch.setitem(globals(), "see_traffic", plain)
    look(cars, length=20_000.0)
    return len(looks)


def test_the_work_per_car_does_not_grow_with_a_field_spread_out(monkeypatch):
    cars = [(50.0 * k, 0.0, 30.0) for k in range(300)]
    assert count_looks(monkeypatch, cars) <= 4 * 300


def test_the_work_per_car_is_bounded_in_a_crowd(monkeypatch):
    cars = [(0.1 * k, 0.0, 30.0) for k in range(300)]
    assert count_looks(monkeypatch, cars) <= 24 * 300


def test_a_side_that_ran_out_of_room_is_given_up():
    """Beside the edge the road on the other side is free: one must not wait where there is none."""
    _, memory = look([(100.0, 0.0, 30.0), (125.0, -0.3, 20.0)])
    assert memory[0, PASS_SIDE] == 1.0
    both_left = [(106.0, 4.3, 30.0), (129.0, 3.0, 20.0)]
    bounds, memory = look(both_left, memory=memory, time=0.2, road=(5.5, 8.0))
    assert memory[0, PASS_SIDE] == -1.0
    assert bounds[0, HIGH] == pytest.approx(-1.3 - CLEAR)
