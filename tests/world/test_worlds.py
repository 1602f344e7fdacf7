"""Made worlds are what they say: trees, connected rooms, a share of blocks, by their seed alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import label

from headway.errors import InputError
from headway.world.worlds import maze, room_doors, rooms, scattered

small = st.integers(1, 12)
seeds = st.integers(-(2**63), 2**63 - 1)


def steps_between_free_cells(free):
    return int((free[:, 1:] & free[:, :-1]).sum() + (free[1:] & free[:-1]).sum())


@given(small, small, seeds)
def test_a_maze_is_a_tree(rows, columns, seed):
    free = maze(rows, columns, seed).free
    assert free.shape == (2 * rows + 1, 2 * columns + 1)
    assert free[1::2, 1::2].all()
    assert not free[::2, ::2].any()
    assert not free[[0, -1]].any()
    assert not free[:, [0, -1]].any()
    assert label(free)[1] == 1
    assert steps_between_free_cells(free) == free.sum() - 1


sizes_and_doors = st.integers(1, 6).flatmap(
    lambda size: st.tuples(st.just(size), st.integers(1, size))
)


@given(small, small, sizes_and_doors, seeds)
def test_rooms_are_square_and_connected(rows, columns, size_and_door, seed):
    size, door = size_and_door
    grid = rooms(rows, columns, size, seed, door)
    doors = room_doors(rows, columns, size, seed, door)
    free = np.array(grid.free)
    assert free.shape == (rows * (size + 1) + 1, columns * (size + 1) + 1)
    assert label(free)[1] == 1
    assert doors.shape[1:] == (door, 2)
    cells = doors.reshape(-1, 2)
    assert free[cells[:, 0], cells[:, 1]].all()
    assert len(np.unique(cells, axis=0)) == len(cells)
    free[cells[:, 0], cells[:, 1]] = False
    parts, count = label(free)
    assert count == rows * columns
    assert (np.bincount(parts.ravel())[1:] == size * size).all()


@given(small, small, sizes_and_doors, seeds)
def test_each_door_joins_two_rooms(rows, columns, size_and_door, seed):
    size, door = size_and_door
    doors = room_doors(rows, columns, size, seed, door)
    free = np.array(rooms(rows, columns, size, seed, door).free)
    free[doors[..., 0], doors[..., 1]] = False
    parts, _ = label(free)
    for cells in doors:
        both = [
            {int(parts[row + down, column + right]) for row, column in cells.tolist()}
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
        ]
        assert len(set().union(*both) - {0}) == 2


@pytest.mark.parametrize("density", [0.0, 0.1, 0.4, 1.0])
def test_scattered_blocks_have_the_density(density):
    blocked = ~scattered(300, 400, density, seed=3).free
    assert blocked.mean() == pytest.approx(density, abs=5e-3)
    # neighbours know nothing of each other
    assert (blocked[:, 1:] & blocked[:, :-1]).mean() == pytest.approx(density**2, abs=5e-3)


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: maze(8, 9, seed),
        lambda seed: rooms(4, 5, 6, seed),
        lambda seed: scattered(20, 30, 0.3, seed),
    ],
)
def test_the_seed_alone_decides(make):
    assert (make(5).free == make(5).free).all()
    assert (make(np.int64(5)).free == make(5).free).all()
    assert (make(5).free != make(6).free).any()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: maze(0, 3), "rows is 0: give 1 to"),
        (lambda: maze(3, 2.0), "columns is 2.0: give a whole number"),
        (lambda: rooms(3, 3, 0), "size is 0"),
        (lambda: rooms(3, 3, 4, door=5), "door is 5: a wall of 4 cells"),
        (lambda: rooms(9_000, 3, 7), "rows is 9000"),
        (lambda: rooms(3, True), "columns is True"),
        (lambda: scattered(3, 10**9, 0.5), "columns is 1000000000"),
        (lambda: scattered(3, 3, 1.5), "density is 1.5"),
        (lambda: scattered(3, 3, float("nan")), "density is nan"),
        (lambda: maze(3, 3, seed=0.5), "seed is 0.5"),
        (lambda: maze(3, 3, seed=2**64), "at most 63 bits"),
    ],
)
def test_what_cannot_be_made_is_one_sentence(call, words):
    with pytest.raises(InputError, match=words):
        call()
