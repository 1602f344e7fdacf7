"""Flying: arrival at rest from anywhere, within all limits and in good time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from headway.decide.fly import fly_by_force, fly_to
from headway.errors import InputError
from headway.move.rigid_body import POSITION, RATES, VELOCITY, body_state, nose_of
from headway.move.spacecraft import LEFT, MAIN, RETRO, UP, Spacecraft, step_spacecraft

CRAFT = Spacecraft()
CRAFTS = {
    "usual": CRAFT,
    "slow to turn": Spacecraft(max_torque=300.0, max_rate=0.4),
    "weak thrusters": Spacecraft(retro_force=300.0, lateral_force=300.0),
    "strong engine": Spacecraft(main_force=40e3),
    "strong thrusters": Spacecraft(retro_force=8000.0, lateral_force=8000.0),
    "uneven": Spacecraft(inertia=(500.0, 2000.0, 4000.0)),
}


def some_states(n, spread, speed, seed=0, planar=False):
    rng = np.random.default_rng(seed)
    p, v = rng.normal(size=(n, 3)) * spread, rng.normal(size=(n, 3)) * speed
    q, w = rng.normal(size=(n, 4)), rng.normal(size=(n, 3)) * 0.2
    if planar:
        p[:, 2] = v[:, 2] = 0.0
        w[:, :2] = 0.0
        q[:, 1:3] = 0.0
    return body_state(p, v, attitude=q, rates=w)


def turn_time(craft, angle=math.pi):
    """The shortest from rest to rest, with the full torque."""
    gain, rate = craft.max_torque / max(craft.inertia[1:]), craft.max_rate
    if angle * gain < rate**2:
        return 2.0 * math.sqrt(angle / gain)
    return angle / rate + rate / gain


def good_time(state, target, craft):
    """Turn and stop; then turn, burn half way, turn about and burn to rest."""
    a = craft.main_force / craft.mass
    v = np.linalg.norm(state[:, VELOCITY], axis=1, keepdims=True)
    stop = state[:, POSITION] + state[:, VELOCITY] * v / (2.0 * a)
    distance = np.linalg.norm(stop - target, axis=1)
    return v[:, 0] / a + 2.0 * np.sqrt(distance / a) + 2.0 * turn_time(craft)


def fly(state, target, craft, seconds, dt=0.02, **options):
    """Fly all there; returns the last states and when each had arrived for good."""
    since = np.zeros(len(state))
    for step in range(round(seconds / dt)):
        controls = fly_to(state, target, craft, dt, **options)
        assert (controls[:, [MAIN, RETRO]] >= 0.0).all()
        assert (np.abs(controls) <= 1.0).all()
        state = step_spacecraft(state, controls, craft, dt)
        away = np.linalg.norm(state[:, POSITION] - target, axis=1) > 0.1
        away |= np.linalg.norm(state[:, VELOCITY], axis=1) > 0.05
        since[away] = (step + 1) * dt
    return state, since


@pytest.mark.parametrize("name", CRAFTS)
def test_every_craft_arrives_at_rest_in_good_time(name):
    craft = CRAFTS[name]
    state = some_states(40, 60.0, 6.0)
    _, since = fly(state, np.zeros(3), craft, 90.0, dt=0.05)
    assert (since < 90.0).all()
    ratio = since / good_time(state, np.zeros(3), craft)
    docking = 2.0 if name in ("weak thrusters", "strong engine") else 1.0
    assert np.median(ratio) < 1.1 * docking
    assert ratio.max() < 1.7 * docking


@pytest.mark.parametrize(
    "lacking", [("retro_force",), ("lateral_force",), ("retro_force", "lateral_force")]
)
@pytest.mark.parametrize("dt", [0.02, 0.05])
def test_a_craft_that_lacks_thrusters_settles_by_its_main_engine(lacking, dt):
    craft = Spacecraft(**dict.fromkeys(lacking, 0.0))
    straight = body_state([(0, 0, 0), (50, 0, 0), (-50, 0, 0), (0, 9, 0), (0.3, 0, 0), (0, 0, -5)])
    state = np.concatenate((some_states(8, 60.0, 6.0), some_states(8, 3.0, 0.5, seed=1), straight))
    for _ in range(round(100.0 / dt)):
        controls = fly_to(state, np.zeros(3), craft, dt)
        assert (controls[:, [RETRO, LEFT, UP]] == 0.0).all()
        state = step_spacecraft(state, controls, craft, dt)
    assert np.linalg.norm(state[:, POSITION], axis=1).max() < 0.02
    assert np.linalg.norm(state[:, VELOCITY], axis=1).max() < 0.02


@pytest.mark.parametrize(("spread", "speed"), [(200.0, 0.0), (300.0, 30.0), (3.0, 0.5)])
@pytest.mark.parametrize("dt", [0.02, 0.1])
def test_it_arrives_from_far_fast_and_near(spread, speed, dt):
    state = some_states(20, spread, speed, seed=1)
    end, since = fly(state, (1.0, 2.0, 3.0), CRAFT, 80.0, dt)
    assert (since < 80.0).all()
    assert np.linalg.norm(end[:, POSITION] - (1.0, 2.0, 3.0), axis=1).max() < 1e-3
    assert (since / good_time(state, (1.0, 2.0, 3.0), CRAFT)).max() < 1.4


def test_flip_and_burn_is_near_the_shortest_time():
    state = body_state((0.0, 0.0, 0.0))[None]
    _, since = fly(state, (2000.0, 0.0, 0.0), CRAFT, 60.0)
    a = CRAFT.main_force / CRAFT.mass
    # burn to v, coast for the turn, burn to rest: v²/a + v·turn = distance
    turn = turn_time(CRAFT)
    v = 0.5 * a * (math.sqrt(turn**2 + 4.0 * 2000.0 / a) - turn)
    assert since[0] < 1.1 * (2.0 * v / a + turn)


def test_it_does_not_fly_past():
    state = body_state((0.0, 0.0, 0.0))[None]
    for _ in range(1500):
        state = step_spacecraft(state, fly_to(state, (150.0, 0, 0), CRAFT, 0.02), CRAFT, 0.02)
        assert state[0, 0] < 150.05


def test_rates_stay_within_the_limit():
    state = some_states(20, 50.0, 5.0)
    for _ in range(400):
        state = step_spacecraft(state, fly_to(state, np.zeros(3), CRAFT, 0.02), CRAFT, 0.02)
        assert (np.linalg.norm(state[:, RATES], axis=1) <= CRAFT.max_rate + 1e-9).all()


def test_in_the_plane_it_stays_there():
    state = some_states(20, 50.0, 5.0, planar=True)
    end, since = fly(state, np.zeros(3), CRAFT, 40.0)
    assert (since < 40.0).all()
    assert np.abs(end[:, [2, 5, 7, 8, 10, 11]]).max() == 0.0


def test_it_docks_with_a_target_that_moves():
    state, motion = some_states(10, 40.0, 3.0), np.array([2.0, -1.0, 0.5])
    for step in range(2500):
        target = motion * step * 0.02
        controls = fly_to(state, target, CRAFT, 0.02, target_velocity=motion)
        state = step_spacecraft(state, controls, CRAFT, 0.02)
    np.testing.assert_allclose(state[:, POSITION] - motion * 50.0, 0.0, atol=0.05)
    np.testing.assert_allclose(state[:, VELOCITY] - motion, 0.0, atol=0.01)


def test_cruise_speed_is_kept():
    state, fastest = body_state((0.0, 0.0, 0.0))[None], 0.0
    for _ in range(2000):
        controls = fly_to(state, (200.0, 0, 0), CRAFT, 0.02, cruise_speed=12.0)
        state = step_spacecraft(state, controls, CRAFT, 0.02)
        fastest = max(fastest, state[0, 3])
    assert 11.9 < fastest < 12.1


@pytest.mark.parametrize("angle", [0.1, 1.0, 2.5, math.pi])
def test_the_nose_turns_without_overshoot_nearly_as_fast_as_it_can(angle):
    state, force = body_state((0, 0, 0)), 6000.0 * np.array([math.cos(angle), math.sin(angle), 0])
    rest = []
    for _ in range(400):
        state = step_spacecraft(state, fly_by_force(state, force, CRAFT, 0.02), CRAFT, 0.02)
        nose = nose_of(state)
        rest.append(math.atan2(np.cross(nose, force / 6000.0)[2], nose @ force / 6000.0))
    assert min(rest[:-1]) > -2e-3
    assert abs(rest[-1]) < 1e-3
    arrived = next(i for i, each in enumerate(rest) if each < 0.02) * 0.02
    assert arrived < 1.15 * turn_time(CRAFT, angle) + 0.1


def test_a_force_within_the_thrusters_needs_no_turn():
    for force in ((500.0, 900.0, -900.0), (-1400.0, 0.0, 300.0), (0.0, 0.0, 0.0)):
        state = body_state((0, 0, 0))
        for _ in range(50):
            state = step_spacecraft(state, fly_by_force(state, force, CRAFT, 0.02), CRAFT, 0.02)
        np.testing.assert_allclose(state[RATES], 0.0, atol=1e-12)
        np.testing.assert_allclose(state[VELOCITY], np.array(force) / CRAFT.mass, atol=1e-9)


def test_the_main_engine_waits_for_the_nose_and_the_nose_can_be_told():
    state = body_state((0, 0, 0))
    assert fly_by_force(state, (0.0, 7000.0, 0.0), CRAFT, 0.02)[MAIN] == 0.0
    told = fly_by_force(state, (0.0, 0.0, 0.0), CRAFT, 0.02, nose=(0.0, 1.0, 0.0))
    assert told[6] > 0.5
    assert told[[MAIN, RETRO, LEFT, UP]].tolist() == [0.0] * 4


def test_turning_the_world_turns_the_flight():
    state = some_states(5, 50.0, 5.0)
    turned = state.copy()
    for block in (POSITION, VELOCITY):
        x, y, z = state[:, block].T
        turned[:, block] = np.stack((-y, x, z), axis=1)
    w, x, y, z = state[:, 6:10].T
    turned[:, 6:10] = np.stack((w - z, x - y, x + y, w + z), axis=1) * math.sqrt(0.5)
    np.testing.assert_allclose(
        fly_to(turned, np.zeros(3), CRAFT, 0.02), fly_to(state, np.zeros(3), CRAFT, 0.02), atol=1e-9
    )


def test_batch_is_single():
    state = some_states(6, 50.0, 5.0)
    fleet = list(CRAFTS.values())
    together = fly_to(state, np.zeros(3), fleet, 0.02)
    for i in range(6):
        np.testing.assert_array_equal(fly_to(state[i], np.zeros(3), fleet[i], 0.02), together[i])
    assert fly_to(state[:0], np.zeros(3), CRAFT, 0.02).shape == (0, 7)
    assert fly_by_force(state[:0], np.zeros(3), CRAFT, 0.02).shape == (0, 7)


def test_at_the_target_there_is_nothing_to_do():
    assert np.abs(fly_to(body_state((1, 2, 3)), (1.0, 2.0, 3.0), CRAFT, 0.02)).max() == 0.0


def test_misuse_is_named():
    state = body_state((0, 0, 0))
    with pytest.raises(InputError, match="target"):
        fly_to(state, (math.nan, 0.0, 0.0), CRAFT, 0.02)
    with pytest.raises(InputError, match="dt"):
        fly_to(state, (1.0, 0.0, 0.0), CRAFT, 0.0)
    with pytest.raises(InputError, match="cruise_speed"):
        fly_to(state, (1.0, 0.0, 0.0), CRAFT, 0.02, cruise_speed=0.0)
    with pytest.raises(InputError, match="force"):
        fly_by_force(state, (1.0, 0.0), CRAFT, 0.02)


@pytest.mark.parametrize(
    "change",
    [
        {"craft": [1.0]},
        {"craft": "x"},
        {"dt": None},
        {"cruise_speed": None},
        {"cruise_speed": "x"},
        {"cruise_speed": [1.0, 2.0]},
        {"target": "x"},
        {"state": None},
    ],
)
def test_options_that_cannot_be_used_are_named(change):
    good = {"state": body_state((0.0, 0.0, 0.0)), "target": (1.0, 0.0, 0.0), "craft": CRAFT}
    with pytest.raises(InputError, match=next(iter(change))):
        fly_to(**({"dt": 0.02} | good | change))
