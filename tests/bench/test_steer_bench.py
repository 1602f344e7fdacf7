"""The parts of the steering benchmark yield what they promise, on crowds that take no time."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest

from headway.bench import (
    path,
    race,
    steer,
    steer_arrival,
    steer_calls,
    steer_crowds,
    steer_decisions,
    steer_sweeps,
)
from headway.bench.headline import Figure
from headway.cli import main
from headway.decide.machine_run import begin, step
from headway.steer.arrive import arrive
from headway.world.hits import Hits
from headway.world.triangle_mesh import TriangleMesh


def found(measure: Callable[..., Iterator[Figure]], quick: bool = True) -> dict[str, Figure]:
    figures = {figure.name: figure for figure in measure(quick, lambda text: None)}
    for figure in figures.values():
        json.dumps(dict(figure.values), allow_nan=False)
        assert figure.met in (True, False, None)
    return figures


def test_the_help_names_every_part(capsys) -> None:
    assert main(["bench", "--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert all(part in printed for part in steer.PARTS)


def test_no_two_benchmarks_have_a_part_of_the_same_name() -> None:
    assert not steer.PARTS.keys() & (race.PARTS.keys() | path.PARTS.keys())


def test_every_behaviour_is_timed_in_plane_and_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steer_calls, "MANY", 50)
    basic = {name: steer_calls.BASIC[name] for name in ("seek", "match velocity")}
    some = {
        name: steer_calls.OTHERS[name] for name in ("arrive in a time", "turn with the velocity")
    }
    monkeypatch.setattr(steer_calls, "BASIC", basic)
    monkeypatch.setattr(steer_calls, "OTHERS", some)
    single, each, *others = found(steer_calls.figures).values()
    assert (single.values["bound"], each.values["bound"]) == (2.0, 15.0)
    for figure in (single, each):
        costs = {
            f"{name}, {d}D": figure.values[f"{name}, {d}D"]
            for name in steer_calls.BASIC
            for d in (2, 3)
        }
        slowest = max(costs, key=costs.__getitem__)
        assert figure.values["value"] == costs[slowest] > 0.0
        assert figure.measured.endswith(f"({slowest})")
    assert [figure.name.partition(":")[0] for figure in others] == list(some)
    assert others[0].values["arrive in a time, 3D"]["agent_ns"] > 0.0


@pytest.mark.parametrize("d", [2, 3])
def test_one_agent_is_asked_with_plain_numbers(d: int) -> None:
    one, many = steer_calls.arguments(None, d), steer_calls.arguments(7, d)
    assert one.position.shape == (d,)
    assert type(one.speed) is float
    assert many.position.shape == (7, d)
    assert np.shape(many.speed) == (7,)
    np.testing.assert_allclose(np.linalg.norm(many.forward, axis=1), 1.0)
    points = one.path.points
    assert len(points) == steer_calls.LEGS
    assert one.path.closed


def test_the_least_time_is_that_of_the_textbook() -> None:
    least = steer_arrival.least_time(*np.array([[2.0, 1.0, 6.0], [9.0, 4.0, 16.0]]).T)
    assert least.tolist() == [5.0, 4.0]


@pytest.fixture
def few_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steer_arrival, "MAX_SPEEDS", (5.0,))
    monkeypatch.setattr(steer_arrival, "DISTANCES", (30.0,))
    monkeypatch.setattr(steer_arrival, "STEPS", (0.1,))


@pytest.mark.usefixtures("few_bodies")
def test_arrivals_are_compared_with_the_least_time() -> None:
    overshoot, late, *classic = found(steer_arrival.figures).values()
    assert overshoot.met
    assert late.met
    assert (overshoot.values["bound"], late.values["bound"]) == (0.05, 1.02)
    assert late.values["value"] > 0.98
    assert len(classic) == len(steer_arrival.CLASSIC)
    assert classic[0].values["value"] > 1.0, "slowing down within a metre is too late"
    assert all(figure.values["of"] == 3 for figure in classic)


@pytest.mark.usefixtures("few_bodies")
def test_a_law_that_overshoots_or_never_arrives_is_found() -> None:
    def beyond(p, v, goal, fastest, acceleration, dt):
        return arrive(p, v, goal + np.array((0.6, 0.8)), fastest, acceleration, dt)

    def never(p, v, goal, fastest, acceleration, dt):
        return -v

    runs = steer_arrival.runs(beyond, 0.1, 1.5)
    np.testing.assert_allclose(runs.beyond, 1.0)
    assert not runs.there.any()
    runs = steer_arrival.runs(never, 0.1, 1.5)
    assert not runs.there.any()
    assert (runs.late > 1.02).all()


@pytest.fixture
def small_crowds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steer_crowds, "COUNTS", (60,))
    monkeypatch.setattr(steer_crowds, "RING", 6)
    monkeypatch.setattr(steer_crowds, "RING_RADIUS", 12.0)
    monkeypatch.setattr(steer_crowds, "PATIENCE", 300)


@pytest.mark.usefixtures("small_crowds")
def test_crowds_are_compared_with_the_peer() -> None:
    pytest.importorskip("pyrvo")
    figures = found(steer_crowds.figures, quick=False)
    assert figures["ORCA, 60 agents, as RVO2, to RVO2 in C++"].values["bound"] == 3.0
    assert figures["ORCA, 60 agents, as RVO2, difference after one step"].met
    assert figures["deepest overlap on the way"].met
    assert 90 < figures["steps of pyrvo from the same places"].values["value"] <= 300


@pytest.mark.usefixtures("small_crowds")
def test_without_the_peer_nothing_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str):
        raise ImportError(name)

    monkeypatch.setattr(steer_crowds, "import_module", missing)
    figures = found(steer_crowds.figures, quick=False)
    skipped = [figure for figure in figures.values() if "skipped" in figure.values]
    assert [figure.values["skipped"] for figure in skipped] == ["pyrvo is not installed"] * 3
    assert figures["ORCA, 60 agents, safe"].values["value"] > 0.0


def test_nobody_overlaps_at_the_start() -> None:
    position, goal = steer_crowds.to_and_fro(300)
    gaps = np.linalg.norm(position[:, np.newaxis] - position, axis=2)
    assert gaps[~np.eye(300, dtype=bool)].min() > 2.0 * steer_crowds.RADIUS
    assert position.shape == goal.shape == (300, 2)
    area = np.prod(np.ptp(position, axis=0))
    assert 300 * math.pi * 1.5**2 / area == pytest.approx(0.15, rel=0.15)


def test_an_overlap_on_the_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def straight(position, velocity, wanted, *args, **options):
        return wanted

    monkeypatch.setattr(steer_crowds, "orca", straight)
    ends = np.array([(-12.0, 0.0), (12.0, 0.0)])
    steps, deepest = steer_crowds.cross(steer_crowds.Crowd(ends, -ends, "safe"))
    assert steps == math.ceil((24.0 - 1.5) / 0.25)
    assert deepest == pytest.approx(2.0)
    monkeypatch.setattr(steer_crowds, "PATIENCE", 5)
    assert steer_crowds.cross(steer_crowds.Crowd(ends, -ends, "safe"))[0] == 5


@pytest.fixture
def small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steer_sweeps, "TRIANGLES", 2_000)
    monkeypatch.setattr(steer_sweeps, "CASTS", 200)
    monkeypatch.setattr(steer_sweeps, "CELLS", 20)


@pytest.mark.usefixtures("small_room")
def test_casts_are_timed_and_compared_with_brute_force() -> None:
    sweep, near, exact, *others = found(steer_sweeps.figures).values()
    assert (sweep.values["bound"], exact.values["bound"]) == (1.0, 1e-5)
    assert exact.met
    assert 0.1 < sweep.values["hit"] < near.values["hit"] < 0.9
    assert all(figure.values["value"] > 0.0 for figure in others)
    assert len(others) == 5


@pytest.mark.usefixtures("small_room")
def test_the_room_has_about_as_many_triangles_as_asked_for() -> None:
    corners, triangles = steer_sweeps.room()
    assert len(triangles) == pytest.approx(2_000, rel=0.1)
    assert np.unique(triangles).tolist() == list(range(len(corners)))
    edges = corners[triangles[:, 1:]] - corners[triangles[:, :1]]
    assert (np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1) > 1e-6).all()


@pytest.mark.usefixtures("small_room")
def test_a_wrong_or_missing_hit_is_found() -> None:
    corners, triangles = steer_sweeps.room()
    faces = corners[triangles]
    _, near, way = steer_sweeps.flights(faces, 60)
    hits = TriangleMesh(corners, triangles).sweep(near, way, 0.05, 0.5)
    row = int(np.flatnonzero(np.isfinite(hits.distance) & (hits.distance < 0.4))[0])
    for wrong in (hits.distance[row] + 0.01, math.inf):
        distance = hits.distance.copy()
        distance[row] = wrong
        changed = Hits(distance, hits.point, hits.normal, hits.part, hits.depth)
        error = steer_sweeps.worst_error(faces, near, way, changed, 60)
        assert error == pytest.approx(min(wrong, 0.5) - hits.distance[row])


@pytest.mark.parametrize(
    ("start", "way", "expected"),
    [
        ((0.2, 0.2, 2.0), (0.0, 0.0, -1.0), 1.5),  # on the face
        ((0.2, 0.2, 0.4), (0.0, 0.0, 1.0), 0.0),  # it touches already
        ((0.5, -2.0, 0.3), (0.0, 1.0, 0.0), 1.6),  # on an edge
        ((-2.0, 0.0, 0.3), (1.0, 0.0, 0.0), 1.6),  # on a corner
        ((0.2, 0.2, 2.0), (0.0, 0.0, 1.0), math.inf),
        ((0.2, 0.2, -2.0), (0.0, 0.0, 1.0), 1.5),  # from below
    ],
)
def test_brute_force_is_right_about_one_triangle(start, way, expected) -> None:
    triangle = np.array([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]])
    touch = steer_sweeps.first_touch(triangle, np.array(start), np.array(way), 0.5)
    assert touch == pytest.approx(expected)
    none = np.empty((0, 3, 3))
    assert steer_sweeps.first_touch(none, np.array(start), np.array(way), 0.5) == math.inf


@pytest.fixture
def few_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steer_decisions, "AGENTS", 100)


@pytest.mark.usefixtures("few_agents")
def test_decisions_are_timed() -> None:
    transitions, build, *others = found(steer_decisions.figures).values()
    assert (transitions.values["bound"], build.values["bound"]) == (50.0, 50.0)
    assert len(others) == 4
    assert all(figure.values["value"] > 0.0 for figure in (transitions, build, *others))


@pytest.mark.usefixtures("few_agents")
def test_every_agent_makes_a_transition_in_what_is_timed() -> None:
    memory, changes = steer_decisions.by_events()()
    assert (changes.fired >= 0).all()
    assert len(np.unique(memory.state)) == steer_decisions.STATES
    machine = steer_decisions.table()
    memories = [begin(machine, 3)[0]]
    for _ in range(3):
        memories.append(step(machine, memories[-1], None, 0.1, "event 0")[0])
    assert all((b.state == (a.state + 1) % 8).all() for a, b in pairwise(memories))


@pytest.mark.usefixtures("few_agents")
def test_what_is_timed_does_something() -> None:
    _, changes = steer_decisions.by_guards()()
    assert 0 < (changes.fired >= 0).sum() < 100
    assert 0.02 < steer_decisions.looking()().mean() < 0.9
    assert np.ptp(steer_decisions.concluding(100)()) > 0.3
