"""Occupancy maps (ROS map_server: yaml and image), and their images alone, and circuits in them."""

from __future__ import annotations

import io
import math
import warnings
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.errors import FileError, InputError
from headway.world.atomic import read_bytes, write_bytes
from headway.world.centre_line import centre_line
from headway.world.track import Track

YAML_LIMIT = 16_384
MOST_BRACKETS = 32
IMAGE_LIMIT = 256_000_000
PIXEL_LIMIT = 64_000_000
FREE_THRESHOLD = 0.196
OCCUPIED_THRESHOLD = 0.65


@dataclass(frozen=True)
class MapHeader:
    """The yaml file of a map."""

    image: Path
    resolution: float
    """m per pixel."""
    origin: tuple[float, float, float]
    """x, y (m) of the lower left corner of the lower left pixel, and yaw (rad), world frame."""
    negate: bool
    free_threshold: float


def read_map(path: str | PathLike[str], clockwise: bool = False) -> Track:
    """Read a circuit from an occupancy map: a closed loop of free space between two walls.

    The centre line is the line as far from the outer as from the inner wall, smoothed over half
    its width; its widths are the distances from there to the nearest wall. It starts at the point
    nearest to the origin of the world. Specks and small obstacles on the road are ignored.

    Parameters
    ----------
    path : str or path-like
        The yaml file; the image (PNG, PGM or BMP) is found relative to it.
    clockwise : bool, optional
        The driving direction seen from above; a map does not tell. Counter-clockwise by default.

    Returns
    -------
    Track
        Closed, m, world frame; the walls stand at its edges.

    Raises
    ------
    FileError
        If the yaml or the image cannot be used, or its free space is not a closed loop.

    Notes
    -----
    Free space is where ``p < free_thresh``, with ``p = (255 - grey) / 255`` (``grey / 255`` if
    ``negate``), as in ROS map_server; unknown and transparent pixels count as walls.
    """
    header, free = read_occupancy(path)
    try:
        line, left, right = centre_line(free)
    except InputError as error:
        raise FileError(header.image, str(error).rstrip(".")) from error
    scale, (x, y, yaw) = header.resolution, header.origin
    rotation = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    points = scale * line @ rotation + (x, y)
    if clockwise:
        points, left, right = points[::-1], right[::-1], left[::-1]
    start = -int(np.hypot(*points.T).argmin())
    points, left, right = (np.roll(array, start, axis=0) for array in (points, left, right))
    try:
        name = Path(path).stem
        return Track.from_arrays(points, scale * left, scale * right, name=name, wall_distance=0.0)
    except InputError as error:
        raise FileError(path, f"gives no track: {str(error).rstrip('.')}") from error


def files_of_map(path: str | PathLike[str]) -> list[Path]:
    """List the files that `read_map` and `read_occupancy` read: the yaml and its image.

    Raises
    ------
    FileError
        If the yaml cannot be used.
    """
    return [Path(path), _read_header(path).image]


def read_occupancy(path: str | PathLike[str]) -> tuple[MapHeader, NDArray[np.bool_]]:
    """Read an occupancy map.

    Parameters
    ----------
    path : str or path-like
        The yaml file; the image (PNG, PGM or BMP) is found relative to it.

    Returns
    -------
    MapHeader
        What the yaml file says.
    (R, C) ndarray of bool
        True where the map is free, as `read_map` tells it; row 0 is the lowest.

    Raises
    ------
    FileError
        If the yaml or the image cannot be used.
    """
    header = _read_header(path)
    grey, opaque = read_grey(header.image)
    occupancy = grey if header.negate else 1.0 - grey
    return header, ((occupancy < header.free_threshold) & opaque)[::-1]


def write_occupancy(
    path: str | PathLike[str],
    free: NDArray[np.bool_],
    resolution: float,
    origin: tuple[float, float],
) -> None:
    """Write an occupancy map: the yaml file, and a PNG of the same name beside it.

    Parameters
    ----------
    path : str or path-like
        The yaml file.
    free : (R, C) ndarray of bool
        True where the map is free; row 0 is the lowest.
    resolution : float
        m per cell.
    origin : tuple of float
        x, y of the outer corner of cell (0, 0), m.

    Raises
    ------
    FileError
        If a file cannot be written, or its format has no room for the resolution or the origin.
    """
    import yaml  # noqa: PLC0415

    image = Path(path).with_suffix(".png")
    fields = {
        "image": image.name,
        "resolution": float(resolution),
        "origin": [*map(float, origin), 0.0],
        "negate": 0,
        "occupied_thresh": OCCUPIED_THRESHOLD,
        "free_thresh": FREE_THRESHOLD,
    }
    _header(path, fields)
    write_black_and_white(image, free[::-1])
    write_bytes(path, yaml.safe_dump(fields, sort_keys=False).encode())


