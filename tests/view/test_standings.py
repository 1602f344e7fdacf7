"""Standings as a table that fits a terminal and as values that JSON takes."""

from __future__ import annotations

import io
import json
import math
import re

import pytest
from made_race import made_race, ring_track
from rich.console import Console

from headway.view.standings import finite, race_summary, standings_table


def printed(race, width=80):
    console = Console(file=io.StringIO(), width=width)
    console.print(standings_table(race))
    return console.file.getvalue().splitlines()


def rows_of(lines):
    """The words of each line that begins with a position."""
    return [line.split() for line in lines if re.match(r" *\d+ +\d+ ", line)]


def test_the_table_is_in_finishing_order():
    race = made_race(ring_track(), [30.0, 33.0, 31.0])
    rows = rows_of(printed(race))
    assert [row[:2] for row in rows] == [["1", "2"], ["2", "3"], ["3", "1"]]
    leader = (2 * race.track.length + 4.0) / 33.0
    assert rows[0][4] == f"0:{leader:06.3f}"
    assert rows[1][4] == f"+{(2 * race.track.length + 8.0) / 31.0 - leader:.3f}"


def test_the_fastest_lap_is_marked():
    lines = printed(made_race(ring_track(), [30.0, 33.0]))
    assert sum("* 0:" in line for line in lines) == 1
    assert any("* fastest lap: car 2, lap 2, 0:19.0" in line for line in lines)
    assert any("123 times real time" in line for line in lines)
    assert any("00ff00ff00ff00ff" in line for line in lines)


def test_who_did_not_finish_has_no_time_but_a_reason():
    lines = printed(made_race(ring_track(), [30.0, 33.0], stops={1: 900.0}))
    first, second = rows_of(lines)
    assert first[1] == "1"
    assert second[1] == "2"
    assert second[4] == "dnf"
    assert any("did not finish (stopped): car 2" in line for line in lines)
    assert "did not" not in "".join(printed(made_race(ring_track(), [30.0, 33.0])))


@pytest.mark.parametrize("vehicle", ["gt", "commonroad1", "[bold]odd[/nothing]"])
def test_the_table_fits_a_terminal_and_names_are_not_markup(vehicle):
    race = made_race(ring_track(), [30.0] * 12, stops={3: 700.0})
    for row in race.standings:
        row.vehicle = vehicle
        row.reason = "put back 5 times" if row.reason else ""
    lines = printed(race)
    assert max(map(len, lines)) <= 80
    assert len(rows_of(lines)) == 12
    assert vehicle[:11] in "\n".join(lines)
    assert "put back 5 times" in "\n".join(lines)


def test_nobody_finished():
    lines = printed(made_race(ring_track(), [30.0, 31.0], stops={0: 10.0, 1: 20.0}))
    assert [row[4:6] for row in rows_of(lines)] == [["dnf", "-"], ["dnf", "-"]]
    assert not any("fastest" in line for line in lines)


def test_the_summary_is_strict_json():
    race = made_race(ring_track(), [30.0, 33.0], stops={0: 100.0})
    race.standings[1].total_s = race.standings[1].gap_s = math.nan
    race.real_time_factor = math.inf
    back = json.loads(json.dumps(race_summary(race), allow_nan=False))
    assert back["circuit"] == "Ring"
    assert back["length_m"] == pytest.approx(race.track.length)
    assert (back["laps"], back["seed"], back["state_hash"]) == (2, 7, "00ff00ff00ff00ff")
    assert back["real_time_factor"] is None
    first, second = back["standings"]
    assert {"car", "position", "laps", "total_s", "best_lap_s", "contacts", "off_track"} <= set(
        first
    )
    assert (first["car"], first["position"], first["status"]) == (2, 1, "finished")
    assert first["total_s"] == pytest.approx((2 * race.track.length + 4.0) / 33.0)
    assert (second["car"], second["total_s"], second["best_lap_s"]) == (1, None, None)
    assert (second["status"], second["reason"]) == ("dnf", "stopped")
    assert back["fastest_lap"]["car"] == 2
    assert back["fastest_lap"]["time_s"] == pytest.approx(race.track.length / 33.0)


def test_numbers_that_are_not_are_none():
    assert [finite(value) for value in (None, math.nan, math.inf, -math.inf)] == [None] * 4
    assert finite(1) == 1.0
