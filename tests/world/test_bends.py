from __future__ import annotations

import math

import numpy as np
import pytest

from headway.errors import InputError
from headway.world.bends import find_corners, find_crossings
from headway.world.route import Route


def hairpin(radius: float, inside: float) -> Route:
    """Two straights of 60 m joined by half a circle to the left, a waypoint every metre."""
    count = math.ceil(radius * math.pi)
    turn = np.arange(count + 1) * math.pi / count
    bend = radius * np.column_stack((np.sin(turn), 1.0 - np.cos(turn)))
    along = np.arange(-60.0, 0.0)
    there = np.column_stack((along, np.zeros(60)))
    back = np.column_stack((along[::-1], np.full(60, 2.0 * radius)))
    points = np.concatenate((there, bend, back))
    return Route.through(points, closed=False, widths=np.tile([inside, 4.0], (len(points), 1)))


def test_a_hairpin_is_one_corner():
    (corner,) = find_corners(hairpin(20.0, 4.0), 3.0, 0.3, 100.0)
    assert corner.turn == pytest.approx(math.pi, abs=0.05)
    assert corner.radius == pytest.approx(20.0, rel=0.02)
    assert (corner.s_start + corner.s_end) / 2 == pytest.approx(60 + 10 * math.pi, abs=1.0)


def test_a_chicane_is_two_corners():
    x = np.arange(0.0, 200.0, 2.0)
    y = 10.0 * np.tanh((x - 100.0) / 12.0)
    corners = find_corners(Route.through(np.column_stack((x, y)), closed=False), 3.0, 0.3, 200.0)
    assert [math.copysign(1.0, corner.turn) for corner in corners] == [1.0, -1.0]
    assert corners[0].turn == pytest.approx(math.atan(10 / 12), abs=0.08)


def test_lines_cross_where_the_inside_edge_passes_the_centre():
    assert find_crossings(hairpin(20.0, 12.0)) == []
    (crossing,) = find_crossings(hairpin(20.0, 22.0))
    assert crossing.side == "left"
    assert crossing.s_start == pytest.approx(60.0, abs=2.0)
    assert crossing.s_end == pytest.approx(60.0 + 20.0 * math.pi, abs=2.0)
    assert crossing.radius < 22.0 == crossing.width


def test_a_crossing_over_the_start_line_is_one():
    turn = np.arange(100) * math.pi / 50
    ellipse = np.column_stack((40 * np.cos(turn), 12 * np.sin(turn)))  # sharpest at the start
    route = Route.through(ellipse, widths=np.full((100, 2), 5.0))
    first, second = find_crossings(route)
    assert first.s_start == pytest.approx(
        route.length / 2 - (first.s_end - route.length / 2), abs=1
    )
    assert second.s_start > route.length / 2 > second.s_end
    assert second.radius == pytest.approx(12**2 / 40, rel=0.2)


def test_widths_are_needed():
    with pytest.raises(InputError, match="no widths"):
        find_crossings(Route.through([(0, 0), (9, 0), (9, 9)]))
