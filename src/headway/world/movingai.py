"""MovingAI's benchmark files: grid maps, scenarios, and replays of worlds that change.

Cells are (row, column) here, row 0 being the first line of a map; the files write x, the column,
before y, the row. All of them may be compressed by gzip.

References
----------
Sturtevant, N. R. (2012). Benchmarks for grid-based pathfinding. IEEE Transactions on Computational
Intelligence and AI in Games, 4(2), 144-148. Replays are those of the dynamic track of the
Grid-Based Path Planning Competition.
"""

from __future__ import annotations

import gzip
import math
import os
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.world.atomic import write_bytes
from headway.world.grid import Grid
from headway.world.map_text import CELL_LIMIT, checked_size, take_map, take_size
from headway.world.text_lines import Lines, read_lines, shown

MAP_LIMIT = 210_000_000
"""Bytes; room for as many cells as allowed, in rows of any length."""
SCENARIO_LIMIT = 64_000_000
COUNT_LIMIT = 1_000_000
"""Most queries or patches in a file."""


@dataclass(frozen=True)
class Scenarios:
    """Queries on one map, with the lengths of their shortest paths."""

    bucket: NDArray[np.int64]
    """(N,) group of similar length."""
    start: NDArray[np.int64]
    """(N, 2) row and column."""
    goal: NDArray[np.int64]
    """(N, 2) row and column."""
    length: NDArray[np.float64]
    """(N,) in cells, where no diagonal step cuts a corner; infinite where there is no path."""
    height: int
    """Rows of the map."""
    width: int
    """Columns of the map."""

    def __len__(self) -> int:
        """How many queries there are."""
        return len(self.length)


class Patch(NamedTuple):
    """A change of the world: a rectangle of cells is overwritten."""

    before: int
    """Index of the query before which it happens."""
    top_left: tuple[int, int]
    """Row and column of its first cell."""
    free: NDArray[np.bool_]
    """(h, w) True where a cell becomes free, False where it becomes blocked."""


@dataclass(frozen=True)
class Replay:
    """Queries in a world that changes; it is free everywhere before the first patch."""

    queries: Scenarios
    patches: tuple[Patch, ...]
    """In the order in which they happen."""


def read_movingai_map(path: str | PathLike[str]) -> Grid:
    r"""Read a MovingAI map (``.map``, ``.map.gz``).

    Free are ``.``, ``G`` and ``S`` (swamp); blocked are ``@``, ``O``, ``T`` (trees) and ``W``
    (water, which nobody enters from land).

    Parameters
    ----------
    path : str or path-like
        The file, of at most 2**26 cells.

    Returns
    -------
    Grid
        Row 0 is the first line; cells are 1 m wide and the first one begins at (0, 0).

    Raises
    ------
    FileError
        If the file is not such a map; names the line and the remedy.

    Examples
    --------
    >>> import tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "two.map")
    >>> with open(path, "w") as file:
    ...     _ = file.write("type octile\nheight 2\nwidth 3\nmap\n..@\n.G.\n")
    >>> read_movingai_map(path).shape
    (2, 3)
    """
    lines = read_lines(path, MAP_LIMIT)
    lines.expect("type octile")
    free = take_map(lines)
    lines.expect_end("the map has the height that its header says")
    return Grid(free)


def write_movingai_map(grid: Grid, path: str | PathLike[str]) -> None:
    """Write the free (``.``) and blocked (``@``) cells of a grid as a MovingAI map, atomically.

    The format has no place for terrain cost, cell size and origin.

    Parameters
    ----------
    grid : Grid
        Its row 0 becomes the first line.
    path : str or path-like
        The file; it is compressed if the name ends in ``.gz``.

    Raises
    ------
    FileError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "one.map.gz")
    >>> write_movingai_map(Grid([[1, 0, 1]]), path)
    >>> read_movingai_map(path).free.astype(int).tolist()
    [[1, 0, 1]]
    """
    rows, columns = grid.shape
    text = np.full((rows, columns + 1), ord("\n"), np.uint8)
    text[:, :-1] = np.where(grid.free, ord("."), ord("@"))
    data = f"type octile\nheight {rows}\nwidth {columns}\nmap\n".encode() + text.tobytes()
    packed = os.fspath(path).lower().endswith(".gz")
    write_bytes(path, gzip.compress(data, mtime=0) if packed else data)


def read_scenarios(path: str | PathLike[str]) -> Scenarios:
    r"""Read the queries of a MovingAI scenario file (``.scen``, ``.scen.gz``).

    A line holds bucket, map, width, height, start x, start y, goal x, goal y and length, between
    tabs or spaces. The name of the map is passed over: it seldom is the path to it.

    Parameters
    ----------
    path : str or path-like
        The file, of at most a million queries.

    Returns
    -------
    Scenarios
        At least one query, all within the map.

    Raises
    ------
    FileError
        If the file is not such a list; names the line and the remedy.

    Examples
    --------
    >>> import tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "two.map.scen")
    >>> with open(path, "w") as file:
    ...     _ = file.write("version 1\n0 two.map 3 2 0 0 1 1 1.41421356\n")
    >>> read_scenarios(path).goal.tolist()
    [[1, 1]]
    """
    lines = read_lines(path, SCENARIO_LIMIT)
    queries: list[tuple[float, ...]] = []
    size = None
    while not lines.ended:
        line = lines.take()
        if not line or (lines.number == 1 and line.startswith(b"version")):
            continue
        fields = [field.strip() for field in line.split(b"\t" if b"\t" in line else None)]
        if len(fields) != 9:
            problem = f"has {len(fields)} columns where a scenario has 9"
            raise lines.error(f"{problem}; complete or remove the line")
        width = lines.whole("the width of the map", fields[2], 1, CELL_LIMIT)
        height = lines.whole("the height of the map", fields[3], 1, CELL_LIMIT)
        size = size or (height, width)
        if (height, width) != size:
            problem = f"is for a map of {width} x {height} cells where the first is for one of"
            raise lines.error(f"{problem} {size[1]} x {size[0]}; keep to one map in a file")
        queries.append(_query(lines, fields[0], fields[4:8], fields[8], height, width))
        _check_count(lines, len(queries))
    if size is None:
        raise lines.error("holds no queries; expected one in each line")
    return _scenarios(queries, *checked_size(lines, *size))


