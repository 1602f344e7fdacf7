"""``headway path --changing``: an agent walks while its world changes."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headway.cli.fact_sheet import announce, print_table, write_then_tell

if TYPE_CHECKING:
    from headway.sim.walk import Walk


def show_changing(seed: int, rule: str, radius: float, picture: Path | None, as_json: bool) -> None:
    """Let an agent walk through a world that changes, and draw it."""
    from headway.sim.walk import walk
    from headway.view.changing_picture import check_walk_path, plot_walk
    from headway.view.path_table import fact_table
    from headway.world.changing_rooms import changing_rooms

    if picture is not None:
        check_walk_path(picture)
    world = changing_rooms(seed, radius)
    question = (world.grid, world.start, world.goal, world.changes)
    trace = walk(*question, rule=rule, radius=radius)
    began = time.perf_counter()
    walk(*question, rule=rule, radius=radius)
    seconds = time.perf_counter() - began  # of the second time: the first one compiles

    def draw(file: Path) -> None:
        announce(f"Drawing {len(trace.ticks)} ticks")
        plot_walk(trace, file, f"A changing world, seed {seed}")

    def tell(written: list[Path]) -> None:
        if as_json:
            names = {"written": [str(file) for file in written]}
            print(json.dumps({"seed": seed} | _summary(trace, seconds) | names))
        else:
            print_table(fact_table({"Seed": str(seed)} | _rows(trace, seconds)), written)

    write_then_tell({} if picture is None else {picture: draw}, tell)


def _summary(trace: Walk, seconds: float) -> dict[str, Any]:
    """What came of a walk, as values that `json.dumps` takes."""
    return {
        "status": str(trace.status), "reason": trace.reason, "reached": trace.reached,
        "length": trace.length, "cost": trace.cost, "expanded": trace.expanded,
        "seconds": seconds, "start": trace.start, "goal": trace.goal, "radius": trace.radius,
        "ticks": len(trace.ticks) - 1, "changes": _changes(trace), "searches": _searches(trace),
        "cells": trace.cells.tolist(), "actions": [tick.action for tick in trace.ticks],
        "state_hash": trace.state_hash,
    }  # fmt: skip


def _rows(trace: Walk, seconds: float) -> dict[str, str]:
    """The same for people."""
    from headway.view.path_table import format_duration

    return {
        "Status": str(trace.status), "Reason": trace.reason, "Length": f"{trace.length:.6g} m",
        "Changes": f"{_changes(trace)}", "Searches": f"{_searches(trace)}",
        "Expanded": f"{trace.expanded:,}", "Time": format_duration(seconds),
        "State hash": trace.state_hash,
    }  # fmt: skip


def _changes(trace: Walk) -> int:
    return sum(len(tick.changes) for tick in trace.ticks)


def _searches(trace: Walk) -> int:
    return sum(tick.replanned for tick in trace.ticks)
