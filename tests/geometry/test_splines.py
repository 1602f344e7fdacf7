from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.geometry.splines import catmull_rom_centripetal, catmull_rom_uniform, polyline

coordinate = st.integers(-1000, 1000).map(float)
cloud = st.lists(
    st.tuples(coordinate, coordinate, coordinate), min_size=3, max_size=12, unique=True
)


def at(coefficients: np.ndarray, u: float) -> np.ndarray:
    return coefficients[:, 0] + u * (
        coefficients[:, 1] + u * (coefficients[:, 2] + u * coefficients[:, 3])
    )


def slope(coefficients: np.ndarray, u: float) -> np.ndarray:
    return coefficients[:, 1] + u * (2 * coefficients[:, 2] + 3 * u * coefficients[:, 3])


def pyramid(p0, p1, p2, p3, part):
    """Barry and Goldman's recursive evaluation of a centripetal segment."""
    t = np.cumsum(
        [0.0, *(np.sqrt(np.linalg.norm(b - a)) for a, b in ((p0, p1), (p1, p2), (p2, p3)))]
    )
    x = t[1] + part * (t[2] - t[1])

    def between(a, b, i, j):
        return ((t[j] - x) * a + (x - t[i]) * b) / (t[j] - t[i])

    a1, a2, a3 = between(p0, p1, 0, 1), between(p1, p2, 1, 2), between(p2, p3, 2, 3)
    return between(between(a1, a2, 0, 2), between(a2, a3, 1, 3), 1, 2)


@pytest.mark.parametrize("build", [catmull_rom_centripetal, catmull_rom_uniform, polyline])
@pytest.mark.parametrize("closed", [True, False])
@given(cloud)
def test_segments_run_from_point_to_point(build, closed, points):
    points = np.array(points)
    coefficients = build(points, closed)
    assert coefficients.shape == (len(points) - (not closed), 4, 3)
    assert coefficients.flags.c_contiguous
    ends = np.roll(points, -1, axis=0)[: len(coefficients)]
    assert np.allclose(at(coefficients, 0.0), points[: len(coefficients)], rtol=0, atol=1e-9)
    assert np.allclose(at(coefficients, 1.0), ends, rtol=0, atol=1e-9)


@given(cloud, st.floats(0, 1))
def test_uniform_is_the_published_matrix(points, u):
    points = np.array(points)
    matrix = 0.5 * np.array([[0, 2, 0, 0], [-1, 0, 1, 0], [2, -5, 4, -1], [-1, 3, -3, 1]])
    found = at(catmull_rom_uniform(points, True), u)
    count = len(points)
    for k in range(count):
        four = points[[k - 1, k, (k + 1) % count, (k + 2) % count]]
        assert np.allclose(u ** np.arange(4) @ matrix @ four, found[k], rtol=0, atol=1e-9)


def test_an_open_uniform_curve_is_its_own_neighbour_at_the_ends():
    points = np.array([[0.0, 0, 0], [10, 0, 0], [10, 10, 0]])
    assert catmull_rom_uniform(points, False)[0, 1].tolist() == [5.0, 0.0, 0.0]


@given(cloud, st.floats(0, 1))
def test_centripetal_is_barry_and_goldmans_pyramid(points, part):
    points = np.array(points)
    count = len(points)
    found = at(catmull_rom_centripetal(points, True), part)
    for k in range(count):
        four = points[[k - 1, k, (k + 1) % count, (k + 2) % count]]
        assert np.allclose(pyramid(*four, part), found[k], rtol=0, atol=1e-8)
    padded = np.concatenate(([2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]))
    found = at(catmull_rom_centripetal(points, False), part)
    for k in range(count - 1):
        assert np.allclose(pyramid(*padded[k : k + 4], part), found[k], rtol=0, atol=1e-8)


@given(cloud)
def test_centripetal_keeps_its_direction_through_waypoints(points):
    coefficients = catmull_rom_centripetal(np.array(points), True)
    arriving, leaving = np.roll(slope(coefficients, 1.0), 1, axis=0), slope(coefficients, 0.0)
    sizes = np.linalg.norm(arriving, axis=1) * np.linalg.norm(leaving, axis=1)
    assert np.allclose((arriving * leaving).sum(axis=1), sizes, rtol=1e-9, atol=1e-6)
