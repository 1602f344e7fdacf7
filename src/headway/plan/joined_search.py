"""The search of joined paths: A* over the cells of a grid and the waypoints of a graph at once.

Nodes are numbered: first the padded cells, then the waypoints. A gate is a waypoint in a free cell
with a link to the centre of that cell. How a node was reached is written as the cell it was reached
from; or the number of cells plus the arc; or that plus the number of arcs plus the waypoint from
whose link the cell was reached.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headway._jit import kernel
from headway.geometry.bits import trailing_zeros
from headway.plan.canonical_moves import MOVES
from headway.plan.moves import DIAGONALS, DOWN, NOWHERE, RIGHT, neighbourhood
from headway.plan.open_list import WAITING, offer, open_list, take
from headway.plan.path import SQRT2


@kernel(allocates=False)
def _leave_cell(
    node: int, free: NDArray, price: NDArray, weighted: int, stride: int, size: float,
    rule: int, x: float, y: float, rate: float, cost: NDArray, key: NDArray, via: NDArray,
    heap: NDArray, place: NDArray, touched: NDArray, counts: NDArray,
) -> None:  # fmt: skip
    """Step to the neighbouring cells."""
    here = price[node * weighted]
    row, column = node // stride - y, node % stride - x
    left = int(MOVES[(rule * 9 + NOWHERE) << 8 | neighbourhood(free, stride, node)])
    while left:
        way = trailing_zeros(np.uint64(left))
        left &= left - 1
        down, right = DOWN[way], RIGHT[way]
        target = node + down * stride + right
        step = size if way < DIAGONALS else size * SQRT2
        total = cost[node] + step * 0.5 * (here + price[target * weighted])
        if total < cost[target]:
            rest = rate * np.sqrt((row + down) ** 2 + (column + right) ** 2)
            offer(target, total, rest, node, cost, key, via, heap, place, touched, counts)


@kernel(allocates=False)
def _pass_gates(
    node: int, cells: int, price: float, gates: NDArray, gate_cell: NDArray, link: NDArray,
    places: NDArray, x: float, y: float, rate: float, cost: NDArray, key: NDArray,
    via: NDArray, heap: NDArray, place: NDArray, touched: NDArray, counts: NDArray,
) -> None:  # fmt: skip
    """Go from a cell to the waypoints whose gates it holds; gates are sorted by cell."""
    k, end = 0, len(gates)
    while k < end:  # np.searchsorted takes most of a second to compile
        middle = (k + end) // 2
        if gate_cell[middle] < node:
            k = middle + 1
        else:
            end = middle
    while k < len(gates) and gate_cell[k] == node:
        target = cells + gates[k]
        total = cost[node] + link[k] * price
        if total < cost[target]:
            dx, dy = places[gates[k], 0] - x, places[gates[k], 1] - y
            rest = rate * np.sqrt(dx * dx + dy * dy)
            offer(target, total, rest, node, cost, key, via, heap, place, touched, counts)
        k += 1


@kernel(allocates=False)
def _leave_waypoint(
    node: int, cells: int, arc_start: NDArray, arc_target: NDArray, arc_cost: NDArray,
    places: NDArray, x: float, y: float, rate: float, cost: NDArray, key: NDArray,
    via: NDArray, heap: NDArray, place: NDArray, touched: NDArray, counts: NDArray,
) -> None:  # fmt: skip
    """Go along the arcs of a waypoint."""
    for arc in range(arc_start[node - cells], arc_start[node - cells + 1]):
        waypoint = arc_target[arc]
        total = cost[node] + arc_cost[arc]
        if total < cost[cells + waypoint]:
            dx, dy = places[waypoint, 0] - x, places[waypoint, 1] - y
            rest = rate * np.sqrt(dx * dx + dy * dy)
            offer(
                cells + waypoint, total, rest, cells + arc,
                cost, key, via, heap, place, touched, counts,
            )  # fmt: skip


@kernel(allocates=False)
def _enter_cell(
    node: int, arcs: int, free: NDArray, price: NDArray, weighted: int, stride: int,
    gate_cell: NDArray, link: NDArray, gate_of: NDArray, x: float, y: float, rate: float,
    cost: NDArray, key: NDArray, via: NDArray, heap: NDArray, place: NDArray,
    touched: NDArray, counts: NDArray,
) -> None:  # fmt: skip
    """Go from a waypoint that is a gate to its cell, if that is free."""
    gate = gate_of[node - len(free)]
    if gate < 0 or free[gate_cell[gate]] == 0:
        return
    target = int(gate_cell[gate])
    total = cost[node] + link[gate] * price[target * weighted]
    if total < cost[target]:
        dx, dy = target % stride - x, target // stride - y
        rest = rate * np.sqrt(dx * dx + dy * dy)
        offer(target, total, rest, arcs + node, cost, key, via, heap, place, touched, counts)


def _example() -> tuple:
    cells = np.zeros(9, np.uint8), np.ones(1), 0, 3, 1.0, 0
    arcs = np.zeros(2, np.int64), np.empty(0, np.int64), np.empty(0)
    gates = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.full(1, -1)
    return (*cells, *arcs, *gates, np.zeros((1, 2)), 0.0, 4, 4, *open_list(10))


@kernel(allocates=False, example=_example)
def search(
    free: NDArray, price: NDArray, weighted: int, stride: int, size: float, rule: int,
    arc_start: NDArray, arc_target: NDArray, arc_cost: NDArray, gates: NDArray,
    gate_cell: NDArray, link: NDArray, gate_of: NDArray, places: NDArray, rate: float,
    start: int, goal: int, cost: NDArray, key: NDArray, via: NDArray, heap: NDArray,
    place: NDArray, touched: NDArray, counts: NDArray,
) -> int:  # fmt: skip
    """Search from one node until another is expanded; return how many nodes were.

    Parameters
    ----------
    free, price : (P,) ndarray
        Padded cells; ``price`` may hold one number for all.
    weighted : int
        1 if each cell has its price, else 0.
    stride : int
        Padded cells in a row.
    size : float
        Side of a cell, m.
    rule : int
        Which diagonal steps are allowed, a `CornerRule`.
    arc_start : (N + 1,) ndarray
    arc_target, arc_cost : (A,) ndarray
        See `WaypointGraph`.
    gates, gate_cell, link : (G,) ndarray
        Waypoints that are gates, their padded cells (rising) and the lengths of their links, m.
    gate_of : (N,) ndarray
        Which gate a waypoint is; -1 if none.
    places : (N, 2) ndarray
        Padded column and row of waypoints, whole numbers at centres of cells.
    rate : float
        What it costs at least to come nearer to the goal by the side of a cell.
    start, goal : int
        Nodes.
    cost, key, via, heap, place, touched : (P + N,) ndarray
    counts : (2,) ndarray
        See `open_list`.
    """
    cells = len(free)
    lists = cost, key, via, heap, place, touched, counts
    x, y = float(goal % stride), float(goal // stride)
    if goal >= cells:
        x, y = places[goal - cells, 0], places[goal - cells, 1]
    offer(start, 0.0, 0.0, -1, cost, key, via, heap, place, touched, counts)
    expanded = 0
    while counts[WAITING] > 0:
        node = take(key, heap, place, counts)
        expanded += 1
        if node == goal:
            break
        if node < cells:
            _leave_cell(node, free, price, weighted, stride, size, rule, x, y, rate, *lists)
            worth = price[node * weighted]
            _pass_gates(node, cells, worth, gates, gate_cell, link, places, x, y, rate, *lists)
            continue
        _leave_waypoint(node, cells, arc_start, arc_target, arc_cost, places, x, y, rate, *lists)
        _enter_cell(
            node, len(arc_target), free, price, weighted, stride,
            gate_cell, link, gate_of, x, y, rate, *lists,
        )  # fmt: skip
    return expanded


@kernel(
    allocates=False,
    example=lambda: (np.full(1, -1), 1, np.empty(0, np.int64), 0, np.empty(1, np.int64)),
)
def trace(via: NDArray, cells: int, arc_source: NDArray, goal: int, nodes: NDArray) -> int:
    """Write the nodes from start to goal in order; return how many they are.

    Parameters
    ----------
    via : (P + N,) ndarray
    cells : int
        How many padded cells there are.
    arc_source : (A,) ndarray
    goal : int
    nodes : (P + N,) ndarray
        Output.
    """
    count = 0
    node = goal
    while node >= 0:
        nodes[count] = node
        count += 1
        origin = via[node]
        if origin < cells:
            node = origin
        elif origin < cells + len(arc_source):
            node = cells + arc_source[origin - cells]
        else:
            node = origin - len(arc_source)
    for i in range(count // 2):
        nodes[i], nodes[count - 1 - i] = nodes[count - 1 - i], nodes[i]
    return count
