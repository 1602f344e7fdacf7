"""Damaged circuit files either load as a finite track or are refused with a FileError."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from conftest import find_data_folder
from headway.errors import FileError
from headway.world.circuit_files import read_track, write_track, write_waypoints
from headway.world.circuits import circuit
from headway.world.route import Route
from headway.world.track import Track

TRIES = 2_000
SLOWEST = 3.0  # s of CPU; a whole second is the aim, the rest is for a busy machine
TOKENS = [
    *(b"nan", b"NaN", b"inf", b"-Infinity", b"1e309", b"-1", b"0", b"1e-320", b"9" * 400),
    *(b'"', b"'", b",", b";", b"\t", b"\n", b"\r", b"#", b"# closed: no\n", b"\xff\xfe", b"\0"),
    *(b"[", b"]", b"{", b"}", b"[" * 3000, b":", b"null", b"true", b"&a ", b"*a", b"- ", b"!!str "),
]


def truncate(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def flip(rng: random.Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def repeat(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data))
    piece = data[start : start + rng.randint(1, 400)]
    where = rng.randrange(len(data))
    return data[:where] + piece * rng.randint(1, 20) + data[where:]


def insert(rng: random.Random, data: bytes) -> bytes:
    where = rng.randrange(len(data))
    return data[:where] + rng.choice(TOKENS) + data[where + rng.choice((0, 0, 1, 5)) :]


def swap(rng: random.Random, data: bytes) -> bytes:
    one, other = rng.sample([b",", b";", b"\t", b" ", b"\n", b".", b":", b"[", b"\r\n"], 2)
    return data.replace(one, other, rng.choice((-1, 1, 3)))


def cut_column(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    chosen = range(len(lines)) if rng.random() < 0.5 else [rng.randrange(len(lines))]
    column = rng.randrange(4)
    for index in chosen:
        fields = lines[index].split(b",")
        lines[index] = b",".join(fields[:column] + fields[column + 1 :])
    return b"\n".join(lines)


DAMAGES = (truncate, flip, repeat, insert, swap, cut_column)


def write_samples(folder: Path) -> list[Path]:
    """One small file of every format, by our own writers and from real data where there is any."""
    oval, eight = circuit("oval"), circuit("eight")
    write_track(oval, folder / "oval.csv")
    write_track(eight, folder / "eight.csv")
    write_track(oval, folder / "oval.json")
    write_waypoints(Route.through(oval.route.waypoints), folder / "line.csv")
    write_waypoints(Route.through(eight.route.waypoints), folder / "line.json")
    rows = np.zeros((len(oval.route.waypoints), 7))
    rows[:, 1:3] = oval.route.waypoints
    names = "s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2"
    np.savetxt(folder / "raceline.csv", rows, "%.7f", ";", header=f"id\n{names}")
    y, x = np.mgrid[0:60, 0:80]
    road = np.abs(np.hypot(x - 40, y - 30) - 20) < 6
    for suffix in ("png", "pgm"):
        Image.fromarray(np.where(road, 255, 0).astype(np.uint8)).save(folder / f"road.{suffix}")
        yaml = f"image: road.{suffix}\nresolution: 0.05\norigin: [-1.0, 2.0, 0.0]\nnegate: 0\n"
        (folder / f"{suffix}.yaml").write_text(yaml)
    data = find_data_folder()
    for source in sorted(data.glob("tracks/*/*")) if data else []:
        picture = source.with_suffix(".png")
        parts, most = [source], 25_000
        if source.suffix in (".yaml", ".png"):
            parts, most = [source.with_suffix(".yaml"), picture], 5_000
        if source.suffix != ".md" and sum(part.stat().st_size for part in parts) < most:
            shutil.copyfile(source, folder / source.name)
    return sorted(folder.iterdir())


def outcome(path: Path) -> str:
    """Read a damaged file; returns what became of it, or fails."""
    start = time.process_time()
    try:
        track = read_track(path, width=9.0)
    except FileError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return "refused"
    finally:
        taken = time.process_time() - start
        assert taken < SLOWEST, f"{path} took {taken:.1f} s"
    assert_usable(track)
    return "read"


def assert_usable(track: Track) -> None:
    assert len(track.route.waypoints) >= (3 if track.closed else 2)
    assert 0 < track.length < np.inf
    assert np.isfinite(track.route.waypoints).all()
    assert (track.route.widths > 0).all()
    assert np.isfinite(track.route.widths).all()
    s = np.linspace(0, track.length, 50)
    assert np.isfinite(track.route.position(s)).all()
    assert np.isfinite(track.route.yaw(s)).all()


@pytest.fixture(scope="module")
def sample_files(tmp_path_factory) -> dict[Path, bytes]:
    folder = tmp_path_factory.mktemp("samples")
    return {path: path.read_bytes() for path in write_samples(folder)}


def test_undamaged_samples_load(sample_files):
    for path in sample_files:
        if path.suffix not in (".png", ".pgm"):
            assert outcome(path) == "read", path


def test_damaged_files(sample_files):
    rng = random.Random(20)  # noqa: S311
    paths = list(sample_files)
    counts = {"read": 0, "refused": 0}
    for attempt in range(TRIES):
        path = paths[attempt % len(paths)]
        data = sample_files[path]
        for damage in rng.sample(DAMAGES, rng.choice((1, 1, 2))):
            data = damage(rng, data) or b"?"
        path.write_bytes(data)
        # A damaged image is met through the map that names it.
        maps = [m for m in paths if m.suffix == ".yaml" and path.name.encode() in sample_files[m]]
        target = maps[0] if maps else path
        counts[outcome(target)] += 1
        path.write_bytes(sample_files[path])
    assert counts["refused"] > TRIES / 4
    assert counts["read"] > TRIES / 20
