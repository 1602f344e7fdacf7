"""Agents sorted into cells: all who are near must be among the candidates, once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from headway.errors import InputError
from headway.world.cells import (
    candidates_of_row,
    cell_table,
    in_cell_order,
    place_along,
    places_for_candidates,
    sort_by_cell,
)


def candidates(points, width):
    """For each agent, the sorted indices of all who stand in the cells around it."""
    n, d = points.shape
    flat, low, table = points.ravel(), np.empty(3), np.empty(6, np.int64)
    assert cell_table(flat, d, width, low, table)
    start = np.empty(int(table[0] * table[1] * table[2]) + 1, np.int64)
    order, place = np.empty(n, np.int64), places_for_candidates(n)
    column = np.empty(int(table[0]) + 3, np.int64)
    sort_by_cell(flat, d, width, low, table, start, order)
    assert sorted(order) == list(range(n))
    assert len(start) <= 4 * n + 65
    found = []
    for point in points:
        cell = [0, 0, 0]
        for k in range(d):
            cell[k] = place_along(
                float(point[k]), float(low[k]), 1.0 / width, int(table[k]), int(table[3 + k])
            )
        x, y, z = cell
        candidates_of_row(y, z, table, start, column, place)
        found.append(np.sort(order[place[column[x] : column[x + 3]]]))
    return found


@given(
    n=st.integers(1, 60),
    d=st.sampled_from((2, 3)),
    spread=st.sampled_from((0.0, 0.5, 3.0, 40.0, 1e6)),
    outlier=st.sampled_from((0.0, -1e4, 1e9)),
    seed=st.integers(0, 1000),
)
@settings(max_examples=80, deadline=None)
def test_all_within_the_radius_are_candidates_and_none_twice(n, d, spread, outlier, seed):
    points = np.random.default_rng(seed).uniform(-spread, spread, (n, d))
    points[0] += outlier
    near = cKDTree(points).query_ball_point(points, 1.0)
    for found, close in zip(candidates(points, 1.0), near, strict=True):
        assert len(set(found)) == len(found)
        assert set(close) <= set(found)


def test_shared_entries_hold_few_strangers():
    """Two crowds a million metres apart: sharing must not make everyone everyone's candidate."""
    rng = np.random.default_rng(1)
    points = rng.uniform(0, 20, (2000, 2))
    points[1000:] += (1e6, 3e5)
    assert np.mean([len(found) for found in candidates(points, 1.0)]) < 100


def test_order_keeps_cells_together_and_rises_within():
    points = np.random.default_rng(2).uniform(0, 8, (500, 3))
    order = in_cell_order(points, 2.0)
    cells = ((points - points.min(axis=0)) / 2.0).astype(int)[order]
    key = (cells[:, 2] * 100 + cells[:, 1]) * 100 + cells[:, 0]
    assert (np.diff(key) >= 0).all()
    assert (np.diff(order)[np.diff(key) == 0] > 0).all()


def test_empty_and_bad_input():
    assert in_cell_order(np.empty((0, 2)), 1.0).shape == (0,)
    with pytest.raises(InputError, match="position of agent 1"):
        in_cell_order([(0.0, 0.0), (np.nan, 0.0)], 1.0)
    with pytest.raises(InputError, match="too large"):
        in_cell_order([(0.0, 0.0), (1e300, 0.0)], 1.0)
    with pytest.raises(InputError, match="width"):
        in_cell_order([(0.0, 0.0)], 0.0)
    with pytest.raises(InputError, match="shape"):
        in_cell_order((0.0, 0.0), 1.0)
