"""Reading and writing circuits: every format, every fault."""

from __future__ import annotations

import json
import os
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import FileError, HeadwayError, InputError
from headway.world.circuit_files import read_track, read_waypoints, write_track, write_waypoints
from headway.world.route import Route
from headway.world.track import Track

SQUARE = "0,0,4,5\n90,0,4,5\n90,90,4,5\n0,90,4,5\n"
TUM = "# x_m,y_m,w_tr_right_m,w_tr_left_m\n" + SQUARE


@pytest.fixture
def save(tmp_path):
    def write(content: str | bytes, name: str = "circuit.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def assert_same(one: Track, other: Track) -> None:
    np.testing.assert_array_equal(one.route.waypoints, other.route.waypoints)
    np.testing.assert_array_equal(one.route.widths, other.route.widths)
    assert one.route.closed == other.route.closed
    assert one.route.smooth == other.route.smooth
    assert (one.name, one.wall_distance, one.sectors) == (
        other.name,
        other.wall_distance,
        other.sectors,
    )


def wobbly_ring(count: int) -> Track:
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    radius = 300 + 20 * np.sin(3 * angle)
    points = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Track.from_arrays(points, 4 + np.cos(angle), 5 + np.sin(angle), name="ring")


# --- formats -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        TUM,
        SQUARE,
        SQUARE.rstrip("\n"),
        "\ufeff" + TUM,
        TUM.replace("\n", "\r\n"),
        TUM.replace("\n", "\r"),
        TUM.replace(",", ";"),
        TUM.replace(",", ", "),
        SQUARE.replace(",", "\t"),
        SQUARE.replace(",", "   "),
        "x_m,y_m,w_tr_right_m,w_tr_left_m\n" + SQUARE,
        "X, Y, w_left, w_right\n" + SQUARE.replace("4,5", "5,4"),
        "# made by hand\n\n# x_m,y_m,w_tr_right_m,w_tr_left_m\n\n" + SQUARE + "\n\n",
        "# the x and y of a square\n" + SQUARE,
        SQUARE + "0,0,4,5\n",
        SQUARE.replace("0,0,4", "0.0e0,+0,4"),
        json.dumps(
            {
                "points": [[0, 0], [90, 0], [90, 90], [0, 90]],
                "width_left": 5,
                "width_right": [4, 4, 4, 4],
            }
        ),
    ],
)
def test_every_spelling_of_a_square_gives_the_same_track(save, content):
    track = read_track(save(content))
    np.testing.assert_array_equal(track.route.waypoints, [[0, 0], [90, 0], [90, 90], [0, 90]])
    np.testing.assert_array_equal(track.route.widths, [[5, 4]] * 4)
    assert track.closed
    assert track.route.smooth
    assert track.name == "circuit"


def test_the_name_of_the_file_does_not_matter(save):
    assert read_track(save(json.dumps([[0, 0], [9, 0], [9, 9]]), "a.csv"), width=2).closed
    assert read_track(save(TUM, "a.json")).closed


def test_real_racetracks_equal_a_plain_parse(data_folder):
    found = sorted((data_folder / "tracks").glob("tum*/*.csv"))
    for path in found:
        columns = np.loadtxt(path, delimiter=",")
        track = read_track(path)
        np.testing.assert_array_equal(track.route.waypoints, columns[:, :2])
        np.testing.assert_array_equal(track.route.widths, columns[:, [3, 2]])
        assert track.closed
        assert track.name == path.stem


def test_real_lines_of_other_tools(data_folder):
    folder = data_folder / "tracks"
    for path in folder.glob("f1tenth/*_centerline.csv"):
        assert read_track(path).closed
    for path in folder.glob("f1tenth/*_raceline.csv"):
        columns = np.loadtxt(path, delimiter=";")
        route = read_waypoints(path)
        np.testing.assert_array_equal(route.waypoints, columns[:-1, 1:3])
        assert route.closed
        assert route.length == pytest.approx(columns[-1, 0], rel=1e-3)
        with pytest.raises(FileError, match="without widths; give the width"):
            read_track(path)
        np.testing.assert_array_equal(read_track(path, width=2.2).route.width(0.0), [1.1, 1.1])
    for path in folder.glob("reference/*.csv"):
        assert read_waypoints(path).closed


