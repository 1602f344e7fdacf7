from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from headway.errors import InputError
from headway.follow.speed_profile import LIMIT_SPEEDS, lap_time, limit_at, speed_profile

TOP = 60.0


def constant(lateral: float, braking: float, driving: float) -> np.ndarray:
    return np.repeat([[lateral], [braking], [driving]], LIMIT_SPEEDS, axis=1).astype(float)


def car_like(top: float = TOP) -> np.ndarray:
    """Grip that grows with speed, brakes that do too, an engine that fades."""
    v = np.linspace(0.0, top, LIMIT_SPEEDS)
    return np.stack((9.0 + 0.002 * v**2, 8.0 + 0.001 * v**2, np.maximum(7.0 - 0.1 * v, 0.0)))


def wavy(count: int, sizes, phases) -> np.ndarray:
    """A curvature made of a few waves, 1/m."""
    angle = np.arange(count) * 2 * math.pi / count
    waves = enumerate(zip(sizes, phases, strict=True), start=1)
    return np.sum([size * np.cos(k * angle + phase) for k, (size, phase) in waves], axis=0)


curvatures = st.builds(
    wavy,
    st.integers(40, 200),
    st.tuples(*[st.floats(0, 0.02)] * 4),
    st.tuples(*[st.floats(0, 6.3)] * 4),
)
rough_curvatures = st.lists(st.floats(-0.3, 0.3), min_size=1, max_size=60).map(np.array)


# ---------------------------------------------------------------------------------------------
# Twins in plain Python


def limits_at(v, limits, top=TOP):
    place = np.clip(v / top, 0, 1) * (LIMIT_SPEEDS - 1)
    low = np.minimum(np.floor(place).astype(int), LIMIT_SPEEDS - 2)
    return limits[:, low] + (place - low) * (limits[:, low + 1] - limits[:, low])


def corner_speeds(curvature, limits, top=TOP) -> np.ndarray:
    """The speeds that the bends allow: where, on a fine grid, the demand passes the grip."""
    v = np.linspace(0.0, top, 20_001)
    grip = limits_at(v, limits, top)[0]
    found = []
    for bend in np.abs(curvature):
        spare = grip - bend * v**2
        i = int(np.argmax(spare < 0)) if (spare < 0).any() else 0
        found.append(v[i] - (v[1] * spare[i] / (spare[i] - spare[i - 1])) if i else top)
    return np.array(found)


def slowest_first(curvature, step: float, limits, top=TOP) -> np.ndarray:
    """The profile of a closed line, begun at its slowest bend, which nothing can make slower."""
    count = len(curvature)
    v = corner_speeds(curvature, limits, top)
    slowest = int(v.argmin())
    for k in range(count):
        i, j = (slowest + k) % count, (slowest + k + 1) % count
        grip, _, drive = limits_at(v[i], limits, top)
        left = grip * math.sqrt(max(1 - (curvature[i] * v[i] ** 2 / grip) ** 2, 0))
        v[j] = min(v[j], math.sqrt(v[i] ** 2 + 2 * step * min(left, drive)))
    for k in range(count):
        i, j = (slowest - k) % count, (slowest - k - 1) % count
        grip, brake, _ = limits_at(v[i], limits, top)
        left = math.sqrt(1 - min(abs(curvature[j]) * v[i] ** 2 / grip, 1) ** 2)
        v[j] = min(v[j], math.sqrt(v[i] ** 2 + 2 * step * brake * left))
    return v


@settings(max_examples=30)
@given(curvatures, st.floats(0.5, 8))
def test_equals_the_twin_that_begins_at_the_slowest_bend(curvature, step):
    found = speed_profile(curvature, step, car_like(), TOP)
    assert found == pytest.approx(slowest_first(curvature, step, car_like()), rel=1e-3)


@settings(max_examples=30)
@given(curvatures, st.floats(0.5, 8), st.integers(0, 199))
def test_where_a_closed_line_begins_does_not_matter(curvature, step, places):
    found = speed_profile(curvature, step, car_like(), TOP)
    turned = speed_profile(np.roll(curvature, places), step, car_like(), TOP)
    assert turned == pytest.approx(np.roll(found, places), rel=1e-9)


