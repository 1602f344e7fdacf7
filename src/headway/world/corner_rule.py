"""When an agent on a grid may step diagonally past blocked cells."""

from __future__ import annotations

from enum import IntEnum

from headway.errors import InputError


class CornerRule(IntEnum):
    """What the two cells beside a diagonal step must be like.

    The two are the neighbours that the step's start and end share. The end itself is always free.
    """

    NEVER_CUT = 0
    """Both free: an agent as wide as its cell touches nothing. MovingAI's benchmarks keep it."""
    ONE_FREE = 1
    """At least one free: a corner may be cut, but nobody squeezes between two."""
    ALWAYS = 2
    """Any: an agent is a point, and slips between blocked cells that touch by their corners."""
    NO_DIAGONAL = 3
    """There are no diagonal steps."""


def corner_rule(rule: CornerRule | str) -> CornerRule:
    """Find a corner rule by its name.

    Parameters
    ----------
    rule : CornerRule or str
        ``"never_cut"``, ``"one_free"``, ``"always"`` or ``"no_diagonal"``; hyphens, spaces and
        capitals will do.

    Returns
    -------
    CornerRule

    Raises
    ------
    InputError
        If there is no such rule.

    Examples
    --------
    >>> corner_rule("never-cut").name
    'NEVER_CUT'
    """
    if isinstance(rule, CornerRule):
        return rule
    name = str(rule).strip().upper().replace("-", "_").replace(" ", "_")
    if name not in CornerRule.__members__:
        names = ", ".join(member.lower() for member in CornerRule.__members__)
        raise InputError(f"there is no corner rule {rule!r}: choose one of {names}.")
    return CornerRule[name]
