"""Components against SciPy's labels and against floods under each corner rule."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import ndimage

from headway.world.components import Components, components_of
from headway.world.corner_rule import CornerRule
from headway.world.grid import LOG_SIZE, Grid
from headway.world.labelling import USED, follow_changes
from headway.world.movingai import read_movingai_map

RULES = (CornerRule.NEVER_CUT, CornerRule.ALWAYS)
MAPS = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=12))


def scipy_labels(grid: Grid, rule: CornerRule) -> tuple[np.ndarray, int]:
    """Labels from 1, and how many there are."""
    structure = np.ones((3, 3)) if rule == CornerRule.ALWAYS else None
    return ndimage.label(grid.free, structure)  # pyright: ignore


def flat(grid: Grid, row: int, column: int) -> int:
    return (row + 1) * grid.stride + column + 1


def assert_same_partition(components: Components, grid: Grid, rule: CornerRule) -> None:
    """The two number components differently, but each number must have exactly one partner."""
    wanted, count = scipy_labels(grid, rule)
    got = components.labels()
    pairs = np.unique(np.column_stack((wanted.ravel(), got.ravel())), axis=0)
    assert ((pairs[:, 0] == 0) == (pairs[:, 1] == 0)).all()
    assert len(np.unique(pairs[:, 0])) == len(pairs) == len(np.unique(pairs[:, 1]))
    assert components.exact
    assert components.count == count
    sizes = np.bincount(wanted.ravel(), minlength=count + 1)
    sizes[0] = 0
    for (row, column), label in np.ndenumerate(wanted):
        assert components.size(flat(grid, row, column)) == sizes[label]


def assert_sound(components: Components, grid: Grid, rule: CornerRule) -> None:
    """What SciPy calls one component is never called apart."""
    wanted, count = scipy_labels(grid, rule)
    got = components.labels()
    assert ((got == 0) == (wanted == 0)).all()
    for label in range(1, count + 1):
        assert len(np.unique(got[wanted == label])) == 1


def flood(free: np.ndarray, start: tuple[int, int], rule: CornerRule) -> set[tuple[int, int]]:
    """All cells that single steps lead to."""
    padded = np.pad(free, 1)
    seen, waiting = {start}, [start]
    while waiting:
        row, column = waiting.pop()
        for down, right in product((-1, 0, 1), repeat=2):
            to = row + down, column + right
            if to in seen or not padded[to[0] + 1, to[1] + 1]:
                continue
            if down and right:
                beside = padded[row + down + 1, column + 1], padded[row + 1, column + right + 1]
                allowed = {
                    CornerRule.NEVER_CUT: all(beside),
                    CornerRule.ONE_FREE: any(beside),
                    CornerRule.ALWAYS: True,
                    CornerRule.NO_DIAGONAL: False,
                }
                if not allowed[rule]:
                    continue
            seen.add(to)
            waiting.append(to)
    return seen


@given(MAPS, st.sampled_from(RULES))
def test_labels_are_scipys(free: np.ndarray, rule: CornerRule) -> None:
    grid = Grid(free)
    assert_same_partition(components_of(grid, rule), grid, rule)


@given(
    arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=5)),
    st.sampled_from(list(CornerRule)),
    st.data(),
)
def test_apart_is_what_steps_cannot_reach(
    free: np.ndarray, rule: CornerRule, data: st.DataObject
) -> None:
    grid = Grid(free)
    start = data.draw(st.tuples(*(st.integers(0, side - 1) for side in free.shape)))
    reached = flood(free, start, rule) if free[start] else set()
    components = components_of(grid, rule)
    for cell in np.ndindex(free.shape):
        assert components.apart(flat(grid, *start), flat(grid, *cell)) == (cell not in reached)
    labels, wanted = components.members(flat(grid, *start))
    members = np.argwhere(wanted[labels].reshape(-1, grid.stride)) - 1
    assert set(map(tuple, members.tolist())) == reached
    labels, wanted = components.members(None)
    assert (wanted[labels] == grid.padded_free).all()


@settings(max_examples=60)
@given(MAPS, st.sampled_from(RULES), st.data())
def test_edits_are_followed(free: np.ndarray, rule: CornerRule, data: st.DataObject) -> None:
    grid = Grid(free)
    components_of(grid, rule)
    cell = st.tuples(*(st.integers(0, side - 1) for side in free.shape))
    for cells, value in data.draw(
        st.lists(st.tuples(st.lists(cell, min_size=1, max_size=4), st.booleans()), max_size=12)
    ):
        grid.set(cells, value)
        components = components_of(grid, rule)
        assert_sound(components, grid, rule)
        if components.exact:
            assert_same_partition(components, grid, rule)
    assert_same_partition(components_of(grid, rule, exact=True), grid, rule)


@pytest.mark.parametrize("rule", RULES)
def test_long_runs_of_edits(rule: CornerRule) -> None:
    random = np.random.default_rng(rule)
    grid = Grid(random.random((40, 60)) > 0.4)
    kept = 0
    for _ in range(400):
        cells = np.column_stack((random.integers(0, 40, 3), random.integers(0, 60, 3)))
        grid.set(cells, bool(random.integers(2)))
        components = components_of(grid, rule)
        assert_sound(components, grid, rule)
        if components.exact:
            kept += 1
            assert components.count == scipy_labels(grid, rule)[1]
        elif random.random() < 0.3:
            assert_same_partition(components_of(grid, rule, exact=True), grid, rule)
    assert kept > 20


def test_a_pillar_leaves_labels_exact_and_a_door_does_not() -> None:
    free = np.ones((7, 9), bool)
    free[:, 4] = False
    free[3, 4] = True
    grid = Grid(free)
    left, right = flat(grid, 0, 0), flat(grid, 0, 8)
    assert components_of(grid, CornerRule.NEVER_CUT).count == 1
    grid.set([(5, 1)], free=False)
    assert components_of(grid, CornerRule.NEVER_CUT).exact
    grid.set([(3, 4)], free=False)
    coarse = components_of(grid, CornerRule.NEVER_CUT)
    assert not coarse.exact
    assert not coarse.apart(left, right)
    exact = components_of(grid, CornerRule.NEVER_CUT, exact=True)
    assert exact.exact
    assert exact.count == 2
    assert exact.apart(left, right)
    grid.set([(3, 4)], free=True)
    opened = components_of(grid, CornerRule.NEVER_CUT)
    assert opened is exact
    assert opened.count == 1
    assert not opened.apart(left, right)


def test_a_cell_that_opens_and_closes_for_ever_never_runs_out_of_labels() -> None:
    grid = Grid(np.zeros((3, 3)))
    for _ in range(3000):
        for value in (True, False):
            grid.set([(1, 1)], free=value)
            assert components_of(grid, CornerRule.NEVER_CUT).count == value
    assert components_of(grid, CornerRule.NEVER_CUT).labels().max() == 0


def test_changes_too_many_to_be_remembered() -> None:
    random = np.random.default_rng(5)
    grid = Grid(np.ones((300, 300)))
    assert components_of(grid, CornerRule.NEVER_CUT).count == 1
    grid.paste((0, 0), random.random((300, 300)) > 0.9)
    grid.paste((0, 0), random.random((300, 300)) > 0.5)
    assert grid.version > LOG_SIZE
    components = components_of(grid, CornerRule.NEVER_CUT)
    assert components.exact
    assert components.count == scipy_labels(grid, CornerRule.NEVER_CUT)[1]


def test_what_is_kept() -> None:
    grid = Grid(np.ones((4, 4)))
    straight = components_of(grid, CornerRule.NEVER_CUT)
    assert components_of(grid, CornerRule.ONE_FREE) is straight
    assert components_of(grid, CornerRule.NO_DIAGONAL) is straight
    assert components_of(grid, CornerRule.ALWAYS) is not straight
    assert components_of(grid, CornerRule.NEVER_CUT, exact=True) is straight


def test_real_maps(data_folder: Path) -> None:
    folder = data_folder / "movingai"
    files = sorted([*folder.glob("**/*.map"), *folder.glob("**/*.map.gz")])
    if not files:
        pytest.skip("no MovingAI maps")
    for file in files:
        grid = read_movingai_map(file)
        for rule in RULES:
            components = components_of(grid, rule)
            wanted, count = scipy_labels(grid, rule)
            assert components.count == count
            pairs = wanted.astype(np.int64) * (components.labels().max() + 1) + components.labels()
            assert len(np.unique(pairs)) == len(np.unique(wanted))


def test_labels_that_run_out_are_not_written_past_their_end() -> None:
    free = np.zeros(25, np.uint8)
    free[12] = 1
    labels, sizes, tally = np.zeros(25, np.int32), np.zeros(4, np.int32), np.zeros(3, np.int64)
    store = np.arange(5, dtype=np.int32)
    tally[USED] = 3
    arrays = labels, store[:4], sizes, tally
    assert not follow_changes(free, 5, False, np.array([12]), *arrays)
    assert (store == np.arange(5)).all()
    tally[USED] = 2
    assert follow_changes(free, 5, False, np.array([12]), *arrays)
    assert labels[12] == 3
