from __future__ import annotations

import math
import time
from bisect import bisect_left
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.world.route import Projection, Route

TURN = np.arange(90) * 2 * math.pi / 90
RING = 100.0 * np.column_stack((np.cos(TURN), np.sin(TURN)))
EIGHT = np.column_stack((200 * np.sin(TURN), 90 * np.sin(2 * TURN)))
coordinate = st.integers(-500, 500)
waypoints = st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=15, unique=True)


def game_position(points: np.ndarray, smooth: bool, s: float) -> np.ndarray:
    """The published formula of a closed game circuit, by chords, as plainly as it is written."""
    count = len(points)
    distances = [0.0]
    for k in range(count):
        distances.append(distances[-1] + math.dist(points[k], points[(k + 1) % count]))
    s = s % distances[-1]
    k = max(bisect_left(distances, s), 1)  # at s = 0 the first segment begins
    t = (s - distances[k - 1]) / (distances[k] - distances[k - 1])
    p0, p1, p2, p3 = (points[i % count] for i in (k - 2, k - 1, k, k + 1))
    if not smooth:
        return p1 + (p2 - p1) * t
    return 0.5 * (
        2 * p1
        + (p2 - p0) * t
        + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2
        + (-p0 + 3 * p1 - 3 * p2 + p3) * t**3
    )


@pytest.mark.parametrize("smooth", [True, False])
@given(waypoints, st.floats(-3, 3))
def test_chord_routes_are_the_published_formula(smooth, points, lap):
    route = Route.through(points, smooth=smooth, parametrisation="chord")
    points = np.array(points, dtype=float)
    size = np.abs(points).max()
    for s in (lap * route.length, 0.0, *route.waypoint_s):
        expected = game_position(points, smooth, float(s))
        assert np.abs(route.position(s) - expected).max() <= 1e-12 * size * max(1, abs(lap))


def test_a_chord_route_in_space_keeps_its_height():
    points = np.column_stack((RING, 5 * np.sin(3 * TURN)))
    route = Route.through(points, parametrisation="chord")
    for s in np.linspace(0, route.length, 200, endpoint=False):
        expected = game_position(points, True, float(s))
        assert np.abs(route.position(s) - expected).max() <= 1e-12 * 100


@pytest.mark.parametrize("points", [RING, np.column_stack((RING, 10 * np.sin(2 * TURN)))])
def test_equal_steps_of_an_arc_route_are_equal_metres(points):
    route = Route.through(points[::3])
    s = route.sample(0.01)
    track = route.position(np.append(s, 0.0))
    metres = np.sqrt((np.diff(track, axis=0) ** 2).sum(axis=1))
    # A chord is shorter than its arc by (κ step)²/24, here 1e-9.
    assert np.abs(metres / s[1] - 1.0).max() < 1e-6


def test_shapes_follow_the_argument():
    flat, high = Route.through(RING), Route.through(np.column_stack((RING, TURN)), closed=False)
    for route, d in ((flat, 2), (high, 3)):
        for shape in ((), (1,), (5,), (2, 3), (0,)):
            s = np.full(shape, 12.5)
            assert route.position(s).shape == (*shape, d)
            assert route.direction(s).shape == (*shape, d)
            for result in (route.yaw(s), route.curvature(s), route.wrap(s)):
                assert np.shape(result) == shape
                assert shape or type(result) is float
            found = route.project(route.position(s))
            assert np.shape(found.s) == np.shape(found.offset) == shape
    assert isinstance(flat.project((1, 2)), Projection)
    assert type(flat.project((1, 2)).s) is float


def test_direction_yaw_and_position_agree():
    route = Route.through(np.column_stack((EIGHT, 20 * np.cos(TURN))))
    s = np.linspace(-50.0, 2 * route.length, 500)
    direction = route.direction(s)
    assert np.allclose(np.linalg.norm(direction, axis=-1), 1.0)
    assert np.allclose(route.yaw(s), np.arctan2(direction[:, 1], direction[:, 0]))
    step = 1e-4
    moved = (route.position(s + step) - route.position(s - step)) / (2 * step)
    assert np.allclose(moved, direction, atol=1e-4)


def test_straight_routes_turn_at_once_and_have_no_curvature():
    route = Route.through([(0, 0), (10, 0), (10, 10)], closed=False, smooth=False)
    assert route.direction([0.0, 9.99, 10.0, 20.0]).tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert np.all(route.curvature(np.linspace(0, 20, 50)) == 0.0)
    assert route.yaw(15.0) == pytest.approx(math.pi / 2)


def test_closed_routes_wrap_and_open_ones_stop():
    closed, opened = Route.through(RING), Route.through(RING, closed=False)
    assert closed.wrap(closed.length) == 0.0
    assert closed.wrap(-1.0) == pytest.approx(closed.length - 1.0)
    assert np.allclose(closed.position(closed.length * 3 + 7.0), closed.position(7.0))
    assert opened.wrap([-5.0, 1e9]).tolist() == [0.0, opened.length]
    assert opened.position(-3.0).tolist() == RING[0].tolist()
    assert opened.position(1e9) == pytest.approx(RING[-1])


