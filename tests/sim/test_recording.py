"""Recordings: what is written is read back, and nothing else, whatever happens to the file."""

from __future__ import annotations

import errno
import itertools
import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import FileError, HeadwayError, InputError
from headway.sim import recorder as recorder_module
from headway.sim.block_file import MAGIC, BlockWriter
from headway.sim.recorder import Recorder
from headway.sim.recording import Event, read_recording

COLUMNS = ("x", "y", "speed")


def frame_of(tick: int, rows: int = 4) -> np.ndarray:
    return np.sin(np.arange(rows * 3, dtype=float).reshape(rows, 3) + 0.1 * tick)


def record(path, ticks=240, finish=True, chunk=50):
    """A recording with a hash every 50 ticks, an event every 30 and a known frame at each."""
    with Recorder(path, {"dt": 0.02, "name": "Überlingen"}, COLUMNS, 4, chunk=chunk) as recorder:
        for tick in range(ticks):
            recorder.frame(tick, frame_of(tick))
            if tick % 50 == 0:
                recorder.hash(tick, f"{tick:016x}")
            if tick % 30 == 0:
                recorder.event(tick, "lap", {"car": 1 + tick % 4, "seconds": 0.1 * tick})
        if finish:
            recorder.finish({"winner": 3})
    return path


def starts_of_blocks(data: bytes) -> list[int]:
    starts, at = [], 12
    while at < len(data):
        starts.append(at)
        at += 12 + struct.unpack_from("<I", data, at + 4)[0]
    return [*starts, at]


# --- what is written is read back ----------------------------------------------------------

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | FLOATS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=3)


@st.composite
def simulations(draw):
    rows, width = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    ticks = draw(st.lists(st.integers(0, 2**63 - 1), unique=True, max_size=12).map(sorted))
    values = draw(
        st.lists(FLOATS, min_size=len(ticks) * rows * width, max_size=len(ticks) * rows * width)
    )
    frames = np.array(values, dtype=float).reshape(len(ticks), rows, width)
    text = st.text(min_size=1).filter(str.isprintable)
    names = draw(st.lists(text, min_size=width, max_size=width, unique=True))
    return rows, names, ticks, frames


@given(
    simulation=simulations(),
    header=OBJECTS,
    summary=st.none() | OBJECTS,
    chunk=st.integers(1, 6),
    data=st.data(),
)
def test_reads_back_what_was_recorded(tmp_path_factory, simulation, header, summary, chunk, data):
    path = tmp_path_factory.getbasetemp() / "round-trip.hwy"
    rows, names, ticks, frames = simulation
    events, hashes = [], {}
    with Recorder(path, header, names, rows, chunk=chunk) as recorder:
        for tick, frame in zip(ticks, frames, strict=True):
            recorder.frame(tick, frame)
            extra = data.draw(st.sampled_from(["", "event", "hash", "flush"]))
            if extra == "event":
                events.append(Event(tick, data.draw(st.text()), data.draw(OBJECTS)))
                recorder.event(*events[-1])
            elif extra == "hash":
                hashes[tick] = data.draw(st.text())
                recorder.hash(tick, hashes[tick])
            elif extra == "flush":
                recorder.flush()
        if summary is not None:
            recorder.finish(summary)
    recording = read_recording(path)
    assert recording.header == header
    assert recording.columns == tuple(names)
    assert recording.ticks.tolist() == ticks
    assert recording.frames.shape == frames.shape
    assert recording.frames.tobytes() == frames.tobytes()
    assert recording.events == tuple(events)
    assert recording.hashes == hashes
    assert recording.summary == summary
    assert recording.complete == (summary is not None)
    assert (recording.problem is None) == recording.complete


