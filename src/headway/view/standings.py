"""The result of a race as a table for people and as plain values for programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from headway.view.wording import count_of, format_time

if TYPE_CHECKING:  # a result of this shape is enough; drawing one must not load the simulator
    from headway.sim.result import RaceResult, Standing


def standings_table(result: RaceResult) -> Table:
    """Set out the standings of a race, one row per car in finishing order.

    Parameters
    ----------
    result : RaceResult

    Returns
    -------
    rich.table.Table
        Print it with `rich.print`; the fastest lap is marked with a star.

    Examples
    --------
    >>> from headway.sim.race import Race
    >>> from headway.sim.run import run
    >>> from headway.world.circuits import circuit
    >>> standings_table(run(Race(circuit("oval"), cars=3, laps=1))).row_count
    3
    """
    table = Table(
        title=Text(_headline(result)),
        caption=_footnote(result),
        title_justify="left",
        caption_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    for heading in ("Pos", "Car"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Vehicle", overflow="ellipsis", no_wrap=True, max_width=12)
    for heading in ("Laps", "Time", "Best lap", "Contacts", "Off", "Respawns"):
        table.add_column(heading, justify="right", no_wrap=True)
    fastest = result.fastest_lap[0] if result.fastest_lap else None
    for row in result.standings:
        table.add_row(*_cells(row, result.standings[0], row.car == fastest))
    return table


def race_summary(result: RaceResult) -> dict[str, Any]:
    """Give what a race came to as values that `json.dumps` takes.

    Parameters
    ----------
    result : RaceResult

    Returns
    -------
    dict
        ``circuit``, ``length_m``, ``laps``, ``seed``, ``standings`` (a list in finishing order),
        ``fastest_lap``, ``real_time_factor`` and ``state_hash``. Times are seconds; what did not
        happen is None, never NaN.

    Examples
    --------
    >>> from headway.sim.race import Race
    >>> from headway.sim.run import run
    >>> from headway.world.circuits import circuit
    >>> summary = race_summary(run(Race(circuit("oval"), cars=3, laps=1)))
    >>> summary["circuit"], len(summary["standings"])
    ('Oval', 3)
    """
    return {
        "circuit": result.track.name,
        "length_m": float(result.track.length),
        "closed": bool(result.track.closed),
        "laps": int(result.laps),
        "seed": int(result.seed),
        "standings": [_plain_standing(row) for row in result.standings],
        "fastest_lap": _plain_fastest_lap(result),
        "real_time_factor": finite(result.real_time_factor),
        "state_hash": result.state_hash,
    }


def finite(value: float | None) -> float | None:
    """Give a plain float, or None where there is no number.

    Examples
    --------
    >>> finite(2), finite(float("nan")), finite(None)
    (2.0, None, None)
    """
    return None if value is None or not math.isfinite(value) else float(value)


def _headline(result: RaceResult) -> str:
    laps, cars = count_of(result.laps, "lap"), count_of(len(result.standings), "car")
    return f"{result.track.name}: {laps}, {cars}, seed {result.seed}"


def _footnote(result: RaceResult) -> Text:
    lines = []
    if result.fastest_lap:
        car, lap, seconds = result.fastest_lap
        lines.append(f"* fastest lap: car {car}, lap {lap}, {format_time(seconds)}")
    stranded: dict[str, list[str]] = {}
    for row in result.standings:
        if row.status != "finished":
            stranded.setdefault(row.reason or "no reason given", []).append(str(row.car))
    for reason, cars in stranded.items():
        lines.append(f"did not finish ({reason}): car {', '.join(cars)}")
    factor = finite(result.real_time_factor)
    if factor is not None:
        lines.append(f"{factor:.0f} times real time")
    lines.append(f"state hash {result.state_hash}")
    return Text("\n".join(lines))


def _cells(row: Standing, leader: Standing, fastest: bool) -> list[str | Text]:
    best = format_time(row.best_lap_s)
    return [
        str(row.position),
        str(row.car),
        Text(row.vehicle),
        str(row.laps),
        _time(row, leader),
        Text(f"* {best}", style="magenta") if fastest else best,
        str(row.contacts),
        str(row.off_track),
        str(row.respawns),
    ]


def _time(row: Standing, leader: Standing) -> str:
    """The leader's time, and how far behind the others are."""
    if row.status != "finished":
        return row.status
    if row is leader:
        return format_time(row.total_s)
    gap = finite(row.gap_s)
    return "-" if gap is None else f"+{gap:.3f}"


def _plain_standing(row: Standing) -> dict[str, Any]:
    return {
        "position": int(row.position),
        "car": int(row.car),
        "vehicle": row.vehicle,
        "laps": int(row.laps),
        "total_s": finite(row.total_s),
        "gap_s": finite(row.gap_s),
        "best_lap_s": finite(row.best_lap_s),
        "contacts": int(row.contacts),
        "off_track": int(row.off_track),
        "respawns": int(row.respawns),
        "longest_halt_s": finite(row.longest_halt_s),
        "status": row.status,
        "reason": row.reason or None,
    }


def _plain_fastest_lap(result: RaceResult) -> dict[str, Any] | None:
    if not result.fastest_lap:
        return None
    car, lap, seconds = result.fastest_lap
    return {"car": int(car), "lap": int(lap), "time_s": finite(seconds)}