def test_a_duplicated_closing_point_is_dropped_with_its_widths():
    widths = np.column_stack((np.arange(1.0, 92.0), np.full(91, 2.0)))
    twice = Route.through([*RING, RING[0]], widths=widths)
    once = Route.through(RING, widths=widths[:-1])
    assert len(twice.waypoints) == 90
    assert np.array_equal(twice.knots, once.knots)
    assert np.array_equal(twice.widths, once.widths)
    assert len(Route.through([*RING, RING[0]], closed=False).waypoints) == 91


@pytest.mark.parametrize("closed", [True, False])
def test_widths_are_linear_between_waypoints(closed):
    rng = np.random.default_rng(4)
    widths = rng.uniform(2, 9, (90, 2))
    route = Route.through(RING, closed=closed, widths=widths)
    s = rng.uniform(0, route.length, 300)
    stops, sides = route.waypoint_s, widths
    if closed:
        stops, sides = np.append(stops, route.length), np.append(widths, widths[:1], axis=0)
    expected = np.column_stack([np.interp(s, stops, side) for side in sides.T])
    assert np.allclose(route.width(s), expected, rtol=1e-12)
    assert route.width(route.waypoint_s) == pytest.approx(widths, rel=1e-9)
    assert route.width(3.0).shape == (2,)


def test_width_of_a_route_without_widths_is_refused():
    with pytest.raises(InputError, match="no widths"):
        Route.through(RING).width(0.0)


def test_samples_are_even_and_the_end_comes_once():
    closed, opened = Route.through(RING), Route.through(RING, closed=False)
    around, along = closed.sample(10.0), opened.sample(10.0)
    assert np.allclose(np.diff(around), around[1])
    assert around[-1] + around[1] == pytest.approx(closed.length)
    assert along[-1] == opened.length
    assert len(opened.sample(1e9)) == 2
    assert len(closed.sample(1e9)) == 3


@pytest.mark.parametrize("step", [0.0, -1.0, 1e-9, math.nan, math.inf, "far", [1.0]])
def test_steps_that_cannot_be_are_refused(step):
    with pytest.raises(InputError, match="step"):
        Route.through(RING).sample(step)


def test_with_a_hint_the_crossing_is_passed_without_a_jump():
    route = Route.through(EIGHT)
    s = np.arange(0.0, 1.2 * route.length, 1.5)
    yaw = route.yaw(s)
    path = route.position(s) + 3.0 * np.column_stack((-np.sin(yaw), np.cos(yaw)))
    hint = 0.0
    for where, place in zip(s, path, strict=True):
        hint, offset = route.project(place, hint)
        assert hint == pytest.approx(route.wrap(where), abs=1e-6)
        assert offset == pytest.approx(3.0, abs=1e-6)


def test_yaw_picks_the_stretch_at_a_crossing_and_between_opposite_straights():
    eight = Route.through(EIGHT, widths=np.full((90, 2), 5.0))
    for s in (2.0, eight.length / 2 + 2.0):
        yaw = eight.yaw(s)
        assert eight.project(eight.position(s), yaw=yaw + 0.3).s == pytest.approx(s, abs=1e-6)
    lanes = Route.through([(0, 0), (90, 0), (90, 3), (0, 3)], smooth=False)
    assert lanes.project((40.0, 1.6)).s == pytest.approx(90 + 3 + 50)
    assert lanes.project((40.0, 1.6), yaw=0.2) == pytest.approx((40.0, 1.6))
    assert lanes.project((40.0, 1.4), yaw=3.0) == pytest.approx((143.0, 1.6))


def test_a_car_backwards_on_its_road_stays_on_it():
    lanes = Route.through(
        [(0, 0), (200, 0), (200, 14), (0, 14)], smooth=False, widths=np.full((4, 2), 6.0)
    )
    assert lanes.project((100.0, 1.0), yaw=math.pi).s == pytest.approx(100.0)


def test_many_positions_are_projected_as_one_by_one():
    route = Route.through(EIGHT)
    rng = np.random.default_rng(0)
    places = rng.uniform((-220, -100), (220, 100), (50, 2))
    hints, yaws = rng.uniform(0, route.length, 50), rng.uniform(-3, 3, 50)
    for arguments in ({}, {"hint": hints, "window": 40.0}, {"yaw": yaws}):
        together = route.project(places, **arguments)
        for i in range(50):
            own = {k: v[i] if np.ndim(v) else v for k, v in arguments.items()}
            assert route.project(places[i], **own) == (together.s[i], together.offset[i])
    square = route.project(places.reshape(5, 10, 2))
    assert np.array_equal(square.s.ravel(), route.project(places).s)


def test_heights_are_ignored_by_projection():
    route = Route.through(np.column_stack((RING, 30 * np.sin(TURN))))
    flat = route.project((90.0, 20.0))
    assert route.project((90.0, 20.0, 500.0)) == flat


