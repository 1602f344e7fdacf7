"""What holds of every behaviour of one agent: no batch, order, origin or compass matters to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from headway.errors import InputError
from headway.geometry.vectors import BLOCK
from headway.steer.arrive import arrive
from headway.steer.classic_arrival import arrive_in, arrive_within
from headway.steer.cover import hide, shadow
from headway.steer.evade import evade
from headway.steer.facing import face, match_velocity
from headway.steer.interpose import interpose, interpose_point
from headway.steer.offset_pursuit import offset_point, offset_pursue
from headway.steer.orbit import orbit
from headway.steer.pursuit import pursue, pursuit_point
from headway.steer.seek import flee, seek

Arrays = dict[str, np.ndarray]

# Names of arguments and what they are: a place P, a vector V that turns with the world, a vector
# in a local frame L, a number S.
ME = {"position": "P", "velocity": "V"}
SPEED = {"max_speed": "S"}
BODY = {"max_speed": "S", "max_deceleration": "S", "dt": 0.05}
TARGET = {"target": "P", "target_velocity": "V"}
THREAT = {"threat": "P", "threat_velocity": "V"}
LEADER = {"leader": "P", "leader_velocity": "V", "leader_forward": "V", "offset": "L"}
PAIR = {"a": "P", "a_velocity": "V", "b": "P", "b_velocity": "V"}
LOOKS = {"forward": "V", "target_forward": "V"}
OBSTACLES = {"centres": "P*", "radii": 0.5}
BEHAVIOURS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "seek": (seek, {**ME, "target": "P", **SPEED}),
    "flee": (flee, {**ME, "threat": "P", **SPEED, "panic_distance": "S", "escape": "V"}),
    "arrive": (arrive, {**ME, **TARGET, **BODY, "keep_off": 1.5, "tolerance": 0.1}),
    "arrive at rest": (arrive, {**ME, "target": "P", **BODY}),
    "arrive_within": (arrive_within, {**ME, "target": "P", **SPEED, "radius": "S"}),
    "arrive_in": (arrive_in, {**ME, "target": "P", **SPEED, "time": "S"}),
    "pursue": (pursue, {**ME, **TARGET, **SPEED}),
    "pursue closing": (pursue, {**ME, **TARGET, **SPEED, **LOOKS, "predict": "closing"}),
    "pursue table": (pursue, {**ME, **TARGET, **SPEED, "predict": "table", "max_time": 9.0}),
    "evade": (evade, {**ME, **THREAT, **SPEED, "escape": "V"}),
    "evade closing": (evade, {**ME, **THREAT, **SPEED, "escape": "V", "predict": "closing"}),
    "offset_pursue": (offset_pursue, {**ME, **LEADER, **BODY, "leader_up": "V"}),
    "interpose": (interpose, {**ME, **PAIR, **BODY, "ratio": "S"}),
    "shadow": (shadow, {**ME, **TARGET, **BODY, "keep_off": 1.5}),
    "hide": (hide, {**ME, **THREAT, **BODY, **OBSTACLES}),
    "match_velocity": (match_velocity, {"velocity": "V", "target_velocity": "V", **SPEED}),
    "orbit": (
        orbit,
        {**ME, "centre": "P", "centre_velocity": "V", "radius": "S", "max_speed": "S",
         "max_acceleration": "S", "dt": 0.05, "axis": "V"},
    ),
}  # fmt: skip
POINTS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "pursuit_point": (pursuit_point, {**ME, **TARGET, **SPEED}),
    "offset_point": (offset_point, {"position": "P", **LEADER, **SPEED, "leader_up": "V"}),
    "interpose_point": (interpose_point, {"position": "P", **PAIR, **SPEED, "ratio": "S"}),
}
TURNS = {
    "face": (
        face,
        {"position": "P", "yaw": "S", "yaw_rate": "S", "target": "P", "max_rate": "S",
         "max_deceleration": "S", "dt": 0.05},
    ),
}  # fmt: skip
ALL = {**BEHAVIOURS, **POINTS, **TURNS}
seeds = st.integers(0, 2**32 - 1)


def arguments(kinds: dict[str, Any], seed: int, n: int, d: int, scale: float = 1.0) -> Arrays:
    """Random arguments for n agents."""
    draw = np.random.default_rng(seed)
    made = {}
    for name, kind in kinds.items():
        if kind == "S":
            made[name] = draw.uniform(0.2, 5.0, n) * scale
        elif kind == "P*":
            made[name] = draw.normal(0.0, 8.0, (6, d)) * scale
        elif kind in ("P", "V", "L"):
            made[name] = draw.normal(0.0, 8.0 if kind == "P" else 3.0, (n, d)) * scale
        else:
            made[name] = kind
    return without_up(made, d)


def without_up(made: Arrays, d: int) -> Arrays:
    """In the plane nothing has an up direction or an axis."""
    if d == 2:
        made.pop("leader_up", None)
        made.pop("axis", None)
    return made


def taken(kinds: dict[str, Any], made: Arrays, rows: Any) -> Arrays:
    """Arguments of some agents."""
    each = {name for name, kind in kinds.items() if kind in ("P", "V", "L", "S")}
    return {name: value[rows] if name in each else value for name, value in made.items()}


@pytest.mark.parametrize("name", ALL)
@given(seed=seeds, d=st.sampled_from((2, 3)))
@settings(max_examples=15)
def test_a_batch_is_its_agents_in_any_order(name: str, seed: int, d: int) -> None:
    behaviour, kinds = ALL[name]
    made = arguments(kinds, seed, 5, d)
    together = behaviour(**made)
    for i in range(5):
        one = {
            key: float(value) if np.ndim(value) == 0 and isinstance(value, np.floating) else value
            for key, value in taken(kinds, made, i).items()
        }
        np.testing.assert_array_equal(behaviour(**one), together[i])
    order = np.random.default_rng(seed).permutation(5)
    np.testing.assert_array_equal(behaviour(**taken(kinds, made, order)), together[order])
    assert behaviour(**taken(kinds, made, slice(0, 0))).shape == (0, *together.shape[1:])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("d", [2, 3])
def test_so_is_a_large_one_and_what_is_the_same_for_all_may_be_given_once(
    name: str, d: int
) -> None:
    behaviour, kinds = ALL[name]
    count = 2 * BLOCK + 3
    made = arguments(kinds, 4, count, d)
    together = behaviour(**made)
    for rows in (slice(0, 2), slice(BLOCK - 1, BLOCK + 1), slice(count - 1, count)):
        np.testing.assert_array_equal(behaviour(**taken(kinds, made, rows)), together[rows])
    each = [name for name in made if kinds[name] in ("P", "V", "L", "S")]
    for key in each[1:]:  # the first says how many there are
        alike = np.broadcast_to(made[key][0], made[key].shape)
        expected = behaviour(**{**made, key: alike})
        np.testing.assert_array_equal(behaviour(**{**made, key: made[key][0]}), expected)


@pytest.mark.parametrize("name", {**BEHAVIOURS, **POINTS})
@given(seed=seeds, d=st.sampled_from((2, 3)))
@settings(max_examples=15)
def test_moving_and_turning_the_world_moves_and_turns_the_answer(
    name: str, seed: int, d: int
) -> None:
    behaviour, kinds = ALL[name]
    made = arguments(kinds, seed, 5, d)
    turn = Rotation.random(rng=np.random.default_rng(seed)).as_matrix()
    if d == 2:
        angle = seed % 6.0
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    shift = np.random.default_rng(seed + 1).normal(0.0, 20.0, d)
    elsewhere = {
        key: value @ turn.T + shift if kinds[key] in ("P", "P*")
        else value @ turn.T if kinds[key] == "V" else value
        for key, value in made.items()
    }  # fmt: skip
    expected = behaviour(**made) @ turn.T + (shift if name in POINTS else 0.0)
    np.testing.assert_allclose(behaviour(**elsewhere), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scale", [0.0, 1e-300, 1e-160, 1e-13, 1e8, 1e150, 1e160, 1e300])
@pytest.mark.parametrize("d", [2, 3])
def test_answers_are_finite_or_the_numbers_refused(name: str, scale: float, d: int) -> None:
    behaviour, kinds = ALL[name]
    made = arguments(kinds, 1, 4, d, scale)
    with suppress(InputError) if scale > 1e100 else nullcontext():
        assert np.isfinite(behaviour(**made)).all()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("d", [2, 3])
def test_all_on_one_spot_is_no_trouble(name: str, d: int) -> None:
    behaviour, kinds = ALL[name]
    made = arguments(kinds, 2, 4, d)
    for key, kind in kinds.items():
        if kind in ("P", "P*"):
            made[key] = np.ones_like(made[key])
    for speed in (1.0, 0.0):
        for key, kind in kinds.items():
            if kind == "V" and key in made:
                made[key] = made[key] * speed
        assert np.isfinite(behaviour(**made)).all()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_named(name: str, wrong: float) -> None:
    behaviour, kinds = ALL[name]
    unread = {"forward", "escape", "leader_up", "axis", "centres"}
    unread |= {"velocity"} if name == "pursuit_point" else set()
    for key in [key for key, kind in kinds.items() if kind in ("P", "V") and key not in unread]:
        made = arguments(kinds, 3, 4, 2)
        made[key][2, 1] = wrong
        with pytest.raises(InputError, match=f"^{key} of agent 2"):
            behaviour(**made)


@pytest.mark.parametrize("name", ALL)
def test_negative_limits_are_refused(name: str) -> None:
    behaviour, kinds = ALL[name]
    free = {"yaw", "yaw_rate", "ratio"}
    for key in [key for key, kind in kinds.items() if kind == "S" and key not in free]:
        made = arguments(kinds, 3, 4, 2)
        made[key][1] = -1.0
        with pytest.raises(InputError, match=f"^{key} of agent 1"):
            behaviour(**made)


@pytest.mark.parametrize("name", [name for name, (_, kinds) in ALL.items() if "dt" in kinds])
@pytest.mark.parametrize("dt", [0.0, -1.0, math.nan, math.inf])
def test_steps_take_time(name: str, dt: float) -> None:
    behaviour, kinds = ALL[name]
    with pytest.raises(InputError, match="dt"):
        behaviour(**{**arguments(kinds, 3, 4, 2), "dt": dt})
