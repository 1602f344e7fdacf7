"""Scenarios of groups, one file each; `SCENARIOS` is the whole list."""

from __future__ import annotations

from importlib import import_module

from headway.errors import InputError
from headway.geometry.options import whole
from headway.sim.group_run import Scenario

SCENARIOS = {
    "boids": "a flock in space: separation, alignment and cohesion",
    "seek": "seek overshoots its target again and again, arrive stops at it",
    "avoid": "agents find their way past obstacles to a target, by two rules",
    "predators": "predators patrol and hunt; prey graze in herds, flee and hide behind trees",
    "crossing": "crowds cross among pillars, and nobody touches anybody",
    "convoy": "a convoy follows its leader along a winding path and changes formation",
    "docking": "spacecraft turn about, brake and come to rest at the ports of a station",
    "rabbits": "rabbits graze, flee from a fox and return home, all by one state machine",
}
"""Name, which is that of the file and of its function: what there is to see."""


def scenario(name: str, seed: int = 0) -> Scenario:
    """A bundled scenario.

    Parameters
    ----------
    name : str
        One of `SCENARIOS`.
    seed : int
        Of all that is random in it; of 64 bits.

    Returns
    -------
    Scenario

    Raises
    ------
    InputError
        If there is no such scenario, or the seed is no whole number of 64 bits.

    Examples
    --------
    >>> scenario("seek").teams
    ('seek', 'arrive')
    """
    if not isinstance(name, str) or name not in SCENARIOS:
        raise InputError(f"there is no scenario {name!r}: give one of {', '.join(SCENARIOS)}.")
    return getattr(import_module(f"headway.sim.flocks.{name}"), name)(whole("seed", seed))
