from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.geometry.noise import gradient_noise, uniform

WORD = 2**64 - 1
whole = st.integers(-(2**63), 2**63 - 1)


def mixed(key: int, value: int) -> int:
    """One round of SplitMix64 in Python's integers."""
    z = ((key ^ (value & WORD)) + 0x9E3779B97F4A7C15) & WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


@given(whole, whole, whole, whole)
def test_uniform_is_splitmix_of_its_four_numbers(seed, stream, agent, tick):
    key = 0
    for value in (seed, stream, agent, tick):
        key = mixed(key, value)
    assert uniform(seed, stream, agent, tick) == (key >> 11) / 2**53


@pytest.mark.parametrize("varied", range(4))
def test_uniform_is_flat_and_uncorrelated_along_each_argument(varied):
    count = 20_000
    arguments = [[5, 1, 2, 3] for _ in range(count)]
    for i, row in enumerate(arguments):
        row[varied] = i
    values = np.array([uniform(*row) for row in arguments])
    assert values.min() >= 0.0
    assert values.max() < 1.0
    error = 4.0 / math.sqrt(count)
    assert abs(values.mean() - 0.5) < error * math.sqrt(1 / 12)
    assert abs(values.var() - 1 / 12) < error * 0.08
    shares = np.histogram(values, bins=50, range=(0.0, 1.0))[0] / count
    assert np.abs(shares - 0.02).max() < 5.0 * math.sqrt(0.02 / count)
    for lag in (1, 2, 3, 8, 64):
        assert abs(np.corrcoef(values[:-lag], values[lag:])[0, 1]) < error


def test_swapped_arguments_give_other_numbers():
    assert len({uniform(*order) for order in ((1, 2, 3, 4), (2, 1, 3, 4), (1, 2, 4, 3))}) == 3


def series(seed: int, stream: int, agent: int, t: np.ndarray) -> np.ndarray:
    return np.array([gradient_noise(seed, stream, agent, float(x)) for x in t])


def test_noise_has_the_mean_variance_and_correlation_of_gradient_noise():
    # With slopes uniform in [−1, 1] (variance ⅓) and blend w(f), the mean over the phase f of
    # 4/3 [((1 − w) f)² + (w (f − 1))²] is the variance; at lag 1 only one slope is shared.
    f = (np.arange(2000) + 0.5) / 2000
    w = f**3 * (f * (6 * f - 15) + 10)
    variance = np.mean(4 / 3 * (((1 - w) * f) ** 2 + (w * (f - 1)) ** 2))
    lag_1 = np.mean(4 / 3 * (w * (f - 1)) * ((1 - w) * f))
    step = 8
    values = np.concatenate(
        [series(seed, 0, agent, np.arange(4000) / step) for seed in range(3) for agent in range(10)]
    ).reshape(30, -1)
    assert abs(values.mean()) < 0.01
    assert abs(values.var() - variance) < 0.05 * variance
    assert np.mean(values[:, :-step] * values[:, step:]) == pytest.approx(lag_1, abs=0.1 * variance)
    assert abs(np.mean(values[:, : -3 * step] * values[:, 3 * step :])) < 0.03 * variance


@given(whole, whole, whole, st.floats(-1e6, 1e6))
def test_noise_is_bounded_and_smooth(seed, stream, agent, t):
    around = series(seed, stream, agent, t + np.array([-1e-4, 0.0, 1e-4]))
    assert np.abs(around).max() <= 1.0
    assert np.abs(np.diff(around)).max() < 6e-4
    assert abs(np.diff(around, 2)[0]) < 1e-6


def test_noise_is_smooth_where_its_pieces_meet():
    t = np.linspace(0.0, 2.0, 200_001)
    values = series(3, 0, 1, t)
    step = t[1]
    assert np.abs(np.diff(values)).max() / step < 6.0
    assert np.abs(np.diff(values, 2)).max() / step**2 < 40.0


def test_agents_streams_and_seeds_differ():
    t = np.linspace(0.0, 200.0, 1500)
    runs = [series(*who, t) for who in ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0))]
    for i, one in enumerate(runs):
        for other in runs[:i]:
            assert abs(np.corrcoef(one, other)[0, 1]) < 0.25


def test_agents_do_not_vanish_together():
    sizes = [abs(gradient_noise(0, 0, agent, 5.0)) for agent in range(200)]
    assert np.mean(sizes) > 0.1


def test_values_do_not_depend_on_what_else_is_asked():
    alone = gradient_noise(9, 2, 17, 3.25)
    crowd = [gradient_noise(9, 2, agent, 3.25) for agent in reversed(range(40))]
    assert crowd[40 - 1 - 17] == alone


def test_the_numbers_are_the_same_without_compilation():
    program = (
        "from headway.geometry.noise import gradient_noise, uniform\n"
        "print(uniform(7, 0, 3, -5), gradient_noise(7, 1, 2, 12.5))"
    )
    command = [sys.executable, "-W", "ignore", "-c", program]
    plain = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    ).stdout.split()
    assert [float(each) for each in plain] == [uniform(7, 0, 3, -5), gradient_noise(7, 1, 2, 12.5)]
