"""The point mass, against closed forms, a twin in NumPy and trajectories of Yuka."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from conftest import find_data_folder
from headway.errors import InputError
from headway.move.point_mass import step_points, velocity_for

LIMITS = {"mass": 2.0, "max_speed": 3.0, "max_force": 5.0, "dt": 0.02}
FINITE = st.floats(-1e6, 1e6)


def some(d=3, n=40, seed=0):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=(n, d)) * scale for scale in (10.0, 3.0, 8.0))


def capped(vectors, most):
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors * np.minimum(1.0, most / np.maximum(size, 1e-300))


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("way", ["semi_implicit", "explicit", "midpoint"])
def test_a_step_is_that_of_a_twin(d, way):
    p, v, f = some(d)
    at, after = step_points(p, v, f, integration=way, **LIMITS)
    twin = capped(v + capped(f, 5.0) / 2.0 * 0.02, 3.0)
    moved_by = {"semi_implicit": twin, "explicit": v, "midpoint": 0.5 * (v + twin)}[way]
    np.testing.assert_allclose(after, twin, rtol=1e-12)
    np.testing.assert_allclose(at, p + moved_by * 0.02, rtol=1e-12)


def test_midpoint_is_exact_under_a_constant_force():
    p, v = np.zeros(3), np.array([1.0, -2.0, 3.0])
    force = np.array([0.5, 0.1, -0.3])
    free = {"mass": 2.0, "max_speed": math.inf, "max_force": math.inf, "integration": "midpoint"}
    for _ in range(100):
        p, v = step_points(p, v, force, dt=0.1, **free)
    np.testing.assert_allclose(p, [1.0 * 10, -20, 30] + 0.5 * force / 2.0 * 100, rtol=1e-12)
    np.testing.assert_allclose(v, [1.0, -2, 3] + force / 2.0 * 10, rtol=1e-12)


def test_semi_implicit_keeps_an_orbit_closed_and_explicit_does_not():
    radius = {}
    for way in ("semi_implicit", "explicit"):
        p, v = np.array([1.0, 0.0]), np.array([0.0, 1.0])
        for _ in range(5000):
            p, v = step_points(
                p, v, -p, mass=1.0, max_speed=9.0, max_force=9.0, dt=0.02, integration=way
            )
        radius[way] = math.hypot(*p)
    assert radius["semi_implicit"] == pytest.approx(1.0, abs=0.02)
    assert radius["explicit"] > 1.5


def test_braking_has_its_own_limit():
    asked = {"mass": 1.0, "max_speed": 99.0, "max_force": 2.0, "max_braking_force": 6.0, "dt": 1.0}
    push = [(-50.0, 0.0), (50.0, 0.0), (0.0, 50.0), (-1.0, 0.5)]
    _, after = step_points([(0.0, 0.0)] * 4, (20.0, 0.0), push, **asked)
    np.testing.assert_allclose(after - [20.0, 0.0], [(-6, 0), (2, 0), (0, 2), (-1, 0.5)])


def test_equal_limits_and_no_braking_limit_are_the_same():
    p, v, f = some()
    np.testing.assert_array_equal(
        step_points(p, v, f, **LIMITS), step_points(p, v, f, max_braking_force=5.0, **LIMITS)
    )


@given(arrays(float, (5, 3), elements=FINITE), st.floats(0, 50), st.floats(0, 50))
def test_no_force_beyond_the_ellipse(push, most, braking):
    v = np.random.default_rng(1).normal(size=(5, 3))
    _, after = step_points(
        np.zeros((5, 3)), v, push, mass=1.0, max_speed=math.inf, max_force=most, dt=1.0,
        max_braking_force=braking,
    )  # fmt: skip
    given_force = after - v
    assert (np.linalg.norm(given_force, axis=1) <= max(most, braking) + 1e-9).all()
    along = (given_force * v).sum(axis=1) / np.linalg.norm(v, axis=1)
    assert (along >= -braking - 1e-9).all()
    assert (along <= most + 1e-9).all()


@given(arrays(float, (4, 3, 2), elements=FINITE))
def test_never_too_fast_and_never_nan(numbers):
    p, v, f = numbers[:, 0], numbers[:, 1], numbers[:, 2]
    at, after = step_points(p, v, f, **LIMITS)
    assert np.isfinite(at).all()
    assert (np.linalg.norm(after, axis=1) <= 3.0 * (1 + 1e-12)).all()


def test_a_body_at_rest_without_force_stays():
    at, after = step_points((1.0, 2.0), (0.0, 0.0), (0.0, 0.0), **LIMITS)
    assert at.tolist() == [1.0, 2.0]
    assert after.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("d", [2, 3])
def test_batch_is_single_whatever_the_order(d):
    p, v, f = some(d, 7)
    at, after = step_points(p, v, f, max_braking_force=9.0, **LIMITS)
    for i in reversed(range(7)):
        one = step_points(p[i], v[i], f[i], max_braking_force=9.0, **LIMITS)
        np.testing.assert_array_equal(one, (at[i], after[i]))
    none = step_points(p[:0], v[:0], f[:0], **LIMITS)
    assert none[0].shape == (0, d)


def test_turning_the_world_turns_the_result():
    p, v, f = some(3, 30)
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    at, after = step_points(p, v, f, max_braking_force=2.0, **LIMITS)
    again = step_points(p @ turn.T + 7.0, v @ turn.T, f @ turn.T, max_braking_force=2.0, **LIMITS)
    np.testing.assert_allclose(again[0], at @ turn.T + 7.0, atol=1e-9)
    np.testing.assert_allclose(again[1], after @ turn.T, atol=1e-9)


def test_velocity_for_undoes_a_force():
    _, v, f = some()
    wanted = velocity_for(v, f, mass=4.0, response=0.3)
    np.testing.assert_allclose(4.0 * (wanted - v) / 0.3, f, rtol=1e-12)
    assert velocity_for(v[:0], f[:0], mass=1.0).shape == (0, 3)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"mass": 0.0}, "mass"),
        ({"mass": [1.0, -1.0]}, "agent 1"),
        ({"max_speed": -1.0}, "max_speed"),
        ({"max_force": math.nan}, "max_force"),
        ({"max_braking_force": -2.0}, "max_braking_force"),
        ({"dt": 0.0}, "dt"),
        ({"integration": "rk4"}, "semi_implicit"),
        ({"velocity": (math.inf, 0.0)}, "velocity"),
        ({"force": (1.0, 0.0, 0.0)}, "force"),
    ],
)
def test_misuse_is_named(change, word):
    good = {"position": np.zeros((2, 2)), "velocity": (0.0, 0.0), "force": (0.0, 0.0), **LIMITS}
    with pytest.raises(InputError, match=word):
        step_points(**{**good, **change})


def trajectories():
    """Integrated trajectories of all files that have some."""
    folder = find_data_folder()
    files = sorted((folder / "steering").glob("*.json")) if folder else []
    return [
        pytest.param(file, i, id=f"{file.stem}-{i}")
        for file in files
        for i in range(len(json.loads(Path(file).read_text()).get("integrate_trajectory", [])))
    ]


def asked_by(behaviour, p, v, agent):
    """The change of velocity of seek and arrive, by their definition."""
    ((name, params),) = behaviour.items()
    way = np.array(params["target"]) - p
    distance = np.linalg.norm(way)
    if name == "seek":
        return way / distance * agent["max_speed"] - v if distance > 0 else -v
    assert name == "arrive"
    if distance <= params["tolerance"]:
        return -v
    speed = min(distance / params["deceleration_time"], agent["max_speed"])
    return way / distance * speed - v


@pytest.mark.parametrize(("file", "i"), trajectories())
def test_trajectories_of_yuka(file, i):
    case = json.loads(file.read_text())["integrate_trajectory"][i]
    agent = case["agent"]
    p, v = np.array(agent["position"], float), np.array(agent["velocity"], float)
    limits = {key: agent[key] for key in ("mass", "max_speed", "max_force")}
    wanted = {entry["step"]: entry for entry in case["trajectory"]}
    for step in range(1, max(wanted) + 1):
        push = asked_by(case["behaviour"], p, v, agent)
        p, v = step_points(p, v, push, dt=case["dt"], **limits)
        if step in wanted:
            np.testing.assert_allclose(p, wanted[step]["position"], rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(v, wanted[step]["velocity"], rtol=1e-9, atol=1e-9)


def test_a_velocity_too_large_to_compute_is_refused():
    with pytest.raises(InputError, match="too large"):
        velocity_for((0.0, 0.0), (1e308, 0.0), mass=1e-10)
