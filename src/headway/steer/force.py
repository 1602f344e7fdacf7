"""From a change of velocity that is wanted to the force that brings it about."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.geometry.options import seconds
from headway.geometry.rows import each_number, positions, refuse
from headway.geometry.vectors import BLOCK, limited, number_of, store, times, vector_of


@kernel(forceinline=True)
def _force_in(
    change: NDArray, mass: NDArray, max_force: NDArray, response: float, d: int, out: NDArray
) -> int:
    wrong, count = 0, len(out) // d
    for start in range(0, count, BLOCK):
        for i in range(start, min(start + BLOCK, count)):
            m, most = number_of(mass, i, start), number_of(max_force, i, start)
            force = limited(times(vector_of(change, i, start, d), m / response), most)
            wrong |= int(not (store(out, i, d, force) and m >= 0.0 and most >= 0.0))
    return wrong


@kernel(
    direct=True,
    allocates=False,
    example=lambda: (np.zeros(3), np.ones(1), np.ones(1), 0.1, 3, np.empty(3)),
)
def _force(
    change: NDArray, mass: NDArray, max_force: NDArray, response: float, d: int, out: NDArray
) -> int:
    given = change, mass, max_force, response
    return _force_in(*given, 3, out) if d == 3 else _force_in(*given, 2, out)


def force_for(
    change: ArrayLike, mass: ArrayLike, max_force: ArrayLike, response: float
) -> NDArray[np.float64]:
    """The force that changes a velocity within a response time, as far as it goes.

    F = m·Δv / τ, no longer than the largest force. A long response time makes an agent smooth; with
    one of a single step, dt, it does all that its force allows. What it does depends neither on its
    mass nor on the time step, unless the force is at its limit. Behaviours that stop somewhere
    must know of a longer one, to brake in time: give it to them as `response`, too.

    Parameters
    ----------
    change : (d,) or (N, d) ndarray
        Change of velocity wanted, m/s: what behaviours return. d = 2 or 3.
    mass : float or (N,) ndarray
        kg, zero or more.
    max_force : float or (N,) ndarray
        N, zero or more.
    response : float
        τ, s, above zero. One second and one kilogram make force and change the same numbers, as in
        Reynolds' original.

    Returns
    -------
    (d,) or (N, d) ndarray
        Force, N, in the frame of the change.

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> force_for((3.0, 0.0), 2.0, 100.0, response=0.5).tolist()
    [12.0, 0.0]
    >>> force_for((3.0, 0.0), 2.0, 5.0, response=0.5).tolist()
    [5.0, 0.0]
    """
    flat, shape = positions("change", change)
    response = seconds("response", response)
    out = np.empty(shape)
    m, most = each_number("mass", mass, shape), each_number("max_force", max_force, shape)
    if _force(flat, m, most, response, shape[-1], out.ravel()):
        refuse(change=change, mass_=mass, max_force_=max_force)
    return out