def read_grey(path: str | PathLike[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_] | bool]:
    """Read an image (PNG, PGM or BMP).

    Parameters
    ----------
    path : str or path-like
        The file, of at most 64 million pixels.

    Returns
    -------
    (R, C) ndarray of float32
        Brightness from 0 (black) to 1 (white); row 0 is the uppermost.
    (R, C) ndarray of bool or True
        Where the image is opaque.

    Raises
    ------
    FileError
        If it is no such image.
    """
    from PIL import Image  # noqa: PLC0415

    content = read_bytes(path, IMAGE_LIMIT)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit on the size follows
            image = Image.open(io.BytesIO(content), formats=("PNG", "PPM", "BMP"))
        if image.width * image.height > PIXEL_LIMIT:
            raise Image.DecompressionBombError
        return _grey(image)
    except Image.DecompressionBombError as error:
        problem = f"has more than {PIXEL_LIMIT:,} pixels; scale it down"
        raise FileError(path, problem) from error
    except Exception as error:  # Pillow raises anything from SyntaxError to struct.error
        problem = "is not a readable PNG, PGM or BMP image; export it again"
        raise FileError(path, problem) from error


def write_black_and_white(path: str | PathLike[str], white: NDArray[np.bool_]) -> None:
    """Write an image as PNG.

    Parameters
    ----------
    path : str or path-like
        The file.
    white : (R, C) ndarray of bool
        True where it is white; row 0 is the uppermost.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    from PIL import Image  # noqa: PLC0415

    content = io.BytesIO()
    Image.fromarray(np.where(white, 255, 0).astype(np.uint8)).save(content, format="PNG")
    write_bytes(path, content.getvalue())


def _read_header(path: str | PathLike[str]) -> MapHeader:
    return _header(path, _load_yaml(path))


def _header(path: str | PathLike[str], fields: dict[str, Any]) -> MapHeader:
    image = fields.get("image")
    if not isinstance(image, str) or not image or "\0" in image:
        raise FileError(path, "names no image; add a line such as 'image: map.png'")
    if fields.get("mode", "trinary") not in ("trinary", "scale"):
        raise FileError(path, "has a mode other than 'trinary' or 'scale'; use one of these")
    resolution = _number(path, fields, "resolution", None)
    if not 0 < resolution < 1e3:
        problem = f"has a resolution of {resolution:g} m per pixel"
        raise FileError(path, f"{problem}; it lies above 0 and below 1,000")
    free = _number(path, fields, "free_thresh", FREE_THRESHOLD)
    occupied = _number(path, fields, "occupied_thresh", OCCUPIED_THRESHOLD)
    if not 0 < free <= occupied <= 1:
        problem = f"has free_thresh {free:g} and occupied_thresh {occupied:g}"
        raise FileError(path, f"{problem}; they must keep 0 < free <= occupied <= 1")
    origin = fields.get("origin")
    if not isinstance(origin, list) or len(origin) != 3:
        raise FileError(path, "needs an origin of three numbers, 'origin: [x, y, yaw]'")
    x, y, yaw = (_number(path, {"origin": value}, "origin", None) for value in origin)
    if max(abs(x), abs(y)) > 1e7 or abs(yaw) > 1e3:
        raise FileError(path, "has an origin beyond 1e7 m; check the numbers and their units")
    negate = fields.get("negate", 0)
    if negate not in (0, 1):
        raise FileError(path, "has a value for negate other than 0 or 1; use one of these")
    return MapHeader(Path(path).parent / image, resolution, (x, y, yaw), bool(negate), free)


def _load_yaml(path: str | PathLike[str]) -> dict[str, Any]:
    import yaml  # noqa: PLC0415

    content = read_bytes(path, YAML_LIMIT)
    if content.count(b"[") + content.count(b"{") > MOST_BRACKETS:  # PyYAML is slow to unwind
        raise FileError(path, "is nested too deeply; compare it with a map_server file")
    try:
        fields = yaml.safe_load(content)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise FileError(path, f"is not valid yaml ({error.problem})", line) from error
    except Exception as error:  # PyYAML lets ValueError, RecursionError and others through
        raise FileError(path, "is not valid yaml; compare it with a map_server file") from error
    if not isinstance(fields, dict):
        raise FileError(path, "is not a map; expected lines such as 'image: map.png'")
    return fields


def _number(
    path: str | PathLike[str], fields: dict[str, Any], key: str, default: float | None
) -> float:
    value = fields.get(key, default)
    if value is None:
        raise FileError(path, f"has no {key}; add a line '{key}: ...'")
    try:
        # YAML 1.1 takes 5e-2, which lacks the dot, for text.
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise FileError(path, f"{key} must be a finite number")
    return number


def _grey(image: Any) -> tuple[NDArray[np.float32], NDArray[np.bool_] | bool]:
    """Brightness in [0, 1] as float32 and where the image is opaque."""
    if image.mode.startswith("I") or image.mode == "F":
        return np.asarray(image, dtype=np.float32) / np.float32(65535), True
    opaque: NDArray[np.bool_] | bool = True
    if "A" in image.mode or "transparency" in image.info:
        image = image.convert("RGBA")
        opaque = np.asarray(image.getchannel("A")) >= 128
    pixels = np.asarray(image.convert("RGB" if image.mode in ("P", "RGBA", "RGB") else "L"))
    grey: Any = pixels if pixels.ndim == 2 else pixels.mean(axis=2, dtype=np.float32)
    return grey / np.float32(255), opaque
