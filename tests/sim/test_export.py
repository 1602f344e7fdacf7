"""Export: independent readers find in the table exactly what was recorded."""

from __future__ import annotations

import csv
import json
import os
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest
from cyclopts import App
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from headway.cli.export import export as export_command
from headway.errors import FileError, InputError, MissingExtraError
from headway.sim import export as export_module
from headway.sim.export import export_recording
from headway.sim.recorder import Recorder
from headway.sim.recording import read_recording

COLUMNS = ["x", "y", 'speed, "true"']


def record(path, ticks, frames, header=None, finish=True):
    header = {"dt": 0.02, "circuit": "Überlingen"} if header is None else header
    with Recorder(path, header, COLUMNS, frames.shape[1]) as recorder:
        for tick, frame in zip(ticks, frames, strict=True):
            recorder.frame(tick, frame)
        if finish:
            recorder.finish({"winner": 2})
    return read_recording(path)


@pytest.fixture
def recording(tmp_path):
    frames = np.random.default_rng(0).normal(size=(130, 4, 3)) * 1e3
    return record(tmp_path / "race.hwy", range(0, 650, 5), frames)


def table_of(path):
    """Heading and rows of a table, read by someone else."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            heading, *rows = csv.reader(file)
        return heading, [[float(value) for value in row] for row in rows]
    table = pq.read_table(path)
    return table.column_names, [list(row.values()) for row in table.to_pylist()]


def expected_rows(recording):
    return [
        [round(int(tick) * 0.02, 9), tick, car + 1, *recording.frames[k, car]]
        for k, tick in enumerate(recording.ticks)
        for car in range(recording.frames.shape[1])
    ]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "CSV"])
@pytest.mark.parametrize("batch", [1, 7, 1 << 16])
def test_reads_back_as_recorded(tmp_path, monkeypatch, recording, suffix, batch):
    monkeypatch.setattr(export_module, "BATCH_ROWS", batch)
    path = tmp_path / f"race.{suffix}"
    done = []
    assert export_recording(recording, path, done.append) == 520
    heading, rows = table_of(path) if suffix != "CSV" else table_of(path.rename(f"{path}.csv"))
    assert heading == ["time", "tick", "car", *COLUMNS]
    assert rows == expected_rows(recording)
    assert done == sorted(done)
    assert done[-1] == 1.0


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(frames=arrays.arrays(np.float64, (2, 2, 3), elements=FINITE))
def test_any_number_reads_back_exactly(tmp_path_factory, frames):
    folder = tmp_path_factory.getbasetemp()
    recording = record(folder / "numbers.hwy", [0, 2**52], frames, finish=False)
    for path in (folder / "numbers.csv", folder / "numbers.parquet"):
        export_recording(recording, path)
        rows = np.array(table_of(path)[1])
        assert rows[:, 3:].tobytes() == frames.tobytes()
        assert rows[:, 1].tolist() == [0, 0, 2**52, 2**52]


def test_csv_is_plain_text(tmp_path):
    recording = record(tmp_path / "race.hwy", [57], np.array([[[1.5, -2.0, 1e-300]]]))
    export_recording(recording, tmp_path / "race.csv")
    assert (tmp_path / "race.csv").read_bytes() == (
        b'time,tick,car,x,y,"speed, ""true"""\n1.14,57,1,1.5,-2.0,1e-300\n'
    )


def test_parquet_tells_types_and_header(tmp_path, recording):
    export_recording(recording, tmp_path / "race.parquet")
    schema = pq.read_schema(tmp_path / "race.parquet")
    assert [str(kind) for kind in schema.types] == ["double", "int64", "int64", *["double"] * 3]
    about = json.loads(schema.metadata[b"headway"])
    assert about == {"header": recording.header, "summary": {"winner": 2}}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_recording_without_frames(tmp_path, suffix):
    recording = record(tmp_path / "race.hwy", [], np.zeros((0, 4, 3)), finish=False)
    assert export_recording(recording, tmp_path / f"race.{suffix}") == 0
    heading, rows = table_of(tmp_path / f"race.{suffix}")
    assert heading[:3] == ["time", "tick", "car"]
    assert rows == []


@pytest.mark.parametrize("name", ["race", "race.xlsx", "race.csv.gz", ".csv", ""])
def test_other_suffixes_are_refused(tmp_path, recording, name):
    with pytest.raises(InputError, match=r"end it in \.csv or \.parquet"):
        export_recording(recording, tmp_path / name)


