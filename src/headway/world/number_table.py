"""A text table of numbers: separators, headings and comments found out, bad lines named."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike

import numpy as np

from headway.errors import FileError

MAX_LINES = 2_500_000
MAX_LENGTH = 10_000
MAX_COLUMNS = 64


@dataclass(frozen=True)
class NumberTable:
    """The numbers of a text table and what its heading and comments say of them."""

    values: np.ndarray
    """(rows, columns) float64, finite, in the units of the file."""
    names: tuple[str, ...] | None
    """The column names of the heading, lower case; None where there is no heading."""
    remarks: dict[str, str]
    """The comment lines of the form ``# key: value``."""
    lines: list[str]
    """The text, line by line."""
    start: int
    """The index of the first line of numbers."""

    def line_of(self, row: int) -> int:
        """The line (from 1) on which a row of numbers stands."""
        rows = _rows(self.lines, self.start)
        return next(itertools.islice(rows, row, None))[0]


def read_table(path: str | PathLike[str], content: bytes) -> NumberTable:
    r"""Parse a table of numbers separated by commas, semicolons, tabs or spaces.

    Accepted besides: a byte order mark, any line ending, empty lines, ``#`` comments anywhere and
    one heading line, commented out or not.

    Parameters
    ----------
    path : str or path-like
        Names the file in errors; it is not opened.
    content : bytes
        The file's content, UTF-8.

    Returns
    -------
    NumberTable
        At least one row and one column, all finite.

    Raises
    ------
    FileError
        If the content is not such a table; names the first line at fault.

    Examples
    --------
    >>> read_table("points.csv", b"# x_m, y_m\n1, 2\n3, 4\n").values
    array([[1., 2.],
           [3., 4.]])
    """
    lines = _lines(path, content)
    start, headings, remarks = _preamble(path, lines)
    first = _content(lines[start])
    separator = _separator(first)
    count = len(first.split(separator))
    if count > MAX_COLUMNS:
        problem = f"has {count:,} columns where a circuit has at most {MAX_COLUMNS}"
        raise FileError(path, problem, start + 1)
    try:
        values = np.loadtxt(lines[start:], delimiter=separator, comments="#", ndmin=2)
    except (ValueError, OverflowError) as error:
        raise _first_fault(path, lines, start, separator, count, str(error)) from error
    table = NumberTable(values, _names(headings, count), remarks, lines, start)
    _check_finite(path, table)
    return table


def _lines(path: str | PathLike[str], content: bytes) -> list[str]:
    if b"\0" in content:
        raise FileError(path, "holds binary data; expected a text table, saved as UTF-8")
    if max(content.count(b"\n"), content.count(b"\r")) > MAX_LINES:
        raise FileError(path, f"has more than the {MAX_LINES:,} lines that this reader accepts")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(path, "is not UTF-8 text; save it as UTF-8", line) from error
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lengths = list(map(len, lines))
    if max(lengths) > MAX_LENGTH:
        line = lengths.index(max(lengths)) + 1
        raise FileError(
            path, f"is longer than {MAX_LENGTH:,} characters; write a point per line", line
        )
    return lines


def _preamble(path: str | PathLike[str], lines: list[str]) -> tuple[int, list[str], dict[str, str]]:
    """Find the first line of numbers, the possible headings before it and the remarks."""
    headings: list[str] = []
    remarks: dict[str, str] = {}
    bare_heading = False
    for index, line in enumerate(lines):
        content, _, comment = (part.strip() for part in line.partition("#"))
        if not content:
            headings.append(comment)
            key, colon, value = comment.partition(":")
            if colon:
                remarks.setdefault(key.strip().lower(), value.strip())
        elif any(_is_number(field) for field in content.split(_separator(content))):
            return index, headings, remarks
        elif bare_heading:
            raise FileError(path, f"expected numbers but found {_shown(content)}", index + 1)
        else:
            headings.append(content)
            bare_heading = True
    raise FileError(path, "holds no numbers; expected one point per line")


def _content(line: str) -> str:
    return line.partition("#")[0].strip()


def _separator(content: str) -> str | None:
    return next((mark for mark in ";," if mark in content), None)


def _names(headings: list[str], count: int) -> tuple[str, ...] | None:
    """The column names of the last line that reads like a heading."""
    for heading in reversed(headings):
        separator = _separator(heading)
        names = tuple(name.strip().lower() for name in heading.split(separator))
        # A sentence may well speak of x and y, so words between spaces must also match in number.
        likely = separator or len(names) == count
        if likely and {"x", "y"} <= {name.removesuffix("_m") for name in names}:
            return names
    return None


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return "_" not in field


def _rows(lines: list[str], start: int) -> Iterator[tuple[int, str]]:
    """Line numbers (from 1) and contents of the lines that hold a row."""
    for index in range(start, len(lines)):
        content = _content(lines[index])
        if content:
            yield index + 1, content


def _first_fault(
    path: str | PathLike[str],
    lines: list[str],
    start: int,
    separator: str | None,
    count: int,
    reason: str,
) -> FileError:
    """Walk through the rows again to say which one the fast parser refused, and why."""
    for line, content in _rows(lines, start):
        fields = content.split(separator)
        if len(fields) != count:
            problem = f"has {len(fields)} columns where the first line of numbers has {count}"
            return FileError(path, f"{problem}; complete or remove the line", line)
        for column, field in enumerate(fields, start=1):
            if not _is_number(field):
                problem = f"column {column} holds {_shown(field)}, which is not a number"
                return FileError(path, f"{problem}; write numbers like 12.5", line)
    return FileError(path, f"cannot be read as a table of numbers ({_shown(reason, 120)})")


def _check_finite(path: str | PathLike[str], table: NumberTable) -> None:
    bad = ~np.isfinite(table.values)
    if bad.any():
        row, column = (int(index) for index in np.argwhere(bad)[0])
        problem = f"column {column + 1} is {table.values[row, column]}; every number must be finite"
        raise FileError(path, problem, table.line_of(row))


def _shown(text: str, longest: int = 24) -> str:
    text = text.strip()
    return repr(text if len(text) <= longest else f"{text[:longest]}...")
