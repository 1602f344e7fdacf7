from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from triangle_oracle import check_hits

from headway.errors import InputError
from headway.world.height_field import HeightField


def field(seed: int, rows: int, columns: int, cell: float, steps: bool) -> HeightField:
    rng = np.random.default_rng(seed)
    heights = rng.uniform(0.0, 1.5, (rows, columns))
    if steps:
        heights = np.round(heights)
    return HeightField(heights, cell, tuple(rng.uniform(-5.0, 5.0, 3).tolist()))


def casts(seed: int, count: int, surface: HeightField) -> tuple[np.ndarray, np.ndarray]:
    """From around the field, some straight down or along an axis, some at rest."""
    rng = np.random.default_rng([seed, 7])
    low, high = surface.mesh.vertices.min(axis=0) - 1.0, surface.mesh.vertices.max(axis=0) + 1.0
    start = rng.uniform(low, high, (count, 3))
    direction = rng.uniform(low, high, (count, 3)) - start
    direction[:3] = np.diag((-1.0, 1.0, -1.0))
    direction[3] = 0.0
    return start, direction


fields = st.builds(
    field, st.integers(0, 2**32), st.integers(2, 9), st.integers(2, 9),
    st.sampled_from((0.1, 0.7, 3.0)), st.booleans(),
)  # fmt: skip


@given(
    surface=fields, seed=st.integers(0, 2**32), radius=st.sampled_from((0.0, 0.2, 1.0)),
    reach=st.sampled_from((0.5, 30.0, np.inf)),
)  # fmt: skip
@settings(max_examples=25)
def test_the_field_answers_as_the_mesh_made_of_it(
    surface: HeightField, seed: int, radius: float, reach: float
) -> None:
    start, direction = casts(seed, 16, surface)
    mine, other = (s.sweep(start, direction, radius, reach) for s in (surface, surface.mesh))
    np.testing.assert_allclose(mine.distance, other.distance, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(mine.depth, other.depth, atol=1e-12)
    same = mine.part == other.part  # of triangles that are hit at once, either may be named
    np.testing.assert_allclose(mine.point[same], other.point[same], atol=1e-12)
    np.testing.assert_allclose(mine.normal[same], other.normal[same], atol=1e-9)
    near, far = (s.nearest(start, reach) for s in (surface, surface.mesh))
    np.testing.assert_allclose(near.distance, far.distance, rtol=1e-12, atol=1e-12)
    first, second = (s.sweep_all(start, direction, radius, reach) for s in (surface, surface.mesh))
    assert np.array_equal(first.start, second.start)
    np.testing.assert_allclose(first.distance, second.distance, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(first.point, second.point, atol=1e-9)
    half = np.random.default_rng(seed).uniform(0.0, 0.6, (16, 3))
    assert np.array_equal(
        surface.overlaps(start - half, start + half),
        surface.mesh.overlaps(start - half, start + half),
    )


@given(surface=fields, seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_sweeps_find_the_first_contact_by_brute_force(surface: HeightField, seed: int) -> None:
    start, direction = casts(seed, 16, surface)
    hits = surface.sweep(start, direction, 0.2, 9.0)
    corners = surface.mesh.vertices[surface.mesh.triangles]
    check_hits(hits, corners, start, direction, np.full(16, 0.2), 9.0)


def test_rays_straight_down_find_every_height_and_nothing_outside() -> None:
    heights = np.random.default_rng(2).uniform(-1.0, 1.0, (6, 8))
    surface = HeightField(heights, 0.5, (100.0, -3.0, 7.0))
    row, column = np.indices(heights.shape).reshape(2, -1)
    start = np.stack((100.0 + 0.5 * column, -3.0 + 0.5 * row, 0.0 * row + 20.0), axis=1)
    hits = surface.ray(start, [0.0, 0.0, -1.0])
    np.testing.assert_allclose(20.0 - hits.distance, 7.0 + heights.ravel(), rtol=1e-12)
    assert (hits.normal[:, 2] > 0.0).all()
    start[:, 0] += 4.0
    assert not np.isfinite(surface.ray(start, [0.0, 0.0, -1.0]).distance).any()


def test_boxes_at_the_rim_touch_it() -> None:
    surface = HeightField(np.zeros((4, 4)), 0.1, (0.3, 0.6, 0.0))
    far = surface.mesh.vertices.max(axis=0)
    near = surface.mesh.vertices.min(axis=0)
    apart = np.array([1e-6, 0.0, 0.0])
    lowest = [far, near - 1.0, far + apart, near - 1.0]
    highest = [far + 1.0, near, far + 1.0, near - apart]
    assert surface.overlaps(lowest, highest).tolist() == [True, True, False, False]


def test_a_long_way_over_the_ground_ends_at_the_first_hill() -> None:
    heights = np.zeros((400, 400))
    heights[:, 300] = 5.0
    surface = HeightField(heights, 1.0)
    hits = surface.sweep([[2.0, 7.3, 1.0], [2.0, 7.3, 6.5]], [1.0, 0.0, 0.0], 0.5, np.inf)
    slope = np.hypot(1.0, 5.0)  # up 5 m on the last metre
    assert hits.distance[0] == pytest.approx(299.0 + 1.0 / 5.0 - 0.5 * slope / 5.0 - 2.0)
    assert hits.distance[1] == np.inf


@pytest.mark.parametrize(
    ("heights", "cell", "origin", "said"),
    [
        ([[0.0, 1.0]], 1.0, (0, 0, 0), "heights have shape"),
        ([[0.0, 1.0], [0.0, np.nan]], 1.0, (0, 0, 0), "row 1, column 1"),
        (np.zeros((2, 2)), 0.0, (0, 0, 0), "cell_size"),
        (np.zeros((2, 2)), np.nan, (0, 0, 0), "cell_size"),
        (np.zeros((2, 2)), 1.0, (0, 0), "origin"),
        (np.zeros((2, 2)), 1.0, (0, 0, np.inf), "origin"),
        ("none", 1.0, (0, 0, 0), "cannot be read"),
    ],
)
def test_what_is_no_field_is_refused(
    heights: object, cell: float, origin: tuple[float, float, float], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        HeightField(heights, cell, origin)  # pyright: ignore[reportArgumentType]


def test_queries_that_cannot_be_answered_are_refused() -> None:
    surface = HeightField(np.zeros((3, 3)), 1.0)
    bad = np.array([[0.0, np.nan, 0.0]])
    for sweep in (surface.sweep, surface.sweep_all):
        with pytest.raises(InputError, match="start of agent 0"):
            sweep(bad, [0.0, 0.0, 1.0], 0.1, 1.0)
    with pytest.raises(InputError, match="points of agent 0"):
        surface.nearest(bad)
    with pytest.raises(InputError, match="lowest of agent 0"):
        surface.overlaps(bad, bad)


def test_the_heights_are_a_copy_that_stays_as_it_is() -> None:
    given = np.zeros((2, 2))
    field = HeightField(given, 1.0)
    given += 5.0
    assert field.ray([(0.5, 0.5, 3.0)], [(0.0, 0.0, -1.0)]).distance.tolist() == [3.0]
    with pytest.raises(ValueError, match="read-only"):
        field.heights[0, 0] = 1.0
