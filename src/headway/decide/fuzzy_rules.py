"""Fuzzy rules: from how far conditions hold to a number, after Mamdani.

Each rule holds as far as its condition does: of two joined by *and* the lesser, by *or* the
greater. The set that it concludes holds as far as the strongest of its rules, and from all sets of
the conclusion together one number is worked out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway._jit import kernel
from headway.decide.fuzzy_sets import FuzzyVariable
from headway.errors import InputError
from headway.geometry.options import instance, one_of, real, shown, wrong

MOST_SAMPLES = 1_000_000
PARTS = {"is": 0, "and": 2, "or": 2, "very": 1, "fairly": 1}
"""Of how many terms each operation makes one."""


@dataclass(frozen=True)
class Term:
    """A condition: make it with `term`, and join it by ``&`` and ``|``.

    Parameters
    ----------
    operation : str
        "is", "and", "or", "very" or "fairly".
    parts : tuple of Term
        What it is made of; none for "is".
    variable : FuzzyVariable, optional
        For "is": what is described.
    set : str
        For "is": the name of the set.
    """

    operation: str
    parts: tuple[Term, ...] = ()
    variable: FuzzyVariable | None = None
    set: str = ""

    def __post_init__(self) -> None:
        one_of("operation", self.operation, PARTS)
        if self.operation == "is" or self.variable is not None:
            instance("variable", self.variable, FuzzyVariable)
        if self.variable is not None:
            self.variable.number(self.set)
        wanted = PARTS[self.operation]
        instance("parts", self.parts, tuple)
        if len(self.parts) != wanted or not all(isinstance(part, Term) for part in self.parts):
            raise InputError(
                f"{self.operation!r} joins {shown(self.parts)}: it takes {wanted} terms, made by "
                "term(), very() and fairly()."
            )

    def __and__(self, other: Term) -> Term:
        return Term("and", (self, other))

    def __or__(self, other: Term) -> Term:
        return Term("or", (self, other))

    def variables(self) -> dict[str, FuzzyVariable]:
        """What must be known to judge it, by name."""
        own = {} if self.variable is None else {self.variable.name: self.variable}
        for part in self.parts:
            own |= part.variables()
        return own

    def holds(self, memberships: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """How far it holds for each agent.

        Parameters
        ----------
        memberships : mapping of str to (N, K) ndarray
            `FuzzyVariable.memberships` of each variable, by its name.

        Returns
        -------
        (N,) ndarray
            From 0 to 1.
        """
        if self.variable is not None:
            return memberships[self.variable.name][:, self.variable.number(self.set)]
        held = [part.holds(memberships) for part in self.parts]
        if self.operation == "and":
            return np.minimum(*held)
        if self.operation == "or":
            return np.maximum(*held)
        return held[0] * held[0] if self.operation == "very" else np.sqrt(held[0])


def term(variable: FuzzyVariable, name: str) -> Term:
    """The condition that a variable is in one of its sets."""
    return Term("is", variable=variable, set=name)


def very(condition: Term) -> Term:
    """Holds less: as far as the square."""
    return Term("very", (condition,))


def fairly(condition: Term) -> Term:
    """Holds more: as far as the square root."""
    return Term("fairly", (condition,))


@dataclass(frozen=True, slots=True)
class Rule:
    """If a condition holds, so does a conclusion.

    Parameters
    ----------
    condition : Term
    conclusion : Term
        A plain one, made by `term`.

    Raises
    ------
    InputError
        If they are something else.
    """

    condition: Term
    conclusion: Term

    def __post_init__(self) -> None:
        for name in ("condition", "conclusion"):
            instance(f"{name} of a rule", getattr(self, name), Term)


def infer(
    rules: Sequence[Rule],
    known: Mapping[str, ArrayLike],
    *,
    by: str = "max_av",
    samples: int = 10,
    otherwise: float = 0.0,
) -> NDArray[np.float64]:
    """Draw the conclusion of rules: a number for each agent.

    Parameters
    ----------
    rules : sequence of Rule
        All conclude something of the same variable.
    known : mapping of str to float or (N,) array_like
        The value of each variable in the conditions, by its name; one may stand for all agents.
    by : str
        How sets become a number: ``"max_av"``, the mean of what stands for each set, weighted by
        how far it holds; ``"centroid"``, the centre of all sets cut off where they hold no more.
    samples : int
        For the centroid: at so many places, evenly spaced up to the upper end of the range, the
        sets are looked at.
    otherwise : float
        The conclusion where no rule holds.

    Returns
    -------
    float or (N,) ndarray

    Raises
    ------
    InputError
        If a value is missing or not finite, or the rules do not fit one another.

    References
    ----------
    Mamdani and Assilian, "An experiment in linguistic synthesis with a fuzzy logic controller",
    International Journal of Man-Machine Studies 1975. Buckland, "Programming Game AI by Example",
    2005, chapter 10.

    Examples
    --------
    >>> from headway.decide.fuzzy_sets import left_shoulder, right_shoulder
    >>> near_far = {"near": left_shoulder(0, 10, 50), "far": right_shoulder(10, 50, 100)}
    >>> distance = FuzzyVariable("distance", near_far)
    >>> low_high = {"low": left_shoulder(0, 0, 1), "high": right_shoulder(0, 1, 1)}
    >>> fear = FuzzyVariable("fear", low_high)
    >>> rules = [
    ...     Rule(term(distance, "near"), term(fear, "high")),
    ...     Rule(very(term(distance, "far")), term(fear, "low")),
    ... ]
    >>> infer(rules, {"distance": [5.0, 30.0, 80.0]}).round(3).tolist()
    [1.0, 0.667, 0.0]
    """
    concluded = _concluded(rules)
    if not math.isfinite(real("otherwise", otherwise, "a finite number")):
        wrong("otherwise", otherwise, "a finite number")
    one_of("by", by, ("max_av", "centroid"))
    if not (isinstance(samples, int) and 0 < samples <= MOST_SAMPLES):
        wrong("samples", samples, f"a whole number from 1 to {MOST_SAMPLES:,}")
    memberships, shape = _memberships(rules, known)
    n = shape[0] if shape else 1
    strength = np.zeros((n, len(concluded.sets)))
    for rule in rules:
        column = strength[:, concluded.number(rule.conclusion.set)]
        np.maximum(column, rule.condition.holds(memberships), out=column)
    if by == "max_av":
        places = np.array([one.representative for one in concluded.sets.values()])
        weights = np.eye(len(places))
    else:
        low, high = concluded.lowest, concluded.highest
        places = low + np.arange(1, samples + 1) * ((high - low) / samples)
        weights = concluded.memberships(places)
    out = np.empty(n)
    _weigh(strength, places, weights, float(otherwise), by == "max_av", out)
    return out.reshape(shape)


def _concluded(rules: Sequence[Rule]) -> FuzzyVariable:
    """The one variable that rules conclude something of."""
    found: list[FuzzyVariable] = []
    if not isinstance(rules, Sequence):
        raise InputError(f"rules are {shown(rules)}: give a sequence of Rule.")
    for i, rule in enumerate(rules):
        instance(f"rule {i}", rule, Rule)
        variable = rule.conclusion.variable
        if variable is None:
            raise InputError(f"rule {i} concludes more than one plain term: make it with term().")
        if variable not in found[:1] and found:
            raise InputError(f"rule {i} concludes {variable.name!r}: all must conclude the same.")
        found.append(variable)
    if not found:
        raise InputError("there are no rules: give at least one.")
    return found[0]


def _memberships(
    rules: Sequence[Rule], known: Mapping[str, ArrayLike]
) -> tuple[dict[str, NDArray[np.float64]], tuple[int, ...]]:
    """Degrees of all variables in the conditions, and the shape of the answer."""
    variables: dict[str, FuzzyVariable] = {}
    for rule in rules:
        for name, variable in rule.condition.variables().items():
            if variables.setdefault(name, variable) != variable:
                raise InputError(f"two variables have the name {name!r}: rename one.")
    if not isinstance(known, Mapping):
        raise InputError(f"known is {shown(known)}: give the values of variables by their names.")
    for name in variables:
        if name not in known:
            raise InputError(f"the value of {name!r} is missing: give one, or one per agent.")
    held = {name: v.memberships(known[name]) for name, v in variables.items()}
    shapes = {name: degrees.shape[:-1] for name, degrees in held.items()}
    try:
        shape = np.broadcast_shapes(*(s for s in shapes.values()))
    except ValueError as error:
        raise InputError(f"the values have shapes {shapes}: give one, or (N,).") from error
    found = {}
    for name, variable in variables.items():
        rows = held[name].reshape(-1, len(variable.sets))
        found[name] = np.broadcast_to(rows, (shape[0] if shape else 1, rows.shape[1]))
    return found, shape


def _example() -> tuple[object, ...]:
    return np.zeros((1, 1)), np.zeros(1), np.zeros((1, 1)), 0.0, True, np.empty(1)


@kernel(example=_example)
def _weigh(
    strength: NDArray,
    places: NDArray,
    weights: NDArray,
    otherwise: float,
    whole: bool,
    out: NDArray,
) -> None:
    """The mean of places, weighted by the sets there, cut off or scaled as far as they hold."""
    for i in range(len(strength)):
        total = moment = 0.0
        for s in range(len(places)):
            for k in range(strength.shape[1]):
                held, there = strength[i, k], weights[s, k]
                share = held * there if whole else min(held, there)
                total += share
                moment += places[s] * share
        mean = moment / total if total > 0.0 else otherwise
        out[i] = mean if math.isfinite(mean) else otherwise
