"""How many Runge-Kutta steps of the single-track car one core does in a second.

The cars are spread over all speeds and manners of driving, so that rolling and slipping, driving
and braking are all met. Peers: the same equations in C++, and the single-track model of the
CommonRoad package, whose equations are fewer (linear tyres, no limits of grip).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

import numpy as np

from headway.bench.cpp_twin import Twin, TwinMissing, build_twin
from headway.bench.headline import Figure, at_least, failed, noted, skipped
from headway.bench.measure import medians
from headway.move.car import car
from headway.move.single_track import step_cars, step_cars_into
from headway.world.state import (
    BRAKE,
    CONTROLS_WIDTH,
    GEAR,
    GRIP,
    GROUND_WIDTH,
    STATE_WIDTH,
    STEERING,
    THROTTLE,
    VX,
    YAW,
)

STEP = 0.01
"""Time step, s."""
BATCHES = (1, 64, 4096)
SAME = 1e-9
"""Largest difference between two programs that count as computing the same."""
TWINS = {"C++ -O3": ("-O3",), "C++ -O3 -march=native": ("-O3", "-march=native")}
COMMONROAD = "vehiclemodels, Python RK4"


def driven_cars(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Make cars of many speeds and manners, half a second after they were so.

    Returns
    -------
    state, controls, ground, cars : ndarray
        (N, 7), (N, 4), (N, 4) and (N, CAR_WIDTH); see `headway.move.single_track.step_cars`.

    Examples
    --------
    >>> [array.shape[0] for array in driven_cars(3)]
    [3, 3, 3, 3]
    """
    place = np.arange(count) + 0.5
    spread = [place * np.sqrt(prime) % 1.0 for prime in (2.0, 3.0, 5.0, 7.0)]
    state, controls = np.zeros((count, STATE_WIDTH)), np.zeros((count, CONTROLS_WIDTH))
    ground = np.zeros((count, GROUND_WIDTH))
    state[:, VX] = 70.0 * spread[0]
    state[:, YAW] = np.pi * (2.0 * spread[1] - 1.0)
    pedal = 2.0 * spread[2] - 1.0
    controls[:, THROTTLE] = np.maximum(pedal, 0.0)
    controls[:, BRAKE] = np.maximum(-pedal, 0.0)
    controls[:, STEERING] = (2.0 * spread[3] - 1.0) / (1.0 + 0.1 * state[:, VX])
    controls[:, GEAR] = 1.0
    ground[:, GRIP] = 1.0
    cars = np.tile(car("gt").vector(), (count, 1))
    return step_cars(state, controls, ground, cars, 0.5, 50), controls, ground, cars


def figures(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    """Measure single-track steps alone, in batches, and against peers.

    Yields
    ------
    Figure
        Millions of steps per second, and how many times a peer's that is.
    """
    turns = 5 if quick else 25
    say("single-track steps")
    runs: dict[str, Callable[[], object]] = {f"kernel {n}": _kernel(n) for n in BATCHES}
    runs["checked"] = partial(step_cars, *driven_cars(1), STEP, 1)
    rate = {name: 1e-6 / spent for name, spent in medians(runs, turns).items()}
    yield at_least("batch of 4,096", rate["kernel 4096"] * 4096, 5.0, " M/s")
    yield noted("batch of 64", rate["kernel 64"] * 64, " M/s")
    yield at_least("one car, one step per call, kernel", rate["kernel 1"], 0.8, " M/s")
    yield noted("one car, one step per call, step_cars", rate["checked"], " M/s")
    for name, options in TWINS.items():
        say(f"steps against {name}")
        yield _against_twin(name, options, turns)
    say(f"steps against {COMMONROAD}")
    yield _against_commonroad(turns)


def _kernel(count: int) -> Callable[[], object]:
    state, controls, ground, cars = driven_cars(count)
    return partial(step_cars_into, state, controls, ground, cars, STEP, 1, np.empty_like(state))


def _against_twin(name: str, options: tuple[str, ...], turns: int) -> Figure:
    """Compare a batch with the same equations in C++, after both gave the same result."""
    label = f"batch of 4,096 against {name}"
    try:
        twin = build_twin(options)
    except TwinMissing as reason:
        return skipped(label, str(reason))
    with twin:
        difference = largest_difference(twin)
        if not difference <= SAME:
            return failed(label, "same result", f"results differ by {difference:.1e}")
        arrays = driven_cars(max(BATCHES))
        spent = medians(
            {"ours": _kernel(max(BATCHES)), "theirs": twin.prepared(*arrays, STEP, 1)}, turns
        )
    ratio = spent["theirs"] / spent["ours"]
    return noted(label, ratio, " x its speed", largest_difference=difference)


def largest_difference(twin: Twin) -> float:
    """Return by how much the C++ twin's cars differ from ours after one step of many."""
    state, controls, ground, cars = driven_cars(max(BATCHES))
    ours = step_cars(state, controls, ground, cars, STEP, 1)
    return float(np.abs(ours - twin.step(state, controls, ground, cars, STEP, 1)).max())


def _against_commonroad(turns: int) -> Figure:
    """Compare one car with the CommonRoad model of a BMW, stepped in Python."""
    label = f"one car against {COMMONROAD}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = _commonroad_step()
            spent = medians({"ours": _kernel(1), "theirs": theirs}, turns)
    except ImportError:
        return skipped(label, "commonroad-vehicle-models is not installed")
    return noted(label, spent["theirs"] / spent["ours"], " x its speed")


def _commonroad_step() -> Callable[[], object]:
    rates = import_module("vehiclemodels.vehicle_dynamics_st").vehicle_dynamics_st
    parameters = import_module("vehiclemodels.parameters_vehicle2").parameters_vehicle2()
    state, command = [0.0, 0.0, 0.02, 20.0, 0.3, 0.1, 0.01], [0.1, 1.0]

    def step() -> list[float]:
        def moved(slope: list[float], time: float) -> list[float]:
            return [value + time * rate for value, rate in zip(state, slope, strict=True)]

        k1 = rates(state, command, parameters)
        k2 = rates(moved(k1, 0.5 * STEP), command, parameters)
        k3 = rates(moved(k2, 0.5 * STEP), command, parameters)
        k4 = rates(moved(k3, STEP), command, parameters)
        mean = [(a + 2.0 * (b + c) + d) / 6.0 for a, b, c, d in zip(k1, k2, k3, k4, strict=True)]
        return moved(mean, STEP)

    return step