def test_height_is_kept_where_the_heading_names_it(save):
    content = "# x_m,y_m,z_m,w_tr_right_m,w_tr_left_m\n0,0,1,4,5\n90,0,2,4,5\n90,90,3,4,5\n"
    np.testing.assert_array_equal(read_track(save(content)).route.waypoints[:, 2], [1, 2, 3])


def test_a_raceline_without_heading_has_seven_columns(save):
    rows = ["0;0;0;0;0;8;0", "9;9;0;0;0;8;0", "18;9;9;0;0;8;0", "30;0;0;0;0;8;0"]
    route = read_waypoints(save("\n".join(rows)))
    np.testing.assert_array_equal(route.waypoints, [[0, 0], [9, 0], [9, 9]])


# --- open or closed ------------------------------------------------------------------------


def test_far_ends_need_an_answer(save):
    path = save("0,0\n30,0\n60,0\n90,5\n120,9\n")
    with pytest.raises(FileError, match=r"ends 120\.3 m from its start.*closed=False"):
        read_waypoints(path)
    assert not read_waypoints(path, closed=False).closed
    assert read_waypoints(path, closed=True).closed


def test_a_comment_or_key_answers(save):
    rows = "0,0\n30,0\n60,0\n90,5\n120,9\n"
    assert not read_waypoints(save("# closed: no\n" + rows)).closed
    assert read_waypoints(save("# closed: yes\n" + rows)).closed
    assert read_waypoints(save("# Closed: No\n" + rows), closed=True).closed
    points = [[0, 0], [30, 0], [60, 0]]
    assert not read_waypoints(save(json.dumps({"points": points, "closed": False}))).closed


def test_a_repeated_end_is_kept_on_a_road_that_returns(save):
    path = save("0,0\n30,0\n30,30\n0,0\n")
    assert len(read_waypoints(path).waypoints) == 3
    assert len(read_waypoints(path, closed=False).waypoints) == 4


# --- faults --------------------------------------------------------------------------------

