"""Races as a whole: they end, they repeat bit for bit, and they refuse what cannot be raced."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest

from headway.decide.route_driver import RouteDriver
from headway.errors import InputError
from headway.sim.race import Race
from headway.sim.result import hash_of
from headway.sim.run import run
from headway.sim.step import start, step
from headway.sim.timing import DISTANCE, FINISH, FINISHED, LONGEST_HALT, RESCUES, STATUS
from headway.world.circuits import circuit
from headway.world.state import VX, YAW, X, Y
from headway.world.track import Track


def run_to_end(race):
    state = start(race)
    while state.active.any() and state.time < race.time_limit:
        state = step(race, state)
    return state


def ring(radius=60.0, width=6.0, name="ring"):
    angle = np.linspace(0.0, 2 * np.pi, 60, endpoint=False)
    points = radius * np.column_stack((np.cos(angle), np.sin(angle)))
    return Track.from_arrays(points, width, width, name=name)


def deepest_overlap(cars, vehicles):
    """Depth of the deepest overlap of two cars' boxes, m: separating axes, plainly."""
    corners, axes = [], []
    for state, car in zip(cars, vehicles, strict=True):
        ahead = np.array([np.cos(state[YAW]), np.sin(state[YAW])])
        left = np.array([-ahead[1], ahead[0]])
        middle = state[[X, Y]] + car.box_offset * ahead
        reach = 0.5 * car.length * ahead, 0.5 * car.width * left
        corners.append([middle + a * reach[0] + b * reach[1] for a in (1, -1) for b in (1, -1)])
        axes.append((ahead, left))
    deepest = 0.0
    for i, j in itertools.combinations(range(len(cars)), 2):
        depths = []
        for axis in (*axes[i], *axes[j]):
            a, b = np.array(corners[i]) @ axis, np.array(corners[j]) @ axis
            depths.append(min(a.max(), b.max()) - max(a.min(), b.min()))
        deepest = max(deepest, min(depths))
    return deepest


def test_step_leaves_the_old_state_alone():
    race = Race(circuit("club"), cars=4, laps=1)
    state = start(race)
    for _ in range(100):
        before = hash_of(state)
        after = step(race, state)
        assert hash_of(state) == before
        state = after
    assert state.tick == 100


def test_same_seed_same_bytes_in_another_process():
    program = (
        "from headway.sim.race import Race; from headway.sim.run import run\n"
        "from headway.world.circuits import circuit\n"
        "print(run(Race(circuit('club'), cars=6, laps=1, seed=7)).state_hash)"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    }
    hashes.add(run(Race(circuit("club"), cars=6, laps=1, seed=7)).state_hash)
    assert len(hashes) == 1
    assert run(Race(circuit("club"), cars=6, laps=1, seed=8)).state_hash not in hashes


def test_cars_that_do_not_interact_may_be_split_into_batches():
    whole = run_to_end(Race(circuit("eight"), cars=6, laps=1, interact=False))
    for numbers in ([0, 1], [5, 3, 2], [4]):
        part = run_to_end(Race(circuit("eight"), cars=numbers, laps=1, interact=False))
        for field in ("cars", "timing", "crossings", "memory"):
            np.testing.assert_array_equal(getattr(part, field), getattr(whole, field)[numbers])


def test_seeds_matter():
    finals = [
        run_to_end(Race(circuit("club"), cars=2, laps=1, seed=seed, interact=False)).cars
        for seed in (0, 1)
    ]
    assert not np.array_equal(*finals)


def test_no_overlap_persists_in_a_crowded_race():
    race = Race(circuit("club"), cars=12, laps=1)
    state = start(race)
    for _ in range(1500):
        state = step(race, state)
        if state.tick % 5 == 0:
            assert deepest_overlap(state.cars, race.vehicles) < 0.01


