"""The tracks that races are measured on: those that come with Headway, and a folder of real ones.

The folder is the one that the variable HEADWAY_DATA names, or ``../shared/data``; of its
``tracks``, every folder holds tracks except ``reference``, which holds racing lines of other
programs, ``TRACK__TOOL.csv``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from headway.errors import HeadwayError
from headway.world.circuit_files import read_track
from headway.world.circuits import CIRCUITS, circuit
from headway.world.track import Track


def data_folder() -> Path | None:
    """Return the ``tracks`` folder of the real inputs, or None where there is none."""
    folder = Path(os.environ.get("HEADWAY_DATA") or "../shared/data") / "tracks"
    return folder if folder.is_dir() else None


def bundled_tracks() -> Iterator[Track]:
    """Load each circuit that comes with Headway.

    Yields
    ------
    Track
        In the order of `headway.world.circuits.CIRCUITS`.
    """
    for name in CIRCUITS:
        yield circuit(name)


def track_files(pattern: str = "*") -> list[Path]:
    """List the files of real tracks, in the folders of some name; centre lines and maps."""
    folder = data_folder()
    if folder is None:
        return []
    return sorted(
        file
        for place in folder.glob(pattern)
        if place.is_dir() and place.name != "reference"
        for file in place.iterdir()
        if file.suffix in {".csv", ".yaml"} and not file.stem.endswith("raceline")
    )


def reference_lines(name: str) -> dict[str, Path]:
    """List the racing lines that other programs found on a track, by the name of the program."""
    folder = data_folder()
    files = sorted((folder / "reference").glob(f"{name}__*.csv")) if folder else []
    return {file.stem.partition("__")[2]: file for file in files}


def narrowest(track: Track) -> float:
    """Return the least width of a track, m, as sampled at a thousand places."""
    return float(track.route.width(track.route.sample(track.length / 1000.0)).sum(axis=1).min())


def longest_track() -> Track:
    """Return the longest circuit there is, bundled or real."""
    tracks = list(bundled_tracks())
    for file in track_files("tum*"):
        try:
            tracks.append(read_track(file))
        except HeadwayError:
            continue  # a file that cannot be read is the survey's business
    return max((track for track in tracks if track.closed), key=lambda track: track.length)