FAULTS = {
    "empty": (b"", "is empty", None),
    "only space": (b" \n\t\n", "is empty", None),
    "only comments": (b"# x_m,y_m\n# nothing\n", "holds no numbers", None),
    "one point": (b"0,0,4,5\n", "holds 1 point; a closed circuit needs at least three", None),
    "two points": (b"0,0,4,5\n9,0,4,5\n", "holds 2 points", None),
    "nan": (TUM.replace("90,90", "nan,90"), "column 1 is nan", 4),
    "inf": (TUM.replace("90,90", "90,-inf"), "column 2 is -inf", 4),
    "overflow": (TUM.replace("90,90", "90,1e309"), "column 2 is inf", 4),
    "text": (TUM.replace("90,90", "90,north"), "'north', which is not a number", 4),
    "decimal comma": (SQUARE.replace(",", ";").replace("90;90", "90,5;90"), "'90,5'", 3),
    "missing column": (TUM.replace("90,90,4,5", "90,90,4"), "has 3 columns where", 4),
    "extra column": (TUM.replace("90,90,4,5", "90,90,4,5,6"), "has 5 columns where", 4),
    "trailing comma": (TUM.replace("90,90,4,5", "90,90,4,"), "column 4 holds ''", 4),
    "truncated": (TUM[:-6], "has 2 columns where", 5),
    "column cut": ("# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,4\n9,0,4\n", "heading names 4", 2),
    "one width": ("x,y,w_left\n0,0,4\n9,0,4\n9,9,4\n", "no right width", None),
    "twice": ("x,y,x\n0,0,4\n9,0,4\n9,9,4\n", "names 'x' twice", None),
    "unknown columns": ("0,0,1,4,5\n9,0,1,4,5\n9,9,1,4,5\n", "no heading to tell", 1),
    "one column": ("1\n2\n3\n", "has 1 columns and no heading", 1),
    "many columns": (",".join("1" * 99), "has 99 columns", 1),
    "one long line": (b"1," * 3_000_000, "is longer than 10,000 characters", 1),
    "prose": ("It was a dark night.\nThe rain fell.\n", "expected numbers but found", 2),
    "repeated": (TUM + "0,90,4,5\n", "point 4 lies at the same place as point 5 (line 6)", 5),
    "zero width": (TUM.replace("90,90,4", "90,90,0"), "has a right width of 0 m", 4),
    "negative width": (TUM.replace("90,90,4,5", "90,90,4,-5"), "left width of -5 m", 4),
    "wide": (TUM.replace("90,90,4", "90,90,4000"), "right width of 4000 m", 4),
    "far": (TUM.replace("90,90", "90,1e8"), "lies beyond 1e+07 m", 4),
    "jump": (
        "# closed: yes\n0,0\n1,0\n2,0\n3,0\n4,0\n5,0\n5,9e5\n6,0\n7,0\n8,1\n9,1\n",
        "over 1,000 times the usual step",
        7,
    ),
    "zeros": (b"\0" * 100, "holds binary data", None),
    "binary": (bytes(range(1, 256)) * 4, "is not UTF-8 text", 2),
    "latin": ("# Nürburg\n".encode("latin-1") + SQUARE.encode(), "is not UTF-8 text", 1),
    "utf-16": (TUM.encode("utf-16"), "saved as UTF-8", None),
    "picture": (b"\x89PNG\r\n\x1a\n" + b"x" * 50, "is an image; give the yaml", None),
    "closed how": ("# closed: maybe\n" + SQUARE, "write 'yes' or 'true' or", None),
    "walls": ("# wall_distance: -1\n" + SQUARE, "gives no track: wall_distance", None),
    "wall text": ("# wall_distance: near\n" + SQUARE, "says 'near'; write numbers", None),
    "sectors": ("# sectors: 0.7 0.3\n" + SQUARE, "gives no track: sectors", None),
    "name": ("# name: \x07\n" + SQUARE, "printable", None),
    "json cut": (b'{"points": [[0, 0], [9', "is not valid JSON", 1),
    "json nan": (b"[[0, NaN], [9, 0], [9, 9]]", "NaN is not a finite number", None),
    "json 1e999": (b"[[0, 1e999], [9, 0], [9, 9]]", "entry 1, is Infinity", None),
    "json huge int": (b"[[0, 1" + b"0" * 400 + b"], [9, 0], [9, 9]]", "must be finite", None),
    "json longest int": (b"[[0, 1" + b"0" * 9000 + b"], [9, 0]]", "cannot be used", None),
    "json text": (b'[[0, "1"], [9, 0], [9, 9]]', 'entry 1, is "1"', None),
    "json true": (b"[[0, true], [9, 0], [9, 9]]", "entry 1, is true", None),
    "json ragged": (b"[[0, 1], [9], [9, 9]]", "point 2 is not a list of 2 numbers", None),
    "json flat": (b"[0, 1, 2, 3]", "point 1 is not of the form", None),
    "json bomb": (b"[" * 200_000, "nested too deeply", None),
    "json other": (b'{"type": "FeatureCollection"}', "has no 'points'", None),
    "json typo": (b'{"points": [[0, 0]], "widht": 3}', "unknown key 'widht'", None),
    "json widths": (
        b'{"points": [[0, 0], [9, 0], [9, 9]], "width_left": [1, 2], "width_right": 1}',
        "'width_left' has 2 numbers for 3 points",
        None,
    ),
    "json one width": (b'{"points": [[0, 0]], "width_left": 2}', "gives only 'width_left'", None),
    "json closed": (b'{"points": [[0, 0]], "closed": 1}', "'closed' is 1; it must be true", None),
    "json none": (b"[]", "has no points", None),
    "json repeated": (b"[[0, 0], [9, 0], [9, 0], [5, 5]]", "point 2 lies at the same", None),
    "json name": (b'{"points": [[0, 0]], "name": "\\ud800"}', "printable", None),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_in_one_sentence(save, fault):
    content, words, line = FAULTS[fault]
    path = save(content, "faulty.csv")
    start = time.process_time()
    with pytest.raises(FileError) as caught:
        read_track(path)
    assert time.process_time() - start < 2
    message = str(caught.value)
    assert message.startswith(str(path))
    assert words in message
    assert caught.value.line == line
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) - len(str(path)) < 250


