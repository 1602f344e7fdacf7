"""What an inflated grid promises, tried with discs; and that edits keep it as if made anew."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from headway.errors import InputError
from headway.world.clearance import clearance
from headway.world.grid import LOG_SIZE, Grid
from headway.world.inflation import inflated

MAPS = arrays(
    np.bool_,
    array_shapes(min_dims=2, max_dims=2, max_side=9),
    elements=st.integers(0, 12).map(bool),
)
RADII = st.one_of(
    st.floats(0.0, 4.0),
    st.sampled_from([0.5, 0.6, math.sqrt(0.5), 0.8, 0.9, 1.0, 1.5, math.sqrt(2.5), 2.5]),
)


def point_to_segment(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    along = b - a
    share = np.clip(np.dot(point - a, along) / max(np.dot(along, along), 1e-30), 0.0, 1.0)
    return float(np.hypot(*(point - a - share * along)))


def point_to_square(point: np.ndarray, centre: np.ndarray) -> float:
    return float(np.hypot(*(point - np.clip(point, centre - 0.5, centre + 0.5))))


def segments_cross(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> float:
        return float(np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])))

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def segment_to_square(a: np.ndarray, b: np.ndarray, centre: np.ndarray) -> float:
    """Distance from a segment to a square: 0 if they cross, else from an end or a corner."""
    corners = [centre + np.array(side) / 2 for side in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    if any(segments_cross(a, b, c, d) for c, d in sides):
        return 0.0
    ends = min(point_to_square(a, centre), point_to_square(b, centre))
    return min(ends, *(point_to_segment(corner, a, b) for corner in corners))


def room_along(free: np.ndarray, a: tuple[int, int], b: tuple[int, int]) -> float:
    """How large a disc may be, in cells, that moves from cell to cell on a bordered map."""
    start, end = np.array(a, float), np.array(b, float)
    squares = [segment_to_square(start, end, centre) for centre in np.argwhere(~free)]
    walls = [0.5 + min(r, c, len(free) - 1 - r, len(free[0]) - 1 - c) for r, c in (a, b)]
    return float(min(squares + walls))


def lattice_allows(free: np.ndarray, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether a straight line enters no lattice square with a closed corner, found by sampling."""
    start, end = np.array(a, float), np.array(b, float)
    for share in np.linspace(0.0, 1.0, 1 + 40 * int(np.abs(end - start).max())):
        place = np.round(start + share * (end - start), 9)
        low, high = np.floor(place).astype(int), np.ceil(place).astype(int)
        if not free[low[0] : high[0] + 1, low[1] : high[1] + 1].all():
            return False
    return True


@settings(max_examples=60)
@given(MAPS, RADII)
def test_no_step_makes_the_disc_overlap_a_blocked_cell(free: np.ndarray, radius: float) -> None:
    cells = inflated(Grid(free), radius).free
    padded = np.pad(cells, 1)
    for row, column in np.argwhere(cells):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            block = padded[[row + 1, row + 1 + down]][:, [column + 1, column + 1 + right]]
            if block.all():
                room = room_along(free, (row, column), (row + down, column + right))
                assert room >= radius * (1 - 1e-8)


@settings(max_examples=150)
@given(MAPS, RADII, st.data())
def test_no_any_angle_segment_makes_the_disc_overlap_a_blocked_cell(
    free: np.ndarray, radius: float, data: st.DataObject
) -> None:
    cells = inflated(Grid(free), radius).free
    places = [tuple(place) for place in np.argwhere(cells).tolist()]
    if places:
        a, b = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
        if lattice_allows(cells, a, b):
            assert room_along(free, a, b) >= radius * (1 - 1e-8)


@settings(max_examples=60)
@given(MAPS, RADII)
def test_only_cells_where_the_disc_overlaps_something_are_closed(
    free: np.ndarray, radius: float
) -> None:
    cells = inflated(Grid(free), radius).free
    for row, column in np.argwhere(free & ~cells):
        assert room_along(free, (row, column), (row, column)) < radius


def test_the_distance_between_centres_would_not_do() -> None:
    """A blocked cell's corner is nearer than its centre less half a cell."""
    free = np.ones((9, 9), bool)
    free[4, 4] = False
    assert math.hypot(1, 1) - 0.5 > 0.9 > room_along(free, (3, 3), (3, 3))
    assert not inflated(Grid(free), 0.9).free[3, 3]


