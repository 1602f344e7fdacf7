"""What any-angle searches are held against: visibility and shortest paths by plain geometry."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from headway.world.movingai import read_movingai_map, read_scenarios


def blocked_squares(free):
    """The lower corner of each 2 x 2 block with a blocked cell."""
    return np.argwhere(~(free[:-1, :-1] & free[1:, :-1] & free[:-1, 1:] & free[1:, 1:]))


def sees_by_fractions(free, a, b):
    """Whether a segment meets the inside of no blocked square, by clipping it to each."""
    (r0, c0), (r1, c1) = (tuple(map(int, cell)) for cell in (a, b))
    if r0 == r1 or c0 == c1:
        return bool(free[min(r0, r1) : max(r0, r1) + 1, min(c0, c1) : max(c0, c1) + 1].all())
    for row, column in blocked_squares(free).tolist():
        enters, leaves = Fraction(0), Fraction(1)
        for at, to, low in ((r0, r1, row), (c0, c1, column)):
            times = Fraction(low - at, to - at), Fraction(low + 1 - at, to - at)
            enters, leaves = max(enters, min(times)), min(leaves, max(times))
        if enters < leaves:
            return False
    return True


def see(free, a, b):
    """Whether cells a (N, 2) see cells b (N, 2), by separating axes: (N,) bool."""
    low, high, way = np.minimum(a, b), np.maximum(a, b), b - a
    along = (way == 0).any(axis=1)
    sight = np.ones(len(a), bool)
    for cell in np.argwhere(~free):
        sight[along & ((low <= cell) & (cell <= high)).all(axis=1)] = False
    for square in blocked_squares(free):
        overlaps = ((low < square + 1) & (high > square)).all(axis=1) & ~along & sight
        corners = square + np.array([(0, 0), (0, 1), (1, 0), (1, 1)])
        down, right = np.moveaxis(corners[None] - a[overlaps, None], 2, 0)
        side = way[overlaps, :1] * right - way[overlaps, 1:] * down
        sight[np.flatnonzero(overlaps)[(side.max(axis=1) > 0) & (side.min(axis=1) < 0)]] = False
    return sight


def visibility_graph(free):
    """All free cells (N, 2), and the length of the shortest any-angle path between each two."""
    cells = np.argwhere(free)
    i, j = np.triu_indices(len(cells), 1)
    sight = see(free, cells[i], cells[j])
    i, j = i[sight], j[sight]
    lengths = np.hypot(*(cells[i] - cells[j]).T)
    graph = csr_matrix((lengths, (i, j)), (len(cells), len(cells)))
    return cells, dijkstra(graph, directed=False)


def maze(rng, rows, columns):
    """Lanes as wide as a cell, without loops."""
    free = np.zeros((rows, columns), bool)
    free[0, 0] = True
    way = [(0, 0)]
    while way:
        row, column = way[-1]
        for down, right in rng.permutation([(2, 0), (-2, 0), (0, 2), (0, -2)]):
            r, c = row + down, column + right
            if 0 <= r < rows and 0 <= c < columns and not free[r, c]:
                free[r, c] = free[row + down // 2, column + right // 2] = True
                way.append((r, c))
                break
        else:
            way.pop()
    return free


def rooms(rng, rows, columns):
    """Walls across the whole map with a few doors."""
    free = np.ones((rows, columns), bool)
    for _ in range(2):
        free[rng.integers(rows)] &= rng.random(columns) < 0.2
        free[:, rng.integers(columns)] &= rng.random(rows) < 0.2
    return free


def small_map(kind, seed, most=12):
    """A map of one kind: scattered cells blocked by the given share, or maze, lanes or rooms."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(2, most + 1, 2)
    if kind == "maze":
        free = maze(rng, rows, columns)
    elif kind == "lanes":
        free = maze(rng, rows, columns) | (rng.random((rows, columns)) < 0.15)
    elif kind == "rooms":
        free = rooms(rng, rows, columns)
    else:
        free = rng.random((rows, columns)) >= kind
    free[0, 0] = True
    return free


KINDS = (0.05, 0.2, 0.4, 0.55, "maze", "lanes", "rooms")


def invalid_pieces(free, cells):
    """The straight pieces between cells that meet something blocked."""
    return [
        (a.tolist(), b.tolist())
        for a, b in pairwise(cells)
        if not sees_in_its_rectangle(free, a, b)
    ]


def sees_in_its_rectangle(free, a, b):
    low, high = np.minimum(a, b), np.maximum(a, b) + 1
    window = free[low[0] : high[0], low[1] : high[1]]
    return see(window, (a - low)[None], (b - low)[None])[0]


def some_queries(data_folder, count):
    """For each MovingAI map there is, the grid and a few of its queries with octile lengths."""
    maps = sorted((data_folder / "movingai").glob("**/*.map.gz"))
    for path in maps:
        scenarios = path.with_name(path.name.replace(".map.gz", ".map.scen.gz"))
        if not scenarios.exists():
            continue
        queries = read_scenarios(scenarios)
        chosen = np.linspace(0, len(queries) - 1, count).astype(int)
        starts, goals = queries.start[chosen].tolist(), queries.goal[chosen].tolist()
        yield (
            path.name,
            read_movingai_map(path),
            zip(starts, goals, queries.length[chosen].tolist(), strict=True),
        )
