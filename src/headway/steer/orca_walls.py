"""Walls for ORCA: polygons as linked edges, in a tree that tells near ones from far ones.

The edges part the plane (binary space partition): each node is an edge, with those to the left of
its line in one branch and those to the right in another; an edge on both sides is cut in two. From
any point the tree yields edges that face it, and says whether the point is within a polygon.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError

START_X, START_Y, END_X, END_Y, WAY_X, WAY_Y, WALL_VX, WALL_VY, CONVEX = range(9)
"""Columns of edges: m, m, m, m, unit direction, m/s, m/s, whether the start is a convex corner."""
EDGE = 9
PREVIOUS, NEXT, LEFT, RIGHT = range(4)
"""Columns of links: rows of edges, -1 for none."""

MARGIN = 1e-5  # m: points so near a line lie on it
AT_ONCE = 256  # edges tried as cuts in one go


_Edges = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Walls:
    """Polygons made ready for :func:`headway.steer.orca.orca`. Make them with `Walls.of`.

    Parameters
    ----------
    edges : (E, 9) ndarray
        Start (m), end (m), unit direction, velocity (m/s), and 1 where the start is convex.
    links : (E, 4) ndarray of int
        Rows of the previous and next edge of the polygon, and the left and right branch.
    root : int
        Row of the tree's root; -1 if there are no walls.
    """

    edges: NDArray[np.float64]
    links: NDArray[np.int64]
    root: int

    @classmethod
    def of(cls, polygons: Iterable[ArrayLike], velocities: ArrayLike | None = None) -> Walls:
        """Link and sort the edges of polygons.

        Parameters
        ----------
        polygons : iterable of (M, 2) array_like
            Corners, m, world frame. Counter-clockwise polygons are solid, clockwise ones are the
            outlines of free space; two corners are a wall without thickness.
        velocities : (K, 2) array_like, optional
            m/s, of each polygon; make walls anew when the polygons have moved.

        Returns
        -------
        Walls

        Raises
        ------
        InputError
            If a polygon has fewer than two corners, two equal ones in a row, or numbers that are
            not finite.

        Examples
        --------
        >>> walls = Walls.of([[(0, 0), (4, 0), (4, 1), (0, 1)]])
        >>> len(walls.edges), walls.root
        (4, 0)
        """
        corners = [_corners(k, polygon) for k, polygon in enumerate(polygons)]
        rates = np.zeros((len(corners), 2)) if velocities is None else _read(velocities)
        if rates.shape != (len(corners), 2) or not np.isfinite(rates).all():
            raise InputError(f"velocities has shape {rates.shape}: give finite (K, 2), m/s.")
        edges: _Edges = []
        links: _Edges = []
        for points, rate in zip(corners, rates, strict=True):
            _link(points, rate, edges, links)
        root = _grow_tree(edges, links)
        return cls(
            np.array(edges, np.float64).reshape(-1, EDGE),
            np.array(links, np.int64).reshape(-1, 4),
            root,
        )


def _read(value: ArrayLike) -> NDArray[np.float64]:
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"walls cannot be read as numbers ({error}).") from error


def _corners(k: int, polygon: ArrayLike) -> NDArray[np.float64]:
    points = _read(polygon)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        raise InputError(f"polygon {k} of walls has shape {points.shape}: give (M, 2), M >= 2.")
    if not np.isfinite(points).all():
        raise InputError(f"polygon {k} of walls has a corner that is not finite.")
    if (points == np.roll(points, -1, axis=0)).all(axis=1).any():
        raise InputError(f"polygon {k} of walls has the same corner twice in a row: drop one.")
    return points


def _link(points: NDArray, rate: NDArray, edges: _Edges, links: _Edges) -> None:
    """Add a polygon's edges, each linked with its neighbours."""
    first, count = len(edges), len(points)
    for k in range(count):
        before, start, end = points[k - 1], points[k], points[(k + 1) % count]
        way = (end - start) / np.hypot(*(end - start))
        convex = count == 2 or _left_of(before, start, end) >= 0.0
        edges.append([*start, *end, *way, *rate, float(convex)])
        links.append([first + (k - 1) % count, first + (k + 1) % count, -1, -1])


def _left_of(a: NDArray, b: NDArray, points: NDArray) -> NDArray:
    """Twice the area of the triangle a, b, point: positive for points left of the line."""
    way, to = b - a, points - a
    return way[..., 0] * to[..., 1] - way[..., 1] * to[..., 0]


def _sides(table: NDArray, cuts: slice) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Where edges lie to the lines of some of them: start, end, and whether all left, all right."""
    a, b = table[cuts, None, START_X:END_X], table[cuts, None, END_X:WAY_X]
    start, end = _left_of(a, b, table[:, START_X:END_X]), _left_of(a, b, table[:, END_X:WAY_X])
    left = (start >= -MARGIN) & (end >= -MARGIN)
    return start, end, left, ~left & (start <= MARGIN) & (end <= MARGIN)


def _best_cut(table: NDArray) -> int:
    """The edge whose line leaves the branches most alike; the first of several."""
    sizes = []
    for at in range(0, len(table), AT_ONCE):
        _, _, left, right = _sides(table, slice(at, at + AT_ONCE))
        sizes.append(np.stack(((~right).sum(axis=1) - 1, (~left).sum(axis=1)), axis=1))
    size = np.concatenate(sizes)  # the edge itself counts as left
    return int(np.lexsort((size.min(axis=1), size.max(axis=1)))[0])


def _grow_tree(edges: _Edges, links: _Edges) -> int:
    """Sort all edges into the tree, cutting some in two; returns the root."""
    root, unsorted = -1, [(list(range(len(edges))), -1, LEFT)]
    while unsorted:
        rows, parent, branch = unsorted.pop()
        if not rows:
            continue
        table = np.array([edges[row] for row in rows])
        cut = _best_cut(table)
        node = rows[cut]
        if parent < 0:
            root = node
        else:
            links[parent][branch] = node
        start, end, left, right = (side[0] for side in _sides(table, slice(cut, cut + 1)))
        branches: dict[int, list[int]] = {LEFT: [], RIGHT: []}
        for k, row in enumerate(rows):
            if k == cut:
                continue
            if left[k] or right[k]:
                branches[LEFT if left[k] else RIGHT].append(row)
                continue
            near, far = (LEFT, RIGHT) if start[k] > 0.0 else (RIGHT, LEFT)
            branches[near].append(row)
            branches[far].append(_cut(edges, links, row, start[k] / (start[k] - end[k])))
        unsorted += [(some, node, branch) for branch, some in branches.items()]
    return root


def _cut(edges: _Edges, links: _Edges, row: int, part: float) -> int:
    """Cut an edge in two; returns the row of the new, second half."""
    edge, new = edges[row], len(edges)
    x = edge[START_X] + part * (edge[END_X] - edge[START_X])
    y = edge[START_Y] + part * (edge[END_Y] - edge[START_Y])
    edges.append([x, y, *edge[END_X:CONVEX], 1.0])
    edge[END_X], edge[END_Y] = x, y
    after = links[row][NEXT]
    links.append([row, after, -1, -1])
    links[row][NEXT] = new
    links[after][PREVIOUS] = new
    return new
