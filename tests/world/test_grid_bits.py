"""The bit planes agree with the cells, whatever was changed and in whatever order."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from headway.world.grid import Grid


def planes(grid: Grid) -> list[NDArray[np.bool_]]:
    """Blocked, stops forward, stops back; by rows and then, turned to rows, by columns."""
    rows, columns = grid.rows + 2, grid.columns + 2
    found, at = [], 0
    for lines, places in ((rows, columns), (columns, rows)):
        words = (places + 63) // 64
        for _ in range(3):
            block = grid.bits[at : at + lines * words].reshape(lines, words)
            bits = np.unpackbits(block.view(np.uint8), axis=1, bitorder="little")
            found.append(bits[:, :places].astype(bool))
            at += lines * words
    assert at == len(grid.bits)
    return found


def stops(blocked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where a scan along growing columns must stop, cell by cell."""
    found = blocked.copy()
    for row in range(1, blocked.shape[0] - 1):
        for column in range(1, blocked.shape[1] - 1):
            for beside in (row - 1, row + 1):
                forced = blocked[beside, column - 1] and not blocked[beside, column]
                found[row, column] |= forced
    return found


def check(grid: Grid) -> None:
    blocked = np.pad(~grid.free, 1, constant_values=True)
    inner = (slice(1, -1), slice(1, -1))
    by_row, forward, back, by_column, down, up = planes(grid)
    assert np.array_equal(by_row, blocked)
    assert np.array_equal(by_column, blocked.T)
    for found, turned in ((forward, blocked), (down, blocked.T)):
        assert np.array_equal(found[inner], stops(turned)[inner])
    for found, turned in ((back, blocked), (up, blocked.T)):
        assert np.array_equal(found[inner], stops(turned[:, ::-1])[:, ::-1][inner])


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 62), (3, 63), (62, 62), (63, 64), (5, 65), (126, 3), (40, 131)]
)
def test_bits_agree_with_cells_through_any_changes(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(sum(shape))
    grid = Grid(rng.random(shape) < 0.6)
    check(grid)
    for turn in range(6):
        high, wide = (int(rng.integers(1, size + 1)) for size in shape)
        top, left = (
            int(rng.integers(0, size - part + 1))
            for size, part in zip(shape, (high, wide), strict=True)
        )
        grid.paste((top, left), rng.random((high, wide)) < 0.5)
        check(grid)
        cells = np.column_stack([rng.integers(0, size, 4) for size in shape])
        grid.set(cells, free=bool(turn % 2))
        check(grid)


@pytest.mark.parametrize("shape", [(3, 130), (130, 3)])
def test_a_change_at_the_end_of_a_word_reaches_into_the_next(shape: tuple[int, int]) -> None:
    grid = Grid(np.ones(shape))
    for place in (*range(60, 66), *range(124, 130)):
        cell = (1, place) if shape[0] == 3 else (place, 1)
        for free in (False, True):
            grid.set([cell], free=free)
            check(grid)
