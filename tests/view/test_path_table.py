"""What came of a search, for people, for programs and as CSV."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
from rich.console import Console

from headway.plan.find_path import find_path
from headway.view.path_table import format_duration, path_csv, path_summary, path_table
from headway.world.grid import Grid

GRID = Grid([[1, 1, 1, 0], [1, 0, 1, 1]], cell_size=0.1, origin=(0.3, -7.0))
WAY = find_path(GRID, (1, 0), (1, 3))
NONE = find_path(Grid([[1, 0, 1]]), (0, 0), (0, 2))


def printed(table):
    console = Console(width=100, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def test_csv_reads_back_exactly():
    rows = list(csv.DictReader(io.StringIO(path_csv(WAY))))
    points = np.array([[float(row["x"]), float(row["y"])] for row in rows])
    cells = np.array([[int(row["row"]), int(row["column"])] for row in rows])
    assert (points == WAY.points).all()
    assert (cells == WAY.cells).all()
    assert path_csv(NONE) == "x,y,row,column\n"


def test_a_summary_is_json_even_without_a_path():
    found = json.loads(json.dumps(path_summary(WAY), allow_nan=False))
    assert found["status"] == "found"
    assert found["cells"] == WAY.cells.tolist()
    assert found["points"] == WAY.points.tolist()
    assert found["length"] == WAY.length
    lost = json.loads(json.dumps(path_summary(NONE), allow_nan=False))
    assert (lost["status"], lost["length"], lost["cost"], lost["cells"]) == (
        "unreachable", None, None, [],
    )  # fmt: skip


def test_the_table_tells_status_and_reason():
    words = printed(path_table(WAY, 0.00125))
    assert "found" in words
    assert f"{WAY.length:.6g} m" in words
    assert "1.25 ms" in words
    words = printed(path_table(NONE))
    assert "unreachable" in words
    assert NONE.reason in words
    assert "inf" not in words
    assert "Time" not in words


def test_times_are_in_the_unit_that_suits():
    assert format_duration(0.0) == "0 us"
    assert format_duration(999e-6) == "999 us"
    assert format_duration(0.99999) == "1 s"
    assert format_duration(0.00099999) == "1 ms"