@pytest.mark.parametrize("backwards", [False, True])
def test_approaches_the_differential_equation(backwards):
    """dv²/ds = 2 a(v) sqrt(1 - (curvature v²/grip)²), out of a bend that opens like a clothoid."""
    limits, tight, step = car_like(), 0.05, 0.02
    s = np.arange(0.0, 60.0, step)
    curvature = tight / (1 + (s / 8) ** 2)
    start = 0.98 * corner_speeds([tight], limits)[0]

    def rate(s, square):
        grip, brake, drive = limits_at(math.sqrt(square[0]), limits)
        used = min(tight / (1 + (s / 8) ** 2) * square[0] / grip, 1.0)
        left = math.sqrt(1 - used**2)
        return [2 * (left * brake if backwards else min(left * grip, drive))]

    exact = solve_ivp(rate, (0, 60), [start**2], t_eval=s, rtol=1e-9, atol=1e-9).y[0] ** 0.5
    # the equation knows nothing of the corner speed, which must not be what holds the car here
    assert (exact < 0.99 * corner_speeds(curvature, limits))[200:].all()
    if backwards:
        curvature[0] = limits_at(start, limits)[0] / start**2  # the last point is met at `start`
        found = speed_profile(curvature[::-1], step, limits, TOP, closed=False)[::-1]
    else:
        found = speed_profile(curvature, step, limits, TOP, closed=False, start_speed=start)
    assert found == pytest.approx(exact, rel=2e-3)


# ---------------------------------------------------------------------------------------------
# Closed forms


@pytest.mark.parametrize("radius", [10.0, 80.0, -80.0])
def test_a_circle_is_driven_at_the_root_of_grip_times_radius(radius):
    found = speed_profile(np.full(100, 1 / radius), 2.0, constant(9.0, 8.0, 4.0), TOP)
    assert found == pytest.approx(math.sqrt(9.0 * abs(radius)), rel=1e-9)


def test_downforce_makes_wide_circles_faster():
    """With grip g0 + c v² the speed on a radius R is the root of g0 R / (1 - c R)."""
    g0, c, radius, top = 9.0, 0.004, 60.0, 100.0
    v = np.linspace(0.0, top, LIMIT_SPEEDS)
    limits = np.stack((g0 + c * v**2, np.full_like(v, 8.0), np.full_like(v, 4.0)))
    found = speed_profile(np.full(50, 1 / radius), 2.0, limits, top)
    assert found == pytest.approx(math.sqrt(g0 * radius / (1 - c * radius)), rel=2e-3)


def test_a_straight_is_driven_at_the_top_speed():
    assert (speed_profile(np.zeros(50), 2.0, constant(9.0, 8.0, 4.0), TOP) == TOP).all()
    assert (speed_profile(np.full(50, 1e-4), 2.0, constant(9.0, 8.0, 4.0), TOP) == TOP).all()


def test_a_hairpin_between_straights():
    """v² = v_c² + 2 a d on either side, with the brakes' a before and the engine's after."""
    count, step, at, brake, drive = 400, 2.0, 250, 7.0, 3.0
    curvature = np.zeros(count)
    curvature[at] = 1 / 12
    slow = math.sqrt(9.0 * 12)
    found = speed_profile(curvature, step, constant(9.0, brake, drive), TOP)
    distance = step * ((at - np.arange(count)) % count)
    before = np.sqrt(slow**2 + 2 * brake * distance)
    # out of the very bend itself there is no grip left to drive with: the first step is lost
    after = np.sqrt(slow**2 + 2 * drive * np.maximum(step * count - distance - step, 0))
    after[at] = slow
    wanted = np.minimum(TOP, np.minimum(before, after))
    assert found == pytest.approx(wanted, rel=1e-6)


def test_a_closed_line_brakes_before_its_start_for_a_bend_after_it():
    curvature = np.zeros(200)
    curvature[2] = 0.1
    found = speed_profile(curvature, 2.0, constant(9.0, 8.0, 4.0), TOP)
    assert found[198] == pytest.approx(math.sqrt(90 + 2 * 8 * 8.0), rel=1e-6)
    assert found[100] > found[198] > found[0] > found[2]
    assert np.argmin(found) == 2


