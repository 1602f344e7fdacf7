"""The middle of a loop of free space."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from headway.errors import InputError
from headway.world.centre_line import centre_line


def test_the_line_is_equally_far_from_both_walls_of_any_shape():
    y, x = np.mgrid[0:300, 0:400]
    angle = np.arctan2(y - 150, x - 200)
    radius = np.hypot(x - 200, y - 150) / (1 + 0.25 * np.sin(3 * angle))
    points, left, right = centre_line((radius > 75) & (radius < 100))
    assert np.abs(left - right).max() < 1.5
    x, y = points.T
    assert x @ np.roll(y, -1) > y @ np.roll(x, -1)


def test_any_grid_gives_a_line_or_a_reason():
    rng = np.random.default_rng(3)
    found = 0
    for blur in rng.choice([0, 0.7, 1.5, 3], size=150):
        field = gaussian_filter(rng.normal(size=rng.integers(3, 80, 2)), blur)
        free = np.pad(np.abs(field) < 0.4 * field.std(), 1)
        try:
            points, left, right = centre_line(free)
        except InputError:
            continue
        found += 1
        assert np.isfinite(points).all()
        assert min(left.min(), right.min()) > 0
    assert found > 0


def test_a_loop_that_touches_the_border_is_no_loop():
    y, x = np.mgrid[0:60, 0:60]
    radius = np.hypot(x - 29.5, y - 29.5)
    with pytest.raises(InputError, match="inside the image"):
        centre_line((radius > 20) & (radius < 31))
