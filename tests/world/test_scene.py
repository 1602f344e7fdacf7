"""A scene answers as one surface that holds all its parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headway.errors import InputError
from headway.steer.avoid import avoid
from headway.world.meetings import meet
from headway.world.obstacles import Obstacles
from headway.world.scene import PARTS, Scene

RNG = np.random.default_rng(5)
SPHERES: dict[str, Any] = {"spheres": (RNG.normal(size=(9, 3)) * 6.0, RNG.uniform(0.2, 1.0, 9))}
CAPSULES: dict[str, Any] = {
    "capsules": (RNG.normal(size=(7, 3)) * 6.0, RNG.normal(size=(7, 3)) * 6.0, np.full(7, 0.3))
}
START, WAY = RNG.normal(size=(40, 3)) * 6.0, RNG.normal(size=(40, 3))


def together(**named: Any) -> Obstacles:
    return Obstacles.of(**SPHERES, **CAPSULES, **named)


def apart(*drifts: Any) -> Scene:
    one, two = drifts or (None, None)
    return Scene(Obstacles.of(**SPHERES, velocity=one), Obstacles.of(**CAPSULES, velocity=two))


def as_one(part: np.ndarray) -> np.ndarray:
    """Part numbers of the scene as those of all obstacles together."""
    return np.where(part >= PARTS, part - PARTS + len(SPHERES["spheres"][1]), part)


def test_first_hits_are_those_of_all_together() -> None:
    one, both = together().sweep(START, WAY, 0.3, 9.0), apart().sweep(START, WAY, 0.3, 9.0)
    for name in ("distance", "point", "normal", "depth"):
        np.testing.assert_array_equal(getattr(one, name), getattr(both, name))
    np.testing.assert_array_equal(one.part, as_one(both.part))
    assert (both.part >= PARTS).any()
    assert (both.part == -1).any()


def test_all_hits_are_those_of_all_together() -> None:
    one, both = together().sweep_all(START, WAY, 0.3, 9.0), apart().sweep_all(START, WAY, 0.3, 9.0)
    for name in ("start", "distance", "point", "normal"):
        np.testing.assert_array_equal(getattr(one, name), getattr(both, name))
    np.testing.assert_array_equal(one.part, as_one(both.part))


def test_nearest_and_overlaps_are_those_of_all_together() -> None:
    one, both = together().nearest(START, 3.0), apart().nearest(START, 3.0)
    np.testing.assert_array_equal(one.distance, both.distance)
    np.testing.assert_array_equal(one.part, as_one(both.part))
    high = START + 1.0
    np.testing.assert_array_equal(together().overlaps(START, high), apart().overlaps(START, high))


def test_meetings_are_those_of_all_together() -> None:
    drift = RNG.normal(size=(16, 3))
    limits = [np.array([x]) for x in (0.3, 0.5, 2.0, 1.5)]
    moving = apart(drift[:9], drift[9:])
    assert moving.moving
    assert not apart().moving
    one = meet(together(velocity=drift), START, WAY, *limits)
    both = meet(moving, START, WAY, *limits)
    np.testing.assert_array_equal(one.hits.distance, both.hits.distance)
    np.testing.assert_array_equal(one.velocity, both.velocity)
    np.testing.assert_array_equal(one.reach, both.reach)
    np.testing.assert_array_equal(one.hits.part, as_one(both.hits.part))


def test_surfaces_at_rest_beside_moving_ones() -> None:
    wall = Obstacles.of(walls=[((4.0, -1.0), (4.0, 1.0))])
    ball = Obstacles.of(spheres=([(2.0, 9.0)], [0.5]), velocity=(0.0, -9.0))
    scene = Scene(wall, Scene(ball))
    seen = avoid((0.0, 0.0), (2.0, 0.0), scene, radius=0.3, max_force=5.0, time=3.0)
    assert scene.locate(seen.hits.part[0]) == (1, 0)
    still = avoid((0.0, 0.0), (2.0, 0.0), Scene(wall), radius=0.3, max_force=5.0, time=3.0)
    alone = avoid((0.0, 0.0), (2.0, 0.0), wall, radius=0.3, max_force=5.0, time=3.0)
    np.testing.assert_array_equal(still.force, alone.force)


def test_parts_can_be_found_again() -> None:
    scene = apart()
    assert scene.locate(PARTS + 4) == (1, 4)
    assert scene.locate(3) == (0, 3)
    assert scene.locate(-1) == (-1, -1)


def test_what_is_no_surface_or_part_is_named() -> None:
    with pytest.raises(InputError, match="surface 1 of the scene is 'abc'"):
        Scene(Obstacles.of(**SPHERES), "abc")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="part is 'x'"):
        apart().locate("x")  # type: ignore[arg-type]


def test_an_empty_scene_is_free() -> None:
    scene = Scene()
    assert scene.sweep(START, WAY, 0.3, 9.0).part.tolist() == [-1] * 40
    assert scene.sweep_all(START, WAY, 0.3, 9.0).start.tolist() == [0] * 41
    assert scene.nearest(START).distance == pytest.approx(np.inf)
    assert not scene.overlaps(START, START).any()
    assert not avoid(START, WAY, scene, radius=0.3, max_force=1.0).force.any()
