"""How much a search may do before it has to give up."""

from __future__ import annotations

from operator import index

from headway.errors import InputError
from headway.plan.path import Path, Status, no_path

NO_LIMIT = 2**62


def checked_budget(budget: int | None) -> int:
    """Check how many cells a search may look from.

    Parameters
    ----------
    budget : int or None
        None stands for all of them.

    Returns
    -------
    int

    Raises
    ------
    InputError
        If it is not a whole number above zero.

    Examples
    --------
    >>> checked_budget(100)
    100
    """
    try:
        limit = NO_LIMIT if budget is None else index(budget)
    except TypeError as error:
        raise InputError(f"budget is {budget!r}; give a whole number of cells, or None.") from error
    if limit < 1:
        raise InputError(f"budget is {limit}; give at least one cell, or None for no limit.")
    return min(limit, NO_LIMIT)


def out_of_budget(algorithm: str, expanded: int) -> Path:
    """Say that a search had to give up.

    Parameters
    ----------
    algorithm : str
    expanded : int
        From how many cells it looked.

    Returns
    -------
    Path

    Examples
    --------
    >>> out_of_budget("astar", 10).reason
    'the search looked from 10 cells, as many as it may, and does not know yet'
    """
    reason = f"the search looked from {expanded} cells, as many as it may, and does not know yet"
    return no_path(Status.OUT_OF_BUDGET, reason, algorithm, expanded)
