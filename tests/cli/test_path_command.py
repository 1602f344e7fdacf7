"""``headway path`` as it is typed."""

from __future__ import annotations

import csv
import gzip
import json
import os

import numpy as np
import pytest
from PIL import Image

from headway.cli import main
from headway.errors import FileError
from headway.plan.find_path import find_path
from headway.sim.walk import walk
from headway.world.changing_rooms import changing_rooms
from headway.world.grid import Grid
from headway.world.grid_files import files_of_grid, write_grid
from headway.world.movingai import read_scenarios
from headway.world.worlds import rooms

ROOM = """type octile
height 4
width 6
map
......
.@@@@.
...T..
.@....
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "room.map").write_text(ROOM)
    (tmp_path / "room.map.gz").write_bytes(gzip.compress(ROOM.encode()))
    return tmp_path


def asked(capsys, *arguments):
    assert main(["path", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_a_path_gives_table_picture_and_csv(capsys, elsewhere):
    before = set(os.listdir(elsewhere))
    assert main(["path", "room.map", "0,2", "5,2"]) == 0
    out = capsys.readouterr().out
    assert "found" in out
    assert "wrote path.png" in out
    assert "wrote path.csv" in out
    assert set(os.listdir(elsewhere)) - before == {"path.png", "path.csv"}
    assert (elsewhere / "path.png").read_bytes().startswith(b"\x89PNG")


def test_json_holds_what_programs_need(capsys, elsewhere):
    found = asked(capsys, "room.map.gz", "0,2", "5,2", "--plot", "a.png", "--csv", "a.csv")
    grid = Grid([[c == "." for c in line] for line in ROOM.splitlines()[4:]])
    expected = find_path(grid, (2, 0), (2, 5))
    assert found["status"] == "found"
    assert found["reason"]
    assert found["length"] == found["cost"] == pytest.approx(expected.length)
    assert found["cells"][0] == found["start"] == [2, 0]
    assert found["cells"][-1] == found["goal"] == [2, 5]
    assert found["points"] == [[column + 0.5, row + 0.5] for row, column in found["cells"]]
    assert found["expanded"] >= 1
    assert 0 < found["seconds"] < 60
    assert found["algorithm"]
    assert sorted(found["written"]) == ["a.csv", "a.png"]
    with open(elsewhere / "a.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [[int(row["row"]), int(row["column"])] for row in rows] == found["cells"]
    assert [[float(row["x"]), float(row["y"])] for row in rows] == found["points"]


def test_no_path_is_an_answer(capsys, elsewhere):
    for goal, status in (("1,1", "goal blocked"), ("90,2", "out of bounds")):
        found = asked(capsys, "room.map", "0,2", goal, "--plot", "a.png", "--csv", "a.csv")
        assert found["status"] == status
        assert found["reason"]
        assert found["length"] is None
        assert found["cost"] is None
        assert found["cells"] == found["points"] == []
        assert (elsewhere / "a.csv").read_text() == "x,y,row,column\n"
        assert (elsewhere / "a.png").exists()
    assert main(["path", "room.map", "0,2", "1,1", "--no-files"]) == 0
    assert "goal blocked" in capsys.readouterr().out


def test_points_are_metres_or_cells(capsys):
    metres = asked(capsys, "room.map", "0.9,2.2", "5.5,3", "--no-files")
    cells = asked(capsys, "room.map", "2,0", "3,5", "--cells", "--no-files")
    assert metres["cells"] == cells["cells"]
    assert metres["start"] == [2, 0]
    assert metres["goal"] == [3, 5]
    assert metres["written"] == []


def test_a_ros_map_has_its_own_frame_and_negative_points(capsys, elsewhere):
    grid = Grid(np.ones((20, 30)), cell_size=0.5, origin=(-10.0, -4.0))
    write_grid(grid, "hall.yaml")
    found = asked(capsys, "hall.yaml", "-9.9,-3.9", "-2,1.25", "--plot", "hall_path.png")
    assert found["start"] == [0, 0]
    assert found["goal"] == [10, 16]
    assert found["points"][0] == [-9.75, -3.75]
    assert found["length"] == pytest.approx(0.5 * (6 + 10 * 2**0.5))


def test_radius_rule_algorithm_partial_and_straightening_are_heard(capsys, elsewhere):
    free = np.ones((30, 40), bool)
    free[:, 20] = False
    free[[4, 25, 26, 27], 20] = True
    write_grid(Grid(free), "wall.map")
    ask = ["wall.map", "2,4", "38,4", "--no-files"]
    narrow = asked(capsys, *ask)
    wide = asked(capsys, *ask, "--radius", "0.8")
    assert narrow["length"] == pytest.approx(36.0)
    assert wide["length"] > narrow["length"] + 10
    assert all(abs(row - 26) <= 1 for row, column in wide["cells"] if column == 20)
    assert asked(capsys, *ask, "--rule", "no-diagonal")["length"] == pytest.approx(36.0)
    for algorithm in ("astar", "A*", "jps", "field", "d-star-lite"):
        assert asked(capsys, *ask, "--algorithm", algorithm)["length"] == pytest.approx(36.0)
    far = ["wall.map", "2,2", "39,12", "--no-files"]
    plain, straight = asked(capsys, *far), asked(capsys, *far, "--straighten")
    assert straight["length"] < plain["length"]
    assert len(straight["cells"]) < len(plain["cells"])
    (elsewhere / "closed.map").write_text(
        ROOM.replace("......", "..@...").replace("...T..", "..@T..")
    )
    lost = ["closed.map", "0,0", "5,3", "--no-files"]
    if asked(capsys, *lost)["status"] == "unreachable":
        part = asked(capsys, *lost, "--partial")
        assert part["status"] == "partial"
        assert part["cells"]


def test_a_start_too_near_a_wall_is_no_reason_not_to_straighten(capsys):
    write_grid(Grid(np.ones((30, 40), bool)), "hall.map")
    ask = ["hall.map", "0.5,0.5", "37,20", "--radius", "1.2", "--no-files"]
    plain, straight = asked(capsys, *ask), asked(capsys, *ask, "--straighten")
    assert straight["cells"][0] == [0, 0]
    assert straight["length"] < plain["length"] - 1.0
    assert len(straight["cells"]) <= 4
    assert all(1 <= row <= 28 and 1 <= column <= 38 for row, column in straight["cells"][1:])


@pytest.mark.parametrize("as_json", [True, False])
def test_only_what_was_written_is_said_to_be(as_json, capsys, elsewhere, monkeypatch):
    def fail(*_, **__):
        raise FileError("a.png", "cannot be written (the disk is full)")

    monkeypatch.setattr("headway.view.path_picture.plot_path", fail)
    json_too = ["--json"] if as_json else []
    ask = ["path", "room.map", "0,2", "5,2", "--plot", "a.png", "--csv", "a.csv", *json_too]
    assert main(ask) == 1
    said = capsys.readouterr()
    assert "the disk is full" in said.err
    assert (elsewhere / "a.csv").exists()
    if as_json:
        found = json.loads(said.out)
        assert (found["status"], found["written"]) == ("found", ["a.csv"])
    else:
        assert "wrote a.csv" in said.out
        assert "a.png" not in said.out


def test_a_fault_of_the_picture_does_not_take_the_result_away(capsys, elsewhere, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a mistake")

    monkeypatch.setattr("headway.view.changing_picture.plot_walk", fail)
    assert main(["path", "--changing", "--seed", "1", "--json"]) == 1
    said = capsys.readouterr()
    assert "a mistake" in said.err
    found = json.loads(said.out)
    assert (found["status"], found["written"]) == ("found", [])
    assert not (elsewhere / "changing.gif").exists()


def test_files_are_there_when_they_are_said_to_be(monkeypatch, elsewhere):
    seen = {}

    def look(_, written):
        seen.update({str(file): (elsewhere / file).stat().st_size for file in written})

    monkeypatch.setattr("headway.cli.path.print_table", look)
    monkeypatch.setattr("headway.cli.changing.print_table", look)
    assert main(["path", "room.map", "0,2", "5,2"]) == 0
    assert main(["path", "--changing", "--plot", "a.png"]) == 0
    assert set(seen) == {"path.csv", "path.png", "a.png"}
    assert min(seen.values()) > 0


def test_the_help_tells_where_whole_numbers_name_cells(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["path", "--help"]) == 0
    lines = [line.strip("│ ") for line in capsys.readouterr().out.splitlines()]
    assert (
        "Except in ROS maps, a cell is 1 m wide and y grows downwards, so that whole numbers "
        "name its column and row." in " ".join(lines)
    )
    start = next(n for n, line in enumerate(lines) if "Where to start" in line)
    assert all(len(line) > 55 for line in lines[start : start + 2])  # no line breaks but at the end


def test_without_a_map_it_shows_made_rooms(capsys):
    one, same = (
        asked(capsys, "--no-files", "--seed", "3"),
        asked(capsys, "--no-files", "--seed", "3"),
    )
    assert one["status"] == "found"
    assert one["cells"] == same["cells"]
    grid = rooms(6, 9, 9, seed=3, door=3)
    assert one["length"] == pytest.approx(find_path(grid, one["start"], one["goal"]).length)


def small_scenarios(folder):
    lines = ["version 1", "0\troom.map\t6\t4\t0\t2\t5\t2\t5.82842712"]
    lines.append("0\troom.map\t6\t4\t0\t0\t5\t0\t5")
    (folder / "room.map.scen").write_text("\n".join(lines) + "\n")
    (folder / "wrong.scen").write_text("\n".join([*lines, lines[-1][:-1] + "4"]) + "\n")


def test_a_scenario_file_is_answered_and_checked(capsys, elsewhere):
    small_scenarios(elsewhere)
    lengths = [
        asked(capsys, "room.map", f"{c0},{r0}", f"{c1},{r1}", "--no-files")["length"]
        for (r0, c0), (r1, c1) in zip(
            *(getattr(read_scenarios("room.map.scen"), end).tolist() for end in ("start", "goal")),
            strict=True,
        )
    ]
    text = (elsewhere / "room.map.scen").read_text().replace("5.82842712", f"{lengths[0]:.8f}")
    (elsewhere / "room.map.scen").write_text(text)
    for algorithm in ("auto", "jps", "astar"):
        found = asked(capsys, "room.map", "--scen", "room.map.scen", "--algorithm", algorithm)
        assert (found["queries"], found["wrong"]) == (2, 0)
        assert 0 < found["median_us"] <= found["p99_us"]
    found = asked(capsys, "room.map", "--scen", "wrong.scen")
    assert found["queries"] == 3
    assert found["wrong"] >= 1
    assert found["first_wrong"]
    assert main(["path", "room.map", "--scen", "wrong.scen"]) == 0
    out = capsys.readouterr().out
    assert "Queries" in out
    assert "Wrong" in out
    assert "Median" in out


def test_real_scenarios_and_replays(capsys, data_folder):
    maps = sorted((data_folder / "movingai").glob("**/*.map.gz"), key=lambda p: p.stat().st_size)
    replays = sorted((data_folder / "movingai").glob("dynamic/*.scen*"))
    if not maps or not replays:
        pytest.skip("no MovingAI maps or replays among the real inputs")
    scen = next((maps[0].parent).glob(f"{maps[0].name.removesuffix('.gz')}.scen*"))
    found = asked(capsys, str(maps[0]), "--scen", str(scen))
    assert found["queries"] > 0
    assert found["wrong"] == 0
    found = asked(capsys, "--replay", str(replays[0]))
    assert found["queries"] > 0
    assert found["wrong"] == 0
    assert found["mean_us"] > 0
    assert found["patch_mean_us"] > 0


def test_the_changing_world_is_shown_and_the_same_each_time(capsys, elsewhere):
    one = asked(capsys, "--changing", "--seed", "2", "--plot", "moments.png")
    same = asked(capsys, "--changing", "--seed", "2", "--no-files")
    assert one["reached"] is True
    assert one["written"] == ["moments.png"]
    assert (elsewhere / "moments.png").read_bytes().startswith(b"\x89PNG")
    for each in (one, same):
        assert 0 < each.pop("seconds") < 60
        del each["written"]
    assert one == same
    world = changing_rooms(2)
    trace = walk(world.grid, world.start, world.goal, world.changes)
    assert one["cells"] == trace.cells.tolist()
    steps = np.abs(np.diff(trace.cells, axis=0)).sum(axis=1)
    assert one["status"] == "found"
    assert one["length"] == one["cost"] == pytest.approx(np.sqrt(steps).sum())
    assert one["expanded"] >= one["searches"]
    assert one["state_hash"] == trace.state_hash
    assert one["ticks"] == len(trace.ticks) - 1
    assert one["changes"] > 3
    assert one["searches"] >= 1


def test_the_rooms_of_the_changing_world_suit_the_radius(capsys):
    found = asked(capsys, "--changing", "--radius", "0.8", "--no-files")
    assert (found["status"], found["radius"]) == ("found", 0.8)
    assert found["length"] > 80


def test_the_changing_world_moves_unless_told_otherwise(capsys, elsewhere):
    assert main(["path", "--changing"]) == 0
    assert "wrote changing.gif" in capsys.readouterr().out
    assert (elsewhere / "changing.gif").stat().st_size < 1.5e6  # small enough to send
    with Image.open(elsewhere / "changing.gif") as image:
        assert image.n_frames > 30


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["room.map"], 2, "A and B missing"),
        (["room.map", "0,0"], 2, "B missing"),
        (["room.map", "0;0", "1,2"], 2, "A is '0;0': give x,y in metres"),
        (["room.map", "0,0", "nan,2"], 2, "B is 'nan,2'"),
        (["room.map", "0,0", "1,2,3"], 2, "B is '1,2,3'"),
        (["room.map", "0.5,0", "1,2", "--cells"], 2, "give row,column"),
        (["room.map", "9" * 20 + ",0", "1,2", "--cells"], 2, "no map is that large"),
        (["room.map", "0,0", "1," + "9" * 5000, "--cells"], 2, "give row,column"),
        (["room.map", "1_0,0", "1,2", "--cells"], 2, "A is '1_0,0'"),
        (["room.map", "1_0,0", "1,2"], 2, "A is '1_0,0'"),
        (["room.map", "0,0", "1e300,2"], 2, "no map is that large"),
        (["--cells"], 2, "--cells has no meaning without MAP"),
        (["--no-files", "--plot", "a.png"], 2, "--plot has no meaning with --no-files"),
        (["--no-files", "--csv", "a.csv"], 2, "--csv has no meaning with --no-files"),
        (["--changing", "--no-files", "--plot", "a.gif"], 2, "--plot has no meaning"),
        (["room.map", "0,0", "5,0", "--csv", "."], 1, "is a folder"),
        (["room.map", "0,0", "5,0", "--plot", "."], 2, "cannot draw to '.'"),
        (["--changing", "--radius", "2.6"], 2, "give 0 to 2.5 m, the largest that fits"),
        (["room.map", "0,0", "5,0", "5,5"], 2, "5,5"),
        (["room.map", "0,0", "--goal"], 2, "there is no option --goal"),
        (["room.map", "0,0", "5,0", "--goal", "5,0"], 2, "--goal"),
        (["missing.map", "0,0", "1,2"], 1, "missing.map"),
        (["room.map", "0,0", "5,0", "--rule", "sometimes"], 2, "sometimes"),
        (["room.map", "0,0", "5,0", "--algorithm", "magic"], 2, "magic"),
        (["room.map", "0,0", "5,0", "--radius", "-1"], 2, "radius"),
        (["room.map", "0,0", "5,0", "--radius", "nan"], 2, "radius"),
        (["room.map", "0,0", "5,0", "--plot", "a.gif"], 2, "a.gif"),
        (["room.map", "0,0", "5,0", "--plot", "nowhere/a.png"], 1, "nowhere"),
        (["room.map", "0,0", "5,0", "--csv", "nowhere/a.csv"], 1, "nowhere"),
        (["room.map", "0,0", "5,0", "--csv", "a.png", "--plot", "a.png"], 2, "name two files"),
        (["room.map", "0,0", "5,0", "--csv", "room.map"], 2, "would overwrite the map"),
        (["room.map", "0,0", "5,0", "--seed", "1"], 2, "--seed has no meaning with MAP"),
        (["--scen", "room.map.scen"], 2, "--scen needs the map"),
        (["room.map", "0,0", "5,0", "--scen", "a.scen"], 2, "A has no meaning with --scen"),
        (["room.map", "--scen", "missing.scen"], 1, "missing.scen"),
        (["room.map", "--scen", "room.map"], 1, "room.map"),
        (["room.map", "--scen", "a.scen", "--replay", "b.scen"], 2, "--replay has no meaning"),
        (["room.map", "--replay", "b.scen"], 2, "MAP has no meaning with --replay"),
        (["--replay", "b.scen", "--plot", "a.png"], 2, "--plot has no meaning with --replay"),
        (["--replay", "missing.scen"], 1, "missing.scen"),
        (["room.map", "--changing"], 2, "MAP has no meaning with --changing"),
        (["--changing", "--csv", "a.csv"], 2, "--csv has no meaning with --changing"),
        (["--changing", "--plot", "a.mp4"], 2, "a.mp4"),
        (["--changing", "--plot", "nowhere/a.gif"], 1, "nowhere"),
        (["--changing", "--seed", "1.5"], 2, "whole number"),
        (["--changing", "--seed", str(2**70)], 2, "63 bits"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments, code, words, capsys, elsewhere):
    before = {name: (elsewhere / name).read_bytes() for name in os.listdir(elsewhere)}
    assert main(["path", *arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert "Traceback" not in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert {name: (elsewhere / name).read_bytes() for name in os.listdir(elsewhere)} == before


@pytest.mark.parametrize(("name", "y_down"), [("hall.map", True), ("hall.yaml", False)])
def test_the_picture_is_as_the_map_lies_and_shows_the_search(name, y_down, elsewhere, monkeypatch):
    shown = {}

    def look(grid, found, file, **looks):
        shown.update(looks, searched=found.searched)

    monkeypatch.setattr("headway.view.path_picture.plot_path", look)
    write_grid(Grid(np.ones((20, 30))), name)
    assert main(["path", name, "1,1", "9,5", "--radius", "0.75"]) == 0
    assert (shown["y_down"], shown["radius"]) == (y_down, 0.75)
    assert (shown["start"], shown["goal"]) == ((1, 1), (5, 9))
    assert len(shown["searched"]) > 0


def test_the_image_of_a_ros_map_is_not_overwritten(capsys, elsewhere):
    write_grid(Grid(np.ones((20, 30))), "hall.yaml")
    _, image = files_of_grid(elsewhere / "hall.yaml")
    before = image.read_bytes()
    assert main(["path", "hall.yaml", "1,1", "9,5", "--csv", image.name]) == 2
    assert "would overwrite the map" in capsys.readouterr().err
    assert image.read_bytes() == before