def test_laps_add_up_to_the_total():
    result = run(Race(circuit("oval"), cars=3, laps=3))
    for row in result.standings:
        laps = result.lap_times[row.car - 1]
        assert row.total_s == pytest.approx(laps.sum(), abs=1e-9)
        assert row.best_lap_s == laps.min()
        np.testing.assert_allclose(result.sector_times[row.car - 1].sum(axis=1), laps, atol=1e-9)
    totals = [row.total_s for row in result.standings]
    assert totals == sorted(totals)
    assert result.standings[1].gap_s == pytest.approx(totals[1] - totals[0])
    order = [row.car for row in result.standings]
    assert [int(np.argmax(result.positions_by_lap[-1] == p)) + 1 for p in (1, 2, 3)] == order


def test_finish_time_does_not_depend_on_the_tick():
    """Sub-step crossing: halving the step moves the finish far less than a step."""
    finishes = [
        run_to_end(
            Race(ring(), cars=1, laps=1, driver=RouteDriver(lateral_wander=0.0), dt=dt)
        ).timing[0, FINISH]
        for dt in (0.02, 0.01)
    ]
    assert abs(finishes[0] - finishes[1]) < 0.05
    assert finishes[0] % 0.02 > 1e-6


def test_rolling_start_rolls():
    race = Race(circuit("oval"), cars=4, laps=1, rolling_speed=20.0)
    assert (start(race).cars[:, VX] == 20.0).all()
    standing = run_to_end(Race(circuit("oval"), cars=4, laps=1))
    rolling = run_to_end(race)
    assert rolling.timing[0, FINISH] < standing.timing[0, FINISH]


def test_mixed_grid_of_vehicles_and_drivers():
    race = Race(
        circuit("club"),
        cars=4,
        laps=1,
        vehicle=["gt", "road"],
        driver=["racer", RouteDriver(corner_grip=0.7)],
    )
    result = run(race)
    assert [row.vehicle for row in result.standings].count("gt") == 2
    assert result.standings[0].vehicle == "gt"
    assert all(row.status == "finished" for row in result.standings)


class Straight:
    """A driver of one's own: full throttle, no steering."""

    def __init__(self, controls=(1.0, 0.0, 0.0, 1.0)):
        self.controls = controls

    def start(self, cars):
        return 0

    def __call__(self, view, memory):
        return np.tile(self.controls, (len(view.cars), 1)), memory + 1


def test_a_driver_of_ones_own_drives():
    race = Race(circuit("oval"), cars=2, laps=1, driver=Straight())
    state = start(race)
    for _ in range(150):
        state = step(race, state)
    assert state.memory == 150
    assert (state.cars[:, VX] > 20.0).all()


@pytest.mark.parametrize("controls", [(np.nan, 0, 0, 1), (1, 0, 0), (np.inf, 0, 0, 1)])
def test_bad_controls_are_refused_before_they_travel(controls):
    race = Race(circuit("oval"), cars=2, laps=1, driver=Straight(controls))
    with pytest.raises(InputError, match="tick 0"):
        step(race, start(race))


def test_controls_beyond_the_pedals_are_limited():
    wild = step(race := Race(circuit("oval"), cars=1, laps=1, driver=Straight((9, -1, 7, 5))),
                start(race))  # fmt: skip
    np.testing.assert_array_equal(wild.controls, [[1, 0, 1, 1]])


def test_a_car_that_never_finishes_is_not_waited_for_for_ever():
    race = Race(ring(), cars=2, laps=1, driver=Straight((0.0, 1.0, 0.0, 1.0)))
    result = run(race)
    assert [row.status for row in result.standings] == ["dnf", "dnf"]
    assert all(row.reason for row in result.standings)
    assert result.fastest_lap is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"cars": 0}, "cars"),
        ({"cars": 2.5}, "cars"),
        ({"cars": [1, 1]}, "cars"),
        ({"laps": 0}, "laps"),
        ({"laps": "3"}, "laps"),
        ({"vehicle": "gtt"}, "gtt"),
        ({"vehicle": []}, "vehicle"),
        ({"driver": "racr"}, "racr"),
        ({"driver": 3}, "driver"),
        ({"seed": -1}, "seed"),
        ({"dt": 0.0}, "dt"),
        ({"dt": float("nan")}, "dt"),
        ({"substeps": 0}, "substeps"),
        ({"rolling_speed": float("inf")}, "rolling_speed"),
        ({"cars": 900}, "grid"),
    ],
)
def test_what_cannot_be_raced_is_refused_in_one_sentence(arguments, words):
    with pytest.raises(InputError) as caught:
        Race(circuit("club"), **arguments)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_open_tracks_have_one_lap():
    with pytest.raises(InputError, match="open"):
        Race(circuit("hillclimb"), laps=2)
    state = run_to_end(Race(circuit("hillclimb"), cars=3, laps=1))
    assert (state.timing[:, STATUS] == FINISHED).all()


