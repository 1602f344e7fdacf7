"""The circuits that come with Headway, all drawn for it, and finding a track by name or path."""

from __future__ import annotations

import difflib
import os
from os import PathLike
from pathlib import Path

from headway.errors import InputError
from headway.world.circuit_files import read_track
from headway.world.track import Track

FOLDER = Path(__file__).with_name("circuit_data")

CIRCUITS = {
    "oval": "Two straights and two long left-handers between walls; the bends differ a little.",
    "club": "Technical and clockwise: a hairpin, an inner loop and few places to rest.",
    "grandprix": "Five kilometres clockwise: a long straight, fast sweepers, hairpin and chicane.",
    "street": "A narrow town course between walls: right-angled corners, a harbour chicane.",
    "eight": "A figure of eight that passes under itself and back over a bridge.",
    "hillclimb": "An open mountain road: hairpins and sweeping bends, two hundred metres up.",
}
"""Name and description of every bundled circuit."""


def circuit(name: str) -> Track:
    """Load a bundled circuit.

    Parameters
    ----------
    name : str
        One of `CIRCUITS`; capitals do not matter.

    Returns
    -------
    Track
        m; its start line lies on a straight long enough for a grid behind it.

    Raises
    ------
    InputError
        If there is no bundled circuit of that name.

    Examples
    --------
    >>> track = circuit("club")
    >>> track.closed, round(track.length, -2)
    (True, 2200.0)
    """
    key = str(name).lower()
    if key not in CIRCUITS:
        raise InputError(f"there is no bundled circuit {name!r}{_proposal(key)}")
    return read_track(FOLDER / f"{key}.json")


def find_track(
    name_or_path: str | PathLike[str], closed: bool | None = None, width: float | None = None
) -> Track:
    """Load a bundled circuit by its name, or a track from a file.

    Parameters
    ----------
    name_or_path : str or path-like
        A name in `CIRCUITS`, or the path of a file that
        `headway.world.circuit_files.read_track` understands. A name goes before a file of the
        same name; write ``./club`` to mean the file.
    closed, width : optional
        Of a file, as for `headway.world.circuit_files.read_track`.

    Returns
    -------
    Track
        m, world frame.

    Raises
    ------
    InputError
        If it is neither a name nor looks like a path.
    FileError
        If the file cannot be read as a track.

    Examples
    --------
    >>> find_track("Oval").name
    'Oval'
    """
    text = os.fspath(name_or_path)
    if isinstance(name_or_path, str) and text.lower() in CIRCUITS:
        return circuit(text)
    looks_like_path = not isinstance(name_or_path, str) or os.path.basename(text) != text
    if looks_like_path or os.path.splitext(text)[1] or os.path.exists(text):
        return read_track(text, closed=closed, width=width)
    raise InputError(f"there is no bundled circuit or file {text!r}{_proposal(text.lower())}")


def _proposal(name: str) -> str:
    close = difflib.get_close_matches(name, CIRCUITS, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; choose one of {', '.join(CIRCUITS)}."
