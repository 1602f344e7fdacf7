"""Clearance against distances to all blocked squares, one by one, and against SciPy's transform."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import ndimage

from headway.errors import InputError
from headway.world.clearance import clearance, distance_to_blocked, soft_buffer
from headway.world.grid import Grid
from headway.world.movingai import read_movingai_map

MAPS = arrays(
    np.bool_,
    array_shapes(min_dims=2, max_dims=2, max_side=14),
    elements=st.integers(0, 6).map(bool),
)


def brute_force(free: np.ndarray, border: bool) -> np.ndarray:
    """The nearest point of each blocked square, in turn."""
    rows, columns = free.shape
    result = np.full(free.shape, np.inf)
    for row, column in np.ndindex(free.shape):
        if border:
            result[row, column] = 0.5 + min(row, column, rows - 1 - row, columns - 1 - column)
        for r, c in np.argwhere(~free):
            y, x = np.clip(row, r - 0.5, r + 0.5), np.clip(column, c - 0.5, c + 0.5)
            away = 0.0 if (r, c) == (row, column) else math.hypot(row - y, column - x)
            result[row, column] = min(result[row, column], away)
    return result


def scipy_distances(free: np.ndarray) -> np.ndarray:
    """Squares as nine points each, on a lattice of half-cells."""
    padded = np.pad(free, 1)
    fine = np.ones((2 * padded.shape[0] + 1, 2 * padded.shape[1] + 1), bool)
    rows, columns = np.nonzero(~padded)
    for i, j in np.ndindex(3, 3):
        fine[2 * rows + i, 2 * columns + j] = False
    distances = np.asarray(ndimage.distance_transform_edt(fine))
    return distances[3:-3:2, 3:-3:2] / 2


@given(MAPS, st.booleans())
def test_it_is_the_distance_to_the_nearest_square(free: np.ndarray, border: bool) -> None:
    np.testing.assert_allclose(
        distance_to_blocked(free, border), brute_force(free, border), rtol=1e-14
    )


@pytest.mark.parametrize("blocked", [0.0005, 0.02, 0.3])
def test_larger_maps(blocked: float) -> None:
    free = np.random.default_rng(1).random((150, 230)) > blocked
    np.testing.assert_allclose(distance_to_blocked(free), scipy_distances(free), rtol=1e-14)


def test_real_maps(data_folder: Path) -> None:
    folder = data_folder / "movingai"
    files = sorted([*folder.glob("**/*.map"), *folder.glob("**/*.map.gz")])
    if not files:
        pytest.skip("no MovingAI maps")
    for file in files:
        free = read_movingai_map(file).free[:200, :200]
        np.testing.assert_allclose(clearance(Grid(free)), scipy_distances(free), rtol=1e-14)


def test_metres_and_the_border() -> None:
    grid = Grid(np.ones((2, 5)), cell_size=0.2)
    np.testing.assert_allclose(clearance(grid), 0.1)
    assert np.isinf(clearance(grid, border=False)).all()
    grid.set([(0, 0)], free=False)
    room = clearance(grid, border=False)
    np.testing.assert_allclose(room[0], [0.0, 0.1, 0.3, 0.5, 0.7])
    assert room[1, 1] == pytest.approx(0.1 * math.sqrt(2.0))


def test_it_is_computed_once_for_each_version() -> None:
    grid = Grid(np.ones((4, 4)))
    room = clearance(grid)
    assert clearance(grid) is room
    assert not room.flags.writeable
    grid.set([(2, 2)], free=False)
    assert clearance(grid)[2, 2] == 0.0
    assert room[2, 2] == 1.5


@pytest.mark.parametrize("free", [[1, 0, 1], [["a"]], np.ones((2, 2, 2))])
def test_what_is_no_map(free: object) -> None:
    with pytest.raises(InputError, match="free has shape"):
        distance_to_blocked(free)  # type: ignore[arg-type]


@given(MAPS, st.booleans(), st.floats(0.1, 20.0), st.floats(0.0, 50.0))
def test_buffer_costs_rise_towards_obstacles(
    free: np.ndarray, weighted: bool, distance: float, weight: float
) -> None:
    terrain = 1.0 + np.arange(free.size).reshape(free.shape) % 7 if weighted else None
    grid = Grid(free, terrain, cell_size=0.5, origin=(3.0, -2.0))
    buffered = soft_buffer(grid, distance, weight)
    wanted = np.ones(free.shape) if terrain is None else terrain
    room = 0.5 * brute_force(free, border=True)
    wanted = wanted * (1.0 + weight * np.clip(1.0 - room / distance, 0.0, None))
    assert buffered.cost is not None
    np.testing.assert_allclose(buffered.cost, wanted, rtol=1e-12)
    assert (buffered.free == free).all()
    assert (buffered.cell_size, buffered.origin) == (0.5, (3.0, -2.0))


@pytest.mark.parametrize(
    ("distance", "weight", "name"),
    [
        (0.0, 1.0, "distance"),
        (math.nan, 1.0, "distance"),
        (math.inf, 1.0, "distance"),
        (1.0, -1.0, "weight"),
        (1.0, math.nan, "weight"),
        (1.0, math.inf, "weight"),
    ],
)
def test_buffers_that_make_no_sense(distance: float, weight: float, name: str) -> None:
    with pytest.raises(InputError, match=name):
        soft_buffer(Grid([[1]]), distance, weight)


@pytest.mark.parametrize("values", [("a", 1.0), (1.0, None), (0.0, 1.0), (1.0, -1.0), (np.nan, 1)])
def test_a_buffer_of_no_width_or_weight_is_refused(values) -> None:
    with pytest.raises(InputError, match=r"distance|weight"):
        soft_buffer(Grid([[1]]), *values)