def test_read_only_and_strided_arguments_are_taken():
    route = Route.through(RING)
    s = np.linspace(0, 100, 20)[::2]
    s.flags.writeable = False
    places = route.position(s)[::-1]
    places.flags.writeable = False
    assert np.allclose(route.project(places).s, s[::-1], atol=1e-6)


BAD_PROJECTIONS = [
    ({"position": (1.0,)}, "position has shape"),
    ({"position": 3.0}, "position has shape"),
    ({"position": (1.0, math.nan)}, r"position\[1\] is nan"),
    ({"position": "here"}, "position"),
    ({"position": (1, 2), "hint": math.inf}, "hint is inf"),
    ({"position": [(1, 2), (3, 4)], "hint": [1, 2, 3]}, "hint has shape"),
    ({"position": (1, 2), "hint": 0.0, "window": -1.0}, "window"),
    ({"position": (1, 2), "hint": 0.0, "window": math.nan}, "window"),
    ({"position": (1, 2), "hint": 0.0, "window": [1, 2]}, "window"),
    ({"position": (1, 2), "window": 3.0}, "without a hint"),
    ({"position": (1, 2), "yaw": math.nan}, "yaw is nan"),
    ({"position": (1, 2), "yaw": [1, 2]}, "yaw has shape"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_PROJECTIONS)
def test_projections_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Route.through(RING).project(**arguments)


@pytest.mark.parametrize("ask", ["position", "direction", "yaw", "curvature", "wrap", "width"])
def test_an_s_that_is_not_finite_is_refused(ask):
    route = Route.through(RING, widths=np.ones((90, 2)))
    with pytest.raises(InputError, match=r"s\[1\] is nan"):
        getattr(route, ask)([0.0, math.nan])


BAD_ROUTES = [
    ({"points": []}, "shape"),
    ({"points": [(0, 0)], "closed": False}, "an open route needs 2"),
    ({"points": [(0, 0), (1, 0)]}, "a closed route needs 3"),
    ({"points": [(0, 0), (1, 0), (0, 0)]}, "a closed route needs 3"),
    ({"points": [(0, 0), (1, math.nan), (2, 2)]}, r"points\[1, 1\] is nan"),
    ({"points": [(0, 0), (0, 0), (2, 2)]}, r"points\[0\] and points\[1\]"),
    ({"points": [(0, 0), (1, 0), (1e8, 0)]}, r"points\[2\]"),
    ({"points": RING, "parametrisation": "time"}, "parametrisation is 'time'"),
    ({"points": RING, "widths": np.ones((3, 2))}, "widths has shape"),
    ({"points": RING, "widths": np.zeros((90, 2))}, r"widths\[0, 0\] is 0"),
    ({"points": RING, "widths": np.full((90, 2), math.inf)}, r"widths\[0, 0\] is inf"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_ROUTES)
def test_routes_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Route.through(**arguments)


number = st.one_of(st.floats(-1e7, 1e7), st.floats(-1e-5, 1e-5), st.integers(-3, 3), st.floats())
rows = st.sampled_from([2, 3]).flatmap(
    lambda d: st.lists(st.lists(number, min_size=d, max_size=d), min_size=2, max_size=7)
)


@settings(max_examples=400)
@given(rows, st.booleans(), st.booleans(), st.sampled_from(["arc", "chord"]))
def test_any_waypoints_give_a_finite_route_or_one_sentence(points, closed, smooth, parametrisation):
    try:
        route = Route.through(points, closed, smooth, parametrisation)
    except InputError:
        return
    s = np.linspace(-1.0, 1.2, 50) * route.length
    assert 0.0 < route.length < math.inf
    assert np.isfinite(route.position(s)).all()
    assert np.isfinite(route.direction(s)).all()
    assert np.isfinite(route.curvature(s)).all()
    assert np.isfinite(route.project(route.position(s), hint=s)).all()
    assert np.isfinite(route.project(route.position(s), yaw=0.0)).all()


def test_routes_cannot_be_changed():
    given = RING.copy()
    route = Route.through(given, widths=np.ones((90, 2)))
    given[:] = 0.0
    assert np.array_equal(route.waypoints, RING)
    with pytest.raises(FrozenInstanceError):
        route.closed = False  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        route.waypoints[0] = 0.0


def test_a_million_waypoints_take_two_seconds():
    count = 1_000_000
    angle = np.arange(count) * 2 * math.pi / count
    points = 1e5 * np.column_stack((np.cos(angle), np.sin(angle)))
    Route.through(RING)  # compiled before the clock starts
    start = time.process_time()
    route = Route.through(points, widths=np.ones((count, 2)))
    assert time.process_time() - start < 4.0  # half of it is headroom for a loaded machine
    assert route.length == pytest.approx(2e5 * math.pi, rel=1e-9)
    assert route.project((0.0, 1e5 - 3.0), hint=route.length / 4)[1] == pytest.approx(3.0, abs=1e-6)
