"""Oriented boxes, against clipping of polygons."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from headway.geometry.boxes import box_overlap, contact_point

boxes = st.tuples(
    st.floats(-4, 4), st.floats(-4, 4), st.floats(-7, 7), st.floats(0.1, 3), st.floats(0.1, 3)
)


def unpacked(box):
    x, y, yaw, length, width = box
    return x, y, math.cos(yaw), math.sin(yaw), length, width


def corners(box, shift=(0.0, 0.0)):
    x, y, c, s, length, width = unpacked(box)
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * [length, width]
    return signs @ np.array([[c, s], [-s, c]]) + [x + shift[0], y + shift[1]]


def common_area(first, second):
    """Area of the intersection of two convex polygons (Sutherland and Hodgman)."""
    polygon = list(second)
    for start, end in zip(first, np.roll(first, -1, axis=0), strict=True):
        edge = end - start
        kept = []
        for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
            side_p, side_q = (edge[0] * (r - start)[1] - edge[1] * (r - start)[0] for r in (p, q))
            if side_p >= 0:
                kept.append(p)
            if (side_p > 0) != (side_q > 0) and side_p != side_q:
                kept.append(p + (q - p) * side_p / (side_p - side_q))
        polygon = kept
        if not polygon:
            return 0.0
    x, y = np.array(polygon).T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@given(boxes, boxes)
def test_boxes_overlap_where_their_polygons_share_area(first, second):
    depth, _, _ = box_overlap(*unpacked(first), *unpacked(second))
    assume(abs(depth) > 1e-6)
    assert (depth > 0) == (common_area(corners(first), corners(second)) > 1e-15)


@given(boxes, boxes)
def test_depth_is_the_least_shift_that_separates(first, second):
    depth, nx, ny = box_overlap(*unpacked(first), *unpacked(second))
    assume(depth > 1e-3)
    assert math.hypot(nx, ny) == pytest.approx(1)
    freed = corners(second, (nx * (depth + 1e-6), ny * (depth + 1e-6)))
    assert common_area(corners(first), freed) < 1e-12
    for angle in np.linspace(0, 2 * math.pi, 16, endpoint=False):
        shift = (depth - 1e-6) * np.array([math.cos(angle), math.sin(angle)])
        assert common_area(corners(first), corners(second, shift)) > 0


@given(boxes, boxes)
def test_exchanging_the_boxes_turns_the_normal_around(first, second):
    depth, nx, ny = box_overlap(*unpacked(first), *unpacked(second))
    swapped = box_overlap(*unpacked(second), *unpacked(first))
    assert swapped[0] == pytest.approx(depth, abs=1e-12)
    assume(depth > 0)
    away = swapped[1] * (second[0] - first[0]) + swapped[2] * (second[1] - first[1])
    assert away <= 1e-9
    assert nx * (second[0] - first[0]) + ny * (second[1] - first[1]) >= -1e-9


def holds(box, point) -> bool:
    x, y, c, s, length, width = unpacked(box)
    ahead, left = np.array([[c, s], [-s, c]]) @ (np.asarray(point) - [x, y])
    return abs(ahead) <= length and abs(left) <= width


@given(boxes, boxes)
def test_the_contact_point_lies_in_both_boxes(first, second):
    depth, _, _ = box_overlap(*unpacked(first), *unpacked(second))
    assume(depth > 0)
    # boxes that cross without a corner of either inside touch midway, which may be in neither
    assume(any(holds(first, corner) for corner in corners(second)) or
           any(holds(second, corner) for corner in corners(first)))  # fmt: skip
    point = np.array(contact_point(*unpacked(first), *unpacked(second)))
    for box in (first, second):
        x, y, c, s, length, width = unpacked(box)
        ahead, left = np.array([[c, s], [-s, c]]) @ (point - [x, y])
        assert abs(ahead) <= length + depth + 1e-9
        assert abs(left) <= width + depth + 1e-9


@pytest.mark.parametrize(
    ("second", "depth", "normal", "point"),
    [
        ((3.5, 0.0, 0.0, 2.0, 1.0), 0.5, (1, 0), (1.75, 0.0)),
        ((-3.5, 0.0, 0.0, 2.0, 1.0), 0.5, (-1, 0), (-1.75, 0.0)),
        ((0.0, 1.9, math.pi, 2.0, 1.0), 0.1, (0, 1), (0.0, 0.95)),
        ((2.0, -1.9, 0.0, 2.0, 1.0), 0.1, (0, -1), (1.0, -0.95)),
        ((3.3, 0.0, math.pi / 4, 1.0, 1.0), math.sqrt(2) - 1.3, (1, 0), (3.3 - math.sqrt(2), 0)),
        ((0.0, 0.0, math.pi / 2, 3.0, 0.5), 2.5, None, (0.0, 0.0)),
    ],
)
def test_known_contacts(second, depth, normal, point):
    first = (0.0, 0.0, 1.0, 0.0, 2.0, 1.0)
    found = box_overlap(*first, *unpacked(second))
    assert found[0] == pytest.approx(depth)
    if normal is not None:
        assert found[1:] == pytest.approx(normal, abs=1e-12)
    assert contact_point(*first, *unpacked(second)) == pytest.approx(point, abs=1e-9)
