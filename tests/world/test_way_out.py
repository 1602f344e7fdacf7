"""Ways out of an inflation against Dijkstra's algorithm over the whole map."""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from headway.errors import InputError
from headway.world.clearance import clearance
from headway.world.grid import Grid
from headway.world.inflation import inflated
from headway.world.way_out import way_out

Cell = tuple[int, int]
MAPS = arrays(
    np.bool_,
    array_shapes(min_dims=2, max_dims=2, max_side=15),
    elements=st.integers(0, 15).map(bool),
)


def steps(free: np.ndarray, room: np.ndarray, cell: Cell) -> list[tuple[float, Cell]]:
    """Steps that cut no corner and lead to no less room, with their lengths."""
    padded = np.pad(free, 1)
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            rows, columns = [cell[0] + 1, cell[0] + 1 + down], [cell[1] + 1, cell[1] + 1 + right]
            to = cell[0] + down, cell[1] + right
            if (down or right) and padded[rows][:, columns].all() and room[to] >= room[cell]:
                found.append((math.hypot(down, right), to))
    return found


def shortest(free: np.ndarray, wide: np.ndarray, room: np.ndarray, start: Cell) -> float:
    best = {start: 0.0}
    queue = [(0.0, start)]
    while queue:
        length, cell = heapq.heappop(queue)
        if wide[cell]:
            return length
        for further, to in steps(free, room, cell):
            if length + further < best.get(to, math.inf):
                best[to] = length + further
                heapq.heappush(queue, (length + further, to))
    return math.inf


def check(grid: Grid, child: Grid, start: Cell, border: bool) -> float:
    """Compare one way out with the oracle; return its length."""
    cells = [tuple(cell) for cell in way_out(grid, child, start).tolist()]
    room = clearance(grid, border)
    wanted = shortest(grid.free, child.free, room, start)
    if not cells:
        assert math.isinf(wanted)
        return wanted
    assert cells[0] == start
    assert child.free[cells[-1]]
    assert not any(child.free[cell] for cell in cells[:-1])
    length = 0.0
    for cell, to in pairwise(cells):
        lengths = [further for further, there in steps(grid.free, room, cell) if there == to]
        assert len(lengths) == 1
        length += lengths[0]
    assert length == pytest.approx(wanted, abs=1e-9)
    return length


@given(MAPS, st.floats(0.6, 4.0), st.booleans(), st.data())
def test_it_is_the_shortest(
    free: np.ndarray, radius: float, border: bool, data: st.DataObject
) -> None:
    grid = Grid(free, cell_size=0.5)
    child = inflated(grid, 0.5 * radius, border)
    places = np.argwhere(free).tolist()
    if places:
        check(grid, child, tuple(data.draw(st.sampled_from(places))), border)


def test_a_large_map() -> None:
    random = np.random.default_rng(4)
    grid = Grid(random.random((120, 150)) > 0.02)
    child = inflated(grid, 4.0)
    inside = np.argwhere(grid.free & ~child.free)
    lengths = [check(grid, child, tuple(cell), True) for cell in inside[::400].tolist()]
    assert np.isfinite(lengths).sum() > 10


def test_a_long_tunnel_leads_out() -> None:
    free = np.zeros((21, 120), bool)
    free[10, :100] = True
    free[:, 100:] = True
    grid = Grid(free)
    assert check(grid, inflated(grid, 3.0), (10, 0), True) > 100


def test_a_winding_way_nearby_is_not_taken_for_a_straight_one_that_leads_farther_off() -> None:
    free = np.zeros((41, 41), bool)
    free[20, 14:34] = free[12:21, 14] = free[12, 14:19] = True
    free[19:22, 32:35] = free[11:14, 18:21] = True
    for turned in (free, free.T, free[::-1, ::-1], free.T[::-1, ::-1]):
        grid = Grid(turned)
        assert check(grid, inflated(grid, 1.5), (20, 20), True) == 13.0


def test_who_has_room_stays() -> None:
    grid = Grid(np.ones((9, 9)))
    assert way_out(grid, inflated(grid, 2.0), (4, 4)).tolist() == [[4, 4]]
    assert way_out(grid, grid, (0, 0)).tolist() == [[0, 0]]


def test_who_has_no_way_out() -> None:
    free = np.ones((9, 9))
    free[4, 4] = 0
    grid = Grid(free)
    child = inflated(grid, 1.0)
    for start in ((4, 4), (-1, 0), (0, 9)):
        assert way_out(grid, child, start).shape == (0, 2)
    assert way_out(grid, inflated(grid, 4.0), (0, 0)).shape == (0, 2)


def test_a_grid_of_another_map() -> None:
    grid = Grid(np.ones((9, 9)))
    with pytest.raises(InputError, match="does not belong"):
        way_out(grid, inflated(Grid(np.ones((9, 9))), 2.0), (0, 0))
