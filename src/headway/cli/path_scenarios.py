"""``headway path --scen`` and ``--replay``: whole files of queries with known answers."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from headway.cli.fact_sheet import announce, print_table
from headway.errors import InputError

if TYPE_CHECKING:
    from headway.bench.scenarios import Find, ScenarioReport


def run_scenario_file(map_file: Path, scen: Path, algorithm: str, as_json: bool) -> None:
    """Answer all queries of a MovingAI scenario file and report how long it took, and mistakes."""
    from headway.bench.scenarios import run_scenarios
    from headway.world.grid_files import read_grid
    from headway.world.movingai import read_scenarios

    grid, scenarios = read_grid(map_file), read_scenarios(scen)
    announce(f"Answering {len(scenarios):,} queries on {map_file.name}")
    report = run_scenarios(grid, scenarios, _find(algorithm))
    _report(report, {"map": str(map_file), "scen": str(scen), "algorithm": algorithm}, as_json)


def run_replay_file(replay: Path, algorithm: str, as_json: bool) -> None:
    """Answer all queries of a replay of a changing world, likewise."""
    from headway.bench.scenarios import run_replay
    from headway.world.movingai import read_replay

    contents = read_replay(replay)
    announce(f"Answering {len(contents.queries):,} queries in a changing world")
    report = run_replay(contents, _find(algorithm))
    _report(report, {"replay": str(replay), "algorithm": algorithm}, as_json)


def _find(algorithm: str) -> Find:
    from headway.plan.find_path import ANY_ANGLE, find_path, named

    if named(algorithm) in ANY_ANGLE:
        raise InputError(
            f"the listed lengths are those of steps to neighbouring cells, which {algorithm} is "
            "not bound to: choose auto, jps, astar, dstar_lite or field."
        )
    return lambda grid, start, goal: find_path(grid, start, goal, algorithm=algorithm)


TIMES = {
    "median_us": "Median",
    "mean_us": "Mean",
    "p99_us": "99 % within",
    "worst_us": "Slowest",
    "patch_mean_us": "Patches, mean",
}


def _report(report: ScenarioReport, source: dict[str, str], as_json: bool) -> None:
    from headway.view.path_table import fact_table, format_duration

    facts = asdict(report)
    if as_json:
        print(json.dumps(source | facts))
        return
    rows = {name.capitalize(): value for name, value in source.items()}
    rows |= {"Queries": f"{report.queries:,}", "Wrong": f"{report.wrong:,}"}
    if report.first_wrong:
        rows["First wrong"] = report.first_wrong
    rows |= {
        name: format_duration(1e-6 * facts[key]) for key, name in TIMES.items() if key in facts
    }
    rows["CPU time"] = format_duration(report.total_s)
    print_table(fact_table(rows), ())
