"""What a state machine is made of: states, and transitions from one to another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from numpy.typing import NDArray

ANY = "*"
"""As a source: whatever state an agent is in."""
PREVIOUS = "previous"
"""As a target: the state before this one."""
Action: TypeAlias = Callable[[Any, NDArray], object]
Guard: TypeAlias = str | Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class State:
    """What an agent may be doing.

    Parameters
    ----------
    name : str
    parent : str, optional
        The state that this one is part of. Agents are in innermost states; what is said of a
        parent holds for all who are in one of its parts.
    start : str, optional
        For a state with parts: the part that agents come to on entering it; by default the first.
    enter, update, exit : callable, optional
        Actions ``f(world, who)``: called by `headway.decide.machine_run.act` once for all agents
        concerned, who being their (K,) indices, in rising order, and never none.
    min_dwell : float
        s; no transition leaves the state earlier, unless it is one that goes ``at_once``.
    """

    name: str
    parent: str | None = None
    start: str | None = None
    enter: Action | None = None
    update: Action | None = None
    exit: Action | None = None
    min_dwell: float = 0.0


@dataclass(frozen=True, slots=True)
class Transition:
    """What leads from one state to another, when all that it asks for holds.

    Parameters
    ----------
    source : str
        A state; a parent, for all who are in one of its parts; or `ANY`. What comes from a parent
        or from `ANY` does not concern those who are within the target already, unless source and
        target are the same, which leaves the state and enters it again.
    target : str
        A state; a parent, for the part it starts with; or `PREVIOUS`, which needs there to be one.
    when : str or callable, optional
        The guard: the name of a column of what `headway.decide.machine_run.step` is given, or a
        function of it, ``guard(view) -> (N,) bool``.
    event : str, optional
        What must have happened in this step.
    after : float
        s that the agent must have been in the source (for `ANY`: in the innermost state).
    priority : int
        Higher ones come first; among equals what the state itself says comes before what its
        parents say and that before `ANY`; and after that the order of definition decides.
    at_once : bool
        Whether it may leave states before their least dwell.
    """

    source: str
    target: str
    when: Guard | None = None
    event: str | None = None
    after: float = 0.0
    priority: int = 0
    at_once: bool = False

    @property
    def why(self) -> str:
        """What it asks for, in words."""
        parts = [] if self.event is None else [self.event]
        parts += [] if self.when is None else [f"[{guard_name(self.when)}]"]
        parts += [f"after {self.after:g} s"] if self.after else []
        return " ".join(parts) or "always"


def guard_name(when: Guard) -> str:
    """The name of a guard: its own, if it is a function."""
    return when if isinstance(when, str) else getattr(when, "__name__", repr(when))
