"""Laps, sectors, contacts and excursions, against crossings computed in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.sim import timing as book
from headway.world.place import PLACE_WIDTH, ROOM_LEFT, ROOM_RIGHT, S

LENGTH = 100.0
DT = 0.02
SECTORS = np.array([0.3, 0.7, 1.0])


def drive(distances, laps=3, closed=True, lap_length=LENGTH, room=5.0, hits=None):
    """Keep the book of one car that has driven the given distances at the end of each tick."""
    timing = np.zeros((1, book.TIMING_WIDTH))
    timing[0, [book.DISTANCE, book.FURTHEST]] = distances[0]
    timing[0, book.OFF_SINCE] = -1.0
    crossings = np.full((1, laps, len(SECTORS)), np.nan)
    rooms = np.broadcast_to(room, len(distances))
    for tick in range(len(distances) - 1):
        before, after = np.zeros((1, PLACE_WIDTH)), np.zeros((1, PLACE_WIDTH))
        before[0, S] = distances[tick] % LENGTH if closed else distances[tick]
        after[0, S] = distances[tick + 1] % LENGTH if closed else distances[tick + 1]
        after[0, [ROOM_LEFT, ROOM_RIGHT]] = rooms[tick + 1], 5.0
        hit = np.array([-1 if hits is None else hits[tick + 1]], dtype=np.int64)
        book.keep_time(
            before, after, hit, np.zeros(1, dtype=np.bool_), np.ones(1), LENGTH, closed,
            lap_length, SECTORS, tick * DT, DT, timing, crossings,
        )  # fmt: skip
    return timing[0], crossings[0]


@given(st.floats(5.0, 80.0), st.floats(0.5, 40.0))
def test_steady_car_crosses_each_line_at_its_exact_time(speed, behind):
    ticks = int((behind + 3 * LENGTH) / speed / DT) + 3
    timing, crossings = drive(-behind + speed * DT * np.arange(ticks))
    lines = (np.arange(3)[:, None] + SECTORS) * LENGTH
    np.testing.assert_allclose(crossings, (lines + behind) / speed, rtol=0, atol=1e-9)
    assert timing[book.STATUS] == book.FINISHED
    assert timing[book.FINISH] == crossings[-1, -1]
    assert timing[book.LAPS] == 3


def test_backwards_over_the_line_gains_no_lap():
    there_and_back = np.concatenate(
        (np.linspace(-5, 5, 50), np.linspace(5, -5, 50), np.linspace(-5, 99, 300))
    )
    timing, crossings = drive(there_and_back)
    assert timing[book.LAPS] == 0
    assert np.isnan(crossings[:, -1]).all()
    assert timing[book.DISTANCE] == pytest.approx(99.0)
    timing, _ = drive(np.linspace(-5, -205, 900))  # two laps the wrong way round
    assert timing[book.LAPS] == 0
    assert timing[book.DISTANCE] == pytest.approx(-205.0)


def test_reversing_after_a_lap_does_not_count_it_twice():
    to_and_fro = np.concatenate(
        (np.linspace(-1, 105, 300), np.linspace(105, 95, 30), np.linspace(95, 110, 40))
    )
    timing, _ = drive(to_and_fro)
    assert timing[book.LAPS] == 1


def test_open_track_ends_at_its_lap_length():
    timing, crossings = drive(np.arange(0.0, 90.0, 0.5), laps=1, closed=False, lap_length=80.0)
    assert timing[book.STATUS] == book.FINISHED
    np.testing.assert_allclose(crossings[0], SECTORS * 80.0 / 25.0, atol=1e-12)


def test_contacts_within_half_a_second_are_one():
    ticks = 200
    hits = np.full(ticks, -1)
    hits[[10, 11, 20, 34]] = 1  # all within half a second of the last
    hits[[100, 180]] = 1
    timing, _ = drive(0.1 * np.arange(ticks), hits=hits)
    assert timing[book.CONTACTS] == 3


def test_excursion_counts_once_until_the_car_is_back():
    ticks = 300
    room = np.full(ticks, 5.0)
    room[50:60] = -0.5  # half off: no excursion
    room[100:120] = -1.5  # wholly off
    room[120:140] = -0.5  # half on: not back yet
    room[140:160] = -1.5
    room[200:220] = -1.5
    timing, _ = drive(0.1 * np.arange(ticks), room=room)
    assert timing[book.OFF_TRACK] == 2
    assert timing[book.OFF_SINCE] == -1.0


def test_a_car_that_gets_no_further_needs_rescue():
    ticks = int((book.RESCUE_AFTER + 1.0) / DT)
    timing, _ = drive(np.full(ticks, 40.0))
    assert timing[book.NEEDS_RESCUE] == 1.0
    timing, _ = drive(40.0 + 0.3 * DT * np.arange(ticks))  # creeps 0.3 m/s: gets further
    assert timing[book.NEEDS_RESCUE] == 0.0
    timing, _ = drive(20 * DT * np.arange(ticks), room=-3.0)  # fast, but off the road
    assert timing[book.NEEDS_RESCUE] == 1.0
