"""MovingAI's maps, scenarios and replays: what they say, and what is wrong with them."""

from __future__ import annotations

import gzip
import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import FileError
from headway.world import movingai
from headway.world.grid import Grid
from headway.world.movingai import (
    read_movingai_map,
    read_replay,
    read_scenarios,
    write_movingai_map,
)

MAP = "type octile\nheight 2\nwidth 8\nmap\n.GS@OTW.\n........\n"
SCENARIO = "version 1\n3\tmaps/a b.map\t8\t2\t0\t1\t7\t0\t7.41421\n"
PATCHES = (
    "type patch\npatches 2\npatch 0\nheight 1\nwidth 3\nmap\n.@.\n"
    "patch 1\nheight 2\nwidth 1\nmap\nT\nG\n"
)
REPLAY = (
    "version 2\nheight 3\nwidth 4\ncost 1 octile\npatch a.patch\ncommands\n"
    "Q 0 0 0 3 2 4.41421\nP 1 1 2 0\nP 1 0 1 2\nQ 1 0 0 3 1 -1\nQ 2 3 2 3 2 0\nP 3 0 0 0\n"
)


def write(folder, name, text):
    path = folder / name
    data = text.encode("latin-1")
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def write_replay(folder, replay=REPLAY, patches=PATCHES, name="a.patch"):
    if patches:
        write(folder, name, patches)
    return write(folder, "a.scen", replay)