def test_file_is_laid_out_as_described(tmp_path):
    data = record(tmp_path / "race.hwy", ticks=60).read_bytes()
    magic, version = struct.unpack_from("<8sI", data)
    assert (magic, version) == (MAGIC, 1)
    kinds, check = [], zlib.crc32(data[:12])
    starts = starts_of_blocks(data)
    for start, end in itertools.pairwise(starts):
        check = zlib.crc32(data[start : end - 4], check)
        assert struct.unpack_from("<I", data, end - 4) == (check,)
        kinds.append(data[start : start + 4])
    assert kinds == [b"HEAD", b"FRAM", b"NOTE", b"FRAM", b"NOTE", b"DONE"]
    payload = data[starts[1] + 8 : starts[2] - 4]
    assert np.frombuffer(payload, "<i8", 50).tolist() == list(range(50))
    assert np.frombuffer(payload[400:], "<f8").tolist() == [
        value for tick in range(50) for value in frame_of(tick).ravel()
    ]
    assert json.loads(data[starts[5] + 8 : starts[6] - 4]) == {"winner": 3}


def test_array_may_be_reused_and_of_any_real_type(tmp_path):
    frame = np.zeros((2, 1), dtype=np.float32)
    with Recorder(tmp_path / "race.hwy", {}, ["x"], np.int64(2)) as recorder:
        for tick in range(3):
            frame[:] = tick
            recorder.frame(np.int32(tick), frame)
        recorder.frame(7, [[7], [8]])
    assert read_recording(tmp_path / "race.hwy").frames[..., 0].tolist() == [
        [0, 0],
        [1, 1],
        [2, 2],
        [7, 8],
    ]


# --- nothing is held back for long ---------------------------------------------------------


def test_one_second_of_simulation_is_written_at_once(tmp_path):
    path = tmp_path / "race.hwy"
    with Recorder(path, {}, COLUMNS, 4) as recorder:
        for tick in range(50):
            recorder.frame(tick, frame_of(tick))
        growing = read_recording(path)
        assert growing.ticks.tolist() == list(range(50))
        assert not growing.complete
        assert growing.problem == "the recording breaks off after tick 49"
        recorder.frame(50, frame_of(50))
        recorder.flush()
        assert read_recording(path).ticks[-1] == 50


def test_slow_simulation_is_written_within_a_second_of_wall_time(tmp_path, monkeypatch):
    now = 0.0
    monkeypatch.setattr(recorder_module.time, "monotonic", lambda: now)
    path = tmp_path / "race.hwy"
    with Recorder(path, {}, COLUMNS, 4) as recorder:
        for tick in range(40):
            now += 0.1
            recorder.frame(tick, frame_of(tick))
            held = tick - (read_recording(path).ticks.max(initial=-1))
            assert held * 0.1 < 0.61
        now += 1.0
        recorder.event(40, "contact", {"car": 2})
        assert read_recording(path).events == (Event(40, "contact", {"car": 2}),)


def test_error_of_the_simulation_leaves_all_its_frames(tmp_path):
    path = tmp_path / "race.hwy"

    def fail():
        with Recorder(path, {}, COLUMNS, 4) as recorder:
            for tick in range(73):
                recorder.frame(tick, frame_of(tick))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert read_recording(path).ticks.tolist() == list(range(73))
    assert not read_recording(path).complete


CHILD = """
import os, struct, sys
import numpy as np
from headway.sim.recorder import Recorder
base = np.arange(140.0).reshape(20, 7)
with Recorder(sys.argv[1], {"dt": 0.02}, "abcdefg", 20) as recorder:
    tick = 0
    while True:
        recorder.frame(tick, base + tick)
        if tick % 50 == 0:
            recorder.hash(tick, str(tick))
        if tick % 7 == 0:
            recorder.event(tick, "lap", {"car": tick})
        os.write(1, struct.pack("<q", tick))
        tick += 1
"""


