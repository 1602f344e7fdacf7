"""``headway path --changing``: an agent walks while its world changes."""

from __future__ import annotations

import json
from pathlib import Path

from headway.cli.fact_sheet import announce, print_table


def show_changing(seed: int, rule: str, radius: float, picture: Path | None, as_json: bool) -> None:
    """Let an agent walk through a world that changes, and draw it."""
    from headway.sim.walk import walk
    from headway.view.changing_picture import check_walk_path, plot_walk
    from headway.view.path_table import fact_table
    from headway.world.changing_rooms import changing_rooms

    if picture is not None:
        check_walk_path(picture)
    world = changing_rooms(seed)
    trace = walk(world.grid, world.start, world.goal, world.changes, rule=rule, radius=radius)
    changes = sum(len(tick.changes) for tick in trace.ticks)
    searches = sum(tick.replanned for tick in trace.ticks)
    written = [] if picture is None else [picture]
    if as_json:
        facts = {
            "seed": seed, "reached": trace.reached, "reason": trace.reason,
            "ticks": len(trace.ticks) - 1, "changes": changes, "searches": searches,
            "cells": trace.cells.tolist(), "actions": [tick.action for tick in trace.ticks],
            "state_hash": trace.state_hash, "written": [str(file) for file in written],
        }  # fmt: skip
        print(json.dumps(facts))
    else:
        rows = {
            "Seed": str(seed),
            "Ended": trace.reason, "Changes": str(changes), "Searches": str(searches),
            "State hash": trace.state_hash,
        }  # fmt: skip
        print_table(fact_table(rows), written)
    if picture is not None:
        announce(f"Drawing {len(trace.ticks)} ticks")
        plot_walk(trace, picture, f"A changing world, seed {seed}")
