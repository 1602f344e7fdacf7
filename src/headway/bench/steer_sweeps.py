"""How fast spheres are swept against surfaces: meshes, height fields and obstacles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from headway.bench.headline import Figure, at_least, at_most, noted
from headway.bench.measure import medians
from headway.bench.parts import Say
from headway.world.height_field import HeightField
from headway.world.hits import Hits
from headway.world.obstacles import Obstacles
from headway.world.triangle_mesh import TriangleMesh

Floats = NDArray[np.float64]

TRIANGLES = 100_000
ROOM, BOXES = np.array((5.0, 4.0, 3.0)), 12
"""m, the size of a room that is made of about so many triangles; how many boxes stand in it."""
UNEVEN = 0.004
"""m, so that no two triangles lie in one plane, as if they had been scanned."""
RADIUS, REACH = 0.05, 0.5
"""m"""
RATE, EXACT = 1.0, 1e-5
"""Millions of casts per second; m, from brute force."""
CASTS, CHECKED = 20_000, 200
CELLS, CELL, TREES, LAND = 200, 0.25, 100, 50.0
"""Of hills: cells a side and their size, m. Of a land with trees: how many, and its size, m."""


def figures(quick: bool, say: Say) -> Iterator[Figure]:
    """Measure queries of a room of triangles, of hills and of single obstacles.

    Yields
    ------
    Figure
        Casts per second and how exact they are; other queries; other surfaces.
    """
    turns = 3 if quick else 9
    say(f"a mesh of {TRIANGLES:,} triangles")
    corners, triangles = room()
    mesh, faces = TriangleMesh(corners, triangles), corners[triangles]
    anywhere, near, way = flights(faces, CASTS)
    runs: dict[str, Callable[[], object]] = {
        "sweep": lambda: mesh.sweep(anywhere, way, RADIUS, REACH),
        "near": lambda: mesh.sweep(near, way, RADIUS, REACH),
        "ray": lambda: mesh.ray(anywhere, way, REACH),
        "nearest": lambda: mesh.nearest(anywhere, REACH),
    }
    rates = {name: CASTS / s / 1e6 for name, s in medians(runs, turns, 0.0).items()}
    hits = mesh.sweep(anywhere, way, RADIUS, REACH)
    label = f"spheres of 5 cm swept over 0.5 m in a room of {len(triangles):,} triangles"
    yield at_least(label, rates["sweep"], RATE, " M/s", hit=share_hit(hits))
    hits = mesh.sweep(near, way, RADIUS, REACH)
    label = "the same, from 0.1 to 0.6 m beside a surface"
    yield noted(label, rates["near"], " M/s", hit=share_hit(hits))
    say("brute force")
    error = worst_error(faces, near, way, hits, 30 if quick else CHECKED)
    yield at_most("their distances, against brute force", error, EXACT, " m")
    yield noted("rays over 0.5 m in that room", rates["ray"], " M/s")
    yield noted("nearest points within 0.5 m in that room", rates["nearest"], " M/s")
    build = medians({"build": lambda: TriangleMesh(corners, triangles)}, 1 if quick else 3, 0.0)
    yield noted("building the tree of its triangles", build["build"], " s")
    yield from other_surfaces(turns, say)


def other_surfaces(turns: int, say: Say) -> Iterator[Figure]:
    """Measure sweeps as long over hills, and among obstacles of which there are not so many."""
    say("a height field and obstacles")
    rng = np.random.default_rng(2)
    x, y = CELL * np.indices((CELLS + 1, CELLS + 1))
    hills = HeightField(np.sin(0.5 * x) + np.cos(0.3 * y), CELL)
    trees = Obstacles.of(spheres=(rng.uniform(0.0, LAND, (TREES, 2)), rng.uniform(0.3, 1.0, TREES)))
    start, way = rng.uniform(0.0, LAND, (CASTS, 3)), directions(rng, CASTS)
    start[:, 2] = np.sin(0.5 * start[:, 1]) + np.cos(0.3 * start[:, 0]) + 0.3
    runs: dict[str, Callable[[], Hits]] = {
        f"over hills of {CELLS**2:,} cells": lambda: hills.sweep(start, way, RADIUS, REACH),
        f"among {TREES} upright cylinders": lambda: trees.sweep(start, way, RADIUS, REACH),
    }
    for name, seconds in medians(runs, turns, 0.0).items():
        yield noted(f"the same {name}", CASTS / seconds / 1e6, " M/s", hit=share_hit(runs[name]()))


def share_hit(hits: Hits) -> float:
    """How many of the casts hit anything, of all."""
    return float(np.isfinite(hits.distance).mean())


def room() -> tuple[Floats, NDArray[np.int64]]:
    """Corners and triangles of an uneven room, with boxes on its floor that may overlap."""
    rng = np.random.default_rng(0)
    boxes = [(np.zeros(3), ROOM)]
    for size in rng.uniform(0.2, 0.8, (BOXES, 3)):
        low = rng.uniform(0.0, 1.0, 3) * (ROOM - size) * (1.0, 1.0, 0.0)
        boxes.append((low, low + size))
    area = sum(2.0 * (np.roll(high - low, 1) @ (high - low)) for low, high in boxes)
    spacing = math.sqrt(2.0 * area / TRIANGLES)
    parts = [side(*box, axis, end, spacing) for box in boxes for axis in range(3) for end in (0, 1)]
    corners = np.concatenate([each for each, _ in parts])
    first = np.cumsum([0] + [len(each) for each, _ in parts])
    triangles = np.concatenate([each + k for (_, each), k in zip(parts, first, strict=False)])
    waves = np.array([[31.0, 17.0, 0.0], [3.0, 29.0, 13.0], [23.0, 0.0, 37.0]])
    return corners + UNEVEN * np.sin(corners @ waves), triangles


def side(
    low: Floats, high: Floats, axis: int, end: int, spacing: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Corners and triangles of one side of a box."""
    across = [(axis + 1) % 3, (axis + 2) % 3]
    columns, rows = (max(1, round((high - low)[k] / spacing)) + 1 for k in across)
    corners = np.empty((columns, rows, 3))
    corners[..., axis] = (low, high)[end][axis]
    corners[..., across[0]] = np.linspace(low[across[0]], high[across[0]], columns)[:, np.newaxis]
    corners[..., across[1]] = np.linspace(low[across[1]], high[across[1]], rows)
    numbered = np.arange(columns * rows).reshape(columns, rows)
    a, b, c, d = (
        numbered[i : columns - 1 + i, j : rows - 1 + j].ravel()
        for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))
    )
    return corners.reshape(-1, 3), np.stack((a, b, c, a, c, d), axis=1).reshape(-1, 3)


