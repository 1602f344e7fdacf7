from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.decide.fuzzy_rules import Rule, Term, fairly, infer, term, very
from headway.decide.fuzzy_sets import (
    KINDS,
    FuzzySet,
    FuzzyVariable,
    left_scurve,
    left_shoulder,
    normal,
    right_scurve,
    right_shoulder,
    singleton,
    triangular,
)
from headway.errors import InputError

NUMBER = st.floats(-1e6, 1e6)
SPAN = st.tuples(NUMBER, NUMBER, NUMBER).map(sorted)


def oracle(kind: str, left: float, middle: float, right: float, deviation: float, x: float):
    """Membership by interpolation between the corners of each shape."""
    if not left <= x <= right:
        return 0.0
    if kind == "singleton":
        return 1.0
    if kind == "normal":
        bell = math.exp(-((x - middle) ** 2) / (2 * deviation**2))
        return bell if left < x < right else 0.0
    if x == middle:
        return 1.0
    if x < middle:
        part = 1.0 if kind.startswith("left") else (x - left) / (middle - left)
    else:
        part = 1.0 if kind.startswith("right") else (right - x) / (right - middle)
    if kind.endswith("scurve"):
        return np.where(part < 0.5, 2 * part**2, 1 - 2 * (1 - part) ** 2).item()
    return part


@given(st.sampled_from(KINDS), SPAN, st.lists(NUMBER, max_size=8), st.floats(0.01, 1e3))
def test_memberships_are_those_of_the_shapes(kind, span, more, deviation) -> None:
    one = FuzzySet(kind, *span, deviation)
    x = [*span, *more, span[0] - 1, span[2] + 1, 0.5 * (span[0] + span[1])]
    found = one.membership(x)
    assert np.all((found >= 0.0) & (found <= 1.0))
    want = [oracle(kind, *span, deviation, value) for value in x]
    np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-12)
    assert found.tolist() == [one.membership(value).item() for value in x]


@pytest.mark.parametrize(
    ("one", "x", "want"),
    [
        (triangular(0, 0, 10), 0.0, 1.0),
        (triangular(0, 10, 10), 10.0, 1.0),
        (triangular(5, 5, 5), 5.0, 1.0),
        (left_shoulder(0, 10, 10), 10.0, 1.0),
        (right_shoulder(0, 0, 10), 0.0, 1.0),
        (left_scurve(0, 10, 10), 10.0, 1.0),
        (right_scurve(0, 0, 10), 0.0, 1.0),
        (singleton(3, 3, 3), 3.0, 1.0),
        (normal(0, 5, 10, 1.0), 5.0, 1.0),
        (normal(0, 0, 10, 1.0), 0.0, 0.0),
    ],
)
def test_sets_without_a_slope_have_a_degree_at_their_corner(one, x, want) -> None:
    assert one.membership(x) == want


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: triangular(1, 0, 2), "rising order"),
        (lambda: triangular(float("nan"), 0, 2), "rising order"),
        (lambda: triangular(0, 1, float("inf")), "finite"),
        (lambda: triangular(-1.7e308, 0, 1.7e308), "finite"),
        (lambda: normal(0, 1, 2, 0.0), "deviation is 0.0"),
        (lambda: normal(0, 1, 2, float("nan")), "deviation is nan"),
        (lambda: FuzzySet("round", 0, 1, 2), "kind is 'round'"),
        (lambda: FuzzyVariable("x", {}), "'x' has no sets"),
        (lambda: triangular(0, 1, 2).membership(float("nan")), "x of agent 0 is nan"),
        (lambda: triangular(0, 1, 2).membership("a"), "cannot be read"),
        (lambda: triangular(0, 1, 2).membership([[1.0]]), r"shape \(1, 1\)"),
    ],
)
def test_what_makes_no_set_is_refused(make, said) -> None:
    with pytest.raises(InputError, match=said):
        make()


DISTANCE = FuzzyVariable(
    "distance",
    {"near": left_shoulder(0, 25, 150), "mid": triangular(25, 150, 300),
     "far": right_shoulder(150, 300, 1000)},
)  # fmt: skip
AMMO = FuzzyVariable(
    "ammo",
    {
        "low": triangular(0, 0, 10),
        "fair": triangular(0, 10, 30),
        "much": right_shoulder(10, 30, 40),
    },
)
WISH = FuzzyVariable(
    "wish",
    {"weak": left_shoulder(0, 25, 50), "some": triangular(25, 50, 75),
     "strong": right_shoulder(50, 75, 100)},
)  # fmt: skip


