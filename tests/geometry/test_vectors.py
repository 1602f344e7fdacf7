"""Vectors as tuples, against NumPy."""

import numpy as np
import pytest

from headway.geometry import vectors


@pytest.fixture(params=range(20))
def pair(request):
    rng = np.random.default_rng(request.param)
    return rng.normal(size=(2, 3)) * 10.0 ** rng.integers(-5, 6)


def test_products_and_sums_are_those_of_numpy(pair):
    a, b = pair
    a_, b_ = tuple(a), tuple(b)
    assert vectors.plus(a_, b_) == tuple(a + b)
    assert vectors.minus(a_, b_) == tuple(a - b)
    assert vectors.times(a_, 2.5) == tuple(a * 2.5)
    assert vectors.dot(a_, b_) == pytest.approx(a @ b, rel=1e-14, abs=1e-14 * abs(a * b).sum())
    scale = np.linalg.norm(a) * np.linalg.norm(b)
    np.testing.assert_allclose(vectors.cross(a_, b_), np.cross(a, b), atol=1e-15 * scale)
    assert vectors.length(a_) == pytest.approx(np.linalg.norm(a), rel=1e-15)


def test_unit_and_limited(pair):
    a, _ = pair
    size = np.linalg.norm(a)
    np.testing.assert_allclose(vectors.unit(tuple(a)), a / size, rtol=1e-14)
    np.testing.assert_allclose(vectors.limited(tuple(a), size / 2), a / 2, rtol=1e-14)
    assert vectors.limited(tuple(a), size * 2) == tuple(a)
    assert vectors.unit((0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert vectors.limited((0.0, 0.0, 0.0), 0.0) == (0.0, 0.0, 0.0)


def test_what_is_too_long_to_be_measured_is_not_taken_for_nothing():
    assert np.isnan(vectors.unit((1e200, 0.0, 0.0))).any()
    assert np.isnan(vectors.limited((1e200, 0.0, 0.0), 1.0)).any()


def test_rows_of_flat_arrays():
    plane, space = np.arange(6.0), np.arange(9.0)
    assert vectors.vector(plane, 2, 2) == (4.0, 5.0, 0.0)
    assert vectors.vector(space, 1, 3) == (3.0, 4.0, 5.0)
    assert vectors.vector(np.array((7.0, 8.0)), 5, 2) == (7.0, 8.0, 0.0)
    assert vectors.number(np.array((7.0, 8.0)), 1) == 8.0
    assert vectors.number(np.array((7.0,)), 5) == 7.0
    assert vectors.store(space, 2, 3, (1.0, 2.0, 3.0))
    assert space[6:].tolist() == [1.0, 2.0, 3.0]
    assert not vectors.store(plane, 0, 2, (1.0, np.inf, 0.0))
    assert not vectors.store(space, 0, 3, (1.0, 0.0, np.nan))


def test_rows_of_blocks():
    many, block = np.arange(3.0 * 2 * vectors.BLOCK), np.tile((7.0, 8.0, 9.0), vectors.BLOCK)
    i, start = vectors.BLOCK + 1, vectors.BLOCK
    assert vectors.vector_of(many, i, start, 3) == (3.0 * i, 3.0 * i + 1.0, 3.0 * i + 2.0)
    assert vectors.vector_of(block, i, start, 3) == (7.0, 8.0, 9.0)
    assert vectors.vector_of(many[:4], 1, 0, 2) == (2.0, 3.0, 0.0)
    assert vectors.number_of(many, i, start) == i
    assert vectors.number_of(block[: vectors.BLOCK], i, start) == block[1]
    assert vectors.number_of(many[:2], 1, 0) == 1.0
    assert vectors.stored(many, 1, 3) == (3.0, 4.0, 5.0)
    assert vectors.stored(many, 1, 2) == (2.0, 3.0, 0.0)
