"""The result of a race as a table for people and as plain values for programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

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
    """
    table = Table(title=_headline(result), title_justify="left", caption=_footnote(result))
    table.caption_justify = "left"
    for heading in ("Pos", "Car"):
        table.add_column(heading, justify="right")
    table.add_column("Vehicle")
    for heading in ("Laps", "Time", "Gap", "Best lap"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("Contacts", "Off track", "Respawns"):
        table.add_column(heading, justify="right")
    table.add_column("Status")
    fastest = result.fastest_lap[0] if result.fastest_lap else None
    for row in result.standings:
        style = "bold" if row.position == 1 and row.status == "finished" else None
        table.add_row(*_cells(row, result.standings[0], row.car == fastest), style=style)
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
        "state_hash": str(result.state_hash),
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


def _footnote(result: RaceResult) -> str:
    parts = []
    if result.fastest_lap:
        car, lap, seconds = result.fastest_lap
        parts.append(f"* fastest lap: car {car}, lap {lap}, {format_time(seconds)}")
    factor = finite(result.real_time_factor)
    if factor is not None:
        parts.append(f"{factor:.0f} times real time")
    parts.append(f"state hash {result.state_hash}")
    return "\n".join(parts)


def _cells(row: Standing, leader: Standing, fastest: bool) -> list[str | Text]:
    best = format_time(row.best_lap_s)
    status = row.status if not row.reason else f"{row.status}: {row.reason}"
    return [
        str(row.position),
        str(row.car),
        Text(str(row.vehicle)),
        str(row.laps),
        format_time(row.total_s),
        _gap(row, leader),
        Text(f"* {best}", style="magenta") if fastest else best,
        str(row.contacts),
        str(row.off_track),
        str(row.respawns),
        Text(status),
    ]


def _gap(row: Standing, leader: Standing) -> str:
    """Seconds behind the leader, or laps where there is no common time."""
    if row is leader:
        return ""
    if row.laps < leader.laps:
        return "+" + count_of(leader.laps - row.laps, "lap")
    seconds = finite(row.gap_s)
    return "-" if seconds is None else f"+{seconds:.3f}"


def _plain_standing(row: Standing) -> dict[str, Any]:
    return {
        "position": int(row.position),
        "car": int(row.car),
        "vehicle": str(row.vehicle),
        "laps": int(row.laps),
        "total_s": finite(row.total_s),
        "gap_s": finite(row.gap_s),
        "best_lap_s": finite(row.best_lap_s),
        "contacts": int(row.contacts),
        "off_track": int(row.off_track),
        "respawns": int(row.respawns),
        "status": str(row.status),
        "reason": str(row.reason) if row.reason else None,
    }


def _plain_fastest_lap(result: RaceResult) -> dict[str, Any] | None:
    if not result.fastest_lap:
        return None
    car, lap, seconds = result.fastest_lap
    return {"car": int(car), "lap": int(lap), "time_s": finite(seconds)}
