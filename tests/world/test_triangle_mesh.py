from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from triangle_oracle import check_hits, distances

from headway.errors import InputError
from headway.world.hits import AllHits, Surface
from headway.world.mesh_files import read_mesh
from headway.world.triangle_mesh import TriangleMesh


def soup(seed: int, count: int, size: float, grid: float | None = None) -> TriangleMesh:
    """Triangles anywhere within 4 m; on a coarse grid many touch, and some have no area."""
    rng = np.random.default_rng(seed)
    corners = rng.uniform(-2.0, 2.0, (count, 1, 3)) + rng.uniform(-size, size, (count, 3, 3))
    if grid:
        corners = np.round(corners / grid) * grid
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def casts(seed: int, count: int, middle: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([seed, 7])
    return middle + rng.uniform(-size, size, (count, 3)), rng.normal(size=(count, 3))


def box(low: tuple[float, ...], high: tuple[float, ...], pieces: int) -> TriangleMesh:
    """A closed box, each side cut into pieces by pieces cells, its vertices not shared."""
    vertices, triangles = [], []
    u, v = np.meshgrid(*[np.linspace(0.0, 1.0, pieces + 1)] * 2, indexing="ij")
    number = np.arange((pieces + 1) ** 2).reshape(pieces + 1, -1)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    cells = np.stack((a, b, c, a, c, d), axis=-1).reshape(-1, 3)
    for axis in range(3):
        for side in (0.0, 1.0):
            unit = np.insert(np.stack((u, v), axis=-1).reshape(-1, 2), axis, side, axis=1)
            triangles.append(cells + len(vertices) * len(unit))
            vertices.append(low + unit * np.subtract(high, low))
    return TriangleMesh(np.concatenate(vertices), np.concatenate(triangles))


@given(
    seed=st.integers(0, 2**32), count=st.integers(0, 60), size=st.sampled_from((0.05, 0.5, 3.0)),
    grid=st.sampled_from((None, 0.5)), radius=st.sampled_from((0.0, 0.05, 0.3)),
    reach=st.sampled_from((0.0, 0.7, 9.0)),
)  # fmt: skip
@settings(max_examples=40)
def test_sweeps_find_the_first_contact_by_brute_force(
    seed: int, count: int, size: float, grid: float | None, radius: float, reach: float
) -> None:
    mesh = soup(seed, count, size, grid)
    start, direction = casts(seed, 12, np.zeros(3), 3.0)
    direction[0] = 0.0
    direction[1, 1:] = 0.0
    hits = mesh.sweep(start, direction, radius, reach)
    corners = mesh.vertices[mesh.triangles]
    check_hits(hits, corners, start, direction, np.full(12, radius), reach)


@given(seed=st.integers(0, 2**32), count=st.integers(0, 60), grid=st.sampled_from((None, 0.5)))
@settings(max_examples=25)
def test_nearest_and_overlaps_by_brute_force(seed: int, count: int, grid: float | None) -> None:
    mesh = soup(seed, count, 0.5, grid)
    points, _ = casts(seed, 20, np.zeros(3), 3.0)
    corners = mesh.vertices[mesh.triangles]
    exact = distances(points[:, None], corners[None]).min(axis=1, initial=np.inf)
    for reach in (np.inf, 0.6):
        found = mesh.nearest(points, reach)
        inside = np.isfinite(exact) & (exact <= reach)
        np.testing.assert_allclose(
            found.distance, np.where(inside, exact, np.inf), rtol=1e-9, atol=1e-9
        )
        assert np.array_equal(found.part >= 0, inside)
        apart = np.where(inside, exact, 0.0)
        np.testing.assert_allclose(
            np.where(inside[:, None], points - found.point, 0.0), found.normal * apart[:, None],
            atol=1e-9,
        )  # fmt: skip
    half = np.random.default_rng(seed).uniform(0.0, 0.5, (20, 3))
    touched = mesh.overlaps(points - half, points + half)
    # The box is seen from its closest point to each triangle, found by projecting to and fro.
    at = np.repeat(points[:, None], len(corners), axis=1)
    gap = np.zeros(at.shape[:2])
    for _ in range(100):
        on = closest(at, corners)
        at = np.clip(on, (points - half)[:, None], (points + half)[:, None])
        gap = np.linalg.norm(at - on, axis=-1)
    least = gap.min(axis=1, initial=np.inf)
    assert touched[least < 1e-9].all()
    assert not touched[least > 1e-2].any()


def closest(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The closest points of triangles by barycentric coordinates, or on their sides."""
    a, b, c = (corners[None, :, k] for k in range(3))
    best, least = np.zeros(points.shape), np.full(points.shape[:2], np.inf)
    n = np.cross(b - a, c - a)
    square = (n**2).sum(-1)
    safe = np.where(square > 1e-18, square, 1.0)
    v = (np.cross(points - a, c - a) * n).sum(-1) / safe
    w = (np.cross(b - a, points - a) * n).sum(-1) / safe
    inside = (square > 1e-18) & (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0)
    feet = [(a + v[..., None] * (b - a) + w[..., None] * (c - a), inside)]
    for p, q in ((a, b), (b, c), (c, a)):
        square = ((q - p) ** 2).sum(-1)
        t = ((points - p) * (q - p)).sum(-1) / np.where(square > 0.0, square, 1.0)
        feet.append((p + np.clip(t, 0.0, 1.0)[..., None] * (q - p), np.full(t.shape, True)))
    for foot, valid in feet:
        gap = np.where(valid, np.linalg.norm(points - foot, axis=-1), np.inf)
        best, least = np.where((gap < least)[..., None], foot, best), np.minimum(gap, least)
    return best


def meshes(folder: Path) -> list[Path]:
    return sorted((folder / "meshes").glob("*.obj"))


def test_meshes_from_files_by_brute_force(data_folder: Path) -> None:
    if not meshes(data_folder):
        pytest.skip("no meshes among the real inputs")
    for path in meshes(data_folder):
        mesh = read_mesh(path, up="y")
        corners = mesh.vertices[mesh.triangles]
        middle, size = corners.mean(axis=(0, 1)), np.ptp(corners, axis=(0, 1)).max() / 2.0
        rng = np.random.default_rng(5)
        towards = corners[rng.integers(len(mesh), size=24)].mean(axis=1)
        start = towards + rng.normal(size=(24, 3)) * 3.0
        direction = towards + rng.normal(size=(24, 3)) - start
        for radius, reach in ((0.6, 4.0), (0.0, size)):
            hits = mesh.sweep(start, direction, radius, reach)
            assert np.isfinite(hits.distance).any()
            check_hits(hits, corners, start, direction, np.full(24, radius), reach, near=2e-9)
        # Moved to the origin, the same mesh answers the same: nothing is lost far from it.
        moved = TriangleMesh(mesh.vertices - middle, mesh.triangles)
        here = mesh.sweep(start, direction, 0.6, 4.0)
        there = moved.sweep(start - middle, direction, 0.6, 4.0)
        np.testing.assert_allclose(here.distance, there.distance, rtol=1e-9, atol=1e-9)


def test_meshes_are_surfaces() -> None:
    surface: Surface = soup(0, 3, 0.5)
    assert surface.overlaps(np.full((1, 3), -9.0), np.full((1, 3), 9.0)).all()


def rows(all_hits: AllHits, i: int) -> list[float]:
    return all_hits.distance[all_hits.start[i] : all_hits.start[i + 1]].tolist()


@pytest.mark.parametrize("pieces", [1, 2, 9])
def test_all_hits_count_sides_and_not_triangles(pieces: int) -> None:
    mesh = box((2.0, -1.0, -1.0), (3.0, 1.0, 1.0), pieces)
    start = np.array([[0.0, 0.03, 0.05], [0.0, 0.93, 0.05], [0.0, 3.0, 0.0]])
    found = mesh.sweep_all(start, np.array([1.0, 0.0, 0.0]), 0.2, 9.0)
    np.testing.assert_allclose(rows(found, 0), [1.8, 2.8])  # front and back, not the other sides
    np.testing.assert_allclose(rows(found, 1)[0], 1.8)
    assert len(rows(found, 1)) == 3  # and one of the other sides, along which it slides
    assert rows(found, 2) == []
    first = mesh.sweep(start, np.array([1.0, 0.0, 0.0]), 0.2, 9.0)
    for i in range(2):
        assert rows(found, i)[0] == first.distance[i]
        assert found.normal[found.start[i]].tolist() == first.normal[i].tolist()


def test_all_hits_of_a_corner_of_a_room_are_its_walls() -> None:
    room = box((0.0, 0.0, 0.0), (4.0, 4.0, 4.0), 40)
    found = room.sweep_all([[0.8, 0.9, 1.0]], [[-1.0, -1.0, -1.0]], 0.25, 1.35)
    assert len(found.distance) == 3
    expected = np.sqrt(3.0) * (np.array([0.8, 0.9, 1.0]) - 0.25)
    np.testing.assert_allclose(found.distance, expected)
    np.testing.assert_allclose(found.normal, np.eye(3), atol=1e-12)
    inside = room.sweep_all([[0.2, 0.1, 2.0]], [[0.0, 0.0, 0.0]], 0.25, 0.0)
    assert inside.distance.tolist() == [0.0, 0.0]
    np.testing.assert_allclose(inside.normal, np.eye(3)[[1, 0]])  # the deepest first


def test_an_edge_hit_from_outside_is_one_hit() -> None:
    mesh = box((0.0, 0.0, 0.0), (2.0, 2.0, 2.0), 4)
    found = mesh.sweep_all([[-1.0, -1.0, 1.0]], [[1.0, 1.0, 0.0]], 0.25, 1.5)
    assert len(found.distance) == 1
    np.testing.assert_allclose(found.normal, [[-np.sqrt(0.5), -np.sqrt(0.5), 0.0]])


@given(seed=st.integers(0, 2**32), count=st.integers(0, 80))
@settings(max_examples=25)
def test_all_hits_are_hits_and_begin_with_the_first(seed: int, count: int) -> None:
    mesh = soup(seed, count, 0.5, 0.25)
    start, direction = casts(seed, 8, np.zeros(3), 2.5)
    found, first = (
        mesh.sweep_all(start, direction, 0.1, 3.0),
        mesh.sweep(start, direction, 0.1, 3.0),
    )
    way = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    for i in range(8):
        own = slice(found.start[i], found.start[i + 1])
        if not np.isfinite(first.distance[i]):
            assert found.start[i] == found.start[i + 1]
            continue
        assert found.distance[own][0] == pytest.approx(first.distance[i], abs=1e-12)
        assert (np.diff(found.distance[own]) >= 0.0).all()
        centre = start[i] + found.distance[own][:, None] * way[i]
        gap = distances(centre, mesh.vertices[mesh.triangles[found.part[own]]])
        moving = found.distance[own] > 0.0
        np.testing.assert_allclose(gap[moving], 0.1, atol=1e-9)
        assert (gap[~moving] <= 0.1 + 1e-9).all()


def test_a_sphere_at_the_surface_is_led_out() -> None:
    floor = TriangleMesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    start = [[0, 0, 0.25], [0, 0, -0.25], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0.5]]
    direction = [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, -1], [0, 0, 0], [0, 0, 1]]
    hits = floor.sweep(start, direction, 0.5, 9.0)
    assert hits.distance.tolist() == [0.0] * 6
    assert hits.depth.tolist() == [0.25, 0.25, 0.5, 0.5, 0.5, 0.0]
    assert hits.normal[:, 2].tolist() == [1.0, -1.0, -1.0, 1.0, 1.0, 1.0]
    away = floor.sweep([[0, 0, 0.6], [0, 0, 0.6]], [[0, 0, 1], [1, 0, 0]], 0.5, 9.0)
    assert not np.isfinite(away.distance).any()


def test_agents_in_the_plane_meet_what_stands_at_height_zero() -> None:
    wall = TriangleMesh([[2, -9, -9], [2, 9, -9], [2, 0, 9]], [[0, 1, 2]])
    flat = wall.sweep([[0.0, 0.5], [9.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], 0.5, 9.0)
    solid = wall.sweep([[0.0, 0.5, 0.0], [9.0, 0.0, 0.0]], [1.0, 0.0, 0.0], 0.5, 9.0)
    assert np.array_equal(flat.distance, solid.distance)
    assert np.array_equal(flat.point, solid.point[:, :2])
    assert np.array_equal(flat.normal, solid.normal[:, :2])
    assert wall.nearest([[0.0, 0.5]]).point.tolist() == [[2.0, 0.5]]
    assert wall.overlaps([[1.0, 0.0], [3.0, 0.0]], [[2.0, 1.0], [4.0, 1.0]]).tolist() == [
        True,
        False,
    ]
    assert wall.sweep_all([[0.0, 0.5]], [[1.0, 0.0]], 0.5, 9.0).normal.tolist() == [[-1.0, 0.0]]


def test_many_are_asked_as_one_and_turning_the_world_changes_nothing() -> None:
    mesh = soup(11, 200, 0.4)
    start, direction = casts(11, 50, np.zeros(3), 3.0)
    radius = np.linspace(0.0, 0.3, 50)
    hits = mesh.sweep(start, direction, radius, 5.0)
    for i in (0, 17, 49):
        one = mesh.sweep(start[i : i + 1], direction[i : i + 1], float(radius[i]), 5.0)
        for name in ("distance", "point", "normal", "part", "depth"):
            assert np.array_equal(getattr(one, name), getattr(hits, name)[i : i + 1])
    order = np.random.default_rng(0).permutation(50)
    mixed = mesh.sweep(start[order], direction[order], radius[order], 5.0)
    assert np.array_equal(mixed.distance, hits.distance[order])
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    shift = np.array([300.0, -20.0, 5.0])
    turned = TriangleMesh(mesh.vertices @ turn.T + shift, mesh.triangles)
    other = turned.sweep(start @ turn.T + shift, direction @ turn.T, radius, 5.0)
    np.testing.assert_allclose(other.distance, hits.distance, rtol=1e-9, atol=1e-9)
    seen = np.isfinite(hits.distance)
    np.testing.assert_allclose(other.normal[seen], hits.normal[seen] @ turn.T, atol=1e-8)
    empty = mesh.sweep(np.empty((0, 3)), np.empty((0, 3)), 0.1, 1.0)
    assert empty.point.shape == (0, 3)
    assert mesh.sweep_all(np.empty((0, 3)), np.empty((0, 3)), 0.1, 1.0).start.tolist() == [0]


def test_many_in_any_order_are_asked_as_one() -> None:
    mesh = soup(12, 300, 0.4)
    start, direction = casts(12, 600, np.zeros(3), 3.0)
    hits, found = mesh.sweep(start, direction, 0.1, 2.0), mesh.nearest(start)
    every = mesh.sweep_all(start, direction, 0.1, 2.0)
    for i in range(0, 600, 7):
        own = slice(i, i + 1)
        one = mesh.sweep(start[own], direction[own], 0.1, 2.0)
        for name in ("distance", "point", "normal", "part", "depth"):
            assert np.array_equal(getattr(one, name), getattr(hits, name)[own])
        near = mesh.nearest(start[own])
        for name in ("distance", "point", "normal", "part"):
            assert np.array_equal(getattr(near, name), getattr(found, name)[own])
        alone = mesh.sweep_all(start[own], direction[own], 0.1, 2.0)
        rows_of = slice(every.start[i], every.start[i + 1])
        for name in ("distance", "point", "normal", "part"):
            assert np.array_equal(getattr(alone, name), getattr(every, name)[rows_of])


def test_the_same_places_are_the_same_in_the_plane_and_in_one_point() -> None:
    mesh = soup(13, 50, 0.4)
    places = np.random.default_rng(13).uniform(-3.0, 3.0, (400, 2))
    solid = np.column_stack((places, np.zeros(400)))
    assert np.array_equal(mesh.nearest(places).distance, mesh.nearest(solid).distance)
    same = mesh.nearest(np.ones((400, 3))).distance
    assert (same == mesh.nearest([[1.0, 1.0, 1.0]]).distance).all()


def test_many_triangles_in_one_place_make_no_endless_tree() -> None:
    corners = np.tile(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), (5000, 1))
    mesh = TriangleMesh(corners, np.arange(15000).reshape(-1, 3))
    assert mesh.sweep([[0.2, 0.2, 2.0]], [[0, 0, -1]], 0.5, 9.0).distance.tolist() == [1.5]
    assert mesh.sweep_all([[0.2, 0.2, 2.0]], [[0, 0, -1]], 0.5, 9.0).distance.tolist() == [1.5]
    # Sizes that double again and again are the worst for a tree by surface area.
    size = 2.0 ** np.arange(-30.0, 40.0)
    row = np.stack((size, 0.0 * size, 0.0 * size), axis=1)
    corners = np.stack((row, row + 0.1 * size[:, None], row - (0, 1, 0) * size[:, None]), axis=1)
    mesh = TriangleMesh(corners.reshape(-1, 3), np.arange(210).reshape(-1, 3))
    got = mesh.nearest(row + (0.0, 0.0, 0.001) * size[:, None]).distance
    np.testing.assert_allclose(
        got, distances(row + (0, 0, 0.001) * size[:, None], corners), rtol=0.5
    )


def test_a_mesh_is_a_copy_that_stays_as_it_is() -> None:
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    mesh = TriangleMesh(vertices, np.array([[0, 1, 2]], np.uint8))
    vertices[:] = np.nan
    assert np.isfinite(mesh.vertices).all()
    assert not mesh.vertices.flags.writeable
    assert mesh.nearest(mesh.vertices).distance.tolist() == [0.0] * 3
    assert mesh.sweep(mesh.vertices, mesh.vertices, 0.1, 1.0).distance.tolist() == [0.0] * 3
    assert mesh.triangles.dtype == np.int64
    assert len(mesh) == 1


@pytest.mark.parametrize(
    ("vertices", "triangles", "said"),
    [
        ([[0, 0, 0], [1, 0, np.nan]], [[0, 1, 0]], "vertex 1 is"),
        ([[0, 0, 0], [1, 0, 1e16]], [[0, 1, 0]], "vertex 1 is"),
        ([[0, 0], [1, 0]], [[0, 1, 0]], "vertices have shape"),
        ([[0, 0, 0]], [[0, 0, 1]], "triangle 0 is"),
        ([[0, 0, 0]], [[0, 0, -1]], "triangle 0 is"),
        ([[0, 0, 0]], [[0.0, 0.0, 0.0]], "triangles hold float64"),
        ([[0, 0, 0]], [0, 0, 0], "triangles have shape"),
        ("none", [[0, 0, 0]], "cannot be read"),
    ],
)
def test_what_is_no_mesh_is_refused(vertices: object, triangles: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        TriangleMesh(vertices, triangles)  # pyright: ignore[reportArgumentType]


def test_queries_that_cannot_be_answered_are_refused() -> None:
    mesh = soup(1, 5, 0.5)
    start, way = np.zeros((2, 3)), np.ones((2, 3))
    bad = start.copy()
    bad[1, 2] = np.nan
    for arguments, said in (
        ((bad, way, 0.1, 1.0), "start of agent 1"),
        ((start, bad, 0.1, 1.0), "direction of agent 1"),
        ((start, way, -0.1, 1.0), "radius"),
        ((start, way, np.array([0.1, np.nan]), 1.0), "radius of agent 1"),
        ((start, way, 0.1, -1.0), "reach"),
        ((start, way, 0.1, np.nan), "reach"),
        ((start + 1e200, way, 0.1, np.inf), "too large"),
        ((start[0], way[0], 0.1, 1.0), "give rows"),
        ((start, way[:, :2], 0.1, 1.0), "direction has shape"),
        ((start, way, np.zeros(3), 1.0), "radius has shape"),
    ):
        for sweep in (mesh.sweep, mesh.sweep_all):
            with pytest.raises(InputError, match=said):
                sweep(*arguments)
    with pytest.raises(InputError, match="points of agent 1"):
        mesh.nearest(bad)
    with pytest.raises(InputError, match="reach"):
        mesh.nearest(start, -1.0)
    with pytest.raises(InputError, match="box 0: its lowest corner"):
        mesh.overlaps(way, start)
    with pytest.raises(InputError, match="lowest of agent 1"):
        mesh.overlaps(bad, way)
    with pytest.raises(InputError, match="highest has shape"):
        mesh.overlaps(start, way[:1])


@pytest.mark.parametrize("x", [0.1, 0.3, 0.7, 1.1, 123456.7])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_what_no_single_precision_number_equals_is_met_exactly(x, side):
    place = side * x
    corners = [(place, -1.0, -1.0), (place, 1.0, -1.0), (place, 0.0, 1.0)]
    mesh = TriangleMesh(corners, [(0, 1, 2)])
    for start, way in ((0.0, side), (2.0 * place, -side)):
        reach = abs(place - start) * (1.0 + 1e-12)
        hits = mesh.sweep([(start, 0.0, 0.0)], [(way, 0.0, 0.0)], 0.0, reach)
        assert hits.distance[0] == pytest.approx(x, rel=1e-12)
        assert mesh.nearest([(start, 0.0, 0.0)], reach).distance[0] == pytest.approx(x, rel=1e-12)
        low, high = min(start, place), max(start, place)
        assert mesh.overlaps([(low, -0.1, -0.1)], [(high, 0.1, 0.1)]).all()


@pytest.mark.parametrize(("degrees", "patches"), [(25.0, 1), (35.0, 2), (55.0, 2)])
def test_a_valley_is_one_patch_unless_it_bends_by_more_than_30_degrees(degrees, patches):
    rise = 2.0 * np.tan(np.radians(0.5 * degrees))
    corners = [(x, y, rise * abs(x) / 2.0) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 2.0)]
    mesh = TriangleMesh(corners, [(0, 2, 1), (1, 2, 3), (2, 4, 3), (3, 4, 5)])
    found = mesh.sweep_all([(0.0, 0.0, 3.0)], [(0.0, 0.0, -1.0)], 0.5, 9.0)
    assert len(found.distance) == patches
    np.testing.assert_allclose(found.distance, 3.0 - 0.5 / np.cos(np.radians(0.5 * degrees)))
