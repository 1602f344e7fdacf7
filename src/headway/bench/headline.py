"""One headline figure: what was measured, what it should be, and whether it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One row of the table that ``headway bench`` prints.

    Parameters
    ----------
    name : str
        What was measured.
    measured : str
        The result, for people.
    target : str
        What it should be; empty where there is no target.
    met : bool or None
        Whether it is; None where there is no target or nothing could be measured.
    values : mapping
        The result, for programs: plain numbers, in SI units unless their name says otherwise.
    """

    name: str
    measured: str
    target: str = ""
    met: bool | None = None
    values: Mapping[str, Any] = field(default_factory=dict)


def at_least(name: str, value: float, bound: float, unit: str = "", **values: Any) -> Figure:
    """Return a figure that should not be below a bound.

    Examples
    --------
    >>> at_least("race speed", 240.0, 100.0, " x real time").met
    True
    """
    return Figure(
        name,
        f"{value:.3g}{unit}",
        f"≥ {bound:g}{unit}",
        value >= bound,
        {"value": value, "unit": unit.strip(), "bound": bound, **values},
    )


def at_most(name: str, value: float, bound: float, unit: str = "", **values: Any) -> Figure:
    """Return a figure that should not be above a bound.

    Examples
    --------
    >>> figure = at_most("start", 0.12, 0.1, " s")
    >>> figure.measured, figure.target, figure.met
    ('0.12 s', '≤ 0.1 s', False)
    """
    return Figure(
        name,
        f"{value:.3g}{unit}",
        f"≤ {bound:g}{unit}",
        value <= bound,
        {"value": value, "unit": unit.strip(), "bound": bound, **values},
    )


def noted(name: str, value: float, unit: str = "", **values: Any) -> Figure:
    """Return a figure without a target.

    Examples
    --------
    >>> noted("two cars", 4.25, " µs").measured
    '4.25 µs'
    """
    numbers = {"value": value, "unit": unit.strip(), **values}
    return Figure(name, f"{value:.3g}{unit}", values=numbers)


def skipped(name: str, reason: str) -> Figure:
    """Return a figure that could not be measured here, with the reason."""
    return Figure(name, f"skipped: {reason}", values={"skipped": reason})


def failed(name: str, target: str, reason: str) -> Figure:
    """Return a figure that is missed because nothing could be measured."""
    return Figure(name, reason, target, False, {"failed": reason})
