"""Obstacle avoidance exactly as in OpenSteer and Yuka, for compatibility; ours is `steer.avoid`.

One agent at a time, with the conventions of those libraries: an agent looks along its forward
vector; in Yuka +z is forward, +x left and +y up, turned by a quaternion.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import above_zero, one_of, zero_or_more
from headway.geometry.rows import finite_rows, numbers, read

Floats = NDArray[np.float64]
SeenFrom = Literal["outside", "inside", "both"]


def opensteer_avoid_sphere(
    position: ArrayLike, forward: ArrayLike, speed: float, radius: float, max_force: float,
    centre: ArrayLike, sphere_radius: float, min_time: float, seen_from: SeenFrom = "outside",
) -> Floats:  # fmt: skip
    """Steer off a sphere as OpenSteer does: full force to the side, or none.

    Parameters
    ----------
    position, forward : (3,) array_like
        m, and a unit vector; world frame.
    speed : float
        m/s.
    radius : float
        m, of the agent.
    max_force : float
        N.
    centre : (3,) array_like
        m, of the sphere.
    sphere_radius : float
        m.
    min_time : float
        s: contacts that are farther in time do not count.
    seen_from : {"outside", "inside", "both"}
        On which side of the sphere agents live; one outside of a sphere that is seen from inside
        is called back at once.

    Returns
    -------
    (3,) ndarray
        N, world frame.

    Examples
    --------
    >>> opensteer_avoid_sphere((0, 0, 0), (1, 0, 0), 1.0, 0.5, 3.0, (4, 1, 0), 1.0, 9.0).tolist()
    [0.0, -3.0, 0.0]
    """
    p, ahead, middle = _triples(position, forward, centre)
    _known(seen_from)
    _amounts(speed=speed, radius=radius, max_force=max_force, min_time=min_time)
    apart = middle - p
    outside = np.linalg.norm(apart) > sphere_radius
    if outside and seen_from == "inside":
        return _full_lateral(_unit(apart), ahead, 0.0, min_time * speed, max_force)
    along = apart @ ahead
    room = along * along - apart @ apart + (sphere_radius + radius) ** 2
    if room < 0.0:
        return np.zeros(3)
    half = float(np.sqrt(room))
    near, far = float(along) - half, float(along) + half
    if far < 0.0:
        return np.zeros(3)
    distance = near
    if near <= 0.0:
        distance = 0.0 if seen_from == "outside" else far
    normal = _unit(p + ahead * distance - middle)
    inwards = seen_from == "inside" or (seen_from == "both" and not outside)
    hint = -normal if inwards else normal
    return _full_lateral(hint, ahead, distance, min_time * speed, max_force)


def opensteer_avoid_box(
    position: ArrayLike, forward: ArrayLike, speed: float, radius: float, max_force: float,
    centre: ArrayLike, axes: ArrayLike, size: ArrayLike, min_time: float,
    seen_from: SeenFrom = "outside",
) -> Floats:  # fmt: skip
    """Steer off a box as OpenSteer does: its faces are rectangles grown by the agent's radius.

    Parameters
    ----------
    position, forward : (3,) array_like
        m, and a unit vector; world frame.
    speed : float
        m/s.
    radius : float
        m, of the agent.
    max_force : float
        N.
    centre : (3,) array_like
        m, of the box.
    axes : (3, 3) array_like
        Rows are the unit vectors of side, up and forward of the box.
    size : (3,) array_like
        m, along these.
    min_time : float
        s: contacts that are farther in time do not count.
    seen_from : {"outside", "inside", "both"}
        On which side of its faces agents live.

    Returns
    -------
    (3,) ndarray
        N, world frame.

    Examples
    --------
    >>> box = (4.0, 1.0, 0.0), np.eye(3), (2.0, 2.0, 2.0)
    >>> opensteer_avoid_box((0, 0, 0), (1, 0, 0), 1.0, 0.5, 3.0, *box, 9.0).tolist()
    [0.0, -3.0, 0.0]
    """
    p, ahead, middle, whole = _triples(position, forward, centre, size)
    _known(seen_from)
    _amounts(speed=speed, radius=radius, max_force=max_force, min_time=min_time)
    turn = finite_rows("axis", axes, (3,))
    if len(turn) != 3:
        raise InputError(f"axes has shape {turn.shape}: give (3, 3).")
    start, way = turn @ (p - middle), turn @ ahead
    best, hint = np.inf, np.zeros(3)
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        for sign in (1.0, -1.0):
            height, rate = sign * start[axis] - whole[axis] / 2.0, sign * way[axis]
            unseen = (seen_from == "outside" and height < 0.0) or (
                seen_from == "inside" and height > 0.0
            )
            if rate == 0.0 or height * rate > 0.0 or unseen:
                continue
            meets = start - way * height / rate
            if (np.abs(meets[others]) > radius + whole[others] / 2.0).any():
                continue
            distance = float(np.linalg.norm(meets - start))
            if distance < best:
                best, hint = distance, _unit(meets) * (1.0 if height > 0.0 else -1.0)
    return _full_lateral(hint @ turn, ahead, best, min_time * speed, max_force)


def yuka_avoid_spheres(
    position: ArrayLike, velocity: ArrayLike, rotation: ArrayLike, radius: float,
    max_speed: float, centres: ArrayLike, radii: ArrayLike, min_box_length: float = 4.0,
    braking_weight: float = 0.2,
) -> Floats:  # fmt: skip
    """Steer off spheres as Yuka does with its detection box, faults included.

    What is above or below counts as ahead; the push is towards +x (left) for every sphere whose
    centre is less to the left than its radius, so that one on the left can draw the agent across;
    inside of spheres, the one that is left last does not count, but the first.

    Parameters
    ----------
    position, velocity : (3,) array_like
        m and m/s, world frame.
    rotation : (4,) array_like
        Unit quaternion (x, y, z, w) from the agent's frame to the world's.
    radius : float
        m, of the agent.
    max_speed : float
        m/s.
    centres : (K, 3) array_like
        m.
    radii : (K,) array_like
        m.
    min_box_length : float
        m, of the detection box at rest; at full speed it is twice as long.
    braking_weight : float
        1/s²: how much of the distance along the way becomes braking.

    Returns
    -------
    (3,) ndarray
        N for 1 kg, world frame; not limited.

    Examples
    --------
    >>> spheres = [(0, 0, 1), (0, 0, 2)], [1.0, 1.0]
    >>> yuka_avoid_spheres((0, 0, 0), (0, 0, 1), (0, 0, 0, 1), 1.0, 1.0, *spheres).tolist()
    [1.75, 0.0, -0.2]
    """
    p, v = _triples(position, velocity)
    _amounts(radius=radius, min_box_length=min_box_length, braking_weight=braking_weight)
    above_zero("max_speed", max_speed, "m/s")
    quaternion = finite_rows("rotation", rotation, ())
    if quaternion.shape != (4,):
        raise InputError(f"rotation has shape {quaternion.shape}: give (4,).")
    turn = _matrix(quaternion)
    local = (finite_rows("centre", centres, (3,)) - p) @ turn
    length = min_box_length * (1.0 + float(np.linalg.norm(v)) / max_speed)
    nearest, chosen, entry = np.inf, -1, 0.0
    sizes = numbers("radii", radii, (len(local), 3)) + np.zeros(len(local))
    for k, (x, y, z) in enumerate(local):
        wide = sizes[k] + radius
        if not (0.0 < z < length and abs(x) < wide):
            continue
        # A ray along z that misses, high or low, leaves the entry of the sphere before.
        if x * x + y * y <= wide * wide:
            half = np.sqrt(wide * wide - x * x - y * y)
            entry = z - half if z - half >= 0.0 else z + half
        if entry < nearest:
            nearest, chosen = entry, k
    if chosen < 0:
        return np.zeros(3)
    x, _, z = local[chosen]
    side = (sizes[chosen] - x) * (1.0 + (length - z) / length)
    return turn @ np.array((side, 0.0, (sizes[chosen] - z) * braking_weight))


def _full_lateral(
    hint: Floats, ahead: Floats, distance: float, limit: float, max_force: float
) -> Floats:
    """OpenSteer's force: the part of a hint square to the way, at full length, if it is time."""
    if not distance < limit:
        return np.zeros(3)
    return _unit(hint - ahead * (hint @ ahead)) * max_force


def _unit(v: Floats) -> Floats:
    size = np.linalg.norm(v)
    return v / size if size > 0.0 else v


def _matrix(quaternion: Floats) -> Floats:
    x, y, z, w = quaternion
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )


def _triples(*values: ArrayLike) -> list[Floats]:
    arrays = [read("a position, direction or size", value) for value in values]
    if not all(array.shape == (3,) and np.isfinite(array).all() for array in arrays):
        raise InputError("positions, directions and sizes are three finite numbers each.")
    return arrays


def _amounts(**amounts: float) -> None:
    for name, amount in amounts.items():
        zero_or_more(name, amount)


def _known(seen_from: str) -> None:
    one_of("seen_from", seen_from, ("outside", "inside", "both"))
