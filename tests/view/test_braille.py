"""Small drawings in a terminal keep the shape of what they draw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.view.braille import draw_line

# The eight dots by Unicode's own numbering: 1 2 3 7 down the left, 4 5 6 8 down the right.
PLACES = {1: (0, 0), 2: (0, 1), 3: (0, 2), 7: (0, 3), 4: (1, 0), 5: (1, 1), 6: (1, 2), 8: (1, 3)}
coordinates = st.floats(-1e6, 1e6, allow_nan=False)


def dots_of(rows: list[str]) -> set[tuple[int, int]]:
    """Dots (x to the right, y down) of a drawing."""
    return {
        (2 * column + dx, 4 * row + dy)
        for row, text in enumerate(rows)
        for column, letter in enumerate(text)
        for number, (dx, dy) in PLACES.items()
        if (ord(letter) - 0x2800) >> (number - 1) & 1
    }


def test_a_square_becomes_its_four_sides():
    dots = dots_of(draw_line([(0, 0), (1, 0), (1, 1), (0, 1)], 4, 2, closed=True))
    assert dots == {(x, y) for x in range(8) for y in range(8) if {x, y} & {0, 7}}


def test_up_is_up_and_right_is_right():
    dots = dots_of(draw_line([(0, 0), (7, 7)], 4, 2))
    assert dots == {(i, 7 - i) for i in range(8)}


def test_an_open_line_is_not_closed():
    corner = [(0, 0), (1, 0), (1, 1)]
    assert len(dots_of(draw_line(corner, 4, 2))) == 15
    assert len(dots_of(draw_line(corner, 4, 2, closed=True))) > 15


def test_scales_are_equal():
    dots = np.array(
        sorted(dots_of(draw_line([(0, 0), (3, 0), (3, 1), (0, 1)], 12, 4, closed=True)))
    )
    wide, high = np.ptp(dots, axis=0)
    assert wide == 23
    assert high == pytest.approx(23 / 3, abs=1)


def test_plain_letters_mark_the_same_cells():
    turn = np.linspace(0, 2 * np.pi, 80)
    ring = np.column_stack((np.cos(turn), np.sin(turn)))
    braille, plain = draw_line(ring, 10, 5), draw_line(ring, 10, 5, plain=True)
    assert [[letter != "\u2800" for letter in row] for row in braille] == [
        [letter == "*" for letter in row] for row in plain
    ]


@given(st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=30), st.booleans())
def test_any_line_fits(points, closed):
    rows = draw_line(points, 7, 3, closed=closed)
    assert [len(row) for row in rows] == [7, 7, 7]
    assert dots_of(rows)
