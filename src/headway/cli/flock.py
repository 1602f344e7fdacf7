"""``headway flock``: a group of agents on a stage: numbers, a picture and an animation."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from headway.cli.fact_sheet import print_table, write_then_tell
from headway.cli.whole_number import WholeNumber
from headway.errors import FileError, InputError

if TYPE_CHECKING:
    from headway.sim.group_run import GroupRun, Scenario

FRAMES = 400
"""About as many moments of a run are kept for the picture and the animation."""
MOST_STEPS = 1_000_000


def flock(
    name: Annotated[str | None, Parameter(name="SCENARIO")] = None,
    /,
    *,
    seed: WholeNumber = 0,
    seconds: float | None = None,
    plot: Path | None = None,
    animate: Path | None = None,
    files: Annotated[bool, Parameter(negative="--no-files")] = True,
    as_json: Annotated[bool, Parameter(name="--json")] = False,
) -> None:
    """Run a group of agents: flocks, crowds, hunters, convoys, spacecraft.

    Each scenario gives numbers, a picture of the ways and an animation.

    Parameters
    ----------
    name
        boids, seek, avoid, predators, crossing, convoy, docking or rabbits; boids if not given.
    seed
        Of all that is random. The same seed gives the same.
    seconds
        How long to run, in simulated time; as long as the scenario takes if not given.
    plot
        The picture to write: flock.png if not given (.png, .svg or .pdf).
    animate
        The animation to write: flock.gif if not given.
    files
        Write files, or none.
    as_json
        Print the result as JSON instead of a table.
    """
    from headway.sim.flocks import scenario
    from headway.sim.group_run import run_group
    from headway.view.group_animation import animate_group
    from headway.view.group_picture import plot_group

    written = _outputs(plot, animate, files)
    chosen = _lasting(scenario(name or "boids", seed), seconds)
    every = max(round(chosen.seconds / chosen.agents.dt) // FRAMES, 1)
    began = time.perf_counter()
    with _progress(chosen.title) as said:
        run = run_group(chosen, every=every, said=said)
    took = time.perf_counter() - began

    def animation(file: Path) -> None:
        with _progress("Drawing") as drawn:
            animate_group(run, file, drawn)

    def tell(done: list[Path]) -> None:
        if as_json:
            told = _summary(name or "boids", seed, run) | {"took_seconds": took}
            print(json.dumps(told | {"written": [str(file) for file in done]}))
        else:
            _print(run, took, done)

    writers = (lambda file: plot_group(run, file), animation)
    write_then_tell(dict(zip(written, writers, strict=False)), tell)


def _outputs(plot: Path | None, animate: Path | None, files: bool) -> list[Path]:
    """The files to write, checked before anything is done."""
    from headway.view.figure import check_picture_path
    from headway.view.group_animation import check_animation_path

    if not files:
        for option, file in (("--plot", plot), ("--animate", animate)):
            if file is not None:
                raise InputError(f"{option} has no meaning with --no-files: leave one of them out.")
        return []
    written = [
        check_picture_path(plot or Path("flock.png")),
        check_animation_path(animate or Path("flock.gif")),
    ]
    for file in written:
        if not os.access(file.parent, os.W_OK):
            raise FileError(file, "its folder cannot be written to; choose another")
    return written


def _lasting(scenario: Scenario, seconds: float | None) -> Scenario:
    """The scenario, for as long as was asked."""
    from dataclasses import replace

    if seconds is None:
        return scenario
    step = scenario.agents.dt
    if not step <= seconds <= MOST_STEPS * step:
        raise InputError(
            f"--seconds is {seconds:g}: give at least one time step, {step:g} s, "
            f"and at most {MOST_STEPS * step:,.0f} s."
        )
    return replace(scenario, seconds=seconds)


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far it is, to who waits at a terminal."""
    import sys

    from rich.console import Console
    from rich.progress import Progress

    console = Console(file=sys.stderr)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _summary(name: str, seed: int, run: GroupRun) -> dict[str, object]:
    """What came of it, as values that `json.dumps` takes."""
    agents = run.scenario.agents
    return {
        "scenario": name, "seed": seed, "seconds": float(run.time[-1]), "agents": len(agents),
        "ticks": round(float(run.time[-1]) / agents.dt), "numbers": run.numbers,
        "state_hash": run.state_hash,
    }  # fmt: skip


def _print(run: GroupRun, took: float, written: list[Path]) -> None:
    """The same for people."""
    from headway.view.group_drawing import number_words
    from headway.view.path_table import fact_table, format_duration

    rows = {"Scenario": run.scenario.title, "": run.scenario.about}
    rows |= {"Time": f"{run.time[-1]:.1f} s, run in {format_duration(took)}"}
    rows |= {
        name[:1].upper() + name[1:]: number_words(value) for name, value in run.numbers.items()
    }
    print_table(fact_table(rows), written)
