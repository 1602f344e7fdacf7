"""``headway path``: a way over a map, or the reason why there is none."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from headway.cli.fact_sheet import print_table, write_then_tell
from headway.cli.whole_number import WholeNumber
from headway.errors import InputError

if TYPE_CHECKING:
    from headway.world.grid import Grid

Point = Annotated[str | None, Parameter(allow_leading_hyphen=True)]  # -2.5,4 is a point
POINT = (
    "Where to start: x,y in metres, in the frame of the map. Except in ROS maps, a cell is 1 m "
    "wide and y grows downwards, so that whole numbers name its column and row."
)
"""Not in the docstring, whose line breaks would stay in the help."""
Switch = Annotated[bool, Parameter(negative="")]


def path(
    map_file: Annotated[Path | None, Parameter(name="MAP")] = None,
    a: Annotated[Point, Parameter(name="A", help=POINT)] = None,
    b: Annotated[Point, Parameter(name="B")] = None,
    /,
    *,
    cells: Switch = False,
    radius: float = 0.0,
    rule: str = "never_cut",
    algorithm: str = "auto",
    straighten: Switch = False,
    partial: Switch = False,
    scen: Path | None = None,
    replay: Path | None = None,
    changing: Switch = False,
    seed: WholeNumber | None = None,
    plot: Path | None = None,
    csv: Path | None = None,
    files: Annotated[bool, Parameter(negative="--no-files")] = True,
    as_json: Annotated[bool, Parameter(name="--json")] = False,
) -> None:
    """Find a path over a map, or the reason why there is none: table, picture, CSV.

    Without MAP, across rooms that are made. That there is no path is an
    answer too: the exit code is 0.

    Parameters
    ----------
    map_file
        MovingAI .map or .map.gz, a ROS map (.yaml), an image (.png, .pgm, .bmp) or .npy.
    a
        Where to start.
    b
        Where to go, likewise.
    cells
        Take A and B as row,column instead.
    radius
        Of the agent, in m.
    rule
        When to step diagonally past blocked cells: never_cut, one_free, always, no_diagonal.
    algorithm
        auto, jps, astar, dstar_lite, field, lazy_theta or anya.
    straighten
        Pull the path straight afterwards.
    partial
        Go as near as possible where the goal cannot be reached.
    scen
        Answer all queries of this MovingAI scenario file on MAP, and check the lengths.
    replay
        Answer all queries of this replay of a changing world (GPPC), and check the lengths.
    changing
        Let an agent walk through made rooms while doors close and walls appear.
    seed
        Of what is made; 0 if not given. The same seed gives the same.
    plot
        The picture to write: path.png, or with --changing changing.gif (if .png, key moments).
    csv
        The table of points to write: path.csv if not given.
    files
        Write files, or none.
    as_json
        Print the result as JSON instead of a table.
    """
    given = {
        "MAP": map_file, "A": a, "B": b, "--cells": cells, "--radius": radius != 0.0,
        "--rule": rule != "never_cut", "--algorithm": algorithm != "auto",
        "--straighten": straighten, "--partial": partial, "--scen": scen, "--replay": replay,
        "--changing": changing, "--seed": seed is not None, "--plot": plot, "--csv": csv,
        "--no-files": not files,
    }  # fmt: skip
    _check_together({name for name, value in given.items() if value})
    from headway.cli.changing import show_changing
    from headway.cli.path_scenarios import run_replay_file, run_scenario_file

    if scen is not None and map_file is not None:
        run_scenario_file(map_file, scen, algorithm, as_json)
    elif replay is not None:
        run_replay_file(replay, algorithm, as_json)
    elif changing:
        picture = (plot or Path("changing.gif")) if files else None
        show_changing(seed or 0, rule, radius, picture, as_json)
    else:
        search = {
            "rule": rule, "algorithm": algorithm, "radius": radius, "partial": partial,
            "straighten": straighten,
        }  # fmt: skip
        written = [plot or Path("path.png"), csv or Path("path.csv")] if files else []
        question = _question(map_file, a, b, cells, seed or 0, written)
        _answer(question, search, written, as_json)


MODES = {
    "--scen": {"MAP", "--algorithm"},
    "--replay": {"--algorithm"},
    "--changing": {"--seed", "--plot", "--rule", "--radius"},
}
"""What each way to use the command takes; the usual one takes all the rest."""


def _check_together(given: set[str]) -> None:
    """Refuse arguments that have no meaning together."""
    if "--no-files" in given:
        _refuse(given & {"--plot", "--csv"}, "with --no-files")
    mode = next((mode for mode in MODES if mode in given), None)
    if mode is not None:
        _refuse(given - MODES[mode] - {mode, "--no-files"}, f"with {mode}")
        if mode == "--scen" and "MAP" not in given:
            raise InputError("--scen needs the map of its queries: headway path MAP --scen FILE.")
    elif "MAP" in given:
        missing = [name for name in ("A", "B") if name not in given]
        if missing:
            points = " and ".join(missing)
            raise InputError(f"{points} missing: a path leads from A to B, both x,y in metres.")
        _refuse(given & {"--seed"}, "with MAP")
    elif "--cells" in given:
        raise InputError(
            "--cells has no meaning without MAP: give it with A and B, or leave it out."
        )


def _refuse(surplus: set[str], where: str) -> None:
    if surplus:
        raise InputError(f"{min(surplus)} has no meaning {where}: leave one of them out.")


@dataclass
class Question:
    """What is asked for."""

    grid: Grid
    start: tuple[int, int]
    goal: tuple[int, int]
    y_down: bool
    """Whether the map has its first row on top."""


def _question(
    map_file: Path | None, a: str | None, b: str | None, cells: bool, seed: int, written: list[Path]
) -> Question:
    """Read the map and the points; whatever can be wrong is found before anything is done."""
    from headway.world.grid_files import files_of_grid, read_grid
    from headway.world.worlds import rooms

    if map_file is None or a is None or b is None:
        _check_outputs(written, [])
        grid = rooms(6, 9, size=9, seed=seed, door=3)
        return Question(grid, (5, 5), (grid.rows - 6, grid.columns - 6), y_down=True)
    ends = [_numbers(name, text, cells) for name, text in (("A", a), ("B", b))]
    _check_outputs(written, files_of_grid(map_file))
    grid = read_grid(map_file)
    places = ends if cells else grid.cells_at(ends)
    start, goal = ((int(row), int(column)) for row, column in places)
    upright = map_file.suffix.lower() in (".yaml", ".yml")
    return Question(grid, start, goal, y_down=not upright)


WHOLE = r"[+-]?[0-9]{1,400}"
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
FARTHEST = 10**15
"""Rows, columns and metres; up to there floating-point numbers tell places apart."""


def _numbers(name: str, text: str, cells: bool) -> tuple[float, float]:
    """The two numbers of a point."""
    if text.startswith("--"):
        raise InputError(f"there is no option {text}.")
    kind = "row,column, two whole numbers" if cells else "x,y in metres"
    number = WHOLE if cells else DECIMAL
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(re.fullmatch(number, part) for part in parts):
        raise InputError(f"{name} is {text!r}: give {kind}, such as 12,40.")
    first, second = (int(part) if cells else float(part) for part in parts)
    if max(abs(first), abs(second)) >= FARTHEST:
        raise InputError(f"{name} is {text!r}: no map is that large; give {kind}, such as 12,40.")
    return first, second


def _check_outputs(written: list[Path], read: list[Path]) -> None:
    """Refuse, before the search, what cannot be written, or would be over the map or another."""
    from headway.errors import FileError
    from headway.view.figure import check_picture_path

    if not written:
        return
    plot, csv = written
    check_picture_path(plot)
    if csv.is_dir():
        raise FileError(csv, "is a folder; name a file in it")
    if not csv.parent.is_dir():
        raise FileError(csv, f"the folder '{csv.parent}' does not exist; create it")
    if plot.resolve() == csv.resolve():
        raise InputError(f"--plot and --csv are both {plot}: name two files.")
    for name, out in (("--plot", plot), ("--csv", csv)):
        if out.exists() and any(each.exists() and out.samefile(each) for each in read):
            raise InputError(f"{name} {out} would overwrite the map: name another file.")


def _answer(asked: Question, search: dict[str, Any], files: list[Path], as_json: bool) -> None:
    """Search, write the files, and tell what came of it."""
    from headway.plan.find_path import find_path
    from headway.view.path_table import path_csv, path_summary, path_table
    from headway.world.atomic import write_bytes

    found = find_path(asked.grid, asked.start, asked.goal, trace=bool(files), **search)
    began = time.perf_counter()
    find_path(asked.grid, asked.start, asked.goal, **search)
    seconds = time.perf_counter() - began  # of the second time: the first one compiles

    def draw(file: Path) -> None:
        from headway.view.path_picture import plot_path

        looks = {"seconds": seconds, "y_down": asked.y_down, "radius": search["radius"]}
        plot_path(asked.grid, found, file, start=asked.start, goal=asked.goal, **looks)

    def tell(written: list[Path]) -> None:
        if as_json:
            told = {"seconds": seconds, "start": asked.start, "goal": asked.goal}
            names = {"written": [str(file) for file in written]}
            print(json.dumps(path_summary(found) | told | names))
        else:
            print_table(path_table(found, seconds), written)

    writers = (draw, lambda file: write_bytes(file, path_csv(found).encode()))
    write_then_tell(dict(zip(files, writers, strict=False)), tell)
