"""Arguments for one agent or many: what is read, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from headway.errors import InputError
from headway.geometry.options import seconds
from headway.geometry.rows import (
    finite_rows,
    indices,
    infinity_allowed,
    numbers,
    positions,
    raised,
    refuse,
    vectors,
)

EVERY_OTHER = np.arange(12.0).reshape(6, 2)[::2]


def test_infinity_alone_is_allowed() -> None:
    assert infinity_allowed(math.inf) == 0.0
    allowed = infinity_allowed([1.0, math.inf, -math.inf, math.nan])
    np.testing.assert_array_equal(allowed, [1.0, 0.0, -math.inf, math.nan])


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_seconds_are_above_zero_and_finite(value: float) -> None:
    assert type(seconds("dt", 1)) is float
    with pytest.raises(InputError, match=r"dt is .*: give seconds, above zero\."):
        seconds("dt", value)


def test_points_of_the_plane_are_raised_to_zero() -> None:
    flat, there = np.ones((4, 5, 2)), np.ones((4, 5, 3))
    assert raised(there) is there
    np.testing.assert_array_equal(raised(flat), there * (1.0, 1.0, 0.0))


def test_rows_are_of_a_known_shape_and_finite() -> None:
    assert finite_rows("wall", [[(0, 0), (1, 0)]], (2, (2, 3))).shape == (1, 2, 2)
    assert finite_rows("wall", [], (2, (2, 3))).shape == (0, 2, 3)
    assert finite_rows("point", np.empty((0, 2)), ((2, 3),)).shape == (0, 2)
    assert finite_rows("radius", [1, 2], ()).shape == (2,)
    for wrong in ([1.0, 2.0], [[1.0]], [[[1.0, 2.0]]]):
        with pytest.raises(InputError, match=r"point has shape .*: give \(K, 2 or 3\)\."):
            finite_rows("point", wrong, ((2, 3),))
    with pytest.raises(InputError, match="point 1 has a number that is not finite"):
        finite_rows("point", [(0.0, 0.0), (1.0, math.nan)], (2,))
    with pytest.raises(InputError, match="point cannot be read as numbers"):
        finite_rows("point", [(0.0, 0.0), (1.0,)], (2,))


@pytest.mark.parametrize(
    "rows",
    [
        EVERY_OTHER,
        np.asfortranarray(EVERY_OTHER),
        EVERY_OTHER.astype(np.float32),
        EVERY_OTHER.astype(int),
        EVERY_OTHER.tolist(),
    ],
)
def test_rows_are_laid_out_one_after_the_other(rows: Any) -> None:
    flat, shape = positions("position", rows)
    assert shape == (3, 2)
    assert flat.dtype == np.float64
    assert flat.flags.c_contiguous
    assert flat.tolist() == EVERY_OTHER.ravel().tolist()
    assert vectors("velocity", rows, shape).tolist() == flat.tolist()


def test_one_for_all_is_left_as_one() -> None:
    assert vectors("velocity", (1, 2), (3, 2)).tolist() == [1.0, 2.0]
    assert numbers("radius", 2, (3, 2)).tolist() == [2.0]
    assert numbers("radius", [1, 2, 3], (3, 2)).tolist() == [1.0, 2.0, 3.0]
    assert numbers("radius", np.array(2.5), (2,)).tolist() == [2.5]


@pytest.mark.parametrize("shape", [(), (4,), (3, 4), (2, 2, 2)])
def test_positions_are_in_the_plane_or_in_space(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="position has shape"):
        positions("position", np.zeros(shape))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vectors("v", np.zeros((2, 2)), (3, 2)), r"give \(2,\) or \(3, 2\)"),
        (lambda: vectors("v", np.zeros(3), (2,)), r"give \(2,\), as"),
        (lambda: numbers("r", np.zeros(2), (3, 2)), r"give one number, or \(3,\)"),
        (lambda: numbers("r", np.zeros(2), (2,)), r"give one number\."),
        (lambda: numbers("r", "wide", (2,)), "r cannot be read as numbers"),
        (lambda: vectors("v", [(0, 0), (0,)], (2, 2)), "v cannot be read as numbers"),  # type: ignore
        (lambda: positions("p", (10**400, 0)), "p cannot be read as numbers"),
        (lambda: positions("p", ("1", "2")), "p cannot be read as numbers"),  # type: ignore
        (lambda: positions("p", (None, 2.0)), "p cannot be read as numbers"),  # type: ignore
        (lambda: positions("p", np.zeros(2, "datetime64[s]")), "p cannot be read as numbers"),
        (lambda: numbers("r", 10**400, (2,)), "r cannot be read as numbers"),
        (lambda: indices("ids", [0.5], (1,)), "ids is .* whole numbers"),
        (lambda: indices("ids", [1, 2], (1,)), r"ids has shape \(2,\): give whole numbers"),
        (lambda: indices("ids", [2**63], (1,)), "ids is .* below 2.63"),
        (lambda: indices("ids", [[1], [1, 2]], (2,)), "ids cannot be read"),  # type: ignore
    ],
)
def test_shapes_that_do_not_fit_are_named(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"position": (0.0, math.nan)}, r"^position is \[ 0\. nan\]: give finite numbers\.$"),
        ({"position": [(0, 0), (0, math.inf)]}, r"^position of agent 1 is \[ 0\. inf\]"),
        ({"position": (0, 0), "speed_": -1.0}, r"^speed is -1\.0: give a finite number, zero or"),
        ({"speed_": [1.0, -2.0]}, r"^speed of agent 1 is -2\.0"),
        ({"shift": -1.0, "speed_": math.nan}, r"^speed is nan"),
        ({"position": (1e200, 0), "speed_": 1.0}, r"^position: the numbers are too large"),
        ({"shift": (1e9, 0), "speed_": 1e9}, r"^shift, speed: the numbers are too large"),
    ],
)
def test_the_argument_to_blame_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        refuse(**arguments)
