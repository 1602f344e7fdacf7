"""The tree of boxes holds every box once, and each branch covers what is below it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.geometry.box_tree import box_tree, past


@given(st.integers(0, 70), st.integers(0, 10**6))
def test_every_box_is_a_leaf_and_branches_cover_their_boxes(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lowest = rng.normal(size=(count, 3))
    highest = lowest + rng.uniform(0.0, 2.0, (count, 3))
    if count > 2:
        lowest[0, 2], highest[1, 0] = -np.inf, np.inf
    nodes, leaves = box_tree(lowest, highest)
    assert sorted(leaves[leaves >= 0]) == list(range(count))
    boxes = nodes.reshape(-1, 6)
    for node in range(1, len(leaves)):
        for child in (2 * node, 2 * node + 1):
            if boxes[child, 0] <= boxes[child, 3]:
                assert (boxes[node, :3] <= boxes[child, :3]).all()
                assert (boxes[node, 3:] >= boxes[child, 3:]).all()


@pytest.mark.parametrize("leaves", [1, 2, 8])
def test_a_walk_that_enters_everything_visits_each_node_once(leaves: int) -> None:
    seen, node = [], 1
    while True:
        seen.append(node)
        if node < leaves:
            node = 2 * node
            continue
        node = past(node)
        if node == 1:
            break
    assert sorted(seen) == list(range(1, 2 * leaves))