def test_an_open_line_knows_nothing_of_its_other_end():
    curvature = np.zeros(300)
    curvature[0] = curvature[-1] = 0.1
    limits = constant(9.0, 8.0, 40.0)
    found = speed_profile(curvature, 2.0, limits, TOP, closed=False)
    assert found[0] == pytest.approx(math.sqrt(90.0))
    assert found[-1] == pytest.approx(math.sqrt(90.0))
    opened = speed_profile(curvature[1:], 2.0, limits, TOP, closed=False)
    assert opened[0] == TOP
    assert speed_profile(curvature[:-1], 2.0, limits, TOP, closed=False)[-1] == TOP


def test_an_open_line_from_standing_accelerates_as_the_engine_allows():
    found = speed_profile(
        np.zeros(100), 1.0, constant(9.0, 8.0, 4.0), TOP, closed=False, start_speed=0.0
    )
    assert found == pytest.approx(np.sqrt(2 * 4.0 * np.arange(100)))


def test_grip_is_shared_between_turning_and_braking():
    """At 60 % of the grip used for turning, 80 % of the brakes are left."""
    radius, grip, brake, step = 100.0, 10.0, 8.0, 0.01
    v = math.sqrt(0.6 * grip * radius)
    curvature = np.full(3, 1 / radius)
    curvature[-1] = grip / v**2  # the last point holds the speed at v
    found = speed_profile(curvature, step, constant(grip, brake, 4.0), TOP, closed=False)
    decelerates = (found[1] ** 2 - found[2] ** 2) / (2 * step)
    assert found[2] == pytest.approx(v)
    assert decelerates == pytest.approx(0.8 * brake, rel=1e-6)


def test_a_strong_engine_is_held_by_the_grip():
    found = speed_profile(
        np.zeros(3), 1.0, constant(9.0, 8.0, 30.0), TOP, closed=False, start_speed=10.0
    )
    assert found[1] == pytest.approx(math.sqrt(100 + 2 * 9.0))


# ---------------------------------------------------------------------------------------------
# Whatever the line


@given(curvatures | rough_curvatures, st.floats(0.2, 10), st.booleans())
def test_never_above_the_corner_speed_nor_beyond_brakes_and_drive(curvature, step, closed):
    limits = car_like()
    v = speed_profile(curvature, step, limits, TOP, closed=closed)
    grip, brake, drive = limits_at(v, limits)
    assert (v > 0).all()
    assert (v <= TOP).all()
    assert (np.abs(curvature) * v**2 <= grip * (1 + 1e-6)).all()
    gained = (np.roll(v, -1) ** 2 - v**2) / (2 * step)
    if not closed:
        gained = gained[:-1]
        brake, drive = brake[1:], drive[:-1]
    else:
        brake = np.roll(brake, -1)
    assert (gained <= drive + 1e-6).all()
    assert (-gained <= brake + 1e-6).all()


@settings(max_examples=30)
@given(curvatures | rough_curvatures, st.floats(0.2, 10), st.booleans())
def test_some_limit_is_used_up_everywhere(curvature, step, closed):
    """Nowhere could the car be faster: the bend, the drive or the brakes hold each point."""
    limits = car_like()
    v = speed_profile(curvature, step, limits, TOP, closed=closed)
    corner = corner_speeds(curvature, limits)
    for i in range(len(v)):
        before, after = i - 1, (i + 1) % len(v)
        held = v[i] > corner[i] * (1 - 1e-5)
        if closed or i > 0:
            grip, _, drive = limits_at(v[before], limits)
            left = grip * math.sqrt(max(1 - (curvature[before] * v[before] ** 2 / grip) ** 2, 0))
            held |= v[i] ** 2 >= v[before] ** 2 + 2 * step * min(left, drive) * 0.99 - 1e-3
        if closed or i + 1 < len(v):
            grip, brake, _ = limits_at(v[after], limits)
            left = math.sqrt(1 - min(abs(curvature[i]) * v[after] ** 2 / grip, 1) ** 2)
            held |= v[i] ** 2 >= v[after] ** 2 + 2 * step * brake * left * 0.99 - 1e-3
        assert held


@given(curvatures, st.floats(0.5, 8), st.floats(0.3, 3))
def test_speed_grows_as_the_root_of_all_limits(curvature, step, factor):
    """With limits that do not depend on speed, scaling all of them only scales time."""
    limits, high = constant(9.0, 8.0, 4.0), 400.0
    curvature = curvature + 0.01
    found = speed_profile(curvature, step, limits, high)
    scaled = speed_profile(curvature, step, factor * limits, high)
    assert scaled == pytest.approx(math.sqrt(factor) * found, rel=1e-3)


