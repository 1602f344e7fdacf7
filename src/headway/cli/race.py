"""``headway race``: cars race on a circuit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from headway.cli.whole_number import WholeNumber
from headway.errors import InputError

if TYPE_CHECKING:
    from headway.sim.race import Race


def race(
    circuit: str = "club",
    /,
    *,
    cars: WholeNumber = 8,
    laps: WholeNumber | None = None,
    vehicle: str = "gt",
    driver: str = "racer",
    seed: WholeNumber = 0,
    rolling: float | None = None,
    width: float | None = None,
    closed: Annotated[bool | None, Parameter(negative="--open")] = None,
    plot: Path = Path("race.png"),
    record: Path = Path("race.hwy"),
    files: Annotated[bool, Parameter(negative="--no-files")] = True,
    as_json: Annotated[bool, Parameter(name="--json")] = False,
) -> None:
    """Race cars on a circuit: standings, a picture and a recording.

    Parameters
    ----------
    circuit
        One that comes with Headway (see headway circuits), or a file: a TUM or F1TENTH CSV, a ROS
        map, waypoints.
    cars
        How many.
    laps
        How many; 3 if not given, 1 on an open circuit.
    vehicle
        road, gt, formula, f1tenth, reference or commonroad1 to commonroad4; several, separated
        by commas, in turn.
    driver
        racer, careful or classic; several, separated by commas, in turn.
    seed
        The same seed gives the same race.
    rolling
        Start rolling, at this speed in m/s, instead of from standing.
    width
        Width of the road in m, for a file of waypoints that does not say it.
    closed
        Whether a file of waypoints leads back to its start, where it does not say so.
    plot
        The picture to write: .png, .svg or .pdf.
    record
        The recording to write; see headway replay and headway export.
    files
        Write the picture and the recording, or neither.
    as_json
        Print the result as JSON instead of a table.
    """
    from headway.sim.race import Race
    from headway.sim.run import run
    from headway.world.circuits import find_track

    if files:
        _check_outputs(circuit, plot, record)
    track = find_track(circuit, closed=closed, width=width)
    chosen = Race(
        track,
        cars=cars,
        laps=laps if laps is not None else (3 if track.closed else 1),
        vehicle=[name.strip() for name in vehicle.split(",")],
        driver=[name.strip() for name in driver.split(",")],
        seed=seed,
        rolling_speed=rolling,
    )
    with _progress(chosen) as advance:
        result = run(chosen, record=record if files else None, progress=advance)
    _report(result, as_json, [plot, record] if files else [])
    if files:  # last, so that no fault of the picture takes the result away
        from headway.view.race_picture import plot_race

        plot_race(result, plot)


def _check_outputs(circuit: str, plot: Path, record: Path) -> None:
    """Refuse, before the race, to write over the circuit or one file over the other."""
    from headway.view.figure import check_picture_path
    from headway.world.map_files import files_of_map

    check_picture_path(plot)
    if plot.resolve() == record.resolve():
        raise InputError(f"--plot and --record are both {plot}: name two files.")
    source = Path(circuit)
    read = files_of_map(source) if source.suffix in (".yaml", ".yml") else [source]
    for name, path in (("--plot", plot), ("--record", record)):
        if path.exists() and any(each.exists() and path.samefile(each) for each in read):
            raise InputError(f"{name} {path} would overwrite the circuit: name another file.")


@contextmanager
def _progress(race: Race) -> Iterator[Callable[[Any], None]]:
    """Show how far the last car has come, on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    from headway.sim.timing import DISTANCE

    console = Console(stderr=True)
    total = race.laps * race.lap_length
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"Racing on {race.track.name}", total=total)
        yield lambda state: bar.update(task, completed=max(state.timing[:, DISTANCE].min(), 0.0))


def _report(result: Any, as_json: bool, written: list[Path]) -> None:
    from headway.view.standings import race_summary, standings_table

    if as_json:
        print(json.dumps(race_summary(result) | {"written": [str(path) for path in written]}))
        return
    from rich.console import Console

    Console(highlight=False).print(standings_table(result))
    for path in written:
        print(f"wrote {path}")
