"""Circuits and routes from files, whatever their format, and back into them."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

import numpy as np

from headway.errors import FileError, InputError
from headway.world.atomic import read_bytes, write_bytes
from headway.world.circuit_csv import format_csv, parse_csv
from headway.world.circuit_json import format_json, parse_json
from headway.world.map_files import read_map
from headway.world.outline import WIDEST, Outline
from headway.world.route import Route
from headway.world.track import Track

TEXT_LIMIT = 256_000_000
JSON_LIMIT = 128_000_000
IMAGES = (b"\x89PNG", b"P2", b"P5", b"BM")


def read_track(
    path: str | PathLike[str], closed: bool | None = None, width: float | None = None
) -> Track:
    r"""Read a circuit or a road from a file; its format is found out from the content.

    Understood are TUM racetracks (``x, y, right width, left width``), F1TENTH centre lines and
    racelines, tables of waypoints, Headway's own JSON and lists of points in JSON, and ROS
    occupancy maps (the yaml file). Tables may be separated by commas, semicolons, tabs or spaces,
    with or without heading; see `headway.world.circuit_csv.parse_csv` for their columns.

    Parameters
    ----------
    path : str or path-like
        The file, at most 256 MB of text or 128 MB of JSON.
    closed : bool, optional
        Whether the last point is followed by the first. By default what the file says (by a
        comment ``# closed: no`` or a JSON key); if it is silent, closed if its ends are no farther
        apart than three times the largest spacing of its points, and an error otherwise. A last
        point that repeats the first is dropped unless this is False.
    width : float, optional
        Width of the road, m, half of it on each side, where the file gives none, as a raceline
        does.

    Returns
    -------
    Track
        m, world frame, named as the file says or after the file.

    Raises
    ------
    FileError
        If no track can be made of the file; names the line and the remedy.
    InputError
        If ``width`` is not between 0 and 2,000 m, or a map is to be open.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "square.csv"
    >>> _ = path.write_text("x_m,y_m\n0,0\n90,0\n90,90\n0,90\n")
    >>> read_track(path, width=12).route.width(0.0)
    array([6., 6.])
    """
    if width is not None and not 0 < width <= 2 * WIDEST:
        raise InputError(f"width is {width} m: give a width above 0 and up to {2 * WIDEST:g} m.")
    outline = _read_outline(path, closed)
    if isinstance(outline, Track):
        return outline
    widths = outline.widths
    if widths is None:
        if width is None:
            problem = "is a line without widths; give the width of the road"
            raise FileError(path, f"{problem}, such as width=10")
        widths = np.full((len(outline.points), 2), width / 2)
    more = {} if outline.sectors is None else {"sectors": outline.sectors}
    try:
        name, route = outline.name or Path(path).stem, _route(outline, widths)
        return Track(name, route, outline.wall_distance, **more)
    except InputError as error:
        raise FileError(path, f"gives no track: {str(error).rstrip('.')}") from error


def read_waypoints(path: str | PathLike[str], closed: bool | None = None) -> Route:
    """Read a route from any of the files that `read_track` understands.

    Parameters
    ----------
    path : str or path-like
        The file.
    closed : bool, optional
        As for `read_track`.

    Returns
    -------
    Route
        m, world frame; with widths if the file gives them.

    Raises
    ------
    FileError
        If no route can be made of the file; names the line and the remedy.
    """
    outline = _read_outline(path, closed)
    if isinstance(outline, Track):
        return outline.route
    try:
        return _route(outline, outline.widths)
    except InputError as error:
        raise FileError(path, f"gives no route: {str(error).rstrip('.')}") from error


def write_track(track: Track, path: str | PathLike[str]) -> None:
    """Write a track: a TUM racetrack, or Headway's JSON if the name ends in ``.json``.

    Numbers are written with every digit, so `read_track` gives the same track back; the file is
    replaced as a whole, so an interruption leaves the old one. What TUM's format cannot say (open,
    name, walls, sectors) stands in ``#`` comments, which other readers skip.

    Parameters
    ----------
    track : Track
        m, world frame.
    path : str or path-like
        The file; its folder must exist.

    Raises
    ------
    FileError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "lane.csv"
    >>> write_track(Track.from_arrays([[0, 0], [90, 0]], [5, 5], [4, 4], closed=False), path)
    >>> print(path.read_text().splitlines()[-2:])
    ['0.0,0.0,4.0,5.0', '90.0,0.0,4.0,5.0']
    """
    _write(_outline(track.route, track.name, track.wall_distance, track.sectors), path)


def write_waypoints(route: Route, path: str | PathLike[str]) -> None:
    """Write the waypoints of a route: CSV, or JSON if the name ends in ``.json``.

    Parameters
    ----------
    route : Route
        m, world frame; widths are written too if there are any.
    path : str or path-like
        The file; its folder must exist.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    _write(_outline(route), path)


def _read_outline(path: str | PathLike[str], closed: bool | None) -> Outline | Track:
    if Path(path).suffix.lower() in (".yaml", ".yml"):
        return _closed_map(path, closed)
    content = read_bytes(path, TEXT_LIMIT)
    start = content[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(IMAGES):
        raise FileError(path, "is an image; give the yaml file that describes the map")
    if re.search(rb"^image[ \t]*:", start, re.MULTILINE):
        return _closed_map(path, closed)
    if start.startswith((b"[", b"{")):
        if len(content) > JSON_LIMIT:
            problem = f"is larger than the {JSON_LIMIT / 1e6:g} MB of JSON that this reader accepts"
            raise FileError(path, f"{problem}; write it as CSV")
        return parse_json(path, content).checked(path, closed)
    return parse_csv(path, content).checked(path, closed)


def _closed_map(path: str | PathLike[str], closed: bool | None) -> Track:
    if closed is False:
        raise InputError("closed is False: a map gives a closed circuit, so leave it out.")
    return read_map(path)


def _route(outline: Outline, widths: np.ndarray | None) -> Route:
    closed = bool(outline.closed)
    return Route.through(outline.points, closed=closed, smooth=outline.smooth, widths=widths)


def _outline(
    route: Route,
    name: str | None = None,
    wall_distance: float = np.inf,
    sectors: tuple[float, ...] | None = None,
) -> Outline:
    return Outline(
        route.waypoints, route.widths, route.closed, route.smooth, name, wall_distance, sectors
    )


def _write(outline: Outline, path: str | PathLike[str]) -> None:
    wants_json = Path(path).suffix.lower() == ".json"
    write_bytes(path, format_json(outline) if wants_json else format_csv(outline))