def last_report_before_kill(path, kill_after: int) -> int:
    """Let a process record until it reports a tick, kill it, and return its last report."""
    command = [sys.executable, "-c", CHILD, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as child:
        reports = b""
        while len(reports) <= 8 * kill_after:
            more = os.read(child.stdout.fileno(), 1 << 16)
            assert more, "the child ended by itself"
            reports += more
        os.kill(child.pid, signal.SIGKILL)
        reports += child.stdout.read()
    assert child.returncode == -signal.SIGKILL
    return struct.unpack("<q", reports[len(reports) // 8 * 8 - 8 :][:8])[0]


@pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal")
@pytest.mark.parametrize("attempt", range(20))
def test_kill_at_any_moment_loses_at_most_a_second(tmp_path, attempt):
    path = tmp_path / "race.hwy"
    reported = last_report_before_kill(path, random.Random(attempt).randrange(3000))  # noqa: S311
    recording = read_recording(path)
    count = len(recording.ticks)
    assert recording.ticks.tolist() == list(range(count))
    assert count - 1 >= reported - 50
    expected = np.arange(140.0).reshape(20, 7) + np.arange(count)[:, None, None]
    assert np.array_equal(recording.frames, expected)
    assert [event.tick for event in recording.events] == [
        7 * k for k in range(len(recording.events))
    ]
    assert not recording.complete
    assert recording.problem


# --- damaged and hostile files -------------------------------------------------------------


def mutated(data: bytes, other: bytes, chance: random.Random) -> bytes:  # noqa: PLR0911
    a, b = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    starts = starts_of_blocks(data)
    k = chance.randrange(len(starts) - 1)
    block = slice(starts[k], starts[k + 1])
    match chance.randrange(11):
        case 0:
            return data[:a]
        case 1:  # one bit
            at = chance.randrange(len(data))
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        case 2:
            return data[:a] + chance.randbytes(b - a) + data[b:]
        case 3:
            return data[:a] + data[b:]
        case 4:
            return data[:b] + data[a:b] + data[b:]
        case 5:
            return data[:a] + bytes(b - a) + data[b:]
        case 6:
            return data[:a] + chance.randbytes(chance.randrange(1, 99)) + data[a:]
        case 7:  # a whole block left out
            return data[: block.start] + data[block.stop :]
        case 8:  # a whole block doubled
            return data[: block.stop] + data[block.start :]
        case 9:  # goes on as another recording
            return data[: block.stop] + other[block.stop :]
        case _:  # length of a block
            length = struct.pack("<I", chance.choice([0, 1, 2**31, 2**32 - 1]))
            return data[: block.start + 4] + length + data[block.start + 8 :]


def outcome(path):
    start = time.process_time()
    try:
        return read_recording(path)
    except FileError:
        return None
    finally:
        assert time.process_time() - start < 1.0


def test_damaged_recordings_give_their_whole_part_or_an_error(tmp_path):
    whole = read_recording(record(tmp_path / "a.hwy"))
    data = (tmp_path / "a.hwy").read_bytes()
    with Recorder(tmp_path / "b.hwy", {"dt": 0.02, "name": "Oberkirche"}, COLUMNS, 4) as recorder:
        for tick in range(240):
            recorder.frame(tick, -frame_of(tick))
    other = (tmp_path / "b.hwy").read_bytes()
    chance = random.Random(0)  # noqa: S311
    path = tmp_path / "damaged.hwy"
    read = 0
    for _ in range(500):
        damaged = mutated(data, other, chance)
        path.write_bytes(damaged)
        recording = outcome(path)
        if recording is None:
            continue
        read += 1
        count = len(recording.ticks)
        assert (recording.header, recording.columns) == (whole.header, whole.columns)
        assert recording.ticks.tolist() == list(range(count))
        assert recording.frames.tobytes() == whole.frames[:count].tobytes()
        assert recording.events == whole.events[: len(recording.events)]
        assert recording.hashes.items() <= whole.hashes.items()
        assert recording.summary in (None, whole.summary)
        if damaged != data:
            assert not recording.complete
            assert "at byte" in recording.problem or "breaks off" in recording.problem
    assert read > 250


def test_every_truncation_keeps_all_whole_blocks(tmp_path):
    path = record(tmp_path / "race.hwy", ticks=12, chunk=3)
    data = path.read_bytes()
    starts = starts_of_blocks(data)
    ends_of_frames = [b for a, b in itertools.pairwise(starts) if data[a:][:4] == b"FRAM"]
    for size in reversed(range(len(data))):
        os.truncate(path, size)
        recording = outcome(path)
        assert (recording is None) == (size < starts[1])
        if recording is not None:
            assert len(recording.ticks) == 3 * sum(end <= size for end in ends_of_frames)
            assert not recording.complete


def test_problem_says_what_and_where(tmp_path):
    data = record(tmp_path / "race.hwy").read_bytes()
    starts, path = starts_of_blocks(data), tmp_path / "damaged.hwy"
    path.write_bytes(data[: starts[4] - 1])
    assert read_recording(path).problem == (
        f"the file ends in the middle of a block at byte {starts[3]} after tick 49"
    )
    path.write_bytes(data[: starts[3] + 99] + b"!" + data[starts[3] + 100 :])
    assert read_recording(path).problem == (
        f"there is a damaged block at byte {starts[3]} after tick 49"
    )
    path.write_bytes(data + data[starts[1] : starts[2]])
    assert f"at byte {len(data)} after tick 239" in read_recording(path).problem


def test_declared_length_is_not_allocated(tmp_path):
    data = record(tmp_path / "race.hwy").read_bytes()
    start = starts_of_blocks(data)[1]
    path = tmp_path / "huge.hwy"
    path.write_bytes(data[: start + 4] + struct.pack("<I", 2**32 - 1) + data[start + 8 :])
    tracemalloc.start()
    try:
        assert len(read_recording(path).ticks) == 0
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def head(**changes) -> bytes:
    return json.dumps({"header": {}, "columns": ["x"], "rows": 1} | changes).encode()


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (b"HEAD", b""),
        (b"HEAD", b"[1]"),
        (b"HEAD", b"[" * 100_000),
        (b"HEAD", b"\xff\xfe\xfd"),
        (b"HEAD", b'{"header": {"a": NaN}, "columns": ["x"], "rows": 1}'),
        (b"HEAD", b"{}"),
        (b"HEAD", head(header=None)),
        (b"HEAD", head(columns=[])),
        (b"HEAD", head(columns=["x", "x"])),
        (b"HEAD", head(columns=[1])),
        (b"HEAD", head(columns=5)),
        (b"HEAD", head(rows=0)),
        (b"HEAD", head(rows=1.5)),
        (b"HEAD", head(rows=10**30)),
        (b"HEAD", head(rows=2**40)),
        (b"FRAM", struct.pack("<qd", 0, 1.0)),
        (b"NOTE", b'{"hashes": [], "events": []}'),
        (b"DONE", b"{}"),
    ],
)
def test_hostile_beginnings_are_refused(tmp_path, kind, payload):
    writer = BlockWriter(tmp_path / "hostile.hwy")
    writer.append(kind, payload)
    writer.close()
    with pytest.raises(FileError, match=r"hostile\.hwy: holds no frames"):
        read_recording(tmp_path / "hostile.hwy")


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (b"HEAD", head()),
        (b"FRAM", b""),
        (b"FRAM", bytes(17)),
        (b"FRAM", struct.pack("<qd", -1, 1.0)),
        (b"FRAM", struct.pack("<qd", 5, 1.0)),
        (b"FRAM", struct.pack("<qqdd", 7, 7, 1.0, 1.0)),
        (b"FRAM", struct.pack("<qd", 6, float("nan"))),
        (b"FRAM", struct.pack("<qd", 6, float("inf"))),
        (b"NOTE", b'{"hashes": [[1.5, "a"]], "events": []}'),
        (b"NOTE", b'{"hashes": [[1, 2]], "events": []}'),
        (b"NOTE", b'{"hashes": [], "events": [[1, "lap"]]}'),
        (b"NOTE", b'{"hashes": [], "events": [[1, "lap", []]]}'),
        (b"NOTE", b'{"hashes": [], "events": [[1, 2, {}]]}'),
        (b"NOTE", b'{"hashes": []}'),
        (b"NOTE", b"null"),
        (b"DONE", b"3"),
        (b"WHAT", b""),
    ],
)
def test_hostile_blocks_end_the_reading(tmp_path, kind, payload):
    writer = BlockWriter(tmp_path / "hostile.hwy")
    writer.append(b"HEAD", head())
    writer.append(b"FRAM", struct.pack("<qd", 5, 2.5))
    writer.append(kind, payload)
    writer.append(b"FRAM", struct.pack("<qd", 9, 3.5))
    writer.close()
    recording = read_recording(tmp_path / "hostile.hwy")
    assert recording.ticks.tolist() == [5]
    assert recording.frames.tolist() == [[[2.5]]]
    assert (recording.events, recording.hashes, recording.summary) == ((), {}, None)
    assert recording.problem.startswith("there is an invalid block at byte")


