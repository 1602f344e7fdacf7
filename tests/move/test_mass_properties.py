"""Mass properties, against the closed form of a box of points."""

from __future__ import annotations

import numpy as np
import pytest

from headway.errors import InputError
from headway.move.mass_properties import mass_properties


def test_mass_properties_of_a_box_of_points():
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)], float)
    shape = mass_properties(corners + 5.0, np.full(8, 0.5))
    assert shape.mass == 4.0
    np.testing.assert_allclose(shape.centre, 5.0)
    np.testing.assert_allclose(shape.inertia, 4.0 * np.diag((4 + 9, 1 + 9, 1 + 4)), atol=1e-12)
    np.testing.assert_allclose(shape.moments, (20.0, 40.0, 52.0))
    assert np.linalg.det(shape.axes) == pytest.approx(1.0)
    np.testing.assert_allclose(
        shape.axes @ np.diag(shape.moments) @ shape.axes.T, shape.inertia, atol=1e-12
    )


def test_misuse_is_named():
    with pytest.raises(InputError, match="zero"):
        mass_properties([(0, 0), (1, 1)], [0.0, 0.0])
    with pytest.raises(InputError, match="shape"):
        mass_properties([(0, 0), (1, 1)], [1.0])


@pytest.mark.parametrize("points", ["x", None, [(1.0, 2.0), (1.0,)]])
def test_points_that_cannot_be_read_are_named(points):
    with pytest.raises(InputError, match="points"):
        mass_properties(points, [1.0, 2.0])
