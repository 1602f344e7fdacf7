"""``headway circuits``: the circuits that come with Headway."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from headway.world.track import Track

OUTLINE_COLUMNS, OUTLINE_ROWS = 12, 4


def circuits(*, plot: Path | None = None, json: bool = False) -> None:
    """List the circuits that come with Headway, with a small plot of each.

    Parameters
    ----------
    plot
        Draw them all to this file; it ends in .png, .svg or .pdf.
    json
        Print the list as JSON instead of a table.
    """
    from headway.world.circuits import CIRCUITS, circuit

    if plot is not None:
        _draw({name: circuit(name) for name in CIRCUITS}, plot)
    facts = [_facts(name, circuit(name)) for name in CIRCUITS]
    if json:
        from json import dumps

        print(dumps({"circuits": facts, "plot": None if plot is None else str(plot)}, indent=2))
        return
    _print_table(facts)
    if plot is not None:
        print(f"Picture: {plot}")


def _draw(tracks: dict[str, Track], path: Path) -> None:
    from headway.view.track_picture import plot_tracks

    plot_tracks(list(tracks.values()), path)


def _facts(name: str, track: Track) -> dict[str, Any]:
    """What the list says of a circuit, as plain values in SI units."""
    import numpy as np

    from headway.world.circuits import CIRCUITS

    s = track.route.sample(track.length / 400)
    width = track.route.width(s).sum(axis=1)
    position = track.route.position(s)
    height = position[:, 2] if position.shape[1] == 3 else np.zeros(len(s))
    if track.closed:
        height = np.append(height, height[0])
    return {
        "name": name,
        "length_m": round(track.length, 3),
        "corners": len(track.corners()),
        "width_m": [round(float(width.min()), 3), round(float(width.max()), 3)],
        "closed": track.closed,
        "climb_m": round(float(np.maximum(np.diff(height), 0.0).sum()), 3),
        "description": CIRCUITS[name],
    }


def _print_table(facts: list[dict[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 1, 0), collapse_padding=True, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("Circuit", min_width=20)
    for heading in ("Length", "Corners", "Width", "Kind", "Climb"):
        table.add_column(heading, justify="right", no_wrap=True)
    for circuit in facts:
        name = Text.assemble((circuit["name"], "bold"), "\n", (circuit["description"], "dim"))
        table.add_row(_outline(circuit["name"], console.options.ascii_only), name, *_cells(circuit))
    console.print(table)


def _outline(name: str, plain: bool) -> str:
    from headway.view.braille import draw_line
    from headway.world.circuits import circuit

    route = circuit(name).route
    line = route.position(route.sample(route.length / 200))[:, :2]
    rows = draw_line(line, OUTLINE_COLUMNS, OUTLINE_ROWS, closed=route.closed, plain=plain)
    return "\n".join(rows)


def _cells(circuit: dict[str, Any]) -> list[str]:
    """The figures of a row, for reading."""
    narrow, wide = circuit["width_m"]
    return [
        f"{circuit['length_m'] / 1000:.2f} km",
        str(circuit["corners"]),
        f"{narrow:.3g} m" if wide - narrow < 0.1 else f"{narrow:.3g}-{wide:.3g} m",
        "closed" if circuit["closed"] else "open",
        f"{circuit['climb_m']:.0f} m" if circuit["climb_m"] >= 0.5 else "flat",
    ]
