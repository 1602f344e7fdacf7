"""Damaged grids, scenarios and replays load as sound ones or are refused with a FileError."""

from __future__ import annotations

import gzip
import random
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from conftest import find_data_folder
from headway.errors import FileError
from headway.world.grid import Grid
from headway.world.grid_files import read_grid, write_grid
from headway.world.movingai import Scenarios, read_replay, read_scenarios

TRIES = 2_000
SLOWEST = 3.0  # s of CPU; some milliseconds is usual, the rest is for a busy machine
MOST_MEMORY = 100_000  # KiB; the samples unpack to less than 1 MB
TOKENS = [
    *(b"nan", b"inf", b"1e309", b"-1", b"0", b"9" * 400, b"99999999", b"8192", b"1_0", b"0.5"),
    *(b"\t", b" ", b"\n", b"\r", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1f\x8b", b"\xd9\xa3"),
    *(b"map\n", b"height 9\n", b"width 3\n", b"patch 1\n", b"P 0 0 0 0\n", b"Q 0 0 0 0 0 0\n"),
    *(b"(", b"'", b"[" * 3000, b"..\n", b"@" * 20_000),
]


def truncate(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def flip(rng: random.Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    near = rng.choice((len(data), 60))  # headers are short, and most goes wrong there
    for _ in range(rng.randint(1, 8)):
        damaged[rng.randrange(min(near, len(data)))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def repeat(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data))
    piece = data[start : start + rng.randint(1, 400)]
    where = rng.randrange(len(data))
    return data[:where] + piece * rng.randint(1, 20) + data[where:]


def insert(rng: random.Random, data: bytes) -> bytes:
    where = rng.randrange(min(rng.choice((len(data), 60)), len(data)))
    return data[:where] + rng.choice(TOKENS) + data[where + rng.choice((0, 0, 1, 5)) :]


def change_digit(rng: random.Random, data: bytes) -> bytes:
    """What may well be right afterwards."""
    places = [place for place in range(min(len(data), 2_000)) if 48 <= data[place] < 58]
    changed = bytearray(data)
    for place in rng.sample(places, min(rng.randint(1, 3), len(places))):
        changed[place] = rng.randrange(48, 58)
    return bytes(changed)


DAMAGES = (truncate, flip, repeat, insert, change_digit)


def write_samples(folder: Path) -> None:
    """Small files of every format, by our own writers and of real data where there are any."""
    rng = np.random.default_rng(3)
    grid = Grid(rng.random((20, 30)) < 0.7, cell_size=0.1, origin=(1.0, -2.0))
    for name in ("made.map", "packed.map.gz", "made.npy", "plain.png", "made.yaml"):
        write_grid(grid, folder / name)
    ends = [" ".join(map(str, row)) for row in rng.integers(0, (30, 20, 30, 20), (40, 4))]
    scenarios = "version 1\n" + "".join(f"{i} made.map 30 20 {e} 9.5\n" for i, e in enumerate(ends))
    (folder / "made.map.scen").write_text(scenarios.replace(" ", "\t"))
    (folder / "packed.map.scen.gz").write_bytes(gzip.compress(scenarios.encode(), mtime=0))
    patches = "type patch\npatches 2\npatch 0\nheight 2\nwidth 3\nmap\n.@.\n@..\n"
    (folder / "made.patch").write_text(patches + "patch 1\nheight 1\nwidth 4\nmap\n....\n")
    replay = "version 2\nheight 20\nwidth 30\ncost 1 octile\npatch made.patch\ncommands\n"
    for i, e in enumerate(ends):
        replay += f"Q {i} {e} -1\nP {i} {i % 2} {i % 20} {i % 17}\n"
    (folder / "made.replay.scen").write_text(replay)
    data = find_data_folder()
    for source in sorted(data.glob("movingai/**/*.gz")) if data else []:
        if source.stat().st_size < 30_000:
            replays = source.name.endswith(".scen.gz") and ".map." not in source.name
            ending = ".replay.scen.gz" if replays else ".scen.gz"
            shutil.copyfile(source, folder / source.name.replace(".scen.gz", ending))


def target_of(path: Path) -> Path:
    """The file by which a sample is met: that which names it, or itself."""
    if ".patch" in path.name:
        stem, packed = path.name.split(".patch")
        return path.with_name(f"{stem}.replay.scen{packed}")
    return path.with_name("made.yaml") if path.name == "made.png" else path


def outcome(path: Path) -> str:
    """Read a damaged file; returns what became of it, or fails."""
    start = time.process_time()
    try:
        if ".replay." in path.name:
            assert_replay(path)
        elif ".scen" in path.name:
            assert_within_map(read_scenarios(path))
        else:
            assert_grid(read_grid(path))
    except FileError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return "refused"
    finally:
        taken = time.process_time() - start
        assert taken < SLOWEST, f"{path} took {taken:.1f} s"
    return "read"


def assert_grid(grid: Grid) -> None:
    assert grid.free.shape == grid.shape
    assert np.isin(grid.padded_free, (0, 1)).all()
    assert grid.cost is None
    assert np.isfinite(grid.centres([(0, 0), grid.shape])).all()


def assert_within_map(scenarios: Scenarios) -> None:
    assert len(scenarios) > 0
    for cells in (scenarios.start, scenarios.goal):
        assert cells.shape == (len(scenarios), 2)
        assert (cells >= 0).all()
        assert (cells < (scenarios.height, scenarios.width)).all()
    assert (scenarios.length >= 0).all()


def assert_replay(path: Path) -> None:
    replay = read_replay(path)
    queries = replay.queries
    assert_within_map(queries)
    grid = Grid(np.ones((queries.height, queries.width)))
    order = [patch.before for patch in replay.patches]
    assert order == sorted(order)
    assert all(0 <= before <= len(queries) for before in order)
    for patch in replay.patches:
        grid.paste(patch.top_left, patch.free)  # refuses what does not lie on the map


@pytest.fixture(scope="module")
def sample_files(tmp_path_factory) -> dict[Path, bytes]:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return {path: path.read_bytes() for path in sorted(folder.iterdir())}


def test_undamaged_samples_load(sample_files):
    for path in sample_files:
        assert outcome(target_of(path)) == "read", path


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Damage a file; of a packed one, half of the time what is packed in it."""
    inside = data.startswith(b"\x1f\x8b") and rng.random() < 0.5
    content = gzip.decompress(data) if inside else data
    for damage in rng.sample(DAMAGES, rng.choice((1, 1, 2))):
        content = damage(rng, content) or b"?"
    return gzip.compress(content, compresslevel=1, mtime=0) if inside else content


def test_damaged_files(sample_files):
    rng = random.Random(30)  # noqa: S311
    paths = list(sample_files)
    counts = {"read": 0, "refused": 0}
    before = most_memory()
    for attempt in range(TRIES):
        path = paths[attempt % len(paths)]
        path.write_bytes(damaged(rng, sample_files[path]))
        counts[outcome(target_of(path))] += 1
        path.write_bytes(sample_files[path])
    assert counts["refused"] > TRIES / 4
    assert counts["read"] > TRIES / 100
    assert most_memory() - before < MOST_MEMORY


def most_memory() -> int:
    """The most that this process has held so far, KiB; 0 where nobody knows."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