def test_files_that_are_no_recordings(tmp_path):
    data = record(tmp_path / "race.hwy").read_bytes()
    cases = {
        "empty.hwy": (b"", "is empty"),
        "text.hwy": (b"x,y\n1,2\n", "is not a recording"),
        "short.hwy": (data[:10], "is not a recording"),
        "newer.hwy": (MAGIC + struct.pack("<I", 2) + data[12:], "format 2 of a newer Headway"),
        "older.hwy": (MAGIC + struct.pack("<I", 0) + data[12:], "damaged block at byte 12"),
        "begun.hwy": (data[:12], "holds no frames"),
    }
    for name, (content, problem) in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FileError, match=f"{name}: .*{problem}"):
            read_recording(tmp_path / name)
    with pytest.raises(FileError, match="is a folder"):
        read_recording(tmp_path)
    for missing in ("nowhere.hwy", "no/where.hwy", "nul\0.hwy", "n" * 5000):
        with pytest.raises(FileError):
            read_recording(tmp_path / missing)


# --- writing that fails --------------------------------------------------------------------


class Disk:
    """Stands in for ``os.write``: fails, is interrupted or writes a part, at the k-th call."""

    def __init__(self, monkeypatch, at: int, problem: BaseException | None, part: int = 0):
        self.at, self.problem, self.part, self.calls = at, problem, part, 0
        self.write = os.write
        monkeypatch.setattr(os, "write", self)

    def __call__(self, descriptor, data):
        self.calls += 1
        if self.calls == self.at:
            return self.write(descriptor, data[: self.part])
        if self.problem is not None and self.at < self.calls <= self.at + 1:
            raise self.problem
        return self.write(descriptor, data)


