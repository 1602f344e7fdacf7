"""Flow fields against SciPy's interpolation, and at and beyond their border."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariance_checks import check_nobody, check_one_as_in_a_crowd, check_order_does_not_matter
from scipy.ndimage import map_coordinates

from headway.errors import InputError
from headway.steer.flow import follow_flow


def blended(field: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The field at places (N, d), in cells, clamped to its border: by SciPy."""
    at = np.clip(places[:, ::-1].T, 0, np.array(field.shape[:-1])[:, None] - 1)
    parts = [map_coordinates(part, at, order=1) for part in np.moveaxis(field, -1, 0)]
    return np.column_stack(parts)


def made(d: int, seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, d)
    field, origin = rng.normal(size=(*sizes, d)), rng.normal(size=d)
    position = rng.uniform(-2.0, 8.0, size=(25, d))
    return field, origin, position, rng.normal(size=(25, d))


@pytest.mark.parametrize("d", [2, 3])
@given(st.integers(0, 2**32))
def test_as_scipy_blends(d: int, seed: int) -> None:
    field, origin, position, velocity = made(d, seed)
    places = (position + 0.4 * velocity - origin) / 1.3
    flow = blended(field, places)
    wanted = 2.0 * flow / np.linalg.norm(flow, axis=1, keepdims=True)
    look: dict[str, Any] = {"origin": origin, "cell": 1.3, "prediction_time": 0.4}
    steering = follow_flow(position, velocity, field, 2.0, **look)
    np.testing.assert_allclose(steering, wanted - velocity, atol=1e-8)

    inside = np.all((places >= 0) & (places <= np.array(field.shape[-2::-1]) - 1), axis=1)
    within = follow_flow(position, velocity, field, 2.0, outside="zero", **look)
    np.testing.assert_array_equal(within, np.where(inside[:, None], steering, 0.0))


def test_where_the_flow_vanishes_agents_stop() -> None:
    field = np.zeros((2, 2, 2))
    assert follow_flow((0.5, 0.5), (1.0, -2.0), field, 3.0).tolist() == [-1.0, 2.0]


def test_on_the_last_point_the_field_is_that_of_the_point() -> None:
    field = np.arange(12.0).reshape(2, 3, 2) - 5.0
    steering = follow_flow((2.0, 1.0), (0.0, 0.0), field, np.hypot(5.0, 6.0), outside="zero")
    np.testing.assert_allclose(steering, (5.0, 6.0))


@pytest.mark.parametrize("d", [2, 3])
def test_invariances(d: int) -> None:
    field, origin, position, velocity = made(d, 1)

    def behaviour(p, v):
        return follow_flow(p, v, field, 2.0, origin=origin, prediction_time=0.5)

    check_one_as_in_a_crowd(behaviour, position, velocity)
    check_order_does_not_matter(behaviour, position, velocity)
    check_nobody(behaviour, d)
    shift = np.full(d, 100.0)
    moved = follow_flow(
        position + shift, velocity, field, 2.0, origin=origin + shift, prediction_time=0.5
    )
    np.testing.assert_allclose(moved, behaviour(position, velocity), atol=1e-9)


def test_a_quarter_turn_turns_the_steering() -> None:
    field, _, position, velocity = made(2, 2)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    turned_field = np.swapaxes(field, 0, 1)[:, ::-1] @ turn.T
    plain = follow_flow(position, velocity, field, 1.0)
    rows = field.shape[0]
    origin = (-(rows - 1.0), 0.0)
    turned = follow_flow(position @ turn.T, velocity @ turn.T, turned_field, 1.0, origin=origin)
    np.testing.assert_allclose(turned, plain @ turn.T, atol=1e-9)


def test_a_field_that_is_read_only_is_as_good() -> None:
    field = np.ones((2, 2, 2))
    field.flags.writeable = False
    np.testing.assert_allclose(follow_flow((0.0, 0.0), (0.0, 0.0), field, 1.0), np.sqrt((0.5, 0.5)))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"field": np.zeros((2, 2, 3))}, "field"),
        ({"field": np.zeros((2, 0, 2))}, "field"),
        ({"field": np.full((2, 2, 2), np.nan)}, "field"),
        ({"cell": 0.0}, "cell"),
        ({"prediction_time": -1.0}, "prediction_time"),
        ({"outside": "wrap"}, "outside"),
        ({"origin": np.zeros(3)}, "origin"),
        ({"position": (np.nan, 0.0)}, "position"),
        ({"max_speed": -1.0}, "max_speed"),
    ],
)
def test_what_cannot_be_used_is_named(change: dict[str, Any], named: str) -> None:
    fair = {
        "position": np.zeros(2), "velocity": np.zeros(2), "field": np.ones((2, 2, 2)),
        "max_speed": 1.0,
    }  # fmt: skip
    with pytest.raises(InputError, match=named):
        follow_flow(**{**fair, **change})
