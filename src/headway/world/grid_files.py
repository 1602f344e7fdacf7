"""Grids from files, whatever their format, and back into them."""

from __future__ import annotations

import io
import warnings
from os import PathLike, fspath
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headway.errors import FileError, InputError
from headway.world.atomic import read_bytes, write_bytes
from headway.world.grid import Grid
from headway.world.map_files import (
    files_of_map,
    read_grey,
    read_occupancy,
    write_black_and_white,
    write_occupancy,
)
from headway.world.map_text import CELL_LIMIT
from headway.world.movingai import read_movingai_map, write_movingai_map

MAPS = (".map", ".map.gz")
YAML = (".yaml", ".yml")
IMAGES = (".png", ".pgm", ".bmp")
ARRAYS = (".npy",)
THRESHOLD = 0.5
LEAST_TURN = 1e-6
"""Yaw that counts as none, rad."""


def read_grid(path: str | PathLike[str], threshold: float | None = None) -> Grid:
    """Read a grid from a file; the end of its name tells the format.

    ``.map`` and ``.map.gz`` are MovingAI maps. ``.yaml`` and ``.yml`` are ROS occupancy maps;
    what is unknown or transparent there counts as blocked. ``.png``, ``.pgm`` and ``.bmp`` are
    plain images, free where they are bright and opaque. ``.npy`` holds a NumPy array of bools or
    numbers with two axes, free where it is not zero.

    Parameters
    ----------
    path : str or path-like
        The file, of some 64 million cells at most.
    threshold : float, optional
        For plain images: the brightness, from 0 (black) to 1 (white), above which a pixel is
        free. One half if left out.

    Returns
    -------
    Grid
        Without terrain cost. Of ROS maps row 0 is the lowest, since y grows with the row, and cell
        size and origin are those of the file. Otherwise row 0 is the first line of the file, cells
        are 1 m wide and the first one begins at (0, 0).

    Raises
    ------
    FileError
        If no grid can be made of the file; says why and names the remedy.
    InputError
        If ``threshold`` is not between 0 and 1, or is given for another kind of file.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "room.npy"
    >>> np.save(path, [[1, 1], [0, 1]])
    >>> read_grid(path).free.tolist()
    [[True, True], [False, True]]
    """
    ending = _ending(path)
    if threshold is not None and ending not in IMAGES:
        raise InputError(f"threshold is for plain images: leave it out for a file in {ending}.")
    if threshold is not None and not 0 <= threshold < 1:
        raise InputError(f"threshold is {threshold}; give a brightness from 0 to below 1.")
    if ending in MAPS:
        return read_movingai_map(path)
    if ending in YAML:
        return _read_ros_map(path)
    if ending in ARRAYS:
        return Grid(_read_array(path))
    grey, opaque = read_grey(path)
    return Grid((grey > (THRESHOLD if threshold is None else threshold)) & opaque)


def files_of_grid(path: str | PathLike[str]) -> list[Path]:
    """List the files that `read_grid` reads.

    Parameters
    ----------
    path : str or path-like
        As for `read_grid`.

    Returns
    -------
    list of Path
        The file, and behind it the image if it is a ROS map.

    Raises
    ------
    FileError
        If the format is unknown or a yaml file cannot be used.
    """
    return files_of_map(path) if _ending(path) in YAML else [Path(path)]


def write_grid(grid: Grid, path: str | PathLike[str]) -> None:
    """Write which cells of a grid are free, in the format that the end of the name tells.

    `read_grid` gives the same cells back. Only a ROS map (``.yaml``, with its image beside it)
    keeps cell size and origin too; terrain cost is not written.

    Parameters
    ----------
    grid : Grid
        The grid.
    path : str or path-like
        ``.map``, ``.map.gz``, ``.yaml``, ``.yml``, ``.png`` or ``.npy``.

    Raises
    ------
    FileError
        If it cannot be written, in this format or at all.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "room.yaml"
    >>> write_grid(Grid([[1, 0]], cell_size=0.05, origin=(-1.0, 2.0)), path)
    >>> read_grid(path).origin
    (-1.0, 2.0)
    """
    ending = _ending(path)
    if ending in MAPS:
        write_movingai_map(grid, path)
    elif ending in YAML:
        write_occupancy(path, grid.free, grid.cell_size, grid.origin)
    elif ending in ARRAYS:
        content = io.BytesIO()
        np.save(content, grid.free, allow_pickle=False)
        write_bytes(path, content.getvalue())
    elif ending == ".png":
        write_black_and_white(path, grid.free)
    else:
        raise FileError(path, f"grids are not written as {ending}; name it .png, .map or .npy")


def _ending(path: str | PathLike[str]) -> str:
    name = fspath(path).lower()
    for ending in (*MAPS, *YAML, *IMAGES, *ARRAYS):
        if name.endswith(ending):
            return ending
    known = ".map, .map.gz, .yaml, .png, .pgm, .bmp or .npy"
    raise FileError(path, f"is no grid to judge by its name; expected one that ends in {known}")


def _read_ros_map(path: str | PathLike[str]) -> Grid:
    header, free = read_occupancy(path)
    x, y, yaw = header.origin
    if abs(yaw) > LEAST_TURN:
        problem = f"is turned by a yaw of {yaw:g} rad; the rows of a grid lie along x, so turn"
        raise FileError(path, f"{problem} the image instead and set the yaw to 0")
    return Grid(free, cell_size=header.resolution, origin=(x, y))


def _read_array(path: str | PathLike[str]) -> NDArray:
    """Read a .npy file; its size is checked against its header before memory is taken for it."""
    content = read_bytes(path, 8 * CELL_LIMIT + 10_000)
    stream = io.BytesIO(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers written by Python 2
            version = np.lib.format.read_magic(stream)
            old = version == (1, 0)
            read = (
                np.lib.format.read_array_header_1_0 if old else np.lib.format.read_array_header_2_0
            )
            shape, by_column, dtype = read(stream)
    except Exception as error:  # NumPy lets SyntaxError, TokenError and others through
        problem = "is not a readable .npy file; save it again with numpy.save"
        raise FileError(path, problem) from error
    if dtype.kind not in "biuf" or len(shape) != 2:
        problem = f"holds {dtype} with {len(shape)} axes; a grid is made of bools or numbers"
        raise FileError(path, f"{problem} in rows and columns")
    rows, columns = shape
    if not (0 < rows <= CELL_LIMIT and 0 < columns <= CELL_LIMIT and rows * columns <= CELL_LIMIT):
        problem = (
            f"has {rows} x {columns} cells; at least 1 and at most {CELL_LIMIT:,} are accepted"
        )
        raise FileError(path, f"{problem}, so cut it up")
    if len(content) - stream.tell() != rows * columns * dtype.itemsize:
        raise FileError(path, "is cut short or has something behind its end; save it again")
    values = np.frombuffer(content, dtype, offset=stream.tell())
    if dtype.kind == "f" and not np.isfinite(values).all():
        raise FileError(path, "holds NaN or infinity; write 1 for free and 0 for blocked")
    return values.reshape(shape, order="F" if by_column else "C")
