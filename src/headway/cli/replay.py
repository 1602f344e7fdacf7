"""``headway replay``: run a recording again and verify it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from headway.errors import FileError, HeadwayError, InputError


def replay(
    recording: Path,
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json")] = False,
) -> None:
    """Run a recorded race again and verify every recorded frame and state hash.

    Ends with exit code 1 where the race goes another way, and says where it first does.

    Parameters
    ----------
    recording
        A file made with --record; one that was cut short is verified as far as it goes.
    as_json
        Print the outcome as JSON.
    """
    from rich.console import Console
    from rich.progress import Progress

    from headway.sim.recording import read_recording
    from headway.sim.replay import replay as run_again

    contents = read_recording(recording)
    console = Console(stderr=True)
    last = int(contents.ticks[-1]) if len(contents.ticks) else 0
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"Running {recording.name} again", total=last)
        try:
            outcome = run_again(contents, lambda state: bar.update(task, completed=state.tick))
        except InputError as error:
            raise FileError(recording, f"cannot be run again: {str(error).rstrip('.')}") from error
    if as_json:
        print(
            json.dumps(
                {
                    "ticks": outcome.ticks,
                    "hashes": outcome.hashes,
                    "same": outcome.same,
                    "complete": contents.complete,
                    "problem": contents.problem,
                    "diverged_at": outcome.diverged_at,
                    "difference": outcome.difference,
                }
            )
        )
    if not outcome.same:
        raise HeadwayError(
            f"{recording}: the race goes another way at tick {outcome.diverged_at}: "
            f"{outcome.difference}; was it recorded with another version of Headway?"
        )
    if not as_json:
        part = "whole race" if contents.complete else f"race as far as it goes ({contents.problem})"
        print(f"The {part} is the same: {outcome.ticks} ticks, {outcome.hashes} state hashes.")
