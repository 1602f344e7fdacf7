from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from any_angle_oracle import KINDS, sees_in_its_rectangle, small_map
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.plan.anya import anya
from headway.plan.path import FOUND, Path, Status, no_path
from headway.plan.straighten import line_cost, straighten
from headway.world.grid import Grid

COUNTS = st.integers(0, 7)


def path_of(grid, cells, cost=None):
    """A path along cells, with the cost of its steps."""
    cells = np.array(cells, np.int64).reshape(-1, 2)
    steps = np.hypot(*np.diff(cells, axis=0).T) * grid.cell_size
    price = np.ones(len(cells)) if grid.cost is None else grid.cost[tuple(cells.T)]
    cost = float((steps * (price[1:] + price[:-1]) / 2.0).sum())
    length = float(steps.sum())
    return Path(Status.FOUND, FOUND, cells, grid.centres(cells), length, cost, 0, "made")


def wander(rng, free, steps, cutting=False):
    """A random walk over free cells that tends to keep its direction."""
    cell = rng.permutation(np.argwhere(free))[0]
    cells, way = [cell], np.array((0, 1))
    for _ in range(steps):
        if rng.random() < 0.4:
            way = rng.integers(-1, 2, 2)
        after = cell + way
        if not way.any() or (after < 0).any() or (after >= free.shape).any() or not free[*after]:
            way = rng.integers(-1, 2, 2)
            continue
        if cutting or (free[cell[0], after[1]] and free[after[0], cell[1]]):
            cell = after
            cells.append(cell)
    return np.array(cells)


def cost_by_fractions(cost, a, b):
    """Integral along a segment: its share in each cell, a unit square around the centre."""
    shares = Fraction(0)
    for row, column in np.ndindex(cost.shape):
        enters, leaves = Fraction(0), Fraction(1)
        for at, to, centre in ((a[0], b[0], row), (a[1], b[1], column)):
            low, high = centre - Fraction(1, 2), centre + Fraction(1, 2)
            if at == to:
                leaves = leaves if low < at < high else Fraction(0)
            else:
                times = (low - at) / (to - at), (high - at) / (to - at)
                enters, leaves = max(enters, min(times)), min(leaves, max(times))
        shares += max(leaves - enters, Fraction(0)) * int(cost[row, column])
    return float(shares) * np.hypot(b[0] - a[0], b[1] - a[1])


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.integers(0, 9))
def test_cost_along_a_line_is_the_exact_integral(row_a, column_a, row_b, column_b, seed):
    cost = np.random.default_rng(seed).integers(1, 50, (8, 8)).astype(float)
    grid = Grid(np.ones((8, 8)), cost)
    a, b = (row_a, column_a), (row_b, column_b)
    ends = row_a + 1, column_a + 1, row_b + 1, column_b + 1
    expected = cost_by_fractions(cost, a, b)
    assert line_cost(grid.padded_cost, grid.stride, *ends) == pytest.approx(expected, rel=1e-12)


def check_straightened(grid, path):
    straight = straighten(grid, path)
    assert straight.status == path.status
    assert straight.length <= path.length * (1.0 + 1e-12)
    assert straight.cost <= path.cost * (1.0 + 1e-9)
    assert straight.cells[[0, -1]].tolist() == path.cells[[0, -1]].tolist()
    steps = {(tuple(a), tuple(b)) for a, b in zip(path.cells, path.cells[1:], strict=False)}
    remaining = iter(map(tuple, path.cells))
    assert all(tuple(cell) in remaining for cell in straight.cells)  # in their order
    for a, b in zip(straight.cells[:-1], straight.cells[1:], strict=True):
        assert (tuple(a), tuple(b)) in steps or sees_in_its_rectangle(grid.free, a, b)
    pieces = np.hypot(*np.diff(straight.points, axis=0).T)
    assert straight.length == pytest.approx(pieces.sum(), abs=1e-9)
    again = straighten(grid, straight)
    assert again.cells.tolist() == straight.cells.tolist()
    return straight


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_never_longer_never_dearer_never_invalid(kind, weighted):
    shorter = 0
    for seed in range(25):
        free = small_map(kind, seed, most=20)
        rng = np.random.default_rng(seed)
        cost = rng.integers(1, 6, free.shape).astype(float) if weighted else None
        grid = Grid(free, cost, cell_size=0.5)
        for cutting in (False, True):
            path = path_of(grid, wander(rng, free, 60, cutting))
            shorter += check_straightened(grid, path).length < 0.9 * path.length
    assert shorter > 3


def test_steps_that_cut_corners_are_kept():
    grid = Grid([[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    path = path_of(grid, [(0, 0), (1, 1), (2, 2)])
    assert straighten(grid, path).cells.tolist() == [[0, 0], [1, 1], [2, 2]]


def test_an_octile_path_over_open_ground_becomes_one_piece():
    grid = Grid(np.ones((50, 80)))
    cells = [(k, k) for k in range(40)] + [(39, 40 + k) for k in range(30)]
    straight = straighten(grid, path_of(grid, cells))
    assert straight.cells.tolist() == [[0, 0], [39, 69]]
    assert straight.length == pytest.approx(np.hypot(39, 69), rel=1e-15)


def test_around_one_obstacle_it_is_the_shortest():
    free = np.ones((20, 20), bool)
    free[5:18, 10] = False
    grid = Grid(free)
    cells = [(10 - k, k) for k in range(7)] + [(4, c) for c in range(7, 14)]
    cells += [(5 + k, 14 + k) for k in range(6)]
    straight = straighten(grid, path_of(grid, cells))
    assert straight.length == pytest.approx(anya(grid, cells[0], cells[-1]).length)


def test_a_way_around_mud_stays_around_it():
    cost = np.ones((9, 9))
    cost[:7, 2:7] = 20.0
    grid = Grid(np.ones((9, 9)), cost)
    cells = [(r, 0) for r in range(8)] + [(8, c) for c in range(1, 8)]
    cells += [(r, 8) for r in range(7, -1, -1)]
    path = path_of(grid, cells)
    straight = check_straightened(grid, path)
    assert straight.cost < path.cost < 25.0
    assert straight.cells[:, 0].max() >= 7
    assert straighten(Grid(np.ones((9, 9))), path).cells.tolist() == [[0, 0], [0, 8]]


def test_paths_without_cells_are_returned_as_they_are():
    grid = Grid([[1, 1]])
    none = no_path(Status.UNREACHABLE, "a wall", "made")
    assert straighten(grid, none) is none
    there = path_of(grid, [(0, 1)])
    assert straighten(grid, there) is there


def test_a_path_that_is_out_of_date_is_refused():
    grid = Grid(np.ones((3, 3)))
    path = path_of(grid, [(0, 0), (1, 1), (2, 2)])
    grid.set([(1, 1)], free=False)
    with pytest.raises(InputError, match=r"cell \(1, 1\) of the path is blocked"):
        straighten(grid, path)
    with pytest.raises(InputError, match=r"cell \(2, 2\) of the path lies off the map"):
        straighten(Grid(np.ones((2, 2))), path)


def test_what_is_no_path_is_refused() -> None:
    with pytest.raises(InputError, match="path is a list"):
        straighten(Grid([[1, 1]]), [(0, 0), (0, 1)])
