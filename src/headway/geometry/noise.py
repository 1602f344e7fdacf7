"""Random numbers without a generator: each is a hash of what it is for.

A number depends only on (seed, stream, agent, tick), so it does not matter how many agents there
are, in which order they are visited or how they are split into batches. The mixing is that of
SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
"""

from __future__ import annotations

import math

import numpy as np

from headway._jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
TO_UNIT = 2.0**-53
PHASE_TICK = -(2**62)  # a tick no clock reaches


@kernel
def _mix(key: np.uint64, value: int) -> np.uint64:
    """Fold one integer into a 64-bit key, so that each bit of both moves half of the result."""
    z = (key ^ np.uint64(np.int64(value))) + GOLDEN  # int64 first: plain Python wraps no int
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@kernel(example=lambda: (0, 0, 0, 0))
def uniform(seed: int, stream: int, agent: int, tick: int) -> float:
    """A random number for one agent at one tick.

    Parameters
    ----------
    seed, stream, agent, tick : int
        What the number is for; any 64-bit signed integers. ``stream`` keeps apart the different
        uses one agent has for chance.

    Returns
    -------
    float
        Uniform in [0, 1), a multiple of 2⁻⁵³.

    Examples
    --------
    >>> uniform(7, 0, 3, 100) == uniform(7, 0, 3, 100)
    True
    >>> uniform(7, 0, 3, 100) == uniform(7, 0, 4, 100)
    False
    """
    key = _mix(_mix(_mix(_mix(np.uint64(0), seed), stream), agent), tick)
    return float(key >> np.uint64(11)) * TO_UNIT


@kernel(example=lambda: (0, 0, 0, 0.0))
def gradient_noise(seed: int, stream: int, agent: int, t: float) -> float:
    """Smooth noise of a real argument, in one dimension (Perlin's gradient noise).

    Random slopes stand one unit of ``t`` apart; between them the noise blends from one slope's
    line to the next by 6f⁵ − 15f⁴ + 10f³ (Perlin, "Improving noise", SIGGRAPH 2002), so that it
    and its first two derivatives are continuous. Each agent has its own phase: without it the
    noise of all agents would vanish together at every whole ``t``.

    Parameters
    ----------
    seed, stream, agent : int
        What the noise is for; any 64-bit signed integers.
    t : float
        Time in units of the noise's own period, finite, abs(t) < 2⁵²: the caller scales seconds.

    Returns
    -------
    float
        In [−1, 1] with mean zero.

    Examples
    --------
    >>> abs(gradient_noise(7, 0, 3, 12.5) - gradient_noise(7, 0, 3, 12.5 + 1e-6)) < 1e-5
    True
    """
    t += uniform(seed, stream, agent, PHASE_TICK)
    cell = math.floor(t)
    f = t - cell
    tick = int(cell)
    before = (2.0 * uniform(seed, stream, agent, tick) - 1.0) * f
    after = (2.0 * uniform(seed, stream, agent, tick + 1) - 1.0) * (f - 1.0)
    blend = f * f * f * (f * (6.0 * f - 15.0) + 10.0)
    return 2.0 * (before + blend * (after - before))