@given(curvatures, st.floats(1.0, 1.5), st.sampled_from([0, 1, 2]))
def test_more_of_any_limit_never_costs_time(curvature, factor, row):
    limits = car_like()
    more = limits.copy()
    more[row] *= factor
    slow, fast = (speed_profile(curvature, 1.0, each, TOP) for each in (limits, more))
    assert lap_time(fast, 1.0) <= lap_time(slow, 1.0) * (1 + 1e-3)
    assert (fast >= 0.98 * slow).all()


@given(curvatures)
def test_turning_left_costs_what_turning_right_does(curvature):
    found = speed_profile(curvature, 2.0, car_like(), TOP)
    assert np.array_equal(found, speed_profile(-curvature, 2.0, car_like(), TOP))


@settings(max_examples=20)
@given(st.tuples(*[st.floats(0, 0.02)] * 4), st.tuples(*[st.floats(0, 6.3)] * 4))
def test_a_line_takes_as_long_either_way_if_grip_alone_limits_it(sizes, phases):
    curvature, limits = wavy(2500, sizes, phases), constant(9.0, 9.0, 9.0)
    there = speed_profile(curvature, 0.2, limits, TOP)
    back = speed_profile(curvature[::-1], 0.2, limits, TOP)[::-1]
    assert lap_time(back, 0.2) == pytest.approx(lap_time(there, 0.2), rel=2e-3)
    assert back == pytest.approx(there, rel=0.05)


# ---------------------------------------------------------------------------------------------
# Lap time


def test_lap_time_at_a_steady_speed_is_distance_over_speed():
    assert lap_time(np.full(50, 25.0), 2.0) == pytest.approx(4.0)
    assert lap_time(np.full(51, 25.0), 2.0, closed=False) == pytest.approx(4.0)


def test_lap_time_under_steady_acceleration_is_exact():
    s = np.arange(0.0, 201.0, 2.0)
    v = np.sqrt(10.0**2 + 2 * 4.0 * s)
    assert lap_time(v, 2.0, closed=False) == pytest.approx((v[-1] - v[0]) / 4.0, rel=1e-12)


@given(curvatures)
def test_lap_time_is_the_integral_of_slowness(curvature):
    v = speed_profile(curvature, 1.0, car_like(), TOP)
    fine = np.interp(np.linspace(0, len(v), 200 * len(v), False), range(len(v) + 1), [*v, v[0]])
    assert lap_time(v, 1.0) == pytest.approx(len(v) * (1 / fine).mean(), rel=5e-3)


# ---------------------------------------------------------------------------------------------
# Limits and refusals


@given(st.floats(-10, 100), st.sampled_from([0, 1, 2]))
def test_limits_are_interpolated_and_end_at_the_top_speed(speed, row):
    limits = car_like()
    assert limit_at(speed, limits, row, TOP) == pytest.approx(limits_at(speed, limits)[row])


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"curvature": np.array([])}, "curvature"),
        ({"curvature": np.array([0.0, math.nan])}, "curvature"),
        ({"curvature": np.zeros((2, 2))}, "curvature"),
        ({"limits": np.ones((3, 5))}, "limits"),
        ({"limits": -constant(1, 1, 1)}, "limits"),
        ({"limits": constant(1, math.nan, 1)}, "limits"),
        ({"step": 0.0}, "step"),
        ({"step": math.inf}, "step"),
        ({"top_speed": -1.0}, "top_speed"),
        ({"top_speed": math.nan}, "top_speed"),
        ({"start_speed": math.nan}, "start_speed"),
        ({"start_speed": -3.0}, "start_speed"),
    ],
)
def test_what_cannot_be_is_refused_by_name(change, word):
    usable = {
        "curvature": np.zeros(5), "step": 1.0, "limits": constant(9, 8, 4), "top_speed": TOP,
        "closed": False,
    }  # fmt: skip
    with pytest.raises(InputError, match=word):
        speed_profile(**(usable | change))


def test_no_grip_at_all_is_no_motion_and_no_fault():
    assert (speed_profile(np.full(10, 0.1), 1.0, constant(0, 5, 5), TOP) == 0).all()
