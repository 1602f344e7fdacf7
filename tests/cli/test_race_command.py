"""``headway race`` and ``headway replay`` as they are typed."""

from __future__ import annotations

import json
import re

import pytest

from headway.cli import main
from headway.sim.race import Race
from headway.sim.recorder import Recorder
from headway.sim.recording import read_recording
from headway.sim.run import run
from headway.world.circuits import circuit

SHORT = ["--cars", "3", "--laps", "1", "--seed", "5"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_race_gives_table_picture_and_recording(capsys, elsewhere):
    assert main(["race", *SHORT]) == 0
    out = capsys.readouterr().out
    assert "Club: 1 lap, 3 cars, seed 5" in out
    assert {path.name for path in elsewhere.iterdir()} == {"race.png", "race.hwy"}
    assert (elsewhere / "race.png").read_bytes().startswith(b"\x89PNG")
    assert read_recording(elsewhere / "race.hwy").complete
    assert main(["replay", "race.hwy"]) == 0
    assert "The whole race is the same" in capsys.readouterr().out


def test_json_holds_what_programs_need(capsys, elsewhere):
    assert main(["race", "oval", *SHORT, "--no-files", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = run(Race(circuit("oval"), cars=3, laps=1, seed=5))
    assert found["circuit"] == "Oval"
    assert found["length_m"] == pytest.approx(circuit("oval").length)
    assert (found["laps"], found["seed"]) == (1, 5)
    assert found["real_time_factor"] > 0
    assert found["state_hash"] == expected.state_hash
    assert found["written"] == []
    assert [row["position"] for row in found["standings"]] == [1, 2, 3]
    keys = {"car", "position", "laps", "total_s", "best_lap_s", "contacts", "off_track", "status"}
    assert all(keys <= row.keys() for row in found["standings"])
    assert list(elsewhere.iterdir()) == []


def test_open_circuits_have_one_lap_by_themselves(capsys):
    assert main(["race", "hillclimb", "--cars", "2", "--no-files", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["laps"] == 1


def test_waypoints_need_a_width_and_may_be_open(capsys, elsewhere):
    (elsewhere / "lane.csv").write_text("0,0\n100,0\n200,10\n300,40\n")
    assert main(["race", "lane.csv", "--no-files"]) == 1
    assert "width=10" in capsys.readouterr().err
    options = ["--width", "10", "--open", "--cars", "2", "--no-files", "--json"]
    assert main(["race", "lane.csv", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["closed"] is False
    assert found["length_m"] < 320.0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--cars", "0"], 2, "cars"),
        (["--cars", "many"], 2, "cars"),
        (["--laps", "-1"], 2, "laps"),
        (["--vehicle", "tank"], 2, "tank"),
        (["--vehicle", "gt,"], 2, "no car is called ''"),
        (["--driver", "nobody"], 2, "nobody"),
        (["--rolling", "nan"], 2, "rolling"),
        (["--plot", "race.gif"], 2, "race.gif"),
        (["--plot", "nowhere/race.png"], 1, "nowhere"),
        (["--record", "nowhere/race.hwy"], 1, "nowhere"),
        (["missing.csv"], 1, "missing.csv"),
        (["--wheels", "4"], 2, "--wheels"),
        (["--cars", "1.5"], 2, "whole number"),
        (["--seed", "1.7"], 2, "whole number"),
        (["--rolling", "500"], 2, "rolling_speed"),
        (["--plot", "same.png", "--record", "same.png"], 2, "name two files"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments, code, words, capsys, elsewhere):
    assert main(["race", *arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert "Traceback" not in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert list(elsewhere.iterdir()) == []


def test_replay_says_where_a_race_goes_another_way(capsys, elsewhere):
    assert main(["race", *SHORT]) == 0
    data = (elsewhere / "race.hwy").read_bytes()
    (elsewhere / "cut.hwy").write_bytes(data[: len(data) // 2])
    capsys.readouterr()
    assert main(["replay", "cut.hwy"]) == 0
    assert "as far as it goes" in capsys.readouterr().out
    assert main(["replay", "race.png"]) == 1
    assert "race.png" in capsys.readouterr().err


def test_no_output_overwrites_the_circuit(capsys, elsewhere, data_folder):
    maps = sorted((data_folder / "tracks").rglob("*.yaml"))
    if not maps:
        pytest.skip("no maps among the real inputs")
    (elsewhere / "map.yaml").write_text(re.sub("image:.*", "image: map.png", maps[0].read_text()))
    image = next(line.split()[1] for line in maps[0].read_text().splitlines() if "image" in line)
    (elsewhere / "map.png").write_bytes((maps[0].parent / image).read_bytes())
    before = (elsewhere / "map.png").read_bytes()
    assert main(["race", "map.yaml", "--vehicle", "f1tenth", "--plot", "map.png"]) == 2
    assert "would overwrite the circuit" in capsys.readouterr().err
    assert (elsewhere / "map.png").read_bytes() == before
    (elsewhere / "mine.csv").write_text("0,0\n100,0\n100,80\n0,80\n")
    assert main(["race", "mine.csv", "--width", "10", "--record", "mine.csv"]) == 2
    assert (elsewhere / "mine.csv").read_text().startswith("0,0")


def test_a_header_that_lies_is_a_fault_of_the_file(capsys, elsewhere):
    with Recorder("lie.hwy", {"kind": "race", "drivers": []}, ["x"], 1) as recorder:
        recorder.frame(0, [[0.0]])
        recorder.finish({})
    assert main(["replay", "lie.hwy"]) == 1
    assert "lie.hwy" in capsys.readouterr().err