def test_a_car_wider_than_the_track_is_refused():
    with pytest.raises(InputError, match="wide"):
        Race(ring(width=0.8), cars=1, laps=1)


def test_grid_stands_behind_the_line_in_order():
    race = Race(circuit("grandprix"), cars=20, laps=1)
    distance = start(race).timing[:, DISTANCE]
    assert (distance < 0.0).all()
    assert (np.diff(distance) < 0.0).all()
    assert deepest_overlap(race.grid, race.vehicles) == 0.0


class Counting(Straight):
    """Notes the ticks at which it is asked."""

    def start(self, cars):
        return []

    def __call__(self, view, memory):
        memory.append(round(view.time / 0.02))
        return super().__call__(view, 0)[0], memory


def test_a_driver_is_asked_once_a_tick():
    driver = Counting((0.0, 1.0, 0.0, 1.0))
    race = Race(ring(), cars=1, laps=1, driver=driver)
    race.time_limit = 0.5
    memory = []
    driver.start = lambda cars: memory
    run(race)
    assert memory == list(range(len(memory)))
    assert len(memory) > 20


class Meddling(Straight):
    def __call__(self, view, memory):
        view.cars[:, VX] = 200.0
        return super().__call__(view, memory)


def test_a_driver_looks_but_does_not_touch():
    race = Race(circuit("oval"), cars=1, laps=1, driver=Meddling())
    with pytest.raises(ValueError, match="read-only"):
        step(race, start(race))


class Answering(Straight):
    def __init__(self, answer):
        self.answer = answer

    def __call__(self, view, memory):
        return self.answer


@pytest.mark.parametrize("answer", [None, 3, ("abcd", 0), ([[1, 2], [3]], 0), (None, 0)])
def test_an_answer_that_is_no_controls_is_refused(answer):
    race = Race(circuit("oval"), cars=1, laps=1, driver=Answering(answer))
    with pytest.raises(InputError, match="tick 0"):
        step(race, start(race))


@pytest.mark.parametrize("track", ["club", None, 3])
def test_a_track_is_a_track(track):
    with pytest.raises(InputError, match="track is"):
        Race(track)


def test_no_overlap_persists_between_walls():
    """Pressed between walls and one another, cars still come apart, at once."""
    track = ring(radius=95.0)
    walled = Track(track.name, track.route, wall_distance=0.0)
    race = Race(walled, cars=50, laps=1, vehicle=["formula", "commonroad4"])
    state, since, longest = start(race), 0, 0
    while state.tick < 1500:
        state = step(race, state)
        if deepest_overlap(state.cars[state.active], np.array(race.vehicles)[state.active]) > 0.01:
            since += 1
        else:
            since = 0
        longest = max(longest, since)
    assert longest <= 1


def test_a_halt_is_as_long_as_it_was_whoever_puts_the_car_back():
    """A car that will not move is put back again and again: that shortens no halt in the book."""
    race = Race(ring(), cars=1, laps=1, driver=Straight((0.0, 1.0, 0.0, 1.0)))
    state = start(race)
    while state.time < 20.0:
        state = step(race, state)
    assert state.timing[0, RESCUES] == 2
    assert state.timing[0, LONGEST_HALT] == pytest.approx(state.time)
