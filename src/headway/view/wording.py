"""Times, lengths and counts as people write them."""

from __future__ import annotations

import math


def format_time(seconds: float | None) -> str:
    """Give a time as minutes, seconds and thousandths, a dash where there is none.

    Parameters
    ----------
    seconds : float or None
        s; NaN and infinity count as none.

    Returns
    -------
    str

    Examples
    --------
    >>> format_time(83.4567), format_time(59.9996), format_time(3725.0), format_time(None)
    ('1:23.457', '1:00.000', '1:02:05.000', '-')
    """
    if seconds is None or not math.isfinite(seconds):
        return "-"
    minutes, milliseconds = divmod(round(seconds * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    clock = f"{milliseconds / 1000:06.3f}"
    return f"{hours}:{minutes:02d}:{clock}" if hours else f"{minutes}:{clock}"


def format_length(metres: float) -> str:
    """Give a length in kilometres, or in metres if it is short.

    Parameters
    ----------
    metres : float
        m.

    Returns
    -------
    str

    Examples
    --------
    >>> format_length(5412.0), format_length(61.25)
    ('5.41 km', '61.2 m')
    """
    return f"{metres / 1000:.2f} km" if metres >= 999.5 else f"{metres:.3g} m"


def count_of(number: int, thing: str) -> str:
    """Give a number of things in words.

    Parameters
    ----------
    number : int
    thing : str
        One of them.

    Returns
    -------
    str

    Examples
    --------
    >>> count_of(1, "lap"), count_of(3, "lap")
    ('1 lap', '3 laps')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"