def read_replay(path: str | PathLike[str]) -> Replay:
    """Read a replay of a changing world, as in the dynamic track of the GPPC (``.scen``).

    Its patches stand in another file, which it names; that file lies beside it, as it is or
    compressed with ``.gz`` behind its name.

    Parameters
    ----------
    path : str or path-like
        The file of commands, plain or ``.gz``: ``Q`` queries and ``P`` patches.

    Returns
    -------
    Replay
        At least one query; all queries and patches lie within the map.

    Raises
    ------
    FileError
        If one of the two files cannot be used; names the line and the remedy.
    """
    lines = read_lines(path, SCENARIO_LIMIT)
    lines.expect("version 2")
    height, width = take_size(lines)
    count, place = _take_costs(lines)
    shapes = _read_patches(_patch_file(lines))
    lines.expect("commands")
    queries: list[tuple[float, ...]] = []
    patches: list[Patch] = []
    while not lines.ended:
        kind, *fields = lines.take().split() or [b""]
        if kind == b"Q" and len(fields) == 5 + count:
            length = fields[5 + place]
            queries.append(_query(lines, fields[0], fields[1:5], length, height, width))
        elif kind == b"P" and len(fields) == 4:
            free = shapes[lines.whole("the patch", fields[1], 0, len(shapes) - 1)]
            h, w = free.shape
            if h > height or w > width:
                raise lines.error(f"the patch of {w} x {h} cells is larger than the map; mend it")
            column = lines.whole("x of the patch", fields[2], 0, width - w)
            row = lines.whole("y of the patch", fields[3], 0, height - h)
            patches.append(Patch(len(queries), (row, column), free))
        elif kind:
            form = f"'Q bucket x y x y{' length' * count}' or 'P bucket patch x y'"
            raise lines.error(f"is no command; expected {form}")
        _check_count(lines, max(len(queries), len(patches)))
    if not queries:
        raise lines.error("holds no queries; expected lines such as 'Q 0 1 1 5 4 5.24264'")
    return Replay(_scenarios(queries, height, width), tuple(patches))


def _query(
    lines: Lines, bucket: bytes, ends: list[bytes], length: bytes, height: int, width: int
) -> tuple[float, ...]:
    """Bucket, start row and column, goal row and column, and length."""
    sx, sy, gx, gy = ends
    try:
        cells = float(length) if b"_" not in length else math.nan
    except ValueError:
        cells = math.nan
    if not (0 <= cells < 1e12 or cells == -1):
        problem = f"the length is {shown(length)}; expected a number of cells, or -1 for no path"
        raise lines.error(problem)
    return (
        lines.whole("the bucket", bucket, 0, CELL_LIMIT),
        lines.whole("y of the start", sy, 0, height - 1),
        lines.whole("x of the start", sx, 0, width - 1),
        lines.whole("y of the goal", gy, 0, height - 1),
        lines.whole("x of the goal", gx, 0, width - 1),
        math.inf if cells == -1 else cells,
    )


def _scenarios(queries: list[tuple[float, ...]], height: int, width: int) -> Scenarios:
    table = np.array(queries)
    whole = table[:, :5].astype(np.int64)
    start, goal = np.ascontiguousarray(whole[:, 1:3]), np.ascontiguousarray(whole[:, 3:5])
    return Scenarios(whole[:, 0].copy(), start, goal, table[:, 5].copy(), height, width)


def _take_costs(lines: Lines) -> tuple[int, int]:
    """How many lengths a query lists, and which of them is the octile one."""
    fields = lines.take("'cost 1 octile'").split()
    if len(fields) < 3 or fields[0] != b"cost" or fields.count(b"octile") != 1:
        raise lines.error("names no octile cost; expected 'cost 1 octile'")
    count = lines.whole("the number of costs", fields[1], len(fields) - 2, len(fields) - 2)
    return count, fields.index(b"octile") - 2


def _patch_file(lines: Lines) -> str:
    key, _, name = lines.take("'patch <file>'").partition(b" ")
    if key != b"patch" or not name.strip():
        raise lines.error("names no file of patches; expected 'patch <file>'")
    path = os.path.join(os.path.dirname(os.fspath(lines.path)), os.fsdecode(name.strip()))
    for candidate in (path, f"{path}.gz"):
        if os.path.isfile(candidate):
            return candidate
    raise lines.error(f"the file of patches {shown(name)} is not beside this one; put it there")


def _read_patches(path: str) -> list[NDArray[np.bool_]]:
    lines = read_lines(path, MAP_LIMIT)
    lines.expect("type patch")
    shapes = []
    for index in range(lines.take_number("patches", 0, COUNT_LIMIT)):
        lines.take_number("patch", index, index)
        shapes.append(take_map(lines))
    lines.expect_end("there are as many patches as the header says")
    return shapes


def _check_count(lines: Lines, count: int) -> None:
    if count > COUNT_LIMIT:
        raise lines.error(f"is beyond the {COUNT_LIMIT:,} lines accepted; cut the file up")