@pytest.mark.parametrize("name", ["a.map", "a.map.gz"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_map_and_what_its_characters_mean(tmp_path, name, end):
    grid = read_movingai_map(write(tmp_path, name, MAP.replace("\n", end)))
    assert grid.free.astype(int).tolist() == [[1, 1, 1, 0, 0, 0, 0, 1], [1] * 8]
    assert grid.cost is None
    assert grid.cell_size == 1.0
    assert grid.origin == (0.0, 0.0)


@pytest.mark.parametrize("tail", ["", "\n", "\n\n  \n"])
def test_the_end_of_a_map_may_be_ragged(tmp_path, tail):
    assert read_movingai_map(write(tmp_path, "a.map", MAP.rstrip() + tail)).shape == (2, 8)


@given(
    free=st.integers(1, 9).flatmap(
        lambda width: st.lists(
            st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=9
        )
    ),
    packed=st.booleans(),
)
def test_what_is_written_is_read_again(tmp_path_factory, free, packed):
    path = tmp_path_factory.getbasetemp() / ("again.map" + ".gz" * packed)
    write_movingai_map(Grid(free), path)
    assert np.array_equal(read_movingai_map(path).free, free)
    first = path.read_bytes()
    write_movingai_map(Grid(free), path)
    assert path.read_bytes() == first


MAP_FAULTS = {
    "empty": ("", "is empty"),
    "type": (MAP.replace("octile", "tile"), "line 1: expected 'type octile' but found 'type tile'"),
    "no height": (MAP.replace("height 2\n", ""), "line 2: expected 'height <number>'"),
    "no number": (MAP.replace("height 2", "height"), "line 2: expected 'height <number>'"),
    "two": (MAP.replace("height 2", "height two"), "line 2: height is 'two'; expected a whole"),
    "zero": (MAP.replace("width 8", "width 0"), "line 3: width is '0'"),
    "minus": (MAP.replace("width 8", "width -8"), "line 3: width is '-8'"),
    "endless": (MAP.replace("width 8", "width " + "9" * 500), "line 3: width is '999"),
    "huge": (MAP.replace("2", "8193").replace("8\n", "8192\n"), "line 3: a map of 8192 x 8193 has"),
    "no map": (MAP.replace("map\n", ""), "line 4: expected 'map' but found '.GS"),
    "header only": (MAP[:30], "expected 'map'"),
    "no rows": (MAP[: MAP.index(".")], "line 5: the map ends after 0 of its 2 rows"),
    "row missing": (MAP[:-9], "line 6: the map ends after 1 of its 2 rows"),
    "row cut": (MAP[:-3], "line 6: has 6 cells where the width is 8"),
    "row short": (MAP.replace("@", ""), "line 5: has 7 cells where the width is 8"),
    "row long": (MAP.replace("@", "@@"), "line 5: has 9 cells where the width is 8"),
    "gap": (MAP.replace("W.\n", "W.\n\n"), "line 6: has 0 cells where the width is 8"),
    "character": (MAP.replace("@", "#"), "line 5: column 3 holds '#'; cells are . G S (free)"),
    "not ascii": (MAP.replace("@", "\xe9"), "line 5: column 3 holds 'é'"),
    "more rows": (MAP + "........\n", "line 7: expected the end but found '........'"),
    "binary": ("\0\1\2" * 99, "line 1: expected 'type octile'"),
    "one line": ("type" + " " * 20_000 + "octile", "line 1: is longer than 10,000"),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("fault", MAP_FAULTS)
def test_a_faulty_map_is_named_in_one_sentence(tmp_path, fault, packed):
    text, words = MAP_FAULTS[fault]
    assert_refused(read_movingai_map, write(tmp_path, "a.map" + ".gz" * packed, text), words)


def assert_refused(read, path, words):
    with pytest.raises(FileError) as caught:
        read(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_map_that_claims_much_costs_little(tmp_path):
    text = MAP.replace("height 2", "height 8000").replace("width 8", "width 8000")
    start = time.process_time()
    assert_refused(read_movingai_map, write(tmp_path, "a.map", text), "line 5: has 8 cells")
    assert time.process_time() - start < 1


def test_files_that_cannot_be_opened(tmp_path):
    for read in (read_movingai_map, read_scenarios, read_replay):
        assert_refused(read, tmp_path / "none.map", "there is no such file")
        assert_refused(read, tmp_path, "is a folder")
    with pytest.raises(FileError, match="cannot be written"):
        write_movingai_map(Grid([[1]]), tmp_path / "none" / "a.map")


@pytest.mark.parametrize("name", ["a.scen", "a.map.scen.gz"])
@pytest.mark.parametrize("head", ["version 1\n", "version 1.0\n", ""])
@pytest.mark.parametrize("separator", ["\t", " "])
def test_scenarios(tmp_path, name, head, separator):
    lines = ["3", "maps/a.map", "8", "2", "5", "1", "7", "0", "2.41421"]
    other = ["4", "b.map", "8", "2", "0", "0", "0", "0", "0"]
    text = head + separator.join(lines) + "\n\n" + separator.join(other) + "\n \n"
    scenarios = read_scenarios(write(tmp_path, name, text))
    assert len(scenarios) == 2
    assert scenarios.bucket.tolist() == [3, 4]
    assert scenarios.start.tolist() == [[1, 5], [0, 0]]
    assert scenarios.goal.tolist() == [[0, 7], [0, 0]]
    assert scenarios.length.tolist() == [2.41421, 0.0]
    assert (scenarios.height, scenarios.width) == (2, 8)
    for array in (scenarios.start, scenarios.goal):
        assert array.dtype == np.int64
        assert array.flags.c_contiguous


def test_the_name_of_a_map_may_hold_spaces(tmp_path):
    assert read_scenarios(write(tmp_path, "a.scen", SCENARIO)).start.tolist() == [[1, 0]]


def scenario(**changes):
    names = ("bucket", "map", "width", "height", "sx", "sy", "gx", "gy", "length")
    values = dict(zip(names, SCENARIO.splitlines()[1].split("\t"), strict=True)) | changes
    return SCENARIO + "\t".join(values.values()) + "\n"


SCENARIO_FAULTS = {
    "nothing": ("version 1\n\n", "holds no queries"),
    "columns": (SCENARIO + "1 a.map 8 2 0 0 1 1", "line 3: has 8 columns where a scenario has 9"),
    "many": (SCENARIO + "1 a.map 8 2 0 0 1 1 1 1", "line 3: has 10 columns"),
    "version twice": ("version 1\n" + SCENARIO, "line 2: has 2 columns"),
    "x outside": (scenario(sx="8"), "line 3: x of the start is '8'; expected a whole number from"),
    "y outside": (scenario(gy="2"), "line 3: y of the goal is '2'"),
    "x minus": (scenario(gx="-1"), "line 3: x of the goal is '-1'"),
    "y fraction": (scenario(sy="0.5"), "line 3: y of the start is '0.5'"),
    "bucket": (scenario(bucket="x"), "line 3: the bucket is 'x'"),
    "other map": (scenario(width="9"), "line 3: is for a map of 9 x 2 cells where the first"),
    "no map": (scenario(height="0"), "line 3: the height of the map is '0'"),
    "nan": (scenario(length="nan"), "line 3: the length is 'nan'; expected a number of cells"),
    "infinite": (scenario(length="inf"), "line 3: the length is 'inf'"),
    "too long": (scenario(length="1e309"), "line 3: the length is '1e309'"),
    "minus": (scenario(length="-2"), "line 3: the length is '-2'"),
    "grouped": (scenario(length="1_0"), "line 3: the length is '1_0'"),
    "word": (scenario(length="far"), "line 3: the length is 'far'"),
    "huge": (SCENARIO.replace("\t8\t2", "\t60000\t60000"), "a map of 60000 x 60000 has more"),
    "map": (MAP, "line 1: has 2 columns where a scenario has 9"),
}


@pytest.mark.parametrize("fault", SCENARIO_FAULTS)
def test_faulty_scenarios_are_named_in_one_sentence(tmp_path, fault):
    text, words = SCENARIO_FAULTS[fault]
    assert_refused(read_scenarios, write(tmp_path, "a.scen", text), words)


@pytest.mark.parametrize("name", ["a.patch", "a.patch.gz"])
def test_a_replay(tmp_path, name):
    replay = read_replay(write_replay(tmp_path, name=name))
    queries = replay.queries
    assert (queries.height, queries.width) == (3, 4)
    assert queries.bucket.tolist() == [0, 1, 2]
    assert queries.start.tolist() == [[0, 0], [0, 0], [2, 3]]
    assert queries.goal.tolist() == [[2, 3], [1, 3], [2, 3]]
    assert queries.length.tolist() == [4.41421, np.inf, 0.0]
    assert [patch.before for patch in replay.patches] == [1, 1, 3]
    assert [patch.top_left for patch in replay.patches] == [(0, 2), (2, 1), (0, 0)]
    assert replay.patches[0].free.tolist() == [[False], [True]]
    assert replay.patches[1].free.tolist() == [[True, False, True]]
    assert replay.patches[2].free is replay.patches[1].free
    grid = Grid(np.ones((3, 4)))
    for patch in replay.patches:
        grid.paste(patch.top_left, patch.free)
    assert grid.free.astype(int).tolist() == [[1, 0, 1, 1], [1, 1, 1, 1], [1, 1, 0, 1]]


def test_the_octile_cost_is_picked_out_of_several(tmp_path):
    text = "\n".join(
        line + (" 9" if line.startswith("Q") else "") for line in REPLAY.splitlines()
    ).replace("cost 1 octile", "cost 2 octile manhattan")
    replay = read_replay(write_replay(tmp_path, text))
    assert replay.queries.length.tolist() == [4.41421, np.inf, 0.0]
    text = text.replace("octile manhattan", "manhattan octile")
    assert read_replay(write_replay(tmp_path, text)).queries.length.tolist() == [9.0] * 3


REPLAY_FAULTS = {
    "version": (REPLAY.replace("version 2", "version 1"), "line 1: expected 'version 2'"),
    "cost": (REPLAY.replace("octile", "fourway"), "line 4: names no octile cost"),
    "costs": (REPLAY.replace("cost 1", "cost 2"), "line 4: the number of costs is '2'"),
    "no file": (REPLAY.replace("patch a.patch", "patch"), "line 5: names no file of patches"),
    "file gone": (REPLAY.replace("a.patch", "b.patch"), "line 5: the file of patches 'b.patch' is"),
    "file nul": (REPLAY.replace("a.patch", "a\0"), "line 5: the file of patches 'a\\x00' is not"),
    "file folder": (REPLAY.replace("a.patch", "."), "line 5: the file of patches '.' is not"),
    "file long": (REPLAY.replace("a.patch", "a" * 5000), "line 5: the file of patches 'aaaa"),
    "no commands": (REPLAY.replace("commands\n", ""), "line 6: expected 'commands'"),
    "no queries": (REPLAY[: REPLAY.index("Q")], "holds no queries"),
    "command": (REPLAY + "R 1 1\n", "line 13: is no command; expected 'Q bucket x y x y length'"),
    "short": (REPLAY + "Q 1 1 1 1 1\n", "line 13: is no command"),
    "long": (REPLAY + "P 1 1 0 0 0\n", "line 13: is no command"),
    "start": (REPLAY + "Q 1 4 0 0 0 1\n", "line 13: x of the start is '4'"),
    "goal": (REPLAY + "Q 1 0 0 0 3 1\n", "line 13: y of the goal is '3'"),
    "length": (REPLAY + "Q 1 0 0 0 0 x\n", "line 13: the length is 'x'"),
    "no patch": (REPLAY + "P 1 2 0 0\n", "line 13: the patch is '2'; expected a whole number from"),
    "beside": (REPLAY + "P 1 0 2 0\n", "line 13: x of the patch is '2'; expected a whole number"),
    "below": (REPLAY + "P 1 1 0 2\n", "line 13: y of the patch is '2'"),
    "large": (REPLAY.replace("width 4", "width 2"), "line 7: x of the goal is '3'"),
}


@pytest.mark.parametrize("fault", REPLAY_FAULTS)
def test_a_faulty_replay_is_named_in_one_sentence(tmp_path, fault):
    text, words = REPLAY_FAULTS[fault]
    assert_refused(read_replay, write_replay(tmp_path, text), words)


PATCH_FAULTS = {
    "type": (PATCHES.replace("type patch", "type octile"), "line 1: expected 'type patch'"),
    "count": (PATCHES.replace("patches 2", "patches x"), "line 2: patches is 'x'"),
    "many": (PATCHES.replace("patches 2", "patches 9999999"), "line 2: patches is '9999999'"),
    "number": (PATCHES.replace("patch 1", "patch 2"), "line 8: patch is '2'"),
    "fewer": (PATCHES.replace("patches 2", "patches 3"), "line 14: the file ends here"),
    "more": (PATCHES.replace("patches 2", "patches 1"), "line 8: expected the end but found"),
    "cell": (PATCHES.replace("@", "x"), "line 7: column 1 holds 'x'"),
    "row": (PATCHES.replace("@", ""), "line 7: has 2 cells where the width is 3"),
    "end": (PATCHES[:-2], "line 13: the map ends after 1 of its 2 rows"),
    "large": (PATCHES.replace("width 3\nmap\n.@.", "width 5\nmap\n..@.."), "larger than the map"),
}


@pytest.mark.parametrize("fault", PATCH_FAULTS)
def test_faulty_patches_are_named_in_one_sentence(tmp_path, fault):
    text, words = PATCH_FAULTS[fault]
    assert_refused(read_replay, write_replay(tmp_path, patches=text), words)


def real_files(data_folder, pattern):
    folder = data_folder / "movingai"
    found = sorted(path for end in ("", ".gz") for path in folder.glob(f"**/*{pattern}{end}"))
    if not found:
        pytest.skip(f"no {pattern} files in the folder of real inputs")
    return found


def listed_sizes(data_folder):
    """Height and width of the maps by name, from the table in the README beside them."""
    sizes = {}
    readme = data_folder / "movingai" / "README.md"
    for line in readme.read_text(encoding="utf-8").splitlines() if readme.exists() else []:
        names, *rest = line.strip("|").split("|")
        names = [name.split("/")[-1].strip() for name in names.split(",")]
        found = re.findall(r"(\d+)x(\d+)", "".join(rest))
        found *= len(names) // len(found or names)  # one size may stand for all of a row
        for name, (width, height) in zip(names, found, strict=False):
            sizes[name] = int(height), int(width)
    return sizes


def test_real_maps_and_scenarios_agree(data_folder):
    sizes = listed_sizes(data_folder)
    compared = 0
    for path in real_files(data_folder, ".map"):
        grid = read_movingai_map(path)
        name = path.name.partition(".")[0]
        if name in sizes:
            assert grid.shape == sizes[name], path
            compared += 1
        bare = path.name.removesuffix(".gz")
        for beside in (path.with_name(f"{bare}.scen{end}") for end in ("", ".gz")):
            if beside.exists():
                scenarios = read_scenarios(beside)
                assert (scenarios.height, scenarios.width) == grid.shape, beside
                assert grid.free[tuple(scenarios.start.T)].all(), beside
                assert grid.free[tuple(scenarios.goal.T)].all(), beside
                apart = np.abs(scenarios.start - scenarios.goal)
                octile = apart.max(axis=1) + (2**0.5 - 1) * apart.min(axis=1)
                assert (scenarios.length > octile - 0.01 - 1e-5 * octile).all(), beside
    assert compared or not sizes


def test_real_replays_stand_on_free_cells(data_folder):
    for path in real_files(data_folder, "dynamic/*.scen"):
        replay = read_replay(path)
        queries = replay.queries
        grid = Grid(np.ones((queries.height, queries.width)))
        patches = list(replay.patches)
        for index in range(len(queries)):
            while patches and patches[0].before == index:
                patch = patches.pop(0)
                grid.paste(patch.top_left, patch.free)
            if np.isfinite(queries.length[index]):
                assert grid.free[tuple(queries.start[index])]
                assert grid.free[tuple(queries.goal[index])]


def test_more_lines_than_are_accepted(tmp_path, monkeypatch):
    monkeypatch.setattr(movingai, "COUNT_LIMIT", 2)
    replay = read_replay(write_replay(tmp_path, REPLAY[: REPLAY.index("Q 2")]))
    assert (len(replay.queries), len(replay.patches)) == (2, 2)
    assert_refused(read_replay, write_replay(tmp_path), "line 11: is beyond the 2 lines accepted")
    path = write(tmp_path, "b.scen", scenario() + scenario().splitlines()[2] + "\n")
    assert_refused(read_scenarios, path, "line 4: is beyond the 2 lines accepted; cut the file up")


@pytest.mark.parametrize("name", ["A.MAP.GZ", "a.map.gz", "a.map"])
def test_a_map_is_compressed_if_its_name_says_so(tmp_path, name):
    write_movingai_map(Grid([[1, 0]]), tmp_path / name)
    packed = (tmp_path / name).read_bytes().startswith(b"\x1f\x8b")
    assert packed == name.lower().endswith(".gz")


def test_a_patch_higher_than_the_map_is_refused(tmp_path):
    tall = "height 4\nwidth 1\nmap\n.\n@\n.\n."
    patches = PATCHES.replace("height 1\nwidth 3\nmap\n.@.", tall)
    words = "the patch of 1 x 4 cells is larger than the map"
    assert_refused(read_replay, write_replay(tmp_path, REPLAY, patches), words)


@pytest.mark.parametrize("length", ["1e12", "1e300"])
def test_a_length_beyond_all_maps_is_refused(tmp_path, length):
    path = write(tmp_path, "a.scen", scenario(length=length))
    assert_refused(read_scenarios, path, f"the length is '{length}'")
