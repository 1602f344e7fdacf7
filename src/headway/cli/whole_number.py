"""A whole number on the command line: one with a fraction is refused, not rounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter


def whole_number(_type: Any, tokens: Sequence[Any]) -> int:
    """Turn what was typed into a whole number; raises ValueError for anything else."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError("give a whole number") from None


WholeNumber = Annotated[int, Parameter(converter=whole_number)]
