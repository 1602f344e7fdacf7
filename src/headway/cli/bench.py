"""``headway bench``: the headline figures, measured on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from headway.errors import InputError

if TYPE_CHECKING:
    from headway.bench.headline import Figure

BENCHES = {"race": "Vehicle model, race speed, driving and start-up."}
"""Name of each benchmark, and what it measures."""


def bench(
    name: str | None = None,
    /,
    *,
    quick: bool = False,
    only: str | None = None,
    as_json: Annotated[bool, Parameter(name="--json")] = False,
) -> None:
    """Measure the headline figures on this machine, and compare them with their targets.

    Without a name, all benchmarks are listed and run. CPU time counts, not time on the wall, so
    that other programs on the machine disturb little; what they do disturb, ratios survive.

    Parameters
    ----------
    name
        Which benchmark: race.
    quick
        Fewer repetitions and laps.
    only
        Parts of the benchmark, separated by commas: steps, speed, scaling, reference, survey,
        startup.
    as_json
        Print the figures as JSON instead of a table.
    """
    if name is not None and name not in BENCHES:
        raise InputError(f"there is no benchmark '{name}': choose one of {', '.join(BENCHES)}.")
    if name is None and not as_json:
        _list()
    from headway.bench.machine import machine
    from headway.bench.race import PARTS, measure

    parts = _chosen(only, list(PARTS))
    with _progress() as say:
        found = list(measure(parts, quick, say))
    if as_json:
        figures = [{"part": part, **_plain(figure)} for part, figure in found]
        report = {"bench": "race", "quick": quick, "machine": machine(), "figures": figures}
        print(json.dumps(report, allow_nan=False))
    else:
        titles = {part: PARTS[part].title for part in parts}
        _print_table(found, titles, quick, machine())


def _chosen(only: str | None, parts: list[str]) -> list[str]:
    """The parts asked for, in their usual order."""
    asked = parts if only is None else [part.strip() for part in only.split(",")]
    for part in asked:
        if part not in parts:
            raise InputError(f"--only names '{part}': choose among {', '.join(parts)}.")
    return [part for part in parts if part in asked]


def _list() -> None:
    for name, text in BENCHES.items():
        print(f"headway bench {name}  {text}")


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Say what is measured now, on a terminal; drawn when it changes and at no other time."""
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = TextColumn("Measuring {task.description}"), TimeElapsedColumn()
    with Progress(
        *columns,
        console=console,
        transient=True,
        auto_refresh=False,  # no second thread while time is taken
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("", total=None)

        def say(text: str) -> None:
            progress.update(task, description=text, refresh=True)

        yield say


def _plain(figure: Figure) -> dict[str, Any]:
    return {
        "figure": figure.name,
        "measured": figure.measured,
        "target": figure.target or None,
        "met": figure.met,
        "values": dict(figure.values),
    }


def _print_table(
    found: list[tuple[str, Figure]], titles: dict[str, str], quick: bool, machine: dict[str, Any]
) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), caption_justify="left")
    for heading in ("Figure", "Measured", "Target"):
        table.add_column(heading)
    table.add_column("Met", no_wrap=True)
    for part, title in titles.items():
        table.add_row(Text(title, style="bold"), end_section=False)
        for figure in (figure for name, figure in found if name == part):
            met = {True: Text("yes", "green"), False: Text("no", "bold red"), None: Text("")}
            cells = Text(f"  {figure.name}"), Text(figure.measured), Text(figure.target)
            table.add_row(*cells, met[figure.met])
    missed = sum(figure.met is False for _, figure in found)
    told = sum(figure.met is not None for _, figure in found)
    table.caption = f"{told - missed} of {told} targets met{' (quick)' if quick else ''}\n" + (
        "{processor}, {processors} processors, {system}; Python {python}, numpy {numpy}, "
        "numba {numba}, headway {headway}"
    ).format(**machine)
    Console(highlight=False).print(table)