@given(MAPS, RADII, st.booleans(), st.sampled_from([0.05, 0.1, 1.0, 3.0]))
def test_it_is_where_the_clearance_is_the_radius(
    free: np.ndarray, radius: float, border: bool, cell_size: float
) -> None:
    grid = Grid(free, cell_size=cell_size, origin=(7.0, -1.0))
    child = inflated(grid, radius * cell_size, border)
    if radius <= 0.5:
        assert child is grid
    else:
        room = clearance(grid, border) / cell_size
        assert (child.free == (room >= radius * (1 - 1e-9))).all()
    assert (child.cell_size, child.origin, child.cost) == (cell_size, (7.0, -1.0), None)


def edit(grid: Grid, random: np.random.Generator) -> None:
    """Change some cells in one of the ways there are."""
    rows, columns = grid.shape
    kind = random.integers(4)
    if kind == 0:
        count = random.integers(1, 6)
        cells = np.column_stack(
            (random.integers(0, rows, count), random.integers(0, columns, count))
        )
        price = float(random.integers(1, 9)) if grid.weighted and random.random() < 0.5 else None
        grid.set(cells, bool(random.integers(2)), price)
        return
    height, width = random.integers(1, rows + 1), random.integers(1, columns + 1)
    if kind < 3:
        height, width = min(height, 3), min(width, 3)
    top, left = random.integers(0, rows - height + 1), random.integers(0, columns - width + 1)
    patch = random.random((height, width)) < random.choice([0.5, 0.95, 1.0])
    prices = random.integers(1, 9, (height, width)) if grid.weighted and kind == 2 else None
    grid.paste((int(top), int(left)), patch, prices)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("radius", "border"), [(0.6, True), (1.0, False), (2.2, True), (7.0, True)]
)
def test_it_follows_edits(radius: float, border: bool, weighted: bool) -> None:
    random = np.random.default_rng(int(10 * radius))
    free = random.random((25, 40)) < 0.97
    cost = 1.0 + random.integers(0, 5, free.shape) if weighted else None
    grid = Grid(free, cost, cell_size=0.5)
    child = inflated(grid, 0.5 * radius, border)
    for number in range(150):
        for _ in range(random.integers(1, 4)):
            edit(grid, random)
        before, version = (child.free.copy(), child.cost), child.version
        before_cost = None if before[1] is None else before[1].copy()
        assert inflated(grid, 0.5 * radius, border) is child, number
        fresh = inflated(grid.copy(), 0.5 * radius, border)
        assert (child.free == fresh.free).all()
        changed = child.free != before[0]
        if child.cost is not None and before_cost is not None:
            np.testing.assert_array_equal(child.cost, grid.cost)
            assert child.min_cost <= child.cost.min(where=child.free, initial=np.inf)
            changed |= child.cost != before_cost
        # Whoever plans on it hears of the cells that differ, and of few others.
        logged = child.changed_since(version)
        assert logged is not None
        rows, columns = np.divmod(np.unique(logged), grid.stride)
        heard = np.zeros(grid.shape, bool)
        heard[rows - 1, columns - 1] = True
        assert (heard == changed).all()


def test_more_changes_than_the_grid_remembers() -> None:
    random = np.random.default_rng(3)
    grid = Grid(np.ones((260, 300)))
    child = inflated(grid, 3.0)
    for free in (0.5, 0.98):
        grid.paste((0, 0), random.random(grid.shape) < free)
    assert grid.version > LOG_SIZE
    assert inflated(grid, 3.0) is child
    assert (child.free == (clearance(grid) >= 3.0)).all()
    assert not child.free.all()


def test_what_is_kept() -> None:
    grid = Grid(np.ones((8, 8)), cell_size=0.1)
    assert inflated(grid, 0.0) is grid
    assert inflated(grid, 0.05) is grid
    assert inflated(grid, 0.2) is inflated(grid, 0.2)
    assert inflated(grid, 0.21) is inflated(grid, 0.2101)
    assert inflated(grid, 0.2) is not inflated(grid, 0.2, border=False)
    assert inflated(grid, 0.1 + 0.2) is inflated(grid, 0.3)


def test_a_disc_as_large_as_the_map_and_larger() -> None:
    grid = Grid(np.ones((3, 3)))
    assert inflated(grid, 1.5).free.tolist() == np.pad([[True]], 1).tolist()
    for radius in (1.6, 5.0, 1e9):
        assert not inflated(grid, radius).free.any()
    assert inflated(grid, 1e9, border=False).free.all()
    grid.set([(0, 0)], free=False)
    assert not inflated(grid, 1e9, border=False).free.any()


@pytest.mark.parametrize("radius", [-1.0, math.nan, math.inf, "wide", None])
def test_radii_that_make_no_sense(radius: object) -> None:
    with pytest.raises(InputError, match="radius is"):
        inflated(Grid([[1]]), radius)  # type: ignore[arg-type]
