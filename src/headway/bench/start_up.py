"""What commands cost from start to end: CPU time of whole processes.

Three things are kept from one run to the next: compiled kernels, Python's byte code, and the
fonts that matplotlib found. The first race finds none of them, the second all but the kernels,
those after that everything. All three are kept in a temporary folder, away from the user's own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import headway
from headway.bench.headline import Figure, at_most, failed, noted, skipped

BARE, IMPORT = ("-c", "pass"), ("-c", "import headway")
HELP = ("-m", "headway", "--help")
RACE = ("-m", "headway", "race", "--laps", "1")
RACE_NAME = "headway race --laps 1"


class CommandFailed(Exception):  # noqa: N818 - an expected outcome, not an error
    """A command ended with an error; the message is the last line it wrote."""


def figures(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    """Measure whole processes, from their start to their end.

    Yields
    ------
    Figure
        CPU time, user and system, s.
    """
    try:
        import resource  # noqa: F401, PLC0415 - not on every system
    except ImportError:
        yield skipped("start-up", "this system does not tell the CPU time of other processes")
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            yield from _measured(Path(folder), 3 if quick else 7, say)
        except CommandFailed as error:
            yield failed("start-up", "commands work", str(error))


def _measured(folder: Path, turns: int, say: Callable[[str], None]) -> Iterator[Figure]:
    say(f"{RACE_NAME}, for the first time")
    first = cpu_seconds(RACE, folder, folder / "first")
    say(f"{RACE_NAME}, with all kernels to compile")
    cold = cpu_seconds(RACE, folder, folder / "kernels")
    commands = {"bare": BARE, "import": IMPORT, "help": HELP, "race": RACE}
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(turns):
        for name, arguments in commands.items():
            say(f"start-up: {name} ({turn + 1} of {turns})")
            spent[name].append(cpu_seconds(arguments, folder, folder / "kernels"))
    middle = {name: median(times) for name, times in spent.items()}
    yield at_most(
        "import headway, beyond Python itself", middle["import"] - middle["bare"], 0.10, " s"
    )
    yield at_most("headway --help", middle["help"], 0.25, " s", python_s=middle["bare"])
    yield at_most(f"{RACE_NAME}, with picture and recording", middle["race"], 2.5, " s")
    yield at_most(f"{RACE_NAME}, all kernels to compile", cold, 15.0, " s")
    yield noted(f"{RACE_NAME}, first run after installing", first, " s")


def cpu_seconds(arguments: tuple[str, ...], folder: Path, kernels: Path) -> float:
    """Run Python in a folder and return the CPU time the process took.

    Parameters
    ----------
    arguments : tuple of str
        What follows ``python`` on the command line.
    folder : Path
        Where to run it; it keeps its byte code and fonts there as well.
    kernels : Path
        Where it keeps compiled kernels.

    Returns
    -------
    float
        User and system time, s.

    Raises
    ------
    CommandFailed
        If it ends with an error.
    """
    from resource import RUSAGE_CHILDREN, getrusage  # noqa: PLC0415 - not on every system

    paths = [str(Path(headway.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "MPLCONFIGDIR": str(folder / "fonts"),
        "HEADWAY_CACHE_DIR": str(kernels),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 - this very Python, with our own arguments
        [sys.executable, *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise CommandFailed((done.stderr.strip() or "no message").splitlines()[-1])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
