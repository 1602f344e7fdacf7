"""Proportional-integral-derivative control of many values at once, without its two classic traps.

The integral does not wind up: it stops growing while the output is at its limit and would be
pushed further. The derivative acts on a low-pass filtered error, so that a noisy or stepping
error does not kick the output. Source: Åström and Hägglund, *Advanced PID Control* (2006),
sections 3.3 and 3.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from headway._jit import kernel
from headway.errors import InputError


@dataclass(frozen=True)
class Gains:
    """Gains of a PID law.

    Parameters
    ----------
    proportional, integral, derivative : float
        Output per unit of error, per unit and second, and per unit a second.
    derivative_time : float
        Time constant of the filter before the derivative, s.
    integral_limit : float
        Largest size of the integral's part of the output.
    """

    proportional: float = 1.0
    integral: float = 0.2
    derivative: float = 0.25
    derivative_time: float = 0.1
    integral_limit: float = 0.2

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (isinstance(value, (int, float)) and math.isfinite(value) and value >= 0):
                raise InputError(f"PID gain {name} is {value!r}: give a finite number, 0 or more.")


@kernel
def pid(
    error: float,
    integral: float,
    filtered: float,
    proportional_gain: float,
    integral_gain: float,
    derivative_gain: float,
    derivative_time: float,
    integral_limit: float,
    limit: float,
    dt: float,
) -> tuple[float, float, float]:
    """Advance one PID law by one time step.

    Parameters
    ----------
    error : float
        Wanted value less measured value.
    integral, filtered : float
        Memory: the integral's part of the output, and the filtered error.
    proportional_gain, integral_gain, derivative_gain, derivative_time, integral_limit : float
        See `Gains`.
    limit : float
        The output is kept within plus or minus this.
    dt : float
        Time step, s.

    Returns
    -------
    output, integral, filtered : float
        The output within its limit, and the new memory.

    Examples
    --------
    >>> output, integral, filtered = pid(0.5, 0.0, 0.5, 1.0, 0.2, 0.0, 0.1, 0.2, 1.0, 0.02)
    >>> round(output, 4), round(integral, 4)
    (0.502, 0.002)
    """
    blend = 1.0 - math.exp(-dt / derivative_time) if derivative_time > 0.0 else 1.0
    change = blend * (error - filtered)
    grown = integral + integral_gain * error * dt
    grown = min(max(grown, -integral_limit), integral_limit)
    output = proportional_gain * error + grown + derivative_gain * change / dt
    if abs(output) > limit and output * error > 0.0:
        output += integral - grown
        grown = integral
    return min(max(output, -limit), limit), grown, filtered + change