def is_(variable: FuzzyVariable, name: str) -> Term:
    return term(variable, name)


RULES = [
    Rule(is_(DISTANCE, "near") | is_(AMMO, "low"), term(WISH, "weak")),
    Rule(very(is_(DISTANCE, "mid")) & is_(AMMO, "fair"), term(WISH, "some")),
    Rule(fairly(is_(DISTANCE, "far") & is_(AMMO, "much")), term(WISH, "strong")),
    Rule(is_(DISTANCE, "mid") & is_(AMMO, "much"), term(WISH, "some")),
]


def by_hand(distance: float, ammo: float, by: str, samples: int = 10) -> float:
    """The same rules written out, for one agent."""
    near, mid, far = (one.membership(distance).item() for one in DISTANCE.sets.values())
    low, fair, much = (one.membership(ammo).item() for one in AMMO.sets.values())
    held = [
        max(near, low),
        max(min(mid**2, fair), min(mid, much)),
        math.sqrt(min(far, much)),
    ]
    sets = list(WISH.sets.values())
    if by == "max_av":
        pairs = [(h, s.representative) for h, s in zip(held, sets, strict=True)]
    else:
        pairs = [
            (min(h, s.membership(x).item()), x)
            for x in (100.0 * k / samples for k in range(1, samples + 1))
            for h, s in zip(held, sets, strict=True)
        ]
    total = sum(weight for weight, _ in pairs)
    return sum(weight * x for weight, x in pairs) / total if total else -1.0


@pytest.mark.parametrize("by", ["max_av", "centroid"])
@given(st.lists(st.tuples(st.floats(0, 1000), st.floats(0, 40)), max_size=6))
def test_rules_conclude_what_they_do_by_hand(by, agents) -> None:
    distance = [d for d, _ in agents]
    ammo = [a for _, a in agents]
    found = infer(RULES, {"distance": distance, "ammo": ammo}, by=by, otherwise=-1.0)
    want = [by_hand(d, a, by) for d, a in agents]
    np.testing.assert_allclose(found, want, rtol=1e-9)
    alone = [
        infer(RULES, {"distance": d, "ammo": a}, by=by, otherwise=-1.0).item() for d, a in agents
    ]
    assert found.tolist() == alone


def test_values_out_of_range_are_taken_for_the_end_of_the_range() -> None:
    """Report: Yuka keeps the membership of whatever it was asked before."""
    for by in ("max_av", "centroid"):
        beyond = infer(RULES, {"distance": [-50.0, 2e4], "ammo": [-3.0, 1e9]}, by=by)
        at_end = infer(RULES, {"distance": [0.0, 1000.0], "ammo": [0.0, 40.0]}, by=by)
        assert beyond.tolist() == at_end.tolist()


def test_one_value_may_stand_for_all() -> None:
    many = infer(RULES, {"distance": [40.0, 200.0], "ammo": 8.0})
    assert many.tolist() == infer(RULES, {"distance": [40.0, 200.0], "ammo": [8.0, 8.0]}).tolist()
    assert infer(RULES, {"distance": 40.0, "ammo": 8.0}).shape == ()


def test_where_no_rule_holds_the_conclusion_is_as_told() -> None:
    rules = [Rule(term(DISTANCE, "near"), term(WISH, "strong"))]
    assert infer(rules, {"distance": [900.0]}, otherwise=50.0).tolist() == [50.0]
    assert infer(rules, {"distance": [900.0]}, by="centroid").tolist() == [0.0]


def test_at_a_tie_the_sets_count_alike() -> None:
    rules = [
        Rule(term(DISTANCE, "mid"), term(WISH, "weak")),
        Rule(term(DISTANCE, "mid"), term(WISH, "strong")),
    ]
    want = (12.5 + 87.5) / 2
    assert infer(rules, {"distance": [40.0, 150.0]}).tolist() == pytest.approx([want, want])