@pytest.mark.parametrize("at", range(1, 14))
def test_full_disk_is_one_sentence_and_keeps_what_was_written(tmp_path, monkeypatch, at):
    path = tmp_path / "race.hwy"
    with monkeypatch.context() as patch:
        Disk(patch, at, OSError(errno.ENOSPC, "No space left on device"), part=7)
        with pytest.raises(FileError, match=r"cannot be continued \(no space left on device\)"):
            record(path)
    whole = record(tmp_path / "whole.hwy").read_bytes()
    data = path.read_bytes()
    assert whole.startswith(data)  # the part of a block is gone again
    assert len(data) in [0, 12, *starts_of_blocks(whole)]
    if len(data) > 12:
        recording = read_recording(path)
        assert recording.ticks.tolist() == list(range(len(recording.ticks)))


def test_closed_by_a_full_disk(tmp_path, monkeypatch):
    with Recorder(tmp_path / "race.hwy", {}, COLUMNS, 4, chunk=1) as recorder:
        recorder.frame(0, frame_of(0))
        with monkeypatch.context() as patch:
            Disk(patch, 0, OSError(errno.ENOSPC, "No space left on device"))
            with pytest.raises(FileError):
                recorder.frame(1, frame_of(1))
        with pytest.raises(InputError, match="is closed"):
            recorder.frame(2, frame_of(2))
    assert read_recording(tmp_path / "race.hwy").ticks.tolist() == [0]


