from __future__ import annotations

import numpy as np
import pytest

from headway.errors import InputError
from headway.world.waypoints import (
    check_spacing,
    checked_waypoints,
    checked_widths,
    finite_numbers,
    same_place,
)


@pytest.mark.parametrize("value", ["text", [["a"]], [1, [2, 3]], None, object(), [1j], 10**400])
def test_what_is_no_number_is_refused_by_name(value):
    with pytest.raises(InputError, match=r"^speed (is not an array of numbers|is nan)"):
        finite_numbers("speed", value)


def test_numbers_are_copied_into_a_fresh_float_array():
    given = np.arange(6, dtype=np.int32).reshape(2, 3).T
    given.flags.writeable = False
    numbers = finite_numbers("s", given)
    assert numbers.dtype == np.float64
    assert numbers.flags.c_contiguous
    assert numbers.flags.writeable
    assert np.array_equal(numbers, given)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_index_of_a_bad_number_is_named(bad):
    with pytest.raises(InputError, match=r"^s\[1, 0\] is "):
        finite_numbers("s", [[0.0, 1.0], [bad, 2.0]])
    with pytest.raises(InputError, match=r"^s is "):
        finite_numbers("s", bad)


@pytest.mark.parametrize("shape", [(), (0,), (4,), (4, 1), (4, 4), (2, 2, 2)])
def test_other_shapes_of_waypoints_are_refused(shape):
    with pytest.raises(InputError, match="shape"):
        checked_waypoints(np.zeros(shape))


def test_a_far_waypoint_is_named():
    with pytest.raises(InputError, match=r"points\[2\] lies beyond 1e\+07 m"):
        checked_waypoints([(0, 0), (5, 5), (0, 2e7)])


@pytest.mark.parametrize("bad", [0.0, -1.0, 1e8])
def test_a_width_that_cannot_be_is_named(bad):
    with pytest.raises(InputError, match=r"widths\[1, 0\] is "):
        checked_widths([(1, 1), (bad, 1)], 2)


def test_widths_must_match_the_waypoints():
    with pytest.raises(InputError, match=r"\(3, 2\) is needed"):
        checked_widths([(1, 1), (1, 1)], 3)


def test_same_place():
    assert same_place(np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-7]))
    assert not same_place(np.array([1.0, 2.0, 0.0]), np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize(("count", "closed"), [(0, False), (1, False), (0, True), (2, True)])
def test_too_few_waypoints(count, closed):
    with pytest.raises(InputError, match=f"holds {count} different waypoints"):
        check_spacing(np.arange(2.0 * count).reshape(count, 2), closed)


def test_neighbours_at_one_place_are_both_named():
    points = np.array([(0, 0), (1, 0), (1, 0), (0, 1)], dtype=float)
    with pytest.raises(InputError, match=r"points\[1\] and points\[2\]"):
        check_spacing(points, closed=False)
    around = np.array([(0, 0), (1, 0), (0, 1), (1e-8, 0)], dtype=float)
    check_spacing(around, closed=False)
    with pytest.raises(InputError, match=r"points\[3\] and points\[0\]"):
        check_spacing(around, closed=True)


def test_waypoints_above_each_other_are_at_one_place():
    with pytest.raises(InputError, match=r"points\[0\] and points\[1\]"):
        check_spacing(np.array([(0, 0, 0), (0, 0, 9), (5, 0, 9)], dtype=float), closed=False)
