from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.follow.pid import Gains, pid

DT = 0.02


def row(gains: Gains) -> tuple[float, ...]:
    return tuple(float(value) for value in vars(gains).values())


def respond(errors, gains: Gains, limit: float = 1e9, filtered: float = 0.0) -> np.ndarray:
    """The outputs and memories (T, 3) of the law for a row of errors."""
    integral, found = 0.0, []
    for error in errors:
        output, integral, filtered = pid(
            float(error), integral, filtered, *row(gains), float(limit), DT
        )
        found.append((output, integral, filtered))
    return np.array(found)


def plain_pid(error, integral, filtered, gains: Gains, limit, dt):
    """The law as textbooks write it, step by step, on a low-passed error."""
    alpha = 1 - math.exp(-dt / gains.derivative_time) if gains.derivative_time else 1.0
    smoother = (1 - alpha) * filtered + alpha * error
    slope = (smoother - filtered) / dt
    proportional = gains.proportional * error
    grown = np.clip(
        integral + gains.integral * error * dt, -gains.integral_limit, gains.integral_limit
    )
    wanted = proportional + grown + gains.derivative * slope
    if abs(wanted) > limit and np.sign(wanted) == np.sign(error):
        grown = integral  # the actuator is at its stop and the error pushes further
        wanted = proportional + grown + gains.derivative * slope
    return np.clip(wanted, -limit, limit), grown, smoother


amounts = st.floats(0, 5)
gain_sets = st.builds(Gains, amounts, amounts, amounts, st.floats(0, 1), amounts)


@given(gain_sets, st.lists(st.floats(-10, 10), min_size=1, max_size=40), st.floats(0.01, 20))
def test_equals_the_textbook_law(gains, errors, limit):
    integral = filtered = 0.0
    for error, found in zip(errors, respond(errors, gains, limit), strict=True):
        output, integral, filtered = plain_pid(error, integral, filtered, gains, limit, DT)
        assert found == pytest.approx((output, integral, filtered), rel=1e-9, abs=1e-9)


def test_proportional_part_is_proportional():
    errors = np.linspace(-3, 3, 13)
    found = respond(errors, Gains(2.0, 0.0, 0.0, 0.1, 1.0))
    assert found[:, 0] == pytest.approx(2 * errors)


def test_a_constant_error_integrates_to_a_ramp():
    found = respond(np.full(200, 0.5), Gains(0.0, 0.3, 0.0, 0.1, 10.0))
    assert found[:, 0] == pytest.approx(0.3 * 0.5 * DT * np.arange(1, 201))


def test_the_integral_stops_at_its_limit_on_either_side():
    gains = Gains(0.0, 1.0, 0.0, 0.1, 0.25)
    found = respond(np.concatenate((np.full(500, 1.0), np.full(1000, -1.0))), gains)
    assert found[499, 0] == 0.25
    assert found[-1, 0] == -0.25
    assert abs(found[:, 1]).max() == 0.25


def test_a_step_of_the_error_decays_from_the_derivative_as_the_filter_does():
    tau, kd = 0.1, 0.25
    found = respond(np.ones(100), Gains(0.0, 0.0, kd, tau, 1.0))[:, 0]
    time = DT * np.arange(100)
    # the difference of 1 - exp(-t/tau) over each step
    assert found == pytest.approx(kd / DT * (np.exp(-time / tau) - np.exp(-(time + DT) / tau)))
    assert found.sum() * DT == pytest.approx(kd, rel=1e-6)  # what an ideal derivative integrates to
    assert found[0] < kd / tau  # never the kick kd/dt of a bare difference


def test_a_ramp_of_the_error_ends_at_its_slope():
    slope, kd = 3.0, 0.4
    errors = slope * DT * np.arange(1, 200)
    found = respond(errors, Gains(0.0, 0.0, kd, 0.1, 1.0))[:, 0]
    assert found[-1] == pytest.approx(kd * slope, rel=1e-6)


