"""A path as a table for people, as plain values for programs and as lines of a CSV file."""

from __future__ import annotations

from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from headway.plan.path import Path
from headway.view.standings import finite


def path_table(path: Path, seconds: float | None = None) -> Table:
    """Set out what came of a search.

    Parameters
    ----------
    path : Path
    seconds : float, optional
        What the search took.

    Returns
    -------
    rich.table.Table

    Examples
    --------
    >>> from headway.plan.find_path import find_path
    >>> from headway.world.grid import Grid
    >>> path_table(find_path(Grid([[1, 1]]), (0, 0), (0, 1))).row_count
    7
    """
    rows = {"Status": str(path.status), "Reason": path.reason}
    if len(path.cells):
        rows |= {
            "Length": f"{path.length:.6g} m",
            "Cost": f"{path.cost:.6g}",
            "Cells": f"{len(path.cells):,}",
        }
    rows |= {"Algorithm": path.algorithm, "Expanded": f"{path.expanded:,}"}
    if seconds is not None:
        rows["Time"] = format_duration(seconds)
    return fact_table(rows)


def fact_table(rows: dict[str, str]) -> Table:
    """Set out names and values, one below the other.

    Parameters
    ----------
    rows : dict of str to str

    Returns
    -------
    rich.table.Table
    """
    table = Table(box=SIMPLE_HEAD, show_header=False, padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for name, value in rows.items():
        table.add_row(name, Text(value))
    return table


def path_summary(path: Path) -> dict[str, Any]:
    """Give what came of a search as values that `json.dumps` takes.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict
        ``status``, ``reason``, ``length`` and ``cost`` (None where there is no path),
        ``expanded``, ``algorithm``, ``cells`` ([row, column] each) and ``points`` ([x, y] each,
        m, in the frame of the map).

    Examples
    --------
    >>> from headway.plan.find_path import find_path
    >>> from headway.world.grid import Grid
    >>> path_summary(find_path(Grid([[1, 1]]), (0, 0), (0, 1)))["cells"]
    [[0, 0], [0, 1]]
    """
    return {
        "status": str(path.status),
        "reason": path.reason,
        "length": finite(path.length),
        "cost": finite(path.cost),
        "expanded": int(path.expanded),
        "algorithm": path.algorithm,
        "cells": path.cells.tolist(),
        "points": path.points.tolist(),
    }


def path_csv(path: Path) -> str:
    """Give the points of a path as CSV, one a line, below the names of the columns.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
        ``x,y,row,column``; numbers read back exactly. Only the names if there is no path.

    Examples
    --------
    >>> from headway.plan.find_path import find_path
    >>> from headway.world.grid import Grid
    >>> print(path_csv(find_path(Grid([[1, 1]]), (0, 0), (0, 1))), end="")
    x,y,row,column
    0.5,0.5,0,0
    1.5,0.5,0,1
    """
    lines = ["x,y,row,column"]
    for (x, y), (row, column) in zip(path.points.tolist(), path.cells.tolist(), strict=True):
        lines.append(f"{x!r},{y!r},{row},{column}")
    return "\n".join(lines) + "\n"


def format_duration(seconds: float) -> str:
    """Give a short time in the unit that suits it.

    Parameters
    ----------
    seconds : float
        s.

    Returns
    -------
    str

    Examples
    --------
    >>> format_duration(1.5), format_duration(0.0125), format_duration(42.1e-6)
    ('1.5 s', '12.5 ms', '42.1 us')
    """
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if seconds * factor >= 0.9995:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"