def test_what_is_not_a_file(tmp_path):
    for path, words in [(tmp_path / "none.csv", "no such file"), (tmp_path, "is a folder")]:
        with pytest.raises(FileError, match=words):
            read_track(path)
    with pytest.raises(FileError, match="cannot be read"):
        read_track("a\0b.csv")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_rather_than_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="not a plain file"):
        read_track(tmp_path / "pipe")


def test_a_width_must_make_sense(save):
    for width in (0, -3, float("nan"), float("inf")):
        with pytest.raises(InputError, match="width"):
            read_track(save("0,0\n9,0\n9,9\n"), width=width)


def test_too_large_is_refused_before_parsing(save, monkeypatch):
    monkeypatch.setattr("headway.world.circuit_files.TEXT_LIMIT", 40)
    with pytest.raises(FileError, match="is larger than"):
        read_track(save(TUM))
    monkeypatch.undo()
    monkeypatch.setattr("headway.world.number_table.MAX_LINES", 3)
    with pytest.raises(FileError, match="more than the 3 lines"):
        read_track(save(TUM))


def test_a_million_points(tmp_path):
    track = wobbly_ring(1_000_000)
    path = tmp_path / "long.csv"
    write_track(track, path)
    start = time.process_time()
    again = read_track(path)
    assert time.process_time() - start < 8  # 2.7 s on the machine it was written on
    np.testing.assert_array_equal(again.route.waypoints, track.route.waypoints)


# --- writers -------------------------------------------------------------------------------

number = st.floats(-1e6, 1e6).filter(lambda value: value == 0 or abs(value) > 1e-3)


@given(
    points=st.lists(
        st.tuples(number, number, number), min_size=3, max_size=12, unique_by=lambda p: p[:2]
    ),
    width=st.floats(0.01, 900),
    flat=st.booleans(),
    closed=st.booleans(),
    suffix=st.sampled_from([".csv", ".json"]),
)
def test_written_tracks_come_back_exactly(tmp_path_factory, points, width, flat, closed, suffix):
    path = tmp_path_factory.mktemp("round") / f"a{suffix}"
    array = np.array(points)[:, : 2 if flat else 3]
    widths = np.column_stack([np.full(len(array), width), np.full(len(array), width / 2)])
    widths[0] /= 3
    try:
        route = Route.through(array, closed=closed, smooth=not flat, widths=widths)
        track = Track("a b", route, wall_distance=width, sectors=(0.125, 1 / 3))
        write_track(track, path)
        again = read_track(path)
    except HeadwayError as error:
        # Only what no track may have can fail: points at one place, or absurd jumps.
        assert "one place" in str(error) or "usual step" in str(error)  # noqa: PT017
    else:
        assert_same(track, again)


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_waypoints_come_back_exactly(tmp_path, suffix):
    route = wobbly_ring(40).route
    bare = Route.through(route.waypoints[:20], closed=False, smooth=False)
    write_waypoints(bare, tmp_path / f"a{suffix}")
    again = read_waypoints(tmp_path / f"a{suffix}")
    np.testing.assert_array_equal(again.waypoints, bare.waypoints)
    assert again.widths is None
    assert (again.closed, again.smooth) == (False, False)


def test_a_written_racetrack_is_one_to_plain_tools(tmp_path):
    track = wobbly_ring(40)
    write_track(track, tmp_path / "ring.csv")
    columns = np.loadtxt(tmp_path / "ring.csv", delimiter=",", comments="#")
    np.testing.assert_array_equal(columns[:, :2], track.route.waypoints)
    np.testing.assert_array_equal(columns[:, [3, 2]], track.route.widths)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "ring.csv"
    write_track(wobbly_ring(40), path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            with pytest.raises(FileError, match=r"cannot be written \(no space left"):
                write_track(wobbly_ring(50), path)
        assert path.read_bytes() == before
        assert os.listdir(tmp_path) == ["ring.csv"]


def test_where_nothing_can_be_written(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "a.csv"):
        with pytest.raises(FileError, match=r"is a folder|cannot be written \(no such file"):
            write_track(wobbly_ring(40), path)


def test_a_link_is_followed_and_kept(tmp_path):
    real = tmp_path / "real.csv"
    real.write_text("old")
    (tmp_path / "link.csv").symlink_to(real)
    write_track(wobbly_ring(40), tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert read_track(real).name == "ring"