@pytest.mark.parametrize(
    ("rules", "known", "options", "said"),
    [
        ([], {}, {}, "no rules"),
        (RULES, {"distance": 1.0}, {}, "value of 'ammo' is missing"),
        (RULES, {"distance": [1.0, 2.0], "ammo": [1.0] * 3}, {}, "shapes"),
        (RULES, {"distance": float("nan"), "ammo": 1.0}, {}, "distance of agent 0 is nan"),
        (RULES, {"distance": 1.0, "ammo": 1.0}, {"by": "luck"}, "by is 'luck'"),
        (RULES, {"distance": 1.0, "ammo": 1.0}, {"samples": 0}, "samples is 0"),
        ([*RULES, Rule(term(AMMO, "low"), term(AMMO, "low"))], {}, {}, "rule 4 concludes 'ammo'"),
        ([Rule(term(AMMO, "low"), very(term(WISH, "weak")))], {}, {}, "rule 0 concludes more"),
    ],
)
def test_what_cannot_be_concluded_is_refused(rules, known, options, said) -> None:
    with pytest.raises(InputError, match=said):
        infer(rules, known, **options)


def test_a_set_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="'ammo' has no set 'huge': give one of 'low', 'fair'"):
        term(AMMO, "huge")


def test_two_variables_of_one_name_are_told_apart() -> None:
    other = FuzzyVariable("ammo", {"low": triangular(0, 1, 2)})
    rules = [Rule(term(AMMO, "low") & term(other, "low"), term(WISH, "weak"))]
    with pytest.raises(InputError, match="two variables have the name 'ammo'"):
        infer([*rules, Rule(term(AMMO, "low"), term(WISH, "weak"))], {"ammo": 1.0})


def test_what_is_said_otherwise_is_a_number():
    x = FuzzyVariable("x", {"some": triangular(0.0, 1.0, 2.0)})
    y = FuzzyVariable("y", {"much": triangular(0.0, 1.0, 2.0)})
    rule = Rule(term(x, "some"), term(y, "much"))
    with pytest.raises(InputError, match="otherwise"):
        infer([rule], {"x": 0.0}, otherwise=math.nan)


A_TERM, A_WISH = term(AMMO, "low"), term(WISH, "weak")
A_RULE = Rule(A_TERM, A_WISH)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: triangular(None, 1.0, 2.0), "left of triangular is None"),
        (lambda: triangular(0.0, "x", 2.0), "midpoint of triangular"),
        (lambda: normal(0.0, 1.0, 2.0, [1.0]), "deviation of normal"),
        (lambda: FuzzyVariable("x", {"a": 3}), "set 'a' of 'x' is 3"),
        (lambda: FuzzyVariable("x", {3: triangular(0.0, 1.0, 2.0)}), "name of a set of 'x' is 3"),
        (lambda: FuzzyVariable("x", [1]), "no sets"),
        (lambda: FuzzyVariable(3, {"a": triangular(0.0, 1.0, 2.0)}), "name is 3"),
        (lambda: term(None, "a"), "variable is None"),
        (lambda: term(AMMO, []), "name of a set is"),
        (lambda: very(None), "'very' joins"),
        (lambda: A_TERM & 3, "'and' joins"),
        (lambda: Term("not", (A_TERM,)), "operation is 'not'"),
        (lambda: Term("and", (A_TERM,)), "takes 2 terms"),
        (lambda: Rule(3, 4), "condition of a rule is 3"),
        (lambda: Rule(A_TERM, 4), "conclusion of a rule is 4"),
        (lambda: infer(["x"], {"ammo": 1.0}), "rule 0 is 'x'"),
        (lambda: infer(None, {"ammo": 1.0}), "rules are None"),
        (lambda: infer([A_RULE], None), "known is None"),
        (lambda: infer([A_RULE], {"ammo": [[1.0], [1.0, 2.0]]}), "ammo cannot be read"),
        (lambda: infer([A_RULE], {"ammo": 1.0}, otherwise="x"), "otherwise is 'x'"),
        (lambda: infer([A_RULE], {"ammo": 1.0}, by=3), "by is 3"),
        (lambda: infer([A_RULE], {"ammo": 1.0}, samples=10**9), "samples is"),
    ],
)
def test_what_is_of_another_kind_is_refused_at_once(wrong, said) -> None:
    with pytest.raises(InputError, match=said):
        wrong()