@pytest.mark.parametrize("dt", [None, 0, -0.02, "0.02", True, [0.02], 1e300, 10**400])
def test_recording_without_time_step_is_refused(tmp_path, dt):
    header = {} if dt is None else {"dt": dt}
    recording = record(tmp_path / "race.hwy", [0], np.zeros((1, 4, 3)), header)
    with pytest.raises(InputError, match="gives no time step"):
        export_recording(recording, tmp_path / "race.csv")


def test_cars_keep_their_ids(tmp_path):
    header = {"dt": 0.02, "cars": [3, 0]}
    recording = record(tmp_path / "race.hwy", [0, 5], np.zeros((2, 2, 3)), header)
    export_recording(recording, tmp_path / "race.csv")
    assert [row[2] for row in table_of(tmp_path / "race.csv")[1]] == [4, 1, 4, 1]


@pytest.mark.parametrize("cars", [None, 2, [0], ["a", "b"], [0.0, 1.0], [-1, 0], [0, 2**70]])
def test_cars_that_do_not_fit_are_refused(tmp_path, cars):
    header = {"dt": 0.02, "cars": cars}
    recording = record(tmp_path / "race.hwy", [0], np.zeros((1, 2, 3)), header)
    with pytest.raises(InputError, match="does not name its 2 rows"):
        export_recording(recording, tmp_path / "race.csv")
    assert not (tmp_path / "race.csv").exists()


def test_column_of_the_table_is_refused(tmp_path):
    with Recorder(tmp_path / "race.hwy", {"dt": 0.02}, ["x", "time"], 1) as recorder:
        recorder.frame(0, [[1.0, 2.0]])
    with pytest.raises(InputError, match="a column 'time', which the table has already"):
        export_recording(read_recording(tmp_path / "race.hwy"), tmp_path / "race.csv")


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch, recording):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"Parquet export .*'headway\[export\]'"):
        export_recording(recording, tmp_path / "race.parquet")
    export_recording(recording, tmp_path / "race.csv")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_failure_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, recording, suffix):
    folder = tmp_path / "tables"
    folder.mkdir()
    path = folder / f"race.{suffix}"
    path.write_text("old")

    def stop(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", stop)
        with pytest.raises(FileError, match=r"cannot be written \(no space left on device\)"):
            export_recording(recording, path)
    with pytest.raises(KeyboardInterrupt):
        export_recording(recording, path, lambda done: (_ for _ in ()).throw(KeyboardInterrupt))
    assert path.read_text() == "old"
    assert list(folder.iterdir()) == [path]
    export_recording(recording, path)
    assert len(table_of(path)[1]) == 520
    assert list(folder.iterdir()) == [path]


def test_bad_targets(tmp_path, recording):
    (tmp_path / "folder.csv").mkdir()
    for name, problem in {
        "folder.csv": "is a folder",
        "nowhere/race.csv": "cannot be written",
        "nul\0.csv": "cannot be written",
        "n" * 5000 + ".parquet": "cannot be written",
    }.items():
        with pytest.raises(FileError, match=problem):
            export_recording(recording, tmp_path / name)


def run(*arguments: str) -> None:
    command, bound, *_ = App(default_command=export_command).parse_args(
        arguments, exit_on_error=False, print_error=False
    )
    command(*bound.args, **bound.kwargs)


def test_command_tells_what_it_wrote(tmp_path, capsys, recording):
    source, table = str(tmp_path / "race.hwy"), str(tmp_path / "race.csv")
    run(source, table)
    assert capsys.readouterr() == (f"520 rows (130 frames of 4 cars) in {table}\n", "")
    run(source, table, "--json")
    assert json.loads(capsys.readouterr().out) == {
        "path": table,
        "rows": 520,
        "cars": 4,
        "complete": True,
    }
    assert table_of(tmp_path / "race.csv")[1] == expected_rows(recording)


def test_command_exports_what_is_left_of_a_recording(tmp_path, capsys, recording):
    os.truncate(tmp_path / "race.hwy", (tmp_path / "race.hwy").stat().st_size - 700)
    run(str(tmp_path / "race.hwy"), str(tmp_path / "race.parquet"))
    told = capsys.readouterr()
    assert told.out.startswith("400 rows (100 frames of 4 cars)")
    assert told.err.startswith("Not the whole recording: the file ends in the middle of a block")
    assert len(table_of(tmp_path / "race.parquet")[1]) == 400


def test_command_does_not_overwrite_its_recording(tmp_path, recording):
    (tmp_path / "race.hwy").rename(tmp_path / "race.csv")
    with pytest.raises(InputError, match="would overwrite the recording"):
        run(str(tmp_path / "race.csv"), str(tmp_path / "race.csv"))
    assert read_recording(tmp_path / "race.csv").complete


def test_command_passes_errors_on(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        run(str(tmp_path / "nothing.hwy"), str(tmp_path / "race.csv"))
