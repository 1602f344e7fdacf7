from __future__ import annotations

import numpy as np
import pytest
from point_body import recorded

from headway.errors import InputError
from headway.steer.arrive import arrive
from headway.steer.cover import hide, shadow
from headway.steer.evade import evade

REST = (0.0, 0.0)


def best_spot(p, threat, centres, radii, margin):
    """The nearest spot by trying all; None if there is none."""
    spots = []
    for k, (centre, radius) in enumerate(zip(centres, radii, strict=True)):
        away = centre - threat
        spot = centre + away / np.linalg.norm(away) * (radius + margin)
        # The line of sight really passes through the obstacle, and the spot is not in another.
        u = (spot - threat) / np.linalg.norm(spot - threat)
        along = np.clip((centre - threat) @ u, 0.0, np.linalg.norm(spot - threat))
        blocked = np.linalg.norm(threat + along * u - centre) < radius < np.linalg.norm(away)
        others = [i for i in range(len(centres)) if i != k]
        free = all(np.linalg.norm(spot - centres[i]) >= radii[i] for i in others)
        if blocked and free:
            spots.append(spot)
    return min(spots, key=lambda spot: np.linalg.norm(spot - p), default=None)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_it_takes_the_nearest_spot_that_hides(d: int, count: int) -> None:
    draw = np.random.default_rng(10 * d + count)
    p, v, threat, w = draw.normal(0.0, 6.0, (4, 60, d))
    centres, radii = draw.normal(0.0, 6.0, (count, d)), draw.uniform(0.5, 4.0, count)
    got = hide(p, v, threat, w, centres, radii, 4.0, 3.0, 0.1, margin=0.5)
    escaping = evade(p, v, threat, w, 4.0)
    for i in range(60):
        spot = best_spot(p[i], threat[i], centres, radii, 0.5)
        expected = escaping[i] if spot is None else arrive(p[i], v[i], spot, 4.0, 3.0, 0.1)
        np.testing.assert_allclose(got[i], expected, rtol=1e-9, atol=1e-9)


def test_who_hides_gets_out_of_sight() -> None:
    centre, threat = np.array((8.0, 2.0)), np.array((0.0, -9.0))
    places, velocities = recorded(
        lambda p, v, _: hide(p, v, threat, REST, [centre], 2.0, 3.0, 4.0, 0.05),
        np.array((12.0, -3.0)), np.zeros(2), 4.0, 0.05, 200,
    )  # fmt: skip
    u = (centre - threat) / np.linalg.norm(centre - threat)
    np.testing.assert_allclose(places[-1], centre + 2.6 * u, atol=1e-9)
    np.testing.assert_allclose(velocities[-1], 0.0, atol=1e-9)


def test_obstacles_are_checked() -> None:
    def hidden(centres, radii, margin=0.6):
        return hide(
            (1.6, 3.0), REST, (-5.0, 0.0), REST, centres, radii, 2.0, 5.0, 0.1, margin=margin
        )

    assert np.isfinite(hidden([], [])).all()
    with pytest.raises(InputError, match="centres has shape"):
        hidden([(0.0, 0.0, 0.0)], 1.0)
    with pytest.raises(InputError, match="radii has shape"):
        hidden([(0.0, 0.0)], [1.0, 2.0])
    with pytest.raises(InputError, match="radii of agent 0"):
        hidden([(0.0, 0.0)], [-1.0])
    with pytest.raises(InputError, match="centres"):
        hidden([(0.0, np.nan)], 1.0)
    with pytest.raises(InputError, match="margin"):
        hidden([(0.0, 0.0)], 1.0, margin=-1.0)


def test_a_shadow_comes_near_and_goes_along() -> None:
    dt, drift = 0.05, np.array((1.0, -0.5))
    places, velocities = recorded(
        lambda p, v, t: shadow(p, v, drift * t + (20.0, 0.0), drift, 4.0, 3.0, 2.0, dt),
        np.zeros(2), np.zeros(2), 2.0, dt, 600,
    )  # fmt: skip
    gap = np.linalg.norm(places - (20.0, 0.0) - drift * dt * np.arange(1, 601)[:, None], axis=1)
    assert gap.min() >= 4.0 - 1e-9
    assert gap[-1] == pytest.approx(4.0, abs=1e-6)
    np.testing.assert_allclose(velocities[-1], drift, atol=1e-9)
    inside = shadow((19.0, 0.0), (0.0, 3.0), (20.0, 0.0), drift, 4.0, 3.0, 2.0, dt)
    np.testing.assert_allclose(inside, drift - (0.0, 3.0))


def test_who_responds_late_brakes_earlier() -> None:
    draw = np.random.default_rng(5)
    p, v = draw.normal(0.0, 3.0, (2, 40, 2))
    goal, spot, drift = np.array((5.0, 0.0)), np.array((6.5, 0.0)), np.array((1.0, -0.5))
    late = {"response": 0.6}
    got = shadow(p, v, goal, drift, 2.0, 4.0, 3.0, 0.1, **late)
    expected = arrive(p, v, goal, 4.0, 3.0, 0.1, target_velocity=drift, keep_off=2.0, **late)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
    hidden = hide(p, v, (-9.0, 0.0), REST, [goal], 1.0, 4.0, 3.0, 0.1, margin=0.5, **late)
    expected = arrive(p, v, spot, 4.0, 3.0, 0.1, **late)
    np.testing.assert_allclose(hidden, expected, rtol=1e-9, atol=1e-9)