def test_without_a_filter_time_the_derivative_is_the_bare_difference():
    errors = np.array([0.0, 1.0, 1.5, 1.5])
    found = respond(errors, Gains(0.0, 0.0, 0.25, 0.0, 1.0))[:, 0]
    assert found == pytest.approx(0.25 * np.diff(errors, prepend=0.0) / DT)


def test_the_filter_calms_a_derivative_of_noise():
    noise = np.where(np.arange(400) % 2 == 0, 0.1, -0.1)
    calm = respond(noise, Gains(0.0, 0.0, 0.25, 0.1, 1.0))[100:, 0]
    bare = respond(noise, Gains(0.0, 0.0, 0.25, 0.0, 1.0))[100:, 0]
    # gain of the first-order filter at the Nyquist frequency: alpha / (2 - alpha)
    alpha = 1 - math.exp(-DT / 0.1)
    assert abs(calm).max() == pytest.approx(alpha / (2 - alpha) * abs(bare).max(), rel=1e-3)


def test_ten_seconds_at_the_stop_leave_nothing_to_unwind():
    gains, limit = Gains(1.0, 2.0, 0.0, 0.1, 100.0), 1.0
    errors = np.concatenate((np.full(500, 3.0), np.full(50, -0.3)))
    found = respond(errors, gains, limit)
    assert found[:500, 0] == pytest.approx(1.0)
    # a wound-up integral of 2 * 3 * 10 would hold the output at its stop for a minute and a half
    assert found[500, 0] == pytest.approx(-0.3, abs=0.02)
    assert (found[500:, 0] < 0).all()


def test_saturation_does_not_stop_the_integral_from_shrinking():
    gains = Gains(1.0, 1.0, 0.0, 0.1, 100.0)
    _, integral, _ = pid(-3.0, 2.0, -3.0, *row(gains), 0.5, DT)
    assert integral == 2.0  # pushed further into the stop: frozen
    _, integral, _ = pid(-0.1, 2.0, -0.1, *row(gains), 0.5, DT)
    assert integral == pytest.approx(2.0 - 0.1 * DT)  # at the stop, but coming back


@pytest.mark.parametrize("pole", [0.5, 2.0])
def test_a_closed_loop_settles_without_remaining_error(pole):
    """A first-order plant y' = pole (u + load - y) under PI reaches the wanted value exactly."""
    gains, y, integral, filtered = Gains(2.0, 1.5, 0.0, 0.1, 10.0), 0.0, 0.0, 0.0
    for _ in range(3000):
        u, integral, filtered = pid(1.0 - y, integral, filtered, *row(gains), 10.0, DT)
        y += DT * pole * (u - 0.7 - y)
    assert y == pytest.approx(1.0, abs=1e-6)
    assert integral == pytest.approx(1.7, abs=1e-5)  # carries the load and the held value


@given(gain_sets, st.lists(st.floats(-1e6, 1e6), max_size=30), st.floats(0.01, 20))
def test_the_output_never_leaves_its_limit(gains, errors, limit):
    found = respond(errors, gains, limit)
    assert np.isfinite(found).all()
    assert (abs(found[:, 0]) <= limit).all() if len(found) else True


@given(gain_sets, st.lists(st.floats(-10, 10), min_size=1, max_size=20), st.floats(0.01, 20))
def test_left_and_right_are_treated_alike(gains, errors, limit):
    assert np.array_equal(
        respond(errors, gains, limit), -respond([-error for error in errors], gains, limit)
    )


@pytest.mark.parametrize(
    "name", ["proportional", "integral", "derivative", "derivative_time", "integral_limit"]
)
@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf])
def test_gains_that_cannot_be_are_named(name, value):
    with pytest.raises(InputError, match=rf"\b{name} is "):
        Gains(**{name: value})


@pytest.mark.parametrize("value", ["1", None, [1.0]])
def test_a_gain_that_is_no_number_is_named(value):
    with pytest.raises(InputError, match=r"\bproportional is "):
        Gains(proportional=value)
