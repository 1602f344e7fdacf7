"""``headway circuits``: the circuits that come with Headway."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

if TYPE_CHECKING:
    from headway.world.track import Track

OUTLINE_COLUMNS, OUTLINE_ROWS = 13, 5


def circuits(
    *,
    plot: Path | None = None,
    as_json: Annotated[bool, Parameter(name="--json")] = False,
) -> None:
    """List the circuits that come with Headway, with a small plot of each.

    Parameters
    ----------
    plot
        Draw them all to this file; it ends in .png, .svg or .pdf.
    as_json
        Print the list as JSON instead of a table.
    """
    from headway.world.circuits import CIRCUITS, circuit

    tracks = {name: circuit(name) for name in CIRCUITS}
    if plot is not None:
        from headway.view.track_picture import plot_tracks

        plot_tracks(list(tracks.values()), plot)
    written = [] if plot is None else [str(plot)]
    facts = [
        {"circuit": name, **_facts(track), "description": CIRCUITS[name]}
        for name, track in tracks.items()
    ]
    if as_json:
        print(json.dumps({"circuits": facts, "written": written}))
        return
    _print_table(facts, tracks)
    for path in written:
        print(f"wrote {path}")


def _facts(track: Track) -> dict[str, Any]:
    """What the list says of a track, as plain values in SI units."""
    import numpy as np

    s = track.route.sample(track.length / 1000)
    width = track.route.width(s).sum(axis=1)
    position = track.route.position(s)
    height = position[:, 2] if position.shape[1] == 3 else np.zeros(len(s))
    rise = np.diff(height, append=height[0] if track.closed else height[-1])
    return {
        "length_m": round(track.length, 3),
        "corners": len(track.corners()),
        "width_m": [round(float(width.min()), 3), round(float(width.max()), 3)],
        "closed": track.closed,
        "climb_m": round(float(rise[rise > 0.0].sum()), 3),
    }


def _print_table(facts: list[dict[str, Any]], tracks: dict[str, Track]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), leading=1)
    table.add_column("", no_wrap=True)
    table.add_column("Circuit", min_width=16)
    for heading in ("Length", "Corners", "Width", "Kind", "Climb"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in facts:
        outline = _outline(tracks[row["circuit"]], plain=console.options.ascii_only)
        name = Text.assemble((row["circuit"], "bold"), "\n", (row["description"], "dim"))
        table.add_row(outline, name, *_figures(row))
    console.print(table)


def _outline(track: Track, plain: bool) -> str:
    from headway.view.braille import draw_line

    route = track.route
    line = route.position(route.sample(route.length / 300))[:, :2]
    return "\n".join(
        draw_line(line, OUTLINE_COLUMNS, OUTLINE_ROWS, closed=route.closed, plain=plain)
    )


def _figures(row: dict[str, Any]) -> list[str]:
    """The numbers of a row as people read them."""
    low, high = (f"{width:.3g}" for width in row["width_m"])
    return [
        f"{row['length_m'] / 1000:.2f} km",
        str(row["corners"]),
        f"{low} m" if low == high else f"{low}-{high} m",
        "closed" if row["closed"] else "open",
        f"{row['climb_m']:.0f} m" if row["climb_m"] >= 0.5 else "flat",
    ]
