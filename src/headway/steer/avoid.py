"""Avoid obstacles: look ahead with a sphere as wide as the body, and steer off what it meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.options import able, instance, one_of, seconds, whole
from headway.geometry.rows import indices, numbers, positions, refuse, vectors
from headway.steer.avoid_contacts import find_gaps, push_off
from headway.steer.avoid_memory import AvoidMemory
from headway.steer.avoid_rules import steer_around, steer_aside, usable
from headway.world.hits import AllHits, Hits, Surface
from headway.world.meetings import Meetings, meet

Floats = NDArray[np.float64]

WEAKEST = 1e-9
"""m/s²: agents without force brake like this, so that they can be asked as well."""


@dataclass(frozen=True, slots=True)
class Avoidance:
    """What to do about obstacles, and what was seen of them.

    Parameters
    ----------
    force : (d,) or (N, d) ndarray
        N, world frame; never above the greatest force.
    distance : () or (N,) ndarray
        m, to the first contact ahead, 0 in contact, inf for none.
    blocked : () or (N,) ndarray of bool
        The agent heads for a gap that it does not fit through with its margin: its swept sphere
        touches two parts of the surface on opposite sides at points that are closer together than
        the sphere is wide. Or it cannot stand at its target, by the rule "lateral", and would
        circle: something is met on the way, and the target lies within the surface, or nearer to
        it than the radius and the margin. It is for a planner to find another way or target.
    near : () or (N,) ndarray of bool
        A contact is so near that the attraction of targets should be left out for now.
    memory : AvoidMemory
        For the next step.
    hits : Hits
        First contacts, as a trace; with the rule "normal", the first of all.
    reach : (N,) ndarray
        m, how far was looked.
    """

    force: Floats
    distance: Floats
    blocked: NDArray[np.bool_]
    near: NDArray[np.bool_]
    memory: AvoidMemory
    hits: Hits
    reach: Floats


def avoid(
    position: ArrayLike,
    velocity: ArrayLike,
    surface: Surface,
    *,
    radius: ArrayLike,
    max_force: ArrayLike,
    margin: ArrayLike = 0.1,
    shortest: ArrayLike = 0.5,
    time: ArrayLike = 1.5,
    braking: ArrayLike | None = None,
    reach: ArrayLike | None = None,
    target: ArrayLike | None = None,
    memory: AvoidMemory | None = None,
    rule: Literal["lateral", "normal"] = "lateral",
    dt: float = 0.02,
    seed: int = 0,
    agent: ArrayLike | None = None,
) -> Avoidance:
    """The force that keeps agents off obstacles.

    A sphere of the radius of the body and its margin is swept along the velocity over
    L = max(shortest, v·time + v²/(2 braking)). Two rules make a force of what it meets at a
    distance d:

    - "lateral": of the first contact, max_force · (1 − d/L) square to the velocity, to the side
      its normal leans to. A side once chosen is kept while the contact is almost head-on and until
      the way has been clear for 0.5 s; where there is no side, the target decides, or chance. Too
      late to swerve, it brakes: more and more of the force goes along the normal as the distance
      to the surface falls from twice what it takes to stop to that. With a target, a second sphere
      is swept towards it, and what that meets pushes square to that line.
    - "normal": over all contacts, one for each obstacle or patch of a mesh, the sum of
      normal · max_force · (1 − d/L).

    What is touched at the start pushes with full force along the way out; by the lateral rule only
    as deep as it is in the margin if the agent is leaving already. Agents at rest feel what they
    touch. Where `near` is set, the attraction of targets must be left out: it is as strong as this
    force, and in a sum of both bodies go right through what they should avoid.

    This is a rule for what is met on the way, not a planner: along a wall much longer than the look
    ahead, or out of a dead end, only a planner leads.

    Surfaces that move are seen in the frame of each part; of such contacts the normal rule,
    too, takes the first only.

    Parameters
    ----------
    position : (d,) or (N, d) array_like
        m, world frame; d = 2 or 3.
    velocity : (d,) or (N, d) array_like
        m/s, world frame.
    surface : Surface
        What to avoid: `Obstacles`, a mesh, a height field, a `Scene` of them.
    radius, margin : float or (N,) array_like
        m, of the body, and the distance to keep from what is avoided.
    max_force : float or (N,) array_like
        N.
    shortest : float or (N,) array_like
        m, the least look ahead.
    time : float or (N,) array_like
        s, of the way that is looked at.
    braking : float or (N,) array_like, optional
        m/s², above zero, that the body can brake with; by default what max_force does to 1 kg.
    reach : float or (N,) array_like, optional
        m, above zero: a fixed look ahead instead of the above.
    target : (d,) or (N, d) array_like, optional
        m, world frame: where the agent wants to be. For the rule "lateral".
    memory : AvoidMemory, optional
        From the step before; without it each step chooses sides anew.
    rule : {"lateral", "normal"}
    dt : float
        s, of one step.
    seed : int
        Of chance.
    agent : int or (N,) array_like, optional
        Who each agent is, for chance; by default its row.

    Returns
    -------
    Avoidance

    Raises
    ------
    InputError
        If shapes do not fit, or a number is not finite or out of range.

    References
    ----------
    Reynolds, "Steering behaviors for autonomous characters", GDC 1999.

    Examples
    --------
    >>> from headway.world.obstacles import Obstacles
    >>> pillar = Obstacles.of(spheres=([(3.0, 0.5)], [1.0]))
    >>> way = avoid((0.0, 0.0), (1.0, 0.0), pillar, radius=0.4, max_force=2.0)
    >>> way.force.round(6).tolist(), bool(way.near), bool(way.blocked)
    ([0.0, -0.187673], False, False)

    Together with a target, which counts only where nothing is near:

    >>> from headway.steer.seek import seek
    >>> way = avoid((1.2, 0.0), (1.0, 0.0), pillar, radius=0.4, max_force=2.0)
    >>> wish = seek((1.2, 0.0), (1.0, 0.0), (6.0, 0.0), 3.0)
    >>> force = way.force + np.where(way.near[..., None], 0.0, wish)
    >>> wish.tolist(), bool(way.near), force.round(3).tolist()
    ([2.0, 0.0], True, [-0.418, -1.361])
    """
    able("surface", surface, "a Surface", "sweep", "sweep_all", "nearest")
    p, shape = positions("position", position)
    d = shape[-1]
    count = len(p) // d
    v = vectors("velocity", velocity, shape)
    names = {"radius": radius, "margin": margin, "max_force": max_force, "shortest": shortest}
    given = {**names, "time": time, "braking": max_force if braking is None else braking}
    body = {name: numbers(name, value, shape) for name, value in given.items()}
    if braking is None:
        body["braking"] = np.maximum(body["max_force"], WEAKEST)
    fixed = np.ones(1) if reach is None else numbers("reach", reach, shape)
    one_of("rule", rule, ("lateral", "normal"))
    dt, seed = seconds("dt", dt), whole("seed", seed)
    if memory is not None:
        instance("memory", memory, AvoidMemory)
    who = np.arange(count)
    if agent is not None:
        who = np.full(count, indices("agent", agent, (), (1,), (count,)))
    sizes: Any = (*body.values(), fixed)
    if not usable(p, v, *sizes):
        for name, values in (("braking", body["braking"]), ("reach", fixed)):
            if not (values > 0.0).all():
                raise InputError(f"{name} is {values.min()}: give numbers above zero.")
        signed = {f"{name}_": value for name, value in given.items()}
        refuse(position=position, velocity=velocity, **signed, reach_=fixed)
    at = p.reshape(count, d)
    v = v.reshape(-1, d) if len(v) == len(p) else np.tile(v, (count, 1))
    goal = None
    if target is not None:
        goal = vectors("target", target, shape).reshape(-1, d)
        with np.errstate(over="ignore"):
            aim = goal - at
        if not np.isfinite(aim).all():
            refuse(target=target, position=position)
    looks = body["shortest"], body["time"], body["braking"]
    if reach is not None:
        looks = fixed, np.zeros(1), np.full(1, np.inf)
    kept = AvoidMemory.start(count) if memory is None else memory.copied(count)
    seen = meet(surface, at, v, body["radius"] + body["margin"], *looks)
    if rule == "normal":
        return _pushed(at, v, surface, body, seen, kept, shape)
    return _swerved(at, v, surface, body, seen, kept, shape, goal, dt, seed, who)


def _swerved(
    at: Floats, v: Floats, surface: Surface, body: dict[str, Floats], seen: Meetings,
    kept: AvoidMemory, shape: tuple[int, ...], goal: Floats | None, dt: float, seed: int,
    who: NDArray[np.int64],
) -> Avoidance:  # fmt: skip
    """By the rule "lateral"."""
    hits, d = seen.hits, at.shape[1]
    force, near = np.empty(at.shape), np.empty(len(at), np.bool_)
    aim = None if goal is None else goal - at
    wish = np.zeros(d) if aim is None else aim.ravel()
    side, clear = kept.side.ravel(), kept.clear
    wide = body["radius"] + body["margin"]
    blocked = np.zeros(len(at), np.bool_)
    met = np.flatnonzero(hits.distance <= seen.reach)
    if len(met):
        few = wide if len(wide) == 1 else wide[met]
        contacts = surface.sweep_all(at[met], v[met], _alike(few), seen.reach[met])
        blocked[met] = _gaps(contacts, v[met], few)
    bad = steer_aside(
        seen.velocity.ravel(), hits.distance, hits.normal.ravel(), hits.depth, seen.reach,
        body["margin"], body["braking"], body["max_force"], blocked, wish, seed, who, dt, d,
        side, clear, force.ravel(), near,
    )  # fmt: skip
    if goal is not None and aim is not None:
        limit = np.minimum(np.sqrt((aim * aim).sum(axis=1)), seen.reach)
        ahead = surface.sweep(at, aim, _alike(wide), limit)
        around = steer_around(
            aim.ravel(), ahead.distance, ahead.normal.ravel(), limit, seen.reach,
            body["max_force"], v.ravel(), seed, who, d, side, clear, force.ravel(), near,
        )  # fmt: skip
        bad = max(bad, around)
        met = np.flatnonzero(ahead.distance <= limit)
        if len(met):
            there, few = (rows if len(rows) == 1 else rows[met] for rows in (goal, wide))
            blocked[met] |= surface.nearest(there, float(wide.max())).distance < few
    if bad >= 0:
        raise InputError(f"the force on agent {bad} is not finite: numbers are too large.")
    return _answer(force, seen, blocked, near, kept, shape)


def _pushed(
    at: Floats, v: Floats, surface: Surface, body: dict[str, Floats], seen: Meetings,
    kept: AvoidMemory, shape: tuple[int, ...],
) -> Avoidance:  # fmt: skip
    """By the rule "normal"."""
    wide = body["radius"] + body["margin"]
    if getattr(surface, "moving", False):
        contacts = _first_only(seen)
    else:
        contacts = surface.sweep_all(at, v, _alike(wide), seen.reach)
    force, near = np.empty(at.shape), np.empty(len(at), np.bool_)
    bad = push_off(
        contacts.start, contacts.distance, contacts.normal.ravel(), seen.reach,
        body["max_force"], at.shape[1], force.ravel(), near,
    )  # fmt: skip
    if bad >= 0:
        raise InputError(f"the force on agent {bad} is not finite: numbers are too large.")
    return _answer(force, seen, _gaps(contacts, v, wide), near, kept, shape)


def _first_only(seen: Meetings) -> AllHits:
    """The first contacts as if they were all."""
    hits = seen.hits
    met = hits.distance <= seen.reach
    start = np.concatenate(([0], np.cumsum(met)))
    return AllHits(start, hits.distance[met], hits.point[met], hits.normal[met], hits.part[met])


def _alike(values: Floats) -> float | Floats:
    """One number where it is the same for all."""
    return float(values[0]) if len(values) == 1 else values


def _gaps(contacts: AllHits, v: Floats, wide: Floats) -> NDArray[np.bool_]:
    blocked = np.empty(len(v), np.bool_)
    point, normal = contacts.point.ravel(), contacts.normal.ravel()
    find_gaps(contacts.start, point, normal, v.ravel(), wide, v.shape[1], blocked)
    return blocked


def _answer(
    force: Floats, seen: Meetings, blocked: NDArray[np.bool_], near: NDArray[np.bool_],
    kept: AvoidMemory, shape: tuple[int, ...],
) -> Avoidance:  # fmt: skip
    each = shape[:-1]
    return Avoidance(
        force.reshape(shape), seen.hits.distance.reshape(each), blocked.reshape(each),
        near.reshape(each), kept, seen.hits, seen.reach,
    )  # fmt: skip