def flights(triangles: Floats, count: int) -> tuple[Floats, Floats, Floats]:
    """Where casts start, anywhere in the room or near a surface, and their directions."""
    rng = np.random.default_rng(1)
    place = np.einsum(
        "nk,nkd->nd",
        rng.dirichlet((1.0, 1.0, 1.0), count),
        triangles[rng.integers(0, len(triangles), count)],
    )
    near = place + directions(rng, count) * rng.uniform(0.1, 0.6, (count, 1))
    return rng.uniform(0.0, 1.0, (count, 3)) * ROOM, near, directions(rng, count)


def directions(rng: np.random.Generator, count: int) -> Floats:
    """Directions in space, all alike in probability."""
    arrows = rng.normal(size=(count, 3))
    return arrows / np.linalg.norm(arrows, axis=1, keepdims=True)


def worst_error(triangles: Floats, start: Floats, way: Floats, hits: Hits, count: int) -> float:
    """The largest error of the first few distances, m; no hit counts as one at the very end."""
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    worst = 0.0
    for i in range(count):
        ends = np.stack((start[i], start[i] + REACH * way[i]))
        near = (low <= ends.max(axis=0) + RADIUS) & (high >= ends.min(axis=0) - RADIUS)
        right = first_touch(triangles[near.all(axis=1)], start[i], way[i], RADIUS)
        worst = max(worst, abs(min(right, REACH) - min(float(hits.distance[i]), REACH)))
    return worst


def first_touch(triangles: Floats, start: Floats, way: Floats, radius: float) -> float:
    """How far a sphere goes until it touches one of some triangles, each tried.

    It is touched by a corner, by the inside of an edge, or by the inside of the face, each of
    which is moved by the radius: a ball, a cylinder, two planes.
    """
    corner, edge = triangles, np.roll(triangles, -1, axis=1) - triangles
    to = start - corner
    balls = entry(to, np.broadcast_to(way, to.shape), radius)
    size = (edge * edge).sum(axis=-1, keepdims=True)
    across = [v - edge * (v * edge).sum(axis=-1, keepdims=True) / size for v in (to, way)]
    cylinders = entry(across[0], across[1], radius)
    with np.errstate(invalid="ignore"):
        where = ((to + cylinders[..., np.newaxis] * way) * edge).sum(axis=-1) / size[..., 0]
    cylinders[~((where >= 0.0) & (where <= 1.0))] = math.inf
    planes = face_entry(to, edge, way, radius)
    touches = np.concatenate((balls.ravel(), cylinders.ravel(), planes))
    return float(touches.min(initial=math.inf))


def entry(to: Floats, way: Floats, radius: float) -> Floats:
    """When points that start at `to` come as near to 0 as a radius: 0 if they are, inf if never."""
    a, b, c = (way * way).sum(-1), (to * way).sum(-1), (to * to).sum(-1) - radius**2
    root = b * b - a * c
    with np.errstate(invalid="ignore", divide="ignore"):
        when = np.where((root >= 0.0) & (b < 0.0), (-b - np.sqrt(root)) / a, math.inf)
    return np.where(c <= 0.0, 0.0, when)


def face_entry(to: Floats, edge: Floats, way: Floats, radius: float) -> Floats:
    """When spheres touch the insides of triangles; inf if never."""
    normal = np.cross(edge[:, 0], edge[:, 1])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    height, rate = (to[:, 0] * normal).sum(axis=1), normal @ way
    with np.errstate(invalid="ignore", divide="ignore"):
        when = (radius - np.abs(height)) / (np.sign(height) * rate)
        when[height * rate >= 0.0] = math.inf
        when[np.abs(height) <= radius] = 0.0
        there = to + when[:, np.newaxis, np.newaxis] * way
        inside = (np.cross(edge, there) * normal[:, np.newaxis]).sum(axis=-1) >= 0.0
    return np.where(inside.all(axis=1), when, math.inf)
