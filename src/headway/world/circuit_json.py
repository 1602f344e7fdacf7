"""Circuits as JSON: Headway's own schema, and plain lists of points."""

from __future__ import annotations

import json
from os import PathLike
from typing import Any

import numpy as np

from headway.errors import FileError
from headway.world.outline import Outline

KEYS = (
    "name",
    "closed",
    "smooth",
    "points",
    "width_left",
    "width_right",
    "wall_distance",
    "sectors",
)


def parse_json(path: str | PathLike[str], content: bytes) -> Outline:
    """Read the outline of a circuit from JSON.

    Either a list of points ``[[x, y], ...]`` or ``[[x, y, z], ...]``, or an object with such a
    list under ``points`` and, all optional, ``name``, ``closed``, ``smooth``, ``width_left`` and
    ``width_right`` (a number each, or a list with one per point), ``wall_distance`` and
    ``sectors``.

    Parameters
    ----------
    path : str or path-like
        Names the file in errors; it is not opened.
    content : bytes
        The file's content, UTF-8.

    Returns
    -------
    Outline
        In m, world frame; not yet checked.

    Raises
    ------
    FileError
        If the content is not JSON of this form.

    Examples
    --------
    >>> parse_json("a.json", b'{"points": [[0, 0], [9, 0]], "closed": false}').closed
    False
    """
    data = _load(path, content)
    if isinstance(data, list):
        data = {"points": data}
    if not isinstance(data, dict) or "points" not in data:
        raise FileError(path, "has no 'points'; give a list of [x, y] under that key")
    strange = next((key for key in data if key not in KEYS), None)
    if strange is not None:
        known = ", ".join(KEYS)
        raise FileError(path, f"has an unknown key {strange[:24]!r}; the keys are {known}")
    points = _points(path, data["points"])
    return Outline(
        points,
        _widths(path, data, len(points)),
        closed=_typed(path, data, "closed", bool, "true or false"),
        smooth=_typed(path, data, "smooth", bool, "true or false") is not False,
        name=_typed(path, data, "name", str, "text") or None,
        wall_distance=_number_or(path, data, "wall_distance", np.inf),
        sectors=_sectors(path, data.get("sectors")),
    )


def format_json(outline: Outline) -> bytes:
    """Write an outline in Headway's own schema, one point per line and with every digit.

    Parameters
    ----------
    outline : Outline
        In m, world frame.

    Returns
    -------
    bytes
        The content of the file; `parse_json` gives back the same outline.
    """
    fields: dict[str, Any] = {"name": outline.name} if outline.name else {}
    fields |= {"closed": bool(outline.closed), "smooth": bool(outline.smooth)}
    if np.isfinite(outline.wall_distance):
        fields["wall_distance"] = float(outline.wall_distance)
    if outline.sectors is not None:
        fields["sectors"] = [float(end) for end in outline.sectors]
    if outline.widths is not None:
        for side, width in zip(("width_left", "width_right"), outline.widths.T, strict=True):
            fields[side] = float(width[0]) if np.ptp(width) == 0 else width.tolist()
    head = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in fields.items())
    rows = ",\n".join(f"    {json.dumps(point)}" for point in outline.points.tolist())
    return f'{{\n{head}  "points": [\n{rows}\n  ]\n}}\n'.encode()


def _load(path: str | PathLike[str], content: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a finite number")

    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=refuse)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(path, "is not UTF-8 text; save it as UTF-8", line) from error
    except json.JSONDecodeError as error:
        problem = f"is not valid JSON ({error.msg.lower()} at column {error.colno})"
        raise FileError(path, problem, error.lineno) from error
    except ValueError as error:
        raise FileError(path, f"holds a number that cannot be used ({error})") from error
    except RecursionError as error:
        raise FileError(path, "is nested too deeply; expected a list of points") from error


def _points(path: str | PathLike[str], rows: Any) -> np.ndarray:
    if not isinstance(rows, list) or not rows:
        raise FileError(path, "has no points; give a list of [x, y] or [x, y, z]")
    size = len(rows[0]) if isinstance(rows[0], list) else 0
    if size not in (2, 3):
        raise FileError(path, "point 1 is not of the form [x, y] or [x, y, z]")
    for index, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != size:
            problem = f"point {index + 1} is not a list of {size} numbers as the first one is"
            raise FileError(path, problem)
    return _array(path, rows, "points", 2)


def _widths(path: str | PathLike[str], data: dict[str, Any], count: int) -> np.ndarray | None:
    given = [side for side in ("width_left", "width_right") if data.get(side) is not None]
    if not given:
        return None
    if len(given) == 1:
        raise FileError(path, f"gives only {given[0]!r}; give both widths or none")
    columns = []
    for side in given:
        column = data[side]
        if not isinstance(column, list):
            column = [column] * count
        if len(column) != count:
            problem = f"{side!r} has {len(column)} numbers for {count} points"
            raise FileError(path, f"{problem}; give one per point or a single number")
        columns.append(_array(path, column, side, 1))
    return np.column_stack(columns)


def _sectors(path: str | PathLike[str], values: Any) -> tuple[float, ...] | None:
    return None if values is None else tuple(_array(path, values, "sectors", 1).tolist())


def _array(path: str | PathLike[str], values: Any, what: str, dimensions: int) -> np.ndarray:
    """A finite float64 array of nested lists of JSON numbers."""
    if not isinstance(values, list):
        raise FileError(path, f"{what!r} must be a list of numbers")
    for index, item in enumerate(values):
        for number in item if dimensions == 2 else (item,):
            # type() rather than isinstance: JSON's true and false are ints to Python.
            if type(number) not in (float, int) or not -1e300 < number < 1e300:
                problem = f"{what!r}, entry {index + 1}, is {_shown(number)}"
                raise FileError(path, f"{problem}; every number must be finite")
    return np.array(values, dtype=np.float64)


def _typed(path: str | PathLike[str], data: dict[str, Any], key: str, kind: type, name: str) -> Any:
    value = data.get(key)
    if value is not None and not isinstance(value, kind):
        raise FileError(path, f"{key!r} is {_shown(value)}; it must be {name}")
    return value


def _number_or(path: str | PathLike[str], data: dict[str, Any], key: str, default: float) -> float:
    value = data.get(key)
    return default if value is None else float(_array(path, [value], key, 1)[0])


def _shown(value: Any) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return json.dumps(value)[:24]