def test_full_disk_does_not_hide_the_first_error(tmp_path, monkeypatch):
    def fail():
        with Recorder(tmp_path / "race.hwy", {}, COLUMNS, 4) as recorder:
            recorder.frame(0, frame_of(0))
            Disk(patch, 0, OSError(errno.ENOSPC, "No space left on device"))
            raise ZeroDivisionError

    with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
        fail()


@pytest.mark.parametrize("at", range(1, 13))
def test_interrupt_while_writing_leaves_a_readable_file(tmp_path, monkeypatch, at):
    path = tmp_path / "race.hwy"
    with monkeypatch.context() as patch:
        Disk(patch, at, KeyboardInterrupt(), part=5)
        with pytest.raises(KeyboardInterrupt):
            record(path)
    if path.stat().st_size > 12:
        recording = read_recording(path)
        assert recording.problem.startswith("the recording breaks off")
        assert (np.diff(recording.ticks) > 0).all()


def test_partial_writes_are_continued(tmp_path, monkeypatch):
    for at in range(1, 14):
        with monkeypatch.context() as patch:
            Disk(patch, at, None, part=3)
            record(tmp_path / "parts.hwy")
        whole = record(tmp_path / "whole.hwy").read_bytes()
        assert (tmp_path / "parts.hwy").read_bytes() == whole


def test_file_that_may_not_grow(tmp_path):
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000));"
        f"exec({CHILD!r})"
    )
    if sys.platform == "win32":
        pytest.skip("no limits of this kind")
    path = tmp_path / "race.hwy"
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, check=False, timeout=60
    )
    assert done.stderr.decode().splitlines()[-1] == (
        f"headway.errors.FileError: {path}: cannot be continued (file too large), "
        "but what was written before can be read."
    )
    assert path.stat().st_size <= 150_000
    recording = read_recording(path)
    assert recording.ticks.tolist() == list(range(100))
    assert recording.problem.startswith("the recording breaks off")


def test_target_is_checked_before_the_first_frame(tmp_path):
    other = tmp_path / "circuit.csv"
    other.write_text("x_m,y_m\n1,2\n")
    targets = {
        tmp_path: "is a folder",
        tmp_path / "nowhere" / "race.hwy": "there is no folder",
        other: "is not a recording; delete it first",
        tmp_path / "nul\0.hwy": "cannot be written",
        tmp_path / ("n" * 5000): "cannot be written",
    }
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        targets[tmp_path / "pipe"] = "is not a plain file"
    for target, problem in targets.items():
        with pytest.raises(FileError, match=problem):
            Recorder(target, {}, COLUMNS, 4)
    assert other.read_text() == "x_m,y_m\n1,2\n"


def test_earlier_recording_is_overwritten(tmp_path):
    record(tmp_path / "race.hwy", ticks=400)
    record(tmp_path / "race.hwy", ticks=3)
    assert read_recording(tmp_path / "race.hwy").ticks.tolist() == [0, 1, 2]
    assert read_recording(tmp_path / "race.hwy").complete


# --- misuse --------------------------------------------------------------------------------

cycle: list = []
cycle.append(cycle)
deep: list = []
for _ in range(100_000):
    deep = [deep]


@pytest.mark.parametrize(
    "changes",
    [
        {"header": None},
        {"header": {"a": float("nan")}},
        {"header": {"a": np.zeros(3)}},
        {"header": {"a": cycle}},
        {"header": {"a": deep}},
        {"columns": []},
        {"columns": ["x", "x"]},
        {"columns": ["x", ""]},
        {"columns": ["x", "\n"]},
        {"columns": ["x", "\ud800"]},
        {"columns": ["x", 3]},
        {"rows": 0},
        {"rows": -1},
        {"rows": 2.0},
        {"rows": 10**12},
        {"chunk": 0},
        {"chunk": "many"},
    ],
)
def test_recorder_refuses_bad_arguments(tmp_path, changes):
    arguments = {"header": {}, "columns": COLUMNS, "rows": 4, "chunk": 50} | changes
    with pytest.raises(InputError) as caught:
        Recorder(tmp_path / "race.hwy", **arguments)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "race.hwy").exists()


