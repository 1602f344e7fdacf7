"""The C++ twin computes what the Python model computes, to the last digits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.bench.cpp_twin import Twin, TwinMissing, build_twin, columns_header
from headway.bench.vehicle_steps import SAME, driven_cars, largest_difference
from headway.move.car import CARS
from headway.move.single_track import step_cars


@pytest.fixture(scope="module")
def twin() -> Iterator[Twin]:
    try:
        built = build_twin(("-O1",))
    except TwinMissing as reason:
        pytest.skip(str(reason))
    with built:
        yield built


def test_a_batch_of_driven_cars_is_the_same(twin: Twin) -> None:
    assert largest_difference(twin) <= SAME


@given(
    name=st.sampled_from(sorted(CARS)),
    velocity=st.tuples(st.floats(-5, 70), st.floats(-5, 5), st.floats(-2, 2)),
    angles=st.tuples(st.floats(-3.1, 3.1), st.floats(-0.3, 0.3)),
    controls=st.tuples(
        st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1), st.sampled_from([1.0, -1.0])
    ),
    ground=st.tuples(st.floats(0.2, 1), st.floats(0, 2), st.floats(-1, 1), st.floats(-1, 1)),
)
@settings(max_examples=300)
def test_any_car_in_any_state_is_the_same(twin, name, velocity, angles, controls, ground) -> None:
    state = np.array([[10.0, -20.0, angles[0], *velocity, angles[1]]])
    arguments = (
        state,
        np.array([controls]),
        np.array([ground]),
        CARS[name].vector()[None],
        0.02,
        2,
    )
    difference = np.abs(step_cars(*arguments) - twin.step(*arguments))
    difference[0, 2] = min(difference[0, 2], abs(difference[0, 2] - 2 * np.pi))
    assert difference.max() <= SAME * max(1.0, np.abs(step_cars(*arguments)).max())


def test_columns_are_those_of_the_python() -> None:
    lines = columns_header().splitlines()
    assert "constexpr long YAW_RATE = 5;" in lines
    assert "constexpr double GRAVITY = 9.81;" in lines
    names = [line.split()[2] for line in lines if line.startswith("constexpr")]
    assert len(names) == len(set(names))


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(TwinMissing, match=r"no C\+\+ compiler found"):
        build_twin()


def test_a_compiler_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "false")
    with pytest.raises(TwinMissing, match=r"compiler (failed|found)"):
        build_twin()


def test_the_cars_it_is_tried_on_are_of_every_kind() -> None:
    state, controls, _, _ = driven_cars(500)
    assert state[:, 3].min() < 2.0
    assert state[:, 3].max() > 60.0
    assert (controls[:, 0] > 0.5).any()
    assert (controls[:, 1] > 0.5).any()
    assert np.abs(state[:, 4]).max() > 0.05
