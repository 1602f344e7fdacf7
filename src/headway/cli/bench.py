"""``headway bench``: the headline figures, measured on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from headway.errors import InputError

if TYPE_CHECKING:
    from headway.bench.headline import Figure

BENCHES = {
    "race": "Vehicle model, race speed, driving and start-up.",
    "path": "Path search: exactness, speed, replanning, any angle, growth.",
    "steer": "Steering: flocks, crowds, arrival, calls, sphere casts, state machines.",
}
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
        Which benchmark: race, path or steer.
    quick
        Fewer repetitions, laps and queries.
    only
        Parts of it, separated by commas. Of race: steps, speed, scaling, reference, survey,
        startup. Of path: exact, queries, batch, twin, fields, terrain, dynamic, replanning,
        any-angle, growth, process. Of steer: flocking, crowds, arrival, calls, sweeps, decisions.
    as_json
        Print the figures as JSON instead of a table.
    """
    if name is not None and name not in BENCHES:
        raise InputError(f"there is no benchmark '{name}': choose one of {', '.join(BENCHES)}.")
    if name is None and not as_json:
        _list()
    modules = {each: _module(each) for each in ([name] if name else BENCHES)}
    chosen = _chosen(only, {each: list(module.PARTS) for each, module in modules.items()})
    reports = [_measured(each, modules[each], parts, quick, as_json) for each, parts in chosen]
    if as_json:
        print(json.dumps(reports[0] if name else {"benches": reports}, allow_nan=False))


def _module(name: str) -> Any:
    """The module that has the parts of a benchmark, and measures them."""
    return import_module(f"headway.bench.{name}")


def _chosen(only: str | None, parts: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """The benchmarks and parts asked for, in their usual order."""
    known = [part for each in parts.values() for part in each]
    asked = known if only is None else [part.strip() for part in only.split(",")]
    for part in asked:
        if part not in known:
            raise InputError(f"--only names '{part}': choose among {', '.join(known)}.")
    chosen = {name: [part for part in each if part in asked] for name, each in parts.items()}
    return [(name, each) for name, each in chosen.items() if each]


def _measured(
    name: str, module: Any, parts: list[str], quick: bool, as_json: bool
) -> dict[str, Any]:
    """Measure parts of one benchmark, and print a table of them if JSON is not asked for."""
    from headway.bench.machine import machine

    with _progress() as say:
        found = list(module.measure(parts, quick, say))
    if not as_json:
        titles = {part: module.PARTS[part].title for part in parts}
        _print_table(found, titles, quick, machine())
    figures = [{"part": part, **_plain(figure)} for part, figure in found]
    return {"bench": name, "quick": quick, "machine": machine(), "figures": figures}


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