@pytest.mark.parametrize(
    ("tick", "values"),
    [
        (5, frame_of(5)),
        (4, frame_of(4)),
        (-1, frame_of(0)),
        (6.0, frame_of(6)),
        ("6", frame_of(6)),
        (2**63, frame_of(6)),
        (None, frame_of(6)),
        (6, frame_of(6)[:3]),
        (6, frame_of(6).T),
        (6, frame_of(6)[None]),
        (6, [[1.0, 2.0], [3.0]]),
        (6, np.full((4, 3), "fast")),
        (6, np.full((4, 3), 1j)),
        (6, np.full((4, 3), None)),
        (6, np.full((4, 3), np.nan)),
        (6, np.full((4, 3), np.inf)),
    ],
)
def test_bad_frame_is_refused_and_the_others_are_kept(tmp_path, tick, values):
    with Recorder(tmp_path / "race.hwy", {}, COLUMNS, 4) as recorder:
        recorder.frame(5, frame_of(5))
        with pytest.raises(InputError):
            recorder.frame(tick, values)
        recorder.frame(8, frame_of(8))
        recorder.finish({})
    recording = read_recording(tmp_path / "race.hwy")
    assert recording.ticks.tolist() == [5, 8]
    assert recording.complete


def test_message_names_the_value_that_is_not_finite(tmp_path):
    frame = frame_of(0)
    frame[2, 1] = np.nan
    with (
        Recorder(tmp_path / "race.hwy", {}, COLUMNS, 4) as recorder,
        pytest.raises(InputError, match="row 2, column 'y' of the frame of tick 9 is nan"),
    ):
        recorder.frame(9, frame)


def test_notes_and_summary_must_be_plain(tmp_path):
    with Recorder(tmp_path / "race.hwy", {}, COLUMNS, 4) as recorder:
        for call in (
            lambda: recorder.event(0, "lap", {"seconds": float("nan")}),
            lambda: recorder.event(0, "lap", [1]),
            lambda: recorder.event(0, 7, {}),
            lambda: recorder.event(0.5, "lap", {}),
            lambda: recorder.hash(0, 1234),
            lambda: recorder.hash(-1, "a"),
            lambda: recorder.finish(None),
            lambda: recorder.finish({"winner": object()}),
        ):
            with pytest.raises(InputError):
                call()
        recorder.finish({})
    recording = read_recording(tmp_path / "race.hwy")
    assert recording.complete
    assert (recording.events, recording.hashes) == ((), {})


def test_nothing_can_be_added_once_closed(tmp_path):
    recorder = Recorder(tmp_path / "race.hwy", {}, COLUMNS, 4)
    recorder.finish({})
    recorder.close()
    for call in (
        lambda: recorder.frame(0, frame_of(0)),
        lambda: recorder.hash(0, "a"),
        lambda: recorder.event(0, "lap", {}),
        recorder.flush,
        lambda: recorder.finish({}),
    ):
        with pytest.raises(HeadwayError, match="is closed"):
            call()
    assert read_recording(tmp_path / "race.hwy").complete


def test_large_frames_are_written_in_smaller_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(recorder_module, "MAX_VALUES", 3 * 12)
    with Recorder(tmp_path / "race.hwy", {}, COLUMNS, 4) as recorder:
        for tick in range(4):
            recorder.frame(tick, frame_of(tick))
        assert read_recording(tmp_path / "race.hwy").ticks.tolist() == [0, 1, 2]


def test_a_file_has_one_writer_at_a_time(tmp_path):
    fcntl = pytest.importorskip("fcntl", reason="this system locks no files")
    path = tmp_path / "race.hwy"
    with Recorder(path, {}, ["x"], 1) as recorder:
        recorder.frame(0, [[1.0]])
        recorder.flush()
        with pytest.raises(FileError, match="another process"):
            Recorder(path, {}, ["x"], 1)
        recorder.frame(1, [[2.0]])
    assert read_recording(path).ticks.tolist() == [0, 1]
    Recorder(path, {}, ["x"], 1).close()
    assert fcntl
